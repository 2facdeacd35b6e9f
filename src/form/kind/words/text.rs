//! `text`: a line of words.
//!
//! "the answer is Acme, please" reads as `Acme`; with `subtype = "person"`, "my name is Ada Lovelace and…" as
//! `Ada Lovelace`. Control characters are refused, "None", "Null" and "True" are words as any other.

use std::ops::Range;

use formwright_chat as chat;
use formwright_text::{Said, overlap};
use formwright_values::{
    Context, Found, Reading, Refusal, Strength, Value, answer, codes, free, letters, names, streets,
};
use serde_json::Value as Json;

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
pub use formwright_values::free::Script;

/// A line of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// Least number of characters.
    pub min_chars: Option<u32>,
    /// Greatest number of characters.
    pub max_chars: Option<u32>,
    /// What the words name, which helps to find them in a sentence.
    pub subtype: Option<Subtype>,
    /// Letters the answer is limited to.
    pub letters: Option<Vec<Script>>,
}

/// What stands somewhere in a message, as it is written there.
fn written(said: &Said, span: Range<usize>, strength: Strength) -> Found {
    let value = Value::Text(answer::tidy_line(said.raw.get(span.clone()).unwrap_or_default()));
    Found { span, value, strength }
}

/// What words of a message tell sign by sign.
fn told(said: &Said, (words, text): (Range<usize>, String), strength: Strength) -> Found {
    Found { span: said.raw_words(words), value: Value::Text(answer::tidy_line(&text)), strength }
}

/// What words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subtype {
    /// A person's name.
    Person,
    /// A town, street or other place.
    Place,
    /// A postal address.
    Address,
    /// A code of letters and digits.
    Code,
}

impl Text {
    /// Most bytes of such words: a name or an address that goes on and on is none.
    fn longest(&self) -> usize {
        match self.subtype {
            None => usize::MAX,
            Some(Subtype::Code) => codes::LONGEST,
            Some(Subtype::Person | Subtype::Place | Subtype::Address) => 400,
        }
    }

    /// Where the answer stands in the message.
    fn answer(&self, said: &Said, cx: &Context<'_>) -> Option<Range<usize>> {
        if answer::evades(said, cx) {
            return None;
        }
        let span = match self.subtype {
            None => free::span(said, cx),
            Some(Subtype::Person) => said.raw_words(names::whole(said, cx)?),
            Some(Subtype::Address) => streets::whole(said, cx),
            Some(Subtype::Place) => {
                streets::after_elided(said, cx, streets::after_lead(said, cx, free::words(said, cx)))
            }
            Some(Subtype::Code) => codes::whole(said, cx)?,
        };
        let text = said.raw.get(span.clone()).filter(|text| text.len() <= self.longest())?;
        let address = || streets::names_something(&Said::new(text), cx) && !streets::tells_else(said, cx);
        ((self.subtype != Some(Subtype::Address) || address()) && !answer::is_blank(text)).then_some(span)
    }
}

impl FieldKind for Text {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let found = match self.subtype {
            None | Some(Subtype::Place) => return Vec::new(),
            Some(Subtype::Person) => {
                let all = names::announced(said, cx).into_iter();
                let name = |(words, strength)| match letters::announced_name(said, cx, &words) {
                    Some(name) => told(said, name, strength),
                    None => written(said, said.raw_words(words), strength),
                };
                return all.map(name).collect();
            }
            Some(Subtype::Address) => streets::find(said, cx),
            Some(Subtype::Code) => codes::find(said, cx),
        };
        let mut found: Vec<Found> = found.into_iter().map(|(span, strength)| written(said, span, strength)).collect();
        let read_out = (self.subtype == Some(Subtype::Code)).then(|| letters::code(said, cx)).flatten();
        if let Some(code) = read_out {
            let code = told(said, code, Strength::Typed);
            found.retain(|other| !overlap(&other.span, &code.span));
            let at = found.partition_point(|other| other.span.start < code.span.start);
            found.insert(at, code);
        }
        found
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let told_in_signs = match self.subtype {
            Some(Subtype::Person) => letters::whole_name(said, cx),
            Some(Subtype::Code) => letters::whole_code(said, cx),
            _ => None,
        };
        if let Some(value) = told_in_signs {
            return Reading::Value(told(said, value, Strength::Weak));
        }
        let Some(span) = self.answer(said, cx) else { return Reading::Nothing };
        Reading::Value(written(said, span, Strength::Weak))
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = answer::tidy_line(&answer::scalar(data)?);
        if answer::is_blank(&text) {
            return Err(Refusal::new("text_expected"));
        }
        let value = Value::Text(text);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(text) = value else { return Err(Refusal::new("text_expected")) };
        answer::not_blank(text)?;
        answer::no_controls(text, false)?;
        free::check_letters(text, self.letters.as_deref().unwrap_or_default())?;
        free::check_len(text, self.min_chars, self.max_chars)
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        answer::text_of(value)
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        free::schema(self.min_chars, self.max_chars)
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Text { long: false, max_chars: self.max_chars, example: None, secret: false }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        free::samples(self.min_chars, self.max_chars)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    fn read(subtype: Option<Subtype>, lang: &'static str, said: &str) -> Option<String> {
        text(Text { subtype, ..Text::default() }.read(&Said::new(said), &cx(lang)))
    }

