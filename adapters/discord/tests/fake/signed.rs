//! Interactions over HTTP: what Discord signed is taken, and nothing else.

use formwright_chat::{Action, Input, conformance};
use formwright_discord::Transport;
use formwright_fakes::discord::Forgery;

use crate::{Stage, options, said, texts, unlimited};

#[tokio::test]
async fn everything_works_over_http_with_messages_over_the_gateway() {
    let stage = Stage::with(unlimited(), Transport::Both).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::several(60)).await.unwrap();
    ada.picks(&["Option 3"]).await;
    ada.presses("Search").await;
    ada.fills_modal(&[("Search", "Option 44")]).await;
    ada.picks(&["Option 44"]).await;
    ada.presses("Done").await;
    assert_eq!(options(&stage.event(2).await), [2, 43]);
    stage.reply(&stage.event(2).await, 'b', &conformance::asking(Input::Email)).await.unwrap();
    ada.presses("Type an answer").await;
    ada.fills_modal(&[("Field 0", "ada@example.com")]).await;
    assert_eq!(texts(&stage.event(3).await), ["ada@example.com"]);
    ada.writes("@Formwright hello").await;
    assert_eq!(said(&stage.event(4).await), "hello");
    assert_eq!(ada.types_into("/form", "form", "piz").await, ["Pizza order"]);
    stage.fine();
}

#[tokio::test]
async fn buttons_and_windows_work_over_http_alone() {
    let stage = Stage::with(unlimited(), Transport::Http).await;
    let ada = stage.fake.person("Ada");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    ada.presses("Option 3").await;
    assert_eq!(options(&stage.event(2).await), [2]);
    ada.sees("✓ Option 3").await;
    assert_eq!(stage.fake.sessions(), (0, 0));
    stage.fine();
}

#[tokio::test]
async fn no_forgery_is_taken_and_nothing_is_stored() {
    let stage = Stage::with(unlimited(), Transport::Both).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    ada.runs("/pizza-order").await;
    stage.reply(&stage.event(1).await, 'a', &conformance::one_of(3)).await.unwrap();
    let mut tried = 0;
    for forgery in Forgery::all() {
        let pressed = ada.forges_press("Option 2", forgery).await;
        let sent = ada.forges_command("/form", forgery).await;
        assert!(matches!((pressed, sent), (400 | 401, 400 | 401)), "{forgery:?}: {pressed}, {sent}");
        tried += 2;
    }
    assert!(tried >= 60, "{tried}");
    assert_eq!(stage.host.events().len(), 1);
    // What is genuine still counts.
    ada.presses("Option 2").await;
    assert_eq!(options(&stage.event(2).await), [1]);
    stage.fine();
}

#[tokio::test]
async fn what_is_sent_again_is_taken_once() {
    let stage = Stage::with(unlimited(), Transport::Both).await;
    let ada = stage.fake.person("Ada").in_channel("lunch");
    assert_eq!(ada.replays_command("/pizza-order", 3).await, [200, 401, 401]);
    let opened = stage.event(1).await;
    assert_eq!(opened.action, Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(stage.host.events().len(), 1);
}
