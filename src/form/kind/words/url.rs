//! `url`: a web address.
//!
//! "it's example.com/a?b=1." reads as `https://example.com/a?b=1`. Only `http` and `https` are taken.

use std::ops::Range;

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, answer};
use linkify::{LinkFinder, LinkKind};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// A web address.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Url {
    /// Hosts taken, with all that lies under them (`example.com` takes `docs.example.com` too); empty takes all.
    pub hosts: Vec<String>,
}

/// Top-level domains that make a name without `http` or `www` an address even inside a sentence.
const TOP: &[&str] = &[
    "com", "org", "net", "edu", "gov", "int", "info", "biz", "io", "dev", "app", "ai", "co", "eu", "uk", "it", "es",
    "de", "fr", "ch", "at", "nl", "be", "pt", "pl", "se", "no", "dk", "fi", "ie", "us", "ca", "au", "nz", "in", "jp",
    "cn", "br", "mx", "ar", "sa", "ae", "eg", "ru", "cz", "gr", "tr", "cloud", "online", "shop", "site", "store",
    "tech", "xyz", "example",
];

/// Endings of file names: "log.txt" by itself is no address.
const FILES: &[&str] = &[
    "txt", "log", "pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "csv", "tsv", "ppt", "pptx", "json", "xml",
    "html", "htm", "yaml", "yml", "toml", "ini", "cfg", "conf", "png", "jpg", "jpeg", "gif", "bmp", "svg", "webp",
    "heic", "tif", "tiff", "mp3", "mp4", "m4a", "wav", "avi", "mov", "mkv", "webm", "zip", "gz", "tar", "rar", "7z",
    "exe", "dll", "dmg", "apk", "iso", "js", "ts", "css", "java", "cpp", "sql", "bak", "tmp", "eml", "ics",
];

/// The address in its canonical form; none where it is none.
fn canonical(address: &str) -> Option<String> {
    let address = address.trim();
    if address.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '<' | '>' | '"' | '`')) {
        return None;
    }
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => ("https".to_owned(), address.strip_prefix("//").unwrap_or(address)),
    };
    if scheme != "http" && scheme != "https" {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = (rest.get(..end)?, rest.get(end..)?);
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') => (host, Some(port.parse::<u16>().ok()?)),
        _ => (authority, None),
    };
    let host = host.to_lowercase();
    let label = |label: &str| {
        let ends = label.starts_with('-') || label.ends_with('-');
        !label.is_empty()
            && label.len() <= 63
            && !ends
            && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    let named =
        host.rsplit('.').next().is_some_and(|top| top.chars().count() >= 2 && top.contains(char::is_alphabetic));
    let numbered = host.parse::<std::net::Ipv4Addr>().is_ok();
    let real = host.len() <= 253 && host.contains('.') && host.split('.').all(label) && (named || numbered);
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    real.then(|| format!("{scheme}://{host}{port}{tail}"))
}

/// An address up to the Arabic marks that end a clause: no address holds one.
pub(crate) fn before_marks(link: &str) -> &str {
    link.split(['،', '؛', '؟']).next().unwrap_or_default()
}

/// The host of a canonical address.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#', ':']).next().unwrap_or_default()
}

fn found(span: Range<usize>, address: &str) -> Option<Found> {
    let address_of = canonical(address)?;
    let top = host(&address_of).rsplit('.').next().unwrap_or_default();
    let lower = address.to_ascii_lowercase();
    let strength = if lower.starts_with("http") || lower.starts_with("www.") {
        Strength::Exact
    } else if FILES.contains(&top) && host(&address_of).len() == address.len() {
        return None;
    } else if TOP.contains(&top) {
        Strength::Typed
    } else {
        Strength::Weak
    };
    Some(Found { span, value: Value::Text(address_of), strength })
}

