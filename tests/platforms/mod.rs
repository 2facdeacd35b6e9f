//! The real program against all chat platforms at once: people fill in forms by sentences, by widgets and by both, and the
//! same answers give the same submission wherever they were given.

mod forged;
mod hostile;
mod injury;
mod interleaved;
pub(crate) mod lunch;
pub(crate) mod person;
pub(crate) mod stage;

use person::{Anybody, Person};
use stage::Stage;

const ORDER: &str = "two spicy pizzas to via Roma 12, my number is 347 123 4567";

/// Plays a script with everybody at once.
async fn play(people: &[Anybody; 3], script: impl AsyncFn(&dyn Person)) {
    let [first, second, third] = people;
    tokio::join!(script(first.as_ref()), script(second.as_ref()), script(third.as_ref()));
}

async fn in_a_sentence(ada: &dyn Person) {
    ada.opens("pizza-order").await;
    ada.sees("Which pizza").await;
    ada.writes(ORDER).await;
    ada.sees("Diavola").await;
    ada.presses("Confirm").await;
    ada.sees("Your order number is").await;
}

async fn by_widgets(ada: &dyn Person) {
    ada.opens("pizza-order").await;
    ada.sees("Which pizza").await;
    ada.presses("Diavola").await;
    ada.sees("How many").await;
    ada.writes("2").await;
    ada.sees("deliver").await;
    ada.writes("via Roma 12").await;
    ada.sees("number").await;
    ada.gives_phone("+393471234567").await;
    ada.presses("Confirm").await;
    ada.sees("Your order number is").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pizza_is_the_same_however_it_is_ordered_and_wherever() {
    let stage = Stage::new().await;
    let (ada, ben) = (stage.in_private("Ada"), stage.in_private("Ben"));
    tokio::join!(play(&ada, in_a_sentence), play(&ben, by_widgets));
    let submitted = stage.submissions("pizza-order", 6).await;
    assert!(submitted.iter().all(|answers| *answers == submitted[0]), "{submitted:#?}");
    assert_eq!((&submitted[0]["pizza"], &submitted[0]["phone"]), (&"diavola".into(), &"+393471234567".into()));
    stage.assert_nothing_was_refused();
}
