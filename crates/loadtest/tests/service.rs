//! The program against the real service: no answer is wrong, and none is missing.

mod common;

use common::arbiter::{self, Arbiter};
use common::{file, load, report, run, status, text};

#[tokio::test]
async fn every_rpc_is_answered_rightly() {
    let service = Arbiter::start().await;
    let mix =
        "ValidateMove=40,ValidateMoves=2,LegalMoves=20,GameStatus=20,ReplayGame=5,Search=2,GetServerInfo=2";
    for options in ["--history 0", "--history 40 --view basic"] {
        let arguments = format!(
            "run --mix {mix} --rate 400 --duration 2s --warm-up 0s --deadline 20s --nodes 200 --illegal 50% {options} --json -"
        );
        let output = load(service.address, &arguments).await;
        assert_eq!(status(&output), 0, "{}", text(&output));
        let report = report(&output);
        assert_eq!(report["total"]["calls"], 800);
        assert_eq!(report["total"]["right"], 800, "{}", report["total"]["errors_by_reason"]);
        assert_eq!(report["methods"].as_object().map(serde_json::Map::len), Some(7));
    }
}

#[tokio::test]
async fn games_from_a_file_are_asked_about() {
    let service = Arbiter::start().await;
    let games = file("games.pgn");
    let pgn = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n[Event \"b\"]\n[Variant \"Xiangqi\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 *\n";
    std::fs::write(&games, pgn).unwrap();
    let mix = "ValidateMove,LegalMoves,GameStatus,ReplayGame";
    let arguments = |path: &std::path::Path| {
        format!("run --mix {mix} --rate 200 --duration 1s --history 2 --games {} --json -", path.display())
    };
    let output = load(service.address, &arguments(&games)).await;
    assert_eq!(status(&output), 0, "{}", text(&output));
    assert_eq!(report(&output)["total"]["right"], 200);
    std::fs::write(&games, "e2e4 e7e5\ne2e4 e2e4\n").unwrap();
    let output = load(service.address, &arguments(&games)).await;
    assert_eq!(status(&output), 2, "{}", text(&output));
    assert!(text(&output).contains("game 2: ply 1"), "{}", text(&output));
}

#[tokio::test]
async fn the_service_is_compared_with_an_echo() {
    let binary = arbiter::path().await.display().to_string();
    let line = "baseline --rounds 1 --duration 500ms --items 50 --in-flight 8 --check-every 1 --json - --server-binary";
    let words: Vec<_> = line.split(' ').chain([binary.as_str()]).collect();
    let output = run(&words).await;
    assert_eq!(status(&output), 0, "{}", text(&output));
    let results = report(&output);
    let cases = results["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 4);
    for case in cases {
        for key in ["rate_ratio", "cpu_ratio", "answers_per_cpu_s"] {
            assert!(case[key].as_f64().is_some_and(|ratio| ratio > 0.0), "{key}: {case}");
        }
    }
}
