//! A report as one page, with everything in it.

use std::fmt::Write as _;

use crate::exit::Failure;
use crate::plot::{Axis, Series, linear, logarithmic};
use crate::report::{Figures, Report};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;color:#222}\
                     table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .7em;text-align:right;\
                     border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}\
                     .bad{color:#b00020;font-weight:600}.good{color:#00703c}svg{max-width:100%;height:auto}\
                     pre{background:#f6f6f6;padding:.7em;overflow-x:auto;white-space:pre-wrap}";

/// The page.
///
/// # Errors
/// A plot cannot be drawn.
pub(crate) fn page(report: &Report) -> Result<String, Failure> {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>arbiter-load</title>\n<style>{STYLE}</style>\
         </head>\n<body>\n<h1>Load on Arbiter</h1>\n"
    );
    page.push_str(&settings(report));
    page.push_str(&doubts(report));
    page.push_str(&targets(report));
    page.push_str(&table(report));
    for (title, note, plot) in plots(report)? {
        // Writing to a String does not fail.
        let _ = write!(page, "<h2>{title}</h2>\n<p>{note}</p>\n{plot}\n");
    }
    page.push_str("</body></html>\n");
    Ok(page)
}

/// How the load was put on.
fn settings(report: &Report) -> String {
    let settings = &report.settings;
    let load = match (settings.rate, &settings.arrival) {
        (Some(rate), Some(arrival)) => format!("open loop, {rate} calls a second ({arrival})"),
        _ => format!("closed loop, {} calls in flight", settings.in_flight),
    };
    let text = format!(
        "{load}, {:.1} s, over {} connections to {}. {}; history {} plies, view {}, {} requests in a stream, games: {}, \
         every {}. answer read.",
        report.measured_s,
        settings.connections,
        settings.targets.join(", "),
        settings.mix,
        settings.history,
        settings.view,
        settings.items,
        settings.games,
        settings.check_every,
    );
    format!("<p>{}</p>\n", escape(&text))
}

/// What casts doubt on the numbers.
fn doubts(report: &Report) -> String {
    let mut text = String::new();
    let generator = &report.generator;
    if generator.fell_behind {
        let _ = writeln!(
            text,
            "<p class=\"bad\">The generator fell behind: it began calls {:.1} ms late (p99). The latencies tell of it as \
             much as of the service.</p>",
            generator.lag.p99_ms
        );
    }
    if report.wrong_answers > 0 {
        let _ = writeln!(text, "<p class=\"bad\">{} wrong answers.</p>", report.wrong_answers);
        for example in &report.wrong_examples {
            let lines = format!("{}: {}\n{}", example.method, example.wrong, example.request);
            let _ = writeln!(text, "<pre>{}</pre>", escape(&lines));
        }
    }
    text
}

fn targets(report: &Report) -> String {
    report.slo.iter().fold(String::new(), |mut text, verdict| {
        let (class, word) = if verdict.met { ("good", "met") } else { ("bad", "missed") };
        let (slo, measured) = (escape(&verdict.slo), escape(&verdict.measured));
        let _ = writeln!(text, "<p class=\"{class}\">{slo} {word}: {measured}</p>");
        text
    })
}

fn table(report: &Report) -> String {
    let mut text =
        "<table><tr><th></th><th>calls</th><th>right</th><th>wrong</th><th>errors</th><th>rate/s</th>\
                    <th>p50 ms</th><th>p90</th><th>p99</th><th>p99.9</th><th>max</th></tr>\n"
            .to_owned();
    for (name, figures) in &report.methods {
        text.push_str(&row(name, figures));
    }
    text.push_str(&row("all", &report.total));
    text.push_str("</table>\n");
    for (reason, count) in &report.total.errors_by_reason {
        let _ = writeln!(text, "<p>{}: {count}</p>", escape(reason));
    }
    text
}

fn row(name: &str, figures: &Figures) -> String {
    let it = &figures.corrected;
    format!(
        "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.0}</td><td>{:.3}</td><td>{:.3}</td>\
         <td>{:.3}</td><td>{:.3}</td><td>{:.3}</td></tr>\n",
        figures.calls,
        figures.right,
        figures.wrong,
        figures.errors,
        figures.rate,
        it.p50_ms,
        it.p90_ms,
        it.p99_ms,
        it.p999_ms,
        it.max_ms,
    )
}

/// Titles, notes and plots.
fn plots(report: &Report) -> Result<Vec<(&'static str, &'static str, String)>, Failure> {
    let seconds = Axis { name: "seconds", write: &plain };
    let share = Axis { name: "share of the answers", write: &nines };
    let latency = Axis { name: "ms", write: &plain };
    let rate = Axis { name: "a second", write: &plain };
    let over_time = |name: &str, of: &dyn Fn(&crate::report::Second) -> f64| Series {
        name: name.to_owned(),
        points: report.seconds.iter().map(|second| (second.at_s, of(second))).collect(),
    };
    #[allow(clippy::cast_precision_loss, reason = "counts of a second are small")]
    let counts = [
        over_time("calls", &|second| second.calls as f64),
        over_time("errors", &|second| second.errors as f64),
        over_time("wrong", &|second| second.wrong as f64),
    ];
    let latencies = [
        over_time("p50", &|second| second.p50_ms),
        over_time("p99", &|second| second.p99_ms),
        over_time("max", &|second| second.max_ms),
    ];
    let curves: Vec<_> = report.methods.iter().map(|(name, figures)| curve(name, figures)).collect();
    Ok(vec![
        (
            "Latency by percentile",
            "From when each call was meant to begin; each RPC. To the right, the slowest answers.",
            logarithmic(&curves, &share, &latency)?,
        ),
        (
            "Calls and errors over time",
            "In the second in which they ended.",
            linear(&counts, &seconds, &rate)?,
        ),
        (
            "Latency over time",
            "From when each call was meant to begin; all RPCs.",
            logarithmic(&latencies, &seconds, &latency)?,
        ),
    ])
}

/// A curve over how many nines a share has: 0.9 is 1, 0.99 is 2.
fn curve(name: &str, figures: &Figures) -> Series {
    let points = figures.curve.iter().filter(|(share, _)| *share < 1.0);
    let points = points.map(|(share, latency)| (-(1.0 - share).log10(), *latency)).collect();
    Series { name: name.to_owned(), points }
}

/// The share that has so many nines, in percent, with as many digits as tell it from 100 %.
fn nines(value: &f64) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share has at most 16 nines"
    )]
    let digits = value.clamp(0.0, 16.0) as usize;
    format!("{}%", without_zeros(&format!("{:.digits$}", 100.0 * (1.0 - 10.0_f64.powf(-value)))))
}

/// A number on an axis.
fn plain(value: &f64) -> String {
    without_zeros(&format!("{value:.4}")).to_owned()
}

/// Decimals without the zeros at their end.
fn without_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_in_percent() {
        assert_eq!(nines(&0.0), "0%");
        assert_eq!(nines(&1.0), "90%");
        assert_eq!(nines(&1.5), "96.8%");
        assert_eq!(nines(&3.0), "99.9%");
    }

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        assert_eq!(plain(&100.0), "100");
        assert_eq!(plain(&0.600_000_000_1), "0.6");
        assert_eq!(plain(&0.0), "0");
    }

    #[test]
    fn text_from_outside_is_no_markup() {
        assert_eq!(escape("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
