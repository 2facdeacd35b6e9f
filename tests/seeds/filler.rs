//! The form filler: a client that keeps its form and sends it with each message (`POST /api/fill`).

use serde_json::{Value, json};

use super::visitor::Visitor;

super::played! { "filler.md",
    document_search_hook = "document search hook";
    human_in_the_loop = "human in the loop";
}

/// What a page of a licence holds.
fn licence() -> Value {
    json!([
        {"data_id": "holder", "fieldLabel": "Holder", "fieldType": "text", "is_required": true,
         "validation_message": "Write the name as it is on the deed."},
        {"data_id": "client-no", "fieldLabel": "Client number", "fieldType": "number", "is_required": true,
         "fieldContext": "top right", "description": "It stands on every letter, top right."},
        {"data_id": "source", "fieldLabel": "Source", "fieldType": "select", "is_required": true, "options": [
            {"key": "", "value": "Choose one"}, {"key": "w-1", "value": "Well"},
            {"key": "r-2", "value": "River", "synonyms": ["stream", "creek"]}]},
        {"data_id": "uses", "fieldLabel": "Uses", "fieldType": "select-multiple", "options": [
            {"key": 10, "value": "Garden"}, {"key": 20, "value": "Cattle"}, {"key": 30, "value": "House"}]},
    ])
}

/// The nine variables as the client has them.
struct Client {
    visitor: Visitor,
    state: Value,
}

impl Client {
    fn with(fields: Value) -> Self {
        Self { visitor: Visitor::new(), state: json!({"form_fields": fields}) }
    }

    /// Says it, and takes what comes for its own; gives the answer.
    async fn says(&mut self, text: &str) -> Value {
        self.state["user_message"] = text.into();
        let (status, answer) = self.visitor.posts("api/fill", &self.state).await;
        assert_eq!(status, 200, "{answer}");
        self.state = answer.clone();
        answer
    }
}

/// The value of a field among those that are told.
fn told<'a>(answer: &'a Value, id: &str) -> &'a Value {
    let fields = answer["filled_fields"].as_array().unwrap();
    fields.iter().find(|field| field["data_id"] == id).map_or(&Value::Null, |field| &field["fieldValue"])
}

#[tokio::test]
async fn nine_variable_request_state_contract() {
    let mut client = Client::with(licence());
    let answer = client.says("holder: Ada Lovelace").await;
    let mut names: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let nine = [
        "conversation_history",
        "current_field",
        "filled_fields",
        "form_fields",
        "missing_fields",
        "response_message",
        "status",
        "thread_id",
        "user_message",
    ];
    assert_eq!(names, nine);
    // What came back is what goes in, without a thread too: everything is in it.
    client.state["thread_id"] = Value::Null;
    let next = client.says("the source is a well").await;
    let values = [&next["form_fields"][0]["fieldValue"], &next["form_fields"][2]["fieldValue"]];
    assert_eq!(values, ["Ada Lovelace", "w-1"], "{next}");
}

/// Every key of a field that the client sends says something, and what is not known stays as it is.
#[tokio::test]
async fn field_metadata() {
    let mut fields = licence();
    fields[0]["fieldValue"] = "Grace".into();
    fields[1]["colour"] = "blue".into();
    let mut client = Client::with(fields);
    let answer = client.says("where do I find the client number?").await;
    assert!(answer["response_message"].as_str().unwrap().contains("on every letter, top right"), "help: {answer}");
    assert_eq!(answer["missing_fields"], json!(["client-no", "source"]), "value, required: {answer}");
    assert_eq!(answer["form_fields"][1]["colour"], "blue");
    assert_eq!(client.says("client number: many").await["current_field"]["data_id"], "client-no", "type");
    let answer = client.says("client number: 77, holder: Ada").await;
    assert_eq!(
        (told(&answer, "client-no"), told(&answer, "holder")),
        (&json!(77), &json!("Ada")),
        "id, label: {answer}"
    );
    let answer = client.says("garden").await;
    assert_eq!(told(&answer, "uses"), &json!([10]), "key and value of options: {answer}");
    let mut client = Client::with(licence());
    let answer = client.says("").await;
    assert_eq!(answer["current_field"]["validation_message"], "Write the name as it is on the deed.", "{answer}");
}

