//! What people say to the sample forms, and what becomes of it.

use rstest::rstest;

use super::testing::{Stage, form};

const PIZZA: &str = include_str!("../../forms/pizza-order.toml");
const LEAVE: &str = include_str!("../../forms/leave-request.yaml");
const EVENT: &str = include_str!("../../forms/event-signup.json");
const EXPENSES: &str = include_str!("../../forms/expense-claim.toml");
const SUPPORT: &str = include_str!("../../forms/support-ticket.toml");

#[rstest]
#[case::with_a_query("page_url", "https://app.example.com/export?x=1", "page_url=https://app.example.com/export?x=1")]
#[case::named("contact.name", "page: https://example.com/a?b=1", "page_url=https://example.com/a?b=1")]
#[case::a_file("page_url", "log.txt", "!page_url url_invalid \"log.txt\"")]
#[case::a_file_on_a_page("page_url", "example.com/log.txt", "page_url=https://example.com/log.txt")]
#[case::an_address_with_a_mark("contact.email", "ada@example.com?", "contact.email=ada@example.com")]
fn addresses_of_the_net(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SUPPORT, pending).having("product=web").line(message), expected);
}

#[rstest]
#[case::with_a_value("can I change the address to via Milano 3?", "address=via Milano 3")]
#[case::without_one("can I change the address?", "edit address")]
#[case::could("could I change the pizza to margherita?", "pizza=margherita")]
#[case::of_no_field("can I change the colour later?", "ask \"can I change the colour later?\"")]
#[case::another("can I pay by card?", "ask \"can I pay by card?\"")]
fn a_wish_put_as_a_question(#[case] message: &str, #[case] expected: &str) {
    let stage = Stage::new(PIZZA, "review").having("pizza=diavola; count=2; address=via Roma 12");
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::a_name("en", "edit pizza", "edit pizza")]
#[case::a_number("en", "change the number of pizzas", "edit count")]
#[case::the_count("en", "change how many", "edit count")]
#[case::italian("it", "cambia la pizza", "edit pizza")]
#[case::with_a_value("it", "cambia la pizza in margherita", "pizza=margherita")]
#[case::english("en", "change the pizza to margherita", "pizza=margherita")]
#[case::how_many("en", "change it to 3 pizzas", "count=3")]
#[case::a_word_for_the_answers("en", "edit notes", "edit notes")]
#[case::an_open_one("en", "add notes", "edit notes")]
#[case::an_open_one_in_italian("it", "aggiungi le note", "edit notes")]
#[case::out("it", "togli l'ora", "clear delivery_time")]
#[case::out_in_english("en", "remove the time", "clear delivery_time")]
#[case::a_bare_value("en", "and the time 21", "delivery_time=21:00")]
#[case::another_time("en", "the time is 9 pm", "delivery_time=21:00")]
fn a_field_said_by_its_name(#[case] lang: &'static str, #[case] message: &str, #[case] expected: &str) {
    let having = "pizza=diavola; count=2; address=via Roma 12; delivery_time=20:00";
    assert_eq!(Stage::new(PIZZA, "review").having(having).speaking(lang).line(message), expected);
}

#[rstest]
#[case::edit("edit summary", "edit summary")]
#[case::change("change summary", "edit summary")]
#[case::the_answers("summary", "review")]
fn a_field_called_like_a_control_word(#[case] message: &str, #[case] expected: &str) {
    let stage = Stage::new(SUPPORT, "description").having("product=web; severity=minor; summary=Broken");
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::one_of_the_form("reason", "Do weekends count?", "ask \"Do weekends count?\"")]
#[case::without_its_mark("reason", "who approves it", "ask \"who approves it\"")]
#[case::nearly("reason", "are the weekends included?", "ask \"are the weekends included?\"")]
#[case::an_answer("reason", "my sister gets married", "reason=my sister gets married")]
#[case::an_answer_with_a_question("reason", "Is it so hard? I am tired", "reason=Is it so hard? I am tired")]
fn questions_where_a_long_text_is_asked(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(LEAVE, pending).having("leave_type=annual").line(message), expected);
}

#[rstest]
#[case::and("it", "pizza", "", "una diavola e due margherite", "count=2; ?(pizza=diavola | pizza=margherita)")]
#[case::and_in_english(
    "en",
    "pizza",
    "",
    "a diavola and two margheritas",
    "count=2; ?(pizza=diavola | pizza=margherita)"
)]
#[case::or("en", "count", "pizza=diavola", "margherita or diavola", "?(pizza=margherita | pizza=diavola)")]
#[case::two_others("en", "count", "pizza=diavola", "margherita and marinara", "?(pizza=margherita | pizza=marinara)")]
#[case::one("en", "count", "pizza=diavola", "margherita", "pizza=margherita")]
#[case::the_same("en", "count", "pizza=diavola", "diavola", "pizza=diavola")]
#[case::below_nought("en", "pizza", "", "-2", "count=-2")]
#[case::a_bullet("en", "pizza", "", "- 2", "pizza=diavola")]
fn one_of_several_options(
    #[case] lang: &'static str,
    #[case] pending: &str,
    #[case] having: &str,
    #[case] message: &str,
    #[case] expected: &str,
) {
    assert_eq!(Stage::new(PIZZA, pending).having(having).speaking(lang).line(message), expected);
}

