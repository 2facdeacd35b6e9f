//! `FormPilot`'s protocol, as its client speaks it: no cookie, no key, the form with every message.

use std::collections::BTreeSet;

use formwright_chat::{Brought, LocationRef};

use super::*;

const FORM: &str = "# Leave\n\n## Fields\n";

/// What is sent with every message, with these keys beside.
fn sent(message: &str, beside: Value) -> Value {
    let mut body = json!({ "form_context_md": FORM, "user_message": message });
    for (key, value) in beside.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

fn open() -> Web {
    web(WebSettings { formpilot: true, ..WebSettings::default() })
}

impl Web {
    /// Sends without holding the answer against the description, which is of our own API.
    async fn pilot(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let headers: Vec<_> = [("content-type", JSON)].iter().chain(headers).copied().collect();
        let request = request(method, path, &headers, Body::from(body.to_string()));
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    async fn chats(&self, message: &str, beside: Value) -> Value {
        let answer = self.pilot("POST", "/api/chat", &[], &sent(message, beside)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert!(answer.cookie().is_none());
        let body = answer.json();
        let keys: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["action", "answers", "conversation_id"]));
        body
    }
}

#[tokio::test]
async fn a_greeting_is_a_message_and_questions_follow_without_a_cookie() {
    let web = open();
    let first = web.chats("", json!({})).await;
    assert_eq!(
        first["action"],
        json!({ "action": "MESSAGE", "text": format!("Welcome! {HOSTILE}\n\nWhat about name?") })
    );
    let id = json!({ "conversation_id": first["conversation_id"] });
    assert_eq!(id["conversation_id"].as_str().unwrap().len(), 36, "a UUID");
    let second = web.chats("Ada", id.clone()).await;
    assert_eq!((&second["answers"], &second["conversation_id"]), (&json!({ "name": "Ada" }), &id["conversation_id"]));
    assert_eq!(second["action"]["action"], "ASK_DROPDOWN");
    assert_eq!(second["action"]["label"], "What about size?", "the question, as its author wrote it");
    let third = web.chats("Option 2", id.clone()).await;
    assert_eq!(third["answers"], json!({ "name": "Ada", "size": "Option 2, as written" }));
    let events = web.host.events();
    assert_eq!(events[0].action, Action::Open { form: Some("inline-1".into()) });
    assert_eq!(events[0].terms.brought.as_deref(), Some(&Brought::Text { text: FORM.into() }));
    assert_eq!(events[1].terms.brought, None, "the session keeps the form");
    let other = web.chats("", json!({})).await;
    assert_ne!(other["conversation_id"], id["conversation_id"]);
    assert_eq!(other["answers"], json!({}));
}

#[tokio::test]
async fn a_client_names_its_conversation_and_who_speaks_first_is_understood() {
    let web = open();
    let id = json!({ "conversation_id": "my-custom-session-123" });
    let first = web.chats("Ada", id.clone()).await;
    assert_eq!((&first["conversation_id"], &first["answers"]), (&id["conversation_id"], &json!({ "name": "Ada" })));
    assert_eq!(first["action"]["action"], "ASK_DROPDOWN");
    let reset = web.pilot("POST", "/api/sessions/reset", &[], &id).await.json();
    assert_eq!(reset, json!({ "success": true, "message": "Session reset" }));
    let again = web.pilot("POST", "/api/sessions/reset", &[], &id).await;
    assert_eq!((again.status.as_u16(), again.json()["success"].clone()), (200, json!(false)));
    let anew = web.chats("", id).await;
    assert_eq!((&anew["action"]["action"], &anew["answers"]), (&json!("MESSAGE"), &json!({})));
}

#[tokio::test]
async fn results_of_tools_come_with_what_the_call_was_made_with() {
    let web = open();
    let id = json!({ "conversation_id": "till-7" });
    web.chats("", id.clone()).await;
    let call = web.chats("tool", id.clone()).await;
    let named =
        json!({ "action": "TOOL_CALL", "tool_name": "lookup", "tool_args": { "q": 1 }, "message": "Looking it up…" });
    assert_eq!(call["action"], named, "and no key beside");
    let result = json!([{ "tool_name": "lookup", "tool_args": { "q": 1 }, "result": [7], "took": "0.5 s" }]);
    let brought = web.chats("", json!({ "conversation_id": "till-7", "tool_results": result })).await;
    assert!(brought["action"]["message"].as_str().unwrap().contains("The tool said [7]."), "{brought}");
    web.chats("Ada", json!({ "conversation_id": "till-7", "tool_results": result })).await;
    let both: Vec<Action> = web.host.events().into_iter().rev().take(2).map(|event| event.action).collect();
    assert!(matches!(both.as_slice(), [Action::Say { .. }, Action::ToolResults { .. }]), "{both:?}");
}

/// A form that names the tool has it called with each answer, once, and what the turn shows waits for that.
#[tokio::test]
async fn each_answer_is_told_by_the_clients_own_tool() {
    let web = open();
    let says = |message: &'static str, results: Value| {
        let form = "# Leave\n\nCall `set_field_value(fieldId, value)` after each answer.\n\n## Fields\n";
        web.chats(message, json!({ "form_context_md": form, "conversation_id": "till-7", "tool_results": results }))
    };
    let done = || json!([{ "tool_name": "set_field_value", "tool_args": {}, "result": { "success": true } }]);
    assert_eq!(says("", json!(null)).await["action"]["action"], "MESSAGE");
    let call = says("Ada", json!(null)).await;
    let args = json!({ "fieldId": "name", "value": "Ada" });
    let named =
        json!({ "action": "TOOL_CALL", "tool_name": "set_field_value", "tool_args": args, "message": "name: Ada" });
    assert_eq!((&call["action"], &call["answers"]), (&named, &json!({ "name": "Ada" })));
    let events = web.host.events().len();
    let asked = says("", done()).await;
    assert_eq!(asked["action"]["field_id"], "size", "{asked}");
    assert_eq!(web.host.events().len(), events, "the form has nothing to do with it");
    let picked = says("Option 2", json!(null)).await;
    assert_eq!(picked["action"]["tool_args"], json!({ "fieldId": "size", "value": "Option 2, as written" }));
    let shown = says("what is this?", json!(null)).await;
    assert_eq!(shown["action"]["field_id"], "topping", "what was told is told once: {shown}");
    let none = says("", done()).await;
    assert_eq!(none["action"]["field_id"], "topping", "{none}");
}

