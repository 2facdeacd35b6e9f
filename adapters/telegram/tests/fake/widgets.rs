//! In a private chat: every widget, by pressing and by writing.

use formwright_chat::{Action, Input, Nonce, Press, Pressed, Token};
use formwright_fakes::telegram::Fault;

use crate::bench::{Bench, asks, list, pizzas, pressed, said, text, toppings, words};

#[tokio::test]
async fn a_typed_answer_is_shown_where_it_was_asked() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, words(1, "Which day?")).await;
    ada.writes("tomorrow").await;
    bench.event(2).await;
    let mut next = words(2, "How many?");
    let (field, label, value) = ("field0".to_owned(), "Day".to_owned(), "24 December <2027>".to_owned());
    next.answered = vec![formwright_chat::Answered { field, label, value }];
    bench.replies(&hello, next).await;
    ada.sees("✓ 24 December <2027>").await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_press_answers_and_the_question_shows_the_answer() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    assert_eq!((said(&hello).as_str(), hello.user.name.as_deref()), ("hello", Some("Ada")));
    bench.replies(&hello, pizzas(1)).await;
    ada.sees("Which pizza?").await;
    ada.presses("Diavola").await;
    let press = pressed(&bench.event(2).await);
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(press, Press { token: token.clone(), value: Pressed::Options { tokens: vec![token.option(1)] } });
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("How many?").await;
    ada.sees("✓ Diavola").await;
    ada.no_longer_sees("Margherita").await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_typed_answer_takes_the_buttons_away_and_old_ones_do_nothing() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    ada.writes("the hot one").await;
    assert_eq!(said(&bench.event(2).await), "the hot one");
    bench.replies(&hello, words(2, "How many?")).await;
    ada.no_longer_sees("Diavola").await;
    ada.presses_old("Diavola").await;
    ada.is_told("already answered").await;
    assert_eq!(bench.host.events().len(), 2);
    bench.ends_well().await;
}

#[tokio::test]
async fn forged_presses_do_nothing() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, pizzas(1)).await;
    let good = Token::new(&Nonce::new(1), 0).option(1).to_string();
    for forged in
        ["", "x", &good[1..], &format!("{good}7"), &format!("{good}~z"), &Token::new(&Nonce::new(9), 0).to_string()]
    {
        ada.forges_press(forged).await;
        ada.press_is_answered().await;
    }
    assert_eq!(bench.host.events().len(), 1);
    bench.ends_well().await;
}

#[tokio::test]
async fn several_are_ticked_and_sent_together() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, toppings(1)).await;
    ada.presses("Done").await;
    ada.is_told("at least one").await;
    ada.picks(&["Olives", "Rocket", "Ham", "Olives"]).await;
    ada.sees_button("Done (2)").await;
    ada.sees("☑ Rocket").await;
    ada.presses("Done (2)").await;
    let press = pressed(&bench.event(2).await);
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(press.value, Pressed::Options { tokens: vec![token.option(1), token.option(2)] });
    bench.replies(&hello, words(2, "How many?")).await;
    ada.sees("✓ Ham, Rocket").await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_tick_is_drawn_though_telegram_is_busy() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, toppings(1)).await;
    bench.fake.next_answers_to("editMessageReplyMarkup", [Fault::TooMany(1), Fault::Status(500)]);
    ada.picks(&["Olives"]).await;
    ada.sees("☑ Olives").await;
    ada.presses("Done (1)").await;
    bench.event(2).await;
    bench.ends_well().await;
}

#[tokio::test]
async fn a_long_list_is_turned_page_by_page() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let cities: Vec<String> = (1..=60).map(|no| format!("City {no}")).collect();
    bench.replies(&hello, list(1, "Which city?", &cities, false)).await;
    ada.sees_button("City 1").await;
    for _ in 0..10 {
        if ada.does_see("City 60") {
            break;
        }
        let here = ada.buttons();
        ada.presses("›").await;
        ada.no_longer_sees(&here[0][0]).await;
    }
    ada.presses("City 60").await;
    let token = Token::new(&Nonce::new(1), 0);
    assert_eq!(pressed(&bench.event(2).await).value, Pressed::Options { tokens: vec![token.option(59)] });
    bench.ends_well().await;
}

