//! What a form is: data, checked, and pure. Form files are read by `formwright-load`.
//!
//! Deliberately absent: the conversation (that is the engine), files, clocks, randomness and the network.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod catalog;
pub mod choices;
pub mod context;
pub mod cues;
pub mod field;
mod field_no;
mod form;
pub mod hook;
pub mod kind;
pub mod listen;
pub mod logic;
pub mod messages;
pub mod options;
pub mod patterns;
pub mod problem;
mod sink;
pub mod text;
pub mod tool;
pub mod tree;

pub use catalog::Catalog;
pub use choices::{Choices, OptionDef, OptionsFrom};
pub use field::{AnswerSource, Check, Condition, Field, Fill, Judge, Page, Required, Verify};
pub use form::{Faq, File, Form, ModelHints, Optional, Review, Scope};
pub use formwright_chat::Shown;
pub use formwright_values::{FieldId, FormId, FormVersion, OptionId, Path, Seg, SinkId, ToolId, Value, zone};
pub use hook::{Hook, Part, Phase};
pub use kind::Kind;
pub use listen::{Lifecycle, Listen};
pub use sink::Sink;
pub use text::Text;
pub use tool::{Tool, ToolRun};
