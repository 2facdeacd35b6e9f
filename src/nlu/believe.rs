//! What of a model's proposal is believed. Nothing without the person's own words, and only words that code left over.
//!
//! A proposed value is taken where the field's own parser reads it out of the quote. Where only the model says that the
//! quote means it, the person is asked. Everything else is dropped, with a reason for whoever wants to see it.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Scene;
use super::ledger::{fill_command, shown};
use super::named::near;
use super::quotes::{find, is_beside, is_denied, letters_stand_in, numbers_stand_in};
use super::reader::Reader;
use super::spans::{Board, Slot, new_item, with_context};
use super::steer::list_of;
use super::verdict::{Drop, Verdict};
use super::worth::{Worth, is_made_of_words, may_be_anothers, may_be_proposed, takes_words, words_of};
use super::{Understood, Unsure, doubts, sentence};
use crate::command::Command;
use crate::proposal::{Intent, Proposal, Update, field_named};
use crate::so_far::Pending;
use formwright_form::kind::{Found, Reading, Said, Strength, overlap};
use formwright_form::{FormId, Kind, Path, Seg, Value};

/// Weight of words that name a field.
const NAMED: f32 = 0.75;

/// A message as understood with a model's help.
#[derive(Debug, Default)]
pub struct Believed {
    /// What the person wants.
    pub understood: Understood,
    /// What the person is to be asked before it is done: each field once.
    pub doubtful: Vec<Command>,
    /// Every update, with what became of it.
    pub verdicts: Vec<(Update, Verdict)>,
}

/// Adds to what code understood what a model proposes and the message bears out.
///
/// A sentence in the place of a name, or of words of one's own, gives way to what a model makes of it.
pub fn believe(scene: &Scene<'_>, said: &Said, mut code: Understood, proposal: &Proposal) -> Believed {
    let held = sentence::set_aside(said, &mut code);
    let doubted = doubts::give_up(scene, said, &mut code, proposal);
    let before = code.clone();
    let mut believed = weigh(scene, said, code, proposal);
    let settled = |doubt: &Command| {
        let mut all = believed.understood.commands.iter().chain(&believed.doubtful);
        all.any(|command| command.filled() == doubt.filled())
    };
    let open: Vec<Command> = doubted.into_iter().filter(|doubt| !settled(doubt)).collect();
    believed.understood.rough.extend(open);
    let now = &believed.understood;
    let same = now.commands == before.commands && now.unsure == before.unsure && now.refused == before.refused;
    if same && believed.doubtful.is_empty() && proposal.intent != Intent::Question {
        believed.understood.rough.extend(held);
    }
    believed
}

fn weigh(scene: &Scene<'_>, said: &Said, code: Understood, proposal: &Proposal) -> Believed {
    let reader = Reader::new(said, scene.lang);
    let board = Board::new(scene, &reader, Vec::new(), &near(scene));
    let by_code = code.commands.len();
    let mut scales =
        Scales { scene, reader: &reader, board: &board, by_code, used: Vec::new(), added: BTreeMap::new() };
    let mut believed = Believed { understood: code, ..Believed::default() };
    let before = believed.understood.clone();
    let mut freed = Vec::new();
    for update in &proposal.updates {
        freed.extend(scales.give_way(update, &mut believed.understood));
    }
    for update in &proposal.updates {
        let verdict = scales.put(update, &mut believed);
        believed.verdicts.push((update.clone(), verdict));
    }
    for (text, at) in freed {
        let is_filled = believed.understood.commands.iter().any(|command| command.filled() == text.filled());
        if !is_filled && !scales.used.iter().any(|used| overlap(used, &at)) {
            believed.understood.leftover.retain(|left| *left != at);
            believed.understood.commands.push(text);
        }
    }
    let dropped =
        believed.verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Dropped(why) if why.is_false()));
    if dropped.count() * 2 > believed.verdicts.len() {
        // Who invents most of a reply is not to be believed in the rest.
        let drop_all = |(update, verdict): (Update, Verdict)| match verdict {
            Verdict::Dropped(_) => (update, verdict),
            _ => (update, Verdict::Dropped(Drop::WithTheRest)),
        };
        let verdicts = believed.verdicts.into_iter().map(drop_all).collect();
        return Believed { understood: before, doubtful: Vec::new(), verdicts };
    }
    let used = scales.used;
    believed.understood.leftover.retain(|left| !used.iter().any(|span| overlap(span, left)));
    wish(scene, proposal, &before, &mut believed);
    believed
}

