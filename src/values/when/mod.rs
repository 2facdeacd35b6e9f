//! The grammar that days, times, moments, lengths of time and ranges share.
//!
//! A message becomes a [`Line`] of pieces, each with what it can mean; the modules below read at a piece and tell where
//! the reading ends. Words come from the language's table (English is understood beside every language), order is free
//! where no language contradicts another ("next Monday", "lundi prochain").
//!
//! Deliberately absent: what a field wants. That is in the kinds' own files.

pub mod apart;
pub mod bound;
pub mod day;
pub(crate) mod feast;
pub mod hour;
pub(crate) mod length;
mod number;
mod parts;
pub mod show;

use std::borrow::Cow;
use std::ops::Range;

use formwright_lexicon::dates::{Mark, Term, cut};
use formwright_text::{Class, Said};
use jiff::civil::{Date, Time};

use self::bound::Prefer;
use super::{currency, numeral};
use crate::reading::{Context, Found, Reading, Refusal, Strength};
use crate::value::Value;

/// A message cut into pieces, each with what it can mean.
pub struct Line<'a> {
    said: &'a Said,
    cx: &'a Context<'a>,
    pieces: Cow<'a, [Piece]>,
    /// For each word of the message, whether it is filler; worked out when first needed.
    filler: std::cell::OnceCell<Vec<bool>>,
    /// On which side of today open days of ranges lie.
    side: Prefer,
    /// It answers the question for a day, with no other one that "the next day" could be reckoned from.
    answers: bool,
}

/// A word, number or mark; words with apostrophes and hyphens are several.
#[derive(Clone, Debug)]
struct Piece {
    /// Byte range in [`Said::norm`].
    span: Range<usize>,
    /// Without accents: see [`Said::plain_text`].
    text: Range<usize>,
    class: Class,
    /// Terms that begin here: how many pieces each has.
    terms: Vec<(usize, Term)>,
    /// What it is to a number.
    atom: Option<number::Atom>,
}

/// The pieces of a message in a language, kept with it: every field for days or times reads them.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    lang: &'static str,
    pieces: Vec<Piece>,
}

/// From where open days are reckoned.
#[derive(Clone, Copy)]
pub(crate) struct Anchor {
    /// The day that open years, months and weeks are nearest to.
    pub day: Date,
    /// On which side of it.
    pub prefer: Prefer,
}

impl<'a> Line<'a> {
    /// Cuts a message into pieces, or takes those that are kept with it.
    pub fn new(said: &'a Said, cx: &'a Context<'a>) -> Self {
        let lang = cx.lang.code;
        let known = said.dated.get_or_keep(|| Known { lang, pieces: Self::pieces(said, cx) });
        let pieces = match known.filter(|known| known.lang == lang) {
            Some(known) => Cow::Borrowed(known.pieces.as_slice()),
            None => Cow::Owned(Self::pieces(said, cx)),
        };
        Self::of(said, cx, pieces)
    }

    fn of(said: &'a Said, cx: &'a Context<'a>, pieces: Cow<'a, [Piece]>) -> Self {
        Self { said, cx, pieces, filler: std::cell::OnceCell::new(), side: Prefer::Future, answers: false }
    }

    /// Cuts a message into pieces, and tells what each can mean.
    fn pieces(said: &Said, cx: &Context<'_>) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(said.words.len() + 4);
        for (no, word) in said.words.iter().enumerate() {
            let (mut start, mut plain_start) = (word.span.start, said.plain_span(no).start);
            for (norm, plain) in cut(said.text(word.span.clone())).zip(cut(said.plain(no))) {
                let class = if matches!(norm, "'" | "-") { Class::Mark } else { word.class };
                let (span, text) = (start..start + norm.len(), plain_start..plain_start + plain.len());
                (start, plain_start) = (span.end, text.end);
                pieces.push(Piece { span, text, class, terms: Vec::new(), atom: None });
            }
        }
        for at in 0..pieces.len() {
            let terms = terms_at(said, &pieces, at, cx);
            if let Some(piece) = pieces.get_mut(at) {
                piece.terms = terms;
                let letters = piece.class == Class::Letters;
                piece.atom = if letters { number::atom(said.plain_text(piece.text.clone()), cx) } else { None };
            }
        }
        let mut line = Line::of(said, cx, Cow::Owned(pieces));
        line.veil_greetings();
        line.veil_verbs();
        line.pieces.into_owned()
    }

