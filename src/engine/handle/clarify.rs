//! Which of several readings was meant, as a message tells it.

use std::collections::BTreeSet;

use crate::ask::{confirm, verify};
use crate::draft::filling::Filling;
use crate::handle::{self, plain};
use formwright_form::Path;
use formwright_form::kind::{Reading, Said};
use formwright_lexicon::Language;
use formwright_nlu as nlu;
use formwright_nlu::{Command, Pending, Unsure, one_field};

/// The reading that a message picks when the person was asked which was meant: by its words or its number.
pub(crate) fn chosen_reading(filling: &Filling<'_>, said: &Said) -> Option<Command> {
    let Pending::Which { readings, .. } = &filling.draft().pending else {
        let fills = named(filling, said).filter(|_| !denies(filling, said))?;
        return Some(Command::Together { fills });
    };
    let text = said.norm.trim().trim_end_matches('.');
    // "+2" is the second of none.
    let number = text.parse::<usize>().ok().filter(|_| !text.starts_with('+'));
    let by_number = number.and_then(|no| readings.get(no.checked_sub(1)?));
    let by_label = readings.iter().find(|(label, _)| Said::new(label).norm == text);
    let lang = filling.world.lang;
    let by_place = || nlu::place_said(said, lang, readings.len()).and_then(|no| readings.get(no));
    let agreed = || match readings.as_slice() {
        // "Leave request or go on?": yes is the first, no is to go on.
        [first, stay @ (_, Command::Repeat)] => {
            Some(if handle::waiting::yes_or_no(said, lang)? { first } else { stay })
        }
        _ => None,
    };
    let by_part = || by_part(readings, &nlu::telling_words(said, lang)).or_else(|| by_more(filling, readings, said));
    let chosen = by_label.or(by_number).or_else(by_place).or_else(agreed).or_else(by_part);
    chosen.map(|(_, command)| command.clone())
}

/// Those of several values that were read back which a message denies, and whether it says yes to the others: "not the
/// size", "yes, but not the size".
pub(crate) fn denied(filling: &Filling<'_>, said: &Said) -> Option<(Vec<Path>, bool)> {
    let fills = named(filling, said).filter(|_| denies(filling, said))?;
    let yes = filling.world.lang.and_english().any(|lang| lang.yes_no.yes.at(said, 0).is_some());
    Some((fills.iter().filter_map(Command::filled).cloned().collect(), yes))
}

/// Those of several values that were read back which a message names and says no more of: "only the date". A no first, or
/// "perhaps", is an answer to all.
fn named(filling: &Filling<'_>, said: &Said) -> Option<Vec<Command>> {
    let Pending::Sure { then, .. } = &filling.draft().pending else { return None };
    let Command::Together { fills } = then.as_ref() else { return None };
    let lang = filling.world.lang;
    let unsure = |lang: &Language| (0..said.words.len()).any(|no| lang.yes_no.unsure.at(said, no).is_some());
    let answers_all = |lang: &Language| lang.yes_no.no.at(said, 0).is_some() || unsure(lang);
    if said.raw.contains(['?', '؟']) || lang.and_english().any(answers_all) {
        return None;
    }
    let mut theirs = nlu::telling_words(said, lang);
    for no in 0..said.words.len() {
        let wrong = lang.and_english().filter_map(|lang| lang.control.wrong.at(said, no).map(|(len, ())| len)).max();
        for at in no..no + wrong.unwrap_or(0) {
            theirs.remove(said.word(at));
        }
    }
    let readings: Vec<_> = fills.iter().map(|fill| (confirm::only(filling, fill), fill.clone())).collect();
    let mut named: Vec<Command> = Vec::new();
    for word in theirs {
        let (_, fill) = by_part(&readings, &BTreeSet::from([word]))?;
        if !named.contains(fill) {
            named.push(fill.clone());
        }
    }
    (!named.is_empty()).then_some(named)
}

/// Whether a message denies something: "not", "all but", "is wrong".
fn denies(filling: &Filling<'_>, said: &Said) -> bool {
    let denies = |lang: &Language, no: usize| {
        let tables = [&lang.yes_no.negation, &lang.yes_no.partly, &lang.denial.before];
        tables.iter().any(|table| table.at(said, no).is_some())
    };
    (0..said.words.len()).any(|no| filling.world.lang.and_english().any(|lang| denies(lang, no)))
        || plain::says_something_is_wrong(filling, said)
}

/// Asks which of several readings is meant, one after the other; tells whether there is anything to ask.
pub(crate) fn ask_which(filling: &mut Filling<'_>, unsure: Vec<Unsure>) -> bool {
    let mut all = unsure.into_iter().map(|unsure| Pending::Which { readings: unsure.readings, again: false });
    let Some(first) = all.next() else { return false };
    verify::put_first(filling, first);
    filling.journal.draft.waiting.splice(0..0, all);
    true
}

/// Whether the person says yes to several readings: then nobody knows which one, and they are asked again.
pub(crate) fn agrees_to_several(filling: &Filling<'_>, said: &Said) -> bool {
    matches!(filling.draft().pending, Pending::Which { .. })
        && handle::waiting::yes_or_no(said, filling.world.lang) == Some(true)
}

