use proptest::prelude::*;
use rstest::rstest;

use super::testing::Stage;
use super::{FormPick, pick_form, understand_idle};
use crate::Command;
use formwright_form::Form;
use formwright_form::kind::Said;
use formwright_lexicon::language;

const PIZZA: &str = include_str!("../../forms/pizza-order.toml");
const HAVING: &str = "pizza=diavola; count=2";

#[rstest]
#[case::yes("yes", "confirm")]
#[case::yep_please("yep please", "confirm")]
#[case::ok_send("ok, send it", "confirm")]
#[case::looks_good("Looks good to me!", "confirm")]
#[case::go_ahead("go ahead", "confirm")]
#[case::that_is_all("that's all", "review")]
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
#[case::yes_and_a_question("yes, and are there fees?", "ask \"and are there fees?\"")]
#[case::a_question("is there a delivery fee?", "ask \"is there a delivery fee?\"")]
#[case::a_value("margherita", "pizza=margherita")]
#[case::not_but("not 2 but 4", "count=4")]
#[case::instead_of("4 instead of 2", "count=4")]
#[case::edit_a_field("change the phone", "edit phone")]
#[case::edit_in_a_sentence("I want to change my number", "edit phone")]
#[case::a_field_is_wrong("the address is wrong", "edit address")]
#[case::a_name_alone("address", "edit address")]
#[case::edit_two("change the pizza and the phone", "edit pizza; edit phone")]
#[case::edit_three("change the pizza, the phone and the address", "edit pizza; edit phone; edit address")]
#[case::edit_two_verbs("fix the phone and change the address", "edit phone; edit address")]
#[case::clear_a_field("remove my phone number", "clear phone")]
#[case::forget_a_field("forget the phone", "clear phone")]
#[case::edit_something("I want to change something", "edit")]
#[case::cancel("cancel the order", "cancel")]
#[case::undo("undo that", "undo")]
#[case::same("same", "review")]
#[case::one_more("one more pizza", "count=3")]
#[case::two_fewer("one less", "count=1")]
#[case::another("another pizza please", "count=3")]
#[case::double("double it", "count=4")]
#[case::digits_of_a_number("the number ends in 8 not 7", "~ends in 8 not 7")]
#[case::yes_i_agree("yes I agree", "confirm")]
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

#[rstest]
#[case::the_form_itself("a pizza please", "")]
#[case::wanted("I'd like a pizza", "")]
#[case::several("some pizzas", "")]
#[case::ordered("order a pizza", "")]
fn a_word_of_the_form_names_no_option(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "pizza").line(message), expected);
}

const SIGN_UP: &str = include_str!("../../forms/event-signup.json");
const LEAVE: &str = include_str!("../../forms/leave-request.yaml");
const TICKET: &str = include_str!("../../forms/support-ticket.toml");

#[rstest]
#[case::named("ticket", "guests: 2", "guests=2")]
#[case::counted("name", "I bring two friends", "guests=2; ~bring")]
#[case::asked_later("name", "newsletter please", "later newsletter")]
#[case::names_only("name", "both days, Anna Rossi", "ticket=both-days; name=Anna Rossi")]
fn what_is_said_of_hidden_fields_is_kept(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    let mut stage = Stage::new(SIGN_UP, pending);
    stage.draft.hidden.insert("guests".parse().unwrap());
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::a_refusal("approver", "no handover", "~handover")]
#[case::until("reason", "sorry, make it until the 16th", r#"dates={"start":"2026-12-14","end":"2026-12-16"}"#)]
#[case::another_name(
    "handover",
    "no, not Paolo, Pietro",
    "approver={\"id\":\"Pietro\",\"name\":\"Pietro\"}; ~=handover=Paolo"
)]
#[case::another_field("reason", "my boss is Maria Rossi", r#"approver={"id":"Maria Rossi","name":"Maria Rossi"}"#)]
fn words_wanted_take_no_corrections(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    let dates = r#"leave_type=unpaid; dates={"start":"2026-12-14","end":"2026-12-15"}; approver=Paolo"#;
    assert_eq!(Stage::new(LEAVE, pending).having(dates).line(message), expected);
}

#[rstest]
#[case("It crashes every time I open the page, please fix it")]
#[case("When I type the password nothing happens, what shall I do?")]
#[case("Help! I cannot undo the last import of my contacts")]
fn a_long_text_steers_nothing(#[case] message: &str) {
    assert_eq!(Stage::new(TICKET, "description").line(message), format!("description={message}"));
}

