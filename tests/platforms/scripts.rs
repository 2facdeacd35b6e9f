//! What is asked, and what a person does about it: the sample forms by sentences, by widgets, and mixed, to the same end.

use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};

use super::person::Person;

/// A form filled in, in one way.
pub(super) struct Script {
    pub(super) form: &'static str,
    pub(super) turns: Vec<Turn>,
    /// What is said in the end.
    pub(super) end: &'static str,
}

/// Words of a question, and the answer.
pub(super) struct Turn {
    asked: &'static str,
    deed: Deed,
}

/// What a person does.
pub(super) enum Deed {
    /// Writes.
    Says(String),
    /// Presses a button, or picks an option.
    Presses(&'static str),
    /// Gives a day by its picker.
    Day(Date),
    /// Gives a time by its picker.
    Time(&'static str),
    /// Gives a number that can be called, by its button.
    Phone(&'static str),
    /// Gives a place, by its button.
    Place(f64, f64),
    /// Sends a file.
    File(&'static str, &'static str, &'static [u8]),
    /// Fills in the open questions of a page: in one window where there are windows, by question, label and value; else
    /// one after the other.
    Window(Vec<(&'static str, Turn)>),
}

use Deed::{File, Phone, Place, Presses, Time, Window};

impl Script {
    /// Plays it from the form's start to the end.
    pub(super) async fn play(&self, person: &dyn Person) {
        person.opens(self.form).await;
        let next = self.turns.iter().skip(1).map(|turn| turn.asked).chain([self.end]);
        for (turn, next) in self.turns.iter().zip(next) {
            turn.play(person).await;
            turn.until(person, next).await;
        }
    }
}

impl Turn {
    /// Waits for what comes next. A machine that is busy elsewhere may be slower than a platform waits for an answer: then
    /// the press was not taken, the person is told so, and presses again.
    async fn until(&self, person: &dyn Person, next: &str) {
        const TOO_LATE: &str = "That took too long";
        if let Presses(label) = &self.deed {
            for _ in 0..3 {
                tokio::select! {
                    biased;
                    () = person.sees(next) => return,
                    () = person.sees(TOO_LATE) => person.presses(label).await,
                }
            }
        }
        person.sees(next).await;
    }

    async fn play(&self, person: &dyn Person) {
        person.sees(self.asked).await;
        // Nobody answers twenty questions in a breath: whoever does is asked to wait.
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        match &self.deed {
            Deed::Says(words) => person.writes(words).await,
            Presses(label) => person.presses(label).await,
            Deed::Day(day) => person.gives_day(*day).await,
            Time(time) => person.gives_time(time).await,
            Phone(number) => person.gives_phone(number).await,
            Place(lat, lng) => person.gives_place(*lat, *lng).await,
            File(name, media_type, bytes) => person.sends_file(name, media_type, bytes).await,
            Window(fields) => {
                let value = |turn: &Turn| match &turn.deed {
                    Deed::Says(words) => words.clone(),
                    Phone(number) => (*number).to_owned(),
                    _ => panic!("a window takes words: {}", turn.asked),
                };
                let values: Vec<_> = fields.iter().map(|(label, turn)| (turn.asked, *label, value(turn))).collect();
                let put: Vec<_> = values.iter().map(|(asked, label, value)| (*asked, *label, value.as_str())).collect();
                if !person.fills_window(&put).await {
                    for (_, turn) in fields {
                        Box::pin(turn.play(person)).await;
                    }
                }
            }
        }
    }
}

/// Every form in every way: the ways in the order of [`WAYS`].
pub(super) fn all() -> [[Script; 2]; 3] {
    [[pizza_said(), injury_said()], [pizza_pressed(), injury_pressed()], [pizza_mixed(), injury_mixed()]]
}

/// The ways, each with a person of its own.
pub(super) const WAYS: [&str; 3] = ["by sentences", "by widgets", "by both"];

fn at(asked: &'static str, deed: Deed) -> Turn {
    Turn { asked, deed }
}

fn says(words: &str) -> Deed {
    Deed::Says(words.to_owned())
}

const PHONE: &str = "+393471234567";

fn pizza(turns: Vec<Turn>) -> Script {
    Script { form: "pizza-order", turns, end: "Your order number is" }
}

fn pizza_said() -> Script {
    pizza(vec![
        at("Which pizza", says("two spicy pizzas to via Roma 12, my number is 347 123 4567")),
        at("Is everything right?", says("bring it at quarter past eight in the evening, with chili oil")),
        at("Extra chili oil", says("yes")),
    ])
}

fn pizza_pressed() -> Script {
    let page = vec![
        ("How many", at("How many pizzas?", says("2"))),
        ("Address", at("Where should we deliver?", says("via Roma 12"))),
        ("Phone", at("Which number can the driver call?", Phone(PHONE))),
    ];
    pizza(vec![
        at("Which pizza", Presses("Diavola")),
        at("How many pizzas?", Window(page)),
        at("Is everything right?", Presses("Add Delivery time")),
        at("When would you like it?", Time("20:15")),
        at("Delivery time", Presses("Add Extra chili oil")),
        at("Shall we add chili oil?", Presses("Yes")),
        at("Extra chili oil", Presses("Confirm")),
    ])
}

fn pizza_mixed() -> Script {
    pizza(vec![
        at("Which pizza", Presses("Diavola")),
        at("How many pizzas?", says("three of them to via Roma 12")),
        at("Which number can the driver call?", Phone(PHONE)),
        at("Is everything right?", says("no, make it two")),
        at("is now 2", Presses("Add Delivery time")),
        at("When would you like it?", says("quarter past eight in the evening")),
        at("Delivery time", says("with chili oil")),
        at("Extra chili oil", Presses("Confirm")),
    ])
}

/// The days of an injury, of the last day at work, and of telling the employer; not so long ago that they ask why.
pub(super) fn days() -> [Date; 3] {
    let today = Zoned::now().date();
    [6, 5, 4].map(|ago| today.checked_sub(i64::from(ago).days()).unwrap())
}

fn named(day: Date) -> String {
    day.strftime("%-d %B %Y").to_string()
}

pub(super) const HAPPENED: &str = "I slipped on the wet floor of the store room and fell on my wrist.";
const REPORT: Deed = File("report.pdf", "application/pdf", b"%PDF-1.4 report");

fn injury(turns: Vec<Turn>) -> Script {
    Script { form: "injury-report", turns, end: "Your reference is" }
}

fn injury_said() -> Script {
    let [hurt, stopped, told] = days();
    injury(vec![
        at("For which employer", says("najd")),
        at("What was your occupation", says("sales assistant")),
        at("Is it right so far?", says("yes")),
        at(
            "On which day did it happen?",
            says(&format!("it was on {}, at half past nine in the morning", named(hurt))),
        ),
        at("Since which day", says(&named(stopped))),
        at("did you tell your employer", says(&named(told))),
        at("How did it happen?", says(HAPPENED)),
        at("What kind of injury", says("an injury at the place of work")),
        at("What caused it?", says("a fall or slip")),
        // A place and a file are never read out of words.
        at("Please send the place", Place(24.7136, 46.6753)),
        at("In what kind of place", says("on the road")),
        at("Did an authority come", says("the police came")),
        at("Is it right so far?", says("yes")),
        at("The number, please", says("050 123 4567")),
        at("Please send the documents", REPORT),
        at("Is everything right?", says("yes")),
    ])
}

fn injury_pressed() -> Script {
    let [hurt, stopped, told] = days();
    injury(vec![
        at("For which employer", Presses("Najd Building Materials")),
        at("What was your occupation", Presses("Sales assistant, from January 2024")),
        at("Is it right so far?", Presses("Go on")),
        at("On which day did it happen?", Deed::Day(hurt)),
        at("At what time did it happen?", Time("09:30")),
        at("Since which day", Deed::Day(stopped)),
        at("did you tell your employer", Deed::Day(told)),
        at("How did it happen?", says(HAPPENED)),
        at("What kind of injury", Presses("Injury at the place of work")),
        at("What caused it?", Presses("Fall or slip")),
        at("Please send the place", Place(24.7136, 46.6753)),
        at("In what kind of place", Presses("Road")),
        at("Did an authority come", Presses("Police")),
        at("Is it right so far?", Presses("Go on")),
        // Their own number is on the button, and another's is asked for.
        at("The number, please", says("+966501234567")),
        at("Please send the documents", REPORT),
        at("Is everything right?", Presses("Confirm")),
    ])
}

fn injury_mixed() -> Script {
    let [hurt, stopped, told] = days();
    injury(vec![
        at("For which employer", Presses("Najd Building Materials")),
        at("What was your occupation", says("the sales assistant")),
        at("Is it right so far?", Presses("Go on")),
        at("On which day did it happen?", says(&format!("on {} at 10 in the morning", named(hurt)))),
        at("Since which day", Deed::Day(stopped)),
        at("did you tell your employer", says(&named(told))),
        at("How did it happen?", says(HAPPENED)),
        at("What kind of injury", Presses("Injury at the place of work")),
        at("What caused it?", says("it was a fall or slip")),
        at("Please send the place", Place(24.7136, 46.6753)),
        at("In what kind of place", Presses("Road")),
        at("Did an authority come", says("police")),
        at("Is it right so far?", says("no, it was at 9:30 in the morning")),
        at("Time of the injury", Presses("Go on")),
        at("The number, please", says("050 123 4567")),
        at("Please send the documents", REPORT),
        at("Is everything right?", Presses("Confirm")),
    ])
}
