//! What a FormPilot client sends. Pure. Keys that are not known are passed over.

use axum::http::StatusCode;
use formwright_chat::{Action, Choice, Input, LocationRef, Press, Pressed, Question, Reply, Token, ToolResult};
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::{limits, translate};

/// Body of `POST /api/chat`.
pub(super) struct ChatRequest {
    /// The form, written out.
    pub(super) form: String,
    /// The client's name of the conversation, or one that it was given; none begins one.
    pub(super) conversation: Option<String>,
    /// What was done, in order: results of tools, then words.
    pub(super) actions: Vec<Action>,
}

/// Reads the body of `POST /api/chat`.
pub(super) fn request(body: &[u8]) -> Result<ChatRequest, Refusal> {
    let map = object(body)?;
    let missing: Vec<Value> =
        ["form_context_md", "user_message"].iter().filter_map(|key| fault(&map, key, true)).collect();
    let wrong = fault(&map, "conversation_id", false).into_iter();
    let faults: Vec<Value> = missing.into_iter().chain(wrong).collect();
    if !faults.is_empty() {
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, faults));
    }
    let form = text(&map, "form_context_md").unwrap_or_default();
    if form.trim().is_empty() {
        let words =
            "form_context_md is empty. Send the form with every message; GET /api/schemas lists those there are.";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    translate::check_text("form_context_md", &form)?;
    let message = translate::message("user_message", text(&map, "user_message").unwrap_or_default())?;
    let mut actions = Vec::new();
    let results = results(map.get("tool_results"))?;
    if !results.is_empty() {
        actions.push(Action::ToolResults { results });
    }
    if let Some(location) = location(&message) {
        actions.push(Action::Share { location });
    } else if !message.trim().is_empty() {
        actions.push(Action::Say { text: message });
    }
    let conversation = text(&map, "conversation_id").filter(|name| !name.is_empty()).map(named).transpose()?;
    Ok(ChatRequest { form, conversation, actions })
}

/// What a widget sends, as a press of it: the label picked of a list, or several with commas between, and where there is
/// nothing but buttons that of one. Words that are no labels are words.
pub(super) fn pressed(action: Action, asked: &[Reply]) -> Action {
    let (Action::Say { text }, Some(last)) = (&action, asked.last()) else { return action };
    let press = match last.questions.first() {
        Some(question) => picked(question, text.trim()),
        None => {
            let button = last.buttons.iter().find(|button| button.label == text.trim());
            button.map(|button| Press { token: button.token.clone(), value: Pressed::Button })
        }
    };
    press.map_or(action, |press| Action::Press { presses: vec![press] })
}

fn picked(question: &Question, text: &str) -> Option<Press> {
    let value = match &question.input {
        Input::Options { options, multiple, .. } => Pressed::Options { tokens: labels(options, *multiple, text)? },
        Input::Location => {
            let (lat, lng) = text.split_once(',')?;
            Pressed::Location { location: place(lat.trim().parse().ok()?, lng.trim().parse().ok()?)? }
        }
        _ => return None,
    };
    Some(Press { token: question.token.clone(), value })
}

/// The options of labels with commas between; none where there is anything else.
fn labels(options: &[Choice], multiple: bool, mut rest: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    while !rest.is_empty() && (multiple || tokens.is_empty()) {
        let left = |option: &Choice| {
            let left = rest.strip_prefix(option.label.as_str())?;
            if left.is_empty() { Some(left) } else { left.strip_prefix(", ").filter(|_| multiple) }
        };
        // The longest: a label may begin with another.
        let found = options.iter().filter_map(|option| Some((option, left(option)?)));
        let (option, left) = found.min_by_key(|(_, left)| left.len())?;
        tokens.push(option.token.clone());
        rest = left;
    }
    (!tokens.is_empty()).then_some(tokens)
}

fn place(lat: f64, lng: f64) -> Option<LocationRef> {
    let there = lat.abs() <= 90.0 && lng.abs() <= 180.0;
    there.then_some(LocationRef { lat, lng, address: None, city: None, country: None })
}

/// Reads the body of `POST /api/sessions/reset`: the name of the conversation.
pub(super) fn reset(body: &[u8]) -> Result<String, Refusal> {
    let map = object(body)?;
    match fault(&map, "conversation_id", true) {
        None => named(text(&map, "conversation_id").unwrap_or_default()),
        Some(fault) => Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, vec![fault])),
    }
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Refusal> {
    translate::parse(body).map_err(|error| Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, ..Refusal::from(error) })
}

fn text(map: &Map<String, Value>, key: &str) -> Option<String> {
    map.get(key)?.as_str().map(str::to_owned)
}

/// What is wrong with a key that holds a text, as such clients are told it: where, and what.
fn fault(map: &Map<String, Value>, key: &str, needed: bool) -> Option<Value> {
    let (kind, words) = match map.get(key) {
        Some(Value::String(_)) => return None,
        None | Some(Value::Null) if !needed => return None,
        None => ("missing", "Field required"),
        Some(_) => ("string_type", "Input should be a valid string"),
    };
    Some(json!({ "type": kind, "loc": ["body", key], "msg": words }))
}

fn named(name: String) -> Result<String, Refusal> {
    if name.trim().is_empty() || name.len() > limits::NAME_BYTES {
        let words =
            format!("conversation_id must have 1 to {} bytes. Leave it out to be given one.", limits::NAME_BYTES);
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, words));
    }
    translate::check_text("conversation_id", &name)?;
    Ok(name)
}

