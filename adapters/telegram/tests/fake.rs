//! The adapter over the fake Telegram: what people do and see, with a scripted product behind it.
#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up fails its test")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use formwright_chat as chat;
use formwright_chat::{
    Action, Adapter as _, Button, ButtonRole, Choice, Delivery, DeliveryError, Event, FormCard, HostError, Input,
    Nonce, Press, Pressed, Question, Reply, ReplyId, Token, conformance,
};
use formwright_fakes::host::FakeHost;
use formwright_fakes::telegram::{Fault, Rates, Seat, Settings, TelegramFake, post};
use formwright_telegram::{TelegramAdapter, TelegramSettings, Transport, Webhook};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

const SECRET: &str = "s3cret_s3cret_s3cret";

/// What stops the adapter, and how it ends.
struct Running(oneshot::Sender<()>, JoinHandle<Result<(), String>>);

/// The adapter, running.
struct Bench {
    fake: TelegramFake,
    host: Arc<FakeHost>,
    settings: TelegramSettings,
    adapter: Arc<TelegramAdapter>,
    running: Option<Running>,
    deliveries: AtomicU32,
}

impl Bench {
    async fn start() -> Self {
        Self::start_over(TelegramFake::start().await, TelegramSettings::default()).await
    }

    async fn start_over(fake: TelegramFake, settings: TelegramSettings) -> Self {
        let form = |id: &str, title: &str| FormCard {
            id: id.to_owned(),
            title: title.to_owned(),
            description: String::new(),
            fields: 3,
        };
        let host = Arc::new(FakeHost::with_forms(vec![form("injury", "Injury"), form("pizza-order", "Pizza")]));
        let settings = TelegramSettings { token: fake.token(), api_url: fake.url(), ..settings };
        let adapter = Arc::new(TelegramAdapter::new(settings.clone()).unwrap());
        let mut bench = Self { fake, host, settings, adapter, running: None, deliveries: AtomicU32::new(0) };
        bench.run().await;
        bench
    }

