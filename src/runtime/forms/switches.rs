//! Forms switched off and on while the bot runs: kept in the store, so that every replica sees it and a restart changes
//! nothing.

use std::collections::BTreeMap;

use formwright_chat as chat;
use jiff::Timestamp;

use formwright_form::FormId;
use formwright_store::{Store, StoreError};

/// Forms that are off, with what who asks for them is told; none says the standard sentence.
pub type Off = BTreeMap<FormId, Option<String>>;

/// What a form is switched to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// It can be started.
    On,
    /// It cannot.
    Off {
        /// What who asks for it is told; none says the standard sentence.
        say: Option<String>,
    },
}

/// Where it is kept: among the notes of no platform there is.
const PLATFORM: &str = "formwright";
const KEY: &str = "forms.off";

/// The forms that are off.
///
/// # Errors
/// [`StoreError`], of the store.
pub async fn off(store: &dyn Store) -> Result<Off, StoreError> {
    let note = store.note(&chat::Platform::new(PLATFORM), KEY).await?;
    // What cannot be read was written by a later version: better all forms than none.
    Ok(note.and_then(|note| serde_json::from_value(note).ok()).unwrap_or_default())
}

/// Switches a form off, with what is said, or on again. Drafts that are open go on; tells whether anything changed.
///
/// # Errors
/// [`StoreError`], of the store.
pub async fn switch(store: &dyn Store, form: &FormId, to: Switch, now: Timestamp) -> Result<bool, StoreError> {
    let before = off(store).await?;
    let mut after = before.clone();
    match to {
        Switch::Off { say } => after.insert(form.clone(), say),
        Switch::On => after.remove(form),
    };
    if after == before {
        return Ok(false);
    }
    let value = (!after.is_empty()).then(|| serde_json::json!(after));
    let note = chat::Note { platform: chat::Platform::new(PLATFORM), key: KEY.to_owned(), owner: None, value };
    store.set_note(&note, now).await?;
    Ok(true)
}
