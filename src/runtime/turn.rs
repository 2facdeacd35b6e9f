//! A turn: load, compute, commit in one atomic write. What conflicts is loaded and computed again.

use std::time::Duration;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};

use super::perform::Work;
use super::{Conversation, Runtime, clock, fault, limits};
use crate::engine::{Happening, Outcome, Session, Submission};
use crate::form;
use crate::store::{Accepted, Commit, Committed, Outgoing, Parcel, SessionKey, StoreError, Stored};

/// Most times a turn is computed because another was faster.
const CONFLICTS: u32 = 16;
/// Most times a commit is tried, with the same turn id, and the pause after the first.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(50);
/// How long a session without a draft is kept.
const IDLE: SignedDuration = SignedDuration::from_hours(24);

const DAMAGED: &str = "I am sorry: what I had kept of our conversation was damaged, so we start again.";
const TOO_LONG: &str =
    "This conversation has become too long to go on with. Please submit or cancel what you have begun.";

/// What a turn is about.
pub(super) struct Turn {
    pub(super) key: SessionKey,
    pub(super) place: chat::Place,
    pub(super) user: chat::UserId,
    pub(super) cause: Cause,
}

/// What brings a turn about.
#[derive(Clone)]
pub(super) enum Cause {
    /// An event whose sender waits for the replies.
    Asked(Box<chat::Event>),
    /// An accepted event: replies go to the outbox.
    Accepted(Box<chat::Event>),
    /// The session's time is up.
    Expired,
    /// A submission was given up.
    Undelivered(Outcome),
}

/// Why a turn did not happen.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum TurnError {
    /// To be tried again.
    #[error("{0}")]
    Unavailable(String),
    /// Never possible; words for the sender.
    #[error("{0}")]
    Refused(String),
}

impl From<StoreError> for TurnError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<clock::NoRandomness> for TurnError {
    fn from(error: clock::NoRandomness) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl Turn {
    fn happening(&self) -> Happening {
        match &self.cause {
            Cause::Asked(event) | Cause::Accepted(event) => Happening::Event(event.clone()),
            Cause::Expired => Happening::Expiry,
            Cause::Undelivered(outcome) => Happening::Outcome(outcome.clone()),
        }
    }

    fn event(&self) -> Option<&chat::EventId> {
        match &self.cause {
            Cause::Asked(event) | Cause::Accepted(event) => Some(&event.id),
            Cause::Expired | Cause::Undelivered(_) => None,
        }
    }
}

impl Runtime {
    /// Runs a turn and gives its replies: those of the first time where the event was worked on before.
    pub(super) async fn turn(&self, turn: &Turn) -> Result<Vec<chat::Reply>, TurnError> {
        for _ in 0..CONFLICTS {
            let (stored, damaged) = self.load(&turn.key).await?;
            fault::reached("loaded");
            let Some(session) = self.session_for(turn, stored.session.as_ref()) else { return Ok(Vec::new()) };
            let mut work = self.perform(session, turn.happening()).await?;
            if damaged && let Some(first) = work.replies.first_mut() {
                first.say.insert(0, DAMAGED.to_owned());
            }
            self.refuse_growth(stored.session.as_ref(), &work)?;
            let commit = self.commit_of(turn, stored.version, work)?;
            let replies = commit.replies.clone();
            fault::reached("before-commit");
            match self.commit(commit).await? {
                Committed::Done | Committed::AlreadyMine => {
                    fault::reached("committed-unseen");
                    self.wake.notify_one();
                    return Ok(replies);
                }
                Committed::Conflict => {
                    if let Some(replies) = self.replies_of_first_time(turn).await? {
                        return Ok(replies);
                    }
                }
            }
        }
        Err(TurnError::Unavailable("the session is being changed all the time".to_owned()))
    }

    /// Ends an accepted event that cannot be worked on with words to its sender, its session left as it is.
    pub(super) async fn decline(&self, turn: &Turn, words: &str) -> Result<(), TurnError> {
        for _ in 0..CONFLICTS {
            let stored = self.store.load(&turn.key).await?;
            let session = stored.session.unwrap_or_else(|| Session::new(turn.place.clone(), turn.user.clone()));
            let reply = chat::Reply { say: vec![words.to_owned()], lang: "en".to_owned(), ..chat::Reply::default() };
            let work = Work { session, replies: vec![reply], submissions: Vec::new() };
            let commit = self.commit_of(turn, stored.version, work)?;
            if self.commit(commit).await? != Committed::Conflict || self.replies_of_first_time(turn).await?.is_some() {
                self.wake.notify_one();
                return Ok(());
            }
        }
        Err(TurnError::Unavailable("the session is being changed all the time".to_owned()))
    }

    /// The session a turn works on; none where there is nothing to do.
    fn session_for(&self, turn: &Turn, stored: Option<&Session>) -> Option<Session> {
        let new = || Session::new(turn.place.clone(), turn.user.clone());
        match &turn.cause {
            Cause::Asked(_) | Cause::Accepted(_) => Some(stored.cloned().unwrap_or_else(new)),
            Cause::Undelivered(_) => stored.cloned(),
            Cause::Expired => {
                let now = self.clock.now();
                // A turn since the sweep may have given it more time.
                let over = |session: &&Session| self.draft_expiry(session).is_none_or(|expires| expires <= now);
                stored.filter(over).cloned()
            }
        }
    }

    async fn load(&self, key: &SessionKey) -> Result<(Stored, bool), TurnError> {
        match self.store.load(key).await {
            Ok(stored) => Ok((stored, false)),
            Err(StoreError::Damaged(why)) => {
                tracing::error!(%why, "a damaged session was thrown away, its owner starts again");
                self.store.delete(key).await?;
                Ok((Stored { version: 0, session: None }, true))
            }
            Err(error @ StoreError::Unavailable(_)) => Err(error.into()),
        }
    }

