//! People of a list told one after another, each with what is said of them: "Anna 7, Ben 9"; and one that is there
//! already called by name: "Anna is 6", "Carl's name is Karl".

use std::ops::Range;

use super::Scene;
use super::named::is_hidden;
use super::reader::Reader;
use super::spans::{takes_words, with_context};
use super::steer::{list_at_hand, list_of, next_item};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::field::{FieldNo, Fill};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::{Found, Reading, Said};
use formwright_form::{Field, Kind, Path, Value};
use formwright_text::stem;
use formwright_text::typo::distance;

/// Most clauses of a message of which any stretch may tell people; of a longer one only all of it.
const MOST_CLAUSES: usize = 12;

/// The stretch of clauses that tells people of the list at hand and nothing else, and what it does; `None` where there is
/// none.
pub(super) fn said(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
) -> Option<(Range<usize>, Vec<Command>)> {
    let told = Told::new(scene, reader, mentions)?;
    let count = reader.clauses.len();
    let least = if count > MOST_CLAUSES { count } else { 1 };
    let stretches = (least..=count).rev().flat_map(|len| (0..=count - len).map(move |from| from..from + len));
    stretches.into_iter().find_map(|clauses| {
        let asks = |no: usize| reader.clauses.get(no).is_none_or(|clause| clause.question || clause.tentative);
        let words = reader.clauses.get(clauses.start)?.words.start..reader.clauses.get(clauses.end - 1)?.words.end;
        let commands = told.commands(words).filter(|_| !clauses.clone().any(asks))?;
        Some((clauses, commands))
    })
}

/// A list of groups with one name of a person in each, and the values of its other members in the message.
struct Told<'a, 's> {
    scene: &'a Scene<'s>,
    reader: &'a Reader<'a>,
    mentions: &'a [Mention],
    list: Path,
    name: &'a Field,
    values: Vec<(FieldNo, Range<usize>, Found)>,
    /// The item that the next new person goes to.
    next: u32,
    /// People of the list are asked for: a name like one that is there may be another's.
    asked: bool,
    /// Others may be added here.
    open: bool,
}

/// A person that is told, and what is said of them.
struct Row {
    /// Words of the name.
    name: Range<usize>,
    /// Which item it is, where it is there already.
    known: Option<u32>,
    renamed: Option<Range<usize>>,
    values: Vec<usize>,
}

/// What begins at a word.
enum At {
    Nothing,
    /// A value, and how many words it has.
    Value {
        value: usize,
        len: usize,
    },
    /// What may be of several members.
    Several,
}

