//! Keys at the top of a form file.

use super::super::shape::{Key, Shape, Spec};
use super::{CONTEXT, FAQ, FIELD, HOOK, KEEP, LISTEN, PAGE, REVIEW, SINK, THEN, TOOL};

/// The file.
pub(in super::super) static FORM: Spec = Spec { name: "form", keys: &[KEYS], kinds: None };

const KEYS: &[Key] = &[
    Key::new("$schema", Shape::Line, "Where editors find the schema of this file: `./schema.json`."),
    Key::new("schema", Shape::Whole(1, 1), "Version of this file format: 1. May be left out."),
    Key::new("id", Shape::Name, "Permanent name of the form. Submissions carry it; never change it.").required(),
    Key::new("title", Shape::Text, "Name of the form for people.").required(),
    Key::new(
        "description",
        Shape::Text,
        "What the form is for, in a sentence. With the start examples it decides which form a message means.",
    ),
    Key::new("start_examples", Shape::Texts, "Messages that start the form: \"order a pizza\"."),
    Key::new("stop_examples", Shape::Texts, "Messages that leave the form, beside \"cancel\" and its like."),
    Key::new(
        "languages",
        Shape::Languages,
        "Languages of the texts, the one of plain texts first. Left out: the languages found in the file, or `en`.",
    ),
    Key::new("confirm", Shape::Truth, "Whether the person looks over all answers before they are sent. Default: true."),
    Key::new(
        "optional",
        Shape::OneOf(OPTIONAL),
        "How fields that are not required are put to the person. Default: `ask`.",
    ),
    Key::new("enabled", Shape::Truth, "Whether the form can be started. Default: true."),
    Key::new(
        "zone",
        Shape::Line,
        "The time zone that \"today\" and times are in for people whose own is not known: `Europe/Rome`. Default: \
         `forms.zone` of the settings, `UTC`.",
    ),
    Key::new("scope", Shape::OneOf(SCOPES), "Who fills the form. Default: `user`."),
    Key::new(
        "shown",
        Shape::OneOf(SHOWN),
        "On Discord, where a form that one person begins in a server is filled in. Default: `discord.servers` of the \
         settings. Slack and Telegram have their own ways.",
    ),
    Key::new(
        "keep",
        Shape::Table(&KEEP),
        "How long what people give is kept: `{ drafts = \"7d\", submissions = \"365d\" }`.",
    ),
    Key::new("draft_ttl", Shape::Length, "The same as `drafts` in `keep`."),
    Key::new("greeting", Shape::Text, "Said when the form starts, in place of the standard greeting."),
    Key::new("help", Shape::Text, "Said when the person asks for help with the form as a whole."),
    Key::new("human", Shape::Text, "Where the person can turn when the form cannot help: \"Call 02 1234\"."),
    Key::new(
        "messages",
        Shape::Messages,
        "Texts that replace the standard ones, by the name of the message: `submitted = \"Thank you!\"`.",
    ),
    Key::new(
        "run",
        Shape::Name,
        "A tool that is run when everything is confirmed, before the form is submitted.",
    ),
    Key::new(
        "then",
        Shape::LineOrTable(&THEN),
        "The form that begins when this one was sent: its id, or a table that also says what it begins with.",
    ),
    Key::new(
        "submit",
        Shape::Lines,
        "Where a submission goes, in order: ids of sinks in this file, `log`, `settings.NAME`, or `tool.NAME` for a \
         tool that is run until it has taken it. Default: `log`.",
    ),
    Key::new(
        "review",
        Shape::Table(&REVIEW),
        "Who has to approve a submission before it goes anywhere: `{ by = \"leads\", needs = 2, remind = \"24h\" }`.",
    ),
    Key::new(
        "handoff",
        Shape::Name,
        "The desk whose people somebody can talk to while filling the form: a name of `[desk.NAME]` in the settings.",
    ),
    Key::new(
        "model",
        Shape::Truth,
        "Whether a language model, where one is connected, may read messages. Default: true.",
    ),
    Key::new(
        "model_retries",
        Shape::Whole(0, 3),
        "How often a model is asked once more after a reply that cannot be read. Default: as the settings say.",
    ),
    Key::new(
        "model_answers",
        Shape::OneOf(ANSWERS),
        "How a model may answer questions about the form. Default: `texts`.",
    ),
    Key::new(
        "tone",
        Shape::Line,
        "How a model words questions, when it is asked anyway: \"warm and short\". Left out: in your words only.",
    ),
    Key::new(
        "guidance",
        Shape::Text,
        "Advice for a language model about the form as a whole. It never decides anything.",
    ),
    Key::new("faq", Shape::Tables(&FAQ), "A question people ask about the form, with its answer."),
    Key::new(
        "context",
        Shape::Tables(&CONTEXT),
        "A document that questions about the form are answered from, by quoting what fits.",
    )
    .or("contexts"),
    Key::new("page", Shape::Tables(&PAGE), "A step of the form. Fields name it with `page`.").or("pages"),
    Key::new("field", Shape::Tables(&FIELD), "A field, in the order of asking.").or("fields").required(),
    Key::new("tool", Shape::Tables(&TOOL), "A named call: rows written here, or something outside. It gives options, defaults and checks, or does something.").or("tools"),
    Key::new("hook", Shape::Tables(&HOOK), "A tool in the place of a phase of the conversation.").or("hooks"),
    Key::new("sink", Shape::Tables(&SINK), "A place that submissions go to.").or("sinks"),
    Key::new("listen", Shape::Tables(&LISTEN), "Who is told what happens to the form while it is filled in."),
];

const OPTIONAL: &[(&str, &str)] =
    &[("ask", "each is asked once, in its place"), ("offer", "they are offered together at the review")];

const ANSWERS: &[(&str, &str)] = &[
    ("texts", "with a text of this file, word for word"),
    ("words", "in its own words, made of nothing but the texts of this file"),
];

const SHOWN: &[(&str, &str)] = &[
    ("private", "there, in messages that only the person sees"),
    ("dm", "in a direct message"),
    ("thread", "in a thread of the person's own"),
    ("here", "there, for everybody to read"),
];

const SCOPES: &[(&str, &str)] =
    &[("user", "the person who started it"), ("channel", "everybody in the channel together")];
