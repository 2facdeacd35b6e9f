//! The reply that puts a question: words that were not used before, the widget that fits, and the way out.

use formwright_chat as chat;
use formwright_chat::ButtonRole::{Danger, Plain, Primary};

use crate::ask::drawing::Drawing;
use crate::ask::{confirm, page, reprompt, review};
use crate::draft::filling::Filling;
use crate::draft::{list, order, show, whole};
use crate::prompt::{self, refusal};
use crate::session::screen::{Addr, Slot};
use crate::zone;
use formwright_form::Path;
use formwright_form::field::Field;
use formwright_form::kind::Refusal;
use formwright_form::text::capitalised;
use formwright_nlu::{Asked, Command, Pending, one_field};

/// Most optional fields offered at a review.
const MAX_OFFERED: usize = 6;

/// The widget of a field, its words hidden while they are typed where they are nobody else's business.
fn masked(input: chat::Input, sensitive: bool) -> chat::Input {
    match input {
        chat::Input::Text { long, max_chars, example, .. } => {
            chat::Input::Text { long, max_chars, example, secret: sensitive }
        }
        other => other,
    }
}

/// Draws what is waited for.
pub(crate) fn ask(filling: &mut Filling<'_>, drawing: &mut Drawing) {
    match filling.draft().pending.clone() {
        Pending::Field { path, editing } => ask_field(filling, drawing, &path, editing),
        Pending::MoreItems { list } => ask_more(filling, drawing, &list),
        Pending::Which { readings, .. } if zone::ask::asks_for_zone(filling.draft()) => {
            zone::ask::ask_zone(filling, drawing, readings);
        }
        Pending::Which { readings, .. } => {
            let text = match one_field(&readings).map(|path| filling.label(path)) {
                Some(label) => filling.say_next("which_of", &[("label", &label)]),
                None => filling.say_next("which", &[]),
            };
            drawing.reply.say.push(text);
            for (label, command) in readings {
                drawing.button(label, Plain, command);
            }
        }
        Pending::Sure { then, question } => confirm::ask_sure(filling, drawing, &then, &question),
        Pending::PageReview { page } => ask_page(filling, drawing, page),
        Pending::Review => ask_review(filling, drawing),
        Pending::WhatToChange => {
            let text = filling.say_next("what_to_change", &[]);
            drawing.reply.say.push(text);
            drawing.reply.card = Some(review::card(filling, drawing_edit(drawing), None));
            drawing.button(filling.say("button_back", &[]), Plain, Command::Deny);
        }
        Pending::Tool { .. } | Pending::Nothing => {}
    }
    drawing.reply.progress = Some(progress(filling));
}

fn ask_field(filling: &mut Filling<'_>, drawing: &mut Drawing, path: &Path, editing: bool) {
    let form = filling.form;
    let Some(field) = form.field_at(path) else { return };
    let asked = filling.draft().asked.get(path).cloned().unwrap_or_default();
    // A reason is said once: after a digression the question stands alone.
    let refusal = filling.journal.draft.asked.get_mut(path).and_then(|asked| asked.refusal.take());
    let mut problem = refusal.as_ref().map(|refusal| refusal::refusal(filling, path, refusal));
    // A client shows the reason beside its field: it tells what would do, too.
    if let Some(problem) = problem.as_mut().filter(|_| form.stays) {
        let told = reprompt::options_told(filling, field, path);
        problem.extend(told.into_iter().flat_map(|told| [" ".to_owned(), told]));
    }
    drawing.reply.say.extend(problem.clone());
    let question = question(filling, field, path, editing);
    drawing.reply.say.push(question.clone());
    if problem.is_some() {
        reprompt::climb(filling, drawing, field, path, asked.failures);
    }
    let offer = filling.draft().offered.get(path).cloned().filter(|_| !editing);
    // An old answer that other answers rule out is no offer, though its widget may begin with it.
    let offer = offer.filter(|value| filling.vet(field, path, value).is_ok());
    if let Some(value) = &offer {
        let shown = filling.show(path, value);
        drawing.reply.say.push(filling.say("offered", &[("value", &shown)]));
    }
    let keep = filling.draft().answers.get(path).map(|answer| answer.value.clone()).or(offer);
    let question = drawn(filling, drawing, field, path, question, problem);
    let required = question.required;
    drawing.reply.questions.push(question);
    drawing.reply.private |= field.sensitive;
    if filling.world.draws_pages {
        page::draw_page(filling, drawing, path);
    }
    ways_out(filling, drawing, path, required, editing, keep.as_ref());
}