    /// Runs the adapter, until it asks for updates or has told where to bring them.
    async fn run(&mut self) {
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

    async fn stop(&mut self) {
        if let Some(Running(stop, running)) = self.running.take() {
            drop(stop);
            running.await.unwrap().unwrap();
        }
    }

    async fn restart(&mut self) {
        self.stop().await;
        self.adapter = Arc::new(TelegramAdapter::new(self.settings.clone()).unwrap());
        self.run().await;
    }

    /// The newest event, once there are so many.
    async fn event(&self, count: usize) -> Event {
        let events = self.host.wait_for_events(count).await;
        assert_eq!(events.len(), count, "{events:#?}");
        events.last().unwrap().clone()
    }

    fn delivery(&self, to: &Event, reply: Reply) -> Delivery {
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

    async fn replies(&self, to: &Event, reply: Reply) {
        self.adapter.deliver(&self.delivery(to, reply)).await.unwrap();
    }

    /// A person in a private chat who has said something, and what the product got.
    async fn meets(&self, name: &str) -> (Seat, Event) {
        let seat = self.fake.person(name).in_private();
        let before = self.host.events().len();
        seat.writes("hello").await;
        let event = self.event(before + 1).await;
        (seat, event)
    }

    /// Nothing was refused, nobody woken up, no press left without an answer.
    async fn ends_well(&self) {
        self.fake.answers_all_presses().await;
        assert_eq!(self.fake.refusals(), Vec::<String>::new());
        assert_eq!(self.fake.pings(), Vec::<String>::new());
    }
}

/// A question of its own screen.
fn asks(screen: u128, ask: &str, input: Input) -> Reply {
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

fn list(screen: u128, ask: &str, labels: &[String], multiple: bool) -> Reply {
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

fn pizzas(screen: u128) -> Reply {
    list(screen, "Which pizza?", &["Margherita", "Diavola", "Capricciosa"].map(str::to_owned), false)
}

fn toppings(screen: u128) -> Reply {
    list(screen, "Which toppings?", &["Olives", "Ham", "Rocket"].map(str::to_owned), true)
}

fn words(screen: u128, ask: &str) -> Reply {
    asks(screen, ask, Input::Text { long: false, max_chars: None, example: None, secret: false })
}

fn pressed(event: &Event) -> Press {
    match &event.action {
        Action::Press { presses } if presses.len() == 1 => presses[0].clone(),
        other => panic!("no press: {other:?}"),
    }
}

fn said(event: &Event) -> String {
    match &event.action {
        Action::Say { text } => text.clone(),
        other => panic!("nothing was said: {other:?}"),
    }
}

fn text(press: &Press) -> String {
    match &press.value {
        Pressed::Text { text } => text.clone(),
        other => panic!("no text: {other:?}"),
    }
}

#[tokio::test]
async fn a_press_answers_and_the_question_shows_the_answer() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    assert_eq!((said(&hello).as_str(), hello.user.name.as_deref()), ("hello", Some("Ada")));
    bench.replies(&hello, pizzas(1)).await;
    ada.sees("Which pizza?").await;
    ada.presses("Diavola").await;
    let press = pressed(&bench.event(2).await);
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(press, Press { token: token.clone(), value: Pressed::Options { tokens: vec![token.option(1)] } });
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("How many?").await;
    ada.sees("✓ Diavola").await;
    ada.no_longer_sees("Margherita").await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_typed_answer_takes_the_buttons_away_and_old_ones_do_nothing() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.writes("the hot one").await;
    assert_eq!(said(&bench.event(2).await), "the hot one");
    bench.replies(&hello, words(2, "How many?")).await;
    ada.no_longer_sees("Diavola").await;
    ada.presses_old("Diavola").await;
    ada.is_told("already answered").await;
    assert_eq!(bench.host.events().len(), 2);
    bench.ends_well().await;
}

#[tokio::test]
async fn another_persons_button_is_nobody_elses() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.writes("@FormBot pizza").await;
    let event = bench.event(1).await;
    assert_eq!(said(&event), "pizza");
    bench.replies(&event, pizzas(1)).await;
    ben.presses_of(&ada, "Diavola").await;
    ben.is_told("somebody else").await;
    assert_eq!(bench.host.events().len(), 1);
    ada.presses("Diavola").await;
    assert_eq!(bench.event(2).await.user.id, event.user.id);
    bench.ends_well().await;
}

#[tokio::test]
async fn forged_presses_do_nothing() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    let good = Token::new(&Nonce::new(1), 0).option(1).to_string();
    for forged in
        ["", "x", &good[1..], &format!("{good}7"), &format!("{good}~z"), &Token::new(&Nonce::new(9), 0).to_string()]
    {
        ada.forges_press(forged).await;
        ada.press_is_answered().await;
    }
    assert_eq!(bench.host.events().len(), 1);
    bench.ends_well().await;
}

#[tokio::test]
async fn several_are_ticked_and_sent_together() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, toppings(1)).await;
    ada.presses("Done").await;
    ada.is_told("at least one").await;
    ada.picks(&["Olives", "Rocket", "Ham", "Olives"]).await;
    ada.sees_button("Done (2)").await;
    ada.sees("☑ Rocket").await;
    ada.presses("Done (2)").await;
    let press = pressed(&bench.event(2).await);
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(press.value, Pressed::Options { tokens: vec![token.option(1), token.option(2)] });
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Ham, Rocket").await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_long_list_is_turned_page_by_page() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let cities: Vec<String> = (1..=60).map(|no| format!("City {no}")).collect();
    bench.replies(&hello, list(1, "Which city?", &cities, false)).await;
    ada.sees_button("City 1").await;
    for _ in 0..10 {
        if ada.does_see("City 60") {
            break;
        }
        let here = ada.buttons();
        ada.presses("›").await;
        ada.no_longer_sees(&here[0][0]).await;
    }
    ada.presses("City 60").await;
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(pressed(&bench.event(2).await).value, Pressed::Options { tokens: vec![token.option(59)] });
    bench.ends_well().await;
}

#[tokio::test]
async fn days_and_times_are_picked() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let (min, max) = (Some("2031-05-10".to_owned()), Some("2031-06-20".to_owned()));
    bench.replies(&hello, asks(1, "Which day?", Input::Date { min: min.clone(), max: max.clone() })).await;
    ada.presses("›").await;
    ada.sees("June 2031").await;
    ada.presses("14").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "2031-06-14");
    bench.replies(&hello, asks(2, "At what time?", Input::Time)).await;
    ada.presses("18").await;
    ada.presses("18:35").await;
    assert_eq!(text(&pressed(&bench.event(3).await)), "18:35");
    bench.replies(&hello, asks(3, "From when to when?", Input::DateRange { min, max })).await;
    ada.presses("12").await;
    ada.press_is_answered().await;
    ada.no_longer_sees("\n11\n").await;
    ada.presses("17").await;
    assert_eq!(text(&pressed(&bench.event(4).await)), "2031-05-12/2031-05-17");
    bench.ends_well().await;
}