    /// "Guten Morgen" names no day and no part of one.
    fn veil_greetings(&mut self) {
        let mut at = 0;
        while at < self.len() {
            let Some(end) = self.mark(at, Mark::Greeting) else {
                at += 1;
                continue;
            };
            self.pieces.to_mut().iter_mut().take(end).skip(at).for_each(|piece| piece.terms.clear());
            at = end;
        }
    }

    /// The same with open days of ranges before today.
    pub fn looking_back(self) -> Self {
        Self { side: Prefer::Past, ..self }
    }

    /// The same as the answer to a question: "the next day" is reckoned from today, where days lie ahead.
    pub fn answering(self, prefer: Prefer) -> Self {
        Self { answers: prefer == Prefer::Future, ..self }
    }

    /// On which side of today open days of ranges lie.
    pub fn side(&self) -> Prefer {
        self.side
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Where a reading may begin: digits and words of the language's table.
    pub fn may_begin(&self, at: usize) -> bool {
        let sure = |piece: &Piece| piece.class == Class::Digits || !piece.terms.is_empty() || piece.atom.is_some();
        self.pieces.get(at).is_some_and(|piece| sure(piece) || matches!(self.text(at), "p" | "pt"))
    }

    /// Whether any piece can be part of a day, time or length; most messages have none.
    pub fn speaks_of_time(&self) -> bool {
        let telling = |term: &Term| match term {
            Term::Mark(mark) => {
                matches!(mark, Mark::Weekend | Mark::Now | Mark::SameDay | Mark::DayAfter | Mark::DayBefore)
            }
            Term::Count(_) | Term::Letter(_) | Term::AfterHour(_) => false,
            _ => true,
        };
        self.pieces.iter().any(|piece| {
            piece.class == Class::Digits || piece.atom.is_some() || piece.terms.iter().any(|(_, term)| telling(term))
        })
    }

    fn today(&self) -> Date {
        self.cx.now.date()
    }

    fn text(&self, at: usize) -> &'a str {
        self.pieces.get(at).map_or("", |piece| self.said.plain_text(piece.text.clone()))
    }

    fn class(&self, at: usize) -> Option<Class> {
        self.pieces.get(at).map(|piece| piece.class)
    }

    /// Whether a piece follows the one before it without a space.
    fn glued(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        matches!((self.pieces.get(before), self.pieces.get(at)), (Some(a), Some(b)) if a.span.end == b.span.start)
    }

    /// Digits: their value, at most 9 of them, and how many they are.
    fn digits(&self, at: usize) -> Option<(u32, usize)> {
        let piece = self.pieces.get(at).filter(|piece| piece.class == Class::Digits && piece.text.len() <= 9)?;
        Some((self.text(at).parse().ok()?, piece.text.len()))
    }

