//! `rating`: points on a scale.
//!
//! "4 out of 5", `4/5`, "four stars", `★★★★`, and a bare number where a rating is asked for.

use std::ops::Range;

use formwright_chat as chat;
use formwright_text::{Said, overlap};
use formwright_values::numeral::{Numeral, Shape};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, numeral, numeric};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Points on a scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rating {
    /// Fewest points; 1 by default.
    pub min: i64,
    /// Most points; 5 by default.
    pub max: i64,
}

type Judged = (Range<usize>, Strength, Result<Value, Refusal>);

impl Rating {
    /// Points said as such: stars, "4 stars", "4 out of 5", `4/5`.
    fn points(&self, said: &Said, cx: &Context<'_>, numerals: &[Numeral]) -> Vec<Judged> {
        let mut all: Vec<Judged> = Vec::new();
        for (i, numeral) in numerals.iter().enumerate() {
            let end = numeral.words.end;
            if all.last().is_some_and(|(words, ..): &Judged| words.end > numeral.words.start) {
                continue;
            }
            if let Shape::Fraction(over, under) = numeral.shape {
                all.push((
                    numeral.words.clone(),
                    Strength::Typed,
                    self.on_scale(Decimal::from(over), Decimal::from(under)),
                ));
                continue;
            }
            let points = |at: usize| cx.lang.and_english().find_map(|lang| lang.number.points.at(said, at));
            let scale = |at: usize| {
                let out_of = cx.lang.and_english().find_map(|lang| lang.number.out_of.at(said, at));
                let joint = out_of.map(|(words, ())| words).or((said.word(at) == "/").then_some(1))?;
                numerals.get(i + 1).filter(|scale| scale.words.start == at + joint)
            };
            // "4 out of 5 stars", "4 stars out of 5", "4 stars".
            let after = |stars: Option<(usize, &())>, at: usize| stars.map_or(at, |(words, ())| at + words);
            let unit = points(end).filter(|_| scale(end).is_none());
            let unit_end = after(unit, end);
            let start = numeral.words.start;
            match (scale(unit_end), unit) {
                (Some(scale), _) => {
                    let words = start..after(points(scale.words.end), scale.words.end);
                    all.push((words, Strength::Exact, self.on_scale(numeral.value, scale.value)));
                }
                (None, Some(_)) => all.push((start..unit_end, Strength::Exact, whole(numeral.value))),
                (None, None) => {}
            }
        }
        all.extend(stars(said).map(|(words, stars)| (words, Strength::Exact, Ok(Value::Integer(stars)))));
        all
    }

    fn on_scale(&self, points: Decimal, scale: Decimal) -> Result<Value, Refusal> {
        if scale == Decimal::from(self.max) {
            whole(points)
        } else {
            Err(Refusal::new("other_scale").fact("min", self.min.to_string()).fact("max", self.max.to_string()))
        }
    }
}

/// Rows of star signs, hollow ones not counted.
fn stars(said: &Said) -> impl Iterator<Item = (Range<usize>, i64)> {
    let sign = |no: usize| match said.word(no) {
        "★" | "⭐" | "🌟" | "✭" | "✮" | "✯" => Some(1),
        "☆" | "✩" => Some(0),
        // What makes the sign before it a picture.
        "\u{fe0f}" | "\u{fe0e}" => Some(0),
        _ => None,
    };
    let mut no = 0;
    std::iter::from_fn(move || {
        while no < said.words.len() && sign(no) != Some(1) {
            no += 1;
        }
        let (start, mut stars) = (no, 0);
        while let Some(one) = sign(no) {
            (stars, no) = (stars + one, no + 1);
        }
        (stars > 0).then_some((start..no, stars))
    })
}

fn whole(points: Decimal) -> Result<Value, Refusal> {
    let whole = if points.is_integer() { points.to_i64() } else { None };
    whole.map(Value::Integer).ok_or_else(|| Refusal::new("not_whole"))
}

