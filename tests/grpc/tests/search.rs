//! What Search answers, and what it refuses.

use std::collections::BTreeSet;
use std::time::Duration;

use grpc_tests::cases::{cases, text, texts};
use grpc_tests::games::{from_fen, moves, xiangqi};
use grpc_tests::searches::{last, mate_in, search, try_search, with_limits, with_nodes, worth};
use grpc_tests::{Client, Fault, Server};
use proto::v1::{
    Bound, Game, GameStatusRequest, LegalMovesRequest, ReplayGameRequest, ReplayGameResponse,
    Result as Ended, RuleSet, SearchLimits, SearchRequest, SearchResponse, Side, StopReason, Strength,
    Termination,
};
use tonic::Code;

/// A game of each, somewhat under way.
fn two_games() -> [Game; 2] {
    [moves("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O"), xiangqi("", "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7")]
}

/// More than one slot, so that no search has to wait for the end of another test's.
async fn roomy() -> (Server, Client) {
    let server = Server::start_with(&["--search-slots", "2"]).await;
    let client = server.client().await;
    (server, client)
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth, ..SearchLimits::default() }
}

async fn replay(client: &mut Client, game: Game) -> ReplayGameResponse {
    let request = ReplayGameRequest { game: Some(game), ..ReplayGameRequest::default() };
    client.replay_game(request).await.expect("an answer").into_inner()
}

/// A game with more moves, in any notation.
fn and_then(game: &Game, moves: &[String]) -> Game {
    Game { moves: [game.moves.as_slice(), moves].concat(), ..game.clone() }
}

/// Everything in a final message that two answers have in common.
fn but_for_time(answer: SearchResponse) -> SearchResponse {
    SearchResponse { elapsed: None, ..answer }
}

/// How often each process is asked the same.
const TIMES: usize = 10;

/// Asks a process the same questions again and again, and others beside them.
async fn answers_of_a_process() -> Vec<Vec<SearchResponse>> {
    let (_server, mut client) = roomy().await;
    let mut other = client.clone();
    let beside = tokio::spawn(async move {
        for nodes in (10_000..).step_by(777) {
            let [chess, xiangqi] = two_games();
            let game = if nodes % 2 == 0 { chess } else { xiangqi };
            search(&mut other, with_nodes(game, nodes)).await;
        }
    });
    let mut answers = Vec::new();
    for game in two_games() {
        let mut same = Vec::new();
        for _ in 0..TIMES {
            let request = SearchRequest { multi_pv: 3, ..with_nodes(game.clone(), 200_000) };
            same.push(but_for_time(search(&mut client, request).await));
        }
        answers.push(same);
    }
    assert!(!beside.is_finished(), "other searches went on all the time");
    beside.abort();
    answers
}

#[tokio::test]
async fn the_same_request_has_the_same_answer_everywhere() {
    let processes = [tokio::spawn(answers_of_a_process()), tokio::spawn(answers_of_a_process())];
    let [first, second] = processes;
    let (first, second) = (first.await.expect("answers"), second.await.expect("answers"));
    for (first, second) in first.into_iter().zip(second) {
        assert!(first[0].nodes > 150_000, "{:?}", first[0]);
        assert_eq!(first[0].stop_reason(), StopReason::Nodes);
        for answer in first.iter().chain(&second) {
            assert_eq!(answer, &first[0]);
        }
    }
}

#[tokio::test]
async fn nodes_are_never_exceeded() {
    let (_server, mut client) = roomy().await;
    for game in two_games() {
        for limit in [1, 2, 3, 10, 100, 511, 512, 513, 1_000, 30_000] {
            for multi_pv in [1, 4] {
                let request = SearchRequest { multi_pv, ..with_nodes(game.clone(), limit) };
                let answer = search(&mut client, request).await;
                assert!(answer.nodes <= limit, "{} of {limit}", answer.nodes);
                assert_eq!(answer.stop_reason(), StopReason::Nodes, "{limit}");
                assert_eq!(answer.lines.len(), multi_pv as usize, "{limit}");
            }
        }
    }
}

