//! `[sentence]`: the small words that say how the parts of a sentence belong together.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::phrases::Phrases;

/// The small words that say how the parts of a sentence belong together.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SentenceWords {
    /// Before a noun, and no word of what is spoken of: "a", "the", "this".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub articles: Phrases<()>,
    /// Words without a meaning of their own: articles, pronouns, prepositions, "I'd like", "order", "need".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub stop: Phrases<()>,
    /// Between the name of a field and its value: "is", "will be", ":".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub is: Phrases<()>,
    /// Say that something is put off or brought forward: "move".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub moves: Phrases<()>,
    /// Between the name of a field and its new value, after a word for changing: "to".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub into: Phrases<()>,
    /// Between clauses: "and", "but".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub join: Phrases<()>,
    /// Before the value that is meant after all: "I mean", "sorry", "make it".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub correct: Phrases<()>,
    /// Before what a day or time that stands is to be: "move it to".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub moves_to: Phrases<()>,
    /// Between the answer that stands and what it is to be: "should be".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub ought: Phrases<()>,
    /// Before the name of something and what it is to be: "make" in "make lunch 18".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub make: Phrases<()>,
    /// In a question about what has come together so far: "in total".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub total: Phrases<()>,
    /// Between the value that is meant and the one that is not: "instead of".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub instead: Phrases<()>,
    /// Between a value that is told and the one that follows from it, or comes to mind, and is meant: "so", "well".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub leads_to: Phrases<()>,
    /// Between values that cannot both be meant: "or".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub or: Phrases<()>,
    /// Before each of several that may be meant: "perhaps" in "Rome, perhaps Paris".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub perhaps: Phrases<()>,
    /// How questions begin.
    #[serde(deserialize_with = "crate::phrases::list")]
    pub question: Phrases<()>,
    /// In a question beside "how" and "what", and not what it is about: "price", "long", "deep".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub measure: Phrases<()>,
    /// How sentences begin that a question mark makes questions: "is", "do".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub inverted: Phrases<()>,
    /// Those of them that begin a question without its mark where a thing follows: "is" of "is breakfast included".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub asking_verb: Phrases<()>,
    /// Ends a question without its mark: "how much" of "business costs how much".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub asked_behind: Phrases<()>,
    /// How wishes begin that have the form of a question: "can I have".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub request: Phrases<()>,
    /// How questions begin that ask whether something is to be had: "do you have".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub offered: Phrases<()>,
    /// In a question, says that what it speaks of is wanted in place of the answer: "instead".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub swap: Phrases<()>,
    /// Before what somebody wants to do, with the word that else leads to a place: "want to".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub intends: Phrases<()>,
    /// What is written with a full stop that ends no sentence: "dr".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub abbreviated: Phrases<()>,
    /// Before a day, or with it, take leave: "see you", "a domani".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub farewell: Phrases<()>,
    /// Whoever is spoken to, and what is theirs to grant: "you", "your", "cancel".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub you: Phrases<()>,
    /// In a question whether something is to be had: "be possible".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub possible: Phrases<()>,
    /// Behind a value that a question proposes, or before it: "work" in "does Friday work?".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub suits: Phrases<()>,
    /// How questions begin whose answer is a day, and that name it so: "when is" in "when is Easter?".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub names_day: Phrases<()>,
    /// In the names of fields that ask of which sort something is: "genre". None where a sort goes after the thing.
    #[serde(deserialize_with = "crate::phrases::list")]
    pub sort: Phrases<()>,
    /// Say how good or how new something is, and not of which sort: "great".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub praise: Phrases<()>,
    /// Before the first of two days, times or places: "from".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub first: Phrases<()>,
    /// Before the second of two: "until", "back".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub second: Phrases<()>,
    /// Say that something is collected, which begins a hire and ends what is done with one's own: "pick-up", "Abholung".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub fetch: Phrases<()>,
    /// Say that something is handed over, which ends a hire and begins what is done with one's own: "drop-off", "Abgabe".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub bring: Phrases<()>,
    /// Say that somebody arrives, which begins a stay: "arriving".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub arrive: Phrases<()>,
    /// Say that somebody leaves, which begins a journey and ends a stay: "leaving".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub leave: Phrases<()>,
    /// Behind a day, at the end of its part of the sentence, words that say which of two it is: German "an", "zurück".
    #[serde(deserialize_with = "crate::phrases::table")]
    pub behind: Phrases<Turn>,
    /// In the names of two fields of one kind, of the first and of the second: "current" and "new", "origin" and
    /// "destination".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub named_first: Phrases<()>,
    /// See [`Self::named_first`].
    #[serde(deserialize_with = "crate::phrases::list")]
    pub named_second: Phrases<()>,
    /// In names of forms and fields that are about a stay somewhere: "hotel", "check-in".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub stay: Phrases<()>,
    /// In names of fields for the last day of something, which belongs to it: "end", "until".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub last: Phrases<()>,
    /// Words of a journey, which name no place that it begins in: "ticket", "flight".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub journey: Phrases<()>,
    /// Words with which somebody speaks of themselves, or of what goes wrong: "I", "we", "don't".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub speaker: Phrases<()>,
    /// Say what somebody does or what happens, behind who or what does it: "broke", "went", "doesn't".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub verb: Phrases<()>,
    /// In a question right before what is wanted: "which" in "which product is it?".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub which: Phrases<()>,
    /// Before the least number that will do: "at least".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub floor: Phrases<()>,
    /// Behind the least number that will do: "or better".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub upward: Phrases<()>,
    /// Before a number that is compared with: "better than".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub compare: Phrases<()>,
    /// After a number that is added to the answer: "more".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub more: Phrases<()>,
    /// After a number that is taken off the answer: "fewer".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub fewer: Phrases<()>,
    /// One more than the answer: "another".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub another: Phrases<()>,
    /// Twice the answer: "double it".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub double: Phrases<()>,
    /// Greetings and thanks, which answer nothing.
    #[serde(deserialize_with = "crate::phrases::list")]
    pub courtesy: Phrases<()>,
    /// Before the day on which somebody is there again: "back on".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub resumes: Phrases<()>,
    /// Begin a sentence that is courtesy to its end: "thanks for", "hope you had".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub courteous: Phrases<()>,
    /// Behind a greeting, who is greeted: "all", "team".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub addressed: Phrases<()>,
    /// Greetings that a name may follow: "dear".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub hail: Phrases<()>,
    /// Before the name below a message: "kind regards".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub signs: Phrases<()>,
    /// Say nothing of what was asked: they put it off, point back or leave it to others: "one sec", "as I said", "ask my wife".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub evasive: Phrases<()>,
    /// Before digits that are part of a number and no number of their own: "ends in".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub part: Phrases<()>,
    /// Words that mean the same in the name of a field, in lists.
    pub alike: Vec<Vec<String>>,
    /// Nouns behind which a word for no is one for number: "phone" in "phone no 647 982".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub numbered: Phrases<()>,
    /// What words of the name of a code are shortened to: "ac" of an account.
    pub short: BTreeMap<String, Vec<String>>,
    /// Words that announce a value of some kind whatever the field is called.
    pub cue: Announcing,
    /// In the name of a yes/no field or behind it, and no part of what it is about: "allowed".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub granted: Phrases<()>,
    /// Behind the name of a yes/no field, in the end, to say that it is wanted: "would be nice".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub wished: Phrases<()>,
    /// Those of `granted` of which no is that a thing is not wanted: "needed".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub needed: Phrases<()>,
    /// In the name of a yes/no field around what it is about: "has", "add", "service".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub around: Phrases<()>,
    /// Before what is wanted and nothing beside it: "only", "just".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub only: Phrases<()>,
    /// Before the name of a yes/no field to say yes: "with".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub with: Phrases<()>,
    /// Before the name of a yes/no field to say that it is so, or is to be, of what one does with it: "pay by", "filed".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub uses: Phrases<()>,
}

