//! The server itself: what it refuses, and that a good request is answered.

use rstest::rstest;
use serde_json::{Value, json};

use super::{KEY, MODEL, Mode, ModelFake, says, schema};

fn good() -> Value {
    json!({
        "model": MODEL,
        "messages": [{"role": "system", "content": "JSON please"}, {"role": "user", "content": "Hello"}],
        "max_tokens": 60,
        "temperature": 0,
        "stream": false,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reading", "strict": true, "schema": shape()}},
    })
}

fn shape() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["intent"],
        "properties": {"intent": {"type": "string", "enum": ["other"]}},
    })
}

async fn ask(fake: &ModelFake, body: &Value, key: &str) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}/chat/completions", fake.url())).bearer_auth(key).json(body);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

fn prepare() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[tokio::test]
async fn a_good_request_is_answered_and_made_to_fit() {
    prepare();
    let fake = ModelFake::start(Mode::Honest, says(r#"{"intent":"fill","x":1}"#)).await;
    let (status, reply) = ask(&fake, &good(), KEY).await;
    assert_eq!((status, &reply["choices"][0]["message"]["content"]), (200, &json!(r#"{"intent":"other"}"#)), "{reply}");
    assert!(reply["usage"]["total_tokens"].as_u64().is_some_and(|tokens| tokens > 0));
    assert_eq!(fake.refusals(), [""; 0]);
    let models = reqwest::Client::new().get(format!("{}/models", fake.url())).bearer_auth(KEY).send().await.unwrap();
    assert!(models.text().await.unwrap().contains(MODEL));
    let url = fake.url();
    fake.stop().await;
    assert!(reqwest::get(format!("{url}/models")).await.is_err(), "it is gone");
}

#[rstest]
#[case::model("/model", json!("gpt-99"), 404, "does not exist")]
#[case::no_model("/model", Value::Null, 400, "model parameter")]
#[case::no_messages("/messages", json!([]), 400, "must not be empty")]
#[case::role("/messages/0/role", json!("boss"), 400, "'messages[0].role'")]
#[case::content("/messages/1/content", Value::Null, 400, "'messages[1].content'")]
#[case::nobody("/messages/1/role", json!("system"), 400, "no message of the user")]
#[case::tokens("/max_tokens", json!(0), 400, "'max_tokens'")]
#[case::temperature("/temperature", json!(3), 400, "'temperature'")]
#[case::stream("/stream", json!(true), 400, "Streaming")]
#[case::format("/response_format", json!({"type": "xml"}), 400, "response_format.type")]
#[case::name("/response_format/json_schema/name", json!("a b"), 400, "json_schema.name")]
#[case::extra("/response_format/json_schema/schema/additionalProperties", json!(true), 400, "additionalProperties")]
#[case::required("/response_format/json_schema/schema/required", json!([]), 400, "Missing 'intent'")]
#[case::nullable("/response_format/json_schema/schema/properties/intent/enum", json!(["other", null]), 400, "enum value null")]
#[case::two_types("/response_format/json_schema/schema/properties/intent/type", json!(["string", "null"]), 400, "single 'type'")]
#[tokio::test]
async fn what_servers_refuse_is_refused(
    #[case] place: &str,
    #[case] value: Value,
    #[case] status: u16,
    #[case] words: &str,
) {
    prepare();
    let fake = ModelFake::start(Mode::Honest, says("{}")).await;
    let mut body = good();
    *body.pointer_mut(place).unwrap() = value;
    let (told, refusal) = ask(&fake, &body, KEY).await;
    assert_eq!(told, status, "{refusal}");
    assert!(refusal["error"]["message"].as_str().unwrap().contains(words), "{refusal}");
    assert_eq!(fake.refusals().len(), 1);
}

#[tokio::test]
async fn keys_types_paths_and_methods_are_looked_at() {
    prepare();
    let fake = ModelFake::start(Mode::Honest, says("{}")).await;
    let (status, refusal) = ask(&fake, &good(), "sk-other").await;
    assert_eq!((status, &refusal["error"]["code"]), (401, &json!("invalid_api_key")));
    let mut unknown = good();
    unknown["temprature"] = json!(0);
    assert_eq!(ask(&fake, &unknown, KEY).await.0, 400);
    let client = reqwest::Client::new();
    let plain = client.post(format!("{}/chat/completions", fake.url())).bearer_auth(KEY).body(good().to_string());
    assert_eq!(plain.send().await.unwrap().status().as_u16(), 415);
    let got = client.get(format!("{}/chat/completions", fake.url())).bearer_auth(KEY);
    assert_eq!(got.send().await.unwrap().status().as_u16(), 405);
    let elsewhere = client.post(format!("{}/completions", fake.url())).bearer_auth(KEY);
    assert_eq!(elsewhere.send().await.unwrap().status().as_u16(), 404);
}

#[rstest]
#[case::keyword(json!({"type": "string", "pattern": "a"}), "'pattern' is not permitted")]
#[case::any_of(json!({"anyOf": [{"type": "string"}]}), "'anyOf' is not permitted")]
#[case::items(json!({"type": "array"}), "missing items")]
#[case::twice(json!({"type": "string", "enum": ["a", "a"]}), "unique")]
#[case::empty(json!({"type": "string", "enum": []}), "empty")]
fn schemas_have_to_be_strict(#[case] part: Value, #[case] words: &str) {
    let mut schema = shape();
    schema["properties"]["intent"] = part;
    let why = schema::refused(&schema).unwrap();
    assert!(why.contains(words), "{why}");
    assert_eq!(schema::refused(&shape()), None);
}