#[tokio::test]
async fn days_and_times_are_picked() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let (min, max) = (Some("2031-05-10".to_owned()), Some("2031-06-20".to_owned()));
    bench.replies(&hello, asks(1, "Which day?", Input::Date { min: min.clone(), max: max.clone() })).await;
    ada.presses("›").await;
    ada.sees("June 2031").await;
    ada.presses("14").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "2031-06-14");
    bench.replies(&hello, asks(2, "At what time?", Input::Time { min: None, max: None })).await;
    ada.presses("18").await;
    ada.presses("18:35").await;
    assert_eq!(text(&pressed(&bench.event(3).await)), "18:35");
    bench.replies(&hello, asks(3, "From when to when?", Input::DateRange { min, max })).await;
    ada.presses("12").await;
    ada.press_is_answered().await;
    ada.no_longer_sees("\n11\n").await;
    ada.presses("17").await;
    assert_eq!(text(&pressed(&bench.event(4).await)), "2031-05-12/2031-05-17");
    bench.ends_well().await;
}

#[tokio::test]
async fn the_clock_offers_only_what_may_be_picked() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let evening = Input::Time { min: Some("18:30".to_owned()), max: Some("22:00".to_owned()) };
    bench.replies(&hello, asks(1, "Deliver at?", evening)).await;
    ada.sees_button("18").await;
    assert_eq!(ada.buttons(), [vec!["18", "19", "20", "21", "22"], vec!["Skip"]]);
    ada.presses("18").await;
    ada.sees_button("18:30").await;
    assert_eq!(ada.buttons()[1..3], [vec!["18:30", "18:35", "18:40", "18:45"], vec!["18:50", "18:55"]]);
    ada.presses("‹").await;
    ada.presses("22").await;
    ada.presses("22:00").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "22:00");
    bench.ends_well().await;
}

#[tokio::test]
async fn a_number_may_be_another_persons() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, asks(1, "Whom do we call?", Input::Phone { country: None })).await;
    ada.shares_contact_of(&bench.fake.person("Ben")).await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "+393331000002");
    let mut again = asks(2, "Whom do we call?", Input::Phone { country: None });
    again.questions[0].problem = Some("That is your own number.".to_owned());
    bench.replies(&hello, again).await;
    ada.sees("That is your own number.").await;
    // The first question still shows its key.
    assert_eq!(ada.screen().matches("Share my number").count(), 1, "{}", ada.screen());
    bench.ends_well().await;
}

#[tokio::test]
async fn ones_own_number_and_position_are_shared() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    bench.replies(&hello, asks(1, "Which number?", Input::Phone { country: None })).await;
    ada.presses("Share my number").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "+393331000001");
    bench.replies(&hello, asks(2, "Where?", Input::Location)).await;
    ada.shares_venue("Duomo", "Milan", 45.464, 9.19).await;
    match bench.event(3).await.action {
        Action::Share { location } => assert_eq!(location.address.as_deref(), Some("Duomo, Milan")),
        other => panic!("{other:?}"),
    }
    // The keyboard goes with the next question; its further keys are pressed by their words.
    bench.replies(&hello, asks(3, "And your number?", Input::Phone { country: None })).await;
    ada.presses("Skip").await;
    let skip = Press { token: Token::new(&Nonce::new(3), 1), value: Pressed::Button };
    assert_eq!(pressed(&bench.event(4).await), skip);
    bench.replies(&hello, words(4, "Anything else?")).await;
    bench.ends_well().await;
}

#[tokio::test]
async fn photos_sent_together_are_one_answer() {
    let bench = Bench::start().await;
    let (ada, _) = bench.meets("Ada").await;
    ada.sends_album(&[&[1; 400], &[2; 500], &[3; 600]], "the damage").await;
    match bench.event(2).await.action {
        Action::Attach { files, text } => {
            let sizes: Vec<u64> = files.iter().filter_map(|file| file.bytes).collect();
            assert_eq!((sizes.as_slice(), text.as_str()), ([400, 500, 600].as_slice(), "the damage"));
        }
        other => panic!("{other:?}"),
    }
    bench.ends_well().await;
}

