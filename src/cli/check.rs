//! `formwright check`: all problems of all form files, like a good compiler.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use super::{Failure, print};
use crate::form::problem::{Look, Severity, render};
use crate::runtime::forms;

/// Checks form files and prints every problem.
///
/// # Errors
/// [`Failure::Asked`] where a file has errors or cannot be read.
pub fn run(paths: &[PathBuf]) -> Result<(), Failure> {
    let set = forms::read(paths).map_err(Failure::Asked)?;
    if set.files.is_empty() {
        let named: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::Asked(format!("no form files in {}", named.join(", "))));
    }
    let look = if std::io::stdout().is_terminal() { Look::Coloured } else { Look::Drawn };
    let mut counts = (0_usize, 0_usize);
    for file in &set.files {
        let errors = file.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        counts = (counts.0 + errors, counts.1 + file.problems.len() - errors);
        let name = file.path.display().to_string();
        if file.problems.is_empty() {
            print(&format!("{name}: ok\n"))?;
        } else {
            print(&render(&name, &file.source, &file.problems, look))?;
        }
    }
    let summary =
        format!("{}, {}, {}", many(set.files.len(), "form"), many(counts.0, "error"), many(counts.1, "warning"));
    if counts.0 > 0 { Err(Failure::Asked(summary)) } else { print(&format!("{summary}\n")) }
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
