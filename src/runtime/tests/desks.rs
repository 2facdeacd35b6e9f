//! Requests at a desk: which session an event is for, what leaves when, and who is forgotten with it.

use super::*;
use formwright_engine::Desk;

/// A form that people on Slack approve, filled in on the web.
fn approving() -> Stage {
    approving_with("")
}

/// The same with further keys, and another form.
fn approving_with(keys: &str) -> Stage {
    let text = PIZZA.replace("SINKS", &format!("[\"log\"]\nreview = {{ by = \"leads\", remind = \"24h\" }}\n{keys}"));
    let mut catalog = Catalog::default();
    catalog.insert(load(&text, Syntax::Toml).form.unwrap());
    let other = PIZZA.replace("SINKS", "[\"log\"]").replacen("\"pizza\"", "\"pasta\"", 1);
    catalog.insert(load(&other, Syntax::Toml).form.unwrap());
    let desk = Desk { place: place("slack"), people: Vec::new(), lang: None };
    Stage::with(Arc::new(Engine::new(catalog).with_desks([("leads".to_owned(), desk)].into())))
}

/// Ann fills the form in and confirms it; gives its code.
async fn sent(stage: &Stage) -> String {
    sent_by(stage, None).await
}

/// The same by somebody who may use these forms only.
async fn sent_by(stage: &Stage, forms: Option<Vec<String>>) -> String {
    confirmed_by(stage, forms).await;
    let posted = stage.settle().await;
    let at = posted[0].find("F-").unwrap_or_else(|| panic!("{posted:?}"));
    posted[0][at + 2..at + 10].to_owned()
}

/// Ann fills the form in and confirms it.
async fn confirmed_by(stage: &Stage, forms: Option<Vec<String>>) {
    let terms = chat::Terms { forms, ..chat::Terms::default() };
    let does = async |event: chat::Event| {
        stage.host.converse(chat::Event { terms: terms.clone(), ..event }).await.unwrap().replies
    };
    let opens = chat::Action::Open { form: Some("pizza".to_owned()) };
    does(chat::Event { action: opens, ..event("web", "e1", "") }).await;
    does(event("web", "e2", "30")).await;
    let replies = does(event("web", "e3", "yes")).await;
    let said: Vec<&String> = replies.iter().flat_map(|reply| &reply.say).collect();
    assert!(said.iter().any(|said| said.contains("is sent for approval")), "{said:?}");
}

/// What Ann was told last, all of it.
async fn told_last(stage: &Stage) -> String {
    let view = stage.host.view(&place("web"), &chat::UserId::new("ann")).await.unwrap().unwrap();
    view.last.iter().flat_map(|reply| reply.say.clone()).collect::<Vec<_>>().join(" / ")
}

fn ben(id: &str, text: &str) -> chat::Event {
    let user = chat::User { id: chat::UserId::new("ben"), name: Some("Ben".to_owned()), locale: None, zone: None };
    chat::Event { user, ..event("slack", id, text) }
}

#[tokio::test]
async fn what_somebody_fills_in_on_the_web_is_approved_on_slack_and_submitted_once() {
    let stage = approving();
    let code = sent(&stage).await;
    assert_eq!(stage.store.submissions(None, 9).await.unwrap(), []);
    for id in ["b1", "b1", "b2"] {
        stage.host.accept(ben(id, &format!("#{code} approve"))).await.unwrap();
        stage.settle().await;
    }
    let submissions = stage.store.submissions(None, 9).await.unwrap();
    let [submission] = submissions.as_slice() else { panic!("{submissions:?}") };
    assert_eq!((submission.user.as_str(), submission.place.platform.as_str()), ("ann", "web"));
    let review = submission.review.as_ref().unwrap();
    assert_eq!((review.desk.as_str(), review.round, review.approvals.len()), ("leads", 1, 1));
    assert_eq!(review.approvals[0].user.id.as_str(), "ben");
    assert_eq!(stage.submitted(), 1);
    let said = stage.settle().await;
    assert_eq!(said.iter().filter(|said| said.contains("was approved by Ben")).count(), 2, "{said:?}");
    assert!(said.last().unwrap().starts_with("ben: "), "who comes late is told alone: {said:?}");
}

