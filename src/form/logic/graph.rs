//! What follows from a change: which expressions read which fields, and cycles among them.

use std::collections::BTreeMap;

use formwright_values::ToolId;

use super::Expr;
use super::scope::{Names, Shape};
use crate::field::{AnswerSource, FieldNo, Required};
use crate::{Field, Page, Tool};

/// Which expression must run again when a field changes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// For each field, by number: the fields that have an expression reading it, directly or through computed fields, in an
    /// order in which each comes after what it reads.
    pub dependents: Vec<Vec<FieldNo>>,
    /// For each field, by number: pages whose `show_when` reads it, directly or through computed fields.
    pub pages: Vec<Vec<u16>>,
}

/// Fields that wait for each other: each reads the next, and the last reads the first. The one with the least number is
/// first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<FieldNo>);

impl Graph {
    /// Finds what reads what. Cycles are returned beside the graph, which is usable all the same; a form with a cycle must
    /// not load. A check may read its own field, and two checks each other's: nothing waits for a check.
    pub fn build(fields: &[Field], pages: &[Page], tools: &BTreeMap<ToolId, Tool>) -> (Self, Vec<Cycle>) {
        let reads: Vec<Reads> = fields.iter().map(|field| Reads::of(field, tools)).collect();
        // A member waits for its group or list too: hidden groups hide their members.
        let waits = fields.iter().zip(&reads).map(|(field, reads)| field.parent.into_iter().chain(reads.waits.clone()));
        let (ranks, cycles) = order(&waits.map(Iterator::collect).collect::<Vec<_>>());

        let mut direct = vec![Vec::new(); fields.len()];
        for (field, reads) in fields.iter().zip(&reads) {
            for read in reads.waits.iter().chain(&reads.checks) {
                if let Some(readers) =
                    direct.get_mut(read.index()).filter(|readers| *read != field.no && !readers.contains(&field.no))
                {
                    readers.push(field.no);
                }
            }
        }
        let mut direct_pages = vec![Vec::new(); fields.len()];
        for (no, page) in (0_u16..).zip(pages) {
            for read in page.show_when.iter().flat_map(|expr| &expr.reads) {
                if let Some(pages) = direct_pages.get_mut(read.index()) {
                    pages.push(no);
                }
            }
        }
        let computed =
            |no: FieldNo| fields.get(no.index()).is_some_and(|field| matches!(field.source, AnswerSource::Computed(_)));
        let mut graph = Self::default();
        for no in (0..fields.len()).filter_map(|no| u16::try_from(no).ok()).map(FieldNo) {
            let (dependents, pages) = reach(no, &direct, &direct_pages, &ranks, computed);
            graph.dependents.push(dependents);
            graph.pages.push(pages);
        }
        (graph, cycles)
    }
}

/// What one field's expressions read.
struct Reads {
    /// Needed before the field can be shown, filled or offered.
    waits: Vec<FieldNo>,
    /// Read by its checks and by whether it is required.
    checks: Vec<FieldNo>,
}

impl Reads {
    fn of(field: &Field, tools: &BTreeMap<ToolId, Tool>) -> Self {
        let source = match &field.source {
            AnswerSource::DefaultFrom(expr) | AnswerSource::Computed(expr) => Some(expr),
            AnswerSource::Person
            | AnswerSource::Default(_)
            | AnswerSource::FromTool { .. }
            | AnswerSource::Fixed(_) => None,
        };
        let brings = if let AnswerSource::FromTool { tool, .. } = &field.source { Some(tool) } else { None };
        let params =
            |tool: &ToolId| tools.get(tool).into_iter().flat_map(|tool| tool.params.iter().map(|(_, expr)| expr));
        let offers = field.choices.as_ref().and_then(|choices| choices.from.as_ref());
        let row = offers.and_then(|from| from.row.as_ref());
        let fetched = offers.map(|from| &from.tool).into_iter().chain(brings).flat_map(params).chain(row);
        let waits = field.show_when.iter().chain(source).chain(fetched);
        let required = match &field.required {
            Required::When(expr) => Some(expr),
            Required::Yes | Required::No => None,
        };
        let deciding = field.checks.iter().filter_map(|check| check.that.tool()).flat_map(params);
        let checks = field.checks.iter().filter_map(|check| check.that.expr()).chain(deciding).chain(required);
        Self { waits: distinct(waits), checks: distinct(checks) }
    }
}

