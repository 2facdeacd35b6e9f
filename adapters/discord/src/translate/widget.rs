//! A component that was used.

use formwright_chat::Wire;

/// A component that was used.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Widget {
    /// Its id; none where this adapter never wrote that.
    pub(crate) wire: Option<Wire>,
    /// A button, or some kind of select.
    pub(crate) kind: u64,
    /// What was picked in a select. People and channels are spelled as mentions with names.
    pub(crate) values: Vec<String>,
    /// All options of a select as it was shown.
    pub(crate) shown: Vec<String>,
    /// The message it is in.
    pub(crate) message: Option<String>,
}
