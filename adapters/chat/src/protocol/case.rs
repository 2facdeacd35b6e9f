//! Requests at a desk, as adapters see them.

use serde::{Deserialize, Serialize};

use crate::{CardRow, Nonce, Place, TokenError, UserId};

/// Names a case at a desk: eight letters and digits that people can read out. They are the beginning of the reference
/// that the person is told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CaseCode(String);

impl CaseCode {
    /// Crockford's base 32: no I, L, O or U to be mistaken.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const LEN: usize = 8;

    /// Spells the lowest 40 bits.
    pub fn new(bits: u64) -> Self {
        let letter = |no: usize| char::from(Self::ALPHABET[usize::try_from((bits >> (5 * no)) & 31).unwrap_or(0)]);
        Self((0..Self::LEN).map(letter).collect())
    }

    /// The code of a submission: the letters of its reference. None where the id has none.
    pub fn of_submission(id: &str) -> Option<Self> {
        id.strip_prefix("F-")?.get(..Self::LEN)?.parse().ok()
    }

    /// The 40 bits.
    pub fn bits(&self) -> u64 {
        let value = |byte: u8| Self::ALPHABET.iter().position(|letter| *letter == byte).unwrap_or(0) as u64;
        self.0.bytes().enumerate().fold(0, |bits, (no, byte)| bits | value(byte) << (5 * no))
    }

    /// The eight letters and digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for CaseCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for CaseCode {
    type Err = TokenError;

    fn from_str(s: &str) -> Result<Self, TokenError> {
        let read = |c: char| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        let code: String = s.chars().map(read).collect();
        let known = |byte: u8| Self::ALPHABET.contains(&byte);
        if code.len() == Self::LEN && code.bytes().all(known) { Ok(Self(code)) } else { Err(TokenError) }
    }
}

impl TryFrom<String> for CaseCode {
    type Error = TokenError;

    fn try_from(s: String) -> Result<Self, TokenError> {
        s.parse()
    }
}

impl From<CaseCode> for String {
    fn from(code: CaseCode) -> Self {
        code.0
    }
}

/// Words that begin with the code of a case: the code, and what is said about it. `#7KQ2ABCD approve` and
/// `#F-7KQ2ABCD: approve` are the same.
pub fn addressed(text: &str) -> Option<(CaseCode, &str)> {
    let text = text.trim_start().strip_prefix('#')?;
    let text = text.strip_prefix("F-").or_else(|| text.strip_prefix("f-")).unwrap_or(text);
    let code = text.get(..CaseCode::LEN)?.parse().ok()?;
    let rest = &text[CaseCode::LEN..];
    let ends = rest.chars().next().is_none_or(|next| !next.is_alphanumeric());
    ends.then(|| (code, rest.trim_start_matches([':', ',', '.']).trim()))
}

/// Which case a reply is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseMark {
    /// The case.
    pub code: CaseCode,
    /// It takes the widgets of the case away that are shown. Otherwise a reply without widgets leaves them as they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over: bool,
}

/// Somebody at a desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The platform's id.
    pub id: UserId,
    /// The name, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Member {
    /// What to call them.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(self.id.as_str())
    }
}

/// Who decided something, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Who.
    pub user: Member,
    /// When.
    pub at: jiff::Timestamp,
}

/// What a desk is asked to look after.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRequest {
    /// Id of the submission to come.
    pub submission: String,
    /// Name of the desk.
    pub desk: String,
    /// Name of the form for people.
    pub title: String,
    /// BCP 47 tag of the language that the desk is spoken to in.
    pub lang: String,
    /// Where the person is.
    pub place: Place,
    /// The person.
    pub person: Member,
    /// Everybody at their place fills the form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Ids of the forms that they may use there; none where they may use all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forms: Option<Vec<String>>,
    /// The answers, sensitive ones masked.
    pub rows: Vec<CardRow>,
    /// Fields that were left empty, and that the person may be asked to fill in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub empty: Vec<CardRow>,
    /// How often it was asked, from 1.
    pub round: u32,
    /// How many people have to approve.
    pub needs: u32,
    /// Seconds until the desk is reminded; none for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remind: Option<u64>,
    /// What the person said last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// Paths of masked answers that are others than they were when the desk saw them last: what they are is not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub veiled: Vec<String>,
}