#[tokio::test]
async fn a_file_whose_size_is_not_told_is_asked_for_and_never_empty() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let sizes = |event: &formwright_chat::Event| match &event.action {
        Action::Attach { files, .. } => files.iter().map(|file| file.bytes).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    ada.sends_file_of_untold_size("scan.pdf", "application/pdf", &[1; 700]).await;
    assert_eq!(sizes(&bench.event(2).await), [Some(700)]);
    // Telegram does not tell, and then nobody knows: that is no file of nothing.
    bench.fake.next_answers_to("getFile", [Fault::Status(500)]);
    ada.sends_file_of_untold_size("scan.pdf", "application/pdf", &[1; 700]).await;
    assert_eq!(sizes(&bench.event(3).await), [None]);
    // Of a large one only that is told: it counts where something so large is not taken.
    let large = vec![1; 20 * 1024 * 1024 + 7];
    ada.sends_file_of_untold_size("film.mp4", "video/mp4", &large).await;
    assert_eq!(sizes(&bench.event(4).await), [None]);
    let small = Input::File { accept: Vec::new(), max_bytes: Some(2_000_000), max_files: 1 };
    bench.replies(&hello, asks(1, "The receipt?", small)).await;
    ada.sends_file_of_untold_size("film.mp4", "video/mp4", &large).await;
    assert!(sizes(&bench.event(5).await)[0] > Some(2_000_000));
    assert_eq!(bench.fake.refusals_but(&["file is too big"]), Vec::<String>::new());
}

#[tokio::test]
async fn links_and_menus_open_forms() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").speaking("it").in_private();
    ada.starts("injury").await;
    assert_eq!(bench.event(1).await.action, Action::Open { form: Some("injury".to_owned()) });
    ada.uses("pizza_order").await;
    assert_eq!(bench.event(2).await.action, Action::Open { form: Some("pizza-order".to_owned()) });
    ada.starts("").await;
    assert_eq!(bench.event(3).await.action, Action::Open { form: None });
    bench.fake.is_called("setMyCommands", 6).await;
    bench.ends_well().await;
}

#[rstest::rstest]
#[case(
    "it",
    "giugno 2031",
    "‹ 14 giugno 2031",
    "Scegli tutte quelle che valgono",
    "Fatto (1)",
    "Condividi il mio numero"
)]
#[case("de", "Juni 2031", "‹ 14. Juni 2031", "Wähle alle passenden", "Fertig (1)", "Meine Nummer teilen")]
#[tokio::test]
async fn a_person_is_led_through_the_widgets_in_their_language(
    #[case] lang: &str,
    #[case] month: &str,
    #[case] first: &str,
    #[case] tick: &str,
    #[case] done: &str,
    #[case] phone: &str,
) {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let spoken = |reply: formwright_chat::Reply| formwright_chat::Reply { lang: lang.to_owned(), ..reply };
    let day = |day: &str| Some(day.to_owned());
    let dates = Input::DateRange { min: day("2031-05-10"), max: day("2032-07-20") };
    bench.replies(&hello, spoken(asks(1, "Quando?", dates))).await;
    for (turn, shown) in [("»", "2032"), ("«", "2031"), ("›", month)] {
        ada.presses(turn).await;
        ada.sees(shown).await;
    }
    ada.presses("13").await;
    // Another first day is picked by going back to it.
    ada.presses(&first.replace("14", "13")).await;
    ada.no_longer_sees(&first.replace("14", "13")).await;
    ada.presses("14").await;
    ada.sees_button(first).await;
    // The last day may be in a later month.
    ada.presses("›").await;
    ada.no_longer_sees(&format!("\n{month}\n")).await;
    ada.presses("2").await;
    assert_eq!(text(&pressed(&bench.event(2).await)), "2031-06-14/2031-07-02");
    bench.replies(&hello, spoken(toppings(2))).await;
    ada.sees(tick).await;
    ada.presses("Ham").await;
    ada.presses(done).await;
    bench.event(3).await;
    bench.replies(&hello, spoken(asks(3, "Numero?", Input::Phone { country: Some("IT".to_owned()) }))).await;
    ada.presses(phone).await;
    bench.event(4).await;
    bench.ends_well().await;
}
