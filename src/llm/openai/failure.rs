//! Why a call gave nothing. Never holds what a person wrote, but for [`Failure::Asked`], whose words are not shown.

use std::time::Duration;

use async_openai::error::OpenAIError;
use reqwest::StatusCode;

use super::wire::Refused;

#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("it did not answer in time")]
    Slow,
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// Busy or broken: 429 and 5xx.
    #[error("it is busy or broken ({status})")]
    Server { status: StatusCode, after: Option<Duration> },
    /// Refused, in the server's words, which are kept from the log: they may repeat the message.
    #[error("it refuses the request ({status})")]
    Asked { status: StatusCode, words: String },
    #[error("its key is not accepted ({0})")]
    Key(StatusCode),
    #[error("its reply is not what the protocol says")]
    Protocol,
    /// It ran out of room; `thinking` where it wrote thoughts before its reply.
    #[error("its reply was cut off")]
    Cut { thinking: bool },
    #[error("its reply is too long")]
    TooLong,
}

impl Failure {
    pub(super) fn of(error: OpenAIError) -> Self {
        match error {
            OpenAIError::Boxed(boxed) => match boxed.downcast::<Refused>() {
                Ok(refused) => match *refused {
                    Refused::Busy { status, after } => Self::Server { status, after },
                    Refused::TooLong => Self::TooLong,
                    Refused::Key(status) => Self::Key(status),
                    Refused::Asked { status, words } => Self::Asked { status, words },
                },
                Err(other) => Self::Unreachable(other.to_string()),
            },
            OpenAIError::Reqwest(error) if error.is_timeout() => Self::Slow,
            OpenAIError::Reqwest(error) => Self::Unreachable(innermost(&error.without_url())),
            _ => Self::Protocol,
        }
    }
}

/// The cause at the bottom, such as "connection refused": what is above it says only that something was sent.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
