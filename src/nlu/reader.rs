//! A message with its clauses, and look-ups of phrases in the person's language and English.

use std::ops::Range;

use super::{links, numbered};
use formwright_form::Field;
use formwright_form::kind::Said;
use formwright_lexicon::control::Control;
use formwright_lexicon::dates::{Mark, Term};
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};
use formwright_text::Class;

/// A message being read.
pub(super) struct Reader<'a> {
    /// The message.
    pub(super) said: &'a Said,
    /// For each word, its bytes in the message as written.
    pub(super) raw: Vec<Range<usize>>,
    /// The parts between commas, full stops and line ends.
    pub(super) clauses: Vec<Clause>,
    /// The message with a mark in the place of each link, where it has any.
    pub(super) without_links: Option<Said>,
    /// The person's language and English, which may be one.
    langs: [&'a Language; 2],
    /// For each word: it means nothing by itself.
    idle: Vec<bool>,
    /// Words that are not themselves: those that stand for "number", and the parts of e-mail addresses.
    unspoken: Vec<usize>,
    /// For each word: it means nothing in this form, as the words of its title.
    of_form: Vec<bool>,
    /// The message is written in capitals throughout.
    shouts: bool,
    /// The message is in English, of which most words are known, and has no capital at all.
    pub(super) small: bool,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// Its words, without the mark that ends it.
    pub(super) words: Range<usize>,
    /// The words with the marks that end it.
    pub(super) whole: Range<usize>,
    /// It asks something.
    pub(super) question: bool,
    /// It ends with a question mark, whatever it is.
    pub(super) tentative: bool,
    /// It ends a line or a sentence.
    pub(super) stop: bool,
    /// It ends a line.
    pub(super) line: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(said: &'a Said, lang: &'a Language) -> Self {
        let raw = (0..said.words.len()).map(|no| said.raw_words(no..no + 1)).collect();
        let english = lang.and_english().last().unwrap_or(lang);
        let mut reader = Self {
            said,
            raw,
            clauses: Vec::new(),
            without_links: links::without_links(said),
            langs: [lang, english],
            idle: Vec::new(),
            unspoken: Vec::new(),
            of_form: Vec::new(),
            shouts: said.shouts(),
            small: lang.code == "en" && said.is_small(),
        };
        reader.clauses = reader.split();
        reader.idle = reader.find_idle();
        let numbers = numbered::words(&reader);
        for no in &numbers {
            if let Some(idle) = reader.idle.get_mut(*no) {
                *idle = true;
            }
        }
        reader.unspoken = numbers;
        reader.unspoken.extend(links::words_of_mail(said));
        reader
    }

    /// The person's language.
    pub(super) fn own_lang(&self) -> &'a Language {
        let [own, _] = self.langs;
        own
    }

    /// The person's language, and English where that is another.
    pub(super) fn langs(&self) -> impl Iterator<Item = &'a Language> + use<'a> {
        let [own, english] = self.langs;
        std::iter::once(own).chain((!std::ptr::eq(own, english)).then_some(english))
    }

    /// The longest phrase of a table that starts at a word and ends before `end`: its length and meaning.
    #[inline]
    pub(super) fn at<T>(
        &self,
        table: impl Fn(&'a Language) -> &'a Phrases<T>,
        no: usize,
        end: usize,
    ) -> Option<(usize, &'a T)> {
        let [own, english] = self.langs.map(table);
        // Most words start nothing, which this alone tells.
        let may = own.may_start(self.said, no) || english.may_start(self.said, no);
        if may && !self.unspoken.contains(&no) { own.longer_of(english, self.said, no, end) } else { None }
    }

    /// The number of words of the longest such phrase; 0 where there is none.
    pub(super) fn len<T: 'a>(&self, table: impl Fn(&'a Language) -> &'a Phrases<T>, no: usize, end: usize) -> usize {
        self.at(table, no, end).map_or(0, |(words, _)| words)
    }

    /// Whether words begin with a phrase of a table, behind filler or not.
    pub(super) fn begins<T: 'a>(&self, table: fn(&'a Language) -> &'a Phrases<T>, words: Range<usize>) -> bool {
        let starts = [words.start, self.past_filler(words.clone())];
        starts.into_iter().any(|no| self.len(table, no, words.end) > 0)
    }

    /// The words that say yes at a word; 0 where there are none. A word of the person's language is no English one: Spanish "y"
    /// and "ya" are no yes.
    pub(super) fn agrees(&self, no: usize, end: usize) -> usize {
        let own = self.own_lang();
        let yes = self.len(|lang| &lang.yes_no.yes, no, end);
        let own_word = || own.sentence.join.starts(self.said, no) || own.knows(self.said.plain(no));
        if yes == 1 && !own.yes_no.yes.starts(self.said, no) && own_word() { 0 } else { yes }
    }

    /// Whether a word names a unit of time: "days", "nights", "hours".
    pub(super) fn is_unit_of_time(&self, no: usize) -> bool {
        self.langs().any(|lang| !lang.date.counted_like(self.said.plain(no)).is_empty())
    }

    /// Whether a word may be one of some marks of days and times: "on", "before", "next".
    pub(super) fn is_date_mark(&self, no: usize, is: impl Fn(Mark) -> bool) -> bool {
        let phrases = |lang: &'a Language| lang.date.beginning_at(self.said, no).iter();
        let mut terms = self.langs().flat_map(phrases).map(|phrase| phrase.term);
        terms.any(|term| matches!(term, Term::Mark(mark) if is(mark)))
    }

    /// Whether a word names a part of the day: "evening".
    pub(super) fn is_part_of_day(&self, no: usize) -> bool {
        let phrases = |lang: &'a Language| lang.date.beginning_at(self.said, no).iter();
        self.langs().flat_map(phrases).any(|phrase| matches!(phrase.term, Term::Part(_)))
    }

    /// The phrase of a table with which the first clause begins, behind filler or not: "yes" of "well, yes, on Monday".
    pub(super) fn leading(&self, table: fn(&'a Language) -> &'a Phrases<()>) -> Option<Range<usize>> {
        let words = self.clauses.first()?.words.clone();
        let phrase = |no: usize| no..no + self.len(table, no, words.end);
        let starts = [words.start, self.past_filler(words.clone())];
        starts.into_iter().map(phrase).find(|phrase| !phrase.is_empty())
    }

    /// Whether a word is part of a number, in digits or in words: "2", "two", "hundred".
    pub(super) fn is_of_number(&self, no: usize) -> bool {
        let named = |lang: &Language| lang.number.atoms.word_at(self.said, no).is_some();
        self.is_digits(no) || self.langs().any(named)
    }

    /// Whether a word at `no` says what something is: not one that joins, of the same letters but for its accent (Italian
    /// "e" and "è").
    pub(super) fn is_copula(&self, no: usize, end: usize) -> bool {
        let joins = || self.said.word(no) == self.said.plain(no) && self.len(|lang| &lang.sentence.join, no, end) > 0;
        // "Non e urgente" is "non è urgente", in haste.
        let denied = || no.checked_sub(1).is_some_and(|before| self.is_negation(before, no));
        self.len(|lang| &lang.sentence.is, no, end) > 0 && (!joins() || denied())
    }

    /// Words of filler at a word, marks included; 0 where there are none.
    pub(super) fn filler(&self, no: usize, end: usize) -> usize {
        self.langs()
            .map(|lang| lang.filler.words_at(self.said, no))
            .filter(|words| no + words <= end)
            .max()
            .unwrap_or(0)
    }

    /// The first word of a range that is no filler.
    pub(super) fn past_filler(&self, words: Range<usize>) -> usize {
        let mut no = words.start;
        while no < words.end {
            match self.filler(no, words.end).max(self.len(|lang| &lang.sentence.join, no, words.end)) {
                0 => break,
                some => no += some,
            }
        }
        no
    }

    /// Whether a word is a mark.
    pub(super) fn is_mark(&self, no: usize) -> bool {
        self.said.words.get(no).is_none_or(|word| word.class == Class::Mark)
    }

    /// Whether a word is made of digits.
    pub(super) fn is_digits(&self, no: usize) -> bool {
        self.said.words.get(no).is_some_and(|word| word.class == Class::Digits)
    }

    /// Whether a word means nothing by itself: a mark, an article, "I'd like".
    pub(super) fn is_idle(&self, no: usize) -> bool {
        self.idle.get(no).copied().unwrap_or(true)
    }

    /// The words of the longest phrase at a word that announces a value of some kind; 0 where there is none.
    pub(super) fn announces(&self, what: Announced, no: usize, end: usize) -> usize {
        let tables = self.langs().filter_map(|lang| lang.sentence.cue.of(what));
        let found = tables.filter_map(|table| table.at(self.said, no)).map(|(words, ())| words);
        found.filter(|words| no + words <= end).max().unwrap_or(0)
    }

    /// Whether what starts at a word turns the rest round.
    pub(super) fn is_negation(&self, no: usize, end: usize) -> bool {
        self.len(|lang| &lang.yes_no.negation, no, end) > 0 && self.len(|lang| &lang.yes_no.no, no, end) == 0
    }

    /// Whether a negation is part of a sentence ("don't want") rather than an answer ("no").
    pub(super) fn is_verbal_negation(&self, no: usize, end: usize) -> bool {
        let refusal = self.len(|lang| &lang.yes_no.no, no, end);
        let negation = self.len(|lang| &lang.yes_no.negation, no, end);
        let control = self.at(|lang| &lang.control.whole, no, end);
        negation > refusal || control.is_some_and(|(len, what)| len >= refusal && *what == Control::Deny)
    }

    /// The words at a word that change something into what stands before `end`: "change … to", where they are words of
    /// denial too (Arabic "غير"); 0 where there are none.
    pub(super) fn changes(&self, no: usize, end: usize) -> usize {
        let edit = self.len(|lang| &lang.control.edit, no, end);
        let into = (no + edit..end).any(|no| self.len(|lang| &lang.sentence.into, no, end) > 0);
        if into { edit } else { 0 }
    }

    /// Takes further words as meaning nothing by themselves.
    pub(super) fn idle_where(&mut self, means_nothing: impl Fn(&str) -> bool) {
        self.of_form = vec![false; self.idle.len()];
        for no in 0..self.idle.len() {
            let nothing = !self.is_digits(no) && means_nothing(self.said.plain(no));
            if let Some(of_form) = self.of_form.get_mut(no).filter(|_| nothing && !self.idle[no]) {
                *of_form = true;
            }
            if let Some(idle) = self.idle.get_mut(no).filter(|_| nothing) {
                *idle = true;
            }
        }
    }

    /// Whether a word means nothing only because the form is about it.
    pub(super) fn is_of_form(&self, no: usize) -> bool {
        self.of_form.get(no).copied().unwrap_or(false)
    }

    /// The message as written, from word to word.
    pub(super) fn raw_text(&self, words: Range<usize>) -> &'a str {
        self.said.raw.get(self.raw_range(words)).unwrap_or_default()
    }

    /// The bytes of words in the message as written.
    pub(super) fn raw_range(&self, words: Range<usize>) -> Range<usize> {
        self.said.raw_words(words)
    }

    /// The words that bytes of the message touch.
    pub(super) fn words_of(&self, raw: &Range<usize>) -> Range<usize> {
        let start = self.raw.partition_point(|word| word.end <= raw.start);
        let end = self.raw.partition_point(|word| word.start < raw.end);
        start..end.max(start)
    }

    /// Whether a word begins with a capital letter as written. Where all are capitals none of them tells anything.
    pub(super) fn is_capital(&self, no: usize) -> bool {
        if self.shouts {
            return false;
        }
        let start = self.raw.get(no).and_then(|word| self.said.raw.get(word.start..));
        start.and_then(|text| text.chars().next()).is_some_and(char::is_uppercase)
    }

    /// The message as a field reads it: without links, where its values are no part of one.
    pub(super) fn said_to(&self, field: &Field) -> &Said {
        self.without_links.as_ref().filter(|_| links::is_apart(&field.kind)).unwrap_or(self.said)
    }

    /// Whether a link stands in a range of the message.
    pub(super) fn has_link(&self, raw: &Range<usize>) -> bool {
        let veiled = self.without_links.as_ref().and_then(|said| said.raw.get(raw.clone()));
        veiled.is_some_and(|veiled| self.said.raw.get(raw.clone()) != Some(veiled))
    }

    /// Whether a value is a part of the message of its own, behind another: "large" in "Anna, large".
    pub(super) fn is_own_part(&self, value: &Range<usize>) -> bool {
        let no = self.clause_of(value.start);
        let own = |part: &Range<usize>| part.clone().all(|no| value.contains(&no) || self.is_idle(no));
        no > 0 && self.clauses.get(no).is_some_and(|clause| own(&clause.words))
    }

    /// Whether a word is the first of a further line.
    pub(super) fn line_starts(&self, no: usize) -> bool {
        no.checked_sub(1).is_some_and(|before| self.line_ends(before))
    }

    /// Whether a line ends between a word and the next.
    pub(super) fn line_ends(&self, no: usize) -> bool {
        let (Some(this), Some(next)) = (self.said.words.get(no), self.said.words.get(no + 1)) else { return false };
        self.said.text(this.span.end..next.span.start).contains('\n')
    }

    /// Whether words say yes or no and nothing else.
    pub(super) fn is_yes_no(&self, words: &Range<usize>) -> bool {
        let len = |table: fn(&Language) -> &Phrases<()>| self.len(table, words.start, words.end);
        len(|lang| &lang.yes_no.yes).max(len(|lang| &lang.yes_no.no)).max(len(|lang| &lang.yes_no.negation))
            >= words.len()
    }

    fn find_idle(&self) -> Vec<bool> {
        let count = self.said.words.len();
        let mut idle = vec![false; count];
        for no in 0..count {
            if self.is_mark(no) {
                idle[no] = true;
                continue;
            }
            let longest = [
                self.len(|lang| &lang.sentence.stop, no, count),
                self.len(|lang| &lang.sentence.is, no, count),
                self.len(|lang| &lang.sentence.join, no, count),
                self.len(|lang| &lang.sentence.correct, no, count),
                self.len(|lang| &lang.sentence.instead, no, count),
                self.len(|lang| &lang.sentence.or, no, count),
                self.filler(no, count),
            ];
            let longest = longest.into_iter().max().unwrap_or(0);
            for word in idle.iter_mut().skip(no).take(longest) {
                *word = true;
            }
        }
        idle
    }
}
