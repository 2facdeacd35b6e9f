//! The keys of a form file.

mod common;
mod field;
mod form;
mod parts;
mod settings;

pub(super) use field::{FIELD, KINDS};
pub(super) use form::FORM;
pub(super) use parts::{CHECK, FAQ, KEEP, OPTION, OPTIONS_FROM, PAGE, SINK, TOOL};
