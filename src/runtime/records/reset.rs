//! A session is thrown away because its owner wants that; who listens hears that its forms are over.

use crate::turn::work::Work;
use crate::{Runtime, SessionKey, clock, fault};
use formwright_engine::Session;
use formwright_store::{Commit, Committed, StoreError};

/// Most times that it is tried because a turn was faster.
const CONFLICTS: u32 = 16;

impl Runtime {
    /// Deletes a session, and tells who listens to its forms; tells whether there was one.
    pub(crate) async fn throw_away(&self, key: &SessionKey) -> Result<bool, StoreError> {
        for _ in 0..CONFLICTS {
            let stored = match self.store.load(key).await {
                Ok(stored) => stored,
                Err(StoreError::Damaged(_)) => break,
                Err(error) => return Err(error),
            };
            let Some(session) = stored.session else { return Ok(false) };
            match self.end(key, &session, stored.version).await? {
                Committed::Done | Committed::AlreadyMine => return Ok(true),
                Committed::Conflict => {}
                Committed::Stale => break,
            }
        }
        // It cannot be read, or is in other hands: it goes all the same.
        self.store.delete(key).await
    }

    /// Deletes a session as it was loaded, with what is told of that.
    async fn end(&self, key: &SessionKey, session: &Session, version: u64) -> Result<Committed, StoreError> {
        let unready = |error: clock::NoRandomness| StoreError::unavailable(error);
        let now = self.clock.now();
        let nothing = Work::new(Session::new(session.place.clone(), session.owner.clone()));
        let told = self.told(Some(session), &nothing, false).map_err(unready)?;
        let commit = Commit {
            key: key.clone(),
            version,
            event: None,
            merged: Vec::new(),
            turn: clock::nonce().map_err(unready)?.as_str().to_owned(),
            session: None,
            expires: now,
            replies: Vec::new(),
            outbox: self.tellings(key, &told, now),
            submissions: Vec::new(),
            now,
        };
        fault::reached("before-commit");
        let committed = self.store.commit(&commit).await?;
        if matches!(committed, Committed::Done | Committed::AlreadyMine) {
            self.tell_listeners(&told);
            if !commit.outbox.is_empty() {
                self.wake.notify_one();
            }
        }
        Ok(committed)
    }
}
