//! What a model wrote, read as a proposal. Total: any text gives a proposal or the reason why it is none.

pub(crate) mod mend;
pub(crate) mod schema;

use serde_json::Value as Json;

use formwright_nlu::{Intent, Proposal, Update};

/// Why nothing can be read in what a model answered; none where something can. Says no word of the answer.
pub fn unreadable(answer: &str) -> Option<&'static str> {
    read(answer).err().map(Unreadable::words)
}

/// Longest reply that is read, in bytes. The longest honest one is some kilobytes.
const LONGEST: usize = 64 * 1024;

/// Most updates that are looked at.
const MOST_UPDATES: usize = 200;

/// Why a reply is no proposal, in words for the log and for the model itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// No text at all.
    Empty,
    /// More than 64 KB.
    TooLong,
    /// No JSON object with updates or an intent in it, or several that differ.
    NoObject,
}

impl Unreadable {
    /// For the log, and for the model when it is asked once more.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Empty => "the reply was empty",
            Self::TooLong => "the reply was far too long",
            Self::NoObject => "the reply was not one JSON object of the given shape",
        }
    }
}

/// Reads a reply: thoughts and fences around the object do not matter, unknown keys are passed over, and an object that is
/// nearly JSON is read as what it means. Of two objects that differ neither is taken.
pub(crate) fn read(text: &str) -> Result<Proposal, Unreadable> {
    if text.len() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    let text = after_thoughts(text).trim();
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    let object = match only_object(text) {
        Whole::One(object) => object,
        Whole::Several => return Err(Unreadable::NoObject),
        Whole::None => nearly_object(text).ok_or(Unreadable::NoObject)?,
    };
    let words = |key: &str| object.get(key).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
    let listed = |key: &str| object.get(key).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    Ok(Proposal {
        intent: words("intent").map_or(Intent::Fill, Intent::named),
        updates: listed("updates").iter().take(MOST_UPDATES).filter_map(update).collect(),
        form: words("form").map(str::to_owned),
        answer: words("answer").map(str::to_owned),
        about: object.get("about").and_then(Json::as_bool),
        reply: words("reply").map(str::to_owned),
        wording: listed("wording").iter().take(MOST_UPDATES).filter_map(wording).collect(),
    })
}

fn update(update: &Json) -> Option<Update> {
    let words = |key: &str| update.get(key).and_then(Json::as_str);
    let value = match update.get("value")? {
        Json::String(text) => text.clone(),
        Json::Bool(_) | Json::Number(_) => update.get("value")?.to_string(),
        Json::Null | Json::Array(_) | Json::Object(_) => return None,
    };
    Some(Update { field: words("field")?.to_owned(), quote: words("quote")?.to_owned(), value })
}

fn wording(wording: &Json) -> Option<(String, String)> {
    let words = |key: &str| wording.get(key).and_then(Json::as_str).map(str::to_owned);
    Some((words("field")?, words("text")?))
}

/// What follows the thoughts that some models write first; nothing of thoughts that never end.
fn after_thoughts(text: &str) -> &str {
    if let Some(last) = final_channel(text) {
        return last;
    }
    let text = past_thoughts(text);
    // What stands inside the reply itself is what somebody said.
    if text.trim_start().starts_with('{') {
        return text;
    }
    let begins = ["<think>", "<thinking>", "<|begin_of_thought|>"].iter().filter_map(|begin| text.find(begin)).min();
    begins.and_then(|at| text.get(..at)).unwrap_or(text)
}

/// What a model says in its final channel, where it marks its channels; also where only their names are left of the marks.
fn final_channel(text: &str) -> Option<&str> {
    const MARK: &str = "<|channel|>";
    if text.trim_start().starts_with('{') {
        return None;
    }
    let marked = text.contains(MARK);
    let begins = if marked {
        text.rfind("<|channel|>final")
    } else {
        text.trim_start().starts_with("analysis").then(|| text.rfind("assistantfinal")).flatten()
    };
    // Channels without a final one are thoughts.
    let Some(at) = begins else { return marked.then_some("") };
    text.get(at..)?.find('{').and_then(|brace| text.get(at + brace..)).or(Some(""))
}

fn past_thoughts(text: &str) -> &str {
    ["</think>", "</thinking>", "<|end_of_thought|>"]
        .iter()
        .filter_map(|end| text.rfind(end).map(|at| at + end.len()))
        .max()
        .and_then(|at| text.get(at..))
        .unwrap_or(text)
}

/// What there is of objects that say something we asked for.
enum Whole {
    None,
    One(serde_json::Map<String, Json>),
    /// They do not say the same: nobody knows which of them is meant.
    Several,
}