const TRIP: &str = include_str!("testing/trip.toml");
const CLAIM: &str = include_str!("../../forms/expense-claim.toml");

#[rstest]
#[case::all_at_once(
    "two spicy pizzas to via Roma 12, my number is 347 123 4567",
    "count=2; pizza=diavola; address=via Roma 12; phone=+393471234567"
)]
#[case::in_another_order(
    "my number is 347 123 4567 and bring it to via Roma 12: two spicy pizzas",
    "phone=+393471234567; address=via Roma 12; count=2; pizza=diavola"
)]
#[case::wants_without_a_value("I want pizza", "")]
#[case::gibberish("asdf qwer", "~asdf qwer")]
fn a_first_message(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "").line(message), expected);
}

#[rstest]
#[case::text("address", "stop sign", "address=stop sign")]
#[case::part_of_it("address", "via Roma 12, my number is 347 123 4567", "address=via Roma 12; phone=+393471234567")]
#[case::others_only("address", "my number is 347 123 4567", "phone=+393471234567")]
#[case::control("address", "go back", "back")]
fn an_asked_address(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, pending).having(HAVING).line(message), expected);
}

#[rstest]
#[case::places_and_days(
    "",
    "from Rome to Milan tomorrow, back on Friday, two seats",
    "from_city=Rome; to_city=Milan; start_date=2026-11-22; end_date=2026-11-27; seats=2"
)]
#[case::one_day_is_the_first_of_two("", "tomorrow", "start_date=2026-11-22")]
#[case::two_counts("", "2 seats and 3 bags", "seats=2; bags=3")]
#[case::lines(
    "",
    "Name: Ada Lovelace\nSeats: 2\nE-mail: ada@example.com",
    "traveller=Ada Lovelace; seats=2; email=ada@example.com"
)]
#[case::named_in_a_sentence(
    "",
    "my name is Ada Lovelace and my email is ada@example.com",
    "traveller=Ada Lovelace; email=ada@example.com"
)]
#[case::with("", "with wifi", "wifi=true")]
#[case::without("", "without wifi", "wifi=false")]
#[case::a_question_sets_nothing("", "is there wifi?", "ask \"is there wifi?\"")]
#[case::no_name("", "I am hungry", "~hungry")]
#[case::yes_and_a_question("wifi", "yes, and are there fees?", "wifi=true; ask \"and are there fees?\"")]
#[case::yes_and_a_value("wifi", "yes 2 seats", "wifi=true; seats=2")]
#[case::the_asked_number("seats", "three", "seats=3")]
#[case::zero_is_an_answer("bags", "zero", "bags=0")]
#[case::another_number("seats", "3 bags", "bags=3")]
#[case::last_one_counts("seats", "5 seats, sorry, 4 seats", "seats=4")]
#[case::no_wait("seats", "3, no wait, 4", "seats=4")]
#[case::not_but("seats", "not 3 but 4", "seats=4")]
#[case::unknown("seats", "no idea", "help")]
#[case::two_days_for_the_first("start_date", "next monday till friday", "start_date=2026-11-23; end_date=2026-11-27")]
#[case::either_month("start_date", "02/03", "?(start_date=2027-02-03 | start_date=2027-03-02)")]
#[case::either_month_beside_the_answer(
    "seats",
    "2 seats, leaving on 02/03",
    "seats=2; ?(start_date=2027-02-03 | start_date=2027-03-02); ~leaving"
)]
#[case::either_month_for_either_day(
    "seats",
    "2 seats, 02/03",
    "seats=2; ?(start_date=2027-02-03 | start_date=2027-03-02)"
)]
#[case::no_such_day("start_date", "31/02", "!start_date date_not_real \"31/02\"")]
#[case::a_text("badge", "Hello, World", "badge=World")]
#[case::no_is_a_text("badge", "no", "badge=no")]
#[case::another_fields_value("badge", "my email is a@b.example", "email=a@b.example")]
#[case::a_question_for_a_text("badge", "is it warm in here?", "ask \"is it warm in here?\"")]
#[case::a_name_like_nothing("traveller", "None", "traveller=None")]
#[case::a_long_text(
    "wishes",
    "a quiet seat. Help me with the bags. Stop.",
    "wishes=a quiet seat. Help me with the bags. Stop."
)]
#[case::nothing_to_add("wishes", "no", "skip")]
#[case::a_list_of_words("tags[0]", "a, b and c", "add tags; tags[0]=a; add tags; tags[1]=b; add tags; tags[2]=c")]
#[case::an_empty_list("tags[0]", "none", "end tags")]
fn on_a_trip(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(TRIP, pending).line(message), expected);
}

