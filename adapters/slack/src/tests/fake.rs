//! The adapter against the fake of Slack, which refuses what Slack refuses. What a person does and sees; the product is
//! scripted.

use std::sync::Arc;

use chat::{Action, Adapter as _, Delivery, Place, Platform, Pressed, Reply, ReplyId, UserId, conformance};
use formwright_chat as chat;
use formwright_fakes::host::FakeHost;
use formwright_fakes::slack::{Person, SlackFake};
use tokio::sync::oneshot;

use super::{card, page, token, worn};
use crate::{Settings, Slack, Transport};

struct Live {
    fake: SlackFake,
    host: Arc<FakeHost>,
    slack: Arc<Slack>,
    _stop: oneshot::Sender<()>,
}

async fn live() -> Live {
    let fake = SlackFake::start().await;
    let host = Arc::new(FakeHost::with_forms(vec![card("pizza-order"), card("injury-report")]));
    let transport = Transport::Socket { app_token: fake.app_token().to_owned() };
    let settings = Settings { api_url: fake.api_url(), ..Settings::new(fake.bot_token(), transport) };
    let slack = Arc::new(Slack::new(settings));
    let (stop, stopped) = oneshot::channel::<()>();
    let shutdown: chat::Shutdown = Box::pin(async move { drop(stopped.await) });
    tokio::spawn(slack.clone().run(host.clone(), shutdown));
    fake.wait_for_connections(1).await;
    Live { fake, host, slack, _stop: stop }
}

impl Live {
    /// Delivers a reply to where the person is.
    async fn says(&self, id: &str, to: &Person, thread: Option<String>, reply: Reply) {
        let place = Place {
            platform: Platform::new("slack"),
            workspace: "T".to_owned(),
            channel: to.channel_id().to_owned(),
            thread,
        };
        let user = UserId::new(to.id());
        let delivery = Delivery { id: ReplyId::new(id), place, user, reply, attempt: 0, overtaken: false };
        self.slack.deliver(&delivery).await.unwrap();
    }

    fn is_clean(&self) {
        assert_eq!(self.fake.refusals(), Vec::<String>::new());
        assert_eq!(self.fake.pings(), Vec::<String>::new());
    }
}

fn words(words: &str) -> Reply {
    Reply { say: vec![words.to_owned()], ..Reply::default() }
}

#[tokio::test]
async fn slack_takes_every_reply() {
    let live = live().await;
    let short = |(_, reply): &(String, Reply)| crate::preview(reply).len() <= 3;
    for (no, (name, reply)) in conformance::replies().into_iter().filter(short).enumerate() {
        let person = live.fake.person(&format!("Person{no}"));
        live.says(&format!("r{no}"), &person, None, reply).await;
        assert_eq!(live.fake.refusals(), Vec::<String>::new(), "{name}");
        assert!(name == "nothing" || !person.screen().is_empty(), "{name}");
    }
    live.is_clean();
}

#[tokio::test]
async fn a_question_in_a_thread_is_its_owners() {
    let live = live().await;
    live.fake.channel("general");
    let ada = live.fake.person_from("Ada", "de-DE", "Europe/Berlin").in_channel("general");
    ada.writes("@Formwright a pizza please").await;
    let event = live.host.wait_for_events(1).await.remove(0);
    assert_eq!(event.action, Action::Say { text: "a pizza please".to_owned() });
    // It is stored before anybody is asked who she is.
    assert_eq!(event.user.zone, None);
    assert_eq!(live.slack.introduce(event.user.clone()).await.zone.as_deref(), Some("Europe/Berlin"));
    live.says("r1", &ada, event.place.thread.clone(), worn(conformance::one_of(3))).await;

    let bob = live.fake.person("Bob").in_channel("general").in_thread_of("a pizza please").await;
    bob.sees("What is field 0?").await;
    bob.presses("Skip").await;
    bob.sees("This is somebody else’s form.").await;
    bob.writes("I would like one too").await;
    let ada = ada.in_thread_of("a pizza please").await;
    ada.chooses("Option 2").await;
    let event = live.host.wait_for_events(2).await.remove(1);
    assert!(matches!(event.action, Action::Press { .. }) && event.user.id.as_str() == ada.id());
    live.says("r2", &ada, event.place.thread.clone(), words("Thank you!")).await;
    ada.sees("✓ Option 2").await;
    ada.presses_old("Skip").await;
    ada.sees("Das ist schon beantwortet.").await;
    assert_eq!(live.host.events().len(), 2);
    live.is_clean();
}

