//! Words that mean the same as the names of fields: "passengers" of "people".

use std::collections::BTreeSet;

use formwright_lexicon as language;
use formwright_text::{Said, stem};

use super::{Crowd, Cues, names};
use crate::Kind;
use crate::field::Field;
use crate::field_no::FieldNo;

impl Cues {
    /// Words that mean the same as a word of the name.
    pub(super) fn add_alike(&mut self, field: FieldNo, name: &Said) {
        const SHARE: f32 = 0.74;
        let own: Vec<String> = (0..name.words.len()).map(|no| stem(name.plain(no)).to_owned()).collect();
        for (no, group) in language::all().flat_map(|language| language.sentence.alike.iter().enumerate()) {
            let stems: Vec<String> = group.iter().map(|word| stem(Said::new(word).plain(0)).to_owned()).collect();
            if !stems.iter().any(|word| own.contains(word)) {
                continue;
            }
            // The first of the lists is that of people in every language.
            if let Some(people) = self.people.get_mut(field.index()).filter(|_| no == 0) {
                *people = true;
            }
            for word in stems {
                let list = self.parts.entry(word).or_default();
                if list.iter().all(|(known, _)| *known != field) {
                    list.push((field, SHARE));
                }
            }
        }
    }

    /// Takes words that mean the same as a name from fields that count, where they are the name of another one: "adults" of
    /// "people" beside "adults".
    pub(super) fn keep_own_words(&mut self, fields: &[Field]) {
        let counts: Vec<&Field> =
            fields.iter().filter(|field| matches!(field.kind, Kind::Integer(_) | Kind::Number(_))).collect();
        let own = |field: &Field| {
            let mut stems = BTreeSet::new();
            field.label.by_lang.values().for_each(|label| names::add_stems(&mut stems, label));
            stems
        };
        let names: Vec<(FieldNo, BTreeSet<String>)> = counts.iter().map(|field| (field.no, own(field))).collect();
        // Where children are counted apart, "people" are not those who are grown up.
        let crowd = |no: &FieldNo| self.crowds.get(no.index()).copied().flatten();
        let children = self.crowds.contains(&Some(Crowd::Minors));
        let grown = names.iter().map(|(no, _)| *no).filter(|no| children && crowd(no) == Some(Crowd::Grown));
        let apart: Vec<FieldNo> = grown.collect();
        for word in language::all().flat_map(|language| language.sentence.alike.iter().flatten()) {
            let said = Said::new(word);
            let word = stem(said.plain(0));
            let owns = |no: &FieldNo| names.iter().any(|(field, stems)| field == no && stems.contains(word));
            let owned = names.iter().any(|(no, _)| owns(no));
            let Some(list) = self.parts.get_mut(word) else { continue };
            list.retain(|(no, _)| {
                let counts = names.iter().any(|(field, _)| field == no);
                owns(no) || !(owned && counts || apart.contains(no))
            });
        }
    }
}
