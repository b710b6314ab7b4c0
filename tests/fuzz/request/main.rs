//! Requests: any bytes are a message or are refused; whatever the message asks is answered or refused with a
//! reason, a field and a sentence.

use std::fmt::Debug;

use analysis::game_status::game_status;
use analysis::legal_moves::legal_moves;
use analysis::replay_game::replay_game;
use analysis::search::{SearchReport, Token, search};
use analysis::validate_move::{MoveVerdict, validate_move};
use bolero::check;
use fuzz::TIME;
use prost::Message;
use proto::v1;
use server::convert::question::{game_from_proto, notation_from_proto, record_from_proto, view_from_proto};
use server::convert::search::search_from_proto;
use server::refusal::Refusal;

/// Good requests; random bytes alone are hardly ever a message.
const SAMPLES: [&[u8]; 16] = [
    include_bytes!("corpus/legal-moves"),
    include_bytes!("corpus/move-limit"),
    include_bytes!("corpus/replay-moves"),
    include_bytes!("corpus/replay-pgn"),
    include_bytes!("corpus/search"),
    include_bytes!("corpus/status"),
    include_bytes!("corpus/validate"),
    include_bytes!("corpus/validate-illegal"),
    include_bytes!("corpus/xiangqi-legal-moves"),
    include_bytes!("corpus/xiangqi-move-limit"),
    include_bytes!("corpus/xiangqi-repetition"),
    include_bytes!("corpus/xiangqi-repetition-axf"),
    include_bytes!("corpus/xiangqi-replay-pgn"),
    include_bytes!("corpus/xiangqi-search"),
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
        answered(try_validate_move(request));
    }
    if let Some(request) = decode::<v1::LegalMovesRequest>(bytes) {
        let game = game_from_proto(request.game);
        answered(game.and_then(|game| Ok(legal_moves(&game, &request.from_squares)?)));
    }
    if let Some(request) = decode::<v1::GameStatusRequest>(bytes) {
        answered(game_from_proto(request.game).and_then(|game| Ok(game_status(&game)?)));
    }
    if let Some(request) = decode::<v1::ReplayGameRequest>(bytes) {
        answered(record_from_proto(request).and_then(|record| Ok(replay_game(&record)?)));
    }
    if let Some(request) = decode::<v1::SearchRequest>(bytes) {
        answered(try_search(request));
    }
}

/// Searches a little, and finds a move.
fn try_search(request: v1::SearchRequest) -> Result<SearchReport, Refusal> {
    let mut question = search_from_proto(request)?;
    question.check_limits()?;
    let nodes = question.nodes.map_or(MOST_NODES, |nodes| nodes.min(MOST_NODES));
    question.nodes = Some(nodes);
    // The size of the table is no matter of reading.
    question.hash_mib = 1;
    let report = search(&question, &Token::default(), &mut |_| {})?;
    assert!(report.nodes <= nodes && report.best_move.is_some(), "{question:?}: {report:?}");
    Ok(report)
}

/// More would leave less time for other requests.
const MOST_NODES: u64 = 100;

fn try_validate_move(request: v1::ValidateMoveRequest) -> Result<MoveVerdict, Refusal> {
    let game = game_from_proto(request.game)?;
    let notation = notation_from_proto("notation", request.notation)?;
    Ok(validate_move(&game, &request.r#move, notation, view_from_proto(request.view)?)?)
}

/// Reads a message. What is read can be written and read again.
fn decode<M: Message + Debug + Default + PartialEq>(input: &[u8]) -> Option<M> {
    let message = M::decode(input).ok()?;
    assert_eq!(M::decode(message.encode_to_vec().as_slice()).as_ref(), Ok(&message));
    Some(message)
}

/// A question that is refused says why.
fn answered<T>(answer: Result<T, Refusal>) {
    if let Err(refusal) = answer {
        assert!(!refusal.message.is_empty() && !refusal.violations.is_empty(), "{refusal:?}");
        assert!(refusal.violations.iter().all(|violation| !violation.field.is_empty()), "{refusal:?}");
    }
}
