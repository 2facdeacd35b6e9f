//! Field kinds and the table of a field.

use super::super::shape::{Kinds, Spec};
use super::{common, settings};
pub(in super::super) use formwright_form::kind::ABOUT as KINDS;

/// `[[field]]`, and `[[field.field]]` in groups and lists.
pub(in super::super) static FIELD: Spec = Spec {
    name: "field",
    keys: &[common::KEYS, common::REST, settings::KEYS],
    kinds: Some(Kinds { all: KINDS, default: None }),
};
