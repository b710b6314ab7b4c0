//! What is measured, and what the reports say of it.

mod common;

use std::time::Duration;

use common::fake::{self, Manner};
use common::{file, load, report, run, status, text};
use serde_json::Value;

/// 100 calls a second, one at a time; the 20th stalls.
const STALLED: &str =
    "run --mix GetServerInfo --rate 100 --max-in-flight 1 --duration 1s --warm-up 0s --json -";

fn number(report: &Value, path: &str) -> f64 {
    report.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {path} in {report}"))
}

#[tokio::test]
async fn a_stall_shows_in_the_corrected_latencies_and_hides_in_the_raw_ones() {
    let address = fake::start(Manner::Stall(20, Duration::from_millis(500))).await;
    let report = report(&load(address, STALLED).await);
    assert_eq!(report["total"]["right"], 100);
    // Half of the calls should have begun while the server stood still.
    assert!(number(&report, "/total/corrected/p90_ms") > 300.0, "{report}");
    // To a client that waits, one call of a hundred was slow.
    assert!(
        number(&report, "/total/raw/p90_ms") < number(&report, "/total/corrected/p90_ms") / 2.0,
        "{report}"
    );
    assert!(number(&report, "/total/raw/max_ms") > 490.0, "{report}");
    assert!(number(&report, "/generator/held") > 20.0, "{report}");
}

#[tokio::test]
async fn calls_that_never_began_count_as_not_answered() {
    let address = fake::start(Manner::Stall(5, Duration::from_secs(4))).await;
    let output = load(address, &format!("{STALLED} --slo p50<5s,errors<10%")).await;
    assert_eq!(status(&output), 1, "{}", text(&output));
    let report = report(&output);
    // Six were answered; the others waited for the sixth until it was too late.
    assert_eq!(report["total"]["calls"], 6);
    assert_eq!(report["generator"]["not_begun"], 94);
    assert_eq!(report["slo"][0]["measured"], "not answered");
    assert_eq!(report["slo"][1]["met"], false);
}

#[tokio::test]
async fn chance_keeps_the_rate_and_the_warm_up_does_not_count() {
    let address = fake::start(Manner::Right).await;
    let arguments =
        "run --mix GetServerInfo --rate 500 --arrival poisson --duration 1s --warm-up 500ms --json -";
    let report = report(&load(address, arguments).await);
    let calls = number(&report, "/total/calls");
    assert!((400.0..600.0).contains(&calls), "{calls}");
    assert!((calls - number(&report, "/generator/intended")).abs() < 0.5, "{report}");
}

#[tokio::test]
async fn reports_are_compared() {
    let address = fake::start(Manner::Right).await;
    let (quick, slow) = (file("quick.json"), file("slow.json"));
    let arguments = format!(
        "run --mix GetServerInfo --rate 100 --duration 500ms --warm-up 0s --max-in-flight 1 --json {}",
        quick.display()
    );
    assert_eq!(status(&load(address, &arguments).await), 0);
    // The same with every latency doubled.
    let mut report: Value = serde_json::from_slice(&std::fs::read(&quick).unwrap()).unwrap();
    for name in ["p50_ms", "p90_ms", "p99_ms"] {
        let doubled = number(&report, &format!("/total/corrected/{name}")) * 2.0;
        report["total"]["corrected"][name] = doubled.into();
    }
    std::fs::write(&slow, report.to_string()).unwrap();
    let compare = |before: &std::path::Path, after: &std::path::Path| {
        let paths = [before, after].map(|path| path.display().to_string());
        async move { run(&["compare", &paths[0], &paths[1], "--worse-than", "10%"]).await }
    };
    let worse = compare(&quick, &slow).await;
    assert_eq!(status(&worse), 1, "{}", text(&worse));
    assert!(text(&worse).contains("2.000  WORSE"), "{}", text(&worse));
    assert_eq!(status(&compare(&slow, &quick).await), 0);
    assert_eq!(status(&compare(&quick, &quick).await), 0);
    let not_judged = run(&["compare", &quick.display().to_string(), &slow.display().to_string()]).await;
    assert_eq!(status(&not_judged), 0);
}

#[tokio::test]
async fn the_page_has_the_plots_and_needs_no_network() {
    let address = fake::start(Manner::HalfRefused).await;
    let path = file("page.html");
    let arguments =
        format!("run --mix GetServerInfo,LegalMoves --rate 200 --duration 2s --html {}", path.display());
    // The fake's LegalMoves are wrong: the page shows that, too.
    assert_eq!(status(&load(address, &arguments).await), 3);
    let page = std::fs::read_to_string(&path).unwrap();
    for title in ["Latency by percentile", "Calls and errors over time", "Latency over time", "wrong answers"]
    {
        assert!(page.contains(title), "no {title}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.matches("<polyline").count() >= 8, "{}", page.matches("<polyline").count());
    let page = page.to_lowercase();
    for outward in ["src=", "href=", "url(", "@import", "<script", "<link", "<iframe"] {
        assert!(!page.contains(outward), "{outward}");
    }
}

#[tokio::test]
async fn the_highest_rate_is_found_within_its_bounds() {
    let address = fake::start(Manner::Right).await;
    let arguments =
        "find --mix GetServerInfo --slo p50<5s --from 50 --up-to 200 --duration 300ms --warm-up 0s";
    let output = load(address, arguments).await;
    assert_eq!(status(&output), 0, "{}", text(&output));
    assert!(text(&output).contains("the targets are met: 200/s"), "{}", text(&output));
    let hopeless = load(address, &arguments.replace("p50<5s", "p50<1us")).await;
    assert_eq!(status(&hopeless), 1, "{}", text(&hopeless));
    assert!(text(&hopeless).contains("no rate was found"), "{}", text(&hopeless));
}

#[tokio::test]
async fn several_targets_are_used_in_turn() {
    let (first, second) = (fake::start(Manner::Right).await, fake::start(Manner::WrongApi).await);
    let arguments = format!(
        "run --target {second} --mix GetServerInfo --rate 200 --duration 200ms --warm-up 0s --json -"
    );
    let report = report(&load(first, &arguments).await);
    assert_eq!(report["total"]["right"], 20, "{report}");
    assert_eq!(report["total"]["wrong"], 20, "{report}");
}
