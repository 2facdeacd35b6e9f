//! `money`: an amount in a currency.
//!
//! `€12.50`, `12,50 euro`, "twelve euros and fifty cents", "12 euro e 50", `EUR 12`, "20 bucks", `50p`. A sign that several
//! currencies share means the one that the field takes.

mod beside;
mod words;

use std::ops::Range;

use formwright_chat as chat;
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

use beside::{
    cents_at, cents_within, ends_here, glued_scale, hundredths, is_of_unknown_unit, leads, minus_before,
    scale_before_currency, scaled, tells_when,
};
use formwright_lexicon::Language;
use formwright_lexicon::number::Role;
use formwright_text::{Class, Said, overlap};
use formwright_values::numeral::{Near, Numeral, Shape};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, currency, numeral, numeric};

use super::number;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// An amount in a currency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Money {
    /// Currency taken when none is said; ISO 4217.
    pub currency: String,
    /// Other currencies taken.
    pub currencies: Vec<String>,
    /// Least amount.
    pub min: Option<Decimal>,
    /// Greatest amount.
    pub max: Option<Decimal>,
}

impl Money {
    /// Codes taken: the field's own first, which is always taken.
    fn taken(&self) -> impl Iterator<Item = &str> {
        let others = self.currencies.iter().map(String::as_str).filter(|currency| *currency != self.currency);
        std::iter::once(self.currency.as_str()).chain(others)
    }