/// What the two sides of a case tell each other.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CaseNews {
    /// To the desk: a form waits for approval, for the first time or again.
    Review {
        /// What is to be approved.
        request: Box<CaseRequest>,
    },
    /// To the desk: somebody wants to talk to a person.
    HandOff {
        /// Who, and their answers so far.
        request: Box<CaseRequest>,
    },
    /// To the desk: the person said something.
    Said {
        /// Their words.
        text: String,
    },
    /// To the desk: the person needs it no longer.
    Withdrawn,
    /// To the desk: the person has had everything deleted.
    Forgotten,
    /// To the person: as many as are needed have approved.
    Approved {
        /// Who, in the order in which they did.
        decisions: Vec<Decision>,
    },
    /// To the person: it is not approved.
    Rejected {
        /// Who decided.
        decision: Decision,
        /// Why.
        why: String,
    },
    /// To the person: some answers are to be changed.
    Changes {
        /// Who decided.
        decision: Decision,
        /// Paths of the fields.
        fields: Vec<String>,
        /// Why.
        why: String,
    },
    /// To the person: somebody looks after them.
    Claimed {
        /// Who.
        who: Member,
    },
    /// To the person: an answer.
    Answer {
        /// Whose.
        who: Member,
        /// The words.
        text: String,
    },
    /// To the person: back to the form.
    Back {
        /// Who sends them back.
        who: Member,
    },
    /// To the person: nobody has decided, and nobody will.
    Lapsed,
    /// To the person: nobody can be reached at the moment, and it is tried again.
    Unreached,
}

impl CaseNews {
    /// What it is, for ids and logs: never anybody's words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Review { .. } => "review",
            Self::HandOff { .. } => "hand-off",
            Self::Said { .. } => "said",
            Self::Withdrawn => "withdrawn",
            Self::Forgotten => "forgotten",
            Self::Approved { .. } => "approved",
            Self::Rejected { .. } => "rejected",
            Self::Changes { .. } => "changes",
            Self::Claimed { .. } => "claimed",
            Self::Answer { .. } => "answer",
            Self::Back { .. } => "back",
            Self::Lapsed => "lapsed",
            Self::Unreached => "unreached",
        }
    }
}

impl Nonce {
    /// A nonce from which the case can be read that its screen belongs to. The other 72 bits are random.
    pub fn of_case(code: &CaseCode, random: &Self) -> Self {
        Self::new(u128::from(marked(code)) | random.bits() << 56)
    }

    /// The case that a screen belongs to, if it belongs to one. One in 65,536 of the others seems to, too.
    pub fn case(&self) -> Option<CaseCode> {
        let low = u64::try_from(self.bits() & ((1 << 56) - 1)).unwrap_or(0);
        let code = CaseCode::new(low);
        (marked(&code) == low).then_some(code)
    }
}

/// The 40 bits of a code, and above them 16 that follow from it.
fn marked(code: &CaseCode) -> u64 {
    let bits = code.bits();
    bits | (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) << 40
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_read_from_its_reference_its_words_and_its_screens() {
        let code = CaseCode::of_submission("F-7KQ2ABCDXYZ").expect("a code");
        assert_eq!(code.as_str(), "7KQ2ABCD");
        assert_eq!(CaseCode::new(code.bits()), code);
        let nonce = Nonce::of_case(&code, &Nonce::new(u128::MAX / 3));
        assert_eq!(nonce.case(), Some(code.clone()));
        assert_eq!(Nonce::new(u128::MAX / 3).case(), None, "a screen of a person's own");
        assert_ne!(nonce, Nonce::of_case(&code, &Nonce::new(7)), "each round has its own");
        for text in ["#7KQ2ABCD approve", " #f-7kq2abcd: approve", "#7KQ2ABCD, approve"] {
            assert_eq!(addressed(text), Some((code.clone(), "approve")), "{text}");
        }
        for text in ["7KQ2ABCD approve", "#7KQ2ABC approve", "#7KQ2ABCDE approve", "#", "#7KQ2ABCÜ", ""] {
            assert_eq!(addressed(text), None, "{text}");
        }
    }
}