#[tokio::test]
async fn a_page_is_filled_in_as_a_modal() {
    let live = live().await;
    let ada = live.fake.person("Ada").in_private();
    let mut reply = page();
    let no = |no: usize| format!("Question number {no}");
    reply.questions[0].ask = no(0);
    for (at, question) in reply.page.iter_mut().enumerate() {
        question.ask = no(at + 1);
        question.required = false;
    }
    live.says("r1", &ada, None, worn(reply)).await;
    ada.presses("Fill in as a form").await;
    ada.sees_modal("Question number 3").await;
    live.host.find_fault(vec![chat::Fault { token: token(0), problem: "Not there.".to_owned() }]);
    ada.fills_modal(&[("Question number 0", "Via Roma 1"), ("Question number 2", "Option 2")]).await;
    ada.sees_modal("Not there.").await;
    live.host.find_fault(Vec::new());
    ada.fills_modal(&[("Question number 0", "Via Roma 2"), ("Question number 3", "Option 1; Option 3")]).await;
    ada.sees_no_modal().await;
    let Action::Press { presses } = live.host.wait_for_events(1).await.remove(0).action else { panic!() };
    let values = presses.iter().map(|press| &press.value).filter(|value| **value != Pressed::Empty);
    let values: Vec<&Pressed> = values.collect();
    assert_eq!(values.len(), 3, "{values:?}");
    assert_eq!(values[0], &Pressed::Text { text: "Via Roma 2".to_owned() });
    live.is_clean();
}

#[tokio::test]
async fn outside_of_threads_a_question_is_seen_by_one_person_and_changes_in_place() {
    let live = live().await;
    live.fake.channel("general");
    let ada = live.fake.person("Ada").in_channel("general");
    let bob = live.fake.person("Bob").in_channel("general");
    ada.commands("/formwright pizza-order").await;
    let event = live.host.wait_for_events(1).await.remove(0);
    assert_eq!(event.action, Action::Open { form: Some("pizza-order".to_owned()) });
    live.says("r1", &ada, None, worn(conformance::several(4))).await;
    ada.sees("What is field 0?").await;
    assert!(!bob.can_see("What is field 0?"));
    ada.picks(&["Option 1", "Option 4"]).await;
    ada.presses("Done").await;
    live.host.wait_for_events(2).await;
    live.says("r2", &ada, None, words("Thank you!")).await;
    ada.sees("✓ Option 1, Option 4").await;
    assert!(!bob.can_see("Thank you!"));
    live.is_clean();
}

#[tokio::test]
async fn a_form_is_picked_by_shortcut_and_on_home() {
    let live = live().await;
    let ada = live.fake.person("Ada").in_private();
    ada.uses_shortcut("formwright").await;
    ada.sees_modal("The injury-report form").await;
    ada.fills_modal(&[("Choose", "The injury-report form")]).await;
    ada.sees_no_modal().await;
    ada.opens_home().await;
    ada.sees_home("The pizza-order form").await;
    ada.presses_home_beside("The pizza-order form", "Start").await;
    let events = live.host.wait_for_events(2).await;
    assert_eq!(events[0].action, Action::Open { form: Some("injury-report".to_owned()) });
    assert_eq!(events[1].action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert!(events.iter().all(|event| event.place.channel == ada.channel_id()));
    live.is_clean();
}

#[tokio::test]
async fn what_comes_twice_counts_once_and_a_dropped_socket_loses_nothing() {
    let live = live().await;
    live.fake.doubles_events(true);
    let ada = live.fake.person("Ada").in_private();
    ada.writes("hello").await;
    live.host.wait_for_events(1).await;
    live.fake.drop_sockets();
    live.fake.wait_for_connections(1).await;
    ada.writes("still there?").await;
    let events = live.host.wait_for_events(2).await;
    assert_eq!(events.len(), 2);
    live.is_clean();
}
