//! Where the clauses of a message end: at commas, full stops and line ends, but not at the comma of a number, nor at the full
//! stop of an abbreviation or an address.

use super::reader::{Clause, Reader};
use crate::form::kind::said::Class;
use crate::form::language::Language;
use crate::form::language::dates::Term;

impl Reader<'_> {
    /// The parts between commas, full stops and line ends.
    pub(super) fn split(&self) -> Vec<Clause> {
        let count = self.said.words.len();
        let mut clauses = Vec::new();
        let mut start = 0;
        for no in 0..count {
            let line = self.line_ends(no) || no + 1 == count;
            let mark = self.ends_clause(no);
            if !mark && !line {
                continue;
            }
            let mut end = no + 1;
            while end > start && self.ends_clause(end - 1) {
                end -= 1;
            }
            if end == start && !clauses.is_empty() {
                if let Some(Clause { whole, stop, tentative, line: ends_line, .. }) = clauses.last_mut() {
                    *ends_line |= line;
                    whole.end = no + 1;
                    *stop |= line || self.said.word(no) != ",";
                    *tentative |= matches!(self.said.word(no), "?" | "؟");
                }
                start = no + 1;
                continue;
            }
            let tentative = (end..=no).any(|no| matches!(self.said.word(no), "?" | "؟"));
            let stop = line || (end..=no).any(|no| !matches!(self.said.word(no), "," | "،"));
            clauses.push(Clause { words: start..end, whole: start..no + 1, question: false, tentative, stop, line });
            start = no + 1;
        }
        let mut requests = false;
        for clause in &mut clauses {
            clause.question = self.asks(clause.words.clone(), clause.tentative);
            // "Can you find me a car, picking it up at noon?" asks nothing behind the comma either.
            if requests && clause.question {
                let start = self.past_filler(clause.words.clone());
                let own = self.len(|lang| &lang.sentence.question, start, clause.words.end);
                clause.question = own.max(self.len(|lang| &lang.sentence.inverted, start, clause.words.end)) > 0;
            }
            requests = !clause.stop && (requests || self.begins(|lang| &lang.sentence.request, clause.words.clone()));
        }
        clauses
    }

    /// Whether a word is a mark that ends a clause: not the comma of a number or the full stop of an address.
    fn ends_clause(&self, no: usize) -> bool {
        let Some(word) = self.said.words.get(no) else { return false };
        let apart = self.said.words.get(no + 1).is_none_or(|next| {
            next.span.start > word.span.end || matches!(self.said.word(no + 1), "?" | "!" | "." | "؟")
        });
        match self.said.word(no) {
            "," | ";" | "،" | "؛" | "…" => apart,
            // "a?b=c" is one word.
            "?" | "!" => apart && !self.is_inside_link(no),
            "؟" | "¿" | "¡" => true,
            "." => {
                let short = no.checked_sub(1).is_some_and(|before| {
                    let letters = self.said.words.get(before).is_some_and(|word| word.class == Class::Letters);
                    let answer = || self.len(|lang| &lang.yes_no.firm, before, no) > 0;
                    letters
                        && self.said.word(before).chars().count() <= 3
                        && no + 1 < self.said.words.len()
                        && !answer()
                });
                apart && !short && !self.leads_into_word(no) && !self.is_of_day(no)
            }
            "-" => {
                let before = no.checked_sub(1).and_then(|before| self.said.words.get(before));
                before.is_none_or(|before| before.span.end < word.span.start)
                    && apart
                    && no + 1 < self.said.words.len()
                    && !self.is_digits(no + 1)
            }
            _ => false,
        }
    }

    /// Whether a full stop stands between a day and its month: "6. Januar".
    fn is_of_day(&self, no: usize) -> bool {
        let month = |lang: &Language| {
            let mut terms = lang.date.beginning(self.said.plain(no + 1)).iter();
            lang.date.dot_ordinals && terms.any(|phrase| matches!(phrase.term, Term::Month(_)))
        };
        let day = no.checked_sub(1).is_some_and(|day| self.is_digits(day));
        day && self.said.is_glued(no) && self.langs().into_iter().any(month)
    }

    /// Whether a full stop is one of those right before a word: "...and so on", "../step".
    fn leads_into_word(&self, no: usize) -> bool {
        let is_dot = |no: usize| self.said.word(no) == ".";
        let mut start = no;
        while start > 0 && self.said.is_glued(start) && is_dot(start - 1) {
            start -= 1;
        }
        let end = (no..self.said.words.len()).find(|no| !is_dot(*no)).unwrap_or(self.said.words.len());
        !self.said.is_glued(start) && end < self.said.words.len() && (start + 1..=end).all(|no| self.said.is_glued(no))
    }

    /// Whether a mark stands inside an address of the net: `https://example.com/export?x=1`.
    fn is_inside_link(&self, no: usize) -> bool {
        let is_word = |no: usize| self.said.words.get(no).is_some_and(|word| word.class != Class::Mark);
        let glued = |from: usize| (from..=no).all(|no| self.said.is_glued(no));
        let mut before = (0..no).rev().take_while(|from| glued(from + 1));
        self.said.is_glued(no + 1) && is_word(no + 1) && before.any(|no| matches!(self.said.word(no), "." | "/" | "@"))
    }
}