/// A value is told until the client has put it into its fields; then it is the field's, and no news.
#[tokio::test]
async fn filled_vs_form_fields() {
    let mut client = Client::with(licence());
    let answer = client.says("holder: Ada").await;
    assert_eq!((told(&answer, "holder"), &answer["form_fields"][0]["fieldValue"]), (&json!("Ada"), &json!("Ada")));
    client.state["form_fields"][0]["fieldValue"] = "Ada".into();
    client.state["filled_fields"] = json!([]);
    let answer = client.says("client number: 5").await;
    assert_eq!((told(&answer, "holder"), told(&answer, "client-no")), (&Value::Null, &json!(5)), "{answer}");
}

/// A field that is told twice counts once, as it was told last; so does a field that comes twice.
#[tokio::test]
async fn dedupe_by_id() {
    let mut fields = licence();
    let twice = json!({"data_id": "holder", "fieldLabel": "Owner", "fieldType": "text", "is_required": true});
    fields.as_array_mut().unwrap().push(twice);
    let mut client = Client::with(fields);
    client.state["filled_fields"] =
        json!([{"data_id": "holder", "fieldValue": "Ada"}, {"data_id": "holder", "fieldValue": "Grace"}]);
    let answer = client.says("client number: 5").await;
    let holders = answer["filled_fields"].as_array().unwrap().iter().filter(|field| field["data_id"] == "holder");
    assert_eq!(holders.map(|field| &field["fieldValue"]).collect::<Vec<_>>(), ["Grace"], "{answer}");
}