impl FieldKind for Rating {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let numerals = numeral::all(said, cx);
        let points = self.points(said, cx, &numerals);
        let bare = numerals.iter().filter_map(|numeral| {
            let inside = |(words, ..): &Judged| overlap(words, &numeral.words);
            if points.iter().any(inside) {
                return None;
            }
            let judged = numeric::judge(said, cx, numeral, &[])?;
            Some((judged.words, Strength::Weak, whole(numeral.value)))
        });
        let bare: Vec<Judged> = bare.collect();
        let mut all: Vec<Found> = points
            .into_iter()
            .chain(bare)
            .filter_map(|(words, strength, value)| {
                Some(Found { span: said.raw_words(words), value: value.ok()?, strength })
            })
            .collect();
        all.sort_by_key(|found| found.span.start);
        all
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let points = self.points(said, cx, &numeral::all(said, cx));
        let points = points.into_iter().map(|(words, strength, value)| (said.raw_words(words), strength, value));
        match numeric::choose(said, points) {
            Reading::Nothing => numeric::read(said, cx, &[], |numeral| whole(numeral.value)),
            reading => reading,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = match data.as_str().map(|text| self.read(&Said::new(text), cx)) {
            Some(Reading::Value(found)) => found.value,
            Some(Reading::Refused(_, refusal)) => return Err(refusal),
            Some(Reading::Ambiguous(_) | Reading::Nothing) | None => whole(numeric::of_data(data, cx)?.value)?,
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Integer(value) = value else { return Err(Refusal::new("not_a_number")) };
        let (min, max) = (Decimal::from(self.min), Decimal::from(self.max));
        numeric::within(Decimal::from(*value), Some(min), Some(max), |bound| bound.to_string())
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        if let Value::Integer(value) = value { format!("{value}/{}", self.max) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Integer(value) = value { json!(value) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "integer", "minimum": self.min, "maximum": self.max })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        let bound = |value: i64| u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        chat::Input::Rating { min: bound(self.min), max: bound(self.max) }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        if let Value::Integer(value) = value { Some(value.to_string()) } else { None }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let middle = self.min.midpoint(self.max);
        [middle, self.min, self.max].map(Value::Integer).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    const FIVE: Rating = Rating { min: 1, max: 5 };

    #[rstest]
    #[case("en", "4 out of 5", "4 out of 5=4 Exact")]
    #[case("en", "four stars", "four stars=4 Exact")]
    #[case("en", "I'd give it 4 out of 5 stars", "4 out of 5 stars=4 Exact")]
    #[case("en", "4/5", "4/5=4 Typed")]
    #[case("en", "4 / 5", "4 / 5=4 Exact")]
    #[case("en", "4 stars out of 5", "4 stars out of 5=4 Exact")]
    #[case("en", "four out of five", "four out of five=4 Exact")]
    #[case("en", "5 stars", "5 stars=5 Exact")]
    #[case("en", "★★★★", "★★★★=4 Exact")]
    #[case("en", "٤/٥", "٤/٥=4 Typed")]
    #[case("en", "★★★★☆", "★★★★☆=4 Exact")]
    #[case("en", "⭐️⭐️⭐️", "⭐️⭐️⭐️=3 Exact")]
    #[case("en", "4", "4=4 Typed")]
    #[case("it", "quattro su cinque", "quattro su cinque=4 Exact")]
    #[case("de", "vier von fünf Sternen", "vier von fünf Sternen=4 Exact")]
    #[case("fr", "4 étoiles", "4 étoiles=4 Exact")]
    #[case("en", "8 out of 10", "8 out of 10?other_scale")]
    #[case("en", "8/10", "8/10?other_scale")]
    #[case("en", "3.5 stars", "3.5 stars?not_whole")]
    #[case("en", "9", "9=9 Typed")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&FIVE, text, &cx(lang)), expected);
    }

    #[test]
    fn only_points_stand_by_themselves() {
        assert_eq!(finds(&FIVE, "we were 3 and I give 4 stars", &cx("en")), ["3=3 Weak", "4 stars=4 Exact"]);
    }

    #[rstest]
    #[case(json!(4), Ok(4))]
    #[case(json!("4"), Ok(4))]
    #[case(json!("4/5"), Ok(4))]
    #[case(json!(0), Err("number_too_small"))]
    #[case(json!(9), Err("number_too_big"))]
    fn data_is_accepted_on_the_scale(#[case] data: Json, #[case] expected: Result<i64, &str>) {
        let got = FIVE.accept(&data, &cx("en"));
        assert_eq!(got.map_err(|refusal| refusal.code), expected.map(Value::Integer).map_err(str::to_owned));
    }
}