#[tokio::test]
async fn ones_own_number_and_position_are_shared() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, asks(1, "Which number?", Input::Phone { country: None })).await;
    ada.shares_contact_of(&bench.fake.person("Ben")).await;
    ada.sees("own").await;
    ada.presses("Share my number").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "+393331000001");
    bench.replies(&hello, asks(2, "Where?", Input::Location)).await;
    ada.shares_venue("Duomo", "Milan", 45.464, 9.19).await;
    match bench.event(3).await.action {
        Action::Share { location } => assert_eq!(location.address.as_deref(), Some("Duomo, Milan")),
        other => panic!("{other:?}"),
    }
    // The keyboard goes with the next question; its further keys are pressed by their words.
    bench.replies(&hello, asks(3, "And your number?", Input::Phone { country: None })).await;
    ada.presses("Skip").await;
    let skip = Press { token: Token::new(&Nonce::new(3), 1), value: Pressed::Button };
    assert_eq!(pressed(&bench.event(4).await), skip);
    bench.replies(&hello, words(4, "Anything else?")).await;
    bench.ends_well().await;
}

#[tokio::test]
async fn photos_sent_together_are_one_answer() {
    let bench = Bench::start().await;
    let (ada, _) = bench.meets("Ada").await;
    ada.sends_album(&[&[1; 400], &[2; 500], &[3; 600]], "the damage").await;
    match bench.event(2).await.action {
        Action::Attach { files, text } => {
            let sizes: Vec<u64> = files.iter().map(|file| file.bytes).collect();
            assert_eq!((sizes.as_slice(), text.as_str()), ([400, 500, 600].as_slice(), "the damage"));
        }
        other => panic!("{other:?}"),
    }
    bench.ends_well().await;
}

#[tokio::test]
async fn in_a_group_the_input_line_is_opened_for_who_is_asked() {
    let bench = Bench::start().await;
    let office = bench.fake.supergroup("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.uses("pizza_order").await;
    let event = bench.event(1).await;
    assert_eq!(event.action, Action::Open { form: Some("pizza-order".to_owned()) });
    bench.replies(&event, words(1, "How many?")).await;
    ada.is_asked_to_reply().await;
    ben.writes("let us eat").await;
    ada.writes("two").await;
    assert_eq!(said(&bench.event(2).await), "two");
    bench.ends_well().await;
}

#[tokio::test]
async fn topics_have_sessions_of_their_own() {
    let bench = Bench::start().await;
    let office = bench.fake.forum("Office");
    let ada = bench.fake.person("Ada");
    let (lunch, sick) = (ada.in_topic(&office, "Lunch"), ada.in_topic(&office, "Sick"));
    lunch.writes("@FormBot pizza").await;
    let pizza = bench.event(1).await;
    sick.writes("@FormBot my arm hurts").await;
    let injury = bench.event(2).await;
    assert_ne!(pizza.place, injury.place);
    bench.replies(&pizza, pizzas(1)).await;
    bench.replies(&injury, words(2, "When was it?")).await;
    lunch.sees("Which pizza?").await;
    sick.sees("When was it?").await;
    assert!(!sick.does_see("Which pizza?") && !lunch.does_see("When was it?"));
    bench.ends_well().await;
}

#[tokio::test]
async fn a_sensitive_question_of_a_group_is_asked_in_private() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let ada = bench.fake.person("Ada").in_group(&office);
    ada.writes("@FormBot injury").await;
    let event = bench.event(1).await;
    bench.replies(&event, Reply { private: true, ..words(1, "What is your diagnosis?") }).await;
    assert!(!ada.does_see("diagnosis"));
    let link = ada.buttons()[0][0].clone();
    let aside = ada.follows(&link).await;
    aside.sees("What is your diagnosis?").await;
    aside.writes("a broken arm").await;
    let answer = bench.event(2).await;
    assert_eq!((said(&answer).as_str(), &answer.place), ("a broken arm", &event.place));
    aside.no_longer_sees_own("a broken arm").await;
    bench.replies(&event, words(2, "When was it?")).await;
    ada.sees("When was it?").await;
    // The bot may write to strangers no sooner than they have begun.
    assert_eq!(bench.fake.refusals_but(&["can't initiate conversation"]), Vec::<String>::new());
}

