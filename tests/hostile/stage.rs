//! Forms, places in them, and one turn with a model that says what it is told to say; with what must hold after any turn.

use std::collections::BTreeMap;

use formwright::engine::session::{Answer, Draft, Pending, State};
use formwright::engine::{CallError, Command, Effect, Engine, Happening, Input, ModelCall, ModelUse, Outcome, Session};
use formwright::form::kind::{Context, Offered, Said};
use formwright::form::load::{Syntax, load};
use formwright::form::{Field, Fill, Form, Kind, Path};
use formwright::lexicon;
use formwright_chat as chat;
use jiff::Zoned;

use crate::support::chat::{Chat, sample_forms};

/// Words of the model's own that nobody may ever read or find stored.
pub(super) const MARKERS: [&str; 6] = ["zanzibar", "evil", "pwned", "mallory", "hacked", "31337"];
/// What the person has said for fields that nobody else may see.
pub(super) const SECRETS: [&str; 4] = ["ABC12345", "AbC 12345", "dizzy spells", "Aunt Rosamund"];

/// The sample forms, the hotel, and forms that are off, not listed, or not for everybody.
pub(super) fn engine() -> Engine {
    let mut catalog = sample_forms();
    let other = |id: &str, more: &str| {
        format!("id = \"{id}\"\ntitle = \"{id} zanzibar\"\n{more}\n[[field]]\nid = \"what\"\nkind = \"text\"\n")
    };
    for (id, more) in [("closed", "enabled = false"), ("unlisted", ""), ("staff", "")] {
        let mut form = form(&other(id, more));
        form.listed = id != "unlisted";
        catalog.insert(form);
    }
    catalog.insert(form(&std::fs::read_to_string("tests/hostile/hotel.toml").unwrap()));
    Engine::new(catalog).with_model(Some(ModelUse::default()))
}

pub(super) fn form(text: &str) -> Form {
    let loaded = load(text, Syntax::Toml);
    loaded.form.unwrap_or_else(|| panic!("{:#?}", loaded.problems))
}

pub(super) fn now() -> Zoned {
    "2026-11-20T10:00[Europe/Rome]".parse().unwrap()
}

/// A chat without a model, to bring somebody somewhere.
pub(super) fn chat(engine: &Engine, lines: &[&str]) -> Chat {
    let mut chat = Chat::new(engine.clone().with_model(None), now(), "en", "terminal");
    for line in lines {
        let seen = chat.line(line);
        assert!(!seen.contains("!! "), "{line}: {seen}");
    }
    chat
}

/// What fills the hotel's form up to its review.
const BOOKED: [&str; 16] = [
    "(open hotel)",
    "double room",
    "2",
    "3 December 2026",
    "at 18:30",
    "400 euro",
    "yes",
    "ada@example.com",
    "347 123 4567",
    "my name is Ada Lovelace",
    "skip",
    "onion soup",
    "4",
    "no",
    "ABC12345",
    "Aunt Rosamund",
];

