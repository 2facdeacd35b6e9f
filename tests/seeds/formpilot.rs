//! Forms of FormPilot.

use std::sync::Arc;

use formwright_fakes::llm::{Mode, ModelFake, obedient};
use serde_json::{Value, json};

use super::visitor::{Visitor, action, serving, words};
use crate::program::Server;

super::played! { "formpilot.md",
    greeting_that_sums_up_what_is_needed = "greeting that sums up what is needed";
    bulk_extraction_then_one_at_a_time = "bulk extraction, then one at a time";
    option_labels_dug_out_of_tool_results = "option labels dug out of tool results";
    bilingual_labels = "bilingual labels";
    date_datetime_checks = "date/datetime checks";
    text_judged_in_context = "text judged in context";
    output_guards_with_up_to_3_corrective_retries = "output guards with up to 3 corrective retries";
    payload_validation = "payload validation";
    rephrased_re_ask = "rephrased re-ask";
    fallback_message = "fallback message";
    multi_step_with_confirm_edit_per_step = "multi-step with confirm/edit per step";
    reply_in_the_users_language = "reply in the user's language";
    seven_visibility_operators = "seven visibility operators";
    cascade_of_hidden_answers = "cascade of hidden answers";
    bulk_accept_reject_with_reasons = "bulk accept/reject with reasons";
    correction_and_clarify_intents = "correction and clarify intents";
}

const DOCUMENT: &str = "# Form Pilot: Sample\n\n## Field Summary Table\n\n\
    | # | Field ID | Type | Required | Ask User |\n|---|---|---|---|---|\n\
    | 1 | `tool` | dropdown | Yes | \"Which tool?\" |\n\
    | 2 | `since` | date | Yes (always) | \"Since when?\" |\n\
    | 3 | `note` | text | No | \"Anything else?\" |\n\n\
    ### Tool (REQUIRED)\n\n| Key | English |\n|---|---|\n| `saw` | Saw |\n| `axe` | Axe |\n";

/// A document and YAML, as they are, over the API; a document of FormPilot's own too.
#[tokio::test]
async fn markdown_and_yaml_forms() {
    let trip = std::fs::read_to_string("tests/forms/formpilot/trip-request.md").unwrap();
    let yaml =
        "id: tools\ntitle: Tools\nfields:\n  - { id: tool, kind: choice, ask: Which tool?, options: [Saw, Axe] }\n";
    for (text, asked) in [(DOCUMENT, "tool"), (yaml, "tool"), (trip.as_str(), "trip_type")] {
        let begun = Visitor::new().chats(json!({"form_context_md": text})).await;
        assert_eq!((&begun["asked"], action(&begun)), (&json!(asked), "ASK_DROPDOWN"), "{begun}");
    }
}

/// The first heading, and what the table says of kind and need.
#[tokio::test]
async fn title_required_type_parsing() {
    let mut visitor = Visitor::new();
    let begun = visitor.chats(json!({"form_context_md": DOCUMENT})).await;
    assert!(words(&begun).contains("“Sample”") && words(&begun).contains("Tool and Since."), "{begun}");
    assert_eq!((action(&begun), &begun["action"]["options"]), ("ASK_DROPDOWN", &json!(["Saw", "Axe"])));
    let refused = visitor.says("skip").await;
    assert_eq!(refused["asked"], "tool", "it is needed: {refused}");
    assert_eq!(action(&visitor.says("axe").await), "ASK_DATE");
    assert_eq!(action(&visitor.says("2026-03-01").await), "ASK_TEXT");
    let review = visitor.says("skip").await;
    assert_eq!((&review["state"], &review["answers"]["tool"]), (&json!("WaitConfirm"), &json!("axe")), "{review}");
}

/// A form with a field for each action.
pub(super) const NINE: &str = r#"
id = "nine"
title = "Nine"

