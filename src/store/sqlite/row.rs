//! How values become columns, and errors become the port's.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use jiff::Timestamp;
use rusqlite::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::seal::UNSEALED;
use crate::{Damage, Outage, Seal, StoreError};

/// Sorts SQLite's errors by what the caller can do.
pub(super) fn unavailable(error: rusqlite::Error) -> StoreError {
    let damaged = is_damage(&error);
    let error = Arc::new(error);
    if damaged { Outage::DamagedFile(error).into() } else { Outage::Sqlite(error).into() }
}

/// Whether SQLite finds its file damaged.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Why the file is damaged, where that is why something was not done.
pub(super) fn damage(error: &StoreError) -> Option<String> {
    match error {
        StoreError::Unavailable(why @ Outage::DamagedFile(_)) => Some(why.to_string()),
        _ => None,
    }
}

/// Milliseconds since 1970.
pub(super) fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// The time of a column written by [`millis`].
pub(super) fn time(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|error| Damage::Time(error).into())
}

/// A count of rows or a version as a column: SQLite's integers are signed.
pub(super) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The number of a column written by [`signed`].
pub(super) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or_default()
}

/// First character of a body that is sealed: none that JSON begins with.
const SEALED: char = '~';

/// Turns records into the bodies of rows and back. Without a key a body is plain JSON, so that an operator can look
/// inside; with one it is sealed.
#[derive(Clone, Debug)]
pub(super) struct Bodies(pub(super) Seal);

impl Bodies {
    pub(super) fn write<T: Serialize>(&self, bound_to: &[&str], value: &T) -> Result<String, StoreError> {
        self.wrap(bound_to, to_json(value)?).map(Cow::into_owned)
    }

    /// The body of a record that is JSON already; without a key the very same text.
    pub(super) fn wrap<'j>(
        &self,
        bound_to: &[&str],
        json: impl Into<Cow<'j, str>>,
    ) -> Result<Cow<'j, str>, StoreError> {
        let json = json.into();
        if !self.0.has_key() {
            return Ok(json);
        }
        let sealed = self.0.seal(bound_to, json.as_bytes())?;
        Ok(format!("{SEALED}{}", STANDARD_NO_PAD.encode(sealed)).into())
    }

    /// Reads a body; the error names the record and never shows what it holds.
    pub(super) fn read<T: DeserializeOwned>(&self, bound_to: &[&str], body: &str) -> Result<T, StoreError> {
        self.read_measured(bound_to, body).map(|(value, _)| value)
    }

    /// The same, with its length in bytes of JSON.
    pub(super) fn read_measured<T: DeserializeOwned>(
        &self,
        bound_to: &[&str],
        body: &str,
    ) -> Result<(T, usize), StoreError> {
        let what = bound_to.first().copied().unwrap_or_default();
        let read = self.unwrap(bound_to, body).and_then(|json| Ok((from_json(what, json.as_bytes())?, json.len())));
        read.inspect_err(|_| self.0.note_unreadable(bound_to))
    }

    /// The JSON that [`Self::wrap`] was given.
    pub(super) fn unwrap(&self, bound_to: &[&str], body: &str) -> Result<String, StoreError> {
        let what = bound_to.first().copied().unwrap_or_default();
        let damaged = |why| StoreError::unreadable(what, why);
        let Some(sealed) = body.strip_prefix(SEALED) else {
            let taken = self.0.takes_open().then(|| body.to_owned());
            return taken.ok_or_else(|| damaged("it is not sealed, and a key is set"));
        };
        let sealed = STANDARD_NO_PAD.decode(sealed).map_err(|_| damaged("its seal is broken"))?;
        String::from_utf8(self.0.open(bound_to, &sealed)?).map_err(|_| damaged("it is no text"))
    }

    /// How bodies begin that the first key has sealed.
    pub(super) fn own_head(&self) -> Result<String, StoreError> {
        // Six characters have the first four and a half bytes: they tell keys apart.
        let sealed = STANDARD_NO_PAD.encode(self.0.seal(&[], b"")?);
        Ok(format!("{SEALED}{}", sealed.get(..6).unwrap_or_default()))
    }

    /// The name of what has sealed a body.
    pub(super) fn sealed_with(body: &str) -> Option<String> {
        let Some(sealed) = body.strip_prefix(SEALED) else { return Some(UNSEALED.to_owned()) };
        Seal::sealed_with(&STANDARD_NO_PAD.decode(sealed).ok()?)
    }
}

pub(super) fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| Damage::Unserialisable(Arc::new(error)).into())
}

fn from_json<T: DeserializeOwned>(what: &str, json: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(json).map_err(|error| {
        Damage::Json { record: what.to_owned(), kind: error.classify(), column: error.column() }.into()
    })
}

/// Tells flipped bytes and a body under another key.
pub(super) fn checksum(key: &str, body: &str) -> [u8; 16] {
    let digest = Sha256::new().chain_update(key.len().to_le_bytes()).chain_update(key).chain_update(body).finalize();
    let mut short = [0; 16];
    short.copy_from_slice(&digest[..16]);
    short
}
