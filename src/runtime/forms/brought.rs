//! Forms that come along with events, not from files. A session keeps what its forms were made of, so that they are there
//! after a restart and on every replica; the catalog has the ones used last.

use chat::HostError;
use formwright_chat as chat;

use super::inline;
use crate::Runtime;
use formwright_engine::Session;
use formwright_form::{Form, FormId};
use formwright_load::sheet;

impl Runtime {
    /// Takes a form out of a request and gives the id to open it by; the same text gives the same id.
    pub(crate) fn take_inline(&self, text: &str) -> Result<String, HostError> {
        let brought = chat::Brought::Text { text: text.to_owned() };
        self.take_brought(&brought).map(|id| id.to_string()).map_err(HostError::Refused)
    }

    /// Takes a form that came along into the catalog and gives the id to open it by; the same form gives the same id.
    ///
    /// # Errors
    /// What is wrong with it, in words for its sender.
    pub(crate) fn take_brought(&self, brought: &chat::Brought) -> Result<FormId, String> {
        let form = made_of(brought)?;
        let id = form.id.clone();
        self.put(form);
        Ok(id)
    }

    /// Takes what came with an event into its session, so that the form is there as long as the session needs it.
    pub(crate) fn bring(&self, event: Option<&chat::Event>, session: &mut Session) {
        if let Some(brought) = event.and_then(|event| event.terms.brought.as_deref()) {
            match self.take_brought(brought) {
                Ok(id) => drop(session.brought.insert(id, without_values(brought))),
                // Whoever sent it was told already.
                Err(why) => tracing::warn!(%why, "a form that came along cannot be used"),
            }
        }
        self.at_hand(session);
    }

    /// Sees to it that the forms which came along with a session's events are in the catalog.
    pub(crate) fn at_hand(&self, session: &Session) {
        for draft in session.draft.iter().chain(&session.parked).chain(&session.closed) {
            let Some(brought) = session.brought.get(&draft.form) else { continue };
            if self.conversation().catalog().version(&draft.form, &draft.version).is_some() {
                self.make_room(&self.shelf.used(&draft.form));
                continue;
            }
            match made_of(brought) {
                Ok(form) => self.put(form),
                Err(why) => tracing::error!(%why, "a form that came along cannot be made again"),
            }
        }
    }

    fn put(&self, form: Form) {
        self.make_room(&self.shelf.used(&form.id));
        if self.conversation().catalog().version(&form.id, &form.version).is_none() {
            self.change_forms(|before| {
                let mut after = before.clone();
                after.insert(form);
                after
            });
        }
    }

    fn make_room(&self, gone: &[FormId]) {
        if !gone.is_empty() {
            self.change_forms(|before| {
                let mut after = before.clone();
                gone.iter().for_each(|id| after.forget(id));
                after
            });
        }
    }
}

/// What a form is made of, without what it holds: that is in the session's draft.
fn without_values(brought: &chat::Brought) -> chat::Brought {
    match brought {
        chat::Brought::Text { .. } => brought.clone(),
        chat::Brought::Sheet { sheet } => chat::Brought::Sheet { sheet: Box::new(sheet.blank()) },
    }
}

fn made_of(brought: &chat::Brought) -> Result<Form, String> {
    match brought {
        chat::Brought::Text { text } => inline::form_of(text),
        chat::Brought::Sheet { sheet } => sheet::form_of(sheet),
    }
}
