//! `formwright check`: all problems of all form files, like a good compiler.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;

use super::{Failure, print};
use crate::form::Form;
use crate::form::problem::{Look, Problem, Severity, render};
use crate::runtime::forms::FormSet;

/// What of a form the settings do not let out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// Which part of the form: "tool `find`".
    pub part: String,
    /// What the file calls it.
    pub name: String,
    /// Why, and what to change.
    pub why: String,
}

/// What is known of the settings that forms are checked with.
pub struct Known<'a> {
    /// Names of the sinks.
    pub sinks: &'a [&'a str],
    /// Names of the desks.
    pub desks: &'a [&'a str],
    /// Desks that cannot be reached with these settings, with the reasons.
    pub shut: &'a BTreeMap<String, String>,
    /// Why nobody could approve a form at its desk.
    pub too_few: &'a dyn Fn(&Form) -> Option<String>,
    /// What of a form cannot be reached with them.
    pub unreached: &'a dyn Fn(&Form) -> Vec<Unreached>,
}

/// Prints every problem of form files that were read. `place` says where they were looked for.
///
/// # Errors
/// [`Failure::Asked`] where a file has errors, or there is none.
pub fn run(mut set: FormSet, place: &str, known: &Known<'_>) -> Result<(), Failure> {
    let Known { sinks, desks, shut, too_few, unreached } = known;
    for file in &mut set.files {
        let form = file.form.as_ref().and_then(|id| set.catalog.form(id));
        let submit = form.map(|form| form.submit.iter().filter(|name| !form.sinks.contains_key(*name)));
        let missing: Vec<Problem> =
            submit.into_iter().flatten().filter_map(|name| unknown_sink(&file.source, name.as_str(), sinks)).collect();
        file.problems.extend(missing);
        let named = form.into_iter().flat_map(|form| form.desks());
        let missing: Vec<Problem> = named
            .filter_map(|name| {
                unknown_desk(&file.source, name, desks).or_else(|| Some(shut_desk(&file.source, name, shut.get(name)?)))
            })
            .collect();
        file.problems.extend(missing);
        let too_few = form.and_then(|form| too_few(form));
        file.problems.extend(too_few.map(|why| unapprovable(&file.source, &why)));
        let apart = form.map(|form| unreached(form)).unwrap_or_default();
        file.problems.extend(apart.iter().map(|one| out_of_reach(&file.source, one)));
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

/// What the settings do not let out: the server does not start with it. The form may be meant for another one.
fn out_of_reach(source: &str, Unreached { part, name, why }: &Unreached) -> Problem {
    // Where it is declared, else where it is named first.
    let ways = ["id = \"", "id: ", "\"id\": \"", "\"", "'", "`", ""];
    let at = ways.iter().find_map(|way| source.find(&format!("{way}{name}")).map(|at| at + way.len()));
    let at = at.filter(|_| !name.is_empty());
    let place = at.map_or(0..0, |at| at..at + name.len());
    Problem::warning("form::not_here", format!("{part}: {why}"))
        .at(place, "the server does not start with this")
        .help("if it is meant for another server, check it there, or with the settings of that one (`--config FILE`)")
}

/// A desk that a form names and that is not in the settings. The form may be meant for another server.
fn unknown_desk(source: &str, name: &str, desks: &[&str]) -> Option<Problem> {
    if desks.contains(&name) {
        return None;
    }
    let at = source.find(&format!("\"{name}\"")).map_or(0, |at| at + 1);
    let or_else = match desks {
        [] => format!("add `[desk.{name}]` to the settings: without it the form is switched off"),
        desks => format!("the settings have {}", desks.join(", ")),
    };
    let problem = Problem::warning("form::unknown_desk", format!("the settings have no desk `{name}`"))
        .at(at..at + name.len(), "not a desk of these settings");
    Some(problem.did_you_mean(name, desks.iter().copied(), or_else))
}

/// A desk of the settings that cannot be.
fn shut_desk(source: &str, name: &str, why: &str) -> Problem {
    let at = source.find(&format!("\"{name}\"")).map_or(0, |at| at + 1);
    let problem = Problem::warning("form::shut_desk", format!("the desk `{name}` cannot be reached: {why}"));
    problem.at(at..at + name.len(), "the form is switched off with these settings")
}

/// A form that waits for more people than its desk has.
fn unapprovable(source: &str, why: &str) -> Problem {
    let at = source.find("needs").unwrap_or(0);
    let (what, help) = why.split_once("; ").unwrap_or((why, ""));
    Problem::error("form::too_few_people", what).at(at..at + "needs".len(), "nobody could ever submit it").help(help)
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
    #[case::toml("run = \"find\"\n[[tool]]\nid = \"find\"", 28..32)]
    #[case::json(r#"{"run": "find", "tool": [{"id": "find"}]}"#, 33..37)]
    #[case::markdown("## `find`", 4..8)]
    #[case::yaml("- id: find", 6..10)]
    fn what_the_settings_do_not_let_out_is_pointed_at(#[case] source: &str, #[case] place: std::ops::Range<usize>) {
        let (part, why) = ("tool `find`".to_owned(), "it asks `a.example`".to_owned());
        let found = out_of_reach(source, &Unreached { part, name: "find".to_owned(), why });
        assert_eq!((found.message.as_str(), found.severity), ("tool `find`: it asks `a.example`", Severity::Warning));
        assert_eq!(found.spans[0].0, place);
    }

    #[test]
    fn a_form_that_nobody_could_approve_is_an_error() {
        let found = unapprovable("review = { by = \"leads\", needs = 2 }", "2 are needed and 1 is there; name more");
        assert_eq!((found.message.as_str(), found.severity), ("2 are needed and 1 is there", Severity::Error));
        assert_eq!((found.help.as_deref(), &found.spans[0].0), (Some("name more"), &(25..30)));
    }

    #[rstest::rstest]
    #[case::there(&["leads"], None)]
    #[case::near(&["leaders"], Some("the settings have leaders"))]
    #[case::none(&[], Some("add `[desk.leads]` to the settings: without it the form is switched off"))]
    fn a_desk_must_be_in_the_settings(#[case] desks: &[&str], #[case] help: Option<&str>) {
        let found = unknown_desk("handoff = \"leads\"", "leads", desks);
        assert_eq!(found.as_ref().and_then(|problem| problem.help.as_deref()), help);
        assert!(found.is_none_or(|problem| problem.spans[0].0 == (11..16)));
    }
}
