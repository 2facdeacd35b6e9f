//! Values of something that a field does not ask for: "my passport expires on 3 May" where a day of travel is wanted, "I
//! earn 3000 a month" beside a rent, "I had a cat but she died", "800 is too much".

use std::ops::Range;

use super::hedged;
use super::ledger::Filled;
use super::reader::Reader;
use super::score::is_number;
use super::spans::{Board, Cand, Slot};
use formwright_form::kind::Said;
use formwright_form::kind::date::Prefer;
use formwright_form::kind::text::Subtype;
use formwright_form::{Kind, Text, Value};
use formwright_lexicon::denial::KeptFrom;
use formwright_lexicon::{Language, Phrases};

// Topics of `[denial.elsewhere]` that code asks for.
/// Numbers by which something is known: of an order, of an account.
const SERIAL: &str = "serial";
/// How old somebody is.
const AGE: &str = "age";
/// When somebody was born.
const BIRTH: &str = "birth";

/// Words that say what the values beside them are of.
pub(super) struct Told {
    words: Range<usize>,
    topics: Vec<Box<str>>,
}

/// Where a message says what its values are of.
pub(super) fn told(reader: &Reader<'_>) -> Vec<Told> {
    let count = reader.said.words.len();
    let topics = |no: usize| {
        let (len, topics) = reader.at(|lang| &lang.denial.elsewhere.said, no, count)?;
        // "Can we make it five?" tells of no income.
        let corrects = |at: usize| at + reader.len(|lang| &lang.sentence.correct, at, count) > no + len;
        if (no..no + len).any(corrects) {
            return None;
        }
        Some(Told { words: no..no + len, topics: topics.clone() })
    };
    (0..count).filter_map(topics).collect()
}

/// Whether the words around a value say that it is of something else, and the field does not ask for that.
pub(super) fn is_of_something_else(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, filled: &Filled) -> bool {
    if slot.subtype() == Some(Subtype::Person) && is_of_a_house(reader, &filled.words) {
        return true;
    }
    !filled.replaces && (is_told_of(reader, board, slot, &filled.words) || is_of_an_event(reader, slot, &filled.words))
}

/// Whether an hour is that of an event which something else comes before or after: "before the 8pm show".
fn is_of_an_event(reader: &Reader<'_>, slot: &Slot<'_>, hour: &Range<usize>) -> bool {
    const LONGEST: usize = 3;
    let event = || reader.len(|lang| &lang.denial.event, hour.end, reader.clause_end(hour.start)) > 0;
    let around = |no: usize| {
        let len = reader.len(|lang| &lang.denial.around, no, hour.start);
        len > 0 && no + len == hour.start
    };
    matches!(slot.field.kind, Kind::Time(_)) && event() && (hour.start.saturating_sub(LONGEST)..hour.start).any(around)
}

/// Whether the words around others say that they are of something that a field does not ask for.
pub(super) fn is_told_of(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let any_words = slot.is_long() || matches!(slot.field.kind, Kind::Text(_)) && slot.subtype().is_none();
    // An address that can be written to says itself what it is.
    let reaches = matches!(slot.field.kind, Kind::Email(_) | Kind::Url(_));
    if board.anything || board.told.is_empty() || any_words || reaches || slot.is_item() {
        return false;
    }
    // A name or an address made of such words is none.
    let made_of_words = slot.takes_any_words();
    let part = part(reader, words);
    let before = puts_right(reader, words);
    let beside = |told: &&Told| {
        if before.as_ref().is_some_and(|before| before.contains(&told.words.start)) {
            return true;
        }
        let inside = part.start <= told.words.start && told.words.end <= reader.clause_end(words.start);
        inside && told.words.start < part.end && (made_of_words || !words.contains(&told.words.start))
    };
    // A code may be called by many names, and words are no number; of a telephone number it is told what else is one.
    let fits = |topic: &&str| match &slot.field.kind {
        Kind::Phone(_) => *topic == SERIAL,
        Kind::Integer(_) | Kind::Number(_) | Kind::Money(_) | Kind::Rating(_) => true,
        _ => *topic != SERIAL,
    };
    let topics = board.told.iter().filter(beside).flat_map(|told| &told.topics).map(AsRef::as_ref);
    topics.filter(fits).any(|topic| !asks_for(reader, board, slot, topic))
}

