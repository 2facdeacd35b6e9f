//! The adapter against the fake platform, which refuses what Telegram refuses: people read, press and write.

use std::sync::Arc;

use formwright_chat::{
    Action, Adapter as _, Delivery, DeliveryError, FormCard, Input, Place, Platform, Pressed, Reply, ReplyId, UserId,
    conformance,
};
use formwright_fakes::host::FakeHost;
use formwright_fakes::telegram::{Seat, TelegramFake};

use super::another;
use crate::{TelegramAdapter, TelegramSettings};

struct Stage {
    fake: TelegramFake,
    host: Arc<FakeHost>,
    adapter: Arc<TelegramAdapter>,
    task: tokio::task::JoinHandle<Result<(), formwright_chat::AdapterError>>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stage {
    async fn new() -> Self {
        let fake = TelegramFake::start().await;
        let form = FormCard {
            id: "pizza-order".into(),
            title: "Pizza".into(),
            description: String::new(),
            fields: 3,
            ..FormCard::default()
        };
        let host = Arc::new(FakeHost::with_forms(vec![form]));
        let settings = TelegramSettings { token: fake.token(), api_url: fake.url(), ..TelegramSettings::default() };
        let adapter = Arc::new(TelegramAdapter::new(settings).unwrap());
        let run = Arc::clone(&adapter).run(Arc::clone(&host) as _, Box::pin(std::future::pending()));
        Self { task: tokio::spawn(run), fake, host, adapter }
    }

    /// Delivers a reply to a person where they sit.
    async fn delivers(&self, id: &str, seat: &Seat, reply: &Reply) {
        let place = Place {
            platform: Platform::new("telegram"),
            workspace: String::new(),
            channel: seat.chat_id().to_string(),
            thread: None,
        };
        let user = UserId::new(seat.person().id().to_string());
        let (id, reply) = (ReplyId::new(id), reply.clone());
        let delivery = Delivery { id, place, user, reply, attempt: 0, overtaken: false };
        loop {
            match self.adapter.deliver(&delivery).await {
                Ok(()) => return,
                Err(DeliveryError::Later { after: None, .. }) => tokio::task::yield_now().await,
                Err(error) => panic!("{error}"),
            }
        }
    }

    async fn pressed(&self, count: usize) -> Pressed {
        let events = self.host.wait_for_events(count).await;
        let Action::Press { presses } = &events[count - 1].action else { panic!("{events:?}") };
        presses[0].value.clone()
    }
}

#[tokio::test]
async fn telegram_takes_every_reply_in_private_and_in_a_group() {
    let stage = Stage::new().await;
    let short = |reply: &Reply| crate::preview(reply).len() <= 2;
    // What is longer than two messages comes at the pace that Telegram asks for.
    let replies = conformance::replies().into_iter().map(|(_, reply)| reply).filter(short);
    for (no, reply) in replies.enumerate() {
        // One person each, who may be written to at once.
        let ada = stage.fake.person(&format!("Ada {no}")).in_private();
        ada.writes("hello").await;
        let reply = if reply.nonce().is_some() { another(&reply, no as u128 + 1) } else { reply };
        stage.delivers(&format!("d{no}"), &ada, &reply).await;
        if no % 3 == 0 {
            let group = stage.fake.supergroup(&format!("Group {no}"));
            let bob = stage.fake.person(&format!("Bob {no}"));
            group.welcomes(&bob);
            let bob = bob.in_group(&group);
            let reply = if reply.nonce().is_some() { another(&reply, no as u128 + 1001) } else { reply };
            stage.delivers(&format!("g{no}"), &bob, &Reply { private: false, ..reply }).await;
        }
    }
    assert_eq!(stage.fake.refusals(), Vec::<String>::new());
    assert_eq!(stage.fake.pings(), Vec::<String>::new());
}

#[tokio::test]
async fn a_day_is_picked_in_the_calendar() {
    let stage = Stage::new().await;
    let ada = stage.fake.person("Ada").in_private();
    ada.writes("hello").await;
    let bounds = |day: &str| Some(day.to_owned());
    let question = conformance::asking(Input::Date { min: bounds("2031-01-30"), max: bounds("2031-03-10") });
    stage.delivers("d1", &ada, &question).await;
    ada.sees_button("January 2031").await;
    ada.presses("›").await;
    ada.sees_button("February 2031").await;
    ada.presses("14").await;
    assert_eq!(stage.pressed(2).await, Pressed::Text { text: "2031-02-14".to_owned() });
    stage.delivers("d2", &ada, &another(&question, 2)).await;
    ada.sees("✓ 14 February 2031").await;
    stage.fake.answers_all_presses().await;
    assert_eq!(stage.fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn several_are_ticked_and_an_old_or_a_strange_hand_changes_nothing() {
    let stage = Stage::new().await;
    let ada = stage.fake.person("Ada").in_private();
    ada.writes("hello").await;
    let question = conformance::several(60);
    stage.delivers("d1", &ada, &question).await;
    ada.presses("Option 2").await;
    ada.sees_button("☑ Option 2").await;
    ada.presses("›").await;
    ada.presses("Option 9").await;
    ada.sees_button("☑ Option 9").await;
    ada.presses("Done (2)").await;
    let token = question.questions[0].token.clone();
    let tokens = vec![token.option(1), token.option(8)];
    assert_eq!(stage.pressed(2).await, Pressed::Options { tokens });
    stage.delivers("d2", &ada, &another(&question, 2)).await;
    ada.sees("✓ Option 2, Option 9").await;
    ada.presses_old("Option 3").await;
    let eve = stage.fake.person("Eve").in_private();
    eve.writes("hello").await;
    eve.presses_of(&ada, "Option 3").await;
    stage.fake.answers_all_presses().await;
    assert_eq!(stage.host.events().len(), 3);
    assert_eq!(stage.fake.refusals(), Vec::<String>::new());
}

#[tokio::test]
async fn a_private_question_leads_from_the_group_to_the_private_chat_and_back() {
    let stage = Stage::new().await;
    let group = stage.fake.supergroup("Office");
    let ada = stage.fake.person("Ada");
    group.welcomes(&ada);
    let seat = ada.in_group(&group);
    let mut secret = conformance::asking(Input::Text { long: false, max_chars: None, example: None, secret: true });
    secret.private = true;
    stage.delivers("d1", &seat, &secret).await;
    let door = seat.follows("Answer in private").await;
    door.sees("What is field 0?").await;
    door.writes("the secret").await;
    let events = stage.host.wait_for_events(1).await;
    assert_eq!(events[0].place.channel, group.id().to_string());
    door.no_longer_sees_own("the secret").await;
    stage.delivers("d2", &seat, &Reply { say: vec!["Thank you.".into()], ..Reply::default() }).await;
    seat.sees("Thank you.").await;
    let refused = stage.fake.refusals_but(&["can't initiate conversation"]);
    assert_eq!(refused, Vec::<String>::new());
}
