mod counting;

use super::expression::{from_cel, to_cel};
use super::known::{Holds, Question, Questions};
use super::tables::text_of;
use crate::{Source, Syntax, Target, convert, workbook};

fn questions() -> Questions {
    let mut all = Questions::default();
    for (path, kind, list) in [
        ("town", "text", 0),
        ("age", "integer", 0),
        ("born", "date", 0),
        ("day", "date", 0),
        ("size", "choice", 0),
        ("extras", "choices", 0),
        ("coming", "yes_no", 0),
        ("home", "group", 0),
        ("home.street", "text", 0),
        ("items", "list", 0),
        ("items.amount", "number", 1),
        ("items.what", "text", 1),
    ] {
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        let name = path.last().unwrap().clone();
        all.add(Question { name, path, holds: Holds::of(kind), list });
    }
    all
}

fn cel(source: &str, at: &[&str], holds: Holds) -> Option<String> {
    let questions = questions();
    let at: Vec<String> = at.iter().map(|id| (*id).to_owned()).collect();
    let columns = ["state".to_owned()];
    to_cel::code(source, to_cel::Place { questions: &questions, at: &at, holds, columns: &columns })
}

#[rstest::rstest]
#[case("${size} = 'large' and ${age} >= 18", "size == 'large' && age >= 18")]
#[case("${size} = 2 or not(${age} > 3)", "size == '2' || !answered(age) || !(age > 3)")]
#[case("${size} != 'large'", "!answered(size) || size != 'large'")]
#[case("${size} != '' and ${size} != 'large'", "size != 'large'")]
#[case("${age} != 3", "!answered(age) || age != 3")]
#[case(". != 'x'", "value != 'x'")]
#[case("not(${size} != 'large')", "!(!answered(size) || size != 'large')")]
#[case("not(string-length(${town}) < 5)", "!(size(town) < 5)")]
#[case("${town} != ''", "answered(town)")]
#[case("${town} = ''", "!answered(town)")]
#[case("${coming} = 'yes'", "coming")]
#[case("${coming} != 'yes' and ${age} > '3'", "(!answered(coming) || !coming) && age > 3")]
#[case("selected(${extras}, 'olives')", "'olives' in extras")]
#[case("selected(${size}, 'large')", "size == 'large'")]
#[case("not(selected(${extras}, 'olives'))", "!answered(extras) || !('olives' in extras)")]
#[case("/form/home/street = 'x'", "home.street == 'x'")]
#[case("../home/street = 'x'", "home.street == 'x'")]
#[case("count-selected(${extras}) > 2", "size(extras) > 2")]
#[case(". <= today()", "value <= today")]
#[case("${day} > '2026-01-01'", "day > date('2026-01-01')")]
#[case("${day} - ${born} >= 7", "days(day, born) >= 7")]
#[case("decimal-date-time(${day}) - decimal-date-time(${born}) >= 7", "days(day, born) >= 7")]
#[case("int((today() - ${born}) div 365.25)", "years(today, born)")]
#[case("${born} + 7 < today()", "born + duration('7d') < today")]
#[case("sum(${amount}) * 2 div 3", "sum(items.map(i, i.amount)) * 2 / 3.0")]
#[case("count(${items})", "size(items)")]
#[case("${age} div ${age}", "age * 1.0 / age")]
#[case("(${age} + 1) * 2", "(age + 1) * 2")]
#[case("${age} - (1 - 2)", "age - (1 - 2)")]
#[case("regex(${town}, '[A-Z]+')", "town.matches('^(?:[A-Z]+)$')")]
#[case("regex(${town}, '[0-9]+\\$')", "town.matches('^(?:[0-9]+\\\\$)$')")]
#[case("regex(${town}, '^[0-9]+\\\\$')", "town.matches('^[0-9]+\\\\\\\\$')")]
#[case("regex(${town}, '^a|b$')", "town.matches('^(?:a|b)$')")]
#[case("if(${age} > 17, 'grown', 'child')", "age > 17 ? 'grown' : 'child'")]
#[case("concat(${town}, ', ', ${street})", "town + ', ' + home.street")]
#[case("concat(${town}, ${age}, today())", "town + string(age) + string(today)")]
#[case("starts-with(${town}, 'M')", "town.startsWith('M')")]
#[case("string-length(${town}) < 9", "size(town) < 9")]
#[case("state = ${town}", "row.state == town")]
#[case("coalesce(${town}, 'here')", "answered(town) ? town : 'here'")]
fn an_xpath_becomes_cel(#[case] xpath: &str, #[case] code: &str) {
    assert_eq!(cel(xpath, &["other"], Holds::Text).as_deref(), Some(code));
}

