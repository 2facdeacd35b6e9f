//! How keys are named: 64 partitions, each with one hash tag. Names are digests without a key: they tell nobody's name, but
//! whoever has a dump and guesses a person's id can see whether there is something of theirs.

use formwright_chat as chat;
use sha2::{Digest as _, Sha256};

use crate::SessionKey;
use crate::records::whose::givers;
use crate::replicas::Partition;

/// Number of partitions. It is part of what is stored: never change it.
pub(super) const PARTITIONS: u16 = 64;

/// All partitions, in order.
pub(super) fn all() -> impl Iterator<Item = Partition> {
    (0..PARTITIONS).map(Partition)
}

/// A short name for something: 32 hexadecimal digits that do not tell what it is. Parts are length-prefixed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Digest(String);

impl Digest {
    pub(super) fn of(parts: &[&str]) -> Self {
        let mut sum = Sha256::new();
        for part in parts {
            sum.update((part.len() as u64).to_le_bytes());
            sum.update(part.as_bytes());
        }
        Self(chat::hex(&sum.finalize()[..16]))
    }

    pub(super) fn session(key: &SessionKey) -> Self {
        Self::of(&["session", key.as_str()])
    }

    pub(super) fn event(id: &chat::EventId) -> Self {
        Self::of(&["event", id.as_str()])
    }

    pub(super) fn turn(id: &str) -> Self {
        Self::of(&["turn", id])
    }

    pub(super) fn note(platform: &chat::Platform, key: &str) -> Self {
        Self::of(&["note", platform.as_str(), key])
    }

    pub(super) fn entry(id: &str) -> Self {
        Self::of(&["entry", id])
    }

    pub(super) fn lane(name: &str) -> Self {
        Self::of(&["lane", name])
    }

    pub(super) fn submission(id: &str, revision: u32) -> Self {
        Self::of(&["submission", id, &revision.to_string()])
    }

    /// A person; empty where it is nobody.
    pub(super) fn person((platform, user): (&str, &str)) -> Self {
        if user.is_empty() { Self(String::new()) } else { Self::of(&["person", platform, user]) }
    }

    /// A digest that is written out.
    pub(super) fn named(hex: &str) -> Option<Self> {
        (hex.len() == 32 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| Self(hex.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The partition of what has this name.
    pub(super) fn partition(&self) -> Partition {
        let head = self.0.get(..4).and_then(|head| u16::from_str_radix(head, 16).ok());
        Partition(head.unwrap_or_default() % PARTITIONS)
    }
}

/// The beginning of all key names of one installation.
#[derive(Clone, Debug)]
pub(super) struct Names {
    prefix: String,
}

impl Names {
    pub(super) fn new(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    /// The common beginning of a partition's keys, with its hash tag.
    pub(super) fn partition(&self, partition: Partition) -> String {
        format!("{}:{{{:02}}}:", self.prefix, partition.0)
    }

    /// The common beginning of all keys.
    pub(super) fn all(&self) -> String {
        format!("{}:", self.prefix)
    }

    /// Whether everybody who belongs to a client of the API is noted.
    pub(super) fn clients(&self) -> String {
        format!("{}:clients", self.prefix)
    }

    /// The set of living replicas.
    pub(super) fn replicas(&self) -> String {
        format!("{}:replicas", self.prefix)
    }

    /// Which forms each replica serves.
    pub(super) fn forms(&self) -> String {
        format!("{}:forms", self.prefix)
    }

    /// A lease under a name.
    pub(super) fn hold(&self, name: &str) -> String {
        format!("{}:hold:{}", self.prefix, Digest::of(&["hold", name]).as_str())
    }

    /// Marks of the keys that seal what is kept.
    pub(super) fn marks(&self) -> String {
        format!("{}:keys", self.prefix)
    }

    /// Where it is told that a partition has new events.
    pub(super) fn news(&self) -> String {
        format!("{}:news", self.prefix)
    }

    /// Where it is told that turns were committed.
    pub(super) fn done(&self) -> String {
        format!("{}:done", self.prefix)
    }

    /// The number of replicas that the server was seen to have. It goes an hour after the last was seen.
    pub(super) fn replicated(&self) -> String {
        format!("{}:replicated", self.prefix)
    }

    /// The name that a Redis gets when it is first used.
    pub(super) fn installation(&self) -> String {
        format!("{}:installation", self.prefix)
    }

    /// Written just before it is asked whether all that was written is safe.
    pub(super) fn settled(&self, no: u16) -> String {
        format!("{}:{{{no:02}}}:settled", self.prefix)
    }
}

/// The people in a session or a submission, as digests one after the other: who owns it and who gave an answer.
pub(super) fn people<'a>(platform: &str, owners: impl IntoIterator<Item = &'a str>, json: &str) -> String {
    let mut users: Vec<String> = owners.into_iter().filter(|user| !user.is_empty()).map(str::to_owned).collect();
    users.extend(givers(json));
    users.sort();
    users.dedup();
    users.iter().map(|user| Digest::person((platform, user)).0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_partition_of_a_key_never_changes() {
        let key = SessionKey::named("3:web0:2:c10:3:ann").unwrap();
        assert_eq!(Digest::session(&key).partition(), Partition(13));
        let names = Names::new("fw");
        assert_eq!(names.partition(Partition(7)), "fw:{07}:");
    }
}
