use formwright_chat::words::Word;
use formwright_chat::{Action, FormCard, Input, Press, Pressed, Screen, Token, UserId, conformance};
use rstest::rstest;
use serde_json::json;

use super::press::{self, Turn};
use super::*;
use crate::render::View;

fn me() -> Me {
    Me { id: 42, username: "FormBot".to_owned(), joins_groups: true, reads_groups: false }
}

fn fixture(name: &str) -> Value {
    let text = match name {
        "text" => include_str!("../../tests/fixtures/message_text.json"),
        "mention" => include_str!("../../tests/fixtures/message_mention_in_topic.json"),
        "photo" => include_str!("../../tests/fixtures/message_photo_of_album.json"),
        "contact" => include_str!("../../tests/fixtures/message_contact.json"),
        "venue" => include_str!("../../tests/fixtures/message_venue.json"),
        "document" => include_str!("../../tests/fixtures/message_document.json"),
        "press" => include_str!("../../tests/fixtures/callback_query.json"),
        "migrate" => include_str!("../../tests/fixtures/message_migrate.json"),
        "users" => include_str!("../../tests/fixtures/message_users_shared.json"),
        other => panic!("no fixture {other}"),
    };
    serde_json::from_str(text).unwrap()
}

fn message(name: &str) -> (Incoming, Said) {
    let incoming = read(&fixture(name), &me()).unwrap();
    let What::Said(said) = incoming.what.clone() else { panic!("{incoming:?}") };
    (incoming, *said)
}

#[test]
fn a_private_message_tells_who_says_what_in_which_language() {
    let (incoming, said) = message("text");
    assert_eq!(incoming.from, Person { id: 7, name: Some("Ada".to_owned()), locale: Some("it".to_owned()) });
    assert_eq!(incoming.chat, Chat { id: 7, private: true, thread: None });
    assert_eq!((said.text.as_str(), said.to_us), ("Una diavola, per favore 🍕", false));
}

#[test]
fn a_mention_is_taken_out_of_the_words_and_a_topic_is_a_thread() {
    let (incoming, said) = message("mention");
    assert_eq!(incoming.chat, Chat { id: -1_001_234, private: false, thread: Some(11) });
    assert_eq!(said.text, "🍕 I want pizza");
    // It answers nothing: Telegram marks messages of a topic as answers to the topic's first message.
    assert!(said.to_us && !said.to_other);
}

#[test]
fn files_are_taken_by_reference_with_name_type_and_size() {
    let (_, photo) = message("photo");
    assert_eq!(photo.album.as_deref(), Some("13000"));
    let file = &photo.files[0];
    assert_eq!((file.id.as_str(), file.media_type.as_str(), file.bytes), ("large", "image/jpeg", Some(90_000)));
    let (_, document) = message("document");
    assert_eq!(
        document.files,
        [FileRef { id: "doc".into(), name: "cv.pdf".into(), media_type: "application/pdf".into(), bytes: Some(1234) }]
    );
    assert_eq!(document.text, "My CV");
}

#[test]
fn a_venue_is_a_place_with_its_address() {
    let (_, said) = message("venue");
    let location = said.location.unwrap();
    assert_eq!(location.address.as_deref(), Some("Duomo, Piazza del Duomo"));
    assert!((location.lat - 45.464).abs() < 1e-9);
}

#[test]
fn a_press_brings_its_token_back_and_foreign_data_brings_none() {
    let mut update = fixture("press");
    let incoming = read(&update, &me()).unwrap();
    let What::Pressed { query, wire, message } = incoming.what else { panic!() };
    assert_eq!((query.as_str(), message), ("4382bfdwdsb323b2d9", Some(99)));
    assert_eq!(wire.unwrap().op.as_deref(), Some("p2"));
    update["callback_query"]["data"] = json!("vote:1");
    let What::Pressed { wire, .. } = read(&update, &me()).unwrap().what else { panic!() };
    assert_eq!(wire, None);
}

#[test]
fn a_group_that_moves_names_both_ids() {
    assert_eq!(moved(&fixture("migrate")), Some((-500, -1_001_500)));
    assert_eq!(read(&fixture("migrate"), &me()), None);
}