/// The only reading whose label has every telling word of the message: "3 April" of "Friday 3 April 1990", "the phone one"
/// of "Phone: 12".
fn by_part<'r>(readings: &'r [(String, Command)], theirs: &BTreeSet<String>) -> Option<&'r (String, Command)> {
    let words = |said: &Said| (0..said.words.len()).map(|no| said.word(no).to_owned()).collect::<BTreeSet<_>>();
    // The "2" of "(UTC+2)" is no hour.
    let offset = theirs.len() == 1 || theirs.contains("utc");
    let label = |label: &str| match label.split_once(" (UTC") {
        Some((moment, _)) if !offset => Said::new(moment),
        _ => Said::new(label),
    };
    let mut fits = readings.iter().filter(|(shown, _)| !theirs.is_empty() && theirs.is_subset(&words(&label(shown))));
    fits.next().filter(|_| fits.next().is_none())
}

/// The only reading that is left once the words of the message stand behind those that have several: "morning" and "am" of
/// "at 9".
fn by_more<'r>(filling: &Filling<'_>, readings: &'r [(String, Command)], said: &Said) -> Option<&'r (String, Command)> {
    const MOST_WORDS: usize = 5;
    let lang = filling.world.lang;
    if said.words.len() > MOST_WORDS || said.raw.contains(char::is_numeric) || nlu::is_courtesy(said, lang) {
        return None;
    }
    let path = one_field(readings)?;
    let quote = readings.iter().find_map(|(_, command)| match command {
        Command::Fill { quote, .. } => quote.as_deref(),
        _ => None,
    })?;
    let field = filling.form.field_at(path)?;
    let context = filling.context(field, &[]);
    let read = |words: &str| match field.kind.behaviour().read(&Said::new(words), &context) {
        Reading::Value(found) => Some(found.value),
        _ => None,
    };
    // Words that had one reading before ("5" of "5 or 7") are not told apart by others behind them.
    let meant = read(&format!("{quote} {}", said.raw.trim())).filter(|_| read(quote).is_none())?;
    let mut fits =
        readings.iter().filter(|(_, command)| matches!(command, Command::Fill { value, .. } if *value == meant));
    fits.next().filter(|_| fits.next().is_none())
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use rstest::rstest;

    use crate::draft::filling::Filling;
    use crate::draft::fresh;

    use crate::input::{Happening, Input};
    use crate::session::Session;
    use crate::world::World;
    use formwright_form::Value;
    use formwright_form::kind::Said;
    use formwright_load::{Syntax, load};
    use formwright_nlu::{Command, Pending};

    use super::*;

    const TABLE: &str = r#"
        id = "table"
        title = "Table"

        [[field]]
        id = "time"
        kind = "time"
        label = "Time"

        [[field]]
        id = "pieces"
        kind = "integer"
        label = "Pieces"

        [[field]]
        id = "price"
        kind = "integer"
        label = "Price"
    "#;

    fn chosen(readings: Vec<(String, Command)>, said: &str) -> String {
        let form = load(TABLE, Syntax::Toml).form.unwrap();
        let session = Session::new(chat::conformance::place("terminal"), chat::UserId::new("ada"));
        let now = "2026-11-20T09:00:00Z".parse().unwrap();
        let input = Input { now, nonce: chat::Nonce::new(1), event: Happening::Expiry };
        let world = World::new(&session, &input, None);
        let mut filling = Filling::new(&form, &world, fresh::fresh(&form, &world));
        fresh::begin(&mut filling);
        filling.journal.draft.pending = Pending::Which { readings, again: false };
        match chosen_reading(&filling, &Said::new(said)) {
            Some(Command::Fill { path, value, .. }) => format!("{path}={}", filling.show(&path, &value)),
            other => format!("{other:?}"),
        }
    }

    fn fill(path: &str, value: Value, quote: &str) -> Command {
        Command::Fill { path: path.parse().unwrap(), value, quote: Some(quote.to_owned()) }
    }

    #[rstest]
    #[case("morning", "time=09:30")]
    #[case("in the morning", "time=09:30")]
    #[case("am", "time=09:30")]
    #[case("AM please", "time=09:30")]
    #[case("evening", "time=21:30")]
    #[case("the first", "time=09:30")]
    #[case("the second one", "time=21:30")]
    #[case("thanks", "None")]
    #[case("good morning", "None")]
    fn a_half_of_the_day_or_a_place_chooses_a_time(#[case] said: &str, #[case] expected: &str) {
        let times = [(9, "09:30"), (21, "21:30")].map(|(hour, label)| {
            (label.to_owned(), fill("time", Value::Time(jiff::civil::time(hour, 30, 0, 0)), "at 9:30"))
        });
        assert_eq!(chosen(times.to_vec(), said), expected);
    }

    #[rstest]
    #[case("pieces", "pieces=12")]
    #[case("the price", "price=12")]
    #[case("both", "None")]
    fn the_name_of_a_field_chooses_it(#[case] said: &str, #[case] expected: &str) {
        let fields = ["Pieces", "Price"]
            .map(|label| (format!("{label}: 12"), fill(&label.to_lowercase(), Value::Integer(12), "12")));
        assert_eq!(chosen(fields.to_vec(), said), expected);
    }
    #[rstest]
    #[case("both", "None")]
    #[case("the bigger", "None")]
    #[case("the second", "pieces=7")]
    fn numbers_are_not_told_apart_by_other_words(#[case] said: &str, #[case] expected: &str) {
        let numbers = [5, 7].map(|no| (no.to_string(), fill("pieces", Value::Integer(no), &no.to_string())));
        assert_eq!(chosen(numbers.to_vec(), said), expected);
    }
}
