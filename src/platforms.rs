//! The platforms that are set up, made from the settings, and the listener for operators. With `main.rs` the only file that names them.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwright::cli::preview::{Draw, Painter};
use formwright::cli::{Failure, Platform};
use formwright::engine::{Desk, Desks, Engine};
use formwright::form::{Catalog, FormId};
use formwright::secret::{Secret, SecretError};
use formwright::settings::{Ops, Settings, Web, platforms};
use formwright_chat as chat;

/// Every platform that is set up.
///
/// # Errors
/// [`Failure::Settings`] names the setting that cannot be.
pub(crate) fn all(settings: &Settings) -> Result<Vec<Arc<dyn chat::Adapter>>, Failure> {
    useless(settings)?;
    let mut adapters: Vec<Arc<dyn chat::Adapter>> = Vec::new();
    if settings.web.enabled {
        adapters.extend(web(&settings.web)?);
    }
    if let Some(token) = secret("slack.token", settings.slack.token.as_deref())? {
        adapters.extend(slack(&settings.slack, token)?);
    }
    if let Some(token) = secret("discord.token", settings.discord.token.as_deref())? {
        adapters.extend(discord(&settings.discord, token)?);
    }
    if let Some(token) = secret("telegram.token", settings.telegram.token.as_deref())? {
        adapters.extend(telegram(&settings.telegram, token)?);
    }
    if adapters.is_empty() {
        let words = "no platform is set up; `web.enabled = true` serves the web page, a token turns a chat platform on";
        return Err(Failure::Settings(words.to_owned()));
    }
    Ok(adapters)
}

/// Refuses what is set and has no effect, and addresses that are none: who set it believes that it works.
fn useless(settings: &Settings) -> Result<(), Failure> {
    let Settings { slack, discord, telegram, .. } = settings;
    let needs = [
        ("slack.app_token", slack.app_token.is_some(), "slack.token", slack.token.is_some()),
        ("slack.signing_secret", slack.signing_secret.is_some(), "slack.token", slack.token.is_some()),
        ("discord.public_key", discord.public_key.is_some(), "discord.token", discord.token.is_some()),
        ("telegram.webhook_url", telegram.webhook_url.is_some(), "telegram.token", telegram.token.is_some()),
        (
            "telegram.webhook_secret",
            telegram.webhook_secret.is_some(),
            "telegram.webhook_url",
            telegram.webhook_url.is_some(),
        ),
    ];
    if let Some((key, _, other, _)) = needs.into_iter().find(|(_, set, _, other)| *set && !other) {
        return Err(Failure::Settings(format!("{key} is set, but {other} is not: without it it does nothing")));
    }
    let addresses = [
        ("slack.api_url", &slack.api_url),
        ("discord.api_url", &discord.api_url),
        ("telegram.api_url", &telegram.api_url),
    ];
    let is_address = |url: &str| url.parse::<reqwest::Url>().is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    match addresses.into_iter().find(|(_, url)| !is_address(url)) {
        Some((key, url)) => Err(Failure::Settings(format!("{key}: `{url}` is no http or https address"))),
        None => Ok(()),
    }
}

/// The desks of the settings, and those that cannot be, with the reasons: they switch off the forms that need them.
pub(crate) fn desks(settings: &Settings) -> (Desks, BTreeMap<String, String>) {
    let (mut desks, mut shut) = (Desks::new(), BTreeMap::new());
    for (name, desk) in &settings.desk {
        let lowered = desk.lower();
        let other = desks.iter().find(|(_, other): &(&String, &Desk)| other.place == lowered.place);
        let why = wrong_with(settings, desk)
            .or_else(|| other.map(|(other, _)| format!("it is at the same place as desk.{other}")));
        match why {
            Some(why) => drop(shut.insert(name.clone(), why)),
            None => drop(desks.insert(name.clone(), lowered)),
        }
    }
    (desks, shut)
}

/// Why a desk cannot be, and what to set.
fn wrong_with(settings: &Settings, desk: &formwright::settings::desk::Desk) -> Option<String> {
    let platform = desk.platform.as_str();
    let token = match platform {
        "slack" => &settings.slack.token,
        "discord" => &settings.discord.token,
        "telegram" => &settings.telegram.token,
        other => {
            return Some(format!(
                "a desk is on slack, discord or telegram, not on `{other}`: people there see a channel"
            ));
        }
    };
    if token.as_deref().is_none_or(|token| token.trim().is_empty()) {
        return Some(format!("{platform} is not set up; set {platform}.token, or put the desk elsewhere"));
    }
    if desk.channel.trim().is_empty() {
        return Some("`channel` is empty".to_owned());
    }
    let workspace = match (platform, desk.workspace.is_empty()) {
        ("telegram", false) => Some("Telegram has no workspaces; leave `workspace` out"),
        ("slack", true) => Some("`workspace` is missing: the id of the workspace, T…"),
        ("discord", true) => Some("`workspace` is missing: the id of the server"),
        _ => None,
    };
    let mut ids = std::iter::once(&desk.channel).chain(&desk.people);
    let no_id = ids.find(|id| platform != "slack" && id.parse::<i64>().is_err());
    let no_id = no_id.map(|id| format!("`{id}` is no id of {platform}; they are numbers"));
    workspace.map(str::to_owned).or(no_id)
}