const VISIT: &str = r#"
id = "visit"
title = "Museum tour"

[[field]]
id = "guests"
kind = "integer"
label = "Guests"
unit = ["guest"]

[[field]]
id = "visit"
kind = "datetime"
label = "Visit"
"#;

#[rstest]
#[case("make it 4 pm", "visit=2027-06-04T16:00")]
#[case("the visit should be at 4:30 pm", "visit=2027-06-04T16:30")]
#[case("change the visit to 7 June", "visit=2027-06-07T09:15")]
#[case("actually Monday 7 June at 8 am", "visit=2027-06-07T08:00")]
#[case("3 guests", "guests=3")]
fn a_part_of_a_moment_is_corrected(#[case] message: &str, #[case] expected: &str) {
    let stage = Stage::new(VISIT, "review").having("guests=2; visit=2027-06-04T09:15");
    assert_eq!(stage.line(message), expected);
}

#[rstest]
#[case::add_an_option("add newspaper", "extras=[\"breakfast\",\"lunch\",\"newspaper\"]")]
#[case::also_an_option("also blanket", "extras=[\"breakfast\",\"lunch\",\"blanket\"]")]
#[case::take_one_out("no lunch", "extras=[\"breakfast\"]")]
#[case::one_of_two_days("make the return date 30 November", "end_date=2026-11-30")]
#[case::which_date("change the date", "?(edit start_date | edit end_date)")]
#[case::to_a_value("I want to change the seats to 3", "seats=3")]
#[case::which_number("4", "?(seats=4 | bags=4)")]
#[case::no_thanks("no thanks", "deny")]
fn at_the_review_of_a_trip(#[case] message: &str, #[case] expected: &str) {
    let having = "extras=[\"breakfast\",\"lunch\"]; seats=2; bags=1; start_date=2026-11-25; end_date=2026-11-28";
    assert_eq!(Stage::new(TRIP, "review").having(having).line(message), expected);
}

#[rstest]
#[case::no("no", "end items")]
#[case::yes("yes", "add items")]
#[case::done("that's all", "end items")]
#[case::the_next_item(
    "taxi 30 euro",
    "add items; items[1].category=travel; items[1].amount={\"amount\":\"30.00\",\"currency\":\"EUR\"}"
)]
#[case::a_correction("actually 15 euro", "items[0].amount={\"amount\":\"15.00\",\"currency\":\"EUR\"}")]
#[case::a_named_item("the first one is 15 euro", "items[0].amount={\"amount\":\"15.00\",\"currency\":\"EUR\"}")]
#[case::remove_the_last("remove the last one", "remove items[0]")]
#[case::remove_by_name("remove the first expense", "remove items[0]")]
#[case::add_by_name("add another expense", "add items")]
#[case::several(
    "lunch 12 euro and taxi 30 euro",
    "add items; items[1].category=meals; items[1].amount={\"amount\":\"12.00\",\"currency\":\"EUR\"}; \
     add items; items[2].category=travel; items[2].amount={\"amount\":\"30.00\",\"currency\":\"EUR\"}"
)]
fn in_a_list(#[case] message: &str, #[case] expected: &str) {
    let having = "items[0].amount={\"amount\":\"12\",\"currency\":\"EUR\"}; items[0].category=meals";
    assert_eq!(Stage::new(CLAIM, "more items").having(having).line(message), expected);
}

/// An item is also named by its option, while a file of it is asked.
#[rstest]
#[case("the taxi was 22 euros", "items[0].amount={\"amount\":\"22.00\",\"currency\":\"EUR\"}")]
#[case("the second one is 18", "items[1].amount={\"amount\":\"18.00\",\"currency\":\"EUR\"}")]
fn an_item_corrected_while_its_file_is_asked(#[case] message: &str, #[case] expected: &str) {
    let having = "items[0].amount={\"amount\":\"30\",\"currency\":\"EUR\"}; items[0].category=travel; \
                  items[1].amount={\"amount\":\"40\",\"currency\":\"EUR\"}; items[1].category=meals";
    assert_eq!(Stage::new(CLAIM, "items[0].receipt").having(having).line(message), expected);
}