impl<'a, 's> Told<'a, 's> {
    fn new(scene: &'a Scene<'s>, reader: &'a Reader<'a>, mentions: &'a [Mention]) -> Option<Self> {
        let list = list_at_hand(scene).filter(|list| !is_hidden(scene, list))?;
        let of = scene.form.field_at(&list)?;
        let members = || scene.form.members(of.no).iter().filter_map(|no| scene.form.field(*no));
        let mut names = members().filter(|field| is_person(field));
        let (Some(name), None) = (names.next(), names.next()) else { return None };
        let next = next_item(scene, &list);
        let (asked, open) = match scene.draft.pending {
            Pending::MoreItems { .. } => (true, true),
            Pending::Field { path, .. } if list_of(scene, path).as_ref() == Some(&list) => (true, true),
            Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange => (false, true),
            Pending::Field { path, .. } => {
                let asked = scene.form.field_at(path)?;
                if matches!(asked.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_)) {
                    return None;
                }
                (false, false)
            }
            _ => return None,
        };
        if !asked && scene.draft.lists.get(&list).is_none_or(|state| state.len == 0) {
            return None;
        }
        let told = Self { scene, reader, mentions, name, values: Vec::new(), next, asked, open, list };
        let values = members().filter(|field| is_typed(field)).flat_map(|field| {
            let kind = field.kind.behaviour();
            let path = told.path(field, next);
            let found = path.map(|path| with_context(scene, &path, field, |cx| kind.find(reader.said_to(field), cx)));
            found.into_iter().flatten().map(|found| (field.no, reader.words_of(&found.span), found))
        });
        let values = values.collect();
        Some(Self { values, ..told })
    }

    fn path(&self, field: &Field, item: u32) -> Option<Path> {
        self.scene.form.path_near(field.no, &self.list.item(item))
    }

    /// What words do that tell people and nothing else.
    fn commands(&self, words: Range<usize>) -> Option<Vec<Command>> {
        let rows = self.rows(words)?;
        let new = rows.iter().filter(|row| row.known.is_none()).count();
        let idle = rows.iter().all(|row| row.values.is_empty() && row.renamed.is_none());
        // "Smith, Anna" is one name.
        let joined = rows.windows(2).all(|two| match two {
            [one, two] => (one.name.end..two.name.start)
                .any(|no| self.reader.len(|lang| &lang.sentence.join, no, two.name.start) > 0),
            _ => true,
        });
        let asked_for = self.asked && new > 1 && new == rows.len() && joined;
        if rows.is_empty() || idle && !asked_for || new > 0 && !self.open {
            return None;
        }
        let mut commands = Vec::new();
        let mut next = self.next;
        let have = self.scene.draft.lists.get(&self.list).map_or(0, |state| state.len);
        for row in rows {
            let item = match row.known {
                Some(item) => item,
                None => {
                    let item = next;
                    next = next.saturating_add(1);
                    if item >= have {
                        commands.push(Command::AddItem { list: self.list.clone() });
                    }
                    item
                }
            };
            if let Some(name) = row.renamed.or(row.known.is_none().then_some(row.name)) {
                commands.push(self.fill(self.name, item, self.reader.raw_text(name))?);
            }
            for value in row.values {
                let (field, _, found) = self.values.get(value)?;
                let text = self.reader.said.raw.get(found.span.clone())?;
                commands.push(self.fill(self.scene.form.field(*field)?, item, text)?);
            }
        }
        Some(commands)
    }

    fn fill(&self, field: &Field, item: u32, text: &str) -> Option<Command> {
        let path = self.path(field, item)?;
        let kind = field.kind.behaviour();
        let part = Said::new(text);
        match with_context(self.scene, &path, field, |cx| kind.read(&part, cx)) {
            Reading::Value(found) => Some(Command::Fill { path, value: found.value, quote: Some(text.to_owned()) }),
            _ => None,
        }
    }

    /// The people that words tell; `None` where they tell anything else.
    fn rows(&self, words: Range<usize>) -> Option<Vec<Row>> {
        let (reader, end) = (self.reader, words.end);
        let mut rows: Vec<Row> = Vec::new();
        let mut count = None;
        // "Change Carl to …", "Carl's name …".
        let (mut edits, mut renames) = (false, false);
        let mut no = words.start;
        while no < end {
            let denies =
                reader.len(|lang| &lang.yes_no.negation, no, end).max(reader.len(|lang| &lang.sentence.or, no, end));
            let introduces = rows.is_empty() && reader.len(|lang| &lang.name.is, no, end) > 0;
            if denies > 0 || introduces {
                return None;
            }
            let called = reader.len(|lang| &lang.name.called, no, end);
            let at = self.value_at(no, end);
            if let At::Value { value, len } = at {
                match rows.last_mut() {
                    Some(row) if !self.holds(row, value) => row.values.push(value),
                    Some(_) => return None,
                    // "Two: Anna and Ben."
                    None if count.is_none() => count = Some(self.values.get(value)?.2.value.clone()),
                    None => return None,
                }
                no += len;
            } else if matches!(at, At::Several) {
                return None;
            } else if called > 0 {
                renames = true;
                no += called;
            } else if let Some(mention) = self.mention_at(no, end) {
                renames |= mention.field == self.name.no;
                no = mention.words.end;
            } else if let Some(name) = self.name_at(no..end) {
                let known = self.known(name.clone(), !renames);
                no = name.end;
                match rows.last_mut().filter(|row| row.known.is_some() && row.values.is_empty() && renames) {
                    Some(row) if known.is_none() => row.renamed = Some(name),
                    _ => rows.push(Row { name, known, renamed: None, values: Vec::new() }),
                }
                renames = false;
            } else {
                let edit = reader.len(|lang| &lang.control.edit, no, end);
                let is = reader.len(|lang| &lang.sentence.is, no, end);
                let into = reader.len(|lang| &lang.sentence.into, no, end);
                let others = reader.len(|lang| &lang.denial.others, no, end);
                let idle = usize::from(reader.is_idle(no));
                edits |= edit > 0;
                renames |= edits && into > 0;
                no += [edit, is, into, others, idle].into_iter().max().filter(|len| *len > 0)?;
            }
        }
        let fits = count.is_none_or(|count| count == Value::Integer(rows.len().try_into().unwrap_or(0)));
        fits.then_some(rows)
    }

    /// The value that begins at a word.
    fn value_at(&self, no: usize, end: usize) -> At {
        let here = || self.values.iter().enumerate().filter(|(_, (_, words, _))| words.start == no && words.end <= end);
        let idle = |words: &Range<usize>| words.clone().all(|no| self.reader.is_idle(no) && !self.reader.is_digits(no));
        let len = here().map(|(_, (_, words, _))| words.len()).max().unwrap_or(0);
        let mut longest = here().filter(|(_, (_, words, _))| words.len() == len && !idle(words));
        match (longest.next(), longest.next()) {
            (None, _) => At::Nothing,
            (Some((value, _)), None) => At::Value { value, len },
            (Some(_), Some(_)) => At::Several,
        }
    }

    fn holds(&self, row: &Row, value: usize) -> bool {
        let of = |value: usize| self.values.get(value).map(|(field, ..)| *field);
        row.values.iter().any(|other| of(*other) == of(value))
    }

    /// The longest name at a word of the list or one of its members.
    fn mention_at(&self, no: usize, end: usize) -> Option<&Mention> {
        let of = self.scene.form.field_at(&self.list).map(|list| list.no);
        let of_list = |field: FieldNo| Some(field) == of || self.scene.form.list_of(field) == of;
        let here = |mention: &&Mention| mention.words.start == no && mention.words.end <= end && of_list(mention.field);
        self.mentions.iter().filter(here).max_by_key(|mention| (mention.words.len(), mention.field == self.name.no))
    }

    /// The words from the first one on that are a name: with capitals, where the message has any.
    fn name_at(&self, words: Range<usize>) -> Option<Range<usize>> {
        let reader = self.reader;
        let mut all = 0..reader.said.words.len();
        let capitals = !self.asked || all.any(|no| reader.is_capital(no) && !reader.is_idle(no));
        let of_form = |no: usize| self.scene.form.cues().knows(stem(reader.said.plain(no)));
        let begins_value = |no: usize| self.values.iter().any(|(_, value, _)| value.contains(&no));
        let is_name = |no: usize| {
            !reader.is_mark(no)
                && !reader.is_digits(no)
                && (!reader.is_idle(no)
                    || reader.len(|lang| &lang.name.particles, no, words.end) > 0 && no > words.start)
                && (reader.is_capital(no) || !capitals || reader.len(|lang| &lang.name.particles, no, words.end) > 0)
                && !begins_value(no)
                && !of_form(no)
        };
        // "O'Brien", "Anna-Lena".
        let is_link = |no: usize| {
            matches!(reader.said.word(no), "-" | "'" | "’" | ".") && reader.said.is_glued(no) && no > words.start
        };
        let len = words.clone().take_while(|no| is_name(*no) || is_link(*no)).count();
        let end = (words.start..words.start + len).rev().find(|no| is_name(*no))? + 1;
        is_name(words.start).then_some(words.start..end)
    }

    /// The item whose person is called so: by the whole name, the first name, or nearly so where nobody else is asked for.
    fn known(&self, words: Range<usize>, nearly_so: bool) -> Option<u32> {
        let said = Said::new(bare(self.reader.raw_text(words)));
        let called = |fits: fn(&Said, &Said) -> bool| {
            let have = self.scene.draft.lists.get(&self.list).map_or(0, |state| state.len);
            let mut items = (0..have).filter(|item| {
                let answer = self.path(self.name, *item).and_then(|path| self.scene.draft.answers.get(&path));
                answer.is_some_and(|answer| {
                    let Value::Text(held) = &answer.value else { return false };
                    fits(&Said::new(held), &said)
                })
            });
            items.next().filter(|_| items.next().is_none())
        };
        let whole = |held: &Said, said: &Said| {
            said.words.len() == held.words.len() && (0..said.words.len()).all(|no| held.plain(no) == said.plain(no))
        };
        let first = |held: &Said, said: &Said| said.words.len() == 1 && held.plain(0) == said.plain(0);
        let nearly =
            |held: &Said, said: &Said| said.words.len() == 1 && distance(said.plain(0), held.plain(0)) == Some(1);
        called(whole).or_else(|| called(first)).or_else(|| called(nearly).filter(|_| nearly_so && !self.asked))
    }
}

