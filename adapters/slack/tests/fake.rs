//! The adapter against a Slack that refuses what Slack refuses: what persons do and see, over both transports.

#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a test, whose helpers fail it"
)]

mod fake {
    mod faults;
    mod modals;
    mod places;
    mod together;
    mod widgets;
}

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use chat::{
    Action, Adapter as _, Delivery, DeliveryError, Event, FormCard, Input, Nonce, Place, Platform, Reply, ReplyId,
    UserId,
};
use formwright_chat as chat;
use formwright_fakes::host::FakeHost;
use formwright_fakes::slack::{Person, SlackFake};
use formwright_slack::{Settings, Slack, Transport};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How Slack reaches the adapter.
#[derive(Clone, Copy, Debug)]
pub enum By {
    Socket,
    Http,
}

/// The adapter in the midst of its work.
pub struct Live {
    pub fake: SlackFake,
    pub host: Arc<FakeHost>,
    pub slack: Arc<Slack>,
    /// Where it listens.
    pub url: String,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<(), formwright_chat::AdapterError>>,
}

impl Live {
    pub async fn start(by: By) -> Self {
        Self::start_with(by, |_| {}).await
    }

    /// With the fake set up by `prepare` before the adapter comes.
    pub async fn start_with(by: By, prepare: impl FnOnce(&SlackFake)) -> Self {
        let live = Self::launch(by, prepare).await;
        match by {
            By::Socket => live.fake.wait_for_connections(1).await,
            By::Http => live.fake.sets_request_url(&live.url).await,
        }
        live
    }

    async fn launch(by: By, prepare: impl FnOnce(&SlackFake)) -> Self {
        let fake = SlackFake::start().await;
        prepare(&fake);
        let listen = free_port();
        let transport = match by {
            By::Socket => Transport::Socket { app_token: fake.app_token().to_owned() },
            By::Http => Transport::Http { signing_secret: fake.signing_secret().to_owned(), listen },
        };
        let mut settings = Settings::new(fake.bot_token(), transport);
        settings.api_url = fake.api_url();
        let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
        let slack = Arc::new(Slack::new(settings));
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown: chat::Shutdown = Box::pin(async move { drop(stopped.await) });
        let running = tokio::spawn(slack.clone().run(host.clone(), shutdown));
        Self { fake, host, slack, url: format!("http://{listen}/slack/events"), stop: Some(stop), running }
    }

    /// What the adapter says when it will not start.
    pub async fn refusal(by: By, prepare: impl FnOnce(&SlackFake)) -> String {
        Self::launch(by, prepare).await.running.await.unwrap().unwrap_err().to_string()
    }

    /// The product says something to a person where they are.
    pub async fn says(&self, to: &Person, id: &str, reply: Reply) {
        let said = self.tries(to, id, reply).await;
        assert!(said.is_ok(), "{said:?}\n{:#?}", self.fake.refusals());
    }

    pub async fn tries(&self, to: &Person, id: &str, reply: Reply) -> Result<(), DeliveryError> {
        let (place, user) = (place(to), UserId::new(to.id()));
        let delivery = Delivery { id: ReplyId::new(id), place, user, reply, attempt: 0, overtaken: false };
        self.slack.deliver(&delivery).await
    }

    /// The events that have come, when there are so many.
    pub async fn heard(&self, count: usize) -> Vec<Event> {
        let events = self.host.wait_for_events(count).await;
        assert_eq!(events.len(), count, "{events:#?}");
        events
    }

    /// Nothing was refused, nobody was pinged, and the adapter ends when it is told to.
    pub async fn ends_well(mut self) {
        assert_eq!(self.fake.refusals(), Vec::<String>::new());
        assert_eq!(self.fake.pings(), Vec::<String>::new());
        self.stop.take().unwrap().send(()).unwrap();
        let ended = tokio::time::timeout(std::time::Duration::from_secs(10), &mut self.running).await;
        ended.unwrap().unwrap().unwrap();
    }
}

pub fn place(person: &Person) -> Place {
    Place {
        platform: Platform::new("slack"),
        workspace: "T0FAKE".to_owned(),
        channel: person.channel_id().to_owned(),
        thread: person.thread_ts().map(str::to_owned),
    }
}

pub fn card(id: &str) -> FormCard {
    FormCard {
        id: id.to_owned(),
        title: format!("The {id} form"),
        description: "What it is for".to_owned(),
        fields: 3,
        ..FormCard::default()
    }
}

/// A reply of a screen of its own.
pub fn screen(no: u128, mut reply: Reply) -> Reply {
    let nonce = Nonce::new(no);
    for question in reply.questions.iter_mut().chain(&mut reply.page) {
        question.token.nonce = nonce.clone();
        if let Input::Options { options, .. } = &mut question.input {
            options.iter_mut().for_each(|option| option.token.nonce = nonce.clone());
        }
    }
    reply.buttons.iter_mut().for_each(|button| button.token.nonce = nonce.clone());
    let rows = reply.card.iter_mut().flat_map(|card| &mut card.rows);
    rows.filter_map(|row| row.edit.as_mut()).for_each(|edit| edit.nonce = nonce.clone());
    reply
}

/// One of so many buttons.
pub fn buttons(count: u16) -> Reply {
    let mut reply = chat::conformance::one_of(count);
    if let Input::Options { options, .. } = &mut reply.questions[0].input {
        options.iter_mut().for_each(|option| option.detail = None);
    }
    reply
}

pub fn words(say: &str) -> Reply {
    Reply { say: vec![say.to_owned()], lang: "en".to_owned(), ..Reply::default() }
}

/// What was pressed, as text: the slots, and what they hold.
pub fn pressed(event: &Event) -> String {
    let presses = match &event.action {
        Action::Press { presses } => presses,
        // Written out: `{:?}` does not show what people say.
        Action::Say { text } => return format!("Say {{ text: {text:?} }}"),
        other => return format!("{other:?}"),
    };
    let one = |press: &chat::Press| {
        let held = match &press.value {
            chat::Pressed::Options { tokens } => {
                let numbers = tokens.iter().filter_map(|token| token.option).map(|option| option.to_string());
                format!("[{}]", numbers.collect::<Vec<_>>().join(","))
            }
            chat::Pressed::Text { text } => format!("{text:?}"),
            chat::Pressed::Files { files } => files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(","),
            other => format!("{other:?}"),
        };
        format!("{}={held}", press.token.slot)
    };
    presses.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
