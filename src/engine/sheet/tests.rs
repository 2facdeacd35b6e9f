use formwright_chat as chat;
use formwright_chat::SheetKind::{Integer, Line, One, Page, Several, Tick};
use rstest::rstest;
use serde_json::{Value as Json, json};

use crate::effect::Effect;
use crate::engine::Engine;
use crate::input::{Happening, Input};
use crate::session::Session;
use formwright_form::Catalog;
use formwright_load::sheet::{form_of, id_of};
use formwright_load::{Syntax, load};

const PIZZA: &str = include_str!("../../../forms/pizza-order.toml");

fn field(label: &str, kind: chat::SheetKind, value: Json) -> chat::SheetField {
    let option = |(key, label): (&str, &str)| chat::SheetOption {
        key: key.to_owned(),
        label: label.to_owned(),
        synonyms: Vec::new(),
    };
    let options: &[(&str, &str)] = match kind {
        One => &[("Y", "Yes"), ("N", "No")],
        Several => &[("P1", "Livestock"), ("P2", "Irrigation")],
        _ => &[],
    };
    chat::SheetField {
        id: label.to_lowercase(),
        label: label.to_owned(),
        kind,
        required: true,
        secret: false,
        options: options.iter().copied().map(option).collect(),
        help: None,
        min: None,
        max: None,
        max_chars: None,
        value,
    }
}

/// A client that says one thing after another about its form, which stays as it is.
struct Client {
    sheet: Option<chat::Sheet>,
    engine: Engine,
    session: Session,
    no: u32,
    said: String,
    buttons: usize,
}

impl Client {
    fn new(fields: Vec<chat::SheetField>) -> Self {
        let mut catalog = Catalog::default();
        catalog.insert(load(PIZZA, Syntax::Toml).form.unwrap());
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "1".to_owned(),
            thread: None,
        };
        let session = Session::new(place, chat::UserId::new("ann"));
        let engine = Engine::new(catalog);
        let mut client = Self { sheet: None, engine, session, no: 0, said: String::new(), buttons: 0 };
        if !fields.is_empty() {
            client.turns_to(fields);
        }
        client
    }

    fn turns_to(&mut self, fields: Vec<chat::SheetField>) {
        let sheet = chat::Sheet { fields, ..chat::Sheet::default() };
        let mut catalog = self.engine.catalog().clone();
        catalog.insert(form_of(&sheet).unwrap());
        self.engine = self.engine.with_forms(catalog);
        self.sheet = Some(sheet);
    }

    fn says(&mut self, text: &str) -> Option<chat::SheetView> {
        self.no += 1;
        let mut terms = chat::Terms { answers_only: self.sheet.is_none(), ..chat::Terms::default() };
        if let Some(sheet) = &self.sheet {
            terms.forms = Some(vec![id_of(sheet).to_string()]);
            let brought = |sheet| chat::Brought::Sheet { sheet: Box::new(sheet) };
            terms.brought = Some(Box::new(brought(sheet.clone())));
            self.session.brought.insert(id_of(sheet), brought(sheet.blank()));
        }
        let event = chat::Event {
            id: chat::EventId::new(self.no.to_string()),
            place: self.session.place.clone(),
            user: chat::User { id: chat::UserId::new("ann"), name: None, locale: Some("en".to_owned()), zone: None },
            at: "2026-11-22T09:00:00Z".parse().unwrap(),
            action: chat::Action::Say { text: text.to_owned() },
            terms,
        };
        let now = event.at;
        let input = Input { now, nonce: chat::Nonce::new(self.no.into()), event: Happening::Event(Box::new(event)) };
        let step = self.engine.step(self.session.clone(), input);
        self.session = step.session;
        assert!(!step.effects.iter().any(|effect| matches!(effect, Effect::Submit(_))), "{text}");
        let mut replies = step.effects.iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(reply),
            _ => None,
        });
        let last = replies.next_back().expect("there is an answer");
        self.said = last.say.join(" ");
        self.buttons = last.buttons.len();
        assert!(!self.said.trim().is_empty(), "{text}");
        self.engine.sheet(&self.session)
    }

    fn view(&mut self, text: &str) -> chat::SheetView {
        self.says(text).expect("a form is being filled")
    }
}

