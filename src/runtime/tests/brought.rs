//! Forms that come along with events: there after a restart, and however many others came since.

use super::*;

const LUNCH: &str = "id: lunch\ntitle: Lunch\nfield:\n  - { id: dish, kind: text, ask: Which dish? }\n  - \
                     { id: guests, kind: integer, ask: How many guests? }\n";

fn process(store: &Arc<Flaky>) -> Stage {
    Stage::over(Arc::clone(store), Arc::new(Engine::default()), Duration::ZERO)
}

/// The event that opens a form which it brings along, as another process may have stored it.
fn opens(stage: &Stage, channel: &str, text: &str) -> chat::Event {
    let form = stage.host.form_from_text(text).unwrap();
    let brought = Some(Box::new(chat::Brought::Text { text: text.to_owned() }));
    let event = chat::Event {
        action: chat::Action::Open { form: Some(form) },
        terms: chat::Terms { brought, ..chat::Terms::default() },
        ..says(channel, "open", "")
    };
    serde_json::from_str(&serde_json::to_string(&event).unwrap()).unwrap()
}

fn says(channel: &str, id: &str, text: &str) -> chat::Event {
    let mut event = event("web", &format!("{channel}-{id}"), text);
    channel.clone_into(&mut event.place.channel);
    event
}

async fn heard(stage: &Stage, event: chat::Event) -> String {
    let turn = stage.host.converse(event).await.unwrap();
    let asked = |reply: &chat::Reply| reply.questions.iter().map(|question| question.ask.clone()).collect::<Vec<_>>();
    turn.replies.iter().flat_map(|reply| reply.say.iter().cloned().chain(asked(reply))).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_form_that_came_along_is_there_after_a_restart_and_elsewhere() {
    let first = Stage::with(Arc::new(Engine::default()));
    let opening = opens(&first, "a", LUNCH);
    // Another process never saw the request, only its event.
    let second = process(&first.store);
    assert!(heard(&second, opening).await.contains("Which dish?"));
    assert!(heard(&first, says("a", "1", "Soup")).await.contains("How many guests?"));
    let third = process(&first.store);
    let view = third.host.view(&says("a", "", "").place, &chat::UserId::new("ann")).await.unwrap().unwrap();
    assert_eq!((view.answers.len(), view.asked.as_deref()), (1, Some("guests")));
    assert!(heard(&process(&first.store), says("a", "2", "4")).await.contains("Is everything right?"));
    assert!(heard(&process(&first.store), says("a", "3", "yes")).await.contains("has been submitted"));
    let submitted = first.store.submissions(None, 10).await.unwrap();
    assert_eq!(submitted.len(), 1);
    assert_eq!(submitted[0].answers, serde_json::json!({"dish": "Soup", "guests": 4}));
}

#[tokio::test]
async fn the_form_used_longest_ago_makes_room_and_comes_back() {
    let stage = Stage::with(Arc::new(Engine::default()));
    heard(&stage, opens(&stage, "a", LUNCH)).await;
    for no in 0..230 {
        stage.host.form_from_text(&LUNCH.replace("Which dish?", &format!("Dish {no}?"))).unwrap();
    }
    assert_eq!(stage.runtime.catalog().forms().count(), 200);
    assert!(heard(&stage, says("a", "1", "Soup")).await.contains("How many guests?"));
    assert_eq!(stage.runtime.catalog().forms().count(), 200);
}

#[tokio::test]
async fn a_session_keeps_only_the_forms_that_it_needs() {
    let stage = Stage::with(Arc::new(Engine::default()));
    for no in 0..4 {
        let text = LUNCH.replace("id: lunch", &format!("id: lunch-{no}"));
        let mut opening = opens(&stage, "a", &text);
        opening.id = chat::EventId::new(format!("open-{no}"));
        heard(&stage, opening).await;
    }
    let key = Runtime::key(&says("a", "", "").place, &chat::UserId::new("ann"));
    let session = stage.store.load(&key).await.unwrap().session.unwrap();
    assert_eq!(session.brought.len(), 1, "nothing was said in the others");
}

#[tokio::test]
async fn a_form_that_came_along_names_no_desk() {
    let stage = Stage::with(Arc::new(Engine::default()));
    for key in ["review: { by: leads }", "handoff: leads"] {
        let told = stage.host.form_from_text(&format!("{LUNCH}{key}\n")).unwrap_err().to_string();
        assert!(told.contains("cannot name a desk"), "{told}");
    }
}