#[tokio::test]
async fn a_place_may_come_as_its_picker_writes_it() {
    let web = open();
    web.chats("{\"lat\": 24.7136, \"lng\": 46.6753}", json!({})).await;
    let location = LocationRef { lat: 24.7136, lng: 46.6753, address: None, city: None, country: None };
    assert_eq!(web.host.events().pop().unwrap().action, Action::Share { location });
    web.chats("{\"lat\": 124.7, \"lng\": 46.6}", json!({})).await;
    assert!(matches!(web.host.events().pop().unwrap().action, Action::Say { .. }), "it is on no map");
}

#[rstest]
#[case::nothing(json!({}), 422)]
#[case::no_message(json!({ "form_context_md": FORM }), 422)]
#[case::number(json!({ "form_context_md": FORM, "user_message": 7 }), 422)]
#[case::id(json!({ "form_context_md": FORM, "user_message": "", "conversation_id": 7 }), 422)]
#[case::results(sent("", json!({ "tool_results": { "a": 1 } })), 422)]
#[case::nameless(sent("", json!({ "tool_results": [{ "result": 1 }] })), 422)]
#[case::list(json!([]), 422)]
#[case::empty(json!({ "form_context_md": " ", "user_message": "Hello" }), 400)]
#[case::broken(json!({ "form_context_md": "# broken", "user_message": "" }), 400)]
#[case::long_id(sent("", json!({ "conversation_id": "x".repeat(600) })), 422)]
#[case::many(sent("", json!({ "tool_results": vec![json!({ "tool_name": "a" }); 21] })), 413)]
#[case::long(sent(&"x".repeat(20_000), json!({})), 413)]
#[tokio::test]
async fn what_cannot_be_is_told_as_detail(#[case] body: Value, #[case] status: u16) {
    let web = open();
    let answer = web.pilot("POST", "/api/chat", &[], &body).await;
    assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    let detail = answer.json()["detail"].clone();
    assert!(detail.as_str().is_some_and(|words| !words.is_empty()) || detail[0]["msg"].is_string(), "{detail}");
    assert!(web.host.events().is_empty());
    assert_eq!(web.host.turned_away_so_far().len(), usize::from(body["form_context_md"] != "# broken"), "{body}");
}

#[tokio::test]
async fn the_servers_forms_are_files_that_a_client_sends_back() {
    let web = open();
    let listed = web.pilot("GET", "/api/schemas", &[], &json!({})).await.json();
    assert_eq!(listed, json!({ "schemas": [{ "filename": "gallery.md", "title": "Gallery of widgets", "size": 21 }] }));
    let file = web.pilot("GET", "/api/schemas/gallery.md", &[], &json!({})).await.json();
    assert_eq!(file, json!({ "filename": "gallery.md", "content": "# Gallery of widgets\n" }));
    web.chats("", json!({ "form_context_md": file["content"] })).await;
    let begun = web.host.events().pop().unwrap();
    assert_eq!((begun.action, begun.terms.brought), (Action::Open { form: Some("gallery".into()) }, None));
    for name in ["nosuch.md", "../gallery.md", "..%2Fgallery.md", "gallery%2Emd%00", ""] {
        let missing = web.pilot("GET", &format!("/api/schemas/{name}"), &[], &json!({})).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{name}");
        assert!(missing.json()["detail"].is_string());
    }
    let health = web.pilot("GET", "/api/health", &[], &json!({})).await.json();
    assert_eq!(health, json!({ "status": "healthy", "active_sessions": 1 }));
}

