//! How values become what is kept.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Damage, Seal, StoreError};

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// How long events that were worked on are kept where nobody sweeps them: longer than may be asked for.
pub(super) const EVENTS_LIFE: Duration = DAY.saturating_mul(31);
/// How long the ids of delivered entries are kept.
pub(super) const DELIVERED_LIFE: Duration = DAY.saturating_mul(30);
/// How long a session is kept after it expired, should nobody delete it.
pub(super) const EXPIRED_LIFE: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long a note about a person is kept: longer than it takes until it is swept.
pub(super) const NOTES_LIFE: Duration = DAY.saturating_mul(35);
/// How long a model's answer is kept for a turn that is not committed.
pub(super) const ANSWERS_LIFE: Duration = HOUR.saturating_mul(2);

/// A value as it is kept under names that it is bound to.
pub(super) fn seal<T: Serialize>(seal: &Seal, bound_to: &[&str], value: &T) -> Result<Vec<u8>, StoreError> {
    let json = serde_json::to_vec(value);
    let json = json.map_err(|_| Damage::Unwritable { what: "something" })?;
    seal.seal(bound_to, &json)
}

/// The value of what [`seal`] gave. Errors do not say what was in it.
pub(super) fn open<T: DeserializeOwned>(seal: &Seal, bound_to: &[&str], kept: &[u8]) -> Result<T, StoreError> {
    open_measured(seal, bound_to, kept).map(|(value, _)| value)
}

/// The same, with its length in bytes of JSON.
pub(super) fn open_measured<T: DeserializeOwned>(
    seal: &Seal,
    bound_to: &[&str],
    kept: &[u8],
) -> Result<(T, usize), StoreError> {
    let json = seal.open(bound_to, kept)?;
    let what = bound_to.first().copied().unwrap_or_default();
    let value = serde_json::from_slice(&json).map_err(|_| {
        seal.note_unreadable(bound_to);
        StoreError::unreadable(what, "it cannot be read")
    })?;
    Ok((value, json.len()))
}

/// Milliseconds since 1970, as they are kept.
pub(super) fn millis(at: Timestamp) -> String {
    at.as_millisecond().to_string()
}

/// The time that [`millis`] gave.
pub(super) fn time(millis: &[u8]) -> Result<Timestamp, StoreError> {
    let number = std::str::from_utf8(millis).ok().and_then(|text| text.parse().ok());
    let time = number.and_then(|number| Timestamp::from_millisecond(number).ok());
    time.ok_or_else(|| Damage::NoTime.into())
}

/// A number that a script gave: scores may come with a fraction or an exponent.
pub(super) fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
