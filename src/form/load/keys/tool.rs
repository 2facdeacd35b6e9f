//! Keys of tools, of what goes into them and of what comes out.

use super::super::shape::{Key, Kinds, Shape, Spec};
use super::{common, settings};

/// A table in `options_from`.
pub(in super::super) static OPTIONS_FROM: Spec = Spec {
    name: "options_from",
    keys: &[&[
        Key::new("tool", Shape::Name, "The tool whose rows are the options.").required(),
        Key::new("at", Shape::Line, "Dotted path to the list in the tool's result. Default: the only list there is."),
        Key::new(
            "row",
            Shape::Expr,
            "The field that has picked a row of the same tool: the options are a list in that row, and `at` a path in it.",
        ),
        Key::new(
            "id",
            Shape::Line,
            "Key of what is stored. Default: `id`, `key`, `code`, `value`, the only one such as `branch_code` or `branchNo`, or the label in the form's first language.",
        ),
        Key::new(
            "label",
            Shape::Line,
            "Key of what people read. Default: `label`, `name`, `title` and their like, by language.",
        ),
    ]],
    kinds: None,
};

/// A table in `default_from`.
pub(in super::super) static DEFAULT_FROM: Spec = Spec {
    name: "default_from",
    keys: &[&[
        Key::new("tool", Shape::Name, "The tool that brings the value.").required(),
        Key::new("output", Shape::FieldName, "Which of its outputs. Default: the one of the field's own name."),
    ]],
    kinds: None,
};

/// `form` of a field, where it is a table.
pub(in super::super) static SUB_FORM: Spec = Spec {
    name: "sub_form",
    keys: &[&[
        Key::new("form", Shape::Name, "The form that is filled in.").required(),
        Key::new(
            "gives",
            Shape::Names,
            "Which fields take which of its answers, the field here first: `{ plate = \"number\" }`. Default: those of \
             the same ids.",
        ),
    ]],
    kinds: None,
};

/// `[[tool]]`.
pub(in super::super) static TOOL: Spec = Spec {
    name: "tool",
    keys: &[&[
        Key::new("id", Shape::Name, "Name that fields use.").required(),
        Key::new("description", Shape::Text, "What it does."),
        Key::new("message", Shape::Text, "Said while it runs."),
        Key::new("kind", Shape::OneOf(TOOL_KINDS), "How it runs. Default: `data`."),
        Key::new(
            "params",
            Shape::Exprs,
            "Arguments: expressions over the answers. It is called once all are known, and again when one changes.",
        ),
        Key::new(
            "param",
            Shape::Tables(&PARAM),
            "Arguments that the person is asked for: each is a field of the form. `params` and these go together.",
        )
        .or("slots"),
        Key::new("rows", Shape::Rows, "The rows it gives.").of(&["data"]),
        Key::new("keep", Shape::Expr, "Which rows are kept; `row` is the row, and the params go by their names.")
            .of(&["data", "client"]),
        Key::new(
            "fallback",
            Shape::Rows,
            "Rows used where no client runs the tool: on other platforms, or where the client has none.",
        )
        .of(&["client"]),
        Key::new(
            "url",
            Shape::Line,
            "Where it is asked: `https://parcels.example/v1/parcels/{number}`. A param in braces is put in as one part of \
             the path. The operator's settings list the hosts that may be called.",
        )
        .of(&["http"])
        .required(),
        Key::new("method", Shape::OneOf(METHODS), "How it is asked. Default: `get`.").of(&["http"]),
        Key::new("command", Shape::Name, "Which program: a name that the operator's settings give it.")
            .of(&["command"])
            .required(),
        Key::new(
            "output",
            Shape::Tables(&OUTPUT),
            "What is read out of the result. Nothing else of it is kept, but for the rows of options.",
        )
        .or("outputs"),
        Key::new(
            "is_complete",
            Shape::Expr,
            "What must hold of outputs and params (`status != 'unknown'`); otherwise the call has failed.",
        ),
        Key::new(
            "refusal",
            Shape::Line,
            "Dotted path to words for the person, where it refuses or `is_complete` does not hold: `error.message`.",
        )
        .of(OUTSIDE),
        Key::new(
            "retries",
            Shape::Whole(0, 5),
            "How often it is tried again after a failure that may pass: no answer, too busy. Default: 1.",
        )
        .of(&["http", "command", "function"]),
        Key::new(
            "fresh",
            Shape::Length,
            "A result older than this is asked for again: `10m`. Default: it serves as long as the draft.",
        )
        .of(OUTSIDE),
        Key::new("shared", Shape::Truth, "Whether one result serves everybody, rather than each person. Default: false.")
            .of(&["http", "command", "function"]),
        Key::new(
            "answer",
            Shape::Text,
            "Said when it has run, with its outputs and params: \"Your parcel is {{ status }}.\"",
        ),
        Key::new("then", Shape::Table(&THEN), "The form that begins with what it gave, where the tool is the `run` of a form."),
    ]],
    kinds: Some(Kinds { all: TOOL_KINDS, default: Some("data") }),
};