#[tokio::test]
async fn the_hosts_refusals_are_told_without_what_such_clients_do_not_know() {
    let web = open();
    let away = || HostError::Unavailable("the disk is full".into());
    for (failure, status) in [(away(), 503), (HostError::Busy { retry_after: 7 }, 429)] {
        web.host.fail([failure]);
        let refused = web.pilot("POST", "/api/chat", &[], &sent("", json!({}))).await;
        assert_eq!(refused.status.as_u16(), status);
        assert!(refused.headers.contains_key(header::RETRY_AFTER));
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(!detail.contains("event_id") && detail.contains("again"), "{detail}");
    }
    web.host.fail([away()]);
    let health = web.pilot("GET", "/api/health", &[], &json!({})).await;
    assert!(health.status == StatusCode::SERVICE_UNAVAILABLE && health.json()["detail"].is_string());
}

/// The page and API clients are answered as ever, and nobody is where the setting is off.
#[tokio::test]
async fn only_who_has_no_cookie_and_no_key_is_a_pilot() {
    let web = open();
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    let ours = web.post("/api/chat", &[("cookie", &cookie)], &json!({ "form": "gallery" })).await;
    assert_eq!(ours.json()["action"]["action"], "ASK_TEXT");
    assert_eq!(web.get("/api/health", &[("cookie", &cookie)]).await.json()["status"], "ok");
    let unknown = web.post("/api/chat", &[("authorization", "Bearer x")], &json!({ "form": "gallery" })).await;
    assert_eq!(unknown.code(), "unknown_key");
    let off = super::web(WebSettings::default());
    let refused = off.post("/api/chat", &[], &sent("", json!({ "conversation_id": "my-custom-session-123" }))).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
}

/// A name is worth nothing elsewhere: it is no conversation of a page's, and a page's id is none of theirs.
#[tokio::test]
async fn no_name_leads_into_somebody_elses_conversation() {
    let web = open();
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    let cookie = [("cookie", cookie.as_str())];
    let page = web.post("/api/chat", &cookie, &json!({ "form": "gallery", "user_message": "Ada" })).await;
    let taken = web.chats("", json!({ "conversation_id": id_of(&page) })).await;
    assert_eq!(taken["answers"], json!({}));
    let pilot = &web.host.events().pop().unwrap().place;
    assert_ne!(pilot.channel, id_of(&page), "what is said there is not posted here");
    let read = web.get(&format!("/api/conversation/{}", pilot.channel), &cookie).await;
    assert_eq!(read.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn conversations_of_an_address_are_limited_whatever_they_are_called() {
    let settings = WebSettings { formpilot: true, conversations_per_address: Some(2), ..WebSettings::default() };
    let web = web(settings);
    let from = |id: &str| {
        let body = sent("", json!({ "conversation_id": id })).to_string();
        let mut request = request("POST", "/api/chat", &[("content-type", JSON)], Body::from(body));
        let peer = formwright_listen::Peer("192.0.2.7".parse().unwrap());
        request.extensions_mut().insert(axum::extract::ConnectInfo(peer));
        web.router.clone().oneshot(request)
    };
    for (id, status) in [("one", 200), ("two", 200), ("one", 200), ("three", 429), ("two", 200)] {
        let answer = from(id).await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{id}");
        assert_eq!(answer.headers().contains_key(header::RETRY_AFTER), status == 429);
    }
}

#[tokio::test]
async fn pages_of_any_origin_may_where_the_operator_says_so_and_no_cookie_comes() {
    let any = vec!["*".to_owned()];
    assert!(WebAdapter::new(WebSettings { origins: any.clone(), ..WebSettings::default() }).is_err());
    let web = web(WebSettings { formpilot: true, origins: any, ..WebSettings::default() });
    let origin = ("origin", "https://app.example");
    let preflight =
        request("OPTIONS", "/api/chat", &[origin, ("access-control-request-method", "POST")], Body::empty());
    let preflight = web.router.clone().oneshot(preflight).await.unwrap();
    assert_eq!(preflight.status(), StatusCode::NO_CONTENT);
    let answer = web.pilot("POST", "/api/chat", &[origin], &sent("", json!({}))).await;
    assert_eq!(answer.status, StatusCode::OK);
    for headers in [preflight.headers(), &answer.headers] {
        assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert!(!headers.contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS));
    }
    let cookie = web.get("/", &[]).await.cookie().unwrap();
    let foreign = web.post("/api/chat", &[origin, ("cookie", &cookie)], &json!({ "form": "gallery" })).await;
    assert_eq!(foreign.code(), "foreign_origin");
}