/// The clause that the one with a value puts right: "the birthday is wrong" before "it should be 8 July".
fn puts_right(reader: &Reader<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    let before = reader.clause_of(words.start).checked_sub(1)?;
    let start = reader.clause_start(words.start);
    let ought = |no: usize| reader.len(|lang| &lang.sentence.ought, no, words.start) > 0;
    let ought = (start..words.start).find(|no| !reader.is_idle(*no) || ought(*no)).is_some_and(ought);
    reader.clauses.get(before).filter(|_| ought).map(|clause| clause.words.clone())
}

/// Whether a number is how old somebody is, and a field does not ask for that, or there are several.
pub(super) fn is_age(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let mut ages = board.ages.iter().filter(|ages| ages.start <= words.start && words.end <= ages.end);
    !board.anything && ages.any(|ages| ages != words || !asks_for(reader, board, slot, AGE))
}

/// Whether a number is how old somebody is, and a field asks for that and for nothing else.
pub(super) fn is_own_age(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let years = slot.counts.is_some() && !board.ages.is_empty();
    !years && board.ages.contains(words) && asks_for(reader, board, slot, AGE)
}

/// Whether a day is over, of a field for days that lie ahead, or is to come, of one for days gone by. Nobody who fills in a
/// form was born last night.
pub(super) fn is_on_the_other_side(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, value: &Value) -> bool {
    const YEAR: i32 = 366;
    const LONG_GONE: i32 = 2 * YEAR;
    let day = match value {
        Value::Date(day) => *day,
        Value::DateRange { start, .. } => *start,
        Value::DateTime(moment) => moment.date(),
        _ => return false,
    };
    let gone_by = matches!(&slot.field.kind, Kind::Date(date) if date.prefer == Prefer::Past);
    let birth = |told: &Told| told.topics.iter().any(|topic| topic.as_ref() == BIRTH);
    let newborn = || (board.today - day).get_days() < YEAR && !board.told.iter().any(birth);
    let no_birth = || newborn() && asks_for(reader, board, slot, BIRTH);
    let long_gone = || (board.today - day).get_days() > LONG_GONE;
    let wrong_side =
        if gone_by { day > board.today || no_birth() } else { slot.ahead && day < board.today || long_gone() };
    !slot.asked && !board.anything && wrong_side
}

/// Whether a value is part of the answer to a yes/no question and of no other field that nobody names: a sum ("yes, 3000
/// euros"), a day gone by behind what it is of ("yes, my knee, 2 years ago"), when it is done ("not yet, the appointment is
/// on Friday"), or what the answer depends on.
pub(super) fn is_of_the_answer(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, cand: &Cand) -> bool {
    let asked = board.asked.and_then(|no| board.slots.get(no));
    if slot.asked || !asked.is_some_and(|asked| matches!(asked.field.kind, Kind::YesNo(_))) {
        return false;
    }
    // "Only if it's under 20 euros."
    let depends = |no: usize| reader.len(|lang| &lang.denial.condition, no, cand.words.start) > 0;
    if (reader.clause_start(cand.words.start)..cand.words.start).any(depends) {
        return true;
    }
    let money = matches!(cand.value, Value::Money { .. });
    let over = matches!(cand.value, Value::Date(day) if day < board.today);
    let when = over || matches!(cand.value, Value::Date(_) | Value::DateTime(_) | Value::Time(_));
    if !money && !when {
        return false;
    }
    let firm = reader.leading(|lang| &lang.yes_no.firm);
    let Some(answer) = firm.or_else(|| reader.leading(|lang| &lang.yes_no.yet)) else { return false };
    let stopped = reader.clauses.iter().take(reader.clause_of(cand.words.start)).any(|clause| clause.stop);
    let tells = |no: usize| !reader.is_idle(no) && !board.mentions.iter().any(|mention| mention.words.contains(&no));
    let told = || money || over && (answer.end..cand.words.start).any(tells);
    let behind = !stopped && answer.start < cand.words.start;
    behind && (told() || hedged::tells_when(reader, answer, cand.words.start))
}

