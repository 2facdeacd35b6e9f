//! Words of a message that nothing was made of: they are named, so that they do not vanish.

use std::collections::BTreeSet;
use std::ops::Range;

use formwright_chat as chat;

use crate::command::dispatch;
use crate::draft::filling::Filling;
use crate::handle::read;
use crate::history::secrets;
use crate::model::again;
use crate::saying::Saying;
use crate::sheet;
use crate::talk::Talk;
use formwright_form::Path;
use formwright_form::kind::{Said, overlap};
use formwright_lexicon::Language;
use formwright_lexicon::dates::Term;
use formwright_nlu::{Command, Understood};

/// Longest part of a message that is repeated as not understood, in characters.
const LONGEST_QUOTE: usize = 60;

/// Reads a message once more for fields that its first values have brought into view, and weighs once more what a model
/// proposed for them; what is left over is what no reading explains.
pub(crate) fn fill_what_appeared(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    hidden: &BTreeSet<Path>,
    said: &Said,
    leftover: &mut Vec<Range<usize>>,
) {
    if let Some(left) = read_for_appeared(talk, filling, hidden, said) {
        left_by_both(leftover, &left);
    }
    again::weigh_again(talk, filling, said, leftover);
}

/// Tells what that reading left over, where it filled any.
fn read_for_appeared(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    hidden: &BTreeSet<Path>,
    said: &Said,
) -> Option<Vec<Range<usize>>> {
    let (commands, leftover) = said_of_appeared(filling, hidden, said)?;
    let any = commands.iter().any(|command| matches!(command, Command::Fill { .. }));
    for command in commands {
        let _ = dispatch::carry_out(talk, filling, command);
    }
    any.then_some(leftover)
}

/// Names the words of a message that nothing was made of, beside what was: of many the first ones, of long ones the
/// beginning.
pub(crate) fn name_leftover(saying: &mut Saying, filling: &mut Filling<'_>, said: &Said, leftover: &[Range<usize>]) {
    const MOST: usize = 3;
    let tells_day =
        |span: &Range<usize>| said.raw.get(span.clone()).is_some_and(|part| names_day(part, filling.world.lang));
    let telling = leftover.iter().filter(|span| may_be_an_answer(&said.raw, span) || tells_day(span));
    let parts = telling.filter_map(|span| said.raw.get(span.clone()));
    let mut parts: Vec<String> = parts.map(shortened).collect();
    if parts.is_empty() {
        return;
    }
    // A client's form is not done with that.
    sheet::note_vain(filling);
    // What is said of a field that nobody else may see is not said back.
    let private = secrets::private_named(filling, said);
    if !private.is_empty() {
        let open = private.iter().filter(|field| !filling.draft().answers.contains_key(&Path::field(&field.id)));
        for label in open.map(|field| field.label.pick(&filling.world.tags_of(filling.form))) {
            saying.notes.push(filling.say("ask_later", &[("label", label)]));
        }
        return;
    }
    if parts.len() > MOST {
        parts.truncate(MOST);
        parts.push(String::new());
    }
    let what = parts.join(" … ");
    saying.notes.push(filling.say("not_understood_part", &[("what", what.trim_end())]));
}

/// What a message says of fields that were hidden and are not any more, and what that reading leaves over; `None` where none
/// has appeared.
pub(crate) fn said_of_appeared(
    filling: &Filling<'_>,
    hidden: &BTreeSet<Path>,
    said: &Said,
) -> Option<(Vec<Command>, Vec<Range<usize>>)> {
    if hidden.iter().all(|path| filling.draft().hidden.contains(path)) {
        return None;
    }
    let mut understood = read::read(&[], filling, said);
    let _ = secrets::keeps_secrets_out(filling, &mut understood, said);
    let Understood { mut commands, leftover, .. } = understood;
    commands.retain(|command| {
        let (Command::Fill { path, .. } | Command::AddItem { list: path }) = command else { return false };
        let appeared = hidden.iter().any(|was| path.is_within(was)) && !filling.draft().is_hidden(path);
        let given = filling.draft().answers.get(path).is_some_and(|a| a.source != chat::Source::Default);
        appeared && !given
    });
    Some((commands, leftover))
}

/// Keeps of what one reading left over the words that another did not explain either.
pub(crate) fn left_by_both(leftover: &mut Vec<Range<usize>>, other: &[Range<usize>]) {
    let both = |span: &Range<usize>| {
        let parts = other.iter().filter(|other| overlap(other, span));
        parts.map(|other| other.start.max(span.start)..other.end.min(span.end)).collect::<Vec<_>>()
    };
    *leftover = leftover.iter().flat_map(both).collect();
}

/// Words to be repeated, on one line; of many the beginning.
fn shortened(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_QUOTE {
        return line;
    }
    let cut: String = line.chars().take(LONGEST_QUOTE).collect();
    let whole = cut.rfind(' ').and_then(|at| cut.get(..at)).unwrap_or(&cut);
    format!("{whole} …")
}

/// Whether words that nothing was made of look like an answer, and not like the verb of a sentence: a number, several
/// words, or all that stands between two commas.
fn may_be_an_answer(raw: &str, span: &Range<usize>) -> bool {
    let (Some(before), Some(words), Some(after)) = (raw.get(..span.start), raw.get(span.clone()), raw.get(span.end..))
    else {
        return false;
    };
    let ends = |c: char| c.is_alphanumeric() || matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | '\n' | '،' | '؛' | '؟');
    let alone = !before.chars().rev().find(|c| ends(*c)).is_some_and(char::is_alphanumeric)
        && !after.chars().find(|c| ends(*c)).is_some_and(char::is_alphanumeric);
    alone || words.chars().any(char::is_numeric) || words.split_whitespace().count() > 1
}

/// Whether words name a day, a day of the week or a month: they are said for a reason.
fn names_day(part: &str, lang: &Language) -> bool {
    let said = Said::new(part);
    let named = |no: usize, lang: &Language| {
        lang.date.beginning_at(&said, no).iter().any(|phrase| {
            let day = matches!(phrase.term, Term::Day(_) | Term::DayPart(..) | Term::Weekday(_) | Term::Month(_));
            day && phrase.rest.is_empty()
        })
    };
    (0..said.words.len()).any(|no| lang.and_english().any(|lang| named(no, lang)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::short("two  words", "two words")]
    #[case::lines("one\ntwo", "one two")]
    #[case::long(&"word ".repeat(20), "word word word word word word word word word word word word …")]
    #[case::one_long_word(&"w".repeat(80), &format!("{} …", "w".repeat(60)))]
    fn long_words_are_named_by_their_beginning(#[case] words: &str, #[case] expected: &str) {
        assert_eq!(shortened(words), expected);
    }

    #[test]
    fn what_one_of_two_readings_explains_is_not_left_over() {
        // "bring two guests": the second reading fills the number of guests.
        let mut leftover = vec![9..25, 30..34];
        left_by_both(&mut leftover, &[9..14, 40..44]);
        assert_eq!(leftover.as_slice(), std::slice::from_ref(&(9..14)));
    }

    #[rstest]
    #[case::tomorrow("tomorrow", true)]
    #[case::weekday("since Monday", true)]
    #[case::month("all of December", true)]
    #[case::verb("bring", false)]
    fn days_are_named(#[case] part: &str, #[case] expected: bool) {
        assert_eq!(names_day(part, formwright_lexicon::language("en")), expected);
    }
}
