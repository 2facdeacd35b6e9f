//! Properties of filling: the order in which answers come makes no difference, undo and redo are exact, and the list of
//! open questions is what it would be if it were made anew.

use std::collections::BTreeSet;

use formwright_chat as chat;
use jiff::Timestamp;

use crate::ask::review;
use crate::draft::filling::{self, Filling, Offer};
use crate::draft::journal::{self, Direction, Journal};
use crate::draft::{fresh, list, order};
use crate::input::{Happening, Input};
use crate::session::{Draft, Session, screen};
use crate::world::World;
use formwright_form::{Form, Path, Value};
use formwright_load::{Syntax, load};

use proptest::prelude::*;

const TRIP: &str = r#"
schema = 1
id = "trip"
title = "Trip"
[[field]]
id = "people"
kind = "integer"
[[field]]
id = "beds"
kind = "integer"
check = [{ that = "beds <= people", else = "too many" }]
[[field]]
id = "car"
kind = "yes_no"
[[field]]
id = "seats"
kind = "integer"
show_when = "car"
[[field]]
id = "big_car"
kind = "yes_no"
show_when = "seats > 2"
[[field]]
id = "total"
kind = "computed"
result = "integer"
value = "people + beds"
[[field]]
id = "pets"
kind = "list"
required = false
[[field.field]]
id = "age"
kind = "integer"
[[field.field]]
id = "young"
kind = "yes_no"
show_when = "age < people"
[[field]]
id = "crowd"
kind = "yes_no"
required = false
show_when = "total > 5 && size(pets) > 0"
"#;

