//! The words that adapters and the engine share: what comes in ([`Event`]), what goes out ([`Reply`]) and what is
//! drawn ([`Question`], [`Card`], [`Button`]).
//!
//! Deliberately absent: any platform SDK, and any I/O. Of the runtime only the clock is used, by [`pace`]. An adapter
//! translates its platform's payloads into [`Event`]s, hands them to the [`Host`], and renders the [`Reply`]s it gets
//! back.

mod access;
mod adapter_error;
mod brought;
mod bytes;
mod case;
mod chain;
pub mod company;
pub mod conformance;
mod credentials;
mod event;
pub mod fallback;
mod files;
mod host;
mod hours;
mod link;
mod named;
mod one_by_one;
pub mod pace;
mod preview;
mod redacted;
mod reply;
mod screen;
mod seldom;
mod sheet;
mod token;
pub mod unseen;
mod views;
mod wire;
pub mod words;

pub use access::{Access, AccessRule, Asker};
pub use adapter_error::AdapterError;
pub use brought::Brought;
pub use bytes::{bytes_shown, hex};
pub use case::{CaseCode, CaseMark, CaseNews, CaseRequest, Decision, Member, addressed};
pub use chain::chain;
pub use credentials::Credentials;
pub use event::{
    Action, Event, EventId, FileRef, Joined, LocationRef, MessageId, Place, Platform, Press, Pressed, Terms,
    ToolResult, User, UserId,
};
pub use files::file_limits;
pub use host::{
    Adapter, Delivery, DeliveryError, Fault, Host, HostError, Lost, ModelHealth, ModelState, Note, Shutdown, Turn,
    TurnedAway,
};
pub use hours::Hours;
pub use link::{Link, Prefill};
pub use named::{Named, asks_to_be_forgotten, named, no_such_form};
pub use one_by_one::{OneByOne, Queued};
pub use preview::{Preview, loss};
pub use redacted::Redacted;
pub use reply::{
    Answered, Button, ButtonRole, Card, CardRow, Choice, Input, Progress, Question, Rejected, Reply, ReplyId, Source,
    ToolCall,
};
pub use screen::{Screen, Screens};
pub use seldom::Seldom;
pub use sheet::{Filled, Focus, Given, Missing, Sheet, SheetField, SheetKind, SheetOption, SheetView};
pub use token::{Nonce, Token, TokenError};
pub use views::{AnswerView, FormCard, FormWords, SessionView, Shown, Standing};
pub use wire::Wire;