#[tokio::test]
async fn links_and_menus_open_forms() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").speaking("it").in_private();
    ada.starts("injury").await;
    assert_eq!(bench.event(1).await.action, Action::Open { form: Some("injury".to_owned()) });
    ada.uses("pizza_order").await;
    assert_eq!(bench.event(2).await.action, Action::Open { form: Some("pizza-order".to_owned()) });
    ada.starts("").await;
    assert_eq!(bench.event(3).await.action, Action::Open { form: None });
    bench.fake.is_called("setMyCommands", 6).await;
    bench.ends_well().await;
}

#[tokio::test]
async fn what_is_nobodys_answer_is_nothing() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    office.has_bot_as_admin(true);
    let ada = bench.fake.person("Ada").in_group(&office);
    bench.fake.other_bot("Loud").in_group(&office).writes("@FormBot pizza").await;
    ada.writes("idle talk").await;
    ada.edits("@FormBot pizza").await;
    office.welcomes(&bench.fake.person("Ben"));
    bench.fake.brings(json!({"poll": {"id": "1"}}));
    bench.fake.brings(json!({"message": {"message_id": 1, "date": 0, "chat": {"id": 5, "type": "moon"}}}));
    bench.fake.brings(json!({"message": "rubbish"}));
    bench.fake.takes_everything().await;
    assert_eq!(bench.host.events(), Vec::new());
    bench.ends_well().await;
}

#[tokio::test]
async fn updates_that_come_twice_count_once_also_after_a_restart() {
    let mut bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.fake.takes_everything().await;
    bench.fake.redelivers();
    bench.restart().await;
    ada.writes("and one more").await;
    assert_eq!(said(&bench.event(3).await), "and one more");
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Diavola").await;
    assert_eq!(bench.fake.refusals_but(&["query is too old", "terminated by other"]), Vec::<String>::new());
}

#[tokio::test]
async fn what_the_store_cannot_take_is_asked_for_again_in_order() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    let broken = || HostError::Unavailable("the disk is full".to_owned());
    bench.host.refuse(vec![broken(), broken()]);
    ada.writes("one").await;
    ada.writes("two").await;
    let events = bench.host.wait_for_events(2).await;
    let texts: Vec<String> = events.iter().map(said).collect();
    assert_eq!(texts, ["one", "two"]);
    bench.fake.takes_everything().await;
    bench.ends_well().await;
}

#[tokio::test]
async fn refusals_of_the_product_are_told() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    bench.host.refuse(vec![HostError::Refused("That is too long.".to_owned())]);
    ada.writes("a very long story").await;
    ada.sees("That is too long.").await;
    bench.fake.takes_everything().await;
    assert_eq!(bench.host.events(), Vec::new());
    bench.ends_well().await;
}

#[tokio::test]
async fn pauses_are_kept_and_trouble_is_tried_again() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let delivery = bench.delivery(&hello, pizzas(1));
    bench.fake.next_answers_to("sendMessage", [Fault::TooMany(2)]);
    let wait = bench.adapter.deliver(&delivery).await.unwrap_err();
    assert!(
        matches!(wait, DeliveryError::Later { after: Some(after), .. } if after == Duration::from_secs(2)),
        "{wait:?}"
    );
    bench.fake.next_answers_to("sendMessage", [Fault::Status(502), Fault::Drop]);
    // It waits for the pause to end by itself.
    for attempt in 1..=2 {
        let again = Delivery { attempt, ..delivery.clone() };
        assert!(matches!(bench.adapter.deliver(&again).await, Err(DeliveryError::Later { .. })));
    }
    bench.adapter.deliver(&Delivery { attempt: 3, ..delivery.clone() }).await.unwrap();
    bench.adapter.deliver(&Delivery { attempt: 4, ..delivery }).await.unwrap();
    assert_eq!(ada.count(), 1, "a delivery that is tried again is not shown again");
    bench.ends_well().await;
}

#[tokio::test]
async fn a_lost_edit_does_not_hold_the_conversation() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    let delivery = bench.delivery(&hello, words(2, "How many?"));
    bench.fake.next_answers_to("editMessageText", [Fault::DropAfter]);
    assert!(bench.adapter.deliver(&delivery).await.is_err());
    // The edit had happened: that the message is not modified is no error.
    bench.adapter.deliver(&Delivery { attempt: 1, ..delivery }).await.unwrap();
    ada.sees("✓ Diavola").await;
    assert_eq!(ada.count(), 2);
    assert_eq!(bench.fake.refusals_but(&["message is not modified"]), Vec::<String>::new());
}