#[tokio::test]
async fn nobody_plays_the_other_side_of_a_case() {
    let stage = approving();
    let code: chat::CaseCode = sent(&stage).await.parse().unwrap();
    let user = chat::Member { id: chat::UserId::new("eve"), name: None };
    let decisions = vec![chat::Decision { user, at: Timestamp::UNIX_EPOCH }];
    let news = chat::CaseNews::Approved { decisions };
    let action = chat::Action::Case { code: code.clone(), news };
    let forged = chat::Event { action, ..event("web", "f1", "") };
    assert!(matches!(stage.host.accept(forged.clone()).await, Err(HostError::Refused(_))));
    assert!(matches!(stage.host.converse(forged).await, Err(HostError::Refused(_))));
    let terms = chat::Terms { case: Some(code.clone()), ..chat::Terms::default() };
    let elsewhere = chat::Event { terms, ..ben("f2", &format!("#{code} approve")) };
    let place = chat::Place { channel: "other".to_owned(), ..place("slack") };
    stage.host.accept(chat::Event { place, ..elsewhere }).await.unwrap();
    stage.settle().await;
    assert_eq!(stage.store.submissions(None, 9).await.unwrap(), []);
}

#[tokio::test]
async fn a_desk_is_reminded_and_a_case_outlives_its_reminders() {
    let stage = approving();
    let code = sent(&stage).await;
    for _ in 0..2 {
        stage.pass(25 * 3600);
        stage.runtime.expire().await.unwrap();
        stage.settle().await;
    }
    let said = stage.settle().await;
    assert_eq!(said.iter().filter(|said| said.contains("is still waiting")).count(), 2, "{said:?}");
    stage.host.accept(ben("b1", &format!("#{code} reject no"))).await.unwrap();
    stage.settle().await;
    stage.pass(8 * 24 * 3600);
    stage.runtime.expire().await.unwrap();
    stage.settle().await;
    let key = SessionKey::of_case(&place("slack"), &code.parse().unwrap());
    assert_eq!(stage.store.load(&key).await.unwrap().session, None, "what is over is forgotten in time");
    assert_eq!(stage.submitted(), 0);
}

#[tokio::test]
async fn who_is_forgotten_on_the_web_is_forgotten_at_the_desk() {
    let stage = approving();
    let code = sent(&stage).await;
    assert_eq!(stage.store.session_count().await.unwrap(), 2);
    stage.says("e4", "forget me").await.unwrap();
    stage.says("e5", "yes").await.unwrap();
    let said = async || stage.settle().await.last().cloned().unwrap_or_default();
    for _ in 0..100 {
        if said().await.contains("has had everything deleted") {
            break;
        }
        tokio::task::yield_now().await;
    }
    let last = said().await;
    assert!(last.contains(&format!("#{code} has had everything deleted")) && !last.contains("ann"), "{last}");
    assert_eq!(stage.store.session_count().await.unwrap(), 0);
    for state in [OutboxState::Waiting, OutboxState::Delivered, OutboxState::Dead] {
        assert_eq!(stage.store.outbox(state, 9).await.unwrap(), []);
    }
}

