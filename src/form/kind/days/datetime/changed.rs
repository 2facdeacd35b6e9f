//! Hours in which clocks are changed: one that is skipped does not exist, one that is repeated is two.

use formwright_values::Value;
use formwright_values::when::hour::moment::Moment;
use formwright_values::when::show;
use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset};

use super::{Context, Refusal};

/// Refuses an hour that the person's clock skips, and one that it shows twice where nothing tells which is meant. The facts
/// `first` and `second` are the two moments that it may be, in ISO 8601, and `day` is the day.
pub(crate) fn check(moment: DateTime, offset: Option<Offset>, cx: &Context<'_>) -> Result<(), Refusal> {
    let (time, date) = (show::time(moment.time(), cx), show::date(moment.date(), cx));
    let (mut refusal, before, after) = match cx.now.time_zone().to_ambiguous_timestamp(moment).offset() {
        AmbiguousOffset::Unambiguous { .. } => return Ok(()),
        AmbiguousOffset::Fold { before, after } if offset.is_some_and(|one| [before, after].contains(&one)) => {
            return Ok(());
        }
        AmbiguousOffset::Fold { before, after } => {
            (Refusal::new("time_twice").fact("time", time).fact("date", date), before, after)
        }
        AmbiguousOffset::Gap { before, after } => {
            (Refusal::new("time_skipped").fact("time", time).fact("date", date), after, before)
        }
    };
    refusal = refusal.fact("day", moment.date().to_string());
    for (name, offset) in [("first", before), ("second", after)] {
        if let Ok(at) = offset.to_timestamp(moment) {
            refusal = refusal.fact(name, at.to_string());
        }
    }
    Err(refusal)
}

/// What a moment is on the person's own clock: several where the zone that was said leaves it open.
pub(crate) fn here(moment: Moment, cx: &Context<'_>) -> Vec<Value> {
    let Some(zone) = moment.zone else { return vec![Value::DateTime(moment.at)] };
    let own = cx.now.time_zone();
    zone.points(moment.at, own).into_iter().map(|point| value_at(&point.to_zoned(own.clone()))).collect()
}

/// A moment as a value: in an hour that the clock shows twice, which of the two.
pub(crate) fn value_at(moment: &Zoned) -> Value {
    let at = moment.datetime();
    match moment.time_zone().to_ambiguous_timestamp(at).offset() {
        AmbiguousOffset::Fold { .. } => Value::RepeatedTime { at, offset: moment.offset().seconds() },
        AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Gap { .. } => Value::DateTime(at),
    }
}
