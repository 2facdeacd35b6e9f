//! How the words that announce fields are gathered from a form.

use std::collections::BTreeMap;

use formwright_chat::words::primary;
use formwright_lexicon as language;
use formwright_text::{Said, stem};

use super::{Cues, Example, Named, Phrase, absent, ahead, deeds, ends, features, joined, names, one, short};
use crate::field::Field;
use crate::field_no::FieldNo;
use crate::form::Form;
use crate::kind::Kind;
use crate::kind::text::Subtype;
use crate::text::Text;

impl Form {
    /// The words that announce this form's fields.
    pub fn cues(&self) -> &Cues {
        self.cues.get_or_init(|| Cues::new(self))
    }
}

impl Cues {
    fn new(form: &Form) -> Self {
        let mut cues = Self { people: vec![false; form.fields.len()], ..Self::default() };
        (cues.ends, cues.roles) = ends::of(&form.title, &form.fields);
        // A text without a language is in the form's own.
        let home = form.languages.first().map_or("", String::as_str);
        let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
        let help = form.fields.iter().flat_map(|field| &field.help).flat_map(examples);
        cues.explained = help.flat_map(|help| help.telling).collect();
        cues.features = form.fields.iter().map(|field| features::of(home, field)).collect();
        let words = |text: &Text| text.by_lang.values().map(|text| Said::new(text)).collect();
        cues.labels = form.fields.iter().map(|field| words(&field.label)).collect();
        cues.helps = form.fields.iter().map(|field| field.help.as_ref().map(words).unwrap_or_default()).collect();
        cues.ahead = form.fields.iter().map(ahead::is).collect();
        cues.absent = form.fields.iter().map(|field| absent::of(home, field)).collect();
        for field in &form.fields {
            let options = field.choices.as_ref().map(|choices| match &choices.from {
                Some(_) => format!("#{}", field.no.0),
                None => format!("{:?}", choices.options),
            });
            let next = u32::try_from(kinds.len()).unwrap_or(u32::MAX);
            cues.alike.push(*kinds.entry(format!("{:?} {options:?}", field.kind)).or_insert(next));
            // A word that is a deed announces its value, though it be the name as well: "starring Ann Lee".
            if matches!(&field.kind, Kind::Text(kind) if kind.subtype == Some(Subtype::Person)) {
                for deed in deeds::of(field) {
                    cues.add_phrase(field.no, &Said::new(&deed), Named::Author, "en");
                }
            }
            for name in names::of(field.id.as_str(), &field.label) {
                cues.add_name(field, &name);
            }
            if matches!(field.kind, Kind::Integer(_)) {
                for (tag, label) in &field.label.by_lang {
                    let tag = if tag.is_empty() { home } else { tag };
                    for name in one::of(language::language(tag), &Said::new(label)) {
                        cues.add_name(field, &name);
                    }
                }
            }
            for name in field.label.by_lang.iter().flat_map(|(lang, name)| short::of(&Said::new(name), lang)) {
                cues.add_phrase(field.no, &Said::new(&name), Named::Short, "");
            }
            for (lang, cue) in field.cues.iter().flat_map(|text| &text.by_lang) {
                cues.add_phrase(field.no, &Said::new(cue), Named::Author, lang);
            }
            let units = match &field.kind {
                Kind::Integer(kind) => kind.unit.as_slice(),
                Kind::Number(kind) => kind.unit.as_slice(),
                _ => &[],
            };
            for unit in units {
                cues.add_phrase(field.no, &Said::new(unit), Named::Unit, "");
            }
            let number = matches!(field.kind, Kind::Integer(_) | Kind::Number(_)) && units.is_empty();
            let counts = number.then(|| cues.add_measure(field)).flatten();
            cues.counts.push(counts);
            if number {
                cues.add_lengths(field);
            }
            for option in field.choices.iter().flat_map(|choices| &choices.options) {
                for text in option.label.by_lang.values().chain(&option.synonyms) {
                    names::add_stems(&mut cues.options, text);
                }
            }
            if let Kind::List(list) = &field.kind {
                for name in list.item.iter().flat_map(|text| text.by_lang.values()) {
                    cues.add_name(field, &Said::new(name));
                }
            }
        }
        cues.sort_crowds(&form.fields);
        cues.keep_own_words(&form.fields);
        cues.starts = form.start_examples.iter().chain(std::iter::once(&form.title)).flat_map(examples).collect();
        cues.stops = form.stop_examples.iter().flat_map(examples).collect();
        cues.questions = form.faq.iter().flat_map(|faq| &faq.questions).flat_map(examples).collect();
        cues.described = examples(&form.description).collect();
        cues.add_about(&form.title, 1.0);
        form.start_examples.iter().for_each(|text| cues.add_about(text, 0.9));
        cues.add_about(&form.description, 0.7);
        for text in form.title.by_lang.values() {
            names::add_stems(&mut cues.title, text);
        }
        for text in form.start_examples.iter().flat_map(|text| text.by_lang.values()) {
            names::add_stems(&mut cues.examples, text);
        }
        cues
    }

