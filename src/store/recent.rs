//! The sessions that this process committed last, so that the next turn of a conversation need not read its own again.
//!
//! Such a session may be out of date: another process may have written since. A commit finds that, since it names the
//! version that it comes after.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hashlink::LruCache;

use super::{Commit, Committed, Packed, SessionKey, Stored};

/// Most bytes of sessions, as stored, that are kept in memory; there they take some six times as much.
const MOST: usize = 1024 * 1024;
/// How long one is kept after its last turn: somebody may have been forgotten by another process meanwhile.
const LONGEST: Duration = Duration::from_secs(600);

/// Sessions by key, those used longest ago given up first.
#[derive(Debug)]
pub(super) struct Recent(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    sessions: LruCache<SessionKey, (Stored, Instant)>,
    bytes: usize,
}

impl Default for Recent {
    fn default() -> Self {
        Self(Mutex::new(Kept { sessions: LruCache::new_unbounded(), bytes: 0 }))
    }
}

impl Recent {
    /// A session as this process committed it last; none where that is not known.
    pub(super) fn get(&self, key: &SessionKey) -> Option<Stored> {
        self.kept().sessions.get(key).map(|(stored, _)| stored.clone())
    }

    /// Takes note of how a commit ended; `version` is the session's, where it was written.
    pub(super) fn note(&self, commit: &Commit, ended: Committed, version: u64) {
        match (ended, &commit.session) {
            (Committed::Done, Some(packed)) => self.put(&commit.key, version, packed),
            _ => self.forget(&commit.key),
        }
    }

    fn put(&self, key: &SessionKey, version: u64, packed: &Packed) {
        let bytes = packed.json().len();
        let stored = Stored { version, session: Some(Arc::clone(packed.session())), bytes };
        let mut kept = self.kept();
        kept.bytes += bytes;
        if let Some((before, _)) = kept.sessions.insert(key.clone(), (stored, Instant::now())) {
            kept.bytes -= before.bytes;
        }
        while kept.bytes > MOST || kept.sessions.iter().next().is_some_and(|(_, (_, at))| at.elapsed() > LONGEST) {
            let Some((_, (oldest, _))) = kept.sessions.remove_lru() else { break };
            kept.bytes -= oldest.bytes;
        }
    }

    /// Forgets one that is deleted.
    pub(super) fn forget(&self, key: &SessionKey) {
        let mut kept = self.kept();
        if let Some((before, _)) = kept.sessions.remove(key) {
            kept.bytes -= before.bytes;
        }
    }

    /// Forgets all: somebody's were erased, or another process has worked on them.
    pub(super) fn forget_all(&self) {
        let mut kept = self.kept();
        kept.sessions.clear();
        kept.bytes = 0;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::conformance::{key, session};
    use super::*;

    fn put(recent: &Recent, name: &str, version: u64, letters: usize) {
        let mut session = session(name, "t");
        session.lang = Some("x".repeat(letters));
        recent.put(&key(name), version, &Packed::new(session).unwrap());
    }

    fn version(recent: &Recent, name: &str) -> Option<u64> {
        recent.get(&key(name)).map(|stored| stored.version)
    }

    #[test]
    fn gives_what_was_committed_last() {
        let recent = Recent::default();
        put(&recent, "ann", 1, 0);
        put(&recent, "bob", 7, 0);
        put(&recent, "ann", 2, 0);
        recent.forget(&key("bob"));
        assert_eq!([version(&recent, "ann"), version(&recent, "bob")], [Some(2), None]);
        recent.forget_all();
        assert_eq!(version(&recent, "ann"), None);
    }

    #[test]
    fn gives_up_what_was_used_longest_ago() {
        let recent = Recent::default();
        put(&recent, "ann", 1, MOST / 3);
        put(&recent, "bob", 1, MOST / 3);
        assert_eq!(version(&recent, "ann"), Some(1));
        put(&recent, "joe", 1, MOST / 3);
        assert_eq!(["ann", "bob", "joe"].map(|name| version(&recent, name)), [Some(1), None, Some(1)]);
        put(&recent, "joe", 2, 0);
        put(&recent, "bob", 2, 0);
        assert_eq!(["ann", "bob", "joe"].map(|name| version(&recent, name)), [Some(1), Some(2), Some(2)]);
    }
}
