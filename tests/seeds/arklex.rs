//! Tools and slots of Arklex.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use formwright::engine::Engine;
use formwright::form::Catalog;
use formwright::form::load::submission_schema;
use formwright::runtime::{Clock, Limits, Parts, Runtime};
use formwright::store::MemoryStore;
use formwright::submit::Opener;
use formwright::tool::{Param, Recipe, Tools};
use formwright_chat as chat;
use serde_json::json;

use super::visitor::{Visitor, folder};
use crate::program::Server;

super::played! { "arklex.md",
    description_for_routing = "description for routing";
    params = "params";
    outputs = "outputs";
    completion_predicate = "completion predicate";
    skip_if_outputs_known = "skip if outputs known";
    retry_on_error = "retry on error";
    default_values_pre_verified = "default values pre-verified";
    verification_with_reason_asked_once = "verification with reason, asked once";
    type_conversion = "type conversion";
    groups_repeatable_nested = "groups/repeatable/nested";
    value_source_fixed_default_prompt = "value source fixed/default/prompt";
    tool_schema_hides_fixed_verified = "tool schema hides fixed/verified";
    domain_auth_generic_errors = "domain/auth/generic errors";
    direct_response_flag = "direct-response flag";
    digression_stack_and_resume = "digression stack and resume";
    choice_lists = "choice lists";
    human_hand_off = "human hand-off";
}

/// A Rust function, registered under a name: people find it by what it does, are asked for what it needs, and hear what it gave.
#[tokio::test(flavor = "multi_thread")]
async fn any_function_as_a_tool() {
    let called = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&called);
    let twice = Recipe::new("twice", "Doubles a number")
        .example("what is 21 times 2")
        .param(Param::new("number", "number").ask("Which number?"))
        .output("result", "number")
        .answer("That makes {{ result }}.");
    let tools = Tools::new()
        .register(twice, move |args| {
            count.fetch_add(1, Ordering::SeqCst);
            async move { Ok(json!({"result": args["number"].as_f64().unwrap_or_default() * 2.0})) }
        })
        .unwrap();
    let mut catalog = Catalog::default();
    tools.forms().into_iter().for_each(|form| catalog.insert_own(form));
    let folder = tempfile::tempdir().unwrap();
    let runtime = Runtime::new(Parts {
        store: Arc::new(MemoryStore::default()),
        conversation: Arc::new(Engine::new(catalog)),
        tools,
        model: None,
        opener: Opener::new(folder.path().to_owned()).unwrap(),
        sinks: BTreeMap::new(),
        adapters: Vec::new(),
        listen: Vec::new(),
        listeners: Vec::new(),
        schema: submission_schema,
        clock: Clock::system(),
        limits: Limits::default(),
    });
    let host = runtime.host();
    tokio::spawn(async move { runtime.run(std::future::pending()).await });
    let mut last = Vec::new();
    for (no, text) in ["please double a number", "21"].into_iter().enumerate() {
        let event = chat::Event {
            id: chat::EventId::new(no.to_string()),
            place: chat::Place {
                platform: chat::Platform::new("example"),
                workspace: String::new(),
                channel: "1".to_owned(),
                thread: None,
            },
            user: chat::User { id: chat::UserId::new("ada"), name: None, locale: Some("en".to_owned()), zone: None },
            at: jiff::Timestamp::now(),
            action: chat::Action::Say { text: text.to_owned() },
            terms: chat::Terms::default(),
        };
        let turn = host.converse(event).await.unwrap();
        last = turn.replies.iter().flat_map(|reply| reply.say.clone()).collect();
        if no == 0 {
            assert!(last.iter().any(|said| said == "Which number?"), "{last:?}");
        }
    }
    assert!(last.iter().any(|said| said == "That makes 42."), "{last:?}");
    assert_eq!(called.load(Ordering::SeqCst), 1);
}

/// What was said stays from turn to turn; when the program starts with another form, what no longer fits its field is asked
/// again, and the rest is kept.
#[tokio::test]
async fn kept_across_turns_reset_when_the_definition_changes() {
    let form = |options: &str| {
        format!(
            "id = \"trip\"\ntitle = \"Trip\"\n[[field]]\nid = \"name\"\nkind = \"text\"\nask = \"Who?\"\n\
             [[field]]\nid = \"town\"\nkind = \"choice\"\nask = \"Where to?\"\noptions = {options}\n\
             [[field]]\nid = \"day\"\nkind = \"date\"\nask = \"When?\"\n"
        )
    };
    let server = Server::start_in(folder(&[("trip.toml", &form("[\"Rome\", \"Bari\"]"))]), &[]);
    let mut visitor = Visitor::at(&server.address);
    visitor.opens("trip").await;
    visitor.says("Ada").await;
    let kept = visitor.says("Bari").await;
    assert_eq!(kept["answers"], json!({"name": "Ada", "town": "bari"}));
    assert_eq!(visitor.says("is it far?").await["answers"], kept["answers"], "kept across turns");
    std::fs::write(server.folder.path().join("forms/trip.toml"), form("[\"Rome\", \"Pisa\"]")).unwrap();
    let server = server.restart();
    visitor.address.clone_from(&server.address);
    let after = visitor.says("2026-12-01").await;
    assert_eq!((&after["answers"]["name"], &after["asked"]), (&json!("Ada"), &json!("town")), "{after}");
    assert!(after["answers"]["town"].is_null(), "{after}");
}
