//! What the tests of the kinds share: a fixed clock, and results in short.

use formwright_lexicon::language;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Strength, Value};

use crate::kind::behaviour::FieldKind;

/// A Friday morning in Rome.
pub(crate) const NOW: &str = "2026-11-20T10:15:30+01:00[Europe/Rome]";

/// Runs a check at [`NOW`] in a language with or without a region: `en`, `it-IT`.
pub(crate) fn at<R>(now: &str, locale: &str, run: impl FnOnce(&Context<'_>) -> R) -> R {
    let now: jiff::Zoned = now.parse().unwrap();
    let (lang, region) = locale.split_once('-').map_or((locale, None), |(lang, region)| (lang, Some(region)));
    run(&Context { now: &now, lang: language(lang), region, options: &[], other: false, held: None })
}

/// `=` sure, `~` weak, values that the person is asked to choose from with `|`, a refusal's code with `!`, else `-`.
pub(crate) fn reads(kind: &dyn FieldKind, locale: &str, text: &str) -> String {
    at(NOW, locale, |cx| reads_at(kind, cx, text))
}

/// The same in English, for a field that holds something.
pub(crate) fn reads_holding(kind: &dyn FieldKind, held: &Value, text: &str) -> String {
    at(NOW, "en", |cx| reads_at(kind, &Context { held: Some(held), ..*cx }, text))
}

fn reads_at(kind: &dyn FieldKind, cx: &Context<'_>, text: &str) -> String {
    let said = Said::new(text);
    let short = match kind.read(&said, cx) {
        Reading::Value(found) => sure(kind, &found),
        Reading::Ambiguous(all) => {
            let all: Vec<String> = all.iter().map(|found| sure(kind, found)).collect();
            all.join("|")
        }
        Reading::Refused(_, refusal) => format!("!{}", refusal.code),
        Reading::Nothing => "-".to_owned(),
    };
    for found in kind.find(&said, cx) {
        assert!(said.raw.get(found.span.clone()).is_some_and(|quote| !quote.is_empty()), "{text}: {found:?}");
    }
    short
}

/// What [`FieldKind::find`] gives, each with its quote.
pub(crate) fn finds(kind: &dyn FieldKind, locale: &str, text: &str) -> Vec<(String, String)> {
    at(NOW, locale, |cx| {
        let found = kind.find(&Said::new(text), cx).into_iter();
        found.map(|found| (text[found.span.clone()].to_owned(), sure(kind, &found))).collect()
    })
}

fn sure(kind: &dyn FieldKind, found: &Found) -> String {
    let mark = if found.strength == Strength::Weak { "~" } else { "=" };
    format!("{mark}{}", short(kind, &found.value))
}

fn short(kind: &dyn FieldKind, value: &Value) -> String {
    kind.prefill(value).unwrap_or_default()
}

/// That what is shown is read as the same value, in every language, with and without a region.
pub(crate) fn shown_is_read_back(kind: &dyn FieldKind, value: &Value) {
    for locale in ["en", "en-US", "en-GB", "it-IT", "es", "de-DE", "fr-FR", "ar-EG"] {
        at(NOW, locale, |cx| {
            let shown = kind.show(value, cx);
            match kind.read(&Said::new(&shown), cx) {
                Reading::Value(found) => assert_eq!(&found.value, value, "{locale}: {shown}"),
                other => panic!("{locale}: {shown}: {other:?}"),
            }
        });
    }
}

/// That any text gives a result whose quotes are parts of it.
pub(crate) fn is_total(kind: &dyn FieldKind, text: &str) {
    for (now, locale) in [(NOW, "en"), ("9999-12-29T23:59:59Z[UTC]", "it"), ("-009999-01-05T00:00:00Z[UTC]", "de")] {
        at(now, locale, |cx| {
            let said = Said::new(text);
            let mut all = kind.find(&said, cx);
            match kind.read(&said, cx) {
                Reading::Value(found) => all.push(found),
                Reading::Ambiguous(more) => all.extend(more),
                Reading::Refused(span, _) => assert!(text.get(span).is_some()),
                Reading::Nothing => {}
            }
            for found in all {
                assert!(text.get(found.span.clone()).is_some(), "{text:?} {found:?}");
                let _ = (kind.check(&found.value, cx), kind.show(&found.value, cx), kind.json(&found.value));
            }
            let _ = kind.accept(&serde_json::json!(text), cx);
        });
    }
}

/// Texts out of the words that the grammar knows, to reach deep into it.
pub(crate) fn words() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    const WORDS: &[&str] = &[
        "in",
        "the",
        "3",
        "31",
        "2",
        "99999",
        "999999999",
        "30",
        "week",
        "weeks",
        "days",
        "years",
        "months",
        "ago",
        "from",
        "next",
        "last",
        "monday",
        "fri",
        "may",
        "february",
        "of",
        "first",
        "last",
        "day",
        "tomorrow",
        "tonight",
        "at",
        "half",
        "past",
        "to",
        "quarter",
        ":",
        "/",
        "-",
        ".",
        ",",
        "pm",
        "am",
        "'",
        "é",
        "٣",
        "noon",
        "for",
        "until",
        "hours",
        "h",
        "pt",
        "p",
        "easter",
        "twenty",
        "nineteen",
        "second",
        "2026",
        "9999",
        "0001",
        "00",
        "and a half",
        "end",
        "year",
        "domani",
        "alle",
        "halb",
        "sechs",
        "nächsten",
        "weekend",
        "between",
        "and",
        " ",
        "(",
        ")",
        "dopo",
        "ordinal",
        "th",
        "lunedì",
        "prossimo",
    ];
    let word = proptest::sample::select(WORDS);
    let space = prop_oneof![Just(""), Just(" "), Just(" ")];
    proptest::collection::vec((word, space), 0..12)
        .prop_map(|parts| parts.into_iter().flat_map(|(word, space)| [word, space]).collect())
}