/// Every amount takes the words of its own clause; a day said of all goes to all.
#[rstest]
#[case("20 euros for a taxi and 300 for lunch", "a=20 travel; a=300 meals")]
#[case("a taxi for 15, lunch 22.50 and a taxi for 9 euros", "a=15 travel; a=22.5 meals; a=9 travel")]
#[case("taxi 20 euros lunch 15 euros", "a=20 travel; a=15 meals")]
#[case("30 euros for a taxi and 12 for parking", "a=30 travel; a=12")]
#[case("taxi 20 euros and lunch 15 euros, all on Monday", "a=20 travel 2026-11-16; a=15 meals 2026-11-16")]
#[case("yesterday 20 euros for a taxi and 12 for lunch", "a=20 travel 2026-11-20; a=12 meals 2026-11-20")]
fn several_items_while_words_are_asked(#[case] message: &str, #[case] expected: &str) {
    let mut items: std::collections::BTreeMap<String, [String; 3]> = std::collections::BTreeMap::new();
    for command in Stage::new(CLAIM, "purpose").hear(message).commands {
        let crate::Command::Fill { path, value, .. } = command else { continue };
        let path = path.to_string();
        let [amount, category, day] = items.entry(path.split('.').next().unwrap().to_owned()).or_default();
        match value {
            formwright_form::Value::Money { amount: said, .. } => *amount = format!("a={said}"),
            formwright_form::Value::Option(option) => *category = format!(" {option}"),
            formwright_form::Value::Date(date) => *day = format!(" {date}"),
            other => panic!("{path}: {other:?}"),
        }
    }
    let told: Vec<String> = items.into_values().map(|item| item.concat()).collect();
    assert_eq!(told.join("; "), expected);
}

#[rstest]
#[case("it", "sì", "confirm")]
#[case("it", "non è corretto", "deny")]
#[case("it", "no, fanne 3", "count=3")]
#[case("it", "cambia il telefono", "edit phone")]
#[case("it", "cambia l'indirizzo", "edit address")]
#[case("it", "annulla", "cancel")]
#[case("it", "fammi vedere tutto", "review")]
#[case("it", "due margherite in via Roma 12", "pizza=margherita; address=via Roma 12")]
#[case("es", "sí", "confirm")]
#[case("es", "no está bien", "deny")]
#[case("es", "cambiar el teléfono", "edit phone")]
#[case("es", "mejor 4", "count=4")]
#[case("es", "quiero cancelar", "cancel")]
#[case("de", "ja", "confirm")]
#[case("de", "das stimmt nicht", "deny")]
#[case("de", "Telefon ändern", "edit phone")]
#[case("de", "abbrechen", "cancel")]
#[case("de", "zurück", "back")]
#[case("fr", "oui", "confirm")]
#[case("fr", "ce n'est pas correct", "deny")]
#[case("fr", "changer le téléphone", "edit phone")]
#[case("fr", "annuler", "cancel")]
#[case("ar", "نعم", "confirm")]
#[case("ar", "لا", "deny")]
#[case("ar", "غير الهاتف", "edit phone")]
#[case("ar", "إلغاء", "cancel")]
#[case("ar", "مساعدة", "help")]
#[case("it", "undo", "undo")]
fn in_other_languages(#[case] lang: &'static str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PIZZA, "review").speaking(lang).having(HAVING).line(message), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any words, whatever is pending: a result, the same one twice, and quotes in the person's own words.
    #[test]
    fn any_message_is_read(message in message(), pending in 0..PENDING.len()) {
        let stage = Stage::new(TRIP, PENDING[pending]).having("seats=2; start_date=2026-11-25");
        let understood = stage.hear(&message);
        prop_assert_eq!(&understood, &stage.hear(&message));
        let unsure = understood.unsure.iter().flat_map(|unsure| unsure.readings.iter().map(|(_, command)| command));
        for command in understood.commands.iter().chain(unsure) {
            if let Command::Fill { quote, .. } = command {
                let quote = quote.as_deref().unwrap_or_default();
                prop_assert!(!quote.is_empty() && message.contains(quote), "{quote:?}");
            }
        }
        for span in understood.leftover.iter().chain(understood.refused.iter().map(|(_, span, _)| span)) {
            prop_assert!(message.get(span.clone()).is_some());
        }
    }
}