#[tokio::test]
async fn positions_with_very_many_moves_stay_within_nodes() {
    let (_server, mut client) = roomy().await;
    for fen in [
        // 218 moves, the most there are: Nenad Petrović, 1964.
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // Eighteen queens, all of them able to take each other.
        "qqqqqrbk/qqqqrnbn/8/8/8/8/QQQQRNBN/QQQQQRBK w - - 0 1",
        "qqqqqrbk/qqqqrnbn/8/8/8/8/QQQQRNBN/QQQQQRBK b - - 0 1",
    ] {
        for nodes in [1, 100, 20_000] {
            let request = SearchRequest { multi_pv: 256, ..with_nodes(from_fen(fen, ""), nodes) };
            let answer = search(&mut client, request).await;
            assert!(answer.nodes <= nodes, "{} of {nodes}: {fen}", answer.nodes);
            let legal = LegalMovesRequest { game: Some(from_fen(fen, "")), ..LegalMovesRequest::default() };
            let legal = client.legal_moves(legal).await.expect("moves").into_inner().moves;
            assert_eq!(answer.lines.len(), legal.len(), "every move has its line: {fen}");
        }
    }
}

#[tokio::test]
async fn a_depth_is_reached_and_not_passed() {
    let (_server, mut client) = roomy().await;
    for game in two_games() {
        for plies in [1, 2, 6] {
            let answer = search(&mut client, with_limits(game.clone(), depth(plies))).await;
            assert_eq!((answer.depth, answer.stop_reason()), (plies, StopReason::Depth));
            assert_eq!(answer.lines[0].depth, plies);
            assert!(answer.seldepth >= 1 && answer.nodes > 0);
        }
    }
}

/// Mates of chess that are 1 to 5 moves long, with the moves that begin them. From the puzzles of lichess.org
/// (<https://database.lichess.org>, CC0), by their ids; the lengths are Stockfish's.
const CHESS_MATES: &[(i32, &str, &str)] = &[
    // oY29r
    (1, "R7/2p4k/6p1/3B1ppp/3b4/4qP2/1PP1Q1PP/5K2 b - - 1 25", "e3g1"),
    // mJDcO
    (2, "5rk1/p1Q3pp/8/3p4/3q1R2/8/P1P3PP/R6K b - - 0 21", "d4a1"),
    // CAYyS
    (2, "3r4/2p1pp1p/pp6/1kp1N3/4bP2/1PK3P1/P1P4P/8 w - - 3 25", "a2a4"),
    // qy8Uv
    (3, "r1b2rk1/pp3ppp/2pQ4/4B3/6n1/P1P3P1/2q2PBP/R3R1K1 w - - 2 16", "d6f8"),
    // UVgpQ
    (3, "2k1rr2/ppp2Rpp/8/1Qb5/8/P1P1q3/1P4PP/R6K w - - 1 22", "b5d7"),
    // epW5F
    (4, "2krr3/Qpp3pp/3b1p2/8/8/1P4P1/P1PP1P1P/q1BK1B1b w - - 0 18", "f1h3"),
    // zedMq
    (4, "6k1/ppqP2p1/6p1/8/5RPp/P2QP2P/1r1n2BK/8 b - - 2 39", "d2f3"),
    // eBBm6
    (5, "7k/1p2q3/p6p/7N/3P2Pn/1PN3KP/1PP2R2/R7 b - - 1 36", "e7e3"),
    // wTKLa
    (5, "5rk1/p1pR1ppp/1b6/1P6/4B1q1/PQ2P1P1/2P2P2/4n1K1 w - - 6 29", "b3f7"),
];

