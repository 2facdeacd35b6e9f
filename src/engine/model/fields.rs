//! How fields are told to a model: in whole pieces, the dearest first, never a cut one.

use std::collections::BTreeSet;

use formwright_chat as chat;

use crate::draft::filling::{self, Filling};
use crate::model;
use formwright_form::field::{AnswerSource, Field, FieldNo, Fill};
use formwright_form::kind::Offered;
use formwright_form::{Form, Kind, Path};
use formwright_nlu::{Pending, is_sensitive, name_of};

/// About how many tokens the first part of a prompt should have: in all, and for each field. What helps to understand a
/// field is added as far as there is room.
const AIM: (usize, usize) = (350, 25);

/// Most options of a field that are told; of more, the person's words are matched by code alone.
const MOST_OPTIONS: usize = 60;

/// The fields of a form as a model is told them.
pub(crate) struct Told {
    /// Names of those that a message may fill.
    pub(crate) names: Vec<String>,
    /// Names of those that are told and hidden: nothing that is open brings them into view.
    pub(crate) away: Vec<String>,
    /// Their lines.
    pub(crate) text: String,
    /// They are not all there: which are there hangs on the answers.
    pub(crate) condensed: bool,
}

/// A field's line, and what may be added to it.
struct Entry {
    no: FieldNo,
    name: String,
    /// What it is, with its options and the author's guidance.
    line: String,
    /// Other words for its options; its question.
    more: Vec<String>,
}

/// Tells fields, in a budget of tokens; `others` are the tokens of what stands around them.
///
/// All of them in the form's order where they fit. Of a longer form what is asked comes first, then what is still open,
/// then what hangs on that, then the rest; what does not fit stays out whole.
pub(crate) fn tell(filling: &Filling<'_>, prefix: &str, others: usize, left: &mut usize) -> Told {
    let form = filling.form;
    let mut entries: Vec<Entry> = form.fields.iter().filter_map(|field| entry(filling, prefix, field)).collect();
    let size: usize = entries.iter().map(|entry| model::words::tokens(&entry.line)).sum();
    let condensed = size > *left;
    let seen: BTreeSet<FieldNo> = within_sight(filling);
    if condensed {
        entries.retain(|entry| seen.contains(&entry.no));
        entries.sort_by_key(|entry| rank(filling, entry.no));
        entries.retain(|entry| {
            let cost = model::words::tokens(&entry.line);
            let fits = cost <= *left;
            *left -= if fits { cost } else { 0 };
            fits
        });
    } else {
        let aim = (AIM.0 + AIM.1 * entries.len()).saturating_sub(others).min(*left);
        add_more(&mut entries, aim.saturating_sub(size));
        let size: usize = entries.iter().map(|entry| model::words::tokens(&entry.line)).sum();
        *left = left.saturating_sub(size);
    }
    let text = entries.iter().map(|entry| format!("{}\n", entry.line)).collect();
    let (names, away): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| seen.contains(&entry.no));
    let names_of = |entries: Vec<Entry>| entries.into_iter().map(|entry| entry.name).collect();
    Told { names: names_of(names), away: names_of(away), text, condensed }
}

/// Adds what helps, first to all fields the first piece, as far as there is room for it.
fn add_more(entries: &mut [Entry], mut room: usize) {
    let most = entries.iter().map(|entry| entry.more.len()).max().unwrap_or(0);
    for piece in 0..most {
        for entry in entries.iter_mut() {
            let Some(more) =
                entry.more.get(piece).filter(|more| !more.is_empty() && model::words::tokens(more) <= room)
            else {
                continue;
            };
            room -= model::words::tokens(more);
            entry.line.push_str(more);
        }
    }
}

/// A field's line; none for fields that words do not fill, or whose values nobody else may see.
fn entry(filling: &Filling<'_>, prefix: &str, field: &Field) -> Option<Entry> {
    let form = filling.form;
    let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
    let silent = matches!(
        field.kind,
        Kind::List(_)
            | Kind::Group(_)
            | Kind::Note(_)
            | Kind::Computed(_)
            | Kind::Hidden(_)
            | Kind::File(_)
            | Kind::Location(_)
    );
    if given || silent || is_sensitive(form, field) || field.fill == Fill::Widget {
        return None;
    }
    let tags = filling.world.tags_of(form);
    let name = format!("{prefix}{}", name_of(form, field.no)?);
    let mut text = format!("- {name} {}", field.kind.name());
    if form.list_of(field.no).is_some() {
        text.push_str(" in a list");
    }
    let label = model::words::line(field.label.pick(&tags));
    if !says_the_same(field.id.as_str(), &label) {
        text.push_str(&format!(", {label}"));
    }
    if let Some(guidance) =
        field.guidance.as_ref().map(|text| model::words::line(text.pick(&tags))).filter(|text| !text.is_empty())
    {
        text.push_str(&format!(" ({guidance})"));
    }
    let judge = field
        .judge
        .as_ref()
        .map(|judge| model::words::line(judge.criterion.pick(&tags)))
        .filter(|text| !text.is_empty());
    if let Some(criterion) = judge {
        text.push_str(&format!(". Good: {}", criterion.trim_end_matches('.')));
    }
    let mut more = Vec::new();
    // A tool's options hang on the answers: they are told with what changes.
    let own = field.choices.as_ref().is_some_and(|choices| choices.from.is_none());
    if own {
        let offered = filling.offered(field, &form.path_near(field.no, &Path::default()).unwrap_or_default());
        text.push_str(&options(&offered));
        more.push(synonyms(&offered));
    }
    let ask = field.ask.first().map(|ask| model::words::line(ask.pick(&tags))).unwrap_or_default();
    more.push(if ask.is_empty() { String::new() } else { format!(". {ask}") });
    Some(Entry { no: field.no, name, line: text, more })
}