    #[rstest]
    #[case("Acme Inc.", "Acme Inc.")]
    #[case("  the answer is Acme, please ", "Acme")]
    #[case("it's blue, thanks!", "blue")]
    #[case("just call it Morning Run", "Morning Run")]
    #[case("I think it's called Shallow", "Shallow")]
    #[case("Thai though", "Thai")]
    #[case("It's a long story about a door that never closed", "It's a long story about a door that never closed")]
    #[case("\"Sure Thing Ltd\"", "Sure Thing Ltd")]
    #[case("Sure Thing Ltd", "Sure Thing Ltd")]
    #[case("sure, Thing Ltd", "Thing Ltd")]
    #[case("None", "None")]
    #[case("null", "null")]
    #[case("please", "please")]
    #[case("Why?", "Why?")]
    #[case("two\nlines\tand a tab", "two lines and a tab")]
    #[case("Cafe\u{301}", "Café")]
    #[case("stop sign", "stop sign")]
    fn an_answer_keeps_the_persons_spelling(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read(None, "en", said).as_deref(), Some(want));
    }

    #[rstest]
    #[case("en", "my name is Ada Lovelace", "Ada Lovelace")]
    #[case("en", "Ada Lovelace", "Ada Lovelace")]
    #[case("en", "Ada Lovelace.", "Ada Lovelace")]
    #[case("en", "I'm Ada", "Ada")]
    #[case("en", "call me Ada please", "Ada")]
    #[case("en", "it's Ludwig van Beethoven here", "Ludwig van Beethoven")]
    #[case("en", "My name is Ada Lovelace and my number is 347 123 4567", "Ada Lovelace")]
    #[case("en", "my name is john william", "john william")]
    #[case("en", "my name is J. R. R. Tolkien, hi", "J. R. R. Tolkien")]
    #[case("en", "sure larry tim", "larry tim")]
    #[case("en", "None", "None")]
    #[case("en", "Null", "Null")]
    #[case("en", "True", "True")]
    #[case("en", "my name is None", "None")]
    #[case("en", "O'Brien-Smith", "O'Brien-Smith")]
    #[case("en", "well folks around here usually call me Bob", "Bob")]
    #[case("en", "he is called Bob Hill", "Bob Hill")]
    #[case("it", "si chiama Marco Rossi", "Marco Rossi")]
    #[case("es", "se llama Ana López", "Ana López")]
    #[case("de", "er heißt Max Muster", "Max Muster")]
    #[case("fr", "il s'appelle Luc Petit", "Luc Petit")]
    #[case("ar", "اسمها ليلى حسن", "ليلى حسن")]
    #[case("it", "mi chiamo Giulia de Santis, grazie", "Giulia de Santis")]
    #[case("es", "me llamo José García", "José García")]
    #[case("de", "ich heiße Jürgen von der Lippe", "Jürgen von der Lippe")]
    #[case("fr", "je m'appelle Zoé", "Zoé")]
    #[case("ar", "اسمي أحمد بن علي", "أحمد بن علي")]
    fn a_person_says_a_name(#[case] lang: &'static str, #[case] said: &str, #[case] want: &str) {
        assert_eq!(read(Some(Subtype::Person), lang, said).as_deref(), Some(want));
    }

    #[rstest]
    #[case("Hi, my name is Ada Lovelace and I want a pizza", &[("Ada Lovelace", Strength::Exact)])]
    #[case("table for two under the name Lamar Fugitt, 8pm", &[("Lamar Fugitt", Strength::Exact)])]
    #[case("I'm Ada Lovelace", &[("Ada Lovelace", Strength::Typed)])]
    #[case("this is Mrs. Hughes", &[("Mrs. Hughes", Strength::Typed)])]
    #[case("a table for lorna fugitt at 9", &[("lorna fugitt", Strength::Typed)])]
    #[case("it is listed under fugitt, 8pm", &[("fugitt", Strength::Typed)])]
    #[case("a table for anniversary dinner at 9", &[])]
    #[case("a table for two at 9", &[])]
    #[case("a hotel under 90 euros", &[])]
    #[case("I'm looking for a table", &[])]
    #[case("I'm from Milan", &[])]
    #[case("this is urgent", &[])]
    #[case("my dog is called Rex", &[])]
    #[case("the product is called Zeta Max", &[])]
    fn names_are_found_where_they_are_announced(#[case] said: &str, #[case] want: &[(&str, Strength)]) {
        let kind = Text { subtype: Some(Subtype::Person), ..Text::default() };
        let found = kind.find(&Said::new(said), &cx("en"));
        let got: Vec<_> = found.iter().map(|found| (answer::text_of(&found.value), found.strength)).collect();
        let want: Vec<_> = want.iter().map(|(name, strength)| ((*name).to_owned(), *strength)).collect();
        assert_eq!(got, want, "{said}");
    }

    #[rstest]
    #[case("de", "das heißt, wir kommen morgen")]
    #[case("it", "il cane si chiama Fido")]
    #[case("es", "eso se llama amor")]
    #[case("fr", "mon chien s'appelle Rex")]
    fn what_something_else_is_called_is_no_name(#[case] lang: &'static str, #[case] said: &str) {
        let kind = Text { subtype: Some(Subtype::Person), ..Text::default() };
        assert_eq!(kind.find(&Said::new(said), &cx(lang)), [], "{said}");
    }

    #[rstest]
    #[case("m 3 6 2 d a", "m 3 6 2 d a")]
    #[case("it's K53F81.", "K53F81")]
    #[case("my passport number is FK 382 0917, thanks", "FK 382 0917")]
    #[case("the code is on the letter they sent me, AB-1234", "AB-1234")]
    fn a_code_is_read(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read(Some(Subtype::Code), "en", said).as_deref(), Some(want));
    }

    #[rstest]
    #[case("from Milan", "Milan")]
    #[case("I live in New York", "New York")]
    #[case("Sydney, NSW", "Sydney, NSW")]
    fn a_place_is_read(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read(Some(Subtype::Place), "en", said).as_deref(), Some(want));
    }

    #[rstest]
    #[case("hello world 12!", None)]
    #[case("Größe", None)]
    #[case("سقوط من السلم ٣", None)]
    #[case("падение", Some("letters_only"))]
    #[case("fall 转", Some("letters_only"))]
    #[case("👍 ok", None)]
    fn letters_may_be_limited_to_scripts(#[case] said: &str, #[case] refused: Option<&str>) {
        let kind = Text { letters: Some(vec![Script::Latin, Script::Arabic]), ..Text::default() };
        let got = kind.accept(&Json::from(said), &cx("en")).err().map(|refusal| refusal.code);
        assert_eq!(got.as_deref(), refused, "{said}");
    }

    #[test]
    fn length_and_control_characters_are_checked() {
        let kind = Text { min_chars: Some(2), max_chars: Some(4), ..Text::default() };
        let accept = |text: &str| kind.accept(&Json::from(text), &cx("en"));
        assert!(accept("éééé").is_ok());
        assert_eq!(accept("é"), Err(Refusal::new("text_too_short").fact("min", "2").fact("have", "1")));
        assert_eq!(accept("ééééé"), Err(Refusal::new("text_too_long").fact("max", "4").fact("have", "5")));
        for bad in ["a\u{0}b", "a\u{1b}b", "a\u{7f}b"] {
            assert_eq!(accept(bad), Err(Refusal::new("text_control_chars")), "{bad:?}");
        }
        let turned = kind.check(&Value::Text("a\u{202e}b".to_owned()), &cx("en"));
        assert_eq!(turned, Err(Refusal::new("text_control_chars")));
    }

    #[rstest]
    #[case("\u{200b}")]
    #[case("\u{2060}\u{feff}")]
    #[case("\u{ad}")]
    #[case("\u{301}\u{308}")]
    #[case("\u{202e}\u{202c}")]
    #[case("\u{2066} \u{2069}")]
    #[case("\u{3164}")]
    #[case(" \u{200d} \u{200f}")]
    fn what_nobody_sees_is_no_answer(#[case] said: &str) {
        let kind = Text::default();
        assert_eq!(kind.read(&Said::new(said), &cx("en")), Reading::Nothing, "{said:?}");
        assert_eq!(kind.accept(&Json::from(said), &cx("en")), Err(Refusal::new("text_expected")), "{said:?}");
        assert_eq!(
            kind.check(&Value::Text(said.to_owned()), &cx("en")),
            Err(Refusal::new("text_expected")),
            "{said:?}"
        );
    }

    #[rstest]
    #[case("\u{200b}Ada\u{200b}", "Ada")]
    #[case("\u{feff} Ada\u{ad} ", "Ada")]
    #[case("\u{301}Ada", "Ada")]
    #[case("❤\u{fe0f}", "❤\u{fe0f}")]
    #[case("می\u{200c}خواهم", "می\u{200c}خواهم")]
    #[case("👩\u{200d}🚀", "👩\u{200d}🚀")]
    #[case("❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}\u{200d}🔥")]
    #[case("A\u{200d}da Love\u{ad}lace", "Ada Lovelace")]
    #[case("\u{202b}ليلى\u{202c} \u{200f}حسن", "ليلى حسن")]
    #[case("a\u{202e}b", "ab")]
    fn unseen_characters_are_kept_only_where_they_shape_words(#[case] said: &str, #[case] want: &str) {
        let value = Text::default().accept(&Json::from(said), &cx("en"));
        assert_eq!(value, Ok(Value::Text(want.to_owned())));
    }

    #[test]
    fn unseen_characters_do_not_make_an_answer_long_enough() {
        let kind = Text { min_chars: Some(3), ..Text::default() };
        let accept = |text: &str| kind.accept(&Json::from(text), &cx("en")).map_err(|refusal| refusal.code);
        assert_eq!(accept("a\u{200b}\u{200b}b"), Err("text_too_short".to_owned()));
        assert!(accept("a\u{200b}bc").is_ok());
    }
}