#[rstest]
#[case::another_one(
    "another one: hotel, 120 euros, last Monday",
    "add items; items[0].category=hotel; items[0].amount={\"amount\":\"120.00\",\"currency\":\"EUR\"}; items[0].spent_on=2026-11-16"
)]
#[case::nights(
    "two nights at a hotel, 90 euros each, 3 November",
    "add items; items[0].category=hotel; items[0].amount={\"amount\":\"90.00\",\"currency\":\"EUR\"}; items[0].spent_on=2026-11-03; ~two/hotel/each"
)]
#[case::several(
    "lunch 12, taxi 30 euros",
    "add items; items[0].category=meals; items[0].amount={\"amount\":\"12.00\",\"currency\":\"EUR\"}; add items; items[1].category=travel; items[1].amount={\"amount\":\"30.00\",\"currency\":\"EUR\"}"
)]
fn amounts_of_expenses(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(EXPENSES, "purpose").line(message), expected);
}

#[rstest]
#[case::a_wish("I want to take leave from 1 to 3 December", "start leave-request")]
#[case::a_start_example("holiday from 3 to 14 August", "start leave-request")]
#[case::a_count("2", "count=2")]
#[case::own_words("I want two of them at 8 pm", "count=2; delivery_time=20:00")]
fn another_form(#[case] message: &str, #[case] expected: &str) {
    let mut stage = Stage::new(PIZZA, "count").having("pizza=diavola");
    stage.forms.push(form(LEAVE));
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::after_a_colon(
    "2 guests: Bob and Carla",
    "add guest_names; guest_names[0]=Bob; add guest_names; guest_names[1]=Carla"
)]
#[case::by_their_name(
    "guests' names: Bob, Carla",
    "add guest_names; guest_names[0]=Bob; add guest_names; guest_names[1]=Carla"
)]
fn items_of_a_list_after_its_name(#[case] message: &str, #[case] expected: &str) {
    let stage = Stage::new(EVENT, "guest_names").having("ticket=both-days; guests=2");
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::both_in_december("7/12 - 11/12", "dates={\"start\":\"2026-12-07\",\"end\":\"2026-12-11\"}")]
fn ranges_in_digits(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(LEAVE, "dates").having("leave_type=annual").line(message), expected);
}

#[rstest]
#[case::to_come("tomorrow at 5", "!happened_at date_in_future \"tomorrow at 5\"")]
fn moments_that_cannot_be(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SUPPORT, "happened_at").having("product=web").line(message), expected);
}

#[rstest]
#[case::disagree("I don't agree", "conduct=false")]
#[case::refuse("I do not accept", "conduct=false")]
#[case::agree("I agree", "conduct=true")]
fn house_rules(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(EVENT, "conduct").having("ticket=stream").line(message), expected);
}

#[rstest]
#[case::both_ends(
    "family emergency, I have to leave tomorrow until Friday",
    "leave_type=emergency; dates={\"start\":\"2026-11-22\",\"end\":\"2026-11-27\"}"
)]
#[case::a_length("3 days from Monday", "dates={\"start\":\"2026-11-23\",\"end\":\"2026-11-25\"}")]
fn days_of_a_leave(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(LEAVE, "leave_type").line(message), expected);
}

#[rstest]
#[case::words("twenty four fifty", "items[0].amount={\"amount\":\"24.50\",\"currency\":\"EUR\"}")]
#[case::with_a_filler("about twelve ninety nine", "items[0].amount={\"amount\":\"12.99\",\"currency\":\"EUR\"}")]
#[case::one_number("twenty four", "items[0].amount={\"amount\":\"24.00\",\"currency\":\"EUR\"}")]
fn an_amount_in_words(#[case] message: &str, #[case] expected: &str) {
    let having = "items[0].category=meals; items[0].spent_on=2026-11-20";
    assert_eq!(Stage::new(EXPENSES, "items[0].amount").having(having).line(message), expected);
}

