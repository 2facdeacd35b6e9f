//! A scripted person: drives the engine with a clock and ids that are the same in every run, and writes down what is seen.

use std::fmt::Write as _;

use formwright::engine::{
    CallError, Effect, Engine, Failing, Happening, Input, ModelUse, Outcome, Session, delivery_call,
};
use formwright::form::Catalog;
use formwright::runtime::forms;
use formwright_chat as chat;
use jiff::{SignedDuration, Zoned};

use super::written::write_reply;

/// Loads the sample forms.
pub(crate) fn sample_forms() -> Catalog {
    let set = forms::read(&["forms".into()]).unwrap();
    assert!(!set.has_errors(), "{:?}", set.files);
    set.catalog
}

/// One person's chat.
pub(crate) struct Chat {
    pub(crate) engine: Engine,
    pub(crate) session: Session,
    pub(crate) now: Zoned,
    pub(crate) locale: String,
    pub(crate) platform: String,
    /// Who acts, in which channel.
    pub(super) seat: Seat,
    /// What the others see who are elsewhere or somebody else.
    pub(super) away: std::collections::BTreeMap<Seat, (Session, Vec<chat::Reply>)>,
    /// Forms that are switched off, with the words said of it.
    pub(super) off: std::collections::BTreeMap<String, String>,
    /// Reads the forms anew.
    pub(crate) reread: Option<Box<dyn Fn() -> Catalog + Send>>,
    /// The people whom the person's forms are sent to.
    pub(super) desk: super::desk::DeskSide,
    turn: u128,
    pub(super) replies: Vec<chat::Reply>,
    /// Functions that answer tool calls, by tool name.
    pub(crate) tools: std::collections::BTreeMap<String, Result<serde_json::Value, CallError>>,
    /// Hooks that were asked in the step, in order.
    asked: Vec<String>,
    /// What the model says, the next reply first; none is a failure.
    model: std::collections::VecDeque<Option<String>>,
    /// Whether there is one.
    pub(super) has_model: bool,
}

/// Who acts, in which channel.
pub(super) type Seat = (String, String);

impl Chat {
    pub(crate) fn new(engine: Engine, now: Zoned, locale: &str, platform: &str) -> Self {
        let seat = ("ada".to_owned(), "c1".to_owned());
        let session = Session::new(place(platform, &seat), chat::UserId::new("ada"));
        let (locale, platform) = (locale.to_owned(), platform.to_owned());
        Self {
            engine,
            session,
            now,
            locale,
            platform,
            seat,
            away: std::collections::BTreeMap::default(),
            off: std::collections::BTreeMap::default(),
            reread: None,
            desk: super::desk::DeskSide::default(),
            turn: 0,
            replies: Vec::new(),
            tools: std::collections::BTreeMap::default(),
            asked: Vec::new(),
            model: std::collections::VecDeque::default(),
            has_model: false,
        }
    }

    /// Does what a script line says and writes down what is seen.
    pub(crate) fn line(&mut self, line: &str) -> String {
        if let Some(line) = line.strip_prefix("(desk ") {
            return self.at_desk(line);
        }
        let mut out = String::new();
        if line == "(reload)" {
            let view = self.engine.view(&self.session, self.now.timestamp());
            view.last.iter().for_each(|reply| write_reply(reply, &mut out));
            return out;
        }
        if let Some(seen) = self.around(line) {
            return seen;
        }
        let (who, line) = match line.strip_prefix("(stranger) ") {
            Some(rest) => ("eve".to_owned(), rest),
            None => (self.seat.0.clone(), line),
        };
        if let Some(wait) = line.strip_prefix("(wait ").and_then(|rest| rest.strip_suffix(')')) {
            let span: jiff::Span = wait.parse().unwrap();
            self.now = self.now.checked_add(span).unwrap();
            return out;
        }
        if let Some(tool) = line.strip_prefix("(tool ").and_then(|rest| rest.strip_suffix(')')) {
            self.set_tool(tool);
            return out;
        }
        if let Some(reply) = line.strip_prefix("(model ").and_then(|rest| rest.strip_suffix(')')) {
            self.engine = std::mem::take(&mut self.engine).with_model(Some(ModelUse::default()));
            self.has_model = true;
            self.model.push_back((reply != "fails").then(|| reply.to_owned()));
            return out;
        }
        let effects = if line == "(expire)" {
            self.happen(Happening::Expiry)
        } else if line == "(delivery fails)" {
            let Some(closed) = &self.session.closed else { return "!! nothing was submitted\n".to_owned() };
            let call = delivery_call(&closed.submission);
            self.happen(Happening::Outcome(Outcome { call, result: Err(failure(None)) }))
        } else {
            match self.action(line) {
                Ok(action) => {
                    let event = linked(self.event(&who, action));
                    self.happen(Happening::Event(Box::new(event)))
                }
                Err(wrong) => return format!("!! {wrong}\n"),
            }
        };
        self.write(effects, &mut out);
        out
    }

