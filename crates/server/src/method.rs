//! The calls that this server answers, by name: what metrics and spans call them.

/// The full names of all calls. What a client makes up beyond them is the last one.
const NAMES: [&str; Method::COUNT] = [
    "arbiter.v1.ArbiterService/ValidateMove",
    "arbiter.v1.ArbiterService/ValidateMoves",
    "arbiter.v1.ArbiterService/LegalMoves",
    "arbiter.v1.ArbiterService/GameStatus",
    "arbiter.v1.ArbiterService/ReplayGame",
    "arbiter.v1.ArbiterService/Search",
    "arbiter.v1.ArbiterService/GetServerInfo",
    "grpc.health.v1.Health/Check",
    "grpc.health.v1.Health/List",
    "grpc.health.v1.Health/Watch",
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    "_OTHER",
];

/// A call that this server knows, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method(usize);

impl Method {
    /// How many there are.
    pub const COUNT: usize = 13;
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
        Method(NAMES.iter().position(|&known| known == name).unwrap_or(Self::COUNT - 1))
    }

    /// Every method.
    pub fn all() -> impl Iterator<Item = Method> {
        (0..Self::COUNT).map(Method)
    }

    /// The full name: `package.Service/Method`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self.0]
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

    fn rpcs(descriptors: &[u8]) -> Vec<String> {
        let files = FileDescriptorSet::decode(descriptors).expect("descriptors").file;
        let services = files.iter().flat_map(|file| file.service.iter().map(move |service| (file, service)));
        let rpcs = services.flat_map(|(file, service)| {
            service.method.iter().map(|rpc| format!("{}.{}/{}", file.package(), service.name(), rpc.name()))
        });
        rpcs.collect()
    }

    #[test]
    fn every_rpc_has_a_name() {
        for rpc in [rpcs(proto::FILE_DESCRIPTOR_SET), rpcs(tonic_health::pb::FILE_DESCRIPTOR_SET)].concat() {
            assert_eq!(Method::of_path(&format!("/{rpc}")).name(), rpc);
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
        let names = constants.map(|method| method.name().rsplit('/').next().unwrap_or_default());
        let expected = ["ValidateMove", "ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "Search"];
        assert_eq!(names, expected);
    }

    #[test]
    fn what_a_client_makes_up_has_one_name() {
        for path in ["", "/", "/nope", "/_OTHER2", "/arbiter.v1.ArbiterService/Nope", "//"] {
            assert_eq!(Method::of_path(path).name(), "_OTHER");
        }
    }
}