/// What tools gave. With which arguments they were called is known here.
fn results(sent: Option<&Value>) -> Result<Vec<ToolResult>, Refusal> {
    let wrong = || {
        let words = "tool_results must be a list of objects with tool_name, a text, and result.";
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, words)
    };
    let list = match sent {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong()),
    };
    let one = |entry: &Value| {
        let tool = entry.get("tool_name").and_then(Value::as_str).ok_or_else(wrong)?.to_owned();
        let result = entry.get("result").cloned().unwrap_or_default();
        translate::tool_result(None, tool, result).map_err(Refusal::from)
    };
    translate::at_most("tool_results", list.len(), limits::TOOL_RESULTS)?;
    list.iter().map(one).collect()
}

/// A place on the map, as its picker may write it: `{"lat": 24.7, "lng": 46.6}`.
fn location(message: &str) -> Option<LocationRef> {
    let map: Map<String, Value> = serde_json::from_str(message).ok()?;
    let words = |key: &str| text(&map, key);
    let at = place(map.get("lat")?.as_f64()?, map.get("lng")?.as_f64()?)?;
    Some(LocationRef { address: words("address"), city: words("city"), country: words("country"), ..at })
}

#[cfg(test)]
mod tests {
    use formwright_chat::{Button, ButtonRole, Nonce};

    use super::*;

    fn asked(labels: &[&str], multiple: bool) -> Vec<Reply> {
        let token = Token::new(&Nonce::new(1), 0);
        let option = |(label, no): (&&str, u16)| Choice {
            token: token.option(no),
            label: (*label).to_owned(),
            detail: None,
            picked: false,
        };
        let options = labels.iter().zip(0..).map(option).collect();
        let input = Input::Options { options, multiple, min: 0, max: None, other: false };
        let (field, label, ask) = ("a".to_owned(), "A".to_owned(), "A?".to_owned());
        let question =
            Question { field, token, label, ask, help: None, required: true, problem: None, prefill: None, input };
        vec![Reply { questions: vec![question], ..Reply::default() }]
    }

    /// Numbers of the options pressed; none where the words stay words.
    fn picked(labels: &[&str], multiple: bool, text: &str) -> Option<Vec<usize>> {
        let asked = asked(labels, multiple);
        let Action::Press { presses } = pressed(Action::Say { text: text.to_owned() }, &asked) else { return None };
        let [Press { value: Pressed::Options { tokens }, .. }] = presses.as_slice() else { panic!("{presses:?}") };
        let token = &asked[0].questions[0].token;
        Some(tokens.iter().filter_map(|one| (0..9).find(|no| token.option(*no) == *one)).map(usize::from).collect())
    }

    #[test]
    fn what_a_widget_sends_is_a_press() {
        let jobs = ["Docker (2020-06-01 – 2021-12-31)", "Docker", "C", "C++, by day"];
        assert_eq!(picked(&jobs, false, "Docker (2020-06-01 – 2021-12-31)"), Some(vec![0]));
        assert_eq!(picked(&jobs, false, " Docker "), Some(vec![1]));
        assert_eq!(picked(&jobs, false, "docker, I think"), None);
        assert_eq!(picked(&jobs, false, "Docker, C"), None);
        assert_eq!(picked(&jobs, true, "C++, by day, C, Docker"), Some(vec![3, 2, 1]));
        assert_eq!(picked(&jobs, true, "C, D"), None);
        assert_eq!(picked(&jobs, true, ""), None);
        let said = Action::Say { text: "C".to_owned() };
        assert_eq!(pressed(said.clone(), &[]), said, "nothing is asked");
    }

    #[test]
    fn a_place_is_a_press_of_the_map() {
        let mut map = asked(&[], false);
        map[0].questions[0].input = Input::Location;
        let of = |text: &str| match pressed(Action::Say { text: text.to_owned() }, &map) {
            Action::Press { presses } => Some(presses[0].value.clone()),
            _ => None,
        };
        let location = LocationRef { lat: 24.7136, lng: -46.6753, address: None, city: None, country: None };
        assert_eq!(of("24.7136, -46.6753"), Some(Pressed::Location { location }));
        assert_eq!([of("124.7, 46.6"), of("NaN, 1"), of("Rome, Italy"), of("24.7136")], [None, None, None, None]);
    }

    #[test]
    fn a_button_is_pressed_by_its_label_where_nothing_is_asked() {
        let token = Token::new(&Nonce::new(1), 0);
        let button = Button { token: token.clone(), label: "Day: 1 May".to_owned(), role: ButtonRole::Plain };
        let of = |reply: Reply, text: &str| pressed(Action::Say { text: text.to_owned() }, &[reply]);
        let alone = Reply { buttons: vec![button.clone()], ..Reply::default() };
        let press = Action::Press { presses: vec![Press { token, value: Pressed::Button }] };
        assert_eq!(of(alone.clone(), "Day: 1 May"), press);
        assert!(matches!(of(alone, "1 May"), Action::Say { .. }));
        let beside = Reply { buttons: vec![button], ..asked(&["A"], false).remove(0) };
        assert!(matches!(of(beside, "Day: 1 May"), Action::Say { .. }), "it may be the answer");
    }
}