/// A place in a conversation, by name.
pub(super) fn place(engine: &Engine, name: &str) -> Session {
    let booked = || {
        let mut chat = chat(engine, &BOOKED);
        chat.line("yes");
        assert!(matches!(pending(&chat.session), Pending::Review), "{}", chat.line("review"));
        chat.session
    };
    let begun = || chat(engine, &["(open hotel)"]).session;
    let waiting = |mut session: Session, pending: Pending| {
        session.draft.as_mut().unwrap().pending = pending;
        session
    };
    match name {
        "idle" => {
            let session = chat(engine, &[]).session;
            let open = event(&session, chat::Action::Open { form: None });
            step(engine, session, Happening::Event(Box::new(open))).0
        }
        "begun" => begun(),
        "review" => booked(),
        "cancel" => chat_from(engine, booked(), "cancel"),
        "change" => chat_from(engine, booked(), "no"),
        "which" => {
            let session = chat(engine, &["(open hotel)", "double room", "2"]).session;
            let session = chat_from(engine, session, "02/03/2027");
            assert!(matches!(pending(&session), Pending::Which { .. }), "{:?}", pending(&session));
            session
        }
        "verify" => {
            let fill = serde_json::json!({"type": "fill", "path": "guests", "value": {"t": "integer", "v": 3},
                "quote": "a threesome"});
            let then: Command = serde_json::from_value(fill).unwrap();
            waiting(begun(), Pending::Sure { then: Box::new(then), question: "verify".to_owned() })
        }
        "secret-verify" => {
            let session = waiting(booked(), asked("illness"));
            chat_from(engine, session, "dizzy spells")
        }
        "shared" => {
            let mut chat = Chat::new(engine.clone().with_model(None), now(), "en", "terminal");
            chat.session.shared = true;
            chat.line("(open hotel)");
            chat.session
        }
        "list" => {
            let mut session = booked();
            let draft = session.draft.as_mut().unwrap();
            draft.answers.remove(&path("meals[0].dish"));
            waiting(session, asked("meals[0].dish"))
        }
        "more" => waiting(booked(), Pending::MoreItems { list: path("meals") }),
        "pizza" => chat(engine, &["(open pizza-order)"]).session,
        "expense" => chat(engine, &["(open expense-claim)", "Trade fair in Milan", "SA-1040", "travel"]).session,
        "injury" => chat(engine, &["(open injury-report)"]).session,
        "leave" => chat(engine, &["(open leave-request)"]).session,
        "event" => chat(engine, &["(open event-signup)", "my name is Ada Lovelace"]).session,
        "ticket" => chat(engine, &["(open support-ticket)", "the web app"]).session,
        field => match field.strip_prefix("edit ") {
            Some(field) => waiting(booked(), Pending::Field { path: path(field), editing: true }),
            None => waiting(begun(), asked(field)),
        },
    }
}

fn chat_from(engine: &Engine, session: Session, line: &str) -> Session {
    let mut chat = Chat::new(engine.clone().with_model(None), now(), "en", "terminal");
    chat.session = session;
    chat.line(line);
    chat.session
}

fn asked(field: &str) -> Pending {
    Pending::Field { path: path(field), editing: false }
}

pub(super) fn path(text: &str) -> Path {
    serde_json::from_value(serde_json::Value::String(text.to_owned())).unwrap()
}

pub(super) fn pending(session: &Session) -> &Pending {
    session.draft.as_ref().map_or(&Pending::Nothing, |draft| &draft.pending)
}

/// One turn.
#[derive(Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) before: Session,
    pub(super) after: Session,
    pub(super) effects: Vec<Effect>,
    pub(super) calls: Vec<ModelCall>,
}

/// What a person says, with what a model replies each time it is asked; `None` is a model that is down.
pub(super) fn turn(engine: &Engine, before: &Session, said: &str, reply: Option<&str>) -> Turn {
    let event = event(before, chat::Action::Say { text: said.to_owned() });
    let (session, effects) = step(engine, before.clone(), Happening::Event(Box::new(event)));
    finish(engine, before, session, effects, |_| reply.map(str::to_owned))
}

/// Goes on from where a model may have been asked, until all is quiet.
pub(super) fn finish(
    engine: &Engine,
    before: &Session,
    mut session: Session,
    mut effects: Vec<Effect>,
    reply: impl Fn(usize) -> Option<String>,
) -> Turn {
    const MOST: usize = 8;
    let mut calls = Vec::new();
    while let Some(at) = effects.iter().position(|effect| matches!(effect, Effect::AskModel(_))) {
        let Effect::AskModel(call) = effects.remove(at) else { break };
        let down = || CallError::broken("down", true);
        let result = reply(calls.len()).map(serde_json::Value::String).ok_or_else(down);
        let outcome = Outcome { call: call.call.clone(), result };
        calls.push(*call);
        assert!(calls.len() < MOST, "a model is asked again and again");
        let more;
        (session, more) = step(engine, session, Happening::Outcome(outcome));
        effects.extend(more);
    }
    Turn { before: before.clone(), after: session, effects, calls }
}

/// One step at the same moment each time, so that turns can be compared.
pub(super) fn step(engine: &Engine, session: Session, event: Happening) -> (Session, Vec<Effect>) {
    let nonce = chat::Nonce::new(0xabcd_0000_0000_0001);
    let step =
        engine.step(session, Input { now: now().timestamp() + jiff::SignedDuration::from_hours(1), nonce, event });
    (step.session, step.effects)
}

