//! Features: named, closed, of no language, no domain and no field. Each is counted by the class of the slot, and each has a row
//! in the table of weights.

use std::sync::LazyLock;

use super::analysis::TokenKind;
use super::frames::LEADING;
use super::slots::SlotClass;

/// A feature of a candidate, as its place among all weights.
pub(crate) type Feature = u32;

/// A family of features: a name, and up to two things that tell its members apart.
struct Family {
    name: &'static str,
    a: Members,
    b: Members,
}

/// What tells the members of a family apart.
enum Members {
    /// Nothing does.
    One,
    Named(&'static [&'static str]),
    /// The kinds of tokens.
    Tokens,
    /// The phrases that lead to a value.
    Leading,
    /// The classes of slots.
    Classes,
    /// So many of something, the last one being that many or more.
    Count(usize),
}

use Members::{Classes, Count, Leading, Named, One, Tokens};

impl Members {
    fn len(&self) -> usize {
        match self {
            One => 1,
            Named(names) => names.len(),
            Tokens => TokenKind::COUNT,
            Leading => LEADING.len(),
            Classes => SlotClass::NAMES.len(),
            Count(count) => *count,
        }
    }

    fn name(&self, no: usize) -> String {
        match self {
            One => String::new(),
            Named(names) => names.get(no).copied().unwrap_or("?").to_owned(),
            Tokens => TokenKind::name(no).to_owned(),
            Leading => LEADING.get(no).map_or("?", |frame| frame.name).to_owned(),
            Classes => SlotClass::NAMES.get(no).copied().unwrap_or("?").to_owned(),
            Count(_) => no.to_string(),
        }
    }
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident = $name:literal, $a:expr, $b:expr;)*) => {
        /// The families of features.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(crate) enum F { $($(#[$doc])* $family,)* }

        const FAMILIES: &[Family] = &[$(Family { name: $name, a: $a, b: $b },)*];
    };
}

const YES: Members = Named(&["no", "yes"]);
const ASKED: Members = Named(&["nothing_asked", "asked", "other_asked"]);
const STRENGTH: Members = Named(&["weak", "typed", "exact"]);
const SIDE: Members = Named(&["none", "left", "right", "over"]);
const END: Members = Named(&["none", "first", "second"]);

