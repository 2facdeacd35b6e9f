//! The name of a thing that was asked for, among other words: "let's watch Nightfall", "Nightfall sounds good", "the movie
//! Nightfall", "nightfall tomorrow at the roxy 12", "the Nightfall one". What is wanted without a name ("the cheaper one")
//! is none.

use std::ops::Range;

use super::Scene;
use super::dishes::past_options;
use super::ledger::Ledger;
use super::name_end::{before_house, before_town, is_house, value_behind};
use super::named_sort::{Sort, is_house_field, is_work_field, own_words, sort};
use super::picked::{booking, is_no_name, lead, pleases, talks, visit, without_tail};
use super::reader::{Clause, Reader};
use super::spans::{Board, Cand, Slot};
use super::texts::trim;
use super::titles::has;
use super::unmeant::is_polite;
use formwright_form::Kind;
use formwright_form::kind::Strength;
use formwright_text::stem;

/// The name in a message that says more, and what the message says where it names a house besides.
struct Cut {
    lead: Range<usize>,
    name: Range<usize>,
    house: Option<(usize, Range<usize>)>,
}

/// Fills the asked name of a thing from a message that says more than the name.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    let Some(no) = board.asked.filter(|no| !ledger.has(*no)) else { return };
    let Some(slot) = board.slots.get(no) else { return };
    let Some(sort) = sort(reader, slot) else { return };
    let cut = told(reader).map(|name| Cut { lead: 0..0, name, house: None });
    let cut =
        cut.or_else(|| if sort == Sort::Thing { None } else { cut_out(scene, reader, board, ledger, (slot, sort)) });
    let Some(Cut { lead, name, house }) = cut.filter(|cut| ledger.is_free(cut.name.clone())) else { return };
    // "I'd like Friday" is a day.
    let other = |cand: &Cand| {
        let whole = cand.words.start <= name.start && name.end <= cand.words.end;
        whole && cand.strength > Strength::Weak && !matches!(board.kind_of(cand), Some(Kind::Text(_)))
    };
    if board.cands.iter().any(other) {
        return;
    }
    if ledger.take(scene, reader, board, no, name.clone()) {
        let clause = reader.clause_words(name.start);
        let end = pleases(reader, name.end, clause.end).map_or(name.end, |_| clause.end);
        ledger.claim(lead);
        ledger.claim(name.end..end);
    }
    if let Some((other, words)) = house.filter(|(other, words)| !ledger.has(*other) && ledger.is_free(words.clone())) {
        ledger.take(scene, reader, board, other, words);
    }
}

/// "It's a small firm, the name is Nightfall": what the name is said to be.
fn told(reader: &Reader<'_>) -> Option<Range<usize>> {
    reader.clauses.iter().find_map(|clause| {
        let Range { start, end } = clause.words;
        let from = reader.past_filler(start..end);
        let article = reader.len(|lang| &lang.naming.the, from, end);
        let title = from + article;
        let is = reader.len(|lang| &lang.sentence.is, title + 1, end);
        let named = article > 0 && has(reader, |lang| &lang.naming.title, reader.said.plain(title)) && is > 0;
        let name = trim(reader, title + 1 + is..end);
        let fits = reader.is_capital(name.start) || reader.is_unknown(name.start);
        (named && fits && !name.is_empty()).then_some(name)
    })
}

