//! Commands beside the answers: skipping, help, what is told, trying again, and answering the rest at once.

use std::collections::BTreeSet;

use chat::ButtonRole::Plain;
use formwright_chat as chat;

use super::carry::Then;
use super::fill::{CANNOT_SKIP, Filled, Filling, Offer};
use super::session::Pending;
use super::talk::Talk;

use super::{Command, digress};
use formwright_form::field::Fill;
use formwright_form::kind::{Refusal, yes_no};
use formwright_form::{Path, Value};
use formwright_nlu as nlu;

impl Talk<'_> {
    pub(super) fn skip(&mut self, filling: &mut Filling<'_>) -> Then {
        match filling.draft().pending.clone() {
            Pending::Field { path, .. } => {
                if filling.skip(&path) {
                    filling.arrived(&path);
                    let text = filling.say_next("skipped", &[]);
                    self.notes.push(text);
                } else {
                    let _ = self.refuse(filling, &path, Refusal::new(CANNOT_SKIP));
                    let why = filling.form.field_at(&path).and_then(|field| field.why.as_ref());
                    self.notes.extend(why.map(|text| filling.text(text, &path)));
                }
            }
            Pending::MoreItems { list } => return Self::end_list(filling, &list),
            Pending::Which { .. } | Pending::WhatToChange => filling.let_go(),
            Pending::PageReview { .. } | Pending::Review => {
                let text = filling.say_new("nothing_to_skip", &[]);
                self.notes.push(text);
            }
            Pending::Sure { .. } | Pending::Tool { .. } | Pending::Nothing => return Then::Vain,
        }
        Then::Go
    }

    pub(super) fn help(&mut self, filling: &mut Filling<'_>) -> Then {
        let mut text = digress::help(filling, &self.words);
        let asked = match &filling.draft().pending {
            Pending::Field { path, .. } => filling.form.field_at(path).map(|field| (field, path.clone())),
            _ => None,
        };
        if asked.is_some_and(|(field, path)| !filling.is_required(field, &path)) {
            text = format!("{text} {}", filling.say("can_skip", &[]));
        }
        self.notes.push(text);
        Then::Go
    }

    /// Answers a question of the person's, or says who else may.
    pub(super) fn answer(&mut self, filling: &Filling<'_>, question: &str) -> Then {
        self.answered_question = true;
        let found = digress::found(filling, question);
        let may_ask = found.is_none() && filling.form.handoff.is_some() && self.session.handoff.is_none();
        if may_ask {
            self.button_of(filling.form, "button_human", &[], Plain, Command::Human);
        }
        self.notes.push(found.unwrap_or_else(|| digress::no_answer(filling, may_ask)));
        Then::Go
    }

    pub(super) fn tell(&mut self, filling: &mut Filling<'_>, say: impl FnOnce(&Filling<'_>) -> String) -> Then {
        self.notes.push(say(filling));
        Then::Go
    }

    pub(super) fn retry(&mut self, filling: &mut Filling<'_>) -> Then {
        let failed =
            filling.journal.draft.tools.values_mut().filter(|state| state.failures > 0 && state.result.is_none());
        let mut any = false;
        for state in failed {
            state.args = serde_json::Value::Null;
            state.failures = 0;
            any = true;
        }
        let reviewing = matches!(filling.draft().pending, Pending::PageReview { .. } | Pending::Review);
        if reviewing && filling.has_failed_deed() {
            return self.confirm(filling);
        }
        if !any {
            self.notes.push(filling.say("nothing_to_retry", &[]));
        }
        Then::Go
    }

    /// Answers all that is open with yes or no, but for some.
    pub(super) fn fill_rest(
        &mut self,
        filling: &mut Filling<'_>,
        yes: bool,
        except: Vec<Path>,
        quote: Option<String>,
    ) -> Then {
        let mut count = 0_u32;
        // Answering one may show or hide others: the list is read anew each time.
        let mut done: BTreeSet<Path> = except.into_iter().collect();
        while let Some((path, value)) = filling.next_open_yes_no(yes, &done) {
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
        self.notes.push(filling.say(name, &[("count", &count.to_string()), ("value", &value)]));
        Then::Go
    }
}

impl Filling<'_> {
    /// The next open question that yes or no answers, with the value that says so. What must not be guessed, and what
    /// somebody consents to, is asked by itself.
    fn next_open_yes_no(&self, yes: bool, done: &BTreeSet<Path>) -> Option<(Path, Value)> {
        self.open_fields().filter(|path| !done.contains(path)).find_map(|path| {
            let field = self.form.field_at(&path)?;
            if field.fill == Fill::Widget || field.label.by_lang.values().any(|label| yes_no::is_consent(label)) {
                return None;
            }
            let langs = [self.world.speaks, self.world.lang];
            Some((path.clone(), nlu::value_of(field, &self.offered(field, &path), &langs, yes)?))
        })
    }
}
