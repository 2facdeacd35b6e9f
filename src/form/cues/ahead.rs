//! Which fields are for days that lie ahead: "appointment date", "arrival"; not "last appointment".

use formwright_lexicon as language;
use formwright_text::Said;

use crate::{Field, Kind};

/// Whether a field's label or id says that its day lies ahead.
pub(super) fn is(field: &Field) -> bool {
    if !matches!(field.kind, Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_)) {
        return false;
    }
    let id = Said::new(&field.id.as_str().replace(['_', '-'], " "));
    let names: Vec<Said> =
        field.label.by_lang.values().map(|label| Said::new(label)).chain(std::iter::once(id)).collect();
    let says = |of: fn(&language::denial::DenialWords, &str) -> bool| {
        names
            .iter()
            .any(|name| (0..name.words.len()).any(|no| language::all().any(|lang| of(&lang.denial, name.plain(no)))))
    };
    let past = |denial: &language::denial::DenialWords, word: &str| {
        denial.elsewhere.topics.values().any(|topic| topic.ahead && topic.name.word(word).is_some())
    };
    says(|denial, word| denial.ahead.word(word).is_some()) && !says(past)
}
