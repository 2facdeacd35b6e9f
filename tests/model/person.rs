//! A person at the web API who answers what is asked until the form is sent.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::program::{PATIENCE, Program};
use super::scripts::{Answer, Script};

/// Longest conversation.
const TURNS: usize = 80;

/// One conversation.
struct Person<'p> {
    program: &'p Program,
    script: &'p Script,
    cookie: Option<String>,
    conversation: Value,
    turn: usize,
    /// Questions that odd words were said to.
    said: BTreeSet<String>,
    /// What was said on both sides, for whoever has to find out what went wrong.
    protocol: String,
}

/// Fills in the form; gives the protocol.
///
/// # Panics
/// Where the form is not sent in the end.
pub(crate) async fn fill(program: &Program, script: &Script) -> String {
    let mut person = Person {
        program,
        script,
        cookie: None,
        conversation: Value::Null,
        turn: 0,
        said: BTreeSet::new(),
        protocol: String::new(),
    };
    let mut answer = person.send(json!({"form": script.form, "zone": "UTC", "locale": "en"})).await;
    person.conversation = answer["conversation_id"].clone();
    while person.turn < TURNS {
        if answer["action"]["action"] == "FORM_COMPLETE" {
            return person.protocol;
        }
        let mut body = person.next(&answer);
        body["conversation_id"] = person.conversation.clone();
        answer = person.send(body).await;
    }
    panic!("{} is not sent after {TURNS} turns:\n{}", script.form, person.protocol);
}

impl Person<'_> {
    /// What is done about a screen.
    fn next(&mut self, answer: &Value) -> Value {
        let say = |words: &str| json!({"user_message": words});
        let action = &answer["action"];
        if action["action"] == "TOOL_CALL" {
            // A client that has no such tool.
            let result = json!({"call_id": action["call_id"], "tool_name": action["tool_name"], "result": null});
            return json!({"tool_results": [result]});
        }
        if let Some(asked) = answer["asked"].as_str() {
            return self.reply_to(&without_items(asked));
        }
        let shown = shown(answer);
        let labels = labels(answer);
        let has = |label: &str| labels.iter().any(|known| known == label);
        let offered = self.script.wanted.iter().find(|wanted| has(wanted));
        if has("No more") {
            say("no")
        } else if let Some(wanted) = offered {
            say(wanted)
        } else if has("Yes") && has("No") {
            // What is offered is right, or it is not what was meant.
            let right = self.script.wanted.iter().any(|wanted| shown.contains(&format!(": {wanted}.")));
            say(if right { "yes" } else { "no" })
        } else {
            say("yes")
        }
    }

    fn reply_to(&mut self, asked: &str) -> Value {
        let odd = self.script.odd.iter().find(|(field, _)| *field == asked);
        if let Some((_, words)) = odd
            && self.said.insert(asked.to_owned())
        {
            return json!({"user_message": words});
        }
        match self.script.plain.iter().find(|(field, _)| *field == asked).map(|(_, answer)| answer) {
            Some(Answer::Words(words)) => json!({"user_message": words}),
            Some(Answer::File(name)) => {
                json!({"attach": {"files": [{"name": name, "type": "application/pdf", "size": 2000}]}})
            }
            Some(Answer::Place(lat, lng)) => json!({"location": {"lat": lat, "lng": lng}}),
            None => json!({"user_message": "skip"}),
        }
    }

    async fn send(&mut self, mut body: Value) -> Value {
        self.turn += 1;
        body["event_id"] = format!("{}-{}-of-this-conversation", self.script.form, self.turn).into();
        let _ = writeln!(self.protocol, "> {}", shown_of(&body));
        loop {
            let url = format!("{}api/chat", self.program.address);
            let mut request = self.program.client.post(url).json(&body).timeout(PATIENCE);
            if let Some(cookie) = &self.cookie {
                request = request.header("cookie", cookie);
            }
            let response = request.send().await.unwrap();
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
            let cookie = header("set-cookie").and_then(|set| set.split(';').next().map(str::to_owned));
            self.cookie = cookie.or(self.cookie.take());
            let answer: Value = response.json().await.unwrap();
            if status == 429 {
                let wait = header("retry-after").and_then(|wait| wait.parse().ok()).unwrap_or(1);
                tokio::time::sleep(Duration::from_secs(wait)).await;
                continue;
            }
            assert_eq!(status, 200, "{answer}\n{}", self.protocol);
            let _ = writeln!(self.protocol, "< {}", shown(&answer).replace('\n', " / "));
            return answer;
        }
    }
}

/// The words of a screen.
fn shown(answer: &Value) -> String {
    let replies = answer["replies"].as_array().map_or(&[][..], Vec::as_slice);
    let said = replies.iter().filter_map(|reply| reply["say"].as_array()).flatten();
    said.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

/// The labels of its buttons.
fn labels(answer: &Value) -> Vec<String> {
    let replies = answer["replies"].as_array().map_or(&[][..], Vec::as_slice);
    let buttons = replies.iter().filter_map(|reply| reply["buttons"].as_array()).flatten();
    buttons.filter_map(|button| button["label"].as_str()).map(str::to_owned).collect()
}

fn shown_of(body: &Value) -> String {
    body["user_message"].as_str().map_or_else(|| body.to_string(), str::to_owned)
}

/// `items[0].amount` is asked as `items.amount`.
fn without_items(path: &str) -> String {
    path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}
