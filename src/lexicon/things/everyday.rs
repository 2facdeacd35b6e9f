//! `[everyday]`: what is to be had everywhere and is said in many words ("kids", "wifi", "no entry fee"), and scales whose
//! steps have many names ("cheap" to "luxurious").

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::phrases::{Phrases, list};

/// What is to be had everywhere, and scales.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EverydayWords {
    /// Sizes follow what they are of: Italian "una macchina grande".
    #[serde(default)]
    pub size_follows: bool,
    /// Before what is to be had: "with", "serves".
    #[serde(deserialize_with = "list")]
    pub has: Phrases<()>,
    /// Before whom something suits: "good for".
    #[serde(deserialize_with = "list")]
    pub suits: Phrases<()>,
    /// Behind whom something suits, or what is to be had: "friendly", "are welcome", "options".
    #[serde(deserialize_with = "list")]
    pub suited: Phrases<()>,
    /// Behind a hyphen, as `suited`: "friendly" of "kid-friendly".
    pub endings: Vec<String>,
    /// Behind a hyphen, for what is not there: "free" of "smoke-free".
    pub without: Vec<String>,
    /// Before what is taken away: "turn off".
    #[serde(deserialize_with = "list")]
    pub turns_off: Phrases<()>,
    /// Behind what is taken away: "off".
    #[serde(deserialize_with = "list")]
    pub off: Phrases<()>,
    /// Behind a thing that is only what something else is of: "allergy" of "a dog allergy".
    #[serde(deserialize_with = "list")]
    pub compound: Phrases<()>,
    /// Before what is not there, in the name of a field: "no", "without".
    #[serde(deserialize_with = "list")]
    pub lacking: Phrases<()>,
    /// Endings that have grown to words for what is not there: German "frei" of "unfallfrei".
    pub glued: Vec<String>,
    /// Beginnings that have grown to them: German "nicht" of "Nichtraucher".
    pub glued_before: Vec<String>,
    /// Things that have a size: "one", "vehicle".
    #[serde(deserialize_with = "list")]
    pub things: Phrases<()>,
    /// What a place or a thing has that has a size of its own: "balcony".
    #[serde(deserialize_with = "list")]
    pub parts: Phrases<()>,
    /// What is to be had, by a name that is the same in every language.
    pub feature: Features,
    /// Scales, by a name that is the same in every language.
    pub scale: Scales,
}

/// What is to be had everywhere.
#[derive(Debug, Default)]
pub struct Features {
    /// Words in the names of fields, with the feature they are about.
    pub named: Phrases<Box<str>>,
    /// Words in messages, with the features and what they say of each.
    pub said: Phrases<Vec<(Box<str>, Sense)>>,
}

/// What words say of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// They name it.
    Names,
    /// By themselves that it is there.
    There,
    /// By themselves that it is not.
    Lacking,
    /// They name its opposite: "entry fee" of what is free.
    Opposite,
    /// That it is there, before what the form is about: "free" in "a free museum".
    Before,
}

/// The words of a feature.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Feature {
    /// In the names of fields, and in messages.
    name: Vec<String>,
    /// In messages.
    word: Vec<String>,
    /// See [`Sense::There`].
    yes: Vec<String>,
    /// See [`Sense::Lacking`].
    no: Vec<String>,
    /// See [`Sense::Opposite`].
    opposite: Vec<String>,
    /// See [`Sense::Before`].
    before: Vec<String>,
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        let features = BTreeMap::<Box<str>, Feature>::deserialize(data)?;
        let mut named = Vec::new();
        let mut said: BTreeMap<String, Vec<(Box<str>, Sense)>> = BTreeMap::new();
        for (key, feature) in features {
            named.extend(feature.name.iter().map(|name| (name.clone(), key.clone())));
            let senses = [
                (feature.yes, Sense::There),
                (feature.no, Sense::Lacking),
                (feature.opposite, Sense::Opposite),
                (feature.before, Sense::Before),
                (feature.word, Sense::Names),
                (feature.name, Sense::Names),
            ];
            for (words, sense) in senses {
                for word in words {
                    let meanings = said.entry(word).or_default();
                    // What a phrase says by itself goes before what it names.
                    if meanings.iter().all(|(known, _)| *known != key) {
                        meanings.push((key.clone(), sense));
                    }
                }
            }
        }
        Ok(Self { named: Phrases::new(named), said: Phrases::new(said) })
    }
}

