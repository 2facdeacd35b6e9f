//! Yes and no as plain answers: a word where words are asked, nought where a count is.

use crate::draft::filling::Filling;
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Reading, Said};
use formwright_form::{Field, Kind, Path, Required, Seg, Value};
use formwright_lexicon::Language;
use formwright_lexicon::control::Control;
use formwright_nlu::{Command, Pending, named_at};
use formwright_text::Class;

/// A bare yes or no that answers the asked field in its own way: a word where words are asked ("True" is a name), nought
/// where a number is asked ("none").
pub(crate) fn answer(filling: &Filling<'_>, commands: &[Command], said: &Said) -> Option<Command> {
    let Pending::Field { path, editing: false } = &filling.draft().pending else { return None };
    let field = filling.form.field_at(path)?;
    let offered = filling.draft().offered.contains_key(path);
    let quote = Some(said.raw.trim().to_owned());
    match (commands, &field.kind) {
        // No place is called so, and no code.
        ([] | [Command::Confirm | Command::Deny], Kind::Text(text))
            if matches!(text.subtype, None | Some(Subtype::Person))
                && !offered
                && said.words.len() == 1
                && matches!(field.required, Required::Yes)
                && !is_item(path) =>
        {
            match field.kind.behaviour().read(said, &filling.context(field, &[])) {
                Reading::Value(found) => Some(Command::Fill { path: path.clone(), value: found.value, quote }),
                Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => None,
            }
        }
        // "I agree to the terms?" is agreed to in its own words.
        (_, Kind::YesNo(_)) if says_it(filling, field, said) => {
            Some(Command::Fill { path: path.clone(), value: Value::Bool(true), quote })
        }
        ([Command::Deny | Command::Skip], Kind::Integer(kind))
            if !offered
                && kind.min.is_none_or(|min| min <= 0)
                && kind.max.is_none_or(|max| max >= 0)
                && asks_for_a_count(filling, field, &kind.unit)
                && matches!(field.required, Required::Yes)
                && !says_skip(filling, said) =>
        {
            Some(Command::Fill { path: path.clone(), value: Value::Integer(0), quote })
        }
        _ => None,
    }
}

/// Whether a message is a field's label, where that speaks for the person.
fn says_it(filling: &Filling<'_>, field: &Field, said: &Said) -> bool {
    let label = Said::new(field.label.pick(&filling.world.tags_of(filling.form)));
    let words = |said: &Said| -> Vec<String> {
        let letters = said.words.iter().enumerate().filter(|(_, word)| word.class != Class::Mark);
        letters.map(|(no, _)| said.plain(no).to_owned()).collect()
    };
    let speaks = |lang: &Language| lang.sentence.speaker.starts(&label, 0);
    let asks = said.raw.contains(['?', '؟']);
    !asks && words(said) == words(&label) && filling.world.lang.and_english().any(speaks)
}

/// Whether a path is an item of a list of plain values: neither yes nor no is one.
fn is_item(path: &Path) -> bool {
    matches!(path.segs().last(), Some(Seg::Item(_)))
}

/// Whether a message says that something is to be another, without saying what: "no, that is wrong".
pub(crate) fn says_something_is_wrong(filling: &Filling<'_>, said: &Said) -> bool {
    let wrong = |no: usize| {
        let says = |lang: &Language| lang.control.wrong.starts(said, no) || lang.control.edit.starts(said, no);
        filling.world.lang.and_english().any(says)
    };
    (0..said.words.len()).any(wrong)
}

/// Whether a message names a field of the form.
pub(crate) fn names_a_field(filling: &Filling<'_>, said: &Said) -> bool {
    let tags = filling.world.tags_of(filling.form);
    filling.form.fields.iter().any(|field| !named_at(said, field.label.pick(&tags)).is_empty())
}

/// Whether a field's question is for a count, so that nought of it is an answer: it says "how many" or names what it counts
/// by the field's own unit. An age or a year is none.
fn asks_for_a_count(filling: &Filling<'_>, field: &Field, unit: &[String]) -> bool {
    let tags = filling.world.tags();
    let texts = field.ask.iter().chain(std::iter::once(&field.label)).map(|text| text.pick(&tags)).collect::<Vec<_>>();
    let langs = [filling.world.lang, filling.world.speaks];
    texts.into_iter().map(Said::new).any(|said| {
        (0..said.words.len()).any(|no| {
            let counts = |lang: &Language| lang.number.counting.starts(&said, no);
            let named = || unit.iter().any(|unit| Said::new(unit).norm == said.word(no));
            langs.iter().flat_map(|lang| lang.and_english()).any(counts) || no == 0 && said.words.len() <= 2 && named()
        })
    })
}

/// Whether a message is a word for leaving a question out, rather than for none.
fn says_skip(filling: &Filling<'_>, said: &Said) -> bool {
    let langs = [filling.world.lang, filling.world.speaks];
    langs.iter().any(|lang| lang.control.whole.at(said, 0).is_some_and(|(_, control)| *control == Control::Skip))
}
