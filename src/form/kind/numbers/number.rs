//! `number`: a decimal number.
//!
//! `12.5`, "two and a half", "1.5 million", `3/4`, "70 kg" (with `kg` as unit).

use formwright_chat as chat;
use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;
use formwright_text::Said;
use formwright_values::numeral::{Near, Shape};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, currency, numeral, numeric};
use rust_decimal::Decimal;
use serde_json::{Map, Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A decimal number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Least value.
    pub min: Option<Decimal>,
    /// Greatest value.
    pub max: Option<Decimal>,
    /// Greatest number of decimals.
    pub decimals: Option<u32>,
    /// Unit words.
    pub unit: Vec<String>,
}

fn show(value: Decimal, cx: &Context<'_>) -> String {
    numeric::format(value, None, numeric::GROUP_COUNTS, cx)
}

impl FieldKind for Number {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        numeric::find(said, cx, &self.unit, |numeral| Some(Value::Number(numeral.value.normalize())))
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        if let Some(found) = quotient(said, cx).or_else(|| part(said, cx)) {
            return Reading::Value(found);
        }
        let priced = || priced(said, cx).filter(|_| self.unit.is_empty());
        match numeric::read(said, cx, &self.unit, |numeral| Ok(Value::Number(numeral.value.normalize()))) {
            Reading::Value(found) if found.strength > Strength::Weak => Reading::Value(found),
            reading @ (Reading::Value(_) | Reading::Nothing) => priced().map_or(reading, Reading::Value),
            reading => reading,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Number(numeric::of_data(data, cx)?.value.normalize());
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Number(value) = value else { return Err(Refusal::new("not_a_number")) };
        if let Some(decimals) = self.decimals
            && value.normalize().scale() > decimals
        {
            let code = if decimals == 0 { "not_whole" } else { "too_many_decimals" };
            return Err(Refusal::new(code).fact("decimals", decimals.to_string()));
        }
        numeric::within(*value, self.min, self.max, |bound| show(bound, cx))?;
        numeric::exact_in_json(*value)
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        if let Value::Number(value) = value { show(*value, cx) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Number(value) = value { numeric::to_json(*value) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let mut schema = Map::from_iter([("type".to_owned(), json!("number"))]);
        schema.extend(self.min.map(|min| ("minimum".to_owned(), numeric::to_json(min))));
        schema.extend(self.max.map(|max| ("maximum".to_owned(), numeric::to_json(max))));
        Json::Object(schema)
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Number {
            integer: self.decimals == Some(0),
            min: self.min.map(|min| min.normalize().to_string()),
            max: self.max.map(|max| max.normalize().to_string()),
            unit: self.unit.first().cloned(),
        }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        if let Value::Number(value) = value { Some(value.normalize().to_string()) } else { None }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let step = Decimal::new(15, self.decimals.unwrap_or(1).min(1));
        samples(self.min, self.max, step).map(Value::Number).to_vec()
    }
}

/// "one over eight" as the whole answer.
fn quotient(said: &Said, cx: &Context<'_>) -> Option<Found> {
    let numerals = numeral::all(said, cx);
    let [one, two] = numerals.as_ref() else { return None };
    let over = |lang: &Language| lang.number.over.at(said, one.words.end).map(|(words, ())| words);
    let joined = cx.lang.and_english().filter_map(over).any(|words| one.words.end + words == two.words.start);
    let words = one.words.start..two.words.end;
    if !joined || !numeric::is_all(said, cx.lang, &words) {
        return None;
    }
    let value = numeral::rounded(one.value.checked_div(two.value)?).normalize();
    Some(Found { span: said.raw_words(words), value: Value::Number(value), strength: Strength::Typed })
}

/// "a third" as the whole answer: not the third.
fn part(said: &Said, cx: &Context<'_>) -> Option<Found> {
    let numerals = numeral::all(said, cx);
    let [only] = numerals.as_ref() else { return None };
    let at = only.words.start.checked_sub(1).filter(|_| only.shape == Shape::Ordinal && only.value > Decimal::TWO)?;
    let article = |lang: &Language| matches!(lang.number.atoms.at(said, at), Some((1, Atom::Article)));
    let words = at..only.words.end;
    if !cx.lang.and_english().any(article) || !numeric::is_all(said, cx.lang, &words) {
        return None;
    }
    let value = numeral::rounded(Decimal::ONE.checked_div(only.value)?).normalize();
    Some(Found { span: said.raw_words(words), value: Value::Number(value), strength: Strength::Typed })
}

/// The only number of a message, though it is an amount of money: the field asks for a number and does not say of what.
fn priced(said: &Said, cx: &Context<'_>) -> Option<Found> {
    let numerals = numeral::all(said, cx);
    let [only] = numerals.as_ref() else { return None };
    if only.near != Near::Currency {
        return None;
    }
    let start = currency::before(said, only.words.start, cx.lang).map_or(only.words.start, |(from, _)| from);
    let behind = currency::at(said, only.words.end, cx.lang).map_or(0, |(words, _)| words);
    let span = said.raw_words(start..only.words.end + behind);
    Some(Found { span, value: Value::Number(only.value.normalize()), strength: Strength::Typed })
}

/// A plain value, the least and the greatest, within the bounds.
pub(crate) fn samples(min: Option<Decimal>, max: Option<Decimal>, plain: Decimal) -> [Decimal; 3] {
    let least = min.unwrap_or_default().min(max.unwrap_or(Decimal::MAX));
    let most = max.unwrap_or(Decimal::from(1_000_000)).max(least);
    [plain.clamp(least, most), least, most]
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    #[rstest]
    #[case("en", "two and a half", "two and a half=2.5 Typed")]
    #[case("en", "1.5 million", "1.5 million=1500000 Typed")]
    #[case("en", "3/4", "3/4=0.75 Typed")]
    #[case("en", "about six and a half kilos", "six and a half kilos=6.5 Typed")]
    #[case("en", "6.5 kg", "6.5 kg=6.5 Exact")]
    #[case("en", "half", "half=0.5 Typed")]
    #[case("it", "1.234,56", "1.234,56=1234.56 Typed")]
    #[case("de", "drei Komma fünf", "drei Komma fünf=3.5 Typed")]
    #[case("en", "I weigh 70 kg", "70 kg=70 Exact")]
    #[case("en", "70kg at 7pm", "70kg=70 Exact")]
    #[case("fr", "1 234,5", "1 234,5=1234.5 Typed")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        let kind = Number { unit: vec!["kg".into()], ..Number::default() };
        assert_eq!(reads(&kind, text, &cx(lang)), expected);
    }

    #[rstest]
    #[case("en", "one over one hundred and twenty five", "one over one hundred and twenty five=0.008 Typed")]
    #[case("en", "it's 3 over 8", "3 over 8=0.375 Typed")]
    #[case("it", "uno fratto otto", "uno fratto otto=0.125 Typed")]
    #[case("es", "uno sobre ocho", "uno sobre ocho=0.125 Typed")]
    #[case("de", "eins durch acht", "eins durch acht=0.125 Typed")]
    #[case("fr", "un sur huit", "un sur huit=0.125 Typed")]
    #[case("en", "a third", "a third=0.333333333333333 Typed")]
    #[case("en", "the third", "third=3 Weak")]
    #[case("en", "hundred thousand dollars", "hundred thousand dollars=100000 Typed")]
    #[case("en", "I can give you 3 hundred and 21 yuan.", "3 hundred and 21 yuan=321 Typed")]
    #[case("en", "a single one", "a single one=1 Exact")]
    #[case("it", "uno solo", "uno solo=1 Exact")]
    #[case("es", "solo uno", "solo uno=1 Exact")]
    #[case("de", "nur einen", "nur einen=1 Exact")]
    #[case("fr", "un seul", "un seul=1 Exact")]
    #[case("ar", "واحد فقط", "واحد فقط=1 Exact")]
    #[case("en", "a single room", "")]
    fn quotients_amounts_and_a_single_one(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&Number::default(), text, &cx(lang)), expected);
    }

    #[rstest]
    #[case("en", "9.999", "9.999=9.999 Typed")]
    #[case("en", "1.500 chairs", "1.500=1.5 Weak")]
    #[case("en", "1,500", "1,500=1500 Typed")]
    #[case("it", "1.500", "1.500=1500 Typed")]
    #[case("it", "1,500", "1,500=1.5 Typed")]
    #[case("es", "1.500", "1.500=1500 Typed | 1.500=1.5 Typed")]
    #[case("es-MX", "1.500", "1.500=1.5 Typed")]
    fn the_language_says_which_mark_begins_the_decimals(
        #[case] lang: &'static str,
        #[case] text: &str,
        #[case] expected: &str,
    ) {
        let kind = Number { decimals: Some(2), unit: vec!["kg".into()], ..Number::default() };
        assert_eq!(reads(&kind, text, &cx(lang)), expected);
    }

    #[test]
    fn more_decimals_than_the_field_takes_are_no_thousands() {
        let kind = Number { decimals: Some(2), ..Number::default() };
        let value = Value::Number("9.999".parse().unwrap());
        assert_eq!(kind.check(&value, &cx("en")).unwrap_err().code, "too_many_decimals");
    }

    #[test]
    fn a_number_among_others_is_found_by_its_unit() {
        let kind = Number { unit: vec!["km".into(), "square metres".into()], ..Number::default() };
        assert_eq!(finds(&kind, "12 km in 3 hours", &cx("en")), ["12 km=12 Exact", "3=3 Weak"]);
        assert_eq!(finds(&kind, "80 square metres", &cx("en")), ["80 square metres=80 Exact"]);
    }

    #[rstest]
    #[case(Number { decimals: Some(1), ..Number::default() }, json!(1.25), "too_many_decimals")]
    #[case(Number { decimals: Some(0), ..Number::default() }, json!(1.5), "not_whole")]
    #[case(Number { min: Some(Decimal::ONE), ..Number::default() }, json!("0.5"), "number_too_small")]
    #[case(Number { max: Some(Decimal::ONE), ..Number::default() }, json!(1.5), "number_too_big")]
    #[case(Number::default(), json!("0.1234567890123456"), "too_many_digits")]
    #[case(Number::default(), json!("many"), "not_a_number")]
    fn what_cannot_be_taken_says_why(#[case] kind: Number, #[case] data: Json, #[case] code: &str) {
        assert_eq!(kind.accept(&data, &cx("en")).unwrap_err().code, code);
    }

    #[rstest]
    #[case("en", "12345.5", "12,345.5")]
    #[case("it", "12345.5", "12.345,5")]
    #[case("fr", "12345.5", "12\u{202f}345,5")]
    #[case("de-CH", "12345.5", "12,345.5")]
    #[case("en", "2026", "2026")]
    #[case("en", "-0.50", "-0.5")]
    fn it_is_shown_with_the_marks_of_the_language(#[case] tag: &'static str, #[case] value: &str, #[case] shown: &str) {
        assert_eq!(Number::default().show(&Value::Number(value.parse().unwrap()), &cx(tag)), shown);
    }

    #[test]
    fn json_is_a_number() {
        let json = |value: &str| Number::default().json(&Value::Number(value.parse().unwrap())).to_string();
        assert_eq!(json("12.50"), "12.5");
        assert_eq!(json("12.0"), "12");
        assert_eq!(json("0.1"), "0.1");
    }
}
