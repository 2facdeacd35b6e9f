//! `application/x-www-form-urlencoded`, as Slack sends interactions and slash commands over HTTP.

use serde_json::{Map, Value};

/// The pairs as an object; of a key that comes twice the last counts.
pub(crate) fn decode(body: &str) -> Map<String, Value> {
    let pairs = body.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescape(key), Value::String(unescape(value)))
        })
        .collect()
}

fn unescape(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let ahead = bytes.clone();
                let digits: Vec<u8> = ahead.take(2).collect();
                let hex = std::str::from_utf8(&digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok());
                match hex.filter(|_| digits.len() == 2 && digits[0] != b'+') {
                    Some(byte) => {
                        out.push(byte);
                        bytes.nth(1);
                    }
                    None => out.push(b'%'),
                }
            }
            byte => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_and_what_is_none_stays() {
        let form = decode("payload=%7B%22a%22%3A%22%C3%A4+b%22%7D&x=%zz%4&y&=1&%+1=%+1");
        assert_eq!(form["payload"], "{\"a\":\"ä b\"}");
        assert_eq!(form["x"], "%zz%4");
        assert_eq!(form["y"], "");
        assert_eq!(form["% 1"], "% 1");
    }
}