/// Forms that access rules name and that are not there: nobody may use them, and perhaps another was meant.
pub(crate) fn unknown_forms(settings: &Settings, catalog: &Catalog) -> Vec<String> {
    let access = [
        ("slack", &settings.slack.access),
        ("discord", &settings.discord.access),
        ("telegram", &settings.telegram.access),
    ];
    let named = access.into_iter().flat_map(|(platform, access)| {
        access.rules.iter().flat_map(|rule| &rule.forms).map(move |form| (platform, form))
    });
    let unknown = named.filter(|(_, form)| catalog.form(&FormId::new(form.as_str())).is_none());
    unknown.map(|(platform, form)| format!("{platform}.access: there is no form `{form}`")).collect()
}

/// What draws a form for a platform, offline.
///
/// # Errors
/// [`Failure::Asked`] where the program was built without the platform.
pub(crate) fn painter(platform: Platform) -> Result<Painter, Failure> {
    let (name, pages, draw): (_, _, Option<Draw>) = match platform {
        #[cfg(feature = "slack")]
        Platform::Slack => ("slack", true, Some(formwright_slack::preview)),
        #[cfg(feature = "discord")]
        Platform::Discord => ("discord", true, Some(formwright_discord::preview)),
        #[cfg(feature = "telegram")]
        Platform::Telegram => ("telegram", false, Some(formwright_telegram::preview)),
        #[cfg(feature = "web")]
        Platform::Web => ("web", false, Some(formwright_web::preview)),
        #[cfg(feature = "terminal")]
        Platform::Terminal => ("terminal", false, Some(formwright_terminal::preview)),
        #[cfg(not(all(
            feature = "web",
            feature = "terminal",
            feature = "slack",
            feature = "discord",
            feature = "telegram"
        )))]
        _ => ("", false, None),
    };
    let missing = || Failure::Asked("this program was built without that platform".to_owned());
    Ok(Painter { platform: name, draws_pages: pages, draw: draw.ok_or_else(missing)? })
}

/// Where forms are less on platforms than they ask for, a line each: on these platforms, or on those that are set up.
///
/// # Errors
/// See [`painter`].
pub(crate) fn losses(settings: &Settings, platforms: &[Platform], catalog: &Catalog) -> Result<String, Failure> {
    let set_up = [
        (Platform::Slack, settings.slack.token.is_some()),
        (Platform::Discord, settings.discord.token.is_some()),
        (Platform::Telegram, settings.telegram.token.is_some()),
    ];
    let set_up: Vec<Platform> = set_up.into_iter().filter(|(_, on)| *on).map(|(platform, _)| platform).collect();
    let (engine, now) = (Engine::new(catalog.clone()), jiff::Timestamp::now());
    let mut lines = String::new();
    for platform in if platforms.is_empty() { &set_up } else { platforms } {
        let painter = painter(*platform)?;
        for form in catalog.forms() {
            // A name that fits in one language may not in another.
            let screens = form.languages.iter().flat_map(|lang| engine.screens(form, lang, painter.draws_pages, now));
            let drawn = screens.flat_map(|screen| (painter.draw)(&screen.reply));
            let mut losses: Vec<String> = Vec::new();
            for loss in drawn.flat_map(|preview| preview.losses) {
                if !losses.contains(&loss) {
                    losses.push(loss);
                }
            }
            losses.iter().for_each(|loss| lines += &format!("{}: {loss}\n", form.id));
        }
    }
    Ok(lines)
}

/// Refuses rules that ask for what a platform does not have: they would allow more than they say.
#[cfg(any(feature = "slack", feature = "telegram"))]
fn lacks(platform: &str, access: &chat::Access, keys: &[&str]) -> Result<(), Failure> {
    let Some(key) = access.keys().into_iter().find(|key| keys.contains(key)) else { return Ok(()) };
    let has = if platform == "slack" { "workspaces, channels and users" } else { "channels (chats) and users" };
    let words = format!("{platform}.access: `{key}` means nothing on {platform}, which has {has}; leave it out");
    Err(Failure::Settings(words))
}

type Made = Result<Option<Arc<dyn chat::Adapter>>, Failure>;

