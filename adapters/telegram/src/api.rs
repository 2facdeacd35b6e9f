//! Calls of the Bot API, over teloxide's client. JSON goes out and comes back raw: teloxide's own types leave out what
//! they do not know, and its sender waits ten seconds on every failure of the server.

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::Credentials;
use serde_json::Value;
use teloxide_core::Bot;

use crate::limits;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApiError {
    /// Too many calls: wait this long.
    #[error("Telegram asks to wait {} s", .0.as_secs())]
    Wait(Duration),
    /// The group has another id now.
    #[error("the group has moved to {0}")]
    Moved(i64),
    /// Telegram says no, with its code and its words.
    #[error("Telegram refuses ({0}): {1}")]
    Refused(u16, String),
    /// Telegram is not there, or in trouble.
    #[error("Telegram cannot be reached: {0}")]
    Unreachable(String),
    /// The call went out and no answer came back: whether it was carried out is not known.
    #[error("no answer from Telegram: {0}")]
    Lost(String),
}

impl ApiError {
    fn says(&self, words: &str) -> bool {
        matches!(self, Self::Refused(_, said) if said.to_ascii_lowercase().contains(words))
    }

    /// The message shows already what it was to show.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.says("message is not modified")
    }

    /// The token is no bot's.
    pub(crate) fn is_unauthorized(&self) -> bool {
        matches!(self, Self::Refused(401 | 404, _))
    }

    /// The file is larger than what a bot may fetch.
    pub(crate) fn is_too_big(&self) -> bool {
        self.says("file is too big")
    }

    /// Somebody else asks for the updates, or a webhook is set.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused(409, _))
    }

    /// The person cannot be written to: the bot is blocked, or was never started.
    pub(crate) fn is_shut_out(&self) -> bool {
        let no_chat = ["chat not found", "user not found", "peer_id_invalid", "user is deactivated"];
        matches!(self, Self::Refused(403, _)) || no_chat.iter().any(|words| self.says(words))
    }
}

/// The Bot API of one bot.
#[derive(Clone)]
pub(crate) struct Api {
    bot: Bot,
    pub(crate) token: Arc<Credentials>,
}

impl Api {
    /// A client for a token that [`crate::TelegramSettings`] has checked.
    ///
    /// # Errors
    /// A sentence for the operator where the address is none.
    pub(crate) fn new(token: &str, url: &str) -> Result<Self, String> {
        let url = url.parse().map_err(|error| format!("telegram.api_url is no address: {error}"))?;
        let bot = Bot::new(token).set_api_url(url);
        Ok(Self { bot, token: Arc::new(Credentials::new("telegram.token")) })
    }

    /// Calls a method and gives its `result`.
    pub(crate) async fn call(&self, method: &str, body: &Value) -> Result<Value, ApiError> {
        self.call_within(method, body, limits::CALL).await
    }

    /// The same, with more patience. Once Telegram has refused the token, nothing is sent until [`Self::is_known`].
    pub(crate) async fn call_within(&self, method: &str, body: &Value, time: Duration) -> Result<Value, ApiError> {
        if self.token.are_refused() {
            return Err(ApiError::Refused(401, "the token was refused before".to_owned()));
        }
        let answer = self.post(method, body, time).await;
        if matches!(answer, Err(ApiError::Refused(401, _))) && self.token.refused() {
            tracing::error!("telegram: Telegram refuses telegram.token; nothing is sent until it takes it again");
        }
        answer
    }

    /// Asks whether Telegram knows the bot again.
    pub(crate) async fn is_known(&self) -> bool {
        let known = self.post("getMe", &Value::Object(serde_json::Map::new()), limits::CALL).await.is_ok();
        if known && self.token.taken() {
            tracing::info!("telegram: Telegram takes telegram.token again");
        }
        known
    }

    async fn post(&self, method: &str, body: &Value, time: Duration) -> Result<Value, ApiError> {
        let mut url = self.bot.api_url();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(&format!("bot{}", self.bot.token())).push(method);
        }
        let request = self.bot.client().post(url).timeout(time).header("content-type", "application/json");
        let body = body.to_string();
        let answer = async {
            // The address holds the token: it goes into no error.
            let sent = request.body(body).send().await;
            let response = sent.map_err(|error| {
                if error.is_connect() {
                    ApiError::Unreachable(error.without_url().to_string())
                } else {
                    ApiError::Lost(error.without_url().to_string())
                }
            })?;
            let status = response.status().as_u16();
            let retry = response.headers().get("retry-after").and_then(|wait| wait.to_str().ok()?.parse().ok());
            let body = response.bytes().await.map_err(|error| ApiError::Lost(error.without_url().to_string()))?;
            read(status, retry, &body)
        };
        match tokio::time::timeout(time + Duration::from_secs(1), answer).await {
            Ok(answer) => answer,
            Err(_) => Err(ApiError::Lost("no answer in time".to_owned())),
        }
    }
}

/// Reads an answer of the Bot API.
fn read(status: u16, retry: Option<u64>, body: &[u8]) -> Result<Value, ApiError> {
    let mut answer: Value = serde_json::from_slice(body).unwrap_or_default();
    if answer["ok"].as_bool() == Some(true) {
        return Ok(answer["result"].take());
    }
    let parameters = &answer["parameters"];
    let code = answer["error_code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(status);
    let wait = parameters["retry_after"].as_u64().or(retry);
    if let (429, wait) | (_, wait @ Some(_)) = (code, wait) {
        return Err(ApiError::Wait(Duration::from_secs(wait.unwrap_or(5).clamp(1, 3600))));
    }
    if let Some(to) = parameters["migrate_to_chat_id"].as_i64() {
        return Err(ApiError::Moved(to));
    }
    let words = answer["description"].as_str().unwrap_or("no reason given").to_owned();
    if code >= 500 || !answer["ok"].is_boolean() {
        return Err(ApiError::Unreachable(format!("status {status}")));
    }
    Err(ApiError::Refused(code, words))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(200, None, r#"{"ok":true,"result":{"message_id":1}}"#, Ok(serde_json::json!({"message_id": 1})))]
    #[case(429, None, r#"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 7","parameters":{"retry_after":7}}"#, Err(ApiError::Wait(Duration::from_secs(7))))]
    #[case(429, Some(3), "slow down", Err(ApiError::Wait(Duration::from_secs(3))))]
    #[case(400, None, r#"{"ok":false,"error_code":400,"description":"Bad Request: group chat was upgraded to a supergroup chat","parameters":{"migrate_to_chat_id":-1001}}"#, Err(ApiError::Moved(-1001)))]
    #[case(403, None, r#"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#, Err(ApiError::Refused(403, "Forbidden: bot was blocked by the user".to_owned())))]
    #[case(502, None, "<html>Bad Gateway</html>", Err(ApiError::Unreachable("status 502".to_owned())))]
    #[case(200, None, "rubbish", Err(ApiError::Unreachable("status 200".to_owned())))]
    fn answers_are_read(
        #[case] status: u16,
        #[case] retry: Option<u64>,
        #[case] body: &str,
        #[case] read_as: Result<Value, ApiError>,
    ) {
        assert_eq!(read(status, retry, body.as_bytes()), read_as);
    }
}
