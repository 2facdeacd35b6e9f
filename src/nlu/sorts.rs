//! Of which sort something is: right before what the form is about ("a drama movie", "pizza and pasta restaurant"), before
//! a word for sort ("a love story type of film"), behind what is had of it ("serves noodles"), and by itself ("some noodles
//! in town", "find a comedy directed by …").

use std::collections::BTreeMap;
use std::ops::Range;

use super::Scene;
use super::casts::is_artist;
use super::casts::is_called;
use super::ledger::Ledger;
use super::reader::Reader;
use super::spans::{Board, Cand, Slot, read};
use super::titles::{self, is_title, kin};
use formwright_form::Kind;
use formwright_form::cues::Mention;
use formwright_form::kind::{Reading, Said, Strength};
use formwright_text::stem;

/// Most words of a sort, "and" among them.
const MOST_WORDS: usize = 3;
/// Most words of a sort that nothing but a wish announces.
const MOST_ALONE: usize = 2;

/// Whether a field asks of which sort a place is: "type of venue".
fn asks_venue(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    let open = slot.is_free() && !slot.is_long() && slot.subtype().is_none();
    open && is_called(reader, slot, |lang| &lang.sentence.sort) && is_called(reader, slot, |lang| &lang.naming.venue)
}

/// Fills the only open field for a sort.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let open = |(no, slot): &(usize, &Slot<'_>)| {
        let wants = slot.asked || slot.value.is_none();
        wants
            && !ledger.has(*no)
            && slot.is_free()
            && !slot.is_long()
            && slot.subtype().is_none()
            && !is_title(reader, slot)
    };
    let asks_sort = |slot: &Slot<'_>| {
        words(&slot.field.label.by_lang).any(|word| names_a_sort(scene, &word)) || fare(scene, slot).is_some()
    };
    let mut sorts = board.slots.iter().enumerate().filter(open).filter(|(_, slot)| asks_sort(slot));
    // Beside the sort of a place, that of its food.
    let (first, second) = (sorts.next(), sorts.next());
    let (Some((no, slot)), None) = (match (first, second) {
        (Some(one), Some(two)) if asks_venue(reader, one.1) => (Some(two), sorts.next()),
        (Some(one), Some(two)) if asks_venue(reader, two.1) => (Some(one), sorts.next()),
        both => both,
    }) else {
        return;
    };
    // What it is a sort of stands where the field is explained: "Main genre of the movie".
    let help = slot.field.help.iter().flat_map(|help| words(&help.by_lang));
    let stop = |word: &String| scene.lang.and_english().any(|lang| lang.sentence.stop.word(word).is_some());
    let help = help.filter(|word| !names_a_sort(scene, word) && !stop(word));
    // A cuisine is that of a restaurant.
    let kin_of =
        |word: &String| scene.lang.and_english().any(|lang| lang.naming.kin.iter().flatten().any(|kin| kin == word));
    let label = words(&slot.field.label.by_lang).filter(kin_of);
    let things: Vec<String> = help.chain(label).chain(fare(scene, slot)).map(|word| stem(&word).to_owned()).collect();
    let sort = Sort { scene, reader, board, things: kin(scene, &things), asked: slot.asked };
    for clause in &reader.clauses {
        let denied = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, clause.words.end) > 0;
        if clause.words.clone().any(denied) {
            continue;
        }
        let words = || clause.words.clone();
        let run = sort.before_thing(ledger, words()).or_else(|| sort.behind_lead(ledger, words()));
        let run = run.or_else(|| sort.that_pleases(ledger, words()));
        // An answer that is the sort and nothing else is read as it stands.
        let Some(run) = run.filter(|run| !slot.asked || run.len() < reader.said.words.len()) else { continue };
        if let Reading::Value(found) = read(scene, reader, slot, run)
            && ledger.fill_named(reader, no, found)
        {
            return;
        }
    }
}

struct Sort<'a, 'b, 's> {
    scene: &'a Scene<'s>,
    reader: &'a Reader<'a>,
    board: &'a Board<'b>,
    things: Vec<String>,
    /// It was asked of which sort.
    asked: bool,
}

