//! The form-filler contract, `POST /api/fill`, from outside: clients that keep their form themselves.

mod passwords;

use rstest::rstest;
use serde_json::{Value, json};

use super::program::Server;

/// The test card number of a payment provider, and a password.
const CARD: &str = "4111 1111 1111 1111";
const PASSWORD: &str = "hunter2canary";

/// A client with its server. Every answer is held against the published schema.
struct Client {
    server: Server,
    cookie: Option<String>,
    schema: Value,
}

impl Client {
    async fn new() -> Self {
        let server = Server::start(&[]);
        let published = server.client.get(format!("{}api/fill/schema.json", server.address)).send().await.unwrap();
        let schema = published.json().await.unwrap();
        Self { server, cookie: None, schema }
    }

    fn check(&self, part: &str, value: &Value) {
        let mut schema = self.schema.clone();
        schema["$ref"] = format!("#/$defs/{part}").into();
        let errors: Vec<String> = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(value)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{value}");
    }

    async fn fill(&mut self, request: &Value) -> Value {
        self.check("request", request);
        let (status, answer) = self.server.post("api/fill", &mut self.cookie, request).await;
        assert_eq!(status, 200, "{answer}");
        self.check("answer", &answer);
        answer
    }
}

fn permit() -> Value {
    json!([
        {"data_id": "owner_name", "fieldLabel": "Owner name", "fieldType": "input", "fieldValue": "", "is_required": true,
         "validation_message": "Please provide a full name", "colour": "kept as it is"},
        {"data_id": "parcel-number", "fieldLabel": "Parcel number", "fieldType": "input", "fieldValue": null, "required": true},
        {"data_id": "Use", "fieldLabel": "Use of the water", "fieldType": "select", "is_required": true, "options": [
            {"key": "", "value": "Choose…"}, {"key": "irr-1", "value": "Irrigation"}, {"key": "drk-2", "value": "Drinking water", "synonyms": ["tap water"]}]},
        {"data_id": "wells", "fieldLabel": "Wells", "fieldType": "number", "fieldValue": ""},
        {"data_id": "send", "fieldLabel": "Send", "fieldType": "button"},
    ])
}

/// The values of `filled_fields`, by field; each field comes once.
fn filled(answer: &Value) -> Value {
    let mut all = serde_json::Map::new();
    for field in answer["filled_fields"].as_array().unwrap() {
        let before = all.insert(field["data_id"].as_str().unwrap().to_owned(), field["fieldValue"].clone());
        assert!(before.is_none(), "{answer}");
    }
    Value::Object(all)
}

/// The fields as the client has them once it has put in what it was told.
fn merged(answer: &Value) -> Value {
    let mut fields = answer["form_fields"].clone();
    for field in fields.as_array_mut().unwrap() {
        if let Some(value) = filled(answer).get(field["data_id"].as_str().unwrap()) {
            field["fieldValue"] = value.clone();
        }
    }
    fields
}

#[tokio::test]
async fn a_form_is_filled_by_what_a_person_says() {
    let mut client = Client::new().await;
    let answer = client
        .fill(&json!({
            "user_message": "owner name: Acme Ltd, parcel number: 123-456", "form_fields": permit(), "filled_fields": [],
            "missing_fields": ["owner_name", "parcel-number"], "current_field": null, "conversation_history": [],
            "status": "in_progress", "response_message": "", "thread_id": "0a1b2c3d-0000-4000-8000-000000000001",
        }))
        .await;
    assert_eq!(filled(&answer), json!({"owner_name": "Acme Ltd", "parcel-number": "123-456"}), "{answer}");
    let first = &answer["filled_fields"][0];
    assert_eq!((&first["source"], &first["confidence"]), (&json!("user"), &json!(0.95)));
    assert!(first["quote"].as_str().unwrap().contains("Acme") && first["at"].is_string(), "{first}");
    assert_eq!(answer["missing_fields"], json!(["Use"]));
    assert_eq!((&answer["status"], &answer["current_field"]["data_id"]), (&json!("awaiting_info"), &json!("Use")));
    assert_eq!(answer["form_fields"][0]["colour"], "kept as it is");
    assert_eq!(answer["thread_id"], "0a1b2c3d-0000-4000-8000-000000000001");
    let history = answer["conversation_history"].as_array().unwrap();
    let roles: Vec<&str> = history.iter().map(|entry| entry["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant"]);
    assert!(history[0]["content"].as_str().unwrap().contains("Open: Use of the water."), "{history:?}");

    // The thread alone is enough to go on: no fields are sent.
    let answer = client.fill(&json!({"user_message": "drinking water", "thread_id": answer["thread_id"]})).await;
    assert_eq!(filled(&answer)["Use"], "drk-2", "{answer}");
    assert_eq!((&answer["status"], &answer["current_field"]), (&json!("completed"), &Value::Null), "{answer}");
}

