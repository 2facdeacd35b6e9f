//! Names in messages that are typed in small letters: a word that the language has not is likely one.

use std::ops::Range;

use super::reader::Reader;
use formwright_text::Class;

impl Reader<'_> {
    /// Whether a word may be part of a name by how it is written: it has a capital, or is none of the language's words where
    /// nothing has a capital.
    pub(super) fn is_proper(&self, no: usize) -> bool {
        self.is_capital(no) || self.is_strange(no)
    }

    /// Whether a word of a message without capitals is none of the language's words.
    pub(super) fn is_strange(&self, no: usize) -> bool {
        self.small && self.is_unknown(no)
    }

    /// Whether a word is none of the language's words.
    pub(super) fn is_unknown(&self, no: usize) -> bool {
        let letters = self.said.words.get(no).is_some_and(|word| word.class == Class::Letters);
        let known = || {
            let plain = self.said.plain(no);
            let whole = plain.strip_suffix("'s").unwrap_or(plain);
            whole.len() < 2 || self.langs().any(|lang| lang.knows(whole))
        };
        letters && !self.is_idle(no) && !known()
    }
}

/// Of words in small letters behind those that announce a place, the place: "campbell" of "campbell pretty soon", "hop creek
/// pub". No words where the language has each of them: "finding" in "interested in finding a flat". Behind a house
/// number all of them; where the language's writing has no capitals, a few words of any sort, one more where the words before
/// them are `certain`.
pub(super) fn place(reader: &Reader<'_>, words: Range<usize>, certain: bool) -> Range<usize> {
    const FEW: usize = 2;
    let lang = reader.own_lang();
    let Range { start, end } = words;
    if lang.rtl {
        return if words.len() <= FEW + usize::from(certain) { words } else { start..start };
    }
    if reader.is_digits(start) {
        return words;
    }
    let unknown = |no: &usize| reader.is_unknown(*no);
    let Some(first) = (start..end).find(unknown) else { return start..start };
    // "Pizza hut" begins with what is to be had there.
    let town = |no: usize| {
        let town = reader.len(|lang| &lang.naming.town, no, end).max(reader.len(|lang| &lang.naming.dish, no, end));
        town.max(reader.len(|lang| &lang.name.particles, no, end)) > 0
    };
    if !(start..first).all(town) {
        return if words.len() <= FEW { words } else { start..start };
    }
    let common = |no: &usize| reader.langs().any(|lang| lang.option.common.word_at(reader.said, *no).is_some());
    // "San pedro sounds good."
    let pleases = |no: &usize| {
        let seems = reader.len(|lang| &lang.naming.seems, *no, end);
        *no > first && seems.max(reader.len(|lang| &lang.naming.pleases, *no, end)) > 0
    };
    let stop = (first..end).find(|no| common(no) || pleases(no)).unwrap_or(end);
    start..with_sort(reader, first, stop)
}

/// Where a place ends that has the word for what it is behind it: "birmingham new street", "leeds city station".
fn with_sort(reader: &Reader<'_>, first: usize, stop: usize) -> usize {
    let end = reader.clause_end(first);
    let street = |no: usize| reader.langs().any(|lang| lang.street.after.word_at(reader.said, no).is_some());
    let sort = |no: usize| if street(no) { 1 } else { reader.len(|lang| &lang.naming.terminal, no, end) };
    let town = |no: usize| reader.len(|lang| &lang.naming.town, no, end) > 0;
    let at = (stop..end.min(stop + 2)).find(|no| sort(*no) > 0);
    at.filter(|at| (stop..*at).all(|no| town(no) || reader.len(|lang| &lang.going.town, no, end) > 0))
        .map_or(stop, |at| at + sort(at))
}

/// A name in capitals with the word in small letters behind it for where one sets out: "Malaga airport".
pub(super) fn with_terminal(reader: &Reader<'_>, words: Range<usize>, end: usize) -> Range<usize> {
    let len = if words.is_empty() { 0 } else { reader.len(|lang| &lang.naming.terminal, words.end, end) };
    words.start..words.end + len
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const FLAT: &str = r#"
id = "flat"
title = "A flat"

[[field]]
id = "area"
kind = "text"
label = "Area"
subtype = "place"

[[field]]
id = "rooms"
kind = "integer"
label = "Rooms"
"#;

    #[rstest]
    #[case("i am interested in finding a flat with 2 rooms in san pedro", "area=san pedro; rooms=2")]
    #[case("we move to hartlepool pretty soon", "")]
    #[case("we move to somewhere in hartlepool pretty soon", "area=hartlepool")]
    #[case("is there anything with 2 rooms in new brunswick city?", "area=new brunswick city; rooms=2")]
    #[case("is there anything in hartlepool?", "area=hartlepool")]
    #[case("we go to somewhere in hartlepool creek pub", "area=hartlepool creek pub")]
    #[case("we land in Malaga airport with 2 rooms", "area=Malaga airport; rooms=2")]
    #[case("i am in trouble, 2 rooms please", "rooms=2")]
    #[case("a flat near hartlepool new street with 2 rooms", "area=hartlepool new street; rooms=2")]
    #[case("in hartlepool the street is loud", "area=hartlepool")]
    fn places_in_small_letters_are_words_that_the_language_has_not(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(sorted(&Stage::new(FLAT, "").fills(said)), sorted(expected), "{said}");
    }
}
