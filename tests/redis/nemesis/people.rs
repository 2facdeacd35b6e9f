//! People who fill in form after form, and look at every answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::{Answer, Person};
use super::{Dice, Field, PATIENCE};
use crate::platforms::person::Anybody;
use crate::platforms::stage::Platform;

const NAME: &str = "What is your name?";
const REVIEW: &str = "Please check your answers";
const AGAIN: &str = "Please try again.";
const DONE: &str = "has been submitted";

/// What somebody says in a form, and nobody else does.
fn things(person: u64, form: u64, dice: &Dice) -> Vec<String> {
    (1..=2 + dice.roll(3)).map(|no| format!("thing{}", (person * 1000 + form) * 10 + no)).collect()
}

/// What is said in a form after its name was asked, in its order, each with what it is answered by, and nothing else is.
fn dialogue(name: &str, things: &[String]) -> Vec<(String, String)> {
    let mut said = vec![(name.to_owned(), "Item 1?".to_owned())];
    let taken = |(no, thing): (usize, &String)| match no {
        0 => "Would you like to add more to “Things”?".to_owned(),
        no => format!("Item {}: {thing}.", no + 1),
    };
    said.extend(things.iter().enumerate().map(|(no, thing)| (thing.clone(), taken((no, thing)))));
    said.push(("that is all".to_owned(), REVIEW.to_owned()));
    said
}

/// Fills in forms at the API, each message at any replica; some of them twice at once, some again much later.
pub(super) async fn writer(field: &Field, no: u64, dice: Dice) {
    let mut forms = 0;
    while !field.is_over() {
        forms += 1;
        let name = format!("w{no}x{forms}");
        let things = things(100 + no, forms, &dice);
        let mut person = Person::new(&field.stage, &name);
        let any = || field.addresses[dice.replica()].clone();
        let mut answered: Vec<(Value, Value)> = Vec::new();
        let opened = person.says(&mut { any }, None).await;
        field.answers(&name, "(open)", &opened, NAME);
        for (words, expected) in dialogue(&name, &things) {
            let (mut twin, body) = (person.cookie.clone(), person.next(Some(&words)));
            person.said -= 1;
            let said = if dice.roll(4) == 0 {
                let (there, mut here) = (any(), any);
                let twice = field.stage.ask(&there, &mut twin, &body);
                let (twin, said) = tokio::join!(twice, person.says(&mut here, Some(&words)));
                field.is_the_same(&name, &twin, &said);
                said
            } else {
                person.says(&mut { any }, Some(&words)).await
            };
            field.answers(&name, &words, &said, &expected);
            answered.push((body, said));
            if dice.roll(6) == 0 {
                let (body, first) = answered[usize::try_from(dice.roll(answered.len() as u64)).unwrap()].clone();
                let again = field.stage.ask(&any(), &mut person.cookie, &body).await;
                field.is_the_same(&name, &again, &first);
            }
        }
        person.confirms(&mut { any }).await;
        field.book().told.insert(name, things);
    }
}

impl Field {
    /// Notes an answer of the API, and whether it is the one to what was said.
    fn answers(&self, name: &str, words: &str, said: &Value, expected: &str) {
        let replies = said["replies"].to_string();
        let mut book = self.book();
        book.turns += 1;
        if !replies.contains(expected) {
            book.wrong.push(format!("{name}: “{words}” is answered by {said}, not by “{expected}”"));
        }
    }

    /// A repetition that is answered at all is answered as what it repeats was.
    fn is_the_same(&self, name: &str, again: &Answer, first: &Value) {
        if let Answer::Said(again) = again
            && again["replies"] != first["replies"]
        {
            self.book().wrong.push(format!("{name}: a repetition is answered by {again}, not by {first}"));
        }
    }
}

/// Somebody at a chat platform.
struct Seat {
    who: Anybody,
    /// How often the platform has told them that nobody answered.
    unanswered: Box<dyn Fn() -> usize + Send + Sync>,
}

impl Field {
    fn seat(self: &Arc<Self>, platform: Platform, name: &str) -> Seat {
        match platform {
            Platform::Telegram => {
                Seat { who: Arc::new(self.telegram.person(name).in_private()), unanswered: Box::new(|| 0) }
            }
            Platform::Slack => {
                let person = self.slack.person(name).in_private();
                Seat { who: Arc::new(person.clone()), unanswered: Box::new(move || person.unanswered()) }
            }
            Platform::Discord => {
                let (field, start, person) = (Arc::clone(self), format!("{name}: "), self.discord.person(name));
                let who = Arc::new(person.clone());
                let unanswered = move || {
                    let by_discord = field.discord.unanswered().into_iter().filter(|told| told.starts_with(&start));
                    // The bot itself says so where it could not keep what somebody did.
                    by_discord.count() + person.read().iter().filter(|message| message.contains(AGAIN)).count()
                };
                Seat { who, unanswered: Box::new(unanswered) }
            }
        }
    }
}

impl Seat {
    /// How many messages of the bot have these words.
    fn times(&self, words: &str) -> usize {
        self.who.read().iter().filter(|message| message.contains(words)).count()
    }

    /// Does something, and again whenever the platform tells that nobody answered, until something is shown; gives how
    /// often it was done again.
    async fn until(&self, what: &str, shown: impl Fn() -> bool, deed: impl AsyncFn()) -> usize {
        let (since, mut again) = (Instant::now(), 0);
        let pause = || tokio::time::sleep(Duration::from_millis(30));
        let sees = async || {
            while !shown() {
                pause().await;
            }
        };
        loop {
            let unanswered = (self.unanswered)();
            tokio::select! {
                () = deed() => {}
                () = sees() => return again,
            }
            while (self.unanswered)() == unanswered {
                if shown() {
                    return again;
                }
                assert!(since.elapsed() < PATIENCE, "{what}: no answer:\n{:#?}", self.who.read());
                pause().await;
            }
            again += 1;
        }
    }
}

/// Fills in forms on a platform, where nobody is asked to wait, as somebody else each time.
pub(super) async fn chatter(field: &Arc<Field>, platform: Platform, no: u64, dice: Dice) {
    let letter = format!("{platform:?}").chars().next().unwrap().to_ascii_lowercase();
    let mut forms = 0;
    while !field.is_over() {
        forms += 1;
        let name = format!("{letter}{no}x{forms}");
        let (seat, things) = (field.seat(platform, &name), things(100 * (2 + platform as u64) + no, forms, &dice));
        let mut again = seat.until(&name, || seat.times(NAME) > 0, async || seat.who.opens("diary").await).await;
        let dialogue = dialogue(&name, &things);
        for (words, expected) in &dialogue {
            again += seat.until(words, || seat.times(expected) > 0, async || seat.who.writes(words).await).await;
        }
        let presses = dice.roll(2) == 0;
        let confirms = async || if presses { seat.who.presses("Confirm").await } else { seat.who.writes("yes").await };
        again += seat.until(&name, || seat.times(DONE) > 0, confirms).await;
        let read = seat.who.read();
        let mut book = field.book();
        book.turns += dialogue.len() as u64 + 2;
        for words in dialogue.iter().map(|(_, expected)| expected.as_str()).chain([NAME, DONE]) {
            match seat.times(words) {
                0 => book.wrong.push(format!("{name}: “{words}” has gone: {read:#?}")),
                times if times > 1 + again => {
                    book.repeated.push((platform, format!("{name}: “{words}” {times} times")));
                }
                _ => {}
            }
        }
        book.told.insert(name, things);
    }
}