    /// Terms that begin at a piece, each with the piece behind it.
    fn terms(&self, at: usize) -> impl Iterator<Item = (usize, Term)> + '_ {
        self.pieces.get(at).into_iter().flat_map(move |piece| piece.terms.iter().map(move |(n, term)| (at + n, *term)))
    }

    /// The first meaning at a piece that `pick` takes, with the piece behind it.
    fn pick<T>(&self, at: usize, pick: impl Fn(Term) -> Option<T>) -> Option<(usize, T)> {
        self.terms(at).find_map(|(end, term)| Some((end, pick(term)?)))
    }

    /// The piece behind a mark, where it stands here.
    pub fn mark(&self, at: usize, mark: Mark) -> Option<usize> {
        self.pick(at, |term| matches!(term, Term::Mark(said) if said == mark).then_some(())).map(|(end, ())| end)
    }

    /// The piece behind any number of these marks.
    pub(crate) fn skip(&self, mut at: usize, marks: &[Mark]) -> usize {
        while let Some(end) = marks.iter().find_map(|mark| self.mark(at, *mark)) {
            at = end;
        }
        at
    }

    /// The piece behind a phrase that names a part of the day, else the next: "de la mañana" holds no tomorrow.
    fn past_part(&self, at: usize) -> usize {
        self.pick(at, |term| matches!(term, Term::Part(_)).then_some(())).map_or(at + 1, |(end, ())| end)
    }

    /// The piece behind any number of these marks and commas.
    fn skip_commas(&self, mut at: usize, marks: &[Mark]) -> usize {
        loop {
            let next = self.skip(at, marks);
            let next = next + usize::from(matches!(self.text(next), "," | "،"));
            if next == at {
                return at;
            }
            at = next;
        }
    }

    /// Whether one of these marks ends right before a piece.
    pub fn follows(&self, at: usize, marks: &[Mark]) -> bool {
        (1..=4)
            .filter_map(|n| at.checked_sub(n))
            .any(|from| marks.iter().any(|mark| self.mark(from, *mark) == Some(at)))
    }

    /// The bytes of the message that pieces came from.
    pub fn quote(&self, pieces: Range<usize>) -> Range<usize> {
        match (self.pieces.get(pieces.start), pieces.end.checked_sub(1).and_then(|last| self.pieces.get(last))) {
            (Some(first), Some(last)) if pieces.start < pieces.end => {
                self.said.raw_span(first.span.start..last.span.end)
            }
            _ => self.said.raw.len()..self.said.raw.len(),
        }
    }

    /// Whether pieces are an amount of money by what stands behind them: the "10.50" of "10.50 each".
    fn is_price(&self, pieces: &Range<usize>) -> bool {
        let Some(last) = pieces.end.checked_sub(1).and_then(|last| self.pieces.get(last)) else { return false };
        let figures = pieces.clone().all(|at| self.class(at) == Some(Class::Digits) || self.text(at) == ".");
        let next = self.said.words.partition_point(|word| word.span.end <= last.span.end);
        let priced = || {
            let each = numeral::each_at(self.said, next, self.cx.lang);
            each.is_some() || currency::at(self.said, next, self.cx.lang).is_some()
        };
        figures && priced()
    }

    /// Whether nothing but filler and small words stands outside these pieces.
    pub(crate) fn is_whole(&self, pieces: Range<usize>) -> bool {
        let outside = (0..pieces.start).chain(pieces.end..self.len());
        let filler = self.filler.get_or_init(|| {
            let mut filler = vec![false; self.said.words.len()];
            for no in 0..filler.len() {
                let languages = self.cx.lang.and_english();
                let some = languages.map(|lang| lang.filler.words_at(self.said, no)).max().unwrap_or(0);
                filler.iter_mut().skip(no).take(some).for_each(|filler| *filler = true);
            }
            filler
        });
        outside.into_iter().all(|at| {
            let Some(piece) = self.pieces.get(at) else { return true };
            let word = self.said.words.partition_point(|word| word.span.end <= piece.span.start);
            piece.class == Class::Mark
                || filler.get(word).copied().unwrap_or(false)
                || piece.terms.iter().any(|(_, term)| matches!(term, Term::Mark(mark) if !mark.compares()))
        })
    }
}

/// The language's meanings at a piece; English ones where the language does not use the word.
fn terms_at(said: &Said, pieces: &[Piece], at: usize, cx: &Context<'_>) -> Vec<(usize, Term)> {
    let Some(piece) = pieces.get(at) else { return Vec::new() };
    if piece.class == Class::Digits {
        return Vec::new();
    }
    for lang in cx.lang.and_english() {
        let fits = |rest: &[Box<str>]| {
            let is = |piece: &Piece, word: &str| said.plain_text(piece.text.clone()) == word;
            rest.iter().enumerate().all(|(i, word)| pieces.get(at + 1 + i).is_some_and(|piece| is(piece, word)))
        };
        let list = lang.date.beginning(said.plain_text(piece.text.clone())).iter();
        let known = list.len() > 0;
        let terms: Vec<_> =
            list.filter(|phrase| fits(&phrase.rest)).map(|phrase| (1 + phrase.rest.len(), phrase.term)).collect();
        if known {
            return terms;
        }
    }
    Vec::new()
}

