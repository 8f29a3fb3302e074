//! `outfall search`: searches a local index with the parameters of the service, without a server.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use outfall_api::{
    CheckedRequest, Format, Language, PARAMETERS, Parameter, ParameterKind, RawParams, envelope,
    export, warnings,
};
use outfall_records::RecordKind;
use outfall_request::SearchBackend;

use super::{CommandError, DEFAULT_DATA, explanation, table};
use crate::engines;

/// The search, its data directory, and the format of the output.
#[derive(Debug)]
pub struct SearchArgs {
    data: PathBuf,
    record_kind: RecordKind,
    output: Option<Output>,
    /// The parameters, by name and value.
    parameters: Vec<(&'static str, String)>,
}

/// How matches are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// A table for people.
    Table,
    /// A page in its envelope.
    Json,
    /// Every match, a record a line.
    Ndjson,
    /// Every match, a row each.
    Csv,
    /// Every match, a feature each.
    #[value(name = "geojson")]
    GeoJson,
    /// Every match, a row each, in columns with types.
    Parquet,
}

/// The parameters whose arguments are defined by hand: the words of `q`, and the format.
const OWN: [&str; 2] = ["q", "format"];

impl Args for SearchArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let command = command
            .arg(
                Arg::new("q")
                    .value_name("QUERY")
                    .num_args(0..)
                    .help("words, \"phrases\", OR and -exclusions that a record must match"),
            )
            .arg(
                Arg::new("data")
                    .long("data")
                    .value_name("DIR")
                    .env("OUTFALL_DATA")
                    .default_value(DEFAULT_DATA)
                    .value_parser(clap::value_parser!(PathBuf))
                    .help("the data directory that `index-build` publishes in"),
            )
            .arg(
                Arg::new("emission")
                    .long("emission")
                    .action(ArgAction::SetTrue)
                    .help("search greenhouse-gas emissions instead of pollutant releases"),
            )
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_parser(clap::value_parser!(Output))
                    .help("how to show the matches [default: table on a terminal, else json]"),
            );
        command.args(flagged().map(flag))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// The parameters whose flags are made from the table of parameters.
fn flagged() -> impl Iterator<Item = &'static Parameter> {
    PARAMETERS.iter().filter(|known| known.is_of_records() && !OWN.contains(&known.name))
}

/// The flag of a parameter. Repeated flags are collected here and checked with the whole request.
fn flag(parameter: &'static Parameter) -> Arg {
    let value = match parameter.kind {
        ParameterKind::Text | ParameterKind::Choice(_) => "TEXT",
        ParameterKind::Choices(_) => "TEXT,…",
        ParameterKind::Number => "NUMBER",
        ParameterKind::Integer { .. } => "N",
        ParameterKind::Date => "DATE",
    };
    let help = match parameter.kind {
        ParameterKind::Choice(words) | ParameterKind::Choices(words) => {
            format!("{}: {}", parameter.doc.en, words.join(", "))
        }
        _ => parameter.doc.en.to_owned(),
    };
    let aliases = parameter.aliases.iter().map(|alias| alias.replace('_', "-"));
    Arg::new(parameter.name)
        .long(parameter.name.replace('_', "-"))
        .aliases(aliases)
        .value_name(value)
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .help(help)
}

/// Lets `outfall search -mercury` exclude mercury: a space before the `-` keeps clap from reading a
/// flag, and has no effect in `q` or in the value of a parameter.
pub(super) fn with_exclusions(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_none_or(|command| command != "search") {
        return arguments;
    }
    for place in 2..arguments.len() {
        let argument = arguments[place].as_encoded_bytes();
        match argument {
            b"--" => break,
            b"-h" | b"-" => {}
            // The value of `--data` is a path and stays as it is.
            [b'-', second, ..] if *second != b'-' && arguments[place - 1] != "--data" => {
                let mut shielded = OsString::from(" ");
                shielded.push(&arguments[place]);
                arguments[place] = shielded;
            }
            _ => {}
        }
    }
    arguments
}

