//! Words that announce fields in a sentence.

/// Words that announce a form's fields. Built once per form, when it is first needed.
#[derive(Debug, Default)]
pub struct Cues {}
