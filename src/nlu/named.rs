//! Clauses that name a field, an item or a form: "change the phone", "remove the second one", "I want to report an injury".

use std::collections::BTreeMap;
use std::ops::Range;

use super::held;
use super::parts::parted;
use super::place::{counted, item_inside};
use super::reader::Reader;
use super::steer::{last_item, list_at_hand, list_of, list_spoken_of};
use super::{Scene, Unsure};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::field::{AnswerSource, FieldNo};
use formwright_form::kind::text::Subtype;
use formwright_form::kind::yes_no::is_consent;
use formwright_form::{Form, FormId, Kind, Path, Value};
use formwright_lexicon::sentence::Announced;
use formwright_text::stem;

/// What a clause that names something wants.
pub(super) enum Named {
    /// This.
    One(Command),
    /// All of these, in order.
    Each(Vec<Command>),
    /// One of these.
    Several(Unsure),
}

/// What a clause wants of a field, item or list that it names, where it says nothing else.
pub(super) fn directed(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<Named> {
    let start = past_request(reader, words.clone());
    let end = trim_end(reader, start..words.end);
    let verb = |len: usize| (len > 0 && start + len < end).then_some(start + len..end);
    let edit = reader.len(|lang| &lang.control.edit, start, end);
    let clear = reader.len(|lang| &lang.control.clear, start, end);
    let why = reader.len(|lang| &lang.control.why, start, end);
    let help = reader.len(|lang| &lang.control.help, start, end);
    let add = reader.len(|lang| &lang.control.add, start, end);
    if let Some(rest) = verb(clear).filter(|_| clear >= edit) {
        if let Some(item) = item_named(scene, reader, mentions, rest.clone()) {
            return Some(Named::One(Command::RemoveItem { item }));
        }
        if let Some(items) = held::removed(scene, reader, rest.clone()) {
            return Some(items);
        }
        let answered = |path: &Path| scene.draft.answers.keys().any(|known| known.is_within(path));
        let clear = |path: Path| {
            let no = yes_or_no(scene, reader, &words, &path, false);
            no.unwrap_or(Command::Clear { path })
        };
        return several(reader, rest.clone(), |part| named(scene, reader, mentions, part, answered, clear))
            .or_else(|| named(scene, reader, mentions, rest, answered, clear));
    }
    if let Some(rest) = verb(edit) {
        if let Some(path) = item_named(scene, reader, mentions, rest.clone()) {
            return Some(Named::One(Command::Edit { path: Some(path) }));
        }
        let edit = |path| Command::Edit { path: Some(path) };
        return several(reader, rest.clone(), |part| named(scene, reader, mentions, part, |_| true, edit))
            .or_else(|| named(scene, reader, mentions, rest, |_| true, edit));
    }
    if let Some(rest) = verb(add) {
        if let Some(list) = list_named(scene, reader, mentions, rest.clone()) {
            return Some(Named::One(Command::AddItem { list }));
        }
        let open = |path: &Path| !scene.draft.answers.contains_key(path);
        let edit = |path: Path| {
            let yes = yes_or_no(scene, reader, &words, &path, true);
            yes.unwrap_or(Command::Edit { path: Some(path) })
        };
        if let Some(named) = named(scene, reader, mentions, rest, open, edit) {
            return Some(named);
        }
    }
    for (len, command) in [(why, Command::Why), (help, Command::Help)] {
        let Some(rest) = verb(len) else { continue };
        let asked = match scene.draft.pending {
            Pending::Field { path, .. } => Some(path),
            _ => None,
        };
        let about = names(scene, reader, mentions, rest.clone());
        if !about.is_empty() && about.iter().any(|(path, _)| Some(path) == asked) {
            return Some(Named::One(command));
        }
    }
    let wrong = (start + 1..end).find(|no| {
        let len = reader.len(|lang| &lang.control.wrong, *no, end);
        len > 0 && (no + len..end).all(|no| reader.is_idle(no))
    })?;
    named(scene, reader, mentions, start..wrong, |_| true, |path| Command::Edit { path: Some(path) })
}

/// The answer that a yes/no field gets where a thing is wanted, or wanted away: "remove the insurance".
fn yes_or_no(scene: &Scene<'_>, reader: &Reader<'_>, words: &Range<usize>, path: &Path, yes: bool) -> Option<Command> {
    let field = scene.form.field_at(path).filter(|field| matches!(field.kind, Kind::YesNo(_)))?;
    let quote = Some(reader.raw_text(words.clone()).trim().to_owned());
    // Nobody agrees to anything by adding it.
    let consents = yes && field.label.by_lang.values().any(|label| is_consent(label));
    (!consents).then(|| Command::Fill { path: path.clone(), value: Value::Bool(yes), quote })
}

/// Where a clause goes on after what asks for something: "can I" in "can I fix the phone number", where a wish follows.
fn past_request(reader: &Reader<'_>, words: Range<usize>) -> usize {
    let end = words.end;
    let past = reader.past_filler(words.clone());
    let wishes = |no: &usize| {
        let edit = reader.len(|lang| &lang.control.edit, *no, end);
        edit.max(reader.len(|lang| &lang.control.clear, *no, end)) > 0
    };
    let asked = |no: usize| {
        let start = reader.len(|lang| &lang.control.start, no, end);
        no + start.max(reader.len(|lang| &lang.sentence.request, no, end))
    };
    let places = [words.start, past, asked(words.start), asked(past)];
    places.into_iter().find(wishes).unwrap_or(past)
}

/// A clause at a review that names a field and nothing else: it is to be changed.
pub(super) fn bare_name(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<Named> {
    let start = reader.past_filler(words.clone());
    let end = trim_end(reader, start..words.end);
    let edit = |path: Path| Command::Edit { path: Some(path) };
    if let Some(item) = item_named(scene, reader, mentions, start..end) {
        return Some(Named::One(edit(item)));
    }
    several(reader, start..end, |part| named(scene, reader, mentions, part, |_| true, edit))
        .or_else(|| named(scene, reader, mentions, start..end, |_| true, edit))
}

/// What is wanted of each of several names: "the pizza and the phone", "the phone and change the address".
fn several(reader: &Reader<'_>, words: Range<usize>, named: impl Fn(Range<usize>) -> Option<Named>) -> Option<Named> {
    let parts = parted(reader, &words);
    if parts.len() < 2 {
        return None;
    }
    let mut commands = Vec::new();
    for part in parts {
        let start = reader.past_filler(part.clone());
        let verb = reader.len(|lang| &lang.control.edit, start, part.end);
        match named(start + verb..part.end)? {
            Named::One(command) => commands.push(command),
            Named::Each(_) | Named::Several(_) => return None,
        }
    }
    Some(Named::Each(commands))
}

fn named(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
    prefer: impl Fn(&Path) -> bool,
    command: impl Fn(Path) -> Command,
) -> Option<Named> {
    let mut found = names(scene, reader, mentions, words);
    if found.iter().any(|(path, _)| prefer(path)) {
        found.retain(|(path, _)| prefer(path));
    }
    let best = found.iter().map(|(_, score)| *score).fold(0.0, f32::max);
    found.retain(|(_, score)| *score >= best - 0.05);
    match found.len() {
        0 => None,
        1 => found.pop().map(|(path, _)| Named::One(command(path))),
        2..=8 => {
            let readings = found.into_iter().map(|(path, _)| (label(scene, &path), command(path))).collect();
            Some(Named::Several(Unsure { readings }))
        }
        _ => None,
    }
}

/// Fields that words name, each with how well, where the words say nothing else.
fn names(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: Range<usize>) -> Vec<(Path, f32)> {
    let mut by_field: BTreeMap<FieldNo, (f32, Vec<Range<usize>>)> = BTreeMap::new();
    // "The amount of expense 2" speaks of a field of that item, not of the list.
    let item = item_inside(scene, reader, mentions, words.clone());
    let in_item = |no: usize| item.as_ref().is_some_and(|(_, words)| words.contains(&no));
    let is_list =
        |mention: &Mention| scene.form.field(mention.field).is_some_and(|it| matches!(it.kind, Kind::List(_)));
    let inside = |mention: &Mention| words.start <= mention.words.start && mention.words.end <= words.end;
    let counted = words.clone().any(|no| reader.announces(Announced::Count, no, words.end) > 0);
    // What counts things is not meant where they are named themselves: "the pizza" is no number of pizzas.
    let named_itself = |unit: &Mention| {
        let name = |other: &Mention| !other.unit && !other.cue && other.weight >= 1.0 && other.field != unit.field;
        !counted && mentions.iter().any(|other| name(other) && inside(other))
    };
    let lists_at = |no: usize| mentions.iter().any(|mention| is_list(mention) && mention.words.contains(&no));
    for mention in mentions {
        let faint = mention.cue && mention.words.clone().all(|no| reader.is_idle(no));
        let of_item = item.is_some() && is_list(mention) || in_item(mention.words.start);
        if !inside(mention) || faint || of_item || (mention.unit && named_itself(mention)) {
            continue;
        }
        let (score, spans) = by_field.entry(mention.field).or_default();
        if mention.unit {
            *score = score.max(if counted { 1.5 } else { 0.9 });
        } else if mention.weight >= 1.0 {
            #[expect(clippy::cast_precision_loss, reason = "a name has few words")]
            let whole = 1.0 + 0.2 * mention.words.len() as f32;
            *score = score.max(whole);
        } else if *score < 1.0 {
            *score = (*score + 0.5).min(0.95);
        }
        spans.push(mention.words.clone());
    }
    let near = item.as_ref().map_or_else(|| near(scene), |(item, _)| item.clone());
    let explains = |spans: &[Range<usize>]| {
        let small = |no: usize| reader.is_idle(no) || in_item(no) || item.is_some() && lists_at(no);
        words.clone().all(|no| small(no) || spans.iter().any(|span| span.contains(&no)))
    };
    if by_field.is_empty() {
        by_field.extend(announced(scene, reader, words.clone()).into_iter().map(|(no, span)| (no, (0.9, vec![span]))));
    }
    by_field
        .into_iter()
        .filter(|(_, (_, spans))| explains(spans))
        .filter_map(|(no, (score, _))| Some((path_of(scene, no, &near)?, score)))
        .filter(|(path, _)| !is_hidden(scene, path) && is_changeable(scene, path))
        .collect()
}

/// Fields of the kind that words announce whatever the field is called: "my number" of a phone.
fn announced(scene: &Scene<'_>, reader: &Reader<'_>, words: Range<usize>) -> Vec<(FieldNo, Range<usize>)> {
    use Announced::{Address, Date, Email, Money, Name, Phone, Time, Url};
    let kinds = [Phone, Email, Url, Money, Address, Name, Date, Time];
    let mut found = Vec::new();
    for no in words.clone() {
        for what in kinds {
            let len = reader.announces(what, no, words.end);
            // A preposition alone names nothing.
            if len == 0 || (len == 1 && reader.is_idle(no)) {
                continue;
            }
            let fields = scene.form.fields.iter().filter(|field| announces(what, &field.kind));
            found.extend(fields.map(|field| (field.no, no..no + len)));
        }
    }
    found
}

fn announces(what: Announced, kind: &Kind) -> bool {
    match (what, kind) {
        (Announced::Phone, Kind::Phone(_))
        | (Announced::Email, Kind::Email(_))
        | (Announced::Url, Kind::Url(_))
        | (Announced::Money, Kind::Money(_))
        | (Announced::Date, Kind::Date(_) | Kind::DateRange(_))
        | (Announced::Time, Kind::Time(_))
        | (Announced::Address, Kind::Address(_)) => true,
        (Announced::Name, Kind::Text(text)) => text.subtype == Some(Subtype::Person),
        (Announced::Address, Kind::Text(text)) => text.subtype == Some(Subtype::Address),
        _ => false,
    }
}

/// Where the conversation stands: list items on the way are taken from here.
pub(super) fn near(scene: &Scene<'_>) -> Path {
    match scene.draft.pending {
        Pending::Field { path, .. } => path.clone(),
        Pending::MoreItems { list } => last_item(scene, list).unwrap_or_else(|| list.clone()),
        Pending::Sure { then, .. } => match then.as_ref() {
            Command::Fill { path, .. } | Command::Clear { path } => path.clone(),
            _ => Path::default(),
        },
        _ => Path::default(),
    }
}

fn path_of(scene: &Scene<'_>, no: FieldNo, near: &Path) -> Option<Path> {
    scene.form.path_near(no, near).or_else(|| {
        let list = scene.form.path_near(scene.form.list_of(no)?, near)?;
        let item = last_item(scene, &list)?;
        scene.form.path_near(no, &item)
    })
}

/// Whether a field, or what it lies in, is not shown now.
pub(super) fn is_hidden(scene: &Scene<'_>, path: &Path) -> bool {
    let page = || scene.form.field_at(path).is_some_and(|field| scene.draft.pages_hidden.contains(&field.page));
    scene.draft.is_hidden(path) || (!scene.draft.pages_hidden.is_empty() && page())
}

fn is_changeable(scene: &Scene<'_>, path: &Path) -> bool {
    scene.form.field_at(path).is_some_and(|field| {
        let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
        !given && !matches!(field.kind, Kind::Hidden(_) | Kind::Note(_) | Kind::Computed(_))
    })
}

/// The name of a field for the person.
pub(super) fn label(scene: &Scene<'_>, path: &Path) -> String {
    let Some(field) = scene.form.field_at(path) else { return path.to_string() };
    let texts = &field.label.by_lang;
    let own = texts.get(scene.lang.code).or_else(|| texts.get("")).or_else(|| texts.values().next());
    own.filter(|text| !text.is_empty()).cloned().unwrap_or_else(|| field.id.as_str().replace('_', " "))
}

/// The item of a list that words name: "the second one", "the last expense".
pub(super) fn item_named(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    mentions: &[Mention],
    words: Range<usize>,
) -> Option<Path> {
    let (at, len, which) = counted(scene, reader, mentions, words.clone())?;
    let rest = (words.start..at).chain(at + len..words.end);
    let is_list = |mention: &&Mention| {
        let inside = words.start <= mention.words.start && mention.words.end <= words.end;
        let list = scene.form.field(mention.field).is_some_and(|field| matches!(field.kind, Kind::List(_)));
        inside && list
    };
    let lists: Vec<&Mention> = mentions.iter().filter(is_list).collect();
    let explained = |no: usize| reader.is_idle(no) || lists.iter().any(|mention| mention.words.contains(&no));
    if !rest.into_iter().all(explained) {
        return None;
    }
    let list = match lists.first() {
        Some(mention) => scene.form.path_near(mention.field, &near(scene))?,
        None => list_spoken_of(scene, mentions, &words)?,
    };
    item(scene, &list, which)
}

/// The first ordinal in a range: where, how many words, and which it means.
pub(super) fn ordinal(reader: &Reader<'_>, words: Range<usize>) -> Option<(usize, usize, i64)> {
    words.clone().find_map(|no| {
        if let Some((len, which)) = reader.at(|lang| &lang.control.ordinal, no, words.end) {
            return Some((no, len, *which));
        }
        let numbered = matches!(reader.said.word(no), "#" | "number" | "no" | "item") && reader.is_digits(no + 1);
        let which = reader.said.word(no + 1).parse().ok().filter(|_| numbered && no + 1 < words.end)?;
        Some((no, 2, which))
    })
}

/// The item that an ordinal means, where the list has it.
pub(super) fn item(scene: &Scene<'_>, list: &Path, which: i64) -> Option<Path> {
    let len = scene.draft.lists.get(list).map_or(0, |state| state.len);
    let no = if which < 0 { i64::from(len) + which } else { which - 1 };
    u32::try_from(no).ok().filter(|no| *no < len).map(|no| list.item(no))
}

fn list_named(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention], words: Range<usize>) -> Option<Path> {
    let lists = mentions.iter().filter(|mention| {
        let inside = words.start <= mention.words.start && mention.words.end <= words.end;
        inside && scene.form.field(mention.field).is_some_and(|field| matches!(field.kind, Kind::List(_)))
    });
    for mention in lists {
        if words.clone().all(|no| reader.is_idle(no) || mention.words.contains(&no)) {
            return scene.form.path_near(mention.field, &near(scene));
        }
    }
    let another = words.clone().all(|no| reader.is_idle(no));
    another.then(|| list_at_hand(scene)).flatten().filter(|list| match scene.draft.pending {
        Pending::Field { path, .. } => list_of(scene, path).as_ref() == Some(list),
        Pending::MoreItems { .. } => true,
        _ => false,
    })
}

pub(super) fn trim_end(reader: &Reader<'_>, words: Range<usize>) -> usize {
    let mut end = words.end;
    while end > words.start && reader.is_mark(end - 1) {
        end -= 1;
    }
    end
}

/// The form that a clause wants to go back to: "go on with the injury report".
pub(super) fn form_to_resume(forms: &[&Form], reader: &Reader<'_>, words: Range<usize>) -> Option<FormId> {
    let start = reader.past_filler(words.clone());
    let verb = reader.len(|lang| &lang.control.resume, start, words.end);
    let rest = start + verb..words.end;
    let named = |form: &&&Form| {
        let telling = |no: usize| !reader.is_idle(no);
        let known = |no: usize| form.cues().title.contains(stem(reader.said.plain(no)));
        rest.clone().any(telling) && rest.clone().filter(|no| telling(*no)).all(known)
    };
    let mut fitting = forms.iter().filter(|_| verb > 0).filter(named);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(only.id.clone()),
        _ => None,
    }
}
