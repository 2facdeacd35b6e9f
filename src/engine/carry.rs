//! Carrying out commands inside a form. What cannot be done is said, and nothing is lost.

use formwright_chat as chat;

use super::fill::{Filled, Filling, Offer};
use super::journal::Direction;
use super::model::NOT_ABOUT;
use super::session::Pending;
use super::talk::Talk;
use super::waiting::{VERIFY, VERIFY_FOUND};
use super::{Command, Effect, digress};
use formwright_form::kind::{Refusal, Said};
use formwright_form::{FormId, Kind, Path, Value};
use formwright_nlu::UNASKED_CHANGE;

/// What a command leads to beyond the draft itself.
#[derive(Debug, PartialEq)]
pub(super) enum Then {
    /// Nothing: go on in the form.
    Go,
    /// The command did not help: count a try in vain.
    Vain,
    /// The review was confirmed.
    Submit,
    /// Leave the form.
    Cancel,
    /// Start another form.
    Start(FormId),
    /// Go on with a parked form.
    Resume(Option<FormId>),
    /// Show the forms.
    Forms,
    /// Wait for what a model says.
    Model,
}

impl Talk<'_> {
    /// Carries out a command in the form being filled.
    pub(super) fn carry_out(&mut self, filling: &mut Filling<'_>, command: Command) -> Then {
        if self.keeps_to_what_is_open(filling, &command) {
            return Then::Go;
        }
        match command {
            Command::Fill { path, value, quote } => self.fill(filling, &path, value, quote),
            Command::Together { fills } => {
                for fill in fills {
                    let Some(path) = fill.filled() else { continue };
                    // It was read back.
                    filling.journal.draft.verified.insert(path.clone());
                    filling.no_longer_doubts(path);
                    let _ = self.carry_out(filling, fill);
                }
                Then::Go
            }
            Command::Clear { path } => self.clear(filling, &path),
            Command::AddItem { list } => self.add_item(filling, &list),
            Command::RemoveItem { item } => {
                self.remove_item(filling, &item);
                Then::Go
            }
            Command::EndList { list } => Self::end_list(filling, &list),
            // There is nothing to confirm in a form that its client keeps.
            Command::Confirm | Command::Deny if filling.is_kept_and_done() => Then::Go,
            Command::Confirm => self.confirm(filling),
            Command::Deny => self.deny(filling),
            Command::Cancel => cancel(filling),
            Command::Restart => self.restart(filling),
            Command::Skip => self.skip(filling),
            Command::Back => self.back(filling),
            Command::Undo if matches!(filling.draft().pending, Pending::Sure { .. } | Pending::Which { .. }) => {
                self.deny(filling)
            }
            Command::Undo => self.travel(filling, Direction::Undo),
            Command::Redo => self.travel(filling, Direction::Redo),
            Command::Review => self.review(filling),
            Command::Edit { path } => self.edit(filling, path),
            Command::Help => self.help(filling),
            Command::Why => self.tell(filling, digress::why),
            Command::Human => self.ask_for_human(filling),
            Command::Ask { question } => self.answer(filling, &question),
            // Whether everything shall be deleted is settled before any form.
            Command::Repeat | Command::More | Command::Forget { .. } => Then::Go,
            Command::Zone { zone } => {
                self.zone_told = Some(zone.into());
                filling.let_go();
                Then::Go
            }
            Command::Withdraw { submission } => {
                self.withdraw(&submission);
                Then::Go
            }
            Command::Retry => self.retry(filling),
            Command::FillRest { yes, except, quote } => self.fill_rest(filling, yes, except, quote),
            Command::Start { form } if form == filling.form.id => {
                let title = filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
                self.notes.push(filling.say("already_filling", &[("title", &title)]));
                Then::Go
            }
            Command::Start { form } => Then::Start(form),
            Command::Resume { form } => Then::Resume(form),
            Command::TakeUp { form, .. } => Then::Resume(Some(form)),
            Command::Anew { form, .. } => Then::Start(form),
            Command::Forms if filling.form.stays => Then::Vain,
            Command::Forms => Then::Forms,
        }
    }

    fn fill(&mut self, filling: &mut Filling<'_>, path: &Path, value: Value, quote: Option<String>) -> Then {
        let Some(field) = filling.form.field_at(path) else { return Then::Vain };
        // That there is no place for a further item has been said.
        if filling.is_beyond(path) {
            return Then::Go;
        }
        let from_words = quote.is_some();
        if from_words && field.verify.is_some() && !filling.draft().verified.contains(path) {
            if let Err(refusal) = filling.vet(field, path, &value) {
                return self.refuse(filling, path, refusal);
            }
            if self.puts_right(filling, path) {
                filling.journal.draft.verified.insert(path.clone());
                return self.fill(filling, path, value, quote);
            }
            let then = Box::new(Command::Fill { path: path.clone(), value, quote });
            filling.ask_whether_right(path, then);
            return Then::Go;
        }
        let source = match from_words {
            true => chat::Source::Said,
            false if filling.is_brought(field, path, &value) => chat::Source::Tool,
            false => chat::Source::Pressed,
        };
        let was_asked = filling.is_asked(path);
        let plain = quote.as_ref().is_none_or(|quote| says(quote, &filling.show(path, &value)));
        let plain = plain || matches!(field.kind, Kind::YesNo(_)) || field.sensitive;
        match filling.fill(path, Offer { value: value.clone(), source, quote }) {
            Filled::Stored(old) => {
                if let Some(old) = old {
                    let facts = (filling.label(path), filling.show(path, &value), filling.show(path, &old));
                    let note = filling.say("changed", &[("label", &facts.0), ("value", &facts.1), ("old", &facts.2)]);
                    self.notes.push(note);
                } else if from_words && !(was_asked && plain) {
                    let facts = (filling.label(path), filling.show(path, &value));
                    let noted = filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)]);
                    self.note_value(noted);
                }
            }
            Filled::Same if !was_asked => {
                let facts = (filling.label(path), filling.show(path, &value));
                self.notes.push(filling.say("same", &[("label", &facts.0), ("value", &facts.1)]));
            }
            Filled::Same => {}
            Filled::Aside => {
                let label = filling.label(path);
                self.notes.push(filling.say("aside", &[("label", &label)]));
            }
            Filled::Refused(refusal) => return self.refuse(filling, path, refusal),
            Filled::Locked => {
                let label = filling.label(path);
                self.notes.push(filling.say("locked", &[("label", &label)]));
                return Then::Go;
            }
        }
        filling.arrived(path);
        Then::Go
    }

    /// Whether the message answers "you said X, right?" of this field: the value in it is the right one. Free words are
    /// that only after a no, and what only a model reads there, or is kept from eyes, is read back all the same.
    fn puts_right(&self, filling: &Filling<'_>, path: &Path) -> bool {
        let Some((_, Pending::Sure { then, question })) = &self.was else { return false };
        let asked = matches!(then.as_ref(), Command::Fill { path: asked, .. } if asked == path);
        let Some(field) = filling.form.field_at(path).filter(|field| asked && !field.sensitive) else { return false };
        let (said, lang) = (Said::new(&self.words), filling.world.lang);
        let denied = lang.and_english().any(|lang| lang.yes_no.no.at(&said, 0).is_some());
        let plain = denied || !matches!(field.kind, Kind::Text(_) | Kind::LongText(_));
        plain && !filling.by_model.contains(path) && matches!(question.as_str(), VERIFY | VERIFY_FOUND)
    }

    /// Notes that a value was refused: the reason is said with the question if the field is the asked one, at once if not.
    pub(super) fn refuse(&mut self, filling: &mut Filling<'_>, path: &Path, refusal: Refusal) -> Then {
        let draft = &mut filling.journal.draft;
        let asked = draft.asked.entry(path.clone()).or_default();
        asked.failures = asked.failures.saturating_add(1);
        asked.beside = asked.beside.saturating_add(u32::from(refusal.code == NOT_ABOUT));
        asked.refusal = Some(refusal.clone());
        if let Some(day) = begun(&refusal) {
            asked.begun = Some(day);
            asked.begun_quote = Some(self.words.clone());
        }
        self.effects.push(Effect::Refused(Box::new(filling.refused(path, &refusal))));
        self.rejected.push(chat::Rejected::Field { field: path.to_string(), reason: filling.refusal(path, &refusal) });
        if filling.form.stays {
            filling.turn_to(path, true);
        } else if filling.asks_side_of_change(path, &refusal) {
            self.notes.push(filling.refusal(path, &refusal));
            filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
            return Then::Go;
        }
        if !filling.is_asked(path) {
            let reason = filling.refusal(path, &refusal);
            let label = filling.label(path);
            if reason.contains(&label) {
                self.notes.push(reason);
            } else {
                let reason = reason.trim_end_matches('.');
                self.notes.push(filling.say("noted_value", &[("label", &label), ("value", reason)]));
            }
            filling.journal.draft.asked.entry(path.clone()).or_default().refusal = None;
        }
        Then::Go
    }

    fn clear(&mut self, filling: &mut Filling<'_>, path: &Path) -> Then {
        let name = if filling.clear(path) { "cleared" } else { "nothing_to_clear" };
        let label = filling.label(path);
        self.notes.push(filling.say(name, &[("label", &label)]));
        Then::Go
    }

    pub(super) fn add_item(&mut self, filling: &mut Filling<'_>, list: &Path) -> Then {
        if filling.add_item(list).is_some() {
            filling.let_go();
            return Then::Go;
        }
        let max = match filling.form.field_at(list).map(|field| &field.kind) {
            Some(Kind::List(kind)) => kind.max.map(|max| max.to_string()).unwrap_or_default(),
            _ => return Then::Vain,
        };
        self.notes.push(filling.say("list_full", &[("max", &max)]));
        Then::Go
    }

    fn remove_item(&mut self, filling: &mut Filling<'_>, item: &Path) {
        let told = super::list::around(filling.form, item);
        let told = told.map(|(list, no)| filling.item_told(filling.draft(), &list, no)).unwrap_or_default();
        let name = if filling.remove_item(item) { "item_removed" } else { "no_such_item" };
        self.notes.push(filling.say(name, &[("what", &told)]));
    }

    pub(super) fn end_list(filling: &mut Filling<'_>, list: &Path) -> Then {
        filling.end_list(list);
        Then::Go
    }

    pub(super) fn confirm(&mut self, filling: &mut Filling<'_>) -> Then {
        match filling.draft().pending.clone() {
            Pending::Review => return Then::Submit,
            Pending::PageReview { page } => {
                filling.journal.draft.pages_done.insert(page);
                filling.owe_page(page);
            }
            Pending::MoreItems { list } => return self.add_item(filling, &list),
            Pending::Sure { then, .. } => {
                filling.journal.draft.pending = Pending::Nothing;
                filling.journal.draft.verified.extend(then.filled().cloned());
                return match *then {
                    Command::Cancel => Then::Cancel,
                    Command::Restart => self.begin_again(filling),
                    then => self.carry_out(filling, then),
                };
            }
            Pending::Field { path, editing } => {
                if let Some(value) = filling.draft().offered.get(&path).cloned() {
                    return self.fill(filling, &path, value, None);
                }
                if !editing {
                    return Then::Vain;
                }
                filling.let_go();
            }
            Pending::Which { .. } | Pending::WhatToChange | Pending::Tool { .. } | Pending::Nothing => {
                return Then::Vain;
            }
        }
        Then::Go
    }

    fn deny(&mut self, filling: &mut Filling<'_>) -> Then {
        match filling.draft().pending.clone() {
            Pending::Review | Pending::PageReview { .. } => {
                filling.journal.draft.pending = Pending::WhatToChange;
            }
            Pending::Sure { then, question } => {
                filling.journal.draft.pending = Pending::Nothing;
                match *then {
                    Command::Fill { path, .. } if question == UNASKED_CHANGE => self.tell_kept(filling, &path),
                    Command::Cancel => self.notes.push(filling.say("not_cancelled", &[])),
                    Command::Fill { path, .. } => {
                        filling.journal.draft.pending = Pending::Field { path, editing: true };
                    }
                    _ => {}
                }
            }
            Pending::MoreItems { list } => return Self::end_list(filling, &list),
            Pending::Which { .. } => filling.let_go(),
            Pending::Field { path, editing } => {
                if filling.draft().offered.contains_key(&path) {
                    filling.journal.set_offered(&path, None);
                } else if editing {
                    filling.let_go();
                } else {
                    return Then::Vain;
                }
            }
            Pending::WhatToChange => filling.let_go(),
            Pending::Tool { .. } | Pending::Nothing => return Then::Vain,
        }
        Then::Go
    }
}

