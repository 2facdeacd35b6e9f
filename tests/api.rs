//! The HTTP API of the real program: what is sent again, and what is never shown again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::program::Server;

const FORM: &str = r#"
    id = "door"
    title = "Door"
    submit = ["file"]

    [[field]]
    id = "name"
    kind = "text"
    ask = "What is your name?"

    [[field]]
    id = "pin"
    kind = "text"
    label = "Door PIN"
    sensitive = true
    ask = "Which PIN opens the door?"
"#;

/// The program with a form that asks for a PIN.
fn serving() -> Server {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("forms")).unwrap();
    std::fs::write(folder.path().join("forms/door.toml"), FORM).unwrap();
    Server::start_in(folder, &[])
}

/// Somebody with a cookie, in a conversation.
#[derive(Default)]
struct Visitor {
    cookie: Option<String>,
    conversation: Option<String>,
}

impl Visitor {
    /// Sends something under an id of its own.
    async fn sends(&mut self, server: &Server, event_id: &str, mut body: Value) -> (u16, Value) {
        body["event_id"] = event_id.into();
        if let Some(conversation) = &self.conversation {
            body["conversation_id"] = conversation.as_str().into();
        }
        let (status, answer) = server.chat(&mut self.cookie, &body).await;
        if let Some(conversation) = answer["conversation_id"].as_str() {
            self.conversation = Some(conversation.to_owned());
        }
        (status, answer)
    }

    async fn says(&mut self, server: &Server, event_id: &str, words: &str) -> Value {
        let (status, answer) = self.sends(server, event_id, json!({ "user_message": words })).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// What is drawn when the page is loaded anew.
    async fn loads(&self, server: &Server) -> Value {
        let conversation = self.conversation.as_deref().unwrap();
        server.get(&format!("api/conversation/{conversation}"), self.cookie.as_deref()).await
    }
}

#[tokio::test]
async fn a_sensitive_answer_is_never_shown_again() {
    let (server, mut ann) = (serving(), Visitor::default());
    let conceals = |answer: &Value| answer["replies"].as_array().unwrap().iter().any(|reply| reply["conceals"] == true);
    let mut seen = vec![ann.sends(&server, "open", json!({ "form": "door" })).await.1];
    let expected = [("Ada", false), ("SESAM12", true), ("change the door pin to KIWI77", true)];
    for (words, secret) in expected {
        let answer = ann.says(&server, &words.replace(' ', "-"), words).await;
        assert_eq!(conceals(&answer), secret, "{words}: {answer}");
        seen.push(answer);
    }
    let done = ann.says(&server, "confirm", "yes").await;
    assert_eq!(done["action"]["data"], json!({ "name": "Ada", "pin": null }), "{done}");
    let again = ann.says(&server, "confirm", "yes").await;
    assert_eq!(again["replies"], done["replies"], "a repetition is answered as the first time");
    seen.extend([done, again, ann.loads(&server).await]);
    // The receiver has it a moment after the answer.
    let file = server.folder.path().join("data/submissions/door.jsonl");
    let written = async {
        loop {
            match std::fs::read_to_string(&file) {
                Ok(text) if text.ends_with('\n') => break text,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    let submitted = tokio::time::timeout(Duration::from_secs(60), written).await.unwrap();
    assert!(submitted.contains("KIWI77"), "the receiver has it: {submitted}");
    let server = server.restart();
    seen.push(ann.loads(&server).await);
    for shown in seen {
        let shown = shown.to_string();
        assert!(!shown.contains("SESAM12") && !shown.contains("KIWI77"), "{shown}");
    }
}

#[tokio::test]
async fn what_is_sent_again_is_answered_from_the_store_and_costs_nothing() {
    let (server, mut ann) = (serving(), Visitor::default());
    let start = json!({ "form": "door", "user_message": "Ada" });
    let (status, _) = ann.sends(&server, "hello", json!({ "user_message": "hello" })).await;
    assert_eq!(status, 200, "it gives a cookie");
    ann.conversation = None;
    let (_, first) = ann.sends(&server, "start", start.clone()).await;
    // Many more repetitions than messages are allowed at once.
    for no in 0..60 {
        let mut same = Visitor { cookie: ann.cookie.clone(), conversation: None };
        let (status, again) = same.sends(&server, "start", start.clone()).await;
        assert_eq!(
            (status, &again["replies"], &again["conversation_id"]),
            (200, &first["replies"], &first["conversation_id"]),
            "{no}"
        );
    }
    let mut other = Visitor { cookie: ann.cookie.clone(), conversation: None };
    let refused = other.sends(&server, "start", json!({ "form": "door", "user_message": "Ben" })).await;
    assert_eq!((refused.0, &refused.1["error"]["code"]), (409, &json!("event_id_used")), "{}", refused.1);
    // Nothing is lost: what was said first counts, and the other message is taken under an id of its own.
    let server = server.restart();
    let (status, again) =
        Visitor { cookie: ann.cookie.clone(), conversation: None }.sends(&server, "start", start).await;
    assert_eq!((status, &again["replies"]), (200, &first["replies"]), "{again}");
    assert_eq!(again["answers"], json!({ "name": "Ada" }));
    let answer = ann.says(&server, "next", "my name is Ben").await;
    assert_eq!(answer["answers"]["name"], "Ben", "{answer}");
}