#[rstest]
#[case::key("drk-2", "drk-2")]
#[case::label("Drinking water", "drk-2")]
#[case::case("DRINKING WATER please", "drk-2")]
#[case::other("irrigation", "irr-1")]
#[case::synonym("tap water", "drk-2")]
#[case::place("the second one", "drk-2")]
#[tokio::test]
async fn the_key_of_an_option_is_stored_however_it_is_said(#[case] said: &str, #[case] key: &str) {
    let mut client = Client::new().await;
    let fields = json!([permit()[2]]);
    let answer = client.fill(&json!({"user_message": said, "form_fields": fields})).await;
    assert_eq!(filled(&answer), json!({"Use": key}), "{answer}");
    assert_eq!(answer["status"], "completed");
}

#[tokio::test]
async fn keys_that_are_numbers_stay_numbers_and_several_are_picked() {
    let mut client = Client::new().await;
    let fields = json!([
        {"data_id": "floor", "fieldType": "radio", "required": true, "options": [{"value": 1, "label": "First"}, {"value": 2, "label": "Second"}]},
        {"data_id": "extras", "fieldLabel": "Extras", "fieldType": "checkbox", "options": ["Garden", "Garage", "Cellar"]},
        {"data_id": "agree", "fieldLabel": "Agreement", "fieldType": "checkbox", "required": true},
    ]);
    let said = "floor: First. extras: garden and cellar. agreement: yes";
    let answer = client.fill(&json!({"user_message": said, "form_fields": fields})).await;
    assert_eq!(filled(&answer), json!({"floor": 1, "extras": ["Garden", "Cellar"], "agree": true}), "{answer}");
}

#[tokio::test]
async fn a_client_without_a_thread_brings_all_there_is() {
    let mut client = Client::new().await;
    let first = client.fill(&json!({"user_message": "owner name: Ada Lovelace", "form_fields": permit()})).await;
    // It keeps what it was told beside the fields, and has no cookie either.
    client.cookie = None;
    let request =
        json!({"user_message": "parcel number: 7", "form_fields": permit(), "filled_fields": first["filled_fields"]});
    let second = client.fill(&request).await;
    assert_eq!(filled(&second), json!({"owner_name": "Ada Lovelace", "parcel-number": "7"}), "{second}");
    assert_eq!(second["filled_fields"][0]["quote"], first["filled_fields"][0]["quote"], "where it came from stays");
    assert_eq!(second["filled_fields"][0]["source"], "user");
    // It puts it into the fields: nothing is told again.
    client.cookie = None;
    let third =
        client.fill(&json!({"user_message": "use of the water: irrigation", "form_fields": merged(&second)})).await;
    assert_eq!((filled(&third), &third["status"]), (json!({"Use": "irr-1"}), &json!("completed")), "{third}");
}

#[tokio::test]
async fn the_last_write_wins() {
    let mut client = Client::new().await;
    let thread = "6f0c7a52-0000-4000-8000-00000000000a";
    let mut request = json!({"user_message": "owner name: Ada", "form_fields": permit(), "thread_id": thread});
    assert_eq!(filled(&client.fill(&request).await), json!({"owner_name": "Ada"}));
    // The client has not put it in yet: what was said stays.
    request["user_message"] = "parcel number: 7".into();
    assert_eq!(filled(&client.fill(&request).await), json!({"owner_name": "Ada", "parcel-number": "7"}));
    // The person types over it on the page.
    request["form_fields"][0]["fieldValue"] = "Grace".into();
    request["user_message"] = "".into();
    let answer = client.fill(&request).await;
    assert_eq!(filled(&answer), json!({"parcel-number": "7"}), "{answer}");
    assert_eq!(answer["form_fields"][0]["fieldValue"], "Grace");
    // They say something else: the page still has the old one, which is no news.
    request["user_message"] = "change the owner name to Bob".into();
    let answer = client.fill(&request).await;
    assert_eq!(filled(&answer), json!({"owner_name": "Bob", "parcel-number": "7"}), "{answer}");
    // The page is emptied: that is news.
    request["form_fields"][0]["fieldValue"] = "".into();
    request["user_message"] = "wells: 0".into();
    let answer = client.fill(&request).await;
    assert_eq!(filled(&answer), json!({"parcel-number": "7", "wells": 0}), "{answer}");
    assert_eq!(answer["missing_fields"], json!(["owner_name", "Use"]), "zero is a value, nothing is not: {answer}");
}

