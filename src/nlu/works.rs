//! Names of things by the words around them: what is played or watched ("play Nightfall by …", "the song Nightfall"), what
//! is put into a calendar ("add a dentist appointment to my calendar"), and houses by the word that their names end with
//! ("the Old Mill Apartments").

use std::ops::Range;

use super::Scene;
use super::casts::is_artist;
use super::reader::Reader;
use super::spans::{Board, Slot};
use super::texts::trim;
use super::titles::{has, kin, thing, title_from};
use formwright_form::kind::Strength;
use formwright_lexicon::dates::Term;
use formwright_lexicon::{Language, Phrases};
use formwright_text::stem;

/// Most words of a title in small letters.
const MOST_SMALL: usize = 5;

/// "Play Nightfall by …", "the song Nightfall", "off the album Blue".
pub(super) fn played(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let article = |no: usize| reader.len(|lang| &lang.sentence.articles, no, end);
    let starts = reader.len(|lang| &lang.naming.starts, at, end);
    let behind = at > 0 && at + 1 < end && article(at - 1) > 0;
    if starts == 0 && !behind {
        return None;
    }
    let own = thing(reader, slot)?;
    let things = kin(scene, &own);
    let is_thing = |no: usize| things.iter().any(|thing| thing == stem(reader.said.plain(no)));
    // "The song Nightfall", "the album 21".
    if behind && is_thing(at) {
        let year = reader.said.word(at + 1).len() == 4;
        let number = reader.is_digits(at + 1) && !year && own.iter().any(|thing| thing == stem(reader.said.plain(at)));
        let title = title_from(reader, board, at + 1, end);
        return Some(if number && title.is_empty() { at + 1..at + 2 } else { title });
    }
    let is_work = own.iter().any(|word| reader.langs().any(|lang| lang.naming.work.word(word).is_some()));
    if starts == 0 || !is_work {
        return None;
    }
    let start = at + starts;
    let title = title_from(reader, board, start, end);
    if !title.is_empty() {
        // "Country Music" is no title.
        let sort = title.len() <= 2 && is_thing(title.end - 1);
        return Some(title).filter(|_| !sort);
    }
    // "Play nightfall by the blue owls."
    let by = (start..end).find(|no| reader.len(|lang| &lang.naming.surely_by, *no, end) > 0)?;
    let artist = board.slots.iter().any(|slot| is_artist(reader, slot));
    let named = |no: usize| {
        let taken = board.has_value_at(no);
        !reader.is_mark(no) && !reader.is_capital(no) && !is_thing(no) && !taken
    };
    let tells = |no: usize| !reader.is_idle(no) && reader.len(|lang| &lang.naming.mood, no, end) == 0;
    let sort = (start..by).any(|no| reader.len(|lang| &lang.sentence.praise, no, end) > 0);
    let sort = sort || reader.is_idle(start);
    let fits = artist && !sort && by - start <= MOST_SMALL && (start..by).all(named) && (start..by).any(tells);
    (fits && article(start) == 0).then_some(start..by)
}

/// "Schedule a team meeting", "add a dentist appointment to my calendar", "remind me of Ann's party".
pub(super) fn entered(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let len = reader.len(|lang| &lang.naming.enters, at, end);
    if len == 0 {
        return None;
    }
    let own = thing(reader, slot)?;
    if !own.iter().any(|word| has(reader, |lang| &lang.naming.entry, word)) {
        return None;
    }
    let start = at + len + reader.len(|lang| &lang.sentence.articles, at + len, end);
    let diary = (start..end).find(|no| reader.len(|lang| &lang.naming.diary, *no, end) > 0);
    let value = |no: usize| board.cands.iter().any(|cand| cand.words.start == no && cand.strength > Strength::Weak);
    let place = |no: usize| {
        use formwright_lexicon::sentence::Announced::{Date, Place, Time};
        [Date, Place, Time].into_iter().any(|what| reader.announces(what, no, end) > 0)
    };
    // "For Friday", "at noon", "at Ann's": what leads on is no part of it.
    let leads = |no: usize| {
        value(no) || reader.is_idle(no) && !reader.is_capital(no) && (place(no) || value(no + 1) || value(no + 2))
    };
    let stop = (start..diary.unwrap_or(end)).find(|no| leads(*no)).or(diary).unwrap_or(end);
    let words = trim(reader, start..stop);
    let tells = |no: &usize| {
        let known = own.iter().any(|word| word == stem(reader.said.plain(*no)));
        !reader.is_idle(*no) && !reader.is_mark(*no) && !reader.is_digits(*no) && !known
    };
    let occasion = words.clone().any(|no| reader.len(|lang| &lang.naming.occasion, no, words.end) > 0);
    let begins = reader.is_capital(words.start) || !reader.is_idle(words.start);
    let fits = words.len() <= MOST_SMALL && begins && words.clone().any(|no| tells(&no));
    (fits && (diary.is_some() || occasion)).then_some(words)
}