const PENDING: [&str; 10] =
    ["", "review", "change", "sure", "more tags", "seats", "badge", "wishes", "extras", "tags[0]"];

/// Words of every sort, those that steer and those that hold values among them, and any characters.
fn message() -> impl Strategy<Value = String> {
    const WORDS: [&str; 40] = [
        "yes",
        "no",
        "not",
        "cancel",
        "change",
        "to",
        "the",
        "seats",
        "bags",
        "3",
        "four",
        "tomorrow",
        "Friday",
        "from",
        "Rome",
        "and",
        "or",
        ",",
        ".",
        "?",
        ":",
        "\n",
        "instead of",
        "sorry",
        "actually",
        "breakfast",
        "wifi",
        "without",
        "name",
        "is",
        "my",
        "a@b.example",
        "remove",
        "last",
        "what",
        "٣",
        "ﬁ",
        "İ",
        "½",
        "📎",
    ];
    let words =
        proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..12).prop_map(|words| words.join(" "));
    prop_oneof![3 => words, 1 => any::<String>()]
}

#[test]
fn a_message_of_any_length_is_read() {
    let stage = Stage::new(TRIP, "wishes");
    let long = "three seats please ".repeat(20_000);
    assert!(matches!(stage.hear(&long).commands[..], [Command::Fill { .. }] | []));
    assert_eq!(Stage::new(TRIP, "seats").hear(&long).commands, []);
}

#[rstest]
#[case::start_example("I want to order a pizza", "pizza-order")]
#[case::typed("order a pizza", "pizza-order")]
#[case::with_answers("two spicy pizzas to via Roma 12, my number is 347 123 4567", "pizza-order")]
#[case::title("expense claim", "expense-claim")]
#[case::another("I want to claim expenses", "expense-claim")]
#[case::trip("book a trip", "trip")]
#[case::past("I ordered a pizza yesterday", "")]
#[case::refusal("I don't want pizza", "")]
#[case::question("do you like pizza?", "")]
#[case::small_talk("hello there", "")]
#[case::other_business("I hate pizza", "")]
#[case::gibberish("asdf qwer", "")]
fn forms_are_picked(#[case] message: &str, #[case] expected: &str) {
    let forms = [super::testing::form(PIZZA), super::testing::form(CLAIM), super::testing::form(TRIP)];
    let forms: Vec<&Form> = forms.iter().collect();
    let picked = match pick_form(&forms, &Said::new(message), language("en")) {
        FormPick::None => String::new(),
        FormPick::One(form, _) => form.to_string(),
        FormPick::Several(forms) => format!("{forms:?}"),
    };
    assert_eq!(picked, expected, "{message}");
}

fn samples() -> [Form; 6] {
    let files = [
        PIZZA,
        CLAIM,
        include_str!("../../forms/injury-report.toml"),
        include_str!("../../forms/support-ticket.toml"),
        include_str!("../../forms/leave-request.yaml"),
        include_str!("../../forms/event-signup.json"),
    ];
    files.map(super::testing::form)
}

