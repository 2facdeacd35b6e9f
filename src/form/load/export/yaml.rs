//! Writes YAML.

use super::json::exact;
use crate::keys::{FORM, named};
use crate::node::Node;
use crate::syntax::yaml;

/// The form as YAML.
pub(super) fn write(root: &Node) -> String {
    block(&named(root, &FORM, true))
}

/// A tree as YAML. What would be read as something else is written as JSON, which is YAML too.
pub(super) fn block(node: &Node) -> String {
    let value = exact(node);
    let written = serde_saphyr::to_string(&value).unwrap_or_default();
    let mut problems = Vec::new();
    let again = yaml::read(&written, &mut problems);
    if problems.is_empty() && exact(&again) == value {
        return if written.ends_with('\n') { written } else { format!("{written}\n") };
    }
    format!("{}\n", serde_json::to_string_pretty(&value).unwrap_or_default())
}
