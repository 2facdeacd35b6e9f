//! HTTP as far as the fake sends it: one request on its own connection, without TLS.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Sends a request to `http://host:port/path`; why there was no answer.
pub(super) async fn send(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: &[u8],
    within: Duration,
) -> Result<Answer, &'static str> {
    let rest = url.strip_prefix("http://").ok_or("no_http_url")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let exchange = async {
        let mut stream = TcpStream::connect(host).await.ok()?;
        let mut head = format!("{method} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let _ = write!(head, "content-length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).await.ok()?;
        stream.write_all(body).await.ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.ok()?;
        parse(&answer)
    };
    match tokio::time::timeout(within, exchange).await {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => Err("connection_failed"),
        Err(_) => Err("http_timeout"),
    }
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers: Vec<_> = lines.filter_map(header).collect();
    let body = bytes[end + 4..].to_vec();
    let whole = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, size)| size.parse().ok());
    // A connection that broke off has no answer.
    whole.is_none_or(|size: usize| body.len() == size).then_some(Answer { status, headers, body })
}

/// Pairs as `application/x-www-form-urlencoded`.
pub(super) fn encode(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{}={}", escape(key), escape(value))).collect();
    pairs.join("&")
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Pairs of a form or a query, as an object; of a key that comes twice the last counts.
pub(super) fn decode(text: &str) -> Map<String, Value> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let read = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (unescape(key), Value::String(unescape(value)))
    };
    pairs.map(read).collect()
}

fn unescape(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let hex = || std::str::from_utf8(after.get(..2)?).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte {
            b'+' => out.push(b' '),
            b'%' => match hex() {
                Some(byte) => {
                    out.push(byte);
                    rest = &after[2..];
                }
                None => out.push(b'%'),
            },
            byte => out.push(*byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_they_were_written() {
        let text = "a b&c=d%e+ä\n";
        let form = encode(&[("payload", text), ("x", "")]);
        assert_eq!(decode(&form)["payload"], text);
        assert_eq!(decode(&form)["x"], "");
    }
}
