//! `FormPilot`'s client, word for word: the form with every message, no cookie, one widget at a time, and tools that are run as
//! soon as they are asked for.

use serde_json::{Value, json};

use crate::program::Server;

const LEAVE: &str = include_str!("formpilot/leave.md");
const VISIT: &str = include_str!("formpilot/visit.md");
const LOSS: &str = include_str!("formpilot/loss.json");
const ACCIDENT: &str = include_str!("formpilot/accident.md");

/// What the client's own tools give.
type Tools = fn(&str, &Value) -> Value;

struct Client<'s> {
    server: &'s Server,
    form: &'s str,
    tools: Tools,
    conversation: Option<String>,
    answers: Value,
    /// The calls that were asked for, with their arguments.
    calls: Vec<(String, Value)>,
}

fn no_tools(tool: &str, _: &Value) -> Value {
    json!({ "error": format!("Unknown tool: {tool}") })
}

impl<'s> Client<'s> {
    fn new(server: &'s Server, form: &'s str, tools: Tools) -> Self {
        Self { server, form, tools, conversation: None, answers: json!({}), calls: Vec::new() }
    }

    async fn sends(&self, path: &str, body: &Value) -> (u16, Value) {
        let url = format!("{}api/{path}", self.server.address);
        let response = self.server.client.post(url).json(body).send().await.unwrap();
        assert!(response.headers().get("set-cookie").is_none());
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn gets(&self, path: &str) -> (u16, Value) {
        let response = self.server.client.get(format!("{}api/{path}", self.server.address)).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// One request; what it is answered has the client's three keys.
    async fn turn(&mut self, message: &str, results: Option<Value>) -> Value {
        let mut body = json!({ "form_context_md": self.form, "user_message": message });
        if let Some(id) = &self.conversation {
            body["conversation_id"] = id.as_str().into();
        }
        if let Some(results) = results {
            body["tool_results"] = results;
        }
        let mut told = self.sends("chat", &body).await;
        // People are slower than this.
        while told.0 == 429 {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            told = self.sends("chat", &body).await;
        }
        let (status, answer) = told;
        assert_eq!(status, 200, "{message}: {answer}");
        let id = answer["conversation_id"].as_str().unwrap().to_owned();
        assert!(self.conversation.as_ref().is_none_or(|known| *known == id));
        self.conversation = Some(id);
        self.answers = answer["answers"].clone();
        assert!(self.answers.is_object());
        answer["action"].clone()
    }

    /// Says something, and runs tools until something else is to be shown.
    async fn says(&mut self, message: &str) -> Value {
        let mut action = self.turn(message, None).await;
        while action["action"] == "TOOL_CALL" {
            assert!(self.calls.len() < 50, "{:?}", self.calls);
            let (tool, args) = (action["tool_name"].as_str().unwrap().to_owned(), action["tool_args"].clone());
            assert!(args.is_object() && action["message"].is_string(), "{action}");
            let result = json!([{ "tool_name": tool, "tool_args": args, "result": (self.tools)(&tool, &args) }]);
            self.calls.push((tool, args));
            action = self.turn("", Some(result)).await;
        }
        action
    }

    /// Says something, and is asked for this field.
    async fn asked(&mut self, message: &str, action: &str, field: &str) -> Value {
        let asked = self.says(message).await;
        assert_eq!((&asked["action"], &asked["field_id"]), (&json!(action), &json!(field)), "{message}: {asked}");
        let said = |key: &str| asked[key].as_str().is_some_and(|words| !words.is_empty());
        assert!(said("label") && said("message"), "{asked}");
        asked
    }

    /// Looks over the answers and has them sent.
    async fn completes(&mut self) -> Value {
        let done = self.says("yes").await;
        assert_eq!(done["action"], "FORM_COMPLETE", "{done}");
        assert!(done["message"].is_string());
        done["data"].clone()
    }
}

fn started() -> Server {
    Server::start(&[("FORMWRIGHT__WEB__FORMPILOT", "true"), ("FORMWRIGHT__WEB__CONVERSATIONS_PER_ADDRESS", "9999")])
}

/// Options come back as they were written, of which two differ in a mark alone; what cannot be is asked again with a reason.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_bullets_is_filled_in() {
    let server = started();
    let mut client = Client::new(&server, LEAVE, no_tools);
    let greeting = client.says("").await;
    assert_eq!(greeting["action"], "MESSAGE");
    assert!(greeting["text"].as_str().unwrap().contains("Time Off"), "{greeting}");
    let kinds = client.asked("Hello", "ASK_DROPDOWN", "kind").await;
    assert_eq!(kinds["options"], json!(["Annual leave", "Sick leave", "C++ course"]));
    client.asked("zebra", "ASK_DROPDOWN", "kind").await;
    let day = client.asked("C++ course", "ASK_DATE", "first_day").await;
    assert_eq!(day["label"], "Which is the first day?", "the question, as it was written");
    assert_eq!(client.answers, json!({ "kind": "C++ course" }));
    client.asked("2027-03-10", "ASK_DATE", "last_day").await;
    let refused = client.asked("2027-03-01", "ASK_DATE", "last_day").await;
    let why = refused["message"].as_str().unwrap();
    assert!(why.contains("on or after “First day”"), "the comparison names its field: {why}");
    let told = client.asked("2027-03-12", "ASK_CHECKBOX", "handover").await;
    assert_eq!(told["options"], json!(["My team", "My manager", "Nobody yet"]));
    client.asked("My team, My manager", "ASK_TEXT", "remark").await;
    let review = client.says("skip").await;
    assert_eq!(review["action"], "MESSAGE");
    let data = json!({
        "kind": "C++ course", "first_day": "2027-03-10", "last_day": "2027-03-12", "handover": ["My team", "My manager"],
    });
    assert_eq!(client.answers, data);
    assert_eq!(client.completes().await, data);
    let after = client.says("yes").await;
    assert_eq!((&after["action"], &client.answers), (&json!("MESSAGE"), &data), "sent twice, it begins nothing");
}

/// All at once, then what is left; after a reset nothing is.
#[tokio::test(flavor = "multi_thread")]
async fn much_may_be_said_at_first_and_a_reset_forgets_it() {
    let server = started();
    let mut client = Client::new(&server, LEAVE, no_tools);
    client.conversation = Some("my-custom-session-123".to_owned());
    client.asked("Sick leave from 2027-03-10 to 2027-03-12", "ASK_CHECKBOX", "handover").await;
    assert_eq!(client.answers["kind"], "Sick leave");
    let id = json!({ "conversation_id": "my-custom-session-123" });
    assert_eq!(client.sends("sessions/reset", &id).await.1["success"], true);
    assert_eq!(client.sends("sessions/reset", &id).await.1["success"], false);
    let anew = client.says("").await;
    assert_eq!((&anew["action"], &client.answers), (&json!("MESSAGE"), &json!({})));
    let mut other = Client::new(&server, LEAVE, no_tools);
    other.says("").await;
    assert_ne!(other.conversation, client.conversation);
}

fn of_visit(tool: &str, args: &Value) -> Value {
    let one = |code: &str, name: &str| json!({ "code": code, "name": { "english": name, "arabic": "…" } });
    match (tool, args["siteName"].as_str()) {
        ("get_sites", _) => json!({ "sites": [one("s1", "North Mill"), one("s2", "South Mill")] }),
        ("get_guides", Some("North Mill")) => json!({ "guides": [one("g1", "Ada"), one("g2", "Grace")] }),
        ("get_guides", Some("South Mill")) => json!({ "guides": [one("g1", "Alan")] }),
        _ => no_tools(tool, args),
    }
}

/// Tools are called with the labels that the client knows; another site asks for the guide anew, though one there has the same
/// code.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_tables_has_its_tools_run() {
    let server = started();
    let mut client = Client::new(&server, VISIT, of_visit);
    let greeting = client.turn("", None).await;
    assert_eq!(greeting["action"], "MESSAGE", "tools follow");
    let sites = client.asked("I visit a mill", "ASK_DROPDOWN", "site").await;
    assert_eq!(sites["options"], json!(["North Mill", "South Mill"]));
    let guides = client.asked("North Mill", "ASK_DROPDOWN", "guide").await;
    assert_eq!(guides["options"], json!(["Ada", "Grace"]));
    client.asked("Ada", "ASK_DATETIME", "arrival").await;
    assert_eq!(client.answers, json!({ "site": "North Mill", "guide": "Ada" }));
    let anew = client.asked("change the site to South Mill", "ASK_DROPDOWN", "guide").await;
    assert_eq!((&anew["options"], &client.answers), (&json!(["Alan"]), &json!({ "site": "South Mill" })));
    client.asked("Alan", "ASK_DATETIME", "arrival").await;
    client.asked("2027-03-01 09:30", "ASK_LOCATION", "meeting_point").await;
    client.says("24.7136, 46.6753").await;
    let data = client.completes().await;
    assert_eq!((&data["site"], &data["guide"]), (&json!("South Mill"), &json!("Alan")));
    assert_eq!(data["meeting_point"], json!({ "lat": 24.7136, "lng": 46.6753 }));
    assert!(data["arrival"].as_str().unwrap().starts_with("2027-03-01T09:30"), "{data}");
    let called = |tool: &str, args: Value| client.calls.contains(&(tool.to_owned(), args));
    assert!(
        called("get_sites", json!({})) && called("get_guides", json!({ "siteName": "South Mill" })),
        "{:?}",
        client.calls
    );
}

