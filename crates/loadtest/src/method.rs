//! What can be called.

use std::fmt;

/// An RPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Method {
    /// Is this move legal?
    ValidateMove,
    /// The same in bulk, as a stream.
    ValidateMoves,
    /// Which moves are legal?
    LegalMoves,
    /// How does the game stand?
    GameStatus,
    /// A whole game.
    ReplayGame,
    /// What is the best move?
    Search,
    /// What is this server?
    GetServerInfo,
    /// The peer of a single question: see `echo.rs`.
    Echo,
    /// The peer of a stream.
    EchoStream,
}

impl Method {
    /// The RPCs of the service.
    pub(crate) const OFFERED: [Method; 7] = [
        Method::ValidateMove,
        Method::ValidateMoves,
        Method::LegalMoves,
        Method::GameStatus,
        Method::ReplayGame,
        Method::Search,
        Method::GetServerInfo,
    ];

    /// Those and their peers, each at the place of its number.
    pub(crate) const ALL: [Method; Method::COUNT] = [
        Method::ValidateMove,
        Method::ValidateMoves,
        Method::LegalMoves,
        Method::GameStatus,
        Method::ReplayGame,
        Method::Search,
        Method::GetServerInfo,
        Method::Echo,
        Method::EchoStream,
    ];

    /// How many there are.
    pub(crate) const COUNT: usize = 9;

    /// The name, as the API has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::ValidateMove => "ValidateMove",
            Method::ValidateMoves => "ValidateMoves",
            Method::LegalMoves => "LegalMoves",
            Method::GameStatus => "GameStatus",
            Method::ReplayGame => "ReplayGame",
            Method::Search => "Search",
            Method::GetServerInfo => "GetServerInfo",
            Method::Echo => "Echo",
            Method::EchoStream => "EchoStream",
        }
    }

    /// The service that has it.
    pub(crate) fn service(self) -> &'static str {
        match self {
            Method::Echo | Method::EchoStream => "arbiter.load.v1.EchoService",
            _ => "arbiter.v1.ArbiterService",
        }
    }

    /// The RPC of the service that has this name.
    pub(crate) fn parse(name: &str) -> Option<Method> {
        Method::OFFERED.into_iter().find(|method| method.name() == name)
    }

    /// The names of the RPCs of the service, for messages.
    pub(crate) fn names() -> String {
        Method::OFFERED.map(Method::name).join(", ")
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