/// What the person wants besides values. A model never confirms, and cancels nothing without a question.
fn wish(scene: &Scene<'_>, proposal: &Proposal, code: &Understood, believed: &mut Believed) {
    let asked_or_told =
        !code.commands.is_empty() || !believed.understood.commands.is_empty() || !believed.doubtful.is_empty();
    if asked_or_told || !believed.understood.unsure.is_empty() || !believed.understood.refused.is_empty() {
        return;
    }
    let pending = scene.draft.pending;
    let command = match proposal.intent {
        // What is answered already is not left out, but taken out: nobody but the person does that.
        Intent::Skip => match pending {
            Pending::Field { path, .. } if !scene.draft.answers.contains_key(path) => Some(Command::Skip),
            Pending::MoreItems { .. } => Some(Command::Skip),
            _ => None,
        },
        Intent::Back => Some(Command::Back),
        Intent::Cancel => {
            believed.doubtful.push(Command::Cancel);
            None
        }
        Intent::Reject if matches!(pending, Pending::Review | Pending::PageReview { .. }) => Some(Command::Deny),
        Intent::Start => {
            let form = proposal.form.as_ref().map(FormId::new);
            let form = form.filter(|form| scene.forms.iter().any(|known| known.id == *form));
            believed.doubtful.extend(form.map(|form| Command::Start { form }));
            None
        }
        _ => None,
    };
    if command.is_some() || !believed.doubtful.is_empty() {
        believed.understood.leftover.clear();
    }
    believed.understood.commands.extend(command);
}

struct Scales<'s> {
    scene: &'s Scene<'s>,
    reader: &'s Reader<'s>,
    board: &'s Board<'s>,
    /// How many commands code found.
    by_code: usize,
    /// Words that updates were taken from.
    used: Vec<Range<usize>>,
    /// Fields filled, by list: how many items were begun.
    added: BTreeMap<Path, Vec<Path>>,
}

