//! What a turn writes: its session, its replies, and an outbox entry for everything that leaves.

use std::collections::BTreeMap;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};

use crate::turn::work::Work;
use crate::turn::{Cause, Turn, TurnError};
use crate::{Conversation, Runtime, clock};
use formwright_engine::{Session, Submission};
use formwright_store::{Commit, Outgoing, Packed, Parcel};

/// How long is kept what waits for a desk: longer than that is given, round after round.
const AT_A_DESK: SignedDuration = SignedDuration::from_hours(40 * 24);

impl Runtime {
    pub(crate) fn commit_of(&self, turn: &Turn, version: u64, work: Work) -> Result<Commit, TurnError> {
        let now = self.clock.now();
        let id = clock::nonce()?.as_str().to_owned();
        let mut outbox: Vec<Outgoing> = work.submissions.iter().flat_map(|done| self.deliveries(done, now)).collect();
        let mut replies = work.replies;
        if !matches!(turn.cause, Cause::Asked(_)) {
            outbox.extend(self.messages(turn, &work.session, &id, &replies, now));
            replies = Vec::new();
        }
        let expires = self.expiry(&work.session, now);
        // An expired session has said its last words; what it leaves behind is only its notice in the outbox. A case goes
        // on as long as it wants to.
        let goes_on = !matches!(turn.cause, Cause::Expired) || work.session.case.is_some();
        let session = goes_on.then(|| Packed::new(work.session)).transpose()?;
        Ok(Commit {
            key: turn.key.clone(),
            version,
            event: turn.event().cloned(),
            merged: turn.merged_events().into_iter().chain(turn.request()).collect(),
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
    fn messages(
        &self,
        turn: &Turn,
        session: &Session,
        id: &str,
        replies: &[chat::Reply],
        now: Timestamp,
    ) -> Vec<Outgoing> {
        if !self.adapters.contains_key(turn.place.platform.as_str()) {
            tracing::warn!(platform = %turn.place.platform, "nobody delivers to this platform: replies are dropped");
            return Vec::new();
        }
        let lane = turn.key.as_str();
        // What a desk is shown of somebody's answers goes when they are forgotten: it is theirs, whoever pressed.
        let theirs = session.case.is_some().then_some(&session.owner);
        let entry = |(no, reply): (usize, &chat::Reply)| {
            let mut entry = turn.entry(format!("{id}.{no}"), lane, reply, now);
            if let (Some(owner), Parcel::Reply { user, .. }) = (theirs.filter(|_| !reply.private), &mut entry.parcel) {
                owner.clone_into(user);
            }
            entry
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
        let around = self.around();
        let sinks = sinks_of(form, &around.sinks);
        let entry = |(name, sink): (&formwright_form::SinkId, formwright_form::Sink)| Outgoing {
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
        };
        sinks.into_iter().map(entry).collect()
    }

    /// When a session expires that is not touched from now on.
    pub(crate) fn expiry(&self, session: &Session, now: Timestamp) -> Timestamp {
        let expires = self.time_of(session).unwrap_or_else(|| now + self.around().kept.sessions);
        // Who has asked for a person is told what comes of it.
        if session.handoff.is_some() { expires.max(now + AT_A_DESK) } else { expires }
    }

    /// When a session is to be looked at next, where it says so itself.
    pub(crate) fn time_of(&self, session: &Session) -> Option<Timestamp> {
        session.case.as_ref().map(|case| case.wake).or_else(|| self.draft_expiry(session))
    }

    /// When the last of a session's drafts expires; none where it has no draft.
    pub(crate) fn draft_expiry(&self, session: &Session) -> Option<Timestamp> {
        let conversation = self.conversation();
        let drafts = session.draft.iter().chain(&session.parked);
        let expires = drafts.map(|draft| draft.touched + ttl(&*conversation, &draft.form, &draft.version));
        // What waits for approval is ended by the desk, not here.
        let reviewing = session.reviewing.iter().map(|draft| draft.touched + AT_A_DESK);
        expires.chain(reviewing).max()
    }
}

impl Turn {
    /// A reply to whoever the turn answers, as an outbox entry.
    pub(crate) fn entry(&self, id: String, lane: &str, reply: &chat::Reply, now: Timestamp) -> Outgoing {
        let (place, user, reply) = (self.place.clone(), self.user.clone(), Box::new(reply.clone()));
        Outgoing {
            id,
            lane: lane.to_owned(),
            parcel: Parcel::Reply { place, user, reply },
            due: now,
            attempts: 0,
            created: now,
            last_error: None,
        }
    }
}

/// Where submissions of a form go: its own sinks, those of the settings, and the file that is always there.
pub(crate) fn sinks_of<'f>(
    form: &'f formwright_form::Form,
    settings: &BTreeMap<String, formwright_form::Sink>,
) -> Vec<(&'f formwright_form::SinkId, formwright_form::Sink)> {
    let mut sinks: Vec<(&formwright_form::SinkId, formwright_form::Sink)> = Vec::new();
    for name in &form.submit {
        let known = form.sinks.get(name).or_else(|| settings.get(name.as_str())).cloned();
        let file = || matches!(name.as_str(), "log" | "file").then_some(formwright_form::Sink::Jsonl { file: None });
        match known.or_else(file) {
            // `log` and `file` are the same file: one of them is enough.
            Some(sink) if sinks.iter().any(|(_, same)| *same == sink) => {}
            Some(sink) => sinks.push((name, sink)),
            None => tracing::error!(form = %form.id, sink = %name, "there is no such sink: submissions skip it"),
        }
    }
    sinks
}

fn ttl(
    conversation: &dyn Conversation,
    id: &formwright_form::FormId,
    version: &formwright_form::FormVersion,
) -> SignedDuration {
    let catalog = conversation.catalog();
    let form = catalog.version(id, version).or_else(|| catalog.form(id));
    let seconds = i64::try_from(catalog.draft_ttl(form.map(AsRef::as_ref))).unwrap_or(i64::MAX);
    // A year is for ever, and keeps times within what can be written.
    SignedDuration::from_secs(seconds.min(366 * 86_400))
}
