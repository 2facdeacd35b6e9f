//! The part of the suite that people play, over whatever stands behind the adapter: a field of every kind is filled in by
//! words alone, a form belongs to who opened it, and a widget counts once.

use async_trait::async_trait;

/// The form of [`by_words`], as its file.
pub const KINDS: &str = include_str!("kinds.toml");
/// The form of [`by_its_owner`], as its file.
pub const SUPPER: &str = r#"
schema = 1
id = "supper"
title = "Supper"
description = "Order supper"

[[field]]
id = "dish"
kind = "choice"
ask = "Which dish?"
options = ["Soup", "Fish", "Rice"]

[[field]]
id = "guests"
kind = "integer"
ask = "How many guests?"
"#;

/// What [`KINDS`] asks, word by word, and what is written.
const WRITTEN: [(&str, &str); 26] = [
    ("Which dish?", "Fish"),
    ("Which sides?", "Bread and olives"),
    ("What is your name?", "Ada"),
    ("What is your story?", "Once upon a time"),
    ("How many guests?", "3"),
    ("How heavy is it?", "2.5"),
    ("What may it cost?", "20 euro"),
    ("Which share?", "15%"),
    ("Are you hungry?", "yes"),
    ("How many stars?", "4"),
    ("Which day?", "3 May 2031"),
    ("At what time?", "18:35"),
    ("When exactly?", "4 May 2031 at 18:35"),
    ("For how long?", "2 hours"),
    ("From when to when?", "5 to 9 May 2031"),
    ("Which e-mail address?", "ada@example.com"),
    ("Which number?", "347 123 4567"),
    ("Which web address?", "https://example.com/a"),
    ("Which plate?", "AB1234"),
    ("Which friend?", "Ben"),
    ("Which room?", "general"),
    ("Which paper?", "https://example.com/a.pdf"),
    ("Where is it?", "45.46, 9.19"),
    ("Which street?", "via Roma 12"),
    ("Wish 1", "a pony"),
    ("another Wish", "no more"),
];

/// What somebody is told in private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The form is another person's.
    NotYours,
    /// That was answered already.
    Over,
}

/// A person before an adapter. Each method waits until it can be done, and panics where it cannot.
#[async_trait]
pub trait Player: Send + Sync {
    /// Starts a form.
    async fn opens(&self, form: &str);
    /// Writes.
    async fn writes(&self, words: &str);
    /// Sees these words since they did something last.
    async fn sees(&self, words: &str);
    /// Presses a button, or picks an option.
    async fn presses(&self, label: &str);
    /// Presses a button, or picks an option, of a screen that has been answered.
    async fn presses_old(&self, label: &str);
    /// Is told something, they alone.
    async fn is_told(&self, what: Told);
}

/// Fills in [`KINDS`] without a single widget. What must be submitted then is [`written`].
pub async fn by_words(person: &dyn Player) {
    person.opens("kinds").await;
    for (asked, words) in WRITTEN {
        person.sees(asked).await;
        person.writes(words).await;
    }
    person.sees("What sort of pet?").await;
    person.writes("a cat").await;
    person.sees("Everything has been asked.").await;
    person.writes("yes").await;
    person.sees("has been submitted").await;
}

/// What is submitted after [`by_words`].
pub fn written() -> serde_json::Value {
    serde_json::json!({
        "dish": "fish", "sides": ["bread", "olives"], "name": "Ada", "story": "Once upon a time", "guests": 3,
        "weight": 2.5, "price": {"amount": "20.00", "currency": "EUR"}, "share": 15, "hungry": true, "stars": 4,
        "day": "2031-05-03", "hour": "18:35", "moment": "2031-05-04T18:35", "length": "PT2H",
        "stay": {"start": "2031-05-05", "end": "2031-05-09"}, "mail": "ada@example.com", "phone": "+393471234567",
        "site": "https://example.com/a", "plate": "AB1234", "friend": {"id": "Ben", "name": "Ben"},
        "room": {"id": "general", "name": "general"},
        "paper": [{"id": "https://example.com/a.pdf", "name": "a.pdf", "media_type": "application/pdf"}],
        "place": {"lat": 45.46, "lng": 9.19}, "street": "via Roma 12", "wishes": ["a pony"], "pet": {"sort": "a cat"},
        "from": "suite", "twice": 6,
    })
}

/// Fills in [`SUPPER`], while another person presses what the owner is asked, and both press what is over. What must be
/// submitted then, once, is [`owned`].
pub async fn by_its_owner(owner: &dyn Player, other: &dyn Player) {
    owner.opens("supper").await;
    owner.sees("Which dish?").await;
    other.presses("Soup").await;
    other.is_told(Told::NotYours).await;
    owner.presses("Fish").await;
    owner.sees("How many guests?").await;
    owner.presses_old("Soup").await;
    owner.is_told(Told::Over).await;
    owner.writes("3").await;
    owner.sees("Is everything right?").await;
    other.presses("Confirm").await;
    other.is_told(Told::NotYours).await;
    owner.presses_old("Rice").await;
    owner.is_told(Told::Over).await;
    owner.presses("Confirm").await;
    owner.sees("has been submitted").await;
    owner.presses_old("Confirm").await;
    owner.is_told(Told::Over).await;
}

/// What is submitted after [`by_its_owner`].
pub fn owned() -> serde_json::Value {
    serde_json::json!({"dish": "fish", "guests": 3})
}