[[field]]
id = "text"
kind = "text"
ask = "Words?"
[[field]]
id = "one"
kind = "choice"
ask = "One of them?"
options = ["Red", "Blue"]
[[field]]
id = "some"
kind = "choices"
ask = "Some of them?"
options = ["North", "South", "West"]
[[field]]
id = "day"
kind = "date"
ask = "Which day?"
[[field]]
id = "moment"
kind = "datetime"
ask = "Which day, and when?"
[[field]]
id = "place"
kind = "location"
ask = "Where?"
[[field]]
id = "shop"
kind = "choice"
ask = "Which shop?"
options_from = "shops"

[[tool]]
id = "shops"
kind = "client"
message = "Looking for shops …"
params = { day = "day" }
"#;

#[tokio::test]
async fn nine_actions() {
    let mut visitor = Visitor::new();
    let begun = visitor.opens("nine").await;
    let mut seen = vec![action(&begun).to_owned()];
    assert_eq!((&begun["action"]["field_id"], &begun["action"]["label"]), (&json!("text"), &json!("Text")));
    assert!(begun["action"]["message"].as_str().unwrap().ends_with("Words?"), "{begun}");
    for (said, field, asked, options) in [
        ("some words", "one", "One of them?", json!(["Red", "Blue"])),
        ("Blue", "some", "Some of them?", json!(["North", "South", "West"])),
        ("North, West", "day", "Which day?", Value::Null),
        ("2026-12-01", "moment", "Which day, and when?", Value::Null),
        ("2026-12-01T20:30", "place", "Where?", Value::Null),
    ] {
        let answer = visitor.says(said).await;
        assert_eq!(
            (&answer["action"]["field_id"], &answer["action"]["options"]),
            (&json!(field), &options),
            "{answer}"
        );
        assert!(answer["action"]["message"].as_str().unwrap().ends_with(asked), "{answer}");
        seen.push(action(&answer).to_owned());
    }
    let call = visitor.chats(json!({"location": {"lat": 45.46, "lng": 9.19}})).await;
    assert_eq!(
        (&call["action"]["tool_name"], &call["action"]["tool_args"]),
        (&json!("shops"), &json!({"day": "2026-12-01"}))
    );
    assert!(call["action"]["message"].as_str().unwrap().contains("Looking for shops"), "{call}");
    seen.push(action(&call).to_owned());
    let offered = visitor.brings(&call["action"], json!(["Here", "There"])).await;
    assert_eq!((action(&offered), &offered["action"]["options"]), ("ASK_DROPDOWN", &json!(["Here", "There"])));
    let review = visitor.says("There").await;
    seen.push(action(&review).to_owned());
    let done = visitor.says("yes").await;
    seen.push(action(&done).to_owned());
    let nine = [
        "ASK_TEXT",
        "ASK_DROPDOWN",
        "ASK_CHECKBOX",
        "ASK_DATE",
        "ASK_DATETIME",
        "ASK_LOCATION",
        "TOOL_CALL",
        "MESSAGE",
        "FORM_COMPLETE",
    ];
    assert_eq!(seen, nine);
    assert_eq!(
        done["action"]["data"]["moment"].as_str().map(|moment| &moment[..16]),
        Some("2026-12-01T20:30"),
        "{done}"
    );
    assert_eq!(done["action"]["data"]["some"], json!(["north", "west"]));
}

#[tokio::test]
async fn host_run_tool_round_trip() {
    let mut visitor = Visitor::new();
    let call = visitor.opens("injury-report").await;
    assert_eq!((action(&call), &call["action"]["tool_name"]), ("TOOL_CALL", &json!("get_establishments")), "{call}");
    let works = json!({"establishments": [{"registrationNo": "77", "name": {"english": "Harbour Works", "arabic": "أعمال الميناء"}}]});
    let asked = visitor.brings(&call["action"], works).await;
    assert_eq!((action(&asked), &asked["action"]["options"]), ("ASK_DROPDOWN", &json!(["Harbour Works"])), "{asked}");
    let call = visitor.says("Harbour Works").await;
    assert_eq!(call["action"]["tool_args"], json!({"establishment": "77"}), "the next tool is told the answer: {call}");
}