/// Whether a name is that of a house: "Grand" in "a restaurant called Grand".
fn is_of_a_house(reader: &Reader<'_>, name: &Range<usize>) -> bool {
    const REACH: usize = 4;
    let house = |no: usize| {
        let len = reader.len(|lang| &lang.naming.house, no, name.end);
        // The words for a name may be taken with it.
        len > 0 && name.contains(&(no + len))
    };
    (name.start.saturating_sub(REACH)..name.end).any(house)
}

/// Whether an answer to whether there is something, or which, is of what there is no more: "I had a cat but she died".
pub(super) fn is_gone(reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    if !matches!(slot.field.kind, Kind::YesNo(_) | Kind::Choice(_) | Kind::Choices(_)) {
        return false;
    }
    let first = reader.clause_of(words.start);
    let clauses = || reader.clauses.iter().skip(first);
    let sentence = clauses().take_while(|clause| !clause.stop).count() + 1;
    clauses().take(sentence).any(|clause| {
        let end = clause.words.end;
        clause.words.clone().any(|no| reader.len(|lang| &lang.denial.gone, no, end) > 0)
    })
}

/// Whether the words right behind a value say that it does not suit: "is too much".
pub(super) fn is_unsuitable(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let end = reader.clause_end(words.start);
    // "The small one is too small."
    let from = words.end + reader.len(|lang| &lang.option.one, words.end, end);
    let too = reader.len(|lang| &lang.denial.too, from, end);
    // "Three walks would be too many": what is counted, or of what sort it is, stands between.
    let past = from + usize::from(from + 1 < end && !reader.is_mark(from));
    let unfit = |from: usize| reader.len(|lang| &lang.denial.unfit, from, end) > 0;
    // "4 days and 1 room are too little" says it of both.
    let first = || (reader.clause_start(words.start)..words.start).all(|no| !reader.is_of_number(no));
    let counted = || {
        let too = reader.len(|lang| &lang.denial.too, past, end);
        reader.is_of_number(words.start) && too > 0 && past + too < end && first()
    };
    too > 0 && from + too < end || unfit(from) || unfit(past) || counted()
}

/// Whether a yes says that there is what the words behind it tell to be of no use: "the lift is out of order". A field may
/// ask for that.
pub(super) fn is_out_of_use(reader: &Reader<'_>, slot: &Slot<'_>, filled: &Filled) -> bool {
    let end = reader.clause_end(filled.words.start);
    let broken = |no: usize| reader.len(|lang| &lang.denial.broken, no, end);
    let Some(at) = (filled.words.start..end).find(|no| broken(*no) > 0) else { return false };
    let asked = |label: &Said| {
        (at..at + broken(at)).any(|no| (0..label.words.len()).any(|of| label.plain(of) == reader.said.plain(no)))
    };
    let near =
        filled.words.contains(&at) || (filled.words.end..at).all(|no| reader.is_idle(no) || reader.is_copula(no, end));
    filled.value == Value::Bool(true) && near && !slot.labels.iter().any(asked)
}

/// The part of its clause that a value is in, between words that join.
fn part(reader: &Reader<'_>, words: &Range<usize>) -> Range<usize> {
    let clause = reader.clause_words(words.start);
    let len = |table: fn(&Language) -> &Phrases<()>, no: usize| reader.len(table, no, clause.end);
    // "The wedding is on 8 June so the day before."
    let joins = |no: &usize| {
        let joined = len(|lang| &lang.sentence.join, *no) > 0 && !reader.is_copula(*no, clause.end);
        joined || len(|lang| &lang.sentence.leads_to, *no) > 0
    };
    let start = (clause.start..words.start).rev().find(joins).unwrap_or(clause.start);
    let end = (words.end..clause.end).find(joins).unwrap_or(clause.end);
    start..end
}