    /// The ISO 4217 code that a sign or code means here.
    fn code<'a>(&'a self, sign: &'a str, cx: &Context<'_>) -> &'a str {
        let meant = currency::meant_by(sign);
        if meant.is_empty() {
            return sign;
        }
        let own = self.taken().find(|code| meant.contains(code));
        let regional = cx.region.and_then(currency::of_region).filter(|code| meant.contains(code));
        own.or(regional).or(meant.first().copied()).unwrap_or(sign)
    }

    fn value(amount: Decimal, code: &str) -> Value {
        Value::Money { amount: amount.normalize(), currency: code.to_owned() }
    }

    /// The amount with its currency around `numerals[i]`: words and value. None where no currency is said.
    fn at(&self, said: &Said, cx: &Context<'_>, numerals: &[Numeral], i: usize) -> Option<(Range<usize>, Value)> {
        let numeral = numerals.get(i)?;
        if matches!(numeral.shape, Shape::Ordinal | Shape::Fraction(..)) {
            return None;
        }
        // Of "three fifty dollars" nobody knows whether they are hundreds or cents.
        let spoken = |of: &Numeral| matches!(of.shape, Shape::Words | Shape::Doubtful);
        let before = i.checked_sub(1).and_then(|i| numerals.get(i));
        if before.is_some_and(|before| before.words.end == numeral.words.start && spoken(before) && spoken(numeral)) {
            return None;
        }
        let mut words = numeral.words.clone();
        let mut amount = numeral.value;
        let after = currency::at(said, words.end, cx.lang);
        let within =
            cents_within(said, numeral, cx).filter(|(count, _)| after.is_none() && *count >= Decimal::from(20));
        let behind = || cents_at(said, words.end, cx).map(|(end, of)| (end, amount, of));
        if let Some((end, count, of)) = within.map(|(count, of)| (words.end, count, of)).or_else(behind) {
            let code = if of == "¢" { &self.currency } else { of };
            return Some((words.start..end, Self::value(count.checked_mul(Decimal::new(1, 2))?, code)));
        }
        if let Some(scaled) = scaled(said, &words, amount) {
            return Some(scaled);
        }
        let before = currency::before(said, words.start, cx.lang).filter(|(from, sign)| {
            // "PAY BOB 20 QUID": letters before a number name no currency where another one follows it.
            let behind = currency::at(said, words.end, cx.lang).map(|(_, sign)| sign);
            let other = |behind: &str| behind != *sign && !currency::meant_by(behind).contains(sign);
            currency::is_sign(said, *from) || !currency::meant_by(sign).is_empty() || !behind.is_some_and(other)
        });
        if let Some((from, _)) = before {
            words.start = from;
            if let Some(scale) = glued_scale(said, words.end) {
                (amount, words.end) = (amount.checked_mul(scale)?, words.end + 1);
            }
        }
        if before.is_none()
            && let Some(scale) = scale_before_currency(said, words.end, cx.lang)
        {
            (amount, words.end) = (amount.checked_mul(scale)?, words.end + 1);
        }
        // `12,- €`
        let dash = matches!(said.word(words.end), "," | ".")
            && said.word(words.end + 1) == "-"
            && said.is_glued(words.end + 1);
        // "a 20-euro note"
        let hyphen = said.word(words.end) == "-" && said.is_glued(words.end) && said.is_glued(words.end + 1);
        // "3 Mio. Euro"
        let dot = said.word(words.end) == "." && said.is_glued(words.end) && !said.is_glued(words.end + 1);
        let short = dot && said.words.get(words.end - 1).is_some_and(|word| word.class == Class::Letters);
        let after_at = if dash { words.end + 2 } else { words.end + usize::from(hyphen || short) };
        // The second sign of "$20-$30" belongs to what follows.
        let begins =
            |count: usize| hyphen && said.words.get(after_at + count).is_some_and(|no| no.class == Class::Digits);
        let after = currency::at(said, after_at, cx.lang)
            .filter(|(count, _)| !leads(said, after_at, *count) && !begins(*count));
        if let Some((count, _)) = after {
            words.end = after_at + count;
        }
        let sign = match (before, after) {
            (Some((_, sign)), Some((_, code))) => {
                if currency::meant_by(code).is_empty() {
                    code
                } else {
                    sign
                }
            }
            (Some((_, sign)), None) | (None, Some((_, sign))) => sign,
            (None, None) => return None,
        };
        // No price has three decimals where its money has two: "1.200 €" is twelve hundred in every language.
        let grouped = amount == numeral.value && amount.scale() == 3 && currency::decimals(self.code(sign, cx)) < 3;
        if let Some(whole) = numeral.other.filter(|_| grouped) {
            amount = whole;
        }
        if amount.is_integer()
            && let Some((end, part)) = hundredths(said, cx, numerals.get(i + 1), words.clone(), after.is_some())
        {
            amount = amount.checked_add(part)?;
            words.end = end;
        }
        if before.is_some()
            && let Some(minus) = minus_before(said, words.start)
        {
            (amount, words.start) = (-amount, minus);
        }
        Some((words, Self::value(amount, self.code(sign, cx))))
    }

    fn exact(&self, said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Value)> {
        let numerals = numeral::all(said, cx);
        let mut all: Vec<(Range<usize>, Value)> = self.in_one_word(said, cx).into_iter().collect();
        for (i, numeral) in numerals.iter().enumerate() {
            if all.last().is_some_and(|(words, _)| words.end > numeral.words.start) {
                continue;
            }
            let found = self.at(said, cx, &numerals, i).or_else(|| self.one_and_hundredths(said, cx, numeral));
            let Some((words, value)) = found else { continue };
            // "10-20 euros", "about 10 to 20 euros": the first is an amount too.
            if let (Some(first), Value::Money { currency, .. }) =
                (i.checked_sub(1).and_then(|i| numerals.get(i)), &value)
                && numeral::joins_range(said, cx.lang, first.words.end..words.start)
            {
                all.push((first.words.clone(), Self::value(first.value, currency)));
            }
            // "$20-30k", "€20 to 30": so is the second, where nothing is counted by it.
            let second = numerals.get(i + 1).filter(|next| {
                let joined = numeral::joins_range(said, cx.lang, words.end..next.words.start);
                let ends = ends_here(said, next.words.end) || tells_when(said, next.words.end, cx.lang);
                joined && ends && self.at(said, cx, &numerals, i + 1).is_none()
            });
            let second = second.and_then(|next| match &value {
                Value::Money { currency, .. } => Some((next.words.clone(), Self::value(next.value, currency))),
                _ => None,
            });
            all.push((words, value));
            all.extend(second);
        }
        all
    }

    fn show(&self, amount: Decimal, code: &str, cx: &Context<'_>) -> String {
        let sign = Some(currency::sign(code)).filter(|sign| self.code(sign, cx) == code).unwrap_or(code);
        let number = numeric::format(
            amount.abs(),
            Some(currency::decimals(code).max(amount.normalize().scale())),
            numeric::GROUP_AMOUNTS,
            cx,
        );
        let minus = if amount.is_sign_negative() && !amount.is_zero() { "-" } else { "" };
        if cx.lang.number.currency_after {
            format!("{minus}{number}\u{a0}{sign}")
        } else {
            let space = if sign.ends_with(char::is_alphabetic) { "\u{a0}" } else { "" };
            format!("{minus}{sign}{space}{number}")
        }
    }
}

