//! A host without an engine: a form that shows every widget once, takes any answer, and reviews at the end.
//!
//! It keeps the promises of `Host` that an adapter relies on: an event seen before changes nothing and gives the
//! replies of the first time, and a session belongs to its place and person.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use formwright_chat::{
    Action, AnswerView, Button, ButtonRole, Card, CardRow, Choice, Event, FormCard, FormFile, FormWords, Host,
    HostError, Input, ModelHealth, Nonce, Place, Platform, Pressed, Progress, Question, Reply, SessionView, Source,
    Token, ToolCall, Turn, TurnedAway, UserId,
};
use serde_json::{Value, json};

use super::gallery::{HOSTILE, gallery};

/// The host.
#[derive(Default)]
pub(super) struct Double {
    state: Mutex<State>,
    /// How the model is.
    pub(super) model: Mutex<Option<ModelHealth>>,
}

#[derive(Default)]
struct State {
    sessions: BTreeMap<(Place, String), Session>,
    seen: BTreeMap<String, (Option<String>, Turn)>,
    failures: Vec<HostError>,
    /// How many messages are still taken; none: all.
    allowed: Option<u32>,
    screens: u128,
    /// What a session shows beside what was said last.
    beside: Vec<Reply>,
    /// Every event taken, in order.
    events: Vec<Event>,
    turned_away: Vec<TurnedAway>,
    notes: BTreeMap<String, Value>,
}

#[derive(Clone, Default)]
struct Session {
    form: String,
    answers: Vec<(String, String, Source)>,
    last: Vec<Reply>,
    done: bool,
}

impl Double {
    /// Fails the next turns, one by one.
    pub(super) fn fail(&self, failures: impl IntoIterator<Item = HostError>) {
        self.lock().failures.extend(failures);
    }

    /// Takes so many more messages.
    pub(super) fn allow(&self, messages: u32) {
        self.lock().allowed = Some(messages);
    }

    /// Shows this from now on to who loads the page anew.
    pub(super) fn show_too(&self, reply: Reply) {
        self.lock().beside.push(reply);
    }

    /// The events taken so far.
    pub(super) fn events(&self) -> Vec<Event> {
        self.lock().events.clone()
    }

