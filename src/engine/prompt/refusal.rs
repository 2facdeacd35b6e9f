//! The words for a refused value: what is wrong and how to mend it.

#[cfg(test)]
mod tests;

use crate::draft::filling::{AUTHORS_WORDS, CANNOT_SKIP, Filling};
use formwright_form::Path;
use formwright_form::kind::Refusal;

/// Words for a refusal: those of its code, or general ones where a fact is missing that they name.
pub(crate) fn refusal(filling: &Filling<'_>, path: &Path, refusal: &Refusal) -> String {
    if refusal.code == AUTHORS_WORDS {
        return refusal.facts.get("text").cloned().unwrap_or_default();
    }
    let voice = filling.voice();
    let label = filling.label(path);
    let letters = refusal.facts.get("letters").map(|letters| scripts(filling, letters));
    let mut facts: Vec<(&str, &str)> = refusal.facts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    facts.retain(|(fact, _)| *fact != "letters");
    facts.extend(letters.as_deref().map(|letters| ("letters", letters)));
    facts.push(("label", &label));
    let name = if refusal.code == CANNOT_SKIP { CANNOT_SKIP.to_owned() } else { format!("refusal_{}", refusal.code) };
    let failures = filling.draft().asked.get(path).map_or(0, |asked| asked.failures);
    let turn = usize::try_from(failures.saturating_sub(1)).unwrap_or(0) % voice.turns(&name).max(1);
    let told = voice.turns(&name) > 0 && voice.can_say(&name, &facts);
    voice.say_turn(if told { &name } else { "refusal_other" }, turn, &facts)
}

/// "latin, arabic" in the person's language.
fn scripts(filling: &Filling<'_>, scripts: &str) -> String {
    let name = |script: &str| {
        let name = format!("letters_{script}");
        if filling.voice().turns(&name) > 0 { filling.voice().say(&name, &[]) } else { script.to_owned() }
    };
    filling.voice().list(&scripts.split(", ").map(name).collect::<Vec<_>>())
}
