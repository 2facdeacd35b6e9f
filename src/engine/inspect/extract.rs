//! What a message alone gives: heard as in a chat, with no model or with what one replies, and the values told. Understanding is
//! measured by it.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;
use serde_json::Value as Json;

use crate::draft::filling::{Filled, Filling, Offer};
use crate::engine::Engine;
use crate::handle::{act, hear, read};
use crate::input::{Happening, Input};
use crate::model::{Asking, ModelUse, reply};
use crate::session::Session;
use crate::talk::Talk;
use crate::world::{self, World};
use crate::{command, lookup};
use formwright_form::kind::Said;
use formwright_form::{Form, FormId, Path};
use formwright_nlu::{Command, Pending, SlotChoices};

/// A message, and where it is said.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// The form that is being filled.
    pub form: &'a FormId,
    /// Answers that are there already, as data.
    pub filled: &'a BTreeMap<String, Json>,
    /// The field that was asked for. Where there is none, the message starts the form, or answers its review.
    pub pending: Option<&'a str>,
    /// What the person says.
    pub message: &'a str,
    /// When, in UTC: it is the person's own clock.
    pub now: Timestamp,
    /// What a model replies where it is asked; none where there is no model.
    pub reply: Option<&'a str>,
}

/// What a message gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extracted {
    /// The values that it sets or changes, as in a submission; of a choice the label.
    pub values: BTreeMap<String, Json>,
    /// Values that the person is asked about by yes or no.
    pub asked: BTreeMap<String, Json>,
}

/// What cannot be heard.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unheard {
    /// There is no such form.
    #[error("there is no form `{0}`")]
    NoForm(String),
    /// The form has no such field.
    #[error("there is no field `{0}`")]
    NoField(String),
    /// An answer that is said to be there cannot be one.
    #[error("`{0}` cannot be filled with {1}")]
    NotFilled(String, Json),
    /// What the model replies cannot be read.
    #[error("the model's reply: {0}")]
    Unreadable(&'static str),
}

/// What a message gives. What would be asked back among several readings is no value.
///
/// # Errors
/// [`Unheard`] where the form, a field, an answer or a reply is not what it should be.
pub(crate) fn extract(engine: &Engine, heard: Heard<'_>) -> Result<Extracted, Unheard> {
    let Some(reply) = heard.reply else { return Ok(read_alone(engine, heard, Asking::Never)?.1) };
    let (is_asked, alone) = read_alone(engine, heard, Asking::May(Box::new(nobody(heard.message, heard.now))))?;
    if !is_asked {
        return Ok(alone);
    }
    let proposal = reply::read(reply).map_err(|why| Unheard::Unreadable(why.words()))?;
    Ok(read_alone(engine, heard, Asking::Answered(Box::new(proposal)))?.1)
}

/// Whether a model is asked, and what the message gives.
fn read_alone(engine: &Engine, heard: Heard<'_>, model: Asking) -> Result<(bool, Extracted), Unheard> {
    let (form, session, world) = conversation(engine, heard)?;
    let uses = (!matches!(model, Asking::Never)).then(ModelUse::default);
    let engine = engine.clone().with_model(uses);
    let mut lookups = lookup::Lookups::default();
    let mut talk = Talk::new(&engine, world.clone(), session, &mut lookups);
    talk.model = model;
    let draft = command::begin::fresh_draft(&mut talk, &form, &[], None);
    let mut filling = Filling::new(&form, &world, draft);
    stand(&mut filling, heard)?;
    let before = filling.draft().answers.clone();
    let draft = if filling.draft().pending == Pending::Nothing {
        talk.session.draft = Some(filling.journal.draft);
        act::hear_on(&mut talk, heard.message);
        talk.session.draft.take()
    } else {
        let _ = hear::hear_now(&mut talk, &mut filling, heard.message);
        Some(filling.journal.draft)
    };
    let is_asked = talk.session.model.is_some();
    let Some(draft) = draft else { return Ok((is_asked, Extracted::default())) };
    let filling = Filling::new(&form, &world, draft);
    let changed = filling
        .draft()
        .answers
        .iter()
        .filter(|(path, answer)| before.get(*path).is_none_or(|old| old.value != answer.value));
    let values = changed.map(|(path, answer)| (path.to_string(), told(&filling, path, &answer.value))).collect();
    let questions = std::iter::once(&filling.draft().pending).chain(&filling.draft().waiting);
    let doubts = questions.flat_map(|pending| match pending {
        Pending::Sure { then, .. } => then.fills(),
        _ => &[],
    });
    let asked = doubts.filter_map(|doubt| match doubt {
        Command::Fill { path, value, .. } => Some((path.to_string(), told(&filling, path, value))),
        _ => None,
    });
    Ok((is_asked, Extracted { values, asked: asked.collect() }))
}