/// Scales such as prices and sizes.
#[derive(Debug, Default)]
pub struct Scales {
    /// What options are called, with the steps they may be.
    pub named: Phrases<Vec<Step>>,
    /// What messages say, with the steps it may mean.
    pub said: Phrases<Vec<Step>>,
}

/// A step of a scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The scale's name.
    pub scale: Box<str>,
    /// Which step.
    pub rung: Rung,
    /// The words are a scale's only before the thing they are said of: "a big car".
    pub of_thing: bool,
    /// Where a form has no such step, the words mean the one beside it at that end: luxury is expensive, and what is huge is
    /// large. Not all do: who wears XL wears no L.
    pub open: bool,
    /// The words mean too much where nobody asked: "always".
    pub asked: bool,
}

/// Which step of a scale words mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// This one, from 0.
    At(usize),
    /// The lowest there is: "the cheapest".
    Lowest,
    /// The highest there is: "the biggest".
    Highest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scale {
    /// See [`Step::of_thing`].
    #[serde(default)]
    of_thing: bool,
    /// See [`Step::open`]; of the last step.
    #[serde(default)]
    open: bool,
    /// See [`Step::asked`].
    #[serde(default)]
    asked: bool,
    /// The lowest step, whichever a form has: "cheapest".
    #[serde(default)]
    lowest: Vec<String>,
    /// The highest step, whichever a form has: "biggest".
    #[serde(default)]
    highest: Vec<String>,
    /// Words for each step. Those behind `=` name options and mean too much in a message: "=first"; those behind `?` where
    /// nobody asked ([`Step::asked`]); those behind `~` are [`Step::open`]: "~huge".
    steps: Vec<Vec<String>>,
}

impl<'de> Deserialize<'de> for Scales {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        let mut named: BTreeMap<String, Vec<Step>> = BTreeMap::new();
        let mut said: BTreeMap<String, Vec<Step>> = BTreeMap::new();
        for (key, scale) in BTreeMap::<Box<str>, Scale>::deserialize(data)? {
            let step = |rung, open, asked| Step {
                scale: key.clone(),
                rung,
                of_thing: scale.of_thing,
                open,
                asked: scale.asked || asked,
            };
            for (words, rung) in [(scale.lowest, Rung::Lowest), (scale.highest, Rung::Highest)] {
                for word in words {
                    said.entry(word).or_default().push(step(rung, false, false));
                }
            }
            let last = scale.steps.len().saturating_sub(1);
            for (no, words) in scale.steps.into_iter().enumerate() {
                for word in words {
                    let mark = word.chars().next().filter(|mark| matches!(mark, '=' | '?' | '~'));
                    let plain = mark.and_then(|mark| word.strip_prefix(mark)).unwrap_or(&word).to_owned();
                    let open = mark == Some('~') || scale.open && no == last;
                    let step = step(Rung::At(no), open, mark == Some('?'));
                    if mark != Some('=') {
                        said.entry(plain.clone()).or_default().push(step.clone());
                    }
                    named.entry(plain).or_default().push(step);
                }
            }
        }
        Ok(Self { named: Phrases::new(named), said: Phrases::new(said) })
    }
}

#[cfg(test)]
mod tests {
    use formwright_text::Said;

    use crate::{all, english};

    #[test]
    fn every_language_names_the_same_features_and_scales() {
        for lang in all() {
            for (name, key) in [("wifi", "wifi"), ("parking", "parking")] {
                let said = Said::new(name);
                let own = lang.everyday.feature.named.at(&said, 0).map(|(_, key)| &**key);
                assert!(own == Some(key) || own.is_none(), "{}: {name}", lang.code);
            }
            assert!(!lang.everyday.has.is_empty() && !lang.everyday.suits.is_empty(), "{}", lang.code);
            assert!(!lang.everyday.feature.said.is_empty() && !lang.everyday.scale.said.is_empty(), "{}", lang.code);
        }
    }

    #[test]
    fn words_behind_an_equals_sign_name_options_only() {
        let first = Said::new("first");
        assert!(english().everyday.scale.named.at(&first, 0).is_some());
        assert_eq!(english().everyday.scale.said.at(&first, 0), None);
    }
}
