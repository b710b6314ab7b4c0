//! Clients that go away, games that are as long as they may be, and bytes without sense.

use std::time::Duration;

use grpc_tests::games::{ask, item, shuffle};
use grpc_tests::searches::try_search;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Server, raw};
use prost::Message as _;
use proto::v1::{
    Game, GameStatusRequest, LegalMovesRequest, MoveLimit, ReplayGameRequest, SearchLimits, SearchRequest,
    Strength, ValidateMoveRequest, ValidateMovesRequest,
};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::{Code, Status};

const METHODS: [&str; 7] =
    ["ValidateMove", "ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "Search", "GetServerInfo"];

async fn assert_serves(server: &Server) {
    let answer =
        timeout(PATIENCE, server.validate(ask(Game::default(), "e4"))).await.expect("an answer in time");
    assert!(answer.legal);
    assert!(!server.log().contains("panic"), "{}", server.log());
}

#[tokio::test]
async fn a_game_as_long_as_it_may_be() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let game = shuffle(20_000);
    let answer = client.validate_move(ask(game.clone(), "Nc3")).await.unwrap().into_inner();
    // The game was over by repetition long ago.
    assert!(!answer.legal);
    let request = ReplayGameRequest { game: Some(game), max_plies: 20_000, ..ReplayGameRequest::default() };
    let answer = client.replay_game(request).await.expect("less than 4 MiB").into_inner();
    assert_eq!((answer.ply_count, answer.plies.len()), (20_000, 20_000));
    assert!(answer.encoded_len() < 4 << 20);
}

#[tokio::test]
async fn a_pgn_as_large_as_it_may_be() {
    let server = Server::start().await;
    let game = "[Event \"One of many\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    let count = 1_024_000 / game.len();
    let request = ReplayGameRequest {
        pgn: game.repeat(count),
        game_index: u32::try_from(count - 1).unwrap(),
        ..ReplayGameRequest::default()
    };
    let answer = server.client().await.replay_game(request).await.unwrap().into_inner();
    assert_eq!((answer.game_count as usize, answer.ply_count), (count, 6));
}

#[tokio::test]
async fn cancelled_calls_leave_nothing_behind() {
    let server = Server::start().await;
    let channel = server.channel().await;
    let request = || GameStatusRequest { game: Some(shuffle(5_000)) };
    for _ in 0..200 {
        let mut client = Client::new(channel.clone());
        let _ = timeout(Duration::from_millis(1), client.game_status(request())).await;
    }
    // The same connection still serves, and so do others.
    let mut client = Client::new(channel);
    assert!(client.game_status(request()).await.is_ok());
    assert_serves(&server).await;
}

#[tokio::test]
async fn streams_whose_clients_vanish_end() {
    let server = Server::start().await;
    for round in 0..50 {
        let endless = tokio_stream::iter(std::iter::repeat_with(|| item(shuffle(40), "e2e4")));
        let mut answers = server.client().await.validate_moves(endless).await.unwrap().into_inner();
        for _ in 0..round {
            answers.message().await.unwrap().expect("an answer");
        }
    }
    server.wait_until_idle().await;
    assert_serves(&server).await;
}

#[tokio::test]
async fn half_a_greeting_is_harmless() {
    let server = Server::start().await;
    let mut noise = Noise(1);
    for length in [1, 9, 24, 100, 10_000] {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        // The server may hang up in the middle.
        let _ = socket.write_all(&noise.bytes(length)).await;
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        let _ = socket.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
        let _ = socket.write_all(&noise.bytes(length)).await;
    }
    assert_serves(&server).await;
}

#[tokio::test]
async fn random_messages_are_read_or_refused() {
    // No bytes at all are a search without a limit of its own.
    let server = Server::start_with(&["--max-search-time", "50ms"]).await;
    let channel = server.channel().await;
    let mut noise = Noise(2);
    for round in 0..100 {
        for method in METHODS {
            let length = noise.below(1 << (round % 12));
            let bytes = noise.bytes(length);
            assert_answered(raw::call(channel.clone(), &raw::path_of(method), bytes).await, method);
        }
    }
    assert_serves(&server).await;
}

#[tokio::test]
async fn a_message_that_was_cut_is_refused_unless_it_is_a_message_still() {
    let server = Server::start().await;
    let channel = server.channel().await;
    let whole = ask(shuffle(8), "e4").encode_to_vec();
    let mut refused = 0;
    for length in 0..whole.len() {
        let cut = whole[..length].to_vec();
        // Cut between two fields, it is a message with fewer of them.
        let is_message = ValidateMoveRequest::decode(cut.as_slice()).is_ok();
        let answer = raw::call(channel.clone(), &raw::path_of("ValidateMove"), cut).await;
        if is_message {
            answer.unwrap_or_else(|status| panic!("the first {length} bytes: {status:?}"));
        } else {
            let fault = Fault::expect(answer);
            assert_eq!(fault.reason, "REQUEST_UNREADABLE", "the first {length} bytes: {fault:?}");
            refused += 1;
        }
    }
    assert!(refused > whole.len() / 2, "only {refused} of {} were refused", whole.len());
}

