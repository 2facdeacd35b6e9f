//! `email`: an e-mail address.
//!
//! `Ada@Example.com`, "it's ada@example.com.", `mailto:ada@example.com` and "ada at example dot com" are read as
//! `Ada@example.com`; what stands before the `@` keeps its spelling.

use std::ops::Range;

use email_address::{EmailAddress, Options};
use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer, spoken};
use linkify::{LinkFinder, LinkKind};
use serde_json::{Value as Json, json};

use super::url::before_marks;
use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// An e-mail address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Email {
    /// Domains taken, letter case aside; empty takes all.
    pub domains: Vec<String>,
}

/// The address in its canonical form; none where it is none or lacks a top-level domain.
fn canonical(address: &str) -> Option<String> {
    let address = address.trim();
    let address = address.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(address);
    let address = match address.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => address.get(7..).unwrap_or_default(),
        _ => address,
    };
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    EmailAddress::parse_with_options(address, options).ok()?;
    let (local, domain) = address.rsplit_once('@')?;
    let top = domain.rsplit('.').next()?;
    let real = top.chars().count() >= 2 && !top.chars().all(|c| c.is_ascii_digit());
    // RFC 1123, 2.1: letters, digits and hyphens.
    let hosts = domain.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    (real && hosts).then(|| format!("{local}@{}", domain.to_lowercase()))
}

fn found(span: Range<usize>, address: &str, strength: Strength) -> Option<Found> {
    Some(Found { span, value: Value::Text(canonical(address)?), strength })
}

/// Whether an address may begin at a byte; what goes on before it is another one, a broken one: "ada..x@example.com",
/// "ada\"x\"y@example.com".
fn begins(said: &Said, at: usize) -> bool {
    let before = said.raw.get(..at).unwrap_or_default();
    let inside = before.strip_suffix('"').is_some_and(|before| before.ends_with(char::is_alphanumeric));
    !inside && !before.ends_with(['.', '@'])
}