/// Its first forms, in JSON, have no title; a question comes with the answers that it follows, and goes with them.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_in_json_follows_its_conditions() {
    let server = started();
    let mut client = Client::new(&server, LOSS, no_tools);
    assert!(client.says("").await["text"].as_str().unwrap().contains("Lost property"));
    client.asked("Phone", "ASK_DATE", "seen_on").await;
    client.asked("2026-01-05", "ASK_DATE", "missed_on").await;
    client.asked("2026-01-07", "ASK_TEXT", "reason").await;
    client.asked("I was on holiday abroad", "ASK_LOCATION", "place").await;
    let review = client.says("{\"lat\": 24.7136, \"lng\": 46.6753}").await;
    assert_eq!(review["action"], "MESSAGE", "{review}");
    client.says("change the missed on day to 2026-01-05").await;
    let place = json!({ "lat": 24.7136, "lng": 46.6753 });
    let data = json!({ "item": "Phone", "seen_on": "2026-01-05", "missed_on": "2026-01-05", "place": place });
    assert_eq!(client.answers, data, "the reason for the delay is gone");
    assert_eq!(client.completes().await, data);
}

fn of_accident(tool: &str, args: &Value) -> Value {
    let value = |code: &str, name: &str| json!({ "code": code, "value": { "english": name, "arabic": "…" } });
    let job =
        |from: &str, to: Option<&str>, name: &str| json!({ "startDate": from, "endDate": to, "occupation": name });
    match (tool, args["typeName"].as_str()) {
        ("get_employers", _) => json!({ "employers": [
            { "registrationNo": "50", "name": { "english": "Harbour Co.", "arabic": "…" }, "ppa": false, "periods": [
                job("2022-01-15", None, "Crane Driver"), job("2020-06-01", Some("2021-12-31"), "Docker"),
            ] },
            { "registrationNo": "51", "name": { "english": "Lighthouse Ltd", "arabic": "…" }, "ppa": false, "periods": [
                job("2023-03-01", None, "Keeper"),
            ] },
        ] }),
        ("get_types", _) => {
            json!({ "types": [value("WA", "Workplace Accident"), value("RA", "Road Accident (to/from work)")] })
        }
        ("get_causes", Some(name)) if name.contains("Road") => json!({ "reasons": [value("R1", "Collision")] }),
        ("get_causes", Some(_)) => json!({ "reasons": [value("R1", "Slip or fall"), value("R2", "Lifting")] }),
        ("show_location_picker", _) => json!({
            "country": "Saudi Arabia", "city": "Riyadh", "address": "King Fahd Road", "latitude": 24.7136, "longitude": 46.6753,
        }),
        ("set_field_value", _) => json!({ "success": true }),
        ("submit_report", _) => json!({ "success": true, "injuryId": "INJ-1" }),
        _ => no_tools(tool, args),
    }
}

