//! Field kinds and the table of a field.

use super::super::shape::{Kinds, Spec};
use super::{common, settings};

/// `[[field]]`, and `[[field.field]]` in groups and lists.
pub(in super::super) static FIELD: Spec = Spec {
    name: "field",
    keys: &[common::KEYS, common::REST, settings::KEYS],
    kinds: Some(Kinds { all: KINDS, default: None }),
};

/// Every kind with what it holds, in the order of [`formwright_form::kind::NAMES`].
pub(in super::super) const KINDS: &[(&str, &str)] = &[
    ("text", "a line of words"),
    ("long_text", "several lines of words"),
    ("integer", "a whole number"),
    ("number", "a decimal number"),
    ("money", "an amount in a currency"),
    ("percent", "a percentage"),
    ("yes_no", "yes or no"),
    ("choice", "one of several options"),
    ("choices", "any of several options"),
    ("rating", "points on a scale"),
    ("date", "a calendar day"),
    ("time", "a time of day"),
    ("datetime", "a day and time"),
    ("duration", "a length of time"),
    ("date_range", "first and last day"),
    ("email", "an e-mail address"),
    ("phone", "a telephone number"),
    ("url", "a web address"),
    ("pattern", "words of a given shape"),
    ("person", "a person of the chat platform"),
    ("channel", "a channel of the chat platform"),
    ("file", "uploaded files, or links to files"),
    ("location", "a point on the map with its address"),
    ("address", "a postal address"),
    ("list", "several of a member field, or of a group of member fields"),
    ("group", "fields that belong together"),
    ("note", "text shown, nothing asked"),
    ("computed", "worked out from other answers"),
    ("hidden", "filled by a default, a tool, or with `from_link` by what started the form; never shown"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_describes_every_kind() {
        assert!(KINDS.iter().map(|(name, _)| *name).eq(formwright_form::kind::NAMES.iter().copied()));
    }
}