/// Whether a field may be for what a topic is about, by its names, its help or its question, or by the form's title.
fn asks_for(reader: &Reader<'_>, board: &Board<'_>, slot: &Slot<'_>, key: &str) -> bool {
    let topics = || reader.langs().filter_map(|lang| lang.denial.elsewhere.topics.get(key));
    if topics().any(|topic| !slot.ahead && topic.ahead || !is_kept_from(slot, topic.kept_from)) {
        return true;
    }
    let says = |text: &Said| (0..text.words.len()).any(|no| topics().any(|topic| topic.name.starts(text, no)));
    let texts = |text: &Text| text.by_lang.values().map(|text| Said::new(text)).any(|text| says(&text));
    let id = Said::new(&slot.field.id.as_str().replace('_', " "));
    let titled = || board.title.iter().any(|word| topics().any(|topic| topic.name.word(word).is_some()));
    // "I spent 80 euros yesterday" fills the amount and the day of a form that asks for a receipt.
    let deals = topics().any(|topic| topic.kept_from == KeptFrom::Deals);
    let beside = || deals && board.slots.iter().flat_map(|slot| slot.labels).any(says);
    beside()
        || says(&id)
        || slot.labels.iter().chain(slot.helps).any(says)
        || slot.field.ask.iter().any(texts)
        || titled()
}

/// Whether what is said of something else is kept from a field of its kind. Where days gone by are asked for, they are told
/// with much else of what is over.
fn is_kept_from(slot: &Slot<'_>, fields: KeptFrom) -> bool {
    let days = match &slot.field.kind {
        Kind::Date(date) => date.prefer != Prefer::Past || fields == KeptFrom::Days && !slot.asked,
        kind => matches!(kind, Kind::Time(_) | Kind::Datetime(_) | Kind::DateRange(_) | Kind::Duration(_)),
    };
    match fields {
        KeptFrom::All => true,
        KeptFrom::Days => days,
        KeptFrom::OtherDays => days && !slot.asked,
        KeptFrom::Numbers => days || is_number(&slot.field.kind),
        KeptFrom::Money => matches!(slot.field.kind, Kind::Money(_)),
        KeptFrom::Deals => days || matches!(slot.field.kind, Kind::Money(_)),
    }
}