/// The same of xiangqi, from `tests/data/xiangqi/suites/mates.epd` but for the first.
const XIANGQI_MATES: &[(i32, &str, &str)] = &[
    (1, "3k5/1R7/9/9/9/9/9/9/R8/5K3 w - - 0 1", "a1a9"),
    (2, "2na1kb2/2N1a4/4b4/2p5p/C4P3/2P1r4/P7P/B4r3/4A4/R2CKnBc1 b - - 1 32", "f0g2"),
    (2, "4ka3/9/b2ab3n/5Pp1p/p1p1p4/4c3P/1CP2r3/4B4/9/2BKcr2C b - - 1 34", "f3f1"),
    (3, "2b2Rb2/2ck5/3N5/9/8p/5C3/P7P/9/4K4/2B2A3 w - - 1 61", "f4d4"),
    (4, "3ak4/4a4/4bc3/p3N4/2b3p1p/P1n6/4P3P/4r4/3rA4/3AK1R2 b - - 3 34", "d1d5 c4d2"),
    (5, "2b1ka3/4a4/4b4/7P1/9/3n1nB2/5r3/3R1A3/4K4/1r3A3 b - - 9 58", "f4d3"),
];

#[tokio::test]
async fn mates_are_found_and_said_to_be() {
    let (_server, mut client) = roomy().await;
    let of = |make: fn(&str, &str) -> Game| move |&(moves, fen, best)| (moves, make(fen, ""), best);
    let cases = CHESS_MATES.iter().map(of(from_fen)).chain(XIANGQI_MATES.iter().map(of(xiangqi)));
    for (moves, game, best) in cases {
        let mate = moves.unsigned_abs();
        let request = with_limits(game.clone(), SearchLimits { mate, ..SearchLimits::default() });
        let answer = search(&mut client, request).await;
        let line = &answer.lines[0];
        assert_eq!(mate_in(line), Some(moves), "{game:?}: {answer:?}");
        assert_eq!(answer.stop_reason(), StopReason::Mate, "{game:?}");
        assert!(best.split(' ').any(|best| line.pv[0] == best), "{game:?}: {line:?}");
        assert_eq!(line.wdl.expect("chances").win_permille, 1000, "{game:?}");
        assert_eq!(line.pv.len(), 2 * mate as usize - 1, "{game:?}: {line:?}");
        let end = replay(&mut client, and_then(&game, &line.pv)).await.state.expect("a state");
        let result = end.outcome.as_ref().expect("an outcome").result();
        assert_eq!(result, Ended::Win, "{game:?}: {line:?}");
        let first = (end.side_to_move() == Side::Second) == (line.pv.len() % 2 == 1);
        assert_eq!(line.first_side_centipawns, if first { 30_000 - moves } else { moves - 30_000 });
    }
}