#[tokio::test]
async fn what_the_page_holds_is_checked_and_never_completed_while_wrong() {
    let mut client = Client::new().await;
    let fields = json!([
        {"data_id": "mail", "fieldLabel": "E-mail", "fieldType": "email", "fieldValue": "not an address", "required": true},
        {"data_id": "size", "fieldType": "select", "fieldValue": "XXL", "options": ["S", "M"]},
        {"data_id": "day", "fieldType": "date", "fieldValue": "2026-12-01", "max": "2026-12-31"},
    ]);
    let answer = client.fill(&json!({"user_message": "", "form_fields": fields})).await;
    let missing = answer["missing_fields"].as_array().unwrap();
    assert_eq!(missing.iter().map(|entry| &entry["data_id"]).collect::<Vec<_>>(), ["mail", "size"], "{answer}");
    assert!(missing.iter().all(|entry| entry["reason"].as_str().is_some_and(|reason| !reason.is_empty())), "{answer}");
    assert_eq!(answer["status"], "awaiting_info");
    assert!(!answer["current_field"]["validation_message"].as_str().unwrap().is_empty(), "{answer}");
    let answer = client
        .fill(&json!({"user_message": "ada@example.com", "form_fields": fields, "thread_id": answer["thread_id"]}))
        .await;
    assert_eq!(filled(&answer)["mail"], "ada@example.com", "{answer}");
    assert_ne!(answer["status"], "completed", "the size is still wrong: {answer}");
}

#[tokio::test]
async fn card_numbers_and_passwords_are_refused_and_repeated_nowhere() {
    let mut client = Client::new().await;
    let mut fields = permit();
    fields[1]["fieldValue"] = format!("card {CARD}").into();
    let request = json!({
        "user_message": format!("owner name: my password is {PASSWORD}"), "form_fields": fields,
        "filled_fields": [{"data_id": "owner_name", "fieldValue": format!("my password is {PASSWORD}")}],
        "conversation_history": [
            {"role": "user", "content": format!("pay with {CARD}")},
            {"role": "assistant", "content": "Which one?"},
            {"role": "system", "content": format!("So far: the password is {PASSWORD}")},
        ],
    });
    let answer = client.fill(&request).await;
    let text = answer.to_string();
    assert!(!text.contains("4111") && !text.contains(PASSWORD), "{text}");
    assert!(answer["response_message"].as_str().unwrap().contains("do not send card numbers or passwords"), "{text}");
    assert_eq!(filled(&answer), json!({}), "{text}");
    assert_eq!(answer["status"], "awaiting_info");
    assert_eq!(answer["conversation_history"][1]["role"], "user", "the history is there, without them: {text}");
    for file in std::fs::read_dir(client.server.folder.path().join("data")).unwrap() {
        let path = file.unwrap().path();
        let kept = if path.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
        let holds = |secret: &str| kept.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!holds(PASSWORD) && !holds(CARD), "{}", path.display());
    }
}

#[tokio::test]
async fn pages_come_one_by_one_and_go_back() {
    let mut client = Client::new().await;
    let (one, two) = (json!([permit()[0], permit()[1]]), json!([permit()[2], permit()[3]]));
    let first = client.fill(&json!({"user_message": "owner name: Ada, parcel number: 7", "form_fields": one})).await;
    assert_eq!(first["status"], "completed", "{first}");
    let thread = first["thread_id"].clone();
    let second = client.fill(&json!({"user_message": "", "form_fields": two, "thread_id": thread})).await;
    assert_eq!((filled(&second), &second["missing_fields"]), (json!({}), &json!(["Use"])), "{second}");
    let second = client.fill(&json!({"user_message": "irrigation", "form_fields": two, "thread_id": thread})).await;
    assert_eq!((filled(&second), &second["status"]), (json!({"Use": "irr-1"}), &json!("completed")), "{second}");
    let back = client.fill(&json!({"user_message": "", "form_fields": one, "thread_id": thread})).await;
    assert_eq!(filled(&back), json!({"owner_name": "Ada", "parcel-number": "7"}), "{back}");
    assert!(back["filled_fields"][0]["quote"].is_string(), "{back}");
}