/// Titles with a number in front or a feast at their end: "see 10 Elm Lane", "tickets to see nearly christmas".
pub(super) fn valued(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let len = |table: fn(&Language) -> &Phrases<()>| reader.len(table, at, end);
    let lead = len(|lang| &lang.naming.visits).max(len(|lang| &lang.naming.starts));
    let start = at + lead;
    if lead == 0 || start >= end || !is_work(reader, slot) {
        return None;
    }
    let general = |no: usize| reader.len(|lang| &lang.naming.general, no, end) > 0;
    if reader.is_digits(start) && reader.is_capital(start + 1) {
        let mentioned = board.mentions.iter().any(|mention| mention.words.start == start + 1);
        let title = title_from(reader, board, start + 1, end);
        let ends = title.end >= end || reader.is_idle(title.end) || board.has_value_at(title.end);
        return (!title.is_empty() && !mentioned && !general(start + 1) && ends).then_some(start..title.end);
    }
    let stop =
        (start..end).find(|no| reader.is_idle(*no) && !reader.is_capital(*no) || reader.is_mark(*no)).unwrap_or(end);
    let last = stop.checked_sub(1).filter(|last| *last > start)?;
    let feast = |lang: &Language| {
        let mut phrases = lang.date.beginning_at(reader.said, last).iter();
        phrases.any(|phrase| matches!(phrase.term, Term::Holiday(_)) && phrase.rest.is_empty())
    };
    let plain = (start..last).all(|no| !reader.is_digits(no) && !board.has_value_at(no) && !general(no));
    let alike = (start..last).all(|no| reader.is_capital(no) == reader.is_capital(last));
    let feast = reader.langs().any(feast);
    (feast && plain && alike && stop - start <= MOST_SMALL).then_some(start..stop)
}

fn is_work(reader: &Reader<'_>, slot: &Slot<'_>) -> bool {
    thing(reader, slot).is_some_and(|own| own.iter().any(|word| has(reader, |lang| &lang.naming.work, word)))
}

/// "Nightfall sounds good, play that."
pub(super) fn pleasing(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize) -> Option<Range<usize>> {
    let clause = reader.clause_words(at);
    let pleases = reader.len(|lang| &lang.naming.pleases, at, clause.end);
    if pleases == 0 || at == clause.start || !is_work(reader, slot) {
        return None;
    }
    let title = title_from(reader, board, clause.start, at);
    let value = title.clone().any(|no| board.has_value_at(no));
    let named = title.len() > 1 || reader.is_unknown(clause.start);
    (title.end == at && named && !value && !reader.is_idle(clause.start)).then_some(title)
}

/// "A Rosa Klein concert."
pub(super) fn performed(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    slot: &Slot<'_>,
    at: usize,
) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let before = at.checked_sub(1)?;
    if !reader.is_capital(at)
        || reader.is_capital(before)
        || reader.len(|lang| &lang.sentence.articles, before, at) == 0
    {
        return None;
    }
    let things = kin(scene, &thing(reader, slot)?);
    let title = title_from(reader, board, at, end);
    let noun = title.end;
    let shown =
        noun < end && !reader.is_capital(noun) && things.iter().any(|thing| thing == stem(reader.said.plain(noun)));
    let other =
        reader.len(|lang| &lang.naming.general, noun, end) > 0 || reader.len(|lang| &lang.naming.town, at, end) > 0;
    let value = title.clone().any(|no| board.has_value_at(no));
    (shown && !other && !value && title.len() > 1).then_some(title)
}

