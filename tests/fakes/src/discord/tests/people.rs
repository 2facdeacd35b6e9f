//! What people do, and what an answer to it must be.

use std::time::Duration;

use rstest::rstest;
use serde_json::{Value, json};

use super::{Bot, buttons, hasty, next_interaction};
use crate::discord::{DiscordFake, Options};

fn window() -> Value {
    let input = json!({"type": 4, "custom_id": "name", "style": 1, "required": true, "max_length": 10});
    let radio = json!({"type": 21, "custom_id": "size", "options": [{"label": "Small", "value": "s"}, {"label": "Large", "value": "l", "default": true}]});
    json!({"type": 9, "data": {"custom_id": "window", "title": "Pizza", "components": [
        {"type": 18, "label": "Name", "component": input}, {"type": 18, "label": "Size", "component": radio}]}})
}

/// Ada presses Diavola; gives the answers to the bot's callbacks.
async fn pressed(fake: &DiscordFake, bodies: Vec<Value>) -> Vec<(u16, u64)> {
    let (bot, ada) = (Bot::of(fake), fake.person("Ada").in_channel("lunch"));
    bot.send(&ada, buttons(&["Diavola"])).await;
    let answering = async {
        let (id, token) = next_interaction(fake, 1).await;
        let mut answers = Vec::new();
        for body in bodies {
            let (status, answer) = bot.ask(&format!("POST /interactions/{id}/{token}/callback"), body).await;
            answers.push((status, answer["code"].as_u64().unwrap_or(0)));
        }
        answers
    };
    tokio::join!(ada.presses("Diavola"), answering).1
}

#[rstest]
#[case::twice(vec![json!({"type": 6}), json!({"type": 6})], vec![(204, 0), (400, 40060)])]
#[case::window_after_defer(vec![json!({"type": 6}), window()], vec![(204, 0), (400, 40060)])]
#[case::choices(vec![json!({"type": 8, "data": {"choices": []}}), json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::pong(vec![json!({"type": 1}), json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::empty(vec![json!({"type": 4, "data": {}}), json!({"type": 6})], vec![(400, 50006), (204, 0)])]
#[case::no_type(vec![json!({}), json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::title(vec![json!({"type": 9, "data": {"custom_id": "w", "title": "t".repeat(46), "components": [{"type": 10, "content": "x"}]}}),
    json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::parts(vec![json!({"type": 9, "data": {"custom_id": "w", "title": "t", "components": []}}), json!({"type": 6})],
    vec![(400, 50035), (204, 0)])]
#[case::label(vec![json!({"type": 9, "data": {"custom_id": "w", "title": "t", "components": [{"type": 18, "label": "l".repeat(46),
    "component": {"type": 4, "custom_id": "a", "style": 1}}]}}), json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::button_in_window(vec![json!({"type": 9, "data": {"custom_id": "w", "title": "t", "components": [{"type": 18, "label": "l",
    "component": {"type": 2, "custom_id": "a", "style": 1, "label": "x"}}]}}), json!({"type": 6})], vec![(400, 50035), (204, 0)])]
#[case::prefill(vec![json!({"type": 9, "data": {"custom_id": "w", "title": "t", "components": [{"type": 18, "label": "l",
    "component": {"type": 4, "custom_id": "a", "style": 1, "max_length": 2, "value": "abc"}}]}}), json!({"type": 6})],
    vec![(400, 50035), (204, 0)])]
#[tokio::test]
async fn a_press_takes_one_answer_of_its_kinds(#[case] bodies: Vec<Value>, #[case] answers: Vec<(u16, u64)>) {
    let fake = DiscordFake::start().await;
    assert_eq!(pressed(&fake, bodies).await, answers);
}

#[tokio::test]
async fn an_answer_after_the_time_is_refused_and_the_person_told() {
    let fake = hasty().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    bot.send(&ada, buttons(&["Diavola"])).await;
    ada.presses("Diavola").await;
    ada.sees("This interaction failed").await;
    let (id, token) = next_interaction(&fake, 1).await;
    let (status, answer) = bot.ask(&format!("POST /interactions/{id}/{token}/callback"), json!({"type": 6})).await;
    assert_eq!((status, answer["code"].as_u64()), (404, Some(10062)));
    assert_eq!(fake.unanswered().len(), 1);
}

#[tokio::test]
async fn a_token_ends_and_is_none_before_the_first_answer() {
    let token_life = Duration::from_millis(200);
    let fake = DiscordFake::start_with(Options { token_life, ..Options::default() }).await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada"));
    bot.send(&ada, buttons(&["Diavola"])).await;
    let answering = async {
        let (id, token) = next_interaction(&fake, 1).await;
        let hook = format!("POST /webhooks/1100000000000000099/{token}");
        let early = bot.ask(&hook, json!({"content": "x"})).await;
        bot.ask(&format!("POST /interactions/{id}/{token}/callback"), json!({"type": 6})).await;
        let (known, _) = bot.ask(&hook, json!({"content": "x", "flags": 64})).await;
        while fake.world.look(|state| state.interactions.values().all(|known| known.at.elapsed() <= token_life)) {
            tokio::task::yield_now().await;
        }
        (early.1["code"].clone(), known, bot.ask(&hook, json!({"content": "x"})).await.1["code"].clone())
    };
    let ((), codes) = tokio::join!(ada.presses("Diavola"), answering);
    assert_eq!(codes, (json!(10015), 200, json!(50027)));
}