    /// `NAME JSON`, `NAME fails`, `NAME is refused`, `NAME is denied` or `NAME says WORDS`: what a function gives from now on.
    fn set_tool(&mut self, line: &str) {
        let (name, what) = line.split_once(' ').unwrap();
        let result = match what.strip_prefix("says ") {
            Some(words) => Err(failure(Some(words.to_owned()))),
            None if what.starts_with("refuses ") => {
                let (field, words) = what["refuses ".len()..].split_once(": ").unwrap();
                let fields = std::collections::BTreeMap::from([(field.to_owned(), words.to_owned())]);
                Err(CallError { failing: formwright::engine::Failing::Refused { fields }, ..failure(None) })
            }
            None if what == "fails" => Err(failure(None)),
            None if what == "is refused" => Err(CallError {
                failing: Failing::Refused { fields: std::collections::BTreeMap::new() },
                ..failure(None)
            }),
            None if what == "is denied" => Err(CallError { failing: Failing::Denied, ..failure(None) }),
            None => Ok(serde_json::from_str(what).unwrap()),
        };
        self.tools.insert(name.to_owned(), result);
    }

    pub(crate) fn event(&self, who: &str, action: chat::Action) -> chat::Event {
        let user = chat::User {
            id: chat::UserId::new(who),
            name: None,
            locale: Some(self.locale.clone()),
            zone: self.now.time_zone().iana_name().map(str::to_owned),
        };
        chat::Event {
            id: chat::EventId::new(format!("e{}", self.turn)),
            place: place(&self.platform, &self.seat),
            user,
            at: self.now.timestamp(),
            action,
            terms: chat::Terms::default(),
        }
    }

    pub(crate) fn happen(&mut self, event: Happening) -> Vec<Effect> {
        self.turn += 1;
        self.now = self.now.checked_add(SignedDuration::from_secs(60)).unwrap();
        let mut input =
            Input { now: self.now.timestamp(), nonce: chat::Nonce::new(self.turn << 64 | self.turn), event };
        let step = loop {
            let step = self.engine.step(self.session.clone(), input.clone());
            let again = self.engine.step(self.session.clone(), input);
            assert_eq!(step, again, "a step is the same each time");
            let [Effect::LookUp(look_up)] = step.effects.as_slice() else { break step };
            assert_eq!(step.session, self.session, "what lacks something changes nothing");
            let call = look_up.call.clone();
            let phase = call.args["phase"].as_str().unwrap_or_default().to_owned();
            self.asked.push(format!("{} {phase}", call.tool).trim().to_owned());
            let result = self.tools.get(call.tool.as_str()).cloned().unwrap_or_else(|| Err(failure(None)));
            input = look_up.clone().answered(Outcome { call: call.call, result });
        };
        let stored = serde_json::to_string(&step.session).unwrap();
        self.session = serde_json::from_str(&stored).unwrap();
        // Told anew at each turn.
        self.session.draws_pages = step.session.draws_pages;
        assert_eq!(self.session, step.session, "a session survives being stored");
        step.effects
    }

