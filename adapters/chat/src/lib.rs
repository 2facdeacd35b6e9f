//! The words that adapters and the engine share: what comes in ([`Event`]), what goes out ([`Reply`]) and what is
//! drawn ([`Question`], [`Card`], [`Button`]).
//!
//! Deliberately absent: any platform SDK, and any I/O. Of the runtime only the clock is used, by [`pace`]. An adapter
//! translates its platform's payloads into [`Event`]s, hands them to the [`Host`], and renders the [`Reply`]s it gets
//! back.

mod access;
pub mod company;
pub mod conformance;
mod host;
mod hours;
mod protocol;
mod screen;
mod text;
mod traffic;
mod wire;

pub use access::{Access, AccessRule, Asker};
pub use host::adapter::{Adapter, Delivery, DeliveryError, Lost, Shutdown};
pub use host::adapter_error::AdapterError;
pub use host::chain::chain;
pub use host::preview::{Preview, loss};
pub use host::{Fault, Host, HostError, ModelHealth, ModelState, Note, Turn, TurnedAway};
pub use hours::Hours;
pub use protocol::brought::Brought;
pub use protocol::card::{Card, CardRow, Source};
pub use protocol::case::{CaseCode, CaseMark, CaseNews, CaseRequest, Decision, Member, addressed};
pub use protocol::event::{Action, Event, FileRef, Joined, LocationRef, Press, Pressed, Terms, ToolResult};
pub use protocol::link::{Link, Prefill};
pub use protocol::place::{EventId, MessageId, Place, Platform, User, UserId};
pub use protocol::redacted::Redacted;
pub use protocol::reply::{
    Answered, Button, ButtonRole, Choice, Input, Progress, Question, Rejected, Reply, ReplyId, ToolCall,
};
pub use protocol::sheet::{Filled, Focus, Given, Missing, Sheet, SheetField, SheetKind, SheetOption, SheetView};
pub use protocol::token::{Nonce, Token, TokenError};
pub use protocol::views::{AnswerView, FormCard, FormFile, FormWords, SessionView, Shown, Standing};
pub use screen::{Screen, Screens};
pub use text::bytes::{bytes_shown, hex};
pub use text::files::file_limits;
pub use text::named::{Named, asks_to_be_forgotten, named, no_such_form};
pub use text::{fallback, unseen, words};
pub use traffic::credentials::Credentials;
pub use traffic::one_by_one::{OneByOne, Queued};
pub use traffic::pace;
pub use traffic::seldom::Seldom;
pub use wire::Wire;