impl Scales<'_> {
    /// Takes out words of one's own that code made of a whole part of the message, where a model reads a value of another
    /// field in them: "a table for Rosa on the terrace" is no note. What the message calls by its name, and what answers the
    /// question, stays. Gives what was taken out, with its words.
    fn give_way(&mut self, update: &Update, to: &mut Understood) -> Option<(Command, Range<usize>)> {
        let field = field_named(self.scene.form, &update.field).and_then(|no| self.scene.form.field(no));
        let field = field.filter(|field| may_be_proposed(self.scene, field))?;
        let slot = self.board.slots.get(self.board.slot_of(field.no)?)?;
        let span = find(self.reader.said, &update.quote)?;
        let quote = self.reader.said.raw.get(span.clone())?;
        let is_typed = !slot.is_free() || slot.subtype().is_some();
        let worth = self.value(slot, quote, &update.value);
        if !is_typed || !matches!(worth, Worth::Sure(..) | Worth::Doubtful(_) | Worth::Several(_)) {
            return None;
        }
        let mentions = self.scene.form.cues().mentions(self.reader.said, self.scene.lang.code);
        let names = |text: &Slot<'_>| mentions.iter().any(|at| at.field == text.field.no && at.weight >= NAMED);
        let swallows = |command: &Command| {
            let Command::Fill { path, value, quote: Some(quote) } = command else { return None };
            let text = self.board.slots.iter().find(|text| text.path == *path && *path != slot.path)?;
            let unasked = !text.asked && !names(text);
            let at = self.reader.said.raw.find(quote.as_str()).map(|at| at..at + quote.len())?;
            let holds = at.start <= span.start && span.end <= at.end && at.len() > span.len();
            (sentence::is_of_words(value) && unasked && holds).then_some(at)
        };
        let (no, at) = to.commands.iter().enumerate().find_map(|(no, command)| Some((no, swallows(command)?)))?;
        to.leftover.push(at.clone());
        self.by_code -= 1;
        Some((to.commands.remove(no), at))
    }

    fn put(&mut self, update: &Update, to: &mut Believed) -> Verdict {
        let form = self.scene.form;
        let field = field_named(form, &update.field).and_then(|no| form.field(no));
        let Some(field) = field.filter(|field| may_be_proposed(self.scene, field)) else {
            return Verdict::Dropped(Drop::Field);
        };
        let slot = self.board.slot_of(field.no).and_then(|no| self.board.slots.get(no));
        let Some(slot) = slot else { return Verdict::Dropped(Drop::NotNow) };
        let Some(span) = find(self.reader.said, &update.quote) else { return Verdict::Dropped(Drop::NotSaid) };
        let open = |span: &Range<usize>| to.understood.leftover.iter().any(|left| overlap(left, span));
        if !open(&span) || self.used.iter().any(|used| overlap(used, &span)) {
            return Verdict::Dropped(Drop::Explained);
        }
        // In a list, further values begin further items.
        let in_list = list_of(self.scene, &slot.path).is_some();
        let known = if in_list { self.by_code } else { to.understood.commands.len() };
        let fills = |command: &Command| matches!(command, Command::Fill { path, .. } if *path == slot.path);
        if to.understood.commands.iter().take(known).any(fills) {
            return Verdict::Dropped(Drop::Twice);
        }
        if update.value.trim().is_empty() {
            return self.take_out(slot, span, to);
        }
        let quote = self.reader.said.raw.get(span.clone()).unwrap_or_default();
        let within = |part: &Range<usize>| span.start + part.start..span.start + part.end;
        let meant = find(&Said::new(quote), &update.value).map_or_else(|| span.clone(), |part| within(&part));
        let worth = self.value(slot, quote, &update.value);
        let worth = match &worth {
            Worth::Sure(_, part) => self.with_others(slot, &within(part)),
            Worth::Doubtful(_) => self.with_others(slot, &meant),
            _ => None,
        }
        .unwrap_or(worth);
        match worth {
            Worth::Sure(_, part) if !open(&within(&part)) => Verdict::Dropped(Drop::Explained),
            Worth::Sure(_, part) if self.denies(slot, &within(&part)) => Verdict::Dropped(Drop::Denied),
            Worth::Doubtful(_) | Worth::Several(_) if self.denies(slot, &meant) => Verdict::Dropped(Drop::Denied),
            // What the person asks, or denies, is no answer yet, whatever the words by themselves mean.
            Worth::Sure(value, part)
                if !self.is_in_question(&span)
                    && !is_denied(self.reader, &within(&part))
                    && !is_beside(self.reader, &within(&part), may_be_anothers(self.scene, self.board, slot))
                    && !self.overwrites(slot, &value) =>
            {
                if !self.fill(slot, value, quote, to) {
                    return Verdict::Dropped(Drop::NotNow);
                }
                // What is said plainly is not asked as well.
                to.doubtful.retain(|doubt| doubt.filled() != Some(&slot.path));
                self.used.push(span);
                Verdict::Taken
            }
            Worth::Sure(..) | Worth::Doubtful(_)
                if to.doubtful.iter().any(|doubt| doubt.filled() == Some(&slot.path)) =>
            {
                Verdict::Dropped(Drop::Twice)
            }
            Worth::Sure(value, _) | Worth::Doubtful(value) => {
                self.used.push(span);
                to.doubtful.push(fill_command(slot, value, quote.to_owned()));
                Verdict::Doubtful
            }
            Worth::Several(values) => {
                self.used.push(span);
                let reading = |value: Value| {
                    let label = shown(self.scene, slot, &value);
                    (label, fill_command(slot, value, quote.to_owned()))
                };
                to.understood.unsure.push(Unsure { readings: values.into_iter().map(reading).collect() });
                Verdict::Doubtful
            }
            Worth::Refused(why) => {
                self.used.push(span.clone());
                to.understood.refused.push((slot.path.clone(), span, why));
                Verdict::Refused
            }
            Worth::None(why) => Verdict::Dropped(why),
        }
    }

    /// Whether the person says that words are not meant. Of yes and no that may be the answer.
    fn denies(&self, slot: &Slot<'_>, span: &Range<usize>) -> bool {
        !matches!(slot.field.kind, Kind::YesNo(_)) && is_denied(self.reader, span)
    }

    /// All values that a value is one of: half of "5 or 7" is no answer.
    fn with_others(&mut self, slot: &Slot<'_>, at: &Range<usize>) -> Option<Worth> {
        let all = self.board.alternatives(self.reader, self.board.slot_of(slot.field.no)?, &self.reader.words_of(at));
        self.used.extend(all.iter().map(|cand| cand.raw.clone()));
        let mut values: Vec<Value> = Vec::new();
        for cand in all {
            if !values.contains(&cand.value) {
                values.push(cand.value.clone());
            }
        }
        (!values.is_empty()).then_some(Worth::Several(values))
    }

    /// An answer is taken out only after the person has said yes to it.
    fn take_out(&mut self, slot: &Slot<'_>, span: Range<usize>, to: &mut Believed) -> Verdict {
        if slot.value.is_none() || !to.doubtful.is_empty() {
            return Verdict::Dropped(Drop::NoValue);
        }
        self.used.push(span);
        to.doubtful.push(Command::Clear { path: slot.path.clone() });
        Verdict::Doubtful
    }

    /// Whether words of which nobody said what they are for would take the place of others that were given before.
    fn overwrites(&self, slot: &Slot<'_>, value: &Value) -> bool {
        let given = slot.value.is_some_and(|given| given != value);
        given
            && slot.takes_any_words()
            && !slot.asked
            && !slot.is_item()
            && !self.board.mentions_of(slot).any(|mention| mention.weight >= NAMED)
    }

    fn is_in_question(&self, span: &Range<usize>) -> bool {
        let words = self.reader.words_of(span);
        let clause = self.reader.clause(words.start);
        clause.is_some_and(|clause| clause.question || clause.tentative)
    }

    /// Fills a slot; a further value for a member of a list begins its next item. Tells whether there is a place for it.
    fn fill(&mut self, slot: &Slot<'_>, value: Value, quote: &str, to: &mut Believed) -> bool {
        let quote = quote.to_owned();
        let Some((list, item)) = new_item(self.scene, &slot.path).or_else(|| self.item_of(slot)) else {
            to.understood.commands.push(fill_command(slot, value, quote));
            return true;
        };
        let filled = self.added.entry(list.clone()).or_default();
        let Some(Seg::Item(first)) = item.segs().last() else { return false };
        let times = filled.iter().filter(|path| **path == slot.path).count();
        let no = first.saturating_add(u32::try_from(times).unwrap_or(u32::MAX));
        let most = match self.scene.form.field_at(&list).map(|field| &field.kind) {
            Some(Kind::List(kind)) => kind.max,
            _ => None,
        };
        if most.is_some_and(|most| no >= most) {
            return false;
        }
        filled.push(slot.path.clone());
        let mut segs = slot.path.segs().to_vec();
        if let Some(seg) = segs.get_mut(list.segs().len()) {
            *seg = Seg::Item(no);
        }
        let len = self.scene.draft.lists.get(&list).map_or(0, |state| state.len);
        let adds = to.understood.commands.iter();
        let adds = adds.filter(|command| matches!(command, Command::AddItem { list: added } if *added == list)).count();
        if usize::try_from(no).is_ok_and(|no| no >= usize::try_from(len).unwrap_or(usize::MAX).saturating_add(adds)) {
            to.understood.commands.push(Command::AddItem { list });
        }
        to.understood.commands.push(Command::Fill { path: Path::from_segs(segs), value, quote: Some(quote) });
        true
    }

    /// The list and item that a slot lies in.
    fn item_of(&self, slot: &Slot<'_>) -> Option<(Path, Path)> {
        let list = list_of(self.scene, &slot.path)?;
        let Some(Seg::Item(no)) = slot.path.segs().get(list.segs().len()) else { return None };
        Some((list.clone(), list.item(*no)))
    }

    /// The option that a proposed value names.
    fn names_option(&self, slot: &Slot<'_>, proposed: &str) -> Option<Value> {
        let kind = slot.field.kind.behaviour();
        let data = serde_json::Value::String(proposed.to_owned());
        let value = with_context(self.scene, &slot.path, slot.field, |cx| kind.accept(&data, cx)).ok()?;
        matches!(slot.field.kind, Kind::Choice(_)).then_some(value).filter(|value| !sentence::is_of_words(value))
    }

    /// What a quote and a value are worth to a field.
    fn value(&self, slot: &Slot<'_>, quote: &str, proposed: &str) -> Worth {
        let kind = slot.field.kind.behaviour();
        let read = |text: &str| with_context(self.scene, &slot.path, slot.field, |cx| kind.read(&Said::new(text), cx));
        if slot.is_free() && slot.subtype().is_none() {
            return words_of(quote, proposed);
        }
        match read(quote) {
            // Words of one's own may well mean an option.
            Reading::Value(Found { value, .. })
                if sentence::is_of_words(&value) && self.names_option(slot, proposed).is_some() =>
            {
                return self.names_option(slot, proposed).map_or(Worth::None(Drop::NoValue), Worth::Doubtful);
            }
            Reading::Value(Found { value, strength, span }) => {
                let vague = matches!(slot.field.kind, Kind::Choice(_) | Kind::Choices(_) | Kind::YesNo(_));
                let bare = strength == Strength::Weak && (vague || !slot.asked);
                let sure = !bare && (slot.asked || !matches!(slot.field.kind, Kind::YesNo(_)));
                return if sure { Worth::Sure(value, span) } else { Worth::Doubtful(value) };
            }
            Reading::Ambiguous(all) if all.len() > 1 => {
                return Worth::Several(all.into_iter().map(|found| found.value).collect());
            }
            // Only what is of the kind, or was asked for, can be wrong.
            Reading::Refused(_, why) if slot.asked || !takes_words(&slot.field.kind) => return Worth::Refused(why),
            Reading::Refused(..) | Reading::Ambiguous(_) | Reading::Nothing => {}
        }
        // An option's id is the form's own, whatever it is made of.
        let named = matches!(slot.field.kind, Kind::Choice(_) | Kind::Choices(_) | Kind::YesNo(_));
        if !named && !numbers_stand_in(quote, proposed, self.scene.lang) {
            return Worth::None(Drop::Digits);
        }
        let data = match &slot.field.kind {
            Kind::YesNo(_) => {
                proposed.trim().to_ascii_lowercase().parse().map_or(serde_json::Value::Null, serde_json::Value::Bool)
            }
            _ => serde_json::Value::String(proposed.to_owned()),
        };
        let accepted = with_context(self.scene, &slot.path, slot.field, |cx| kind.accept(&data, cx)).ok();
        let accepted = accepted.or_else(|| match read(proposed) {
            Reading::Value(found) if found.strength > Strength::Weak => Some(found.value),
            _ => None,
        });
        let words = |value: &Value| !is_made_of_words(&slot.field.kind, value) || letters_stand_in(quote, proposed);
        accepted.filter(words).map_or(Worth::None(Drop::NoValue), Worth::Doubtful)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::testing::Stage;

    const TABLE: &str = r#"
id = "table"
title = "Table"
[[field]]
id = "people"
kind = "integer"
label = "People"
[[field]]
id = "note"
kind = "long_text"
label = "Note"
"#;

    /// A model reads twelve people in some words of what code has taken for a note.
    #[rstest]
    #[case::gives_way("", "we need a table for 12 by the door", "for 12", "12", "people=12")]
    #[case::asked(
        "note",
        "we need a table for 12 by the door",
        "for 12",
        "12",
        "note=we need a table for 12 by the door"
    )]
    #[case::named("", "note: a table for 12 by the door", "for 12", "12", "note=note: a table for 12 by the door")]
    #[case::invented("", "we need a table by the door", "a table", "12", "note=we need a table by the door")]
    #[case::denied("", "we need no table for 12", "for 12", "12", "note=we need no table for 12")]
    #[case::all_of_it("", "twelve", "twelve", "12", "note=twelve")]
    fn words_of_ones_own_that_nobody_asked_for_give_way_to_a_value(
        #[case] pending: &str,
        #[case] said: &str,
        #[case] quote: &str,
        #[case] value: &str,
        #[case] expected: &str,
    ) {
        let stage = Stage::new(TABLE, pending);
        let note = Command::Fill {
            path: "note".parse().unwrap(),
            value: Value::Text(said.to_owned()),
            quote: Some(said.to_owned()),
        };
        let code = Understood { commands: vec![note], ..Understood::default() };
        let update = Update { field: "people".to_owned(), quote: quote.to_owned(), value: value.to_owned() };
        let proposal = Proposal { updates: vec![update], ..Proposal::default() };
        let believed = stage.with_scene(|scene| believe(scene, &Said::new(said), code, &proposal));
        let left: Vec<String> = believed.understood.commands.iter().map(|command| stage.show(command)).collect();
        assert_eq!(left.join("; "), expected, "{:?}", believed.verdicts);
    }
}