#[rstest]
#[case::its_own_start_example(SUPPORT, "product", "I cannot log in", "")]
#[case::another(SUPPORT, "product", "something is broken", "")]
#[case::a_third(SUPPORT, "product", "I have a problem", "")]
#[case::with_a_value(SUPPORT, "product", "your app keeps crashing", "product=mobile")]
#[case::with_more(SUPPORT, "product", "I can't log in on the website since this morning", "product=web")]
#[case::words_of_ones_own(SUPPORT, "product", "the coffee machine", "product=the coffee machine")]
#[case::where_words_are_asked(SUPPORT, "summary", "I cannot log in", "summary=I cannot log in")]
#[case::help_in_italian(SUPPORT, "product", "aiuto", "~aiuto")]
#[case::help_in_german(SUPPORT, "product", "hilfe", "~hilfe")]
#[case::help_in_spanish(SUPPORT, "product", "ayuda", "~ayuda")]
#[case::like_an_option(LEAVE, "leave_type", "annulla", "~annulla")]
#[case::an_option(LEAVE, "leave_type", "annual", "leave_type=annual")]
#[case::misspelt(LEAVE, "leave_type", "anual", "leave_type=annual")]
fn what_is_no_answer(#[case] form: &str, #[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(form, pending).line(message), expected);
}

#[rstest]
#[case::its_digits(
    "happened_at",
    "https://app.example.com/export?x=1 today at 10 am",
    "page_url=https://app.example.com/export?x=1; happened_at=2026-11-21T10:00"
)]
#[case::its_words(
    "product",
    "It happens on https://app.example.com/export?x=1",
    "page_url=https://app.example.com/export?x=1; ~happens"
)]
#[case::its_name(
    "product",
    "https://web.example.com/ios is down",
    "page_url=https://web.example.com/ios; severity=blocker"
)]
#[case::beside_an_option(
    "product",
    "the API: https://app.example.com/ios",
    "product=api; page_url=https://app.example.com/ios"
)]
fn links_are_whole(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SUPPORT, pending).line(message), expected);
}

#[rstest]
#[case::the_count("2 diavola, no, 3", "pizza=diavola; count=3")]
#[case::a_place("3", "pizza=quattro-formaggi")]
fn a_bare_number_beside_an_option(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "pizza").line(message), expected);
}

#[rstest]
#[case("via Po 3")]
#[case("via Po, 12")]
#[case("via Po numero 12")]
fn streets_of_short_names(#[case] message: &str) {
    assert_eq!(Stage::new(PIZZA, "address").line(message), format!("address={message}"));
}

const ONE: &str = "purpose=visit; items[0].category=travel; items[0].spent_on=2026-11-20; items[0].amount=20 EUR";
const TWO: &str = "purpose=visit; items[0].category=travel; items[0].spent_on=2026-11-20; items[0].amount=20 EUR; \
                   items[1].category=hotel; items[1].spent_on=2026-11-03; items[1].amount=15 EUR";

#[rstest]
#[case::field_and_number(ONE, "amount (expense 1): 22", "items[0].amount={\"amount\":\"22.00\",\"currency\":\"EUR\"}")]
#[case::number(ONE, "expense 1: 22 euros", "items[0].amount={\"amount\":\"22.00\",\"currency\":\"EUR\"}")]
#[case::a_day(ONE, "change the date of expense 1 to 2 November", "items[0].spent_on=2026-11-02")]
#[case::wrong(ONE, "the amount of expense 1 is wrong", "edit items[0].amount")]
#[case::wrong_in_words(TWO, "the amount of the second expense is wrong", "edit items[1].amount")]
#[case::out(ONE, "delete expense 1", "remove items[0]")]
#[case::open(ONE, "edit expense 1", "edit items[0]")]
#[case::second(
    TWO,
    "change the amount of expense 2 to 16",
    "items[1].amount={\"amount\":\"16.00\",\"currency\":\"EUR\"}"
)]
#[case::is(TWO, "the date of expense 2 is 5 November", "items[1].spent_on=2026-11-05")]
#[case::was(TWO, "expense 2 was 17 euros", "items[1].amount={\"amount\":\"17.00\",\"currency\":\"EUR\"}")]
#[case::none_such(TWO, "change expense 3 amount to 16", "edit items[2]")]
#[case::none_such_to_remove(TWO, "remove expense 3", "edit items[2]")]
#[case::a_price(
    TWO,
    "another expense 12 euros for lunch",
    "add items; items[2].amount={\"amount\":\"12.00\",\"currency\":\"EUR\"}; items[2].category=meals"
)]
#[case::the_only_one(ONE, "the amount is 25", "items[0].amount={\"amount\":\"25.00\",\"currency\":\"EUR\"}")]
#[case::the_only_one_changed(ONE, "change the category to meals", "items[0].category=meals")]
#[case::the_only_one_before(ONE, "the date was 2 November", "items[0].spent_on=2026-11-02")]
#[case::a_further_one(
    ONE,
    "hotel, 30 euros, 3 November",
    "add items; items[1].category=hotel; items[1].amount={\"amount\":\"30.00\",\"currency\":\"EUR\"}; items[1].spent_on=2026-11-03"
)]
fn an_item_by_its_number(#[case] having: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(EXPENSES, "review").having(having).line(message), expected);
}

