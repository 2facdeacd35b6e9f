//! `address`: a postal address as one text.
//!
//! "bring it to via Roma 12, thanks" reads as `via Roma 12`. What stands after the street (flat, postcode, town) belongs
//! to it.

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer, streets};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A postal address as one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// Whether a house number is needed; yes by default.
    pub house_number: bool,
}

impl FieldKind for Address {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let one = |(span, strength): (std::ops::Range<usize>, Strength)| {
            let value = Value::Text(answer::tidy_line(said.raw.get(span.clone())?));
            Some(Found { span, value, strength })
        };
        streets::find(said, cx).into_iter().filter_map(one).collect()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let span = streets::whole(said, cx);
        let text = answer::tidy_line(said.raw.get(span.clone()).unwrap_or_default());
        if !text.contains(char::is_alphabetic) || answer::evades(said, cx) || streets::tells_else(said, cx) {
            return Reading::Nothing;
        }
        if !streets::names_something(&Said::new(&text), cx) {
            return Reading::Refused(span, Refusal::new("address_expected"));
        }
        Reading::Value(Found { span, value: Value::Text(text), strength: Strength::Weak })
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let value = Value::Text(answer::tidy_line(&answer::scalar(data)?));
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(address) = value else { return Err(Refusal::new("text_expected")) };
        answer::no_controls(address, false)?;
        if !address.contains(char::is_alphabetic) || !streets::names_something(&Said::new(address), cx) {
            Err(Refusal::new("address_expected"))
        } else if self.house_number && !streets::has_number(address) {
            Err(Refusal::new("address_no_number").fact("said", address))
        } else {
            Ok(())
        }
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        answer::text_of(value)
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "string" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: None, example: None, secret: false }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        vec![Value::Text("12 High Street".to_owned()), Value::Text("via Roma 12, 20121 Milano".to_owned())]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    fn found(lang: &'static str, said: &str) -> Vec<(String, Strength)> {
        let said = Said::new(said);
        let quote = |found: Found| (said.raw.get(found.span).unwrap().to_owned(), found.strength);
        Address::default().find(&said, &cx(lang)).into_iter().map(quote).collect()
    }

    #[rstest]
    #[case("en", "two spicy pizzas to via Roma 12, my number is 347 123 4567", "via Roma 12")]
    #[case("en", "221B Baker Street", "221B Baker Street")]
    #[case("en", "deliver to 221B Baker Street, London NW1 6XE please", "221B Baker Street, London NW1 6XE")]
    #[case("en", "I live at 10 Downing St. and I'm hungry", "10 Downing St.")]
    #[case("en", "1600 Pennsylvania Avenue, Washington, DC 20500", "1600 Pennsylvania Avenue, Washington, DC 20500")]
    #[case("en", "1657 riverside drive", "1657 riverside drive")]
    #[case("en", "350 5th Avenue, apt 4B", "350 5th Avenue, apt 4B")]
    #[case("fr", "12 rue de la Paix, 75002 Paris", "12 rue de la Paix, 75002 Paris")]
    #[case("fr", "12 bis, rue de la Paix", "12 bis, rue de la Paix")]
    #[case("it", "via Giuseppe Garibaldi, 5/A, 20121 Milano", "via Giuseppe Garibaldi, 5/A, 20121 Milano")]
    #[case("it", "in corso Buenos Aires n. 33 interno 4 alle 20", "corso Buenos Aires n. 33 interno 4")]
    #[case("it", "via 4 Novembre 12", "via 4 Novembre 12")]
    #[case("es", "calle Mayor nº 5, 28013 Madrid", "calle Mayor nº 5, 28013 Madrid")]
    #[case("de", "Hauptstraße 5a, 10115 Berlin bitte", "Hauptstraße 5a, 10115 Berlin")]
    #[case("de", "Berliner Str. 12", "Berliner Str. 12")]
    #[case("de", "Hauptstr. 5", "Hauptstr. 5")]
    #[case("ar", "شارع الملك فهد رقم 12", "شارع الملك فهد رقم 12")]
    #[case("en", "Via del Corso 100, 3rd floor", "Via del Corso 100, 3rd floor")]
    #[case("en", "10 Downing St., 2nd floor, please", "10 Downing St., 2nd floor")]
    #[case("en", "12 Baker Street, ground floor", "12 Baker Street, ground floor")]
    #[case("it", "via Roma 12, 3° piano", "via Roma 12, 3° piano")]
    #[case("it", "via Roma 12, terzo piano, interno 4", "via Roma 12, terzo piano, interno 4")]
    #[case("de", "Hauptstraße 5, 2. Stock", "Hauptstraße 5, 2. Stock")]
    #[case("es", "calle Mayor 5, 2º piso", "calle Mayor 5, 2º piso")]
    #[case("fr", "rue de la Paix 12, 3ème étage", "rue de la Paix 12, 3ème étage")]
    #[case("en", "pick it up from 27b Station Road Guildford on monday", "27b Station Road Guildford")]
    #[case("en", "deliver to 3 Quay Parade, Swansea. Standard delivery", "3 Quay Parade, Swansea")]
    #[case("en", "12 Station Road Monday at 5", "12 Station Road")]
    #[case("it", "via Roma 12 Milano, grazie", "via Roma 12 Milano")]
    #[case("en", "via Roma 12 347 123 4567", "via Roma 12")]
    #[case("en", "via Roma 12, 3471234567", "via Roma 12")]
    #[case("en", "via Roma 12 3471234567", "via Roma 12")]
    #[case("en", "via Roma 5 02 36618300", "via Roma 5")]
    fn a_street_with_its_number_is_found(#[case] lang: &'static str, #[case] said: &str, #[case] want: &str) {
        assert_eq!(found(lang, said), [(want.to_owned(), Strength::Exact)], "{said}");
    }

    #[rstest]
    #[case("send it via email")]
    #[case("5 minutes down the street")]
    #[case("two pizzas at 8 in the evening")]
    #[case("I'll drive 20 km to the park")]
    #[case("the first place in 2024")]
    #[case("am 5. Mai")]
    fn sentences_hold_no_address(#[case] said: &str) {
        assert_eq!(found("en", said), [], "{said}");
    }

    #[test]
    fn a_street_without_number_is_found_and_asked_about() {
        assert_eq!(found("it", "portatela in via Roma"), [("via Roma".to_owned(), Strength::Weak)]);
        let kind = Address { house_number: true };
        let refused = kind.accept(&json!("via Roma, 20121 Milano"), &cx("it")).unwrap_err();
        assert_eq!(refused.code, "address_no_number");
        for fine in ["via Roma 12", "Hof 3, 1010 Wien", "via Roma snc", "10250 Constellation Blvd", "Oak House 2, Kent"]
        {
            assert!(kind.accept(&json!(fine), &cx("en")).is_ok(), "{fine}");
        }
        assert!(Address::default().accept(&json!("Rose Cottage"), &cx("en")).is_ok());
    }

    #[rstest]
    #[case("my address is 25 Elm Street.", "25 Elm Street")]
    #[case("deliver to Rose Cottage, Kent", "Rose Cottage, Kent")]
    #[case("it's via Roma 12 please", "via Roma 12")]
    #[case("Flat 2, 14 High Street, Leeds LS1 4AP", "Flat 2, 14 High Street, Leeds LS1 4AP")]
    #[case("my name is Ada and you can find me at 25 Elm Street", "25 Elm Street")]
    #[case("Unter den Linden 77", "Unter den Linden 77")]
    fn an_answer_is_read(#[case] said: &str, #[case] want: &str) {
        assert_eq!(text(Address::default().read(&Said::new(said), &cx("en"))).as_deref(), Some(want));
    }

    #[rstest]
    #[case("en", "2 or 3")]
    #[case("en", "12 via")]
    #[case("it", "via 12")]
    #[case("en", "street 5")]
    #[case("de", "2 oder 3")]
    #[case("fr", "la rue")]
    #[case("en", "3rd floor")]
    fn what_names_no_place_is_refused(#[case] lang: &'static str, #[case] said: &str) {
        let Reading::Refused(_, refusal) = Address::default().read(&Said::new(said), &cx(lang)) else {
            panic!("{said} is taken");
        };
        assert_eq!(refusal.code, "address_expected", "{said}");
        assert!(Address::default().accept(&json!(said), &cx(lang)).is_err(), "{said}");
    }
    #[rstest]
    #[case("via Po 12")]
    #[case("via Po, 12, Torino")]
    fn a_short_name_is_a_name(#[case] address: &str) {
        let value = Value::Text(address.to_owned());
        assert_eq!(Address { house_number: true }.check(&value, &cx("en")), Ok(()));
    }
}