#[tokio::test]
async fn who_is_mated_is_told_so() {
    let (_server, mut client) = roomy().await;
    let game = from_fen("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "");
    let answer = search(&mut client, with_limits(game, depth(6))).await;
    assert_eq!(mate_in(&answer.lines[0]), Some(-1), "{answer:?}");
    assert_eq!(answer.lines[0].first_side_centipawns, 29_999);
    assert_eq!(answer.lines[0].wdl.expect("chances").loss_permille, 1000);
}

#[tokio::test]
async fn in_chess_stalemate_is_a_draw() {
    let (_server, mut client) = roomy().await;
    // Qc7 would be stalemate. Left alone, the queen mates elsewhere.
    let won = from_fen("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "");
    let forced = SearchRequest { search_moves: vec!["Qc7".into()], ..with_limits(won.clone(), depth(5)) };
    assert_eq!(worth(&search(&mut client, forced).await.lines[0]), 0);
    assert_eq!(mate_in(&search(&mut client, with_limits(won, depth(5))).await.lines[0]), Some(1));
    // White is lost, but whoever takes the rook leaves him without a move.
    let lost = from_fen("7k/6Rp/8/8/1q6/p7/P7/K7 w - - 0 1", "");
    let answer = search(&mut client, with_nodes(lost, 100_000)).await;
    assert_eq!(worth(&answer.lines[0]), 0, "{answer:?}");
}

#[tokio::test]
async fn in_xiangqi_stalemate_wins() {
    let (_server, mut client) = roomy().await;
    // The soldier takes the last point from the general, which is not in check.
    let game = xiangqi("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", "");
    let answer = search(&mut client, with_limits(game.clone(), depth(4))).await;
    assert_eq!(mate_in(&answer.lines[0]), Some(1), "{answer:?}");
    let end = replay(&mut client, and_then(&game, &answer.lines[0].pv)).await.state.expect("a state");
    let end = end.outcome.expect("an outcome");
    assert_eq!((end.termination(), end.winner()), (Termination::Stalemate, Side::First));
}

#[tokio::test]
async fn several_lines_are_in_order_and_can_be_replayed() {
    let (_server, mut client) = roomy().await;
    let mut games = two_games().to_vec();
    games.push(moves("e4 e5 Nf3 d6 d4"));
    games.push(xiangqi("", "h2e2 h9g7 h0g2"));
    games.push(Game {
        variant: proto::v1::Variant::Chess960.into(),
        ..from_fen("nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w GBgb - 0 1", "")
    });
    for game in games {
        // Wherever it is stopped, the best line is the first.
        for nodes in [50, 500, 3_000, 7_000, 15_001, 40_000] {
            let request = SearchRequest { multi_pv: 5, ..with_nodes(game.clone(), nodes) };
            let answer = search(&mut client, request).await;
            assert_eq!(answer.lines.len(), 5);
            // Lines that were never looked at come last, whatever they seem to be worth.
            let looked_at = answer.lines.iter().take_while(|line| line.depth > 0).count();
            assert!(answer.lines[looked_at..].iter().all(|line| line.depth == 0), "{answer:?}");
            let worths: Vec<_> = answer.lines[..looked_at].iter().map(worth).collect();
            assert!(worths.is_sorted_by(|a, b| a >= b), "{nodes} nodes, {game:?}: {worths:?}");
            let firsts: BTreeSet<_> = answer.lines.iter().map(|line| &line.pv[0]).collect();
            assert_eq!(firsts.len(), 5, "{answer:?}");
            for line in &answer.lines {
                check_line(&mut client, &game, line).await;
            }
        }
    }
}

/// Every move of a line is legal, in both of its notations, and they are the same moves.
async fn check_line(client: &mut Client, game: &Game, line: &proto::v1::PvLine) {
    for texts in [&line.pv, &line.pv_text] {
        let replayed = replay(client, and_then(game, texts)).await;
        assert_eq!(replayed.first_illegal_ply, None, "{texts:?} in {game:?}");
        let played: Vec<_> = replayed.plies.into_iter().filter_map(|ply| ply.r#move).collect();
        let played = &played[game.moves.len()..];
        assert!(played.iter().map(|m| &m.uci).eq(&line.pv), "{line:?}");
        let text = |m: &proto::v1::Move| if m.san.is_empty() { m.chinese.clone() } else { m.san.clone() };
        assert!(played.iter().map(text).eq(line.pv_text.iter().cloned()), "{line:?}");
    }
}

#[tokio::test]
async fn nothing_is_told_of_a_move_that_was_never_looked_at() {
    let (_server, mut client) = roomy().await;
    let request = SearchRequest { multi_pv: 20, ..with_nodes(moves(""), 10) };
    let answer = search(&mut client, request).await;
    assert_eq!(answer.lines.len(), 20);
    let is_told = |line: &&proto::v1::PvLine| line.score.expect("a score").bound() != Bound::Unspecified;
    assert!(answer.lines.iter().filter(is_told).count() < 10, "{answer:?}");
    assert!(answer.lines.iter().filter(is_told).all(|line| line.depth > 0), "{answer:?}");
}

#[tokio::test]
async fn a_score_is_told_for_both_points_of_view() {
    let (_server, mut client) = roomy().await;
    // Black is to move and far ahead; then far behind.
    let chess = "4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1";
    let red = "3akab2/9/9/9/9/9/9/9/4A4/1RBAK1BR1 b - - 0 1";
    let black = "1rbak1br1/4a4/9/9/9/9/9/9/9/3AKAB2 b - - 0 1";
    let games = [(from_fen(chess, ""), false), (xiangqi(red, ""), false), (xiangqi(black, ""), true), {
        (from_fen("3qk3/pppp4/8/8/8/8/PPPP4/4K3 b - - 0 1", ""), true)
    }];
    for (game, is_black_better) in games {
        let answer = search(&mut client, with_nodes(game, 5_000)).await;
        let line = &answer.lines[0];
        assert_eq!(line.first_side_centipawns, -worth(line), "{line:?}");
        assert_eq!(worth(line) > 200, is_black_better, "{line:?}");
        assert_eq!(worth(line) < -200, !is_black_better, "{line:?}");
        let wdl = line.wdl.expect("chances");
        assert_eq!(wdl.win_permille > wdl.loss_permille, is_black_better, "{wdl:?}");
    }
    let answer = search(&mut client, with_nodes(moves("e4 e5 Nf3 d6 Nxe5"), 5_000)).await;
    assert!(answer.lines[0].first_side_centipawns < 0, "White has lost a knight: {answer:?}");
    let answer = search(&mut client, with_nodes(moves("e4 e5 Nf3 d6 Nxe5 dxe5"), 5_000)).await;
    assert_eq!(answer.lines[0].first_side_centipawns, worth(&answer.lines[0]));
}

#[tokio::test]
async fn progress_comes_first_and_is_rare() {
    let (_server, mut client) = roomy().await;
    for game in two_games() {
        let move_time = Some(prost_types::Duration { seconds: 0, nanos: 700_000_000 });
        let request = with_limits(game, SearchLimits { move_time, ..SearchLimits::default() });
        let (progress, answer) =
            last(client.search(request).await.expect("a search").into_inner()).await.expect("an answer");
        assert_eq!(answer.stop_reason(), StopReason::Time);
        let elapsed = Duration::try_from(answer.elapsed.expect("a time")).expect("a time");
        assert!(elapsed >= Duration::from_millis(690), "{elapsed:?}");
        assert!(progress > 0, "nothing was told in {elapsed:?}");
        assert!(progress as u128 <= elapsed.as_millis() / 100 + 1, "{progress} messages in {elapsed:?}");
    }
}

#[tokio::test]
async fn an_empty_request_is_a_search() {
    let server = Server::start_with(&["--max-search-time", "300ms"]).await;
    let answer = search(&mut server.client().await, SearchRequest::default()).await;
    assert_eq!((answer.stop_reason(), answer.lines.len()), (StopReason::Time, 1));
    let best = answer.best_move.expect("a move");
    assert!(!best.san.is_empty() && !best.from_square.is_empty(), "{best:?}");
    let engine = answer.engine.expect("an engine");
    assert_eq!((engine.name.as_str(), engine.version.as_str()), ("arbiter", env!("CARGO_PKG_VERSION")));
    assert!(!engine.evaluation.is_empty());
}

#[tokio::test]
async fn only_wanted_moves_are_looked_at() {
    let (_server, mut client) = roomy().await;
    let [chess, xiangqi] = two_games();
    let chess = Game { moves: chess.moves[..6].to_vec(), ..chess };
    for (game, wanted) in [
        (chess, [("b5a4", "b5a4"), ("Bxc6", "b5c6"), ("h3", "h2h3")]),
        (xiangqi, [("i0i1", "i0i1"), ("炮八平九", "b2a2"), ("P3+1", "g3g4")]),
    ] {
        let limits = with_limits(game.clone(), depth(4));
        let texts = wanted.map(|(text, _)| text.to_owned()).to_vec();
        let request = SearchRequest { search_moves: texts, multi_pv: 256, ..limits.clone() };
        let answer = search(&mut client, request).await;
        let found: BTreeSet<_> = answer.lines.iter().map(|line| line.pv[0].clone()).collect();
        assert_eq!(found, wanted.map(|(_, uci)| uci.to_owned()).into(), "{answer:?}");

        let best = search(&mut client, limits.clone()).await.best_move.expect("a move").uci;
        let request = SearchRequest { exclude_moves: vec![best.clone()], multi_pv: 256, ..limits.clone() };
        let without = search(&mut client, request).await;
        assert!(without.lines.iter().all(|line| line.pv[0] != best), "{without:?}");
        let request = LegalMovesRequest { game: Some(game.clone()), ..LegalMovesRequest::default() };
        let legal = client.legal_moves(request).await.expect("moves").into_inner().moves;
        assert_eq!(without.lines.len(), legal.len() - 1);
    }
}

#[tokio::test]
async fn a_game_that_has_ended_is_not_searched() {
    let (_server, mut client) = roomy().await;
    let perpetual = ["f1e1", "e9f9", "e1f1", "f9e9"].repeat(2).join(" ");
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(4).join(" ");
    for (game, termination, rule) in [
        (moves("f3 e5 g4 Qh4"), "CHECKMATE", "CH-11"),
        (from_fen("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", ""), "STALEMATE", "CH-12"),
        (from_fen("8/8/8/8/8/4k3/8/4K3 w - - 0 1", ""), "DEAD_MATERIAL", "CH-13"),
        (moves(&shuffle), "FIVEFOLD", "CH-24"),
        (xiangqi("3k5/9/3P5/9/9/9/9/9/9/4K4 b", ""), "STALEMATE", "XQ-4.1.3"),
        (xiangqi("4k4/9/9/9/9/9/9/9/5R3/3K5 w - - 0 1", &perpetual), "PERPETUAL_CHECK", "XQ-24.1"),
    ] {
        let request = SearchRequest { game: Some(game), ..SearchRequest::default() };
        let fault = Fault::expect(try_search(&mut client, request).await);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::FailedPrecondition, "GAME_OVER"));
        assert_eq!(
            (fault.metadata["termination"].as_str(), fault.metadata["rule"].as_str()),
            (termination, rule)
        );
        assert!(fault.message.contains("over"), "{fault:?}");
    }
    // Under these rules the same repetition only gives a claim.
    let game = Game { rule_set: RuleSet::Classic.into(), ..moves(&shuffle) };
    assert!(try_search(&mut client, with_nodes(game, 1_000)).await.is_ok());
}

#[tokio::test]
async fn a_move_to_look_at_has_to_be_legal() {
    let (_server, mut client) = roomy().await;
    let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let request = SearchRequest { search_moves: moves(&["e2e4", "e4e5"]), ..SearchRequest::default() };
    let fault = Fault::expect(try_search(&mut client, request).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "MOVE_ILLEGAL"));
    assert_eq!(fault.field(), "search_moves[1]");
    assert_eq!((fault.metadata["index"].as_str(), fault.metadata["move"].as_str()), ("1", "e4e5"));
    assert_eq!(fault.metadata["illegal_reason"], "NO_PIECE");

    let request = SearchRequest { exclude_moves: moves(&["e4", "d4", "Qd3"]), ..SearchRequest::default() };
    let fault = Fault::expect(try_search(&mut client, request).await);
    assert_eq!((fault.reason.as_str(), fault.field()), ("MOVE_ILLEGAL", "exclude_moves[2]"));
    let request = SearchRequest { exclude_moves: moves(&["?"]), ..SearchRequest::default() };
    let fault = Fault::expect(try_search(&mut client, request).await);
    assert_eq!((fault.reason.as_str(), fault.field()), ("MOVE_UNREADABLE", "exclude_moves[0]"));

    let request = SearchRequest {
        search_moves: moves(&["e2e4", "d2d4"]),
        exclude_moves: moves(&["d4", "e4"]),
        ..SearchRequest::default()
    };
    let fault = Fault::expect(try_search(&mut client, request).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "NO_MOVE_TO_SEARCH"));
    assert_eq!(fault.field(), "exclude_moves");
}

