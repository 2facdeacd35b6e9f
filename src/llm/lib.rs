//! The port for a language model: one call, text in, text out. What is asked and what is believed decides
//! [`formwright_engine`].

pub mod openai;
pub mod recorded;

use std::time::Duration;

use async_trait::async_trait;
use formwright_chat as chat;

use formwright_engine::{CallError, ModelCall};

/// A language model.
#[async_trait]
pub trait Model: Send + Sync {
    /// Asks once, on behalf of a person, and gives the text of the reply as it came.
    ///
    /// Ends within a deadline of the model's own. Attempts inside it (a server that is busy) are its own business.
    ///
    /// # Errors
    /// No reply: the model is down, slow, or may not be asked now. The conversation goes on without it.
    async fn ask(&self, user: &chat::UserId, call: &ModelCall) -> Result<String, CallError>;

    /// Longest time of all calls of one turn; none where nobody waits for them.
    fn deadline(&self) -> Option<Duration> {
        None
    }

    /// Hears what its reply was worth: whether anything could be read in it, after it was asked once more where not.
    ///
    /// A model that answers nothing but nonsense is as good as one that is down.
    fn weighed(&self, _readable: bool) {}

    /// How it is, and what it has cost since the start. Asks nobody.
    fn health(&self) -> chat::ModelHealth {
        chat::ModelHealth::default()
    }
}
