//! How the program ends: with what the status of the process says.

mod common;

use std::time::{Duration, Instant};

use common::fake::{self, Manner};
use common::{load, report, run, status, text};

#[tokio::test]
async fn right_answers_within_the_target_are_0() {
    let address = fake::start(Manner::Right).await;
    let output = load(
        address,
        "run --mix GetServerInfo --rate 100 --duration 500ms --warm-up 0s --slo p50<5s,errors<1% --json -",
    )
    .await;
    assert_eq!(status(&output), 0, "{}", text(&output));
    let report = report(&output);
    assert_eq!(report["total"]["calls"], 50);
    assert_eq!(report["total"]["right"], 50);
    assert_eq!(report["slo"][0]["met"], true);
}

#[tokio::test]
async fn a_target_that_is_missed_is_1() {
    let address = fake::start(Manner::Right).await;
    let output =
        load(address, "run --mix GetServerInfo --rate 100 --duration 300ms --warm-up 0s --slo p50<1us").await;
    assert_eq!(status(&output), 1, "{}", text(&output));
    assert!(text(&output).contains("p50<1us MISSED"), "{}", text(&output));
}

#[tokio::test]
async fn errors_are_counted_by_reason_and_miss_a_target() {
    let address = fake::start(Manner::HalfRefused).await;
    let arguments =
        "run --mix GetServerInfo --rate 100 --duration 400ms --warm-up 0s --json - --slo errors<10%,p99<5s";
    let output = load(address, arguments).await;
    assert_eq!(status(&output), 1, "{}", text(&output));
    let report = report(&output);
    assert_eq!(report["total"]["errors_by_reason"]["ResourceExhausted/OVERLOADED"], 20);
    assert_eq!(report["total"]["right"], 20);
    // Whoever was refused waits for ever: quick refusals make no percentile better.
    assert_eq!(report["slo"][1]["measured"], "not answered");
}

#[tokio::test]
async fn a_wrong_answer_is_3_and_shown_with_its_request() {
    let address = fake::start(Manner::WrongApi).await;
    let output =
        load(address, "run --mix GetServerInfo --rate 100 --duration 200ms --warm-up 0s --slo p50<1us").await;
    // Worse than a target that is missed.
    assert_eq!(status(&output), 3, "{}", text(&output));
    let text = text(&output);
    assert!(text.contains("WRONG ANSWERS") && text.contains("GetServerInfoRequest"), "{text}");
    assert!(text.contains("api is \"arbiter.v0\" and should be \"arbiter.v1\""), "{text}");
}

#[tokio::test]
async fn every_rpc_is_looked_at() {
    let address = fake::start(Manner::Right).await;
    for method in ["ValidateMove", "ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "Search"] {
        let arguments = format!("run --mix {method} --rate 50 --duration 100ms --warm-up 0s --items 3");
        let output = load(address, &arguments).await;
        assert_eq!(status(&output), 3, "{method}: {}", text(&output));
    }
}

#[tokio::test]
async fn an_address_where_nobody_is_is_2_and_soon() {
    let start = Instant::now();
    let output = run(&["run", "--target", "127.0.0.1:1", "--rate", "10"]).await;
    assert_eq!(status(&output), 2);
    assert!(text(&output).contains("cannot connect to 127.0.0.1:1"), "{}", text(&output));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[tokio::test]
async fn no_answer_at_all_is_2() {
    let address = fake::start(Manner::Silent).await;
    let arguments = "run --mix GetServerInfo --in-flight 2 --duration 200ms --warm-up 0s --deadline 100ms";
    let output = load(address, arguments).await;
    assert_eq!(status(&output), 2, "{}", text(&output));
    assert!(text(&output).contains("nothing was answered"), "{}", text(&output));
}

#[tokio::test]
async fn options_that_make_no_sense_are_2_and_say_what_would() {
    for (arguments, expected) in [
        ("run", "--rate"),
        ("run --rate 10 --in-flight 3", "cannot be used with"),
        ("run --rate 0", "more than 0"),
        ("run --rate 10 --slo p99=5ms", "expected a target like"),
        ("run --rate 10 --mix Validate", "expected one of ValidateMove"),
        ("run --rate 10 --duration 2h", "an hour or less"),
        ("run --rate 10 --target https://a.example", "expected an address like"),
        ("find", "--slo"),
        ("baseline", "--server-binary"),
        ("compare /nowhere.json /nowhere.json", "/nowhere.json"),
    ] {
        let words: Vec<_> = arguments.split(' ').collect();
        let output = run(&words).await;
        assert_eq!(status(&output), 2, "{arguments}: {}", text(&output));
        assert!(text(&output).contains(expected), "{arguments}: {}", text(&output));
    }
}
