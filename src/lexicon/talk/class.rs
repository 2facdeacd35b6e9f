//! `[class]`: small words by what they do in a sentence. What stands beside a value tells what the value is.

use serde::Deserialize;

use crate::phrases::{Phrases, by_meaning};

/// What a small word does in a sentence. The same in every language; each word of a language has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// "from", "since".
    From,
    /// "to", "until".
    To,
    /// "in", "near".
    In,
    /// "at".
    At,
    /// "on".
    On,
    /// "for".
    For,
    /// "with", "including".
    With,
    /// "of".
    Of,
    /// "under", "called", "name".
    Under,
    /// Articles, and "another", "each".
    The,
    /// "my", "our".
    My,
    /// "your".
    Your,
    /// "his", "their"; "she", "they".
    Their,
    /// "this", "there".
    This,
    /// "is", "it's".
    Is,
    /// "and".
    And,
    /// "or".
    Or,
    /// "I", "we", "us".
    Me,
    /// "you".
    You,
    /// "am called".
    Call,
    /// "want", "book", "please send".
    Want,
    /// "go", "arrive".
    Go,
    /// "have".
    Have,
    /// "not", "without".
    Not,
    /// "instead", "sorry", "rather".
    Instead,
    /// "but", "except", "only".
    But,
    /// "please", "hello", "ok".
    Polite,
    /// "was", "last", "ago".
    Past,
    /// "who", "when".
    Who,
    /// "if", "maybe", "would".
    If,
    /// "because".
    Because,
    /// "number", "code".
    Number,
    /// "about", "at most".
    About,
}

impl Class {
    /// Every class, in order.
    pub const ALL: [Self; 33] = [
        Self::From,
        Self::To,
        Self::In,
        Self::At,
        Self::On,
        Self::For,
        Self::With,
        Self::Of,
        Self::Under,
        Self::The,
        Self::My,
        Self::Your,
        Self::Their,
        Self::This,
        Self::Is,
        Self::And,
        Self::Or,
        Self::Me,
        Self::You,
        Self::Call,
        Self::Want,
        Self::Go,
        Self::Have,
        Self::Not,
        Self::Instead,
        Self::But,
        Self::Polite,
        Self::Past,
        Self::Who,
        Self::If,
        Self::Because,
        Self::Number,
        Self::About,
    ];

    /// Its name in language files.
    pub fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
            Self::In => "in",
            Self::At => "at",
            Self::On => "on",
            Self::For => "for",
            Self::With => "with",
            Self::Of => "of",
            Self::Under => "under",
            Self::The => "the",
            Self::My => "my",
            Self::Your => "your",
            Self::Their => "their",
            Self::This => "this",
            Self::Is => "is",
            Self::And => "and",
            Self::Or => "or",
            Self::Me => "me",
            Self::You => "you",
            Self::Call => "call",
            Self::Want => "want",
            Self::Go => "go",
            Self::Have => "have",
            Self::Not => "not",
            Self::Instead => "instead",
            Self::But => "but",
            Self::Polite => "polite",
            Self::Past => "past",
            Self::Who => "who",
            Self::If => "if",
            Self::Because => "because",
            Self::Number => "number",
            Self::About => "about",
        }
    }
}

/// Small words by class.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct ClassWords(#[serde(deserialize_with = "by_meaning")] pub Phrases<Class>);
