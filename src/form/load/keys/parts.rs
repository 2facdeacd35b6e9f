//! Keys of the smaller tables: questions and answers, pages, options, checks and sinks.

use super::super::shape::{Key, Kinds, Shape, Spec};

/// `[[faq]]`.
pub(in super::super) static FAQ: Spec = Spec {
    name: "faq",
    keys: &[&[
        Key::new("question", Shape::Texts, "The question, in one or several wordings.").or("questions").required(),
        Key::new("answer", Shape::Text, "The answer.").required(),
    ]],
    kinds: None,
};

/// `[[context]]`.
pub(in super::super) static CONTEXT: Spec = Spec {
    name: "context",
    keys: &[&[
        Key::new(
            "file",
            Shape::Lines,
            "Files in Markdown or text, by their paths from the folder of this file: `\"guide/parcels.md\"`. At most 1 MiB each.",
        )
        .or("files"),
        Key::new("text", Shape::Line, "The document itself, in Markdown, in place of a file."),
        Key::new("title", Shape::Line, "What it is called where it is quoted. Default: its first heading."),
        Key::new(
            "languages",
            Shape::Languages,
            "Its languages, such as `en`: people of other languages are shown it only where nothing else answers. Left \
             out: it serves all alike.",
        )
        .or("language"),
    ]],
    kinds: None,
};

/// `keep`.
pub(in super::super) static KEEP: Spec = Spec {
    name: "keep",
    keys: &[&[
        Key::new(
            "drafts",
            Shape::Length,
            "How long a draft is kept that nobody touches. Default: `forms.draft_ttl` of the settings, `7d`.",
        ),
        Key::new(
            "submissions",
            Shape::Length,
            "How long this program keeps a finished form, and a delivery of it that was given up. What was delivered is \
             the receiver's. Default: for ever.",
        ),
    ]],
    kinds: None,
};

/// `review`.
pub(in super::super) static REVIEW: Spec = Spec {
    name: "review",
    keys: &[&[
        Key::new("by", Shape::Name, "The desk: a name of `[desk.NAME]` in the settings.").required(),
        Key::new("needs", Shape::Whole(1, 20), "How many different people have to approve. Default: 1."),
        Key::new("remind", Shape::Length, "After how long, and again each time, the desk is reminded. Default: never."),
    ]],
    kinds: None,
};

/// `[[page]]`.
pub(in super::super) static PAGE: Spec = Spec {
    name: "page",
    keys: &[&[
        Key::new("id", Shape::Name, "Name that fields use.").required(),
        Key::new("title", Shape::Text, "Name of the step for people."),
        Key::new(
            "review",
            Shape::Truth,
            "Whether the person looks over the step's answers before the next begins. Default: whether it has `submit`.",
        ),
        Key::new(
            "submit",
            Shape::Name,
            "A tool that is run when the person has confirmed the step; the next step begins when it has succeeded.",
        ),
        Key::new("show_when", Shape::Expr, "The step is left out while this does not hold."),
    ]],
    kinds: None,
};

/// A table in `options`.
pub(in super::super) static OPTION: Spec = Spec {
    name: "option",
    keys: &[&[
        Key::new(
            "id",
            Shape::OptionName,
            "What is stored and sent. Default: the label in small letters, joined by `-`.",
        ),
        Key::new("label", Shape::Text, "What people read.").required(),
        Key::new("synonyms", Shape::Words, "Other words for it, in every language."),
        Key::new("detail", Shape::Text, "A second line."),
    ]],
    kinds: None,
};

/// A table in `check`.
pub(in super::super) static CHECK: Spec = Spec {
    name: "check",
    keys: &[&[
        Key::new("that", Shape::Expr, "What must hold. `value` is the answer, other fields go by their ids."),
        Key::new(
            "tool",
            Shape::Name,
            "A tool that decides, in place of `that`. It is told its `params`, or without any the answer as `value`; it is \
             against it with `false`, with an output of kind `yes_no` that is no, where its `is_complete` does not hold, or \
             with a refusal. It is for it with `true`, with a yes of such an output, where its `is_complete` holds, and where \
             it has a `refusal` and there are no words at it.",
        ),
        Key::new("else", Shape::Text, "What the person is told when it does not hold.").required(),
    ]],
    kinds: None,
};

/// `[[sink]]`.
pub(in super::super) static SINK: Spec = Spec {
    name: "sink",
    keys: &[&[
        Key::new("id", Shape::Name, "Name that `submit` uses.").required(),
        Key::new("kind", Shape::OneOf(SINK_KINDS), "What it is.").required(),
        Key::new(
            "file",
            Shape::Line,
            "File name in the data directory. Default: the form's id with the fitting ending.",
        )
        .of(&["jsonl", "csv", "sqlite"]),
        Key::new("table", Shape::Line, "Table. Default: the form's id.").of(&["sqlite"]),
        Key::new("url", Shape::Line, "Where it is posted: `https://…`, or `http://` to this machine.")
            .of(&["webhook"])
            .required(),
        Key::new(
            "secret",
            Shape::Line,
            "Where the signing secret is: `env:NAME` or `file:PATH`. Left out: not signed.",
        )
        .of(&["webhook"]),
        Key::new("secret_next", Shape::Line, "A second secret, signed with as well while secrets change.")
            .of(&["webhook"]),
    ]],
    kinds: Some(Kinds { all: SINK_KINDS, default: None }),
};

const SINK_KINDS: &[(&str, &str)] = &[
    ("jsonl", "one JSON object a line in a file"),
    ("csv", "a row of a CSV file"),
    ("sqlite", "a row of a table in a SQLite file"),
    ("webhook", "posted as JSON, signed as Standard Webhooks describes"),
];
