//! The ways in which servers and models go wrong.

/// How the server behaves. Each way was seen at some server in the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Everything is honoured.
    Honest,
    /// The schema is passed over: only prose comes.
    Prose,
    /// The schema is passed over: JSON comes with prose around it.
    Talkative,
    /// JSON in a fence of Markdown.
    Fences,
    /// Thoughts in the content before the JSON, other JSON among them.
    ThinkBlock,
    /// The JSON is in `reasoning_content`, the content is empty.
    Reasoning,
    /// A grammar that allows white space, until there is no room left.
    Whitespace,
    /// The JSON ends in the middle.
    Truncated,
    /// Nothing at all.
    Empty,
    /// JSON of another shape.
    WrongJson,
    /// Words and values in another language.
    OtherLanguage,
    /// A megabyte.
    Megabyte,
    /// An intent that nobody asked for.
    UnknownIntent,
    /// The form is said to be complete.
    EarlyCompletion,
    /// A value for every field, with quotes that nobody said.
    Invented,
    /// A value for every field, with quotes out of the message.
    Misquoted,
    /// What a person writes is never an answer to the question.
    Disapproving,
    /// 429, with each kind of `Retry-After` in turn: see [`RETRY_AFTERS`].
    TooMany,
    /// 500, 502 and 503 in turn.
    ServerErrors,
    /// No answer ever.
    Hang,
    /// The answer comes byte by byte.
    Drip,
    /// The connection breaks off in the middle of the answer.
    Broken,
    /// 400 for `json_schema`.
    NoSchema,
    /// 400 for every `response_format`.
    NoFormat,
    /// 400 for `max_tokens` and for a temperature.
    NewNames,
    /// 400 for a message of the system, as the templates of some models make it.
    NoSystem,
    /// 401.
    WrongKey,
    /// An HTML page with status 200.
    Html,
    /// The content is a list of parts.
    Parts,
    /// The JSON is the arguments of a tool call.
    ToolCalls,
    /// Thinking uses up the room of the reply where it is small.
    Thinking,
}

/// The odd values of `Retry-After` that [`Mode::TooMany`] sends in turn; an empty one stands for no header.
pub const RETRY_AFTERS: [&str; 8] =
    ["", "0", "0.05", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "99999999999999999999", "soon", "3600"];

impl Mode {
    /// All of them.
    pub const ALL: [Self; 31] = [
        Self::Honest,
        Self::Prose,
        Self::Talkative,
        Self::Fences,
        Self::ThinkBlock,
        Self::Reasoning,
        Self::Whitespace,
        Self::Truncated,
        Self::Empty,
        Self::WrongJson,
        Self::OtherLanguage,
        Self::Megabyte,
        Self::UnknownIntent,
        Self::EarlyCompletion,
        Self::Invented,
        Self::Misquoted,
        Self::Disapproving,
        Self::TooMany,
        Self::ServerErrors,
        Self::Hang,
        Self::Drip,
        Self::Broken,
        Self::NoSchema,
        Self::NoFormat,
        Self::NewNames,
        Self::NoSystem,
        Self::WrongKey,
        Self::Html,
        Self::Parts,
        Self::ToolCalls,
        Self::Thinking,
    ];

    /// Whether the reply is made to fit the schema that was asked for.
    pub(super) fn keeps_to_schemas(self) -> bool {
        use Mode::{
            Broken, Disapproving, Drip, Honest, Invented, Misquoted, NewNames, NoFormat, NoSchema, NoSystem, Parts,
            Reasoning, ServerErrors, Thinking, TooMany, ToolCalls,
        };
        let keeping = [
            Honest,
            Invented,
            Misquoted,
            Disapproving,
            NoSchema,
            NoFormat,
            NewNames,
            NoSystem,
            Parts,
            ToolCalls,
            Reasoning,
            Thinking,
            TooMany,
            ServerErrors,
            Drip,
            Broken,
        ];
        keeping.contains(&self)
    }
}
