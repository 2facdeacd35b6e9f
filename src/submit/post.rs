//! A JSON body posted to an address, signed as Standard Webhooks describes.
//!
//! The id stays the same over repetitions, the timestamp is the attempt's. The receiver checks the signature over
//! `id.timestamp.body` and takes each id once.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode, Url};
use sha2::Sha256;

use super::SinkError;
use formwright_http::Guarded;
use formwright_http::secret::Secret;

/// The longest a receiver may ask us to wait.
const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60 * 60);

/// Posts to one address.
pub(super) struct Post {
    outgoing: Guarded,
    url: Url,
    secrets: Vec<Secret>,
}

impl Post {
    /// What posts to this address, signed with each secret: two while they rotate, none for no signature.
    ///
    /// A secret that begins with `whsec_` is base64 after that, any other is taken as it is.
    pub(super) fn new(outgoing: Guarded, url: Url, secrets: Vec<Secret>) -> Self {
        let secrets = secrets.into_iter().map(key).collect();
        Self { outgoing, url, secrets }
    }

    /// Posts a body; `id` is the same in every repetition.
    pub(super) async fn post(&self, id: &str, body: String) -> Result<(), SinkError> {
        let now = Timestamp::now().as_second();
        let mut request = self
            .outgoing
            .request(Method::POST, self.url.clone())
            .map_err(SinkError::retry)?
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", now);
        if !self.secrets.is_empty() {
            request = request.header("webhook-signature", self.signatures(id, now, &body));
        }
        // The address is left out of errors: it may hold a token.
        let response = request.body(body).send().await.map_err(|error| SinkError::retry(cause(error.without_url())))?;
        judge(&response)
    }

    pub(super) fn signatures(&self, id: &str, timestamp: i64, body: &str) -> String {
        let sign = |secret: &Secret| {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose()).ok()?;
            mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
            Some(format!("v1,{}", BASE64.encode(mac.finalize().into_bytes())))
        };
        self.secrets.iter().filter_map(sign).collect::<Vec<_>>().join(" ")
    }
}

fn key(secret: Secret) -> Secret {
    let encoded = secret.expose().strip_prefix(b"whsec_");
    let decoded = encoded.and_then(|text| BASE64.decode(text).ok());
    decoded.map_or(secret, Secret::new)
}

fn judge(response: &Response) -> Result<(), SinkError> {
    match response.status() {
        status if status.is_success() => Ok(()),
        StatusCode::GONE => Err(SinkError::Gone),
        status => Err(SinkError::Retry { after: wait(response), why: format!("the receiver answered {status}") }),
    }
}

/// How long the receiver asks us to wait: seconds, or a date.
fn wait(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
            Duration::try_from(date.duration_since(Timestamp::now())).ok()?
        }
    };
    Some(wait.min(LONGEST_WAIT))
}

/// The innermost reason: what lies outside only says that sending failed.
fn cause(error: reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    format!("the receiver cannot be reached: {innermost}")
}
