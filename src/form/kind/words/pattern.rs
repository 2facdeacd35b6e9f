//! `pattern`: words of a given shape.
//!
//! A field with `regex = '[A-Z]{2}\d{4}'` reads "it's ab 1234 I think" as `AB1234` where `upper` is set.

use std::ops::Range;
use std::sync::Arc;

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer};
use serde_json::{Value as Json, json};

use crate::Text;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
use crate::patterns::{NoPattern, Patterns};
use crate::text::plain_text;

/// Words of a given shape.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The shape the whole answer must have, as the author wrote it.
    regex: String,
    /// The same, anchored at both ends.
    whole: Arc<regex::Regex>,
    /// The shape in words, for people ("two letters and four digits").
    pub shape: Option<Text>,
    /// Letters are turned to upper case first.
    pub upper: bool,
}

impl Pattern {
    /// Builds the kind of the author's expression, which need not be anchored.
    ///
    /// # Errors
    /// The expression is not a regular expression, or too large, or one too many.
    pub fn new(patterns: &Patterns, regex: &str, shape: Option<Text>, upper: bool) -> Result<Self, NoPattern> {
        Ok(Self { regex: regex.to_owned(), whole: patterns.whole(regex)?, shape, upper })
    }

    /// The expression as the author wrote it.
    pub fn regex(&self) -> &str {
        &self.regex
    }

    fn mismatch(&self, cx: &Context<'_>) -> Refusal {
        let refusal = Refusal::new("pattern_mismatch");
        match &self.shape {
            Some(shape) => refusal.fact("shape", plain_text(shape, cx.lang.code)),
            None => refusal,
        }
    }

    /// The words, as they are or without their spaces, in the shape; none where they do not fit.
    fn fit(&self, words: &str) -> Option<String> {
        let cased = |s: &str| if self.upper { s.to_uppercase() } else { s.to_owned() };
        let as_said = cased(words.trim());
        if self.whole.is_match(&as_said) {
            return Some(as_said);
        }
        let joined: String = as_said.split_whitespace().collect();
        (joined != as_said && self.whole.is_match(&joined)).then_some(joined)
    }

    fn found(&self, said: &Said, span: Range<usize>, strength: Strength) -> Option<Found> {
        let value = Value::Text(self.fit(said.raw.get(span.clone())?)?);
        Some(Found { span, value, strength })
    }

    /// The longest runs of words, left to right, that have the shape.
    fn runs(&self, said: &Said) -> Vec<Found> {
        const LONGEST: usize = 8;
        const MOST: usize = 400;
        let mut runs = Vec::new();
        let mut from = 0;
        while from < said.words.len().min(MOST) {
            let longest = (from + 1..=said.words.len().min(from + LONGEST)).rev().find_map(|to| {
                let cuts = said.is_glued(from) || (to < said.words.len() && said.is_glued(to) && !ends_there(said, to));
                let span = said.raw_words(from..to);
                let digits = said.raw.get(span.clone())?.chars().any(char::is_numeric);
                let strength = if digits { Strength::Typed } else { Strength::Weak };
                if cuts { None } else { self.found(said, span, strength).map(|found| (to, found)) }
            });
            match longest {
                Some((to, found)) => {
                    runs.push(found);
                    from = to;
                }
                None => from += 1,
            }
        }
        runs
    }
}

/// Whether the word glued to what stands before it is a mark that closes a sentence or bracket.
fn ends_there(said: &Said, no: usize) -> bool {
    matches!(said.word(no), "," | "." | "!" | "?" | ";" | ":" | ")" | "\"" | "'" | "،" | "؟")
}

impl FieldKind for Pattern {
    fn find(&self, said: &Said, _: &Context<'_>) -> Vec<Found> {
        self.runs(said)
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let words = answer::words(said, cx);
        if words.is_empty() {
            return Reading::Nothing;
        }
        let spans = [answer::line(said), said.raw_words(words.clone())];
        if let Some(found) = spans.into_iter().find_map(|span| self.found(said, span, Strength::Typed)) {
            return Reading::Value(found);
        }
        let mut runs = self.runs(said);
        if runs.iter().any(|run| run.strength > Strength::Weak) {
            runs.retain(|run| run.strength > Strength::Weak);
        }
        match (runs.len(), answer::looks_like_question(said)) {
            (1, _) => Reading::Value(runs.remove(0)),
            (2..=5, _) => Reading::Ambiguous(runs),
            (0, false) if words.len() <= 6 => Reading::Refused(said.raw_words(words), self.mismatch(cx)),
            _ => Reading::Nothing,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = answer::scalar(data)?;
        self.fit(&text).map(Value::Text).ok_or_else(|| self.mismatch(cx))
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        match value {
            Value::Text(text) if self.whole.is_match(text) => Ok(()),
            _ => Err(self.mismatch(cx)),
        }
    }

    fn show(&self, value: &Value, _: &Context<'_>) -> String {
        answer::text_of(value)
    }

    fn json(&self, value: &Value) -> Json {
        Json::String(answer::text_of(value))
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "string", "pattern": format!("^(?:{})$", self.regex) })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let example = self.shape.as_ref().map(|shape| plain_text(shape, cx.lang.code));
        chat::Input::Text { long: false, max_chars: None, example, secret: false }
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        vec![Value::Text("AB1234".to_owned())]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    fn plate() -> Pattern {
        Pattern::new(&Patterns::default(), r"[A-Z]{2}\d{3}[A-Z]{2}|X", None, true).unwrap()
    }

    #[rstest]
    #[case("AB123CD", Some("AB123CD"))]
    #[case("ab 123 cd", Some("AB123CD"))]
    #[case("it's ab123cd.", Some("AB123CD"))]
    #[case("the plate is AB 123 CD I think", Some("AB123CD"))]
    #[case("ab123c", None)]
    #[case("AB123CDE", None)]
    #[case("", None)]
    fn an_answer_of_the_shape_is_read(#[case] said: &str, #[case] want: Option<&str>) {
        assert_eq!(text(plate().read(&Said::new(said), &cx("en"))).as_deref(), want, "{said}");
    }

    #[test]
    fn an_answer_of_another_shape_is_refused_with_the_shape_in_words() {
        let shape = Text { by_lang: [(String::new(), "two letters".to_owned())].into() };
        let kind = Pattern::new(&Patterns::default(), "[a-z]{2}", Some(shape), false).unwrap();
        let Reading::Refused(span, refusal) = kind.read(&Said::new("77."), &cx("en")) else { panic!() };
        assert_eq!((span, refusal), (0..2, Refusal::new("pattern_mismatch").fact("shape", "two letters")));
    }

    #[test]
    fn alternatives_must_each_fit_the_whole_answer() {
        let kind = Pattern::new(&Patterns::default(), "a|ab", None, false).unwrap();
        let cx = cx("en");
        assert_eq!(kind.accept(&json!("ab"), &cx), Ok(Value::Text("ab".to_owned())));
        assert!(kind.accept(&json!("abc"), &cx).is_err());
    }

    #[test]
    fn a_run_of_words_is_found_in_a_sentence() {
        let kind = plate();
        let said = Said::new("my car, ab 123 cd, is blue");
        let found = kind.find(&said, &cx("en"));
        assert_eq!(found.len(), 1);
        assert_eq!(said.raw.get(found[0].span.clone()), Some("ab 123 cd"));
    }
}
