//! How the adapter is set up.

use std::net::SocketAddr;

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

/// Who may use which form where. Without rules everybody may use every form everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// What one of these allows is allowed.
    pub rules: Vec<Rule>,
}

/// What a rule allows. An empty list means any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Forms by id.
    pub forms: Vec<String>,
    /// Workspaces, `T…`.
    pub workspaces: Vec<String>,
    /// Channels, `C…`; a direct message is allowed by a rule that names no channel.
    pub channels: Vec<String>,
    /// Persons, `U…`.
    pub users: Vec<String>,
}

impl Access {
    /// Whether a person may use a form here; any form where none is named.
    pub(crate) fn allows(&self, form: Option<&str>, workspace: &str, channel: &str, user: &str) -> bool {
        let named = |list: &[String], id: &str| list.is_empty() || list.iter().any(|one| one == id);
        let allows = |rule: &Rule| {
            form.is_none_or(|form| named(&rule.forms, form))
                && named(&rule.workspaces, workspace)
                && named(&rule.channels, channel)
                && named(&rule.users, user)
        };
        self.rules.is_empty() || self.rules.iter().any(allows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_allows_what_all_its_lists_name() {
        let list = |id: &str| vec![id.to_owned()];
        let access = Access {
            rules: vec![
                Rule { forms: list("injury"), users: list("U1"), ..Rule::default() },
                Rule { forms: list("pizza"), channels: list("C1"), ..Rule::default() },
            ],
        };
        assert!(Access::default().allows(Some("any"), "T", "C", "U"));
        assert!(access.allows(Some("injury"), "T", "C9", "U1"));
        assert!(!access.allows(Some("injury"), "T", "C1", "U2"));
        assert!(access.allows(None, "T", "C1", "U2"));
        assert!(!access.allows(None, "T", "C2", "U2"));
    }

    #[test]
    fn secrets_are_not_printed() {
        let socket = Settings::new("xoxb-secret", Transport::Socket { app_token: "xapp-secret".to_owned() });
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let http = Settings::new("xoxb-secret", Transport::Http { signing_secret: "shh-secret".to_owned(), listen });
        assert!(!format!("{socket:?}{http:?}").contains("secret"));
    }
}
