pub(crate) mod later;

use formwright_chat as chat;
use jiff::Timestamp;
use rstest::rstest;

use crate::effect::{Effect, Submission};
use crate::engine::Engine;
use crate::session::Session;
use crate::session::own_zone::OwnZone;
use crate::testing;
use formwright_form::catalog::Zones;

const CALL: &str = r#"
    id = "call"
    title = "Call"
    start_examples = ["book a call"]
    [[field]]
    id = "day"
    kind = "datetime"
    ask = "When shall we call?"
    [[field]]
    id = "phone"
    kind = "phone"
    ask = "Which number?"
"#;

/// One person in front of the bot. It is 23:30 UTC on Friday 20 November 2026.
struct Person {
    engine: Engine,
    session: Session,
    user: chat::User,
    now: Timestamp,
    no: u32,
    replies: Vec<chat::Reply>,
    sent: Option<Submission>,
}

impl Person {
    /// Somebody on a platform that knows no zones.
    fn new(form: &str) -> Self {
        let user = testing::somebody("ada", "en");
        let mut session = Session::new(chat::conformance::place("telegram"), user.id.clone());
        session.platform_lacks_zone = true;
        let now = "2026-11-20T23:30:00Z".parse().unwrap();
        let engine = Engine::new(testing::catalog(&[form]));
        Self { engine, session, user, now, no: 0, replies: Vec::new(), sent: None }
    }

    /// The same with a zone in the settings for all platforms.
    fn with_settings(form: &str, zone: &str) -> Self {
        let person = Self::new(form);
        let mut catalog = person.engine.catalog().clone();
        catalog.set_zones(Zones { others: Some(zone.to_owned()), ..Zones::default() });
        Self { engine: person.engine.with_forms(catalog), ..person }
    }

    fn does(&mut self, action: chat::Action) -> String {
        self.no += 1;
        let deed = (action, chat::Terms::default());
        let effects = testing::does(&self.engine, &mut self.session, self.no, self.now, self.user.clone(), deed);
        self.replies.clear();
        for effect in effects {
            match effect {
                Effect::Reply(reply) => self.replies.push(*reply),
                Effect::Submit(submission) => self.sent = Some(*submission),
                _ => {}
            }
        }
        self.replies.iter().map(|reply| reply.say.join(" ")).collect::<Vec<_>>().join(" | ")
    }

    fn says(&mut self, text: &str) -> String {
        self.does(chat::Action::Say { text: text.to_owned() })
    }

    fn buttons(&self) -> Vec<String> {
        self.replies.iter().flat_map(|reply| &reply.buttons).map(|button| button.label.clone()).collect()
    }

    fn presses(&mut self, label: &str) -> String {
        let mut buttons = self.replies.iter().flat_map(|reply| &reply.buttons);
        let token = buttons.find(|button| button.label == label).expect("such a button").token.clone();
        self.does(chat::Action::Press { presses: vec![chat::Press { token, value: chat::Pressed::Button }] })
    }

    fn answer(&self, field: &str) -> String {
        let draft = self.session.draft.as_ref().expect("a draft");
        let answer = draft.answers.get(&field.parse().unwrap());
        answer.map_or_else(String::new, |answer| {
            let form = self.engine.form_of(draft).unwrap();
            let kind = &form.field_at(&field.parse().unwrap()).unwrap().kind;
            kind.behaviour().json(&answer.value).as_str().unwrap_or_default().to_owned()
        })
    }
}

#[test]
fn the_zone_is_asked_once_where_an_answer_hangs_on_it_and_the_answer_follows() {
    let mut ada = Person::new(CALL);
    assert!(!ada.says("book a call").contains("time zone"), "nothing hangs on it yet");
    let asked = ada.says("in two hours");
    assert!(asked.contains("Which time zone are you in?"), "{asked}");
    assert_eq!(ada.answer("day"), "2026-11-21T01:30", "in UTC, as long as nobody knows better");
    assert_eq!(ada.buttons().first().map(String::as_str), Some("London, 23:30"));
    assert_eq!(ada.buttons().last().map(String::as_str), Some("Leave it at UTC"));
    let told = ada.says("Rome");
    assert!(told.contains("those of Rome, 00:30"), "{told}");
    assert!(told.contains("(was Saturday 21 November 2026 at 01:30)"), "{told}");
    assert_eq!(ada.answer("day"), "2026-11-21T02:30");
    let review = ada.says("+39 347 123 4567");
    assert!(review.contains("Times are Rome time."), "{review}");
    let _ = ada.says("yes");
    let sent = ada.sent.take().expect("a submission");
    assert_eq!((sent.zone.as_deref(), sent.answers["day"].as_str()), (Some("Europe/Rome"), Some("2026-11-21T02:30")));
    // The next form knows.
    let _ = ada.says("book a call");
    let next = ada.says("tomorrow at 5 pm");
    assert!(next.contains("Which number?") && !next.contains("time zone"), "{next}");
    assert_eq!(ada.answer("day"), "2026-11-22T17:00", "it is Saturday in Rome already");
}