#[rstest]
#[case::a_bot(json!({"update_id": 1, "message": {"message_id": 1, "from": {"id": 9, "is_bot": true}, "chat": {"id": 9, "type": "private"}, "text": "x"}}))]
#[case::a_channel(json!({"update_id": 1, "channel_post": {"message_id": 1, "chat": {"id": -9, "type": "channel"}, "text": "x"}}))]
#[case::anonymous(json!({"update_id": 1, "message": {"message_id": 1, "from": {"id": 9}, "sender_chat": {"id": -9}, "chat": {"id": -9, "type": "supergroup"}, "text": "x"}}))]
#[case::an_edit_of_a_channel(json!({"update_id": 1, "edited_channel_post": {"message_id": 1, "from": {"id": 9}, "chat": {"id": 9, "type": "channel"}, "text": "x"}}))]
#[case::joined(json!({"update_id": 1, "message": {"message_id": 1, "from": {"id": 9}, "chat": {"id": -9, "type": "group"}, "new_chat_members": []}}))]
#[case::odd(json!({"update_id": 1, "message": []}))]
#[case::empty(json!({}))]
#[case::no_object(json!("update"))]
#[case::of_tomorrow(json!({"update_id": 1, "telepathy": {"from": {"id": 9}}}))]
fn what_no_person_says_is_nothing(#[case] update: Value) {
    assert_eq!(read(&update, &me()), None);
}

#[rstest]
fn what_answers_nothing_is_answered_in_private_and_left_alone_in_groups(
    #[values("dice", "poll", "story", "sticker")] kind: &str,
) {
    let update = |chat: Value| {
        let message =
            json!({"message_id": 1, "date": 0, "from": {"id": 9, "first_name": "Ada"}, "chat": chat, kind: {}});
        read(&json!({"update_id": 1, "message": message}), &me())
    };
    assert_eq!(update(json!({"id": -9, "type": "supergroup"})), None);
    let What::Said(said) = update(json!({"id": 9, "type": "private"})).unwrap().what else { panic!("nothing said") };
    // What is asked is put once more.
    assert_eq!(routed(&said, false, None), Doing::Act(Action::Open { form: None }));
}

#[test]
fn kinds_of_markup_that_are_not_known_do_not_hide_the_words() {
    let update = json!({"update_id": 1, "message": {"message_id": 1, "date": 0, "from": {"id": 9}, "chat": {"id": 9, "type": "private"},
        "text": "at 5 pm", "entities": [{"type": "date_time", "offset": 3, "length": 4}, {"type": "mention", "offset": 900, "length": 4}]}});
    let What::Said(said) = read(&update, &me()).unwrap().what else { panic!() };
    assert_eq!(said.text, "at 5 pm");
}

fn screen(input: Input) -> Screen {
    let reply = conformance::asking(input);
    Screen::new(UserId::new("7"), conformance::place("telegram"), reply, Vec::new())
}

fn forms() -> Vec<FormCard> {
    vec![FormCard {
        id: "pizza-order".to_owned(),
        title: "Pizza".to_owned(),
        description: String::new(),
        fields: 3,
        ..FormCard::default()
    }]
}

fn routed(said: &Said, group: bool, live: Option<&Screen>) -> Doing {
    route(said, &Setting { group, live, worded: true, bot: "FormBot", forms: &forms(), lang: "it" })
}

fn saying(text: &str) -> Said {
    Said { message: 1, text: text.to_owned(), ..Said::default() }
}

#[rstest]
#[case::by_a_username("@ben_b can you look?", json!({"type": "mention", "offset": 0, "length": 6}), true)]
#[case::by_a_name("👋 Ben, can you look?", json!({"type": "text_mention", "offset": 3, "length": 3, "user": {"id": 8}}), true)]
#[case::the_bot("@FormBot can you look?", json!({"type": "mention", "offset": 0, "length": 8}), false)]
#[case::in_passing("ask @ben_b for it", json!({"type": "mention", "offset": 4, "length": 6}), false)]
fn who_calls_somebody_by_name_is_heard_as_such(#[case] text: &str, #[case] entity: Value, #[case] calls: bool) {
    let message = json!({"message_id": 1, "text": text, "entities": [entity]});
    let me = Me { id: 99, username: "FormBot".to_owned(), ..Me::default() };
    assert_eq!(super::said(&message, &me).unwrap().calls_another, calls);
}

