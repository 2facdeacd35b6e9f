//! Keys that fields of most kinds take.

use super::super::shape::{Key, Shape};
use super::{CHECK, KINDS};

/// Kinds whose value comes from the person.
const ASKED: &[&str] = &[
    "text",
    "long_text",
    "integer",
    "number",
    "money",
    "percent",
    "yes_no",
    "choice",
    "choices",
    "rating",
    "date",
    "time",
    "datetime",
    "duration",
    "date_range",
    "email",
    "phone",
    "url",
    "pattern",
    "person",
    "channel",
    "file",
    "location",
    "address",
];

/// [`ASKED`], `list` and `group`.
const ANSWERED: &[&str] = &[
    "text",
    "long_text",
    "integer",
    "number",
    "money",
    "percent",
    "yes_no",
    "choice",
    "choices",
    "rating",
    "date",
    "time",
    "datetime",
    "duration",
    "date_range",
    "email",
    "phone",
    "url",
    "pattern",
    "person",
    "channel",
    "file",
    "location",
    "address",
    "list",
    "group",
];

/// [`ASKED`], `list` and `computed`: whatever holds a value that can be wrong.
const CHECKED: &[&str] = &[
    "text",
    "long_text",
    "integer",
    "number",
    "money",
    "percent",
    "yes_no",
    "choice",
    "choices",
    "rating",
    "date",
    "time",
    "datetime",
    "duration",
    "date_range",
    "email",
    "phone",
    "url",
    "pattern",
    "person",
    "channel",
    "file",
    "location",
    "address",
    "list",
    "computed",
];

/// [`ASKED`] and `hidden`: whatever can be filled beforehand.
const FILLED: &[&str] = &[
    "text",
    "long_text",
    "integer",
    "number",
    "money",
    "percent",
    "yes_no",
    "choice",
    "choices",
    "rating",
    "date",
    "time",
    "datetime",
    "duration",
    "date_range",
    "email",
    "phone",
    "url",
    "pattern",
    "person",
    "channel",
    "file",
    "location",
    "address",
    "hidden",
];

/// Whatever has words to be read in.
const WORDED: &[&str] = &["text", "long_text", "pattern", "address"];

pub(super) static KEYS: &[Key] = &[
    Key::new(
        "id",
        Shape::FieldName,
        "Permanent name of the field. Expressions and submissions use it; never change it.",
    )
    .required(),
    Key::new("kind", Shape::OneOf(KINDS), "What the field holds.").required(),
    Key::new("label", Shape::Text, "Short name for people. Default: the id as words."),
    Key::new(
        "ask",
        Shape::Texts,
        "The question. Several: one for each attempt, so that no question comes twice in the same words. Of a note: its text.",
    ),
    Key::new("help", Shape::Text, "Said when the person asks for help with this field."),
    Key::new("why", Shape::Text, "Said when the person asks why this is needed.").of(ANSWERED),
    Key::new("examples", Shape::Texts, "Answers as people would write them.").of(ASKED).or("example"),
    Key::new("cues", Shape::Texts, "Words that announce this field in a sentence: \"deliver to\", \"my number is\".")
        .of(ANSWERED),
    Key::new("required", Shape::Truth, "Whether an answer is needed. Default: true.").of(ANSWERED),
    Key::new("required_when", Shape::Expr, "An answer is needed while this holds; otherwise it is offered once.")
        .of(ANSWERED),
    Key::new("show_when", Shape::Expr, "The field is left out while this does not hold, or cannot be told yet."),
    Key::new("check", Shape::Tables(&CHECK), "What must hold of the answer, with what to say otherwise.")
        .or("checks")
        .of(CHECKED),
    Key::new("fill", Shape::OneOf(FILLS), "From where it may be filled. Default: `any`.").of(ASKED),
    Key::new("default", Shape::Any, "Filled beforehand; the person sees it at the review and may change it.")
        .of(FILLED),
    Key::new("default_from", Shape::Expr, "As `default`, worked out from other answers.").of(FILLED),
    Key::new("fixed", Shape::Any, "Always this value: never asked, cannot be changed.").of(FILLED),
    Key::new("value", Shape::Expr, "What it is worked out from, whenever one of them changes.")
        .of(&["computed"])
        .required(),
    Key::new(
        "sensitive",
        Shape::Truth,
        "Masked in reviews, and kept from models, logs and public channels. Default: false.",
    )
    .of(FILLED),
    Key::new("guidance", Shape::Text, "Advice for a model's wording. It never decides anything.").of(ANSWERED),
    Key::new("judge", Shape::Text, "What a good answer is, judged by a model where there is one.").of(WORDED),
    Key::new(
        "verify",
        Shape::Truth,
        "Read back once (\"you said X, right?\") when it was read out of a sentence. Default: false.",
    )
    .of(ASKED),
    Key::new("page", Shape::Name, "The step it belongs to. Default: that of the field before."),
];

const FILLS: &[(&str, &str)] = &[
    ("any", "from any message"),
    ("asked", "from words only when it was asked"),
    ("widget", "from its widget or its exact option only"),
];
