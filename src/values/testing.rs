//! What the tests share.

use std::sync::LazyLock;

use formwright_lexicon::language;

use crate::reading::Context;

static NOW: LazyLock<jiff::Zoned> = LazyLock::new(|| "2026-11-21T10:00:00+01:00[Europe/Rome]".parse().unwrap());

/// A context in a language, nothing offered. `it-IT` gives the region too.
pub(crate) fn cx(tag: &'static str) -> Context<'static> {
    let region = tag.split_once('-').map(|(_, region)| region);
    Context { now: &NOW, lang: language(tag), region, options: &[], other: false, held: None }
}