#[tokio::test]
async fn who_waits_is_shown_so_and_cases_are_counted() {
    let stage = approving();
    let code = sent(&stage).await;
    let ann = chat::UserId::new("ann");
    let view = stage.host.view(&place("web"), &ann).await.unwrap().unwrap();
    assert_eq!((view.form.as_deref(), view.state.as_str(), view.under_way()), (Some("pizza"), "InReview", None));
    assert!(view.last.iter().flat_map(|reply| &reply.say).any(|said| said.contains(&code)), "{:?}", view.last);
    stage.host.accept(ben("b1", &format!("#{code} approve"))).await.unwrap();
    stage.settle().await;
    let view = stage.host.view(&place("web"), &ann).await.unwrap().unwrap();
    assert_eq!((view.form.as_deref(), view.state.as_str()), (Some("pizza"), "Closed"));
    let metrics = stage.host.metrics().await;
    for event in ["opened", "approved"] {
        let line = format!(r#"formwright_cases_total{{desk="leads",about="review",event="{event}"}} 1"#);
        assert!(metrics.lines().any(|found| found == line), "no {line} in\n{metrics}");
    }
}

#[tokio::test]
async fn an_approval_leads_to_no_form_that_the_person_may_not_use() {
    for (allowed, goes_on) in [(vec!["pizza"], false), (vec!["pizza", "pasta"], true)] {
        let stage = approving_with("then = \"pasta\"\n");
        let code = sent_by(&stage, Some(allowed.into_iter().map(str::to_owned).collect())).await;
        stage.host.accept(ben("b1", &format!("#{code} approve"))).await.unwrap();
        stage.settle().await;
        let key = Runtime::key(&place("web"), &chat::UserId::new("ann"));
        let session = stage.store.load(&key).await.unwrap().session.unwrap();
        assert_eq!(session.draft.as_ref().is_some_and(|draft| draft.form.as_str() == "pasta"), goes_on);
        assert_eq!(stage.submitted(), 1);
    }
}

#[tokio::test]
async fn a_desk_out_of_reach_is_tried_for_long_and_who_waits_is_told_once() {
    let stage = approving();
    stage.slack.failures.store(9, Ordering::Relaxed);
    confirmed_by(&stage, None).await;
    let mut told = Vec::new();
    for _ in 0..12 {
        stage.settle().await;
        told.push(told_last(&stage).await);
        stage.pass(15 * 60);
    }
    assert!(told[0].contains("is sent for approval"), "{told:?}");
    assert!(told[11].contains("I cannot reach the people who decide"), "{told:?}");
    let said = stage.settle().await;
    assert_eq!(said.iter().filter(|said| said.contains("is waiting for approval")).count(), 1, "{said:?}");
    assert_eq!(stage.store.outbox(OutboxState::Dead, 9).await.unwrap(), []);
    let metrics = stage.host.metrics().await;
    let line = r#"formwright_cases_total{desk="leads",about="review",event="unreached"} 1"#;
    assert!(metrics.lines().any(|found| found == line), "no {line} in\n{metrics}");
}

#[tokio::test]
async fn who_begins_anew_leaves_no_request_at_the_desk() {
    let stage = approving();
    let code = sent(&stage).await;
    assert!(stage.host.reset(&place("web"), &chat::UserId::new("ann")).await.unwrap());
    let said = stage.settle().await;
    assert!(said.last().unwrap().contains(&format!("no longer needs it: F-{code} is closed")), "{said:?}");
    stage.host.accept(ben("b1", &format!("#{code} approve"))).await.unwrap();
    let said = stage.settle().await;
    assert!(said.last().unwrap().starts_with("ben: "), "{said:?}");
    assert_eq!(stage.submitted(), 0);
}

#[tokio::test]
async fn words_beside_a_file_reach_their_case() {
    let stage = approving();
    let code = sent(&stage).await;
    let file = chat::FileRef {
        id: "f1".to_owned(),
        name: "plan.pdf".to_owned(),
        media_type: "application/pdf".to_owned(),
        bytes: Some(9),
    };
    let action = chat::Action::Attach { files: vec![file], text: format!("#{code} approve") };
    stage.host.accept(chat::Event { action, ..ben("b1", "") }).await.unwrap();
    let said = stage.settle().await;
    assert!(said.iter().any(|said| said.contains("was approved by Ben")), "{said:?}");
    assert_eq!(stage.submitted(), 1);
}

/// The forms that can be started.
fn on(stage: &Stage) -> Vec<String> {
    stage.host.forms().into_iter().map(|form| form.id).collect()
}

fn says_of_places(stage: &Stage, error: Option<chat::DeliveryError>) {
    *stage.slack.unreached.lock().unwrap() = error;
}

#[tokio::test]
async fn a_desk_out_of_reach_switches_its_own_form_off_and_no_other() {
    let stage = approving();
    assert!(stage.runtime.look_at_desks().await);
    assert_eq!(on(&stage), ["pasta", "pizza"]);
    says_of_places(&stage, Some(chat::DeliveryError::never("the bot is not in #leads")));
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), ["pasta"]);
    let told = "the form `pizza` is off: its desk `leads` cannot be reached: the bot is not in #leads";
    assert_eq!(stage.host.notices(), [told]);
    assert!(stage.host.when_off("pizza", Some("it")).unwrap().contains("non si può compilare"));
    assert_eq!(stage.host.when_off("pasta", None), None);
    let opens = async |id: &str| {
        let action = chat::Action::Open { form: Some("pizza".to_owned()) };
        let turn = stage.host.converse(chat::Event { action, ..event("web", id, "") }).await.unwrap();
        turn.replies.into_iter().flat_map(|reply| reply.say).collect::<Vec<_>>().join(" / ")
    };
    assert!(opens("e1").await.contains("“Pizza” cannot be filled in at the moment"));
    says_of_places(&stage, Some(chat::DeliveryError::later("no answer")));
    assert!(!stage.runtime.look_at_desks().await);
    assert_eq!(on(&stage), ["pasta"], "what is not known changes nothing");
    says_of_places(&stage, None);
    assert!(stage.runtime.look_at_desks().await);
    assert_eq!((on(&stage).len(), stage.host.notices()), (2, Vec::new()));
    assert!(opens("e2").await.contains("How large?"));
}

