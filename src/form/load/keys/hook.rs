//! Keys of hooks: tools in the place of phases.

use super::super::shape::{Key, Shape, Spec};

/// `[[hook]]`.
pub(in super::super) static HOOK: Spec = Spec {
    name: "hook",
    keys: &[&[
        Key::new("phase", Shape::OneOf(PHASES), "Which phase the tool takes into its hands.").required(),
        Key::new(
            "tool",
            Shape::Name,
            "The tool. Without `params` it is told where the conversation stands: `phase`, `form`, `state`, `message`, \
             `lang`, `answers`, `missing`, `invalid`, `before`, and `given` or `say`. It may be asked more than once, so \
             it must do nothing but tell.",
        )
        .required(),
        Key::new("part", Shape::OneOf(PARTS), "Of `message` only: when. Default: always."),
        Key::new("fail", Shape::OneOf(FAIL), "What happens where the tool fails. Default: `open`."),
        Key::new("sensitive", Shape::Truth, "Whether the tool is told sensitive answers too. Default: false."),
    ]],
    kinds: None,
};

const PHASES: &[(&str, &str)] = &[
    ("stop", "whether a message leaves the form: `{\"stop\": true}`"),
    ("extract", "which values are in a message: `{\"values\": {\"size\": \"large\"}}`"),
    (
        "sanitize",
        "values put right before they are checked; those understood are in `given`: `{\"values\": {…}}`. What is left out \
         stays as it was, `null` takes it out",
    ),
    (
        "validate",
        "whether the answers go together: `{\"errors\": [{\"field\": \"until\", \"text\": \"We close at ten.\"}]}`; an error \
         without a field is about all of them; `values` puts answers in",
    ),
    ("next", "what is asked next, and what is not asked at all: `{\"ask\": \"vat\", \"leave_out\": [\"birthday\"]}`"),
    (
        "confirm",
        "whether the answers are looked over, `{\"needed\": false}`, and whether the words at the review confirm them, \
         `{\"confirmed\": true}`",
    ),
    (
        "submit",
        "what is done when everything is confirmed, before the form is sent: the same as the form's `run`; without params \
         it is told where the conversation stands, as the others are",
    ),
    ("message", "what is said; the paragraphs are in `say`, what is asked stands last: `{\"say\": [\"…\"]}`"),
];

const PARTS: &[(&str, &str)] = &[
    ("start", "when the form begins"),
    ("incomplete", "while something is asked"),
    ("confirm", "at the review"),
    ("closed", "when the form was sent or dropped"),
];

const FAIL: &[(&str, &str)] =
    &[("open", "the form goes its usual way"), ("closed", "the person is told so, and nothing is changed")];
