//! The `[discord]` table.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

use formwright_chat::{Access, Shown};
use serde::{Deserialize, Serialize};

/// The platform's name, as in [`Place::platform`](formwright_chat::Place::platform).
pub const PLATFORM: &str = "discord";

/// Settings of the Discord adapter. It is on when there is a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DiscordSettings {
    /// The bot's token, from “Bot” in the developer portal.
    pub token: Secret,
    /// How interactions come in.
    pub transport: Transport,
    /// The application's public key in 64 hexadecimal digits, from “General Information”: needed for `http` and `both`.
    pub public_key: String,
    /// Address and port for interactions over HTTP, at `/discord/interactions`; put TLS in front of it.
    pub listen: SocketAddr,
    /// Where Discord is: another address is for tests.
    pub api_url: String,
    /// Where the gateway is; asked of Discord unless set.
    pub gateway_url: String,
    /// Registers a command for each form at the start, in place of those registered before.
    pub register_commands: bool,
    /// Where forms of one person are filled in that are begun in a server.
    pub servers: Shown,
    /// Who may use what.
    pub access: Access,
}

/// How interactions come in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Everything over one connection to Discord: no open port is needed.
    #[default]
    Gateway,
    /// Interactions over HTTP alone: commands, buttons and windows work, written messages do not arrive.
    Http,
    /// Interactions over HTTP, messages over the gateway.
    Both,
}

/// A word that is never shown.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    /// The secret itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "‹none›" } else { "‹redacted›" })
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

impl Default for DiscordSettings {
    fn default() -> Self {
        Self {
            token: Secret::default(),
            transport: Transport::default(),
            public_key: String::new(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)),
            api_url: "https://discord.com".to_owned(),
            gateway_url: String::new(),
            register_commands: true,
            servers: Shown::default(),
            access: Access::default(),
        }
    }
}