#[rstest]
#[case::idle_talk(saying("hello"), false, false)]
#[case::an_answer(saying("hello"), true, true)]
#[case::to_somebody_else(Said { to_other: true, ..saying("hello") }, true, false)]
#[case::to_somebody_by_name(Said { calls_another: true, ..saying("@ben_b look") }, true, false)]
#[case::to_the_bot(Said { to_us: true, ..saying("hello") }, false, true)]
#[case::a_form(saying("/pizza_order"), false, true)]
#[case::a_control(saying("/cancel@formbot"), false, true)]
#[case::of_another_bot(saying("/roll"), true, false)]
#[case::to_another_bot(saying("/pizza_order@otherbot"), true, false)]
fn in_a_group_only_what_is_meant_for_the_bot_counts(#[case] said: Said, #[case] live: bool, #[case] counts: bool) {
    let screen = screen(Input::Email);
    let doing = routed(&said, true, live.then_some(&screen));
    assert_eq!(doing != Doing::Nothing, counts, "{doing:?}");
}

#[test]
fn commands_are_said_in_the_language_of_the_question() {
    let mut asked = screen(Input::Email);
    asked.reply.lang = "de".to_owned();
    let say = |word, lang| Doing::Act(Action::Say { text: formwright_chat::words::say(word, lang).to_owned() });
    assert_eq!(routed(&saying("/cancel"), false, Some(&asked)), say(Word::SayCancel, "de"));
    assert_eq!(routed(&saying("/help"), false, None), say(Word::SayHelp, "it"));
    assert_eq!(routed(&saying("/start q1"), false, None), Doing::Start("q1".to_owned()));
    let open = Doing::Act(Action::Open { form: Some("pizza-order".to_owned()) });
    assert_eq!(routed(&saying("/pizza_order"), false, None), open);
}

#[test]
fn a_shared_number_answers_a_telephone_question_whosever_it_is() {
    let (_, mut said) = message("contact");
    let phone = screen(Input::Phone { country: None });
    let Doing::Act(Action::Press { presses }) = routed(&said, false, Some(&phone)) else { panic!() };
    assert_eq!(presses[0].value, Pressed::Text { text: "+393331234567".to_owned() });
    assert_eq!(presses[0].token, phone.reply.questions[0].token);
    said.contact.as_mut().unwrap().phone = "+393337654321".to_owned();
    let Doing::Act(Action::Press { presses }) = routed(&said, false, Some(&phone)) else { panic!() };
    assert_eq!(presses[0].value, Pressed::Text { text: "+393337654321".to_owned() });
}

#[test]
fn a_picked_person_answers_a_question_for_one() {
    let (_, said) = message("users");
    let person = screen(Input::Person);
    let Doing::Act(Action::Press { presses }) = routed(&said, false, Some(&person)) else { panic!() };
    assert_eq!(presses[0].value, Pressed::Text { text: "@grace".to_owned() });
}

#[test]
fn the_words_of_a_button_press_it_where_it_can_only_be_written() {
    let phone = screen(Input::Phone { country: None });
    let Doing::Act(Action::Press { presses }) = routed(&saying(" skip "), false, Some(&phone)) else { panic!() };
    assert_eq!(presses, [Press { token: phone.reply.buttons[0].token.clone(), value: Pressed::Button }]);
}

fn turn(screen: &Screen, token: &Token, op: Option<&str>) -> Turn {
    let wire = op.map_or_else(|| Wire::press(token), |op| Wire::op(token, op));
    press::read(screen, &wire)
}

fn takes(text: &str) -> impl Fn(&Turn) -> bool {
    move |turn| matches!(turn, Turn::Take(Press { value: Pressed::Text { text: taken }, .. }) if taken == text)
}