/// Whether a number in a longer value that gives way is part of it: the 12 of "12 Mill Lane should be 14 Mill Lane".
pub(super) fn is_part_of(words: &Range<usize>, other: &Range<usize>) -> bool {
    other.len() > words.len() && other.start <= words.start && words.end <= other.end
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "Trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day of travel"

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "people"
kind = "integer"
label = "People"

[[field]]
id = "pets"
kind = "yes_no"
label = "Pets"
"#;

    #[rstest]
    #[case("en", "I am looking for a restaurant name Grand Oak", "")]
    #[case("en", "a table at a restaurant called Grand Oak for Ida Lund", "who=Ida Lund")]
    #[case("en", "the name is Ida Lund", "who=Ida Lund")]
    #[case("it", "un ristorante di nome Quercia Grande", "")]
    #[case("de", "ein Restaurant namens Große Eiche", "")]
    fn the_name_of_a_house_is_nobodys(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "who"
kind = "text"
subtype = "person"
label = "Name"
"#;
        let line = Stage::new(TABLE, "").speaking(lang).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.starts_with("who=")).collect();
        assert_eq!(fills.join("; "), expected, "{said}");
    }

    #[rstest]
    #[case("en", "my passport expires on 3 May 2027")]
    #[case("en", "I was born on 3 May 1990")]
    #[case("en", "I was last there on 3 March")]
    #[case("en", "my lease ends on 31 March")]
    #[case("en", "I earn 3000 euros a month")]
    #[case("en", "200 euros is too much")]
    #[case("en", "200 euros would be too expensive for us")]
    #[case("en", "I had a cat but she died")]
    #[case("it", "il mio passaporto scade il 3 maggio 2027")]
    #[case("it", "sono nato il 3 maggio 1990")]
    #[case("it", "guadagno 3000 euro al mese")]
    #[case("it", "200 euro è troppo caro")]
    #[case("es", "mi pasaporte caduca el 3 de mayo de 2027")]
    #[case("es", "nací el 3 de mayo de 1990")]
    #[case("es", "gano 3000 euros al mes")]
    #[case("es", "200 euros es demasiado caro")]
    #[case("de", "mein Pass läuft am 3. Mai 2027 ab")]
    #[case("de", "ich bin am 3. Mai 1990 geboren")]
    #[case("de", "ich verdiene 3000 Euro im Monat")]
    #[case("de", "200 Euro ist zu teuer")]
    #[case("fr", "mon passeport expire le 3 mai 2027")]
    #[case("fr", "je suis né le 3 mai 1990")]
    #[case("fr", "je gagne 3000 euros par mois")]
    #[case("fr", "200 euros c'est trop cher")]
    #[case("ar", "ينتهي جواز سفري في 3 مايو 2027")]
    #[case("ar", "ولدت في 3 مايو 1990")]
    fn what_is_said_of_something_else_is_no_value(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[values("", "day", "budget", "pets")] asked: &str,
    ) {
        let line = Stage::new(TRIP, asked).speaking(lang).fills(said);
        assert!(line.is_empty(), "{said}: {line}");
    }

    const DELIVERY: &str = r#"
id = "delivery"
title = "Parcel"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = { en = "Delivery day", it = "Giorno di consegna", es = "Día de entrega", de = "Liefertag", fr = "Jour de livraison", ar = "يوم التسليم" }

[[field]]
id = "time"
kind = "time"
label = { en = "Delivery time", it = "Ora di consegna", es = "Hora de entrega", de = "Lieferzeit", fr = "Heure de livraison", ar = "وقت التسليم" }
"#;

    #[rstest]
    #[case("en", "call me after 5pm")]
    #[case("en", "you can reach me on 5 May")]
    #[case("en", "we finish work at 6pm")]
    #[case("en", "my train gets in at 7:20 pm")]
    #[case("de", "ich habe um 15 Uhr einen anderen Termin")]
    #[case("it", "ho una riunione alle 15:00")]
    #[case("es", "salgo del trabajo a las 18:00")]
    #[case("fr", "j'ai une réunion à 15 h")]
    #[case("it", "chiamatemi dopo le 17")]
    #[case("es", "llámame después de las 17:00")]
    #[case("de", "rufen Sie mich nach 17 Uhr an")]
    #[case("fr", "appelez-moi après 17 h")]
    fn when_somebody_is_to_be_called_is_no_time_of_anything_else(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[values("", "day", "time")] asked: &str,
    ) {
        assert_eq!(Stage::new(DELIVERY, asked).speaking(lang).fills(said), "", "{said}");
    }

    #[rstest]
    #[case("en", "the wedding is on 5 May")]
    #[case("en", "it's my birthday on Sunday")]
    #[case("en", "my sister is getting married on 5 May")]
    #[case("it", "mia sorella si sposa il 5 maggio")]
    #[case("es", "la boda es el 5 de mayo")]
    #[case("de", "die Hochzeit ist am 5. Mai")]
    #[case("fr", "le mariage est le 5 mai")]
    fn the_day_of_a_feast_is_none_of_a_delivery(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[values("", "day")] asked: &str,
    ) {
        assert_eq!(Stage::new(DELIVERY, asked).speaking(lang).fills(said), "", "{said}");
    }

    const CALL: &str = r#"
id = "call"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "phone"
kind = "phone"
label = "X2"

[[field]]
id = "people"
kind = "integer"
label = "X3"

[[field]]
id = "code"
kind = "text"
label = "X4"
subtype = "code"