fn cancel(filling: &mut Filling<'_>) -> Then {
    let given = filling.draft().answers.values();
    let theirs = given.filter(|answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed)).count();
    if theirs == 0 {
        return Then::Cancel;
    }
    filling.ask_whether_to_cancel();
    Then::Go
}

impl Filling<'_> {
    /// Asks whether the form is really to be dropped; what was asked back before comes again where it is not.
    pub(super) fn ask_whether_to_cancel(&mut self) {
        let sure = Pending::Sure { then: Box::new(Command::Cancel), question: "sure_cancel".to_owned() };
        let again = matches!(&self.draft().pending, Pending::Sure { then, .. } if **then == Command::Cancel);
        if again { self.journal.draft.pending = sure } else { self.put_first(sure) }
    }

    /// Whether a field is the one being asked.
    pub(super) fn is_asked(&self, path: &Path) -> bool {
        matches!(&self.draft().pending, Pending::Field { path: asked, .. } if asked == path)
    }

    /// Stops waiting for what was waited for: the order of asking decides again.
    pub(super) fn let_go(&mut self) {
        self.journal.draft.pending = Pending::Nothing;
    }

    /// Notes that a field was dealt with: it is on the way back now, and no longer waited for.
    pub(super) fn arrived(&mut self, path: &Path) {
        self.set_right(path);
        self.no_longer_doubts(path);
        let there = |waiting: &Pending| matches!(waiting, Pending::Field { path: other, .. } if other == path);
        self.journal.draft.waiting.retain(|waiting| !there(waiting));
        let asked = self.is_asked(path);
        if asked || matches!(self.draft().pending, Pending::WhatToChange | Pending::Which { .. }) {
            self.let_go();
        }
        if asked {
            self.journal.draft.trail.retain(|seen| seen != path);
            self.journal.draft.trail.push(path.clone());
        }
    }
}

/// The day of a moment whose time is still to be said, or is none on that day.
pub(super) fn begun(refusal: &Refusal) -> Option<Value> {
    refusal.facts.get("day")?.parse().ok().map(Value::Date)
}

/// Whether words say a value as it is shown, so that there is no need to tell how they were understood.
fn says(words: &str, shown: &str) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let (words, shown) = (letters(words), letters(shown));
    words.contains(&shown) || shown.contains(&words)
}
