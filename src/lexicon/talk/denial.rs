//! `[denial]`: words that say that what stands beside them is not meant.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::phrases::{Phrases, list};

/// What values may be of that few fields ask for.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// Beside a value, say what it is of: "was born".
    pub said: Phrases<Vec<Box<str>>>,
    /// What it may be of, by a name that is the same in every language.
    pub topics: BTreeMap<Box<str>, Topic>,
}

/// Fields that values of something are for, and those that they are not for.
#[derive(Debug, Default)]
pub struct Topic {
    /// In names, help and questions of fields that ask for it, and in titles of forms that are about it: "birth". Of deals,
    /// in the names of any field of the form.
    pub name: Phrases<()>,
    /// It is only kept from fields for days that lie ahead.
    pub ahead: bool,
    /// The fields it is kept from.
    pub kept_from: KeptFrom,
}

/// Fields that what is said of something else is kept from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptFrom {
    /// Those for days, times, numbers, and for words that name something.
    #[default]
    All,
    /// Those for days and times: "I'll tell you tomorrow".
    Days,
    /// Those for days and times that were not asked: "it hurts since Monday".
    OtherDays,
    /// Those for days, times and numbers: "we came for 6 last week".
    Numbers,
    /// Those for sums of money: "they quoted me 200".
    Money,
    /// Those for days, times and sums of money, of a form none of whose fields asks for it: "you charged me 35 on Monday".
    Deals,
}

impl<'de> Deserialize<'de> for Elsewhere {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            said: Vec<String>,
            name: Vec<String>,
            #[serde(default)]
            ahead: bool,
            #[serde(default)]
            kept_from: KeptFrom,
        }
        let mut said: BTreeMap<String, Vec<Box<str>>> = BTreeMap::new();
        let mut topics = BTreeMap::new();
        for (key, written) in BTreeMap::<Box<str>, Written>::deserialize(data)? {
            for phrase in written.said {
                said.entry(phrase).or_default().push(key.clone());
            }
            let name = Phrases::new(written.name.into_iter().map(|name| (name, ())));
            topics.insert(key, Topic { name, ahead: written.ahead, kept_from: written.kept_from });
        }
        Ok(Self { said: Phrases::new(said), topics })
    }
}

/// Words that say that what stands beside them in a part of a sentence is not meant.
///
/// Also such as are an answer by themselves elsewhere: "no", "nicht".
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DenialWords {
    /// Deny what follows: "not", "nobody", "anything but", "I hate".
    #[serde(deserialize_with = "list")]
    pub before: Phrases<()>,
    /// Deny what stands before them where they end a part of a sentence: German "nicht".
    #[serde(deserialize_with = "list")]
    pub after: Phrases<()>,
    /// Begin with such a word and deny nothing: "not only", "why not", "no it's".
    #[serde(deserialize_with = "list")]
    pub none: Phrases<()>,
    /// End what is denied, what follows is meant: "but", "sondern".
    #[serde(deserialize_with = "list")]
    pub but: Phrases<()>,
    /// An answer by themselves, which before a verb denies it: Spanish "no".
    #[serde(deserialize_with = "list")]
    pub verbal: Phrases<()>,
    /// Deny what is told of the words before them: "must not", "isn't".
    #[serde(deserialize_with = "list")]
    pub told: Phrases<()>,
    /// Say that something was so at another time: "last year".
    #[serde(deserialize_with = "list")]
    pub past: Phrases<()>,
    /// Say that what follows is so at present, other than before: "but now".
    #[serde(deserialize_with = "list")]
    pub now: Phrases<()>,
    /// Stand before what is only a limit: "not before".
    #[serde(deserialize_with = "list")]
    pub limit: Phrases<()>,
    /// Name somebody else: "my boss".
    #[serde(deserialize_with = "list")]
    pub others: Phrases<()>,
    /// Name the other one of two: "the other driver".
    #[serde(deserialize_with = "list")]
    pub other_party: Phrases<()>,
    /// In the names of fields for what is theirs: "other".
    #[serde(deserialize_with = "list")]
    pub other: Phrases<()>,
    /// Of those, with whom one has things in common: "wife".
    #[serde(deserialize_with = "list")]
    pub household: Phrases<()>,
    /// Behind somebody's name, say what they have: "has".
    #[serde(deserialize_with = "list")]
    pub has: Phrases<()>,
    /// Behind somebody else, say that the person is meant too or wants it for them: "and me", "needs".
    #[serde(deserialize_with = "list")]
    pub shared: Phrases<()>,
    /// Name somebody whom no field asks about: "his sister".
    #[serde(deserialize_with = "list")]
    pub another: Phrases<()>,
    /// Right behind a value, say that it does not suit: "is too" in "200 is too much".
    #[serde(deserialize_with = "list")]
    pub too: Phrases<()>,
    /// Right behind a value, say that it does not suit, whatever follows: "won't be enough", "is not what".
    #[serde(deserialize_with = "list")]
    pub unfit: Phrases<()>,
    /// Behind what is there, say that it is of no use now: "out of order".
    #[serde(deserialize_with = "list")]
    pub broken: Phrases<()>,
    /// Say that there is no more what was spoken of: "died".
    #[serde(deserialize_with = "list")]
    pub gone: Phrases<()>,
    /// What days and amounts may be of that few fields ask for, by what it is: birth, income.
    pub elsewhere: Elsewhere,
    /// Right behind an hour, say what begins then: "show" of "before the 8pm show".
    #[serde(deserialize_with = "list")]
    pub event: Phrases<()>,
    /// Right before such an hour, say that something else is meant: "before the".
    #[serde(deserialize_with = "list")]
    pub around: Phrases<()>,
    /// In the names of fields for days that lie ahead: "appointment".
    #[serde(deserialize_with = "list")]
    pub ahead: Phrases<()>,
    /// Go on with what the speaker does for it: "so I" of "my sister marries so I come".
    #[serde(deserialize_with = "list")]
    pub mine: Phrases<()>,
    /// Lead from what is somebody else's, or is so anyway, to what the speaker has or wants: "mine is", "but we are".
    #[serde(deserialize_with = "list")]
    pub own: Phrases<()>,
    /// Before what would be if something is so: "might", "we'd".
    #[serde(deserialize_with = "list")]
    pub might: Phrases<()>,
    /// Before what is only supposed, on which the rest of the sentence depends: "if" of "if it's sunny we'd sit outside". What
    /// asks for something is none of them: "as long as it has wifi".
    #[serde(deserialize_with = "list")]
    pub supposes: Phrases<()>,
    /// Make what stands before them depend on something: "if" of "yes if it's free".
    #[serde(deserialize_with = "list")]
    pub condition: Phrases<()>,
    /// Deny what was asked for: "that is not" in "that is not a product".
    #[serde(deserialize_with = "list")]
    pub that: Phrases<()>,
    /// Say that something stays as it is: "keep".
    #[serde(deserialize_with = "list")]
    pub keep: Phrases<()>,
}
