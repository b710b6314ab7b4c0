//! The settings that hold, as a file.

use std::ffi::OsStr;
use std::fmt::Write as _;

use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::Value;

use super::load::{is_setting, origin};

/// What is shown in place of a secret. No secret may be read from it.
pub(super) const HIDDEN: &str = "***";

/// Writes the settings as a file that can be read again, each with where it comes from.
pub(super) fn print(command: &Command, matches: &ArgMatches, in_file: &[String]) -> String {
    let mut text = String::new();
    for arg in command.get_arguments().filter(|arg| is_setting(arg)) {
        let id = arg.get_id().as_str();
        let Some(raw) = matches.get_raw(id) else { continue };
        let mut values: Vec<_> = raw.map(|raw| value_of(&shown(arg, raw))).collect();
        let value = match arg.get_action() {
            ArgAction::Append => Value::Array(values),
            _ => values.pop().unwrap_or(Value::Array(Vec::new())),
        };
        // Writing to a string never fails.
        let _ = writeln!(text, "{id} = {value} # {}", origin(matches, id, in_file));
    }
    text
}

/// A value as it may be shown: nothing of a secret, and of a URL not who asks and with which password.
pub(super) fn shown(arg: &Arg, value: &OsStr) -> String {
    let value = value.to_string_lossy();
    if arg.is_hide_env_values_set() {
        return HIDDEN.to_owned();
    }
    match value.split_once("://").map(|(scheme, rest)| (scheme, rest.rsplit_once('@'))) {
        Some((scheme, Some((_, rest)))) => format!("{scheme}://{HIDDEN}@{rest}"),
        _ => value.into_owned(),
    }
}

/// A number or a truth where the text is one as TOML writes it.
fn value_of(text: &str) -> Value {
    if let Ok(truth) = text.parse() {
        return Value::Boolean(truth);
    }
    let integer = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    let float = || text.parse::<f64>().ok().filter(|number| number.is_finite() && number.to_string() == text);
    match integer {
        Some(number) => Value::Integer(number),
        None => float().map_or_else(|| Value::String(text.to_owned()), Value::Float),
    }
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    #[test]
    fn secrets_are_not_printed_and_lists_are_lists() {
        let append = |name: &'static str| Arg::new(name).long(name).action(ArgAction::Append);
        let command = Command::new("test").arg(append("secret").hide_env_values(true)).arg(append("plain"));
        let flags = ["test", "--secret", "one", "--secret", "two", "--plain", "3", "--plain", "four"];
        let matches = command.clone().try_get_matches_from(flags).expect("flags");
        let printed = print(&command, &matches, &[]);
        assert_eq!(printed, "secret = [\"***\", \"***\"] # flag\nplain = [3, \"four\"] # flag\n");
    }

    #[test]
    fn who_asks_for_a_url_is_not_shown() {
        for (value, expected) in [
            ("http://user:pass@host:4317", "http://***@host:4317"),
            ("http://token@host", "http://***@host"),
            ("http://user:p/a@s@host", "http://***@host"),
            ("http://host:4317", "http://host:4317"),
            ("/a@b/tls.crt", "/a@b/tls.crt"),
        ] {
            assert_eq!(shown(&Arg::new("url"), OsStr::new(value)), expected);
        }
    }

    #[test]
    fn only_what_would_be_read_alike_is_written_without_quotes() {
        assert_eq!(value_of("true").to_string(), "true");
        assert_eq!(value_of("12").to_string(), "12");
        assert_eq!(value_of("0.01").to_string(), "0.01");
        assert_eq!(value_of("007").to_string(), "\"007\"");
        assert_eq!(value_of("inf").to_string(), "\"inf\"");
        assert_eq!(value_of("3s").to_string(), "\"3s\"");
    }
}
