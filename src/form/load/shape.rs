//! What may stand in a form file: one table of keys, from which the checks, the JSON Schema and the reference are made.

#![expect(clippy::wildcard_enum_match_arm, reason = "only lists have items of another name")]

/// A table: what it is called and which keys it takes.
pub(super) struct Spec {
    /// What it is called in messages: "field".
    pub(super) name: &'static str,
    /// Its keys, in groups.
    pub(super) keys: &'static [&'static [Key]],
    /// Where `kind` decides which keys are taken: the kinds, and the kind meant where none is given.
    pub(super) kinds: Option<Kinds>,
}

/// The kinds of a table.
pub(super) struct Kinds {
    /// Name and what it is.
    pub(super) all: &'static [(&'static str, &'static str)],
    /// Meant where `kind` is not given.
    pub(super) default: Option<&'static str>,
}

/// A key of a table.
pub(super) struct Key {
    /// As written.
    pub(super) name: &'static str,
    /// Another way to write it.
    pub(super) alias: Option<&'static str>,
    /// What it holds.
    pub(super) shape: Shape,
    /// What it does, in a sentence or two.
    pub(super) doc: &'static str,
    /// Whether it must be given.
    pub(super) required: bool,
    /// The kinds that take it; empty means all.
    pub(super) kinds: &'static [&'static str],
}

/// What a value may be.
pub(super) enum Shape {
    /// A text, or one for each language.
    Text,
    /// A text or several, or these for each language.
    Texts,
    /// Phrases in any language: one, several, or these for each language.
    Words,
    /// Plain words.
    Line,
    /// A permanent name of letters, digits, `_` and `-`.
    Name,
    /// As [`Shape::Name`] but without `-`, because expressions use it.
    FieldName,
    /// As [`Shape::Name`], and it may begin with a digit.
    OptionName,
    /// A list of plain words, or one.
    Lines,
    /// `true` or `false`.
    Truth,
    /// A whole number within bounds.
    Whole(i64, i64),
    /// A decimal number.
    Decimal,
    /// A CEL expression.
    Expr,
    /// A length of time: `7d`, `1h 30m`.
    Length,
    /// A day or a distance from today: `2026-03-01`, `today`, `today-18y`.
    Day,
    /// A time of day: `18:30`.
    Clock,
    /// A regular expression.
    Regex,
    /// ISO 4217 code.
    Currency,
    /// A list of ISO 4217 codes.
    Currencies,
    /// ISO 3166 code of two letters.
    Country,
    /// One of these words, each with what it means.
    OneOf(&'static [(&'static str, &'static str)]),
    /// A list of such words, or one.
    SomeOf(&'static [(&'static str, &'static str)]),
    /// The name of a field kind that holds a value.
    ValueKind,
    /// A list of languages.
    Languages,
    /// Texts by the names of messages.
    Messages,
    /// A table.
    Table(&'static Spec),
    /// Tables.
    Tables(&'static Spec),
    /// Either plain words or a table.
    LineOrTable(&'static Spec),
    /// Items that are plain words or tables.
    LinesOrTables(&'static Spec),
    /// Expressions by name.
    Exprs,
    /// Names by name.
    Names,
    /// An expression or a table.
    ExprOrTable(&'static Spec),
    /// `true` or `false`, or a text that says why, which means `true`.
    TruthOrText,
    /// Tables of any content.
    Rows,
    /// Anything.
    Any,
}

impl Shape {
    /// What is wanted, for messages and the reference.
    pub(super) fn noun(&self) -> String {
        match self {
            Self::Text => "text, or a text by language".into(),
            Self::Texts => "text, a list of texts, or these by language".into(),
            Self::Words => "a phrase, a list of phrases, or these by language".into(),
            Self::Line => "text".into(),
            Self::Name | Self::FieldName => "a name".into(),
            Self::OptionName => "text".into(),
            Self::Lines => "text or a list of texts".into(),
            Self::Truth => "true or false".into(),
            Self::Whole(min, max) => match (*min, *max) {
                (i64::MIN, i64::MAX) => "a whole number".into(),
                (min, i64::MAX) => format!("a whole number from {min}"),
                (min, max) if min == max => format!("{min}"),
                (min, max) => format!("a whole number from {min} to {max}"),
            },
            Self::Decimal => "a number".into(),
            Self::Expr => "an expression (CEL)".into(),
            Self::Length => "a length of time such as `7d` or `1h 30m`".into(),
            Self::Day => "a day such as `2026-03-01`, `today` or `today-18y`".into(),
            Self::Clock => "a time of day such as `18:30`".into(),
            Self::Regex => "a regular expression".into(),
            Self::Currency => "a currency code such as `EUR`".into(),
            Self::Currencies => "a list of currency codes such as `EUR`".into(),
            Self::Country => "a country code such as `IT`".into(),
            Self::OneOf(words) => format!("one of {}", list(words)),
            Self::SomeOf(words) => format!("a list of {}", list(words)),
            Self::ValueKind => "the name of a field kind".into(),
            Self::Languages => "a list of languages such as `en`".into(),
            Self::Messages => "a table of texts".into(),
            Self::Table(_) => "a table".into(),
            Self::Tables(_) | Self::Rows => "a list of tables".into(),
            Self::LineOrTable(_) => "text or a table".into(),
            Self::LinesOrTables(_) => "a list of texts or tables".into(),
            Self::Exprs => "a table of expressions (CEL)".into(),
            Self::Names => "a table of names".into(),
            Self::ExprOrTable(_) => "an expression (CEL) or a table".into(),
            Self::TruthOrText => "true, false or a text".into(),
            Self::Any => "any value".into(),
        }
    }
}

impl Shape {
    /// As [`Self::noun`], with the least and the greatest number that can be kept.
    pub(super) fn range(&self) -> String {
        let most = rust_decimal::Decimal::MAX;
        match self {
            Self::Whole(min, max) => format!("a whole number from {min} to {max}"),
            Self::Decimal => format!("a number from -{most} to {most}, with at most 28 decimals"),
            other => other.noun(),
        }
    }

    /// What one item of a list is, for messages; of anything else, what it is.
    pub(super) fn item_noun(&self) -> String {
        match self {
            Self::Currencies => Self::Currency.noun(),
            Self::Languages => "a language such as `en`".into(),
            other => other.noun(),
        }
    }
}

fn list(words: &[(&str, &str)]) -> String {
    words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

impl Key {
    /// A key that every kind takes and that may be left out.
    pub(super) const fn new(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self { name, alias: None, shape, doc, required: false, kinds: &[] }
    }

    /// Must be given.
    pub(super) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// May be written so too.
    pub(super) const fn or(mut self, alias: &'static str) -> Self {
        self.alias = Some(alias);
        self
    }

    /// Only these kinds take it.
    pub(super) const fn of(mut self, kinds: &'static [&'static str]) -> Self {
        self.kinds = kinds;
        self
    }

    /// Whether a kind takes it; without a kind, whether any does.
    pub(super) fn is_of(&self, kind: Option<&str>) -> bool {
        self.kinds.is_empty() || kind.is_none_or(|kind| self.kinds.contains(&kind))
    }

    /// Whether it is written so.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }
}

impl Spec {
    /// What it is called, with its article.
    pub(super) fn noun(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }

    /// All its keys, of every kind.
    pub(super) fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().copied().flatten()
    }
}
