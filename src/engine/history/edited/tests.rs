use formwright_chat as chat;
use formwright_chat::{Joined, MessageId};
use jiff::Timestamp;
use rstest::rstest;

use crate::effect::Effect;
use crate::engine::Engine;
use crate::session::Session;
use crate::testing;
use formwright_form::{Path, Value};
use formwright_nlu::{Answer, Pending};

const TABLE: &str = r#"
    schema = 1
    id = "table"
    title = "Book a table"
    start_examples = ["book a table"]
    [[field]]
    id = "name"
    kind = "text"
    [[field]]
    id = "people"
    kind = "integer"
    max = 20
    [[field]]
    id = "day"
    kind = "date"
    [[field]]
    id = "terrace"
    kind = "yes_no"
"#;

/// A person whose messages have the numbers of their events.
struct Guest {
    engine: Engine,
    session: Session,
    no: u32,
}

impl Guest {
    /// Who has said this already.
    fn who_said(messages: &[&str]) -> Self {
        Self::filling_in(TABLE, messages)
    }

    fn filling_in(form: &str, messages: &[&str]) -> Self {
        let session = Session::new(chat::conformance::place("telegram"), chat::UserId::new("ada"));
        let mut guest = Self { engine: Engine::new(testing::catalog(&[form])), session, no: 0 };
        for text in messages {
            guest.says(text);
        }
        guest
    }

    fn says(&mut self, text: &str) -> Vec<String> {
        let message = Some(MessageId::new((self.no + 1).to_string()));
        let terms = chat::Terms { message, ..chat::Terms::default() };
        self.does(chat::Action::Say { text: text.to_owned() }, terms)
    }

    /// Several messages that the host joined, named by letters.
    fn says_in_pieces(&mut self, pieces: &[(&str, &str)]) -> Vec<String> {
        let joined = pieces.iter().map(|(id, text)| Joined { message: MessageId::new(*id), text: (*text).to_owned() });
        let terms = chat::Terms { joined: joined.collect(), ..chat::Terms::default() };
        let text = pieces.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n");
        self.does(chat::Action::Say { text }, terms)
    }

    fn edits(&mut self, message: &str, text: &str) -> Vec<String> {
        let edit = chat::Action::Edit { message: MessageId::new(message), text: text.to_owned() };
        self.does(edit, chat::Terms::default())
    }

    fn does(&mut self, action: chat::Action, terms: chat::Terms) -> Vec<String> {
        self.no += 1;
        let now = Timestamp::from_second(1_800_000_000 + i64::from(self.no)).unwrap();
        let ada = testing::somebody("ada", "en");
        testing::does(&self.engine, &mut self.session, self.no, now, ada, (action, terms))
            .into_iter()
            .flat_map(|effect| if let Effect::Reply(reply) = effect { reply.say } else { vec![] })
            .collect()
    }

    fn answers(&self) -> String {
        let draft = self.session.draft.as_ref().expect("a draft");
        let shown =
            |(path, answer): (&Path, &Answer)| format!("{path}={}", serde_json::to_value(&answer.value).unwrap()["v"]);
        draft.answers.iter().map(shown).collect::<Vec<_>>().join(" ")
    }
}

const CALL: &str = r#"
    id = "call"
    title = "Call"
    start_examples = ["book a call"]
    [[field]]
    id = "day"
    kind = "datetime"
    [[field]]
    id = "people"
    kind = "integer"
"#;

