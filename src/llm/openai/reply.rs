//! The text in a reply's body, wherever the server has put it.

use serde_json::Value as Json;

use super::failure::Failure;

/// The text of a reply: its content, or where that is empty what some servers put beside it.
pub(super) fn text_of(reply: &Json) -> Result<String, Failure> {
    let choice = &reply["choices"][0];
    let message = choice.get("message").ok_or(Failure::Protocol)?;
    let content = message["content"].as_str().map_or_else(|| parts(&message["content"]), str::to_owned);
    let beside = ["reasoning_content", "reasoning"].iter().find_map(|key| message[*key].as_str());
    if choice["finish_reason"] == "length" {
        let counted = reply["usage"]["completion_tokens_details"]["reasoning_tokens"].as_u64();
        let thinking = counted.is_some_and(|tokens| tokens > 0)
            || beside.is_some_and(|thoughts| !thoughts.trim().is_empty())
            || content.trim_start().starts_with("<think");
        return Err(Failure::Cut { thinking });
    }
    if !content.trim().is_empty() {
        return Ok(content);
    }
    let called = message["tool_calls"][0]["function"]["arguments"].as_str();
    Ok(called.or(beside).unwrap_or_default().to_owned())
}

fn parts(content: &Json) -> String {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    parts.iter().filter_map(|part| part["text"].as_str()).collect()
}