#[tokio::test]
async fn random_text_in_every_field_is_answered() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut noise = Noise(3);
    for _ in 0..300 {
        let game = noise.game();
        let question = ValidateMoveRequest {
            game: Some(game.clone()),
            r#move: noise.text(),
            notation: noise.choice(),
            view: noise.choice(),
        };
        let squares = LegalMovesRequest { game: Some(game.clone()), from_squares: noise.texts() };
        let status = GameStatusRequest { game: Some(game.clone()) };
        let replay = ReplayGameRequest {
            game: Some(game),
            pgn: noise.text().repeat(noise.below(20)),
            game_index: noise.number(),
            first_ply: noise.number(),
            max_plies: noise.number(),
        };
        assert_answered(client.validate_move(question.clone()).await, "ValidateMove");
        assert_answered(client.legal_moves(squares).await, "LegalMoves");
        assert_answered(client.game_status(status).await, "GameStatus");
        assert_answered(client.replay_game(replay).await, "ReplayGame");
        assert_answered(try_search(&mut client, noise.search()).await, "Search");
        let ValidateMoveRequest { game, r#move, notation, view } = question;
        let item = ValidateMovesRequest { game, r#move, notation, view };
        let mut answers = client.validate_moves(tokio_stream::once(item)).await.unwrap().into_inner();
        answers.message().await.unwrap().expect("a bad item is an answer");
        assert!(answers.message().await.unwrap().is_none());
    }
    assert_serves(&server).await;
}

fn assert_answered<T>(answer: Result<T, Status>, what: &str) {
    if let Err(status) = answer {
        assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status:?}");
        assert!(!Fault::of(&status).reason.is_empty());
    }
}

/// A source of numbers that are the same in every run (xorshift).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % limit.max(1)
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_be_bytes()[0]).collect()
    }

    /// A number that is small, or anything.
    fn number(&mut self) -> u32 {
        let any = u32::try_from(self.next() >> 32).expect("32 bits");
        if self.below(4) == 0 { any } else { any % 4 }
    }

    /// A value of an enum, known more often than not.
    fn choice(&mut self) -> i32 {
        if self.below(8) == 0 {
            self.number().cast_signed()
        } else {
            i32::try_from(self.below(3)).expect("small")
        }
    }

    /// Text as it occurs in games, or characters from anywhere.
    fn text(&mut self) -> String {
        const WORDS: [&str; 20] = [
            "e2e4",
            "e4",
            "Nf3",
            "O-O",
            "e1g1",
            "e8=Q",
            "1.",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            "\"",
            "*",
            "w KQkq - 0 1",
            "8/8",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "炮二平五",
            "\0",
        ];
        let mut text = String::new();
        for _ in 0..self.below(6) {
            if self.below(3) == 0 {
                let any = u32::try_from(self.below(0x11_0000)).expect("small");
                text.push(char::from_u32(any).unwrap_or(char::REPLACEMENT_CHARACTER));
            } else {
                text.push_str(WORDS[self.below(WORDS.len())]);
                text.push_str(["", " ", "\n"][self.below(3)]);
            }
        }
        text
    }

    fn texts(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text()).collect()
    }

    /// A search that is over soon.
    fn search(&mut self) -> SearchRequest {
        let game = if self.below(2) == 0 { Game::default() } else { self.game() };
        let limits = SearchLimits {
            depth: self.number(),
            nodes: 1 + u64::from(self.number() % 1_000),
            move_time: (self.below(4) == 0).then(|| prost_types::Duration {
                seconds: i64::from(self.number().cast_signed()),
                nanos: self.number().cast_signed(),
            }),
            mate: self.number(),
        };
        SearchRequest {
            game: Some(game),
            limits: Some(limits),
            multi_pv: self.number(),
            search_moves: self.texts(),
            exclude_moves: self.texts(),
            hash_mib: self.number(),
            strength: Some(Strength { elo: self.number(), seed: self.next() }),
        }
    }

    fn game(&mut self) -> Game {
        let limits = self.below(8) / 7;
        Game {
            variant: self.choice(),
            initial_fen: if self.below(2) == 0 { String::new() } else { self.text() },
            moves: self.texts(),
            notation: self.choice(),
            rule_set: self.choice(),
            rule_on_claim: self.below(2) == 0,
            language: self.choice(),
            move_limits: (0..limits)
                .map(|_| MoveLimit { material: self.text(), moves: self.number() })
                .collect(),
        }
    }
}