impl Money {
    /// What a bare number is in thousands where it has more decimals than its money: "1.200" may be twelve hundred.
    fn in_thousands(&self, numeral: &Numeral) -> Option<Value> {
        let more = numeral.value.scale() == 3 && currency::decimals(&self.currency) < 3;
        numeral.other.filter(|_| more).map(|whole| Self::value(whole, &self.currency))
    }
}

impl FieldKind for Money {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let exact = self.exact(said, cx);
        let numerals = numeral::all(said, cx);
        let bare = numerals.iter().enumerate().filter_map(|(i, numeral)| {
            let counts = numeric::counts_people(said, cx.lang, &numeral.words);
            let counts = counts || is_of_unknown_unit(said, cx.lang, &numeral.words);
            if counts || exact.iter().any(|(words, _)| overlap(words, &numeral.words)) {
                return None;
            }
            if let Near::Each(words) = numeral.near {
                let words = numeral.words.start..numeral.words.end + words;
                return Some((words, Self::value(numeral.value, &self.currency), Strength::Typed));
            }
            // "35 to 40 each".
            let next = numerals.get(i + 1).filter(|next| matches!(next.near, Near::Each(_)));
            if next.is_some_and(|next| numeral::joins_range(said, cx.lang, numeral.words.end..next.words.start)) {
                return Some((numeral.words.clone(), Self::value(numeral.value, &self.currency), Strength::Typed));
            }
            // "Room 404" and "45 minutes" are no amounts.
            let named = |lang: &Language| {
                let before = numeral.words.start.checked_sub(1);
                before.is_some_and(|no| lang.number.before.word_at(said, no) == Some(&Role::Name))
            };
            if numeral.near == Near::Role(Role::Unit) || cx.lang.and_english().any(named) {
                return None;
            }
            let judged = numeric::judge(said, cx, numeral, &[])?;
            // Of "1.200" nobody knows: what is asked back is asked where the field is.
            if self.in_thousands(numeral).is_some() {
                return None;
            }
            // `12.50` looks like an amount; a whole number is as likely a count.
            let cents = numeral.shape == Shape::Digits && numeral.value.scale() == 2 && numeral.other.is_none();
            let strength = if cents { judged.strength } else { Strength::Weak };
            Some((judged.words, Self::value(numeral.value, &self.currency), strength))
        });
        let bare: Vec<_> = bare.collect();
        let mut all: Vec<Found> = exact
            .into_iter()
            .map(|(words, value)| (words, value, Strength::Exact))
            .chain(bare)
            .map(|(words, value, strength)| Found { span: said.raw_words(words), value, strength })
            .collect();
        all.sort_by_key(|found| found.span.start);
        all
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let exact = self.exact(said, cx).into_iter();
        match numeric::choose(said, exact.map(|(words, value)| (said.raw_words(words), Strength::Exact, Ok(value)))) {
            Reading::Nothing => {
                if let Some(reading) = self.spoken_with_hundredths(said, cx) {
                    return reading;
                }
                let amount = |numeral: &Numeral| Ok(Self::value(numeral.value, &self.currency));
                let people = |numeral: &Numeral| numeric::counts_people(said, cx.lang, &numeral.words);
                let unknown = |numeral: &Numeral| is_of_unknown_unit(said, cx.lang, &numeral.words);
                if numeral::all(said, cx).iter().any(|numeral| people(numeral) || unknown(numeral)) {
                    return Reading::Nothing;
                }
                match numeric::read(said, cx, &[], amount) {
                    Reading::Value(found) => {
                        let all = numeral::all(said, cx);
                        let own = all.iter().find(|numeral| said.raw_words(numeral.words.clone()) == found.span);
                        match own.and_then(|numeral| self.in_thousands(numeral)) {
                            Some(value) => Reading::Ambiguous(vec![found.clone(), Found { value, ..found }]),
                            None => Reading::Value(found),
                        }
                    }
                    Reading::Nothing => self.one(said, cx).map_or(Reading::Nothing, Reading::Value),
                    reading => reading,
                }
            }
            reading => reading,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = match data {
            Json::Object(object) => {
                let amount = numeric::of_data(object.get("amount").unwrap_or(&Json::Null), cx)?;
                let code = object.get("currency").and_then(Json::as_str).unwrap_or(&self.currency).to_uppercase();
                Self::value(amount.value, &code)
            }
            Json::String(text) if text.parse::<Decimal>().is_err() => match self.read(&Said::new(text), cx) {
                Reading::Value(found) => found.value,
                Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => {
                    return Err(Refusal::new("not_a_number"));
                }
            },
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                let amount = numeric::of_data(data, cx)?;
                Self::value(amount.value, &self.currency)
            }
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Money { amount, currency: code } = value else { return Err(Refusal::new("not_a_number")) };
        if !self.taken().any(|taken| taken == code) {
            let taken: Vec<&str> = self.taken().collect();
            return Err(Refusal::new("currency_not_taken").fact("currency", code).fact("currencies", taken.join(", ")));
        }
        let decimals = currency::decimals(code);
        if amount.normalize().scale() > decimals {
            let refusal = if decimals == 0 { "not_whole" } else { "too_many_decimals" };
            return Err(Refusal::new(refusal).fact("decimals", decimals.to_string()));
        }
        numeric::within(*amount, self.min, self.max, |bound| self.show(bound, code, cx))
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        if let Value::Money { amount, currency } = value { self.show(*amount, currency, cx) } else { String::new() }
    }