#[tokio::test]
async fn the_rest_is_marked_as_no_and_only_what_asks_for_it() {
    let mut client = Client::new().await;
    let radio = |id: &str| json!({"data_id": id, "fieldLabel": id, "fieldType": "radio", "required": true, "options": [{"key": "0", "value": "No"}, {"key": "1", "value": "Yes"}]});
    let side = json!({"data_id": "Side", "fieldType": "radio", "required": true, "options": ["Left", "Right"]});
    let fields = json!([radio("Trees"), radio("Wells"), radio("Roads"), side]);
    let answer = client.fill(&json!({"user_message": "trees: yes", "form_fields": fields})).await;
    let request = json!({"user_message": "mark the rest as no", "form_fields": merged(&answer), "thread_id": answer["thread_id"]});
    let answer = client.fill(&request).await;
    assert_eq!(filled(&answer), json!({"Wells": "0", "Roads": "0"}), "{answer}");
    assert_eq!(answer["missing_fields"], json!(["Side"]));
}

#[tokio::test]
async fn a_question_without_a_form_is_answered() {
    let mut client = Client::new().await;
    let answer = client.fill(&json!({"user_message": "is delivery free?"})).await;
    let said = answer["response_message"].as_str().unwrap();
    assert!(said.contains("Delivery is free from two pizzas"), "{said}");
    let quoted = client.fill(&json!({"user_message": "is laundry in a hotel paid?"})).await;
    let said = quoted["response_message"].as_str().unwrap();
    assert!(said.contains("From Expense policy › Hotels: “"), "{said}");
    assert_eq!((&answer["status"], &answer["form_fields"]), (&json!("in_progress"), &json!([])), "{answer}");
}

#[tokio::test]
async fn without_fields_no_form_of_the_server_begins_or_is_sent() {
    let mut client = Client::new().await;
    let mut thread = Value::Null;
    for said in ["Pizza order", "margherita", "2", "via Po 3", "7 pm", "yes"] {
        let answer = client.fill(&json!({"user_message": said, "thread_id": thread})).await;
        thread = answer["thread_id"].clone();
        assert!(answer["response_message"].as_str().unwrap().contains("I need its fields"), "{said}: {answer}");
        assert_eq!((&answer["status"], &answer["current_field"]), (&json!("in_progress"), &Value::Null), "{answer}");
    }
    assert!(!client.server.folder.path().join("data/submissions").exists(), "nothing was submitted");
}

#[tokio::test]
async fn what_a_client_says_of_its_fields_counts_as_it_was_sent() {
    let mut client = Client::new().await;
    let fields = json!([
        {"data_id": 7, "fieldLabel": "Client number", "fieldType": "integer", "is_required": false,
         "fieldContext": "An 8 digit number on your invoice", "validation_message": "Eight digits"},
        {"data_id": 8, "fieldLabel": "Depth", "fieldType": "number", "fieldValue": "deep"},
        {"data_id": "deed", "fieldLabel": "Deed", "fieldType": "file", "is_required": true, "fieldValue": []},
        {"data_id": "send", "fieldLabel": "Send", "fieldType": "button", "is_required": true},
    ]);
    let request = |said: &str| json!({"user_message": said, "form_fields": fields, "missing_fields": [7]});
    let answer = client.fill(&request("where do I find the client number?")).await;
    let said = answer["response_message"].as_str().unwrap();
    assert!(said.contains("An 8 digit number on your invoice. Eight digits"), "{said}");
    assert_eq!(answer["missing_fields"][0], 7, "it was said to be missing: {answer}");
    assert_eq!((&answer["missing_fields"][1]["data_id"], &answer["missing_fields"][2]), (&json!(8), &json!("deed")));
    let answer = client.fill(&request("client number: lots")).await;
    assert_eq!(answer["current_field"]["data_id"], 7, "{answer}");
    assert!(answer["current_field"]["validation_message"].as_str().unwrap().ends_with(". Eight digits"), "{answer}");
    let answer = client.fill(&request("client number: 12345678, depth: 3")).await;
    let known = [0, 1].map(|no| (&answer["filled_fields"][no]["data_id"], &answer["filled_fields"][no]["fieldValue"]));
    assert_eq!(known, [(&json!(7), &json!(12_345_678)), (&json!(8), &json!(3))], "{answer}");
    assert_eq!((&answer["missing_fields"], &answer["status"]), (&json!(["deed"]), &json!("awaiting_info")), "{answer}");
}

#[tokio::test]
async fn a_question_about_a_field_is_answered_and_the_field_asked_again() {
    let mut client = Client::new().await;
    let mut fields = permit();
    fields[1]["description"] = "It stands on the deed, after the letters PN.".into();
    let answer = client.fill(&json!({"user_message": "what is the parcel number?", "form_fields": fields})).await;
    assert!(answer["response_message"].as_str().unwrap().contains("on the deed"), "{answer}");
    assert_eq!((filled(&answer), &answer["status"]), (json!({}), &json!("awaiting_info")), "{answer}");
}

