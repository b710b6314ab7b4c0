//! The calls that this server answers, and what is known of each by its name.

use crate::limits::{MAX_NAMES_BYTES, MAX_REQUEST_BYTES};

use self::Messages::{Many, One};

/// What is known of the calls with one name.
#[derive(Debug)]
struct Row {
    /// The full name.
    name: &'static str,
    kind: Kind,
    /// How many messages the client sends.
    asks: Messages,
    /// How many messages the client gets.
    gets: Messages,
}

/// What a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A question about rules.
    Rules,
    /// A search.
    Search,
    /// What every server of this service says of itself.
    Info,
    /// Whether the server serves: whoever runs it has to hear of that.
    Health,
    /// Anything else.
    Other,
}

/// How many messages go one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Messages {
    /// One, and then there is an end; all of that soon.
    One,
    /// As many as the sender likes, and when it likes; only each of them has to be whole soon.
    Many,
}

const fn row(name: &'static str, kind: Kind, asks: Messages, gets: Messages) -> Row {
    Row { name, kind, asks, gets }
}

/// All calls. What a client makes up beyond them is the last one.
static ROWS: [Row; Method::COUNT] = [
    row("arbiter.v1.ArbiterService/ValidateMove", Kind::Rules, One, One),
    row("arbiter.v1.ArbiterService/ValidateMoves", Kind::Rules, Many, Many),
    row("arbiter.v1.ArbiterService/LegalMoves", Kind::Rules, One, One),
    row("arbiter.v1.ArbiterService/GameStatus", Kind::Rules, One, One),
    row("arbiter.v1.ArbiterService/ReplayGame", Kind::Rules, One, One),
    row("arbiter.v1.ArbiterService/Search", Kind::Search, One, Many),
    row("arbiter.v1.ArbiterService/GetServerInfo", Kind::Info, One, One),
    row("grpc.health.v1.Health/Check", Kind::Health, One, One),
    row("grpc.health.v1.Health/Watch", Kind::Health, One, Many),
    row("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", Kind::Other, Many, Many),
    row("grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", Kind::Other, Many, Many),
    row("_OTHER", Kind::Other, One, One),
];

/// A call that this server knows, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method(usize);

impl Method {
    /// How many there are.
    pub const COUNT: usize = 12;
    /// `ValidateMove`.
    pub const VALIDATE_MOVE: Method = Method(0);
    /// `ValidateMoves`.
    pub const VALIDATE_MOVES: Method = Method(1);
    /// `LegalMoves`.
    pub const LEGAL_MOVES: Method = Method(2);
    /// `GameStatus`.
    pub const GAME_STATUS: Method = Method(3);
    /// `ReplayGame`.
    pub const REPLAY_GAME: Method = Method(4);
    /// `Search`.
    pub const SEARCH: Method = Method(5);

    /// The method that the path of a request names.
    #[must_use]
    pub fn of_path(path: &str) -> Method {
        let name = path.strip_prefix('/').unwrap_or_default();
        Method(ROWS.iter().position(|row| row.name == name).unwrap_or(Self::COUNT - 1))
    }

    /// Every method.
    pub fn all() -> impl Iterator<Item = Method> {
        (0..Self::COUNT).map(Method)
    }

    /// The full name: `package.Service/Method`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ROWS[self.0].name
    }

    /// The name within its service.
    #[must_use]
    pub fn short_name(self) -> &'static str {
        self.name().rsplit('/').next().unwrap_or_default()
    }

    /// What it is about.
    #[must_use]
    pub fn kind(self) -> Kind {
        ROWS[self.0].kind
    }

    /// Whether it is one of the referee's service.
    #[must_use]
    pub fn is_of_arbiter(self) -> bool {
        matches!(self.kind(), Kind::Rules | Kind::Search | Kind::Info)
    }

    /// The largest message that its client may send, in bytes.
    #[must_use]
    pub fn max_request_bytes(self) -> usize {
        match self.kind() {
            Kind::Rules | Kind::Search => MAX_REQUEST_BYTES,
            Kind::Info | Kind::Health | Kind::Other => MAX_NAMES_BYTES,
        }
    }

    /// How many messages its client sends.
    #[must_use]
    pub fn asks(self) -> Messages {
        ROWS[self.0].asks
    }

    /// How many messages its client gets.
    #[must_use]
    pub fn gets(self) -> Messages {
        ROWS[self.0].gets
    }

    /// Its place among all.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use prost::Message as _;
    use prost_types::FileDescriptorSet;

    use super::*;

    /// The RPCs of a service by full name, and whether the client sends and gets many messages.
    fn rpcs(descriptors: &[u8]) -> Vec<(String, bool, bool)> {
        let files = FileDescriptorSet::decode(descriptors).expect("descriptors").file;
        let services = files.iter().flat_map(|file| file.service.iter().map(move |service| (file, service)));
        let rpcs = services.flat_map(|(file, service)| {
            service.method.iter().map(|rpc| {
                let name = format!("{}.{}/{}", file.package(), service.name(), rpc.name());
                (name, rpc.client_streaming(), rpc.server_streaming())
            })
        });
        rpcs.collect()
    }

    #[test]
    fn every_rpc_has_its_row() {
        for (rpc, asks_many, gets_many) in
            [rpcs(proto::FILE_DESCRIPTOR_SET), rpcs(tonic_health::pb::FILE_DESCRIPTOR_SET)].concat()
        {
            let method = Method::of_path(&format!("/{rpc}"));
            assert_eq!(method.name(), rpc);
            assert_eq!((method.asks() == Many, method.gets() == Many), (asks_many, gets_many), "{rpc}");
            assert_eq!(method.is_of_arbiter(), rpc.starts_with("arbiter."), "{rpc}");
        }
    }

    #[test]
    fn constants_stand_for_their_names() {
        let constants = [
            Method::VALIDATE_MOVE,
            Method::VALIDATE_MOVES,
            Method::LEGAL_MOVES,
            Method::GAME_STATUS,
            Method::REPLAY_GAME,
            Method::SEARCH,
        ];
        let names = constants.map(Method::short_name);
        let expected = ["ValidateMove", "ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "Search"];
        assert_eq!(names, expected);
    }

    #[test]
    fn what_a_client_makes_up_has_one_name() {
        for path in [
            "arbiter.v1.ArbiterService/Search",
            "/arbiter.v1.ArbiterServices/Search",
            "",
            "/",
            "/nope",
            "/_OTHER2",
            "/arbiter.v1.ArbiterService/Nope",
            "//",
        ] {
            assert_eq!(Method::of_path(path).name(), "_OTHER", "{path:?}");
        }
    }
}
