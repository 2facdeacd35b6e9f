//! What an operator sets for Telegram: the `[telegram]` table.

use std::net::{Ipv4Addr, SocketAddr};

use formwright_chat::{Access, Asker};
use serde::{Deserialize, Serialize};

use crate::limits;

/// The platform's name, as in [`formwright_chat::Place::platform`].
pub const PLATFORM: &str = "telegram";

/// Settings of the bot in Telegram.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TelegramSettings {
    /// The bot's token, from `@BotFather`. Never shown again.
    pub token: String,
    /// Where the Bot API is, without the token: another address for a server of one's own.
    pub api_url: String,
    /// How updates come.
    pub transport: Transport,
    /// The webhook, where updates come by it.
    pub webhook: Webhook,
    /// What becomes of a form's command in a group.
    pub groups: Groups,
    /// Who may use which forms where; a private chat has the id of its person.
    pub access: Access,
}

/// How updates come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// The bot asks for them: needs no open port.
    #[default]
    Polling,
    /// Telegram brings them.
    Webhook,
}

/// Where Telegram brings updates.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Webhook {
    /// Address and port to listen on; behind a proxy that speaks HTTPS.
    pub listen: SocketAddr,
    /// The address that Telegram calls, such as `https://forms.example/telegram`. Its path is the one served.
    pub public_url: String,
    /// Proves that it is Telegram that calls: 16 to 256 characters of `A-Za-z0-9_-`. Never shown again.
    pub secret: String,
}

/// What becomes of a form's command in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Groups {
    /// The form is filled in there.
    #[default]
    Here,
    /// A link leads to a private chat, where it is filled in.
    Private,
}

impl Default for TelegramSettings {
    fn default() -> Self {
        Self {
            token: String::new(),
            api_url: "https://api.telegram.org".to_owned(),
            transport: Transport::default(),
            webhook: Webhook::default(),
            groups: Groups::default(),
            access: Access::default(),
        }
    }
}

impl Default for Webhook {
    fn default() -> Self {
        Self { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8443)), public_url: String::new(), secret: String::new() }
    }
}

impl std::fmt::Debug for TelegramSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TelegramSettings")
            .field("token", &hidden(&self.token))
            .field("api_url", &self.api_url)
            .field("transport", &self.transport)
            .field("webhook", &self.webhook)
            .field("groups", &self.groups)
            .field("access", &self.access)
            .finish()
    }
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook")
            .field("listen", &self.listen)
            .field("public_url", &self.public_url)
            .field("secret", &hidden(&self.secret))
            .finish()
    }
}

fn hidden(secret: &str) -> &'static str {
    if secret.is_empty() { "(none)" } else { "…" }
}

impl TelegramSettings {
    /// Looks for what cannot work.
    ///
    /// # Errors
    /// A sentence for the operator that names the setting, never its value where that is a secret.
    pub(crate) fn check(&self) -> Result<(), String> {
        let token = self.token.split_once(':').filter(|(id, rest)| {
            let spelled = rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && !rest.is_empty() && spelled
        });
        if token.is_none() {
            return Err("telegram.token is not a bot token; @BotFather gives one, such as 123456:ABC-DEF".to_owned());
        }
        if !["http://", "https://"].iter().any(|scheme| self.api_url.starts_with(scheme)) {
            return Err("telegram.api_url must begin with https:// (or http:// for a server of your own)".to_owned());
        }
        if self.transport == Transport::Polling {
            return Ok(());
        }
        let secret = &self.webhook.secret;
        let spelled = secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !(16..=limits::SECRET).contains(&secret.len()) || !spelled {
            return Err("telegram.webhook_secret must be 16 to 256 characters of A-Z, a-z, 0-9, _ and -".to_owned());
        }
        let plain = self.webhook.public_url.strip_prefix("http://");
        let here = |rest: &str| ["127.", "localhost", "[::1]"].iter().any(|host| rest.starts_with(host));
        if self.path().is_none() || plain.is_some_and(|rest| !here(rest)) {
            return Err("telegram.webhook_url must be the https:// address that Telegram calls".to_owned());
        }
        Ok(())
    }

    /// The path of the webhook's address.
    pub(crate) fn path(&self) -> Option<String> {
        let url = &self.webhook.public_url;
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let (host, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/".contains(&b));
        (!host.is_empty() && plain).then(|| format!("/{path}"))
    }

    /// Whether the person may do something here; with a form, whether they may open it.
    pub(crate) fn allows(&self, chat: i64, user: i64, form: Option<&str>) -> bool {
        let (chat, user) = (chat.to_string(), user.to_string());
        let asker = Asker { workspace: None, channels: &[&chat], roles: None, user: &user };
        self.access.allows(&asker, form)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use formwright_chat::AccessRule;

    use super::*;

    fn settings() -> TelegramSettings {
        let webhook = Webhook {
            public_url: "https://forms.example/hooks/telegram?x".to_owned(),
            secret: "s3cret_s3cret_s3cret".to_owned(),
            ..Webhook::default()
        };
        TelegramSettings {
            token: "123:ABC".to_owned(),
            transport: Transport::Webhook,
            webhook,
            ..TelegramSettings::default()
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let shown = format!("{:?}", settings());
        assert!(!shown.contains("ABC") && !shown.contains("s3cret"), "{shown}");
    }

    #[rstest]
    #[case("", "", None)]
    #[case("token", "hello", Some("telegram.token"))]
    #[case("token", "1:a/../b", Some("telegram.token"))]
    #[case("api_url", "api.telegram.org", Some("telegram.api_url"))]
    #[case("secret", "", Some("telegram.webhook_secret"))]
    #[case("secret", "sécret_sécret_sécret", Some("telegram.webhook_secret"))]
    #[case("public_url", "", Some("telegram.webhook_url"))]
    #[case("public_url", "http://forms.example/telegram", Some("telegram.webhook_url"))]
    fn what_cannot_work_is_named(#[case] key: &str, #[case] value: &str, #[case] fault: Option<&str>) {
        let mut settings = settings();
        match key {
            "token" => settings.token = value.to_owned(),
            "api_url" => settings.api_url = value.to_owned(),
            "secret" => settings.webhook.secret = value.to_owned(),
            "public_url" => settings.webhook.public_url = value.to_owned(),
            _ => {}
        }
        let found = settings.check().err();
        assert_eq!(found.is_some(), fault.is_some());
        assert!(fault.is_none_or(|fault| found.is_some_and(|found| found.contains(fault))));
    }

    #[test]
    fn the_path_is_that_of_the_public_address() {
        assert_eq!(settings().path().as_deref(), Some("/hooks/telegram"));
    }

    #[test]
    fn a_chat_is_a_channel_of_a_rule() {
        let rule = AccessRule { channels: vec!["-5".to_owned()], users: vec!["7".to_owned()], ..AccessRule::default() };
        let settings = TelegramSettings { access: Access { rules: vec![rule] }, ..settings() };
        assert!(settings.allows(-5, 7, Some("report")));
        assert!(!settings.allows(-5, 8, Some("report")));
        assert!(!settings.allows(7, 7, Some("report")));
    }
}