#[rstest]
#[case::company("I twisted my ankle at work", "injury-report")]
#[case::company_of_a_verb("my laptop is broken", "support-ticket")]
#[case::company_of_a_negation("the printer is not working", "support-ticket")]
#[case::two_words("reimburse my train ticket", "expense-claim")]
#[case::two_of_three("get my train to Milan reimbursed", "expense-claim")]
#[case::days("I want some days off", "leave-request")]
#[case::nothing_else("holiday", "leave-request")]
#[case::single_word("accident", "injury-report")]
#[case::words_between("sign me up for the event", "event-signup")]
#[case::option("hungry, something with cheese", "pizza-order")]
#[case::described("report a problem", "support-ticket")]
#[case::misspelt("sumer meeting", "event-signup")]
#[case::misspelt_and_not("expnse claim", "expense-claim")]
#[case::italian("vorrei iscrivermi", "event-signup")]
#[case::two_forms("report", "injury-report support-ticket")]
#[case::two_tickets("a ticket please", "event-signup support-ticket")]
#[case::hated("I hate pizza", "")]
#[case::past("I ordered a pizza yesterday", "")]
#[case::complaint("my pizza was cold yesterday and I am angry", "")]
#[case::refusal("I don't want pizza", "")]
#[case::refused_company("I was not at work", "")]
#[case::question("is the event in Turin?", "")]
#[case::other_business("what a lovely day", "")]
fn forms_are_picked_by_what_they_are_about(#[case] message: &str, #[case] expected: &str) {
    let forms = samples();
    let forms: Vec<&Form> = forms.iter().collect();
    let lang = if message.starts_with("vorrei") { "it" } else { "en" };
    let picked = match pick_form(&forms, &Said::new(message), language(lang)) {
        FormPick::None => Vec::new(),
        FormPick::One(form, _) => vec![form.to_string()],
        FormPick::Several(forms) => forms.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(picked.join(" "), expected, "{message}");
}

#[test]
fn every_start_example_starts_its_form() {
    let forms = samples();
    let forms: Vec<&Form> = forms.iter().collect();
    for form in &forms {
        for (lang, example) in form.start_examples.iter().flat_map(|text| &text.by_lang) {
            let picked = pick_form(&forms, &Said::new(example), language(lang));
            assert!(matches!(&picked, FormPick::One(id, _) if *id == form.id), "{example}: {picked:?}");
        }
    }
}

#[test]
fn another_form_is_started_from_inside_one() {
    let mut stage = Stage::new(PIZZA, "address").having(HAVING);
    stage.forms = vec![super::testing::form(CLAIM), super::testing::form(TRIP)];
    assert_eq!(stage.line("I want to claim expenses"), "start expense-claim");
    assert_eq!(stage.line("go on with the expense claim"), "resume expense-claim");
}

#[rstest]
#[case("help", "help")]
#[case("undo", "undo")]
#[case("talk to a person", "human")]
#[case("what forms are there?", "forms")]
#[case("continue", "resume")]
fn without_a_form(#[case] message: &str, #[case] expected: &str) {
    let understood = understand_idle(&[], &Said::new(message), language("en"));
    let shown: Vec<String> = understood.commands.iter().map(|command| format!("{command:?}").to_lowercase()).collect();
    assert!(shown.concat().starts_with(expected), "{shown:?}");
}

const GUESTS: &str = r#"
schema = 1
id = "party"
title = "Party"
[[field]]
id = "guests"
kind = "list"
label = "Guests"
item = "guest"
of = "text"
[[field]]
id = "ages"
kind = "list"
label = "Ages"
item = "age"
of = "integer"
[[field]]
id = "purpose"
kind = "text"
label = "Purpose"
[[field]]
id = "place"
kind = "choice"
label = "Place"
options = ["Remote", "Office"]
"#;
const THREE: &str = "guests[0]=Ann; guests[1]=Bob; guests[2]=Carl";

#[rstest]
#[case::by_place("more guests", THREE, "the second one is Janet", "guests[1]=Janet")]
#[case::change_by_place("more guests", THREE, "change the third to Dave", "guests[2]=Dave")]
#[case::the_last("more guests", THREE, "the last one is Erik", "guests[2]=Erik")]
#[case::numbered("more guests", THREE, "guest 2 is Janet", "guests[1]=Janet")]
#[case::corrected("more guests", THREE, "no, the first should be Anna", "guests[0]=Anna")]
#[case::while_asked("guests[2]", "guests[0]=Ann; guests[1]=Bob", "the second one is Janet", "guests[1]=Janet")]
#[case::at_the_review("review", THREE, "the second guest is Janet", "guests[1]=Janet")]
#[case::next_one("more guests", THREE, "the fourth is Zoe", "add guests; guests[3]=Zoe")]
#[case::beyond("more guests", THREE, "the sixth is Zoe", "edit guests[5]")]
#[case::by_value("more guests", THREE, "change Bob to Robert", "guests[1]=Robert")]
#[case::remove_by_value("more guests", THREE, "remove Bob", "remove guests[1]")]
#[case::remove_while_asked("guests[2]", "guests[0]=Ann; guests[1]=Bob", "please remove ann", "remove guests[0]")]
#[case::remove_by_place("more guests", THREE, "remove the second", "remove guests[1]")]
#[case::add_one("more guests", THREE, "add Zoe", "add guests; guests[3]=Zoe")]
#[case::add_some("more guests", THREE, "add Zoe and Max", "add guests; guests[3]=Zoe; add guests; guests[4]=Max")]
#[case::further("more guests", THREE, "Zoe", "add guests; guests[3]=Zoe")]
#[case::some_further(
    "more guests",
    THREE,
    "yes, Zoe, Max and Ida",
    "add guests; guests[3]=Zoe; add guests; guests[4]=Max; add guests; guests[5]=Ida"
)]
#[case::no_item("more guests", THREE, "no", "end guests")]
#[case::numbers("more ages", "ages[0]=1; ages[1]=2; ages[2]=3", "the third is 5", "ages[2]=5")]
#[case::the_first_item("ages[0]", "", "5", "add ages; ages[0]=5")]
#[case::no_option_misspelt("place", "", "remove Bob", "~=place=remote; ~Bob")]
fn items_of_plain_lists(#[case] pending: &str, #[case] having: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(GUESTS, pending).having(having).line(message), expected);
}

