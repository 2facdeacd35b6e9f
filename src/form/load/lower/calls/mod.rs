//! What a form calls: tools, hooks, listeners, and the form that follows.

pub(super) mod hooks;
pub(super) mod listen;
pub(super) mod onward;
pub(super) mod tools;