#[tokio::test]
async fn what_is_out_of_range_is_named() {
    let (_server, mut client) = roomy().await;
    let limits = |limits: SearchLimits| SearchRequest { limits: Some(limits), ..SearchRequest::default() };
    let time = |seconds, nanos| {
        let move_time = Some(prost_types::Duration { seconds, nanos });
        limits(SearchLimits { move_time, ..SearchLimits::default() })
    };
    let elo = |elo| SearchRequest { strength: Some(Strength { elo, seed: 1 }), ..SearchRequest::default() };
    let ask = SearchRequest::default;
    for (request, reason, field) in [
        (limits(depth(128)), "VALUE_OUT_OF_RANGE", "limits.depth"),
        (limits(depth(u32::MAX)), "VALUE_OUT_OF_RANGE", "limits.depth"),
        (limits(SearchLimits { mate: 61, ..SearchLimits::default() }), "VALUE_OUT_OF_RANGE", "limits.mate"),
        (time(-1, 0), "VALUE_OUT_OF_RANGE", "limits.move_time"),
        (time(0, -1), "VALUE_OUT_OF_RANGE", "limits.move_time"),
        (time(1, -5), "VALUE_OUT_OF_RANGE", "limits.move_time"),
        (time(0, 2_000_000_000), "VALUE_OUT_OF_RANGE", "limits.move_time"),
        (time(i64::MIN, i32::MIN), "VALUE_OUT_OF_RANGE", "limits.move_time"),
        (elo(799), "VALUE_OUT_OF_RANGE", "strength.elo"),
        (SearchRequest { multi_pv: 257, ..ask() }, "LIMIT_EXCEEDED", "multi_pv"),
        (SearchRequest { multi_pv: u32::MAX, ..ask() }, "LIMIT_EXCEEDED", "multi_pv"),
        (SearchRequest { hash_mib: 257, ..ask() }, "LIMIT_EXCEEDED", "hash_mib"),
        (SearchRequest { search_moves: vec!["e4".into(); 257], ..ask() }, "LIMIT_EXCEEDED", "search_moves"),
        (SearchRequest { exclude_moves: vec!["e4".into(); 257], ..ask() }, "LIMIT_EXCEEDED", "exclude_moves"),
        (SearchRequest { search_moves: vec!["x".repeat(65)], ..ask() }, "LIMIT_EXCEEDED", "search_moves[0]"),
    ] {
        let fault = Fault::expect(try_search(&mut client, request).await);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, reason), "{fault:?}");
        assert_eq!(fault.field(), field);
        let says = if reason == "LIMIT_EXCEEDED" { "limit" } else { "expected" };
        assert!(fault.metadata.contains_key(says), "{fault:?}");
    }
    // What is as large as it may be, or larger than any use, is not refused.
    for request in [
        time(i64::MAX, 999_999_999),
        elo(u32::MAX),
        SearchRequest { search_moves: vec!["e4".into(); 256], multi_pv: 256, hash_mib: 256, ..ask() },
    ] {
        let limits = SearchLimits { nodes: 100, ..request.limits.unwrap_or_default() };
        let answer = search(&mut client, SearchRequest { limits: Some(limits), ..request }).await;
        assert_eq!(answer.stop_reason(), StopReason::Nodes);
    }
    // No time at all is enough for a move.
    let answer = search(&mut client, time(0, 0)).await;
    assert_eq!(answer.stop_reason(), StopReason::Time);
}

