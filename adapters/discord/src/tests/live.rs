//! The whole adapter against a Discord that refuses what Discord refuses: what people do and see.

use std::sync::Arc;

use formwright_chat::{
    Action, Adapter as _, Delivery, DeliveryError, Event, Fault, FormCard, Input, Pressed, Reply, ReplyId, conformance,
};
use formwright_fakes::discord::DiscordFake;
use formwright_fakes::host::FakeHost;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::host;
use crate::{DiscordAdapter, DiscordSettings, PATH, Secret, Transport};

struct Bot {
    host: Arc<FakeHost>,
    adapter: Arc<DiscordAdapter>,
    running: JoinHandle<Result<(), formwright_chat::AdapterError>>,
    stop: oneshot::Sender<()>,
}

fn settings(fake: &DiscordFake) -> DiscordSettings {
    DiscordSettings {
        token: Secret::new(fake.token()),
        public_key: fake.public_key(),
        api_url: fake.api_url(),
        listen: "127.0.0.1:0".parse().unwrap(),
        ..super::here()
    }
}

impl Bot {
    fn start(host: &Arc<FakeHost>, settings: DiscordSettings) -> Self {
        let adapter = Arc::new(DiscordAdapter::new(settings).unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = Box::pin(async move { drop(stopped.await) });
        let running = tokio::spawn(Arc::clone(&adapter).run(Arc::<FakeHost>::clone(host), shutdown));
        Self { host: Arc::clone(host), adapter, running, stop }
    }

    async fn connected(fake: &DiscordFake) -> Self {
        let bot = Self::start(&host(), settings(fake));
        fake.connected().await;
        bot
    }

    async fn stops(self) -> Arc<FakeHost> {
        self.stop.send(()).unwrap();
        self.running.await.unwrap().unwrap();
        self.host
    }

    /// The event of that number.
    async fn event(&self, no: usize) -> Event {
        self.host.wait_for_events(no).await.swap_remove(no - 1)
    }

    async fn answers(&self, event: &Event, id: &str, reply: &Reply) -> Result<(), DeliveryError> {
        let delivery = Delivery {
            id: ReplyId::new(id),
            place: event.place.clone(),
            user: event.user.id.clone(),
            reply: reply.clone(),
            attempt: 0,
            overtaken: false,
        };
        self.adapter.deliver(&delivery).await
    }
}

fn fine(fake: &DiscordFake) {
    assert_eq!((fake.refusals(), fake.unanswered(), fake.pings()), (Vec::new(), Vec::new(), Vec::new()));
}

fn again(reply: &Reply, nonce: char) -> Reply {
    let known = reply.nonce().unwrap().as_str().to_owned();
    let text = serde_json::to_string(reply).unwrap().replace(&known, &nonce.to_string().repeat(22));
    serde_json::from_str(&text).unwrap()
}

fn pressed(event: &Event) -> Vec<Pressed> {
    match &event.action {
        Action::Press { presses } => presses.iter().map(|press| press.value.clone()).collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_form_is_opened_by_a_command_and_answered_by_buttons() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada").in_channel("lunch").speaking("it");
    ada.runs("pizza-order").await;
    let opened = bot.event(1).await;
    assert_eq!(opened.action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(opened.user.locale.as_deref(), Some("it"));
    bot.answers(&opened, "a", &conformance::one_of(3)).await.unwrap();
    ada.sees("What is field 0?").await;
    fake.person("Ben").presses_of(&ada, "Option 2").await;
    ada.presses("Option 2").await;
    ada.sees("✓ Option 2").await;
    bot.answers(&bot.event(2).await, "b", &again(&conformance::review(3), 'B')).await.unwrap();
    ada.sees("Is everything right?").await;
    ada.presses_old("Option 1").await;
    ada.sees_alone("already answered").await;
    ada.presses("Confirm").await;
    ada.sees("✓ Confirm").await;
    assert_eq!(bot.host.events().len(), 3);
    fine(&fake);
}

#[tokio::test]
async fn a_page_is_filled_in_as_a_window_with_its_faults() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada");
    ada.writes("hello").await;
    let said = bot.event(1).await;
    let text = Input::Text { long: false, max_chars: None, example: None, secret: false };
    let reply = conformance::page(vec![text, conformance::options(0, 3, false), conformance::options(0, 12, true)]);
    bot.answers(&said, "a", &reply).await.unwrap();
    let token = reply.questions[0].token.clone();
    bot.host.find_fault(vec![Fault { token, problem: "That is too short.".to_owned() }]);
    ada.presses("Fill in as a form").await;
    ada.fills_modal(&[("Field 0", "A"), ("Field 10", "Option 3"), ("Field 11", "Option 1, Option 12")]).await;
    ada.sees_alone("Field 0: That is too short.").await;
    bot.host.find_fault(Vec::new());
    ada.presses("Correct it and send again").await;
    ada.fills_modal(&[("Field 0", "Ada")]).await;
    let sent = pressed(&bot.event(2).await);
    assert!(matches!(&sent[0], Pressed::Text { text } if text == "Ada"), "{sent:?}");
    assert!(matches!(&sent[2], Pressed::Options { tokens } if tokens.len() == 2), "{sent:?}");
    bot.answers(&said, "b", &again(&conformance::one_of(2), 'B')).await.unwrap();
    ada.sees("✓ Field 10: Option 3").await;
    fine(&fake);
}

#[tokio::test]
async fn everything_that_the_suite_draws_is_taken() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    let said = bot.event(1).await;
    let bits = || "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".chars();
    let nonces = bits().flat_map(|a| bits().map(move |b| format!("{a}{b}{}", "A".repeat(20))));
    // A channel each, and no reply of many messages, so that nothing waits for its turn.
    let long = |name: &str| ["1025", "2001", "3001", "4097", "20000"].iter().any(|length| name.contains(length));
    for ((name, reply), nonce) in conformance::replies().into_iter().filter(|(name, _)| !long(name)).zip(nonces) {
        let mut said = said.clone();
        said.place.channel = ada.in_channel(&nonce).channel_id();
        let known = reply.nonce().map(|nonce| nonce.as_str().to_owned()).unwrap_or_default();
        let text = serde_json::to_string(&reply).unwrap();
        let text = if known.is_empty() { text } else { text.replace(&known, &nonce) };
        let delivered = bot.answers(&said, &nonce, &serde_json::from_str(&text).unwrap()).await;
        assert_eq!((delivered, fake.take_refusals()), (Ok(()), Vec::new()), "{name}");
    }
    fine(&fake);
}

#[tokio::test]
async fn a_secret_is_asked_alone_and_typed_into_a_window() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada").in_channel("lunch");
    let ben = fake.person("Ben").in_channel("lunch");
    ada.runs_with("form", &[("form", "pizza-order")]).await;
    let opened = bot.event(1).await;
    let mut reply = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    reply.private = true;
    bot.answers(&opened, "a", &reply).await.unwrap();
    ada.sees_alone("What is field 0?").await;
    ada.presses("Type an answer").await;
    ada.fills_modal(&[("Field 0", "hunter2")]).await;
    assert_eq!(pressed(&bot.event(2).await), [Pressed::Text { text: "hunter2".to_owned() }]);
    ada.sees_alone("✓ Answered").await;
    assert!(!ben.ever_saw("hunter2") && !ben.ever_saw("What is field 0?"));
    fine(&fake);
}

