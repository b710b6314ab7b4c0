//! Flags, variables and the file, brought together.
//!
//! Every value is text until the parser of its flag has read it, wherever it stands. So a setting has one
//! grammar and one error, and the error can say which of the three is wrong.

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory as _, FromArgMatches as _};
use toml::{Table, Value};

use super::Config;
use super::print::{HIDDEN, print, shown};
use super::telemetry_variables;
use crate::small_file::read_at_most;
use crate::tls::Tls;
use crate::tokens::Tokens;

/// The largest file of settings in bytes.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// What every variable of ours starts with.
const PREFIX: &str = "ARBITER_";

/// What the binary was asked to do.
#[derive(Debug)]
pub enum Asked {
    /// To serve.
    Serve(Box<Config>),
    /// To say this.
    Print(String),
}

/// Why the settings cannot be used.
#[derive(Debug)]
pub enum Wrong {
    /// The flags are wrong, or ask for help.
    Flags(clap::Error),
    /// A variable or the file is wrong, or settings do not go together.
    Setting(String),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Flags(error) => error.fmt(f),
            Wrong::Setting(error) => write!(f, "error: {error}"),
        }
    }
}

/// Reads the settings from the command line, the environment, and the file that one of them names.
///
/// # Errors
/// Which setting is wrong, where it stands, and what would be right.
pub fn load() -> Result<Asked, Wrong> {
    let command = Config::command();
    let settings = Settings(command.clone().mut_args(|arg| arg.env(None)));
    // Without their variables, so that an error here is one of a flag; the help has their names, but not what
    // they are set to.
    let with_names = || command.clone().mut_args(|arg| arg.hide_env_values(true));
    let flags = settings.0.clone().try_get_matches().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp => with_names().try_get_matches().err().unwrap_or(error),
        _ => error,
    });
    let flags = flags.map_err(|error| hide_secret(error, &command))?;
    let variables = variables(&command, &settings)?;
    let in_file = match flags.get_one::<PathBuf>("config").cloned().or(variables) {
        Some(path) => read_file(&path, &settings)?,
        None => Vec::new(),
    };
    let keys: Vec<_> = in_file.iter().map(|(key, _)| key.clone()).collect();
    let with_file = in_file.into_iter().fold(command.clone(), |command, (key, values)| {
        command.mut_arg(key, |arg| arg.default_values(values.into_iter().map(clap::builder::OsStr::from)))
    });
    let matches = with_file.try_get_matches().map_err(|error| hide_secret(error, &command))?;
    let config = Config::from_arg_matches(&matches).map_err(Wrong::Flags)?;
    config.check().map_err(Wrong::Setting)?;
    if config.observe.otlp_endpoint.is_some() {
        telemetry_variables::check().map_err(Wrong::Setting)?;
    }
    Ok(if config.check_config {
        check_files(&config).map_err(|error| Wrong::Setting(error.to_string()))?;
        Asked::Print("the settings are valid\n".to_owned())
    } else if config.print_config {
        Asked::Print(print(&command, &matches, &keys))
    } else {
        Asked::Serve(Box::new(config))
    })
}

/// Whether the files that settings name can be used.
fn check_files(config: &Config) -> io::Result<()> {
    Tls::of(config)?;
    Tokens::of(config)?;
    Ok(())
}

/// The flags without their variables: what a value is read by.
struct Settings(Command);

impl Settings {
    /// The setting of this name. The name of the file is none, as it cannot stand in the file.
    fn find(&self, id: &str) -> Option<&Arg> {
        self.0.get_arguments().find(|arg| is_setting(arg) && arg.get_id() == id)
    }

    /// Reads values of a setting; an error names them and says what would be right.
    fn check(&self, arg: &Arg, values: &[OsString]) -> Result<(), String> {
        let flag = |value: &OsString| {
            let mut flag = OsString::from(format!("--{}=", arg.get_long().unwrap_or_default()));
            flag.push(value);
            flag
        };
        let flags = std::iter::once(OsString::from("arbiter")).chain(values.iter().map(flag));
        let Err(error) = self.0.clone().try_get_matches_from(flags) else { return Ok(()) };
        let shown: Vec<_> = values.iter().map(|value| shown(arg, value)).collect();
        let shown = match shown.as_slice() {
            _ if arg.is_hide_env_values_set() => HIDDEN.to_owned(),
            [value] => format!("{value:?}"),
            values => format!("{values:?}"),
        };
        Err(format!("invalid value {shown}: {}", reason(&error)))
    }
}

pub(super) fn is_setting(arg: &Arg) -> bool {
    arg.get_action().takes_values() && arg.get_id() != "config"
}

/// Why clap does not take a value.
fn reason(error: &clap::Error) -> String {
    if let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) {
        return format!("expected one of {}", values.join(", "));
    }
    match error.source() {
        Some(reason) if error.kind() == ErrorKind::ValueValidation => reason.to_string(),
        _ => error.kind().to_string(),
    }
}

/// Takes a secret out of an error about its flag.
fn hide_secret(mut error: clap::Error, command: &Command) -> Wrong {
    // Only then can flags be written as the error has them.
    let mut command = command.clone();
    command.build();
    let Some(ContextValue::String(named)) = error.get(ContextKind::InvalidArg) else {
        return Wrong::Flags(error);
    };
    if let Some(arg) = command.get_arguments().find(|arg| arg.to_string() == *named)
        && let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
    {
        let value = shown(arg, OsStr::new(value));
        error.insert(ContextKind::InvalidValue, ContextValue::String(value));
    }
    Wrong::Flags(error)
}