const REPETITIONS: &str = include_str!("../../data/xiangqi/repetition.jsonl");

/// A game of a case of repetition, up to where the offender may still play something else, and the move
/// by which it lost.
async fn before_the_loss(client: &mut Client, game: &Game) -> Option<(Game, String)> {
    let replayed = replay(client, game.clone()).await;
    let end = usize::try_from(replayed.ended_at_ply?).expect("a small number");
    let ended = Game { moves: game.moves[..=end].to_vec(), ..game.clone() };
    let state = replay(client, ended).await.state?;
    let outcome = state.outcome?;
    let is_by_repetition =
        matches!(outcome.termination(), Termination::PerpetualCheck | Termination::PerpetualAttack);
    // The reply of the other side may be what completes the repetition.
    let own = if outcome.winner == state.side_to_move { end } else { end - 1 };
    is_by_repetition
        .then(|| (Game { moves: game.moves[..own].to_vec(), ..game.clone() }, game.moves[own].clone()))
}

#[tokio::test]
async fn no_move_loses_by_repetition_when_another_does_not() {
    let (_server, mut client) = roomy().await;
    let mut tried = [0, 0];
    for case in cases(REPETITIONS) {
        let rule_set = match text(&case, "rule_set") {
            "CXA" => RuleSet::Cxa,
            "AXF" => RuleSet::Axf,
            _ => continue,
        };
        let all = if case.get("moves_to_fourth").is_some() { "moves_to_fourth" } else { "moves" };
        let game =
            Game { rule_set: rule_set.into(), moves: texts(&case, all), ..xiangqi(text(&case, "fen"), "") };
        let Some((before, losing)) = before_the_loss(&mut client, &game).await else { continue };
        let request = LegalMovesRequest { game: Some(before.clone()), ..LegalMovesRequest::default() };
        if client.legal_moves(request).await.expect("moves").into_inner().moves.len() == 1 {
            continue;
        }
        let answer = search(&mut client, with_nodes(before.clone(), 2_000)).await;
        let best = answer.best_move.expect("a move").uci;
        assert_ne!(best, losing, "{case}");
        let status = GameStatusRequest { game: Some(and_then(&before, &[best])) };
        let state = client.game_status(status).await.expect("an answer").into_inner().state;
        let outcome = state.and_then(|state| state.outcome).expect("an outcome");
        assert!(
            !matches!(outcome.termination(), Termination::PerpetualCheck | Termination::PerpetualAttack),
            "{case}"
        );
        // When nothing else may be looked at, it is looked at all the same.
        let only = SearchRequest { search_moves: vec![losing.clone()], ..with_nodes(before, 500) };
        assert_eq!(search(&mut client, only).await.best_move.expect("a move").uci, losing, "{case}");
        tried[usize::from(rule_set == RuleSet::Axf)] += 1;
    }
    let [cxa, axf] = tried;
    assert!(cxa >= 8 && axf >= 20, "{cxa} cases of CXA, {axf} of AXF");
}