impl Sort<'_, '_, '_> {
    fn is_thing(&self, no: usize) -> bool {
        self.things.iter().any(|thing| thing == stem(self.reader.said.plain(no)))
    }

    /// "A drama movie", "a suspense genre movie", "a film of the love story type".
    fn before_thing(&self, ledger: &Ledger, words: Range<usize>) -> Option<Range<usize>> {
        words.clone().find_map(|at| {
            let reader = self.reader;
            let named = at > words.start && names_a_sort(self.scene, reader.said.plain(at - 1));
            // "Thai places": of a capital right before it, whatever else "place" says.
            let spot = reader.len(|lang| &lang.naming.spot, at, words.end) > 0
                && at > words.start
                && reader.is_capital(at - 1);
            let thing = spot || self.is_thing(at) && (!reader.is_idle(at) || reader.is_of_form(at));
            // "Of the love story type": a word for sorts that ends there, or goes on with the thing.
            let goes_on = at + 1 >= words.end || reader.is_idle(at + 1);
            let sort = names_a_sort(self.scene, reader.said.plain(at)) && goes_on && !self.names_another(at);
            let mut end = at - usize::from(thing && named);
            // "A french expensive restaurant": another option may stand between.
            while thing && end > words.start && self.is_option(end - 1) {
                end -= 1;
            }
            let run = if thing || sort { self.run_before(ledger, words.start..end) } else { end..end };
            (!run.is_empty()).then_some(run)
        })
    }

    /// Whether a word is all of an option.
    fn is_option(&self, no: usize) -> bool {
        let option = |cand: &Cand| cand.words == (no..no + 1) && cand.strength == Strength::Exact;
        let choice = |cand: &Cand| matches!(self.board.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        self.board.cands.iter().any(|cand| option(cand) && choice(cand))
    }

    /// Whether a word names another field, of which something is said.
    fn names_another(&self, no: usize) -> bool {
        let names = |mention: &Mention| {
            let slot = self.board.slot_of(mention.field).and_then(|no| self.board.slots.get(no));
            mention.words.contains(&no) && slot.is_some_and(|slot| !slot.is_free())
        };
        self.board.mentions.iter().any(names)
    }

    /// "Serves noodles", "in the mood for noodles", "find a comedy starring …".
    fn behind_lead(&self, ledger: &Ledger, words: Range<usize>) -> Option<Range<usize>> {
        let reader = self.reader;
        words.clone().find_map(|at| {
            let serves = reader.len(|lang| &lang.naming.serves, at, words.end);
            let mood = reader.len(|lang| &lang.naming.mood, at, words.end);
            let seeks = reader.len(|lang| &lang.naming.seeks, at, words.end);
            // "A comedy starring …".
            let begins = if at == words.start { reader.len(|lang| &lang.sentence.articles, at, words.end) } else { 0 };
            let len = serves.max(mood).max(seeks).max(begins);
            if len == 0 {
                return None;
            }
            // "Feel like renting a good …".
            let praise = |no: usize| {
                reader.len(|lang| &lang.sentence.praise, no, words.end) > 0
                    || reader.len(|lang| &lang.sentence.articles, no, words.end) > 0
                    || reader.len(|lang| &lang.naming.mood, no, words.end) == 1
            };
            // "Some moderately priced seafood": another option may stand between.
            let start = (at + len..words.end).find(|no| !praise(*no) && !self.board.is_of_option(*no))?;
            let mut run = self.run_from(ledger, start..words.end);
            let common = |no: usize| reader.langs().any(|lang| lang.option.common.word_at(reader.said, no).is_some());
            // "Westerns tonight": an everyday word behind it is no part of it.
            if serves < len {
                run.end = run.clone().skip(1).find(|no| common(*no)).unwrap_or(run.end);
            }
            let most = if serves >= len { MOST_WORDS } else { MOST_ALONE };
            let next = run.end;
            // "Find a comedy starring …", "some noodles in town": nothing else is looked for.
            let whole = |mention: &Mention| mention.weight >= 1.0 && reader.is_capital(mention.words.end);
            let cue = |mention: &Mention| mention.words.start == next && (mention.cue || whole(mention));
            let cue = self.board.mentions.iter().any(cue);
            let value = self.board.cands.iter().any(|cand| cand.words.start == next && cand.strength > Strength::Weak);
            let short = self.asked && words.end - next <= 2;
            let ends = next >= words.end || value || short || reader.is_idle(next) && !self.is_thing(next) || cue;
            let plain = serves >= len || mood >= len || cue || next + 1 < words.end && ends;
            let explains = |no: usize| self.board.explained.contains(stem(reader.said.plain(no)));
            let own = run.clone().all(|no| !common(no) && !explains(no));
            // "I like Ann Lee": where songs and who sings them are asked for, capitals are theirs.
            let named = serves < len && self.names_works() && run.clone().all(|no| reader.is_capital(no)) && at > 0;
            // "I like that actor."
            let points = reader.len(|lang| &lang.naming.pointing, at + len, words.end) > 0;
            let fits = !run.is_empty() && run.len() <= most && ends && plain && !points && !named;
            (fits && (own || serves >= len)).then_some(run)
        })
    }

    /// Whether the form asks for what is played or watched by its title, or for who made it.
    fn names_works(&self) -> bool {
        let title = |slot: &Slot<'_>| {
            let words = titles::thing(self.reader, slot).unwrap_or_default();
            words.iter().any(|word| titles::has(self.reader, |lang| &lang.naming.work, word))
        };
        self.board.slots.iter().any(|slot| is_artist(self.reader, slot) || slot.is_free() && title(slot))
    }

    /// "Noodles would be great."
    fn that_pleases(&self, ledger: &Ledger, words: Range<usize>) -> Option<Range<usize>> {
        let pleases = |no: &usize| self.reader.len(|lang| &lang.naming.pleases, *no, words.end) > 0;
        let at = words.clone().find(pleases)?;
        let run = self.run_before(ledger, words.start..at);
        // "If the weather is good."
        let depends = |no: usize| self.reader.len(|lang| &lang.denial.condition, no, at) > 0;
        if words.clone().take_while(|no| *no < at).any(depends) {
            return None;
        }
        // "The large screen is fine": a value right before it is what pleases.
        let of_value = run.start.checked_sub(1).is_some_and(|no| {
            let exact = |cand: &&Cand| cand.strength == Strength::Exact && cand.words.contains(&no);
            self.board.cands.iter().any(|cand| exact(&cand))
        });
        Some(run).filter(|run| !run.is_empty() && run.len() <= MOST_ALONE && !of_value)
    }

    /// Whether a word belongs to nothing else and does not praise.
    fn tells(&self, ledger: &Ledger, no: usize) -> bool {
        let reader = self.reader;
        let value = self.board.cands.iter().any(|cand| cand.words.contains(&no));
        let known = self.scene.form.cues().knows(stem(reader.said.plain(no)));
        let verb = reader.len(|lang| &lang.sentence.verb, no, no + 1) > 0;
        let praise = reader.len(|lang| &lang.sentence.praise, no, no + 1) > 0;
        let seeks =
            reader.len(|lang| &lang.naming.seeks, no, no + 1).max(reader.len(|lang| &lang.naming.mood, no, no + 1));
        let leads = seeks.max(reader.len(|lang| &lang.naming.serves, no, no + 1)) > 0;
        let free = ledger.is_free(no..no + 1) && !leads && !value && !known && !verb && !praise && !self.is_thing(no);
        free && !reader.is_idle(no) && !reader.is_mark(no) && !reader.is_digits(no)
    }

    fn joins(&self, no: usize) -> bool {
        self.reader.said.word(no) == "and"
    }

    /// The words at the end of some that may be a sort.
    fn run_before(&self, ledger: &Ledger, words: Range<usize>) -> Range<usize> {
        let end = words.end;
        let tells = |no: usize| self.tells(ledger, no);
        let joins = |no: usize| no > words.start && self.joins(no) && tells(no - 1);
        let mut start = end;
        while start > words.start && end - start < MOST_WORDS && (tells(start - 1) || start < end && joins(start - 1)) {
            start -= 1;
        }
        if start < end && !tells(start) {
            start += 1;
        }
        // "We ordered food": what somebody does is no sort.
        let does = start > words.start && self.reader.len(|lang| &lang.sentence.speaker, start - 1, end) > 0;
        if does {
            return end..end;
        }
        // "The love story type": behind an article it is no verb.
        let reader = self.reader;
        let noun = start > words.start + 1
            && reader.len(|lang| &lang.naming.noun, start - 1, start) > 0
            && reader.len(|lang| &lang.sentence.articles, start - 2, start) > 0;
        if start < end && noun { start - 1..end } else { start..end }
    }

    /// The words at the beginning of some that may be a sort.
    fn run_from(&self, ledger: &Ledger, words: Range<usize>) -> Range<usize> {
        let tells = |no: usize| no < words.end && self.tells(ledger, no);
        let mut end = words.start;
        while end - words.start < MOST_WORDS && (tells(end) || end > words.start && self.joins(end) && tells(end + 1)) {
            end += 1;
        }
        words.start..end
    }
}