/// Looks at every variable that starts like ours, and returns the file that one of them names.
fn variables(command: &Command, settings: &Settings) -> Result<Option<PathBuf>, Wrong> {
    let mut file = None;
    for (name, value) in std::env::vars_os() {
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
        let Some(arg) = command.get_arguments().find(|arg| arg.get_env() == Some(OsStr::new(name))) else {
            if is_of_kubernetes(name) {
                continue;
            }
            let error = format!("the variable {name} is no setting; arbiter --help lists them");
            return Err(Wrong::Setting(error));
        };
        if arg.get_id() == "config" {
            file = Some(PathBuf::from(value));
        } else {
            let checked = settings.check(arg, &[value]);
            checked.map_err(|error| Wrong::Setting(format!("the variable {name}: {error}")))?;
        }
    }
    Ok(file)
}

/// Whether a variable is one of those by which Kubernetes tells each pod of the services beside it: for one
/// called `arbiter` or `arbiter-search`, `ARBITER_SERVICE_HOST` or `ARBITER_SEARCH_PORT_50051_TCP_ADDR`.
fn is_of_kubernetes(name: &str) -> bool {
    let ends_as_one = ["_SERVICE_HOST", "_SERVICE_PORT", "_PORT"].iter().any(|end| name.ends_with(end));
    let of_port = name.split_once("_PORT_").is_some_and(|(_, port)| {
        let digits = port.len() - port.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        digits > 0 && ["_TCP", "_UDP", "_SCTP"].iter().any(|protocol| port[digits..].starts_with(protocol))
    });
    ends_as_one || of_port || name.contains("_SERVICE_PORT_")
}

/// The settings in a file, as text.
fn read_file(path: &Path, settings: &Settings) -> Result<Vec<(String, Vec<OsString>)>, Wrong> {
    let wrong = |error: &dyn fmt::Display| Wrong::Setting(format!("the file {}: {error}", path.display()));
    let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| wrong(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong(&"it is no text; expected TOML in UTF-8"))?;
    let table: Table = text.parse().map_err(|error| wrong(&without_source(&error, &text)))?;
    let setting = |(key, value): (String, Value)| {
        let values = setting_in_file(&key, value, settings)
            .map_err(|error| wrong(&format!("the key {key:?}: {error}")))?;
        Ok((key, values))
    };
    table.into_iter().map(setting).collect()
}

/// What is wrong with a file and where, but not the line itself: secrets may stand in it.
fn without_source(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&character| character != '\n').count() + 1;
    format!("TOML parse error at line {line}, column {column}: {}", error.message())
}

fn setting_in_file(key: &str, value: Value, settings: &Settings) -> Result<Vec<OsString>, String> {
    let Some(arg) = settings.find(key) else {
        let meant = key.replace('-', "_");
        return Err(match settings.find(&meant) {
            Some(_) => format!("there is no such setting; did you mean {meant:?}?"),
            None => "there is no such setting; arbiter --help lists them".to_owned(),
        });
    };
    let values = match value {
        Value::Array(values) if matches!(arg.get_action(), ArgAction::Append) => {
            values.into_iter().map(text_of).collect::<Result<_, _>>()?
        }
        value => vec![text_of(value)?],
    };
    settings.check(arg, &values)?;
    Ok(values)
}

fn text_of(value: Value) -> Result<OsString, String> {
    match value {
        Value::String(text) => Ok(text.into()),
        Value::Integer(number) => Ok(number.to_string().into()),
        Value::Float(number) => Ok(number.to_string().into()),
        Value::Boolean(truth) => Ok(truth.to_string().into()),
        other => Err(format!("invalid value of type {}: expected one text or number", other.type_str())),
    }
}

/// Where a value comes from, for people.
pub(super) fn origin(matches: &ArgMatches, id: &str, in_file: &[String]) -> &'static str {
    use clap::parser::ValueSource;
    match matches.value_source(id) {
        Some(ValueSource::CommandLine) => "flag",
        Some(ValueSource::EnvVariable) => "variable",
        _ if in_file.iter().any(|key| key == id) => "file",
        _ => "default",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_kubernetes_are_told_from_misspelt_ones() {
        for name in [
            "ARBITER_SERVICE_HOST",
            "ARBITER_SERVICE_PORT",
            "ARBITER_SERVICE_PORT_GRPC",
            "ARBITER_PORT",
            "ARBITER_PORT_50051_TCP",
            "ARBITER_PORT_50051_TCP_ADDR",
            "ARBITER_SEARCH_SERVICE_HOST",
            "ARBITER_SEARCH_PORT_9464_TCP_PROTO",
        ] {
            assert!(is_of_kubernetes(name), "{name}");
        }
        for name in ["ARBITER_LISTN", "ARBITER_WORKER", "ARBITER_PORT_X", "ARBITER_PORT_1", "ARBITER_PORTS"] {
            assert!(!is_of_kubernetes(name), "{name}");
        }
    }

    #[test]
    fn no_error_shows_a_secret() {
        let refuse = |_: &str| Err::<String, _>("expected another one");
        let secret = Arg::new("secret").long("secret").hide_env_values(true).value_parser(refuse);
        let command = Command::new("arbiter").arg(secret);
        let flags = ["arbiter", "--secret", "hunter2"];
        let error = command.clone().try_get_matches_from(flags).expect_err("it is refused");
        let told = hide_secret(error, &command).to_string();
        assert!(told.contains("--secret") && told.contains("expected another one"), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
        let settings = Settings(command);
        let arg = settings.find("secret").expect("a setting");
        let told = settings.check(arg, &["hunter2".into()]).expect_err("it is refused");
        assert_eq!(told, "invalid value ***: expected another one");
    }

    #[test]
    fn no_setting_looks_like_a_variable_of_kubernetes() {
        for arg in Config::command().get_arguments() {
            assert!(!is_of_kubernetes(&format!("ARBITER_{}", arg.get_id().as_str().to_uppercase())));
        }
    }
}
