//! Fields for passwords in a client's form.

use serde_json::json;

use super::Client;

#[tokio::test]
async fn a_field_for_passwords_is_the_pages_and_nothing_of_it_comes_back() {
    let mut client = Client::new().await;
    let fields = json!([
        {"data_id": "name", "fieldLabel": "Name", "fieldType": "input", "required": true},
        {"data_id": "pw", "fieldLabel": "Sign-in word", "fieldType": "password", "fieldValue": "otter77", "required": true},
    ]);
    let history = json!([{"role": "user", "content": "the sign-in word is heron55"}]);
    for (said, at) in [("my sign-in word is heron55", 0), ("Ada Lovelace", 0), ("heron55", 1)] {
        let request = json!({"user_message": said, "form_fields": fields, "conversation_history": history, "current_field": fields[at]});
        let answer = client.fill(&request).await;
        let text = answer.to_string();
        assert!(at == 1 || !text.contains("heron55") && !text.contains("otter77"), "{text}");
        assert!(!answer["user_message"].as_str().unwrap().contains("heron55"), "{text}");
        assert_eq!(text.contains("do not send card numbers or passwords"), said.starts_with("my sign-in"), "{text}");
    }
}

#[rstest::rstest]
#[case("Your bank password", "your bank password is heron55")]
#[case("PIN code", "the pin code: 4719183")]
#[case("CVV", "cvv 4719183")]
#[tokio::test]
async fn a_line_that_is_for_a_secret_by_its_label_is_the_pages_too(#[case] label: &str, #[case] said: &str) {
    let mut client = Client::new().await;
    let secret = said.rsplit(' ').next().unwrap();
    let fields = json!([
        {"data_id": "name", "fieldLabel": "Name", "fieldType": "input", "required": true},
        {"data_id": "x", "fieldLabel": label, "fieldType": "input", "fieldValue": secret, "required": true},
        {"data_id": "y", "fieldLabel": label, "fieldType": "input", "required": true},
    ]);
    for words in ["Ada Lovelace", said] {
        let answer = client.fill(&json!({"user_message": words, "form_fields": fields})).await;
        assert!(!answer.to_string().contains(secret), "{answer}");
        assert_ne!(answer["status"], "completed", "{answer}");
        assert!(answer["current_field"].is_null() || answer["current_field"]["data_id"] == "name", "{answer}");
        let refused = answer["response_message"].as_str().unwrap().contains("do not send card numbers or passwords");
        assert_eq!(refused, words == said, "{answer}");
    }
}