#[rstest]
#[case("the third", Some(2))]
#[case("2", None)]
#[case("number 2", Some(1))]
#[case("the last one please", Some(2))]
#[case("the second one", Some(1))]
#[case("the fifth", None)]
#[case("the first prize", None)]
fn one_of_three_by_its_place(#[case] message: &str, #[case] expected: Option<usize>) {
    assert_eq!(super::place_said(&Said::new(message), language("en"), 3), expected);
}

#[rstest]
#[case::request("purpose", "can I fix the phone number?", "edit phone")]
#[case::polite("purpose", "could you change the email please", "edit email")]
#[case::wish("manager", "I want to change my email", "edit email")]
#[case::wrong("manager", "the purpose is wrong", "edit purpose")]
#[case::let_me("purpose", "let me correct the date", "edit day")]
#[case::pronoun("manager", "change it", "edit")]
#[case::asked_itself("email", "I want to change my email", "edit email")]
#[case::over("purpose", "start over", "restart")]
#[case::over_politely("manager", "can we start over please?", "restart")]
#[case::name("manager", "my name is No", "manager={\"id\":\"No\",\"name\":\"No\"}")]
#[case::sentence("manager", "whatever you like", "~whatever")]
#[case::title_words("purpose", "a party, and my email is a@b.it", "purpose=a party; email=a@b.it")]
#[case::both("toppings", "ham, none", "toppings=[\"ham\"]; ~none")]
#[case::yes_and_more("vegan", "yes, and my email is a@b.it", "vegan=true; email=a@b.it")]
#[case::yes_but("vegan", "yes but make it large", "vegan=true; size=large")]
#[case::no_and_more("vegan", "no, large please, on 3 December", "vegan=false; size=large; day=2026-12-03")]
#[case::date_and_nonsense("day", "3 December blah foo", "day=2026-12-03; ~blah foo")]
#[case::no_to_an_optional("phone", "no", "skip")]
fn a_party(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PARTY, pending).line(message), expected);
}

#[rstest]
#[case::same("size", "same as before", "confirm")]
#[case::keep("size", "keep it as it is", "confirm")]
fn an_answer_is_kept(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    let mut stage = Stage::new(PARTY, pending).having("size=large");
    stage.draft.pending = crate::so_far::Pending::Field { path: pending.parse().unwrap(), editing: true };
    assert_eq!(stage.line(message), expected);
}

#[test]
fn the_same_answer_again_is_handed_on() {
    assert_eq!(Stage::new(PARTY, "review").having("size=large").line("the size is large"), "size=large");
}

const PARTY: &str = r#"
schema = 1
id = "party"
title = "Party"
[[field]]
id = "purpose"
kind = "text"
[[field]]
id = "manager"
kind = "person"
[[field]]
id = "email"
kind = "email"
[[field]]
id = "phone"
kind = "phone"
country = "IT"
label = "Phone number"
required = false
[[field]]
id = "size"
kind = "choice"
options = ["Small", "Large"]
[[field]]
id = "vegan"
kind = "yes_no"
[[field]]
id = "toppings"
kind = "choices"
options = ["Ham", "Olives"]
[[field]]
id = "day"
kind = "date"
label = "Date"
"#;

#[rstest]
#[case("account number 3132857637526 ssn 7105", "account_number=3132857637526; ssn=7105")]
#[case("the account number is 69872679394 and ssn 7105", "account_number=69872679394; ssn=7105")]
fn a_code_ends_at_the_name_of_another_field(#[case] message: &str, #[case] expected: &str) {
    const BANK: &str = "id: b\ntitle: Zz\nfields:\n- {id: account_number, kind: text, subtype: code}\n- {id: ssn, kind: text, subtype: code}\n";
    assert_eq!(Stage::new(BANK, "").line(message), expected);
}