/// A name without the ending that says whose: "Anna's".
fn bare(name: &str) -> &str {
    name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name)
}

fn is_person(field: &Field) -> bool {
    matches!(&field.kind, Kind::Text(kind) if kind.subtype == Some(Subtype::Person))
        && field.fill == Fill::Any
        && !field.sensitive
}

/// Whether a member holds a value that is known by its shape.
fn is_typed(field: &Field) -> bool {
    let words =
        matches!(field.kind, Kind::Text(_) | Kind::LongText(_) | Kind::Address(_) | Kind::File(_) | Kind::Location(_));
    !words && takes_words(field, false) && field.fill == Fill::Any && !field.sensitive
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::so_far::ListState;
    use crate::testing::Stage;

    const CAMP: &str = r#"
id = "camp"
title = "Camp"

[[field]]
id = "name"
kind = "text"
subtype = "person"
label = "Your name"

[[field]]
id = "kids"
kind = "list"
label = "Children"
item = "child"

[[field.field]]
id = "name"
kind = "text"
subtype = "person"
label = "Name"

[[field.field]]
id = "age"
kind = "integer"
label = "Age"
max = 17

[[field.field]]
id = "size"
kind = "choice"
label = "Shirt"
options = ["Small", "Large"]

[[field]]
id = "day"
kind = "date"
label = "First day"

[[field]]
id = "nights"
kind = "integer"
label = "Nights"

[[field]]
id = "code"
kind = "pattern"
label = "Room"
regex = '[A-Z]{2} \d{3}'
"#;

    #[rstest]
    #[case("Anna, 7", "kids[0].name=Anna; kids[0].age=7")]
    #[case("Anna is 7", "kids[0].name=Anna; kids[0].age=7")]
    #[case("anna 7", "kids[0].name=anna; kids[0].age=7")]
    #[case("yes, Anna, she is 7", "kids[0].name=Anna; kids[0].age=7")]
    #[case("Anna, 7, large", "kids[0].name=Anna; kids[0].age=7; kids[0].size=large")]
    #[case("Anna 7, Ben 9", "kids[0].name=Anna; kids[0].age=7; add kids; kids[1].name=Ben; kids[1].age=9")]
    #[case(
        "Anna O'Brien (7) and Ben (9)",
        "kids[0].name=Anna O'Brien; kids[0].age=7; add kids; kids[1].name=Ben; kids[1].age=9"
    )]
    #[case("two: Anna 7 and Ben 9", "kids[0].name=Anna; kids[0].age=7; add kids; kids[1].name=Ben; kids[1].age=9")]
    #[case("Anna and Ben", "kids[0].name=Anna; add kids; kids[1].name=Ben")]
    #[case("Smith, Anna", "kids[0].name=Smith, Anna")]
    #[case("Anna", "kids[0].name=Anna")]
    #[case("Anna or Ben, 7", "~=nights=7")]
    fn people_are_told_in_a_row(#[case] said: &str, #[case] expected: &str) {
        let mut stage = Stage::new(CAMP, "kids[0].name").having("name=Ann Lee");
        stage.draft.lists.insert("kids".parse().unwrap(), ListState { len: 1, ended: false });
        assert_eq!(stage.fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("kids[1].age", "Ben, 9", "add kids; kids[2].name=Ben; kids[2].age=9")]
    #[case("more kids", "another one: Ben, 9", "add kids; kids[2].name=Ben; kids[2].age=9")]
    #[case("more kids", "yes, Ben and Zoe", "add kids; kids[2].name=Ben; add kids; kids[3].name=Zoe")]
    #[case("more kids", "Anna is 6", "kids[0].age=6")]
    #[case("day", "Anna is 6", "kids[0].age=6")]
    #[case("review", "Ben is 6", "add kids; kids[2].name=Ben; kids[2].age=6")]
    #[case("day", "Karl is 6", "kids[1].age=6")]
    #[case("more kids", "Karl is 6", "add kids; kids[2].name=Karl; kids[2].age=6")]
    #[case("day", "Ben and Zoe", "")]
    #[case("review", "change the nights to 5", "nights=5")]
    #[case("review", "nights: 5", "nights=5")]
    #[case("review", "set nights to 5", "nights=5")]
    #[case("code", "AB 123", "code=AB 123")]
    fn people_are_added_where_the_list_is_spoken_of(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
        let having = "name=Ann Lee; kids[0].name=Anna; kids[0].age=7; kids[1].name=Carl Lee";
        assert_eq!(Stage::new(CAMP, asked).having(having).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("Anna is 6", "kids[0].age=6")]
    #[case("Anna's age is 6", "kids[0].age=6")]
    #[case("change Carl's age to 8", "kids[1].age=8")]
    #[case("Carl's name is Karl", "kids[1].name=Karl")]
    #[case("Carl is called Karl", "kids[1].name=Karl")]
    #[case("change Carl to Karl", "kids[1].name=Karl")]
    #[case("Anna is 6, Carl 8", "kids[0].age=6; kids[1].age=8")]
    #[case("Anna: large, Carl: small", "kids[0].size=large; kids[1].size=small")]
    #[case("remove Carl", "remove kids[1]")]
    #[case("Anna starts on Friday", "day=2026-11-27")]
    fn one_who_is_there_is_called_by_name(#[case] said: &str, #[case] expected: &str) {
        let having = "name=Ann Lee; kids[0].name=Anna; kids[0].age=7; kids[1].name=Carl Lee; kids[1].age=9";
        assert_eq!(Stage::new(CAMP, "review").having(having).fills(said), expected, "{said}");
    }
}
