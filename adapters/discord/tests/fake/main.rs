//! The adapter against a Discord that refuses what Discord refuses. Each test says what a person does and sees.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod connections;
mod faults;
mod frames;
mod missed;
mod places;
mod private;
mod signed;
mod together;
mod widgets;

use std::sync::Arc;
use std::time::Duration;

use formwright_chat::{
    Access, Action, Adapter as _, Delivery, DeliveryError, Event, FormCard, Press, Pressed, Reply, ReplyId, Shown,
};
use formwright_discord::{DiscordAdapter, DiscordSettings, PATH, Secret, Transport};
use formwright_fakes::discord::{DiscordFake, Options};
use formwright_fakes::host::FakeHost;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The bot, its Discord and the product behind it.
pub(crate) struct Stage {
    pub(crate) fake: DiscordFake,
    pub(crate) host: Arc<FakeHost>,
    pub(crate) adapter: Arc<DiscordAdapter>,
    settings: DiscordSettings,
    running: JoinHandle<Result<(), formwright_chat::AdapterError>>,
    stop: oneshot::Sender<()>,
}

impl Stage {
    /// Connected over the gateway, on a Discord without rate limits.
    pub(crate) async fn set() -> Self {
        Self::with(unlimited(), Transport::Gateway).await
    }

    pub(crate) async fn with(options: Options, transport: Transport) -> Self {
        Self::with_access(options, transport, Access::default()).await
    }

    /// Where not everybody may use everything.
    pub(crate) async fn limited(access: Access) -> Self {
        Self::with_access(unlimited(), Transport::Gateway, access).await
    }

    /// On a Discord that is there already.
    pub(crate) async fn over(fake: DiscordFake, access: Access) -> Self {
        Self::connected(fake, Transport::Gateway, access).await
    }

    async fn with_access(options: Options, transport: Transport, access: Access) -> Self {
        Self::connected(DiscordFake::start_with(options).await, transport, access).await
    }

    async fn connected(fake: DiscordFake, transport: Transport, access: Access) -> Self {
        Self::with_settings(fake, |settings| (settings.transport, settings.access) = (transport, access)).await
    }

    /// With other settings than those of most tests: over the gateway, and forms are filled in where they are begun.
    pub(crate) async fn with_settings(fake: DiscordFake, change: impl FnOnce(&mut DiscordSettings)) -> Self {
        Self::with_forms(fake, forms(), change).await
    }

    pub(crate) async fn with_forms(
        fake: DiscordFake,
        forms: Vec<FormCard>,
        change: impl FnOnce(&mut DiscordSettings),
    ) -> Self {
        let mut settings = DiscordSettings {
            token: Secret::new(fake.token()),
            public_key: fake.public_key(),
            api_url: fake.api_url(),
            listen: "127.0.0.1:0".parse().unwrap(),
            servers: Shown::Here,
            ..DiscordSettings::default()
        };
        change(&mut settings);
        Self::ready(fake, Arc::new(FakeHost::with_forms(forms)), settings).await
    }

    async fn ready(fake: DiscordFake, host: Arc<FakeHost>, settings: DiscordSettings) -> Self {
        let adapter = Arc::new(DiscordAdapter::new(settings.clone()).unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = Box::pin(async move { drop(stopped.await) });
        let running = tokio::spawn(Arc::clone(&adapter).run(Arc::<FakeHost>::clone(&host), shutdown));
        if settings.transport != Transport::Gateway {
            let address = adapter.listening().await.unwrap();
            fake.connects_endpoint(&format!("http://{address}{PATH}")).await.unwrap();
        }
        if settings.transport != Transport::Http {
            fake.connected().await;
        }
        Self { fake, host, adapter, settings, running, stop }
    }

    /// The bot stops and starts again, with the store that it had.
    pub(crate) async fn restarts(self, meanwhile: impl AsyncFnOnce(&DiscordFake)) -> Self {
        self.stop.send(()).unwrap();
        self.running.await.unwrap().unwrap();
        meanwhile(&self.fake).await;
        Self::ready(self.fake, self.host, self.settings).await
    }

    /// The event of that number, from 1.
    pub(crate) async fn event(&self, no: usize) -> Event {
        self.host.wait_for_events(no).await.swap_remove(no - 1)
    }

    /// The reply to an event, under an id of its own.
    pub(crate) async fn reply(&self, to: &Event, id: char, reply: &Reply) -> Result<(), DeliveryError> {
        self.adapter.deliver(&delivery(to, id, reply)).await
    }

    /// Nothing was refused, left unanswered, or pinged.
    pub(crate) fn fine(&self) {
        let none = Vec::<String>::new();
        assert_eq!(self.fake.refusals(), none);
        assert_eq!(self.fake.unanswered(), none);
        assert_eq!(self.fake.pings(), none);
    }
}

/// A Discord that limits nothing, so that no test waits.
pub(crate) fn unlimited() -> Options {
    Options { channel_rate: (0, Duration::ZERO), hook_rate: (0, Duration::ZERO), global_rate: 0, ..Options::default() }
}

pub(crate) fn form(id: &str, title: &str) -> FormCard {
    FormCard {
        id: id.to_owned(),
        title: title.to_owned(),
        description: format!("{title}, in a few questions"),
        fields: 5,
        ..FormCard::default()
    }
}

fn forms() -> Vec<FormCard> {
    vec![form("injury-report", "Injury report"), form("pizza-order", "Pizza order")]
}

/// A reply on its way to whom an event came from. The widgets of each id are their own.
pub(crate) fn delivery(to: &Event, id: char, reply: &Reply) -> Delivery {
    let mut reply = reply.clone();
    if let Some(known) = reply.nonce().map(|nonce| nonce.as_str().to_owned()) {
        let text = serde_json::to_string(&reply).unwrap().replace(&known, &id.to_string().repeat(22));
        reply = serde_json::from_str(&text).unwrap();
    }
    Delivery {
        id: ReplyId::new(format!("reply/{id}")),
        place: to.place.clone(),
        user: to.user.id.clone(),
        reply,
        attempt: 0,
        overtaken: false,
    }
}

/// What an event pressed.
pub(crate) fn pressed(event: &Event) -> Vec<Press> {
    match &event.action {
        Action::Press { presses } => presses.clone(),
        other => panic!("no press: {other:?}"),
    }
}

/// The numbers of the options that an event picked.
pub(crate) fn options(event: &Event) -> Vec<u16> {
    let picked = |press: Press| match press.value {
        Pressed::Options { tokens } => tokens.into_iter().filter_map(|token| token.option).collect::<Vec<_>>(),
        other => panic!("no options: {other:?}"),
    };
    pressed(event).into_iter().flat_map(picked).collect()
}

/// The words that an event filled in.
pub(crate) fn texts(event: &Event) -> Vec<String> {
    let words = |press: Press| match press.value {
        Pressed::Text { text } => text,
        other => panic!("no words: {other:?}"),
    };
    pressed(event).into_iter().map(words).collect()
}

/// What an event said.
pub(crate) fn said(event: &Event) -> String {
    match &event.action {
        Action::Say { text } => text.clone(),
        other => panic!("not said: {other:?}"),
    }
}
