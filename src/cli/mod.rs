//! The command line: what an admin can do. Serving and trying forms is `main.rs`'s part, which knows the platforms.

pub mod check;
pub mod convert;
pub mod explain;
pub mod extract;
pub mod forget;
pub mod forms;
pub mod outbox;
pub mod preview;
pub mod schema;
pub mod submissions;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Fills in forms by conversation.
///
/// Without a command it serves the web chat: `formwright` is `formwright run`.
#[derive(Debug, Parser)]
#[command(name = "formwright", version, after_help = EXIT_CODES)]
pub struct Cli {
    /// The settings file; `formwright.toml` in the present folder where there is one.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The folder of form files, in place of the setting.
    #[arg(long, global = true, value_name = "DIR")]
    pub forms: Option<PathBuf>,
    /// The folder where data is kept, in place of the setting.
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  a form has errors, or what was asked for is not there
  2  the command line is wrong
  3  the settings are wrong
  4  it could not be done: a port in use, a store that cannot be opened";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves the web chat and every platform that is set up.
    Run {
        /// Address and port of the web chat, in place of the setting; port 0 takes a free one.
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<std::net::SocketAddr>,
        /// Recordings of the model.
        #[command(flatten)]
        recordings: Recordings,
    },
    /// Checks form files and reports all their problems.
    Check {
        /// Form files or folders; the folder of forms where none is named.
        files: Vec<PathBuf>,
        /// Also say where forms are less than they ask for on this platform; on those that are set up where none is named.
        #[arg(long, value_enum)]
        platform: Vec<Platform>,
    },
    /// Writes a form in another syntax, and tells what that one has no place for.
    Convert(convert::Convert),
    /// Prints the JSON Schema of form files, for editors.
    Schema {
        /// Prints the JSON Schema of this form's submissions instead.
        form: Option<String>,
    },
    /// Fills in a form in this terminal. Nothing is kept or sent, and what tools would do is told and not done; those that
    /// look something up are asked.
    Try {
        /// The form's id, or a form file.
        form: String,
        /// The language to speak, such as `it`.
        #[arg(long)]
        lang: Option<String>,
        /// Recordings of the model.
        #[command(flatten)]
        recordings: Recordings,
    },
    /// Prints every screen of a form as a platform gets it, and as a drawing; offline.
    Preview {
        /// The form's id.
        form: String,
        /// The platform.
        #[arg(long, value_enum)]
        platform: Platform,
        /// The language to speak, such as `it`.
        #[arg(long, default_value = "en")]
        lang: String,
        /// Only the payloads, as one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Shows how a message is understood: what code reads, what a model proposes, and what each guard does.
    Explain(explain::Explain),
    /// Measures understanding: reads labelled messages, and prints what is understood, or how much of it is right.
    Extract(extract::Extract),
    /// Lists the forms, and switches one off and on while the bot runs.
    Forms {
        /// What to do; lists them without.
        #[command(subcommand)]
        what: Option<forms::Forms>,
    },
    /// Lists submissions.
    Submissions {
        /// Only this form's.
        #[arg(long)]
        form: Option<String>,
        /// How they are printed.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        /// At most so many, the newest.
        #[arg(long, default_value_t = 1000)]
        limit: u32,
        /// Shows the answers to sensitive fields too.
        #[arg(long)]
        sensitive: bool,
    },
    /// Removes every trace of a person from the store, and prints a receipt.
    Forget(forget::Forget),
    /// Shows what could not be delivered, and sends it again.
    Outbox {
        /// What to do; lists dead letters without.
        #[command(subcommand)]
        action: Option<OutboxAction>,
    },
}

/// Recordings of a language model.
#[derive(Clone, Debug, Default, Args)]
pub struct Recordings {
    /// Keep what the model says in this folder, one file a request; what is there already is not asked again.
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub record: Option<PathBuf>,
    /// Play what is in this folder in place of a model, and call nobody; what is missing there fails at the end.
    #[arg(long, value_name = "DIR")]
    pub replay: Option<PathBuf>,
}

/// What to do with the outbox.
#[derive(Debug, Subcommand)]
pub enum OutboxAction {
    /// Lists entries.
    List {
        /// Which.
        #[arg(long, value_enum, default_value_t = Which::Dead)]
        state: Which,
    },
    /// Makes a dead letter due again; the running server sends it.
    Replay {
        /// Its id, or `all`.
        id: String,
    },
}

/// A platform, for previews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Platform {
    /// Slack.
    Slack,
    /// Discord.
    Discord,
    /// Telegram.
    Telegram,
    /// The web page and API.
    Web,
    /// `formwright try`.
    Terminal,
}

/// How a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// Comma-separated values.
    Csv,
    /// One JSON array.
    Json,
}

/// Which outbox entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// Wait for their next try.
    Waiting,
    /// Arrived.
    Delivered,
    /// Given up.
    Dead,
}

/// Why a command ended badly; each has its exit code.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was asked for is not there, or is wrong.
    #[error("{0}")]
    Asked(String),
    /// The settings are wrong.
    #[error("settings: {0}")]
    Settings(String),
    /// It could not be done.
    #[error("{0}")]
    Undone(String),
}

impl Failure {
    /// It could not be done, for a reason that tells of itself.
    pub fn undone(error: impl std::fmt::Display) -> Self {
        Self::Undone(error.to_string())
    }

    /// The exit code, as `--help` documents it.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Asked(_) => 1,
            Self::Settings(_) => 3,
            Self::Undone(_) => 4,
        })
    }
}

/// A value as JSON for people to read.
fn pretty(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Undone(error.to_string()))
}

/// There is no such form; says which there are.
fn unknown_form<'a>(id: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.into_iter().collect();
    Failure::Asked(format!("there is no form `{id}`; there are: {}", known.join(", ")))
}

/// Writes to standard output. A reader that has gone (`| head`) is no failure.
///
/// # Errors
/// [`Failure::Undone`] where it cannot be written for another reason.
pub fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Undone(error.to_string())),
        _ => Ok(()),
    }
}

/// Lines of columns, each as wide as its widest cell.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain(head.get(column).map(|name| name.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells.zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let mut out = line(&mut head.iter().copied());
    out.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Cli::command().debug_assert();
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = vec![vec!["1".to_owned(), "long".to_owned()], vec!["22".to_owned(), "x".to_owned()]];
        assert_eq!(table(&["id", "n"], &rows), "id  n\n1   long\n22  x\n");
    }
}
