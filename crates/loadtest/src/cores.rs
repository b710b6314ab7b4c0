//! On which processor cores a process may run.

use std::str::FromStr;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::exit::Failure;

/// Cores, by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cores(Vec<usize>);

impl FromStr for Cores {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected numbers of cores, like \"0\" or \"2,3\"".to_owned();
        let read = |number: &str| {
            number.trim().parse().ok().filter(|core| *core < CpuSet::MAX_CPU).ok_or_else(wrong)
        };
        text.split(',').map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl Cores {
    /// Lets this thread, and what it starts from now on, run on these cores alone.
    ///
    /// # Errors
    /// The machine does not have them.
    pub(crate) fn take(&self) -> Result<(), Failure> {
        let mut set = CpuSet::new();
        self.0.iter().for_each(|core| set.set(*core));
        sched_setaffinity(None, &set).map_err(|error| format!("cores {:?}: {error}", self.0))
    }
}

/// Runs something with these cores, if any are meant, and goes back to those before: what it starts stays there.
///
/// # Errors
/// The machine does not have them, or what was run failed.
pub(crate) fn within<T>(
    cores: Option<&Cores>,
    run: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(cores) = cores else { return run() };
    let before = sched_getaffinity(None).map_err(|error| format!("cores: {error}"))?;
    cores.take()?;
    let result = run();
    sched_setaffinity(None, &before).map_err(|error| format!("cores: {error}"))?;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_numbers() {
        assert_eq!("2, 3".parse(), Ok(Cores(vec![2, 3])));
        assert!(
            "a".parse::<Cores>().is_err()
                && "".parse::<Cores>().is_err()
                && "99999".parse::<Cores>().is_err()
        );
    }
}