    fn add_about(&mut self, text: &Text, weight: f32) {
        for word in examples(text).flat_map(|example| example.telling) {
            let known = self.about.entry(word).or_insert(weight);
            *known = known.max(weight);
        }
        for said in text.by_lang.values().map(|text| Said::new(text)) {
            let word = |no: usize| Some(stem(said.plain(no))).filter(|word| word.chars().any(char::is_alphanumeric));
            let pairs = (1..said.words.len()).filter_map(|no| Some((word(no - 1)?.to_owned(), word(no)?.to_owned())));
            self.pairs.extend(pairs);
        }
    }

    fn add_name(&mut self, Field { no: field, kind, .. }: &Field, name: &Said) {
        let field = *field;
        self.add_phrase(field, name, Named::Name, "");
        let is_stop = |no: usize| language::all().any(|language| language.sentence.stop.word_at(name, no).is_some());
        // "Smoking allowed" is about smoking.
        let grants = |no: usize| language::all().any(|language| language.sentence.granted.word_at(name, no).is_some());
        let mut telling: Vec<usize> =
            (0..name.words.len()).filter(|no| name.plain(*no).len() > 2 && !is_stop(*no) && !grants(*no)).collect();
        // "Has a garage" is about a garage, "offers cosmetic services" about what is cosmetic.
        let around = |no: &usize| language::all().any(|it| it.sentence.around.word_at(name, *no).is_some());
        if matches!(kind, Kind::YesNo(_)) && !telling.iter().all(around) {
            telling.retain(|no| !around(no));
        }
        // "Number of parcels" is about parcels: "it's number 19" is none.
        let general = |no: &usize| language::all().any(|it| it.number.quantity.word_at(name, *no).is_some());
        if matches!(kind, Kind::Integer(_) | Kind::Number(_)) && !telling.iter().all(general) {
            telling.retain(|no| !general(no));
        }
        self.add_alike(field, name);
        if name.words.len() < 2 {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "a name has few words")]
        let share = 0.8 / telling.len() as f32;
        for no in telling {
            let list = self.parts.entry(stem(name.plain(no)).to_owned()).or_default();
            if list.iter().all(|(known, _)| *known != field) {
                list.push((field, share));
            }
        }
    }

    /// The unit of time that a number counts, as its name or help tells: "length of stay in days". Nights are days.
    fn add_lengths(&mut self, field: &Field) {
        let label = field.label.by_lang.iter().map(|text| (text, true));
        let help = field.help.iter().flat_map(|help| &help.by_lang).map(|text| (text, false));
        for ((tag, text), named) in label.chain(help) {
            let said = Said::new(text);
            // A help text speaks of many things; "in days" is how it counts.
            let counts = |no: &usize| named || *no > 0 && matches!(said.plain(no - 1), "in" | "en");
            for no in (0..said.words.len()).filter(counts) {
                let word = said.plain(no);
                // The article of an Arabic word is part of it.
                for unit in language::language(tag).date.counted_like(word.strip_prefix("ال").unwrap_or(word)) {
                    self.add_phrase(field.no, &Said::new(unit), Named::Unit, "");
                }
            }
        }
    }

    pub(super) fn add_phrase(&mut self, field: FieldNo, said: &Said, named: Named, lang: &str) {
        let stems: Vec<String> = (0..said.words.len()).map(|no| stem(said.plain(no)).to_owned()).collect();
        let Some(first) = stems.first() else { return };
        self.joined.extend(joined::of(&stems, field).filter(|_| named == Named::Name));
        let list = self.phrases.entry(first.clone()).or_default();
        if list.iter().all(|known| known.field != field || known.stems != stems) {
            let lang = primary(lang).to_owned();
            let (by_author, unit, code) = (named == Named::Author, named == Named::Unit, named == Named::Short);
            list.push(Phrase { stems, field, by_author, unit, code, lang });
        }
    }
}

/// A text in each of its languages.
fn examples(text: &Text) -> impl Iterator<Item = Example> {
    text.by_lang.iter().map(|(tag, text)| {
        let lang = language::language(tag);
        let said = Said::new(text);
        let mut example = Example { lang: primary(tag).to_owned(), ..Example::default() };
        for no in 0..said.words.len() {
            let word = said.plain(no);
            if !word.chars().any(char::is_alphanumeric) {
                continue;
            }
            example.all.insert(stem(word).to_owned());
            if !lang.and_english().any(|lang| lang.sentence.stop.word(word).is_some()) {
                example.telling.insert(stem(word).to_owned());
            }
        }
        example
    })
}
