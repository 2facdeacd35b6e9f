//! The question which zone somebody is in: when it is put, and what it offers.

use formwright_chat as chat;
use formwright_chat::ButtonRole::Plain;

use crate::ask::drawing::Drawing;
use crate::ask::verify;
use crate::draft::filling::Filling;
use crate::draft::options;
use crate::session::Draft;
use crate::world::World;
use crate::zone::ZoneFrom;
use formwright_form::field::Field;
use formwright_form::kind::date::Date;
use formwright_form::kind::{Context, Reading, Refusal, Said};
use formwright_form::{Kind, Path, Value, zone};
use formwright_nlu::{Answer, Command, Pending};

/// The day of a moment whose time is still to be said, or is none on that day.
pub(crate) fn begun(refusal: &Refusal) -> Option<Value> {
    refusal.facts.get("day")?.parse().ok().map(Value::Date)
}

/// Name of the question.
const QUESTION: &str = "ask_zone";

/// Most zones offered.
const MOST_OFFERED: usize = 5;

/// How often the question is put before the zone is left as it is.
const MOST_TIMES: u32 = 2;

/// Whether a draft waits for the person's zone.
pub(crate) fn asks_for_zone(draft: &Draft) -> bool {
    let Pending::Which { readings, .. } = &draft.pending else { return false };
    readings.iter().any(|(_, command)| matches!(command, Command::Zone { .. }))
}

/// Whether it was asked often enough.
pub(crate) fn was_asked_enough(draft: &Draft) -> bool {
    draft.said.get(QUESTION).is_some_and(|times| *times >= MOST_TIMES)
}

/// Asks which zone the person is in, where nobody knows and an answer hangs on it; tells whether it does.
pub(crate) fn asks_zone(filling: &mut Filling<'_>) -> bool {
    if !filling.world.asks_zone || !filling.world.guesses_zone() || filling.form.stays {
        return false;
    }
    let hangs = |(path, answer): (&Path, &Answer)| {
        filling.form.field_at(path).is_some_and(|field| hangs_on_zone(filling, field, answer))
    };
    if !filling.draft().answers.iter().any(hangs) {
        return false;
    }
    let own = Some(filling.world.zone.name.as_str()).filter(|_| filling.world.zone.from == ZoneFrom::Settings);
    let likely = zone::likely(filling.world.region.as_deref(), filling.world.lang.code);
    let zones = own.into_iter().chain(likely).map(str::to_owned).collect();
    offer_zones(filling, zones);
    true
}

/// Asks which of these zones is meant.
pub(crate) fn offer_zones(filling: &mut Filling<'_>, zones: Vec<String>) {
    let mut readings: Vec<(String, Command)> = Vec::new();
    for name in zones {
        let label = filling.world.clock_in(&name);
        if readings.len() < MOST_OFFERED && readings.iter().all(|(known, _)| *known != label) {
            readings.push((label, Command::Zone { zone: Some(name) }));
        }
    }
    let usual = zone::label(&filling.world.zone.name);
    readings.push((filling.say("zone_skip", &[("zone", &usual)]), Command::Zone { zone: None }));
    filling.journal.draft.pending = Pending::Which { readings, again: false };
}

/// Draws the question.
pub(crate) fn ask_zone(filling: &mut Filling<'_>, drawing: &mut Drawing, readings: Vec<(String, Command)>) {
    let text = filling.say_next(QUESTION, &[]);
    drawing.reply.say.push(text);
    for (label, command) in readings {
        drawing.button(label, Plain, command);
    }
}

/// Whether an answer means something else in another zone: a time, or a day that was said as seen from today.
fn hangs_on_zone(filling: &Filling<'_>, field: &Field, answer: &Answer) -> bool {
    let theirs = matches!(answer.source, chat::Source::Said | chat::Source::Pressed);
    if !theirs || !holds_times(field) {
        return false;
    }
    if crate::zone::is_local_time(&answer.value) {
        return true;
    }
    // Two days are under way on the earth at any time.
    let [first, last] = ["-12:00", "+14:00"].map(|zone| filling.world.read_in_zone(field, answer, zone));
    !first.is_empty() && first != last
}

