//! Which part of the service this server takes on.

use clap::ValueEnum;

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

/// The RPCs of the service and the kind of each; none of a kind is answered by every server.
const METHODS: [(&str, Option<Served>); 7] = [
    ("ValidateMove", Some(Served::Rules)),
    ("ValidateMoves", Some(Served::Rules)),
    ("LegalMoves", Some(Served::Rules)),
    ("GameStatus", Some(Served::Rules)),
    ("ReplayGame", Some(Served::Rules)),
    ("Search", Some(Served::Search)),
    ("GetServerInfo", None),
];

impl Served {
    /// The names of the RPCs that are answered.
    pub fn methods(self) -> impl Iterator<Item = &'static str> {
        METHODS.into_iter().filter(move |&(_, kind)| self.has(kind)).map(|(name, _)| name)
    }

    /// Whether there is an RPC of this name and it is left to other servers.
    #[must_use]
    pub fn leaves_to_others(self, method: &str) -> bool {
        self != Served::All && METHODS.iter().any(|&(name, kind)| name == method && !self.has(kind))
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

    fn has(self, kind: Option<Served>) -> bool {
        self == Served::All || kind.is_none_or(|kind| kind == self)
    }
}

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn every_rpc_is_of_a_kind() {
        let files = FileDescriptorSet::decode(proto::FILE_DESCRIPTOR_SET).expect("descriptors").file;
        let services = files.iter().flat_map(|file| &file.service);
        let service = services.into_iter().find(|service| service.name() == "ArbiterService");
        let rpcs = service.expect("the service").method.iter().map(|rpc| rpc.name().to_owned());
        assert_eq!(rpcs.collect::<Vec<_>>(), METHODS.map(|(name, _)| name));
    }

    #[test]
    fn what_one_leaves_the_other_takes() {
        assert!(Served::Rules.leaves_to_others("Search") && !Served::Search.leaves_to_others("Search"));
        assert!(
            Served::Search.leaves_to_others("LegalMoves") && !Served::Rules.leaves_to_others("LegalMoves")
        );
        for served in [Served::Rules, Served::Search, Served::All] {
            assert!(!served.leaves_to_others("GetServerInfo") && !served.leaves_to_others("Nope"));
        }
        assert_eq!(Served::Search.methods().collect::<Vec<_>>(), ["Search", "GetServerInfo"]);
    }
}