#[tokio::test]
async fn who_has_blocked_the_bot_gets_nothing_more() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    ada.blocks_bot(true).await;
    let never = bench.adapter.deliver(&bench.delivery(&hello, pizzas(1))).await;
    assert!(matches!(never, Err(DeliveryError::Never { .. })), "{never:?}");
    assert_eq!(bench.fake.refusals_but(&["blocked by the user"]), Vec::<String>::new());
}

#[tokio::test]
async fn a_group_that_moves_keeps_its_sessions() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let ada = bench.fake.person("Ada").in_group(&office);
    ada.writes("@FormBot pizza").await;
    let event = bench.event(1).await;
    ada.sees_typing().await;
    office.becomes_supergroup();
    bench.fake.takes_everything().await;
    bench.replies(&event, pizzas(1)).await;
    ada.presses("Diavola").await;
    assert_eq!(bench.event(2).await.place, event.place);
    bench.ends_well().await;
}

#[tokio::test]
async fn polling_goes_on_after_dropped_sockets_outages_and_another_poller() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").in_private();
    bench.fake.drop_sockets();
    ada.writes("one").await;
    bench.event(1).await;
    bench.fake.is_down(true);
    ada.writes("two").await;
    bench.fake.is_down(false);
    bench.event(2).await;
    let other = format!("{}/bot{}/getUpdates", bench.fake.url(), bench.fake.token());
    bench.fake.takes_everything().await;
    let _ = post(&other, &[], b"{}").await;
    ada.writes("three").await;
    assert_eq!(said(&bench.event(3).await), "three");
    assert_eq!(bench.fake.refusals_but(&["terminated by other getUpdates"]), Vec::<String>::new());
}

