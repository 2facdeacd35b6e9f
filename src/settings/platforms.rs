//! Chat platforms: each is on when its token is there.
//!
//! A token is named (`env:NAME`, `file:PATH`), or given by a variable of the environment such as
//! `FORMWRIGHT__TELEGRAM__TOKEN`.

use std::net::SocketAddr;

use formwright_chat::{Access, Shown};
use serde::{Deserialize, Serialize};

use super::{one_of, truth};

/// Slack: over a socket where there is an app token, else over HTTP where there is a signing secret.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Slack {
    /// The bot's token, `xoxb-…`.
    pub token: Option<String>,
    /// The app-level token, `xapp-…`, for Socket Mode.
    pub app_token: Option<String>,
    /// The signing secret, for requests from Slack.
    pub signing_secret: Option<String>,
    /// Where requests from Slack are listened for.
    pub listen: SocketAddr,
    /// Where Slack's Web API is.
    pub api_url: String,
    /// The time zone of people whose own is not known.
    #[serde(deserialize_with = "super::zones::named")]
    pub zone: Option<String>,
    /// Who may use which form where; everybody everything without a rule.
    pub access: Access,
}

impl Default for Slack {
    fn default() -> Self {
        Self {
            token: None,
            app_token: None,
            signing_secret: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8082)),
            api_url: "https://slack.com/api".to_owned(),
            zone: None,
            access: Access::default(),
        }
    }
}

/// Discord.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Discord {
    /// The bot's token.
    pub token: Option<String>,
    /// How interactions come in.
    pub transport: DiscordTransport,
    /// The application's public key in hexadecimal digits, for requests from Discord.
    pub public_key: Option<String>,
    /// Where requests from Discord are listened for, at `/discord/interactions`.
    pub listen: SocketAddr,
    /// Where Discord is.
    pub api_url: String,
    /// Where the gateway is; asked of Discord without.
    pub gateway_url: Option<String>,
    /// Registers a command for each form at the start.
    #[serde(deserialize_with = "truth")]
    pub register_commands: bool,
    /// Where a form is filled in that one person begins in a server, unless the form says so itself.
    #[serde(deserialize_with = "shown")]
    pub servers: Shown,
    /// The time zone of people whose own is not known.
    #[serde(deserialize_with = "super::zones::named")]
    pub zone: Option<String>,
    /// Who may use which form where; everybody everything without a rule.
    pub access: Access,
}

impl Default for Discord {
    fn default() -> Self {
        Self {
            token: None,
            transport: DiscordTransport::Gateway,
            public_key: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8081)),
            api_url: "https://discord.com".to_owned(),
            gateway_url: None,
            register_commands: true,
            servers: Shown::default(),
            zone: None,
            access: Access::default(),
        }
    }
}

fn shown<'de, D: serde::Deserializer<'de>>(data: D) -> Result<Shown, D::Error> {
    let words = [("private", Shown::Private), ("dm", Shown::Dm), ("thread", Shown::Thread), ("here", Shown::Here)];
    one_of(data, &words)
}

/// How Discord's interactions come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscordTransport {
    /// Everything over one connection that the program opens.
    Gateway,
    /// Interactions over HTTP alone: written messages do not arrive.
    Http,
    /// Interactions over HTTP, messages over the gateway.
    Both,
}

impl<'de> Deserialize<'de> for DiscordTransport {
    fn deserialize<D: serde::Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        one_of(data, &[("gateway", Self::Gateway), ("http", Self::Http), ("both", Self::Both)])
    }
}

/// Telegram.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Telegram {
    /// The bot's token.
    pub token: Option<String>,
    /// Where the Bot API is.
    pub api_url: String,
    /// The address that Telegram calls; the program asks for updates without.
    pub webhook_url: Option<String>,
    /// Proves that it is Telegram that calls.
    pub webhook_secret: Option<String>,
    /// Where calls from Telegram are listened for.
    pub listen: SocketAddr,
    /// What becomes of a form's command in a group.
    pub groups: TelegramGroups,
    /// The time zone of people whose own is not known.
    #[serde(deserialize_with = "super::zones::named")]
    pub zone: Option<String>,
    /// Who may use which form where; everybody everything without a rule.
    pub access: Access,
}

impl Default for Telegram {
    fn default() -> Self {
        Self {
            token: None,
            api_url: "https://api.telegram.org".to_owned(),
            webhook_url: None,
            webhook_secret: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8443)),
            groups: TelegramGroups::Here,
            zone: None,
            access: Access::default(),
        }
    }
}

/// What becomes of a form's command in a group on Telegram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TelegramGroups {
    /// The form is filled in there.
    Here,
    /// A link leads to a private chat.
    Private,
}

impl<'de> Deserialize<'de> for TelegramGroups {
    fn deserialize<D: serde::Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        one_of(data, &[("here", Self::Here), ("private", Self::Private)])
    }
}