/// Who asks for a language is answered in it from then on.
#[tokio::test]
async fn the_language_that_is_asked_for_is_spoken() {
    let mut client = Client::new().await;
    let answer = client.fill(&json!({"user_message": "parla italiano", "form_fields": permit()})).await;
    assert!(answer["response_message"].as_str().unwrap().contains("continuo in italiano"), "{answer}");
    let more = json!({"user_message": "Ada Neri", "form_fields": permit(), "thread_id": answer["thread_id"]});
    let answer = client.fill(&more).await;
    assert_eq!(filled(&answer)["owner_name"], "Ada Neri", "{answer}");
    let told = answer["response_message"].as_str().unwrap();
    assert!(["Parcel number", "?"].iter().all(|part| told.contains(part)) && !told.contains("Could"), "{answer}");
}

#[tokio::test]
async fn a_thread_is_there_after_a_restart_and_belongs_to_who_began_it() {
    let mut client = Client::new().await;
    let answer = client.fill(&json!({"user_message": "owner name: Ada", "form_fields": permit()})).await;
    let thread = answer["thread_id"].clone();
    client.server = client.server.restart();
    let answer = client.fill(&json!({"user_message": "parcel number: 7", "thread_id": thread})).await;
    assert_eq!(filled(&answer), json!({"owner_name": "Ada", "parcel-number": "7"}), "{answer}");
    let request = json!({"user_message": "parcel number: 8", "thread_id": thread});
    let (status, refused) = client.server.post("api/fill", &mut None, &request).await;
    assert_eq!((status, &refused["error"]["code"]), (404, &json!("not_found")), "{refused}");
    assert_eq!(refused["status"], "in_progress");
    // With the fields it is a conversation of its own.
    let request = json!({"user_message": "wells: 3", "thread_id": thread, "form_fields": permit()});
    let (status, own) = client.server.post("api/fill", &mut None, &request).await;
    assert_eq!((status, filled(&own)), (200, json!({"wells": 3})), "{own}");
}

#[tokio::test]
async fn braces_and_hostile_names_are_only_names() {
    let mut client = Client::new().await;
    let fields = json!([
        {"data_id": "'] || true", "fieldLabel": "{{ 7 * 7 }}", "fieldType": "input", "required": true, "description": "{% raw %}"},
        {"data_id": "__proto__", "fieldLabel": "Proto", "fieldType": "input", "required": true},
    ]);
    let answer = client.fill(&json!({"user_message": "Proto: seven", "form_fields": fields})).await;
    assert_eq!(filled(&answer), json!({"__proto__": "seven"}), "{answer}");
    assert!(!answer["response_message"].as_str().unwrap().contains("49"), "{answer}");
    assert_eq!(answer["missing_fields"], json!(["'] || true"]));
}

#[rstest]
#[case::no_json(json!("text"), 400, "bad_json")]
#[case::fields_are_no_list(json!({"form_fields": {}}), 400, "bad_json")]
#[case::a_field_is_no_object(json!({"form_fields": ["name"]}), 400, "bad_json")]
#[case::no_id(json!({"form_fields": [{"fieldLabel": "Name", "fieldType": "input"}]}), 400, "no_data_id")]
#[case::message_is_no_text(json!({"user_message": 7}), 400, "bad_json")]
#[case::short_thread(json!({"user_message": "hi", "thread_id": "1"}), 400, "bad_thread_id")]
#[case::odd_thread(json!({"user_message": "hi", "thread_id": "../../../../etc/passwd"}), 400, "bad_thread_id")]
#[case::control_characters(json!({"user_message": "a\u{202e}b"}), 400, "bidi_control")]
#[case::too_many(json!({"form_fields": vec![json!({"data_id": "a"}); 501]}), 413, "too_many")]
#[case::zone(json!({"user_message": "hi", "zone": "Nowhere/Town"}), 400, "unknown_zone")]
#[tokio::test]
async fn a_wrong_request_is_refused_and_completes_nothing(
    #[case] request: Value,
    #[case] status: u16,
    #[case] code: &str,
) {
    let server = Server::start(&[]);
    let (given, refused) = server.post("api/fill", &mut None, &request).await;
    assert_eq!((given, &refused["error"]["code"]), (status, &json!(code)), "{refused}");
    assert_eq!(refused["status"], "in_progress");
}

#[tokio::test]
async fn the_operator_may_turn_it_off() {
    let server = Server::start(&[("FORMWRIGHT__WEB__FILL", "false")]);
    let (status, refused) = server.post("api/fill", &mut None, &json!({"user_message": "hi"})).await;
    assert_eq!((status, &refused["error"]["code"]), (403, &json!("no_fill")), "{refused}");
}
