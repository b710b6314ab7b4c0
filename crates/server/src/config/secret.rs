//! A value that is not shown.

use std::fmt;
use std::str::FromStr;

/// What is shown in its place.
pub(super) const HIDDEN: &str = "***";

/// A value that nothing prints. Its setting is marked `hide_env_values`, so that neither the help nor
/// `--print-config` nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The value, for whoever needs it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromStr for Secret {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("it is empty; expected the secret".to_owned()),
            HIDDEN => Err("it stands for a secret that was not shown; expected the secret".to_owned()),
            text => Ok(Self(text.to_owned())),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed_and_its_stand_in_never_taken() {
        let secret: Secret = "hunter2".parse().expect("a secret");
        assert_eq!(secret.expose(), "hunter2");
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert!("***".parse::<Secret>().is_err() && "".parse::<Secret>().is_err());
    }
}
