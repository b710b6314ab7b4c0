//! Who may ask: clients that know a token. The server knows only the hashes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::{HeaderMap, header};
use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use subtle::ConstantTimeEq as _;
use tonic::Status;

use crate::config::Config;
use crate::follow::follow;
use crate::limits::MAX_TOKEN_BYTES;
use crate::shutdown::Hangups;
use crate::small_file::read_regular;
use crate::status;

/// The hash of a token that is taken, with a name for it: `ci:9f86d0…`, or the hash alone.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash {
    name: String,
    hash: [u8; SHA256_OUTPUT_LEN],
}

impl FromStr for TokenHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected the SHA-256 of a token in 64 hexadecimal digits, or NAME:SHA256".to_owned();
        let (name, digits) = text.trim().rsplit_once(':').unwrap_or(("unnamed", text.trim()));
        if digits.len() != 2 * SHA256_OUTPUT_LEN || !digits.is_ascii() {
            return Err(wrong());
        }
        let mut hash = [0; SHA256_OUTPUT_LEN];
        for (index, byte) in hash.iter_mut().enumerate() {
            let digits = &digits[2 * index..2 * index + 2];
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(wrong());
            }
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Self { name: name.to_owned(), hash })
    }
}

/// Who has a hash can try tokens against it: it is not shown either.
impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.name)
    }
}

/// The tokens that are taken.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Option<Arc<Taken>>);

#[derive(Debug)]
struct Taken {
    listed: Vec<TokenHash>,
    file: Option<PathBuf>,
    in_file: RwLock<Vec<TokenHash>>,
    /// Whether the file cannot be used as it is now.
    is_stale: AtomicBool,
    look_again: Duration,
}

impl Tokens {
    /// The tokens that are configured. If none are, nobody needs one.
    ///
    /// # Errors
    /// The file cannot be read, or has no hashes.
    pub fn of(config: &Config) -> io::Result<Self> {
        let (listed, file) = (config.guard.token_hashes.clone(), config.guard.token_hashes_file.clone());
        if listed.is_empty() && file.is_none() {
            return Ok(Self(None));
        }
        let in_file = RwLock::new(file.clone().map_or(Ok(Vec::new()), |file| read(&file))?);
        let (is_stale, look_again) = (AtomicBool::new(false), config.guard.reload_interval);
        Ok(Self(Some(Arc::new(Taken { listed, file, in_file, is_stale, look_again }))))
    }

    /// Whether a call with these headers may be made.
    ///
    /// # Errors
    /// It has no token, or one that is not taken.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Status> {
        let Some(taken) = &self.0 else { return Ok(()) };
        let token = bearer(headers).ok_or_else(|| status::unauthenticated("the call has no token"))?;
        if taken.knows(token) { Ok(()) } else { Err(status::unauthenticated("the token is not taken")) }
    }

    /// Whether the file cannot be used as it is now, so that what it said before holds.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.0.as_ref().is_some_and(|taken| taken.is_stale.load(Ordering::Relaxed))
    }

    /// Looks at the file from time to time and for every hangup. Where the new one cannot be used, the old
    /// tokens stay.
    pub async fn follow(&self, hangups: Hangups) {
        let Some(taken) = &self.0 else { return };
        let Some(file) = &taken.file else { return };
        let loaded = taken.in_file.read().unwrap_or_else(PoisonError::into_inner).clone();
        let file = file.clone();
        let take = |read: Result<&Vec<TokenHash>, &String>| {
            taken.is_stale.store(read.is_err(), Ordering::Relaxed);
            match read {
                Ok(tokens) => taken.replace(tokens),
                Err(error) => tracing::error!(error, "new tokens cannot be used; the old ones stay"),
            }
        };
        follow(loaded, move || read(&file), take, taken.look_again, hangups).await;
    }
}

