//! Deeds that announce whom a field names.

use formwright_text::Said;

use crate::{Field, Text};

/// What somebody does whom a field names, as English says it: "directed by" of a director, "starring" of an actor who is
/// "starring in the movie".
pub(super) fn of(field: &Field) -> Vec<String> {
    const SHORTEST: usize = 6;
    let english = |text: &Text| Said::new(text.pick(&["en"]));
    let label = english(&field.label);
    let mut deeds = Vec::new();
    if let [_] = label.words.as_slice()
        && let word = label.plain(0)
        && let Some(root) = word.strip_suffix("or").or(word.strip_suffix("er")).filter(|_| word.len() >= SHORTEST)
    {
        deeds.extend([format!("{root}ed by"), format!("{root}en by")]);
    }
    for said in std::iter::once(label).chain(field.help.iter().map(english)) {
        let doing = (0..said.words.len()).map(|no| said.plain(no));
        deeds.extend(doing.filter(|word| word.len() >= SHORTEST && word.ends_with("ing")).map(str::to_owned));
    }
    deeds
}