const TOOL_KINDS: &[(&str, &str)] = &[
    ("data", "rows in this file"),
    ("client", "run by the program that talks to the API; elsewhere the fallback rows serve"),
    ("function", "a function registered in Rust under the tool's id"),
    ("http", "asked of a server that the operator allows"),
    ("command", "a program that the operator names; JSON goes in and comes out"),
];

/// Kinds that run outside of the form file.
const OUTSIDE: &[&str] = &["client", "function", "http", "command"];

const METHODS: &[(&str, &str)] = &[
    ("get", "the other params are the query"),
    ("post", "the other params are the body, as JSON"),
    ("put", "as `post`"),
];

/// A table in `param`: a field with a few keys more.
pub(in super::super) static PARAM: Spec =
    Spec { name: "param", keys: &[PARAM_KEYS, common::REST, settings::KEYS], kinds: None };

const PARAM_KEYS: &[Key] = &[
    Key::new("id", Shape::FieldName, "Name of the param. A field of this name serves as it is.").required(),
    Key::new("kind", Shape::Any, "What it holds, as of a field. Default: `text`.").or("type"),
    Key::new("value", Shape::Expr, "An expression that gives it; then nobody is asked."),
    Key::new("prompt", Shape::Texts, "The same as `ask`."),
    Key::new("description", Shape::Text, "The same as `help`."),
    Key::new("enum", Shape::Any, "The same as `options`."),
    Key::new("items", Shape::Any, "What a list holds: the same as `of`, or params of their own."),
    Key::new("verified", Shape::Truth, "`false` is the same as `verify = true`."),
];

/// A table in `output`.
pub(in super::super) static OUTPUT: Spec = Spec {
    name: "output",
    keys: &[&[
        Key::new("id", Shape::FieldName, "Name that fields, texts and `is_complete` use.").or("name").required(),
        Key::new(
            "at",
            Shape::Line,
            "Dotted path to it in the result: `data.status`. A number picks from a list; a name is looked up in the \
             list's first row; `.` is the whole result. Default: its name.",
        ),
        Key::new(
            "kind",
            Shape::OneOf(OUTPUTS),
            "What it is; a result with something else has failed. Default: `text`.",
        )
        .or("type"),
        Key::new("required", Shape::Truth, "Whether the call has failed without it. Default: true."),
    ]],
    kinds: None,
};

/// What an output can be.
const OUTPUTS: &[(&str, &str)] = &[
    ("text", "words"),
    ("long_text", "words with line ends"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("percent", "a percentage"),
    ("yes_no", "`true` or `false`"),
    ("choice", "the id of an option"),
    ("choices", "a list of ids of options"),
    ("date", "a day, `2026-03-01`"),
    ("time", "a time, `18:30`"),
    ("datetime", "a moment, `2026-03-01T18:30:00+01:00`"),
    ("duration", "seconds"),
    ("email", "an e-mail address"),
    ("phone", "a telephone number with its country"),
    ("url", "a web address"),
    ("location", "`{ \"lat\": …, \"lng\": …, \"address\": … }`"),
    ("address", "a postal address in one text"),
];

/// A table in `then`.
pub(in super::super) static THEN: Spec = Spec {
    name: "then",
    keys: &[&[
        Key::new("form", Shape::Name, "The form that begins.").required(),
        Key::new(
            "with",
            Shape::Names,
            "Which of its fields are filled with which answer, or, of a tool, with which output or param: `{ parcel = \"number\" }`.",
        ),
    ]],
    kinds: None,
};