#[test]
fn an_answer_follows_its_message_also_where_the_zone_was_told_since() {
    let mut guest = Guest::filling_in(CALL, &["book a call", "in two hours", "my time zone is Rome"]);
    assert_eq!(guest.answers(), r#"day="2027-01-15T11:00:00""#);
    let told = guest.edits("2", "in three hours");
    assert_eq!(guest.answers(), r#"day="2027-01-15T12:00:00""#, "{told:?}");
}

#[test]
fn an_edit_to_an_hour_that_the_clock_skips_asks_which_is_meant() {
    let mut guest = Guest::filling_in(CALL, &["my time zone is Rome", "book a call", "27 March 2027 at 2:30 am"]);
    let told = guest.edits("3", "28 March 2027 at 2:30 am");
    assert!(
        matches!(&guest.session.draft.as_ref().unwrap().pending, Pending::Which { readings, .. } if readings.len() == 2),
        "{told:?}"
    );
    let told = guest.says("at 04:00");
    assert_eq!(guest.answers(), r#"day="2027-03-28T04:00:00""#, "{told:?}");
}

#[test]
fn a_value_that_its_field_does_not_take_leaves_the_answer() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12"]);
    let told = guest.edits("3", "21");
    assert_eq!(guest.answers(), r#"name="Ada" people=12"#);
    assert!(told.iter().any(|line| line.contains("stays 12")), "{told:?}");
}

#[rstest]
#[case::the_last(&["book a table", "Ada", "12"], "3", "13", r#"name="Ada" people=13"#)]
#[case::an_earlier_one(&["book a table", "Ada", "12"], "2", "Ava", r#"name="Ava" people=12"#)]
#[case::what_opened_the_form(&["book a table for 4"], "1", "book a table for 5", "people=5")]
#[case::with_more_in_it(&["book a table", "Ada", "12"], "3", "13 on 24 December 2027", r#"day="2027-12-24" name="Ada" people=13"#)]
#[case::words_that_were_not_understood(&["book a table", "Ada", "twolve"], "3", "twelve", r#"name="Ada" people=12"#)]
fn answers_follow_their_message(
    #[case] said: &[&str],
    #[case] message: &str,
    #[case] text: &str,
    #[case] answers: &str,
) {
    let mut guest = Guest::who_said(said);
    let told = guest.edits(message, text);
    assert_eq!((guest.answers().as_str(), told.is_empty()), (answers, false), "{told:?}");
}

#[test]
fn a_message_is_edited_again() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12"]);
    for count in [13, 14] {
        guest.edits("3", &count.to_string());
        assert_eq!(guest.answers(), format!(r#"name="Ada" people={count}"#));
    }
}

#[test]
fn an_answer_that_the_message_does_not_give_any_more_is_asked_again() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12 on 24 December 2027", "yes"]);
    assert_eq!(guest.answers(), r#"day="2027-12-24" name="Ada" people=12 terrace=true"#);
    let told = guest.edits("3", "13").join(" ");
    assert_eq!(guest.answers(), r#"name="Ada" people=13 terrace=true"#);
    assert!(told.contains("24 December 2027"), "it is offered: {told}");
}

#[test]
fn a_later_message_counts_more_than_an_edit() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12", "make it 6 people"]);
    let told = guest.edits("3", "13");
    assert_eq!(guest.answers(), r#"name="Ada" people=6"#);
    assert!(told[0].starts_with("None of your answers comes from the message"), "{told:?}");
}

#[test]
fn what_is_not_understood_loses_nothing() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12"]);
    let told = guest.edits("3", "whatever suits you");
    assert_eq!(guest.answers(), r#"name="Ada" people=12"#);
    assert!(told[0].contains("cannot read an answer") && told[1].contains("stays 12"), "{told:?}");
}

#[test]
fn nobody_is_told_of_edits_that_change_nothing() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12 please"]);
    let before = guest.session.draft.as_ref().unwrap().answers.clone();
    for text in ["12 please", "12, please!"] {
        assert_eq!(guest.edits("3", text), [""; 0]);
    }
    assert!(guest.session.draft.as_ref().unwrap().answers == before);
    assert_eq!(Guest::who_said(&[]).edits("3", "hello"), [""; 0], "a message that was never read");
    assert_eq!(guest.edits("99", "hello"), [""; 0], "nor one that was not heard");
    let mut guest = Guest::who_said(&["book a table", "Ada", "how are you?", "12"]);
    assert_eq!(guest.edits("3", "how is the weather?"), [""; 0], "one that no answer came of");
}

#[test]
fn a_form_that_is_over_does_not_follow() {
    let mut guest = Guest::who_said(&["book a table", "Ada", "12", "24 December 2027", "no", "yes"]);
    assert!(guest.session.draft.is_none());
    let told = guest.edits("3", "13");
    assert_eq!(
        told,
        [
            "The message you edited was for “Book a table”, which you are not filling in now: its answers stay as they are."
        ]
    );
    let kept = guest.session.closed.as_ref().unwrap();
    assert_eq!(kept.answers[&"people".parse().unwrap()].value, Value::Integer(12));
}

#[test]
fn one_of_several_messages_that_were_read_as_one_is_edited() {
    let mut guest = Guest::who_said(&["book a table"]);
    guest.says_in_pieces(&[("a", "for 4 people,"), ("b", "on 24 December 2027")]);
    assert_eq!(guest.answers(), r#"day="2027-12-24" people=4"#);
    guest.edits("b", "on 25 December 2027");
    guest.edits("a", "for 5 people,");
    assert_eq!(guest.answers(), r#"day="2027-12-25" people=5"#);
}
