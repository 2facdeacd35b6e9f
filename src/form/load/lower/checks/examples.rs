//! Examples, defaults and fixed values against the field's own rules: what the form offers, it must take.

use formwright_form::field::{AnswerSource, Field};
use formwright_form::kind::Kind;
use formwright_form::logic::{Expr, Extra};
use formwright_form::{Check, Form};
use formwright_lexicon as language;
use formwright_text::Said;
use formwright_values::when::bound::Bound;
use formwright_values::{Context, Offered, Path, Reading, Refusal, Value};

use super::connect::Nothing;
use crate::lower::flat::Flat;
use crate::lower::given::{offered, why};
use crate::lower::lowering::Lower;
use crate::node::{Data, Node};

/// What became of an example.
enum Tried {
    Taken(Value),
    Refused(Refusal),
    NotRead,
}

impl Lower<'_> {
    /// Warns of examples that the field would not take.
    pub(crate) fn examples(&mut self, form: &Form, field: &Field, flat: &Flat<'_>) {
        let from_tool = field.choices.as_ref().is_some_and(|choices| choices.from.is_some());
        let Some(node) = flat.at("examples").or_else(|| flat.at("example")) else { return };
        if from_tool || !is_readable(&field.kind) {
            return;
        }
        let first = form.languages.first().map_or("en", String::as_str);
        let by_language: Vec<(&str, &Node)> = match &node.data {
            Data::Map(entries) => entries.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect(),
            _ => vec![(first, node)],
        };
        for (tag, examples) in by_language {
            for example in examples.one_or_more() {
                let Some(text) = example.text().filter(|text| !text.contains(['{', '}'])) else { continue };
                let label = match tried(text, field, tag) {
                    Tried::Taken(value) => match failed(&field.checks, &value) {
                        Some(that) => format!("`{}` does not hold", that.source),
                        None => continue,
                    },
                    Tried::Refused(refusal) => why(&refusal),
                    Tried::NotRead => format!("not read as kind `{}`", field.kind.name()),
                };
                let message = format!("the field would not take its own example \"{text}\"");
                let help = "write an answer that fits, or loosen the rule";
                self.warn(&example.span, "form::bad_example", message, &label, help);
            }
        }
    }

    /// Reports a default or fixed value that the field's own checks refuse.
    pub(crate) fn refused_values(&mut self, field: &Field, flat: &Flat<'_>) {
        let (key, value) = match &field.source {
            AnswerSource::Default(value) => ("default", value),
            AnswerSource::Fixed(value) => ("fixed", value),
            AnswerSource::Person
            | AnswerSource::DefaultFrom(_)
            | AnswerSource::FromTool { .. }
            | AnswerSource::Computed(_) => return,
        };
        if let (Some(that), Some(node)) = (failed(&field.checks, value), flat.at(key)) {
            let message = format!("the field's own check refuses its `{key}`");
            let label = format!("`{}` does not hold", that.source);
            let help = "write a value for which the check holds, or change the check";
            self.error(&node.span, "form::refused_by_check", message, &label, help);
        }
    }
}

/// Kinds that are read out of words, without a platform or a map.
fn is_readable(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Person(_)
            | Kind::Channel(_)
            | Kind::File(_)
            | Kind::Location(_)
            | Kind::List(_)
            | Kind::Group(_)
            | Kind::Note(_)
            | Kind::Computed(_)
            | Kind::Hidden(_)
    )
}

/// Whether bounds hang on the day on which the example is given.
fn is_dated(kind: &Kind) -> bool {
    matches!(kind, Kind::Date(_) | Kind::Datetime(_) | Kind::DateRange(_))
}

/// Whether bounds are days of the calendar, whenever the example is given.
#[expect(clippy::wildcard_enum_match_arm, reason = "only kinds of days have such bounds")]
fn has_fixed_days(kind: &Kind) -> bool {
    let (min, max) = match kind {
        Kind::Date(date) => (date.min, date.max),
        Kind::Datetime(datetime) => (datetime.min, datetime.max),
        Kind::DateRange(range) => (range.min, range.max),
        _ => return false,
    };
    [min, max].into_iter().flatten().all(|bound| matches!(bound, Bound::Day(_)))
}

/// Whether words name a year: four digits in a row.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_numeric()).any(|digits| digits.chars().count() == 4)
}

fn tried(text: &str, field: &Field, tag: &str) -> Tried {
    let noon = jiff::civil::date(2026, 1, 15).at(12, 0, 0, 0);
    // Noon of a fixed day in UTC is in range and not ambiguous.
    let now = jiff::tz::TimeZone::UTC.to_ambiguous_zoned(noon).compatible().unwrap_or_default();
    let options: Vec<Offered> =
        field.choices.iter().flat_map(|choices| &choices.options).map(|option| offered(option, tag)).collect();
    let other = field.choices.as_ref().is_some_and(|choices| choices.other);
    let cx = Context { now: &now, lang: language::language(tag), region: None, options: &options, other, held: None };
    let behaviour = field.kind.behaviour();
    let lenient = |refusal: Refusal| match refusal.code.as_str() {
        "date_not_real" => Tried::Refused(refusal),
        _ if is_dated(&field.kind) && !(has_year(text) && has_fixed_days(&field.kind)) => {
            Tried::Taken(Value::Text(text.to_owned()))
        }
        _ => Tried::Refused(refusal),
    };
    match behaviour.read(&Said::new(text), &cx) {
        Reading::Value(found) => match behaviour.check(&found.value, &cx) {
            Ok(()) => Tried::Taken(found.value),
            Err(refusal) => lenient(refusal),
        },
        Reading::Ambiguous(found) => match found.into_iter().next() {
            Some(found) => Tried::Taken(found.value),
            None => Tried::NotRead,
        },
        Reading::Refused(_, refusal) => lenient(refusal),
        Reading::Nothing => Tried::NotRead,
    }
}

/// The first check that a value alone, whatever the day, does not meet.
fn failed<'c>(checks: &'c [Check], value: &Value) -> Option<&'c Expr> {
    let now = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
    checks.iter().filter_map(|check| check.that.expr()).find(|that| {
        let clock = ["today", "now"].iter().any(|word| that.source.contains(word));
        !clock && that.holds(&Path::default(), &Nothing, &Extra::value(value), &now) == Some(false)
    })
}
