use rstest::rstest;

use super::testing::Stage;

const PIZZA: &str = include_str!("../../../forms/pizza-order.toml");
const HAVING: &str = "pizza=diavola; count=2";

#[rstest]
#[case::yes("yes", "confirm")]
#[case::yep_please("yep please", "confirm")]
#[case::ok_send("ok, send it", "confirm")]
#[case::looks_good("Looks good to me!", "confirm")]
#[case::go_ahead("go ahead", "confirm")]
#[case::that_is_all("that's all", "confirm")]
#[case::no("no", "deny")]
#[case::not_correct("not correct", "deny")]
#[case::no_not_ok("no, that is not ok", "deny")]
#[case::dont_continue("don't continue", "deny")]
#[case::untrue("untrue", "deny")]
#[case::incorrect("that's incorrect", "deny")]
#[case::is_not_right("it isn't right", "deny")]
#[case::no_and_a_change("no, make it margherita", "pizza=margherita")]
#[case::no_and_a_change_without_a_comma("no make it 3", "count=3")]
#[case::yes_but_a_change("yes but make it 3", "count=3")]
#[case::yes_and_a_question("yes, and are there fees?", "ask \"and are there fees?\"; confirm")]
#[case::a_question("is there a delivery fee?", "ask \"is there a delivery fee?\"")]
#[case::a_value("margherita", "pizza=margherita")]
#[case::not_but("not 2 but 4", "count=4")]
#[case::instead_of("4 instead of 2", "count=4")]
#[case::edit_a_field("change the phone", "edit phone")]
#[case::edit_in_a_sentence("I want to change my number", "edit phone")]
#[case::a_field_is_wrong("the address is wrong", "edit address")]
#[case::a_name_alone("address", "edit address")]
#[case::clear_a_field("remove my phone number", "clear phone")]
#[case::forget_a_field("forget the phone", "clear phone")]
#[case::edit_something("I want to change something", "edit")]
#[case::cancel("cancel the order", "cancel")]
#[case::undo("undo that", "undo")]
#[case::gibberish("asdf qwer", "~asdf qwer")]
fn at_a_review(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "review").having(HAVING).line(message), expected);
}

#[rstest]
#[case::cancel("I want to cancel", "cancel")]
#[case::stop_example("not hungry any more", "cancel")]
#[case::back("go back please", "back")]
#[case::skip("let's skip this one", "skip")]
#[case::review("ok show me what you have", "review")]
#[case::help("help", "help")]
#[case::help_in_a_question("what are my options?", "help")]
#[case::why("why do you need that?", "why")]
#[case::repeat("say that again?", "repeat")]
#[case::human("can I talk to a person?", "human")]
#[case::forms("show me the forms", "forms")]
#[case::retry("try again", "retry")]
#[case::rest_no("mark the rest as no", "rest false")]
#[case::more("show more", "more")]
#[case::unknown("I don't know", "help")]
#[case::nothing("none", "skip")]
#[case::stop_sign("stop sign", "~stop sign")]
#[case::cancel_with_more("cancel my subscription", "~cancel my subscription")]
fn control_words_at_a_field(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "pizza").line(message), expected);
}

#[rstest]
#[case::the_asked_field("count", "", "2", "count=2")]
#[case::another_field("count", "", "margherita", "pizza=margherita")]
#[case::answer_and_question(
    "pizza",
    "",
    "a margherita please, and is delivery free?",
    "pizza=margherita; ask \"and is delivery free?\""
)]
#[case::two_options("pizza", "", "margherita or diavola", "?(pizza=margherita | pizza=diavola)")]
#[case::a_correction("address", "pizza=diavola; count=2", "actually make it 3", "count=3")]
#[case::no_and_a_change("address", "pizza=diavola", "no, make it margherita", "pizza=margherita")]
#[case::a_question("address", "", "is there wifi?", "ask \"is there wifi?\"")]
fn values(#[case] pending: &str, #[case] having: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, pending).having(having).line(message), expected);
}
