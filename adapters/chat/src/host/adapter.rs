//! What the product asks of a platform ([`Adapter`]), and how a delivery ends.

use std::sync::Arc;

use async_trait::async_trait;

use super::Host;
use crate::{AdapterError, Place, Platform, Reply, ReplyId, User, UserId};

/// A platform: receives its events, and delivers replies that do not answer a waiting request.
#[async_trait]
pub trait Adapter: Send + Sync + 'static {
    /// The platform's name, as in [`Place::platform`].
    fn platform(&self) -> Platform;

    /// Whether it can draw several fields as one form: then replies carry [`Reply::page`].
    fn draws_pages(&self) -> bool {
        false
    }

    /// Whether several people may be at one place: there a form may be filled by all of them together.
    fn shares_places(&self) -> bool {
        false
    }

    /// Why nothing is sent until the operator does something, in words for them: the platform refuses the token. None where
    /// all is well. Meanwhile replies wait, and nothing is handed to [`Self::deliver`]; health tells it.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// Whether people at a place would see what is posted there and could answer it: it is there, and the bot is in it.
    ///
    /// # Errors
    /// [`DeliveryError::Never`] says why not, in words for the operator; [`DeliveryError::Later`] that it is not known now.
    async fn reach(&self, _place: &Place) -> Result<(), DeliveryError> {
        Ok(())
    }

    /// A person with all that the platform tells of them. An event may come without: it is stored and acknowledged first,
    /// and this is asked before its turn.
    async fn introduce(&self, user: User) -> User {
        user
    }

    /// Whether it knows the time zones of its people. Where it does not, they are asked once, where an answer hangs on it.
    fn knows_zones(&self) -> bool {
        true
    }

    /// Serves the platform until `shutdown` fires.
    ///
    /// # Errors
    /// [`AdapterError`] when the platform cannot be served.
    async fn run(self: Arc<Self>, host: Arc<dyn Host>, shutdown: Shutdown) -> Result<(), AdapterError>;

    /// Sends a reply outside a request. Replies to one session come one after the other, in order.
    ///
    /// # Errors
    /// See [`DeliveryError`]. What is tried again is the same delivery under the same id.
    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError>;
}

/// A reply on its way to a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The same at every try, so that a platform that knows it need not show it twice.
    pub id: ReplyId,
    /// Where.
    pub place: Place,
    /// To whom.
    pub user: UserId,
    /// What.
    pub reply: Reply,
    /// Tries before this one.
    pub attempt: u32,
    /// A later reply with a question waits behind this one: its own widgets are of no use any more.
    pub overtaken: bool,
}

impl Delivery {
    /// A first try of a reply that no other waits behind.
    pub fn first(id: ReplyId, place: Place, user: UserId, reply: Reply) -> Self {
        Self { id, place, user, reply, attempt: 0, overtaken: false }
    }
}

/// Why a reply did not arrive.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryError {
    /// To be tried again: not before `after`, where the platform said so.
    #[error("{why}")]
    Later {
        /// A sentence for the log, without the reply's words.
        why: String,
        /// How long the platform asks to wait.
        after: Option<std::time::Duration>,
    },
    /// The person takes no messages: they have blocked the bot, closed their direct messages, or never let it in. That is an
    /// answer and no failure: the reply is done with. A bot that is thrown out of a channel is [`Self::Never`].
    #[error("{why}")]
    Unwanted {
        /// A sentence for the log, without the reply's words.
        why: String,
    },
    /// No use in trying again: the chat is gone, the platform takes no such message. It is kept as a dead letter.
    #[error("{why}")]
    Never {
        /// A sentence for the log, without the reply's words.
        why: String,
    },
}

impl DeliveryError {
    /// To be tried again whenever it suits.
    pub fn later(why: impl Into<String>) -> Self {
        Self::Later { why: why.into(), after: None }
    }

    /// The person takes no messages.
    pub fn unwanted(why: impl Into<String>) -> Self {
        Self::Unwanted { why: why.into() }
    }

    /// No use in trying again.
    pub fn never(why: impl Into<String>) -> Self {
        Self::Never { why: why.into() }
    }
}

/// Completes when another replica may do what this one has led so far.
pub type Lost = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// Completes when the process is asked to stop.
pub type Shutdown = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;
