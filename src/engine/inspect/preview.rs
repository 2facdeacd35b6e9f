//! Every screen of a form without a conversation: to see how a platform draws them, and what it cannot draw.

use formwright_chat as chat;
use jiff::Timestamp;

use crate::ask::drawing::Drawing;
use crate::ask::{question, review};
use crate::draft::filling::Filling;
use crate::draft::fresh;
use crate::effect::Effect;
use crate::engine::Engine;
use crate::handle::step;
use crate::input::{Happening, Input};
use crate::session::{Draft, Session};
use crate::world::{self, World};
use formwright_form::{Form, Kind, Path};
use formwright_nlu::{Answer, ListState, Pending};

/// A screen of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// What it shows: `start`, the path of a field, `items of …`, `review`.
    pub name: String,
    /// What adapters are given.
    pub reply: chat::Reply,
}

/// The start of a form, each of its questions as asked the first time, and its review with an example of each answer.
/// Options that a tool brings are not known, so such a question has none.
pub(crate) fn screens(engine: &Engine, form: &Form, lang: &str, draws_pages: bool, now: Timestamp) -> Vec<Preview> {
    let place = chat::Place {
        platform: chat::Platform::new("preview"),
        workspace: String::new(),
        channel: String::new(),
        thread: None,
    };
    let mut session = Session::new(place, chat::UserId::new("preview"));
    session.lang = Some(lang.to_owned());
    session.draws_pages = draws_pages;
    let mut screens = vec![Preview { name: "start".to_owned(), reply: start_screen(engine, form, &session, now) }];
    let world = |no: usize| {
        let nonce = chat::Nonce::new(u128::try_from(no).unwrap_or_default());
        world::world(engine, &session, &Input { now, nonce, event: Happening::Expiry }, None).speaking(form)
    };
    let draft = with_items(form, &world(0));
    let mut waits = Vec::new();
    for field in form.fields.iter().filter(|field| matches!(field.kind, Kind::List(_))) {
        let Some(list) = form.path_near(field.no, &Path::default()) else { continue };
        waits.push((format!("items of {list}"), Pending::MoreItems { list }));
    }
    review::each_leaf(form, &draft, &mut |field, path| {
        let asked = !matches!(field.kind, Kind::Note(_) | Kind::Hidden(_) | Kind::Computed(_));
        if asked {
            waits.push((path.to_string(), Pending::Field { path: path.clone(), editing: false }));
        }
    });
    for (name, pending) in waits {
        let world = world(screens.len());
        screens.push(Preview { name, reply: draw(form, &world, Draft { pending, ..draft.clone() }) });
    }
    let world = world(screens.len());
    let answered = Draft { pending: Pending::Review, ..answered(form, draft, now) };
    screens.push(Preview { name: "review".to_owned(), reply: draw(form, &world, answered) });
    screens
}

fn start_screen(engine: &Engine, form: &Form, session: &Session, now: Timestamp) -> chat::Reply {
    let event = chat::Event {
        id: chat::EventId::new("preview"),
        place: session.place.clone(),
        user: chat::User { id: session.owner.clone(), name: None, locale: session.lang.clone(), zone: None },
        at: now,
        action: chat::Action::Open { form: Some(form.id.to_string()) },
        terms: chat::Terms::default(),
    };
    let input = Input { now, nonce: chat::Nonce::new(0), event: Happening::Event(Box::new(event)) };
    let mut replies =
        step::step(engine, session.clone(), input).effects.into_iter().filter_map(|effect| match effect {
            Effect::Reply(reply) => Some(*reply),
            _ => None,
        });
    replies.next_back().unwrap_or_default()
}

/// A draft whose lists have an item each.
fn with_items(form: &Form, world: &World) -> Draft {
    let mut draft = fresh::fresh(form, world);
    for field in form.fields.iter().filter(|field| matches!(field.kind, Kind::List(_))) {
        if let Some(list) = form.path_near(field.no, &Path::default()) {
            draft.lists.insert(list, ListState { len: 1, ended: false });
        }
    }
    draft
}

fn answered(form: &Form, draft: Draft, now: Timestamp) -> Draft {
    let mut answers = draft.answers.clone();
    review::each_leaf(form, &draft, &mut |field, path| {
        let samples = field.kind.behaviour().samples(field.choices.as_ref());
        if let Some(value) = samples.into_iter().next() {
            let answer = Answer {
                value,
                source: chat::Source::Said,
                quote: None,
                day_quote: None,
                by_model: false,
                event: None,
                at: now,
                by: None,
            };
            answers.insert(path.clone(), answer);
        }
    });
    Draft { answers, ..draft }
}

fn draw(form: &Form, world: &World, draft: Draft) -> chat::Reply {
    let mut drawing = Drawing::new(world.nonce.clone(), world.speaks.code.to_owned());
    question::ask(&mut Filling::new(form, world, draft), &mut drawing);
    drawing.reply
}
