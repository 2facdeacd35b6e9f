//! What Discord would refuse, told offline: for payloads that nobody sends.

use serde_json::Value;

use super::check::{self, Findings, Kind};

/// What Discord would say about a message; keys that it would ignore count.
pub fn faults(message: &Value) -> Vec<String> {
    let mut found = Findings::of(message, check::REPLY);
    let judged = found.verdict().and_then(|()| check::message(message, Kind::Reply, None, 0, &mut found));
    told(judged, found)
}

/// What Discord would say about a window: the `data` of the answer that opens it.
pub fn window_faults(window: &Value) -> Vec<String> {
    let mut found = Findings::default();
    let judged = check::modal(window, &mut found);
    told(judged, found)
}

fn told(judged: Result<(), super::refusal::Refusal>, found: Findings) -> Vec<String> {
    let unread = found.unread.into_iter().map(|key| format!("{key} is not read"));
    judged.err().map(|refusal| refusal.line()).into_iter().chain(unread).collect()
}
