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
    ada.sees("cannot use this form").await;
    ada.uses("injury").await;
    bench.replies(&event, pizzas(1)).await;
    ada.presses("Diavola").await;
    let event = bench.event(2).await;
    assert!(matches!(event.action, Action::Press { .. }));
    assert_eq!(event.terms.forms, Some(vec!["pizza-order".to_owned()]));
    bench.ends_well().await;
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