/// What is filled, by field.
fn filled(view: &chat::SheetView) -> Vec<(&str, &Json)> {
    view.filled.iter().map(|filled| (filled.id.as_str(), &filled.value)).collect()
}

fn missing(view: &chat::SheetView) -> Vec<&str> {
    view.missing.iter().map(|missing| missing.id.as_str()).collect()
}

#[test]
fn without_fields_questions_are_answered_and_no_form_begins() {
    let mut client = Client::new(Vec::new());
    for said in ["Pizza order", "a margherita please", "yes", "hello", "forms"] {
        assert!(client.says(said).is_none() && client.session.draft.is_none(), "{said}");
        assert!(client.said.contains("I need its fields") && client.buttons == 0, "{said}: {}", client.said);
    }
    client.says("is delivery free?");
    assert!(client.said.contains("Delivery is free") && client.buttons == 0, "{}", client.said);
}

#[rstest]
#[case("mark the rest as no")]
#[case("yes to all")]
fn nobody_consents_in_bulk(#[case] said: &str) {
    let fields = [("Well", One), ("I agree to the terms", Tick), ("Dam", Tick)];
    let mut client = Client::new(fields.into_iter().map(|(label, kind)| field(label, kind, Json::Null)).collect());
    let view = client.view(said);
    assert_eq!(missing(&view), ["i agree to the terms"], "{said}");
    assert!(view.filled.iter().all(|filled| filled.quote.as_deref() == Some(said)), "{:?}", filled(&view));
    // A no of one's own is an answer: false is a value.
    assert_eq!(filled(&client.view("no")).get(1), Some(&("i agree to the terms", &json!(false))));
}

#[test]
fn what_is_needed_and_taken_out_is_missing_and_told_as_null() {
    let mut client = Client::new(vec![field("Owner name", Line, json!("Ann"))]);
    let view = client.view("clear the owner name");
    assert_eq!((filled(&view), missing(&view)), (vec![("owner name", &Json::Null)], vec!["owner name"]));
    let mut client = Client::new(vec![field("Purposes", Several, json!(["P2"]))]);
    let view = client.view("remove irrigation");
    assert_eq!((filled(&view), missing(&view)), (vec![("purposes", &Json::Null)], vec!["purposes"]));
}

#[test]
fn what_only_the_page_takes_stays_missing() {
    let mut client = Client::new(vec![field("Owner name", Line, Json::Null), field("Deed", Page, json!([]))]);
    let view = client.view("owner name: Ann");
    assert_eq!((missing(&view), view.done), (vec!["deed"], false));
    assert!(client.said.contains("on the page: Deed"), "{}", client.said);
    let mut client = Client::new(vec![field("Deed", Page, Json::Null)]);
    client.view("hello");
    assert!(client.said.contains("on the page: Deed") && client.buttons == 0, "{}", client.said);
    let mut client = Client::new(vec![field("Owner name", Line, json!("Ann")), field("Deed", Page, json!("a.pdf"))]);
    assert!(client.view("yes").done);
}

#[rstest]
#[case("submit")]
#[case("yes")]
#[case("looks good")]
#[case("no")]
fn a_complete_form_stays_complete(#[case] said: &str) {
    let mut client = Client::new(vec![field("Owner name", Line, json!("Ann"))]);
    assert!(client.view(said).done, "{said}: {}", client.said);
}

#[test]
fn a_wrong_value_that_may_be_left_out_is_asked_for() {
    let mut height = field("Height", Integer, json!("abc"));
    height.required = false;
    let mut client = Client::new(vec![height]);
    let view = client.view("ignore");
    assert_eq!(view.focus.as_ref().map(|focus| focus.id.as_str()), Some("height"));
    assert!(view.focus.unwrap().problem.is_some() || view.missing[0].reason.is_some());
    let view = client.view("12");
    assert_eq!((filled(&view), view.done), (vec![("height", &json!(12))], true), "{}", client.said);
}

#[test]
fn a_refusal_says_why_and_what_would_do() {
    let mut client = Client::new(vec![field("Well", One, Json::Null), field("Depth", Integer, Json::Null)]);
    client.view("hello");
    let focus = client.view("purple").focus.unwrap();
    assert!(focus.problem.is_some_and(|problem| problem.contains("Yes, No")), "{}", client.said);
    client.view("what are the options?");
    assert!(client.said.contains("You can choose: Yes, No."), "{}", client.said);
    client.view("yes");
    let focus = client.view("lots").focus.unwrap();
    assert_eq!(focus.id, "depth", "{}", client.said);
    assert!(focus.problem.is_some_and(|problem| !problem.is_empty()));
}