#[tokio::test]
async fn a_secret_without_an_interaction_is_asked_in_a_direct_message_else_behind_a_button() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada").in_channel("lunch");
    ada.writes("@Formwright hello").await;
    let said = bot.event(1).await;
    let mut reply = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    reply.private = true;
    bot.answers(&said, "a", &reply).await.unwrap();
    ada.in_private().sees("What is field 0?").await;
    ada.in_private().writes("hunter2").await;
    assert_eq!(bot.event(2).await.place, said.place);
    ada.blocks_the_bot();
    bot.answers(&said, "b", &again(&reply, 'B')).await.unwrap();
    ada.presses("Answer in private").await;
    ada.sees_alone("What is field 0?").await;
}

#[tokio::test]
async fn a_dropped_connection_and_a_restart_are_taken_up_where_they_stopped() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada");
    ada.writes("one").await;
    bot.event(1).await;
    fake.drop_sockets();
    ada.writes("two").await;
    fake.reconnected(1, 1).await;
    assert_eq!(bot.event(2).await.action, Action::Say { text: "two".to_owned() });
    let host = bot.stops().await;
    ada.writes("three").await;
    let bot = Bot::start(&host, settings(&fake));
    assert_eq!(bot.event(3).await.action, Action::Say { text: "three".to_owned() });
    assert_eq!(fake.sessions().0, 1, "the session was taken up");
    fake.redelivers(2);
    ada.writes("four").await;
    bot.event(4).await;
    assert_eq!(bot.host.events().len(), 4);
}

