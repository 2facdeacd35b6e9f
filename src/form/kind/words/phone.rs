//! `phone`: a telephone number, kept in E.164 where its country is known.
//!
//! With `country = "IT"`, "my number is 347 123-4567" reads as `+393471234567`; an extension is kept after `;ext=`. Where
//! neither the form nor the person tells a country, a number without prefix is kept as its digits. Numbers of payment
//! cards are never read as telephone numbers.

pub mod plans;

use std::ops::Range;

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer, dial, spelled};
use plans::plans;
use rlibphonenumber::{NumberLengthType, PhoneNumber, PhoneNumberFormat, Region, ValidationError};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A telephone number, kept in E.164; without prefix as its digits where no country is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phone {
    /// ISO 3166 code of the country whose numbers may be written without prefix; the person's region where not given.
    pub country: Option<String>,
}

/// How many digits a number has whose country is not known: as many as E.164 allows, and those of a small town's.
const LOCAL_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

impl Phone {
    fn region(&self, cx: &Context<'_>) -> Option<Region> {
        let code = self.country.as_deref().or(cx.region)?;
        code.to_ascii_uppercase().parse().ok()
    }

    /// The number that digits with an optional `+` in front and an extension behind mean.
    fn number(&self, dial: &dial::Dial, cx: &Context<'_>) -> Option<PhoneNumber> {
        let region = if dial.international { None } else { self.region(cx) };
        let plus = if dial.international { "+" } else { "" };
        let ext = dial.extension.as_ref().map(|ext| format!(" ext. {ext}")).unwrap_or_default();
        let text = format!("{plus}{}{ext}", dial.digits);
        plans().parse(&text, region).ok()
    }

    /// The value of a number: E.164, or its bare digits where the country is not known.
    fn value(&self, dial: &dial::Dial, cx: &Context<'_>) -> (String, bool) {
        match self.number(dial, cx) {
            Some(number) => (written(&number), self.is_known(&number, cx)),
            None => {
                let plus = if dial.international { "+" } else { "" };
                let ext = dial.extension.as_ref().map(|ext| format!(";ext={ext}")).unwrap_or_default();
                (format!("{plus}{}{ext}", dial.digits), false)
            }
        }
    }

    /// Whether there may be such a number. Where no country is known one with a country's prefix need only be as long as those
    /// of that country are.
    fn is_known(&self, number: &PhoneNumber, cx: &Context<'_>) -> bool {
        let long = || matches!(plans().is_possible_number_with_reason(number), Ok(NumberLengthType::IsPossible));
        plans().is_valid_number(number) || self.region(cx).is_none() && long()
    }

    /// Whether a number is of no country that is known.
    fn is_of_any_country(&self, dial: &dial::Dial, cx: &Context<'_>) -> bool {
        !dial.international && self.region(cx).is_none() && LOCAL_DIGITS.contains(&dial.digits.len())
    }

    fn found(&self, said: &Said, words: Range<usize>, dial: &dial::Dial, cx: &Context<'_>) -> Found {
        let (value, valid) = self.value(dial, cx);
        let strength = match (valid, dial.international) {
            (true, true) => Strength::Exact,
            (true, false) => Strength::Typed,
            (false, _) if self.is_of_any_country(dial, cx) && dial::is_grouped(said, words.clone()) => Strength::Typed,
            (false, _) => Strength::Weak,
        };
        Found { span: said.raw_words(words), value: Value::Text(value), strength }
    }
}

/// E.164, the extension after `;ext=`.
fn written(number: &PhoneNumber) -> String {
    let e164 = plans().format(number, PhoneNumberFormat::E164).into_owned();
    if number.extension().is_empty() { e164 } else { format!("{e164};ext={}", number.extension()) }
}

/// Reads back what [`written`] wrote.
fn parsed(value: &str) -> Option<PhoneNumber> {
    let (number, ext) = value.split_once(";ext=").unwrap_or((value, ""));
    let digits = number.strip_prefix('+')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || !ext.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let ext = if ext.is_empty() { String::new() } else { format!(" ext. {ext}") };
    plans().parse(format!("{number}{ext}"), None).ok()
}