impl FieldKind for Url {
    fn find(&self, said: &Said, _: &Context<'_>) -> Vec<Found> {
        if !said.raw.contains('.') {
            return Vec::new();
        }
        // E-mail addresses are looked for too, so that their domains are not taken for web addresses.
        let mut finder = LinkFinder::new();
        finder.kinds(&[LinkKind::Url, LinkKind::Email]).url_must_have_scheme(false);
        let links = finder.links(&said.raw).filter(|link| *link.kind() == LinkKind::Url);
        links
            .map(|link| (link.start(), before_marks(link.as_str())))
            .filter_map(|(at, link)| found(at..at + link.len(), link))
            .collect()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mut all = self.find(said, cx);
        if all.iter().any(|found| found.strength > Strength::Weak) {
            all.retain(|found| found.strength > Strength::Weak);
        }
        all.dedup_by(|b, a| a.value == b.value);
        match all.len() {
            0 => {
                let span = said.raw_words(answer::words(said, cx));
                let quote = said.raw.get(span.clone()).unwrap_or_default();
                let tried = !quote.contains(char::is_whitespace) && (quote.contains("://") || quote.contains('.'));
                if tried { Reading::Refused(span, Refusal::new("url_invalid")) } else { Reading::Nothing }
            }
            1 => Reading::Value(all.remove(0)),
            2..=8 => Reading::Ambiguous(all),
            _ => Reading::Nothing,
        }
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let address = canonical(&answer::scalar(data)?).ok_or_else(|| Refusal::new("url_invalid"))?;
        let value = Value::Text(address);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        let Value::Text(address) = value else { return Err(Refusal::new("url_invalid")) };
        let taken = |taken: &String| {
            let taken = taken.to_lowercase();
            let under = host(address).strip_suffix(taken.as_str());
            under.is_some_and(|under| under.is_empty() || under.ends_with('.'))
        };
        if canonical(address).as_ref() != Some(address) {
            Err(Refusal::new("url_invalid"))
        } else if !self.hosts.is_empty() && !self.hosts.iter().any(taken) {
            Err(Refusal::new("url_host").fact("hosts", self.hosts.join(", ")))
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
        json!({ "type": "string", "format": "iri" })
    }

    fn input(&self, _: &chat::Token, _: Option<&Value>, _: &Context<'_>) -> chat::Input {
        chat::Input::Url
    }

    fn prefill(&self, value: &Value) -> Option<String> {
        Some(answer::text_of(value))
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        let host = self.hosts.first().map_or("example.com", String::as_str);
        vec![Value::Text(format!("https://{host}/"))]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, text};

    #[rstest]
    #[case("https://example.com", Some("https://example.com"))]
    #[case("it's www.Example.com/Path?q=1.", Some("https://www.example.com/Path?q=1"))]
    #[case("http://example.com:8080/a", Some("http://example.com:8080/a"))]
    #[case("(see example.org/wiki)", Some("https://example.org/wiki"))]
    #[case("cnn.com/info", Some("https://cnn.com/info"))]
    #[case("my site is ada.dev, thanks", Some("https://ada.dev"))]
    #[case("bücher.example", Some("https://bücher.example"))]
    #[case("ada@example.com", None)]
    #[case("javascript:alert(1)", None)]
    #[case("ftp://example.com", None)]
    #[case("localhost", None)]
    #[case("log.txt", None)]
    #[case("see example.com/log.txt", Some("https://example.com/log.txt"))]
    #[case("https://files.zip", Some("https://files.zip"))]
    #[case("hello", None)]
    fn an_address_is_read(#[case] said: &str, #[case] want: Option<&str>) {
        assert_eq!(text(Url::default().read(&Said::new(said), &cx("en"))).as_deref(), want, "{said}");
    }

    #[rstest]
    #[case("I'm done.thanks")]
    #[case("at 12.30 for 2.5 people")]
    #[case("write to ada@example.com")]
    fn prose_holds_no_sure_address(#[case] said: &str) {
        let found = Url::default().find(&Said::new(said), &cx("en"));
        assert!(found.iter().all(|found| found.strength == Strength::Weak), "{found:?}");
    }

    #[rstest]
    #[case("https://docs.example.com/x", None)]
    #[case("example.com", None)]
    #[case("https://badexample.com", Some("url_host"))]
    #[case("https://example.com.evil.org", Some("url_host"))]
    #[case("https://example.com@evil.org", Some("url_invalid"))]
    #[case("https://evil.org\\@example.com", Some("url_invalid"))]
    #[case("https://", Some("url_invalid"))]
    #[case("a b", Some("url_invalid"))]
    fn only_listed_hosts_are_taken(#[case] data: &str, #[case] refused: Option<&str>) {
        let kind = Url { hosts: vec!["example.com".to_owned()] };
        let got = kind.accept(&json!(data), &cx("en")).err().map(|refusal| refusal.code);
        assert_eq!(got.as_deref(), refused, "{data}");
    }
}
