//! Calls of Slack's Web API: paced, each with a timeout, errors told apart by what can be done about them.

pub(crate) mod people;
pub(crate) mod scopes;

use std::time::Duration;

use axum::http::{Request, header};
use chat::Credentials;
use chat::pace::{Lane, Pace};
use formwright_chat as chat;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_rustls::builderstates::WantsProtocols2;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use slack_morphism::errors::SlackClientError;
use slack_morphism::prelude::{SlackApiToken, SlackApiTokenValue, SlackClientHyperHttpsConnector, SlackHyperClient};

use crate::limits;

/// How long one call may take.
const CALL_IN: Duration = Duration::from_secs(10);
/// How long a call waits for its place in a lane before it is given back.
const WAIT: Duration = Duration::from_secs(8);
/// How often it is tried whether a token that was refused is good again.
const TRY_TOKEN: Duration = Duration::from_secs(30);
/// The method that gives a socket's address.
pub(crate) const SOCKET: &str = "apps.connections.open";
/// Bytes of an answer to `auth.test` that are read.
const AUTH_BYTES: usize = 64 * 1024;

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApiError {
    /// Too many calls: not before this long.
    #[error("slack asks to wait {} s", .0.as_secs())]
    Wait(Duration),
    /// Slack refuses this call, and would again; its code.
    #[error("slack refuses: {0}")]
    Refused(String),
    /// No answer, or none that means anything: try again.
    #[error("slack did not answer: {0}")]
    Failed(String),
}

/// The Web API under one token.
pub(crate) struct Api {
    client: std::sync::Arc<SlackHyperClient>,
    token: SlackApiToken,
    url: String,
    pace: Pace,
    pub(crate) credentials: Credentials,
}

impl Api {
    /// `url` is where the methods are, `setting` where the token stands.
    pub(crate) fn new(url: &str, token: &str, setting: &'static str) -> Self {
        let url = url.trim_end_matches('/');
        let connector =
            SlackClientHyperHttpsConnector::with_connector(https().enable_http2().build()).with_slack_api_url(url);
        Self {
            client: std::sync::Arc::new(SlackHyperClient::new(connector)),
            token: SlackApiToken::new(SlackApiTokenValue(token.to_owned())),
            url: url.to_owned(),
            pace: Pace::default(),
            credentials: Credentials::new(setting),
        }
    }

    /// Calls a method with JSON.
    pub(crate) async fn post(&self, method: &str, body: &Value) -> Result<Value, ApiError> {
        self.post_within(WAIT, method, body).await
    }

    /// The same, with another patience: with none it is called now or not at all.
    pub(crate) async fn post_within(&self, patience: Duration, method: &str, body: &Value) -> Result<Value, ApiError> {
        // The socket asks seldom enough, and by that it is found out that its token is good again.
        if method != SOCKET {
            self.may_call()?;
        }
        let lanes = limits::lanes(method, body["channel"].as_str());
        self.pace.turn(&lanes, patience).await.map_err(ApiError::Wait)?;
        let session = self.client.open_session(&self.token);
        self.outcome(method, &lanes, session.http_session_api.http_post(method, body, None)).await
    }

    /// Calls a method that takes no JSON with parameters.
    pub(crate) async fn get(&self, method: &str, params: &[(&str, &str)]) -> Result<Value, ApiError> {
        self.may_call()?;
        let lanes = limits::lanes(method, None);
        self.pace.turn(&lanes, WAIT).await.map_err(ApiError::Wait)?;
        let session = self.client.open_session(&self.token);
        let params: Vec<(&str, Option<&str>)> = params.iter().map(|(key, value)| (*key, Some(*value))).collect();
        self.outcome(method, &lanes, session.http_session_api.http_get(method, &params, None)).await
    }

    /// Posts to a `response_url`. It needs no token and gets none.
    pub(crate) async fn respond(&self, url: &str, body: &Value) -> Result<(), ApiError> {
        self.may_call()?;
        let url = url.parse().map_err(|_| ApiError::Refused("malformed response_url".to_owned()))?;
        let span = tracing::debug_span!("response_url");
        let context = slack_morphism::SlackClientApiCallContext {
            rate_control_params: None,
            token: None,
            tracing_span: &span,
            is_sensitive_url: true,
        };
        let connector = &self.client.http_api.connector;
        let call =
            slack_morphism::SlackClientHttpConnector::http_post_uri::<_, Value>(&**connector, url, body, context);
        self.outcome("response_url", &[], call).await.map(drop)
    }

