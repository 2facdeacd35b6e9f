//! Who comes, told one after another: "2 adults and 3 kids", "me and my two sisters", "with my wife and two kids", "3 plus
//! me", "6 people: 4 adults, 2 kids".

use std::ops::Range;

use rust_decimal::prelude::ToPrimitive as _;

use super::Scene;
use super::reader::Reader;
use formwright_form::kind::{Said, numeral};
use formwright_lexicon::dates::Mark;
use formwright_lexicon::sentence::Announced;
use formwright_lexicon::{Language, Phrases};

/// Most small words before who comes.
const MOST_BEFORE: usize = 3;

/// Most words of a name.
const MOST_NAMES: usize = 2;

/// Who comes, as far as it is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Party {
    pub(super) words: Range<usize>,
    /// How many they are; `None` where the list goes on with somebody who is not counted.
    pub(super) all: Option<i64>,
    /// How many of them are grown up, where that is sure.
    pub(super) grown: Option<i64>,
    /// How many of them are children, where that is sure.
    pub(super) minors: Option<i64>,
}

/// What people of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Adults,
    Grown,
    Minors,
    /// They may be either: "sisters".
    Any,
}

/// One of a list of who comes: "12 adults", "my two sisters", "me".
#[derive(Clone, Copy, Debug)]
struct Group {
    end: usize,
    count: i64,
    sort: Sort,
    /// They are the person's own: "my".
    ours: bool,
    /// It is the person: "me".
    oneself: bool,
    /// They are told by so many of several each: "two couples".
    packed: bool,
}

/// Who comes, told from a word on.
pub(super) fn party(scene: &Scene<'_>, reader: &Reader<'_>, start: usize) -> Option<Party> {
    Lists { scene, reader, count: reader.said.words.len() }.party(start)
}

/// A message in which lists of people are read.
struct Lists<'a> {
    scene: &'a Scene<'a>,
    reader: &'a Reader<'a>,
    count: usize,
}

