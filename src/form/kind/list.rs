//! `list`: several of the member field or member group. Its members are the fields whose `parent` it is.

/// Several of the member field or member group. Its members are the fields whose `parent` it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// Least number of items.
    pub min: Option<u32>,
    /// Greatest number of items.
    pub max: Option<u32>,
    /// What one item is called ("expense").
    pub item: Option<crate::form::Text>,
}

super::stub!(List);
