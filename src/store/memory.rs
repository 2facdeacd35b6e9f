//! A store in memory, for tests and for trying things: nothing survives the process.

mod gone;
mod owners;
mod seen;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use formwright_chat as chat;
use jiff::Timestamp;

use super::{
    Accepted, Commit, Committed, Delivery, Erasure, OutboxState, Outgoing, Packed, Parcel, SessionKey, Store,
    StoreError, Stored, pace,
};
use formwright_engine::Submission;
use formwright_form::FormId;
use owners::{Owners, Record, of_key, of_session, of_submission};
use seen::Seen;

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The last number given to an event, a version or an outbox entry.
    counter: u64,
    sessions: BTreeMap<SessionKey, Row>,
    events: BTreeMap<(SessionKey, chat::EventId), Seen>,
    outbox: BTreeMap<u64, Entry>,
    submissions: BTreeMap<u64, Submission>,
    notes: BTreeMap<(chat::Platform, String), (chat::Note, Timestamp)>,
    /// What a model answered in turns that are not committed yet, by call.
    answers: BTreeMap<(SessionKey, chat::EventId), BTreeMap<String, (String, Timestamp)>>,
    owners: Owners,
}

#[derive(Debug)]
struct Row {
    version: u64,
    turn: String,
    expires: Timestamp,
    packed: Packed,
}

#[derive(Debug)]
struct Entry {
    state: OutboxState,
    lease: Timestamp,
    changed: Timestamp,
    person: owners::Person,
    outgoing: Outgoing,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn commit(&mut self, commit: Commit) -> Committed {
        let event = commit.event.map(|id| (commit.key.clone(), id));
        if let Some(Seen::Done { turn, .. }) = event.as_ref().and_then(|event| self.events.get(event)) {
            return if *turn == commit.turn { Committed::AlreadyMine } else { Committed::Conflict };
        }
        let present = self.sessions.get(&commit.key);
        if present.is_some_and(|row| row.turn == commit.turn) {
            return Committed::AlreadyMine;
        }
        if present.map_or(0, |row| row.version) != commit.version {
            return Committed::Conflict;
        }
        let version = self.next();
        let (key, turn) = (commit.key.clone(), commit.turn.clone());
        self.drop_session(&key);
        if let Some(packed) = commit.session {
            let record = Record::Session(key.clone());
            of_session(&key, &packed).into_iter().for_each(|person| self.owners.own(person, record.clone()));
            let row = Row { version, turn: commit.turn.clone(), expires: commit.expires, packed };
            self.sessions.insert(commit.key, row);
        }
        let with_replies = event.into_iter().map(|event| (event, commit.replies.clone()));
        let merged = commit.merged.into_iter().map(|id| ((key.clone(), id), Vec::new()));
        for (event, replies) in with_replies.chain(merged).collect::<Vec<_>>() {
            self.answers.remove(&event);
            let person = self.events.get(&event).and_then(Seen::owner);
            self.keep_event(event, Seen::Done { turn: turn.clone(), at: commit.now, replies, person });
        }
        for outgoing in commit.outbox {
            self.put(outgoing, commit.now);
        }
        for submission in commit.submissions {
            let known = |s: &Submission| s.id == submission.id && s.revision == submission.revision;
            if !self.submissions.values().any(known) {
                let no = self.next();
                let all = of_submission(&submission);
                all.into_iter().for_each(|person| self.owners.own(person, Record::Submission(no)));
                self.submissions.insert(no, submission);
            }
        }
        Committed::Done
    }

    fn put(&mut self, outgoing: Outgoing, now: Timestamp) {
        if let Some(entry) = self.entry(&outgoing.id) {
            if entry.state == OutboxState::Dead {
                entry.revive(outgoing.due);
            }
            return;
        }
        let (platform, user) = outgoing.parcel.person();
        let person = (chat::Platform::new(platform), chat::UserId::new(user));
        let no = self.next();
        self.owners.own(person.clone(), Record::Entry(no));
        let entry = Entry { state: OutboxState::Waiting, lease: Timestamp::MIN, changed: now, person, outgoing };
        self.outbox.insert(no, entry);
    }