/// What is being asked is named, and a bare answer goes there, whatever else it would fit.
#[tokio::test]
async fn pending_field() {
    let mut visitor = Visitor::new();
    visitor.opens("pizza-order").await;
    let asked = visitor.says("diavola").await;
    assert_eq!((&asked["asked"], &asked["action"]["field_id"]), (&json!("count"), &json!("count")));
    let next = visitor.says("12").await;
    assert_eq!((&next["answers"]["count"], &next["asked"]), (&json!(12), &json!("address")), "{next}");
    let still = visitor.says("hm hm hm?").await;
    assert_eq!(still["asked"], "address", "what is no answer leaves the question open: {still}");
}

/// Which question is next is told the client, with how far the form is, and the model, so that a bare answer is read for it.
#[tokio::test(flavor = "multi_thread")]
async fn next_step_hint() {
    let fake = ModelFake::start(Mode::Honest, obedient(&[("a few for the family", "count", "7")])).await;
    let url = fake.url();
    let server = serving(&[], &with_model(&url));
    let mut visitor = Visitor::of(Arc::clone(&server));
    let begun = visitor.opens("pizza-order").await;
    let before = begun["progress"]["answered"].as_u64().unwrap();
    let next = visitor.says("diavola").await;
    assert!(next["progress"]["answered"].as_u64().unwrap() > before, "{next}");
    let prompt = asks_the_model(&server, &fake, "pizza-order", &["diavola", "a few for the family"]).await;
    assert!(prompt.contains("sked last") && prompt.contains("count"), "{prompt}");
}