/// The name of a field that is what something is asked of which sort: "food".
fn fare(scene: &Scene<'_>, slot: &Slot<'_>) -> Option<String> {
    let named = |word: &String| scene.lang.and_english().any(|lang| lang.naming.fare.word(word).is_some());
    let label = |text: &String| words_of(text).filter(|all| all.len() == 1).and_then(|mut all| all.pop());
    slot.field.label.by_lang.values().find_map(|text| label(text).filter(named))
}

fn words_of(text: &str) -> Option<Vec<String>> {
    let said = Said::new(text);
    (!said.words.is_empty()).then(|| (0..said.words.len()).map(|no| said.plain(no).to_owned()).collect())
}

fn words(texts: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    texts.values().flat_map(|text| {
        let said = Said::new(text);
        (0..said.words.len()).map(|no| said.plain(no).to_owned()).collect::<Vec<_>>()
    })
}

fn names_a_sort(scene: &Scene<'_>, word: &str) -> bool {
    scene.lang.sentence.sort.word(stem(word)).is_some()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const FILM: &str = r#"
id = "film"
title = "An evening"

[[field]]
id = "genre"
kind = "text"
label = "Genre"
help = "Main genre of the movie"

[[field]]
id = "where"
kind = "choice"
label = "Where"
options = ["Cinema", "Home"]
"#;

    #[rstest]
    #[case("I want to see a drama movie", "genre=drama")]
    #[case("find me some science fiction movies at home please", "genre=science fiction; where=home")]
    #[case("a suspense genre movie", "genre=suspense")]
    #[case("I want a good movie", "")]
    #[case("no drama movie please", "")]
    #[case("some movie at the cinema", "where=cinema")]
    #[case("I'd like to watch a movie at home", "where=home")]
    #[case("I want a film of the love story type", "genre=love story")]
    #[case("some funny kind of film", "genre=funny")]
    #[case("find me a comedy with my wife in it", "genre=comedy")]
    #[case("I'm in the mood for a good western", "genre=western")]
    #[case("find a place at home", "where=home")]
    #[case("I like that director, at home then", "where=home")]
    #[case("some drama at the cinema", "genre=drama; where=cinema")]
    fn a_sort_stands_before_the_thing(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(FILM, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("I would like to watch horror movies", "genre=horror")]
    #[case("I'm thinking drama", "genre=drama")]
    #[case("drama", "genre=drama")]
    #[case("something sad", "genre=something sad")]
    #[case("a musical would be great", "genre=musical")]
    #[case("I feel like watching westerns tonight then", "genre=westerns")]
    fn a_sort_is_found_in_the_answer_to_its_question(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(FILM, "genre").fills(said), expected, "{said}");
    }
}
