//! A session on its way into a store: written as JSON once, whoever needs it.

use std::sync::Arc;

use crate::{Damage, StoreError};
use formwright_engine::Session;

/// A session with the JSON that is kept of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    session: Arc<Session>,
    json: String,
}

impl Packed {
    /// Writes a session as it is kept.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where it cannot be written; no session that the engine makes is like that.
    pub fn new(session: impl Into<Arc<Session>>) -> Result<Self, StoreError> {
        let session = session.into();
        let json = serde_json::to_string(&*session);
        let json = json.map_err(|_| Damage::Unwritable { what: "a session" })?;
        Ok(Self { session, json })
    }

    /// The session.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// What is kept of it, before it is sealed.
    pub fn json(&self) -> &str {
        &self.json
    }
}