/// Asks which of two moments an hour means that the clock skips or repeats; tells whether it is such a one.
pub(crate) fn asks_side_of_change(filling: &mut Filling<'_>, path: &Path, refusal: &Refusal) -> bool {
    let Some(either) = either_side_of_change(filling, path, refusal) else { return false };
    filling.journal.draft.asked.entry(path.clone()).or_default().begun = begun(refusal);
    verify::put_first(filling, either);
    true
}

fn either_side_of_change(filling: &Filling<'_>, path: &Path, refusal: &Refusal) -> Option<Pending> {
    let field = filling.form.field_at(path)?;
    let moment = |name: &str| {
        let json = serde_json::Value::from(refusal.facts.get(name)?.as_str());
        let value = field.kind.behaviour().accept(&json, &filling.context(field, &[])).ok()?;
        let fill = Command::Fill { path: path.clone(), value: value.clone(), quote: None };
        Some((filling.show(path, &value), fill))
    };
    let changed = matches!(refusal.code.as_str(), "time_skipped" | "time_twice");
    let readings: Vec<_> = ["first", "second"].into_iter().filter_map(moment).collect();
    (changed && !readings.is_empty()).then_some(Pending::Which { readings, again: false })
}

/// Does not ask any more which of two moments is meant: the clock is another now, and may neither skip nor repeat the hour.
pub(crate) fn drop_stale_changes(filling: &mut Filling<'_>) {
    let draft = &filling.journal.draft;
    let of_change = |pending: &&Pending| match pending {
        Pending::Which { readings, .. } => {
            readings.iter().all(|(_, command)| matches!(command, Command::Fill { quote: None, .. }))
        }
        _ => false,
    };
    let asked = draft.waiting.iter().chain([&draft.pending]).filter(of_change);
    let is_moment =
        |path: &&Path| matches!(filling.form.field_at(path).map(|field| &field.kind), Some(Kind::Datetime(_)));
    let paths: Vec<Path> = asked.filter_map(Pending::asks_which_of).filter(is_moment).cloned().collect();
    paths.iter().for_each(|path| verify::drop_which_of(filling, path));
}

/// What tells which zone the local times of the answers are in, where the person should see it.
pub(crate) fn zone_told(filling: &Filling<'_>) -> Option<String> {
    let zone = crate::zone::zone_of_answers(filling.form, filling.draft())?;
    (filling.world.zone.from != ZoneFrom::Platform)
        .then(|| filling.say("zone_of_times", &[("zone", &zone::label(&zone))]))
}

/// Whether a field holds days or times that the person gives.
pub(crate) fn holds_times(field: &Field) -> bool {
    matches!(field.kind, Kind::Time(_) | Kind::Datetime(_) | Kind::Date(_) | Kind::DateRange(_))
}

impl World {
    /// "Rome, 15:04": a zone and what time it is there.
    pub(crate) fn clock_in(&self, name: &str) -> String {
        let Some(clock) = zone::get(name) else { return zone::label(name) };
        let time = self.now.with_time_zone(clock).time();
        let minute = Value::Time(jiff::civil::time(time.hour(), time.minute(), 0, 0));
        let kind = Kind::Time(formwright_form::kind::time::Time::default());
        format!("{}, {}", zone::label(name), options::show_plain(self, &kind, &minute))
    }

    /// What the words of an answer may have meant when they were said, had they been said in a zone.
    pub(crate) fn read_in_zone(&self, field: &Field, answer: &Answer, zone: &str) -> Vec<Value> {
        let (Some(quote), Some(clock)) = (&answer.quote, zone::get(zone)) else { return Vec::new() };
        let there = Self { now: answer.at.to_zoned(clock), ..self.clone() };
        let context = options::context(&there, field, &[]);
        let day = answer.day_quote.as_ref().and_then(|quote| match &field.kind {
            Kind::Datetime(kind) => {
                let day = Date { prefer: kind.prefer, ..Date::default() };
                readings(&Kind::Date(day), quote, &context).pop()
            }
            _ => None,
        });
        readings(&field.kind, quote, &Context { held: day.as_ref(), ..context })
    }
}

fn readings(kind: &Kind, quote: &str, context: &Context<'_>) -> Vec<Value> {
    match kind.behaviour().read(&Said::new(quote), context) {
        Reading::Value(found) => vec![found.value],
        Reading::Ambiguous(all) => all.into_iter().map(|found| found.value).collect(),
        Reading::Refused(..) | Reading::Nothing => Vec::new(),
    }
}
