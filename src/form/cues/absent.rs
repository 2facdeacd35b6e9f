//! What a yes/no field is about that is not there: "accident" of "Accident-free", "pets" of "No pets". A yes to it is a no to
//! the thing.

use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_lexicon::everyday::Sense;
use formwright_text::{Said, stem};

use super::Cues;
use crate::field_no::FieldNo;
use crate::{Field, Kind};

impl Cues {
    /// Whether a yes to a field is a no to a thing: "accident-free".
    pub fn is_of_absence(&self, field: FieldNo) -> bool {
        self.absent.get(field.index()).is_some_and(Option::is_some)
    }

    /// The thing in a word that says by itself that it is not there: "accident" of "accident-free".
    pub fn told_absent<'a>(lang: &Language, word: &'a str) -> Option<&'a str> {
        told_in_one(lang, word)
    }
}

/// The stems of what a field's name says is not there, none of them where the name of a feature says it by itself
/// ("Unfurnished"); `None` where its name says no such thing.
pub(super) fn of(home: &str, field: &Field) -> Option<Vec<String>> {
    if !matches!(field.kind, Kind::YesNo(_)) {
        return None;
    }
    let id = Said::new(&field.id.as_str().replace(['_', '-'], " "));
    let language = |tag: &str| language::language(if tag.is_empty() { home } else { tag });
    let labels = field.label.by_lang.iter().map(|(tag, label)| (language(tag), Said::new(label)));
    let names = std::iter::once((language::english(), id)).chain(labels);
    let all: Vec<Vec<String>> = names.filter_map(|(lang, name)| of_name(lang, &name)).collect();
    (!all.is_empty()).then(|| all.concat())
}

fn of_name(lang: &Language, name: &Said) -> Option<Vec<String>> {
    let end = name.words.len();
    // "Smoking: yes or no" leaves open which.
    if (0..end).any(|no| lang.yes_no.firm.starts(name, no) && lang.yes_no.yes.starts(name, no)) {
        return None;
    }
    let mut past = 0;
    for no in 0..end {
        // "Non-stop" and "step-free" name what is there.
        let named = lang.everyday.feature.named.at(name, no).map_or(0, |(len, _)| no + len);
        past = past.max(named);
        if no < past {
            continue;
        }
        if let Some(len) = lacking(lang, name, no) {
            let thing = |no: &usize| {
                let word = name.plain(*no);
                let small = lang.sentence.stop.word(word).is_some() || lang.sentence.granted.word(word).is_some();
                !small && word.chars().any(char::is_alphabetic)
            };
            let things: Vec<String> = (no + len..end).filter(thing).map(|no| stem(name.plain(no)).to_owned()).collect();
            return (!things.is_empty()).then_some(things);
        }
        if let Some(thing) = told_in_one(lang, name.plain(no)) {
            return Some(vec![stem(thing).to_owned()]);
        }
        // "Smoke free".
        let free = no + 2 == end && lang.everyday.without.iter().any(|word| word == name.plain(no + 1));
        if free && !is_at_no_cost(lang, name, no) {
            return Some(vec![stem(name.plain(no)).to_owned()]);
        }
    }
    // "First time" names what is so, though it says of a customer that they were not there before.
    let unnamed = |no: &usize| lang.everyday.feature.named.at(name, *no).is_none();
    let meanings = (0..end).filter(unnamed).filter_map(|no| lang.everyday.feature.said.at(name, no));
    let says_no = meanings.into_iter().any(|(_, all)| all.iter().any(|(_, sense)| *sense == Sense::Lacking));
    says_no.then(Vec::new)
}

/// How many words at a word say that what follows is not there: "no", "without".
fn lacking(lang: &Language, name: &Said, no: usize) -> Option<usize> {
    lang.everyday.lacking.at(name, no).map(|(len, ())| len)
}

/// The thing in a word that says by itself that it is not there: "accident" of "accident-free", "non-accident" and German
/// "unfallfrei".
pub(super) fn told_in_one<'a>(lang: &Language, word: &'a str) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    let ends = |head: &str, tail: &str| !head.is_empty() && lang.everyday.without.iter().any(|word| word == tail);
    if let Some((head, _)) = word.rsplit_once('-').filter(|(head, tail)| ends(head, tail)) {
        return Some(head);
    }
    if let Some((_, thing)) = word.split_once('-').filter(|(head, _)| lang.everyday.lacking.word(head).is_some()) {
        return Some(thing);
    }
    let long = |thing: &&str| thing.chars().count() >= SHORTEST;
    let glued = lang.everyday.glued.iter().filter_map(|tail| word.strip_suffix(tail.as_str()));
    let before = lang.everyday.glued_before.iter().filter_map(|head| word.strip_prefix(head.as_str()));
    glued.chain(before).find(long)
}

/// Whether what is there costs nothing rather than is not there: "parking free" of what everybody has.
fn is_at_no_cost(lang: &Language, name: &Said, no: usize) -> bool {
    let feature = lang.everyday.feature.named.at(name, no).is_some();
    let lacking = lang.everyday.feature.said.at(name, no);
    let lacking = lacking.is_some_and(|(len, all)| len > 1 && all.iter().any(|(_, sense)| *sense == Sense::Lacking));
    feature && !lacking
}
