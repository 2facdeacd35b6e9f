//! The HTTP service under the client: no retries of its own, a bound on what is read, and errors without bodies in them.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, RETRY_AFTER};

use super::habits::is_about_roles;

/// Longest body that is read, in bytes.
const LONGEST_BODY: usize = 256 * 1024;
/// Longest `Retry-After` that is believed.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Why a server did not answer with a reply.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("busy or broken")]
    Busy { status: StatusCode, after: Option<Duration> },
    #[error("too long")]
    TooLong,
    #[error("the key is not accepted")]
    Key(StatusCode),
    /// In the server's words.
    #[error("refused")]
    Asked { status: StatusCode, words: String },
}

/// Sends requests of the client.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    client: reqwest::Client,
    longest: Duration,
}

impl Wire {
    /// No exchange takes longer than this.
    pub(super) fn new(client: reqwest::Client, longest: Duration) -> Self {
        Self { client, longest }
    }
}

type Sending = Pin<Box<dyn Future<Output = Result<reqwest::Response, OpenAIError>> + Send>>;

impl tower::Service<HttpRequestFactory> for Wire {
    type Response = reqwest::Response;
    type Error = OpenAIError;
    type Future = Sending;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), OpenAIError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequestFactory) -> Sending {
        let Self { client, longest } = self.clone();
        Box::pin(async move {
            let mut request = request.build().await?;
            // Models may think longer than other services take.
            *request.timeout_mut() = Some(longest);
            if let Some(key) = request.headers_mut().get_mut(AUTHORIZATION) {
                key.set_sensitive(true);
            }
            let mut response = client.execute(request).await?;
            let status = response.status();
            let after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(wait);
            if status == StatusCode::INTERNAL_SERVER_ERROR {
                let mut body = Vec::new();
                while let Ok(Some(chunk)) = response.chunk().await
                    && body.len() + chunk.len() <= LONGEST_BODY
                {
                    body.extend_from_slice(&chunk);
                }
                let words = String::from_utf8_lossy(&body).into_owned();
                let about_roles = is_about_roles(&words);
                let why = if about_roles { Refused::Asked { status, words } } else { Refused::Busy { status, after } };
                return Err(refused(why));
            }
            if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
                return Err(refused(Refused::Busy { status, after }));
            }
            if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
                return Err(refused(Refused::Key(status)));
            }
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await? {
                if body.len() + chunk.len() > LONGEST_BODY {
                    return Err(refused(Refused::TooLong));
                }
                body.extend_from_slice(&chunk);
            }
            if !status.is_success() {
                let words = String::from_utf8_lossy(&body).into_owned();
                return Err(refused(Refused::Asked { status, words }));
            }
            // The client would put a body that is no JSON on the log.
            if serde_json::from_slice::<serde::de::IgnoredAny>(&body).is_err() {
                body = b"{}".to_vec();
            }
            let mut answer = ::http::Response::new(body);
            *answer.status_mut() = status;
            Ok(answer.into())
        })
    }
}

fn refused(why: Refused) -> OpenAIError {
    OpenAIError::Boxed(Box::new(why))
}

/// A `Retry-After` in seconds or as a date; nonsense is passed over.
fn wait(value: &str) -> Option<Duration> {
    let value = value.trim();
    let wait = match value.parse::<f64>() {
        Ok(seconds) if seconds > LONGEST_WAIT.as_secs_f64() => LONGEST_WAIT,
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok()?,
        Err(_) => {
            let until = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
            until.duration_since(jiff::Timestamp::now()).try_into().unwrap_or_default()
        }
    };
    Some(wait.min(LONGEST_WAIT))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("2", Some(2_000))]
    #[case(" 0.25 ", Some(250))]
    #[case("0", Some(0))]
    #[case("999999999", Some(60_000))]
    #[case("-1", None)]
    #[case("NaN", None)]
    #[case("inf", Some(60_000))]
    #[case("99999999999999999999999999", Some(60_000))]
    #[case("Wed, 21 Oct 2015 07:28:00 GMT", Some(0))]
    #[case("Mon, 21 Oct 2250 07:28:00 GMT", Some(60_000))]
    #[case("Wed, 99 Oct 2026", None)]
    #[case("soon", None)]
    #[case("", None)]
    fn a_wait_is_believed_within_bounds(#[case] value: &str, #[case] millis: Option<u64>) {
        assert_eq!(wait(value), millis.map(Duration::from_millis));
    }
}