    fn due(&mut self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Vec<Outgoing> {
        let mut lanes = BTreeSet::new();
        let mut taken: Vec<&mut Entry> = self
            .outbox
            .values_mut()
            .filter(|entry| entry.state == OutboxState::Waiting)
            .filter(|entry| lanes.insert(entry.outgoing.lane.clone()))
            .filter(|entry| entry.outgoing.due <= now && entry.lease <= now)
            .collect();
        taken.sort_by_key(|entry| entry.outgoing.due);
        let take = |entry: &mut Entry| {
            entry.lease = lease_until;
            entry.outgoing.clone()
        };
        taken.into_iter().take(limit as usize).map(take).collect()
    }

    fn entry(&mut self, id: &str) -> Option<&mut Entry> {
        self.outbox.values_mut().find(|entry| entry.outgoing.id == id)
    }
}

impl Entry {
    fn revive(&mut self, due: Timestamp) {
        self.state = OutboxState::Waiting;
        self.lease = Timestamp::MIN;
        self.outgoing.due = due;
        self.outgoing.attempts = 0;
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn accept(&self, key: &SessionKey, event: &chat::Event) -> Result<Accepted, StoreError> {
        let mut state = self.state();
        let id = (key.clone(), event.id.clone());
        Ok(match state.events.get(&id) {
            Some(seen) => seen.accepted(),
            None => {
                let no = state.next();
                state.keep_event(id, Seen::Open { no, event: Box::new(event.clone()) });
                Accepted::New
            }
        })
    }

    async fn open_events(&self, limit: u32) -> Result<Vec<chat::Event>, StoreError> {
        let state = self.state();
        let mut open: Vec<_> = state.events.values().filter_map(Seen::open).collect();
        open.sort_by_key(|(no, _)| *no);
        Ok(open.into_iter().take(limit as usize).map(|(_, event)| event.clone()).collect())
    }

    async fn seen(&self, key: &SessionKey, event: &chat::EventId) -> Result<Option<Accepted>, StoreError> {
        Ok(self.state().events.get(&(key.clone(), event.clone())).map(Seen::accepted))
    }

    async fn load(&self, key: &SessionKey) -> Result<Stored, StoreError> {
        let state = self.state();
        Ok(state.sessions.get(key).map_or_else(Stored::default, |row| Stored {
            version: row.version,
            session: Some(Arc::clone(row.packed.session())),
            bytes: row.packed.json().len(),
        }))
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        Ok(self.state().commit(commit.clone()))
    }

    async fn due(&self, now: Timestamp, lease_until: Timestamp, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        Ok(self.state().due(now, lease_until, limit))
    }

    async fn release(&self) -> Result<u64, StoreError> {
        let mut state = self.state();
        let leased = state.outbox.values_mut().filter(|e| e.state == OutboxState::Waiting && e.lease > Timestamp::MIN);
        Ok(leased.map(|entry| entry.lease = Timestamp::MIN).count() as u64)
    }

    async fn mark(&self, id: &str, delivery: Delivery, now: Timestamp) -> Result<(), StoreError> {
        let mut state = self.state();
        let Some(entry) = state.entry(id) else { return Ok(()) };
        let waiting = entry.state == OutboxState::Waiting;
        match delivery {
            Delivery::Done => {
                entry.state = OutboxState::Delivered;
                entry.outgoing.parcel = Parcel::Erased;
                entry.outgoing.last_error = None;
            }
            Delivery::Retry { at, error } if waiting => {
                entry.outgoing.due = at;
                entry.outgoing.attempts += 1;
                entry.outgoing.last_error = Some(error);
                entry.lease = Timestamp::MIN;
            }
            Delivery::Hold { at, why } if waiting => {
                entry.outgoing.due = at;
                entry.outgoing.last_error = Some(why);
                entry.lease = Timestamp::MIN;
            }
            Delivery::Dead { error } if waiting => {
                entry.state = OutboxState::Dead;
                entry.outgoing.attempts += 1;
                entry.outgoing.last_error = Some(error);
            }
            Delivery::Retry { .. } | Delivery::Hold { .. } | Delivery::Dead { .. } => return Ok(()),
        }
        entry.changed = now;
        Ok(())
    }

    async fn outbox(&self, of: OutboxState, limit: u32) -> Result<Vec<Outgoing>, StoreError> {
        let state = self.state();
        let entries = state.outbox.values().filter(|entry| entry.state == of);
        Ok(entries.take(limit as usize).map(|entry| entry.outgoing.clone()).collect())
    }

    async fn behind(&self, lane: &str, id: &str) -> Result<Vec<Outgoing>, StoreError> {
        let state = self.state();
        let waiting = state.outbox.values().filter(|e| e.state == OutboxState::Waiting && e.outgoing.lane == lane);
        Ok(waiting.map(|entry| entry.outgoing.clone()).skip_while(|entry| entry.id != id).skip(1).collect())
    }

    async fn replay(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(entry) = state.entry(id).filter(|entry| entry.state == OutboxState::Dead) else { return Ok(false) };
        entry.revive(now);
        Ok(true)
    }

    async fn submissions(&self, form: Option<&str>, limit: u32) -> Result<Vec<Submission>, StoreError> {
        let state = self.state();
        let of = |s: &&Submission| form.is_none_or(|form| s.form.as_str() == form);
        Ok(state.submissions.values().filter(of).take(limit as usize).cloned().collect())
    }

    async fn note(&self, platform: &chat::Platform, key: &str) -> Result<Option<serde_json::Value>, StoreError> {
        let state = self.state();
        Ok(state.notes.get(&(platform.clone(), key.to_owned())).and_then(|(note, _)| note.value.clone()))
    }

    async fn set_note(&self, note: &chat::Note, now: Timestamp) -> Result<(), StoreError> {
        let mut state = self.state();
        let key = (note.platform.clone(), note.key.clone());
        state.drop_note(&key);
        if note.value.is_some() {
            let owner = note.owner.clone().map(|owner| (note.platform.clone(), owner));
            owner.into_iter().for_each(|owner| state.owners.own(owner, Record::Note(key.1.clone())));
            state.notes.insert(key, (note.clone(), now));
        }
        Ok(())
    }

    async fn erase(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Erasure, StoreError> {
        let mut gone = Erasure::default();
        loop {
            let began = Instant::now();
            if !self.state().erase_some((platform, user), spare, &mut gone) {
                return Ok(gone);
            }
            pace::rest(began).await;
        }
    }

    async fn forget_submissions(&self, form: &FormId, before: Timestamp) -> Result<u64, StoreError> {
        let mut state = self.state();
        let old = |submission: &Submission| submission.form == *form && submission.at < before;
        let old: Vec<u64> = state.submissions.iter().filter(|(_, of)| old(of)).map(|(no, _)| *no).collect();
        let dead = |entry: &Entry| {
            let about = entry.outgoing.parcel.form() == Some(form.as_str());
            about && entry.state == OutboxState::Dead && entry.outgoing.created < before
        };
        let dead: Vec<u64> = state.outbox.iter().filter(|(_, entry)| dead(entry)).map(|(no, _)| *no).collect();
        old.iter().for_each(|no| drop(state.drop_submission(*no)));
        dead.iter().for_each(|no| drop(state.drop_entry(*no)));
        Ok((old.len() + dead.len()) as u64)
    }

    async fn delete(&self, key: &SessionKey) -> Result<bool, StoreError> {
        Ok(self.state().drop_session(key))
    }

    async fn expired(&self, now: Timestamp, limit: u32) -> Result<Vec<SessionKey>, StoreError> {
        let state = self.state();
        let up = state.sessions.iter().filter(|(_, row)| row.expires <= now);
        Ok(up.take(limit as usize).map(|(key, _)| key.clone()).collect())
    }

    async fn sweep(&self, before: Timestamp) -> Result<u64, StoreError> {
        Ok(self.state().sweep(before))
    }

    async fn session_count(&self) -> Result<u64, StoreError> {
        Ok(self.state().sessions.len() as u64)
    }

    async fn keep_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
        answer: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        state.owners.own(of_key(key), Record::Event(key.clone(), event.clone()));
        let calls = state.answers.entry((key.clone(), event.clone())).or_default();
        calls.insert(call.to_owned(), (answer.to_owned(), now));
        Ok(())
    }

    async fn kept_answer(
        &self,
        (key, event): (&SessionKey, &chat::EventId),
        call: &str,
    ) -> Result<Option<String>, StoreError> {
        let state = self.state();
        let calls = state.answers.get(&(key.clone(), event.clone()));
        Ok(calls.and_then(|calls| calls.get(call)).map(|(answer, _)| answer.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::conformance::{Bench, conformance_tests};
    use super::MemoryStore;

    struct Memory(MemoryStore);

    impl Bench for Memory {
        type Store = MemoryStore;

        fn new() -> Self {
            Self(MemoryStore::new())
        }

        fn store(&self) -> &MemoryStore {
            &self.0
        }

        fn reopen(self) -> Self {
            self
        }
    }

    conformance_tests!(Memory);
}