    fn action(&self, line: &str) -> Result<chat::Action, String> {
        if let Some(form) = line.strip_prefix("(open").and_then(|rest| rest.strip_suffix(')')) {
            let form = form.trim();
            return Ok(chat::Action::Open { form: (!form.is_empty()).then(|| form.to_owned()) });
        }
        if let Some(label) = line.strip_prefix("(old) [").and_then(|rest| rest.strip_suffix(']')) {
            let old = &self.replies[..self.replies.len() - 1];
            let token =
                old.iter().rev().find_map(|reply| old_widget(reply, label)).ok_or(format!("no old [{label}]"))?;
            return Ok(press(token, chat::Pressed::Button));
        }
        if let Some(labels) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return self.pressed(labels);
        }
        if let Some(text) = line.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            return self.typed(text);
        }
        if let Some((sent, text)) = line.strip_prefix("(sends ").and_then(|rest| rest.split_once(')')) {
            return Ok(match sent.strip_prefix("pin ") {
                Some(pin) => chat::Action::Share { location: pinned(pin) },
                None => chat::Action::Attach { files: files(sent), text: text.trim().to_owned() },
            });
        }
        let (which, rest) = match line.split_once(") (result ") {
            Some((which @ ("(forged" | "(first"), rest)) => (which, Some(rest)),
            _ => ("", line.strip_prefix("(result ")),
        };
        if let Some(json) = rest.and_then(|rest| rest.strip_suffix(')')) {
            return self.result(which, json);
        }
        Ok(chat::Action::Say { text: line.replace("\\n", "\n") })
    }

    /// What a client brings for the call made last, for the first one of that tool, or for one that was never made.
    fn result(&self, which: &str, json: &str) -> Result<chat::Action, String> {
        let mut calls = self.replies.iter().rev().filter_map(|reply| reply.tool_call.as_ref());
        let last = calls.next().ok_or("no tool call was made")?;
        let first = calls.rfind(|call| call.tool == last.tool).unwrap_or(last);
        let call = match which {
            "(forged" => "0000-forged".to_owned(),
            "(first" => first.call.clone(),
            _ => last.call.clone(),
        };
        let result = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let result = chat::ToolResult { call: Some(call), tool: last.tool.clone(), result };
        Ok(chat::Action::ToolResults { results: vec![result] })
    }

    fn pressed(&self, labels: &str) -> Result<chat::Action, String> {
        let reply = self.last()?;
        let labels: Vec<&str> = labels.split("][").collect();
        if let [label] = labels.as_slice()
            && let Some(token) = button(reply, label)
        {
            return Ok(press(token, chat::Pressed::Button));
        }
        let question = reply.questions.first().ok_or(format!("no [{}]", labels.join("][")))?;
        let chat::Input::Options { options, .. } = &question.input else {
            return Err(format!("no options, so no [{}]", labels.join("][")));
        };
        let token = |label: &&str| {
            let option = options.iter().find(|option| option.label == **label);
            option.map(|option| option.token.clone()).ok_or(format!("no option [{label}]"))
        };
        let tokens = labels.iter().filter(|label| !label.is_empty()).map(token).collect::<Result<_, _>>()?;
        Ok(press(question.token.clone(), chat::Pressed::Options { tokens }))
    }

    fn typed(&self, text: &str) -> Result<chat::Action, String> {
        let question = self.last()?.questions.first().ok_or("no question is open")?;
        let value = if let Some(pin) = text.strip_prefix("pin: ") {
            chat::Pressed::Location { location: pinned(pin) }
        } else if let Some(named) = text.strip_prefix("files: ") {
            chat::Pressed::Files { files: files(named) }
        } else {
            chat::Pressed::Text { text: text.to_owned() }
        };
        Ok(press(question.token.clone(), value))
    }

    fn last(&self) -> Result<&chat::Reply, String> {
        self.replies.last().ok_or_else(|| "nothing was said yet".to_owned())
    }

    pub(super) fn write(&mut self, effects: Vec<Effect>, out: &mut String) {
        for asked in self.asked.drain(..) {
            let _ = writeln!(out, "=> ask {asked}");
        }
        // A call is performed when the rest of the step has been said.
        let (calls, said): (Vec<_>, Vec<_>) =
            effects.into_iter().partition(|effect| matches!(effect, Effect::CallTool(_) | Effect::AskModel(_)));
        for effect in said.into_iter().chain(calls) {
            match effect {
                Effect::Reply(reply) => {
                    write_reply(&reply, out);
                    if !reply.private || reply.questions.iter().any(|_| true) {
                        self.replies.push(*reply);
                    }
                }
                Effect::CallTool(call) => {
                    let _ = writeln!(out, "=> call {} {}", call.tool, call.args);
                    let result = self.tools.get(call.tool.as_str()).cloned().unwrap_or_else(|| Err(failure(None)));
                    let effects = self.happen(Happening::Outcome(Outcome { call: call.call, result }));
                    self.write(effects, out);
                }
                Effect::Send(event) => self.bring(*event, out),
                Effect::Move { form, text } => {
                    let _ = writeln!(out, "=> to the other session: {form} {text:?}");
                }
                Effect::AskModel(call) => {
                    let said = self.model.pop_front().flatten();
                    let _ = writeln!(out, "=> model {}", said.as_deref().unwrap_or("says nothing"));
                    let result = said.map(serde_json::Value::String).ok_or_else(|| failure(None));
                    let effects = self.happen(Happening::Outcome(Outcome { call: call.call, result }));
                    self.write(effects, out);
                }
                Effect::Forget { lang } => {
                    let _ = writeln!(out, "=> forget ({lang})");
                    self.session = Session::new(self.session.place.clone(), self.session.owner.clone());
                }
                // The person is told in the reply.
                Effect::Refused(_) | Effect::Left(_) => {}
                Effect::LookUp(_) => unreachable!("looked up where the step is taken"),
                Effect::Fault(why) => {
                    let _ = writeln!(out, "=> log {why}");
                }
                Effect::Submit(submission) => {
                    let _ = writeln!(out, "=> submit {} #{}", submission.form, submission.revision);
                    let answers = submission.answers.as_object().unwrap();
                    for (field, value) in answers {
                        let _ = writeln!(out, "   {field} = {value}");
                    }
                }
            }
        }
    }
}

