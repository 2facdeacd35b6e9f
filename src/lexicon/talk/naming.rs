//! `[naming]`: how sentences name films' casts, events, and things that get a name; whose something is.

use formwright_text::{Said, stem};
use serde::{Deserialize, Deserializer};

use crate::phrases::{Phrases, list, table};

/// How sentences name casts, events, and things that get a name.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamingWords {
    /// Before how long something lasts, where it is but one: "stay" of "stay a week".
    #[serde(deserialize_with = "list")]
    pub lasts: Phrases<()>,
    /// Behind a negation, before what there is none of: "any".
    #[serde(deserialize_with = "list")]
    pub of_none: Phrases<()>,
    /// Sorts of places to eat and drink: "pub".
    #[serde(deserialize_with = "list")]
    pub eatery: Phrases<()>,
    /// In the names of fields for who plays in something: "actor".
    #[serde(deserialize_with = "list")]
    pub player: Phrases<()>,
    /// Before how old somebody will be on a day that follows: "I'll be".
    #[serde(deserialize_with = "list")]
    pub will_be: Phrases<()>,
    /// Stand for somebody else: "she".
    #[serde(deserialize_with = "list")]
    pub third: Phrases<()>,
    /// Before the number of something else than what a code is of: "error 500", "room 12", "Windows 11".
    #[serde(deserialize_with = "list")]
    pub serial: Phrases<()>,
    /// Before the numbers, with dots in them, of versions and of parts of a text: "version 1.1.30", "section 3.1".
    #[serde(deserialize_with = "list")]
    pub numbered: Phrases<()>,
    /// All of the name of a field that asks for a value and says nothing of what it is: "number", "date and time", "value".
    #[serde(deserialize_with = "list")]
    pub anything: Phrases<()>,
    /// Name a code or number that few fields ask for: "gate code".
    #[serde(deserialize_with = "list")]
    pub other_code: Phrases<()>,
    /// In the names of fields for who made something: "director".
    #[serde(deserialize_with = "list")]
    pub maker: Phrases<()>,
    /// Before who plays: "starring".
    #[serde(deserialize_with = "list")]
    pub plays: Phrases<()>,
    /// Before who plays, where the rest tells that it is a play: "with", "has".
    #[serde(deserialize_with = "list")]
    pub has: Phrases<()>,
    /// Behind who plays: "in it".
    #[serde(deserialize_with = "list")]
    pub therein: Phrases<()>,
    /// Behind who plays: "played in".
    #[serde(deserialize_with = "list")]
    pub acts: Phrases<()>,
    /// In the names of fields for whom something is done, who may be another than the person: "patient".
    #[serde(deserialize_with = "list")]
    pub treated: Phrases<()>,
    /// In the names of fields for whom one meets: "doctor".
    #[serde(deserialize_with = "list")]
    pub counterpart: Phrases<()>,
    /// Before names, often with a full stop: "Dr".
    #[serde(deserialize_with = "list")]
    pub address: Phrases<()>,
    /// In the names of fields for places that have names: "restaurant".
    #[serde(deserialize_with = "list")]
    pub venue: Phrases<()>,
    /// Before the name of such a place: "at".
    #[serde(deserialize_with = "list")]
    pub at: Phrases<()>,
    /// Names of fields for the sort of what they name: "food". None where a sort goes after the thing.
    #[serde(deserialize_with = "list")]
    pub fare: Phrases<()>,
    /// Before the name of a house or sight that somebody asks for: "info on", "I'll take".
    #[serde(deserialize_with = "list")]
    pub sought: Phrases<()>,
    /// Before the name of a house where one eats or sleeps: "dine at".
    #[serde(deserialize_with = "list")]
    pub spends: Phrases<()>,
    /// Articles before what is known: "the".
    #[serde(deserialize_with = "list")]
    pub the: Phrases<()>,
    /// Say that something goes to somebody: "send".
    #[serde(deserialize_with = "list")]
    pub sends: Phrases<()>,
    /// Behind who made something: "directed it".
    #[serde(deserialize_with = "list")]
    pub made: Phrases<()>,
    /// Point at something that was spoken of: "that".
    #[serde(deserialize_with = "list")]
    pub pointing: Phrases<()>,
    /// With which names of towns begin: "new".
    #[serde(deserialize_with = "list")]
    pub town: Phrases<()>,
    /// Behind what somebody would like: "would be great".
    #[serde(deserialize_with = "list")]
    pub pleases: Phrases<()>,
    /// Before who made something: "by".
    #[serde(deserialize_with = "list")]
    pub by: Phrases<()>,
    /// Before whom something goes to: "to".
    #[serde(deserialize_with = "list")]
    pub whom: Phrases<()>,
    /// Before the name of a house, which is nobody's: "restaurant called".
    #[serde(deserialize_with = "list")]
    pub house: Phrases<()>,
    /// Before who comes along: "with".
    #[serde(deserialize_with = "list")]
    pub along: Phrases<()>,
    /// Behind "in" and no place: "IMAX", "English", "cash".
    #[serde(deserialize_with = "list")]
    pub nowhere: Phrases<()>,
    /// Names of fields for one thing that has a name of its own: "make", "product".
    #[serde(deserialize_with = "list")]
    pub thing: Phrases<()>,
    /// Lead to the name of such a thing: "i work for", "it's called".
    #[serde(deserialize_with = "list")]
    pub leads: Phrases<()>,
    /// In the names of fields for what somebody does for a living: "occupation".
    #[serde(deserialize_with = "list")]
    pub occupation: Phrases<()>,
    /// Lead to what somebody does for a living: "i work as".
    #[serde(deserialize_with = "list")]
    pub works_as: Phrases<()>,
    /// Names of fields for a note, which is answered by a sentence: "comments".
    #[serde(deserialize_with = "list")]
    pub note: Phrases<()>,
    /// Say that something is another person's: "their".
    #[serde(deserialize_with = "list")]
    pub theirs: Phrases<()>,
    /// Say that something is one's own: "my".
    #[serde(deserialize_with = "list")]
    pub ours: Phrases<()>,
    /// In the names of fields for what something is called: "name", "title".
    #[serde(deserialize_with = "list")]
    pub title: Phrases<()>,
    /// Before what something is to be called: "call it".
    #[serde(deserialize_with = "list")]
    pub calls: Phrases<()>,
    /// The same before the thing: "name" of "name the alarm Gym".
    #[serde(deserialize_with = "list")]
    pub verb: Phrases<()>,
    /// Before what one goes to: "tickets for".
    #[serde(deserialize_with = "list")]
    pub visits: Phrases<()>,
    /// Between the two sides of a game: "vs".
    #[serde(deserialize_with = "list")]
    pub versus: Phrases<()>,
    /// Between the words of a title: "of", "the".
    #[serde(deserialize_with = "list")]
    pub inside: Phrases<()>,
    /// Before the sort of what there is: "serves".
    #[serde(deserialize_with = "list")]
    pub serves: Phrases<()>,
    /// Before a sort that is said by itself: "some", "in the mood for".
    #[serde(deserialize_with = "list")]
    pub mood: Phrases<()>,
    /// Before a sort that something else follows: "find a".
    #[serde(deserialize_with = "list")]
    pub seeks: Phrases<()>,
    /// Before such a thing: "rent", "looking for", "apply for".
    #[serde(deserialize_with = "list")]
    pub wants: Phrases<()>,
    /// Nouns that are no such thing, whatever is wanted: "appointment", "help".
    #[serde(deserialize_with = "list")]
    pub general: Phrases<()>,
    /// Words that are nouns behind an article and mean little elsewhere: "love".
    #[serde(deserialize_with = "list")]
    pub noun: Phrases<()>,
    /// How many people come, without a number: "just me".
    #[serde(deserialize_with = "table")]
    pub crowd: Phrases<i64>,
    /// Who comes along, in a list that is added up: "me" and "wife" are one, "kids" are as many as is said before.
    #[serde(deserialize_with = "table")]
    pub company: Phrases<i64>,
    /// Whole groups of who comes, as many as each is: "couples".
    #[serde(deserialize_with = "table")]
    pub packs: Phrases<i64>,
    /// The person, in such a list: "me".
    #[serde(deserialize_with = "list")]
    pub oneself: Phrases<()>,
    /// Children, in such a list and in the names of fields that count them.
    #[serde(deserialize_with = "list")]
    pub minor: Phrases<()>,
    /// Those who are grown up, by the word for it: "adults".
    #[serde(deserialize_with = "list")]
    pub adult: Phrases<()>,
    /// Those who are grown up, by what they are to the person: "wife".
    #[serde(deserialize_with = "list")]
    pub grown: Phrases<()>,
    /// Before how many a family is: "family of".
    #[serde(deserialize_with = "list")]
    pub family: Phrases<()>,
    /// Behind how many of those who come: "of us".
    #[serde(deserialize_with = "list")]
    pub of_us: Phrases<()>,
    /// What one of those who come does: "has", "can't".
    #[serde(deserialize_with = "list")]
    pub of_one: Phrases<()>,
    /// What is said of all who come: "coming", "there".
    #[serde(deserialize_with = "list")]
    pub attends: Phrases<()>,
    /// Behind how many come in all: "people", "of us".
    #[serde(deserialize_with = "list")]
    pub everybody: Phrases<()>,
    /// Behind how many come in all, before some of them: "including".
    #[serde(deserialize_with = "list")]
    pub among: Phrases<()>,
    /// Between a number of people and who they are: "of my", "of them".
    #[serde(deserialize_with = "list")]
    pub of_them: Phrases<()>,
    /// Add the person to others: "plus".
    #[serde(deserialize_with = "list")]
    pub plus: Phrases<()>,
    /// Before "with" and somebody who need not come: "spoke".
    #[serde(deserialize_with = "list")]
    pub talks: Phrases<()>,
    /// End before how many children somebody has: "I have".
    #[serde(deserialize_with = "list")]
    pub owns: Phrases<()>,
    /// In the names of fields that count who does something or is there: "drivers", "witnesses".
    #[serde(deserialize_with = "list")]
    pub doing: Phrases<()>,
    /// Behind how often something is: "times".
    #[serde(deserialize_with = "list")]
    pub times: Phrases<()>,
    /// Behind a number, name nothing that it counts: "max".
    #[serde(deserialize_with = "list")]
    pub aside: Phrases<()>,
    /// Words with such an ending name nothing that a number counts: "hopefully", "coming".
    pub aside_endings: Vec<String>,
    /// What a number may be called that counts people: "my guess is 4".
    #[serde(deserialize_with = "list")]
    pub sum: Phrases<()>,
    /// Before how old somebody is: "aged", "I'm".
    #[serde(deserialize_with = "list")]
    pub aged: Phrases<()>,
    /// Before how old the person is, where years follow and nothing of them: Italian "ho" of "ho 23 anni".
    #[serde(deserialize_with = "list")]
    pub has_age: Phrases<()>,
    /// Between somebody and how old they are: "is".
    #[serde(deserialize_with = "list")]
    pub is_aged: Phrases<()>,
    /// Behind how old somebody is, and behind hardly anything else: "years old".
    #[serde(deserialize_with = "list")]
    pub years_old: Phrases<()>,
    /// Behind how old somebody is: "years".
    #[serde(deserialize_with = "list")]
    pub years: Phrases<()>,
    /// Before money: "send", "pay".
    #[serde(deserialize_with = "list")]
    pub remits: Phrases<()>,
    /// Whom one knows: "friend", "coworker".
    #[serde(deserialize_with = "list")]
    pub relation: Phrases<()>,
    /// The same where one word says whose friend it is, as Arabic does.
    #[serde(deserialize_with = "list")]
    pub acquaintance: Phrases<()>,
    /// Before who made something, and before hardly anything else: "by".
    #[serde(deserialize_with = "list")]
    pub surely_by: Phrases<()>,
    /// In the names of fields for what is played or watched: "song", "film".
    #[serde(deserialize_with = "list")]
    pub work: Phrases<()>,
    /// Before the name of what somebody chooses: "let's watch", "how about".
    #[serde(deserialize_with = "list")]
    pub picks: Phrases<()>,
    /// Before how something pleases: "sounds" of "sounds pretty good".
    #[serde(deserialize_with = "list")]
    pub seems: Phrases<()>,
    /// Between that and how it pleases: "like" of "sounds like a good one".
    #[serde(deserialize_with = "list")]
    pub likens: Phrases<()>,
    /// In the names of fields for what one eats or drinks: "pizza".
    #[serde(deserialize_with = "list")]
    pub dish: Phrases<()>,
    /// Behind the word for such a thing, tell something of it and name none: "showing", "open".
    #[serde(deserialize_with = "list")]
    pub stands: Phrases<()>,
    /// Behind what somebody chooses: "then" of "Nightfall then".
    #[serde(deserialize_with = "list")]
    pub closes: Phrases<()>,
    /// Say that something is bought: "order".
    #[serde(deserialize_with = "list")]
    pub orders: Phrases<()>,
    /// Before the house that it is bought from: "from".
    #[serde(deserialize_with = "list")]
    pub sells: Phrases<()>,
    /// Tell one of several and name none: "closest", "other".
    #[serde(deserialize_with = "list")]
    pub selects: Phrases<()>,
    /// What any sort of house is called: "place".
    #[serde(deserialize_with = "list")]
    pub spot: Phrases<()>,
    /// In the names of fields for what songs belong to: "album".
    #[serde(deserialize_with = "list")]
    pub collection: Phrases<()>,
    /// Before what is played or watched: "play", "listen to".
    #[serde(deserialize_with = "list")]
    pub starts: Phrases<()>,
    /// In the names of fields for what stands in a calendar: "appointment".
    #[serde(deserialize_with = "list")]
    pub entry: Phrases<()>,
    /// Before what is put into a calendar: "schedule", "remind me of".
    #[serde(deserialize_with = "list")]
    pub enters: Phrases<()>,
    /// Behind what is put into a calendar: "on my calendar".
    #[serde(deserialize_with = "list")]
    pub diary: Phrases<()>,
    /// With which names of what stands in a calendar end: "meeting".
    #[serde(deserialize_with = "list")]
    pub occasion: Phrases<()>,
    /// With which names of places to set out from end: "airport".
    #[serde(deserialize_with = "list")]
    pub terminal: Phrases<()>,
    /// With which names of houses and places to be at end: "hotel", "apartments".
    #[serde(deserialize_with = "list")]
    pub building: Phrases<()>,
    /// Of those, what one meets at and seldom books: "station".
    #[serde(deserialize_with = "list")]
    pub public: Phrases<()>,
    /// How many years from this one: "from last year".
    #[serde(deserialize_with = "table")]
    pub year: Phrases<i64>,
    /// Words for the same sort of thing, in lists, by their stems: "movie", "film".
    #[serde(deserialize_with = "stems")]
    pub kin: Vec<Vec<String>>,
}

fn stems<'de, D: Deserializer<'de>>(data: D) -> Result<Vec<Vec<String>>, D::Error> {
    let lists = Vec::<Vec<String>>::deserialize(data)?;
    let own = |word: &String| stem(Said::new(word).plain(0)).to_owned();
    Ok(lists.iter().map(|list| list.iter().map(own).collect()).collect())
}