#[rstest::rstest]
#[case("pulldata('a', 'b', 'c', ${town})")]
#[case("${amount} > 3")]
#[case("${nobody} = 1")]
#[case("uuid()")]
#[case("concat(${town}, ${extras})")]
#[case("${extras} = 'olives'")]
#[case("instance('x')/root/item")]
#[case("state = ${age}")]
#[case("state <= 5")]
#[case("../street = 'x'")]
#[case("../../town = 'x'")]
fn what_has_no_counterpart_is_none(#[case] xpath: &str) {
    assert_eq!(cel(xpath, &["other"], Holds::Text), None);
}

#[test]
fn names_are_seen_from_where_the_expression_stands() {
    assert_eq!(cel("${street} != ''", &["home", "number"], Holds::Text).as_deref(), Some("answered(street)"));
    assert_eq!(cel("${what} = 'taxi'", &["items", "amount"], Holds::Number).as_deref(), Some("what == 'taxi'"));
    assert_eq!(cel("../what = 'taxi'", &["items", "amount"], Holds::Number).as_deref(), Some("what == 'taxi'"));
}

#[rstest::rstest]
#[case("size == 'large' && age >= 18")]
#[case("!coming || age > 3")]
#[case("'olives' in extras && coming")]
#[case("!('olives' in extras)")]
#[case("answered(town) && !answered(born)")]
#[case("size(extras) > 2 && size(town) < 9")]
#[case("days(day, born) >= 7")]
#[case("sum(items.map(i, i.amount)) > 500")]
#[case("(age + 1) * 2 > 10")]
#[case("age > 17 ? 'grown' : 'child'")]
#[case("town + ', ' + home.street")]
#[case("town.startsWith('M')")]
#[case("age * 1.0 / age > 2 && day <= today")]
#[case("(coming || age > 3) && size != 'small'")]
#[case("size != 'small' && age != 3")]
#[case("!answered(size) || size != 'small'")]
#[case("age > 3 && (!answered(size) || size != 'small')")]
#[case("!answered(coming) || !coming")]
#[case("!answered(size) || size == 'yes'")]
#[case("!answered(extras) || !('olives' in extras)")]
#[case("age > 3 || !(age > 5)")]
#[case("!(size != 'small')")]
#[case("!(size(town) < 9)")]
#[case("age + 1 != 3")]
#[case("town.matches('^(?:a|b)$')")]
#[case("town.matches('^(?:[\\\\s\\\\S]*(?:^A|Z$)[\\\\s\\\\S]*)$')")]
fn cel_goes_there_and_back(#[case] code: &str) {
    let (questions, params) = (questions(), std::collections::BTreeMap::new());
    let place = from_cel::Place { questions: &questions, own: None, holds: Holds::Text, params: &params };
    let there = from_cel::code(code, place).unwrap_or_else(|| panic!("{code} has no counterpart"));
    assert_eq!(cel(&there, &["other"], Holds::Text).as_deref(), Some(code), "{there}");
}

