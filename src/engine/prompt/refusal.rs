//! The words for a refused value: what is wrong and how to mend it.

use crate::engine::fill::{AUTHORS_WORDS, Filling};
use crate::form::Path;
use crate::form::kind::Refusal;

impl Filling<'_> {
    /// Words for a refusal.
    pub(in crate::engine) fn refusal(&self, path: &Path, refusal: &Refusal) -> String {
        if refusal.code == AUTHORS_WORDS {
            return refusal.facts.get("text").cloned().unwrap_or_default();
        }
        let label = self.label(path);
        let mut facts: Vec<(&str, &str)> = refusal.facts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        facts.push(("label", &label));
        let name = format!("refusal_{}", refusal.code);
        let known = self.voice().turns(&name) > 0;
        let failures = self.draft().asked.get(path).map_or(0, |asked| asked.failures);
        let turn = usize::try_from(failures.saturating_sub(1)).unwrap_or(0) % self.voice().turns(&name).max(1);
        self.voice().say_turn(if known { &name } else { "refusal_other" }, turn, &facts)
    }
}
