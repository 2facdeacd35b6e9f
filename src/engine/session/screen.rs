//! What is shown: the widgets that count now, those that did, and where each question stands. Stored with the session.

use formwright_chat as chat;
use serde::{Deserialize, Serialize};

use crate::session::Session;
use formwright_form::Path;
use formwright_nlu::Command;

/// What a token stands for.
pub(crate) enum Pressing {
    /// A widget of the present screen.
    Now(Slot),
    /// A widget of an earlier screen, and the field it asked.
    Past(Option<Path>),
    /// No widget that this session ever showed.
    Unknown,
}

/// Looks a token up.
pub(crate) fn look_up(session: &Session, token: &chat::Token) -> Pressing {
    if let Some(screen) = session.screen.as_ref().filter(|screen| screen.nonce == token.nonce) {
        return screen.slots.get(usize::from(token.slot)).cloned().map_or(Pressing::Unknown, Pressing::Now);
    }
    let past = session.past.iter().find(|past| past.nonce == token.nonce);
    past.map_or(Pressing::Unknown, |past| Pressing::Past(past.path.clone()))
}

/// Where a question stands in the order of asking: page, top-level field, then item numbers and member fields in turn.
/// The question whether a list has more items ends in [`Addr::MORE`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Addr(pub Vec<u32>);

impl Addr {
    /// Stands after every item of a list.
    pub const MORE: u32 = u32::MAX;
    /// The page of optional fields that are offered at the review: after all others.
    pub const LATER: u16 = u16::MAX;

    /// Whether it is not asked but offered at the review.
    pub fn is_later(&self) -> bool {
        self.page() == Self::LATER
    }

    /// The page it is asked on.
    pub fn page(&self) -> u16 {
        self.0.first().and_then(|page| u16::try_from(*page).ok()).unwrap_or(u16::MAX)
    }
}

/// The widgets that count now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Screen {
    /// Names the screen on the wire.
    pub nonce: chat::Nonce,
    /// What each slot stands for, by slot number.
    pub slots: Vec<Slot>,
}

/// What a widget stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Slot {
    /// A field's input.
    Field {
        /// Which field.
        path: Path,
    },
    /// A button that does this.
    Do {
        /// What it does.
        command: Command,
        /// What the button says: saying it is pressing it.
        label: String,
    },
}

/// A screen that no longer counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastScreen {
    /// Named it on the wire.
    pub nonce: chat::Nonce,
    /// The field it asked, if any.
    pub path: Option<Path>,
}
