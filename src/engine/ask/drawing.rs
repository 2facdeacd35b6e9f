//! A screen being drawn.

use formwright_chat as chat;

use crate::session::Session;
use crate::session::screen::{PastScreen, Screen, Slot};
use formwright_form::Path;
use formwright_nlu::Command;

/// Earlier screens remembered, so that a press on one of their buttons can be explained.
const PAST_SCREENS: usize = 24;

/// A screen being drawn.
#[derive(Debug)]
pub(crate) struct Drawing {
    nonce: chat::Nonce,
    slots: Vec<Slot>,
    pub(crate) reply: chat::Reply,
}

impl Drawing {
    pub(crate) fn new(nonce: chat::Nonce, lang: String) -> Self {
        Self { nonce, slots: Vec::new(), reply: chat::Reply { lang, ..chat::Reply::default() } }
    }

    pub(crate) fn slot(&mut self, slot: Slot) -> chat::Token {
        let no = u16::try_from(self.slots.len()).unwrap_or(u16::MAX);
        self.slots.push(slot);
        chat::Token::new(&self.nonce, no)
    }

    pub(crate) fn button(&mut self, label: String, role: chat::ButtonRole, command: Command) {
        let token = self.slot(Slot::Do { command, label: label.clone() });
        self.reply.buttons.push(chat::Button { token, label, role });
    }

    pub(crate) fn edit(&mut self, path: &Path) -> chat::Token {
        self.slot(Slot::Do { command: Command::Edit { path: Some(path.clone()) }, label: String::new() })
    }

    /// Puts the screen into the session in place of the one before, and gives the reply.
    pub(crate) fn show(self, session: &mut Session) -> chat::Reply {
        if let Some(old) = session.screen.take() {
            let path = old.slots.iter().find_map(|slot| match slot {
                Slot::Field { path } => Some(path.clone()),
                Slot::Do { .. } => None,
            });
            session.past.push_back(PastScreen { nonce: old.nonce, path });
            let surplus = session.past.len().saturating_sub(PAST_SCREENS);
            session.past.drain(..surplus);
        }
        session.screen = Some(Screen { nonce: self.nonce, slots: self.slots });
        self.reply
    }
}