fn distinct<'a>(exprs: impl Iterator<Item = &'a Expr>) -> Vec<FieldNo> {
    let mut reads: Vec<FieldNo> = exprs.flat_map(|expr| expr.reads.iter().copied()).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// A rank for each field, after those of the fields it waits for, and the cycles that forbid one. Walks with a stack of
/// its own: a chain of a thousand fields is no deeper than one of two.
fn order(waits: &[Vec<FieldNo>]) -> (Vec<usize>, Vec<Cycle>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; waits.len()];
    let mut ranks = vec![0; waits.len()];
    let mut cycles: Vec<Cycle> = Vec::new();
    let mut next = 0;
    for start in (0..waits.len()).filter_map(|no| u16::try_from(no).ok()).map(FieldNo) {
        let mut stack = vec![(start, 0_usize)];
        if marks.get(start.index()) != Some(&Mark::New) {
            continue;
        }
        while let Some((no, waited)) = stack.last_mut() {
            let no = *no;
            if let Some(mark) = marks.get_mut(no.index()) {
                *mark = Mark::Open;
            }
            let wanted = waits.get(no.index()).and_then(|waits| waits.get(*waited)).copied();
            *waited += 1;
            match wanted.map(|wanted| (wanted, marks.get(wanted.index()).copied().unwrap_or(Mark::Done))) {
                None => {
                    if let (Some(mark), Some(rank)) = (marks.get_mut(no.index()), ranks.get_mut(no.index())) {
                        *mark = Mark::Done;
                        *rank = next;
                        next += 1;
                    }
                    stack.pop();
                }
                Some((wanted, Mark::New)) => stack.push((wanted, 0)),
                Some((wanted, Mark::Open)) => {
                    let from = stack.iter().position(|(no, _)| *no == wanted).unwrap_or(0);
                    let cycle = least_first(stack.iter().skip(from).map(|(no, _)| *no).collect());
                    if !cycles.contains(&cycle) {
                        cycles.push(cycle);
                    }
                }
                Some((_, Mark::Done)) => {}
            }
        }
    }
    (ranks, cycles)
}

fn least_first(mut fields: Vec<FieldNo>) -> Cycle {
    let least = fields.iter().enumerate().min_by_key(|(_, no)| **no).map_or(0, |(at, _)| at);
    fields.rotate_left(least);
    Cycle(fields)
}

/// Fields and pages that a field's change reaches, through computed fields.
fn reach(
    from: FieldNo,
    direct: &[Vec<FieldNo>],
    direct_pages: &[Vec<u16>],
    ranks: &[usize],
    computed: impl Fn(FieldNo) -> bool,
) -> (Vec<FieldNo>, Vec<u16>) {
    let mut reached: Vec<FieldNo> = Vec::new();
    let mut pages: Vec<u16> = Vec::new();
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(no) = open.pop() {
        pages.extend(direct_pages.get(no.index()).into_iter().flatten());
        for reader in direct.get(no.index()).into_iter().flatten() {
            if seen.insert(*reader) {
                reached.push(*reader);
                if computed(*reader) {
                    open.push(*reader);
                }
            }
        }
    }
    reached.sort_by_key(|no| (ranks.get(no.index()).copied().unwrap_or(usize::MAX), *no));
    pages.sort_unstable();
    pages.dedup();
    (reached, pages)
}

impl Names {
    /// Names of built fields.
    pub fn of(fields: &[Field]) -> Self {
        Self::new(fields.iter().map(|field| (field.parent, field.id.clone(), Shape::of(&field.kind))))
    }
}