families! {
    /// Who proposed it.
    Source = "source", Named(&["typed", "span", "hour", "named", "telling", "rule", "clause", "sense"]), One;
    /// How surely its words mean it; whether the slot was asked.
    Strength = "strength", STRENGTH, YES;
    /// What the steps before made of the slot.
    Rule = "rule", Named(&["silent", "unsure", "sure", "named", "step", "differs"]), One;
    /// Whether this slot or another was asked.
    Asked = "asked", ASKED, One;
    /// Nothing else is said that names anything; nothing else is said at all.
    Whole = "whole", Named(&["all_but_small", "all"]), ASKED;
    /// Another slot of this class was asked.
    AskedPeer = "asked_peer", One, One;
    /// All else is explained.
    Soft = "rest_explained", ASKED, Count(4);
    /// How many other words nothing explains.
    Free = "unexplained", Count(5), ASKED;
    /// The slot holds this, or another value; whether the message puts something right.
    Held = "held", Named(&["same", "other", "others_do"]), YES;
    /// How many slots are of its class.
    Peers = "peers", Count(4), One;
    /// How much of the name is said, where that is the candidate.
    Name = "name", Count(4), One;
    /// Where the slot's name is said: the side, and the words between.
    Mention = "mention", SIDE, Count(5);
    MentionFull = "mention_full", Named(&["part", "full", "cue", "unit"]), SIDE;
    /// Another slot's name is nearer: the words between; whether it is of the same class.
    OtherMention = "other_mention", Count(3), YES;
    /// The word beside is of the slot's name, its help, or another slot's name.
    Beside = "beside", Named(&["left", "left_2", "right", "right_2"]), Named(&["name", "help", "other_name"]);
    /// A word of the name stands right of it and leads on to something else.
    LeadsOn = "leads_on", One, One;
    /// A word of the slot's name is in it.
    NameInside = "name_inside", One, One;
    /// A word of the slot's name or help is in its clause.
    NameInClause = "name_in_clause", Named(&["name", "help"]), One;
    /// Which of two ends the words in front say, and which the slot is.
    Role = "role", END, END;
    TypedRole = "typed_role", END, END;
    /// The slot's place among those of its class, and how many typed values of the class there are.
    Nth = "nth", Count(3), Count(4);
    Left = "left", Tokens, One;
    Right = "right", Tokens, One;
    Left2 = "left_2", Tokens, Tokens;
    Right2 = "right_2", Tokens, One;
    InNegation = "in_negation", Named(&["other", "yes", "no"]), One;
    InPast = "in_past", One, One;
    InQuestion = "in_question", One, One;
    Corrects = "corrects", YES, One;
    First = "first", One, One;
    Length = "length", Count(13), One;
    Shape = "shape", Named(&["all_capitals", "first_capital", "some_capitals", "small"]), YES;
    Digits = "digits", Named(&["none", "some", "all"]), One;
    Marks = "marks_inside", Named(&["comma", "other"]), One;
    CapitalBeside = "capital_beside", Named(&["left", "right"]), YES;
    Begins = "begins", Tokens, One;
    Ends = "ends", Tokens, One;
    Inside = "small_inside", Count(4), One;
    /// Whether its left and its right end is a border.
    Bounds = "bounds", YES, YES;
    Chunk = "chunk", Named(&["small", "capital"]), One;
    /// A run of capitals taken whole.
    WholeRun = "whole_run", Count(5), One;
    After = "after", Named(&["mention", "typed", "weak"]), One;
    Before = "before", Named(&["mention", "typed", "weak"]), One;
    Eats = "eats_explained", Count(3), YES;
    OverTyped = "over_typed", Named(&["in", "around", "across"]), STRENGTH;
    SameAs = "same_as", Classes, STRENGTH;
    OverMention = "over_mention", Named(&["other", "own"]), One;
    Known = "known_words", Named(&["none", "some", "all"]), YES;
    AllWords = "all_words", One, One;
    /// A clause taken whole, or from a border to its end.
    Clause = "clause", Named(&["inner", "from_start", "to_end", "whole"]), ASKED;
    WithinTyped = "within", Classes, One;
    Sole = "sole", ASKED, Count(4);
    /// Its place among the readings of the same words.
    Reading = "reading", Count(3), One;
    OutOfRange = "out_of_range", One, One;
    CountsNoun = "counts_noun", YES, One;
    Big = "big", One, One;
    Prefers = "prefers", Named(&["past_is_past", "past_is_ahead", "ahead_is_past", "ahead_is_ahead"]), One;
    Order = "order", Named(&["other", "same"]), One;
    Rivals = "rivals", One, One;
    /// What the words around are about: the slot alone, the slot and others, other slots alone; where.
    Sense = "sense", Named(&["left", "left_near", "right", "right_near", "inside", "clause"]), Named(&["own", "shared", "other"]);
    /// A yes or no that no negation reaches.
    Affirmed = "affirmed", YES, One;
    InDenial = "denied_behind", Named(&["other", "yes", "no"]), One;
    OfOther = "of_other", Named(&["other", "yes", "no"]), One;
    Supposed = "supposed", Named(&["other", "yes", "no"]), One;
    Quoted = "quoted", One, One;
    /// A later value of its class takes its place; or it takes that of an earlier one.
    Repair = "repair", Named(&["replaced", "replaces"]), YES;
    /// The steps before filled another slot with its words: one that is named, or any other.
    Taken = "taken", Named(&["by_other", "by_named"]), One;
    /// It is told in passing, or of another thing or person.
    Aside = "aside", Named(&["in_passing", "of_another", "age"]), One;
    /// A phrase that leads to it.
    Led = "led_by", Leading, One;
    /// How much of what is meant is said, in fifths; how much more of it than of any other, in quarters; in what way.
    Cover = "cover", Count(5), One;
    Margin = "margin", Count(4), One;
    How = "how", Named(&["sense", "part", "misspelt", "root"]), One;
    NothingSense = "nothing_sense", Named(&["own", "shared"]), One;
    Nothing = "nothing", One, One;
    NothingAsked = "nothing_asked", ASKED, One;
    NothingPeers = "nothing_peers", Count(4), One;
    NothingMention = "nothing_mention", One, One;
    NothingHeld = "nothing_held", One, One;
    NothingOptional = "nothing_optional", One, One;
    NothingNamed = "nothing_named", One, One;
    NothingFound = "nothing_found", Count(4), One;
    NothingQuestion = "nothing_question", One, One;
    NothingIdle = "nothing_idle", One, One;
    NothingRule = "nothing_rule", Named(&["silent", "filled", "asked_back"]), One;
}

/// Where each family begins among all weights.
static STARTS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut next = 0;
    let mut starts = Vec::with_capacity(FAMILIES.len() + 1);
    for family in FAMILIES {
        starts.push(next);
        let size = family.a.len() * family.b.len() * SlotClass::NAMES.len();
        next += u32::try_from(size).unwrap_or(0);
    }
    starts.push(next);
    starts
});

/// How many weights there may be.
pub(crate) fn count() -> usize {
    STARTS.last().copied().unwrap_or(0) as usize
}

/// A member of a family, for a class.
pub(crate) fn feature(family: F, a: usize, b: usize, class: usize) -> Feature {
    let (start, family) = (STARTS[family as usize], &FAMILIES[family as usize]);
    let (a, b) = (a.min(family.a.len() - 1), b.min(family.b.len() - 1));
    let place = (a * family.b.len() + b) * SlotClass::NAMES.len() + class;
    start + u32::try_from(place).unwrap_or(0)
}

/// A feature's name in the table of weights: `left.from.place`.
pub(crate) fn name(feature: Feature) -> String {
    let family = STARTS.partition_point(|start| *start <= feature) - 1;
    let Some(Family { name, a, b }) = FAMILIES.get(family) else { return "?".to_owned() };
    let place = (feature - STARTS[family]) as usize;
    let class = place % SlotClass::NAMES.len();
    let rest = place / SlotClass::NAMES.len();
    let parts = [(*name).to_owned(), a.name(rest / b.len()), b.name(rest % b.len())];
    let mut parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.push(SlotClass::NAMES[class].to_owned());
    parts.join(".")
}