#[rstest]
#[case("skip")]
#[case("no")]
fn whoever_leaves_it_open_is_not_asked_again_and_sees_which_zone_counts(#[case] word: &str) {
    let mut ada = Person::with_settings(CALL, "Europe/Berlin");
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow at 5 pm");
    assert_eq!(ada.buttons().first().map(String::as_str), Some("Berlin, 00:30"), "the operator's guess comes first");
    let left = ada.says(word);
    assert!(left.contains("I take the times as Berlin time.") && left.contains("Which number?"), "{left}");
    assert_eq!(ada.answer("day"), "2026-11-22T17:00");
    let review = ada.says("+39 347 123 4567");
    assert!(review.contains("Times are Berlin time."), "{review}");
    let _ = ada.says("yes");
    assert_eq!(ada.sent.take().unwrap().zone.as_deref(), Some("Europe/Berlin"));
}

#[test]
fn words_that_name_no_zone_are_asked_about_once_more_and_then_let_be() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow at 5 pm");
    let again = ada.says("blue");
    assert!(again.contains("I need your time zone"), "{again}");
    let left = ada.says("blue");
    assert!(left.contains("I take the times as UTC time.") && left.contains("Which number?"), "{left}");
}

#[test]
fn a_zone_with_several_clocks_is_asked_about_further() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow at 5 pm");
    let _ = ada.says("IST");
    assert_eq!(ada.buttons(), ["Kolkata, 05:00", "Jerusalem, 01:30", "Dublin, 23:30", "Leave it at UTC"]);
    let told = ada.presses("Jerusalem, 01:30");
    assert!(told.contains("those of Jerusalem"), "{told}");
    assert_eq!(ada.session.own_zone, Some(OwnZone::Told("Asia/Jerusalem".to_owned())));
}

#[test]
fn a_shared_place_answers_the_question() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("tomorrow at 5 pm");
    let location = chat::LocationRef { lat: 19.07, lng: 72.88, address: None, city: None, country: None };
    let told = ada.does(chat::Action::Share { location });
    assert!(told.contains("those of Kolkata"), "{told}");
}

#[test]
fn a_phone_number_of_a_country_with_one_clock_tells_the_zone() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call, my number is +39 347 123 4567");
    let told = ada.says("in two hours");
    assert!(!told.contains("Which time zone"), "{told}");
    assert!(told.contains("Times are Rome time."), "{told}");
    assert_eq!(ada.answer("day"), "2026-11-21T02:30");
    assert_eq!(ada.session.own_zone, Some(OwnZone::Found("Europe/Rome".to_owned())));
}

#[test]
fn a_zone_that_is_told_unasked_goes_before_what_the_platform_knows() {
    let mut ada = Person::new(CALL);
    ada.session.platform_lacks_zone = false;
    ada.user.zone = Some("Europe/London".to_owned());
    let told = ada.says("my time zone is Tokyo");
    assert!(told.contains("those of Tokyo, 08:30"), "{told}");
    let _ = ada.says("book a call");
    let _ = ada.says("in two hours");
    assert_eq!(ada.answer("day"), "2026-11-21T10:30");
}

