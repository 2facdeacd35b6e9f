//! The people at a desk in a transcript: what they are shown, and what they do.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwright::engine::{Desk, Desks, Effect, Engine, Happening, Input, Leaving, Session};
use formwright_chat as chat;

use super::chat::{Chat, button, files, press};
use super::written::write_reply;

/// Cases by their code, with what was shown of them.
#[derive(Default)]
pub(crate) struct DeskSide {
    cases: BTreeMap<chat::CaseCode, Session>,
    shown: Vec<chat::Reply>,
    events: u32,
}

/// The desk `leads`, of Ben, Carla and Dora.
pub(crate) fn desks() -> Desks {
    let place = chat::Place {
        platform: chat::Platform::new("slack"),
        workspace: "T1".to_owned(),
        channel: "C1".to_owned(),
        thread: None,
    };
    let people = ["ben", "carla", "dora"].map(chat::UserId::new).to_vec();
    Desks::from([("leads".to_owned(), Desk { place, people, lang: None })])
}

impl Chat {
    /// `as NAME) [Button]`, `as NAME) words`, or `waits)`: what somebody at the desk does, or that time has come. What a
    /// runtime tells: `is out of reach)`, `is left)` by a person who begins anew, `forgets)` one with everything of theirs.
    pub(super) fn at_desk(&mut self, line: &str) -> String {
        let mut out = String::new();
        if line == "waits)" {
            let codes: Vec<_> = self.desk.cases.keys().cloned().collect();
            for code in codes {
                self.case_step(&code, Happening::Expiry, &mut out);
            }
            return out;
        }
        if let Some(told) = self.told_outside(line) {
            told.into_iter().for_each(|event| self.bring(event, &mut out));
            return out;
        }
        let Some((name, does)) = line.strip_prefix("as ").and_then(|rest| rest.split_once(") ")) else {
            return "!! nobody of the desk\n".to_owned();
        };
        let (place, id) = (desks().remove("leads").map(|desk| desk.place), name.to_lowercase());
        let Some(place) = place else { return "!! no desk\n".to_owned() };
        let Some((code, action)) = self.done_at_desk(does) else { return format!("!! no {does} at the desk\n") };
        self.desk.events += 1;
        let event = chat::Event {
            id: chat::EventId::new(format!("d{}", self.desk.events)),
            place,
            user: chat::User { id: chat::UserId::new(id), name: Some(name.to_owned()), locale: None, zone: None },
            at: self.now.timestamp(),
            action,
            terms: chat::Terms { case: Some(code.clone()), ..chat::Terms::default() },
        };
        self.case_step(&code, Happening::Event(Box::new(event)), &mut out);
        out
    }

    /// What a runtime tells outside a turn.
    fn told_outside(&mut self, line: &str) -> Option<Vec<chat::Event>> {
        let now = self.now.timestamp();
        match line {
            "is out of reach)" => {
                let cases = self.desk.cases.values();
                Some(cases.filter_map(|case| Engine::unreached(case, now)).collect())
            }
            "is left)" => Some(self.engine.leaves(&self.session, Leaving::Gone, now)),
            "forgets)" => {
                self.desk.cases.clear();
                Some(self.engine.leaves(&self.session, Leaving::Forgotten, now))
            }
            _ => None,
        }
    }

    /// Which case it is for, and what is done.
    fn done_at_desk(&self, does: &str) -> Option<(chat::CaseCode, chat::Action)> {
        if let Some((code, _)) = chat::addressed(does) {
            return Some((code, chat::Action::Say { text: does.to_owned() }));
        }
        if let Some((sent, text)) = does.strip_prefix("(sends ").and_then(|rest| rest.split_once(") ")) {
            let (code, _) = chat::addressed(text)?;
            return Some((code, chat::Action::Attach { files: files(sent), text: text.to_owned() }));
        }
        let (old, does) = does.strip_prefix("(old) ").map_or((false, does), |does| (true, does));
        let drawn: Vec<_> = self.desk.shown.iter().filter(|reply| reply.nonce().is_some()).collect();
        let mut drawn = drawn.into_iter().rev().skip(usize::from(old));
        let code = |reply: &chat::Reply| Some(reply.case.as_ref()?.code.clone());
        if let Some(label) = does.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let pressed =
                |reply: &&chat::Reply| Some((code(reply)?, press(button(reply, label)?, chat::Pressed::Button)));
            if let Some(found) = if old {
                drawn.find_map(|reply| pressed(&reply))
            } else {
                drawn.clone().next().and_then(|reply| pressed(&reply))
            } {
                return Some(found);
            }
            let reply = drawn.next()?;
            let question = reply.questions.first()?;
            let chat::Input::Options { options, .. } = &question.input else { return None };
            let token = |label: &str| options.iter().find(|option| option.label == label).map(|o| o.token.clone());
            let tokens = label.split("][").map(token).collect::<Option<_>>()?;
            return Some((code(reply)?, press(question.token.clone(), chat::Pressed::Options { tokens })));
        }
        let reply = drawn.next()?;
        let token = reply.questions.first()?.token.clone();
        Some((code(reply)?, press(token, chat::Pressed::Text { text: does.to_owned() })))
    }

    /// Brings an event to the other side of a case.
    pub(super) fn bring(&mut self, event: chat::Event, out: &mut String) {
        match event.terms.case.clone() {
            Some(code) => {
                let new = Session::new(event.place.clone(), event.user.id.clone());
                self.desk.cases.entry(code.clone()).or_insert(new);
                self.case_step(&code, Happening::Event(Box::new(event)), out);
            }
            None => {
                let effects = self.happen(Happening::Event(Box::new(event)));
                self.write(effects, out);
            }
        }
    }

    fn case_step(&mut self, code: &chat::CaseCode, event: Happening, out: &mut String) {
        let Some(session) = self.desk.cases.get(code).cloned() else { return };
        let nonce = chat::Nonce::new(
            u128::from(self.now.timestamp().as_second().unsigned_abs()) * 1000 + u128::from(self.desk.events),
        );
        let input = Input { now: self.now.timestamp(), nonce, event };
        let step = self.engine.step(session.clone(), input.clone());
        assert_eq!(step, self.engine.step(session, input), "a step is the same each time");
        let stored = serde_json::to_string(&step.session).unwrap();
        assert_eq!(serde_json::from_str::<Session>(&stored).unwrap(), step.session, "a case survives being stored");
        self.desk.cases.insert(code.clone(), step.session);
        let mut told = Vec::new();
        for effect in step.effects {
            match effect {
                Effect::Reply(reply) => {
                    let mut seen = String::new();
                    write_reply(&reply, &mut seen);
                    for line in seen.lines() {
                        let _ = writeln!(out, "desk {line}");
                    }
                    self.desk.shown.push(*reply);
                }
                Effect::Send(event) => told.push(*event),
                other => {
                    let _ = writeln!(out, "!! a case does {other:?}");
                }
            }
        }
        told.into_iter().for_each(|event| self.bring(event, out));
    }
}
