//! A draft whose form has changed goes on with the version it was started with; where that is no longer at hand, answers
//! that still fit move to the new one.

use super::Effect;
use super::begin::{fresh, is_begun};
use super::fill::{Filled, Filling, Offer};
use super::session::{Draft, Pending};
use super::talk::Talk;

impl Talk<'_> {
    /// Does what was left to do, and moves the draft to the form's present version where its own is gone; where the form is
    /// gone, the draft waits aside.
    pub(super) fn catch_up(&mut self) {
        self.submit_what_was_approved();
        self.follow_form();
    }

    fn follow_form(&mut self) {
        let Some(draft) = &self.session.draft else { return };
        if self.engine.catalog.version(&draft.form, &draft.version).is_some() {
            return;
        }
        let Some(old) = self.session.draft.take() else { return };
        let Some(form) = self.engine.catalog.form(&old.form).cloned() else {
            self.part_from(old);
            return;
        };
        let world = self.world.speaking(&form);
        let draft = Draft { submission: old.submission.clone(), started: old.started, ..fresh(&form, &world) };
        let mut filling = Filling::new(&form, &world, draft);
        filling.begin();
        filling.move_in(&old);
        self.notes.push(filling.say("form_changed", &[]));
        let mut draft = filling.journal.finish();
        draft.undo.clear();
        self.session.draft = Some(draft);
    }
}

impl Talk<'_> {
    /// Leaves a draft whose form is not there: it waits aside until the form is back. What was only begun for another form
    /// is asked there.
    fn part_from(&mut self, draft: Draft) {
        self.note("form_gone", &[]);
        if draft.returns.clone().is_some_and(|returns| self.go_back_from_gone(&returns)) {
            return self.effects.push(Effect::Left(Box::new(Draft { cancelled: true, ..draft })));
        }
        if !is_begun(&draft) {
            self.session.closed = Some(Draft { cancelled: true, ..draft });
            return;
        }
        self.notes.pop();
        self.note("form_away", &[]);
        self.keep_aside(unasked(draft));
    }

    /// Goes on with a draft that was put aside, in the form as it is now.
    pub(super) fn take_up(&mut self, draft: Draft) {
        self.session.draft = Some(draft);
        self.follow_form();
    }

    /// Says that nothing is there to go on with, or not now.
    pub(super) fn say_nothing_to_resume(&mut self) {
        if !self.tells_what_is_away() {
            self.note("nothing_parked", &[]);
        }
    }

    /// Says that a form with answers is away, where one is; tells whether it is.
    pub(super) fn tells_what_is_away(&mut self) -> bool {
        if self.session.parked.iter().all(|draft| self.engine.form_of(draft).is_some()) {
            return false;
        }
        let told = self.notes.len();
        self.note("form_away", &[]);
        if self.notes.get(told).is_some_and(|note| self.notes.iter().take(told).any(|before| before == note)) {
            self.notes.truncate(told);
        }
        true
    }
}

/// A draft without a question that only counts while the person is in it.
pub(super) fn unasked(mut draft: Draft) -> Draft {
    if matches!(draft.pending, Pending::Sure { .. } | Pending::Which { .. }) {
        draft.pending = Pending::Nothing;
    }
    draft
}