[[field]]
id = "name"
kind = "text"
label = "X5"
subtype = "person"
"#;

    #[rstest]
    #[case("en", "my order number is 020 7946 0958", "")]
    #[case("en", "my phone number is 020 7946 0958", "phone=02079460958")]
    #[case("it", "il mio numero di conto è 020 7946 0958", "")]
    #[case("es", "mi número de pedido es 020 7946 0958", "")]
    #[case("de", "meine Kundennummer ist 020 7946 0958", "")]
    #[case("fr", "mon numéro de commande est 020 7946 0958", "")]
    #[case("ar", "رقم الطلب 020 7946 0958", "")]
    fn a_number_announced_as_something_elses_is_none_to_be_called(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(CALL, "phone").speaking(lang).fills(said);
        let phone = line.split("; ").find(|part| part.starts_with("phone=")).unwrap_or_default();
        assert_eq!(phone, expected, "{said}");
    }

    #[rstest]
    #[case("people", "my postcode is 9", "")]
    #[case("code", "my order number is AB-1234", "code=AB-1234")]
    #[case("", "my account number is 8264551 and my name is Ann Lee", "code=8264551; name=Ann Lee")]
    fn a_number_announced_as_another_thing_is_no_count_and_may_be_a_code(
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(CALL, asked).fills(said), expected, "{said}");
    }

    const VISIT: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = { en = "Appointment date", it = "Appuntamento", es = "Cita", de = "Termin", fr = "Rendez-vous", ar = "الموعد" }
"#;

    #[rstest]
    #[case("en", "my tooth broke 2 days ago", "")]
    #[case("en", "my tooth broke on Monday", "")]
    #[case("en", "my tooth broke 2 days ago, I would like to come tomorrow", "day=2026-11-22")]
    #[case("en", "the appointment last Tuesday was cancelled", "")]
    #[case("en", "my appointment on Tuesday was cancelled, I need one on Thursday", "day=2026-11-26")]
    #[case("en", "we got married on 5 December", "")]
    #[case("en", "I was there yesterday", "")]
    #[case("en", "5 December was full, so I would like 6 December", "day=2026-12-06")]
    #[case("en", "please move it from Tuesday to Thursday", "day=2026-11-26")]
    #[case("en", "my appointment is on Tuesday", "day=2026-11-24")]
    #[case("en", "I would like to come on Tuesday, the pain started yesterday", "day=2026-11-24")]
    #[case("it", "il dente si è rotto lunedì", "")]
    #[case("it", "l'appuntamento di martedì è stato annullato, vorrei giovedì", "day=2026-11-26")]
    #[case("it", "ci siamo sposati il 5 dicembre", "")]
    #[case("es", "se me rompió un diente el lunes", "")]
    #[case("es", "la cita del martes fue cancelada, quiero una el jueves", "day=2026-11-26")]
    #[case("de", "mir ist am Montag ein Zahn abgebrochen", "")]
    #[case("de", "der Termin am Dienstag wurde abgesagt, ich brauche einen am Donnerstag", "day=2026-11-26")]
    #[case("fr", "ma dent s'est cassée lundi", "")]
    #[case("fr", "le rendez-vous de mardi a été annulé, je voudrais jeudi", "day=2026-11-26")]
    #[case("ar", "تم إلغاء موعد الثلاثاء، أريد الخميس", "day=2026-11-26")]
    fn a_day_of_what_is_over_is_no_day_to_come(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[case] expected: &str,
        #[values("", "day")] asked: &str,
    ) {
        let line = Stage::new(VISIT, asked).speaking(lang).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.starts_with("day=")).collect();
        assert_eq!(fills.join("; "), expected, "{said}: {line}");
    }

    const BIRTH: &str = r#"
id = "birth"
title = "Birth"
languages = ["en", "it", "de"]

