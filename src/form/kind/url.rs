//! `url`: a web address.

/// A web address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Url {
    /// Hosts taken; empty takes all.
    pub hosts: Vec<String>,
}

super::stub!(Url);
