//! What a turn came to.

use formwright_chat as chat;
use formwright_engine::lifecycle::{Ran, Refused};
use formwright_engine::session::Draft;
use formwright_engine::{Session, Submission};
use formwright_form::FormId;

/// What a turn came to, nothing of it stored yet.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) session: Session,
    pub(crate) replies: Vec<chat::Reply>,
    pub(crate) submissions: Vec<Submission>,
    /// Answers that were refused.
    pub(crate) refused: Vec<Refused>,
    /// Tools that were run.
    pub(crate) ran: Vec<Ran>,
    /// Forms that were filled in for another one, and are over.
    pub(crate) left: Vec<Draft>,
    /// A form to start in the other session of the place, with the words that asked for it.
    pub(crate) moved: Option<(FormId, String)>,
    /// What other sessions are to hear.
    pub(crate) sent: Vec<chat::Event>,
    /// What is kept of the person is to be erased in place of all this; the language to tell it in.
    pub(crate) forget: Option<String>,
}

impl Work {
    /// Nothing done yet.
    pub(crate) fn new(session: Session) -> Self {
        Self {
            session,
            replies: Vec::new(),
            submissions: Vec::new(),
            refused: Vec::new(),
            ran: Vec::new(),
            left: Vec::new(),
            moved: None,
            sent: Vec::new(),
            forget: None,
        }
    }
}