/// What somebody does who may use all forms but those for the staff.
pub(super) fn event(session: &Session, action: chat::Action) -> chat::Event {
    let user = chat::User {
        id: session.owner.clone(),
        name: None,
        locale: Some("en".to_owned()),
        zone: Some("Europe/Rome".to_owned()),
    };
    let own = ["hotel", "closed", "unlisted", "of10", "of50", "of60", "of200", "inn"];
    let samples = ["pizza-order", "expense-claim", "injury-report", "leave-request", "event-signup", "support-ticket"];
    let forms = own.iter().chain(&samples).map(ToString::to_string).collect();
    chat::Event {
        id: chat::EventId::new("attack"),
        place: session.place.clone(),
        user,
        at: now().timestamp(),
        action,
        terms: chat::Terms { forms: Some(forms), ..chat::Terms::default() },
    }
}

impl Turn {
    /// What is said, one paragraph a line, buttons, options and cards too.
    pub(super) fn says(&self) -> String {
        let replies = self.effects.iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(serde_json::to_string(reply).unwrap()),
            _ => None,
        });
        replies.collect::<Vec<_>>().join("\n")
    }

    /// What was said for fields.
    pub(super) fn answers(&self) -> BTreeMap<String, Answer> {
        let answers = self.after.draft.iter().flat_map(|draft| &draft.answers);
        let theirs = answers.filter(|(_, answer)| answer.source == chat::Source::Said);
        theirs.map(|(path, answer)| (path.to_string(), answer.clone())).collect()
    }

    /// What of the invariants does not hold.
    pub(super) fn broken(&self, engine: &Engine, said: &str) -> Vec<String> {
        let mut broken = Vec::new();
        self.check_effects(engine, &mut broken);
        self.check_state(&mut broken);
        self.check_calls(engine, said, &mut broken);
        self.check_words(said, &mut broken);
        self.check_memory(&mut broken);
        if let Some(draft) = &self.after.draft
            && let Some(form) = engine.catalog().form(&draft.form)
        {
            let before = self.before.draft.as_ref();
            for (path, answer) in &draft.answers {
                let old = before.and_then(|draft| draft.answers.get(path));
                if old.is_none_or(|old| old.value != answer.value) && answer.source == chat::Source::Said {
                    check_answer(form, path, answer, said, before, &mut broken);
                }
            }
        }
        broken
    }

    /// Of what a model proposed nothing is kept but the form's names and the person's words.
    fn check_memory(&self, broken: &mut Vec<String>) {
        for heard in self.after.draft.iter().flat_map(|draft| &draft.history) {
            let quotes = heard.proposed.iter().filter_map(|proposed| proposed.quote.as_deref());
            let mut made_up = quotes.filter(|quote| *quote != "[hidden]" && !heard.words.contains(quote));
            broken.extend(made_up.next().map(|quote| format!("“{quote}” is kept, and nobody said it")));
            broken.extend((heard.proposed.len() > 12).then(|| "too many proposals are kept".to_owned()));
        }
    }

    fn check_effects(&self, engine: &Engine, broken: &mut Vec<String>) {
        for effect in &self.effects {
            match effect {
                Effect::Submit(_) => broken.push("it submits".to_owned()),
                Effect::CallTool(call) => {
                    let own = self.after.draft.as_ref().and_then(|draft| engine.catalog().form(&draft.form));
                    if !own.is_some_and(|form| form.tools.contains_key(&call.tool)) {
                        broken.push(format!("it calls {}", call.tool));
                    }
                }
                Effect::Fault(why) => broken.push(format!("it puts on the log: {why}")),
                Effect::Send(event) => broken.push(format!("it tells another session: {}", event.id)),
                Effect::Move { form, .. } => broken.push(format!("it moves to {form}")),
                Effect::Forget { .. } => broken.push("it forgets the person".to_owned()),
                Effect::Reply(_) | Effect::AskModel(_) | Effect::LookUp(_) | Effect::Refused(_) | Effect::Left(_) => {}
            }
        }
    }

    fn check_state(&self, broken: &mut Vec<String>) {
        let form = |session: &Session| session.draft.as_ref().map(|draft| draft.form.to_string());
        match (&self.before.draft, &self.after.draft) {
            (Some(_), None) => broken.push("the form is gone".to_owned()),
            (Some(_), Some(_)) if form(&self.before) != form(&self.after) => broken.push("another form".to_owned()),
            _ => {}
        }
        if matches!(self.after.draft, Some(Draft { state: State::Complete | State::Closed, .. })) {
            broken.push("the form is closed".to_owned());
        }
        if self.before.closed != self.after.closed || self.before.parked != self.after.parked {
            broken.push("a form was closed or put aside".to_owned());
        }
        if self.after.model.is_some() {
            broken.push("the turn does not end".to_owned());
        }
    }

    fn check_calls(&self, engine: &Engine, said: &str, broken: &mut Vec<String>) {
        let most = 1 + engine.model().map_or(0, |uses| uses.retries);
        if self.calls.len() > usize::try_from(most).unwrap() {
            broken.push(format!("{} calls", self.calls.len()));
        }
        for call in &self.calls {
            let text = format!("{}\n{}\n{}", call.system, call.message, call.schema);
            let fence = text.matches("<<<").count() + text.matches(">>>").count();
            if fence != 2 || !call.message.ends_with("\n>>>") {
                broken.push(format!("the message is not fenced: {}", call.message));
            }
            let secret = SECRETS.iter().find(|secret| text.contains(**secret));
            broken.extend(secret.map(|secret| format!("a prompt holds {secret} after {said}: {text}")));
        }
    }

    fn check_words(&self, said: &str, broken: &mut Vec<String>) {
        let (says, said) = (self.says().to_lowercase(), said.to_lowercase());
        let draft = serde_json::to_string(&self.after.draft).unwrap().to_lowercase();
        for marker in MARKERS.iter().filter(|marker| !said.contains(**marker)) {
            if says.contains(marker) || draft.contains(marker) {
                broken.push(format!("“{marker}” is said or kept: {says}"));
            }
        }
    }
}

