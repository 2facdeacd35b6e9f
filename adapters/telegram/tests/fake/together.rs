//! Forms that several fill together, what a person may use, and lists beyond all limits.

use formwright_chat::{Access, AccessRule, Action, Input, Nonce, Pressed, Reply, Token};
use formwright_fakes::telegram::{Settings, TelegramFake};
use formwright_telegram::TelegramSettings;

use crate::bench::{Bench, list, pizzas, pressed, said, toppings, words};

fn shared(reply: Reply) -> Reply {
    Reply { shared: true, ..reply }
}

#[tokio::test]
async fn in_a_group_everybody_answers_what_all_share() {
    let fake = TelegramFake::start_with(Settings { reads_groups: true, ..Settings::default() }).await;
    let bench = Bench::start_over(fake, TelegramSettings::default()).await;
    let office = bench.fake.supergroup("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.writes("@FormBot team lunch").await;
    let first = bench.event(1).await;
    bench.replies(&first, shared(toppings(1))).await;
    // Two tick the same list.
    ada.presses("Olives").await;
    ada.sees("☑ Olives").await;
    ben.presses_of(&ada, "Ham").await;
    ada.sees("☑ Ham").await;
    ben.presses_of(&ada, "Done (2)").await;
    let second = bench.event(2).await;
    let token = Token::new(&Nonce::new(1), 0);
    let tokens = vec![token.option(0), token.option(1)];
    assert_eq!((pressed(&second).value, second.user.name.as_deref()), (Pressed::Options { tokens }, Some("Ben")));
    bench.replies(&second, shared(words(2, "Where?"))).await;
    ada.sees("✓ Olives, Ham").await;
    ada.writes("who knows").await;
    let third = bench.event(3).await;
    ben.writes("@FormBot at Luini").await;
    let fourth = bench.event(4).await;
    assert_eq!((third.terms.overheard, fourth.terms.overheard), (true, false));
    bench.ends_well().await;
}

#[tokio::test]
async fn a_sensitive_question_of_all_is_one_persons_own() {
    let bench = Bench::start().await;
    let office = bench.fake.group("Office");
    let (ada, ben) = (bench.fake.person("Ada").in_group(&office), bench.fake.person("Ben").in_group(&office));
    ada.writes("@FormBot team lunch").await;
    let event = bench.event(1).await;
    bench.replies(&event, shared(Reply { private: true, ..words(1, "Which account?") })).await;
    assert!(!ada.does_see("Which account?"));
    let link = ada.buttons()[0][0].clone();
    let other = ben.follows(&link).await;
    other.sees("somebody else").await;
    let aside = ada.follows(&link).await;
    aside.sees("Which account?").await;
    aside.writes("IT1234").await;
    assert_eq!(said(&bench.event(2).await), "IT1234");
    assert_eq!(bench.fake.refusals_but(&["can't initiate conversation"]), Vec::<String>::new());
}

#[tokio::test]
async fn the_forms_a_person_may_use_come_with_what_they_say() {
    let fake = TelegramFake::start().await;
    let ada = fake.person("Ada");
    let rule =
        |form: &str, users: Vec<String>| AccessRule { forms: vec![form.to_owned()], users, ..AccessRule::default() };
    let access =
        Access { rules: vec![rule("pizza-order", vec![ada.id().to_string()]), rule("injury", vec!["1".into()])] };
    let bench = Bench::start_over(fake, TelegramSettings { access, ..TelegramSettings::default() }).await;
    let ada = ada.in_private();
    ada.writes("I hurt my arm").await;
    let event = bench.event(1).await;
    assert_eq!(event.terms.forms, Some(vec!["pizza-order".to_owned()]));
    ada.starts("injury").await;
    ada.sees("You cannot use this form here.\n\nYou can start one of these:\n/pizza_order — Pizza").await;
    ada.sees_menu(&["start", "pizza_order", "forms", "review", "help", "cancel", "forget"]).await;
    bench.replies(&event, pizzas(1)).await;
    ada.presses("Diavola").await;
    let event = bench.event(2).await;
    assert!(matches!(event.action, Action::Press { .. }));
    assert_eq!(event.terms.forms, Some(vec!["pizza-order".to_owned()]));
    // Nobody has opened the other chat that the rules name.
    assert_eq!(bench.fake.refusals_but(&["chat not found"]), Vec::<String>::new());
}

#[tokio::test]
async fn menus_show_what_may_be_used_where_and_by_whom() {
    let fake = TelegramFake::start().await;
    let (ada, ben, office) = (fake.person("Ada"), fake.person("Ben"), fake.group("Office"));
    let rule = |form: &str, channels: Vec<String>, users: Vec<String>| AccessRule {
        forms: vec![form.to_owned()],
        channels,
        users,
        ..AccessRule::default()
    };
    let (here, hers) = (vec![office.id().to_string()], vec![ada.id().to_string()]);
    let access = Access { rules: vec![rule("pizza-order", here, vec![]), rule("injury", vec![], hers)] };
    // Ada opens her chat only later: until then Telegram takes no menu for it.
    let (inside, other) = (ada.in_group(&office), ben.in_group(&office));
    let bench = Bench::start_over(fake, TelegramSettings { access, ..TelegramSettings::default() }).await;
    inside.sees_menu(&["start", "injury", "pizza_order", "forms", "review", "help", "cancel", "forget"]).await;
    other.sees_menu(&["start", "pizza_order", "forms", "review", "help", "cancel", "forget"]).await;
    let (home, his) = (ada.in_private(), ben.in_private());
    his.sees_menu(&["start", "forms", "review", "help", "cancel", "forget"]).await;
    home.starts("").await;
    home.sees_menu(&["start", "injury", "forms", "review", "help", "cancel", "forget"]).await;
    assert_eq!(bench.fake.refusals_but(&["chat not found", "initiate conversation"]), Vec::<String>::new());
}

#[tokio::test]
async fn an_unknown_form_is_answered_with_those_there_are() {
    let bench = Bench::start().await;
    let ada = bench.fake.person("Ada").speaking("it").in_private();
    let list = "Puoi aprire uno di questi:\n/injury — Injury\n/pizza_order — Pizza";
    ada.starts("nope").await;
    ada.sees(&format!("Non c’è un modulo «nope».\n\n{list}")).await;
    ada.writes("/nope").await;
    ada.sees(&format!("Non c’è un modulo «/nope».\n\n{list}")).await;
    // A link to a question that is long over.
    ada.starts(Nonce::new(99).as_str()).await;
    ada.sees("A questo hai già risposto").await;
    assert_eq!(bench.host.events(), Vec::new());
    // In a group it is told to who asked, in private; who never wrote to the bot hears the short of it.
    let office = bench.fake.group("Office");
    let (there, ben) = (ada.person().in_group(&office), bench.fake.person("Ben").in_group(&office));
    there.writes("/nope@FormBot").await;
    ada.sees(list).await;
    assert_eq!(there.count(), 0);
    ben.writes("/nope@FormBot").await;
    ben.sees("There is no form “/nope”.").await;
    assert!(!ben.does_see("You can start"));
    // What is asked in words may be answered with what looks like a command.
    ada.writes("ciao").await;
    let hello = bench.event(1).await;
    bench.replies(&hello, words(1, "Which page?")).await;
    ada.writes("/login").await;
    assert_eq!(said(&bench.event(2).await), "/login");
    assert_eq!(bench.fake.refusals_but(&["initiate conversation"]), Vec::<String>::new());
}

#[tokio::test]
async fn hundreds_of_options_with_long_and_equal_names_are_picked() {
    let bench = Bench::start().await;
    let (ada, hello) = bench.meets("Ada").await;
    let mut labels: Vec<String> = (1..=300).map(|no| format!("Option {no}")).collect();
    labels[0] = format!("{}first", "long ".repeat(38));
    labels[1] = format!("{}second", "long ".repeat(38));
    labels[2] = "🍕".to_owned();
    labels[3] = "Option 9".to_owned();
    let reply = list(1, "Which ones?", &labels, true);
    let Input::Options { .. } = &reply.questions[0].input else { panic!("a list") };
    bench.replies(&hello, reply).await;
    ada.sees("long second").await;
    ada.presses("🍕").await;
    ada.sees("☑ 🍕").await;
    ada.presses("›").await;
    ada.sees_button("Option 10").await;
    ada.presses("Option 10").await;
    ada.sees("☑ Option 10").await;
    ada.presses("Done (2)").await;
    let token = Token::new(&Nonce::new(1), 0);
    let tokens = vec![token.option(2), token.option(9)];
    assert_eq!(pressed(&bench.event(2).await).value, Pressed::Options { tokens });
    bench.ends_well().await;
}