/// A field's widget on this screen.
pub(crate) fn drawn(
    filling: &mut Filling<'_>,
    drawing: &mut Drawing,
    field: &Field,
    path: &Path,
    ask: String,
    problem: Option<String>,
) -> chat::Question {
    let required = filling.is_required(field, path);
    let token = drawing.slot(Slot::Field { path: path.clone() });
    let offered = filling.offered(field, path);
    let behaviour = field.kind.behaviour();
    let current = filling.draft().answers.get(path).map(|answer| &answer.value);
    let held = current.or_else(|| filling.draft().offered.get(path)).filter(|_| !field.sensitive);
    chat::Question {
        field: path.to_string(),
        token: token.clone(),
        label: filling.label(path),
        ask,
        help: field.help.as_ref().map(|text| filling.text(text, path)),
        required,
        problem,
        prefill: held.and_then(|value| behaviour.prefill(value)),
        input: masked(behaviour.input(&token, held, &filling.context(field, &offered)), field.sensitive),
    }
}

fn ways_out(
    filling: &Filling<'_>,
    drawing: &mut Drawing,
    path: &Path,
    required: bool,
    editing: bool,
    keep: Option<&formwright_form::Value>,
) {
    if let Some(value) = keep {
        let shown = filling.show(path, value);
        drawing.button(filling.say("button_keep", &[("value", &shown)]), Plain, Command::Confirm);
    }
    if !required {
        drawing.button(filling.say("button_skip", &[]), Plain, Command::Skip);
    }
    if tool_has_failed(filling, path) {
        drawing.button(filling.say("button_retry", &[]), Primary, Command::Retry);
    }
    if !editing && !filling.draft().trail.is_empty() {
        drawing.button(filling.say("button_back", &[]), Plain, Command::Back);
    }
}

pub(crate) fn tool_has_failed(filling: &Filling<'_>, path: &Path) -> bool {
    let tool = filling.form.field_at(path).and_then(|f| f.choices.as_ref()).and_then(|c| c.from.as_ref());
    tool.and_then(|from| filling.draft().tools.get(&from.tool)).is_some_and(|state| state.failures > 0)
}

/// The question in words that this draft has not used for this field yet.
fn question(filling: &mut Filling<'_>, field: &Field, path: &Path, editing: bool) -> String {
    let label = filling.label(path);
    let authors = field.ask.iter().map(|text| filling.text(text, path));
    let worded = filling.draft().asked.get(path).and_then(|asked| asked.worded.clone());
    let worded = worded.filter(|(of, _)| authors.clone().next().is_some_and(|ask| ask == *of)).map(|(_, text)| text);
    let authors = worded.into_iter().chain(authors).map(|text| item_prefixed(filling, path, &text));
    let changing = editing && filling.draft().answers.contains_key(path);
    let every = |name| {
        let voice = filling.voice();
        (0..voice.turns(name)).map(|turn| voice.say_turn(name, turn, &[("label", &label)])).collect::<Vec<_>>()
    };
    let mut wordings: Vec<String> = if changing { Vec::new() } else { authors.collect() };
    let own = wordings.len().max(1);
    wordings.extend(every(if changing { "ask_edit" } else { "ask" }));
    // What goes on after an answer of ours was not misunderstood.
    let on = if filling.goes_on { every("lead_on") } else { Vec::new() };
    let leads = every("lead");
    let times = filling.draft().asked.get(path).map_or(1, |asked| asked.times + 1).to_string();
    let again = filling.voice().say("ask_again", &[("label", &label), ("times", &times)]);
    let asked: &mut Asked = filling.journal.draft.asked.entry(path.clone()).or_default();
    let led = leads.iter().flat_map(|lead| wordings.iter().map(move |wording| format!("{lead} {wording}")));
    let on = on.iter().flat_map(|lead| wordings.iter().take(own).map(move |wording| format!("{lead} {wording}")));
    let (authors, standard) = (wordings.iter().take(own).cloned(), wordings.iter().skip(own).cloned());
    let mut all = authors.chain(on).chain(standard).chain(led);
    let question = all.find(|wording| !asked.wordings.contains(&fingerprint(wording))).unwrap_or(again);
    asked.times = asked.times.saturating_add(1);
    asked.wordings.insert(fingerprint(&question));
    question
}

