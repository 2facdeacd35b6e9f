//! Commands beside the answers: skipping, help, what is told, trying again, and answering the rest at once.

use std::collections::BTreeSet;

use formwright_chat as chat;
use formwright_chat::ButtonRole::Plain;

use crate::ask::help;
use crate::command::change::{self, Then};
use crate::command::dispatch;
use crate::draft::filling::{CANNOT_SKIP, Filled, Filling, Offer};
use crate::saying::Saying;
use crate::talk::Talk;
use crate::tools::side_effects;
use formwright_form::field::Fill;
use formwright_form::kind::{Refusal, yes_no};
use formwright_form::{Path, Value};
use formwright_nlu as nlu;
use formwright_nlu::{Command, Pending};

pub(crate) fn skip(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    match filling.draft().pending.clone() {
        Pending::Field { path, .. } => {
            if filling.skip(&path) {
                change::arrived(filling, &path);
                let text = filling.say_next("skipped", &[]);
                talk.saying.notes.push(text);
            } else {
                let _ = change::refuse(talk, filling, &path, Refusal::new(CANNOT_SKIP));
                let why = filling.form.field_at(&path).and_then(|field| field.why.as_ref());
                talk.saying.notes.extend(why.map(|text| filling.text(text, &path)));
            }
        }
        Pending::MoreItems { list } => return change::end_list(filling, &list),
        Pending::Which { .. } | Pending::WhatToChange => change::let_go(filling),
        Pending::PageReview { .. } | Pending::Review => {
            let text = filling.say_new("nothing_to_skip", &[]);
            talk.saying.notes.push(text);
        }
        Pending::Sure { .. } | Pending::Tool { .. } | Pending::Nothing => return Then::Vain,
    }
    Then::Go
}

pub(crate) fn help(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    let mut text = help::help(filling, &talk.words);
    let asked = match &filling.draft().pending {
        Pending::Field { path, .. } => filling.form.field_at(path).map(|field| (field, path.clone())),
        _ => None,
    };
    if asked.is_some_and(|(field, path)| !filling.is_required(field, &path)) {
        text = format!("{text} {}", filling.say("can_skip", &[]));
    }
    talk.saying.notes.push(text);
    Then::Go
}

/// Answers a question of the person's, or says who else may.
pub(crate) fn answer(talk: &mut Talk<'_>, filling: &Filling<'_>, question: &str) -> Then {
    talk.saying.answered_question = true;
    let found = help::found(filling, question);
    let may_ask = found.is_none() && filling.form.handoff.is_some() && talk.session.handoff.is_none();
    if may_ask {
        talk.button_of(filling.form, "button_human", &[], Plain, Command::Human);
    }
    talk.saying.notes.push(found.unwrap_or_else(|| help::no_answer(filling, may_ask)));
    Then::Go
}

pub(crate) fn tell(talk: &mut Talk<'_>, filling: &mut Filling<'_>, say: impl FnOnce(&Filling<'_>) -> String) -> Then {
    talk.saying.notes.push(say(filling));
    Then::Go
}

pub(crate) fn retry(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    let failed = filling.journal.draft.tools.values_mut().filter(|state| state.failures > 0 && state.result.is_none());
    let mut any = false;
    for state in failed {
        state.args = serde_json::Value::Null;
        state.failures = 0;
        any = true;
    }
    let reviewing = matches!(filling.draft().pending, Pending::PageReview { .. } | Pending::Review);
    if reviewing && side_effects::has_failed_deed(filling) {
        return dispatch::confirm(talk, filling);
    }
    if !any {
        talk.saying.notes.push(filling.say("nothing_to_retry", &[]));
    }
    Then::Go
}

/// Answers all that is open with yes or no, but for some.
pub(crate) fn fill_rest(
    saying: &mut Saying,
    filling: &mut Filling<'_>,
    yes: bool,
    except: Vec<Path>,
    quote: Option<String>,
) -> Then {
    let mut count = 0_u32;
    // Answering one may show or hide others: the list is read anew each time.
    let mut done: BTreeSet<Path> = except.into_iter().collect();
    while let Some((path, value)) = next_open_yes_no(filling, yes, &done) {
        done.insert(path.clone());
        let offer = Offer { value, source: chat::Source::Said, quote: quote.clone() };
        if matches!(filling.fill(&path, offer), Filled::Stored(_)) {
            count += 1;
        }
    }
    let value = filling.say(if yes { "yes" } else { "no" }, &[]);
    let name = match count {
        0 => "rest_none",
        1 => "rest_filled_one",
        _ => "rest_filled",
    };
    saying.notes.push(filling.say(name, &[("count", &count.to_string()), ("value", &value)]));
    Then::Go
}

/// The next open question that yes or no answers, with the value that says so. What must not be guessed, and what
/// somebody consents to, is asked by itself.
fn next_open_yes_no(filling: &Filling<'_>, yes: bool, done: &BTreeSet<Path>) -> Option<(Path, Value)> {
    filling.open_fields().filter(|path| !done.contains(path)).find_map(|path| {
        let field = filling.form.field_at(&path)?;
        if field.fill == Fill::Widget || field.label.by_lang.values().any(|label| yes_no::is_consent(label)) {
            return None;
        }
        let langs = [filling.world.speaks, filling.world.lang];
        Some((path.clone(), nlu::value_of(field, &filling.offered(field, &path), &langs, yes)?))
    })
}
