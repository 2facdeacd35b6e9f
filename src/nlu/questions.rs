//! Whether words ask something: "is there wifi", "what does it cost", "business costs how much".

use std::ops::Range;

use super::reader::Reader;

impl Reader<'_> {
    /// Whether what starts at a word asks to change or take out an answer: "can I change …".
    fn asks_to_change(&self, no: usize, end: usize) -> bool {
        self.len(|lang| &lang.control.edit, no, end).max(self.len(|lang| &lang.control.clear, no, end)) > 0
    }

    /// Whether words ask something: they begin like a question, or are a sentence that ends like one.
    pub(super) fn asks(&self, words: Range<usize>, tentative: bool) -> bool {
        let end = words.end;
        let mut no = words.start;
        let first = no + self.len(|lang| &lang.sentence.join, no, end);
        let request = self.len(|lang| &lang.sentence.request, first, end) > 0 || self.asks_to_change(first, end);
        if tentative && !request && self.len(|lang| &lang.sentence.inverted, first, end) > 0 {
            return true;
        }
        // "Please is breakfast included".
        let polite = self.len(|lang| &lang.sentence.wished, no, end);
        if [first, no + polite].into_iter().any(|first| self.asks_without_mark(first..end)) {
            return true;
        }
        loop {
            let question = self.len(|lang| &lang.sentence.question, no, end);
            // Arabic "ما عندي" is an answer, and "ما" asks what.
            if question > 0 && self.len(|lang| &lang.yes_no.no, no, end) > question {
                return false;
            }
            // "Could you tell me if" asks, "could you" does not.
            let asked_for = self.len(|lang| &lang.sentence.request, no, end) >= question.max(1);
            if asked_for || self.asks_to_change(no, end) {
                return false;
            }
            let skip = self.filler(no, end).max(self.len(|lang| &lang.sentence.join, no, end));
            if question > 0 && question >= skip {
                return true;
            }
            if skip == 0 || no >= end {
                break;
            }
            no += skip;
        }
        // An address is one word, of however many parts.
        tentative && words.clone().filter(|no| *no == words.start || !self.said.is_glued(*no)).count() > 4
    }

    /// Whether words ask something in the order of their words, or by those at their end: "is breakfast included", "business
    /// costs how much".
    fn asks_without_mark(&self, words: Range<usize>) -> bool {
        const SENTENCE: usize = 4;
        let end = words.end;
        let behind = |no: usize| {
            let len = self.len(|lang| &lang.sentence.asked_behind, no, end);
            len > 0 && no + len == end
        };
        if words.len() > 2 && (words.start + 2..end).any(behind) {
            return true;
        }
        let verb = self.len(|lang| &lang.sentence.asking_verb, words.start, end);
        let subject = words.start + verb;
        let small = || self.len(|lang| &lang.sentence.stop, subject, end).max(self.filler(subject, end)) > 0;
        let granted = |no: usize| {
            let len = self.len(|lang| &lang.sentence.granted, no, end);
            len > 0 && no + len == end
        };
        let whole = || words.len() >= SENTENCE || (subject + 1..end).any(granted);
        verb > 0 && !small() && !self.is_of_number(subject) && whole()
    }
}
