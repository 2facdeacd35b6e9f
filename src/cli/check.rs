//! `formwright check`: all problems of all form files, like a good compiler.

use std::io::IsTerminal as _;

use super::{Failure, print};
use crate::form::problem::{Look, Problem, Severity, render};
use crate::runtime::forms::FormSet;

/// Prints every problem of form files that were read. `place` says where they were looked for, `sinks` are the names of
/// the sinks in the settings, `desks` those of the desks.
///
/// # Errors
/// [`Failure::Asked`] where a file has errors, or there is none.
pub fn run(mut set: FormSet, place: &str, sinks: &[&str], desks: &[&str]) -> Result<(), Failure> {
    for file in &mut set.files {
        let form = file.form.as_ref().and_then(|id| set.catalog.form(id));
        let submit = form.map(|form| form.submit.iter().filter(|name| !form.sinks.contains_key(*name)));
        let missing: Vec<Problem> =
            submit.into_iter().flatten().filter_map(|name| unknown_sink(&file.source, name.as_str(), sinks)).collect();
        file.problems.extend(missing);
        let named = form.into_iter().flat_map(|form| form.desks());
        let missing: Vec<Problem> = named.filter_map(|name| unknown_desk(&file.source, name, desks)).collect();
        file.problems.extend(missing);
    }
    if set.files.is_empty() {
        return Err(Failure::Asked(format!("no form files in {place}")));
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

/// A sink that a form takes from the settings and that is not there. The form may be meant for another server.
fn unknown_sink(source: &str, name: &str, sinks: &[&str]) -> Option<Problem> {
    let written = format!("settings.{name}");
    let at = source.find(&written).filter(|_| !sinks.contains(&name))?;
    let or_else = match sinks {
        [] => format!("add `[sinks.{name}]` to the settings: the server does not start without it"),
        sinks => format!("the settings have {}", sinks.join(", ")),
    };
    let problem = Problem::warning("form::unknown_sink", format!("the settings have no sink `{name}`"))
        .at(at..at + written.len(), "not a sink of these settings");
    Some(problem.did_you_mean(name, sinks.iter().copied(), or_else))
}

/// A desk that a form names and that is not in the settings. The form may be meant for another server.
fn unknown_desk(source: &str, name: &str, desks: &[&str]) -> Option<Problem> {
    if desks.contains(&name) {
        return None;
    }
    let at = source.find(&format!("\"{name}\"")).map_or(0, |at| at + 1);
    let or_else = match desks {
        [] => format!("add `[desk.{name}]` to the settings: the server does not start without it"),
        desks => format!("the settings have {}", desks.join(", ")),
    };
    let problem = Problem::warning("form::unknown_desk", format!("the settings have no desk `{name}`"))
        .at(at..at + name.len(), "not a desk of these settings");
    Some(problem.did_you_mean(name, desks.iter().copied(), or_else))
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::there(&["kitchen"], None)]
    #[case::near(&["kitchn"], Some("did you mean `kitchn`?"))]
    #[case::none(&[], Some("add `[sinks.kitchen]` to the settings: the server does not start without it"))]
    fn a_sink_of_the_settings_must_be_there(#[case] sinks: &[&str], #[case] help: Option<&str>) {
        let found = unknown_sink("submit = [\"settings.kitchen\"]", "kitchen", sinks);
        assert_eq!(found.as_ref().and_then(|problem| problem.help.as_deref()), help);
        assert!(found.is_none_or(|problem| problem.spans[0].0 == (11..27)));
    }

    #[rstest::rstest]
    #[case::there(&["leads"], None)]
    #[case::near(&["leaders"], Some("the settings have leaders"))]
    #[case::none(&[], Some("add `[desk.leads]` to the settings: the server does not start without it"))]
    fn a_desk_must_be_in_the_settings(#[case] desks: &[&str], #[case] help: Option<&str>) {
        let found = unknown_desk("handoff = \"leads\"", "leads", desks);
        assert_eq!(found.as_ref().and_then(|problem| problem.help.as_deref()), help);
        assert!(found.is_none_or(|problem| problem.spans[0].0 == (11..16)));
    }
}