impl Filling<'_> {
    fn move_in(&mut self, old: &Draft) {
        // Answers may depend on each other, and so may lists: what is refused at first may fit once the others are in.
        for _ in 0..2 {
            for (list, state) in &old.lists {
                while self.draft().lists.get(list).is_some_and(|now| now.len < state.len)
                    && self.add_item(list).is_some()
                {}
            }
            for (path, answer) in &old.answers {
                let offer = Offer { value: answer.value.clone(), source: answer.source, quote: answer.quote.clone() };
                if let Filled::Stored(_) = self.fill(path, offer) {
                    self.journal.set_answer(path, Some(answer.clone()));
                }
            }
        }
        for path in &old.skipped {
            self.skip(path);
        }
        // Only now, and inner ones first: the end of a list takes out a last item that nothing was said of.
        for (list, _) in old.lists.iter().rev().filter(|(_, state)| state.ended) {
            self.end_list(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;

    use super::super::world::World;
    use super::*;
    use crate::{Engine, Happening, Input, Session};
    use formwright_form::Value;
    use formwright_form::{Catalog, Path};
    use formwright_load::{Syntax, load};

    const LUNCH: &str = r#"
        id = "lunch"
        title = "Lunch"
        [[field]]
        id = "people"
        kind = "integer"
    "#;

    fn says(engine: &Engine, session: Session, no: u32, action: chat::Action) -> (Session, String) {
        let now = "2026-11-20T09:00:00Z".parse().unwrap();
        let id = chat::EventId::new(no.to_string());
        let user = chat::User { id: session.owner.clone(), name: None, locale: Some("en".to_owned()), zone: None };
        let terms = chat::Terms::default();
        let event = chat::Event { id, place: session.place.clone(), user, at: now, action, terms };
        let event = Happening::Event(Box::new(event));
        let step = engine.step(session, Input { now, nonce: chat::Nonce::new(no.into()), event });
        let said = step.effects.iter().find_map(|effect| match effect {
            Effect::Reply(reply) => Some(reply.say.join("\n")),
            _ => None,
        });
        (step.session, said.unwrap_or_default())
    }

    const TABLES: &str = r#"
        id = "tables"
        title = "Tables"
        [[field]]
        id = "tables"
        kind = "list"
        [[field.field]]
        id = "name"
        kind = "text"
        [[field.field]]
        id = "people"
        kind = "list"
        of = "text"
    "#;

    #[test]
    fn lists_in_lists_move_with_their_form() {
        let old = load(TABLES, Syntax::Toml).form.unwrap();
        let new = load(&TABLES.replace("\"Tables\"", "\"The tables\""), Syntax::Toml).form.unwrap();
        let place = chat::conformance::place("terminal");
        let session = Session::new(place, chat::UserId::new("ada"));
        let now = "2026-11-20T09:00:00Z".parse().unwrap();
        let world = World::new(&session, &Input { now, nonce: chat::Nonce::new(1), event: Happening::Expiry }, None);
        let begun = |form| {
            let mut filling = Filling::new(form, &world, fresh(form, &world));
            filling.begin();
            filling
        };
        let mut filling = begun(&old);
        let path = |text: &str| text.parse::<Path>().unwrap();
        filling.add_item(&path("tables"));
        filling.add_item(&path("tables[0].people"));
        let told = [
            ("tables[0].name", "Oak"),
            ("tables[0].people[0]", "Ann"),
            ("tables[0].people[1]", "Ben"),
            ("tables[1].name", "Elm"),
            ("tables[1].people[0]", "Dan"),
        ];
        for (at, words) in told {
            let value = Value::Text(words.to_owned());
            let filled = filling.fill(&path(at), Offer { value, source: chat::Source::Said, quote: None });
            assert!(matches!(filled, Filled::Stored(_)), "{at}");
        }
        for list in ["tables[0].people", "tables[1].people", "tables"] {
            filling.end_list(&path(list));
        }
        let old = filling.journal.finish();
        assert_eq!(old.answers.len(), 5);
        let mut filling = begun(&new);
        filling.move_in(&old);
        let moved = filling.journal.finish();
        assert_eq!((moved.answers, moved.lists), (old.answers, old.lists));
    }

    #[test]
    fn answers_wait_while_their_form_is_away() {
        let say = |text: &str| chat::Action::Say { text: text.to_owned() };
        let mut catalog = Catalog::default();
        catalog.insert(load(LUNCH, Syntax::Toml).form.unwrap());
        let there = Engine::new(catalog);
        let away = there.with_forms(Catalog::default());
        let mut session = Session::new(chat::conformance::place("terminal"), chat::UserId::new("ada"));
        let open = chat::Action::Open { form: Some("lunch".to_owned()) };
        (session, _) = says(&there, session, 1, open);
        (session, _) = says(&there, session, 2, say("7"));
        for (no, words) in [(3, "yes"), (4, "resume"), (5, "red wine")] {
            let told;
            (session, told) = says(&away, session, no, say(words));
            assert_eq!(told.matches("Your answers are kept: say “resume” once it is back.").count(), 1, "{told}");
            assert!(!told.contains("did not find"), "{told}");
        }
        let (session, told) = says(&there, session, 6, say("resume"));
        assert!(told.starts_with("Back to “Lunch”."), "{told}");
        let (_, told) = says(&there, session, 7, say("yes"));
        assert!(told.contains("has been submitted"), "{told}");
    }
}
