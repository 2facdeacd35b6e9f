//! `formwright forget`: removes every trace of a person, and prints a receipt.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use clap::{Args, ValueEnum as _};
use formwright_chat as chat;
use jiff::Timestamp;

use super::{Failure, Platform, pretty, print, table};
use crate::runtime::forget::{Receipt, Records};

/// Whom to forget, and how it is told.
#[derive(Clone, Debug, Args)]
pub struct Forget {
    /// The person's id, as `submissions` shows it; `key:CLIENT` means everybody that a client of the API has spoken for.
    pub user: String,
    /// Only on this platform; on all where none is named. The same id may be another person elsewhere.
    #[arg(long, value_enum)]
    pub platform: Option<Platform>,
    /// Do not ask.
    #[arg(long)]
    pub yes: bool,
    /// Print the receipt as JSON.
    #[arg(long)]
    pub json: bool,
}

impl Forget {
    fn platforms(&self) -> Vec<chat::Platform> {
        let all =
            Platform::value_variants().iter().copied().filter(|known| self.platform.is_none_or(|only| only == *known));
        let names = all.filter_map(|platform| platform.to_possible_value());
        names.map(|name| chat::Platform::new(name.get_name())).collect()
    }

    /// Asks whoever types the command, unless they said yes already.
    fn is_agreed(&self, platforms: &[chat::Platform]) -> Result<bool, Failure> {
        if self.yes {
            return Ok(true);
        }
        if !std::io::stdin().is_terminal() {
            return Err(Failure::Asked("there is nobody to ask whether this is meant: add `--yes`".to_owned()));
        }
        let places: Vec<&str> = platforms.iter().map(chat::Platform::as_str).collect();
        let user = self.user.escape_debug();
        print(&format!(
            "Remove every trace of `{user}` on {}? Nothing of it can be brought back. [y/N] ",
            places.join(", ")
        ))?;
        std::io::stdout().flush().map_err(|error| Failure::Undone(error.to_string()))?;
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        read.map_err(|error| Failure::Undone(error.to_string()))?;
        Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
    }
}

/// Forgets a person and prints the receipt.
///
/// # Errors
/// [`Failure::Asked`] where nothing is kept of them, or nobody agreed; [`Failure::Undone`] where the store fails.
pub async fn run(records: Records<'_>, what: &Forget, now: Timestamp) -> Result<(), Failure> {
    let platforms = what.platforms();
    if !what.is_agreed(&platforms)? {
        return Err(Failure::Asked("nothing was removed".to_owned()));
    }
    let receipt = records.forget(&platforms, &chat::UserId::new(&what.user), None, now).await;
    let receipt =
        receipt.map_err(|error| Failure::Undone(format!("{error}; what is left is removed by doing it again")))?;
    if what.json {
        print(&format!("{}\n", pretty(&receipt)?))?;
    } else if !receipt.is_empty() {
        print(&drawn(&receipt))?;
    }
    if receipt.is_empty() {
        return Err(Failure::Asked(format!("nothing is kept of `{}`", what.user.escape_debug())));
    }
    Ok(())
}

/// What the command cannot reach, and the numbers above do not count.
const ELSEWHERE: &str = "\nWhat counts their messages against floods is in the memory of each running program, and goes by \
                         itself within minutes. A desk that has a request of theirs is not told: whoever presses a button \
                         there hears that the request is gone. Logs, backups and the append-only file of a Redis are yours to see to.\n";

fn drawn(receipt: &Receipt) -> String {
    let head = ["platform", "sessions", "events", "outbox", "dead letters", "submissions", "notes", "kept answers"];
    let row = |(platform, erased): (&String, &crate::runtime::Erased)| {
        let counts = [
            erased.sessions,
            erased.events,
            erased.outbox,
            erased.dead_letters,
            erased.submissions,
            erased.notes,
            erased.answers,
        ];
        std::iter::once(platform.clone()).chain(counts.iter().map(u64::to_string)).collect()
    };
    let rows: Vec<Vec<String>> = receipt.removed.iter().map(row).collect();
    let mut out = format!("removed at {}\n{}{ELSEWHERE}", receipt.at, table(&head, &rows));
    if receipt.delivered.is_empty() {
        return out;
    }
    out.push_str("\ndelivered before, and not removed where they went:\n");
    let gone = receipt.delivered.iter().flat_map(|gone| {
        let unknown = || vec![vec![gone.id.clone(), gone.form.clone(), "?".to_owned(), "its form is gone".to_owned()]];
        let known =
            gone.to.iter().map(|to| vec![gone.id.clone(), gone.form.clone(), to.sink.clone(), to.place.clone()]);
        if gone.to.is_empty() { unknown() } else { known.collect() }
    });
    out.push_str(&table(&["id", "form", "sink", "where"], &gone.collect::<Vec<_>>()));
    out
}