/// `45.46, 9.19`.
fn pinned(pin: &str) -> chat::LocationRef {
    let (lat, lng) = pin.split_once(", ").unwrap();
    let (lat, lng) = (lat.parse().unwrap(), lng.parse().unwrap());
    chat::LocationRef { lat, lng, address: None, city: None, country: None }
}

/// `a.pdf 1200, https://files.example/b.png 300`.
pub(super) fn files(named: &str) -> Vec<chat::FileRef> {
    let file = |named: &str| {
        let (id, bytes) = named.split_once(' ').unwrap();
        let name = id.rsplit('/').next().unwrap().to_owned();
        let is_pdf = std::path::Path::new(id).extension().is_some_and(|ending| ending == "pdf");
        let media_type = if is_pdf { "application/pdf" } else { "image/png" }.to_owned();
        chat::FileRef { id: id.to_owned(), name, media_type, bytes: Some(bytes.parse().unwrap()) }
    };
    named.split(", ").map(file).collect()
}

fn failure(for_person: Option<String>) -> CallError {
    CallError { for_person, ..CallError::broken("the transcript says so", true) }
}

pub(super) fn place(platform: &str, seat: &Seat) -> chat::Place {
    chat::Place {
        platform: chat::Platform::new(platform),
        workspace: String::new(),
        channel: seat.1.clone(),
        thread: None,
    }
}

pub(super) fn press(token: chat::Token, value: chat::Pressed) -> chat::Action {
    chat::Action::Press { presses: vec![chat::Press { token, value }] }
}

pub(super) fn button(reply: &chat::Reply, label: &str) -> Option<chat::Token> {
    let buttons = reply.buttons.iter().find(|button| button.label == label).map(|button| button.token.clone());
    buttons.or_else(|| {
        let row = label.strip_prefix("Edit ")?;
        reply.card.as_ref()?.rows.iter().find(|r| r.label == row)?.edit.clone()
    })
}

/// An event as a platform makes it of a link with values: `(open trip?source=fair)`.
fn linked(mut event: chat::Event) -> chat::Event {
    if let chat::Action::Open { form: Some(form) } = &mut event.action {
        let link = chat::Link::read(form).unwrap();
        (*form, event.terms.prefill) = (link.form, link.prefill);
    }
    event
}

/// The token of a button or option of an earlier reply.
fn old_widget(reply: &chat::Reply, label: &str) -> Option<chat::Token> {
    button(reply, label).or_else(|| {
        reply.questions.iter().find_map(|question| match &question.input {
            chat::Input::Options { options, .. } => {
                options.iter().find(|option| option.label == label).map(|option| option.token.clone())
            }
            _ => None,
        })
    })
}
