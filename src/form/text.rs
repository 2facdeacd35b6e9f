//! Texts in forms: by language, with minijinja templates in them.

use std::collections::BTreeMap;

/// A text as the author wrote it, in one or several languages, its templates compiled.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// By language tag; `""` is the form's own language where the author wrote one text only.
    pub by_lang: BTreeMap<String, String>,
}