    /// `auth.test`: who the token is, and its scopes, which Slack tells in a header that the SDK does not hand on.
    pub(crate) async fn auth(&self) -> Result<(Value, Option<String>), ApiError> {
        let failed = |why: String| ApiError::Failed(why);
        let client: Client<_, axum::body::Body> = Client::builder(TokioExecutor::new()).build(https().build());
        let request = Request::post(format!("{}/auth.test", self.url))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token.token_value.0))
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .body(axum::body::Body::from("{}"))
            .map_err(|error| ApiError::Refused(error.to_string()))?;
        let call = async {
            let answer = client.request(request).await.map_err(|error| failed(error.to_string()))?;
            let status = answer.status();
            let scopes = answer.headers().get("x-oauth-scopes").and_then(|scopes| scopes.to_str().ok());
            let scopes = scopes.map(str::to_owned);
            let body = axum::body::to_bytes(axum::body::Body::new(answer.into_body()), AUTH_BYTES);
            let body = body.await.map_err(|error| failed(error.to_string()))?;
            let body: Value = serde_json::from_slice(&body).map_err(|_| failed(format!("status {status}")))?;
            if body["ok"] == true {
                return Ok((body, scopes));
            }
            let code = body["error"].as_str().unwrap_or("unknown_error").to_owned();
            Err(if is_passing(&code) { failed(code) } else { ApiError::Refused(code) })
        };
        tokio::time::timeout(CALL_IN, call).await.unwrap_or_else(|_| Err(failed("no answer in time".to_owned())))
    }

    /// Asks now and then whether a token that was refused is good again. Never ends.
    pub(crate) async fn try_credentials(&self) {
        loop {
            tokio::time::sleep(TRY_TOKEN).await;
            self.try_credentials_once().await;
        }
    }

    pub(crate) async fn try_credentials_once(&self) {
        if self.credentials.are_refused() && self.auth().await.is_ok() {
            self.note_credentials(None);
        }
    }

    /// Nothing is called while Slack refuses the token.
    fn may_call(&self) -> Result<(), ApiError> {
        if self.credentials.are_refused() { Err(ApiError::Failed("the token is refused".to_owned())) } else { Ok(()) }
    }

    /// Notes whether Slack has taken the token, or with which code it refused a call.
    fn note_credentials(&self, code: Option<&str>) {
        match code {
            None if self.credentials.taken() => tracing::info!("slack takes the token again"),
            Some(code) if is_about_token(code) && self.credentials.refused() => {
                tracing::error!(code, "slack refuses the token: nothing is sent until it takes it again");
            }
            None | Some(_) => {}
        }
    }

    async fn outcome(
        &self,
        method: &str,
        lanes: &[Lane],
        call: impl Future<Output = Result<Value, SlackClientError>>,
    ) -> Result<Value, ApiError> {
        let outcome = match tokio::time::timeout(CALL_IN, call).await {
            Ok(Ok(answer)) => {
                self.note_credentials(None);
                return Ok(answer);
            }
            Ok(Err(error)) => told_apart(error),
            Err(_) => ApiError::Failed("no answer in time".to_owned()),
        };
        match &outcome {
            ApiError::Wait(after) => self.pace.refused(lanes, *after),
            ApiError::Refused(code) => self.note_credentials(Some(code)),
            ApiError::Failed(_) => {}
        }
        tracing::debug!(method, error = %outcome, "a call of slack failed");
        Err(outcome)
    }
}

/// TLS with the roots built in, and plain HTTP for a fake on loopback.
fn https() -> HttpsConnectorBuilder<WantsProtocols2> {
    HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1()
}

/// What can be done about an error. Its body is left out: it can hold a person's words.
fn told_apart(error: SlackClientError) -> ApiError {
    match error {
        SlackClientError::RateLimitError(error) => {
            let after = error.retry_after.unwrap_or(Duration::from_secs(1));
            ApiError::Wait(after.min(limits::LONGEST_WAIT))
        }
        SlackClientError::ApiError(error) => {
            if error.code == "ratelimited" {
                return ApiError::Wait(Duration::from_secs(1));
            }
            if is_passing(&error.code) {
                return ApiError::Failed(error.code);
            }
            let body: Option<Value> = error.http_response_body.and_then(|body| serde_json::from_str(&body).ok());
            match body.as_ref().and_then(|body| body["needed"].as_str()) {
                Some(needed) => ApiError::Refused(format!("{} (add the scope {needed})", error.code)),
                None => ApiError::Refused(error.code),
            }
        }
        SlackClientError::HttpError(error) if error.status_code.is_client_error() => {
            ApiError::Refused(format!("status {}", error.status_code.as_u16()))
        }
        SlackClientError::HttpError(error) => ApiError::Failed(format!("status {}", error.status_code.as_u16())),
        SlackClientError::ProtocolError(_) => ApiError::Failed("an answer that is not JSON".to_owned()),
        SlackClientError::HttpProtocolError(_) => ApiError::Failed("the connection failed".to_owned()),
        SlackClientError::EndOfStream(_)
        | SlackClientError::SystemError(_)
        | SlackClientError::SocketModeProtocolError(_) => ApiError::Failed("the connection ended".to_owned()),
    }
}

/// Codes that say that the token is of no use, whatever is called.
fn is_about_token(code: &str) -> bool {
    const CODES: [&str; 6] =
        ["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "status 401"];
    CODES.contains(&code)
}

/// Codes of Slack's own trouble, which passes.
fn is_passing(code: &str) -> bool {
    const PASSING: [&str; 6] =
        ["internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org", "ratelimited"];
    PASSING.contains(&code)
}