/// "The Old Mill Apartments", "the blue mill inn": a name that ends with what it is a name of.
pub(super) fn house(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, at: usize) -> Option<Range<usize>> {
    let end = reader.clause_end(at);
    let article = reader.len(|lang| &lang.sentence.articles, at, end);
    let start = at + if reader.is_capital(at) { 0 } else { article };
    let ends_so = |no: usize| reader.len(|lang| &lang.naming.building, no, no + 1) > 0;
    // A station is a place to meet, and no restaurant.
    let public = slot.subtype().is_none();
    let public = |no: usize| public && reader.len(|lang| &lang.naming.public, no, no + 1) > 0;
    if reader.is_capital(start) && (start == 0 || !reader.is_capital(start - 1)) {
        let name = title_from(reader, board, start, end);
        let last = name.end.checked_sub(1)?;
        return (name.len() > 1 && (name.start + 1..=last).any(ends_so)).then_some(name);
    }
    // In small letters it needs an article in front, and a word of its own.
    let taken = |no: usize| {
        let word = stem(reader.said.plain(no));
        let sort = reader.langs().any(|lang| lang.naming.kin.iter().flatten().any(|kin| kin == word));
        let known = slot.labels.iter().any(|label| (0..label.words.len()).any(|no| stem(label.plain(no)) == word));
        known || sort || board.has_value_at(no)
    };
    let name =
        |no: &usize| !reader.is_idle(*no) && !reader.is_mark(*no) && !reader.is_capital(*no) && !reader.is_digits(*no);
    let stop = (start..end.min(start + MOST_SMALL)).take_while(name).last()? + 1;
    let last = (start + 1..stop).rev().find(|no| ends_so(*no))?;
    // "The cheapest hotel" is not called so.
    let step = |no: usize| reader.at(|lang| &lang.everyday.scale.said, no, end).is_some();
    let praise = (start..last).any(|no| reader.len(|lang| &lang.sentence.praise, no, end) > 0 || step(no));
    let pointed = article == 1 && reader.said.word(at) == "the";
    let plain = (start..last).any(taken);
    (pointed && last == stop - 1 && !praise && !plain && !public(last)).then_some(start..stop)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const MUSIC: &str = r#"
id = "music"
title = "Music"

[[field]]
id = "song"
kind = "text"
label = "Song"

[[field]]
id = "artist"
kind = "text"
label = "Artist"

[[field]]
id = "album"
kind = "text"
label = "Album name"

[[field]]
id = "genre"
kind = "text"
label = "Genre"
help = "Style of the song"
"#;

    const FILM: &str = r#"
id = "film"
title = "At home"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "title"
kind = "text"
label = { en = "Title", it = "Titolo", es = "Título", de = "Titel", fr = "Titre", ar = "عنوان" }
help = { en = "Title of the film", it = "Titolo del film", es = "Título de la película", de = "Titel vom Film", fr = "Titre du film", ar = "عنوان الفيلم" }

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    const DIARY: &str = r#"
id = "diary"
title = "Calendar"

[[field]]
id = "event"
kind = "text"
label = "Event name"

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "hour"
kind = "time"
label = "Hour"
"#;

    const VISIT: &str = r#"
id = "visit"
title = "A visit"

[[field]]
id = "property"
kind = "text"
label = "Property name"

[[field]]
id = "city"
kind = "text"
label = "City"
subtype = "place"

[[field]]
id = "day"
kind = "date"
label = "Day"
"#;

    fn fills(form: &str, lang: &'static str, said: &str) -> Vec<String> {
        let line = Stage::new(form, "").speaking(lang).line(said);
        let mut fills: Vec<String> = line.split("; ").filter(|part| part.contains('=')).map(str::to_owned).collect();
        fills.sort_unstable();
        fills
    }

    #[rstest]
    #[case(MUSIC, "en", "Could you play Nightfall by the Blue Owls", "artist=Blue Owls; song=Nightfall")]
    #[case(MUSIC, "en", "play nightfall by ann lee", "artist=ann lee; song=nightfall")]
    #[case(MUSIC, "en", "play the song Nightfall", "song=Nightfall")]
    #[case(MUSIC, "en", "I want to hear Nightfall", "song=Nightfall")]
    #[case(MUSIC, "en", "put Nightfall on the speaker", "song=Nightfall")]
    #[case(MUSIC, "en", "songs off the album Deep and Blue", "album=Deep and Blue")]
    #[case(MUSIC, "en", "anything from the album 21", "album=21")]
    #[case(MUSIC, "en", "play something good", "")]
    #[case(MUSIC, "en", "play something else by her", "")]
    #[case(MUSIC, "en", "listen to Country Music", "genre=Country")]
    #[case(MUSIC, "en", "a Country song", "genre=Country")]
    #[case(FILM, "en", "start The Long Way Home on Friday", "day=2026-11-27; title=The Long Way Home")]
    #[case(FILM, "en", "I want to watch Nightfall", "title=Nightfall")]
    #[case(FILM, "en", "start on Friday", "day=2026-11-27")]
    #[case(FILM, "en", "I want to see 11 Elm Lane on Friday", "day=2026-11-27; title=11 Elm Lane")]
    #[case(FILM, "en", "tickets to see nearly christmas", "title=nearly christmas")]
    #[case(FILM, "en", "Zazimar sounds good, play that", "title=Zazimar")]
    #[case(FILM, "en", "Friday sounds good", "day=2026-11-27")]
    #[case(FILM, "it", "voglio guardare Notte Blu", "title=Notte Blu")]
    #[case(FILM, "es", "pon Noche Azul", "title=Noche Azul")]
    #[case(FILM, "de", "starte Nachtflug", "title=Nachtflug")]
    #[case(FILM, "fr", "lance Nuit Bleue", "title=Nuit Bleue")]
    fn what_is_played_has_a_title(
        #[case] form: &str,
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let expected: Vec<&str> = expected.split("; ").filter(|part| !part.is_empty()).collect();
        assert_eq!(fills(form, lang, said), expected, "{said}");
    }

    #[rstest]
    #[case("schedule a team meeting on Friday at 9 am", "day=2026-11-27; event=team meeting; hour=09:00")]
    #[case("add a dentist appointment to my calendar for Friday", "day=2026-11-27; event=dentist appointment")]
    #[case("put coffee with Bo on my calendar", "event=coffee with Bo")]
    #[case("remind me of Ida's birthday party on Friday", "day=2026-11-27; event=Ida's birthday party")]
    #[case("save that as Book Night", "event=Book Night")]
    #[case("add an event to my calendar for Friday", "day=2026-11-27")]
    #[case("schedule something on Friday", "day=2026-11-27")]
    #[case("put it down for Friday", "day=2026-11-27")]
    fn what_is_put_into_a_calendar_has_a_name(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(fills(DIARY, "en", said), expected.split("; ").collect::<Vec<_>>(), "{said}");
    }

    #[rstest]
    #[case("I'd like to see the Old Mill Apartments on Friday", "day=2026-11-27; property=Old Mill Apartments")]
    #[case("a room at the blue mill inn in Oslo", "city=Oslo; property=blue mill inn")]
    #[case("I want to see apartments in Oslo", "city=Oslo")]
    #[case("something at the train station in Oslo", "city=Oslo")]
    #[case("I want to stay at a nice hotel in Oslo", "city=Oslo")]
    fn a_house_is_named_by_what_it_is(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(fills(VISIT, "en", said), expected.split("; ").collect::<Vec<_>>(), "{said}");
    }
}
