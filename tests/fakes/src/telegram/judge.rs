//! What Telegram would refuse, told offline: for payloads that nobody sends.

use serde_json::{Value, json};

use super::{markup, schema, send};

/// What Telegram would say about the parameters of `sendMessage` in a private chat; `chat_id` may be left out.
pub fn faults(message: &Value) -> Vec<String> {
    let mut params = message.as_object().cloned().unwrap_or_default();
    params.entry("chat_id").or_insert(json!(1));
    let judged = schema::check("sendMessage", params).and_then(|params| {
        send::text_content(&params)?;
        params.get("reply_markup").map_or(Ok(()), |markup| markup::check(markup, true))
    });
    judged.err().map(|refusal| refusal.words).into_iter().collect()
}
