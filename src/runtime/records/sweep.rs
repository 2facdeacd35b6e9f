//! What time does: drafts expire with a notice, old records are forgotten, forgotten events are taken up again.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use crate::Runtime;
use crate::turn::{Cause, Turn};
use formwright_form::kind::phone::plans;
use formwright_store::StoreError;

/// How often accepted events without a turn are looked for: those whose turn failed while the store was away.
const TAKE_UP: Duration = Duration::from_secs(30);
/// How many passes of [`TAKE_UP`] between two looks at what has expired, and at what is old.
const EXPIRE_EVERY: u32 = 2;
const FORGET_EVERY: u32 = 120;
/// In which of these passes, counted from a start or [`FORGET_EVERY`] on, old keys are replaced: not in the first, so that
/// replicas that lack the new one have learnt of it.
const RESEAL_AT: u32 = 4;
const AT_ONCE: u32 = 1000;

impl Runtime {
    pub(crate) async fn sweep_regularly(self: Arc<Self>) {
        let mut pass = 0_u32;
        // Reading the forms asked for the plans; from here on somebody's number does.
        plans::put_away();
        loop {
            plans::put_away();
            self.rate.forget_idle(self.clock.now());
            self.troubled.forget_old();
            let swept = async {
                self.take_up_open_events().await?;
                self.store.rest().await?;
                if pass.is_multiple_of(EXPIRE_EVERY) {
                    self.expire().await?;
                }
                if pass.is_multiple_of(FORGET_EVERY) {
                    self.forget().await?;
                    let runtime = Arc::clone(&self);
                    tokio::spawn(async move {
                        if let Err(error) = runtime.go_on_forgetting().await {
                            tracing::warn!(
                                error = %formwright_chat::chain(&error),
                                "forgetting that was begun could not be finished yet"
                            );
                        }
                    });
                }
                if pass % FORGET_EVERY == RESEAL_AT {
                    self.reseal().await?;
                }
                Ok::<_, StoreError>(())
            };
            if let Err(error) = swept.await {
                tracing::warn!(error = %formwright_chat::chain(&error), "the store could not be swept");
            }
            pass = pass.wrapping_add(1);
            tokio::time::sleep(TAKE_UP).await;
        }
    }

    /// Runs the turns of accepted events that have none: after a restart, or once the store is back.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn take_up_open_events(self: &Arc<Self>) -> Result<(), StoreError> {
        for event in self.store.open_events(AT_ONCE).await? {
            self.take_up_event(event);
        }
        Ok(())
    }

    /// Ends sessions whose time is up, each by a turn that tells the person.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn expire(self: &Arc<Self>) -> Result<(), StoreError> {
        for key in self.store.expired(self.clock.now(), AT_ONCE).await? {
            let session = match self.store.load(&key).await {
                Ok(stored) => stored.session,
                Err(StoreError::Damaged(why)) => {
                    tracing::error!(
                        why = %formwright_chat::chain(&why),
                        "a damaged session has expired and was thrown away"
                    );
                    self.store.delete(&key).await?;
                    None
                }
                // Whoever has its key ends it.
                Err(error @ StoreError::Sealed(_)) => {
                    tracing::error!(
                        error = %formwright_chat::chain(&error),
                        "a session that has expired cannot be read"
                    );
                    None
                }
                Err(error) => return Err(error),
            };
            let Some(session) = session else { continue };
            let (place, user) = (session.place.clone(), session.owner.clone());
            self.post_quietly(Turn { key, place, user, cause: Cause::Expired });
        }
        Ok(())
    }

    /// Forgets seen events and deliveries that were kept long enough, and submissions that their form keeps no longer.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub async fn forget(&self) -> Result<u64, StoreError> {
        let swept = self.store.sweep(self.clock.now() - self.around().kept.replies).await?;
        Ok(swept + self.forget_submissions().await?)
    }

    /// Seals anew what older keys have sealed, on one of several replicas, and tells which of the keys are still needed.
    async fn reseal(&self) -> Result<(), StoreError> {
        if let Some(replicas) = self.store.replicas()
            && !replicas.hold("reseal").await?
        {
            return Ok(());
        }
        self.store.reseal().await?.lines().iter().for_each(|line| tracing::info!("{line}"));
        Ok(())
    }

    /// Forgets submissions of the forms that say how long theirs are kept.
    async fn forget_submissions(&self) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        for form in self.catalog().forms() {
            let kept = form.keep_submissions.and_then(|seconds| i64::try_from(seconds).ok());
            // What goes back before all time is kept for ever.
            let before = kept.and_then(|kept| self.clock.now().checked_sub(SignedDuration::from_secs(kept)).ok());
            if let Some(before) = before {
                forgotten += self.store.forget_submissions(&form.id, before).await?;
            }
        }
        Ok(forgotten)
    }
}
