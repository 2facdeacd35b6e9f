//! Jumps as conditions: a form here has no jumps, but parts that are left out while a condition does not hold.

use crate::xls::expression::xpath::{Expr, Op};

/// When a jump is made.
#[derive(Clone, Debug)]
pub(super) enum When {
    /// This holds.
    If(Expr),
    /// Whenever nothing before it was.
    Always,
    /// What has no counterpart here.
    Unknown,
}

/// A jump from one part to a later one; the first that holds is made.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    pub(super) when: When,
    /// The number of the part that it leads to; that of no part is the end.
    pub(super) to: usize,
}

/// When a part is come to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Met {
    Always,
    If(Expr),
    Unknown,
}

/// Longest condition, by what it is made of.
const LONGEST: usize = 24;
/// Most jumps that lead past a part.
const MOST: usize = 40;

/// When each part is come to: where no jump is made that leads past it.
pub(super) fn met(jumps: &[Vec<Jump>]) -> Vec<Met> {
    let mut all: Vec<Option<Expr>> = Vec::with_capacity(jumps.len());
    // The parts that jump past this one, with how far they jump.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (no, own) in jumps.iter().enumerate() {
        open.retain(|(_, to)| *to > no);
        let of = |from: usize| jumps.get(from).map(Vec::as_slice).unwrap_or_default();
        let few = open.len() <= MOST && open.iter().map(|(from, _)| of(*from).len()).sum::<usize>() <= MOST;
        let mut when = few.then(|| truth(true));
        for (from, _) in open.iter().filter(|_| few) {
            let past = past(of(*from), no).zip(all.get(*from).cloned().flatten());
            when = when.zip(past).map(|(when, (past, met))| and(when, not(and(met, past))));
            when = when.filter(|when| size(when) <= LONGEST);
        }
        all.push(when);
        open.extend(own.iter().map(|jump| jump.to).max().filter(|to| *to > no + 1).map(|to| (no, to)));
    }
    let met = |when| match when {
        Some(when) if when == truth(true) => Met::Always,
        // What is never come to is no condition.
        Some(when) if when == truth(false) => Met::Unknown,
        Some(when) => Met::If(when),
        None => Met::Unknown,
    };
    all.into_iter().map(met).collect()
}

/// When one of these jumps leads past a part.
fn past(jumps: &[Jump], no: usize) -> Option<Expr> {
    let mut out = truth(false);
    let mut always = false;
    for jump in jumps.iter().rev() {
        let when = match &jump.when {
            When::If(expr) => expr.clone(),
            When::Always => truth(true),
            When::Unknown => return None,
        };
        always |= matches!(jump.when, When::Always);
        if jump.to > no {
            out = or(when, out);
        } else if always || !is_one_answer(jumps) {
            out = and(not(when), out);
        }
    }
    Some(out)
}

/// Whether all go by one answer of one question: then no two of them hold at once.
fn is_one_answer(jumps: &[Jump]) -> bool {
    let mut of = jumps.iter().filter(|jump| !matches!(jump.when, When::Always)).map(|jump| match &jump.when {
        When::If(Expr::Two(Op::Equal, of, value)) if matches!(**value, Expr::Text(_)) => Some(of),
        _ => None,
    });
    let first = of.next().flatten();
    first.is_some() && of.all(|other| other == first)
}

fn truth(truth: bool) -> Expr {
    Expr::Call(truth.to_string(), Vec::new())
}

/// That both hold.
pub(super) fn and(one: Expr, other: Expr) -> Expr {
    if one == truth(true) || one == other || other == truth(false) {
        other
    } else if other == truth(true) || one == truth(false) {
        one
    } else {
        Expr::Two(Op::And, Box::new(one), Box::new(other))
    }
}

/// That one of them holds.
pub(super) fn or(one: Expr, other: Expr) -> Expr {
    if one == truth(false) || one == other || other == truth(true) {
        other
    } else if other == truth(false) || one == truth(true) {
        one
    } else {
        Expr::Two(Op::Or, Box::new(one), Box::new(other))
    }
}

/// The opposite, which holds as well where there is no answer.
pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Two(Op::And, one, other) => or(not(*one), not(*other)),
        Expr::Two(Op::Or, one, other) => and(not(*one), not(*other)),
        Expr::Two(Op::Equal, one, other) => Expr::Two(Op::NotEqual, one, other),
        Expr::Two(Op::NotEqual, one, other) => Expr::Two(Op::Equal, one, other),
        Expr::Call(name, args) => match (name.as_str(), args.as_slice()) {
            ("true", []) => truth(false),
            ("false", []) => truth(true),
            ("not", [inner]) => inner.clone(),
            _ => Expr::Call("not".to_owned(), vec![Expr::Call(name, args)]),
        },
        other => Expr::Call("not".to_owned(), vec![other]),
    }
}

fn size(expr: &Expr) -> usize {
    match expr {
        Expr::Two(Op::And | Op::Or, one, other) => size(one) + size(other),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(answer: &str) -> Expr {
        Expr::Two(Op::Equal, Box::new(Expr::Field("q".to_owned())), Box::new(Expr::Text(answer.to_owned())))
    }

    fn jump(when: Option<&str>, to: usize) -> Jump {
        Jump { when: when.map_or(When::Always, |answer| When::If(is(answer))), to }
    }

    #[test]
    fn branches_that_meet_again_are_each_met_by_their_answer() {
        // 0 asks; 1 and 2 are for `a`, 3 for `b`, and 4 for all.
        let jumps = [vec![jump(Some("a"), 1), jump(Some("b"), 3)], vec![], vec![jump(None, 4)], vec![], vec![]];
        let met = met(&jumps);
        assert_eq!(met[0], Met::Always);
        assert_eq!(met[1], Met::If(not(is("b"))));
        assert_eq!(met[2], Met::If(not(is("b"))));
        assert_eq!(met[3], Met::If(is("b")));
        assert_eq!(met[4], Met::Always);
    }

    #[test]
    fn the_first_jump_that_holds_is_made() {
        let jumps = [vec![jump(Some("a"), 1), jump(None, 2)], vec![], vec![]];
        assert_eq!(met(&jumps)[1], Met::If(is("a")));
    }

    #[test]
    fn what_jumps_that_are_not_known_lead_past_is_not_known() {
        let jumps = [vec![Jump { when: When::Unknown, to: 2 }], vec![], vec![]];
        assert_eq!(met(&jumps), [Met::Always, Met::Unknown, Met::Always]);
    }

    #[test]
    fn many_jumps_are_read_in_good_time() {
        let jumps: Vec<Vec<Jump>> = (0..20_000).map(|_| vec![jump(Some("a"), 20_000)]).collect();
        assert_eq!(met(&jumps)[19_999], Met::Unknown);
    }
}
