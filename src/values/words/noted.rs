//! Names by what stands around them: "put Ann Lee down for it", "ms ann lee", "réservez pour Claire Morel", "for my daughter
//! Ann Lee".

use std::ops::Range;

use formwright_lexicon::given::is_given;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said};

use super::free;
use crate::reading::{Context, Strength};

/// Most words of such a name.
const MOST: usize = 4;

/// Names that somebody is noted or addressed by, left to right.
pub(crate) fn names(said: &Said, cx: &Context<'_>) -> Vec<(Range<usize>, Strength)> {
    let mut found = Vec::new();
    let small = said.is_small();
    let mut no = 0;
    while no < said.words.len() {
        let told = noted(said, cx, no).or_else(|| for_somebody(said, cx, no)).or_else(|| kin(said, cx, no));
        match told.or_else(|| if small { addressed(said, cx, no) } else { None }) {
            Some((name, strength)) => {
                no = name.end;
                found.push((name, strength));
            }
            None => no += 1,
        }
    }
    found
}

/// "Put Ann Lee down": what stands between the two words.
fn noted(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let start = no + free::at(said, cx, no, |lang| &lang.name.puts)?;
    let start = start + free::at(said, cx, start, |lang| &lang.filler.around).unwrap_or(0);
    let down = |no: usize| free::at(said, cx, no, |lang| &lang.name.down).is_some();
    let end = (start + 1..=start + MOST).find(|no| down(*no))?;
    let name = start..end;
    // "Put Tuesday down", "put Mum down".
    let known = |no: usize| {
        let plain = said.plain(no);
        !is_given(plain) && cx.lang.and_english().any(|lang| lang.knows(plain))
    };
    let named = name.clone().all(|no| may_name(said, cx, no)) && !name.clone().all(known);
    named.then_some((name, Strength::Exact))
}

/// "Pour Claire Morel", "per la signora Anna Berti": a given name and another with capitals, behind "for". What is for a place
/// begins with none.
fn for_somebody(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let mut start = no + free::at(said, cx, no, |lang| &lang.number.for_people)?;
    let article = cx.lang.sentence.articles.word_at(said, start).is_some();
    let title = free::at(said, cx, start + usize::from(article), |lang| &lang.naming.address);
    if let Some(len) = title {
        start += usize::from(article) + len;
        start += usize::from(said.word(start) == ".");
    }
    let name = capitals(said, cx, start);
    let given = title.is_some() || is_given(said.plain(start));
    (given && name.len() > 1).then_some((name, Strength::Typed))
}

/// "My daughter Ann Lee" at the beginning or behind "for" or "to": the name of somebody of the person's own. With whom one
/// comes ("and my wife Ann Lee") is nobody that something is for.
fn kin(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let ends = |table: fn(&Language) -> &Phrases<()>| {
        const LONGEST: usize = 3;
        (no.saturating_sub(LONGEST)..no).any(|at| free::at(said, cx, at, table) == Some(no - at))
    };
    let mark = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Mark);
    let leads = || {
        let first = no.checked_sub(1).is_none_or(|before| mark(before) && said.word(before) != ",");
        first || ends(|lang| &lang.number.for_people) || ends(|lang| &lang.naming.whom)
    };
    if let Some(start) = related(said, cx, no).filter(|_| leads()) {
        let name = capitals(said, cx, start);
        return (name.len() > 1).then_some((name, Strength::Typed));
    }
    // Arabic "لابنتي" is "for my daughter", and its names have no capitals.
    let bare = cx.lang.number.for_prefix.and_then(|prefix| said.plain(no).strip_prefix(prefix))?;
    cx.lang.name.kin.word(bare)?;
    let start = no + 1;
    let stranger = |no: &usize| may_name(said, cx, *no) && !cx.lang.knows(said.plain(*no));
    let name = start..start + (start..start + MOST).take_while(stranger).count();
    (name.len() > 1).then_some((name, Strength::Typed))
}

/// The word behind "my daughter" and its like at a word.
fn related(said: &Said, cx: &Context<'_>, no: usize) -> Option<usize> {
    let article = usize::from(cx.lang.sentence.articles.word_at(said, no).is_some());
    let ours = free::at(said, cx, no + article, |lang| &lang.naming.ours)?;
    let start = no + article + ours;
    Some(start + free::at(said, cx, start, |lang| &lang.naming.relation)?)
}

