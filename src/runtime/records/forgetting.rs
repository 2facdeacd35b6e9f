//! Forgetting that a command has begun and not finished: kept in the store until it is done, so that the server goes on with
//! what a killed command has left.

use std::sync::Arc;

use formwright_chat as chat;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::forget::{Receipt, Records};
use crate::Runtime;
use formwright_store::{SessionKey, Store, StoreError};

/// Where it is kept: among the notes of no platform there is.
const PLATFORM: &str = "formwright";
const KEY: &str = "forgetting";
/// How long whoever began is left alone with it.
const THEIRS: SignedDuration = SignedDuration::from_mins(1);

/// Somebody who is being forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Begun {
    platform: chat::Platform,
    user: chat::UserId,
    at: Timestamp,
}

/// Notes who is about to be forgotten.
pub(crate) async fn begin(
    store: &dyn Store,
    platforms: &[chat::Platform],
    user: &chat::UserId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut all = begun(store).await?;
    for platform in platforms {
        all.retain(|begun| !begun.is(platform, user));
        all.push(Begun { platform: platform.clone(), user: user.clone(), at });
    }
    keep(store, all, at).await
}

/// Notes that it is done.
pub(crate) async fn end(
    store: &dyn Store,
    platform: &chat::Platform,
    user: &chat::UserId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut all = begun(store).await?;
    all.retain(|begun| !begun.is(platform, user));
    keep(store, all, now).await
}

impl Begun {
    fn is(&self, platform: &chat::Platform, user: &chat::UserId) -> bool {
        self.platform == *platform && self.user == *user
    }
}

async fn begun(store: &dyn Store) -> Result<Vec<Begun>, StoreError> {
    let note = store.note(&chat::Platform::new(PLATFORM), KEY).await?;
    Ok(note.and_then(|note| serde_json::from_value(note).ok()).unwrap_or_default())
}

async fn keep(store: &dyn Store, all: Vec<Begun>, now: Timestamp) -> Result<(), StoreError> {
    let value = (!all.is_empty()).then(|| serde_json::json!(all));
    let note = chat::Note { platform: chat::Platform::new(PLATFORM), key: KEY.to_owned(), owner: None, value };
    store.set_note(&note, now).await
}

impl Runtime {
    /// Goes on with what a command began and did not finish, on one of several replicas.
    ///
    /// # Errors
    /// Where the store fails; it goes on the next time.
    pub async fn go_on_forgetting(self: &Arc<Self>) -> Result<(), StoreError> {
        let left = |begun: &Begun| self.clock.now().duration_since(begun.at) >= THEIRS;
        let left: Vec<Begun> = begun(&*self.store).await?.into_iter().filter(left).collect();
        if left.is_empty() {
            return Ok(());
        }
        if let Some(replicas) = self.store.replicas()
            && !replicas.hold("forgetting").await?
        {
            return Ok(());
        }
        for Begun { platform, user, .. } in left {
            let receipt = self.forget_here(&platform, &user, None).await?;
            let removed = receipt.removed.values().map(formwright_store::Erased::total).sum::<u64>();
            tracing::info!(%platform, removed, "forgetting a person was begun by a command that ended early, and is finished now");
        }
        Ok(())
    }

    /// Forgets somebody on a platform.
    pub(crate) async fn forget_here(
        &self,
        platform: &chat::Platform,
        user: &chat::UserId,
        spare: Option<&SessionKey>,
    ) -> Result<Receipt, StoreError> {
        let (conversation, around) = (self.conversation(), self.around());
        let desks = conversation.desks().into_values().map(|desk| desk.place.platform).collect();
        let records = Records {
            store: &*self.store,
            catalog: conversation.catalog(),
            sinks: &around.sinks,
            opener: &around.opener,
            desks: &desks,
        };
        records.forget(std::slice::from_ref(platform), user, spare, self.clock.now()).await
    }
}
