//! Requests: any bytes are a message or are refused; whatever the message asks is answered or refused with a
//! reason, a field and a sentence.

use std::fmt::Debug;

use analysis::error::Error;
use analysis::game_status::game_status;
use analysis::legal_moves::legal_moves;
use analysis::replay::{Game, MoveLimit};
use analysis::replay_game::{Record, replay_game};
use analysis::validate_move::{View, validate_move};
use analysis::variant::Variant;
use bolero::check;
use fuzz::TIME;
use game::language::Language;
use game::notation::MoveNotation;
use game::rule_set::RuleSet;
use prost::Message;
use proto::v1;

/// Good requests; random bytes alone are hardly ever a message.
const SAMPLES: [&[u8]; 12] = [
    include_bytes!("corpus/legal-moves"),
    include_bytes!("corpus/move-limit"),
    include_bytes!("corpus/replay-moves"),
    include_bytes!("corpus/replay-pgn"),
    include_bytes!("corpus/status"),
    include_bytes!("corpus/validate"),
    include_bytes!("corpus/validate-illegal"),
    include_bytes!("corpus/xiangqi-legal-moves"),
    include_bytes!("corpus/xiangqi-move-limit"),
    include_bytes!("corpus/xiangqi-replay-pgn"),
    include_bytes!("corpus/xiangqi-validate"),
    include_bytes!("corpus/xiangqi-validate-illegal"),
];

fn main() {
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        try_bytes(input);
        try_bytes(&change(input));
    });
}

/// Picks a sample and overwrites up to seven of its bytes.
fn change(input: &[u8]) -> Vec<u8> {
    let [pick, count, changes @ ..] = input else { return Vec::new() };
    let mut bytes = SAMPLES[usize::from(*pick) % SAMPLES.len()].to_vec();
    for change in changes.chunks_exact(2).take(usize::from(count % 8)) {
        let at = usize::from(change[0]) % bytes.len();
        bytes[at] = change[1];
    }
    bytes
}

/// Takes the bytes for a request of every kind, as they tell nothing about themselves.
fn try_bytes(bytes: &[u8]) {
    if let Some(request) = decode::<v1::ValidateMoveRequest>(bytes) {
        let (notation, view) = (notation(request.notation()), view(request.view()));
        answered(validate_move(&game(request.game), &request.r#move, notation, view));
    }
    if let Some(request) = decode::<v1::LegalMovesRequest>(bytes) {
        answered(legal_moves(&game(request.game), &request.from_squares));
    }
    if let Some(request) = decode::<v1::GameStatusRequest>(bytes) {
        answered(game_status(&game(request.game)));
    }
    if let Some(request) = decode::<v1::ReplayGameRequest>(bytes) {
        answered(replay_game(&Record {
            game: game(request.game),
            pgn: request.pgn,
            game_index: request.game_index as usize,
            first_ply: request.first_ply as usize,
            max_plies: request.max_plies as usize,
        }));
    }
}

/// Reads a message. What is read can be written and read again.
fn decode<M: Message + Debug + Default + PartialEq>(input: &[u8]) -> Option<M> {
    let message = M::decode(input).ok()?;
    assert_eq!(M::decode(message.encode_to_vec().as_slice()).as_ref(), Ok(&message));
    Some(message)
}

/// A question that is refused says why.
fn answered<T>(answer: Result<T, Error>) {
    if let Err(error) = answer {
        assert!(!error.message.is_empty() && !error.violations.is_empty(), "{error:?}");
        assert!(error.violations.iter().all(|violation| !violation.field.is_empty()), "{error:?}");
    }
}

fn game(game: Option<v1::Game>) -> Game {
    let game = game.unwrap_or_default();
    let move_limit = |limit: v1::MoveLimit| MoveLimit { material: limit.material, moves: limit.moves };
    Game {
        variant: match game.variant() {
            v1::Variant::Chess => Some(Variant::Chess),
            v1::Variant::Chess960 => Some(Variant::Chess960),
            v1::Variant::Xiangqi => Some(Variant::Xiangqi),
            v1::Variant::Unspecified => None,
        },
        notation: notation(game.notation()),
        rule_set: match game.rule_set() {
            v1::RuleSet::Fide => Some(RuleSet::Fide),
            v1::RuleSet::Classic => Some(RuleSet::Classic),
            v1::RuleSet::Cxa => Some(RuleSet::Cxa),
            v1::RuleSet::Axf => Some(RuleSet::Axf),
            v1::RuleSet::Computer => Some(RuleSet::Computer),
            v1::RuleSet::Unspecified => None,
        },
        language: if game.language() == v1::Language::Zh { Language::Zh } else { Language::En },
        initial_fen: game.initial_fen,
        moves: game.moves,
        move_limits: game.move_limits.into_iter().map(move_limit).collect(),
    }
}

fn notation(notation: v1::Notation) -> MoveNotation {
    match notation {
        v1::Notation::Unspecified | v1::Notation::Auto => MoveNotation::Auto,
        v1::Notation::Uci => MoveNotation::Uci,
        v1::Notation::UciRank1 => MoveNotation::UciRank1,
        v1::Notation::San => MoveNotation::San,
        v1::Notation::Iccs => MoveNotation::Iccs,
        v1::Notation::Wxf => MoveNotation::Wxf,
        v1::Notation::Chinese => MoveNotation::Chinese,
    }
}

fn view(view: v1::View) -> View {
    if view == v1::View::Basic { View::Basic } else { View::Full }
}