#[derive(Clone, Debug)]
enum Op {
    Fill(&'static str, i64),
    Answer(&'static str, bool),
    Clear(&'static str),
    Skip(&'static str),
    AddPet,
    RemovePet(u32),
    Pet(u32, i64),
    Undo,
    Redo,
}

fn op() -> impl Strategy<Value = Op> {
    let number = prop::sample::select(vec!["people", "beds", "seats"]);
    let truth = prop::sample::select(vec!["car", "big_car", "crowd"]);
    let every = prop::sample::select(vec!["people", "beds", "seats", "car", "big_car", "crowd"]);
    prop_oneof![
        4 => (number, 0..6_i64).prop_map(|(path, n)| Op::Fill(path, n)),
        3 => (truth, any::<bool>()).prop_map(|(path, yes)| Op::Answer(path, yes)),
        1 => every.clone().prop_map(Op::Clear),
        1 => every.prop_map(Op::Skip),
        1 => Just(Op::AddPet),
        1 => (0..3_u32).prop_map(Op::RemovePet),
        2 => (0..3_u32, 0..6_i64).prop_map(|(pet, age)| Op::Pet(pet, age)),
        1 => Just(Op::Undo),
        1 => Just(Op::Redo),
    ]
}

fn trip() -> Form {
    let loaded = load(TRIP, Syntax::Toml);
    loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

fn world() -> World {
    let place = chat::Place {
        platform: chat::Platform::new("terminal"),
        workspace: String::new(),
        channel: String::new(),
        thread: None,
    };
    let session = Session::new(place, chat::UserId::new("ada"));
    let now = Timestamp::from_second(1_800_000_000).unwrap();
    World::new(&session, &Input { now, nonce: chat::Nonce::new(1), event: Happening::Expiry }, None)
}

fn begun<'a>(form: &'a Form, world: &'a World) -> Filling<'a> {
    let mut filling = Filling::new(form, world, fresh::fresh(form, world));
    fresh::begin(&mut filling);
    filling
}

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

fn offer(value: Value) -> Offer {
    Offer { value, source: chat::Source::Pressed, quote: None }
}

fn perform(form: &Form, world: &World, draft: Draft, op: &Op) -> Draft {
    let mut filling = Filling::new(form, world, draft);
    match op {
        Op::Fill(field, n) => drop(filling.fill(&path(field), offer(Value::Integer(*n)))),
        Op::Answer(field, yes) => drop(filling.fill(&path(field), offer(Value::Bool(*yes)))),
        Op::Clear(field) => drop(filling.clear(&path(field))),
        Op::Skip(field) => drop(filling.skip(&path(field))),
        Op::AddPet => drop(list::add_item(&mut filling, &path("pets"))),
        Op::RemovePet(no) => drop(list::remove_item(&mut filling, &path("pets").item(*no))),
        Op::Pet(no, age) if *no < filling.draft().lists[&path("pets")].len => {
            drop(filling.fill(&path(&format!("pets[{no}].age")), offer(Value::Integer(*age))));
        }
        Op::Pet(..) => {}
        Op::Undo | Op::Redo => {
            let mut draft = filling.journal.draft;
            let _ = journal::travel(&mut draft, if matches!(op, Op::Undo) { Direction::Undo } else { Direction::Redo });
            filling.journal = Journal::new(draft);
            return filling.journal.draft;
        }
    }
    filling.journal.finish()
}

/// What a draft says, leaving out how it came about.
fn essence(draft: &Draft) -> impl PartialEq + std::fmt::Debug + use<> {
    let answers: Vec<(Path, Value)> = draft.answers.iter().map(|(p, a)| (p.clone(), a.value.clone())).collect();
    let kept: Vec<(Path, Value)> = draft.kept.iter().map(|(p, a)| (p.clone(), a.value.clone())).collect();
    (answers, kept, draft.hidden.clone(), draft.todo.clone(), draft.skipped.clone(), draft.lists.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_answers_alone_decide_where_the_form_is(ops in prop::collection::vec(op(), 0..40)) {
        let (form, world) = (trip(), world());
        let mut draft = begun(&form, &world).journal.finish();
        draft.undo.clear();
        for op in &ops {
            draft = perform(&form, &world, draft, op);
        }
        let mut straight = begun(&form, &world);
        for _ in 0..draft.lists[&path("pets")].len {
            list::add_item(&mut straight, &path("pets"));
        }
        for answers in [&draft.answers, &draft.kept] {
            for (path, answer) in answers {
                if answer.source == chat::Source::Pressed {
                    let _ = straight.fill(path, offer(answer.value.clone()));
                }
            }
        }
        for path in &draft.skipped {
            prop_assert!(straight.skip(path));
        }
        prop_assert_eq!(format!("{:?}", essence(straight.draft())), format!("{:?}", essence(&draft)));
    }

    #[test]
    fn undo_and_redo_are_exact(ops in prop::collection::vec(op(), 1..25), back in 1..25_usize) {
        let (form, world) = (trip(), world());
        let mut draft = begun(&form, &world).journal.finish();
        draft.undo.clear();
        let ops: Vec<&Op> = ops.iter().filter(|op| !matches!(op, Op::Undo | Op::Redo)).collect();
        let mut states = vec![format!("{:?}", essence(&draft))];
        for op in ops {
            let depth = draft.undo.len();
            draft = perform(&form, &world, draft, op);
            if draft.undo.len() > depth {
                states.push(format!("{:?}", essence(&draft)));
            }
        }
        let back = back.min(states.len() - 1);
        for i in 0..back {
            draft = perform(&form, &world, draft, &Op::Undo);
            prop_assert_eq!(&format!("{:?}", essence(&draft)), &states[states.len() - 2 - i]);
        }
        for i in (0..back).rev() {
            draft = perform(&form, &world, draft, &Op::Redo);
            prop_assert_eq!(&format!("{:?}", essence(&draft)), &states[states.len() - 1 - i]);
        }
    }

    #[test]
    fn the_list_of_open_questions_is_what_it_would_be_made_anew(ops in prop::collection::vec(op(), 0..40)) {
        let (form, world) = (trip(), world());
        let mut draft = begun(&form, &world).journal.finish();
        draft.undo.clear();
        for op in &ops {
            draft = perform(&form, &world, draft, op);
        }
        let mut open = BTreeSet::new();
        review::each_leaf(&form, &draft, &mut |field, path| {
            let answered = draft.answers.contains_key(path) || draft.skipped.contains(path);
            if filling::is_askable(field) && !answered && !draft.is_hidden(path) {
                open.insert(order::addr(&form, path).unwrap());
            }
        });
        let asked: BTreeSet<_> = draft.todo.iter().filter(|addr| addr.0.last() != Some(&screen::Addr::MORE)).cloned().collect();
        prop_assert_eq!(asked, open);
    }
}
