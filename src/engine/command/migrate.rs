//! A draft whose form has changed goes on with the version it was started with; where that is no longer at hand, answers
//! that still fit move to the new one.

use crate::command::park;
use crate::desk::decided;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::draft::{fresh, list};
use crate::effect::Effect;
use crate::flow::onward;
use crate::session::Draft;
use crate::talk::Talk;

/// Does what was left to do, and moves the draft to the form's present version where its own is gone; where the form is
/// gone, the draft waits aside.
pub(crate) fn catch_up(talk: &mut Talk<'_>) {
    decided::submit_what_was_approved(talk);
    follow_form(talk);
}

fn follow_form(talk: &mut Talk<'_>) {
    let Some(draft) = &talk.session.draft else { return };
    if talk.engine.catalog.version(&draft.form, &draft.version).is_some() {
        return;
    }
    let Some(old) = talk.session.draft.take() else { return };
    let Some(form) = talk.engine.catalog.form(&old.form).cloned() else {
        part_from(talk, old);
        return;
    };
    let world = talk.world.speaking(&form);
    let draft = Draft { submission: old.submission.clone(), started: old.started, ..fresh::fresh(&form, &world) };
    let mut filling = Filling::new(&form, &world, draft);
    fresh::begin(&mut filling);
    move_in(&mut filling, &old);
    talk.saying.notes.push(filling.say("form_changed", &[]));
    let mut draft = filling.journal.finish();
    draft.undo.clear();
    talk.session.draft = Some(draft);
}

/// Leaves a draft whose form is not there: it waits aside until the form is back. What was only begun for another form
/// is asked there.
fn part_from(talk: &mut Talk<'_>, draft: Draft) {
    talk.note("form_gone", &[]);
    if draft.returns.clone().is_some_and(|returns| onward::go_back_from_gone(talk, &returns)) {
        return talk.effects.push(Effect::Left(Box::new(Draft { cancelled: true, ..draft })));
    }
    if !fresh::is_begun(&draft) {
        talk.session.closed = Some(Draft { cancelled: true, ..draft });
        return;
    }
    talk.saying.notes.pop();
    talk.note("form_away", &[]);
    park::keep_aside(&mut talk.session, park::unasked(draft));
}

/// Goes on with a draft that was put aside, in the form as it is now.
pub(crate) fn take_up(talk: &mut Talk<'_>, draft: Draft) {
    talk.session.draft = Some(draft);
    follow_form(talk);
}

/// Says that nothing is there to go on with, or not now.
pub(crate) fn say_nothing_to_resume(talk: &mut Talk<'_>) {
    if !tells_what_is_away(talk) {
        talk.note("nothing_parked", &[]);
    }
}

/// Says that a form with answers is away, where one is; tells whether it is.
pub(crate) fn tells_what_is_away(talk: &mut Talk<'_>) -> bool {
    if talk.session.parked.iter().all(|draft| talk.engine.form_of(draft).is_some()) {
        return false;
    }
    let told = talk.saying.notes.len();
    talk.note("form_away", &[]);
    if talk.saying.notes.get(told).is_some_and(|note| talk.saying.notes.iter().take(told).any(|before| before == note))
    {
        talk.saying.notes.truncate(told);
    }
    true
}

fn move_in(filling: &mut Filling<'_>, old: &Draft) {
    // Answers may depend on each other, and so may lists: what is refused at first may fit once the others are in.
    for _ in 0..2 {
        for (list, state) in &old.lists {
            while filling.draft().lists.get(list).is_some_and(|now| now.len < state.len)
                && list::add_item(filling, list).is_some()
            {}
        }
        for (path, answer) in &old.answers {
            let offer = Offer { value: answer.value.clone(), source: answer.source, quote: answer.quote.clone() };
            if let Filled::Stored(_) = filling.fill(path, offer) {
                filling.journal.set_answer(path, Some(answer.clone()));
            }
        }
    }
    for path in &old.skipped {
        filling.skip(path);
    }
    // Only now, and inner ones first: the end of a list takes out a last item that nothing was said of.
    for (list, _) in old.lists.iter().rev().filter(|(_, state)| state.ended) {
        list::end_list(filling, list);
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;

    use crate::draft::filling::{Filled, Filling, Offer};
    use crate::draft::{fresh, list};
    use crate::effect::Effect;
    use crate::engine::Engine;
    use crate::input::{Happening, Input};
    use crate::session::Session;
    use crate::world::World;
    use formwright_form::{Catalog, Path, Value};
    use formwright_load::{Syntax, load};

    use super::*;

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
            let mut filling = Filling::new(form, &world, fresh::fresh(form, &world));
            fresh::begin(&mut filling);
            filling
        };
        let mut filling = begun(&old);
        let path = |text: &str| text.parse::<Path>().unwrap();
        list::add_item(&mut filling, &path("tables"));
        list::add_item(&mut filling, &path("tables[0].people"));
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
            list::end_list(&mut filling, &path(list));
        }
        let old = filling.journal.finish();
        assert_eq!(old.answers.len(), 5);
        let mut filling = begun(&new);
        move_in(&mut filling, &old);
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