fn only_object(text: &str) -> Whole {
    const TRIES: usize = 32;
    let mut found: Option<serde_json::Map<String, Json>> = None;
    let mut past = 0;
    for at in text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at).take(TRIES) {
        if at < past {
            continue;
        }
        let mut stream = serde_json::Deserializer::from_str(text.get(at..).unwrap_or_default()).into_iter::<Json>();
        let Some(Ok(Json::Object(object))) = stream.next() else { continue };
        if !is_asked_for(&object) {
            continue;
        }
        past = at + stream.byte_offset();
        if found.as_ref().is_some_and(|known| *known != object) {
            return Whole::Several;
        }
        found = Some(object);
    }
    found.map_or(Whole::None, Whole::One)
}

/// An object that would be JSON with its brackets closed and its words spelt as JSON has them; none where there may be two.
fn nearly_object(text: &str) -> Option<serde_json::Map<String, Json>> {
    if text.matches("updates").count() > 1 {
        return None;
    }
    let object: serde_json::Map<String, Json> = serde_json::from_str(&mend::mended(text)?).ok()?;
    is_asked_for(&object).then_some(object)
}

fn is_asked_for(object: &serde_json::Map<String, Json>) -> bool {
    object.contains_key("updates") || object.contains_key("intent")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use formwright_nlu::{Intent, Update};

    use super::*;

    #[rstest]
    #[case::plain(r#"{"intent":"fill","updates":[{"field":"a","quote":"q","value":"v"}]}"#)]
    #[case::fenced(
        "```json\n{\"intent\":\"fill\",\"updates\":[{\"field\":\"a\",\"quote\":\"q\",\"value\":\"v\"}]}\n```"
    )]
    #[case::thought(r#"<think>{"updates":[]}</think>{"updates":[{"field":"a","quote":"q","value":"v"}]}"#)]
    #[case::talkative(r#"Sure! Here it is: {"note":1} {"updates":[{"value":"v","quote":"q","field":"a","x":{}}]} Bye"#)]
    #[case::said_twice(
        r#"{"updates":[{"field":"a","quote":"q","value":"v"}]} {"updates":[{"field":"a","quote":"q","value":"v"}]}"#
    )]
    #[case::final_channel(concat!(
        r#"<|channel|>analysis<|message|>{"updates":[]}, or<|end|><|start|>assistant<|channel|>final<|message|>"#,
        r#"{"updates":[{"field":"a","quote":"q","value":"v"}]}<|return|>"#
    ))]
    #[case::channels_without_marks(
        r#"analysisPerhaps {"updates":[]}?assistantfinal{"updates":[{"field":"a","quote":"q","value":"v"}]}"#
    )]
    #[case::without_its_end(r#"Here: {"intent":"fill","updates":[{"field":"a","quote":"q","value":"v"}]"#)]
    #[case::python("{'intent': 'fill', 'updates': [{'field': 'a', 'quote': 'q', 'value': 'v'},], 'form': None}")]
    #[case::with_rubbish_beside(r#"{"updates":[7,{"field":"a"},{"field":"a","quote":"q","value":"v"},null]}"#)]
    fn one_update_is_found(#[case] text: &str) {
        let update = Update { field: "a".to_owned(), quote: "q".to_owned(), value: "v".to_owned() };
        assert_eq!(read(text).expect("a proposal").updates, [update]);
    }

    #[rstest]
    #[case("", Unreadable::Empty)]
    #[case(" \n\t ", Unreadable::Empty)]
    #[case("<think>hm</think>", Unreadable::Empty)]
    #[case(r#"<think>perhaps {"intent":"fill","updates":[]}, or"#, Unreadable::Empty)]
    #[case(r#"Well. <think>a draft: {"updates":[]}"#, Unreadable::NoObject)]
    #[case(r#"<think>no</think> <think>{"updates":[]}"#, Unreadable::Empty)]
    #[case("I would say Diavola.", Unreadable::NoObject)]
    #[case(r#"{"intent":"fill","updates":[{"field":"a","quo"#, Unreadable::NoObject)]
    #[case(r#"{"intent":"fill","updates":[]} no: {"intent":"skip","updates":[]}"#, Unreadable::NoObject)]
    #[case(r#"{"draft":{"updates":[]},"last":{"intent":"skip","updates":[]}}"#, Unreadable::NoObject)]
    #[case(r#"<|channel|>analysis<|message|>{"intent":"fill","updates":[]}<|end|>"#, Unreadable::Empty)]
    #[case("[1,2]", Unreadable::NoObject)]
    #[case(&"{".repeat(100_000), Unreadable::TooLong)]
    #[case(&"{".repeat(60_000), Unreadable::NoObject)]
    fn what_is_no_proposal_says_why(#[case] text: &str, #[case] why: Unreadable) {
        assert_eq!(read(text), Err(why));
    }

    #[test]
    fn numbers_and_booleans_are_values_and_an_unknown_intent_is_something_else() {
        let text = r#"{"intent":"SUBMIT","updates":[{"field":"a","quote":"3","value":3},{"field":"b","quote":"y","value":true}]}"#;
        let proposal = read(text).expect("a proposal");
        assert_eq!(proposal.intent, Intent::Other);
        assert_eq!(proposal.updates.iter().map(|update| update.value.as_str()).collect::<Vec<_>>(), ["3", "true"]);
    }
}
