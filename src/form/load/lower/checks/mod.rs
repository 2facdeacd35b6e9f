//! What shows only once a form is whole: expressions, examples, and what looks like a mistake.

pub(super) mod connect;
pub(super) mod examples;
pub(super) mod lint;