impl FieldKind for Email {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let mut all = Vec::new();
        if said.raw.contains('@') {
            let mut finder = LinkFinder::new();
            finder.kinds(&[LinkKind::Email]);
            let links = finder.links(&said.raw);
            let links = links.filter(|link| begins(said, link.start()));
            let links = links.map(|link| (link.start(), before_marks(link.as_str())));
            all.extend(links.filter_map(|(at, link)| found(at..at + link.len(), link, Strength::Exact)));
        }
        all.extend(
            spoken::emails(said, cx)
                .into_iter()
                .filter_map(|(words, address, strength)| found(said.raw_words(words), &address, strength)),
        );
        all.sort_by_key(|found| found.span.start);
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
                let one_word = |s: &str| !s.contains(char::is_whitespace);
                let quote = said.raw.get(span.clone()).unwrap_or_default();
                if let Some(found) = found(span.clone(), quote, Strength::Typed).filter(|_| begins(said, span.start)) {
                    return Reading::Value(found);
                }
                let tried = quote.contains('@') && (one_word(quote) || !answer::looks_like_question(said));
                if tried { Reading::Refused(span, Refusal::new("email_invalid")) } else { Reading::Nothing }
            }
            1 => Reading::Value(all.remove(0)),
            _ => Reading::Ambiguous(all),
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = answer::scalar(data)?;
        let value = Value::Text(canonical(&text).ok_or_else(|| Refusal::new("email_invalid"))?);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(address) = value else { return Err(Refusal::new("email_invalid")) };
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        let taken = |one: &String| one.trim_start_matches('@').eq_ignore_ascii_case(domain);
        if canonical(address).as_ref() != Some(address) {
            Err(Refusal::new("email_invalid"))
        } else if !self.domains.is_empty() && !self.domains.iter().any(taken) {
            Err(Refusal::new("email_domain").fact("domains", self.domains.join(", ")))
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
        json!({ "type": "string", "format": "email" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Email
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let domain = self.domains.first().map_or("example.com", |domain| domain.trim_start_matches('@'));
        vec![Value::Text(format!("ada@{domain}"))]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    #[rstest]
    #[case("ada@example.com", Some("ada@example.com"))]
    #[case("It's Ada.Lovelace+forms@Example.CO.uk.", Some("Ada.Lovelace+forms@example.co.uk"))]
    #[case("you can write me at ada@example.com, thanks!", Some("ada@example.com"))]
    #[case("<ada@example.com>", Some("ada@example.com"))]
    #[case("mailto:ada@example.com", Some("ada@example.com"))]
    #[case("ada at example dot com", Some("ada@example.com"))]
    #[case("ada dot lovelace at mail dot example dot org", Some("ada.lovelace@mail.example.org"))]
    #[case("1234+abc at x.net", Some("1234+abc@x.net"))]
    #[case("ada underscore l at example.com", Some("ada_l@example.com"))]
    #[case("ada (at) example (dot) com", Some("ada@example.com"))]
    #[case("ada@example.com or ada@example.com", Some("ada@example.com"))]
    #[case("jörg@bücher.example", Some("jörg@bücher.example"))]
    #[case("ada@localhost", None)]
    #[case("ada..x@example.com", None)]
    #[case(".ada@example.com", None)]
    #[case("ada@x@example.com", None)]
    #[case("ada@exa_mple.com", None)]
    #[case("ada@1.2.3.4", None)]
    #[case("ada@@example.com", None)]
    #[case("ada\"x\"y@example.com", None)]
    #[case("\"ada@example.com\"", Some("ada@example.com"))]
    #[case("@ada", None)]
    #[case("example.com", None)]
    #[case("", None)]
    fn an_address_is_read(#[case] said: &str, #[case] want: Option<&str>) {
        let reading = Email::default().read(&Said::new(said), &cx("en"));
        assert_eq!(text(reading).as_deref(), want, "{said}");
    }

    #[rstest]
    #[case("it", "ada chiocciola esempio punto it", "ada@esempio.it")]
    #[case("ar", "بريدي ada@example.com، وشكرا", "ada@example.com")]
    #[case("es", "ada arroba ejemplo punto es", "ada@ejemplo.es")]
    #[case("de", "ada at beispiel punkt de", "ada@beispiel.de")]
    #[case("fr", "ada arobase exemple point fr", "ada@exemple.fr")]
    fn an_address_is_spelled_out_in_other_languages(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] want: &str,
    ) {
        assert_eq!(text(Email::default().read(&Said::new(said), &cx(lang))).as_deref(), Some(want));
    }

    #[test]
    fn prose_holds_no_address() {
        for said in ["let's meet at noon dot", "I am at acme.com now", "come at 5.30", "look at this dot"] {
            let found = Email::default().find(&Said::new(said), &cx("en"));
            assert!(found.iter().all(|found| found.strength == Strength::Weak), "{said}: {found:?}");
        }
    }

    #[test]
    fn a_broken_address_is_refused_and_two_are_asked_about() {
        let read = |said| Email::default().read(&Said::new(said), &cx("en"));
        assert_eq!(read("my mail is ada@exam"), Reading::Refused(0..19, Refusal::new("email_invalid")));
        assert!(matches!(read("a@example.com or b@example.com"), Reading::Ambiguous(all) if all.len() == 2));
    }

    #[test]
    fn only_listed_domains_are_taken() {
        let kind = Email { domains: vec!["example.com".to_owned()] };
        let cx = cx("en");
        assert!(kind.accept(&json!("a@EXAMPLE.com"), &cx).is_ok());
        for other in ["a@mail.example.com", "a@example.com.evil.org", "a@badexample.com"] {
            let refusal = kind.accept(&json!(other), &cx).unwrap_err();
            assert_eq!(refusal, Refusal::new("email_domain").fact("domains", "example.com"), "{other}");
        }
    }
}