#[rstest]
#[case::a_receipt(
    "items[0].receipt",
    ONE,
    "change the date of expense 1 to 2 November",
    "items[0].spent_on=2026-11-02"
)]
#[case::own_words(
    "items[2].category",
    TWO,
    "expense 2 was 17 euros",
    "items[1].amount={\"amount\":\"17.00\",\"currency\":\"EUR\"}"
)]
fn an_item_by_its_number_while_another_is_asked(
    #[case] pending: &str,
    #[case] having: &str,
    #[case] message: &str,
    #[case] expected: &str,
) {
    assert_eq!(Stage::new(EXPENSES, pending).having(having).line(message), expected);
}

#[rstest]
#[case::rename("rename guest 1 to Bobby", "guest_names[0]=Bobby")]
#[case::rename_by_name("rename Bob to Bobby", "guest_names[0]=Bobby")]
#[case::remove("remove guest 2", "remove guest_names[1]")]
#[case::called("the first guest is called Rob", "guest_names[0]=Rob")]
#[case::a_colon("guest 1: Rob", "guest_names[0]=Rob")]
#[case::add("add guest Dan", "add guest_names; guest_names[2]=Dan")]
#[case::a_count("guests 1", "guests=1")]
#[case::a_count_in_words("3 guests", "guests=3")]
fn guests_at_the_review(#[case] message: &str, #[case] expected: &str) {
    let having = "name=Ada; ticket=both-days; guests=2; guest_names[0]=Bob; guest_names[1]=Carla";
    assert_eq!(Stage::new(EVENT, "review").having(having).line(message), expected);
}

#[rstest]
#[case("Rob please", "guest_names[1]=Rob")]
#[case("is Rob", "guest_names[1]=Rob")]
#[case("my guest is called Rob", "guest_names[1]=Rob")]
#[case("Will Smith", "guest_names[1]=Will Smith")]
fn a_guest_is_named_in_a_sentence(#[case] message: &str, #[case] expected: &str) {
    let having = "name=Ada; ticket=both-days; guests=2; guest_names[0]=Bob";
    assert_eq!(
        Stage::new(EVENT, "guest_names[1]").having(having).fills(message).replace("add guest_names; ", ""),
        expected
    );
}

const ARABIC: &str = r#"
id = "water"
title = "طلب"
languages = ["ar"]

[[field]]
id = "use"
kind = "choice"
label = "الاستخدام"
options = [{ id = "home", label = "منزلي" }, { id = "field", label = "الري" }]

[[field]]
id = "mail"
kind = "email"
label = "البريد الإلكتروني"
"#;

#[rstest]
#[case("غير الاستخدام إلى الري", "use=field")]
#[case("غير البريد الإلكتروني إلى bob@example.com", "mail=bob@example.com")]
fn the_arabic_word_for_change_denies_nothing(#[case] said: &str, #[case] expected: &str) {
    let having = "use=home; mail=ann@example.com";
    assert_eq!(Stage::new(ARABIC, "review").speaking("ar").having(having).line(said), expected, "{said}");
}

const PARTY: &str = r#"
id = "party"
title = "Feier"
languages = ["de"]

[[field]]
id = "day"
kind = "date"
label = "Tag"

[[field]]
id = "guests"
kind = "integer"
label = "Gäste"
"#;

#[rstest]
#[case("Ändere den Tag auf den 6. Januar", "day=2027-01-06")]
#[case("der Tag ist der 7. April", "day=2027-04-07")]
#[case("wir sind 12. Der Tag bleibt", "guests=12")]
fn a_german_day_has_a_full_stop_before_its_month(#[case] said: &str, #[case] expected: &str) {
    let stage = Stage::new(PARTY, "review").speaking("de").having("day=2026-12-01; guests=20");
    assert_eq!(stage.fills(said), expected, "{said}");
}

const VISIT: &str = r#"
id = "visit"
title = "Visit"

[[field]]
id = "day"
kind = "date"
label = "Visit date"
max = "today"

[[field]]
id = "code"
kind = "pattern"
label = "Cost centre"
regex = '[A-Z]{2}\d{4}'
"#;

#[rstest]
#[case("day", "October 5", "day=2026-10-05")]
#[case("day", "on Friday", "day=2026-11-20")]
#[case("code", "cost centre is AB1234, no, CD1234", "code=CD1234")]
fn only_one_reading_can_be_meant(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(VISIT, asked).fills(said), expected, "{said}");
}