/// A workbook as ODK's users write them.
fn book() -> String {
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.trim().lines().map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
    };
    let survey = rows(
        "type | name | label::English (en) | label::Italiano (it) | hint::English (en) | required | relevant | constraint | constraint_message::English (en) | default | calculation | appearance | choice_filter
        start | start | | | | | | | | | | |
        note | hello | Welcome to the survey | Benvenuti | | | | | | | | |
        text | full name | What is your name? | Come ti chiami? | As in your passport | yes | | string-length(.) <= 40 | | | | |
        integer | age | How old are you? | Quanti anni hai? | | yes | | . >= 0 and . <= 120 | | | | |
        select_one yn | adult | Are you an adult? | Sei maggiorenne? | | | ${age} > 15 | | | yes | | |
        select_one states | state | Which state? | Quale stato? | | yes | | | | | | minimal |
        select_one counties | county | Which county? | Quale contea? | | yes | | | | | | | state=${state}
        select_multiple tools or_other | tools | Tools | Attrezzi | | | | count-selected(.) <= 2 | | | | |
        date | visit | When was the visit? | Quando? | | ${age} > 3 | | . <= today() | Not in the future, please. | | | |
        begin_repeat | trips | Trips | Viaggi | | | | | | | | |
        decimal | km | Kilometres | Chilometri | | yes | | | | | | |
        end_repeat | | | | | | | | | | | |
        calculate | total | | | | | | | | | sum(${km}) * 2 | |
        calculate | odd | | | | | | | | | pulldata('x', 'y', 'z', ${age}) | |
        geopoint | where | Where is it? | Dove? | | | | | | | | |
        image | photo | Photo | Foto | | | | | | | | signature |",
    );
    let choices = rows(
        "list_name | name | label::English (en) | label::Italiano (it) | state
        yn | yes | Yes | Sì |
        yn | no | No | No |
        states | 1 | Texas | Texas |
        states | 2 | Utah | Utah |
        counties | travis | Travis | Travis | 1
        counties | weber | Weber | Weber | 2
        tools | saw | Saw | Sega |
        tools | axe | Axe | Ascia |",
    );
    let settings =
        rows("form_title | form_id | version | default_language\nHousehold | household-1 | 3 | English (en)");
    text_of(&[("survey".into(), survey), ("choices".into(), choices), ("settings".into(), settings)])
}

