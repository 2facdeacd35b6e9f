//! How the adapter is set up.

use std::net::SocketAddr;

use formwright_chat::Access;

/// The platform's name.
pub(crate) const PLATFORM: &str = "slack";

/// Everything the adapter must be told.
#[derive(Clone)]
pub struct Settings {
    /// The bot's token, `xoxb-…`.
    pub bot_token: String,
    /// How events come in.
    pub transport: Transport,
    /// Where Slack's Web API is; another address only in tests.
    pub api_url: String,
    /// Who may use which form where.
    pub access: Access,
}

impl Settings {
    /// Slack's own Web API.
    pub const API_URL: &'static str = "https://slack.com/api";

    /// Settings that leave all at its default.
    pub fn new(bot_token: impl Into<String>, transport: Transport) -> Self {
        Self { bot_token: bot_token.into(), transport, api_url: Self::API_URL.to_owned(), access: Access::default() }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("transport", &self.transport)
            .field("api_url", &self.api_url)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

/// How events come in.
#[derive(Clone)]
pub enum Transport {
    /// A socket that the bot opens: no public address is needed.
    Socket {
        /// The app-level token, `xapp-…`, with the scope `connections:write`.
        app_token: String,
    },
    /// HTTP requests from Slack to this process: one address for events, interactivity, options and commands.
    Http {
        /// Checks that a request is Slack's.
        signing_secret: String,
        /// Where to listen.
        listen: SocketAddr,
    },
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Socket { .. } => f.write_str("Socket"),
            Self::Http { listen, .. } => f.debug_struct("Http").field("listen", listen).finish_non_exhaustive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_printed() {
        let socket = Settings::new("xoxb-secret", Transport::Socket { app_token: "xapp-secret".to_owned() });
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let http = Settings::new("xoxb-secret", Transport::Http { signing_secret: "shh-secret".to_owned(), listen });
        assert!(!format!("{socket:?}{http:?}").contains("secret"));
    }
}
