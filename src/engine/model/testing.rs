//! A conversation with a scripted model, for tests.

use formwright_chat as chat;

use crate::effect::Effect;
use crate::engine::Engine;
use crate::input::{Happening, Input, Outcome};
use crate::inspect::explain;
use crate::model::{ModelCall, ModelUse};
use crate::session::Session;
use crate::session::heard::Proposed;
use formwright_form::{Catalog, Value};
use formwright_load::{Syntax, load};
use formwright_nlu::Pending;

/// A person, the engine, and a model that says what it is told to say.
pub(crate) struct Chat {
    engine: Engine,
    session: Session,
    no: u32,
    now: jiff::Timestamp,
    /// How long after a message the next one is written while a model thinks.
    pub(crate) meanwhile: jiff::SignedDuration,
    lang: String,
    /// What the model was asked about the last message; none where it was not.
    pub(crate) asked: Option<ModelCall>,
}

impl Chat {
    /// Begins to fill in a form.
    pub(crate) fn about(form: &str, lang: &str) -> Self {
        let loaded = load(form, Syntax::Toml);
        let form = loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems));
        let id = form.id.to_string();
        let mut catalog = Catalog::default();
        catalog.insert(form);
        let place = chat::Place {
            platform: chat::Platform::new("terminal"),
            workspace: String::new(),
            channel: String::new(),
            thread: None,
        };
        let mut session = Session::new(place, chat::UserId::new("ada"));
        session.lang = Some(lang.to_owned());
        let engine = Engine::new(catalog).with_model(Some(ModelUse::default()));
        let now = jiff::Timestamp::from_second(1_800_000_000).unwrap();
        let mut chat = Self {
            engine,
            session,
            no: 0,
            now,
            meanwhile: jiff::SignedDuration::from_secs(2),
            lang: lang.to_owned(),
            asked: None,
        };
        chat.happens(chat::Action::Open { form: Some(id) }, "");
        chat
    }

    /// Says something, and gives what is said in return. A model that is asked replies this.
    pub(crate) fn say(&mut self, text: &str, model: &str) -> String {
        self.happens(chat::Action::Say { text: text.to_owned() }, model)
    }

    /// Says something that a model thinks about for five seconds, and something else meanwhile; gives what is said to that.
    pub(crate) fn say_both(&mut self, text: &str, model: &str, meanwhile: &str) -> String {
        let said_at = self.now;
        let say = |text: &str| chat::Action::Say { text: text.to_owned() };
        self.happens_at(said_at, say(text), model, 5);
        assert!(self.asked.is_some(), "the model is asked about {text}");
        self.happens_at(said_at + self.meanwhile, say(meanwhile), "", 0)
    }

    /// How a message and what a model replies to it would be understood.
    pub(crate) fn explained(&self, text: &str, model: &str) -> explain::Explanation {
        self.engine.explain(&self.session, text, self.now, Some(model))
    }

    /// What is waited for.
    pub(crate) fn pending(&self) -> &Pending {
        &self.session.draft.as_ref().expect("a form is open").pending
    }

    /// The answer to a field.
    pub(crate) fn answer(&self, path: &str) -> Option<String> {
        let answer = self.session.draft.as_ref()?.answers.get(&path.parse().unwrap())?;
        Some(match &answer.value {
            Value::Text(text) => text.clone(),
            other => format!("{other:?}"),
        })
    }

    /// Whether a model read the answer to a field; none where there is no answer.
    pub(crate) fn is_by_model(&self, path: &str) -> Option<bool> {
        let answers = &self.session.draft.as_ref()?.answers;
        answers.get(&path.parse().unwrap()).map(|answer| answer.by_model)
    }

    /// Whether the person is asked whether something is meant.
    pub(crate) fn sees_a_proposal(&self) -> bool {
        self.session.draft.as_ref().is_some_and(|draft| matches!(draft.pending, Pending::Sure { .. }))
    }

    /// Whether the person is asked whether something is meant, or which of several.
    pub(crate) fn is_asked_about(&self) -> bool {
        let asks = |pending: &Pending| matches!(pending, Pending::Sure { .. } | Pending::Which { .. });
        self.session.draft.as_ref().is_some_and(|draft| asks(&draft.pending))
    }

    /// What is remembered of what was said.
    pub(crate) fn remembered(&self) -> Vec<&str> {
        let draft = self.session.draft.as_ref().expect("a form is open");
        draft.history.iter().map(|heard| heard.words.as_str()).collect()
    }

    /// What is remembered of what a model proposed.
    pub(crate) fn proposed(&self) -> Vec<&Proposed> {
        let draft = self.session.draft.as_ref().expect("a form is open");
        draft.history.iter().flat_map(|heard| &heard.proposed).collect()
    }

    fn happens(&mut self, action: chat::Action, model: &str) -> String {
        self.now += jiff::SignedDuration::from_secs(1);
        self.happens_at(self.now, action, model, 0)
    }

    fn happens_at(&mut self, at: jiff::Timestamp, action: chat::Action, model: &str, takes: i64) -> String {
        let event = chat::Event {
            id: chat::EventId::new(self.no.to_string()),
            place: self.session.place.clone(),
            user: chat::User {
                id: self.session.owner.clone(),
                name: None,
                locale: Some(self.lang.clone()),
                zone: None,
            },
            at,
            action,
            terms: chat::Terms::default(),
        };
        self.asked = None;
        let mut effects = self.step(Happening::Event(Box::new(event)));
        let call = effects.iter().find_map(|effect| match effect {
            Effect::AskModel(call) => Some(call.as_ref().clone()),
            _ => None,
        });
        if let Some(call) = call {
            let outcome = Outcome { call: call.call.clone(), result: Ok(model.into()) };
            self.asked = Some(call);
            self.now += jiff::SignedDuration::from_secs(takes);
            effects = self.step(Happening::Outcome(outcome));
        }
        let said = effects.iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(reply.say.join("\n")),
            _ => None,
        });
        said.collect::<Vec<_>>().join("\n")
    }

    fn step(&mut self, event: Happening) -> Vec<Effect> {
        self.no += 1;
        let input = Input { now: self.now, nonce: chat::Nonce::new(self.no.into()), event };
        let step = self.engine.step(self.session.clone(), input);
        self.session = step.session;
        step.effects
    }
}