#[test]
fn a_workbook_is_a_form() {
    let written = convert(&book(), Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots");
    let lost: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
    let toml = String::from_utf8(written.bytes).unwrap();
    settings.bind(|| insta::assert_snapshot!("household", format!("{toml}\n# lost\n# {}\n", lost.join("\n# "))));
}

/// A form in TOML without its comments.
fn uncommented(toml: &str) -> String {
    toml.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .trim_start()
        .to_owned()
}

#[test]
fn a_form_goes_into_a_workbook_and_back() {
    let toml = convert(&book(), Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap().bytes;
    let toml = String::from_utf8(toml).unwrap();
    let there = convert(&toml, Source::Form(Syntax::Toml), Target::XlsForm, "form").unwrap();
    assert_eq!(there.lost.iter().map(ToString::to_string).collect::<Vec<_>>(), ["the file: comments"]);
    let text = workbook(&there.bytes).unwrap();
    let back = convert(&text, Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap();
    assert_eq!(back.lost.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{text}");
    assert_eq!(String::from_utf8(back.bytes).unwrap(), uncommented(&toml), "{text}");
    // The same form is the same file.
    let again = convert(&toml, Source::Form(Syntax::Toml), Target::XlsForm, "form").unwrap();
    assert_eq!(again.bytes, there.bytes);
}

#[rstest::rstest]
#[case(&[("choices", "list_name | name")], "form::missing_key", "a sheet called `survey`")]
#[case(&[("survey", "type | name")], "form::missing_key", "a question")]
#[case(&[("survey", "type | name\nbegin_group | g\ntext | a")], "form::syntax", "end_group")]
#[case(&[("survey", "type | name\ntext | a\nend_group | ")], "form::syntax", "take the row out")]
fn what_is_wrong_with_a_workbook_is_told(#[case] sheets: &[(&str, &str)], #[case] code: &str, #[case] help: &str) {
    let sheets: Vec<_> = sheets
        .iter()
        .map(|(name, rows)| {
            let rows = rows.lines().map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect();
            ((*name).to_owned(), rows)
        })
        .collect();
    let problems = convert(&text_of(&sheets), Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap_err();
    let first = problems.iter().find(|problem| problem.code == code).unwrap_or_else(|| panic!("{problems:?}"));
    assert!(first.help.as_deref().unwrap_or_default().contains(help), "{first:?}");
}

#[rstest::rstest]
#[case(b"")]
#[case(b"PK\x03\x04nonsense")]
#[case(b"id = \"a\"")]
fn what_is_no_workbook_is_refused(#[case] bytes: &[u8]) {
    assert!(workbook(bytes).unwrap_err().contains("it is no workbook"));
}

/// A form of this survey, and what is told as lost.
#[track_caller]
fn read(survey: &str, choices: &str) -> (String, String) {
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
    };
    let text = text_of(&[("survey".into(), rows(survey)), ("choices".into(), rows(choices))]);
    let written = convert(&text, Source::XlsForm, Target::Form(Syntax::Toml), "form")
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let lost: Vec<String> = written.lost.iter().map(ToString::to_string).collect();
    (String::from_utf8(written.bytes).unwrap(), lost.join("\n"))
}

#[test]
fn a_path_is_the_question_that_it_leads_to() {
    let survey = "type | name | label | relevant\n\
        begin_group | adult | Adult |\ninteger | age | Age |\nend_group | | |\n\
        begin_group | child | Child |\ninteger | age | Age |\ntext | school | School | ../age < 18\n\
        text | work | Work | ${age} > 18\ntext | home | Home | /form/adult/age > 18\nend_group | | |";
    let (toml, lost) = read(survey, "list_name | name");
    assert!(toml.contains("show_when = \"age < 18\"") && toml.contains("show_when = \"adult.age > 18\""), "{toml}");
    assert_eq!(lost, "question `work`: `relevant`: `${age} > 18` has no counterpart");
}

#[test]
fn options_by_a_number_are_told_and_not_filtered_away() {
    let survey =
        "type | name | label | choice_filter\ninteger | age | Age |\nselect_one c | course | Course | min_age = ${age}";
    let (toml, lost) = read(survey, "list_name | name | label | min_age\nc | a | A | 13\nc | b | B | 14");
    assert!(toml.contains("options = "), "{toml}");
    assert_eq!(
        lost,
        "question `course`: `choice_filter`: `min_age = ${age}` has no counterpart\nlist `c`: `min_age` of its options: 13, 14"
    );
}

#[rstest::rstest]
#[case::beside("${state}", "row.state == state", "state = \"home.state\"", "")]
#[case::at_the_top("${land}", "row.state == land", "land = \"land\"", "")]
#[case::in_a_list(
    "${part}",
    "",
    "",
    "question `city`: `choice_filter`: `state = ${part}` has no counterpart\nlist `c`: `state` of its options: x, y"
)]
#[case::by_its_path(
    "../state",
    "",
    "",
    "question `city`: `choice_filter`: `state = ../state` has no counterpart\nlist `c`: `state` of its options: x, y"
)]
fn options_in_a_group_depend_on_other_answers(
    #[case] of: &str,
    #[case] keep: &str,
    #[case] param: &str,
    #[case] told: &str,
) {
    let survey = format!(
        "type | name | label | choice_filter\ntext | land | Land |\n\
         begin_repeat | parts | Parts |\ntext | part | Part |\nend_repeat | | |\n\
         begin_group | home | Home |\ntext | state | State |\nselect_one c | city | City | state = {of}\nend_group | | |"
    );
    let (toml, lost) = read(&survey, "list_name | name | label | state\nc | a | A | x\nc | b | B | y");
    assert!(toml.contains(keep) && toml.contains(param), "{toml}");
    assert_eq!(lost, told);
}

