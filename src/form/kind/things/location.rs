//! `location`: a point on the map with its address, or an address alone.
//!
//! A map widget answers it; in words, coordinates do: "45.4642, 9.1900", "45.46 N 9.19 E", `geo:45.46,9.19`, a map's link
//! that holds them, or the street with its number, unless the field needs a point.

use std::ops::Range;
use std::sync::LazyLock;

use chat::LocationRef;
use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer};
use regex::Regex;
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
use crate::kind::words::address;

/// A point on the map with its address, or an address alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Location {
    /// Whether a point is needed: an address alone is refused.
    pub pin: bool,
}

/// How an address alone is read.
const ADDRESS: address::Address = address::Address { house_number: false };

/// Two decimal numbers with a comma, semicolon or space between, each with a compass letter if any.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"([-+]?[0-9]{1,3}(?:\.[0-9]{1,12})?)\s?°?\s?";
    // The expression is part of the program and a test uses it.
    Regex::new(&format!(r"(?:^|[^0-9.]){number}([ns])?\s*[,;\s]\s*{number}([ewo])?(?:$|[^0-9.a-z]|\.(?:$|\s))"))
        .unwrap_or_else(|e| panic!("{e}"))
});

fn point(lat: f64, lng: f64) -> LocationRef {
    LocationRef { lat, lng, address: None, city: None, country: None }
}

fn is_on_earth(lat: f64, lng: f64) -> bool {
    (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng)
}

/// Coordinates in a message: where they stand, the point, and whether they can be anything else.
fn pairs(said: &Said) -> Vec<(Range<usize>, LocationRef, Strength)> {
    const MOST: usize = 20;
    let norm = said.norm.as_str();
    let one = |found: regex::Captures<'_>| {
        let part = |no: usize| found.get(no).map_or("", |part| part.as_str());
        let (lat, lng): (f64, f64) = (part(1).parse().ok()?, part(3).parse().ok()?);
        let lat = if part(2) == "s" { -lat } else { lat };
        let lng = if matches!(part(4), "w" | "o") { -lng } else { lng };
        let decimals = |s: &str| s.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let compass = !part(2).is_empty() && !part(4).is_empty();
        let strength = match decimals(part(1)).min(decimals(part(3))) {
            _ if compass => Strength::Exact,
            3.. => Strength::Exact,
            1 | 2 => Strength::Typed,
            0 => Strength::Weak,
        };
        let end = found.get(4).or(found.get(3))?.end();
        Some((said.raw_span(found.get(1)?.start()..end), point(lat, lng), strength))
    };
    PAIR.captures_iter(norm).take(MOST).filter_map(one).collect()
}

fn location(value: &Value) -> Option<&LocationRef> {
    if let Value::Location(location) = value { Some(location) } else { None }
}

/// The address, else the coordinates.
pub fn shown(location: &LocationRef) -> String {
    let places: Vec<&str> =
        [&location.address, &location.city, &location.country].into_iter().flatten().map(String::as_str).collect();
    match places.split_first() {
        Some((address, rest)) => {
            let new = rest.iter().filter(|place| !address.contains(**place));
            std::iter::once(address).chain(new).copied().collect::<Vec<_>>().join(", ")
        }
        None => format!("{}, {}", location.lat, location.lng),
    }
}

impl Location {
    fn refusal(&self) -> Refusal {
        Refusal::new(if self.pin { "location_needs_pin" } else { "location_expected" })
    }
}

impl FieldKind for Location {
    fn find(&self, said: &Said, _: &Context<'_>) -> Vec<Found> {
        let sure = |(_, at, strength): &(Range<usize>, LocationRef, Strength)| {
            is_on_earth(at.lat, at.lng) && *strength > Strength::Weak
        };
        let found = |(span, at, strength)| Found { span, value: Value::Location(at), strength };
        pairs(said).into_iter().filter(sure).map(found).collect()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut all = self.find(said, cx);
        let span = said.raw_words(answer::words(said, cx));
        match (all.len(), pairs(said).into_iter().next()) {
            (1, _) => Reading::Value(all.remove(0)),
            (0, Some((span, at, strength))) if is_on_earth(at.lat, at.lng) => {
                Reading::Value(Found { span, value: Value::Location(at), strength })
            }
            (0, Some((span, ..))) => Reading::Refused(span, Refusal::new("location_out_of_range")),
            (0, None) if span.is_empty() || answer::looks_like_question(said) => Reading::Nothing,
            (0, None) => match <[Found; 1]>::try_from(ADDRESS.find(said, cx)) {
                Ok([street]) if !self.pin => Reading::Value(street),
                _ => Reading::Refused(span, self.refusal()),
            },
            (2..=8, _) => Reading::Ambiguous(all),
            _ => Reading::Nothing,
        }
    }

