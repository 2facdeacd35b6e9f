//! What happens around one person's chat: forms are switched off and on, the program is restarted, others write too.

use std::sync::Arc;

use formwright::engine::{Engine, ModelUse, Session};
use formwright::form::{FormId, Text};
use formwright::library::Shelf;
use formwright_chat as chat;

use super::chat::{Chat, Seat, place};

impl Chat {
    /// Does what a script line says, where it is none of the person's own; gives what is seen of it.
    pub(super) fn around(&mut self, line: &str) -> Option<String> {
        if line == "(restart)" {
            self.restart();
            return Some(String::new());
        }
        let command = line.strip_prefix('(')?;
        if let Some(form) = command.strip_prefix("switch off ") {
            return Some(self.switch_off(form.strip_suffix(')')?));
        }
        if let Some(form) = command.strip_prefix("switch on ") {
            return Some(self.switch_on(form.strip_suffix(')')?));
        }
        if let Some(others) = command.strip_prefix("as ") {
            let (seat, line) = others.split_once(") ")?;
            let (who, channel) = seat.split_once(" at ").unwrap_or((seat, &self.seat.1));
            let seat = (who.to_owned(), channel.to_owned());
            return Some(self.in_seat(seat, line));
        }
        let (count, line) = command.strip_prefix("crowd ")?.split_once(") ")?;
        Some(self.crowd(count.parse().ok()?, line))
    }

    /// The program ends and begins again: what is left is what was stored.
    fn restart(&mut self) {
        let model = self.has_model.then(ModelUse::default);
        self.engine = Engine::new(self.engine.catalog().clone())
            .with_library(Arc::new(Shelf::default()))
            .with_desks(super::desk::desks())
            .with_model(model);
        let stored = serde_json::to_vec(&self.session).unwrap();
        self.session = serde_json::from_slice(&stored).unwrap();
    }

    /// Takes a form off while the program runs, with the words that who asks for it is told, if any.
    fn switch_off(&mut self, what: &str) -> String {
        let (id, words) = what.split_once(": ").unwrap_or((what, ""));
        self.off.insert(id.to_owned(), words.to_owned());
        self.read_again()
    }

    fn switch_on(&mut self, id: &str) -> String {
        if self.off.remove(id).is_none() { format!("!! {id} is on\n") } else { self.read_again() }
    }

    /// The forms are read anew, and those that are off taken off.
    fn read_again(&mut self) -> String {
        let Some(reread) = &self.reread else { return "!! forms cannot be switched here\n".to_owned() };
        let mut catalog = reread();
        for (id, words) in &self.off {
            let id = FormId::new(id);
            let Some(form) = catalog.form(&id).cloned() else { return format!("!! no form {id}\n") };
            catalog.forget(&id);
            let mut form = Arc::try_unwrap(form).expect("nobody else has it yet");
            form.enabled = false;
            if !words.is_empty() {
                form.messages.insert("form_disabled".to_owned(), Text::one(words.as_str()));
            }
            catalog.insert(form);
        }
        self.engine = self.engine.with_forms(catalog);
        String::new()
    }

    /// Does a line as somebody else, or elsewhere: each has a session of their own.
    fn in_seat(&mut self, seat: Seat, line: &str) -> String {
        let fresh = || (Session::new(place(&self.platform, &seat), chat::UserId::new(&seat.0)), Vec::new());
        let there = self.away.remove(&seat).unwrap_or_else(fresh);
        let own = std::mem::replace(&mut self.seat, seat);
        let (session, replies) =
            (std::mem::replace(&mut self.session, there.0), std::mem::replace(&mut self.replies, there.1));
        let seen = self.line(line);
        let there = (std::mem::replace(&mut self.session, session), std::mem::replace(&mut self.replies, replies));
        let seat = std::mem::replace(&mut self.seat, own);
        self.away.insert(seat, there);
        seen
    }

    /// So many people do the same, each in a channel of their own; what all of them see is written once.
    fn crowd(&mut self, count: usize, line: &str) -> String {
        let begun = self.now.clone();
        let mut first: Option<String> = None;
        for no in 1..=count {
            self.now = begun.clone();
            let seen = self.in_seat((format!("p{no}"), format!("crowd-{no}")), line);
            // Everybody has a reference of their own.
            let same = seen.lines().map(|line| line.split("Your reference is").next().unwrap_or_default());
            let same = same.map(|line| format!("{line}\n")).collect::<String>();
            match &first {
                Some(first) if *first != same => return format!("!! number {no} saw\n{seen}"),
                Some(_) => {}
                None => first = Some(same),
            }
        }
        first.unwrap_or_default()
    }
}