/// ISO 3166 code of the country of a number as it is kept.
pub fn country_of(text: &str) -> Option<String> {
    let region = plans().get_region_for_number(&parsed(text).filter(|_| text.starts_with('+'))?)?;
    Some(region.as_region_str().as_str().to_owned()).filter(|region| region != "ZZ")
}

/// Whether a text is a number as it is kept where no country is known.
fn is_kept(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(";ext=").is_some_and(|(number, ext)| digits(number) && digits(ext))
}

impl FieldKind for Phone {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let mut all = Vec::new();
        for run in dial::runs(said) {
            // What follows a country's prefix is no number of another country, nor of none.
            let prefixed = matches!((said.word(run.start), said.word(run.start + 1)), ("+", _) | ("(", "+"));
            let candidates = dial::candidates(said, run.clone()).into_iter();
            let candidates = candidates.filter(|(words, _)| !prefixed || words.start == run.start);
            let candidates: Vec<_> = candidates.collect();
            let valid = candidates.iter().map(|(words, dial)| self.found(said, words.clone(), dial, cx));
            let best = valid.into_iter().find(|found| found.strength > Strength::Weak);
            let whole = || {
                let dial = dial::dial(said, run.clone()).filter(|dial| dial.is_plausible(said, &run))?;
                Some(self.found(said, run.clone(), &dial, cx))
            };
            let branch = || {
                let (number, dial) = dial::with_branch(said, run.clone())?;
                let found = self.found(said, run.clone(), &dial, cx);
                let alone = dial::dial(said, number).filter(|alone| self.value(alone, cx).1);
                alone.map(|_| Found { strength: Strength::Exact, ..found })
            };
            all.extend(best.or_else(branch).or_else(whole));
        }
        if all.is_empty() {
            let one = |(words, dial): (Range<usize>, dial::Dial)| {
                let (value, _) = self.value(&dial, cx);
                Found { span: said.raw_words(words), value: Value::Text(value), strength: Strength::Typed }
            };
            all.extend(spelled::numbers(said, cx).into_iter().map(one));
        }
        all
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut all = self.find(said, cx);
        let best = all.iter().map(|found| found.strength).max();
        all.retain(|found| Some(found.strength) == best);
        all.dedup_by(|b, a| a.value == b.value);
        match all.len() {
            0 => {
                let span = said.raw_words(answer::words(said, cx));
                let quote = said.raw.get(span.clone()).unwrap_or_default();
                let digits = quote.chars().filter(|c| c.is_numeric()).count();
                let other = quote.chars().any(char::is_alphabetic);
                if (2..=6).contains(&digits) && !other {
                    Reading::Refused(span, Refusal::new("phone_too_short"))
                } else if digits > 15 && !other && dial::runs(said).is_empty() && !dial::holds_card(said) {
                    Reading::Refused(span, Refusal::new("phone_too_long"))
                } else {
                    Reading::Nothing
                }
            }
            1 => Reading::Value(all.remove(0)),
            2..=8 => Reading::Ambiguous(all),
            _ => Reading::Nothing,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = answer::scalar(data)?;
        let value = if parsed(&text).is_some_and(|number| written(&number) == text) || is_kept(&text) {
            Value::Text(text)
        } else {
            let said = Said::new(&text);
            let all = 0..said.words.len();
            let dial = dial::dial(&said, all).ok_or_else(|| Refusal::new("phone_expected"))?;
            Value::Text(self.value(&dial, cx).0)
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(text) = value else { return Err(Refusal::new("phone_expected")) };
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        if !text.starts_with('+') {
            let digits = text.split_once(";ext=").map_or(digits, |(number, _)| number.len());
            return match self.region(cx) {
                _ if digits < *LOCAL_DIGITS.start() => Err(Refusal::new("phone_too_short")),
                _ if digits > *LOCAL_DIGITS.end() => Err(Refusal::new("phone_too_long")),
                Some(_) => Err(Refusal::new("phone_invalid")),
                None => Ok(()),
            };
        }
        let Some(number) = parsed(text) else { return Err(Refusal::new("phone_invalid")) };
        let country = || {
            let region = plans()
                .get_region_for_number(&number)
                .or_else(|| plans().get_region_for_country_code(number.country_code));
            let region = region.map(|region| region.as_region_str().as_str().to_owned());
            region
                .filter(|region| region != "ZZ")
                .or_else(|| self.country.clone())
                .or_else(|| cx.region.map(str::to_owned))
        };
        match plans().is_possible_number_with_reason(&number) {
            Err(ValidationError::TooShort) | Ok(NumberLengthType::IsPossibleLocalOnly) => {
                Err(Refusal::new("phone_too_short"))
            }
            Err(ValidationError::TooLong) => Err(Refusal::new("phone_too_long")),
            Ok(NumberLengthType::IsPossible) if self.is_known(&number, cx) => Ok(()),
            Err(_) | Ok(NumberLengthType::IsPossible) => {
                let refusal = Refusal::new("phone_invalid");
                Err(match country() {
                    Some(country) => refusal.fact("country", country),
                    None => refusal,
                })
            }
        }
    }

    /// `+39 347 123 4567`
    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        let text = answer::text_of(value);
        parsed(&text).map_or_else(
            || text.replace(";ext=", " ext. "),
            |number| plans().format(&number, PhoneNumberFormat::International).into_owned(),
        )
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let number = if self.country.is_some() { r"\+[1-9][0-9]{3,14}" } else { r"(\+[1-9][0-9]{3,14}|[0-9]{7,15})" };
        json!({ "type": "string", "pattern": format!("^{number}(;ext=[0-9]{{1,7}})?$") })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        chat::Input::Phone { country: self.country.clone().or_else(|| cx.region.map(str::to_owned)) }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let region = self.country.as_deref().and_then(|code| code.to_ascii_uppercase().parse().ok());
        let example = region.and_then(|region: Region| plans().get_example_number(region).ok());
        vec![Value::Text(example.as_ref().map_or_else(|| "+390236618300".to_owned(), written))]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    fn italian() -> Phone {
        Phone { country: Some("IT".to_owned()) }
    }

    #[test]
    fn what_runs_on_in_letters_is_no_number() {
        assert_eq!(italian().find(&Said::new("347 123 456a"), &cx("it")), []);
        assert_eq!(italian().find(&Said::new("347 123 4567a"), &cx("it")), []);
    }

    #[rstest]
    #[case("347 123 4567", Some("+393471234567"))]
    #[case("my number is 347 123 4567", Some("+393471234567"))]
    #[case("347.123.4567", Some("+393471234567"))]
    #[case("(347) 123-4567, thanks", Some("+393471234567"))]
    #[case("3471234567.", Some("+393471234567"))]
    #[case("+39 347 1234567", Some("+393471234567"))]
    #[case("0039 347 1234567", Some("+393471234567"))]
    #[case("٣٤٧ ١٢٣ ٤٥٦٧", Some("+393471234567"))]
    #[case("+44 20 7946 0958 works best", Some("+442079460958"))]
    #[case("+1 (650) 253-0000 ext. 12", Some("+16502530000;ext=12"))]
    #[case("+1-650-253-0000", Some("+16502530000"))]
    #[case("+1 650-253-0000 #12", Some("+16502530000;ext=12"))]
    #[case("+86 20 61302222-8866", Some("+862061302222;ext=8866"))]
    #[case("+86 20 6130-2222-8866", Some("+862061302222;ext=8866"))]
    #[case("02 3661 8300", Some("+390236618300"))]
    #[case("I'm at via Roma 12, call 347 123 4567 at 8", Some("+393471234567"))]
    #[case("20121 347 123 4567", Some("+393471234567"))]
    #[case("4111 1111 1111 1111", None)]
    #[case("4111111111111111", None)]
    #[case("378282246310005", None)]
    #[case("Visa 5111 1111 1111 1111", None)]
    #[case("3782 822463 10006", None)]
    #[case("12/03/2024", None)]
    #[case("2026-11-21", None)]
    #[case("10.30 - 12.30", None)]
    #[case("192.168.10.101", None)]
    #[case("45.4642, 9.1900", None)]
    #[case("two pizzas", None)]
    #[case("", None)]
    fn a_number_is_read(#[case] said: &str, #[case] want: Option<&str>) {
        assert_eq!(text(italian().read(&Said::new(said), &cx("en"))).as_deref(), want, "{said}");
    }

    #[test]
    fn the_persons_region_settles_the_country_where_the_form_does_not() {
        let read = |tag, said| text(Phone::default().read(&Said::new(said), &cx(tag)));
        assert_eq!(read("en-GB", "020 7946 0958").as_deref(), Some("+442079460958"));
        assert_eq!(read("de-DE", "030 901820").as_deref(), Some("+4930901820"));
        assert_eq!(read("en", "020 7946 0958").as_deref(), Some("02079460958"));
    }

    #[rstest]
    #[case("+44 7700 900123", "+447700900123")]
    #[case("+44 7911 123456 ext 4", "+447911123456;ext=4")]
    #[case("+447911123456;ext=4", "+447911123456;ext=4")]
    #[case("(+44) 7911 123456", "+447911123456")]
    #[case("+49 151 12345678", "+4915112345678")]
    #[case("\u{202a}+44 7911 123456\u{202c}", "+447911123456")]
    fn what_follows_a_countrys_prefix_is_no_number_without_it(#[case] said: &str, #[case] want: &str) {
        let all = Phone::default().find(&Said::new(said), &cx("en"));
        assert_eq!(all.into_iter().map(|found| found.value).collect::<Vec<_>>(), [Value::Text(want.to_owned())]);
    }

    #[rstest]
    #[case("12345", "phone_too_short")]
    #[case("+39 347", "phone_too_short")]
    #[case("347 123 4567 890 123", "phone_too_long")]
    #[case("+1 111 111 1111", "phone_invalid")]
    #[case("hello", "phone_expected")]
    #[case("347 123 4567 or 348 123 4567", "phone_expected")]
    fn impossible_numbers_are_refused_with_the_reason(#[case] data: &str, #[case] code: &str) {
        assert_eq!(italian().accept(&json!(data), &cx("en")).unwrap_err().code, code, "{data}");
    }

    #[test]
    fn a_number_of_no_known_country_is_kept_as_its_digits() {
        let (kind, world) = (Phone::default(), cx("en"));
        let value = Value::Text("02079460958;ext=12".to_owned());
        assert_eq!(kind.accept(&json!("020 7946 0958 ext 12"), &world), Ok(value.clone()));
        assert_eq!(kind.show(&value, &world), "02079460958 ext. 12");
        assert_eq!(kind.accept(&kind.json(&value), &world), Ok(value));
        let strengths = |said| {
            let found = kind.find(&Said::new(said), &world);
            found.into_iter().map(|found| found.strength).collect::<Vec<_>>()
        };
        assert_eq!(strengths("call 896 456 8526"), [Strength::Typed]);
        assert_eq!(strengths("order 8964568526"), [Strength::Weak]);
        let short = Phone::default().read(&Said::new("12 34"), &world);
        assert_eq!(short, Reading::Refused(0..5, Refusal::new("phone_too_short")));
    }

    #[rstest]
    #[case("+393471234567", "+39 347 123 4567")]
    #[case("+16502530000;ext=12", "+1 650-253-0000 ext. 12")]
    fn it_is_shown_in_groups_and_reads_back(#[case] value: &str, #[case] shown: &str) {
        let (kind, cx) = (italian(), cx("en"));
        let value = Value::Text(value.to_owned());
        assert_eq!(kind.show(&value, &cx), shown);
        assert_eq!(kind.accept(&kind.json(&value), &cx), Ok(value.clone()));
        assert_eq!(kind.accept(&json!(shown), &cx), Ok(value));
    }

    #[test]
    fn samples_pass_their_own_check() {
        for kind in [italian(), Phone::default(), Phone { country: Some("SA".to_owned()) }] {
            assert!(kind.samples(None).iter().all(|sample| kind.check(sample, &cx("en")).is_ok()));
        }
    }
}
