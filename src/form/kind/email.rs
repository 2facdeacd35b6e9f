//! `email`: an e-mail address.

/// An e-mail address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Email {
    /// Domains taken; empty takes all.
    pub domains: Vec<String>,
}

super::stub!(Email);