#[tokio::test]
async fn what_is_ephemeral_is_seen_by_one_and_is_no_message_of_the_channel() {
    let fake = DiscordFake::start().await;
    let said = json!({"type": 4, "data": {"content": "for you", "flags": 64}});
    assert_eq!(pressed(&fake, vec![said]).await, [(204, 0)]);
    let (ada, ben) = (fake.person("Ada").in_channel("lunch"), fake.person("Ben").in_channel("lunch"));
    ada.sees_alone("for you").await;
    assert!(!ben.ever_saw("for you"));
    let line = format!("/channels/{}/messages/{}", ada.channel_id(), ada.messages()[1].id);
    assert_eq!(Bot::of(&fake).ask(&format!("GET {line}"), Value::Null).await.1["code"], json!(10008));
}

#[tokio::test]
async fn a_promise_is_filled_in_by_the_first_words_after_it() {
    let fake = DiscordFake::start().await;
    assert_eq!(pressed(&fake, vec![json!({"type": 5, "data": {"flags": 64}})]).await, [(204, 0)]);
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada").in_channel("lunch"));
    ada.sees("thinking").await;
    let (_, token) = next_interaction(&fake, 1).await;
    let hook = format!("/webhooks/1100000000000000099/{token}");
    bot.ask(&format!("POST {hook}"), json!({"content": "done"})).await;
    ada.sees_alone("done").await;
    bot.ask(&format!("PATCH {hook}/messages/@original"), json!({"content": "changed"})).await;
    ada.sees_alone("changed").await;
    assert_eq!(bot.ask(&format!("DELETE {hook}/messages/@original"), Value::Null).await.0, 204);
    assert_eq!(ada.messages().len(), 1);
}

#[tokio::test]
async fn a_window_is_filled_in_by_labels_and_takes_no_window_for_an_answer() {
    let fake = DiscordFake::start().await;
    assert_eq!(pressed(&fake, vec![window()]).await, [(204, 0)]);
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada").in_channel("lunch"));
    ada.sees_modal("Name*: ____").await;
    let answering = async {
        let (id, token) = next_interaction(&fake, 2).await;
        let line = format!("POST /interactions/{id}/{token}/callback");
        let again = bot.ask(&line, window()).await;
        let done = bot.ask(&line, json!({"type": 7, "data": {"content": "Thanks", "components": []}})).await;
        (again.1["code"].clone(), done.0)
    };
    let ((), codes) = tokio::join!(ada.fills_modal(&[("Name", "Ada")]), answering);
    assert_eq!(codes, (json!(50035), 204));
    ada.sees("Thanks").await;
    ada.sees_no_more("Diavola").await;
    let sent = fake.world.look(|state| match &state.gateway.told.iter().rev().nth(1) {
        Some(crate::discord::sessions::News::Interaction(sent)) => sent["data"].clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(sent["components"][0]["component"]["value"], json!("Ada"));
    assert_eq!(sent["components"][1]["component"]["value"], json!("l"));
}

#[tokio::test]
async fn commands_are_sent_with_what_was_chosen() {
    let fake = DiscordFake::start().await;
    let (bot, ada) = (Bot::of(&fake), fake.person("Ada").in_channel("lunch"));
    let option = json!({"type": 3, "name": "form", "description": "d", "autocomplete": true});
    let command = json!([{"name": "form", "description": "d", "options": [option]}]);
    assert_eq!(bot.ask("PUT /applications/1100000000000000099/commands", command).await.0, 200);
    let choosing = async {
        let (id, token) = next_interaction(&fake, 1).await;
        let choices = json!({"type": 8, "data": {"choices": [{"name": "Pizza", "value": "pizza-order"}]}});
        bot.ask(&format!("POST /interactions/{id}/{token}/callback"), choices).await.0
    };
    let (choices, status) = tokio::join!(ada.types_into("/form", "form", "piz"), choosing);
    assert_eq!((choices, status), (vec!["Pizza".to_owned()], 204));
    let answering = async {
        let (id, token) = next_interaction(&fake, 2).await;
        let line = format!("POST /interactions/{id}/{token}/callback?with_response=true");
        bot.ask(&line, json!({"type": 4, "data": {"content": "ok"}})).await
    };
    let ((), (status, answer)) = tokio::join!(ada.runs_with("/form", &[("form", "Pizza")]), answering);
    assert_eq!((status, &answer["resource"]["message"]["content"]), (200, &json!("ok")));
    let value = fake.world.look(|state| match &state.gateway.told[1] {
        crate::discord::sessions::News::Interaction(sent) => sent["data"]["options"][0]["value"].clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(value, json!("pizza-order"));
}

#[rstest]
#[case(r"\*\*bold\*\* \<@1\> \# x", "  **bold** <@1> # x\n")]
#[case("**bold** and `code`", "  bold and code\n")]
#[case("### Title\n-# small", "  Title\n  small\n")]
#[case("2 * 3", "  2 * 3\n")]
#[tokio::test]
async fn markup_is_not_seen_and_escapes_are(#[case] words: &str, #[case] seen: &str) {
    let fake = DiscordFake::start().await;
    let ada = fake.person("Ada");
    Bot::of(&fake).send(&ada, json!({"content": words})).await;
    assert_eq!(ada.screen(), format!("Formwright:\n{seen}"));
}
