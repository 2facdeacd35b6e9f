//! What a reply says of the question before it: of which form it was, and what was answered.

use formwright_chat as chat;

use crate::draft::filling::Filling;
use crate::draft::show;
use crate::session::Draft;
use crate::talk::Talk;
use formwright_form::Path;
use formwright_nlu::Pending;

/// The fields that the reply before asked, that hold an answer of the person's now, and that are not asked again. The
/// session keeps that reply over the steps of a turn, so that a tool in between takes nothing away.
pub(crate) fn answered(talk: &Talk<'_>, reply: &chat::Reply) -> Vec<chat::Answered> {
    let Some(before) = talk.session.last.first() else { return Vec::new() };
    let of_it = |draft: &&Draft| before.form.as_deref() == Some(draft.form.as_str());
    let mut drafts = talk.session.draft.iter().chain(&talk.session.closed);
    let Some(draft) = drafts.find(of_it) else { return Vec::new() };
    let Some(form) = talk.engine.form_of(draft) else { return Vec::new() };
    let world = talk.world.speaking(&form);
    let mut answered = Vec::new();
    for question in before.questions.iter().chain(&before.page) {
        let Ok(path) = question.field.parse::<Path>() else { continue };
        let again = reply.questions.iter().any(|asked| asked.field == question.field);
        let Some(answer) = draft.answers.get(&path).filter(|_| !again) else { continue };
        if !matches!(answer.source, chat::Source::Said | chat::Source::Pressed) {
            continue;
        }
        answered.push(chat::Answered {
            label: show::label(&form, &world, &path),
            value: show::show(&form, draft, &world, &path, &answer.value),
            field: question.field.clone(),
        });
    }
    answered
}

/// What is being filled in: the page where the form has several with titles, else the form.
pub(crate) fn heading(filling: &Filling<'_>) -> String {
    let page = match &filling.draft().pending {
        Pending::Field { path, .. } => filling.form.field_at(path).map(|field| field.page),
        Pending::PageReview { page } => Some(*page),
        _ => None,
    };
    let page = page.filter(|_| filling.form.pages.len() > 1).and_then(|no| filling.form.pages.get(usize::from(no)));
    let title = page.and_then(|page| page.title.as_ref()).map(|title| title.pick(&filling.world.tags()).to_owned());
    let own = || filling.form.title.pick(&filling.world.tags_of(filling.form)).to_owned();
    title.filter(|title| !title.trim().is_empty()).unwrap_or_else(own)
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;
    use rstest::rstest;

    use crate::effect::Effect;
    use crate::engine::Engine;
    use crate::input::{Happening, Input};
    use crate::session::Session;
    use formwright_form::Catalog;
    use formwright_load::{Syntax, load};

    const PIZZA: &str = r#"
        id = "pizza"
        title = "Pizza order"
        pages = [{ id = "what", title = "What you eat" }, { id = "where", title = "Where to" }]
        [[field]]
        id = "pizza"
        kind = "choice"
        page = "what"
        options = ["Margherita", "Diavola"]
        [[field]]
        id = "count"
        kind = "integer"
        page = "what"
        [[field]]
        id = "day"
        kind = "date"
        page = "what"
        [[field]]
        id = "door"
        kind = "text"
        page = "where"
        sensitive = true
        [[field]]
        id = "note"
        kind = "text"
        page = "where"
    "#;

    /// What the last of these messages answers, and what its reply is headed.
    fn said(draws_pages: bool, messages: &[&str]) -> (Vec<String>, String) {
        let loaded = load(PIZZA, Syntax::Toml);
        let mut catalog = Catalog::default();
        catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
        let engine = Engine::new(catalog);
        let mut session = Session::new(chat::conformance::place("slack"), chat::UserId::new("ada"));
        let open = chat::Action::Open { form: Some("pizza".to_owned()) };
        let say = |text: &&str| chat::Action::Say { text: (*text).to_owned() };
        let mut last = None;
        for (no, action) in (1_i64..).zip(std::iter::once(open).chain(messages.iter().map(say))) {
            session.draws_pages = draws_pages;
            let now = Timestamp::from_second(1_800_000_000 + no).unwrap();
            let user = chat::User { id: chat::UserId::new("ada"), name: None, locale: None, zone: None };
            let (id, place) = (chat::EventId::new(no.to_string()), session.place.clone());
            let event = chat::Event { id, place, user, at: now, action, terms: chat::Terms::default() };
            let nonce = chat::Nonce::new(no.unsigned_abs().into());
            let step = engine.step(session, Input { now, nonce, event: Happening::Event(Box::new(event)) });
            session = step.session;
            last = step.effects.into_iter().find_map(|effect| match effect {
                Effect::Reply(reply) => Some(*reply),
                _ => None,
            });
        }
        let reply = last.expect("a reply");
        let answered = reply.answered.iter().map(|answered| format!("{}: {}", answered.label, answered.value));
        (answered.collect(), reply.title.unwrap_or_default())
    }

    #[rstest]
    #[case::a_typed_answer(&["the spicy one, I mean diavola"], &["Pizza: Diavola"])]
    #[case::as_it_was_understood(&["diavola", "two", "24 december 2027"], &["Day: Friday 24 December 2027"])]
    #[case::no_answer(&["what is this?"], &[])]
    #[case::not_what_was_not_asked(&["diavola", "24 december 2027"], &[])]
    #[case::that_a_sensitive_one_was(&["diavola", "two", "24 december 2027", "1234"], &["Door: ••••"])]
    #[case::what_it_was_changed_to(&["diavola", "change the pizza", "margherita"], &["Pizza: Margherita"])]
    fn a_reply_tells_what_was_answered_of_what_was_asked(#[case] messages: &[&str], #[case] wanted: &[&str]) {
        assert_eq!(said(false, messages).0, wanted);
    }

    #[test]
    fn a_page_that_was_offered_as_a_form_is_answered_as_one() {
        let (answered, title) = said(true, &["diavola, 24 december 2027"]);
        assert_eq!(answered, ["Pizza: Diavola", "Day: Friday 24 December 2027"]);
        assert_eq!(title, "What you eat");
    }

    #[test]
    fn a_reply_is_headed_by_its_page() {
        assert_eq!(said(false, &["diavola", "two", "24 december 2027"]).1, "Where to");
    }
}