impl Lists<'_> {
    fn party(&self, start: usize) -> Option<Party> {
        let named = || self.by_name(start);
        self.of_total(start).or_else(named).or_else(|| self.of_number(start)).or_else(|| self.listed(start))
    }

    /// Who comes, one after another.
    fn listed(&self, start: usize) -> Option<Party> {
        let first = self.group(start).or_else(|| self.plus(start))?;
        let (end, groups, open) = self.list(first);
        let last = groups.last()?;
        // "To Rome with my wife and two kids": whoever says so comes too.
        let leads = groups.iter().all(|group| !group.oneself) && self.comes_along(start, first);
        if groups.len() < 2 && !leads && !first.packed {
            return None;
        }
        let next = end + self.joints(end);
        // "… and Ann".
        let clause = self.reader.clause_end(end - 1);
        let goes_on =
            next > end && next < clause && self.reader.is_capital(next) && !self.reader.is_idle(next) && !open;
        // "I have two kids and my wife is a doctor."
        // "… and our friends".
        let several = |no: usize| self.reader.at(|lang| &lang.naming.company, no, clause).is_some();
        let reach = next..clause.min(next + MOST_BEFORE);
        let uncounted = next > end && self.leads_to(reach.clone(), several);
        let goes_on = goes_on || uncounted;
        // "Me and my wife are going" tells of both.
        let told = last.count == 1
            && !groups.iter().any(|group| group.oneself)
            && self.reader.len(|lang| &lang.sentence.is, end, clause) > 0;
        let own = i64::from(leads);
        let sum = |sorts: &[Sort]| {
            let of = groups.iter().filter(|group| sorts.contains(&group.sort));
            of.map(|group| group.count).try_fold(0_i64, i64::checked_add)
        };
        let sure = groups.iter().all(|group| group.sort != Sort::Any) && !open && !goes_on && !told;
        let some = |count: Option<i64>| count.filter(|count| sure && *count > 0);
        let all = sum(&[Sort::Adults, Sort::Grown, Sort::Minors, Sort::Any]).map(|all| all + own);
        Some(Party {
            words: start..end,
            all: all.filter(|_| !open && !goes_on && !told),
            grown: some(sum(&[Sort::Adults, Sort::Grown]).map(|grown| grown + own)),
            minors: some(sum(&[Sort::Minors])),
        })
    }

    /// Whether small words lead to somebody who is not counted.
    fn leads_to(&self, words: Range<usize>, somebody: impl Fn(usize) -> bool) -> bool {
        let at = words.clone().find(|no| somebody(*no));
        at.is_some_and(|at| (words.start..at).all(|no| self.reader.is_idle(no) && self.number(no).is_none()))
    }

    /// The groups of a list behind its first, the word behind, and whether a sentence goes on where a group seems to be:
    /// "… and I would like".
    fn list(&self, first: Group) -> (usize, Vec<Group>, bool) {
        let (mut end, mut groups) = (first.end, vec![first]);
        loop {
            let next = end + self.joints(end);
            // In Arabic "and" is written together with what it joins; "2 adults 3 kids" needs none.
            let joined = next > end || self.reader.said.word(end).starts_with('و') || self.number(end).is_some();
            let more = || self.more(&groups, end, next);
            let Some(group) = self.group(next).or_else(more).filter(|_| joined) else { return (end, groups, false) };
            let alone = group.end < self.reader.clause_end(group.end - 1)
                && self.group(group.end + self.joints(group.end)).is_none();
            if alone && self.len(|lang| &lang.sentence.speaker, group.end - 1) == 1 {
                return (end, groups, true);
            }
            end = group.end;
            groups.push(group);
        }
    }

    /// Whoever speaks and others by name, for whom something is: "for me and Ann", "for Mavis, Sheila and I". "For me, Ann" may
    /// be one.
    fn by_name(&self, start: usize) -> Option<Party> {
        let clause = self.reader.clause_start(start);
        let for_some = |no: usize| no + self.len(|lang| &lang.number.for_people, no) == start;
        // "Me and Ann want a cab."
        let begins =
            self.reader.past_filler(clause..self.count) == start && self.len(|lang| &lang.naming.oneself, start) > 0;
        if !begins && !(clause..start).rev().take(MOST_BEFORE).any(for_some) {
            return None;
        }
        let (mut end, mut count, mut own, mut joined) = (start, 0_i64, false, false);
        loop {
            let oneself = self.len(|lang| &lang.naming.oneself, end);
            let len = if oneself > 0 { oneself } else { self.name(end) };
            if len == 0 {
                return None;
            }
            (end, count, own) = (end + len, count + 1, own || oneself > 0);
            // "For Ann and I want it warm", not "for Ann and I in Oslo".
            let clause = self.reader.clause_end(end - 1);
            let leads = self.reader.announces(Announced::Place, end, clause) > 0
                || self.reader.is_date_mark(end, |mark| matches!(mark, Mark::On | Mark::At | Mark::In));
            if end < clause && !leads && self.len(|lang| &lang.sentence.speaker, end - 1) > 0 {
                return None;
            }
            let next = end + self.joints(end);
            let more = next > end && (self.len(|lang| &lang.naming.oneself, next) > 0 || self.name(next) > 0);
            if !more || joined {
                let several = |no: usize| self.reader.at(|lang| &lang.naming.company, no, self.count).is_some();
                let reach = next..self.count.min(next + MOST_BEFORE);
                let counted = self.number(next).is_some() || self.leads_to(reach, several);
                let whole = own && joined && !(next > end && (more || counted));
                return whole.then_some(Party { words: start..end, all: Some(count), grown: None, minors: None });
            }
            joined = (end..next).any(|no| self.len(|lang| &lang.sentence.join, no) > 0);
            end = next;
        }
    }

    /// How many words name somebody: capitals, or one that the language has not.
    fn name(&self, no: usize) -> usize {
        let plain = |no: usize| {
            let company = self.reader.at(|lang| &lang.naming.company, no, self.count).is_some();
            !self.reader.is_mark(no) && !self.reader.is_digits(no) && !self.reader.is_idle(no) && !company
        };
        let last = |no: usize| no >= self.count || self.reader.is_mark(no) || self.reader.is_idle(no);
        let capitals =
            (no..self.count).take(MOST_NAMES).take_while(|no| plain(*no) && self.reader.is_capital(*no)).count();
        let strange = no < self.count && plain(no) && self.reader.is_unknown(no) && last(no + 1);
        capitals.max(usize::from(strange))
    }

    /// A number of people in all, and who they are: "6 people: 4 adults, 2 kids", "family of 4 with 2 kids".
    fn of_total(&self, start: usize) -> Option<Party> {
        let lead = self.len(|lang| &lang.number.people_before, start).max(self.len(|lang| &lang.naming.family, start));
        let (end, all) = self.number(start + lead)?;
        let noun = self.len(|lang| &lang.naming.everybody, end);
        if lead + noun == 0 {
            return None;
        }
        let mut from = end + noun;
        let mark = matches!(self.reader.said.word(from), ":" | "," | "،" | "(");
        from += usize::from(mark);
        let among = self.len(|lang| &lang.naming.among, from);
        let first = self.group(from + among).filter(|_| mark || among > 0)?;
        let (end, groups, open) = self.list(first);
        let of = |minors: bool| {
            let of = groups.iter().filter(|group| (group.sort == Sort::Minors) == minors);
            of.map(|group| group.count).try_fold(0_i64, i64::checked_add)
        };
        let (minors, grown) = (of(true)?, of(false)?);
        // What does not add up tells of something else.
        if open || minors + grown > all || minors == 0 || grown > 0 && minors + grown != all {
            return None;
        }
        let grown = Some(all - minors).filter(|grown| *grown > 0);
        Some(Party { words: start..end, all: Some(all), grown, minors: Some(minors) })
    }

    /// How many come, and who they are: "two, my wife and me", "para tres: mis padres y yo".
    fn of_number(&self, start: usize) -> Option<Party> {
        let lead = |no: usize| {
            let people = self.len(|lang| &lang.number.people_before, no);
            people.max(self.len(|lang| &lang.number.for_people, no))
        };
        if start > 0 && lead(start) == 0 && self.reader.past_filler(0..self.count) != start {
            return None;
        }
        let (end, all) = self.number(start + lead(start))?;
        let mark = matches!(self.reader.said.word(end), ":" | "," | "،" | "(" | "-");
        let found = self.listed(end + 1).filter(|_| mark)?;
        let words = start..found.words.end;
        // What does not add up tells of something else.
        let unsure = Party { words: words.clone(), all: None, grown: None, minors: None };
        Some(if found.all == Some(all) { Party { words, ..found } } else { unsure })
    }

    /// Who comes, as one of a list.
    fn group(&self, start: usize) -> Option<Group> {
        // Italian "i due figli" begins with an article, and no English "I".
        let article = |no: usize| self.scene.lang.sentence.articles.word_at(self.reader.said, no).is_some();
        // Spanish "mi y mi hermana", typed without its accent, begins with the person, and no "my".
        let me = |no: usize| {
            let len = self.len(|lang| &lang.naming.oneself, no);
            (len > 0 && self.joints(no + len) > 0).then_some((len, &1))
        };
        let company = |no: usize| {
            let company = self.reader.at(|lang| &lang.naming.company, no, self.count).filter(|_| !article(no));
            company.or_else(|| me(no))
        };
        let several = |no: usize| self.reader.at(|lang| &lang.naming.packs, no, self.count);
        let mut no = start;
        let mut ours = false;
        // "My", "my other", "a".
        while no < start + MOST_BEFORE
            && company(no).is_none()
            && self.reader.is_idle(no)
            && !self.reader.is_mark(no)
            && several(no).is_none()
            && self.len(|lang| &lang.naming.along, no) == 0
        {
            ours |= self.len(|lang| &lang.naming.ours, no) > 0;
            if self.number(no).is_some() {
                break;
            }
            no += 1;
        }
        let group = |at: usize, len: usize, count: i64| {
            let oneself = self.len(|lang| &lang.naming.oneself, at) == len;
            Group { end: at + len, count, sort: self.sort(at), ours, oneself, packed: false }
        };
        if let Some((end, number)) = self.number(no) {
            if let Some((len, each)) = several(end) {
                return Some(Group { packed: true, ..group(end, len, number.checked_mul(*each)?) });
            }
            // "1 for me", "2 for my friends".
            if let Some((end, who)) = self.for_whom(end) {
                return Some(Group { end, count: number, sort: Sort::Any, ours: false, oneself: who, packed: false });
            }
            // "Two of my friends", "2 of them kids".
            let them = self.len(|lang| &lang.naming.of_them, end);
            let (len, _) = company(end + them)?;
            return Some(group(end + them, len, number));
        }
        if let Some((len, each)) = several(no) {
            return Some(group(no, len, *each));
        }
        let (len, one) = company(no)?;
        (*one > 0).then(|| group(no, len, *one))
    }

    /// Somebody for whom something is: "for me", "for my friends"; the word behind, and whether it is the person.
    fn for_whom(&self, at: usize) -> Option<(usize, bool)> {
        let at = at + Some(self.len(|lang| &lang.number.for_people, at)).filter(|len| *len > 0)?;
        let company = |no: usize| self.reader.at(|lang| &lang.naming.company, no, self.count);
        let no = (at..at + MOST_BEFORE).find(|no| company(*no).is_some() || !self.reader.is_idle(*no))?;
        let (len, _) = company(no)?;
        Some((no + len, self.len(|lang| &lang.naming.oneself, no) == len))
    }

    /// A number of others that the person is added to: "3 plus me".
    fn plus(&self, start: usize) -> Option<Group> {
        let (end, count) = self.number(start)?;
        let plus = self.len(|lang| &lang.naming.plus, end);
        let oneself = plus > 0 && self.len(|lang| &lang.naming.oneself, end + plus) > 0;
        oneself.then_some(Group { end, count, sort: Sort::Any, ours: false, oneself: false, packed: false })
    }

    /// A number of others that are added to the person: "me plus 3".
    fn more(&self, groups: &[Group], end: usize, next: usize) -> Option<Group> {
        let plus = self.len(|lang| &lang.naming.plus, end);
        let oneself = groups.iter().any(|group| group.oneself);
        let (after, count) = self.number(next).filter(|_| oneself && plus > 0 && end + plus == next)?;
        let alone = after >= self.reader.clause_end(next) || self.reader.is_idle(after);
        alone.then_some(Group { end: after, count, sort: Sort::Any, ours: false, oneself: false, packed: false })
    }

    /// Whether a group comes along with whoever speaks: "with my wife", "with two friends"; not "I spoke with my wife".
    fn comes_along(&self, start: usize, first: Group) -> bool {
        let whose = first.ours || !matches!(first.sort, Sort::Adults | Sort::Minors);
        let clause = self.reader.clause_start(start);
        let with = (clause..start).rev().take(3).find(|no| {
            let len = self.len(|lang| &lang.naming.along, *no);
            len > 0 && no + len == start
        });
        with.is_some_and(|with| {
            let talks = with.checked_sub(1).filter(|no| *no >= clause);
            whose && talks.is_none_or(|no| self.len(|lang| &lang.naming.talks, no) == 0)
        })
    }

    /// What people are by the word for them. In Arabic "and" is written together with it.
    fn sort(&self, no: usize) -> Sort {
        let is = |table: fn(&Language) -> &Phrases<()>| {
            let bare = || self.reader.said.plain(no).strip_prefix('و');
            let word = |lang: &Language| bare().is_some_and(|word| table(lang).word(word).is_some());
            self.len(table, no) > 0 || self.reader.langs().any(word)
        };
        match () {
            () if is(|lang| &lang.naming.minor) => Sort::Minors,
            () if is(|lang| &lang.naming.adult) => Sort::Adults,
            () if is(|lang| &lang.naming.grown) || is(|lang| &lang.naming.oneself) => Sort::Grown,
            () => Sort::Any,
        }
    }

    /// A whole number at a word, and the word behind it.
    fn number(&self, no: usize) -> Option<(usize, i64)> {
        let (said, scene) = (self.reader.said, self.scene);
        if let Some(number) = numeral::at(said, no, scene.lang, scene.region).filter(|number| number.words.start == no)
        {
            let whole = number.value.is_integer().then(|| number.value.to_i64()).flatten();
            return whole.map(|value| (number.words.end, value));
        }
        // In Arabic "and" is written together with what it joins.
        let word = Said::new(said.word(no).strip_prefix('و')?);
        let number = numeral::at(&word, 0, scene.lang, scene.region)?;
        number.value.to_i64().map(|value| (no + 1, value))
    }

    /// Words and marks that join two of a list.
    fn joints(&self, no: usize) -> usize {
        let joint = |no: usize| match self.reader.said.word(no) {
            "," | "،" | "+" | "&" => 1,
            _ => {
                let with = self.len(|lang| &lang.naming.along, no);
                self.len(|lang| &lang.sentence.join, no).max(with).max(self.len(|lang| &lang.naming.plus, no))
            }
        };
        joint(no) + if joint(no) > 0 { joint(no + joint(no)) } else { 0 }
    }

    fn len(&self, table: fn(&Language) -> &Phrases<()>, no: usize) -> usize {
        self.reader.len(table, no, self.count)
    }
}