/// An answer from words is the person's: quoted, and right for its field.
fn check_answer(
    form: &Form,
    path: &Path,
    answer: &Answer,
    said: &str,
    before: Option<&Draft>,
    broken: &mut Vec<String>,
) {
    let Some(field) = form.field_at(path) else { return broken.push(format!("{path} is no field")) };
    let asked =
        before.is_some_and(|draft| matches!(&draft.pending, Pending::Field { path: asked, .. } if asked == path));
    let shut =
        matches!(field.kind, Kind::Hidden(_) | Kind::Computed(_) | Kind::File(_) | Kind::Location(_) | Kind::Note(_));
    let secret = field.sensitive && matches!(field.kind, Kind::Text(_) | Kind::LongText(_));
    if shut || (field.fill != Fill::Any || secret) && !asked {
        broken.push(format!("{path} is not filled by words"));
    }
    match &answer.quote {
        None => broken.push(format!("{path} has no quote")),
        Some(quote) if !Said::new(said).norm.contains(&Said::new(quote).norm) => {
            broken.push(format!("{path}: nobody said “{quote}”"));
        }
        Some(_) => {}
    }
    let kind = field.kind.behaviour();
    let offered = offered(field);
    let known = field.choices.as_ref().is_none_or(|choices| choices.from.is_none());
    let now = now();
    let cx = Context {
        now: &now,
        lang: lexicon::language("en"),
        region: None,
        options: &offered,
        other: field.choices.as_ref().is_some_and(|choices| choices.other),
        held: None,
    };
    let again = kind.accept(&kind.json(&answer.value), &cx);
    if known && again.as_ref() != Ok(&answer.value) {
        broken.push(format!("{path}: {:?} is not accepted: {again:?}", answer.value));
    }
}

fn offered(field: &Field) -> Vec<Offered> {
    let options = field.choices.iter().flat_map(|choices| &choices.options);
    let one = |option: &formwright::form::OptionDef| Offered {
        id: option.id.clone(),
        label: option.label.pick(&["en"]).to_owned(),
        synonyms: option.synonyms.clone(),
        detail: None,
    };
    options.map(one).collect()
}

/// Whether a yes or no, or one of several readings, is waited for.
pub(super) fn asks(session: &Session) -> bool {
    matches!(pending(session), Pending::Sure { .. } | Pending::Which { .. })
}