#[test]
fn labels_are_said_as_they_are_and_questions_are_asked_once() {
    let mut client =
        Client::new(vec![field("Is there a well?", One, Json::Null), field("{{ 1+1 }}", Line, Json::Null)]);
    client.view("hello");
    assert!(client.said.contains("Is there a well?") && !client.said.contains("??"), "{}", client.said);
    client.view("yes");
    assert!(client.said.contains("{{ 1+1 }}?"), "{}", client.said);
}

#[test]
fn leaving_a_clients_form_names_no_form() {
    let mut client = Client::new(vec![field("Owner name", Line, Json::Null), field("Depth", Integer, Json::Null)]);
    client.view("owner name: Ann");
    client.view("cancel");
    assert!(client.said.contains("Shall I stop here?"), "{}", client.said);
    assert!(client.says("yes").is_none());
    assert!(client.said.contains("I stop here") && client.buttons == 0, "{}", client.said);
}

#[test]
fn what_is_told_of_another_page_ends_a_value_and_is_answered() {
    let mut client = Client::new(vec![field("First name", Line, Json::Null), field("Last name", Line, Json::Null)]);
    client.view("first name: Ann, last name: Smith");
    client.turns_to(vec![field("City", Line, Json::Null), field("Street", Line, Json::Null)]);
    let view = client.view("city Rome, street Via Po 3, last name Brown");
    assert_eq!(filled(&view), [("city", &json!("Rome")), ("street", &json!("Via Po 3"))], "{}", client.said);
    assert!(client.said.contains("another page of the form: Last name") && !view.done, "{}", client.said);
    client.view("change last name to Brown");
    assert!(client.said.contains("another page of the form: Last name"), "{}", client.said);
}

#[test]
fn no_form_is_done_while_an_earlier_page_needs_something() {
    let mut client = Client::new(vec![field("Owner name", Line, Json::Null), field("Mobile", Line, Json::Null)]);
    assert_eq!(missing(&client.view("owner name: Ann")), ["mobile"]);
    client.turns_to(vec![field("City", Line, Json::Null)]);
    let view = client.view("city: Rome");
    assert_eq!((filled(&view), missing(&view), view.done), (vec![("city", &json!("Rome"))], vec!["mobile"], false));
    assert!(client.said.contains("On another page an answer is still needed: Mobile."), "{}", client.said);
    client.turns_to(vec![field("Owner name", Line, json!("Ann")), field("Mobile", Line, json!("555 0101"))]);
    assert!(client.view("yes").done, "{}", client.said);
}

#[test]
fn what_is_sent_of_another_page_is_there_when_that_comes() {
    let mut client = Client::new(vec![field("City", Line, Json::Null)]);
    let mobile = chat::Given { id: "mobile".to_owned(), value: json!("555 0101"), told: false };
    client.sheet.as_mut().unwrap().filled.push(mobile.clone());
    assert_eq!(filled(&client.view("city: Rome")), [("city", &json!("Rome"))]);
    client.turns_to(vec![field("Owner name", Line, Json::Null), field("Mobile", Line, Json::Null)]);
    client.sheet.as_mut().unwrap().filled.push(mobile);
    let view = client.view("owner name: Ann");
    assert_eq!(filled(&view), [("owner name", &json!("Ann")), ("mobile", &json!("555 0101"))], "{}", client.said);
}

#[test]
fn each_value_tells_where_it_came_from() {
    let fields = [("Owner name", Line), ("Well", One), ("Purposes", Several), ("Depth", Integer), ("Dam", Tick)];
    let mut fields: Vec<_> = fields.into_iter().map(|(label, kind)| field(label, kind, Json::Null)).collect();
    fields.push(field("Town", Line, json!("Rome")));
    let mut client = Client::new(fields);
    let mut view = client.view("hello");
    for said in ["Ann Lee", "no", "livestock", "twelve", "yes", "change the depth to 15"] {
        view = client.view(said);
    }
    let told: Vec<String> = view
        .filled
        .iter()
        .map(|filled| format!("{} = {} {:?} {:?}", filled.id, filled.value, filled.source, filled.quote))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    owner name = "Ann Lee" Said Some("Ann Lee")
    well = "N" Said Some("no")
    purposes = ["P1"] Said Some("livestock")
    depth = 15 Said Some("15")
    dam = true Said Some("yes")
    town = "Rome" Pressed None
    "#);
}