impl Taken {
    /// All of them are compared, so that the time tells nothing.
    fn knows(&self, token: &[u8]) -> bool {
        let hash = digest(&SHA256, token);
        let in_file = self.in_file.read().unwrap_or_else(PoisonError::into_inner);
        let all = self.listed.iter().chain(in_file.iter());
        all.fold(subtle::Choice::from(0), |known, token| known | token.hash.ct_eq(hash.as_ref())).into()
    }

    fn replace(&self, tokens: &[TokenHash]) {
        let mut in_file = self.in_file.write().unwrap_or_else(PoisonError::into_inner);
        if in_file.as_slice() != tokens {
            let names: Vec<_> = tokens.iter().map(|token| token.name.as_str()).collect();
            tracing::info!(?names, "new tokens are taken");
            *in_file = tokens.to_vec();
        }
    }
}

/// The token of a call: one header, of the scheme `Bearer`.
fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, mut token) = value.as_bytes().split_at_checked("Bearer ".len())?;
    // RFC 9110, section 11.4: one space or more.
    while let [b' ', rest @ ..] = token {
        token = rest;
    }
    let is_one = scheme.eq_ignore_ascii_case(b"Bearer ") && (1..=MAX_TOKEN_BYTES).contains(&token.len());
    is_one.then_some(token)
}

/// Reads a file of hashes, one on each line; `#` begins a comment.
///
/// A file without any would lock everyone out. That is rather one that is being written.
fn read(file: &std::path::Path) -> io::Result<Vec<TokenHash>> {
    let wrong = |line: usize, error: &str| {
        let error = format!("{}: line {line}: {error}", file.display());
        io::Error::new(io::ErrorKind::InvalidData, error)
    };
    let text = String::from_utf8(read_regular(file)?).map_err(|_| wrong(1, "expected text"))?;
    let lines = (1..).zip(text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()));
    let hashes = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| line.parse().map_err(|error: String| wrong(number, &error)))
        .collect::<io::Result<Vec<_>>>()?;
    if hashes.is_empty() {
        let error = format!("{}: it has no hash of a token; expected one on each line", file.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-256 of `test`.
    const TEST: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn with(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn hashes_are_read_with_or_without_a_name_and_not_shown() {
        let named: TokenHash = format!("ci:{TEST}").parse().expect("a hash");
        assert_eq!((named.name.as_str(), named.hash[0]), ("ci", 0x9f));
        assert_eq!(format!("{named:?}"), "ci:***");
        assert_eq!(TEST.to_uppercase().parse::<TokenHash>().expect("a hash").hash, named.hash);
        for text in ["", "ci:", "test", &TEST[1..], &format!("{TEST}0"), &TEST.replace("9f", "+f")] {
            assert!(text.parse::<TokenHash>().is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn one_header_of_the_right_scheme_has_the_token() {
        assert_eq!(bearer(&with(&["Bearer test"])), Some(b"test".as_slice()));
        assert_eq!(bearer(&with(&["bearer   test"])), Some(b"test".as_slice()));
        for values in [&[][..], &["Bearer "], &["Bearer"], &["Basic test"], &["test"], &["Bearer test"; 2]] {
            assert_eq!(bearer(&with(values)), None, "{values:?}");
        }
        assert_eq!(bearer(&with(&[&format!("Bearer {}", "x".repeat(MAX_TOKEN_BYTES + 1))])), None);
    }

    #[test]
    fn every_token_of_the_list_is_taken_and_no_other() {
        let other = "5".repeat(64).parse().expect("a hash");
        let taken = Taken {
            listed: vec![other, TEST.parse().expect("a hash")],
            file: None,
            in_file: RwLock::default(),
            is_stale: AtomicBool::new(false),
            look_again: Duration::ZERO,
        };
        let tokens = Tokens(Some(Arc::new(taken)));
        assert!(tokens.check(&with(&["Bearer test"])).is_ok());
        for values in [&["Bearer tests"][..], &["Bearer tes"], &[]] {
            let status = tokens.check(&with(values)).expect_err("not taken");
            assert_eq!(status.code(), tonic::Code::Unauthenticated);
        }
        assert!(Tokens(None).check(&HeaderMap::new()).is_ok(), "where there are none, none is needed");
    }
}