/// What each field could be filled with by a message.
pub(crate) fn weigh(engine: &Engine, heard: Heard<'_>) -> Result<Vec<SlotChoices>, Unheard> {
    let (form, session, world) = conversation(engine, heard)?;
    let mut lookups = lookup::Lookups::default();
    let mut talk = Talk::new(engine, world.clone(), session, &mut lookups);
    let draft = command::begin::fresh_draft(&mut talk, &form, &[], None);
    let mut filling = Filling::new(&form, &world, draft);
    stand(&mut filling, heard)?;
    Ok(read::weighed(&[], &filling, &Said::new(heard.message)))
}

/// The form, a session of nobody's, and the world in which the person speaks the form's language.
fn conversation(engine: &Engine, heard: Heard<'_>) -> Result<(Arc<Form>, Session, World), Unheard> {
    let form = engine.catalog().form(heard.form).cloned();
    let form = form.ok_or_else(|| Unheard::NoForm(heard.form.to_string()))?;
    let session = Session::new(place(), chat::UserId::new("you"));
    let input = Input { now: heard.now, nonce: chat::Nonce::new(1), event: Happening::Expiry };
    let mut world = world::world(engine, &session, &input, None).speaking(&form);
    world.speak(world.speaks);
    Ok((form, session, world))
}

/// Puts in the answers that are there, and what is waited for.
fn stand(filling: &mut Filling<'_>, heard: Heard<'_>) -> Result<(), Unheard> {
    for (id, data) in heard.filled {
        take(filling, id, data)?;
    }
    filling.journal.draft.pending = match heard.pending {
        Some(id) => Pending::Field { path: path_of(filling.form, id)?, editing: false },
        None if heard.filled.is_empty() => Pending::Nothing,
        None => Pending::Review,
    };
    Ok(())
}

fn place() -> chat::Place {
    chat::Place {
        platform: chat::Platform::new("terminal"),
        workspace: String::new(),
        channel: "extract".to_owned(),
        thread: None,
    }
}

/// A message that a model is asked about.
fn nobody(text: &str, at: Timestamp) -> chat::Event {
    chat::Event {
        id: chat::EventId::new("extract"),
        place: place(),
        user: chat::User { id: chat::UserId::new("you"), name: None, locale: None, zone: None },
        at,
        action: chat::Action::Say { text: text.to_owned() },
        terms: chat::Terms::default(),
    }
}

fn path_of(form: &Form, id: &str) -> Result<Path, Unheard> {
    let path = id.parse().ok().filter(|path| form.field_at(path).is_some());
    path.ok_or_else(|| Unheard::NoField(id.to_owned()))
}

fn take(filling: &mut Filling<'_>, id: &str, data: &Json) -> Result<(), Unheard> {
    let path = path_of(filling.form, id)?;
    let not = || Unheard::NotFilled(id.to_owned(), data.clone());
    let field = filling.form.field_at(&path).ok_or_else(not)?;
    let offered = filling.offered(field, &path);
    let value = field.kind.behaviour().accept(data, &filling.context(field, &offered)).map_err(|_| not())?;
    match filling.fill(&path, Offer { value, source: chat::Source::Pressed, quote: None }) {
        Filled::Refused(_) | Filled::Locked => Err(not()),
        Filled::Stored(_) | Filled::Same | Filled::Aside => Ok(()),
    }
}

