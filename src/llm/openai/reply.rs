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
    Ok(called.or(beside.filter(|text| is_reply(text))).unwrap_or_default().to_owned())
}

/// Whether what stands in the place of thoughts is a reply: an object and nothing else, or something after the thoughts.
/// An object among thoughts is a draft.
fn is_reply(text: &str) -> bool {
    let bare = text.trim().trim_start_matches("```json").trim_matches('`').trim();
    let object = serde_json::from_str::<serde_json::Map<String, Json>>(bare).is_ok();
    object || text.contains("</think>") || text.contains("</thinking>")
}

fn parts(content: &Json) -> String {
    let parts = content.as_array().map_or(&[][..], Vec::as_slice);
    parts.iter().filter_map(|part| part["text"].as_str()).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case::only_an_object(r#" {"intent":"fill","updates":[]} "#, true)]
    #[case::fenced("```json\n{\"updates\":[]}\n```", true)]
    #[case::after_thoughts(r#"hm</think>{"updates":[]}"#, true)]
    #[case::a_draft(r#"Perhaps {"intent":"cancel","updates":[]}? No, wait."#, false)]
    #[case::two_drafts(r#"{"updates":[]} or rather {"updates":[1]}"#, false)]
    fn thoughts_are_no_reply(#[case] thoughts: &str, #[case] taken: bool) {
        let reply =
            json!({"choices": [{"finish_reason": "stop", "message": {"content": "", "reasoning_content": thoughts}}]});
        let text = text_of(&reply).expect("some text");
        assert_eq!(text, if taken { thoughts } else { "" });
    }
}