#[test]
fn whose_zone_the_platform_knows_is_told_and_asked_nothing() {
    let mut ada = Person::new(CALL);
    ada.session.platform_lacks_zone = false;
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    let _ = ada.says("in two hours");
    assert_eq!(ada.answer("day"), "2026-11-21T02:30");
    let review = ada.says("+39 347 123 4567");
    assert!(!review.contains("Times are"), "{review}");
    // They travel before they confirm: what they said stays what it was.
    ada.user.zone = Some("America/New_York".to_owned());
    let _ = ada.says("yes");
    let sent = ada.sent.take().unwrap();
    assert_eq!((sent.zone.as_deref(), sent.answers["day"].as_str()), (Some("Europe/Rome"), Some("2026-11-21T02:30")));
}

#[test]
fn a_form_with_a_zone_asks_for_none() {
    let mut ada = Person::with_settings(&CALL.replacen("title", "zone = \"asia/tokyo\"\ntitle", 1), "Europe/Berlin");
    let _ = ada.says("book a call");
    let next = ada.says("in two hours");
    assert!(next.contains("Which number?"), "{next}");
    assert_eq!(ada.answer("day"), "2026-11-21T10:30", "the form goes before the settings");
    let review = ada.says("+39 347 123 4567");
    assert!(review.contains("Times are Tokyo time."), "{review}");
}

const STAY: &str = r#"
    id = "stay"
    title = "Stay"
    start_examples = ["book a room"]
    [[field]]
    id = "day"
    kind = "date"
    [[field]]
    id = "guests"
    kind = "integer"
"#;

#[test]
fn a_day_is_asked_about_only_where_it_is_seen_from_today() {
    let mut ada = Person::new(STAY);
    let _ = ada.says("book a room");
    assert!(!ada.says("3 December 2026").contains("time zone"));
    let mut ben = Person::new(STAY);
    let _ = ben.says("book a room");
    assert!(ben.says("tomorrow").contains("time zone"));
    let told = ben.says("it's 8:30 am here in Tokyo");
    assert!(told.contains("those of Tokyo"), "{told}");
    assert_eq!(ben.answer("day"), "2026-11-22", "tomorrow in Tokyo");
}

#[test]
fn an_hour_that_the_clock_skips_or_repeats_is_asked() {
    let mut ada = Person::new(CALL);
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    let skipped = ada.says("28 March 2027 at 2:30 am");
    assert!(skipped.contains("put forward"), "{skipped}");
    let sunday = "Sunday 28 March 2027 at";
    assert_eq!(ada.buttons(), [format!("{sunday} 01:30"), format!("{sunday} 03:30")]);
    let _ = ada.presses(&format!("{sunday} 03:30"));
    assert_eq!(ada.answer("day"), "2027-03-28T03:30");
    let twice = ada.says("no, on 31 October 2027 at 2:30 am");
    assert!(twice.contains("comes twice"), "{twice}");
    assert_eq!(ada.answer("day"), "2027-03-28T03:30", "nothing is guessed");
    let sunday = "Sunday 31 October 2027 at 02:30";
    assert_eq!(ada.buttons(), [format!("{sunday} (UTC+2)"), format!("{sunday} (UTC+1)")]);
    let _ = ada.says("the second");
    assert_eq!(ada.answer("day"), "2027-10-31T02:30+01:00");
}

#[rstest]
#[case("at 04:00", "2027-03-28T04:00")]
#[case("make it 5 pm", "2027-03-28T17:00")]
#[case("31 March at 9 am", "2027-03-31T09:00")]
fn another_time_answers_for_the_day_that_is_asked_about(
    #[case] said: &str,
    #[case] day: &str,
    #[values(false, true)] answered: bool,
) {
    let mut ada = Person::new(CALL);
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    if answered {
        let _ = ada.says("3 December at 9 am");
        let _ = ada.says("no, on 28 March 2027 at 2:30 am");
    } else {
        let _ = ada.says("28 March 2027 at 2:30 am");
    }
    let again = ada.says("02:30");
    assert!(again.contains("put forward"), "{again}");
    assert_eq!(ada.buttons().len(), 2, "{again}");
    let told = ada.says(said);
    assert_eq!(ada.answer("day"), day, "{told}");
    assert!(told.contains("Phone?") || told.contains("Which number?"), "{told}");
}

#[rstest]
#[case("29 February 2027 at 10:00")]
#[case("2027-02-29T10:00")]
#[case("32 December at 10:00")]
fn a_day_that_does_not_exist_is_told_and_asked_again(#[case] said: &str) {
    let mut ada = Person::new(CALL);
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    let told = ada.says(said);
    assert!(told.contains("is a day that does not exist. Day?"), "{told}");
    assert_eq!(ada.answer("day"), "");
    let _ = ada.says("28 February 2027 at 10:00");
    assert_eq!(ada.answer("day"), "2027-02-28T10:00");
}

