//! The keys of a form file.

mod common;
mod field;
mod form;
mod hook;
mod listen;
mod parts;
mod settings;
mod tool;

pub(super) use field::{FIELD, KINDS};
pub(super) use form::FORM;
pub(super) use hook::HOOK;
pub(super) use listen::LISTEN;
pub(super) use parts::{CHECK, CONTEXT, FAQ, KEEP, OPTION, PAGE, REVIEW, SINK};
pub(super) use tool::{DEFAULT_FROM, OPTIONS_FROM, OUTPUT, PARAM, SUB_FORM, THEN, TOOL};