/// Which of two days, times or places words say that something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// The first, of whatever.
    First,
    /// The second, of whatever.
    Second,
    /// Where somebody arrives.
    Arrive,
    /// Where somebody leaves.
    Leave,
    /// Where something is collected.
    Fetch,
    /// Where something is handed over.
    Bring,
}

/// What a cue announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Announced {
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A web address.
    Url,
    /// An amount of money.
    Money,
    /// A day.
    Date,
    /// A time of day.
    Time,
    /// A length of time.
    Duration,
    /// A count.
    Count,
    /// A person's name.
    Name,
    /// A postal address, or the way to it.
    Address,
    /// A town or other place.
    Place,
}

/// Words that announce values, by what they announce.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "BTreeMap<Announced, Vec<String>>")]
pub struct Announcing(Vec<Phrases<()>>);

impl Announcing {
    /// What announces values of a kind.
    pub fn of(&self, what: Announced) -> Option<&Phrases<()>> {
        self.0.get(what as usize)
    }

    /// What announces anything, by what it is.
    pub fn all(&self) -> &[Phrases<()>] {
        &self.0
    }
}

impl From<BTreeMap<Announced, Vec<String>>> for Announcing {
    fn from(lists: BTreeMap<Announced, Vec<String>>) -> Self {
        let mut all = Vec::new();
        for (what, list) in lists {
            all.resize_with(what as usize, Phrases::default);
            all.push(Phrases::new(list.into_iter().map(|phrase| (phrase, ()))));
        }
        Self(all)
    }
}