    /// Takes an object with `lat` and `lng` or with an `address` alone, or coordinates or an address as words.
    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let address = |words: &Json| ADDRESS.accept(words, cx).map_err(|_| self.refusal());
        let value = match data {
            Json::String(text) => match self.read(&Said::new(text), cx) {
                // All that stands in a widget is the address, not the street alone.
                Reading::Value(Found { value: Value::Text(_), .. }) => address(data)?,
                Reading::Value(found) => found.value,
                Reading::Refused(_, refusal) if refusal != self.refusal() => return Err(refusal),
                _ => address(data)?,
            },
            Json::Object(keys) if keys.len() == 1 && keys.contains_key("address") => address(&data["address"])?,
            _ => Value::Location(serde_json::from_value(data.clone()).map_err(|_| self.refusal())?),
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        if matches!(value, Value::Text(_)) && !self.pin {
            return ADDRESS.check(value, cx);
        }
        let Some(location) = location(value) else { return Err(self.refusal()) };
        if !is_on_earth(location.lat, location.lng) {
            return Err(Refusal::new("location_out_of_range"));
        }
        let texts = [&location.address, &location.city, &location.country];
        texts.into_iter().flatten().try_for_each(|text| answer::no_controls(text, true))
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        location(value).map_or_else(|| answer::text_of(value), shown)
    }

    fn json(&self, value: &Value) -> Json {
        let Some(location) = location(value) else { return json!({ "address": answer::text_of(value) }) };
        let mut json = json!({ "lat": location.lat, "lng": location.lng });
        for (key, text) in [("address", &location.address), ("city", &location.city), ("country", &location.country)] {
            if let Some(text) = text {
                json[key] = text.as_str().into();
            }
        }
        json
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "lat": { "type": "number", "minimum": -90, "maximum": 90 },
                "lng": { "type": "number", "minimum": -180, "maximum": 180 },
                "address": { "type": "string" },
                "city": { "type": "string" },
                "country": { "type": "string" },
            },
            "additionalProperties": false,
        });
        if self.pin {
            schema["required"] = json!(["lat", "lng"]);
        } else {
            schema["anyOf"] = json!([{ "required": ["lat", "lng"] }, { "required": ["address"] }]);
        }
        schema
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Location
    }

    /// `lat, lng`, or the address.
    fn prefill(&self, value: &Value) -> Option<String> {
        let coordinates = |location: &LocationRef| format!("{}, {}", location.lat, location.lng);
        Some(location(value).map_or_else(|| answer::text_of(value), coordinates))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let place = LocationRef {
            address: Some("King Fahd Road 12".to_owned()),
            city: Some("Riyadh".to_owned()),
            country: Some("Saudi Arabia".to_owned()),
            ..point(24.7136, 46.6753)
        };
        let address = (!self.pin).then(|| Value::Text("via Roma 12, 20121 Milano".to_owned()));
        let points = [place, point(-90.0, -180.0), point(90.0, 180.0)];
        points.map(Value::Location).into_iter().chain(address).collect()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::cx;

    fn read(said: &str) -> String {
        let reading = Location::default().read(&Said::new(said), &cx("en"));
        match reading {
            Reading::Value(found) => Location::default().show(&found.value, &cx("en")),
            Reading::Refused(_, refusal) => format!("!{}", refusal.code),
            Reading::Ambiguous(all) => format!("?{}", all.len()),
            Reading::Nothing => String::new(),
        }
    }

    #[rstest]
    #[case("45.4642, 9.1900", "45.4642, 9.19")]
    #[case("it's at 45.4642 9.1900.", "45.4642, 9.19")]
    #[case("-33.86;151.21", "-33.86, 151.21")]
    #[case("33.86 S 151.21 E", "-33.86, 151.21")]
    #[case("45.46° N, 9.19° W", "45.46, -9.19")]
    #[case("geo:45.4642,9.19", "45.4642, 9.19")]
    #[case("https://maps.example/@45.4642,9.1900,15z", "45.4642, 9.19")]
    #[case("٤٥.٤٦٤٢, ٩.١٩", "45.4642, 9.19")]
    #[case("45, 9", "45, 9")]
    #[case("95.1234, 9.1900", "!location_out_of_range")]
    #[case("it's in via Roma 12, Milano", "via Roma 12, Milano")]
    #[case("near the old mill", "!location_expected")]
    #[case("where is that?", "")]
    #[case("", "")]
    fn coordinates_are_read(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read(said), want, "{said}");
    }

    #[test]
    fn numbers_in_a_sentence_are_no_place() {
        for said in ["2, 3 pizzas", "at 12.30 or 13.30", "347 123 4567", "2.5 kg 3 l"] {
            let found = Location::default().find(&Said::new(said), &cx("en"));
            assert!(found.iter().all(|found| found.strength < Strength::Exact), "{said}: {found:?}");
        }
    }

    #[test]
    fn data_is_taken_and_given_back() {
        let (kind, cx) = (Location::default(), cx("en"));
        for sample in kind.samples(None) {
            assert_eq!(kind.accept(&kind.json(&sample), &cx), Ok(sample));
        }
        assert_eq!(kind.show(&kind.samples(None)[0], &cx), "King Fahd Road 12, Riyadh, Saudi Arabia");
        for bad in [json!({ "lat": 91, "lng": 0 }), json!({ "lat": 1 }), json!([1, 2]), json!(null)] {
            assert!(kind.accept(&bad, &cx).is_err(), "{bad}");
        }
        assert!(kind.accept(&json!("Rome"), &cx).is_ok());
        assert!(Location { pin: true }.accept(&json!("Rome"), &cx).is_err());
    }
}