#[test]
fn a_zone_said_with_a_time_counts_for_that_time_also_where_the_own_one_is_told_later() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("2027-06-01T12:00:00Z");
    assert_eq!(ada.answer("day"), "2027-06-01T12:00", "in UTC, as long as nobody knows better");
    let told = ada.says("Rome");
    assert_eq!(ada.answer("day"), "2027-06-01T14:00", "{told}");
    let _ = ada.says("no, on 1 June 2027 at 14:30 UTC");
    assert_eq!(ada.answer("day"), "2027-06-01T16:30");
}

#[test]
fn a_question_of_two_readings_is_asked_once() {
    const DAY: &str = r#"
        id = "day"
        title = "Day"
        start_examples = ["book a day"]
        [[field]]
        id = "day"
        kind = "date"
        [[field]]
        id = "guests"
        kind = "integer"
        ask = "How many guests?"
    "#;
    let mut ada = Person::new(DAY);
    let _ = ada.says("book a day");
    let _ = ada.says("3/4/2027");
    let asked = ada.says("3/4/2027");
    assert!(ada.buttons().iter().any(|label| label.contains("3 April")), "{asked}");
    let next = ada.says("3 April 2027");
    assert!(next.contains("How many guests?"), "{next}");
    assert_eq!(ada.answer("day"), "2027-04-03");
}

#[rstest]
#[case("the second")]
#[case("+1")]
#[case("UTC+1")]
fn one_of_two_hours_alike_is_chosen_by_its_distance_from_utc(#[case] said: &str) {
    let mut ada = Person::new(CALL);
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    let _ = ada.says("31 October 2027 at 2:30 am");
    let _ = ada.says(said);
    assert_eq!(ada.answer("day"), "2027-10-31T02:30+01:00");
}

#[test]
fn an_hour_asked_about_is_not_asked_for_another_clock() {
    let mut ada = Person::new(CALL);
    ada.user.zone = Some("Europe/Rome".to_owned());
    let _ = ada.says("book a call");
    let _ = ada.says("31 October 2027 at 2:30 am");
    let _ = ada.says("31 October 2027 at 2:30 am");
    assert_eq!(ada.answer("day"), "", "the 2 of the hour is not that of UTC+2");
    let moved = ada.says("my time zone is Tokyo");
    assert!(moved.contains("Day?"), "{moved}");
    assert!(!ada.buttons().iter().any(|label| label.contains("UTC+2")), "{moved}");
    let _ = ada.says("31 October 2027 at 2:30 am");
    assert_eq!(ada.answer("day"), "2027-10-31T02:30");
}

#[test]
fn a_zone_told_later_moves_no_time_that_was_said_outright() {
    let mut ada = Person::new(CALL);
    let _ = ada.says("book a call");
    let _ = ada.says("3 December 2026 at 17:00");
    let told = ada.says("UTC-5");
    assert!(told.contains("those of UTC-5, 18:30"), "{told}");
    assert_eq!(ada.answer("day"), "2026-12-03T17:00");
    let _ = ada.says("+39 347 123 4567");
    let _ = ada.says("yes");
    assert_eq!(ada.sent.take().unwrap().zone.as_deref(), Some("-05:00"));
}

#[rstest]
#[case("it", "Berlino")]
#[case("es", "estoy en Berlín")]
#[case("de", "Ich bin in Berlin")]
#[case("fr", "Berlin")]
#[case("ar", "برلين")]
fn it_is_asked_and_understood_in_every_language(#[case] lang: &str, #[case] place: &str) {
    let languages = format!("languages = [\"{lang}\"]\ntitle");
    let mut ada = Person::new(&CALL.replacen("title", &languages, 1));
    ada.user.locale = Some(lang.to_owned());
    let _ = ada.says("book a call");
    let asked = ada.says("2026-12-03T17:00");
    assert!(!ada.buttons().is_empty(), "{asked}");
    let told = ada.says(place);
    assert_eq!(ada.session.own_zone, Some(OwnZone::Told("Europe/Berlin".to_owned())), "{told}");
}