/// Says these things in a form, in one conversation after the other until the program has found that the model is there; gives
/// the prompt.
async fn asks_the_model(server: &Arc<Server>, fake: &ModelFake, form: &str, said: &[&str]) -> String {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        let mut visitor = Visitor::of(Arc::clone(server));
        let mut answer = visitor.opens(form).await;
        for text in said {
            answer = visitor.says(text).await;
        }
        let text = said.last().unwrap();
        let calls = fake.calls();
        if let Some(prompt) = calls.iter().map(|call| call.body.to_string()).find(|body| body.contains(text)) {
            return prompt;
        }
        assert!(std::time::Instant::now() < end, "the model is not asked: {answer}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

/// The variables that name a model.
fn with_model(url: &str) -> [(&'static str, &str); 3] {
    use formwright_fakes::llm::{KEY, MODEL};
    [("FORMWRIGHT__MODEL__BASE_URL", url), ("FORMWRIGHT__MODEL__KEY", KEY), ("FORMWRIGHT__MODEL__NAME", MODEL)]
}

/// Of three hundred fields a model is told those that the message may be about, with their options, and no more.
#[tokio::test(flavor = "multi_thread")]
async fn condensation_of_large_forms() {
    let fake = ModelFake::start(Mode::Honest, obedient(&[("what a king wears", "hat", "crown")])).await;
    let mut form =
        "id = \"large\"\ntitle = \"Large\"\n[[field]]\nid = \"hat\"\nkind = \"choice\"\nask = \"Which hat?\"\n\
        options = [\"Cap\", \"Crown\"]\n"
            .to_owned();
    for no in 0..300 {
        let options: Vec<String> = (0..6).map(|way| format!("\"Way {way} of a long list for matter {no}\"")).collect();
        let field = format!("[[field]]\nid = \"f{no}\"\nkind = \"choice\"\nlabel = \"Matter {no}\"\n");
        form += &format!("{field}ask = \"What of matter {no}?\"\noptions = [{}]\n", options.join(", "));
    }
    let url = fake.url();
    let server = serving(&[("large.toml", &form)], &with_model(&url));
    let prompt = asks_the_model(&server, &fake, "large", &["what a king wears"]).await;
    assert!(prompt.contains("Crown") || prompt.contains("crown"), "the options are there: {prompt}");
    let told = (0..300).filter(|no| prompt.contains(&format!("- f{no} "))).count();
    assert!(told < 150, "{told} of 300 fields are told: {prompt}");
}

/// A session that nobody touches ends; one is begun anew on demand; a client's own id finds what it sent before.
#[tokio::test]
async fn sessions() {
    let brief = "id = \"brief\"\ntitle = \"Brief\"\ndraft_ttl = \"1s\"\n[[field]]\nid = \"a\"\nkind = \"text\"\nask = \"A?\"\n\
        [[field]]\nid = \"b\"\nkind = \"text\"\nask = \"B?\"\n";
    let server = serving(&[("brief.toml", brief)], &[]);
    let mut visitor = Visitor::of(server);
    // An id of the client's own: what is sent again under it is the same message, in the same conversation.
    let mine =
        json!({"form": "pizza-order", "event_id": "order-2026-0001-of-ada-at-the-till", "user_message": "diavola"});
    let first = visitor.chats(mine.clone()).await;
    let (status, again) = visitor.posts("api/chat", &mine).await;
    assert_eq!((status, &again["conversation_id"]), (200, &first["conversation_id"]), "{again}");
    assert_eq!(again["answers"], first["answers"]);
    // Reset.
    let (status, reset) =
        visitor.posts("api/sessions/reset", &json!({"conversation_id": first["conversation_id"]})).await;
    assert_eq!((status, &reset), (200, &json!({"reset": true})));
    let anew = visitor.says("hello").await;
    assert_eq!((&anew["form"], &anew["answers"]), (&Value::Null, &json!({})), "{anew}");
    // Timeout.
    visitor.opens("brief").await;
    assert_eq!(visitor.says("something").await["answers"], json!({"a": "something"}));
    let path = format!("api/conversation/{}", visitor.conversation.as_ref().unwrap().as_str().unwrap());
    let end = std::time::Instant::now() + std::time::Duration::from_secs(90);
    loop {
        let (status, view) = visitor.gets(&path).await;
        if status == 404 || serde_json::from_str::<Value>(&view).unwrap()["session"]["form"].is_null() {
            break;
        }
        assert!(std::time::Instant::now() < end, "{view}");
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
}

#[tokio::test]
async fn api_chat_schemas_schema_reset_health() {
    let mut visitor = Visitor::new();
    let listed = visitor.json("api/schemas").await;
    let ids: Vec<&str> = listed["schemas"].as_array().unwrap().iter().filter_map(|form| form["id"].as_str()).collect();
    assert!(ids.contains(&"pizza-order") && ids.contains(&"nine"), "{ids:?}");
    let schema = visitor.json("api/schemas/pizza-order").await;
    assert_eq!((&schema["id"], &schema["schema"]["type"]), (&json!("pizza-order"), &json!("object")), "{schema}");
    assert_eq!(visitor.gets("api/schemas/nosuch").await.0, 404);
    let begun = visitor.opens("pizza-order").await;
    let health = visitor.json("api/health").await;
    assert_eq!(health["status"], "ok");
    assert!(health["sessions"].as_u64().unwrap() > 0 && health["forms"].as_u64().unwrap() >= 7, "{health}");
    let (status, reset) =
        visitor.posts("api/sessions/reset", &json!({"conversation_id": begun["conversation_id"]})).await;
    assert_eq!((status, &reset["reset"]), (200, &json!(true)));
    // What is wrong is said in words, with a code.
    for (body, status) in [
        (json!({"form": "nosuch"}), 404),
        (json!({"user_message": 7}), 400),
        (json!({"form_context_md": "id: x"}), 422),
    ] {
        let (given, refused) = visitor.posts("api/chat", &body).await;
        assert_eq!(given, status, "{refused}");
        assert!(refused["error"]["message"].as_str().is_some_and(|words| words.len() > 10), "{refused}");
    }
}

/// Every answer that is shown is in it, as the schema of the form has it, and none that is hidden.
#[tokio::test]
async fn completion_payload() {
    let mut visitor = Visitor::new();
    visitor.opens("pizza-order").await;
    visitor.says("two marinaras to via Roma 12, 347 123 4567").await;
    let done = visitor.says("yes").await;
    assert_eq!((action(&done), &done["state"]), ("FORM_COMPLETE", &json!("Closed")), "{done}");
    let data = &done["action"]["data"];
    assert_eq!(*data, json!({"pizza": "marinara", "count": 2, "address": "via Roma 12", "phone": "+393471234567"}));
    let schema = visitor.json("api/schemas/pizza-order").await["schema"].clone();
    assert!(jsonschema::is_valid(&schema, data), "{schema}");
}

/// The page has a list of forms to choose from and a panel, as a browser shows them; what the panel shows is this.
#[tokio::test]
async fn chat_page_with_schema_selector_and_debug_panel() {
    let mut visitor = Visitor::new();
    crate::browser::real::chooses_a_form_and_reads_the_panel(&visitor.address).await;
    let schemas = visitor.json("api/schemas").await;
    assert!(schemas.to_string().contains("pizza-order"), "{schemas}");
    visitor.opens("pizza-order").await;
    visitor.says("diavola").await;
    let view =
        visitor.json(&format!("api/conversation/{}", visitor.conversation.as_ref().unwrap().as_str().unwrap())).await;
    assert_eq!((action(&view), &view["session"]["form"]), ("ASK_TEXT", &json!("pizza-order")), "{view}");
    assert!(view["session"]["answers"].to_string().contains("diavola"), "{view}");
}

/// The image's own variables start the program, with its folders put elsewhere; what watches it is answered.
#[tokio::test]
async fn container_deployment() {
    let image = std::fs::read_to_string("deploy/Dockerfile").unwrap();
    let words = image.split([' ', '\n', '\\']).filter_map(|word| word.split_once('='));
    let ours: Vec<(&str, &str)> = words.filter(|(name, _)| name.starts_with("FORMWRIGHT__")).collect();
    assert_eq!(ours.len(), 3, "{ours:?}");
    assert!(
        image.contains("ENTRYPOINT [\"/formwright\"]")
            && image.contains("CMD [\"run\"]")
            && image.contains("USER 65532")
    );
    let place = tempfile::tempdir().unwrap();
    let moved: Vec<(&str, String)> = ours
        .iter()
        .map(|(name, value)| match value.strip_prefix('/') {
            Some(folder) => (*name, place.path().join(folder).display().to_string()),
            None => (*name, "127.0.0.1:0".to_owned()),
        })
        .collect();
    std::fs::create_dir_all(place.path().join("forms")).unwrap();
    std::fs::copy("forms/pizza-order.toml", place.path().join("forms/pizza-order.toml")).unwrap();
    let moved: Vec<(&str, &str)> = moved.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut visitor = Visitor::of(Arc::new(Server::start_in(tempfile::tempdir().unwrap(), &moved)));
    assert_eq!((visitor.gets("health/live").await.0, visitor.gets("health/ready").await.0), (200, 200));
    assert_eq!(visitor.opens("pizza-order").await["asked"], "pizza");
    assert_eq!(visitor.json("api/schemas").await["schemas"].as_array().unwrap().len(), 1, "its forms and no others");
    assert!(place.path().join("data").read_dir().unwrap().next().is_some(), "what it keeps is in the volume");
}

/// A variable goes over the default; one that there is not, or with a wrong value, ends the start by its name.
#[tokio::test]
async fn settings_by_environment() {
    let server = serving(&[], &[("FORMWRIGHT__WEB__FILL", "false")]);
    let (status, refused) = Visitor::of(server).posts("api/fill", &json!({"user_message": "hi"})).await;
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("no_fill")), "{refused}");
    for (name, value) in [("FORMWRIGHT__WEB__FILLS", "false"), ("FORMWRIGHT__WEB__CONVERSATIONS_PER_HOUR", "many")] {
        let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_formwright"));
        let out = check.args(["--forms", "forms", "check"]).env(name, value).output().unwrap();
        let told = String::from_utf8_lossy(&out.stderr).to_lowercase();
        assert!(
            !out.status.success() && told.contains(&name.rsplit("__").next().unwrap().to_lowercase()),
            "{name}: {told}"
        );
    }
}