fn item_prefixed(filling: &Filling<'_>, path: &Path, question: &str) -> String {
    let Some((list, no)) = list::around(filling.form, path) else { return question.to_owned() };
    let item = capitalised(&show::item_name(filling.form, filling.world, &list));
    filling.say("ask_item", &[("item", &item), ("no", &(no + 1).to_string()), ("question", question)])
}

fn ask_more(filling: &mut Filling<'_>, drawing: &mut Drawing, list: &Path) {
    let form = filling.form;
    let Some((field, _)) = list::list_at(form, list) else { return };
    let item = show::item_name(form, filling.world, list);
    if let Some(refusal) = whole::list_problem(filling, list) {
        return ask_to_mend(filling, drawing, list, &item, &refusal);
    }
    let len = filling.draft().lists.get(list).map_or(0, |state| state.len);
    let authors = field.ask.first().filter(|_| len == 0).map(|text| filling.text(text, list));
    let (name, label) = (more_of(filling, list, len == 0), show::label(form, filling.world, list));
    let count = len.to_string();
    let standard = filling.say_next(name, &[("item", &item), ("count", &count), ("label", &label)]);
    let text = authors.unwrap_or(standard);
    drawing.reply.say.push(text);
    let add = filling.say("button_add", &[("item", &item)]);
    drawing.button(add, Primary, Command::AddItem { list: list.clone() });
    if len >= whole::least_items(filling, list) {
        drawing.button(filling.say("button_done", &[]), Plain, Command::EndList { list: list.clone() });
    }
}

