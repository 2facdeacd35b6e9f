//! What tells a person's zone, and what becomes of answers that were given before it was known.

use formwright_chat as chat;

use crate::command::change;
use crate::draft::filling::{Filled, Filling, Offer};
use crate::flow::settle;
use crate::handle::{language, read};
use crate::saying::Saying;
use crate::session::Session;
use crate::session::own_zone::OwnZone;
use crate::talk::Talk;
use crate::world::World;
use crate::zone::{ZoneFrom, ZoneReply};
use formwright_form::kind::Said;
use formwright_form::{Form, Kind, Path, Value, zone};
use formwright_nlu::{Answer, Command, Pending};

/// A message as short as "Berlin in Germany" says nothing beside the zone.
const SHORT: usize = 4;

/// Takes up the zone that a message tells, asked or not; tells whether the message says nothing else.
pub(crate) fn takes_up_zone(talk: &mut Talk<'_>, text: &str) -> bool {
    if talk.world.terms.overheard {
        return false;
    }
    let said = Said::new(text);
    let asked = talk.session.draft.as_ref().is_some_and(crate::zone::ask::asks_for_zone);
    if !asked && !zone::is_spoken_of(&said) || asked && said.raw.trim().len() == 1 {
        return false;
    }
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    if !asked && language::means_else(talk, form.as_deref(), &said) {
        return false;
    }
    let region = talk.world.region.clone();
    let now = talk.world.now.timestamp();
    let known = zone::Known { now, lang: talk.world.lang, region: region.as_deref() };
    let mut zones = zone::read(&said, &known);
    // "3 pm" is the time there, "3 guests" is none.
    if zones.is_empty() && asked && form.as_ref().is_none_or(|form| !gives_answers(talk, form, &said)) {
        zones = zone::by_clock(&said, &known);
    }
    match zones.len() {
        0 => return asked && form.is_some_and(|form| leaves_zone_open(talk, &form, &said)),
        1 => talk.zone_told = zones.pop().map(ZoneReply::Is),
        _ => {
            let Some((form, draft)) = settle::take_draft(talk) else { return false };
            let world = talk.world.speaking(&form);
            let mut filling = Filling::new(&form, &world, draft);
            crate::zone::ask::offer_zones(&mut filling, zones);
            settle::put_draft(talk, filling);
            return true;
        }
    }
    drop_zone_question(&mut talk.session);
    said.words.len() <= SHORT || form.is_none_or(|form| !gives_answers(talk, &form, &said))
}

/// Takes the zone of a place that was shared when the zone was asked; tells whether it did.
pub(crate) fn takes_zone_of(talk: &mut Talk<'_>, location: &chat::LocationRef) -> bool {
    let asked = talk.session.draft.as_ref().is_some_and(crate::zone::ask::asks_for_zone);
    let Some(name) = asked.then(|| zone::at(location)).flatten() else { return false };
    talk.zone_told = Some(ZoneReply::Is(name));
    drop_zone_question(&mut talk.session);
    true
}

/// Takes up the zone that was told in this step or that an answer tells, before what comes next is decided.
pub(crate) fn settle_zone(talk: &mut Talk<'_>) {
    let before = talk.world.zone.name.clone();
    match talk.zone_told.take() {
        Some(ZoneReply::Is(name)) => {
            talk.world.set_zone(&name, ZoneFrom::Person);
            let there = talk.world.clock_in(&name);
            talk.session.own_zone = Some(OwnZone::Told(name));
            say_of_zone(talk, "zone_now", &there);
        }
        Some(ZoneReply::Left) => {
            talk.session.own_zone = Some(OwnZone::Skipped);
            let here = zone::label(&talk.world.zone.name);
            say_of_zone(talk, "zone_kept", &here);
        }
        None => {
            let Some(name) = zone_of_an_answer(talk) else { return };
            talk.world.set_zone(&name, ZoneFrom::Answer);
            talk.session.own_zone = Some(OwnZone::Found(name));
        }
    }
    talk.world.asks_zone = false;
    retime(talk, &before);
}

fn say_of_zone(talk: &mut Talk<'_>, name: &str, zone: &str) {
    match talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft)) {
        Some(form) => talk.note_of(&form, name, &[("zone", zone)]),
        None => talk.note(name, &[("zone", zone)]),
    }
}

/// The zone that a phone number or a place among the answers tells, where nobody knows better.
fn zone_of_an_answer(talk: &Talk<'_>) -> Option<String> {
    let draft = talk.session.draft.as_ref().filter(|_| talk.session.own_zone.is_none() && !talk.session.shared)?;
    let form = talk.engine.form_of(draft)?;
    if !talk.world.platform_lacks_zone || !talk.world.guesses_zone() || form.zone.is_some() {
        return None;
    }
    let theirs = |answer: &Answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed);
    let mut given = draft.answers.iter().filter(|(_, answer)| theirs(answer));
    given.find_map(|(path, answer)| told_by(&talk.world, &form, path, &answer.value))
}