/// The name without what leads to it and what follows it; `None` where nothing of the kind is there.
fn cut_out(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &Ledger,
    (slot, sort): (&Slot<'_>, Sort),
) -> Option<Cut> {
    // "Sure. I'd like …"
    let says_nothing = |clause: &Clause| !ledger.is_free(clause.words.clone()) || is_polite(reader, &clause.words);
    let at = reader.clauses.iter().position(|clause| !says_nothing(clause))?;
    let clause = reader.clauses.get(at)?;
    let words = clause.words.clone();
    let own = own_words(scene, reader, slot);
    let is_own = |no: usize| !reader.is_capital(no) && own.iter().any(|word| word == stem(reader.said.plain(no)));
    let chosen = lead(reader, words.clone()).filter(|start| !is_no_name(reader, *start, words.end));
    let led = chosen.or_else(|| if sort == Sort::Work { visit(reader, words.clone()) } else { None });
    // "A restaurant called Nopiro."
    let called = |no: usize| reader.len(|lang| &lang.naming.calls, no, words.end);
    let called = (words.start + 1..words.end).find(|no| called(*no) > 0 && is_own(no - 1)).map(|no| no + called(no));
    let led = called.filter(|start| *start < words.end).or(led);
    let led = led.or_else(|| if sort == Sort::House { booking(reader, words.clone()) } else { None });
    if led.is_none() && talks(reader, clause) {
        return None;
    }
    // "Zootopia at the Roxy" where the house was asked for is said of both.
    let shown = || {
        let sees = |no: usize| {
            let visits = reader.len(|lang| &lang.naming.visits, no, words.end);
            visits.max(reader.len(|lang| &lang.naming.starts, no, words.end)) > 0
        };
        (words.start..led.unwrap_or(words.start)).any(sees)
            && board.slots.iter().any(|slot| is_work_field(reader, slot))
    };
    if sort == Sort::House && shown() {
        return None;
    }
    if led.is_none() && reader.telling().len() == 1 && is_whole_title(reader, board, &words, sort) {
        return Some(Cut { lead: 0..0, name: words, house: None });
    }
    let mut start = led.unwrap_or(words.start);
    let mut changed = led.is_some();
    let mut end = words.end;
    if let Some(no) = (start + 1..end).find(|no| pleases(reader, *no, end).is_some()) {
        (end, changed) = (no, true);
    }
    if let Some(no) = value_behind(scene, reader, board, slot, start..end) {
        (end, changed) = (no, true);
    }
    // "2 seats for Nightfall in Oslo"; "Nightfall in Oslo" may be all of a title.
    if sort == Sort::Work && led.is_some() {
        end = before_town(reader, board, slot, start..end);
    }
    let (stop, house) = before_house(reader, board, slot, sort, start..end);
    if stop < end {
        (end, changed) = (stop, true);
    }
    if end == words.end && !goes_apart(reader, board, at) {
        return None;
    }
    changed |= end == words.end && reader.clauses.len() > at + 1;
    let tail = without_tail(reader, start..end);
    changed |= (tail..end).any(|no| !reader.is_mark(no));
    let end = tail;
    // "At the Roxy", where a house was asked for.
    if sort == Sort::House && led.is_none() {
        let at = reader.len(|lang| &lang.naming.at, start, end);
        if at > 0 && (!reader.is_capital(start + at - 1) || start == 0) {
            (start, changed) = (start + at, true);
        }
    }
    let article = if reader.is_capital(start) && start > words.start {
        0
    } else {
        reader.len(|lang| &lang.sentence.articles, start, end)
    };
    let the = article > 0 && reader.len(|lang| &lang.naming.the, start, end) > 0;
    // "The Nightfall one".
    let one = end.checked_sub(1).filter(|last| {
        the && *last > start + article
            && !reader.is_capital(*last)
            && reader.len(|lang| &lang.option.one, *last, end) == 1
    });
    let mut name = start..end;
    if let Some(last) = one {
        (name, changed) = (start + article..last, true);
    } else if article > 0 || led.is_some() || start == words.start {
        // "The movie Nightfall", "the movie called Nightfall".
        let noun = start + article;
        let calls = |no: usize| no + reader.len(|lang| &lang.naming.calls, no, end);
        let past = calls(noun + 1);
        let named = noun + 1 < end
            && is_own(noun)
            && past < end
            && !reader.is_idle(past)
            && !(past..end).all(|no| reader.is_digits(no));
        // "A buffalo pizza" of a dish is a buffalo pizza, "inferno the movie" Inferno.
        if named && !is_own(past) && (article == 0 || the) {
            (name, changed) = (past..end, true);
        }
    }
    if sort == Sort::Dish {
        let first = name.start + reader.len(|lang| &lang.sentence.articles, name.start, name.end);
        let last = name.end.checked_sub(1).filter(|last| is_own(*last) && *last > first);
        let until = last.unwrap_or(name.end);
        let first = past_options(reader, board, first..until);
        if first < until && (last.is_some() && name.start < first || changed || led.is_some()) {
            (name, changed) = (first..until, true);
        }
    }
    let name = attached(reader, trim(reader, name));
    let tells = |no: usize| !reader.is_mark(no) && (!reader.is_idle(no) || reader.is_capital(no));
    let fits = changed && name.clone().any(tells) && (name != (0..reader.said.words.len()));
    // Of "3 tickets for Nightfall" the tickets are counted.
    let from = if chosen == led { words.start } else { led.map_or(words.start, |start| start - 1) };
    let lead = from..led.unwrap_or(words.start);
    fits.then_some(Cut { lead, name, house })
}

/// Whether words with capitals are a title with "at" in it, and no value of anything else: "Inn at the Park".
fn is_whole_title(reader: &Reader<'_>, board: &Board<'_>, words: &Range<usize>, sort: Sort) -> bool {
    let at = |no: usize| reader.len(|lang| &lang.naming.at, no, words.end) > 0;
    let inside = |no: usize| at(no) || reader.len(|lang| &lang.naming.inside, no, words.end) > 0;
    let Some(led) = (words.start + 1..words.end).find(|no| at(*no) && !reader.is_capital(*no)) else { return false };
    let article = reader.len(|lang| &lang.sentence.articles, led + 1, words.end);
    let behind = led + 1 + article;
    // "Zootopia at Elm Square" may be said of a film and of where it is shown.
    let both = sort == Sort::Work && article == 0 && board.slots.iter().any(|slot| is_house_field(reader, slot));
    let value = board.cands.iter().any(|cand| {
        cand.strength > Strength::Weak && !matches!(board.kind_of(cand), Some(Kind::Text(_) | Kind::Integer(_)))
    });
    let last = words.end - 1;
    !value
        && !both
        && reader.is_capital(words.start)
        && reader.is_capital(last)
        && !is_house(reader, &(behind..words.end))
        && words.clone().all(|no| reader.is_capital(no) || reader.is_digits(no) || inside(no))
}

/// Whether the clause behind one is said of something else: nothing follows, a new sentence of the speaker does, or a value.
fn goes_apart(reader: &Reader<'_>, board: &Board<'_>, at: usize) -> bool {
    let (Some(clause), next) = (reader.clauses.get(at), reader.clauses.get(at + 1)) else { return false };
    let Some(next) = next.filter(|next| !is_polite(reader, &next.words)) else { return true };
    let words = next.words.clone();
    let value = || board.cands.iter().any(|cand| cand.strength > Strength::Weak && words.contains(&cand.words.start));
    let talks = || {
        let begins = |table| reader.begins(table, words.clone());
        begins(|lang| &lang.sentence.speaker)
            || begins(|lang| &lang.sentence.courtesy)
            || begins(|lang| &lang.sentence.request)
    };
    let small = || {
        let subject = reader.len(|lang| &lang.brief.subject, words.start, words.end) > 0;
        subject || reader.is_idle(words.start) && !words.clone().skip(1).any(|no| reader.is_capital(no))
    };
    // "It sounds fun."
    let remarks = || {
        let subject = words.start + reader.len(|lang| &lang.brief.subject, words.start, words.end);
        reader.len(|lang| &lang.naming.seems, subject, words.end) > 0 && !words.clone().any(|no| reader.is_capital(no))
    };
    value() || talks() || remarks() || clause.stop && small()
}

/// Words with a mark that is written together with the first of them: ".ink".
fn attached(reader: &Reader<'_>, words: Range<usize>) -> Range<usize> {
    let Some(before) = words.start.checked_sub(1).filter(|no| matches!(reader.said.word(*no), "." | "#")) else {
        return words;
    };
    let together = reader.raw_range(before..before + 1).end == reader.raw_range(words.clone()).start;
    let apart = before == 0 || reader.raw_range(before - 1..before).end < reader.raw_range(before..before + 1).start;
    if together && apart { before..words.end } else { words }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::{Stage, sorted};

    const EVENING: &str = r#"
id = "evening"
title = "Evening"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "film"
kind = "text"
label = { en = "Movie title", it = "Titolo del film", es = "Título de la película", de = "Filmtitel", fr = "Titre du film", ar = "عنوان الفيلم" }

[[field]]
id = "cinema"
kind = "text"
label = { en = "Cinema", it = "Cinema", es = "Cine", de = "Kino", fr = "Cinéma", ar = "السينما" }

[[field]]
id = "seats"
kind = "integer"
label = "Number of tickets"

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "hour"
kind = "time"
label = "Time"
"#;

    #[rstest]
    #[case("film", "let's watch how to tame a gryphon", "film=how to tame a gryphon")]
    #[case("film", "Gryphon Hill sounds pretty good", "film=Gryphon Hill")]
    #[case("film", "I'll go with Gryphon Hill, it sounds fun", "film=Gryphon Hill")]
    #[case("film", "Gryphon Hill, looks scary", "film=Gryphon Hill")]
    #[case("film", "the movie gryphon", "film=gryphon")]
    #[case("film", "gryphon today, three tickets", "film=gryphon; day=2026-11-21; seats=3")]
    #[case("film", "gryphon and on friday", "film=gryphon; day=2026-11-27")]
    #[case("film", "3 tickets for Gryphon Hill", "film=Gryphon Hill; seats=3")]
    #[case("film", "Gryphon Hill please, 4 tickets", "film=Gryphon Hill; seats=4")]
    #[case("film", "gryphon at roxaline 12", "cinema=roxaline 12; film=gryphon")]
    #[case("film", "Ball at the Palace", "film=Ball at the Palace")]
    #[case("film", "Nearly Christmas", "film=Nearly Christmas")]
    #[case("film", "Let's Waltz", "film=Let's Waltz")]
    #[case("film", "2 tickets for Gryphon Hill at 8 pm", "film=Gryphon Hill; seats=2; hour=20:00")]
    #[case("cinema", "the roxaline one", "cinema=roxaline")]
    #[case("cinema", "I'll take the Roxaline then", "cinema=the Roxaline")]
    #[case("cinema", "a cinema called Roxaline", "cinema=Roxaline")]
    fn an_asked_name_is_taken_without_what_is_around_it(
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(sorted(&Stage::new(EVENING, asked).fills(said)), sorted(expected), "{said}");
    }

    #[rstest]
    #[case("it", "guardiamo Notte Blu", "film=Notte Blu")]
    #[case("es", "quiero ver Noche Azul", "film=Noche Azul")]
    #[case("de", "ich nehme Nachtflug", "film=Nachtflug")]
    #[case("fr", "je prends Nuit Bleue", "film=Nuit Bleue")]
    fn so_it_is_in_other_languages(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let form = EVENING.replace("Filmtitel", "Titel des Films");
        let form: &'static str = Box::leak(form.into_boxed_str());
        assert_eq!(Stage::new(form, "film").speaking(lang).fills(said), expected, "{said}");
    }
}
