//! A webhook: a submission posted to an address.

use async_trait::async_trait;
use reqwest::Url;
use serde_json::json;

use super::post::Post;
use super::{Sink, SinkError};
use formwright_engine::Submission;
use formwright_engine::lifecycle::Told;
use formwright_http::Guarded;
use formwright_http::secret::Secret;

/// Posts submissions, and what happens to forms.
pub struct Webhook(Post);

impl Webhook {
    /// A sink that posts to this address, signed with each secret: two while they rotate, none for no signature.
    ///
    /// A secret that begins with `whsec_` is base64 after that, any other is taken as it is.
    pub fn new(outgoing: Guarded, url: Url, secrets: Vec<Secret>) -> Self {
        Self(Post::new(outgoing, url, secrets))
    }

    /// Tells what happened to a form; after `Ok` it has been heard. `id` is the same in every repetition.
    ///
    /// # Errors
    /// See [`SinkError`].
    pub async fn tell(&self, id: &str, told: &Told) -> Result<(), SinkError> {
        let name = told.what.kind().name();
        let body = json!({"type": format!("event.{name}"), "timestamp": told.at, "data": told});
        self.0.post(id, body.to_string()).await
    }
}

#[async_trait]
impl Sink for Webhook {
    async fn deliver(&self, id: &str, submission: &Submission) -> Result<(), SinkError> {
        let body = json!({"type": "form.submitted", "timestamp": submission.at, "data": submission});
        self.0.post(id, body.to_string()).await
    }
}

#[cfg(test)]
mod tests;