/// A secret of the settings; none where it is not set.
fn secret(key: &str, given: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(given) = given.filter(|given| !given.trim().is_empty()) else { return Ok(None) };
    text(key, Secret::given(given)).map(Some)
}

/// The text of a secret.
fn text(key: &str, secret: Result<Secret, SecretError>) -> Result<String, Failure> {
    let secret = secret.map_err(|error| Failure::Settings(format!("{key}: {error}")))?;
    let text = String::from_utf8(secret.expose().to_vec());
    text.map_err(|_| Failure::Settings(format!("{key}: a secret is text")))
}

#[cfg(not(all(feature = "web", feature = "slack", feature = "discord", feature = "telegram")))]
fn not_built(platform: &str) -> Made {
    let words = format!("this program was built without {platform}; build it with `--features {platform}`");
    Err(Failure::Settings(words))
}

#[cfg(feature = "web")]
fn web(settings: &Web) -> Made {
    use sha2::Digest as _;

    let key = |(name, source): (&String, &String)| {
        let text = text(&format!("web.keys.{name}"), Secret::resolve(source))?;
        let sha256 = chat::hex(&sha2::Sha256::digest(text.as_bytes()));
        Ok(formwright_web::ApiKey { name: name.clone(), sha256 })
    };
    let tools_script = settings.tools_script.as_deref().map(crate::read_text).transpose()?.unwrap_or_default();
    let web = formwright_web::WebSettings {
        bind: settings.listen,
        public_url: settings.public_url.clone(),
        hosts: settings.hosts.clone(),
        origins: settings.origins.clone(),
        keys: settings.keys.iter().map(key).collect::<Result<_, Failure>>()?,
        allow_inline_forms: settings.inline_forms,
        formpilot: settings.formpilot,
        fill: settings.fill,
        conversations_per_hour: settings.conversations_per_hour,
        conversations_per_address: settings.conversations_per_address,
        connections_per_address: settings.connections_per_address,
        polls_per_address: settings.polls_per_address,
        polls_per_visitor: settings.polls_per_visitor,
        trusted_proxies: settings.trusted_proxies.iter().map(|proxy| (proxy.address, proxy.bits)).collect(),
        tools_script,
    };
    Ok(Some(Arc::new(formwright_web::WebAdapter::new(web).map_err(Failure::Settings)?)))
}

#[cfg(not(feature = "web"))]
fn web(_: &Web) -> Made {
    // On by default, and so no mistake of the operator's.
    Ok(None)
}

/// Serves health and metrics until the process ends, where there is an address for that.
///
/// # Errors
/// [`Failure::Undone`] where the address cannot be listened on.
#[cfg(feature = "web")]
pub(crate) async fn ops(settings: &Ops, host: Arc<dyn chat::Host>) -> Result<(), Failure> {
    let Some(listen) = settings.listen else { return Ok(()) };
    let ops = formwright_web::Ops::bind(listen).await.map_err(Failure::Undone)?;
    host.announce(&format!("health and metrics are at http://{}/", ops.address()));
    tokio::spawn(ops.serve(host));
    Ok(())
}

/// There is no HTTP server in this build.
///
/// # Errors
/// [`Failure::Settings`] where one is asked for.
#[cfg(not(feature = "web"))]
#[expect(clippy::unused_async, reason = "as with the web page")]
pub(crate) async fn ops(settings: &Ops, _: Arc<dyn chat::Host>) -> Result<(), Failure> {
    match settings.listen {
        None => Ok(()),
        Some(_) => Err(Failure::Settings("ops.listen is set, but this program was built without web".to_owned())),
    }
}

#[cfg(feature = "slack")]
fn slack(settings: &platforms::Slack, token: String) -> Made {
    use formwright_slack::{Settings, Slack, Transport};
    let app_token = secret("slack.app_token", settings.app_token.as_deref())?;
    let signing_secret = secret("slack.signing_secret", settings.signing_secret.as_deref())?;
    let transport = match (app_token, signing_secret) {
        (Some(app_token), _) => Transport::Socket { app_token },
        (None, Some(signing_secret)) => Transport::Http { signing_secret, listen: settings.listen },
        (None, None) => {
            let words = "slack.token is set, but neither slack.app_token (Socket Mode) nor slack.signing_secret (requests \
                         from Slack): set one of them";
            return Err(Failure::Settings(words.to_owned()));
        }
    };
    lacks("slack", &settings.access, &["roles"])?;
    let (api_url, access) = (settings.api_url.clone(), settings.access.clone());
    let slack = Settings { api_url, access, ..Settings::new(token, transport) };
    Ok(Some(Arc::new(Slack::new(slack))))
}

#[cfg(not(feature = "slack"))]
fn slack(_: &platforms::Slack, _: String) -> Made {
    not_built("slack")
}

