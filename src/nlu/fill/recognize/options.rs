//! Options in other words than their labels: by words that are like theirs, and by what they are about.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use formwright_form::Value;
use formwright_form::kind::{Said, overlap};
use formwright_lexicon::sense::Sense;
use formwright_text::{root, typo};

use super::super::analysis::Analysis;
use super::super::candidate::{Candidate, How, Likeness, Source};
use super::super::slots::{SlotFacts, add_senses};
use crate::Scene;
use crate::reader::Reader;
use crate::spans::Board;

/// What tells one option of a field from the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Word(String),
    Sense(Sense),
}

/// In what way a word is like another.
pub(super) fn how_alike(word: &str, meant: &str) -> Option<How> {
    const SHORTEST: usize = 4;
    let (shorter, longer) = if word.len() < meant.len() { (word, meant) } else { (meant, word) };
    if root(word) == root(meant) {
        return Some(How::Root);
    }
    if shorter.chars().count() < SHORTEST {
        return None;
    }
    if typo::distance(word, meant) == Some(1) {
        return Some(How::Misspelt);
    }
    (longer.starts_with(shorter) || longer.ends_with(shorter)).then_some(How::Part)
}

/// How much that says.
fn weight(how: How) -> f32 {
    match how {
        How::Root => 1.0,
        How::Misspelt => 0.9,
        How::Part => 0.7,
        How::Sense => 0.6,
    }
}

/// In each clause the option that most is said of.
pub(super) fn alike(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    analysis: &Analysis<'_>,
    slot: &SlotFacts<'_>,
    all: &mut Vec<Candidate>,
) {
    let Some(of) = board.slots.get(slot.no) else { return };
    let offered = (scene.offered)(&of.path);
    let marks: Vec<BTreeSet<Mark>> = offered
        .iter()
        .map(|option| {
            let texts: Vec<Said> =
                std::iter::once(&option.label).chain(&option.synonyms).map(|text| Said::new(text)).collect();
            let words = texts.iter().flat_map(|said| (0..said.words.len()).map(|no| said.plain(no).to_owned()));
            let words = words.filter(|word| word.chars().any(char::is_alphanumeric)).map(Mark::Word);
            let mut about = BTreeSet::new();
            texts.iter().for_each(|said| add_senses(&mut about, said, scene.lang));
            words.chain(about.into_iter().map(Mark::Sense)).collect()
        })
        .collect();
    let mut having: BTreeMap<&Mark, usize> = BTreeMap::new();
    marks.iter().flatten().for_each(|mark| *having.entry(mark).or_default() += 1);
    #[expect(clippy::cast_precision_loss, reason = "a handful of options")]
    let telling = |mark: &Mark| (marks.len() as f32 / having.get(mark).copied().unwrap_or(1) as f32).ln();
    for clause in analysis.clauses() {
        let mut found: Vec<(usize, f32, Range<usize>, How)> = Vec::new();
        let mut most: Vec<f32> = Vec::new();
        for (option, marks) in marks.iter().enumerate() {
            let all: f32 = marks.iter().map(telling).sum();
            let mut said = 0.0;
            let mut place: Option<Range<usize>> = None;
            let mut worst = How::Root;
            for mark in marks.iter().filter(|mark| telling(mark) > 0.0) {
                let Some((how, at)) = best(reader, analysis, clause.clone(), mark) else { continue };
                said += telling(mark) * weight(how);
                worst = worst.min(how);
                place = Some(place.map_or(at.clone(), |place| place.start.min(at.start)..place.end.max(at.end)));
            }
            if let Some(place) = place {
                found.push((option, said / all.max(f32::MIN_POSITIVE), place, worst));
                most.push(said);
            }
        }
        // What is said of two alike names neither, though one has fewer other words.
        most.sort_by(|one, other| other.total_cmp(one));
        if most.get(1) == most.first() {
            continue;
        }
        found.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let second = found.get(1).map_or(0.0, |(_, cover, ..)| *cover);
        if let Some((option, cover, at, how)) = found.first()
            && let Some(option) = offered.get(*option)
            && *cover > second
        {
            let value = Value::Option(option.id.clone());
            let known = board.cands.iter().any(|cand| {
                cand.value == value
                    && board.takers(cand).contains(&slot.no)
                    && overlap(&analysis.tokens_of(&cand.raw), at)
            });
            if !known {
                let likeness = Likeness { cover: *cover, margin: (cover - second) / cover, how: *how };
                let source = if *how == How::Sense { Source::Sense } else { Source::Telling };
                let candidate = super::candidate(slot, at.clone(), Some(value), source);
                all.push(Candidate { likeness: Some(likeness), ..candidate });
            }
        }
    }
}

/// Where in some tokens a mark of an option stands best.
fn best(
    reader: &Reader<'_>,
    analysis: &Analysis<'_>,
    tokens: Range<usize>,
    mark: &Mark,
) -> Option<(How, Range<usize>)> {
    let usable = |no: &usize| {
        let token = &analysis.tokens[*no];
        !token.kind.is_mark() && !token.function && !reader.is_of_form(token.word)
    };
    match mark {
        Mark::Word(meant) => tokens
            .filter(usable)
            .filter_map(|no| Some((how_alike(&analysis.tokens[no].plain, meant)?, no..no + 1)))
            .max_by_key(|(how, at)| (*how, std::cmp::Reverse(at.start))),
        Mark::Sense(sense) => {
            let inside = |at: &Range<usize>| tokens.start <= at.start && at.end <= tokens.end;
            let mut of = analysis.senses.iter().filter(|(at, about)| about == sense && inside(at));
            let at = of.find(|(at, _)| at.clone().all(|no| !reader.is_of_form(analysis.tokens[no].word)))?.0.clone();
            Some((How::Sense, at))
        }
    }
}
