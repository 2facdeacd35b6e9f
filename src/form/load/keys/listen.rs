//! Keys of listeners: who is told what happens to a form.

use super::super::shape::{Key, Shape, Spec};

/// `[[listen]]`.
pub(in super::super) static LISTEN: Spec = Spec {
    name: "listener",
    keys: &[&[
        Key::new(
            "to",
            Shape::Line,
            "Where it is posted: `https://…`, the id of a webhook among the sinks of this file, or `settings.NAME` for a \
             webhook of the settings.",
        )
        .required(),
        Key::new(
            "secret",
            Shape::Line,
            "Beside an address: where the signing secret is, `env:NAME` or `file:PATH`. Left out: not signed.",
        ),
        Key::new("secret_next", Shape::Line, "A second secret, signed with as well while secrets change."),
        Key::new("events", Shape::SomeOf(EVENTS), "What is told. Default: everything."),
    ]],
    kinds: None,
};

const EVENTS: &[(&str, &str)] = &[
    ("started", "the form was begun"),
    ("reopened", "it was cancelled or sent, and is filled in again"),
    ("tool_run", "a tool was run for it"),
    ("changed", "an answer is another one: what it was, what it is, and where it came from"),
    ("validated", "answers were weighed: which were taken, and which were refused for what reason"),
    ("submitted", "it was submitted"),
    ("closed", "it is over: submitted, cancelled, expired, returned to the form that it was for, or dropped"),
];
