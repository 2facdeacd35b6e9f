//! Links that open a form and fill some of its fields: `trip?source=fair&nights=2`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Redacted;

/// What a form begins with: values in words, by the path of the field.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Prefill(pub BTreeMap<String, String>);

impl Prefill {
    /// Whether nothing is filled.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Prefill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(path, value)| (path, Redacted::text(value)))).finish()
    }
}

/// What a link asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Id of the form.
    pub form: String,
    /// What it begins with.
    pub prefill: Prefill,
}

impl Link {
    /// Reads a link as an address has it: the form, `?`, and fields with values as in a query. None where something is
    /// escaped that is no text.
    pub fn read(text: &str) -> Option<Self> {
        let (form, query) = text.split_once('?').unwrap_or((text, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (path, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((unescaped(path)?, unescaped(value)?))
        });
        Some(Self { form: form.to_owned(), prefill: Prefill(pairs.collect::<Option<_>>()?) })
    }

    /// Reads a link in URL-safe base64 without padding, for where only letters, digits, `-` and `_` may stand.
    pub fn read_base64(text: &str) -> Option<Self> {
        let mut bytes = Vec::new();
        let (mut bits, mut held) = (0_u32, 0_u32);
        for letter in text.bytes() {
            let six = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'-' => 62,
                b'_' => 63,
                _ => return None,
            };
            (bits, held) = (bits << 6 & 0xffff | u32::from(six), held + 6);
            if held >= 8 {
                held -= 8;
                bytes.push(u8::try_from(bits >> held & 0xff).unwrap_or_default());
            }
        }
        Self::read(std::str::from_utf8(&bytes).ok()?).filter(|link| !link.prefill.is_empty())
    }
}

/// A part of a query as it was before it was escaped.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok().filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
                u8::from_str_radix(digits, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(form: &str, values: &[(&str, &str)]) -> Link {
        let values = values.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
        Link { form: form.to_owned(), prefill: Prefill(values.collect()) }
    }

    #[test]
    fn a_link_names_a_form_and_values() {
        let read = Link::read("trip?source=a+b%26c&guest.name=Zo%C3%AB&flag&");
        assert_eq!(read, Some(link("trip", &[("source", "a b&c"), ("guest.name", "Zoë"), ("flag", "")])));
        assert_eq!(Link::read("trip"), Some(link("trip", &[])));
        for broken in ["trip?a=%", "trip?a=%4", "trip?a=%zz", "trip?a=%+1", "trip?a=%ff"] {
            assert_eq!(Link::read(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_link_may_be_spelled_in_few_letters() {
        assert_eq!(Link::read_base64("dHJpcD9zb3VyY2U9ZmFpcg"), Some(link("trip", &[("source", "fair")])));
        // The id of a form, a question's name, and what is no text.
        for other in ["pizza-order", "AAAAAAAAAAAAAAAAAAAAAA", "____", "a.b", ""] {
            assert_eq!(Link::read_base64(other), None, "{other}");
        }
    }

    #[test]
    fn what_a_link_fills_in_stays_out_of_logs() {
        let shown = format!("{:?}", link("trip", &[("name", "Ada")]));
        assert!(shown.contains("name") && !shown.contains("Ada"), "{shown}");
    }
}
