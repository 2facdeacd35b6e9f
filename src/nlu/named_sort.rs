//! What sort of thing has the name that a field asks for, by the name of the field: "Movie title", "Restaurant".

use super::Scene;
use super::reader::Reader;
use super::spans::Slot;
use super::titles::{has, kin};
use formwright_form::kind::Said;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// What sort of thing has the name that was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// What is seen, heard or read: "movie".
    Work,
    /// Where one goes: "restaurant".
    House,
    /// What one eats or drinks: "pizza".
    Dish,
    /// "Company".
    Thing,
}

/// What sort of thing a text field is for the name of, by its own name; `None` of other fields.
pub(super) fn sort(reader: &Reader<'_>, slot: &Slot<'_>) -> Option<Sort> {
    if !slot.is_free() || slot.is_long() || slot.is_item() || slot.subtype().is_some() {
        return None;
    }
    slot.labels.iter().find_map(|label| sort_of(reader, label))
}

/// The same of a label: of words for such a thing, and for its name, and no others.
pub(super) fn sort_of(reader: &Reader<'_>, label: &Said) -> Option<Sort> {
    let of = |word: &str| {
        let is = |table: fn(&Language) -> &Phrases<()>| has(reader, table, word);
        // "Event", "concert".
        let entry = |kin: &String| has(reader, |lang| &lang.naming.entry, kin);
        let own = |list: &Vec<String>| list.iter().any(|kin| kin == stem(word)) && list.iter().any(entry);
        let event = || reader.langs().any(|lang| lang.naming.kin.iter().any(own));
        match () {
            () if is(|lang| &lang.naming.dish) => Some(Sort::Dish),
            () if is(|lang| &lang.naming.venue) => Some(Sort::House),
            () if is(|lang| &lang.naming.work) || event() => Some(Sort::Work),
            () if is(|lang| &lang.naming.thing) => Some(Sort::Thing),
            () => None,
        }
    };
    let mut found = None;
    for no in 0..label.words.len() {
        let word = label.plain(no);
        match of(word) {
            Some(sort) => found = found.or(Some(sort)),
            None if word.is_empty() || is_small(reader, word) => {}
            None => return None,
        }
    }
    found
}

/// Whether a word of a name tells nothing of the sort: "the", "name".
fn is_small(reader: &Reader<'_>, word: &str) -> bool {
    has(reader, |lang| &lang.sentence.stop, word) || has(reader, |lang| &lang.naming.title, word)
}

/// Words for the sort of thing that a field is for, by stem.
pub(super) fn own_words(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>) -> Vec<String> {
    let words = slot.labels.iter().flat_map(|label| (0..label.words.len()).map(|no| label.plain(no)));
    let own: Vec<String> = words.filter(|word| !is_small(reader, word)).map(|word| stem(word).to_owned()).collect();
    kin(scene, &own)
}

/// Whether a field is for the name of a house.
pub(super) fn is_house_field(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    sort(reader, slot) == Some(Sort::House)
}

/// Whether a field is for the title of what is seen, heard or read.
pub(super) fn is_work_field(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    sort(reader, slot) == Some(Sort::Work)
}