    /// What was turned away without being asked about here.
    pub(super) fn turned_away_so_far(&self) -> Vec<TurnedAway> {
        self.lock().turned_away.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    fn nonce(&mut self) -> Nonce {
        self.screens += 1;
        Nonce::new(self.screens)
    }

    fn turn(&mut self, session: &mut Session, event: &Event) -> Vec<Reply> {
        let questions = gallery();
        let asked = session.answers.len();
        if session.form.is_empty() && !matches!(event.action, Action::Open { .. }) {
            "gallery".clone_into(&mut session.form);
        }
        match &event.action {
            Action::Open { form } => {
                let same = form.as_ref().is_none_or(|form| *form == session.form);
                if !same || session.form.is_empty() {
                    *session = Session { form: form.clone().unwrap_or("gallery".into()), ..Session::default() };
                }
                let mut replies = vec![plain(&format!("Welcome! {HOSTILE}"))];
                replies.push(self.ask(session, None));
                return replies;
            }
            Action::Say { text } if text.ends_with('?') => {
                return vec![self.ask(session, Some("Because we need it."))];
            }
            Action::Say { text } if text.starts_with("my pin is") => {
                return vec![Reply { conceals: true, ..self.ask(session, Some("I keep that to myself.")) }];
            }
            Action::Say { text } if text == "tool" => {
                let call = ToolCall { call: "call-1".into(), tool: "lookup".into(), args: json!({ "q": 1 }) };
                return vec![Reply { tool_call: Some(call), ..plain("Looking it up…") }];
            }
            Action::Say { text } if text == "page" => {
                let mut page = self.ask(session, None);
                let first = page.questions[0].clone();
                let number = Input::Number { integer: true, min: None, max: Some("9".into()), unit: None };
                let token = Token::new(&first.token.nonce, 1);
                page.questions.push(Question { label: "Count".into(), token, input: number, ..first });
                return vec![page];
            }
            Action::Say { text } if text == "arabic" => {
                return vec![Reply {
                    lang: "ar".into(), ..self.ask(session, Some("أهلًا بك! ما اسمك؟"))
                }];
            }
            Action::Case { .. } | Action::Edit { .. } => {}
            Action::Start { text, .. } | Action::Say { text } => answer(session, text, Source::Said),
            Action::Attach { files, .. } => answer(session, &files[0].name, Source::Said),
            Action::Share { location } => answer(session, &format!("{}", location.lat), Source::Said),
            Action::ToolResults { results } => {
                return vec![self.ask(session, Some(&format!("The tool said {}.", results[0].result)))];
            }
            Action::Press { presses } => {
                let nonce = session.last.last().and_then(nonce_of);
                if presses.iter().any(|press| Some(&press.token.nonce) != nonce.as_ref()) {
                    return vec![self.ask(session, Some("That was answered already."))];
                }
                let together = presses.iter().all(|press| press.token == presses[0].token);
                if let ([_, second], false) = (&presses[..], together) {
                    answer(session, &format!("{:?}", second.value), Source::Pressed);
                    return vec![self.ask(session, Some("Thanks for both."))];
                }
                match &presses[0].value {
                    Pressed::Button if presses[0].token.slot == 90 => {
                        session.done = true;
                        let answers: serde_json::Map<_, _> =
                            session.answers.iter().map(|(field, value, _)| (field.clone(), json!(value))).collect();
                        return vec![Reply { complete: Some(answers.into()), ..plain("Done. Thank you!") }];
                    }
                    Pressed::Button if presses[0].token.slot == 92 => answer(session, "–", Source::Pressed),
                    Pressed::Button => {
                        session.answers.truncate(usize::from(presses[0].token.slot));
                        return vec![self.ask(session, Some("Let us change that."))];
                    }
                    Pressed::Options { tokens } => {
                        let Some((_, Input::Options { options, .. })) = questions.get(asked) else { return vec![] };
                        let label = |token: &Token| options[usize::from(token.option.unwrap_or(0))].label.clone();
                        let words = presses[1..].iter().filter_map(|press| match &press.value {
                            Pressed::Text { text } => Some(text.clone()),
                            _ => None,
                        });
                        let all: Vec<String> = tokens.iter().map(label).chain(words).collect();
                        answer(session, &all.join(", "), Source::Pressed);
                    }
                    Pressed::Empty => answer(session, "", Source::Pressed),
                    Pressed::Text { text } => answer(session, text, Source::Pressed),
                    Pressed::Files { files } => answer(session, &files[0].name, Source::Pressed),
                    Pressed::Location { location } => {
                        answer(session, &format!("{},{}", location.lat, location.lng), Source::Pressed);
                    }
                }
            }
        }
        vec![self.ask(session, Some("Thanks."))]
    }

    fn ask(&mut self, session: &Session, first: Option<&str>) -> Reply {
        let nonce = self.nonce();
        let asked = session.answers.len();
        let all = gallery();
        let total = u32::try_from(all.len()).unwrap();
        let progress = Progress { answered: u32::try_from(asked).unwrap(), total };
        let mut say: Vec<String> = first.iter().map(|&text| text.to_owned()).collect();
        let reply = Reply { lang: "en".into(), progress: Some(progress), ..Reply::default() };
        let Some((field, input)) = all.into_iter().nth(asked) else {
            say.push("Is this right?".into());
            let rows = session.answers.iter().enumerate().map(|(no, (field, value, source))| CardRow {
                field: field.clone(),
                label: field.clone(),
                value: value.clone(),
                source: *source,
                edit: Some(Token::new(&nonce, u16::try_from(no).unwrap())),
            });
            let card = Card { title: "Gallery".into(), rows: rows.collect() };
            let button =
                |slot, label: &str, role| Button { token: Token::new(&nonce, slot), label: label.to_owned(), role };
            let buttons = vec![button(90, "Confirm", ButtonRole::Primary), button(91, "Cancel", ButtonRole::Danger)];
            return Reply { say, card: Some(card), buttons, ..reply };
        };
        let token = Token::new(&nonce, 0);
        let input = match input {
            Input::Options { options, multiple, min, max, other } => {
                let numbered =
                    options.into_iter().zip(0..).map(|(option, no)| Choice { token: token.option(no), ..option });
                Input::Options { options: numbered.collect(), multiple, min, max, other }
            }
            other => other,
        };
        let ask = format!("What about {field}?");
        say.push(ask.clone());
        let question = Question {
            field: field.to_owned(),
            token,
            label: capitalised(field),
            ask,
            help: (field == "phone").then(|| "So that the driver can call.".to_owned()),
            required: field != "story",
            problem: None,
            prefill: None,
            input,
        };
        let skip = Button { token: Token::new(&nonce, 92), label: "Skip".into(), role: ButtonRole::Plain };
        let buttons = if question.required { vec![] } else { vec![skip] };
        Reply { say, questions: vec![question], buttons, ..reply }
    }
}

fn answer(session: &mut Session, value: &str, source: Source) {
    if let Some((field, _)) = gallery().get(session.answers.len()) {
        session.answers.push(((*field).to_owned(), value.to_owned(), source));
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn plain(text: &str) -> Reply {
    Reply { say: vec![text.to_owned()], lang: "en".into(), ..Reply::default() }
}

fn nonce_of(reply: &Reply) -> Option<Nonce> {
    let question = reply.questions.first().map(|question| &question.token);
    question.or(reply.buttons.first().map(|button| &button.token)).map(|token| token.nonce.clone())
}

#[async_trait]
impl Host for Double {
    fn turned_away(&self, why: TurnedAway) {
        self.lock().turned_away.push(why);
    }

    async fn accept(&self, event: Event) -> Result<(), HostError> {
        self.converse(event).await.map(drop)
    }

    async fn converse(&self, event: Event) -> Result<Turn, HostError> {
        if let Some(allowed) = &mut self.lock().allowed {
            *allowed = allowed.checked_sub(1).ok_or(HostError::Busy { retry_after: 1 })?;
        }
        // A turn takes a while.
        tokio::task::yield_now().await;
        let mut state = self.lock();
        if !state.failures.is_empty() {
            return Err(state.failures.remove(0));
        }
        if let Some((request, turn)) = state.seen.get(event.id.as_str()) {
            return if *request == event.terms.request { Ok(turn.clone()) } else { Err(HostError::Reused) };
        }
        let key = (event.place.clone(), event.user.id.to_string());
        let mut session = state.sessions.remove(&key).unwrap_or_default();
        let replies = state.turn(&mut session, &event);
        session.last.clone_from(&replies);
        state.sessions.insert(key, session);
        let turn = Turn { replies, standing: None };
        state.seen.insert(event.id.to_string(), (event.terms.request.clone(), turn.clone()));
        state.events.push(event);
        Ok(turn)
    }

    async fn answered_before(&self, event: &Event) -> Result<Option<Turn>, HostError> {
        match self.lock().seen.get(event.id.as_str()) {
            Some((request, turn)) if *request == event.terms.request => Ok(Some(turn.clone())),
            Some(_) => Err(HostError::Reused),
            None => Ok(None),
        }
    }

    fn when_off(&self, form: &str, _: Option<&str>) -> Option<String> {
        (form == "closed").then(|| "“Closed” is off. Pick another form, or try again later.".to_owned())
    }

    fn forms(&self) -> Vec<FormCard> {
        let card = |id: &str, title: &str, description: &str| FormCard {
            id: id.into(),
            title: title.into(),
            description: description.into(),
            fields: u32::try_from(gallery().len()).unwrap(),
            ..FormCard::default()
        };
        let mut gallery_card = card("gallery", "Gallery of widgets", "One question of every kind.");
        let words =
            FormWords { title: "معرض الأدوات".into(), description: "سؤال من كل نوع.".into() };
        gallery_card.words.insert("ar".to_owned(), words);
        vec![gallery_card, card("hostile", &format!("Hostile {HOSTILE}"), "Its texts try to be markup.")]
    }

    fn form_files(&self) -> Vec<FormFile> {
        let text = "# Gallery of widgets\n".into();
        vec![FormFile { form: "gallery".into(), title: "Gallery of widgets".into(), name: "gallery.md".into(), text }]
    }

    fn form_from_text(&self, text: &str) -> Result<String, HostError> {
        if text.contains("broken") { Err(HostError::Refused("no field".into())) } else { Ok("inline-1".into()) }
    }

    fn form_schema(&self, form: &str) -> Option<Value> {
        self.forms().iter().any(|card| card.id == form).then(|| json!({ "type": "object" }))
    }

    async fn view(&self, place: &Place, user: &UserId) -> Result<Option<SessionView>, HostError> {
        let state = self.lock();
        let session = state.sessions.get(&(place.clone(), user.to_string()));
        Ok(session.map(|session| SessionView {
            form: Some(session.form.clone()),
            state: if session.done { "Closed" } else { "Incomplete" }.into(),
            answers: session.answers.iter().map(view).collect(),
            asked: gallery().get(session.answers.len()).map(|(field, _)| (*field).to_owned()),
            parked: Vec::new(),
            last: session.last.iter().chain(&state.beside).cloned().collect(),
            debug: json!({ "double": true }),
        }))
    }

    async fn reset(&self, place: &Place, user: &UserId) -> Result<bool, HostError> {
        Ok(self.lock().sessions.remove(&(place.clone(), user.to_string())).is_some())
    }

    async fn rehearse(&self, _: &Event) -> Result<Vec<formwright_chat::Fault>, HostError> {
        Ok(Vec::new())
    }

    async fn recall(&self, _: &Platform, key: &str) -> Result<Option<Value>, HostError> {
        Ok(self.lock().notes.get(key).cloned())
    }

    async fn remember(&self, note: formwright_chat::Note) -> Result<(), HostError> {
        self.lock().notes.insert(note.key, note.value.unwrap_or_default());
        Ok(())
    }

    async fn session_count(&self) -> Result<u64, HostError> {
        Ok(u64::try_from(self.lock().sessions.len()).unwrap())
    }

    fn platforms(&self) -> BTreeMap<String, Option<String>> {
        BTreeMap::from([("slack".to_owned(), Some("no token".to_owned())), ("web".to_owned(), None)])
    }

    fn model(&self) -> Option<ModelHealth> {
        *self.model.lock().unwrap()
    }

    async fn health(&self) -> Result<(), HostError> {
        let failures = &mut self.lock().failures;
        if failures.is_empty() { Ok(()) } else { Err(failures.remove(0)) }
    }
}

fn view((field, value, source): &(String, String, Source)) -> AnswerView {
    AnswerView {
        field: field.clone(),
        label: field.clone(),
        value: json!(value),
        shown: value.clone(),
        picked: if field == "size" { vec![format!("{value}, as written")] } else { Vec::new() },
        source: *source,
        quote: (*source == Source::Said).then(|| value.clone()),
    }
}
