//! Settings: flags, variables and a file.

use std::collections::BTreeMap;
use std::process::Output;

use grpc_tests::certificates::Authority;
use grpc_tests::games::ask;
use grpc_tests::searches::{search, try_search, with_nodes};
use grpc_tests::server::command;
use grpc_tests::{Fault, Folder, Server};
use proto::v1::{Game, GetServerInfoRequest};
use tonic::Code;

async fn run(flags: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = command(flags);
    command.envs(variables.iter().copied()).stdout(std::process::Stdio::piped());
    command.output().await.expect("the binary starts")
}

/// What the server prints when it is asked for its settings.
async fn printed(flags: &[&str], variables: &[(&str, &str)]) -> String {
    let output = run(&[&["--print-config"], flags].concat(), variables).await;
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*error), (Some(0), ""));
    String::from_utf8(output.stdout).expect("text")
}

/// What is said about settings that are wrong.
async fn refused(flags: &[&str], variables: &[(&str, &str)]) -> String {
    let output = run(&[&["--check-config"], flags].concat(), variables).await;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[tokio::test]
async fn flags_come_before_variables_and_variables_before_the_file() {
    let folder = Folder::new();
    let file = folder.write("order.toml", "max_connections = 1\nmax_waiting = 1\nworkers = 1\n");
    let path = ("ARBITER_CONFIG", file.as_str());
    let variables = [path, ("ARBITER_MAX_CONNECTIONS", "2"), ("ARBITER_MAX_WAITING", "2")];
    let text = printed(&["--max-connections", "3"], &variables).await;
    for line in [
        "max_connections = 3 # flag",
        "max_waiting = 2 # variable",
        "workers = 1 # file",
        "lame_duck = \"3s\" # default",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line}\n{text}");
    }
    let other = folder.write("other.toml", "workers = 7\n");
    let text = printed(&["--config", &other], &[path]).await;
    assert!(text.contains("workers = 7 # file"), "{text}");
}