    fn refuse_growth(&self, before: Option<&Session>, work: &Work) -> Result<(), TurnError> {
        let after = limits::size(&work.session);
        if after > self.limits.session && after > before.map_or(0, limits::size) {
            return Err(TurnError::Refused(TOO_LONG.to_owned()));
        }
        Ok(())
    }

    async fn replies_of_first_time(&self, turn: &Turn) -> Result<Option<Vec<chat::Reply>>, TurnError> {
        let Some(event) = turn.event() else { return Ok(None) };
        match self.store.seen(&turn.key, event).await? {
            Some(Accepted::Done(replies)) => Ok(Some(replies)),
            Some(Accepted::New | Accepted::Open) | None => Ok(None),
        }
    }

    /// Commits; what may or may not have been written is written again under the same id, which the store recognises.
    async fn commit(&self, commit: Commit) -> Result<Committed, TurnError> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            match self.store.commit(commit.clone()).await {
                Ok(committed) => return Ok(committed),
                Err(error) => tracing::warn!(%error, "a turn could not be committed and is tried again"),
            }
            self.clock.pause(pause).await;
            pause *= 2;
        }
        Ok(self.store.commit(commit).await?)
    }

    fn commit_of(&self, turn: &Turn, version: u64, work: Work) -> Result<Commit, TurnError> {
        let now = self.clock.now();
        let id = clock::nonce()?.as_str().to_owned();
        let mut outbox: Vec<Outgoing> = work.submissions.iter().flat_map(|done| self.deliveries(done, now)).collect();
        let mut replies = work.replies;
        if !matches!(turn.cause, Cause::Asked(_)) {
            outbox.extend(self.messages(turn, &id, &replies, now));
            replies = Vec::new();
        }
        let expires = self.draft_expiry(&work.session).unwrap_or(now + IDLE);
        // An expired session has said its last words; what it leaves behind is only its notice in the outbox.
        let session = (!matches!(turn.cause, Cause::Expired)).then_some(work.session);
        Ok(Commit {
            key: turn.key.clone(),
            version,
            event: turn.event().cloned(),
            turn: id,
            session,
            expires,
            replies,
            outbox,
            submissions: work.submissions,
            now,
        })
    }

    /// Replies as outbox entries, where there is a platform to deliver them.
    fn messages(&self, turn: &Turn, id: &str, replies: &[chat::Reply], now: Timestamp) -> Vec<Outgoing> {
        if !self.adapters.contains_key(turn.place.platform.as_str()) {
            tracing::warn!(platform = %turn.place.platform, "nobody delivers to this platform: replies are dropped");
            return Vec::new();
        }
        let entry = |(no, reply): (usize, &chat::Reply)| Outgoing {
            id: format!("{id}.{no}"),
            lane: turn.key.as_str().to_owned(),
            parcel: Parcel::Reply {
                place: turn.place.clone(),
                user: turn.user.clone(),
                reply: Box::new(reply.clone()),
            },
            due: now,
            attempts: 0,
            created: now,
            last_error: None,
        };
        replies.iter().enumerate().map(entry).collect()
    }

    /// A submission as outbox entries, one for each sink of its form.
    fn deliveries(&self, submission: &Submission, now: Timestamp) -> Vec<Outgoing> {
        let conversation = self.conversation();
        let Some(form) = conversation.catalog().version(&submission.form, &submission.version) else {
            tracing::error!(form = %submission.form, "the form of a submission is gone: it is kept, and goes nowhere");
            return Vec::new();
        };
        let entry = |name: &form::SinkId| {
            let Some(sink) = self.sink(form, name) else {
                tracing::error!(form = %form.id, sink = %name, "there is no such sink: the submission skips it");
                return None;
            };
            Some(Outgoing {
                id: format!("{}.{}.{name}", submission.id, submission.revision),
                lane: format!("{}.{name}", submission.id),
                parcel: Parcel::Submission {
                    sink,
                    name: name.as_str().to_owned(),
                    submission: Box::new(submission.clone()),
                },
                due: now,
                attempts: 0,
                created: now,
                last_error: None,
            })
        };
        form.submit.iter().filter_map(entry).collect()
    }

    /// A sink by name: the form's own, one of the settings, or the file that is always there.
    pub(super) fn sink(&self, form: &form::Form, name: &form::SinkId) -> Option<form::Sink> {
        let known = form.sinks.get(name).or_else(|| self.sinks.get(name.as_str())).cloned();
        let file = || matches!(name.as_str(), "log" | "file").then_some(form::Sink::Jsonl { file: None });
        known.or_else(file)
    }

    /// When the last of a session's drafts expires; none where it has no draft.
    fn draft_expiry(&self, session: &Session) -> Option<Timestamp> {
        let conversation = self.conversation();
        let drafts = session.draft.iter().chain(&session.parked);
        let expires = drafts.map(|draft| draft.touched + ttl(&*conversation, &draft.form, &draft.version));
        expires.max()
    }
}

fn ttl(conversation: &dyn Conversation, id: &form::FormId, version: &form::FormVersion) -> SignedDuration {
    let catalog = conversation.catalog();
    let form = catalog.version(id, version).or_else(|| catalog.form(id));
    let seconds = form.map_or(7 * 86_400, |form| i64::try_from(form.draft_ttl).unwrap_or(i64::MAX));
    // A year is for ever, and keeps times within what can be written.
    SignedDuration::from_secs(seconds.min(366 * 86_400))
}
