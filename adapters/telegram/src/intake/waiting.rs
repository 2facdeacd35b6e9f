//! Presses that Telegram has no answer to yet.

use formwright_chat::{CaseCode, UserId};

/// A press that Telegram has no answer to yet.
pub(crate) struct Popup {
    pub(super) code: CaseCode,
    pub(super) user: UserId,
    pub(super) query: String,
}