impl FromArgMatches for SearchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut parameters = Vec::new();
        let words: Vec<&str> = texts(matches, "q").collect();
        if !words.is_empty() {
            parameters.push(("q", words.join(" ")));
        }
        for parameter in flagged() {
            let values = texts(matches, parameter.name).map(str::to_owned);
            parameters.extend(values.map(|value| (parameter.name, value)));
        }
        let data = matches.get_one::<PathBuf>("data").cloned();
        Ok(Self {
            data: data.unwrap_or_else(|| PathBuf::from(DEFAULT_DATA)),
            record_kind: if matches.get_flag("emission") {
                RecordKind::Emission
            } else {
                RecordKind::Release
            },
            output: matches.get_one::<Output>("format").copied(),
            parameters,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn texts<'a>(matches: &'a ArgMatches, name: &str) -> impl Iterator<Item = &'a str> {
    matches.get_many::<String>(name).into_iter().flatten().map(String::as_str)
}

/// Searches, and writes the matches to standard output.
///
/// # Errors
/// See [`CommandError`].
pub fn run(args: &SearchArgs) -> Result<(), CommandError> {
    let out = io::stdout().lock();
    let output = output(args.output, out.is_terminal())?;
    let checked = checked(args, output)?;
    let opened = engines::open(&args.data)?;
    match write(opened.backend.as_ref(), &checked, output, out) {
        // The reader of the pipe has seen enough.
        Err(CommandError::Failed(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// How to show the matches.
///
/// # Errors
/// [`CommandError::Usage`] when a terminal would get binary output.
fn output(wanted: Option<Output>, to_terminal: bool) -> Result<Output, CommandError> {
    match wanted {
        Some(Output::Parquet) if to_terminal => Err(CommandError::Usage(
            "Parquet is not text, and a terminal cannot show it; write it to a file, as with \
             `outfall search --format parquet … > records.parquet`"
                .to_owned(),
        )),
        Some(wanted) => Ok(wanted),
        None if to_terminal => Ok(Output::Table),
        None => Ok(Output::Json),
    }
}

/// Checks the request as the service does.
fn checked(args: &SearchArgs, output: Output) -> Result<CheckedRequest, CommandError> {
    let format = match output {
        Output::Table | Output::Json => Format::Json,
        Output::Ndjson => Format::Ndjson,
        Output::Csv => Format::Csv,
        Output::GeoJson => Format::GeoJson,
        Output::Parquet => Format::Parquet,
    };
    let pairs = args.parameters.iter().map(|(name, value)| (*name, value.as_str()));
    let raw = RawParams::from_pairs(pairs, args.record_kind);
    CheckedRequest::new(args.record_kind, raw, format).map_err(|problems| {
        let details =
            problems.iter().map(|problem| problem.detail().in_language(Language::English));
        CommandError::Usage(details.collect::<Vec<_>>().join("\noutfall: "))
    })
}

fn write(
    backend: &dyn SearchBackend,
    checked: &CheckedRequest,
    output: Output,
    mut out: impl Write,
) -> Result<(), CommandError> {
    let request = &checked.search;
    if checked.format.is_export() {
        let mut written = Ok(());
        export(backend, request.clone(), checked.format, |chunk| {
            written = out.write_all(&chunk);
            written.is_ok()
        })?;
        written?;
        return Ok(out.flush()?);
    }
    let page = outfall_api::search(backend, checked, None)?;
    for warning in warnings(request, &page, Language::English) {
        writeln!(io::stderr(), "outfall: {}", warning.detail)?;
    }
    match output {
        Output::Table => {
            table::write(request, &page, &mut out)?;
            explanation::write(request, &page, &mut io::stderr())?;
        }
        _ => {
            out.write_all(&envelope(request, &page, Language::English))?;
            out.write_all(b"\n")?;
        }
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_a_table_and_never_parquet() {
        assert_eq!(output(None, true).unwrap(), Output::Table);
        assert_eq!(output(None, false).unwrap(), Output::Json);
        assert_eq!(output(Some(Output::Csv), true).unwrap(), Output::Csv);
        assert_eq!(output(Some(Output::Parquet), false).unwrap(), Output::Parquet);
        let refused = output(Some(Output::Parquet), true).unwrap_err();
        assert!(matches!(&refused, CommandError::Usage(said) if said.contains("to a file")));
    }
}