#[test]
fn what_was_told_in_a_conversation_goes_before_what_the_field_held_then() {
    let mut client = Client::new(vec![field("Owner name", Line, json!("Old"))]);
    let new = chat::Given { id: "owner name".to_owned(), value: json!("New"), told: true };
    client.sheet.as_mut().unwrap().filled.push(new);
    assert_eq!(filled(&client.view("yes")), [("owner name", &json!("New"))]);
}

#[rstest]
#[case("no")]
#[case("nope")]
#[case("No, I am not.")]
#[case("not really")]
fn a_choice_of_yes_and_no_is_answered_as_yes_and_no_are(#[case] said: &str) {
    let mut client = Client::new(vec![field("Well", One, Json::Null)]);
    client.view("hello");
    assert_eq!(filled(&client.view(said)), [("well", &json!("N"))], "{}", client.said);
}

#[rstest]
#[case("how tall may a dam be?", false)]
#[case("how do I cook pasta?", false)]
#[case("what is the price of a dam?", false)]
#[case("how deep is a well?", false)]
#[case("how deep is it?", false)]
#[case("how much is a dam?", false)]
#[case("how much is it?", true)]
#[case("what does a pizza cost?", true)]
#[case("how much is the margherita?", true)]
fn questions_are_answered_by_what_is_about_the_same(#[case] said: &str, #[case] answered: bool) {
    let mut client = Client::new(Vec::new());
    client.says(said);
    assert_eq!(client.said.contains("between 7 and 11"), answered, "{}", client.said);
    assert_eq!(client.said.contains("I cannot answer that."), !answered, "{}", client.said);
}

#[rstest]
#[case("there is no dam, but there is a pump", [json!("N"), json!("Y")])]
#[case("no dam and no pump", [json!("N"), json!("N")])]
fn what_is_there_and_what_is_not_is_said_at_once(#[case] said: &str, #[case] expected: [Json; 2]) {
    let mut client = Client::new(vec![field("Dam", One, Json::Null), field("Pump", One, Json::Null)]);
    let view = client.view(said);
    assert_eq!(filled(&view), [("dam", &expected[0]), ("pump", &expected[1])], "{}", client.said);
}

#[test]
fn a_value_of_the_clients_that_is_refused_is_told_with_its_reason() {
    let mut client = Client::new(vec![field("Age", Integer, json!(20))]);
    let wrong = chat::Given { id: "age".to_owned(), value: json!("abc"), told: false };
    client.sheet.as_mut().unwrap().filled.push(wrong);
    for _ in 0..2 {
        let view = client.view("hello");
        let [missing] = view.missing.as_slice() else { panic!("one is missing") };
        assert!(missing.id == "age" && missing.reason.is_some() && !view.done);
    }
    assert!(client.view("30").done, "{}", client.said);
}

#[rstest]
#[case::refuted("actually I do have a well", false)]
#[case::wrong("no, that is wrong", true)]
#[case::wrong_alone("wrong", true)]
#[case::noise("asdf", false)]
fn a_form_is_not_done_where_a_message_was_not_understood(#[case] said: &str, #[case] waits: bool) {
    let mut client = Client::new(vec![field("Well", One, json!("N"))]);
    assert!(client.view("no").done, "{}", client.said);
    let view = client.view(said);
    assert!(!view.done && view.waits == waits, "{}", client.said);
}

#[test]
fn a_form_is_not_done_where_part_of_a_message_was_not_understood() {
    let mut client = Client::new(vec![field("Name", Line, Json::Null), field("Age", Integer, Json::Null)]);
    let view = client.view("my name is Ann Lee, I'm 30, I live in Rome and do not smoke");
    assert!(view.missing.is_empty() && !view.done, "{}", client.said);
    assert!(client.view("no").done, "{}", client.said);
}

#[test]
fn a_box_is_ticked_by_its_own_words() {
    let mut client = Client::new(vec![field("I agree to the terms?", Tick, Json::Null)]);
    client.view("hello");
    assert_eq!(filled(&client.view("I agree to the terms")), [("i agree to the terms?", &json!(true))]);
}
