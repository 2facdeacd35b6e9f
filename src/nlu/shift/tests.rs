use rstest::rstest;

use crate::testing::Stage;

/// Two days, and something else to ask.
const STAY: &str = r#"
id = "stay"
title = "Stay"

[[field]]
id = "start"
kind = "date"
label = "Start date"

[[field]]
id = "end"
kind = "date"
label = "End date"

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = "Name"

[[field]]
id = "story"
kind = "long_text"
label = "Story"
"#;

/// A range, and something else to ask.
const LEAVE: &str = r#"
id = "leave"
title = "Leave"

[[field]]
id = "dates"
kind = "date_range"
label = "First and last day"

[[field]]
id = "boss"
kind = "text"
subtype = "person"
label = "Manager"
"#;

const BOTH: &str = "start=2026-12-03; end=2026-12-07";
const RANGE: &str = "dates=2026-12-03/2026-12-07";

#[rstest]
#[case::same("the same day", "end=2026-12-03")]
#[case::that_day("on that day", "end=2026-12-03")]
#[case::day_after("the day after", "end=2026-12-04")]
#[case::next_day("the next day", "end=2026-12-04")]
#[case::day_before("the day before", "!end date_too_early \"the day before\"")]
#[case::days_later("two days later", "end=2026-12-05")]
#[case::days_after("3 days after", "end=2026-12-06")]
#[case::after_that("a week after that", "end=2026-12-10")]
#[case::in_a_sentence("that would be a week later", "end=2026-12-10")]
#[case::from_today("two weeks from now", "end=2026-12-05")]
#[case::a_day_of_its_own("the day after tomorrow", "!end date_too_early \"the day after tomorrow\"")]
#[case::after_a_feast("a week after Christmas", "end=2027-01-01")]
#[case::plain("9 December", "end=2026-12-09")]
#[case::month_later("a month later", "end=2027-01-03")]
fn one_of_two_is_asked(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, "end").having("start=2026-12-03").line(message), expected);
}

#[rstest]
#[case::it_same("it", "lo stesso giorno", "end=2026-12-03")]
#[case::it_after("it", "il giorno dopo", "end=2026-12-04")]
#[case::it_later("it", "due giorni dopo", "end=2026-12-05")]
#[case::it_weeks("it", "una settimana più tardi", "end=2026-12-10")]
#[case::es_same("es", "el mismo día", "end=2026-12-03")]
#[case::es_after("es", "al día siguiente", "end=2026-12-04")]
#[case::es_later("es", "dos días después", "end=2026-12-05")]
#[case::es_weeks("es", "una semana más tarde", "end=2026-12-10")]
#[case::de_same("de", "am selben Tag", "end=2026-12-03")]
#[case::de_after("de", "am Tag danach", "end=2026-12-04")]
#[case::de_later("de", "zwei Tage später", "end=2026-12-05")]
#[case::de_weeks("de", "eine Woche danach", "end=2026-12-10")]
#[case::fr_same("fr", "le même jour", "end=2026-12-03")]
#[case::fr_after("fr", "le lendemain", "end=2026-12-04")]
#[case::fr_later("fr", "deux jours plus tard", "end=2026-12-05")]
#[case::ar_same("ar", "نفس اليوم", "end=2026-12-03")]
#[case::ar_after("ar", "في اليوم التالي", "end=2026-12-04")]
fn in_other_languages(#[case] lang: &'static str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, "end").having("start=2026-12-03").speaking(lang).line(message), expected);
}

#[rstest]
#[case::later("from 3 December and leaving two days later", "start=2026-12-03; end=2026-12-05")]
#[case::back("from 3 December until two days later", "start=2026-12-03; end=2026-12-05")]
#[case::same("start date 3 December and end date the same day", "start=2026-12-03; end=2026-12-03")]
#[case::after("3 December and the day after", "start=2026-12-03; end=2026-12-04")]
fn both_are_said(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, "start").line(message), expected);
}

#[rstest]
#[case::earlier("start a day earlier", "start=2026-12-02")]
#[case::starts("it starts two days later", "start=2026-12-05")]
#[case::end("end a day later", "end=2026-12-08")]
#[case::named("the end date is a week later", "end=2026-12-14")]
#[case::longer("one day longer", "end=2026-12-08")]
#[case::less("one day less", "end=2026-12-06")]
#[case::more("one more day", "end=2026-12-08")]
#[case::extend("extend it by two days", "end=2026-12-09")]
#[case::move_it("move it a week later", "end=2026-12-14; start=2026-12-10")]
#[case::move_earlier("move it two days earlier", "start=2026-12-01; end=2026-12-05")]
#[case::postpone("please postpone it by a week", "end=2026-12-14; start=2026-12-10")]
#[case::last_day("the last day is 9 December", "end=2026-12-09")]
#[case::until("until the 20th instead", "end=2026-12-20")]
#[case::before_the_start("until the 1st instead", "end=2027-01-01")]
#[case::from("starting on the 2nd instead", "start=2026-12-02")]
fn an_end_is_changed(
    #[case] message: &str,
    #[case] expected: &str,
    #[values("review", "name", "change")] pending: &str,
) {
    assert_eq!(Stage::new(STAY, pending).having(BOTH).line(message), expected);
}

