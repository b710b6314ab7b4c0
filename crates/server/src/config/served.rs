//! Which part of the service this server takes on.

use clap::ValueEnum;

use crate::method::{Kind, Method};

/// Which RPCs a server answers. Cheap questions and searches scale apart when servers are of two kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum Served {
    /// The questions about rules.
    Rules,
    /// The search.
    Search,
    /// All.
    All,
}

impl Served {
    /// The names of the RPCs that are answered.
    pub fn methods(self) -> impl Iterator<Item = &'static str> {
        let answered = Method::all().filter(move |&method| method.is_of_arbiter() && self.has(method));
        answered.map(Method::short_name)
    }

    /// Whether a call is answered here, as far as that depends on its kind.
    #[must_use]
    pub fn has(self, method: Method) -> bool {
        match method.kind() {
            Kind::Rules => self != Served::Search,
            Kind::Search => self != Served::Rules,
            Kind::Info | Kind::Health | Kind::Other => true,
        }
    }

    /// The name by which it is set.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Served::Rules => "rules",
            Served::Search => "search",
            Served::All => "all",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_leaves_the_other_takes() {
        for method in Method::all() {
            assert!(Served::All.has(method), "{}", method.name());
            let (rules, search) = (Served::Rules.has(method), Served::Search.has(method));
            assert_eq!(
                (rules, search),
                match method.kind() {
                    Kind::Rules => (true, false),
                    Kind::Search => (false, true),
                    _ => (true, true),
                }
            );
        }
        assert_eq!(Served::Search.methods().collect::<Vec<_>>(), ["Search", "GetServerInfo"]);
        assert_eq!(Served::All.methods().count(), 7);
    }
}
