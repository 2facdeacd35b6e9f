//! Times said by how far they are from the one that stands: "half an hour later", "make it an hour earlier".

use crate::Scene;
use crate::ledger::{Filled, Ledger};
use crate::reader::Reader;
use crate::spans::{Board, Slot, with_context};
use formwright_form::kind::date::{Apart, hours_apart};
use formwright_form::kind::overlap;
use formwright_form::{Kind, Value};

/// Works out the times that are reckoned from the only one that is held, or for the asked one from the last before it.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &mut Board<'_>, ledger: &mut Ledger) {
    let Some((slot, from)) = reckoned(board) else { return };
    let Some(of) = board.slots.get(slot) else { return };
    // Words that were asked for may hold any distance.
    let into_words = board.asked.and_then(|no| board.slots.get(no)).is_some_and(Slot::is_long);
    let found = with_context(scene, &of.path, of.field, |cx| hours_apart(reader.said, cx));
    let mut found = found.into_iter().map(|apart| (reader.words_of(&apart.span), apart));
    let (Some((words, apart)), None) = (found.next(), found.next()) else { return };
    let Some(value) = later(&apart, &from).filter(|_| !into_words && ledger.is_free(words.clone())) else { return };
    for cand in board.cands.iter_mut().filter(|cand| overlap(&cand.words, &words)) {
        cand.negated = true;
    }
    ledger.claim(words.clone());
    ledger.fills.push(Filled {
        slot,
        value,
        raw: apart.span,
        words,
        sure: true,
        named: true,
        shift: 0,
        replaces: true,
    });
}

/// The field that a distance changes, and the time that it is reckoned from.
fn reckoned(board: &Board<'_>) -> Option<(usize, Value)> {
    let is_time = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Time(_) | Kind::Datetime(_));
    let held = |no: usize| board.slots.get(no).filter(|slot| is_time(slot)).and_then(|slot| slot.value.cloned());
    let asked = board.asked.filter(|no| board.slots.get(*no).is_some_and(is_time));
    if let Some(no) = asked {
        return held(no).or_else(|| (0..no).rev().find_map(held)).map(|from| (no, from));
    }
    let mut all = (0..board.slots.len()).filter_map(|no| Some((no, held(no)?)));
    all.next().filter(|_| all.next().is_none())
}

fn later(apart: &Apart, from: &Value) -> Option<Value> {
    match from {
        Value::Time(time) => apart.time(*time).map(Value::Time),
        Value::DateTime(moment) => apart.moment(*moment).map(Value::DateTime),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "time"
kind = "time"
label = "Time"

[[field]]
id = "until"
kind = "time"
label = "Until"

[[field]]
id = "people"
kind = "integer"
label = "People"
"#;

    #[rstest]
    #[case("en", "half an hour later", "time=20:30")]
    #[case("en", "make it an hour earlier please", "time=19:00")]
    #[case("en", "move it an hour earlier", "time=19:00")]
    #[case("it", "mezz'ora dopo", "time=20:30")]
    #[case("it", "facciamo un'ora prima", "time=19:00")]
    #[case("es", "media hora más tarde", "time=20:30")]
    #[case("es", "una hora antes", "time=19:00")]
    #[case("de", "eine halbe Stunde später", "time=20:30")]
    #[case("de", "mach es eine Stunde früher", "time=19:00")]
    #[case("fr", "une demi-heure plus tard", "time=20:30")]
    #[case("fr", "une heure plus tôt", "time=19:00")]
    #[case("ar", "نصف ساعة لاحقا", "time=20:30")]
    fn a_time_is_moved_from_where_it_stands(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("review", "people")] pending: &str,
    ) {
        let stage = Stage::new(TABLE, pending).speaking(lang).having("time=20:00");
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("two hours later", "until=22:00")]
    #[case("in half an hour", "until=10:30")]
    #[case("five hours later", "")]
    fn a_time_that_is_asked_is_reckoned_from_the_one_before(#[case] said: &str, #[case] expected: &str) {
        let stage = Stage::new(TABLE, "until").having("time=20:00");
        let line = stage.fills(said);
        assert!(if expected.is_empty() { !line.contains("=01:00") } else { line == expected }, "{said}: {line}");
    }
}