/// A reading of some pieces: the values it may have, and how sure it is.
#[derive(Clone, Debug)]
pub struct Hit<T> {
    /// Which pieces.
    pub pieces: Range<usize>,
    /// One; several where the words leave it open; none where no such value exists.
    pub values: Vec<T>,
    /// How surely they mean such a value.
    pub strength: Strength,
}

impl<T> Hit<T> {
    /// The same pieces with other values.
    pub fn map<U>(self, map: impl FnMut(T) -> U) -> Hit<U> {
        Hit { pieces: self.pieces, values: self.values.into_iter().map(map).collect(), strength: self.strength }
    }
}

/// What was found, as a kind of field gives it.
pub fn found(line: &Line<'_>, mut hits: Vec<Hit<Value>>) -> Vec<Found> {
    hits.retain(|hit| !line.is_price(&hit.pieces));
    let spread = |hit: Hit<Value>| {
        let span = line.quote(hit.pieces);
        let found = move |value| Found { span: span.clone(), value, strength: hit.strength };
        hit.values.into_iter().map(found)
    };
    hits.into_iter().flat_map(spread).collect()
}

/// What a whole message says, out of everything that was read in it: the surest readings count.
pub fn reading(line: &Line<'_>, mut hits: Vec<Hit<Value>>, not_real: &str) -> Reading {
    hits.retain(|hit| !line.is_price(&hit.pieces));
    let Some(best) = hits.iter().map(|hit| hit.strength).max() else { return Reading::Nothing };
    let mut hits: Vec<_> = hits.into_iter().filter(|hit| hit.strength == best).collect();
    if let Some(none) = hits.iter().position(|hit| hit.values.is_empty()) {
        if hits.len() == 1 {
            return line.unreal_hit(hits.swap_remove(none).pieces, not_real);
        }
        hits.retain(|hit| !hit.values.is_empty());
    }
    let mut all: Vec<Found> = Vec::new();
    for found in found(line, hits) {
        if !all.iter().any(|known| known.value == found.value) {
            all.push(found);
        }
    }
    match (all.len(), all.pop()) {
        (1, Some(only)) => Reading::Value(only),
        (_, Some(last)) => {
            all.push(last);
            Reading::Ambiguous(all)
        }
        (_, None) => Reading::Nothing,
    }
}

/// Times of day in a message, those so far from now where there are no others.
pub fn times(line: &Line<'_>, bare: hour::clock::Bare) -> Vec<Hit<Time>> {
    let clocks = line.clocks(bare);
    if clocks.is_empty() { line.times_from_now() } else { clocks }
}

/// Refuses a time that no clock shows, where there is one: what is quoted reaches from `from` to its end.
pub fn unreal_time(line: &Line<'_>, from: Option<usize>) -> Option<Reading> {
    let pieces = line.unreal_clock()?;
    let said = line.said.raw.get(line.quote(pieces.clone())).unwrap_or_default().to_owned();
    let whole = from.map_or(pieces.start, |from| from.min(pieces.start))..pieces.end;
    Some(Reading::Refused(line.quote(whole), Refusal::new("time_not_real").fact("said", said)))
}

/// The value of data that came as words rather than in its standard form, as they were read: a form's default of "tomorrow".
///
/// # Errors
/// Where they were not read as one value.
pub fn from_words(reading: Reading, text: &str, code: &str) -> Result<Value, Refusal> {
    match reading {
        Reading::Value(found) => Ok(found.value),
        Reading::Refused(_, refusal) => Err(refusal),
        Reading::Ambiguous(_) | Reading::Nothing => Err(Refusal::new(code).fact("said", text)),
    }
}
