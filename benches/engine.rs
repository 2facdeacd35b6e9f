//! One step of the engine on forms of 10, 100 and 1,000 fields: a press and a sentence. Prints divan's table.

use formwright::engine::{Engine, Happening, Input, Session};
use formwright::form::Catalog;
use formwright::form::load::{Syntax, load};
use formwright_chat as chat;
use jiff::Timestamp;

const SIZES: &[usize] = &[10, 100, 1000];

fn main() {
    divan::main();
}

/// A form of so many fields of every common kind, some of them conditional.
fn form(fields: usize) -> String {
    let mut text = String::from("schema = 1\nid = \"bench\"\ntitle = \"Bench\"\n");
    for no in 0..fields {
        let (kind, more) = match no % 10 {
            0 => ("choice", "options = [\"Small\", \"Medium\", \"Large\"]"),
            1 => ("integer", "min = 0\nmax = 99"),
            2 => ("date", ""),
            3 => ("yes_no", ""),
            4 => ("email", ""),
            5 => ("money", "currency = \"EUR\""),
            6 => ("phone", "country = \"IT\""),
            7 => ("text", ""),
            8 => ("time", ""),
            _ => ("choice", "options = [\"Red\", \"Green\", \"Blue\"]"),
        };
        let show = if no % 10 == 9 { format!("show_when = \"f{} != 'large'\"\n", no - 9) } else { String::new() };
        text += &format!("[[field]]\nid = \"f{no}\"\nkind = \"{kind}\"\nlabel = \"Thing {no}\"\n{more}\n{show}");
    }
    text
}

fn event(no: u64, action: chat::Action) -> Input {
    let user = chat::User {
        id: chat::UserId::new("ada"),
        name: None,
        locale: Some("en-GB".to_owned()),
        zone: Some("Europe/Rome".to_owned()),
    };
    let now = Timestamp::from_second(1_790_000_000).unwrap_or_default();
    let id = chat::EventId::new(no.to_string());
    let event = chat::Event { id, place: place(), user, at: now, action, terms: chat::Terms::default() };
    Input { now, nonce: chat::Nonce::new(u128::from(no) << 64 | 7), event: Happening::Event(Box::new(event)) }
}

fn place() -> chat::Place {
    chat::Place {
        platform: chat::Platform::new("bench"),
        workspace: String::new(),
        channel: String::new(),
        thread: None,
    }
}

/// A form with its first question asked.
fn asked(fields: usize) -> (Engine, Session) {
    let loaded = load(&form(fields), Syntax::Toml);
    let mut catalog = Catalog::default();
    catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
    let engine = Engine::new(catalog);
    let session = Session::new(place(), chat::UserId::new("ada"));
    let open = chat::Action::Open { form: Some("bench".to_owned()) };
    let session = engine.step(session, event(1, open)).session;
    (engine, session)
}

#[divan::bench(args = SIZES)]
fn click(bencher: divan::Bencher<'_, '_>, fields: usize) {
    let (engine, session) = asked(fields);
    let question = session.last[0].questions[0].clone();
    let press = chat::Press {
        token: question.token.clone(),
        value: chat::Pressed::Options { tokens: vec![question.token.option(1)] },
    };
    let input = event(2, chat::Action::Press { presses: vec![press] });
    bencher
        .with_inputs(|| (session.clone(), input.clone()))
        .bench_values(|(session, input)| engine.step(session, input));
}

#[divan::bench(args = SIZES)]
fn sentence(bencher: divan::Bencher<'_, '_>, fields: usize) {
    let (engine, session) = asked(fields);
    let text = "medium please, my e-mail is ada@example.com and it is for tomorrow at 17:30, about 40 euro".to_owned();
    let input = event(2, chat::Action::Say { text });
    bencher
        .with_inputs(|| (session.clone(), input.clone()))
        .bench_values(|(session, input)| engine.step(session, input));
}