#[tokio::test]
async fn whoever_writes_while_nothing_can_be_kept_is_told_and_answered_later() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let (ada, ben) = (fake.person("Ada"), fake.person("Ben").in_channel("lunch"));
    ada.writes("one").await;
    bot.event(1).await;
    bot.host.be_away(true);
    ada.writes("two").await;
    ada.sees("I cannot keep anything").await;
    // No replica may have the connection now; this one keeps it, so that people are told all the same.
    bot.host.lose_leads();
    ben.writes("@Formwright three").await;
    ben.sees("I cannot keep anything").await;
    ben.runs("pizza-order").await;
    ben.sees_alone("Please try again").await;
    bot.host.be_away(false);
    let mut said: Vec<Event> = bot.host.wait_for_events(3).await.split_off(1);
    said.sort_by_key(|event| event.place.workspace.clone());
    assert_eq!(said[0].action, Action::Say { text: "two".to_owned() });
    assert_eq!(said[1].action, Action::Say { text: "three".to_owned() });
    fine(&fake);
}

#[tokio::test]
async fn a_forgotten_session_is_made_up_for_from_the_channels() {
    let fake = DiscordFake::start().await;
    let bot = Bot::connected(&fake).await;
    let (ada, ben) = (fake.person("Ada"), fake.person("Ben").in_channel("lunch"));
    ada.writes("one").await;
    bot.event(1).await;
    ben.writes("@Formwright two").await;
    let said = bot.event(2).await;
    bot.answers(&said, "a", &conformance::one_of(3)).await.unwrap();
    let host = bot.stops().await;
    fake.forgets_sessions();
    ada.writes("three").await;
    ben.writes("four").await;
    fake.person("Cleo").in_channel("lunch").writes("not for the bot").await;
    let bot = Bot::start(&host, settings(&fake));
    let events = bot.host.wait_for_events(4).await;
    let mut texts: Vec<String> = events.iter().map(|event| serde_json::to_string(&event.action).unwrap()).collect();
    texts.sort();
    assert_eq!(texts.len(), 4);
    assert!(texts.iter().any(|text| text.contains("three")) && texts.iter().any(|text| text.contains("four")));
    assert_eq!(fake.sessions().0, 2);
}

#[tokio::test]
async fn interactions_come_over_http_and_messages_over_the_gateway() {
    let fake = DiscordFake::start().await;
    let bot = Bot::start(&host(), DiscordSettings { transport: Transport::Both, ..settings(&fake) });
    let address = bot.adapter.listening().await.unwrap();
    fake.connects_endpoint(&format!("http://{address}{PATH}")).await.unwrap();
    fake.connected().await;
    let ada = fake.person("Ada").in_channel("lunch");
    ada.runs("pizza-order").await;
    let opened = bot.event(1).await;
    bot.answers(&opened, "a", &conformance::one_of(30)).await.unwrap();
    ada.presses("Next").await;
    ada.picks(&["Option 28"]).await;
    ada.sees("✓ Option 28").await;
    ada.writes("@Formwright hello").await;
    bot.event(3).await;
    fine(&fake);
    bot.stops().await;
}

#[tokio::test]
async fn forms_are_offered_while_typing_in_the_command() {
    let fake = DiscordFake::start().await;
    let _bot = Bot::connected(&fake).await;
    let ada = fake.person("Ada").in_channel("lunch");
    assert_eq!(ada.types_into("form", "form", "piz").await, ["Pizza order"]);
    assert_eq!(fake.commands(), ["form", "injury-report", "pizza-order", "forget"]);
    fine(&fake);
}

#[tokio::test]
async fn a_wrong_token_is_an_error_for_the_operator() {
    let fake = DiscordFake::start().await;
    let bot = Bot::start(
        &Arc::new(FakeHost::with_forms(Vec::<FormCard>::new())),
        DiscordSettings { token: Secret::new("wrong"), ..settings(&fake) },
    );
    let error = bot.running.await.unwrap().unwrap_err().to_string();
    assert!(error.contains("the token is not valid") && !error.contains("wrong"), "{error}");
}
