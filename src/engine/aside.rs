//! Commands beside the answers: skipping, help, what is told, trying again, and answering the rest at once.

use formwright_chat as chat;

use super::carry::Then;
use super::digress;
use super::fill::{CANNOT_SKIP, Filled, Filling, Offer};
use super::session::Pending;
use super::talk::Talk;
use crate::form::field::{Field, Fill};
use crate::form::kind::yes_no::said_yes_or_no;
use crate::form::kind::{Offered, Refusal, Said};
use crate::form::{Kind, Path, Value};

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

    pub(super) fn fill_rest(&mut self, filling: &mut Filling<'_>, yes: bool) -> Then {
        let mut count = 0_u32;
        // Answering one may show or hide others: the list is read anew each time.
        let mut done = std::collections::BTreeSet::new();
        while let Some((path, value)) = filling.next_open_yes_no(yes, &done) {
            done.insert(path.clone());
            let offer = Offer { value, source: chat::Source::Said, quote: None };
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
    /// The next open question that yes or no answers, with the value that says so.
    fn next_open_yes_no(&self, yes: bool, done: &std::collections::BTreeSet<Path>) -> Option<(Path, Value)> {
        self.open_fields().filter(|path| !done.contains(path)).find_map(|path| {
            let value = self.yes_or_no_of(self.form.field_at(&path)?, &path, yes)?;
            Some((path, value))
        })
    }

    /// What yes or no means in a field: of a choice, the one option that says it, where one other says the opposite.
    fn yes_or_no_of(&self, field: &Field, path: &Path, yes: bool) -> Option<Value> {
        match &field.kind {
            // What must not be guessed is asked by itself.
            _ if field.fill == Fill::Widget => None,
            Kind::YesNo(_) => Some(Value::Bool(yes)),
            Kind::Choice(_) => {
                let offered = self.offered(field, path);
                let saying = |meant: bool| -> Vec<&Offered> {
                    offered.iter().filter(|option| self.says(option) == Some(meant)).collect()
                };
                match (saying(yes).as_slice(), saying(!yes).len()) {
                    ([option], 1) => Some(Value::Option(option.id.clone())),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether an option is a bare yes or no, by its label, its name or another word for it.
    fn says(&self, option: &Offered) -> Option<bool> {
        let words = [option.label.as_str(), option.id.as_str()].into_iter();
        words.chain(option.synonyms.iter().map(String::as_str)).find_map(|word| {
            let said = Said::new(word);
            let mut langs = [self.world.speaks, self.world.lang].into_iter();
            let meant = langs.find_map(|lang| said_yes_or_no(&said, lang));
            meant.filter(|(words, _)| words.len() == said.words.len()).map(|(_, yes)| yes)
        })
    }
}
