//! The server's side of a WebSocket, for requests that axum takes in.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
pub use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::Role;
pub use tokio_tungstenite::tungstenite::{Error, Message};

/// A request to go on as a WebSocket.
#[derive(Debug)]
pub struct Upgrade {
    connection: OnUpgrade,
    key: HeaderValue,
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        let key = parts.headers.remove(header::SEC_WEBSOCKET_KEY).ok_or(StatusCode::BAD_REQUEST)?;
        let connection = parts.extensions.remove::<OnUpgrade>().ok_or(StatusCode::UPGRADE_REQUIRED)?;
        Ok(Self { connection, key })
    }
}

impl Upgrade {
    /// Accepts, and serves the connection beside.
    pub fn on_upgrade<F: Future<Output = ()> + Send>(
        self,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response {
        tokio::spawn(async move {
            if let Ok(connection) = self.connection.await {
                let stream = WebSocketStream::from_raw_socket(TokioIo::new(connection), Role::Server, None).await;
                serve(Socket(stream)).await;
            }
        });
        let accept = derive_accept_key(self.key.as_bytes());
        let headers =
            [(header::CONNECTION, "upgrade"), (header::UPGRADE, "websocket"), (header::SEC_WEBSOCKET_ACCEPT, &accept)];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

/// An open connection.
#[derive(Debug)]
pub struct Socket(WebSocketStream<TokioIo<Upgraded>>);

impl Socket {
    /// The next frame; none once the connection is closed.
    pub async fn recv(&mut self) -> Option<Result<Message, Error>> {
        self.0.next().await
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// [`Error`] where the connection is closed or broken.
    pub async fn send(&mut self, frame: Message) -> Result<(), Error> {
        self.0.send(frame).await
    }
}