#[tokio::test]
async fn what_is_printed_can_be_read_and_means_the_same() {
    let folder = Folder::new();
    let flags = ["--lame-duck", "1500ms", "--serve", "rules", "--log-filter", "warn,server=debug"];
    let text = printed(&flags, &[]).await;
    let file = folder.write("again.toml", &text);
    let again = printed(&["--config", &file], &[]).await;
    let values = |text: &str| -> Vec<String> {
        // The test's own command line has --listen.
        text.lines().map(|line| line.split(" # ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(values(&text), values(&again));
    assert!(again.contains("lame_duck = \"1500ms\" # file"), "{again}");
}

#[tokio::test]
async fn valid_settings_are_called_valid_and_nothing_is_started() {
    let folder = Folder::new();
    let file = folder.write("valid.toml", "search_slots = 3\n");
    let output = run(&["--check-config", "--config", &file], &[]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stdout, b"the settings are valid\n");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[tokio::test]
async fn an_error_names_the_place_the_value_and_what_would_be_right() {
    let folder = Folder::new();
    let cases: [(&str, &[&str]); 8] = [
        ("workers = 0", &["\"workers\"", "\"0\"", "whole number from 1 to 1024"]),
        ("workers = [1, 2]", &["\"workers\"", "array", "expected one text or number"]),
        ("listen = \"here\"", &["\"listen\"", "\"here\"", "127.0.0.1:50051"]),
        ("lame_duck = 3", &["\"lame_duck\"", "\"3\"", "500ms"]),
        ("serve = \"some\"", &["\"serve\"", "\"some\"", "rules, search, all"]),
        ("lame-duck = \"3s\"", &["\"lame-duck\"", "did you mean \"lame_duck\"?"]),
        ("[tls]\ncert = \"x\"", &["\"tls\"", "no such setting"]),
        ("workers = ", &["line 1", "column"]),
    ];
    for (text, parts) in cases {
        let file = folder.write("wrong.toml", text);
        let error = refused(&["--config", &file], &[]).await;
        assert!(error.contains(&file), "{error}");
        for part in parts {
            assert!(error.contains(part), "{part} is not in: {error}");
        }
    }
    for (variable, value, right) in [
        ("ARBITER_WORKERS", "many", "whole number from 1 to 1024"),
        ("ARBITER_LISTEN", "", "127.0.0.1:50051"),
        ("ARBITER_SERVE", "none", "rules, search, all"),
        ("ARBITER_LOG_FILTER", "server=loud", "warn,server=debug"),
    ] {
        // The command line of this test names an address, which comes before the variable.
        let error = refused(&[], &[(variable, value)]).await;
        let value = format!("{value:?}");
        assert!(error.contains(variable) && error.contains(&value) && error.contains(right), "{error}");
    }
    let error = refused(&["--max-search-time", "soon"], &[]).await;
    for part in ["--max-search-time", "'soon'", "expected a duration like"] {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
}

#[tokio::test]
async fn who_asks_for_a_url_is_shown_nowhere() {
    const SECRET: &str = "hunter2";
    let folder = Folder::new();
    let url = format!("http://user:{SECRET}@collector:4317");
    let set = ("ARBITER_OTLP_ENDPOINT", url.as_str());
    for text in [printed(&[], &[set]).await, printed(&["--otlp-endpoint", &url], &[]).await] {
        assert!(
            text.contains("otlp_endpoint = \"http://***@collector:4317\"") && !text.contains(SECRET),
            "{text}"
        );
        let file = folder.write("again.toml", &text);
        let error = refused(&["--config", &file], &[]).await;
        assert!(error.contains("otlp_endpoint"), "it has to be put back: {error}");
    }
    let help = String::from_utf8(run(&["--help"], &[set]).await.stdout).unwrap();
    assert!(help.contains("[env: ARBITER_OTLP_ENDPOINT") && !help.contains(SECRET), "{help}");
    let wrong = url.replace("http", "https");
    for error in [
        refused(&["--otlp-endpoint", &wrong], &[]).await,
        refused(&[], &[("ARBITER_OTLP_ENDPOINT", &wrong)]).await,
    ] {
        assert!(error.contains("https://***@collector:4317") && !error.contains(SECRET), "{error}");
    }
}

#[tokio::test]
async fn numbers_of_opentelemetry_are_held_to_their_range() {
    let endpoint = ["--otlp-endpoint", "http://127.0.0.1:4317"];
    for (variable, value, range) in [
        ("OTEL_BSP_MAX_QUEUE_SIZE", "18446744073709551615", "from 1 to 65536"),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "many", "from 1 to 65536"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "0", "from 100 to 86400000"),
    ] {
        let error = refused(&endpoint, &[(variable, value)]).await;
        assert!(error.contains(variable) && error.contains(value) && error.contains(range), "{error}");
        let mut start = command(&endpoint);
        let output = start.env(variable, value).output().await.expect("the binary starts");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        // Where nobody reads it, it does not matter.
        printed(&[], &[(variable, value)]).await;
    }
}

#[tokio::test]
async fn origins_that_no_browser_says_are_refused() {
    let web = |origins: &'static str| ["--grpc-web", "on", "--cors-origins", origins];
    for origins in ["*", "https://example.org", "http://localhost:8080,https://example.org"] {
        let output = run(&[&["--check-config"], &web(origins)[..]].concat(), &[]).await;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    for origins in ["example.org", "https://example.org/", "https://*.example.org", "https://example.org:x"] {
        let error = refused(&web(origins), &[]).await;
        assert!(error.contains(origins) && error.contains("http://localhost:8080"), "{error}");
    }
    assert!(refused(&web("*,https://example.org"), &[]).await.contains("cors_origins"));
}

#[tokio::test]
async fn what_cannot_be_printed_is_no_success() {
    for flag in ["--help", "--version", "--print-config", "--check-config"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let process = command(&[flag]).stdout(full).spawn().expect("the binary starts");
        let output = process.wait_with_output().await.expect("an end");
        assert_eq!(output.status.code(), Some(1), "{flag}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("cannot write to standard output"), "{flag}: {error}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_named() {
    let folder = Folder::new();
    let error = refused(&["--config", "/nowhere/arbiter.toml"], &[]).await;
    assert!(error.contains("/nowhere/arbiter.toml") && error.contains("No such file"), "{error}");
    let error = refused(&["--config", "/dev/urandom"], &[]).await;
    assert!(error.contains("/dev/urandom") && error.contains("1048576 bytes"), "{error}");
    let large = folder.write("large.toml", &"#".repeat(1024 * 1024 + 1));
    let error = refused(&["--config", &large], &[]).await;
    assert!(error.contains(&large) && error.contains("1048576 bytes"), "{error}");
}

#[tokio::test]
async fn a_broken_line_is_not_shown() {
    let folder = Folder::new();
    let hash = "b038c069347d0f70737d93c388b3b675202137a15c3755e0720d7267bd5dd485";
    for line in [format!("token_hashes = [\"red:{hash}\" \"x\"]"), format!("token_hashes = \"red:{hash}")] {
        let file = folder.write("arbiter.toml", &format!("workers = 1\n{line}\n"));
        let error = refused(&["--config", &file], &[]).await;
        assert!(error.contains(&file) && error.contains("line 2, column"), "{error}");
        assert!(!error.contains(&hash[..8]), "{error}");
    }
}

#[tokio::test]
async fn files_that_settings_name_are_looked_at() {
    let folder = Folder::new();
    let (certificate, key) = Authority::new().issue();
    let (certificate, key) = (folder.write("tls.crt", &certificate), folder.write("tls.key", &key));
    let hashes = folder.write("tokens", "red:broken\n");
    let output = run(&["--check-config", "--tls-cert", &certificate, "--tls-key", &key], &[]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (flags, named) in [
        (&["--tls-cert", &certificate, "--tls-key", &certificate][..], "tls_key"),
        (&["--tls-cert", "/nowhere/tls.crt", "--tls-key", &key], "/nowhere/tls.crt"),
        (&["--token-hashes-file", &hashes], "line 1"),
    ] {
        let error = refused(flags, &[]).await;
        assert!(error.contains(named) && error.lines().count() == 1, "{error}");
    }
}

#[tokio::test]
async fn a_misspelt_variable_is_refused_and_those_of_kubernetes_are_passed_over() {
    let error = refused(&[], &[("ARBITER_LISTN", "127.0.0.1:1")]).await;
    assert!(error.contains("ARBITER_LISTN"), "{error}");
    let variables = [
        ("ARBITER_SERVICE_HOST", "10.0.0.1"),
        ("ARBITER_SERVICE_PORT_GRPC", "50051"),
        ("ARBITER_PORT", "tcp://10.0.0.1:50051"),
        ("ARBITER_PORT_50051_TCP_ADDR", "10.0.0.1"),
        ("ARBITER_SEARCH_SERVICE_HOST", "10.0.0.2"),
    ];
    printed(&[], &variables).await;
}

#[tokio::test]
async fn help_and_errors_about_flags_need_no_valid_environment() {
    let output = run(&["--help"], &[("ARBITER_WORKERS", "many")]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[tokio::test]
async fn a_server_of_one_kind_leaves_the_other_kind_to_others() {
    let server = Server::start_with(&["--serve", "rules"]).await;
    let mut client = server.client().await;
    assert!(client.validate_move(ask(Game::default(), "e4")).await.unwrap().into_inner().legal);
    let fault = Fault::expect(try_search(&mut client, with_nodes(Game::default(), 10)).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unimplemented, "METHOD_NOT_SERVED"));
    assert_eq!((&*fault.metadata["method"], &*fault.metadata["serves"]), ("Search", "rules"));
    assert!(fault.message.contains("Search") && fault.message.contains("rules"), "{fault:?}");
    let info = client.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner();
    let methods =
        ["ValidateMove", "ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "GetServerInfo"];
    assert_eq!(info.methods, methods);

    let server = Server::start_with(&["--serve", "search"]).await;
    let mut client = server.client().await;
    search(&mut client, with_nodes(Game::default(), 10)).await;
    let fault = Fault::expect(client.validate_move(ask(Game::default(), "e4")).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unimplemented, "METHOD_NOT_SERVED"));
    let info = client.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner();
    assert_eq!(info.methods, ["Search", "GetServerInfo"]);
}

/// A flag, its variable and its default.
type Flags = BTreeMap<String, (Option<String>, Option<String>)>;

fn flags_of_help(help: &str) -> Flags {
    let mut flags = Flags::new();
    let options = help.split_once("Options:").expect("a list of flags").1;
    for entry in options.split("\n      --").skip(1) {
        let text = entry.split_whitespace().collect::<Vec<_>>().join(" ");
        let named = |name: &str| {
            let value = text.rsplit_once(&format!("[{name}: "))?.1.split_once(']')?.0;
            Some(value.trim_end_matches('=').to_owned())
        };
        let flag = format!("--{}", text.split_whitespace().next().expect("a flag"));
        flags.insert(flag, (named("env"), named("default")));
    }
    flags
}

fn flags_of_table(document: &str) -> Flags {
    let mut flags = Flags::new();
    for row in document.lines().filter(|line| line.starts_with("| `--")) {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let &["", flag, variable, key, default, meaning, ""] = cells.as_slice() else {
            panic!("not a row of five cells: {row}")
        };
        let some = |cell: &str| (!cell.is_empty()).then(|| cell.to_owned());
        let is_key = key == flag.trim_start_matches('-').replace('-', "_");
        assert!(is_key || key.is_empty() && (variable.is_empty() || flag == "--config"), "{row}");
        assert!(!meaning.is_empty(), "{row}");
        let row_before = flags.insert(flag.to_owned(), (some(variable), some(default)));
        assert!(row_before.is_none(), "twice: {row}");
    }
    flags
}

#[tokio::test]
async fn the_documentation_lists_the_flags_of_the_binary() {
    let output = run(&["--help"], &[]).await;
    let help = String::from_utf8(output.stdout).unwrap();
    let documented = flags_of_table(include_str!("../../../docs/configuration.md"));
    assert_eq!(
        documented,
        flags_of_help(&help),
        "docs/configuration.md on the left, the binary on the right"
    );
}
