//! Days that lie back by the words around them: "since Friday", "it broke on Saturday", "on the 12th it happened".

use formwright_lexicon::Phrases;
use formwright_lexicon::past::Past;

use super::calendar::Day;
use crate::when::bound::Prefer;
use crate::when::{Anchor, Line};

/// How many words before and behind a day may say that it lies back.
const REACH: usize = 10;

impl Line<'_> {
    /// Reads a day; one to come that the words around it say lies back is the last such day.
    pub(crate) fn day_said(&self, at: usize, anchor: Anchor) -> Option<Day> {
        let day = self.day(at, anchor)?;
        let to_come = || (day.weekday || day.open_year) && day.dates.iter().any(|date| *date > self.today());
        let back = self.lies_back(at, day.end, anchor, to_come);
        Some(if back { self.day(at, Anchor { prefer: Prefer::Past, ..anchor }).unwrap_or(day) } else { day })
    }

    /// Whether the words around pieces say that what they tell lies back, where it would be to come.
    pub(crate) fn lies_back(&self, at: usize, end: usize, anchor: Anchor, to_come: impl Fn() -> bool) -> bool {
        anchor.prefer == Prefer::Future && to_come() && self.is_told_of_past(self.word_at(at), self.word_at(end))
    }

    /// The word that a piece is in.
    pub(crate) fn word_at(&self, at: usize) -> usize {
        let start = self.pieces.get(at).map_or(usize::MAX, |piece| piece.span.start);
        self.said.words.partition_point(|word| word.span.end <= start)
    }

    /// Whether words right before some pieces say that somebody is there again: "back on".
    pub fn resumes(&self, pieces: &std::ops::Range<usize>) -> bool {
        const LONGEST: usize = 4;
        let start = self.quote(pieces.clone()).start;
        let no = self.said.words.partition_point(|word| self.said.raw_span(word.span.clone()).end <= start);
        let ends = |from: &usize| {
            let mut langs = self.cx.lang.and_english();
            langs.any(|lang| lang.sentence.resumes.at(self.said, *from).is_some_and(|(len, ())| from + len == no))
        };
        (no.saturating_sub(LONGEST)..no).any(|from| ends(&from))
    }

    fn is_told_of_past(&self, first: usize, behind: usize) -> bool {
        let mut since = false;
        let mut has = false;
        let mut begins = true;
        for no in (first.saturating_sub(REACH)..first).rev().take_while(|no| !self.parts(*no)) {
            if self.tells(|past| &past.ahead, no) > 0 {
                return false;
            }
            if self.tells(|past| &past.happened, no) > 0 {
                return true;
            }
            let len = self.tells(|past| &past.since, no);
            since |= len > 0 && (no + len..first).all(|no| self.is_small(no));
            has |= self.tells(|past| &past.has, no) > 0;
            begins &= self.is_small(no);
        }
        if since || !(has || begins) {
            return since;
        }
        let words = (behind..self.said.words.len().min(behind + REACH)).take_while(|no| !self.parts(*no));
        let told = |no: usize| match (self.tells(|past| &past.happened, no), self.tells(|past| &past.ahead, no)) {
            (0, 0) => None,
            (happened, ahead) => Some(happened > ahead),
        };
        words.into_iter().find_map(told).unwrap_or(false)
    }

    /// The words of the longest phrase of a table at a word.
    fn tells(&self, table: fn(&Past) -> &Phrases<()>, no: usize) -> usize {
        let found = self.cx.lang.and_english().filter_map(|lang| table(&lang.date.past).at(self.said, no));
        found.map(|(len, ())| len).max().unwrap_or(0)
    }

    /// Whether a part of the sentence ends at a word.
    fn parts(&self, no: usize) -> bool {
        let mark = || matches!(self.said.plain(no), "," | "." | ";" | "!" | "?" | "،" | "؛" | "؟" | "(" | ")");
        // Italian "è" is no "e".
        let plain =
            || self.said.words.get(no).is_some_and(|word| self.said.text(word.span.clone()) == self.said.plain(no));
        mark() || plain() && self.cx.lang.and_english().any(|lang| lang.sentence.join.starts(self.said, no))
    }

    /// Whether a word is an article or a preposition.
    fn is_small(&self, no: usize) -> bool {
        self.cx.lang.and_english().any(|lang| lang.sentence.stop.word_at(self.said, no).is_some())
    }
}