#[rstest]
#[case::earlier("start a day earlier", "dates={\"start\":\"2026-12-02\",\"end\":\"2026-12-07\"}")]
#[case::end("end a day later", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-08\"}")]
#[case::longer("one day longer", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-08\"}")]
#[case::less("one day less", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-06\"}")]
#[case::move_it("move it a week later", "dates={\"start\":\"2026-12-10\",\"end\":\"2026-12-14\"}")]
#[case::last_day("the last day is 16 December", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-16\"}")]
#[case::until("until the 20th instead", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-20\"}")]
fn an_end_of_a_range(#[case] message: &str, #[case] expected: &str, #[values("review", "boss")] pending: &str) {
    assert_eq!(Stage::new(LEAVE, pending).having(RANGE).line(message), expected);
}

#[rstest]
#[case::it_less("it", "un giorno in meno", "2026-12-03", "2026-12-06")]
#[case::it_more("it", "due giorni in più", "2026-12-03", "2026-12-09")]
#[case::it_move("it", "sposta tutto di una settimana", "2026-12-10", "2026-12-14")]
#[case::it_earlier("it", "anticipa di due giorni", "2026-12-01", "2026-12-05")]
#[case::es_less("es", "un día menos", "2026-12-03", "2026-12-06")]
#[case::es_more("es", "un día más", "2026-12-03", "2026-12-08")]
#[case::es_move("es", "aplázalo una semana", "2026-12-10", "2026-12-14")]
#[case::de_longer("de", "einen Tag länger", "2026-12-03", "2026-12-08")]
#[case::de_less("de", "einen Tag weniger", "2026-12-03", "2026-12-06")]
#[case::de_move("de", "verschiebe es um eine Woche", "2026-12-10", "2026-12-14")]
#[case::fr_more("fr", "un jour de plus", "2026-12-03", "2026-12-08")]
#[case::fr_move("fr", "décale d'une semaine", "2026-12-10", "2026-12-14")]
fn a_range_in_other_languages(
    #[case] lang: &'static str,
    #[case] message: &str,
    #[case] start: &str,
    #[case] end: &str,
) {
    let expected = format!("dates={{\"start\":\"{start}\",\"end\":\"{end}\"}}");
    assert_eq!(Stage::new(LEAVE, "review").having(RANGE).speaking(lang).line(message), expected);
}

#[rstest]
#[case::a_text("we started two days later than planned and it rained all the time")]
#[case::another_text("the day after, a tree fell on the tent, and the day after that we left")]
fn a_text_keeps_its_words(#[case] message: &str) {
    let line = Stage::new(STAY, "story").having(BOTH).line(message);
    assert_eq!(line, format!("story={message}"));
}

#[rstest]
#[case::nothing_held("start", "the same day", "~day")]
#[case::from_today("start", "two days later", "start=2026-11-23")]
fn without_another_day(#[case] pending: &str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, pending).line(message), expected);
}

#[rstest]
#[case::end_of("at the end of October", "~=start=2027-10-31")]
#[case::end_of_the_month("end of the month", "~=start=2026-11-30")]
#[case::beginning("beginning of May", "~=start=2027-05-01")]
#[case::mid("mid-June", "~=start=2027-06-15")]
#[case::middle("in the middle of January", "~=start=2027-01-16")]
#[case::late("late January", "~=start=2027-01-31")]
#[case::last_day("the last day of October", "start=2027-10-31")]
#[case::first("1 May", "start=2027-05-01")]
fn rough_days_are_asked_back(#[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, "start").line(message), expected);
}

#[rstest]
#[case::it("it", "a fine ottobre", "~=start=2027-10-31")]
#[case::it_middle("it", "a metà giugno", "~=start=2027-06-15")]
#[case::es("es", "a finales de octubre", "~=start=2027-10-31")]
#[case::es_middle("es", "a mediados de junio", "~=start=2027-06-15")]
#[case::de("de", "Ende Oktober", "~=start=2027-10-31")]
#[case::de_middle("de", "Mitte Juni", "~=start=2027-06-15")]
#[case::fr("fr", "fin octobre", "~=start=2027-10-31")]
#[case::fr_middle("fr", "mi-juin", "~=start=2027-06-15")]
fn rough_days_in_other_languages(#[case] lang: &'static str, #[case] message: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(STAY, "start").speaking(lang).line(message), expected);
}

#[rstest]
#[case::whole("from the beginning of May to the end of May", "dates={\"start\":\"2027-05-01\",\"end\":\"2027-05-31\"}")]
#[case::one("at the end of October", "~=dates={\"start\":\"2027-10-31\",\"end\":\"2027-10-31\"}")]
#[case::verb_in_the_label("annual leave 3 to 7 December", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-07\"}")]
#[case::within("from 3 December to two days later", "dates={\"start\":\"2026-12-03\",\"end\":\"2026-12-05\"}")]
fn rough_ranges(#[case] message: &str, #[case] expected: &str) {
    let line = Stage::new(LEAVE, "dates").line(message);
    assert!(line.starts_with(expected), "{line}");
}