#[tokio::test]
async fn a_webhook_of_before_is_taken_away_for_polling() {
    let fake = TelegramFake::start().await;
    let set = format!("{}/bot{}/setWebhook", fake.url(), fake.token());
    assert_eq!(post(&set, &[], br#"{"url": "https://old.example/hook"}"#).await, Ok(200));
    let ada = fake.person("Ada").in_private();
    ada.writes("waiting").await;
    let bench = Bench::start_over(fake, TelegramSettings::default()).await;
    assert_eq!(said(&bench.event(1).await), "waiting");
    assert_eq!(bench.fake.webhook(), None);
    bench.ends_well().await;
}

#[tokio::test]
async fn a_token_that_telegram_does_not_know_is_named() {
    let fake = TelegramFake::start().await;
    let settings = TelegramSettings { token: "1:wrong".to_owned(), api_url: fake.url(), ..TelegramSettings::default() };
    let adapter = Arc::new(TelegramAdapter::new(settings).unwrap());
    let host: Arc<FakeHost> = Arc::default();
    let error = adapter.run(host, Box::pin(std::future::pending())).await.unwrap_err();
    assert!(error.contains("telegram.token") && !error.contains("wrong"), "{error}");
}

/// A bench whose updates come by webhook, and where it listens.
async fn hooked() -> (Bench, SocketAddr) {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listen = free.local_addr().unwrap();
    drop(free);
    let fake = TelegramFake::start().await;
    fake.leads("https://forms.example", &format!("http://{listen}"));
    let webhook =
        Webhook { listen, public_url: "https://forms.example/telegram".to_owned(), secret: SECRET.to_owned() };
    let settings = TelegramSettings { transport: Transport::Webhook, webhook, ..TelegramSettings::default() };
    let bench = Bench::start_over(fake, settings).await;
    (bench, listen)
}

#[tokio::test]
async fn by_webhook_nothing_is_lost_either() {
    let (bench, _) = hooked().await;
    let broken = || HostError::Unavailable("the disk is full".to_owned());
    bench.host.refuse(vec![broken(), broken()]);
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.presses("Diavola").await;
    bench.event(2).await;
    bench.fake.takes_everything().await;
    bench.fake.redelivers();
    ada.writes("two").await;
    assert_eq!(said(&bench.event(3).await), "two");
    assert_eq!(bench.fake.refusals_but(&["query is too old"]), Vec::<String>::new());
}

#[tokio::test]
async fn forged_updates_are_not_taken() {
    let (bench, listen) = hooked().await;
    bench.meets("Ada").await;
    let update = json!({"update_id": 1, "message": {
        "message_id": 1, "date": 1, "text": "forged", "from": {"id": 7, "is_bot": false, "first_name": "Eve"},
        "chat": {"id": 7, "type": "private", "first_name": "Eve"},
    }})
    .to_string();
    let url = format!("http://{listen}/telegram");
    let header = "X-Telegram-Bot-Api-Secret-Token";
    let prefix = &SECRET[..SECRET.len() - 1];
    let longer = format!("{SECRET}x");
    let upper = SECRET.to_uppercase();
    let long = "x".repeat(257);
    let wrong: [&[(&str, &str)]; 9] = [
        &[],
        &[(header, "")],
        &[(header, "wrong")],
        &[(header, prefix)],
        &[(header, &longer)],
        &[(header, &upper)],
        &[(header, &long)],
        &[(header, SECRET), (header, SECRET)],
        &[("Authorization", SECRET)],
    ];
    for headers in wrong {
        assert_eq!(post(&url, headers, update.as_bytes()).await, Ok(401), "{headers:?}");
    }
    let right = [(header, SECRET)];
    assert_eq!(post(&format!("http://{listen}/other"), &right, update.as_bytes()).await, Ok(404));
    assert_eq!(post(&url, &right, b"{").await, Ok(400));
    // What is too large is not read to its end: the answer may be lost with the connection.
    assert_ne!(post(&url, &right, &vec![b' '; 2 * 1024 * 1024]).await, Ok(200));
    assert_eq!(bench.host.events().len(), 1);
    assert_eq!(post(&url, &right, update.as_bytes()).await, Ok(200));
    assert_eq!(said(&bench.event(2).await), "forged");
}

#[tokio::test]
async fn hostile_and_long_words_are_shown_whole_and_wake_nobody_up() {
    let fake = TelegramFake::start_with(Settings { rates: Rates::none(), ..Settings::default() }).await;
    let bench = Bench::start_over(fake, TelegramSettings::default()).await;
    let odd = |name: &str| name.starts_with("hostile") || name.ends_with(" 3001 characters");
    let replies: Vec<(String, Reply)> = conformance::replies().into_iter().filter(|(name, _)| odd(name)).collect();
    assert!(replies.len() > 10);
    let mut deliveries = Vec::new();
    for (no, (name, reply)) in replies.into_iter().enumerate() {
        let person = bench.fake.person(&format!("P{no}"));
        person.in_private().writes("hello").await;
        let home = bench.event(2 * no + 1).await;
        let group = bench.fake.group(&format!("G{no}"));
        person.in_group(&group).writes("@FormBot hello").await;
        let shared = bench.event(2 * no + 2).await;
        deliveries.push((name.clone(), bench.delivery(&home, reply.clone())));
        deliveries.push((name, bench.delivery(&shared, reply)));
    }
    let send = |(name, delivery): (String, Delivery)| {
        let adapter = Arc::clone(&bench.adapter);
        tokio::spawn(async move {
            let sent = adapter.deliver(&delivery).await;
            assert!(sent.is_ok(), "{name}: {sent:?}");
        })
    };
    let all: Vec<_> = deliveries.into_iter().map(send).collect();
    for one in all {
        one.await.unwrap();
    }
    bench.ends_well().await;
}

#[tokio::test]
async fn two_people_in_one_group_do_not_mix() {
    let bench = Bench::start().await;
    let office = bench.fake.supergroup("Office");
    let seats = ["Ada", "Ben"].map(|name| bench.fake.person(name).in_group(&office));
    let mut events = Vec::new();
    for (no, seat) in seats.iter().enumerate() {
        seat.writes("@FormBot pizza").await;
        events.push(bench.event(no + 1).await);
    }
    bench.replies(&events[0], words(1, "How many, Ada?")).await;
    bench.replies(&events[1], words(2, "How many, Ben?")).await;
    seats[1].is_asked_to_reply().await;
    seats[1].writes("five").await;
    assert_eq!(bench.event(3).await.user.id, events[1].user.id);
    seats[0].writes("six").await;
    let six = bench.event(4).await;
    assert_eq!((said(&six).as_str(), &six.user.id), ("six", &events[0].user.id));
    bench.ends_well().await;
}

#[test]
fn a_place_names_its_platform() {
    assert_eq!(chat::Platform::new("telegram").as_str(), formwright_telegram::PLATFORM);
}
