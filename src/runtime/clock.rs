//! Time and randomness, which the engine is given and never looks up.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat as chat;
use jiff::Timestamp;

/// What time it is: the machine's, or a test's.
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    waits: bool,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self { now: Arc::new(Timestamp::now), waits: true }
    }

    /// A clock of one's own. It moves when its maker wants, so that nobody waits for it.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { now: Arc::new(now), waits: false }
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// Waits before a retry.
    pub(super) async fn pause(&self, pause: Duration) {
        if self.waits {
            tokio::time::sleep(pause).await;
        } else {
            tokio::task::yield_now().await;
        }
    }
}

/// The system gave no randomness: ids would not be unguessable.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the system gives no randomness: {0}")]
pub(super) struct NoRandomness(#[source] getrandom::Error);

/// 128 fresh random bits.
pub(super) fn random() -> Result<u128, NoRandomness> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(u128::from_le_bytes(bytes))
}

/// A fresh screen name.
pub(super) fn nonce() -> Result<chat::Nonce, NoRandomness> {
    random().map(chat::Nonce::new)
}