/// What is missing is named; what is there and wrong comes with the reason. Both are taken too.
#[tokio::test]
async fn mixed_string_object_missing_list() {
    let mut fields = licence();
    fields[1]["fieldValue"] = "lots".into();
    fields[3]["is_required"] = false.into();
    let mut client = Client::with(fields);
    client.state["missing_fields"] = json!(["uses", {"data_id": "holder"}]);
    let answer = client.says("").await;
    let missing = answer["missing_fields"].as_array().unwrap();
    assert!(missing.contains(&json!("holder")) && missing.contains(&json!("source")), "{answer}");
    let wrong = missing.iter().find(|entry| entry["data_id"] == "client-no").expect("it is wrong");
    assert!(wrong["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{answer}");
}

/// The field that the client is at is asked first, and a bare answer is for it; a wrong one is explained there.
#[tokio::test]
async fn current_field_focus_with_validation_message() {
    let mut client = Client::with(licence());
    client.state["current_field"] = json!({"data_id": "client-no"});
    let answer = client.says("lots of them").await;
    assert_eq!(answer["current_field"]["data_id"], "client-no", "{answer}");
    assert!(!answer["current_field"]["validation_message"].as_str().unwrap().is_empty(), "{answer}");
    let answer = client.says("4711").await;
    assert_eq!((told(&answer, "client-no"), told(&answer, "holder")), (&json!(4711), &Value::Null), "{answer}");
    assert_eq!(answer["current_field"]["data_id"], "holder");
}

/// In progress without a form, waiting while something is missing, completed at the end; a request that is refused is not.
#[tokio::test]
async fn three_way_status() {
    let mut visitor = Visitor::new();
    let (_, answer) = visitor.posts("api/fill", &json!({"user_message": "hello"})).await;
    assert_ne!(answer["status"], "completed", "{answer}");
    let (_, question) = visitor.posts("api/fill", &json!({"user_message": "is delivery free?"})).await;
    assert_eq!(question["status"], "in_progress", "{question}");
    let (status, refused) = visitor.posts("api/fill", &json!({"user_message": "hi", "form_fields": {}})).await;
    assert_eq!((status, &refused["status"]), (400, &json!("in_progress")), "{refused}");
    let mut client = Client::with(licence());
    assert_eq!(client.says("holder: Ada").await["status"], "awaiting_info");
    let answer = client.says("client number: 1, source: river").await;
    assert_eq!((&answer["status"], &answer["missing_fields"]), (&json!("completed"), &json!([])), "{answer}");
}

/// The person reads what was taken, what was wrong, and the next question; at the end that it is done.
#[tokio::test]
async fn response_message() {
    let mut client = Client::with(licence());
    let answer = client.says("source: river, client number: many").await;
    let said = answer["response_message"].as_str().unwrap();
    assert!(said.contains("River") && said.contains("Holder"), "{said}");
    client.says("holder: Ada").await;
    let done = client.says("client number: 7").await;
    assert_eq!(done["status"], "completed", "{done}");
    let end = done["response_message"].as_str().unwrap();
    assert!(!end.is_empty() && !end.contains('?'), "{end}");
}

/// What was said comes back, with one summary at its head that is written anew each time.
#[tokio::test]
async fn history_and_its_summary() {
    let mut client = Client::with(licence());
    client.state["conversation_history"] = json!([{"role": "assistant", "content": "Good morning!"}]);
    client.says("holder: Ada").await;
    let answer = client.says("client number: 5").await;
    let history = answer["conversation_history"].as_array().unwrap();
    let roles: Vec<&str> = history.iter().filter_map(|said| said["role"].as_str()).collect();
    assert_eq!(roles, ["system", "assistant", "user", "assistant", "user", "assistant"], "{answer}");
    let summary = history[0]["content"].as_str().unwrap();
    assert!(
        summary.contains("Holder: Ada.") && summary.contains("Client number: 5.") && summary.contains("Open: Source."),
        "{summary}"
    );
    assert_eq!((&history[1]["content"], &history[4]["content"]), (&json!("Good morning!"), &json!("client number: 5")));
}

/// A client that sends nothing but its thread goes on where it was.
#[tokio::test]
async fn thread_id_with_resume() {
    let mut client = Client::with(licence());
    let thread = client.says("holder: Ada").await["thread_id"].clone();
    let (status, answer) =
        client.visitor.posts("api/fill", &json!({"user_message": "client number: 5", "thread_id": thread})).await;
    assert_eq!(
        (status, told(&answer, "holder"), told(&answer, "client-no")),
        (200, &json!("Ada"), &json!(5)),
        "{answer}"
    );
    assert_eq!(answer["thread_id"], thread);
    let other = Visitor::new().posts("api/fill", &json!({"user_message": "hm", "thread_id": thread})).await;
    assert_eq!(other.0, 404, "it is nobody else's");
}

#[tokio::test]
async fn form_less_question_answering() {
    let (status, answer) =
        Visitor::new().posts("api/fill", &json!({"user_message": "how long does delivery take?"})).await;
    let said = answer["response_message"].as_str().unwrap();
    assert!(status == 200 && said.contains("About 35 minutes"), "{answer}");
    assert_eq!((&answer["filled_fields"], &answer["status"]), (&json!([]), &json!("in_progress")), "{answer}");
}

#[tokio::test]
async fn refusal_to_take_card_numbers_passwords_no_echo() {
    for secret in ["4111 1111 1111 1111", "5500-0000-0000-0004", "my password is swordfish99"] {
        let mut client = Client::with(licence());
        let answer = client.says(&format!("holder: {secret}")).await;
        let text = answer.to_string();
        assert!(!text.contains("1111") && !text.contains("0004") && !text.contains("swordfish"), "{text}");
        assert!(
            answer["response_message"].as_str().unwrap().contains("do not send card numbers or passwords"),
            "{text}"
        );
        assert_eq!((&answer["filled_fields"], &answer["status"]), (&json!([]), &json!("awaiting_info")), "{text}");
    }
}

#[tokio::test]
async fn synonyms_and_case_matched_to_the_option_key() {
    for (said, key) in [
        ("source: river", "r-2"),
        ("source: RIVER", "r-2"),
        ("source: a creek", "r-2"),
        ("source: the stream", "r-2"),
        ("source: w-1", "w-1"),
        ("source: rivr", "r-2"),
    ] {
        let answer = Client::with(licence()).says(said).await;
        assert_eq!(told(&answer, "source"), key, "{said}: {answer}");
    }
    let answer = Client::with(licence()).says("source: the sea").await;
    assert_eq!(told(&answer, "source"), &Value::Null, "no option is made of what is none: {answer}");
}

/// Several options are a list of keys as the client spells them; others are said in their place.
#[tokio::test]
async fn multi_select() {
    let mut client = Client::with(licence());
    assert_eq!(told(&client.says("uses: garden and cattle").await, "uses"), &json!([10, 20]));
    let more = client.says("change the uses to cattle and house").await;
    assert_eq!(told(&more, "uses"), &json!([20, 30]), "{more}");
}

/// Pages come one after the other in a thread; what was said on one is there when it comes again.
#[tokio::test]
async fn multi_page() {
    let fields = licence();
    let (one, two) = (json!([fields[0], fields[1]]), json!([fields[2], fields[3]]));
    let mut client = Client::with(one.clone());
    assert_eq!(client.says("holder: Ada, client number: 5").await["status"], "completed");
    client.state["form_fields"] = two;
    client.state["filled_fields"] = json!([]);
    let second = client.says("river").await;
    assert_eq!((told(&second, "source"), told(&second, "holder")), (&json!("r-2"), &Value::Null), "{second}");
    client.state["form_fields"] = one;
    client.state["filled_fields"] = json!([]);
    let back = client.says("").await;
    assert_eq!((told(&back, "holder"), &back["status"]), (&json!("Ada"), &json!("completed")), "{back}");
}

/// Each value says who gave it, in which words, when, and how sure it is.
#[tokio::test]
async fn provenance() {
    let mut fields = licence();
    fields[1]["fieldValue"] = 5.into();
    let mut client = Client::with(fields);
    let field = |answer: &Value, id: &str| {
        let fields = answer["filled_fields"].as_array().unwrap();
        fields.iter().find(|field| field["data_id"] == id).cloned().unwrap_or_else(|| panic!("no {id} in {answer}"))
    };
    let begun = jiff::Timestamp::now();
    let answer = client.says("holder: Ada Lovelace, source: river").await;
    assert_eq!(answer["filled_fields"].as_array().unwrap().len(), 2, "what the form holds is not news: {answer}");
    for (id, value, words) in [("holder", "Ada Lovelace", "Ada Lovelace"), ("source", "r-2", "river")] {
        let field = field(&answer, id);
        assert_eq!((&field["fieldValue"], &field["source"]), (&json!(value), &json!("user")), "{field}");
        assert_eq!(field["confidence"], 0.95, "said by the person, and read by no model: {field}");
        assert!(field["quote"].as_str().unwrap().contains(words), "{field}");
        let at: jiff::Timestamp = field["at"].as_str().unwrap().parse().unwrap();
        assert!(begun - jiff::SignedDuration::from_secs(1) <= at && at <= jiff::Timestamp::now(), "{field}");
    }
    // A correction is news, with its own words.
    let answer = client.says("the holder is Grace Hopper").await;
    let corrected = field(&answer, "holder");
    assert_eq!((&corrected["fieldValue"], &corrected["source"]), (&json!("Grace Hopper"), &json!("user")));
    assert!(corrected["quote"].as_str().unwrap().contains("Grace Hopper"), "{corrected}");
}

/// The schema is published; what is sent and what comes back fit it, and what does not fit is refused.
#[tokio::test]
async fn json_schema_of_the_payload() {
    let mut client = Client::with(licence());
    let published = client.visitor.json("api/fill/schema.json").await;
    let of = |part: &str| {
        let mut schema = published.clone();
        schema["$ref"] = format!("#/$defs/{part}").into();
        jsonschema::validator_for(&schema).unwrap()
    };
    let mut request = client.state.clone();
    request["user_message"] = "holder: Ada".into();
    assert!(of("request").is_valid(&request));
    let answer = client.says("holder: Ada").await;
    assert!(of("answer").is_valid(&answer), "{answer}");
    let wrong = json!({"user_message": 7});
    assert!(!of("request").is_valid(&wrong));
    assert_eq!(client.visitor.posts("api/fill", &wrong).await.0, 400);
}

/// All questions that take a no have it, what was answered stays, and what takes none stays open.
#[tokio::test]
async fn mark_the_rest_as_no() {
    let radio = |id: &str| json!({"data_id": id, "fieldLabel": id, "fieldType": "radio", "is_required": true, "options": ["Yes", "No"]});
    let side = json!({"data_id": "Side", "fieldType": "radio", "is_required": true, "options": ["Left", "Right"]});
    let mut client = Client::with(json!([radio("Trees"), radio("Wells"), side, radio("Roads")]));
    client.says("trees: yes").await;
    let answer = client.says("mark the rest as no").await;
    assert_eq!((told(&answer, "Wells"), told(&answer, "Roads")), (&json!("No"), &json!("No")), "{answer}");
    assert_eq!(answer["form_fields"][0]["fieldValue"], "Yes", "{answer}");
    assert_eq!((&answer["missing_fields"], &answer["status"]), (&json!(["Side"]), &json!("awaiting_info")));
}