#[rstest]
#[case(Input::Date { min: None, max: None }, "d2026-12-24", "2026-12-24")]
#[case(Input::Date { min: None, max: None }, "q1", "Tomorrow")]
#[case(Input::Time { min: None, max: None }, "t09:05", "09:05")]
#[case(Input::DateTime { min: None, max: None }, "t2026-12-24T14:35", "2026-12-24T14:35")]
#[case(Input::DateRange { min: None, max: None }, "e2026-12-24.2026-12-28", "2026-12-24/2026-12-28")]
#[case(Input::Rating { min: 1, max: 5 }, "v4", "4")]
fn the_last_button_of_a_widget_is_the_answer(#[case] input: Input, #[case] op: &str, #[case] answer: &str) {
    let screen = screen(input);
    let token = screen.reply.questions[0].token.clone();
    let turn = turn(&screen, &token, Some(op));
    assert!(takes(answer)(&turn), "{turn:?}");
}

#[rstest]
#[case(Input::Date { min: None, max: None }, "m2026-12")]
#[case(Input::DateTime { min: None, max: None }, "d2026-12-24")]
#[case(Input::DateTime { min: None, max: None }, "h2026-12-24T14")]
#[case(Input::DateRange { min: None, max: None }, "d2026-12-24")]
#[case(Input::DateRange { min: None, max: None }, "s2026-12-24.y2027")]
#[case(Input::Time { min: None, max: None }, "h14")]
fn the_buttons_before_it_turn_the_widget(#[case] input: Input, #[case] op: &str) {
    let screen = screen(input);
    let token = screen.reply.questions[0].token.clone();
    assert_eq!(turn(&screen, &token, Some(op)), Turn::Show(View { slot: 0, op: op.to_owned() }));
}

#[rstest]
#[case(Input::Date { min: None, max: None }, "d2026-02-30")]
#[case(Input::Date { min: None, max: None }, "dtomorrow")]
#[case(Input::Time { min: None, max: None }, "t99:99")]
#[case(Input::Rating { min: 1, max: 5 }, "v6")]
#[case(Input::Email, "v6")]
#[case(Input::Email, "-")]
fn what_no_widget_wears_is_no_answer(#[case] input: Input, #[case] op: &str) {
    let screen = screen(input);
    let token = screen.reply.questions[0].token.clone();
    assert_eq!(turn(&screen, &token, Some(op)), Turn::Unknown);
}

#[test]
fn only_options_and_buttons_of_this_screen_count() {
    let one = screen(conformance::options(0, 3, false));
    let question = one.reply.questions[0].token.clone();
    let press = Press { token: question.clone(), value: Pressed::Options { tokens: vec![question.option(2)] } };
    assert_eq!(turn(&one, &question.option(2), None), Turn::Take(press));
    assert_eq!(turn(&one, &question.option(3), None), Turn::Unknown);
    assert_eq!(turn(&one, &question, None), Turn::Unknown);
    let skip = one.reply.buttons[0].token.clone();
    assert_eq!(turn(&one, &skip, None), Turn::Take(Press { token: skip, value: Pressed::Button }));
}

#[test]
fn several_are_ticked_within_bounds_and_sent_together() {
    let mut several = screen(conformance::options(0, 5, true));
    let question = several.reply.questions[0].token.clone();
    assert_eq!(turn(&several, &question, Some("d")), Turn::TickFirst);
    let Input::Options { max, .. } = &mut several.reply.questions[0].input else { panic!() };
    *max = Some(1);
    assert!(matches!(turn(&several, &question.option(1), Some("t0")), Turn::Tick(..)));
    several.tick(&question.option(1));
    assert_eq!(turn(&several, &question.option(2), Some("t0")), Turn::TickedEnough);
    assert!(matches!(turn(&several, &question.option(1), Some("t0")), Turn::Tick(..)), "a tick can be taken away");
    let Turn::Take(press) = turn(&several, &question, Some("d")) else { panic!() };
    assert_eq!(press::words(&several, &press).as_deref(), Some("Option 2"));
}

#[test]
fn an_answer_is_shown_in_words_and_a_private_one_not_at_all() {
    let mut date = screen(Input::Date { min: None, max: None });
    date.reply.lang = "de".to_owned();
    let token = date.reply.questions[0].token.clone();
    let Turn::Take(press) = turn(&date, &token, Some("d2026-12-24")) else { panic!() };
    assert_eq!(press::words(&date, &press).as_deref(), Some("24. Dezember 2026"));
    date.reply.private = true;
    assert_eq!(press::words(&date, &press), None);
}
