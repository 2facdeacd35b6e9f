//! When what could not be delivered is tried again.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::safety::tells_of_submission;
use crate::clock;
use formwright_store::{Delivery, Outgoing, Parcel};
use formwright_submit::SinkError;

const SECOND: i64 = 1;
const MINUTE: i64 = 60;
const HOUR: i64 = 3600;
/// Pauses after each failure of a submission; one failure more and it is a dead letter.
const SUBMISSION_PAUSES: [i64; 7] = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
/// The same for a reply, which is of no use the next day.
const REPLY_PAUSES: [i64; 5] = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];

/// The pause after it was found that a submission is not safe yet, until it is told of; and until it may leave.
const UNSAFE_PAUSE: i64 = 5 * SECOND;
const HOLD_PAUSE: i64 = SECOND;
/// The pause until it is looked again whether anything is sent on a platform.
const BARRED_PAUSE: i64 = 10 * SECOND;
/// How long it is tried to tell of a submission, and the longest pause between tries.
const OWED: SignedDuration = SignedDuration::from_hours(24);
const LAST_PAUSE: i64 = 10 * MINUTE;
/// How long a reply is tried while the platform asks to wait, which is no failure.
const BUSY: SignedDuration = SignedDuration::from_hours(1);
const SOON: SignedDuration = SignedDuration::from_millis(100);
/// How long it is tried to show a desk what waits there.
const AT_DESK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Why a delivery failed.
pub(crate) struct Failure {
    /// Not before, where the receiver said so.
    pub(crate) after: Option<Duration>,
    /// No use in trying again.
    pub(crate) fatal: bool,
    pub(crate) why: String,
    /// It is not its time yet: nothing has failed.
    pub(crate) held: bool,
    /// Nothing is sent on its platform now.
    pub(crate) barred: bool,
}

impl Failure {
    /// One that may be over the next time.
    pub(crate) fn passing(after: Option<Duration>, why: String) -> Self {
        Self { after, fatal: false, why, held: false, barred: false }
    }

    pub(crate) fn held(why: &str) -> Self {
        Self { held: true, ..Self::passing(None, why.to_owned()) }
    }

    /// One that is no try: nothing is sent on its platform now.
    pub(crate) fn barred(why: String) -> Self {
        Self { barred: true, ..Self::passing(None, why) }
    }

    pub(crate) fn fatal(why: impl Into<String>) -> Self {
        Self { fatal: true, ..Self::passing(None, why.into()) }
    }
}

impl From<SinkError> for Failure {
    fn from(error: SinkError) -> Self {
        let why = error.to_string();
        match error {
            SinkError::Retry { after, .. } => Self::passing(after, why),
            SinkError::Gone | SinkError::Refused(_) => Self::fatal(why),
        }
    }
}

/// What becomes of what could not be delivered. `to_desk`: people wait at a desk for it, and somebody for them.
pub(crate) fn after_failure(entry: &Outgoing, failure: Failure, to_desk: bool, now: Timestamp) -> Delivery {
    if failure.held && matches!(entry.parcel, Parcel::Submission { .. } | Parcel::Told { .. }) {
        return Delivery::Hold { at: now + jittered(HOLD_PAUSE), why: failure.why };
    }
    let age = now.duration_since(entry.created);
    if failure.barred && age < OWED {
        return Delivery::Hold { at: now + jittered(BARRED_PAUSE), why: failure.why };
    }
    let asked = failure.after.and_then(|after| SignedDuration::try_from(after).ok());
    if let (Parcel::Reply { .. }, Some(asked), false) = (&entry.parcel, asked, failure.fatal)
        && age < BUSY
    {
        let apart = jittered(SECOND) - SignedDuration::from_secs(SECOND);
        return Delivery::Retry { at: now + asked.max(SOON) + apart, error: failure.why };
    }
    let pauses: &[i64] = match entry.parcel {
        Parcel::Submission { .. } | Parcel::Told { .. } => &SUBMISSION_PAUSES,
        Parcel::Reply { .. } | Parcel::Erased => &REPLY_PAUSES,
    };
    let pause = usize::try_from(entry.attempts).ok().and_then(|attempts| pauses.get(attempts));
    let pause = match &entry.parcel {
        // The word that somebody waits for is owed for a day, however often it was not true yet, which is no failure, or
        // did not arrive.
        Parcel::Reply { reply, .. } if tells_of_submission(reply) && age < OWED => {
            Some(if failure.held { UNSAFE_PAUSE } else { (age.as_secs() / 4).clamp(SECOND, LAST_PAUSE) })
        }
        _ if to_desk && age < AT_DESK => Some(pause.copied().unwrap_or(LAST_PAUSE)),
        _ => pause.copied(),
    };
    // A bot that was thrown out of a desk's channel is asked in again.
    let fatal = failure.fatal && !(to_desk && age < AT_DESK);
    match pause {
        Some(pause) if !fatal => {
            let pause = jittered(pause).max(asked.unwrap_or_default());
            Delivery::Retry { at: now + pause, error: failure.why }
        }
        _ => Delivery::Dead { error: failure.why },
    }
}

/// A pause up to a tenth longer, so that what failed together does not come back together.
pub(crate) fn jittered(seconds: i64) -> SignedDuration {
    let thousandth = clock::random().map_or(0, |bits| i64::try_from(bits % 100).unwrap_or(0));
    SignedDuration::from_millis(seconds * (1000 + thousandth))
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;

    use super::*;

    /// What becomes of a reply of an age, after so many tries and what the platform said.
    fn after(attempts: u32, age: i64, after: Option<u64>) -> Option<i64> {
        let created = Timestamp::UNIX_EPOCH;
        let now = created + SignedDuration::from_secs(age);
        let place = chat::Place {
            platform: chat::Platform::new("slack"),
            workspace: String::new(),
            channel: "D1".to_owned(),
            thread: None,
        };
        let parcel = Parcel::Reply { place, user: chat::UserId::new("ada"), reply: Box::default() };
        let (id, lane) = ("1".to_owned(), "ada".to_owned());
        let entry = Outgoing { id, lane, parcel, due: now, attempts, created, last_error: None };
        let failure = Failure::passing(after.map(Duration::from_secs), "busy".to_owned());
        match after_failure(&entry, failure, false, now) {
            Delivery::Retry { at, .. } => Some(at.duration_since(now).as_secs()),
            Delivery::Done | Delivery::Hold { .. } | Delivery::Dead { .. } => None,
        }
    }

    #[test]
    fn a_platform_that_asks_to_wait_costs_no_try_and_no_longer_pause() {
        assert_eq!([after(0, 0, Some(7)), after(3, 60, Some(7)), after(40, 600, Some(7))], [Some(7); 3]);
        assert!(after(3, 60, None).is_some_and(|pause| (120..=132).contains(&pause)), "what failed waits longer");
        assert_eq!([after(40, 600, None), after(40, 4000, Some(7))], [None; 2]);
    }
}