fn options(offered: &[Offered]) -> String {
    if offered.is_empty() || offered.len() > MOST_OPTIONS {
        return String::new();
    }
    format!(": {}", offered.iter().map(|option| model::words::line(&option.label)).collect::<Vec<_>>().join("; "))
}

fn synonyms(offered: &[Offered]) -> String {
    if offered.len() > MOST_OPTIONS {
        return String::new();
    }
    let of = |option: &Offered| {
        format!("{} = {}", model::words::line(&option.label), model::words::line(&option.synonyms.join(", ")))
    };
    let all: Vec<String> = offered.iter().filter(|option| !option.synonyms.is_empty()).map(of).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join("; ")) }
}

/// Options that come from tools, of fields that may be answered now: they change with the answers.
pub(crate) fn fetched(filling: &Filling<'_>, names: &[String]) -> String {
    let form = filling.form;
    let mut text = String::new();
    for field in form.fields.iter().filter(|field| field.choices.as_ref().is_some_and(|own| own.from.is_some())) {
        let Some(name) = name_of(form, field.no).filter(|name| names.contains(name)) else { continue };
        let near = match &filling.draft().pending {
            Pending::Field { path, .. } => path.clone(),
            _ => Path::default(),
        };
        let path = form.path_near(field.no, &near).unwrap_or_default();
        let asked = matches!(&filling.draft().pending, Pending::Field { path: asked, .. } if *asked == path);
        let told = options(&filling.offered(field, &path));
        if !told.is_empty() && (asked || !filling.draft().answers.contains_key(&path)) {
            text.push_str(&format!("- {name}{told}\n"));
        }
    }
    text
}

/// Whether a label says nothing that the id does not.
fn says_the_same(id: &str, label: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-'], " ");
    label.is_empty() || plain(id) == plain(label)
}

/// Where a field stands when not all can be told: asked, open, hanging on what is open, answered.
fn rank(filling: &Filling<'_>, no: FieldNo) -> u8 {
    let form = filling.form;
    if let Pending::Field { path, .. } = &filling.draft().pending
        && form.field_at(path).is_some_and(|field| field.no == no)
    {
        return 0;
    }
    if is_open(filling, no) {
        return 1;
    }
    let hangs_on = |field: &Field| {
        let dependents = form.graph.dependents.get(field.no.index());
        dependents.is_some_and(|dependents| dependents.contains(&no)) && is_open(filling, field.no)
    };
    if form.fields.iter().any(hangs_on) { 2 } else { 3 }
}

/// Fields that a message may fill: those in view, and hidden ones that an answer still missing may bring into view.
fn within_sight(filling: &Filling<'_>) -> BTreeSet<FieldNo> {
    let form = filling.form;
    let mut seen: BTreeSet<FieldNo> = form.fields.iter().map(|f| f.no).filter(|no| is_in_view(filling, *no)).collect();
    let mut next: Vec<&Field> =
        form.fields.iter().filter(|f| filling::is_askable(f) && is_open(filling, f.no)).collect();
    while let Some(field) = next.pop() {
        let readers = form.graph.dependents.get(field.no.index()).into_iter().flatten().copied();
        let pages = form.graph.pages.get(field.no.index()).map_or(&[][..], Vec::as_slice);
        let on_pages = form.fields.iter().filter(|other| pages.contains(&other.page)).map(|other| other.no);
        let members = form.members(field.no).iter().copied();
        let reached: Vec<FieldNo> = readers.chain(on_pages).chain(members).collect();
        next.extend(reached.into_iter().filter(|no| seen.insert(*no)).filter_map(|no| form.field(no)));
    }
    seen
}

fn is_in_view(filling: &Filling<'_>, no: FieldNo) -> bool {
    let draft = filling.draft();
    let page = || filling.form.field(no).is_some_and(|field| filling.page_is_hidden(field));
    let places = filling.instances(no, &Path::default());
    // What lies in a list still empty is seen as far as the list is.
    let list = || filling.form.list_of(no).is_none_or(|list| is_in_view(filling, list));
    let any = if places.is_empty() { list() } else { !places.iter().all(|path| draft.is_hidden(path)) };
    any && !page()
}

/// Whether an answer is missing, or is one that nobody gave.
fn is_open(filling: &Filling<'_>, no: FieldNo) -> bool {
    let form: &Form = filling.form;
    let draft = filling.draft();
    let given = |path: &Path| draft.answers.get(path).is_some_and(|answer| answer.source != chat::Source::Default);
    let open = |path: &Path| !given(path) && !draft.is_hidden(path);
    filling.instances(no, &Path::default()).iter().any(open) || form.list_of(no).is_some()
}
