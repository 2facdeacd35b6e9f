//! One exchange of JSON, within limits: what a tool asks of a server.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode, Url};
use serde_json::Value;

use super::{Closed, Guarded};

/// What is asked.
#[derive(Debug)]
pub struct Request<'a> {
    /// How.
    pub method: Method,
    /// Where.
    pub url: Url,
    /// What the server wants besides, such as who asks.
    pub headers: &'a HeaderMap,
    /// Sent as JSON.
    pub body: Option<&'a Value>,
    /// The same for the same call, however often it is sent: `Idempotency-Key`.
    pub id: &'a str,
}

/// What a server answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The status: success, or an error of the caller's or the server's; never a redirect.
    pub status: StatusCode,
    /// How long the server asks to be left alone.
    pub after: Option<Duration>,
    /// The body; none where there is none, and of an error where it is no JSON.
    pub body: Option<Value>,
}

/// Why there is no answer. Texts are for operators; they hold neither the address nor anything of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// Nothing may be sent there.
    #[error(transparent)]
    Closed(#[from] Closed),
    /// No connection, or one that broke.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// Out of time.
    #[error("there was no whole answer within {0:?}")]
    Late(Duration),
    /// Redirects are not followed: they could lead anywhere.
    #[error("the server answered {0}: redirects are not followed, write the address where it leads")]
    Redirected(StatusCode),
    /// More than is read.
    #[error("the answer has more than {0} bytes")]
    TooLong(usize),
    /// Something else than JSON.
    #[error("the answer is no JSON (`content-type: application/json`)")]
    NotJson,
}

impl Guarded {
    /// Sends a request and reads the whole answer: `most` bytes of it, all within one time limit.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn json(&self, request: Request<'_>, most: usize, within: Duration) -> Result<Answer, Failed> {
        let exchanged = tokio::time::timeout(within, self.exchange(request, most)).await;
        exchanged.unwrap_or(Err(Failed::Late(within)))
    }

    async fn exchange(&self, request: Request<'_>, most: usize) -> Result<Answer, Failed> {
        let sent = self.request(request.method, request.url)?.header("idempotency-key", request.id);
        let sent = sent.header(ACCEPT, "application/json").headers(request.headers.clone());
        let sent = match request.body {
            Some(body) => sent.json(body),
            None => sent,
        };
        let response = sent.send().await.map_err(unreachable)?;
        let (status, after) = (response.status(), wait(&response));
        if status.is_redirection() || status.is_informational() {
            return Err(Failed::Redirected(status));
        }
        if status == StatusCode::NO_CONTENT {
            return Ok(Answer { status, after, body: None });
        }
        let body = match read(response, most).await {
            Ok(body) => Some(body),
            Err(_) if !status.is_success() => None,
            Err(failed) => return Err(failed),
        };
        Ok(Answer { status, after, body })
    }
}

async fn read(mut response: Response, most: usize) -> Result<Value, Failed> {
    if !is_json(&response) {
        return Err(Failed::NotJson);
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if bytes.len() + chunk.len() > most {
            return Err(Failed::TooLong(most));
        }
        bytes.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&bytes).map_err(|_| Failed::NotJson)
}

fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// How long the server asks to be left alone, in seconds; dates are for those who have hours.
fn wait(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

/// The innermost reason: what lies outside holds the address.
fn unreachable(error: reqwest::Error) -> Failed {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
        if let Some(closed) = innermost.downcast_ref::<Closed>() {
            return Failed::Closed(closed.clone());
        }
    }
    Failed::Unreachable(innermost.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use rstest::rstest;
    use serde_json::json;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::super::{Dns, Spot};
    use super::*;

    /// A server on this machine that answers these bytes and then, where `hangs`, keeps the connection; gives its address.
    async fn server(answer: &str, hangs: bool) -> Url {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, answer) = (listener.local_addr().unwrap(), answer.to_owned());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let answer = answer.clone();
                tokio::spawn(async move {
                    let mut asked = [0; 4096];
                    let _ = stream.read(&mut asked).await;
                    let _ = stream.write_all(answer.as_bytes()).await;
                    if hangs {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        format!("http://{address}/x?token=hush").parse().unwrap()
    }

    fn answer(status: &str, kind: &str, body: &str) -> String {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nretry-after: 3\r\n\r\n{body}")
    }

    async fn ask(url: Url, most: usize) -> Result<Answer, String> {
        let local: BTreeSet<Spot> = Spot::of(&url).into_iter().collect();
        let guarded = Guarded::new(local, Arc::new(Dns)).unwrap();
        let request = Request { method: Method::GET, url, headers: &HeaderMap::new(), body: None, id: "c1" };
        guarded.json(request, most, Duration::from_millis(300)).await.map_err(|failed| failed.to_string())
    }

    #[rstest]
    #[case::json("200 OK", "application/json", "{\"a\": 1}", Ok((200, Some(json!({"a": 1})))))]
    #[case::of_a_kind("200 OK", "application/problem+json; charset=utf-8", "[]", Ok((200, Some(json!([])))))]
    #[case::nothing("204 No Content", "", "", Ok((204, None)))]
    #[case::refused("422 No", "application/json", "{\"error\": \"x\"}", Ok((422, Some(json!({"error": "x"})))))]
    #[case::refused_in_html("404 Not Found", "text/html", "<html>", Ok((404, None)))]
    #[case::broken_json("200 OK", "application/json", "{\"a\"", Err("the answer is no JSON"))]
    #[case::html("200 OK", "text/html", "{}", Err("the answer is no JSON"))]
    #[case::no_kind("200 OK", "", "{}", Err("the answer is no JSON"))]
    #[case::long("200 OK", "application/json", &format!("[{}1]", " ".repeat(64)), Err("more than 64 bytes"))]
    #[case::moved("302 Found", "application/json", "{}", Err("redirects are not followed"))]
    #[case::not_modified("304 Not Modified", "application/json", "", Err("redirects are not followed"))]
    #[tokio::test]
    async fn json_and_nothing_else_is_an_answer(
        #[case] status: &str,
        #[case] kind: &str,
        #[case] body: &str,
        #[case] expected: Result<(u16, Option<Value>), &str>,
    ) {
        let got = ask(server(&answer(status, kind, body), false).await, 64).await;
        match (got, expected) {
            (Ok(got), Ok(expected)) => {
                assert_eq!((got.status.as_u16(), got.body), expected);
                assert_eq!(got.after, Some(Duration::from_secs(3)));
            }
            (Err(got), Err(expected)) => assert!(got.contains(expected) && !got.contains("hush"), "{got}"),
            (got, expected) => panic!("{got:?}, {expected:?}"),
        }
    }

    #[rstest]
    #[case::no_answer("", true)]
    #[case::half_an_answer("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n[", true)]
    #[tokio::test]
    async fn who_does_not_end_is_not_waited_for(#[case] begins: &str, #[case] hangs: bool) {
        assert_eq!(
            ask(server(begins, hangs).await, 64).await,
            Err(Failed::Late(Duration::from_millis(300)).to_string())
        );
    }

    #[tokio::test]
    async fn a_body_without_end_is_not_read_to_its_end() {
        let chunks = "40\r\n".to_owned() + &" ".repeat(64) + "\r\n";
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        let got = ask(server(&(head.to_owned() + &chunks.repeat(20)), true).await, 256).await;
        assert_eq!(got, Err(Failed::TooLong(256).to_string()));
    }

    #[tokio::test]
    async fn nobody_there_is_told_without_the_address() {
        let got = ask("http://127.0.0.1:1/?token=hush".parse().unwrap(), 64).await.unwrap_err();
        assert!(got.starts_with("the server cannot be reached") && !got.contains("hush"), "{got}");
    }
}
