//! What an expression gives whatever people answer, and what it cannot do without.

use std::collections::BTreeMap;

use formwright_values::{FieldId, Path, Seg, Value};

use super::edges::edges;
use super::eval::{Machine, Stop};
use super::sample::{ITEMS, seg_id};
use super::{Answers, Expr, Extra, Samples};
use crate::field_no::FieldNo;
use crate::{Field, Kind};

/// Most combinations of answers, missing ones among them, that are all tried.
const MAX_WHOLE: usize = 512;

impl Samples<'_> {
    /// What a condition gives whatever people answer or leave out; none where that hangs on an answer, or cannot be told
    /// from what [`Self::whole`] takes. An answer that is missing makes a condition not hold, never fail to hold for good.
    pub fn always(&self, expr: &Expr) -> Option<bool> {
        let values = |no: &FieldNo| -> Vec<Value> {
            let few = self.values.get(no.index()).filter(|values| !values.is_empty()).cloned();
            few.unwrap_or_else(|| edges(self, expr, *no))
        };
        let values: Vec<Vec<Value>> = expr.reads.iter().map(values).collect();
        let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
        if sizes.contains(&0) {
            return None;
        }
        let runs = sizes.iter().try_fold(1_usize, |runs, size| runs.checked_mul(size + 1))?;
        if runs > MAX_WHOLE {
            return None;
        }
        let (mut holds, mut fails) = (false, false);
        for run in 0..runs {
            let mut left = run;
            let mut given = BTreeMap::new();
            for (no, values) in expr.reads.iter().zip(&values) {
                // The digit past the last value stands for a missing answer.
                given.extend(values.get(left % (values.len() + 1)).map(|value| (*no, value)));
                left /= values.len() + 1;
            }
            match expr.holds(&Path::default(), &Given { samples: self, given }, &Extra::none(), &self.now) {
                Some(true) => holds = true,
                Some(false) | None => fails = true,
            }
        }
        (holds != fails).then_some(holds)
    }

    /// Which of some fields a worked-out value cannot do without: where that one is left out, the value is missing, though
    /// every other answer is there. `at` is the field that the expression belongs to.
    pub fn needs(&self, expr: &Expr, at: FieldNo, optional: &[FieldNo]) -> Option<FieldNo> {
        let at = self.path(at);
        let is_missing = |without: Option<FieldNo>| {
            let answers = Without { samples: self, without };
            let extra = Extra::none();
            matches!(Machine::new(&at, &answers, &extra, &self.now).eval(&expr.root), Err(Stop::Unknown))
        };
        let missing = |no: &&FieldNo| expr.reads.contains(*no) && is_missing(Some(**no));
        optional.iter().find(missing).copied().filter(|_| !is_missing(None))
    }
}

/// Some answers, the others missing.
struct Given<'s> {
    samples: &'s Samples<'s>,
    given: BTreeMap<FieldNo, &'s Value>,
}

impl Answers for Given<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        let ids: Vec<&FieldId> = path.segs().iter().filter_map(seg_id).collect();
        let field = self.samples.field_at(&ids, matches!(path.segs().last(), Some(Seg::Item(_))))?;
        self.given.get(&field.no).copied()
    }

    fn list_len(&self, _: &Path) -> Option<u32> {
        None
    }
}

/// The first sample of every field but one, which is left out.
struct Without<'s> {
    samples: &'s Samples<'s>,
    without: Option<FieldNo>,
}

impl Without<'_> {
    fn field(&self, path: &Path) -> Option<&Field> {
        let ids: Vec<&FieldId> = path.segs().iter().filter_map(seg_id).collect();
        self.samples.field_at(&ids, matches!(path.segs().last(), Some(Seg::Item(_))))
    }
}

impl Answers for Without<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        let field = self.field(path).filter(|field| Some(field.no) != self.without)?;
        self.samples.values.get(field.no.index())?.first()
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        let field = self.field(path)?;
        matches!(field.kind, Kind::List(_)).then_some(ITEMS)
    }

    fn is_left_out(&self, path: &Path) -> bool {
        self.field(path).is_some_and(|field| Some(field.no) == self.without)
    }
}
