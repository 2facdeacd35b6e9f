//! The owners of records.

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat as chat;

use crate::records::whose;
use crate::records::whose::givers;
use crate::{Packed, SessionKey};
use formwright_engine::Submission;

/// A platform and a user on it.
pub(super) type Person = (chat::Platform, chat::UserId);

/// A record, by where it is kept; in the order in which a person's are removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Record {
    Submission(u64),
    Entry(u64),
    Note(String),
    Event(SessionKey, chat::EventId),
    Session(SessionKey),
}

/// The records of every person.
#[derive(Debug, Default)]
pub(super) struct Owners(BTreeMap<Person, BTreeSet<Record>>);

impl Owners {
    pub(super) fn own(&mut self, person: Person, record: Record) {
        if !person.1.as_str().is_empty() {
            self.0.entry(person).or_default().insert(record);
        }
    }

    pub(super) fn disown(&mut self, person: &Person, record: &Record) {
        let Some(records) = self.0.get_mut(person) else { return };
        records.remove(record);
        if records.is_empty() {
            self.0.remove(person);
        }
    }

    /// Some records of whoever is meant, without those of a session that is spared.
    pub(super) fn some(
        &self,
        (platform, user): (&chat::Platform, &chat::UserId),
        spare: Option<&SessionKey>,
        most: usize,
    ) -> Vec<Record> {
        let person = |user: String| (platform.clone(), chat::UserId::new(user));
        let meant = whose::ranges(user.as_str()).into_iter();
        let meant = meant.flat_map(|(from, to)| self.0.range(person(from)..=person(to)));
        let spared = |record: &&Record| match record {
            Record::Event(key, _) | Record::Session(key) => spare == Some(key),
            Record::Submission(_) | Record::Entry(_) | Record::Note(_) => false,
        };
        meant.flat_map(|(_, records)| records).filter(|record| !spared(record)).take(most).cloned().collect()
    }
}

/// The person that a key names.
pub(super) fn of_key(key: &SessionKey) -> Person {
    let (platform, user) = key.person();
    (chat::Platform::new(platform), chat::UserId::new(user))
}

/// Everybody in a session.
pub(super) fn of_session(key: &SessionKey, packed: &Packed) -> BTreeSet<Person> {
    let (named, session) = (of_key(key), packed.session());
    let givers = givers(packed.json()).into_iter().map(|user| (named.0.clone(), chat::UserId::new(user)));
    let owner = (session.place.platform.clone(), session.owner.clone());
    givers.chain([named.clone(), owner]).collect()
}

/// Everybody in a submission.
pub(super) fn of_submission(submission: &Submission) -> BTreeSet<Person> {
    let givers = submission.provenance.iter().filter_map(|answer| answer.by.as_ref());
    let all = givers.chain([&submission.user]);
    all.map(|user| (submission.place.platform.clone(), user.clone())).collect()
}