/// Words with capitals from one on, with the small words inside names, that may be somebody's name. Where all things have
/// capitals, it ends before a word of the language.
fn capitals(said: &Said, cx: &Context<'_>, start: usize) -> Range<usize> {
    let thing = |no: usize| cx.lang.name.things_have_capitals && no > start && cx.lang.knows(said.plain(no));
    let time = |no: usize| cx.lang.and_english().any(|lang| lang.tells_time(said.plain(no)));
    let fits = |no: usize| said.is_capital(no) && may_name(said, cx, no) && !thing(no) && !time(no);
    let mut end = start;
    while fits(end) && end - start < MOST {
        end += 1;
        let particle = free::at(said, cx, end, |lang| &lang.name.particles).unwrap_or(0);
        if particle > 0 && fits(end + particle) {
            end += particle;
        }
    }
    start..end
}

/// "Ms ann lee", in a message without capitals.
fn addressed(said: &Said, cx: &Context<'_>, no: usize) -> Option<(Range<usize>, Strength)> {
    let len = free::at(said, cx, no, |lang| &lang.naming.address)?;
    // "12 elm dr" is no doctor.
    let street = said.words.iter().take(no).any(|word| word.class == Class::Digits);
    let start = no + len + usize::from(said.word(no + len) == ".");
    let name = start..start + (start..start + MOST).take_while(|no| may_name(said, cx, *no)).count();
    (!street && !name.is_empty()).then_some((name, Strength::Typed))
}

/// Whether a word may be part of a name: one that the languages have not, a given name, or with a capital.
fn may_name(said: &Said, cx: &Context<'_>, no: usize) -> bool {
    let plain = said.plain(no);
    let known = || cx.lang.and_english().any(|lang| lang.knows(plain));
    let letters = said.words.get(no).is_some_and(|word| word.class == Class::Letters);
    letters && plain.chars().count() > 1 && (is_given(plain) || !known() || said.is_capital(no))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::cx;

    #[rstest]
    #[case("en", "put Aino Korhonen down for it", "Aino Korhonen")]
    #[case("en", "please put aino korhonen down", "aino korhonen")]
    #[case("en", "put it down to bad luck", "")]
    #[case("en", "put Tuesday down", "")]
    #[case("en", "the passenger is ms aino korhonen please", "aino korhonen")]
    #[case("en", "12 elm dr topeka", "")]
    #[case("de", "tragen Sie Anna Bruni ein", "Anna Bruni")]
    #[case("fr", "réservez pour Claire Morel jeudi", "Claire Morel")]
    #[case("fr", "un train pour Le Mans Centre", "")]
    #[case("it", "prenota per Anna Bruni domani", "Anna Bruni")]
    #[case("it", "un tavolo per la signora Anna Bruni", "Anna Bruni")]
    #[case("it", "un biglietto per Roma Termini", "")]
    #[case("es", "una mesa para Ana Ruiz", "Ana Ruiz")]
    #[case("es", "un vuelo para San Sebastián", "")]
    #[case("de", "ein Tisch für Anna Krause Donnerstag", "Anna Krause")]
    #[case("en", "for my daughter Anna Bruni on Friday", "Anna Bruni")]
    #[case("it", "una visita per mia figlia Anna Bruni", "Anna Bruni")]
    #[case("es", "envíalo a mi hermana Ana Ruiz", "Ana Ruiz")]
    #[case("de", "mein Sohn Jonas Krause braucht einen Termin", "Jonas Krause")]
    #[case("fr", "c'est pour ma fille Claire Morel", "Claire Morel")]
    #[case("ar", "موعد لأختي سلمى خوري غدا", "سلمى خوري")]
    #[case("en", "a table for me and my wife Anna Bruni", "")]
    #[case("it", "vengo con mia moglie Anna Bruni", "")]
    #[case("de", "ich komme mit meiner Frau", "")]
    #[case("de", "für meine Tochter Montag Abend", "")]
    fn a_name_is_told_by_what_is_around_it(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let said = Said::new(said);
        let found = names(&said, &cx(lang)).into_iter();
        let found: Vec<&str> =
            found.map(|(words, _)| said.raw.get(said.raw_words(words)).unwrap_or_default()).collect();
        assert_eq!(found.join("; "), expected);
    }
}