/// A value as data; an option by its label.
fn told(filling: &Filling<'_>, path: &Path, value: &formwright_form::Value) -> Json {
    let Some(field) = filling.form.field_at(path) else { return Json::Null };
    let data = field.kind.behaviour().json(value);
    let offered = filling.offered(field, path);
    let option = offered.iter().find(|option| data.as_str() == Some(option.id.as_str()));
    option.map_or(data, |option| Json::from(option.label.clone()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use formwright_chat as chat;
    use jiff::Timestamp;
    use rstest::rstest;
    use serde_json::Value as Json;

    use crate::effect;
    use crate::engine::Engine;
    use crate::input::{Happening, Input};
    use crate::session::Session;
    use formwright_form::{Catalog, FormId, Path};
    use formwright_load::{Syntax, load};
    use formwright_nlu::Answer;

    use super::*;

    const TABLE: &str = r#"
id = "table"
title = "A table"

[[field]]
id = "name"
kind = "text"
label = "Name"
subtype = "person"

[[field]]
id = "people"
kind = "integer"
label = "People"

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "smoking"
kind = "yes_no"
label = "Smoking"
"#;

    /// A chat without a model once all of this was done, and what was said last.
    fn chat_of(engine: &Engine, now: Timestamp, done: Vec<chat::Action>) -> (Session, Vec<String>) {
        let platform = chat::Platform::new("web");
        let place = chat::Place { platform, workspace: String::new(), channel: "1".to_owned(), thread: None };
        let user = chat::User { id: chat::UserId::new("ada"), name: None, locale: Some("en".to_owned()), zone: None };
        let mut session = Session::new(place.clone(), user.id.clone());
        let mut said = Vec::new();
        for (no, action) in done.into_iter().enumerate() {
            let (place, user, id) = (place.clone(), user.clone(), chat::EventId::new(no.to_string()));
            let event = chat::Event { id, place, user, at: now, action, terms: chat::Terms::default() };
            let nonce = chat::Nonce::new(u128::try_from(no).unwrap());
            let step = engine.step(session, Input { now, nonce, event: Happening::Event(Box::new(event)) });
            session = step.session;
            let reply = step.effects.into_iter().find_map(|effect| match effect {
                effect::Effect::Reply(reply) => Some(reply.say),
                _ => None,
            });
            said = reply.unwrap_or_default();
        }
        (session, said)
    }

    /// What such a chat has in the form.
    fn in_a_chat(engine: &Engine, now: Timestamp, done: Vec<chat::Action>) -> BTreeMap<String, Json> {
        let (session, _) = chat_of(engine, now, done);
        let form = engine.catalog().form(&FormId::new("table")).unwrap();
        let told = |(path, answer): (&Path, &Answer)| {
            (path.to_string(), form.field_at(path).unwrap().kind.behaviour().json(&answer.value))
        };
        session.draft.unwrap().answers.iter().map(told).collect()
    }

    #[rstest]
    fn a_case_is_heard_as_a_chat_message_is(
        #[values(
            "4 people on 5 December, name is Ann Lee",
            "on 3 or 4 December",
            "5/6/2027 for 4",
            "Ann Lee",
            "we are 4 or 5",
            "no smoking",
            "hello",
            "end of December",
            "is there a garden?",
            "-3"
        )]
        message: &str,
        #[values(false, true)] asked: bool,
    ) {
        let mut catalog = Catalog::default();
        catalog.insert(load(TABLE, Syntax::Toml).form.unwrap());
        let (engine, form) = (Engine::new(catalog), FormId::new("table"));
        let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
        let (filled, pending) = (BTreeMap::new(), asked.then_some("name"));
        let alone =
            engine.extract(Heard { form: &form, filled: &filled, pending, message, now, reply: None }).unwrap().values;
        let (form, text) = (form.to_string(), message.to_owned());
        let done = if asked {
            vec![chat::Action::Open { form: Some(form) }, chat::Action::Say { text }]
        } else {
            vec![chat::Action::Start { form, text }]
        };
        assert_eq!(in_a_chat(&engine, now, done), alone, "{message}");
    }

    #[rstest]
    fn a_message_that_is_too_long_is_answered_so(#[values(false, true)] begun: bool) {
        let mut catalog = Catalog::default();
        catalog.insert(load(TABLE, Syntax::Toml).form.unwrap());
        let (engine, now) = (Engine::new(catalog), "2026-11-21T09:00:00Z".parse().unwrap());
        let (form, text) = ("table".to_owned(), "one two three ".repeat(800));
        let done = if begun {
            vec![chat::Action::Open { form: Some(form) }, chat::Action::Say { text }]
        } else {
            vec![chat::Action::Start { form, text }]
        };
        let (session, replies) = chat_of(&engine, now, done);
        assert!(session.draft.unwrap().answers.is_empty());
        assert!(replies.iter().any(|said| said.contains("too long for me")), "{replies:?}");
    }

    #[test]
    fn fields_that_a_message_itself_opens_are_read_and_explained() {
        let party = r#"
id = "party"
title = "Party"

[[field]]
id = "coming"
kind = "yes_no"
label = "Coming"

[[field]]
id = "guests"
kind = "integer"
label = "Guests"
show_when = "coming"
"#;
        let mut catalog = Catalog::default();
        catalog.insert(load(party, Syntax::Toml).form.unwrap());
        let (engine, now) = (Engine::new(catalog), "2026-11-21T09:00:00Z".parse().unwrap());
        let open = || chat::Action::Open { form: Some("party".to_owned()) };
        let text = "yes, and I bring two guests";
        let (session, _) = chat_of(&engine, now, vec![open()]);
        let code = engine.explain(&session, text, now, None).code;
        let fields: Vec<Option<String>> = code.commands.into_iter().map(|piece| piece.field).collect();
        assert_eq!(fields, [Some("coming".to_owned()), Some("guests".to_owned())]);
        let (_, replies) = chat_of(&engine, now, vec![open(), chat::Action::Say { text: text.to_owned() }]);
        assert!(!replies.iter().any(|said| said.contains("bring")), "{replies:?}");
    }

    #[rstest]
    #[case("5/6/2027 for 4")]
    fn what_begins_a_form_and_may_mean_two_things_is_asked_back(#[case] text: &str) {
        let mut catalog = Catalog::default();
        catalog.insert(load(TABLE, Syntax::Toml).form.unwrap());
        let engine = Engine::new(catalog);
        let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
        let start = |text: &str| chat::Action::Start { form: "table".to_owned(), text: text.to_owned() };
        assert!(!in_a_chat(&engine, now, vec![start(text)]).contains_key("day"), "{text}");
        let chosen = vec![start(text), chat::Action::Say { text: "the second".to_owned() }];
        assert!(in_a_chat(&engine, now, chosen).contains_key("day"), "{text}");
    }
}
