//! What is removed, and no longer anybody's.

use std::collections::BTreeMap;

use formwright_chat as chat;
use jiff::Timestamp;

use super::owners::{Record, of_key, of_session, of_submission};
use super::seen::Seen;
use super::{Entry, State};
use crate::{ErasedSubmission, Erasure, NOTE_LIFE, OutboxState, SessionKey};
use formwright_engine::Submission;

/// Most records of a person that are removed at once.
const PIECE: usize = 200;

impl State {
    pub(super) fn keep_event(&mut self, id: (SessionKey, chat::EventId), seen: Seen) {
        let record = Record::Event(id.0.clone(), id.1.clone());
        let all = seen.owner().into_iter().chain([of_key(&id.0)]);
        all.for_each(|person| self.owners.own(person, record.clone()));
        self.events.insert(id, seen);
    }

    pub(super) fn drop_session(&mut self, key: &SessionKey) -> bool {
        let Some(row) = self.sessions.remove(key) else { return false };
        let record = Record::Session(key.clone());
        of_session(key, &row.packed).iter().for_each(|person| self.owners.disown(person, &record));
        true
    }

    /// Drops an event and what a model answered in its turn; gives how many answers that were.
    fn drop_event(&mut self, id: &(SessionKey, chat::EventId)) -> u64 {
        let record = Record::Event(id.0.clone(), id.1.clone());
        let all = self.events.remove(id).and_then(|seen| seen.owner()).into_iter().chain([of_key(&id.0)]);
        all.for_each(|person| self.owners.disown(&person, &record));
        self.answers.remove(id).map_or(0, |calls| calls.len() as u64)
    }

    pub(super) fn drop_entry(&mut self, no: u64) -> Option<Entry> {
        let entry = self.outbox.remove(&no)?;
        self.owners.disown(&entry.person, &Record::Entry(no));
        Some(entry)
    }

    pub(super) fn drop_submission(&mut self, no: u64) -> Option<Submission> {
        let submission = self.submissions.remove(&no)?;
        of_submission(&submission).iter().for_each(|person| self.owners.disown(person, &Record::Submission(no)));
        Some(submission)
    }

    pub(super) fn drop_note(&mut self, key: &(chat::Platform, String)) -> bool {
        let Some((note, _)) = self.notes.remove(key) else { return false };
        let owner = note.owner.map(|owner| (note.platform, owner));
        owner.iter().for_each(|owner| self.owners.disown(owner, &Record::Note(key.1.clone())));
        true
    }

    /// Removes some records of a person; false where there were none.
    pub(super) fn erase_some(
        &mut self,
        whose: (&chat::Platform, &chat::UserId),
        spare: Option<&SessionKey>,
        gone: &mut Erasure,
    ) -> bool {
        let some = self.owners.some(whose, spare, PIECE);
        for record in &some {
            match record {
                Record::Submission(no) => {
                    let Some(submission) = self.drop_submission(*no) else { continue };
                    gone.counts.submissions += 1;
                    gone.submissions.push(ErasedSubmission::from(submission));
                }
                Record::Entry(no) => match self.drop_entry(*no) {
                    Some(entry) if entry.state == OutboxState::Delivered => gone.counts.outbox += 1,
                    Some(entry) => {
                        let dead = entry.state == OutboxState::Dead;
                        gone.counts.dead_letters += u64::from(dead);
                        gone.counts.outbox += u64::from(!dead);
                        gone.undelivered.insert(entry.outgoing.id);
                    }
                    None => {}
                },
                Record::Note(key) => {
                    gone.counts.notes += u64::from(self.drop_note(&(whose.0.clone(), key.clone())));
                }
                Record::Event(key, id) => {
                    let id = (key.clone(), id.clone());
                    gone.counts.events += u64::from(self.events.contains_key(&id));
                    gone.counts.answers += self.drop_event(&id);
                }
                Record::Session(key) => gone.counts.sessions += u64::from(self.drop_session(key)),
            }
        }
        !some.is_empty()
    }

    /// Forgets what is old; gives how many records.
    pub(super) fn sweep(&mut self, before: Timestamp) -> u64 {
        let old = |seen: &Seen| matches!(seen, Seen::Done { at, .. } if *at < before);
        let events: Vec<_> = self.events.iter().filter(|(_, seen)| old(seen)).map(|(id, _)| id.clone()).collect();
        let old = |entry: &Entry| entry.state == OutboxState::Delivered && entry.changed < before;
        let entries: Vec<u64> = self.outbox.iter().filter(|(_, entry)| old(entry)).map(|(no, _)| *no).collect();
        let old = |(note, at): &(chat::Note, Timestamp)| note.owner.is_some() && *at < before - NOTE_LIFE;
        let notes: Vec<_> = self.notes.iter().filter(|(_, note)| old(note)).map(|(key, _)| key.clone()).collect();
        for id in &events {
            self.drop_event(id);
        }
        for no in &entries {
            self.drop_entry(*no);
        }
        for key in &notes {
            self.drop_note(key);
        }
        let old = |calls: &BTreeMap<String, (String, Timestamp)>| calls.values().all(|(_, at)| *at < before);
        let answers: Vec<_> = self.answers.iter().filter(|(_, calls)| old(calls)).map(|(id, _)| id.clone()).collect();
        for id in answers {
            if self.events.contains_key(&id) {
                self.answers.remove(&id);
            } else {
                self.drop_event(&id);
            }
        }
        (events.len() + entries.len() + notes.len()) as u64
    }
}