#[tokio::test]
async fn weak_play_looks_at_little_and_differs_by_seed() {
    let (_server, mut client) = roomy().await;
    for game in two_games() {
        let weak = |elo, seed| SearchRequest {
            strength: Some(Strength { elo, seed }),
            ..with_nodes(game.clone(), 100_000)
        };
        let mut played = BTreeSet::new();
        for seed in 0..30 {
            let answer = search(&mut client, weak(800, seed)).await;
            assert!(answer.nodes <= 2_000, "{} nodes", answer.nodes);
            assert_eq!(answer.lines.len(), 1);
            assert!(answer.lines[0].depth > 0, "a move that was looked at: {answer:?}");
            let again = search(&mut client, weak(800, seed)).await;
            assert_eq!(but_for_time(again), but_for_time(answer.clone()), "seed {seed}");
            played.insert(answer.best_move.expect("a move").uci);
        }
        assert!(played.len() > 1, "all seeds play {played:?}");
        let nodes = search(&mut client, weak(1500, 1)).await.nodes;
        assert!(nodes > 100 && nodes < 20_000, "{nodes} nodes");
        // Full strength is what there is without any word about it.
        let full = but_for_time(search(&mut client, weak(2800, 9)).await);
        assert_eq!(full, but_for_time(search(&mut client, with_nodes(game.clone(), 100_000)).await));
    }
}