    fn json(&self, value: &Value) -> Json {
        let Value::Money { amount, currency: code } = value else { return Json::Null };
        json!({ "amount": plain(*amount, code), "currency": code })
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({
            "type": "object",
            "properties": {
                "amount": { "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" },
                "currency": { "enum": self.taken().collect::<Vec<_>>() },
            },
            "required": ["amount", "currency"],
            "additionalProperties": false,
        })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Number {
            integer: currency::decimals(&self.currency) == 0,
            min: self.min.map(|min| min.normalize().to_string()),
            max: self.max.map(|max| max.normalize().to_string()),
            unit: Some(self.currency.clone()),
        }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        let Value::Money { amount, currency } = value else { return None };
        // The widget holds a bare number, which means the field's own currency.
        (*currency == self.currency).then(|| plain(*amount, currency))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let amounts = number::samples(self.min, self.max, Decimal::from(12));
        amounts.map(|amount| Value::Money { amount, currency: self.currency.clone() }).to_vec()
    }
}

/// An amount with as many decimals as its currency has, or more where it has more.
fn plain(amount: Decimal, code: &str) -> String {
    let mut amount = amount.normalize();
    amount.rescale(currency::decimals(code).max(amount.scale()));
    amount.to_string()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    fn euros() -> Money {
        Money { currency: "EUR".into(), ..Money::default() }
    }

    #[rstest]
    #[case("en", "€12.50", "€12.50=12.50 EUR")]
    #[case("en", "12.50€", "12.50€=12.50 EUR")]
    #[case("en", "EUR 12", "EUR 12=12.00 EUR")]
    #[case("en", "it was 12 euros and 50 cents", "12 euros and 50 cents=12.50 EUR")]
    #[case("it", "12 euro e 50", "12 euro e 50=12.50 EUR")]
    #[case("it", "dodici euro e cinquanta", "dodici euro e cinquanta=12.50 EUR")]
    #[case("it", "1.234,50 €", "1.234,50 €=1234.50 EUR")]
    #[case("de", "12,- €", "12,- €=12.00 EUR")]
    #[case("fr", "12€50", "12€50=12.50 EUR")]
    #[case("en", "20 bucks", "20 bucks=20.00 USD")]
    #[case("en", "$1,234.50", "$1,234.50=1234.50 USD")]
    #[case("en", "US$5", "US$5=5.00 USD")]
    #[case("en", "$2m", "$2m=2000000.00 USD")]
    #[case("en", "$1.5 million", "$1.5 million=1500000.00 USD")]
    #[case("en", "$2.174T", "$2.174T=2174000000000.00 USD")]
    #[case("en", "$5tn", "$5tn=5000000000000.00 USD")]
    #[case("en", "INR 4.5L", "INR 4.5L=450000.00 INR")]
    #[case("en", "NT$300", "NT$300=300.00 TWD")]
    #[case("en", "5m euros", "5m euros=5000000.00 EUR")]
    #[case("en", "5 mn dollars", "5 mn dollars=5000000.00 USD")]
    #[case("en", "USD 1.5 mn", "USD 1.5 mn=1500000.00 USD")]
    #[case("de", "3 Mio. Euro", "3 Mio. Euro=3000000.00 EUR")]
    #[case("fr", "3 M€", "3 M€=3000000.00 EUR")]
    #[case("en", "50 cents", "50 cents=0.50 EUR")]
    #[case("en", "€20 and 43c", "€20 and 43c=20.43 EUR")]
    #[case("en", "-€5", "-€5=-5.00 EUR")]
    #[case("en", "¥1200", "¥1200=1200 JPY")]
    #[case("en", "12.50", "12.50=12.50 EUR")]
    #[case("en", "12", "12=12.00 EUR")]
    #[case("en", "0", "0=0.00 EUR")]
    #[case("en", "1.250 euros", "1.250 euros=1250.00 EUR")]
    #[case("en", "1.234", "1.234=1.234 EUR | 1.234=1234.00 EUR")]
    #[case("it", "1,234", "1,234=1.234 EUR | 1,234=1234.00 EUR")]
    #[case("it", "1.234", "1.234=1234.00 EUR")]
    #[case("it", "1.234 euro", "1.234 euro=1234.00 EUR")]
    #[case("en", "1.200 €", "1.200 €=1200.00 EUR")]
    #[case("en", "up to €1.500", "€1.500=1500.00 EUR")]
    #[case("en", "two hundred euros", "two hundred euros=200.00 EUR")]
    #[case("ar", "خمسون يورو", "خمسون يورو=50.00 EUR")]
    #[case("en", "twelve euros fifty", "twelve euros fifty=12.50 EUR")]
    #[case("en", "12 euro 50", "12 euro 50=12.50 EUR")]
    #[case("en", "taxi 12 euros 50 tomorrow", "12 euros 50=12.50 EUR")]
    #[case("en", "12 euros 50 for the taxi", "12 euros 50=12.50 EUR")]
    #[case("en", "12 euros 50 people", "12 euros=12.00 EUR")]
    #[case("en", "12 euro 5", "12 euro=12.00 EUR")]
    #[case("en", "€12,50", "€12,50=12.50 EUR")]
    #[case("en", "1.5k", "1.5k=1500.00 EUR")]
    #[case("en", "two grand", "two grand=2000.00 EUR")]
    #[case("en", "12.50 each", "12.50=12.50 EUR")]
    #[case("en", "5 bucks", "5 bucks=5.00 USD")]
    #[case("en", "a dollar", "a dollar=1.00 USD")]
    #[case("en", "a dollar twenty-five", "a dollar twenty-five=1.25 USD")]
    #[case("en", "it cost a buck fifty", "a buck fifty=1.50 USD")]
    #[case("en", "two dollars and a half", "two dollars and a half=2.50 USD")]
    #[case("fr", "un euro vingt", "un euro vingt=1.20 EUR")]
    #[case("it", "un euro e venti centesimi", "un euro e venti centesimi=1.20 EUR")]
    #[case("es", "doce euros con cincuenta", "doce euros con cincuenta=12.50 EUR")]
    #[case("en", "1 200 €", "1 200 €=1200.00 EUR")]
    #[case("en", "10 000 euros", "10 000 euros=10000.00 EUR")]
    #[case("en", "around 12 500 dollars", "12 500 dollars=12500.00 USD")]
    #[case("en", "EUR 1 200,50", "EUR 1 200,50=1200.50 EUR")]
    #[case("ar", "1 200 €", "1 200 €=1200.00 EUR")]
    #[case("en", "950 UAE dirhams", "950 UAE dirhams=950.00 AED")]
    #[case("en", "Dhs 950", "Dhs 950=950.00 AED")]
    #[case("ar", "ألف ومئتا ريال", "ألف ومئتا ريال=1200.00 SAR")]
    #[case("es", "2 mil pesos", "2 mil pesos=2000.00 MXN")]
    #[case("en", "a couple of hundred dollars", "a couple of hundred dollars=200.00 USD")]
    #[case("it", "un paio di centinaia di euro", "un paio di centinaia di euro=200.00 EUR")]
    #[case("en", "10 c", "10 c=0.10 EUR")]
    #[case("en", "cad$ 15", "cad$ 15=15.00 CAD")]
    #[case("en", "RM42", "RM42=42.00 MYR")]
    #[case("en", "10 turkish lira", "10 turkish lira=10.00 TRY")]
    #[case("en", "42 kuwaiti dinar", "42 kuwaiti dinar=42.000 KWD")]
    #[case("en", "30 canadian dollars", "30 canadian dollars=30.00 CAD")]
    #[case("en", "5 euros and 3 apples", "5 euros=5.00 EUR")]
    #[case("en", "30 MUSD", "30 MUSD=30000000.00 USD")]
    #[case("en", "kEUR 50", "kEUR 50=50000.00 EUR")]
    #[case("en", "3 $50 vouchers", "$50=50.00 USD")]
    #[case("en", "3 USD50 vouchers", "USD50=50.00 USD")]
    #[case("en", "a 20-euro note", "20-euro=20.00 EUR")]
    #[case("en", "a one-yen coin", "one-yen=1 JPY")]
    #[case("en", "$20 43", "$20 43=20.43 USD")]
    #[case("en", "50 pence", "50 pence=0.50 GBP")]
    #[case("en", "250 million dutch guilders", "250 million dutch guilders=250000000.00 NLG")]
    #[case("en", "Rs. 1,50,000", "Rs. 1,50,000=150000.00 INR")]
    #[case("en", "1000 won", "1000 won=1000 KRW")]
    #[case("en", "I won 1000", "1000=1000.00 EUR")]
    #[case("en", "5 naira", "5 naira=5.00 NGN")]
    #[case("de", "50 Rappen", "50 Rappen=0.50 CHF")]
    #[case("en", "10-20 euros", "10=10.00 EUR | 20 euros=20.00 EUR")]
    #[case("en", "$20-$30", "$20=20.00 USD | $30=30.00 USD")]
    #[case("en", "$20-30", "$20=20.00 USD | 30=30.00 USD")]
    #[case("en", "$20 to 30 people", "$20=20.00 USD")]
    #[case("fr", "15 dollars et 15 cents", "15 dollars et 15 cents=15.15 USD")]
    #[case("fr", "treize euros et quarante-cinq cents", "treize euros et quarante-cinq cents=13.45 EUR")]
    #[case("it", "tredici euro e quarantacinque cent", "tredici euro e quarantacinque cent=13.45 EUR")]
    #[case("es", "trece euros con 45 céntimos", "trece euros con 45 céntimos=13.45 EUR")]
    #[case("de", "13 Euro und 45 Cent", "13 Euro und 45 Cent=13.45 EUR")]
    #[case("ar", "ثلاثة عشر يورو وخمسة وأربعون سنتا", "ثلاثة عشر يورو وخمسة وأربعون سنتا=13.45 EUR")]
    #[case("fr", "12 cents", "12 cents=0.12 EUR")]
    #[case("it", "45 cent", "45 cent=0.45 EUR")]
    #[case("it", "quarantacinque cent", "quarantacinque cent=0.45 EUR")]
    #[case("es", "34 centavos", "34 centavos=0.34 EUR")]
    #[case("ar", "50 سنتا", "50 سنتا=0.50 EUR")]
    #[case("fr", "deux cents euros", "deux cents euros=200.00 EUR")]
    #[case("es", "2 mil millones de euros", "2 mil millones de euros=2000000000.00 EUR")]
    #[case("de", "dreißig Schweizer Franken", "dreißig Schweizer Franken=30.00 CHF")]
    #[case("fr", "75 millions de dollars canadiens", "75 millions de dollars canadiens=75000000.00 CAD")]
    #[case("it", "300 franchi svizzeri", "300 franchi svizzeri=300.00 CHF")]
    #[case("es", "mil pesos colombianos", "mil pesos colombianos=1000.00 COP")]
    #[case("ar", "٣٥ دينار كويتي", "٣٥ دينار كويتي=35.000 KWD")]
    #[case("ar", "دولارين", "دولارين=2.00 USD")]
    #[case("en", "$ 1 . 5 million", "$ 1 . 5 million=1500000.00 USD")]
    #[case("en", "hong kong dollar 50", "hong kong dollar 50=50.00 HKD")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        let all: Vec<String> = match euros().read(&Said::new(text), &cx(lang)) {
            Reading::Value(found) => vec![found],
            Reading::Ambiguous(all) => all,
            other => panic!("{other:?}"),
        }
        .iter()
        .map(|found| {
            let json = euros().json(&found.value);
            let word = |key: &str| json[key].as_str().unwrap().to_owned();
            format!("{}={} {}", &text[found.span.clone()], word("amount"), word("currency"))
        })
        .collect();
        assert_eq!(all.join(" | "), expected);
    }

    #[rstest]
    #[case("en", "a few hundred dollars")]
    #[case("en", "several thousand euros")]
    #[case("en", "thousands of euros")]
    #[case("it", "qualche centinaio di euro")]
    #[case("es", "varios miles de euros")]
    #[case("de", "ein paar hundert Euro")]
    #[case("fr", "quelques milliers d'euros")]
    #[case("ar", "بضع مئات من اليورو")]
    #[case("de", "ein paar Euro")]
    #[case("de", "100 ruritanische Dollar")]
    fn what_nobody_has_counted_is_no_amount(#[case] lang: &'static str, #[case] text: &str) {
        assert_eq!(reads(&euros(), text, &cx(lang)), "");
    }

    #[test]
    fn people_are_no_amount() {
        assert_eq!(reads(&euros(), "all 70 of us", &cx("en")), "");
        assert_eq!(finds(&euros(), "for 12 of us", &cx("en")), Vec::<String>::new());
    }

    #[rstest]
    #[case("CAD", None, "$5", "CAD")]
    #[case("EUR", None, "$5", "USD")]
    #[case("EUR", Some("AU"), "$5", "AUD")]
    #[case("SEK", None, "5 kr", "SEK")]
    #[case("MXN", None, "5 pesos", "MXN")]
    #[case("QAR", None, "5 riyals", "QAR")]
    fn a_shared_sign_means_the_currency_the_field_takes(
        #[case] own: &str,
        #[case] region: Option<&'static str>,
        #[case] text: &str,
        #[case] expected: &str,
    ) {
        let kind = Money { currency: own.into(), ..Money::default() };
        let lang = if text.contains("pesos") { "es" } else { "en" };
        let cx = Context { region, ..cx(lang) };
        let Reading::Value(found) = kind.read(&Said::new(text), &cx) else { panic!("not read: {text}") };
        assert_eq!(kind.json(&found.value)["currency"], expected);
    }

    #[test]
    fn bare_numbers_are_weak_unless_they_have_cents() {
        let told = finds(&euros(), "3 taxis, 12.50 and €20", &cx("en"));
        assert_eq!(
            told,
            [
                "3={amount:3.00,currency:EUR} Weak",
                "12.50={amount:12.50,currency:EUR} Typed",
                "€20={amount:20.00,currency:EUR} Exact"
            ]
        );
    }

    #[rstest]
    #[case(json!("12.50"), "12.50 EUR")]
    #[case(json!(12.5), "12.50 EUR")]
    #[case(json!({"amount": "7", "currency": "eur"}), "7.00 EUR")]
    #[case(json!("12,50 €"), "12.50 EUR")]
    fn data_is_accepted(#[case] data: Json, #[case] expected: &str) {
        let json = euros().json(&euros().accept(&data, &cx("en")).unwrap());
        assert_eq!(format!("{} {}", json["amount"].as_str().unwrap(), json["currency"].as_str().unwrap()), expected);
    }

    #[rstest]
    #[case(json!("$5"), "currency_not_taken")]
    #[case(json!("5.005"), "too_many_decimals")]
    #[case(json!(200), "number_too_big")]
    #[case(json!({}), "not_a_number")]
    fn what_cannot_be_taken_says_why(#[case] data: Json, #[case] code: &str) {
        let kind = Money { max: Some(Decimal::ONE_HUNDRED), ..euros() };
        assert_eq!(kind.accept(&data, &cx("en")).unwrap_err().code, code);
    }

    #[test]
    fn a_refusal_tells_the_currencies_and_bounds_as_people_write_them() {
        let kind = Money { currencies: vec!["EUR".into(), "CHF".into()], max: Some(Decimal::from(2000)), ..euros() };
        let facts =
            |value| kind.check(&value, &cx("it")).unwrap_err().facts.into_values().collect::<Vec<_>>().join("; ");
        let money = |amount: i64, code: &str| Value::Money { amount: amount.into(), currency: code.into() };
        assert_eq!(facts(money(1, "USD")), "EUR, CHF; USD");
        assert_eq!(facts(money(2001, "EUR")), "2.000,00\u{a0}€");
    }

    #[rstest]
    #[case("en", "1234.5", "EUR", "€1,234.50")]
    #[case("it", "1234.5", "EUR", "1.234,50\u{a0}€")]
    #[case("fr", "1234.5", "EUR", "1\u{202f}234,50\u{a0}€")]
    #[case("en", "12", "CHF", "CHF\u{a0}12.00")]
    #[case("en", "-5", "EUR", "-€5.00")]
    #[case("en", "1200", "JPY", "¥1,200")]
    fn it_is_shown_as_the_language_writes_it(
        #[case] lang: &'static str,
        #[case] amount: &str,
        #[case] code: &str,
        #[case] shown: &str,
    ) {
        let value = Value::Money { amount: amount.parse().unwrap(), currency: code.into() };
        assert_eq!(FieldKind::show(&euros(), &value, &cx(lang)), shown);
    }

    #[test]
    fn a_refused_reading_is_not_made_of_a_count() {
        assert_eq!(reads(&euros(), "at 7 pm", &cx("en")), "");
    }

    #[rstest]
    #[case("en", "5 chairs at 10.50 each", &["5={amount:5.00,currency:EUR} Weak", "10.50 each={amount:10.50,currency:EUR} Typed"])]
    #[case("en", "three tickets at 20 each", &["three={amount:3.00,currency:EUR} Weak", "20 each={amount:20.00,currency:EUR} Typed"])]
    #[case("en", "two at 8 apiece", &["two={amount:2.00,currency:EUR} Weak", "8 apiece={amount:8.00,currency:EUR} Typed"])]
    #[case("it", "3 biglietti a 20 l'uno", &["3={amount:3.00,currency:EUR} Weak", "20 l'uno={amount:20.00,currency:EUR} Typed"])]
    #[case("es", "3 entradas a 20 cada una", &["3={amount:3.00,currency:EUR} Weak", "20 cada una={amount:20.00,currency:EUR} Typed"])]
    #[case("fr", "3 billets à 20 chacun", &["3={amount:3.00,currency:EUR} Weak", "20 chacun={amount:20.00,currency:EUR} Typed"])]
    #[case("de", "3 Karten zu 20 das Stück", &["3={amount:3.00,currency:EUR} Weak", "20 das Stück={amount:20.00,currency:EUR} Typed"])]
    #[case("en", "35 to 40 each", &["35={amount:35.00,currency:EUR} Typed", "40 each={amount:40.00,currency:EUR} Typed"])]
    #[case("en", "2 each day", &["2={amount:2.00,currency:EUR} Weak"])]
    fn a_price_of_one_of_several_is_found(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(finds(&euros(), text, &cx(lang)), expected);
    }
}
