//! Which RPCs are called how often.

use std::fmt;
use std::str::FromStr;

use fastrand::Rng;

use crate::method::Method;

/// The largest weight.
const MAX_WEIGHT: u32 = 1_000_000;

/// RPCs with their weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mix(Vec<(Method, u32)>);

impl Mix {
    /// One RPC alone.
    pub(crate) fn only(method: Method) -> Self {
        Self(vec![(method, 1)])
    }

    /// The RPCs in it.
    pub(crate) fn methods(&self) -> impl Iterator<Item = Method> {
        self.0.iter().map(|(method, _)| *method)
    }

    /// Chooses the next RPC.
    pub(crate) fn choose(&self, random: &mut Rng) -> Method {
        let total = self.0.iter().map(|(_, weight)| weight).sum();
        let mut ticket = if self.0.len() == 1 { 0 } else { random.u32(0..total) };
        for (method, weight) in &self.0 {
            if ticket < *weight {
                return *method;
            }
            ticket -= weight;
        }
        // There is at least one, and the weights add up to more than any ticket.
        self.0[0].0
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut mix: Vec<(Method, u32)> = Vec::new();
        for part in text.split(',') {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let method = Method::parse(name.trim())
                .ok_or_else(|| format!("{name:?} is no RPC: expected one of {}", Method::names()))?;
            let weight = weight.trim().parse().ok().filter(|weight| *weight <= MAX_WEIGHT);
            let weight = weight
                .ok_or_else(|| format!("the weight of {method}: expected a number from 0 to {MAX_WEIGHT}"))?;
            if mix.iter().any(|(known, _)| *known == method) {
                return Err(format!("{method} is there twice"));
            }
            mix.push((method, weight));
        }
        mix.retain(|(_, weight)| *weight > 0);
        if mix.is_empty() {
            Err("all weights are 0: expected at least one RPC".to_owned())
        } else {
            Ok(Self(mix))
        }
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.0.iter().map(|(method, weight)| format!("{method}={weight}")).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rpcs_are_chosen_by_their_weights() {
        let mix: Mix = "ValidateMove=80,LegalMoves=20".parse().unwrap();
        let mut random = Rng::with_seed(1);
        let moves = (0..10_000).filter(|_| mix.choose(&mut random) == Method::ValidateMove).count();
        assert!((7_800..8_200).contains(&moves), "{moves}");
    }

    #[test]
    fn a_mistake_says_what_would_be_right() {
        let error = |text: &str| text.parse::<Mix>().unwrap_err();
        assert!(error("Validate=3").contains("expected one of ValidateMove, "));
        assert!(error("Search=-1").contains("expected a number from 0"));
        assert!(error("Search=0").contains("at least one"));
        assert!(error("Search=1,Search=2").contains("twice"));
    }

    #[test]
    fn no_weight_is_one() {
        assert_eq!("Search".parse::<Mix>().unwrap(), Mix::only(Method::Search));
    }
}