const EXPENSES: &str = include_str!("../../forms/expense-claim.toml");
const RECEIPTS: &str = "items[0].category=meals; items[0].amount=15; items[1].category=travel; items[1].amount=30";

#[rstest]
#[case::make("make lunch 18", "items[0].amount=18")]
#[case::set("set the taxi to 22", "items[1].amount=22")]
#[case::not("lunch was 18 not 15", "items[0].amount=18")]
#[case::second("the second one is 20 euros", "items[1].amount=20")]
#[case::remove("remove the taxi", "remove items[1]")]
#[case::remove_lunch("please delete lunch", "remove items[0]")]
#[case::remove_by_place("remove the second one", "remove items[1]")]
#[case::remove_nothing("remove the hotel", "~remove the hotel")]
fn items_by_what_they_hold(
    #[case] message: &str,
    #[case] expected: &str,
    #[values("items[1].receipt", "review", "cost_center")] pending: &str,
) {
    let line = Stage::new(EXPENSES, pending).having(RECEIPTS).line(message).replace("{\"amount\":\"", "");
    assert!(line.starts_with(expected) || expected.starts_with('~') && !line.contains("remove items"), "{line}");
}

#[rstest]
#[case::it("it", "togli il taxi", "remove items[1]")]
#[case::es("es", "quita el taxi", "remove items[1]")]
#[case::de("de", "entferne das Taxi", "remove items[1]")]
#[case::fr("fr", "supprime le taxi", "remove items[1]")]
fn items_in_other_languages(#[case] lang: &'static str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(EXPENSES, "review").having(RECEIPTS).speaking(lang).line(message), expected);
}

const INVITED: &str = r#"
id = "invited"
title = "Party"

[[field]]
id = "guests"
kind = "list"
of = "email"
item = "guest"
min = 1
"#;

#[rstest]
#[case::two("bob@x.org and ann@x.org", "add guests; guests[0]=bob@x.org; add guests; guests[1]=ann@x.org")]
#[case::one_wrong(
    "bob@x.org, carl@x, ann@x.org",
    "add guests; guests[0]=bob@x.org; add guests; guests[1]=ann@x.org; !guests[0] "
)]
#[case::one("bob@x.org", "add guests; guests[0]=bob@x.org")]
fn several_values_of_a_list(#[case] message: &str, #[case] expected: &str) {
    let stage = Stage::new(INVITED, "guests[0]");
    let line = stage.line(message);
    assert!(line.starts_with(expected), "{line}");
}

const ACCOUNT: &str = r#"
schema = 1
id = "account"
title = "Account"
[[field]]
id = "iban"
kind = "text"
label = "IBAN"
sensitive = true
[[field]]
id = "tel"
kind = "phone"
label = "Phone"
sensitive = true
"#;

#[rstest]
#[case("GB82 WEST 1234 5698 7654 32", "iban=GB82 WEST 1234 5698 7654 32")]
#[case("GB82 WEST 1234 5698 7654 33", "iban=GB82 WEST 1234 5698 7654 33")]
#[case("DE89 3704 0044 0532 0130 00", "iban=DE89 3704 0044 0532 0130 00")]
fn an_account_number_is_not_cut_in_two(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(ACCOUNT, "iban").line(message), expected);
}

const ORDER_BOOK: &str = r#"
id = "book"
title = "Order"

[[field]]
id = "name"
kind = "text"
label = "Title"

[[field]]
id = "size"
kind = "choice"
label = "Size"
options = ["Small", "Large"]

[[field]]
id = "memo"
kind = "text"
label = "Memo"
required = false
"#;

#[rstest]
#[case("name", "...and Justice for All", "name=...and Justice for All")]
#[case("name", "../step1", "name=../step1")]
#[case("name", "a?b=c#d/e", "name=a?b=c#d/e")]
#[case("name", "Yahoo! Inc", "name=Yahoo! Inc")]
#[case("name", "Anna, large", "name=Anna; size=large")]
#[case("name", "large, Anna", "name=large, Anna")]
#[case("memo", "no memo", "skip")]
#[case("memo", "no sugar", "memo=no sugar")]
fn a_text_is_kept_as_it_was_said(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(ORDER_BOOK, asked).line(said), expected, "{said}");
}
