//! The clauses of a message, and which of them a word is in. They end at commas, full stops and line ends, but not at the
//! comma of a number, nor at the full stop of an abbreviation or an address; and before what matters where something else
//! does not: "I don't care where as long as it's cheap".

use std::ops::Range;

use super::reader::{Clause, Reader};
use super::unmeant::is_polite;
use formwright_lexicon::Language;
use formwright_lexicon::dates::{Mark, Term};
use formwright_text::Class;

impl Reader<'_> {
    /// The clauses without those that are nothing but polite: "the closest one" of "OK, the closest one, please".
    pub(super) fn telling(&self) -> Vec<&Clause> {
        self.clauses.iter().filter(|clause| !is_polite(self, &clause.words)).collect()
    }

    /// The parts between commas, full stops and line ends.
    pub(super) fn split(&self) -> Vec<Clause> {
        let count = self.said.words.len();
        let mut clauses = Vec::new();
        let mut start = 0;
        for no in 0..count {
            if self.matters(start, no) {
                let words = start..no;
                clauses.push(Clause {
                    whole: words.clone(),
                    words,
                    question: false,
                    tentative: false,
                    stop: false,
                    line: false,
                });
                start = no;
            }
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

    /// Whether words at one say what matters, behind those from another on that say what does not: "as long as" in "any day as
    /// long as it's early", "but" in "I don't mind where but not there".
    fn matters(&self, start: usize, no: usize) -> bool {
        let end = self.said.words.len();
        let provided = |no: usize| self.len(|lang| &lang.option.provided, no, end);
        let leads = no > start && provided(no).max(self.len(|lang| &lang.option.however, no, end)) > 0;
        leads && (start..no).any(|no| self.len(|lang| &lang.yes_no.unsure, no, end) > 0)
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
            "." => apart && !self.is_of_abbreviation(no) && !self.leads_into_word(no) && !self.is_of_day(no),
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

    /// Whether a full stop ends an abbreviation and no sentence: "Dr. Lee", "J. Smith", "3 Mar. 2027", "apt. 5"; not "a car.
    /// Two people".
    fn is_of_abbreviation(&self, no: usize) -> bool {
        const SHORT: usize = 3;
        const LONGEST_OF_DATE: usize = 4;
        let Some(before) = no.checked_sub(1).filter(|before| self.said.words[*before].class == Class::Letters) else {
            return false;
        };
        if no + 1 >= self.said.words.len() || !self.said.is_glued(no) {
            return false;
        }
        let (word, letters) = (self.said.plain(before), self.said.word(before).chars().count());
        // "Order no. 88213."
        let numbered = |no: usize| self.len(|lang| &lang.sentence.numbered, no, no + 1) > 0;
        let answers =
            self.len(|lang| &lang.yes_no.firm, before, no) > 0 && !before.checked_sub(1).is_some_and(numbered);
        let of_date = || {
            let is = |term: &Term| matches!(term, Term::Month(_) | Term::Weekday(_) | Term::WeekdayShort(_));
            let named =
                |lang: &Language| lang.date.beginning(word).iter().any(|term| term.rest.is_empty() && is(&term.term));
            letters <= LONGEST_OF_DATE && !self.is_capital(no + 1) && self.langs().any(named)
        };
        // "Rm. 5", but not "that one. 2 rooms".
        let vowel = || word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        let short = letters <= SHORT && self.is_digits(no + 1) && !answers && (!vowel() || word == "no");
        letters == 1 || self.len(|lang| &lang.sentence.abbreviated, before, no) > 0 || short || of_date()
    }

    /// Whether a full stop stands between a day and its month, "6. Januar", or is that of a day within a sentence: "am 12. statt am
    /// 11."
    fn is_of_day(&self, no: usize) -> bool {
        // "Im 3. Stock."
        let floor =
            |lang: &Language| lang.date.dot_ordinals && lang.street.unit_after.word_at(self.said, no + 1).is_some();
        let month = |lang: &Language| {
            let mut terms = lang.date.beginning_at(self.said, no + 1).iter();
            lang.date.dot_ordinals && terms.any(|phrase| matches!(phrase.term, Term::Month(_)))
        };
        let Some(day) = no.checked_sub(1).filter(|day| self.is_digits(*day) && self.said.is_glued(no)) else {
            return false;
        };
        let led = |lang: &Language| {
            let before = day.checked_sub(1).map_or("", |before| self.said.plain(before));
            let mut terms = lang.date.beginning(before).iter();
            let day = terms.any(|phrase| matches!(phrase.term, Term::Mark(Mark::On | Mark::The)));
            lang.date.dot_ordinals && day
        };
        let goes_on = no + 1 < self.said.words.len() && !self.is_capital(no + 1) && !self.is_mark(no + 1);
        goes_on && self.langs().any(led) || self.langs().any(|lang| month(lang) || floor(lang))
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

    /// The clause that a word is in; none where nothing is said.
    pub(super) fn clause(&self, no: usize) -> Option<&Clause> {
        self.clauses.get(self.clause_of(no))
    }

    /// The words of the clause that a word is in, without its mark; none where nothing is said.
    pub(super) fn clause_words(&self, no: usize) -> Range<usize> {
        self.clause(no).map_or(0..0, |clause| clause.words.clone())
    }

    /// Where the clause begins that a word is in; 0 where nothing is said.
    pub(super) fn clause_start(&self, no: usize) -> usize {
        self.clause_words(no).start
    }

    /// Where the clause ends that a word is in, without its mark; 0 where nothing is said.
    pub(super) fn clause_end(&self, no: usize) -> usize {
        self.clause_words(no).end
    }

    /// Which clause a word is in.
    pub(super) fn clause_of(&self, no: usize) -> usize {
        self.clauses.partition_point(|clause| clause.whole.end <= no).min(self.clauses.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::reader::Reader;
    use formwright_form::kind::Said;
    use formwright_lexicon::language;

    #[rstest]
    #[case("I have a dog. It bites", 2)]
    #[case("we need a car. two of us", 2)]
    #[case("not too hot. And spicy", 2)]
    #[case("Dr. Lee, please", 2)]
    #[case("Mrs. Lee lives in apt. 5", 1)]
    #[case("J. K. Lee", 1)]
    #[case("3 Mar. 2027", 1)]
    #[case("Fri. at 5 p.m. is fine", 1)]
    #[case("we come in May. Two of us", 2)]
    #[case("I don't want that one. 2 rooms in Lisbon", 2)]
    #[case("we take the car. 2 of us", 2)]
    #[case("rm. 5, vol. 2", 2)]
    fn a_full_stop_ends_a_clause_but_not_behind_an_abbreviation(#[case] said: &str, #[case] clauses: usize) {
        let words = Said::new(said);
        assert_eq!(Reader::new(&words, language("en")).clauses.len(), clauses, "{said}");
    }

    #[rstest]
    #[case("it", "il sig. Rossi abita in via Po n. 3", 1)]
    #[case("es", "la Sra. Gil vive en la Avda. Sur", 1)]
    #[case("de", "Hr. Lang wohnt in der Langen Str. 5", 1)]
    #[case("fr", "Mme. Petit, av. Foch", 2)]
    fn abbreviations_of_each_language_end_no_clause(#[case] lang: &str, #[case] said: &str, #[case] clauses: usize) {
        let words = Said::new(said);
        assert_eq!(Reader::new(&words, language(lang)).clauses.len(), clauses, "{said}");
    }
}