fn told_by(world: &World, form: &Form, path: &Path, value: &Value) -> Option<String> {
    match (&form.field_at(path)?.kind, value) {
        (Kind::Phone(_), Value::Text(number)) => {
            let country = formwright_form::kind::phone::country_of(number)?;
            zone::of_country(&country, world.now.timestamp()).map(str::to_owned)
        }
        (Kind::Location(_), Value::Location(location)) => zone::at(location),
        _ => None,
    }
}

/// Whether somebody who was asked for their zone leaves it open, or was asked in vain often enough.
fn leaves_zone_open(talk: &mut Talk<'_>, form: &Form, said: &Said) -> bool {
    let Some(draft) = talk.session.draft.clone() else { return false };
    let enough = crate::zone::ask::was_asked_enough(&draft);
    let world = talk.world.speaking(form);
    let filling = Filling::new(form, &world, draft);
    let commands = read::read_in(world.lang, &[], &filling, said).commands;
    let leaves = matches!(commands.as_slice(), [Command::Skip | Command::Deny]) || commands.is_empty() && enough;
    if leaves {
        talk.zone_told = Some(ZoneReply::Left);
        drop_zone_question(&mut talk.session);
    }
    leaves
}

/// Whether a message answers fields with more than a time.
fn gives_answers(talk: &Talk<'_>, form: &Form, said: &Said) -> bool {
    let Some(draft) = talk.session.draft.clone() else { return false };
    let world = talk.world.speaking(form);
    let filling = Filling::new(form, &world, draft);
    let commands = read::read_in(world.lang, &[], &filling, said).commands;
    let tells =
        |command: &Command| matches!(command, Command::Fill { value, .. } if !crate::zone::is_local_time(value));
    commands.iter().any(tells)
}

fn drop_zone_question(session: &mut Session) {
    if let Some(draft) = session.draft.as_mut().filter(|draft| crate::zone::ask::asks_for_zone(draft)) {
        draft.pending = Pending::Nothing;
    }
}

/// Reads anew, in the zone as it is now, what was said as seen from the clock of another: "in two hours" is another
/// hour, "tomorrow" may be another day. What was said outright stays.
fn retime(talk: &mut Talk<'_>, before: &str) {
    if talk.world.zone.name == before {
        return;
    }
    let Some((form, draft)) = settle::take_draft(talk) else { return };
    let world = talk.world.speaking(&form);
    let mut filling = Filling::new(&form, &world, draft);
    if filling.draft().zone.is_some() {
        filling.journal.draft.zone = Some(world.zone.name.clone());
    }
    crate::zone::ask::drop_stale_changes(&mut filling);
    let answers: Vec<(Path, Answer)> =
        filling.draft().answers.iter().map(|(path, answer)| (path.clone(), answer.clone())).collect();
    for (path, answer) in answers {
        let Some(field) = form.field_at(&path) else { continue };
        // Of several readings that one counts that was chosen.
        let [was, mut now] = [before, world.zone.name.as_str()].map(|zone| world.read_in_zone(field, &answer, zone));
        let chosen = was.iter().position(|was| *was == answer.value).filter(|_| was.len() == now.len());
        let again = chosen.map(|no| now.swap_remove(no)).filter(|now| *now != answer.value);
        let again = match (again, &answer.value) {
            (Some(value), _) => value,
            (None, Value::RepeatedTime { at, .. }) => Value::DateTime(*at),
            (None, value) if crate::zone::is_local_time(value) && filling.vet(field, &path, value).is_err() => {
                value.clone()
            }
            _ => continue,
        };
        let offer = Offer { value: again, source: answer.source, quote: answer.quote.clone() };
        // What is no time in this zone is taken out first: the same value again would count as there.
        filling.store(&path, None);
        match filling.fill(&path, offer) {
            Filled::Refused(refusal) => {
                let _ = change::refuse(talk, &mut filling, &path, refusal);
            }
            _ => tell_retimed(&mut talk.saying, &mut filling, &path, &answer),
        }
    }
    settle::put_draft(talk, filling);
}

fn tell_retimed(saying: &mut Saying, filling: &mut Filling<'_>, path: &Path, old: &Answer) {
    let Some(now) = filling.journal.draft.answers.get_mut(path) else { return };
    // It was said when it was said, in the message that said it.
    now.at = old.at;
    now.day_quote.clone_from(&old.day_quote);
    now.event.clone_from(&old.event);
    let now = now.value.clone();
    if now == old.value {
        return;
    }
    let facts = (filling.label(path), filling.show(path, &now), filling.show(path, &old.value));
    saying.notes.push(filling.say("changed", &[("label", &facts.0), ("value", &facts.1), ("old", &facts.2)]));
}
