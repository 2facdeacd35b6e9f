//! Values that the file gives: defaults and fixed ones, as the field's kind keeps them.

#![expect(clippy::wildcard_enum_match_arm, reason = "only a few kinds need words of their own")]

use formwright_form::choices::{Choices, OptionDef};
use formwright_form::kind::Kind;
use formwright_form::problem::Problem;
use formwright_lexicon as language;
use formwright_values::when::bound::Bound;
use formwright_values::{Context, Offered, OptionId, Refusal, Value};
use serde_json::Value as Json;

use super::lowering::Lower;
use crate::node::Node;

impl Lower<'_> {
    /// A value of the file as the field's kind keeps it.
    pub(super) fn accepted(&mut self, node: &Node, kind: &Kind, choices: Option<&Choices>) -> Option<Value> {
        let json = node.json();
        if choices.is_some_and(|choices| choices.from.is_some()) {
            return unchecked_options(&json, kind);
        }
        let offered: Vec<Offered> =
            choices.map(|choices| choices.options.iter().map(|o| offered(o, "")).collect()).unwrap_or_default();
        // Bounds that hang on the day are taken off, so the moment does not matter.
        let now = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
        let other = choices.is_some_and(|choices| choices.other);
        let cx = Context { now: &now, lang: language::english(), region: None, options: &offered, other, held: None };
        let refusal = match without_today(kind).behaviour().accept(&json, &cx) {
            Ok(value) => return Some(value),
            Err(refusal) => refusal,
        };
        let message = format!("kind `{}` does not take this value", kind.name());
        let problem = Problem::error("form::bad_value", message).at(node.span.clone(), why(&refusal));
        let ids: Vec<&str> = offered.iter().map(|option| option.id.as_str()).collect();
        self.problems.push(match node.text() {
            Some(text) if !ids.is_empty() => {
                problem.did_you_mean(text, ids.iter().copied(), format!("the options are {}", ids.join(", ")))
            }
            _ => problem.help(format!("write {}", wanted(kind))),
        });
        None
    }
}

/// An option as offered in a language; in the first there is where it has no label in that one.
pub(super) fn offered(option: &OptionDef, language: &str) -> Offered {
    let labels = &option.label.by_lang;
    let label = labels.get(language).or_else(|| labels.values().next()).cloned().unwrap_or_default();
    Offered { id: option.id.clone(), label, synonyms: option.synonyms.clone(), detail: None }
}

/// Why a value is refused, for authors of forms.
pub(super) fn why(refusal: &Refusal) -> String {
    let fact = |name: &str| refusal.facts.get(name).map_or("", String::as_str);
    let (min, max) = (fact("min"), fact("max"));
    match refusal.code.as_str() {
        "number_too_small" => format!("less than {min}"),
        "number_too_big" => format!("more than {max}"),
        "date_too_early" | "time_too_early" => format!("before {min}"),
        "date_too_late" | "time_too_late" => format!("after {max}"),
        "duration_too_short" => format!("shorter than {min}"),
        "duration_too_long" => format!("longer than {max}"),
        "text_too_short" => format!("shorter than {min} characters"),
        "text_too_long" => format!("longer than {max} characters"),
        "too_few_picks" | "too_few_items" => format!("fewer than {min}"),
        "too_many_picks" | "too_many_items" => format!("more than {max}"),
        "other_scale" => format!("not on the scale from {min} to {max}"),
        "too_many_decimals" => format!("more than {} decimals", fact("decimals")),
        "option_unknown" | "option_not_offered" | "option_expected" => "not one of the options".to_owned(),
        "currency_not_taken" => format!("not in {}", fact("currencies")),
        "email_domain" => format!("not in {}", fact("domains")),
        "url_host" => format!("not on {}", fact("hosts")),
        "pattern_mismatch" => "not of the shape that `regex` asks for".to_owned(),
        "date_not_real" => "a day that does not exist".to_owned(),
        "letters_only" => format!("has other letters than {}", fact("letters")),
        code => code.replace('_', " "),
    }
}

/// The kind without bounds that hang on what day it is.
fn without_today(kind: &Kind) -> Kind {
    let fixed = |bound: &mut Option<Bound>| *bound = bound.filter(|bound| matches!(bound, Bound::Day(_)));
    let mut kind = kind.clone();
    match &mut kind {
        Kind::Date(date) => [&mut date.min, &mut date.max].into_iter().for_each(fixed),
        Kind::Datetime(datetime) => [&mut datetime.min, &mut datetime.max].into_iter().for_each(fixed),
        Kind::DateRange(range) => [&mut range.min, &mut range.max].into_iter().for_each(fixed),
        _ => {}
    }
    kind
}

/// Options that a tool will bring cannot be compared with a list.
fn unchecked_options(json: &Json, kind: &Kind) -> Option<Value> {
    let ids: Vec<&str> = match json {
        Json::Array(ids) => ids.iter().filter_map(Json::as_str).collect(),
        one => vec![one.as_str()?],
    };
    if matches!(kind, Kind::Choices(_)) {
        return Some(Value::Options { picked: ids.into_iter().map(OptionId::new).collect(), other: None });
    }
    ids.first().map(|id| Value::Option(OptionId::new(*id)))
}

fn wanted(kind: &Kind) -> &'static str {
    match kind {
        Kind::YesNo(_) => "`true` or `false`",
        Kind::Date(_) => "a day such as `\"2026-03-01\"`",
        Kind::Time(_) => "a time such as `\"18:30\"`",
        Kind::Integer(_) | Kind::Rating(_) => "a whole number within the bounds",
        Kind::Number(_) | Kind::Percent(_) | Kind::Money(_) => "a number within the bounds",
        _ => "a value that a person could give",
    }
}