#[cfg(feature = "discord")]
fn discord(settings: &platforms::Discord, token: String) -> Made {
    use formwright_discord::{DiscordAdapter, DiscordSettings, Secret, Transport};
    let discord = DiscordSettings {
        token: Secret::new(token),
        transport: match settings.transport {
            platforms::DiscordTransport::Gateway => Transport::Gateway,
            platforms::DiscordTransport::Http => Transport::Http,
            platforms::DiscordTransport::Both => Transport::Both,
        },
        public_key: settings.public_key.clone().unwrap_or_default(),
        listen: settings.listen,
        api_url: settings.api_url.clone(),
        gateway_url: settings.gateway_url.clone().unwrap_or_default(),
        register_commands: settings.register_commands,
        servers: settings.servers,
        access: settings.access.clone(),
    };
    Ok(Some(Arc::new(DiscordAdapter::new(discord).map_err(Failure::Settings)?)))
}

#[cfg(not(feature = "discord"))]
fn discord(_: &platforms::Discord, _: String) -> Made {
    not_built("discord")
}

#[cfg(feature = "telegram")]
fn telegram(settings: &platforms::Telegram, token: String) -> Made {
    use formwright_telegram::{Groups, TelegramAdapter, TelegramSettings, Transport, Webhook};
    lacks("telegram", &settings.access, &["workspaces", "roles"])?;
    let ids = settings.access.rules.iter().flat_map(|rule| rule.channels.iter().chain(&rule.users));
    if let Some(id) = ids.into_iter().find(|id| id.parse::<i64>().is_err()) {
        let words = format!("telegram.access: `{id}` is no id of Telegram's; they are numbers");
        return Err(Failure::Settings(words));
    }
    let webhook = Webhook {
        listen: settings.listen,
        public_url: settings.webhook_url.clone().unwrap_or_default(),
        secret: secret("telegram.webhook_secret", settings.webhook_secret.as_deref())?.unwrap_or_default(),
    };
    let telegram = TelegramSettings {
        token,
        api_url: settings.api_url.clone(),
        transport: if settings.webhook_url.is_some() { Transport::Webhook } else { Transport::Polling },
        webhook,
        groups: match settings.groups {
            platforms::TelegramGroups::Here => Groups::Here,
            platforms::TelegramGroups::Private => Groups::Private,
        },
        access: settings.access.clone(),
    };
    Ok(Some(Arc::new(TelegramAdapter::new(telegram).map_err(Failure::Settings)?)))
}

#[cfg(not(feature = "telegram"))]
fn telegram(_: &platforms::Telegram, _: String) -> Made {
    not_built("telegram")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_that_cannot_be_harms_no_other() {
        let settings = r#"
            [slack]
            token = "xoxb-1"
            [discord]
            token = " "
            [telegram]
            token = "42:T"
            [desk.good]
            platform = "slack"
            workspace = "T1"
            channel = "C1"
            [desk.twin]
            platform = "slack"
            workspace = "T1"
            channel = "C1"
            [desk.homeless]
            platform = "slack"
            channel = "C2"
            [desk.nowhere]
            platform = "telegram"
            channel = ""
            [desk.named]
            platform = "telegram"
            channel = "-100"
            people = ["ada"]
            [desk.away]
            platform = "discord"
            workspace = "1"
            channel = "2"
            [desk.page]
            platform = "web"
            channel = "2"
        "#;
        let (desks, shut) = desks(&toml::from_str(settings).unwrap());
        assert_eq!(desks.into_keys().collect::<Vec<_>>(), ["good"]);
        let why: Vec<String> = shut.into_iter().map(|(name, why)| format!("{name}: {why}")).collect();
        assert_eq!(
            why,
            [
                "away: discord is not set up; set discord.token, or put the desk elsewhere",
                "homeless: `workspace` is missing: the id of the workspace, T…",
                "named: `ada` is no id of telegram; they are numbers",
                "nowhere: `channel` is empty",
                "page: a desk is on slack, discord or telegram, not on `web`: people there see a channel",
                "twin: it is at the same place as desk.good",
            ]
        );
    }

    #[cfg(any(feature = "slack", feature = "telegram"))]
    #[test]
    fn rules_that_a_platform_cannot_keep_are_refused() {
        let rule = chat::AccessRule { roles: vec!["1".to_owned()], ..chat::AccessRule::default() };
        let access = chat::Access { rules: vec![chat::AccessRule::default(), rule] };
        let refused = lacks("slack", &access, &["roles"]).map_err(|failure| failure.to_string());
        assert!(refused.is_err_and(|words| words.contains("slack.access: `roles`")));
        assert!(lacks("telegram", &access, &["workspaces"]).is_ok());
        assert!(lacks("slack", &chat::Access::default(), &["roles"]).is_ok());
    }
}