/// The shape of its injury report: options out of the row that was picked, a map that the client shows, a reason that is asked
/// for from the seventh day on, and a report that is sent when its step is done.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_steps_nests_options_and_sends_what_is_done() {
    let server = started();
    let mut client = Client::new(&server, ACCIDENT, of_accident);
    client.turn("", None).await;
    client.asked("I had an accident", "ASK_DROPDOWN", "employer").await;
    let jobs = client.asked("Harbour Co.", "ASK_DROPDOWN", "job").await;
    assert_eq!(jobs["options"], json!(["Crane Driver (2022-01-15 –)", "Docker (2020-06-01 – 2021-12-31)"]));
    let step = client.says("Docker (2020-06-01 – 2021-12-31)").await;
    assert_eq!(step["action"], "MESSAGE", "the step is looked over: {step}");
    let jobs = client.asked("change the employer to Lighthouse Ltd", "ASK_DROPDOWN", "job").await;
    assert_eq!(jobs["options"], json!(["Keeper (2023-03-01 –)"]));
    assert_eq!(client.answers["job"], Value::Null, "it goes with the employer");
    client.says("Keeper (2023-03-01 –)").await;
    client.asked("yes", "ASK_DATE", "happenedOn").await;
    client.asked("2026-01-05", "ASK_DATE", "toldOn").await;
    let refused = client.asked("2026-01-04", "ASK_DATE", "toldOn").await;
    assert!(refused["message"].as_str().unwrap().contains("“Happened on”"), "{refused}");
    client.asked("2026-01-12", "ASK_TEXT", "delayReason").await;
    client.asked("I was in hospital", "ASK_DROPDOWN", "accidentType").await;
    let causes = client.asked("Workplace Accident", "ASK_DROPDOWN", "cause").await;
    assert_eq!(causes["options"], json!(["Slip or fall", "Lifting"]));
    let step = client.says("Slip or fall").await;
    assert_eq!(step["action"], "MESSAGE", "the map has told the place: {step}");
    assert_eq!((&client.answers["spot"]["lat"], &client.answers["treated"]), (&json!(24.7136), &json!("Yes")));
    let causes =
        client.asked("change the accident type to Road Accident (to/from work)", "ASK_DROPDOWN", "cause").await;
    assert_eq!(causes["options"], json!(["Collision"]), "the cause of before is none of these");
    client.says("Collision").await;
    assert!(!client.calls.iter().any(|(tool, _)| tool == "submit_report"), "{:?}", client.calls);
    let mut done = client.says("yes").await;
    assert!(client.calls.iter().any(|(tool, _)| tool == "submit_report"), "{:?}", client.calls);
    if done["action"] != "FORM_COMPLETE" {
        done = client.says("yes").await;
    }
    assert_eq!(done["action"], "FORM_COMPLETE", "{done}");
    let picked =
        ["employer", "job", "accidentType", "cause", "treated"].map(|field| done["data"][field].as_str().unwrap());
    let written = ["Lighthouse Ltd", "Keeper (2023-03-01 –)", "Road Accident (to/from work)", "Collision", "Yes"];
    assert_eq!(picked, written);
    let told = |field: &str, value: &str| {
        let call = ("set_field_value".to_owned(), json!({ "fieldId": field, "value": value }));
        client.calls.iter().filter(|known| **known == call).count()
    };
    let told = [told("employer", "Harbour Co."), told("job", "Keeper (2023-03-01 –)"), told("cause", "Collision")];
    assert_eq!(told, [1, 1, 1], "{:?}", client.calls);
    assert!(
        client.calls.contains(&("get_causes".to_owned(), json!({ "typeName": "Workplace Accident" }))),
        "{:?}",
        client.calls
    );
}

