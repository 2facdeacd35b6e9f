//! Two people fill in the same form in the same channel, their deeds interleaved at random: what one says never reaches
//! the other's form, nor what the other is told, and both submit what they submit alone.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::person::{Anybody, Person};
use super::stage::{PATIENCE, Plan, Platform, Stage};

/// Each question names who is asked, so that a test can tell whose it is.
const FORM: &str = r#"
schema = 1
id = "seat"
title = "Seat"
description = "Take a seat at the long table"

[[field]]
id = "name"
kind = "text"
ask = "Who are you?"

[[field]]
id = "meal"
kind = "choice"
ask = "{{ name }}, which meal?"
options = ["Soup", "Fish", "Rice"]

[[field]]
id = "guests"
kind = "integer"
ask = "{{ name }}, how many guests?"

[[field]]
id = "note"
kind = "text"
ask = "{{ name }}, what should the kitchen know?"
"#;

struct Guest {
    name: &'static str,
    meal: &'static str,
    guests: &'static str,
    note: &'static str,
}

const GUESTS: [Guest; 2] = [
    Guest { name: "Adamantia Alpha", meal: "Soup", guests: "11", note: "almonds make me ill" },
    Guest { name: "Benedetto Bravo", meal: "Rice", guests: "22", note: "basil makes me happy" },
];

/// How many deeds a guest does.
const DEEDS: usize = 6;
/// How many tables there are on each platform, each with an order of deeds of its own.
const TABLES: u64 = 3;

impl Guest {
    /// Does the next deed, as soon as the person is asked for it.
    async fn does(&self, person: &dyn Person, deed: usize) {
        let asked = |words: &str| format!("{}, {words}", self.name);
        match deed {
            0 => {
                let before = count(person, "Who are you?");
                person.opens("seat").await;
                shown(person, "Who are you?", before + 1).await;
            }
            1 => person.writes(self.name).await,
            2 => person.presses_under(&asked("which meal?"), self.meal).await,
            3 => {
                shown(person, &asked("how many guests?"), 1).await;
                person.writes(self.guests).await;
            }
            4 => {
                shown(person, &asked("what should the kitchen know?"), 1).await;
                person.writes(self.note).await;
            }
            _ => person.presses_under(self.note, "Confirm").await,
        }
    }

    fn submission(&self) -> Value {
        let guests: i64 = self.guests.parse().unwrap();
        json!({"name": self.name, "meal": self.meal.to_lowercase(), "guests": guests, "note": self.note})
    }
}

fn count(person: &dyn Person, words: &str) -> usize {
    person.read().iter().filter(|message| message.contains(words)).count()
}

/// Waits until so many messages here say this.
async fn shown(person: &dyn Person, words: &str, times: usize) {
    let seen = async {
        while count(person, words) < times {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, seen).await.is_ok(), "no “{words}”: {:#?}", person.read());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_in_one_channel_never_get_into_each_others_way() {
    let stage = Stage::serving(Plan { forms: vec![FORM.to_owned()], ..Plan::default() }).await;
    let seed = u64::from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos());
    let (mut tables, mut alone) = (Vec::new(), Vec::new());
    for platform in Platform::ALL {
        tables.extend((0..TABLES).map(|table| dinner(&stage, platform, seed + table)));
        alone.extend(GUESTS.iter().map(|guest| supper(guest, stage.alone(platform, guest.name))));
    }
    let (leaks, _) = tokio::join!(super::all(tables), super::all(alone));
    assert_eq!(leaks.concat(), Vec::<String>::new(), "seed {seed}");

    let each = Platform::ALL.len() * (usize::try_from(TABLES).unwrap() + 1);
    let submitted = stage.submissions("seat", each * GUESTS.len()).await;
    stage.is_quiet().await;
    for guest in &GUESTS {
        let same = submitted.iter().filter(|answers| **answers == guest.submission()).count();
        assert_eq!(same, each, "seed {seed}: {submitted:#?}");
    }
    assert_eq!(stage.submitted("seat").len(), each * GUESTS.len(), "seed {seed}");
    stage.assert_nothing_was_refused();
}

async fn supper(guest: &Guest, person: Anybody) {
    for deed in 0..DEEDS {
        guest.does(person.as_ref(), deed).await;
    }
}

/// A table in a channel of its own; gives what one was told of the other.
async fn dinner(stage: &Stage, platform: Platform, seed: u64) -> Vec<String> {
    let people = stage.together(platform, &format!("table-{seed}"), GUESTS.map(|guest| guest.name)).await;
    let (mut done, mut bits) = ([0; 2], seed);
    while done != [DEEDS; 2] {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let turn = usize::from(bits >> 40 & 1 == 1);
        let turn = if done[turn] == DEEDS { 1 - turn } else { turn };
        GUESTS[turn].does(people[turn].as_ref(), done[turn]).await;
        done[turn] += 1;
    }
    stage.is_quiet().await;
    let values = |guest: &Guest| [guest.name, guest.note];
    let mixed =
        |message: &&String| GUESTS.iter().all(|guest| values(guest).iter().any(|value| message.contains(value)));
    let read = people.iter().flat_map(|person| person.read()).collect::<Vec<_>>();
    read.iter().filter(mixed).map(|message| format!("{platform:?}: {message}")).collect()
}
