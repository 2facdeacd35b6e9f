//! Answers that were given before the person's zone was known are read again in it, however they were said.

use formwright_chat as chat;

use crate::zone::tests::{CALL, Person, STAY};

#[test]
fn an_hour_whose_half_was_chosen_is_read_again() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow at 10");
    let _ = ada.says("in the morning");
    assert_eq!(ada.answer("day"), "2026-11-21T10:00");
    let told = ada.says("Rome");
    assert_eq!(ada.answer("day"), "2026-11-22T10:00", "it is Saturday in Rome already: {told}");
}

#[test]
fn a_time_on_a_day_that_was_said_before_it_is_read_again() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow");
    let _ = ada.says("at 17:00");
    assert_eq!(ada.answer("day"), "2026-11-21T17:00");
    let _ = ada.says("no, at 18:00");
    assert_eq!(ada.answer("day"), "2026-11-21T18:00");
    let told = ada.says("Rome");
    assert_eq!(ada.answer("day"), "2026-11-22T18:00", "{told}");
}

#[test]
fn a_day_of_a_button_is_read_again() {
    let mut ada = Person::new(STAY);
    let _ = ada.says("book a room");
    let question = ada.replies.iter().flat_map(|reply| &reply.questions).find(|question| question.field == "day");
    let token = question.expect("the day is asked").token.clone();
    let value = chat::Pressed::Text { text: "Tomorrow".to_owned() };
    let asked = ada.does(chat::Action::Press { presses: vec![chat::Press { token, value }] });
    assert!(asked.contains("time zone"), "{asked}");
    assert_eq!(ada.answer("day"), "2026-11-21");
    let told = ada.says("Tokyo");
    assert_eq!(ada.answer("day"), "2026-11-22", "{told}");
}

#[test]
fn the_review_says_which_zone_times_are_in_where_a_client_tells_none() {
    let mut ada = Person::new(CALL);
    ada.session.platform_lacks_zone = false;
    let _ = ada.says("book a call");
    let _ = ada.says("3 December 2026 at 17:00");
    let review = ada.says("+39 347 123 4567");
    assert!(review.contains("Times are UTC time."), "{review}");
}

#[test]
fn a_time_of_a_place_is_kept_whatever_the_own_zone_and_a_place_nobody_knows_is_asked_about() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let asked = ada.says("1 June 2027 at 3 pm Springfield time");
    assert!(asked.contains("I don't know “Springfield time”"), "{asked}");
    assert_eq!(ada.answer("day"), "");
    let _ = ada.says("1 June 2027 at 3 pm New York time");
    assert_eq!(ada.answer("day"), "2027-06-01T19:00", "in UTC, as long as nobody knows better");
    let told = ada.says("Rome");
    assert_eq!(ada.answer("day"), "2027-06-01T21:00", "{told}");
}