/// The message that asks for more of a list: by what an item is called, else by what the list is called. A form's own
/// message stands for both.
fn more_of(filling: &Filling<'_>, list: &Path, first: bool) -> &'static str {
    let form = filling.form;
    let (by_item, by_list) = if first { ("ask_more_first", "ask_more_first_in") } else { ("ask_more", "ask_more_in") };
    let named = list::list_at(form, list).is_some_and(|(_, kind)| kind.item.is_some());
    let own = form.messages.contains_key(by_item) && !form.messages.contains_key(by_list);
    if named || own { by_item } else { by_list }
}

/// Says what is wrong with a list as a whole, and how it can be mended.
fn ask_to_mend(filling: &mut Filling<'_>, drawing: &mut Drawing, list: &Path, item: &str, refusal: &Refusal) {
    drawing.reply.say.push(whole::list_refusal(filling, list, refusal));
    let few = refusal.code == "too_few_items";
    let empty = filling.draft().lists.get(list).is_none_or(|state| state.len == 0);
    let full = whole::is_full(filling, list);
    let name = match (few, empty, full) {
        (true, _, _) => more_of(filling, list, empty),
        (false, _, true) => "mend_full_list",
        (false, _, false) => "mend_list",
    };
    let asked = filling.journal.draft.asked.entry(list.clone()).or_default();
    let times = asked.times;
    asked.times = times.saturating_add(1);
    let label = show::label(filling.form, filling.world, list);
    let text = filling.say_new(name, &[("item", item), ("label", &label)]);
    drawing.reply.say.push(text);
    if times >= 2 {
        reprompt::tell_ways_out(filling, drawing, list, times - 2);
    }
    if !full {
        drawing.button(filling.say("button_add", &[("item", item)]), Primary, Command::AddItem { list: list.clone() });
    }
    if !few {
        drawing.button(filling.say("button_change", &[]), Plain, Command::Edit { path: None });
    }
}

fn ask_page(filling: &mut Filling<'_>, drawing: &mut Drawing, page: u16) {
    let no = (page + 1).to_string();
    let title = filling.form.pages.get(usize::from(page)).and_then(|page| page.title.clone());
    let title = title.map_or(no, |title| title.pick(&filling.world.tags()).to_owned());
    let text = wording_of_review(filling, "page_review", &format!("page_review:{page}"), &[("page", &title)]);
    drawing.reply.say.push(text);
    let mut card = review::card(filling, drawing_edit(drawing), Some(page));
    card.title = title;
    drawing.reply.card = Some(card);
    drawing.button(filling.say("button_go_on", &[]), Primary, Command::Confirm);
    drawing.button(filling.say("button_change", &[]), Plain, Command::Deny);
}

fn ask_review(filling: &mut Filling<'_>, drawing: &mut Drawing) {
    let text = wording_of_review(filling, "review", "review", &[]);
    drawing.reply.say.push(text);
    drawing.reply.say.extend(zone::ask::zone_told(filling));
    drawing.reply.card = Some(review::card(filling, drawing_edit(drawing), None));
    drawing.button(filling.say("button_confirm", &[]), Primary, Command::Confirm);
    for path in offered_later(filling) {
        let label = filling.label(&path);
        drawing.button(filling.say("button_add", &[("item", &label)]), Plain, Command::Edit { path: Some(path) });
    }
    drawing.button(filling.say("button_change", &[]), Plain, Command::Deny);
    drawing.button(filling.say("button_cancel", &[]), Danger, Command::Cancel);
}

/// Optional fields still open that are offered at the review.
fn offered_later(filling: &Filling<'_>) -> Vec<Path> {
    let later = filling.draft().todo.range(Addr(vec![u32::from(Addr::LATER)])..).take(MAX_OFFERED);
    order::fields(filling.form, later).collect()
}

fn wording_of_review(filling: &mut Filling<'_>, name: &str, counter: &str, facts: &prompt::Facts<'_>) -> String {
    let count = filling.journal.draft.said.entry(counter.to_owned()).or_default();
    let turn = usize::try_from(*count).unwrap_or(0);
    *count = count.saturating_add(1);
    let times = count.to_string();
    let turns = filling.voice().turns(name).max(1);
    if turn < turns {
        return filling.voice().say_turn(name, turn, facts);
    }
    // Then each wording with each lead before it; the number of times is the last resort.
    if turn / turns <= filling.voice().turns("lead") {
        let lead = filling.voice().say_turn("lead", turn / turns - 1, &[]);
        return format!("{lead} {}", filling.voice().say_turn(name, turn % turns, facts));
    }
    let mut facts = facts.to_vec();
    facts.push(("times", &times));
    filling.say(&format!("{name}_again"), &facts)
}

/// How far the form is; constant time, whatever its size.
pub(crate) fn progress(filling: &Filling<'_>) -> chat::Progress {
    let draft = filling.draft();
    let later = draft.todo.range(Addr(vec![u32::from(Addr::LATER)])..).count();
    let answered = draft.answers.len() + draft.skipped.len();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    chat::Progress { answered: count(answered), total: count(answered + draft.todo.len() - later) }
}

/// Gives each row of a card its edit button on this screen.
fn drawing_edit(drawing: &mut Drawing) -> impl FnMut(&Path) -> chat::Token + '_ {
    |path| drawing.edit(path)
}

/// FNV-1a, 64 bits: the same in every version of the program, since it is stored.
pub(crate) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