#[tokio::test]
async fn a_desk_whose_platform_is_not_there_switches_its_form_off() {
    let stage = approving();
    *stage.slack.trouble.lock().unwrap() = Some("slack refuses the token".to_owned());
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), ["pasta"]);
    assert!(stage.host.notices()[0].ends_with("slack refuses the token"), "{:?}", stage.host.notices());
    let stage = approving();
    says_of_places(&stage, Some(chat::DeliveryError::later("slack is not connected yet")));
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), ["pasta", "pizza"], "at the start it has a minute");
    stage.pass(60);
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), ["pasta"]);
}

#[tokio::test]
async fn desks_that_the_settings_lack_or_have_wrong_switch_their_forms_off() {
    let text = PIZZA.replace("SINKS", "[\"log\"]\nhandoff = \"office\"\nreview = { by = \"leads\" }");
    let mut catalog = Catalog::default();
    catalog.insert(load(&text, Syntax::Toml).form.unwrap());
    let stage = Stage::with(Arc::new(Engine::new(catalog)));
    stage.runtime.shut_desks([("leads".to_owned(), "telegram is not set up".to_owned())].into());
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), [""; 0]);
    let why = [("leads", "telegram is not set up"), ("office", "it is not in the settings")];
    let told = why.map(|(desk, why)| format!("the form `pizza` is off: its desk `{desk}` cannot be reached: {why}"));
    assert_eq!(stage.host.notices(), told);
}

#[tokio::test]
async fn a_delivery_that_a_desk_refuses_counts_until_one_arrives() {
    let stage = approving();
    stage.runtime.look_at_desks().await;
    confirmed_by(&stage, None).await;
    says_of_places(&stage, Some(chat::DeliveryError::never("the bot may not post here")));
    stage.settle().await;
    assert_eq!(on(&stage), ["pasta"]);
    says_of_places(&stage, None);
    stage.runtime.look_at_desks().await;
    assert_eq!(on(&stage), ["pasta"], "that the channel is there does not mean that the bot may post in it");
    stage.pass(2);
    stage.settle().await;
    assert_eq!(on(&stage), ["pasta", "pizza"], "what waited has arrived");
}