[[field]]
id = "day"
kind = "date"
label = { en = "Date of birth", it = "Data di nascita", de = "Geburtsdatum" }
"#;

    #[rstest]
    #[case("en", "tomorrow morning", "")]
    #[case("en", "on 5 December 1985", "day=1985-12-05")]
    #[case("it", "domani mattina", "")]
    #[case("de", "am Freitag in einer Woche", "")]
    fn a_day_to_come_is_none_that_is_over(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(BIRTH, "").speaking(lang).line(said);
        let fills: Vec<&str> = line.split("; ").filter(|part| part.starts_with("day=")).collect();
        assert_eq!(fills.join("; "), expected, "{said}: {line}");
    }

    const TABLE: &str = r#"
id = "table"
title = "Table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "day"
kind = "date"
label = "Day"

[[field]]
id = "people"
kind = "integer"
label = { en = "People", it = "Persone", es = "Personas", de = "Personen", fr = "Personnes", ar = "الأشخاص" }
"#;

    #[rstest]
    #[case("en", "we came last Friday and the fish was cold")]
    #[case("en", "I emailed you yesterday")]
    #[case("en", "I rang on Monday")]
    #[case("en", "you told me on Tuesday")]
    #[case("en", "ask me tomorrow")]
    #[case("en", "I'll know on Monday")]
    #[case("en", "remind me on Friday")]
    #[case("it", "siamo venuti venerdì scorso")]
    #[case("it", "ve l'ho detto ieri")]
    #[case("it", "te lo dico domani")]
    #[case("es", "vinimos el viernes pasado")]
    #[case("es", "ya os lo dije ayer")]
    #[case("es", "te lo digo mañana")]
    #[case("de", "wir waren letzten Freitag da")]
    #[case("de", "ich habe gestern angerufen")]
    #[case("de", "das sage ich dir morgen")]
    #[case("fr", "on est venus vendredi dernier")]
    #[case("fr", "je vous l'ai dit hier")]
    #[case("fr", "je vous dis ça demain")]
    #[case("ar", "قلت لكم أمس")]
    #[case("ar", "سأخبركم غدا")]
    fn a_day_of_talk_or_of_an_earlier_visit_is_none(
        #[case] lang: &'static str,
        #[case] said: &str,
        #[values("", "day")] asked: &str,
    ) {
        let line = Stage::new(TABLE, asked).speaking(lang).fills(said);
        assert!(!line.contains("day="), "{said}: {line}");
    }

    #[rstest]
    #[case("we wanted to come on Monday", "day=2026-11-23")]
    #[case("I told you already, we are 4", "people=4")]
    #[case("call me mad but Monday it is", "day=2026-11-23")]
    fn what_is_wanted_beside_talk_is_taken(#[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(TABLE, "").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "we came for 5 last week")]
    #[case("en", "it hurts since yesterday")]
    fn what_was_or_has_begun_fills_nothing(#[case] lang: &'static str, #[case] said: &str) {
        assert_eq!(Stage::new(TABLE, "").speaking(lang).fills(said), "", "{said}");
    }

    #[rstest]
    #[case("Day of the accident", "we came home last Friday and the window was broken", "day=2026-11-20")]
    #[case("Day of your call", "I rang yesterday", "day=2026-11-20")]
    #[case("Callback day", "call me on Monday", "day=2026-11-23")]
    fn a_field_for_such_days_takes_them(#[case] label: &str, #[case] said: &str, #[case] expected: &str) {
        let form = TABLE.replace("\"Day\"", &format!("\"{label}\""));
        assert_eq!(Stage::new(&form, "day").fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("", "the crown fell out last night", "~=day=2026-11-20")]
    #[case("", "the pain started yesterday", "~=day=2026-11-20")]
    #[case("", "I was born on 3 May 1990", "day=1990-05-03")]
    #[case("day", "3 May 1990", "day=1990-05-03")]
    fn nobody_was_born_last_night(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(BIRTH, asked).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("Refund", "Day", "my flight on 5 December was cancelled", "day=2026-12-05")]
    #[case("Claim", "Date of the accident", "a tree fell on my car two days ago", "day=2026-11-19")]
    #[case("Report", "When did it happen", "my bike was stolen yesterday", "day=2026-11-20")]
    fn a_form_about_it_takes_it(#[case] title: &str, #[case] label: &str, #[case] said: &str, #[case] expected: &str) {
        let form = TRIP.replace("title = \"Trip\"", &format!("title = \"{title}\"")).replace("Day of travel", label);
        assert_eq!(Stage::new(&form, "").fills(said), expected, "{said}");
    }

    #[test]
    fn what_does_not_suit_is_no_value_behind_an_agreement_either() {
        assert_eq!(Stage::new(TRIP, "budget").fills("OK, 200 euros is too much for us"), "");
    }

    #[rstest]
    #[case("my passport expires in May and I leave on 3 April", "day=2027-04-03")]
    #[case("a birthday trip on 3 March", "day=2027-03-03")]
    #[case("200 euros is fine", "budget=200")]
    fn what_stands_beside_it_is_a_value(#[case] said: &str, #[case] expected: &str) {
        let line = Stage::new(TRIP, "").fills(said).replace("{\"amount\":\"200.00\",\"currency\":\"EUR\"}", "200");
        assert_eq!(line, expected, "{said}");
    }

    #[rstest]
    #[case("Passport expires", "it expires on 3 May 2027", "day=2027-05-03")]
    #[case("Date of birth", "I was born on 3 May 1990", "day=1990-05-03")]
    #[case("Last visit", "I was last there on 3 March", "day=2027-03-03")]
    fn a_field_that_asks_for_it_takes_it(#[case] label: &str, #[case] said: &str, #[case] expected: &str) {
        let form = TRIP.replace("Day of travel", label);
        assert_eq!(Stage::new(&form, "").fills(said), expected, "{said}");
    }

    const HIRE: &str = r#"
id = "hire"
title = "Hire"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "size"
kind = "choice"
label = "Van size"
options = ["Small van", "Large van"]

[[field]]
id = "walks"
kind = "integer"
label = "Walks"

[[field]]
id = "budget"
kind = "money"
label = "Budget"
currency = "EUR"

[[field]]
id = "lift"
kind = "yes_no"
label = "Lift"

[[field]]
id = "packing"
kind = "yes_no"
label = "Packing"
"#;

    #[rstest]
    #[case("en", "", "a small van won't be enough", "")]
    #[case("en", "size", "the large van is not what we want", "")]
    #[case("en", "", "the small van isn't big enough, a large van please", "size=large-van")]
    #[case("en", "", "my sister had the large van", "~=size=large-van")]
    #[case("en", "walks", "three walks would be too many", "")]
    #[case("en", "budget", "they quoted me 200 euros", "")]
    #[case("en", "budget", "I paid 400 euros for it in 2019", "~=walks=2019")]
    #[case("en", "lift", "the lift is out of order", "")]
    #[case("en", "lift", "the lift works", "lift=true")]
    #[case("en", "", "don't bother with packing", "packing=false")]
    #[case("it", "size", "il small van non basta", "")]
    #[case("it", "budget", "mi hanno chiesto 400 euro", "")]
    #[case("it", "walks", "tre sono troppi", "")]
    #[case("es", "walks", "tres son demasiados", "")]
    #[case("es", "budget", "me pidieron 400 euros", "")]
    #[case("de", "walks", "drei Stück sind zu viele", "")]
    #[case("de", "budget", "man hat mir 300 Euro angeboten", "")]
    #[case("fr", "walks", "trois c'est trop", "")]
    #[case("fr", "budget", "on m'a demandé 400 euros", "")]
    #[case("ar", "budget", "دفعت 400 يورو", "")]
    fn what_did_not_suit_or_was_paid_elsewhere_is_no_answer(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(HIRE, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[test]
    fn a_field_for_what_was_paid_takes_it() {
        let form = HIRE.replace("\"Budget\"", "\"Amount paid\"");
        let fills = Stage::new(&form, "budget").fills("I paid 400 euros for it");
        assert!(fills.starts_with("budget="), "{fills}");
    }
}