#[test]
fn a_column_of_the_choices_keeps_its_name() {
    let survey = "type | name | label | choice_filter\ntext | few | Few |\nselect_one c | size | Size | count = ${few}";
    let (toml, lost) = read(survey, "list_name | name | label | count\nc | a | A | 13\nc | b | B | 14");
    assert!(toml.contains("keep = \"row.count == few\"") && toml.contains("count = \"13\""), "{toml}");
    assert_eq!(lost, "");
}

#[test]
fn what_has_no_place_is_told() {
    let survey = "type | name | label | hint | disabled | default | appearance\n\
        begin_group | one | One | Look here | | | field-list\n\
        text | a | A | | | Other (specify) |\ntext | off | Off | | yes | |\nend_group | | | | | |\n\
        begin_group | two | Two | | | | field-list\n\
        begin_group | in | About ${a} | | | |\ntext | c | C | | | |\nend_group | | | | | |\n\
        begin_repeat | trips | Trips | | | |\ntext | b | B | | | |\nend_repeat | | | | | |\n\
        text | d | And after ${b}, what? | | | |\n\
        begin_loop over c | each | Each | | | |\ntext | e | E | | | |\nend_loop | | | | | |\nend_group | | | | | |";
    let (toml, lost) = read(survey, "list_name | name | label\nc | x | X");
    assert!(toml.contains("default = \"Other (specify)\""), "{toml}");
    assert!(toml.contains("id = \"e\"") && !toml.contains("id = \"off\""), "{toml}");
    let lost: Vec<&str> = lost.lines().collect();
    assert_eq!(
        lost,
        [
            "question `in`: its name, which becomes `in_`",
            "question `one`: `hint`: Look here",
            "question `off`: all of it: it is switched off there",
            "question `in`: `label`, which shows answers: About {{ a }}",
            "question `d`: `${b}` in its `label`",
            "question `each`: that it is asked for each option of its list (`begin_loop over c`)",
            "list `c`: all of it: no question has its options from it",
        ]
    );
}

#[test]
fn a_form_in_a_workbook_offers_what_it_offered() {
    let option = |id: &str, options: &str| {
        format!(
            "[[field.field]]\nid = \"{id}\"\nkind = \"choice\"\nlabel = \"{id}\"\nask = \"Which?\"\noptions = {options}\n"
        )
    };
    let toml = [
        "id = \"paint\"\ntitle = \"Paint\"\n[[field]]\nid = \"sure\"\nkind = \"yes_no\"\nlabel = \"Sure\"\nask = \"Sure, on {{ today }}?\"\n",
        "[[field]]\nid = \"wall\"\nkind = \"group\"\nlabel = \"Wall\"\n",
        &option("colour", "[\"Red\", \"Blue\"]"),
        "[[field]]\nid = \"door\"\nkind = \"group\"\nlabel = \"Door\"\n",
        &option("colour", "[\"Green\", \"White\"]"),
        &option("yes_no", "[\"Gloss\", \"Matt\"]"),
    ]
    .concat();
    let book = convert(&toml, Source::Form(Syntax::Toml), Target::XlsForm, "form").unwrap();
    let text = workbook(&book.bytes).unwrap();
    assert!(!text.contains("${today}"), "{text}");
    let back = convert(&text, Source::XlsForm, Target::Form(Syntax::Toml), "form").unwrap();
    let back = String::from_utf8(back.bytes).unwrap();
    for offered in ["[\"Red\", \"Blue\"]", "[\"Green\", \"White\"]", "[\"Gloss\", \"Matt\"]", "kind = \"yes_no\""] {
        assert!(back.contains(offered), "{offered}: {back}");
    }
}

#[test]
fn a_pattern_of_several_is_written_in_brackets() {
    let (questions, params) = (questions(), std::collections::BTreeMap::new());
    let place = from_cel::Place { questions: &questions, own: None, holds: Holds::Text, params: &params };
    let there = from_cel::code("town.matches('^A|Z$')", place);
    assert_eq!(there.as_deref(), Some("regex(${town}, '[\\s\\S]*(?:^A|Z$)[\\s\\S]*')"));
}
