//! Keys that fields of most kinds take.

use formwright_form::kind::ASKED;

use super::super::shape::{Key, Shape};
use super::{CHECK, DEFAULT_FROM, KINDS, SUB_FORM};

/// [`ASKED`], `list` and `group`.
const ANSWERED: &[&str] = &asked_and::<2, { ASKED.len() + 2 }>(["list", "group"]);

/// [`ASKED`], `list` and `computed`: whatever holds a value that can be wrong.
const CHECKED: &[&str] = &asked_and::<2, { ASKED.len() + 2 }>(["list", "computed"]);

/// [`ASKED`] and `hidden`: whatever can be filled beforehand.
const FILLED: &[&str] = &asked_and::<1, { ASKED.len() + 1 }>(["hidden"]);

/// The kinds whose value comes from the person, and others.
const fn asked_and<const MORE: usize, const ALL: usize>(more: [&'static str; MORE]) -> [&'static str; ALL] {
    assert!(ALL == ASKED.len() + MORE, "a list of kinds has another length");
    let mut all = [""; ALL];
    let mut no = 0;
    while no < ALL {
        all[no] = if no < ASKED.len() { ASKED[no] } else { more[no - ASKED.len()] };
        no += 1;
    }
    all
}

/// Whatever has words to be read in.
const WORDED: &[&str] = &["text", "long_text", "pattern", "address"];

/// Name and kind.
pub(super) static KEYS: &[Key] = &[
    Key::new(
        "id",
        Shape::FieldName,
        "Permanent name of the field. Expressions and submissions use it; never change it.",
    )
    .required(),
    Key::new("kind", Shape::OneOf(KINDS), "What the field holds.").required(),
];

/// The others.
pub(super) static REST: &[Key] = &[
    Key::new("label", Shape::Text, "Short name for people, in reviews and replies: \"Delivery time\". Default: the id as words."),
    Key::new(
        "ask",
        Shape::Texts,
        "The question. Several: one for each attempt, so that no question comes twice in the same words. Of a note: its text.",
    ),
    Key::new("help", Shape::Text, "Said when the person asks for help with this field."),
    Key::new("why", Shape::Text, "Said when the person asks why this is needed.").of(ANSWERED),
    Key::new("examples", Shape::Texts, "Answers as people would write them; one is shown to whoever is not understood.").of(ASKED).or("example"),
    Key::new("cues", Shape::Texts, "Words that announce this field in a sentence: \"deliver to\", \"my number is\".")
        .of(ANSWERED),
    Key::new("required", Shape::Truth, "Whether an answer is needed; otherwise the person may skip it. Default: true.").of(ANSWERED),
    Key::new("required_when", Shape::Expr, "An answer is needed while this holds (`total > 500`); otherwise the person may skip it.")
        .of(ANSWERED),
    Key::new("show_when", Shape::Expr, "The field is left out unless this holds: `pizza != 'margherita'`."),
    Key::new("check", Shape::Tables(&CHECK), "What must hold of the answer, with what to say otherwise: `[{ that = \"value < 10\", else = \"Nine at most.\" }]`.")
        .or("checks")
        .of(CHECKED),
    Key::new("fill", Shape::OneOf(FILLS), "Which words may fill it. Default: `any`.").of(ASKED),
    Key::new("default", Shape::Any, "Filled beforehand; the person sees it at the review and may change it.")
        .of(FILLED),
    Key::new("default_from", Shape::ExprOrTable(&DEFAULT_FROM), "As `default`, worked out from other answers: `first_name + ' ' + last_name`; or brought by a tool: `{ tool = \"find\", output = \"status\" }`.").of(FILLED),
    Key::new("fixed", Shape::Any, "Always this value: never asked, cannot be changed.").of(FILLED),
    Key::new("value", Shape::Expr, "The expression that gives it (`price * count`), worked out again whenever an answer in it changes.")
        .of(&["computed"])
        .required(),
    Key::new(
        "from_link",
        Shape::Truth,
        "The link or program that starts the form may fill it: `/?form=trip&source=fair`. The value is read and checked as if \
         it were said, and whoever has the link can change it. Default: false.",
    )
    .of(FILLED),
    Key::new(
        "sensitive",
        Shape::Truth,
        "Masked in reviews, and kept from models, logs and public channels. Default: false.",
    )
    .of(FILLED),
    Key::new("guidance", Shape::Text, "Advice for a language model's wording, where one is connected. It never decides anything.").of(ANSWERED),
    Key::new("judge", Shape::Text, "What a good answer tells, judged by a language model where one is connected. Said to the person after \"Please tell me\": write it to follow that, such as \"what happened and when\".").of(WORDED),
    Key::new(
        "verify",
        Shape::TruthOrText,
        "Read back once (\"you said X, right?\") when it was read out of a sentence or brought by a tool. A text is the \
         reason, which is said with it. Default: false.",
    )
    .of(ASKED),
    Key::new(
        "form",
        Shape::LineOrTable(&SUB_FORM),
        "Another form that is filled in for it when it would be asked: the conversation goes there, and comes back with the \
         answers. Its id, or a table. Of a group, the members take the answers of their ids.",
    )
    .of(ANSWERED),
    Key::new(
        "reset_with",
        Shape::Lines,
        "Fields with whose answers this one goes: when one of them changes, its answer is taken back and it is asked anew.",
    )
    .of(ASKED),
    Key::new("page", Shape::Name, "The id of the step it belongs to. Default: that of the field before."),
];

const FILLS: &[(&str, &str)] = &[
    ("any", "any message may, also before it is asked"),
    ("asked", "only an answer to its own question"),
    (
        "widget",
        "none but its buttons or input, or an option in its exact words; for what must not be guessed, such as a consent",
    ),
];
