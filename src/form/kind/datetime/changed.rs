//! Hours in which clocks are changed: one that is skipped does not exist, one that is repeated is two.

use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset};

use super::super::when::show;
use super::{Context, Refusal};
use crate::form::Value;

/// Refuses an hour that the person's clock skips, and one that it shows twice where nothing tells which is meant. The facts
/// `first` and `second` are the two moments that it may be, in ISO 8601.
pub(super) fn check(moment: DateTime, offset: Option<Offset>, cx: &Context<'_>) -> Result<(), Refusal> {
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
    for (name, offset) in [("first", before), ("second", after)] {
        if let Ok(at) = offset.to_timestamp(moment) {
            refusal = refusal.fact(name, at.to_string());
        }
    }
    Err(refusal)
}

/// A moment as a value: in an hour that the clock shows twice, which of the two.
pub(super) fn value_at(moment: &Zoned) -> Value {
    let at = moment.datetime();
    match moment.time_zone().to_ambiguous_timestamp(at).offset() {
        AmbiguousOffset::Fold { .. } => Value::RepeatedTime { at, offset: moment.offset().seconds() },
        AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Gap { .. } => Value::DateTime(at),
    }
}