/// What is wrong is told as its client reads it, and the server's forms are files that it may send back.
#[tokio::test(flavor = "multi_thread")]
async fn the_other_addresses_speak_its_language() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("forms")).unwrap();
    std::fs::write(folder.path().join("forms/leave.md"), LEAVE).unwrap();
    let server = Server::start_in(folder, &[("FORMWRIGHT__WEB__FORMPILOT", "true")]);
    let mut client = Client::new(&server, LEAVE, no_tools);
    for (body, status) in [
        (json!({}), 422),
        (json!({ "form_context_md": "", "user_message": "Hello" }), 400),
        (json!({ "form_context_md": "# Nothing to ask", "user_message": "" }), 400),
    ] {
        let (told, answer) = client.sends("chat", &body).await;
        assert!(told == status && !answer["detail"].is_null(), "{told} {answer}");
    }
    let size = LEAVE.chars().count();
    let listed = json!({ "schemas": [{ "filename": "leave.md", "title": "Time Off", "size": size }] });
    assert_eq!(client.gets("schemas").await, (200, listed));
    let (status, file) = client.gets("schemas/leave.md").await;
    assert_eq!((status, &file), (200, &json!({ "filename": "leave.md", "content": LEAVE })));
    assert_eq!(client.gets("schemas/nosuch.md").await.0, 404);
    assert_eq!(client.gets("health").await, (200, json!({ "status": "healthy", "active_sessions": 0 })));
    client.says("").await;
    assert_eq!(client.gets("health").await.1["active_sessions"], 1);
    // The form is the server's own: what is submitted is kept under its name.
    client.asked("Sick leave from 2027-03-10 to 2027-03-12", "ASK_CHECKBOX", "handover").await;
    client.says("Nobody yet").await;
    client.says("skip").await;
    client.completes().await;
    let mut list = std::process::Command::new(env!("CARGO_BIN_EXE_formwright"));
    let listed = list.current_dir(server.folder.path()).arg("submissions").output().unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains("time-off"), "{listed:?}");
}
