//! The adapter, running over the fake, and the replies that a product would give.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use formwright_chat::{
    Action, Adapter as _, Button, ButtonRole, Choice, Delivery, Event, FormCard, Input, Nonce, Press, Pressed,
    Question, Reply, ReplyId, Token, conformance,
};
use formwright_fakes::host::FakeHost;
use formwright_fakes::telegram::{Seat, TelegramFake};
use formwright_telegram::{TelegramAdapter, TelegramSettings, Transport};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const SECRET: &str = "s3cret_s3cret_s3cret";

/// What stops the adapter, and how it ends.
pub(crate) struct Running(oneshot::Sender<()>, JoinHandle<Result<(), formwright_chat::AdapterError>>);

/// The adapter, running.
pub(crate) struct Bench {
    pub(crate) fake: TelegramFake,
    pub(crate) host: Arc<FakeHost>,
    pub(crate) settings: TelegramSettings,
    pub(crate) adapter: Arc<TelegramAdapter>,
    running: Option<Running>,
    deliveries: AtomicU32,
}

impl Bench {
    pub(crate) async fn start() -> Self {
        Self::start_over(TelegramFake::start().await, TelegramSettings::default()).await
    }

    pub(crate) async fn start_over(fake: TelegramFake, settings: TelegramSettings) -> Self {
        let form = |id: &str, title: &str| FormCard {
            id: id.to_owned(),
            title: title.to_owned(),
            description: String::new(),
            fields: 3,
            ..FormCard::default()
        };
        let host = Arc::new(FakeHost::with_forms(vec![form("injury", "Injury"), form("pizza-order", "Pizza")]));
        let settings = TelegramSettings { token: fake.token(), api_url: fake.url(), ..settings };
        let adapter = Arc::new(TelegramAdapter::new(settings.clone()).unwrap());
        let mut bench = Self { fake, host, settings, adapter, running: None, deliveries: AtomicU32::new(0) };
        bench.run().await;
        bench
    }

    /// Runs the adapter, until it asks for updates or has told where to bring them.
    pub(crate) async fn run(&mut self) {
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = Box::pin(async move { drop(stopped.await) });
        let (adapter, host) = (Arc::clone(&self.adapter), Arc::clone(&self.host));
        let begun = match self.settings.transport {
            Transport::Polling => "getUpdates",
            Transport::Webhook => "setWebhook",
        };
        let calls = self.fake.calls(begun).len();
        self.running = Some(Running(stop, tokio::spawn(async move { adapter.run(host, shutdown).await })));
        self.fake.is_called(begun, calls + 1).await;
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(Running(stop, running)) = self.running.take() {
            drop(stop);
            running.await.unwrap().unwrap();
        }
    }

    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.adapter = Arc::new(TelegramAdapter::new(self.settings.clone()).unwrap());
        self.run().await;
    }

    /// The newest event, once there are so many.
    pub(crate) async fn event(&self, count: usize) -> Event {
        let events = self.host.wait_for_events(count).await;
        assert_eq!(events.len(), count, "{events:#?}");
        events.last().unwrap().clone()
    }

    pub(crate) fn delivery(&self, to: &Event, reply: Reply) -> Delivery {
        let no = self.deliveries.fetch_add(1, Ordering::Relaxed);
        Delivery {
            id: ReplyId::new(format!("reply{no}")),
            place: to.place.clone(),
            user: to.user.id.clone(),
            reply,
            attempt: 0,
            overtaken: false,
        }
    }

    pub(crate) async fn replies(&self, to: &Event, reply: Reply) {
        self.adapter.deliver(&self.delivery(to, reply)).await.unwrap();
    }

    /// A person in a private chat who has said something, and what the product got.
    pub(crate) async fn meets(&self, name: &str) -> (Seat, Event) {
        let seat = self.fake.person(name).in_private();
        let before = self.host.events().len();
        seat.writes("hello").await;
        let event = self.event(before + 1).await;
        (seat, event)
    }

    /// Nothing was refused, nobody woken up, no press left without an answer.
    pub(crate) async fn ends_well(&self) {
        self.fake.answers_all_presses().await;
        assert_eq!(self.fake.refusals(), Vec::<String>::new());
        assert_eq!(self.fake.pings(), Vec::<String>::new());
    }
}

/// A question of its own screen.
pub(crate) fn asks(screen: u128, ask: &str, input: Input) -> Reply {
    let nonce = Nonce::new(screen);
    let question = Question { ask: ask.to_owned(), help: None, ..conformance::question(0, input) };
    let question = Question { token: Token::new(&nonce, 0), ..question };
    let skip = Button { token: Token::new(&nonce, 1), label: "Skip".to_owned(), role: ButtonRole::Plain };
    Reply {
        say: vec![ask.to_owned()],
        lang: "en".to_owned(),
        questions: vec![question],
        buttons: vec![skip],
        ..Reply::default()
    }
}

pub(crate) fn list(screen: u128, ask: &str, labels: &[String], multiple: bool) -> Reply {
    let token = Token::new(&Nonce::new(screen), 0);
    let option = |(no, label): (u16, &String)| Choice {
        token: token.option(no),
        label: label.clone(),
        detail: None,
        picked: false,
    };
    let options = (0..).zip(labels).map(option).collect();
    asks(screen, ask, Input::Options { options, multiple, min: 1, max: None, other: false })
}

pub(crate) fn pizzas(screen: u128) -> Reply {
    list(screen, "Which pizza?", &["Margherita", "Diavola", "Capricciosa"].map(str::to_owned), false)
}

pub(crate) fn toppings(screen: u128) -> Reply {
    list(screen, "Which toppings?", &["Olives", "Ham", "Rocket"].map(str::to_owned), true)
}

pub(crate) fn words(screen: u128, ask: &str) -> Reply {
    asks(screen, ask, Input::Text { long: false, max_chars: None, example: None, secret: false })
}

pub(crate) fn pressed(event: &Event) -> Press {
    match &event.action {
        Action::Press { presses } if presses.len() == 1 => presses[0].clone(),
        other => panic!("no press: {other:?}"),
    }
}

pub(crate) fn said(event: &Event) -> String {
    match &event.action {
        Action::Say { text } => text.clone(),
        other => panic!("nothing was said: {other:?}"),
    }
}

pub(crate) fn text(press: &Press) -> String {
    match &press.value {
        Pressed::Text { text } => text.clone(),
        other => panic!("no text: {other:?}"),
    }
}
