//! Typed values of every fillable field over the whole message, found once for fields that find the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::elsewhere::{self, Told};
use super::named::{is_hidden, near};
use super::place::{path_for, plain};
use super::reader::Reader;
pub(super) use super::slot::Slot;
use super::steer::list_of;
use super::{Scene, ages, either, pick, sentence};
use crate::so_far::{Answer, Pending};
use formwright_form::cues::{AllEnds, Mention};
use formwright_form::field::{AnswerSource, FieldNo, Fill};
use formwright_form::kind::{Context, Found, Reading, Said, Strength, overlap};
use formwright_form::{Field, Kind, Path, Seg, Value};

/// Most values of one sort that a message is searched for: each is weighed against each.
const MOST_FOUND: usize = 16;

/// A value somewhere in the message.
#[derive(Clone, Debug)]
pub(super) struct Cand {
    /// Which fields find it: see [`formwright_form::cues::Cues::alike`].
    pub(super) alike: u32,
    pub(super) words: Range<usize>,
    pub(super) raw: Range<usize>,
    pub(super) value: Value,
    pub(super) strength: Strength,
    /// A word before turns it round: "not 3".
    pub(super) negated: bool,
    /// A later value takes its place: "3, sorry, 4".
    pub(super) old: bool,
}

/// The fields a message may fill, the values in it, and where fields are spoken of.
pub(super) struct Board<'a> {
    pub(super) slots: Vec<Slot<'a>>,
    /// Slots by what they find.
    by_alike: BTreeMap<u32, Vec<usize>>,
    /// Slots by field.
    by_field: BTreeMap<FieldNo, usize>,
    pub(super) cands: Vec<Cand>,
    pub(super) mentions: Vec<Mention>,
    /// Mentions by field.
    by_mention: BTreeMap<FieldNo, Vec<usize>>,
    /// The slot that was asked.
    pub(super) asked: Option<usize>,
    /// Values that were taken out because their words mean something else.
    pub(super) passing: Vec<Cand>,
    /// Stems of the words that fields are explained with.
    pub(super) explained: &'a BTreeSet<String>,
    /// Which of two arriving and leaving are.
    pub(super) ends: AllEnds,
    /// Where the message says what its values are of.
    pub(super) told: Vec<Told>,
    /// Where it says how old somebody is.
    pub(super) ages: Vec<Range<usize>>,
    /// Stems of the words of the form's title.
    pub(super) title: &'a BTreeSet<String>,
    /// The person's day.
    pub(super) today: jiff::civil::Date,
    /// The form asks for one value alone and says nothing of what it is ("number"): any such value is meant.
    pub(super) anything: bool,
}

impl<'a> Board<'a> {
    /// Lists what a message may fill, as seen from `at`, and finds the values in it.
    pub(super) fn new(scene: &Scene<'a>, reader: &Reader<'_>, mentions: Vec<Mention>, at: &Path) -> Self {
        let mut board = Self {
            slots: Vec::new(),
            by_alike: BTreeMap::new(),
            by_field: BTreeMap::new(),
            cands: Vec::new(),
            mentions,
            by_mention: BTreeMap::new(),
            asked: None,
            passing: Vec::new(),
            explained: &scene.form.cues().explained,
            ends: scene.form.cues().ends,
            told: elsewhere::told(reader),
            ages: ages::ages(reader),
            title: &scene.form.cues().title,
            today: scene.now.date(),
            anything: false,
        };
        board.list_slots(scene, at);
        board.anything = matches!(board.slots.as_slice(), [only] if only.is_of_anything());
        for (no, mention) in board.mentions.iter().enumerate() {
            if board.by_field.contains_key(&mention.field) {
                board.by_mention.entry(mention.field).or_default().push(no);
            }
        }
        for (alike, slots) in &board.by_alike {
            let Some(slot) = slots.first().and_then(|first| board.slots.get(*first)) else { continue };
            let kind = slot.field.kind.behaviour();
            let said = reader.said_to(slot.field);
            let found = with_context(scene, &slot.path, slot.field, |cx| kind.find(said, cx)).into_iter();
            board.cands.extend(found.take(MOST_FOUND).filter_map(|found| cand(reader, *alike, found)));
        }
        board.keep_accounts_whole(reader);
        board.part_units(reader);
        board.lengthen_addresses(reader);
        board.lengthen_codes(reader);
        board.join_asked_code(reader);
        board.shorten_names(reader);
        board.cands.sort_by_key(|cand| (cand.words.start, std::cmp::Reverse(cand.words.end)));
        board
    }

    /// Puts a day in the place of what was found in some words, for every field that takes days.
    pub(super) fn set_day(&mut self, words: &Range<usize>, raw: &Range<usize>, day: jiff::civil::Date) {
        let is_day = |kind: &Kind| matches!(kind, Kind::Date(_) | Kind::DateRange(_));
        let cands = std::mem::take(&mut self.cands);
        let over = |cand: &Cand| overlap(&cand.words, words);
        self.cands = cands.into_iter().filter(|cand| !over(cand) || !self.kind_of(cand).is_some_and(is_day)).collect();
        let dates = self.slots.iter().filter(|slot| matches!(slot.field.kind, Kind::Date(_)));
        let alike: BTreeSet<u32> = dates.map(|slot| slot.alike).collect();
        self.cands.extend(alike.into_iter().map(|alike| Cand {
            alike,
            words: words.clone(),
            raw: raw.clone(),
            value: Value::Date(day),
            strength: Strength::Typed,
            negated: false,
            old: false,
        }));
        self.cands.sort_by_key(|cand| (cand.words.start, std::cmp::Reverse(cand.words.end)));
    }

    /// The slots that could hold a value.
    pub(super) fn takers(&self, cand: &Cand) -> &[usize] {
        self.by_alike.get(&cand.alike).map_or(&[], Vec::as_slice)
    }

    /// The values for a slot that words are one of, with "or" between them: "347 1234567 or 348 7654321". None where
    /// there is but one.
    pub(super) fn alternatives(&self, reader: &Reader<'_>, slot: usize, words: &Range<usize>) -> Vec<&Cand> {
        let takes_one = self.slots.get(slot).is_some_and(|slot| {
            !matches!(slot.field.kind, Kind::Choices(_) | Kind::YesNo(_) | Kind::DateRange(_)) && !slot.is_free()
        });
        let number = self
            .slots
            .get(slot)
            .is_some_and(|slot| matches!(slot.field.kind, Kind::Integer(_) | Kind::Number(_) | Kind::Rating(_)));
        // A bare number is as good as its neighbour: "5 or 6 guests".
        let fits = |cand: &&Cand| {
            let meant = number || cand.strength > Strength::Weak;
            meant && !cand.negated && !cand.old && self.takers(cand).contains(&slot)
        };
        let moment = |slot: &Slot<'_>| matches!(slot.field.kind, Kind::Date(_) | Kind::Time(_) | Kind::Datetime(_));
        let only = self
            .slots
            .get(slot)
            .is_some_and(|of| moment(of) && self.by_alike.get(&of.alike).is_some_and(|of| of.len() == 1));
        let or = |one: &Cand, two: &Cand| {
            either::are_alternatives(reader, one, two, number) || only && either::are_joined(reader, one, two)
        };
        let mut all: Vec<&Cand> =
            self.cands.iter().filter(|cand| takes_one && cand.words == *words).filter(fits).collect();
        if all.is_empty() {
            return all;
        }
        loop {
            let joined = |cand: &&Cand| {
                all.iter().all(|known| known.words != cand.words)
                    && all.iter().any(|known| or(known, cand) || or(cand, known))
            };
            let Some(next) = self.cands.iter().filter(fits).find(joined) else { break };
            let words = next.words.clone();
            all.extend(self.cands.iter().filter(fits).filter(|cand| cand.words == words));
        }
        all.sort_by_key(|cand| cand.words.start);
        let several = all.iter().any(|cand| cand.words != *words)
            && all.iter().any(|cand| all.first().is_some_and(|first| first.value != cand.value));
        if several { all } else { Vec::new() }
    }

    /// A reading of one value with those that stand beside it as other choices.
    pub(super) fn with_alternatives(&self, reader: &Reader<'_>, slot: usize, reading: Reading) -> Reading {
        let Reading::Value(found) = reading else { return reading };
        let all = self.alternatives(reader, slot, &reader.words_of(&found.span));
        if all.is_empty() {
            return Reading::Value(found);
        }
        let one = |cand: &Cand| Found { span: cand.raw.clone(), value: cand.value.clone(), strength: cand.strength };
        Reading::Ambiguous(all.into_iter().map(one).collect())
    }

    /// Puts values aside as said in passing: those for which `out` says so, in the order of [`Board::cands`].
    pub(super) fn put_aside(&mut self, out: Vec<bool>) {
        if out.contains(&true) {
            let cands = std::mem::take(&mut self.cands).into_iter().zip(out);
            let (gone, kept): (Vec<_>, Vec<_>) = cands.partition(|(_, out)| *out);
            self.cands = kept.into_iter().map(|(cand, _)| cand).collect();
            self.passing.extend(gone.into_iter().map(|(cand, _)| cand));
        }
    }

    /// Whether a value that is no weak one is at a word.
    pub(super) fn has_value_at(&self, no: usize) -> bool {
        self.cands.iter().any(|cand| cand.words.contains(&no) && cand.strength > Strength::Weak)
    }

    /// Whether a word is part of an option.
    pub(super) fn is_of_option(&self, no: usize) -> bool {
        let choice = |cand: &Cand| matches!(self.kind_of(cand), Some(Kind::Choice(_) | Kind::Choices(_)));
        let of = |cand: &Cand| cand.words.contains(&no) && cand.strength > Strength::Weak && choice(cand);
        self.cands.iter().any(of)
    }

    /// The slot of a field.
    pub(super) fn slot_of(&self, no: FieldNo) -> Option<usize> {
        self.by_field.get(&no).copied()
    }

    /// Where a slot's field is spoken of.
    pub(super) fn mentions_of(&self, slot: &Slot<'_>) -> impl Iterator<Item = &Mention> {
        let list = self.by_mention.get(&slot.field.no).map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(|no| self.mentions.get(*no))
    }

    /// The kind of the fields that find a value.
    pub(super) fn kind_of(&self, cand: &Cand) -> Option<&'a Kind> {
        self.takers(cand).first().and_then(|slot| self.slots.get(*slot)).map(|slot| &slot.field.kind)
    }

    fn list_slots(&mut self, scene: &Scene<'a>, at: &Path) {
        let cues = scene.form.cues();
        let pending = asked_path(scene);
        let recent = scene.draft.last_change;
        for field in &scene.form.fields {
            let Some(path) = path_for(scene, field, at) else { continue };
            let asked = pending.as_ref() == Some(&path);
            if !takes_words(field, asked) {
                continue;
            }
            if (field.fill != Fill::Any && !asked) || is_hidden(scene, &path) {
                continue;
            }
            let no = self.slots.len();
            // What a moment's words mean hangs on the one held before: "4 pm" is another moment for each field.
            let alike = match field.kind {
                Kind::Datetime(_) => u32::MAX - 1 - u32::try_from(no).unwrap_or(0),
                _ => cues.alike.get(field.no.index()).copied().unwrap_or(u32::MAX),
            };
            self.by_alike.entry(alike).or_default().push(no);
            self.by_field.insert(field.no, no);
            if asked {
                self.asked = Some(no);
            }
            self.slots.push(Slot {
                field,
                value: scene.draft.answers.get(&path).filter(|answer| is_given(answer)).map(|answer| &answer.value),
                asked,
                recent: recent.is_some_and(|changed| changed.contains_key(&path)),
                role: cues.roles.get(field.no.index()).copied().flatten(),
                people: cues.people.get(field.no.index()).copied().unwrap_or(false),
                crowd: cues.crowds.get(field.no.index()).copied().flatten(),
                ahead: cues.ahead.get(field.no.index()).copied().unwrap_or(false),
                counts: cues.counts.get(field.no.index()).and_then(Option::as_ref),
                labels: cues.labels.get(field.no.index()).map_or(&[], Vec::as_slice),
                helps: cues.helps.get(field.no.index()).map_or(&[], Vec::as_slice),
                alike,
                path,
            });
        }
    }
}

/// Whether an answer is the person's own: a default gives way to anything said.
fn is_given(answer: &Answer) -> bool {
    answer.source != formwright_chat::Source::Default
}

/// The field whose answer is waited for: asked, read back ("you said X, right?"), or asked back ("9 or 21 o'clock?").
pub(super) fn asked_path(scene: &Scene<'_>) -> Option<Path> {
    match scene.draft.pending {
        Pending::Which { readings, .. } => {
            let mut paths = readings.iter().map(|(_, command)| command.filled());
            let first = paths.next()??;
            paths.all(|path| path == Some(first)).then(|| first.clone())
        }
        Pending::Field { path, .. } => Some(plain(scene, path)),
        Pending::Sure { .. } => Some(near(scene)).filter(|path| !path.segs().is_empty()),
        _ => None,
    }
}

/// Whether words can answer a field. Links and coordinates in passing are no files and no places.
pub(super) fn takes_words(field: &Field, asked: bool) -> bool {
    let given = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
    let without_words =
        matches!(field.kind, Kind::List(_) | Kind::Group(_) | Kind::Note(_) | Kind::Computed(_) | Kind::Hidden(_));
    let only_asked = matches!(field.kind, Kind::File(_) | Kind::Location(_));
    !given && !without_words && (asked || !only_asked)
}

/// The list and item a path lies in, where the item is still to be added.
pub(super) fn new_item(scene: &Scene<'_>, path: &Path) -> Option<(Path, Path)> {
    let list = list_of(scene, path)?;
    let Some(Seg::Item(no)) = path.segs().get(list.segs().len()) else { return None };
    let len = scene.draft.lists.get(&list).map_or(0, |state| state.len);
    (*no >= len).then(|| (list.clone(), list.item(*no)))
}

/// Whether a field takes a value.
pub(super) fn takes(scene: &Scene<'_>, slot: &Slot<'_>, value: &Value) -> bool {
    let kind = slot.field.kind.behaviour();
    with_context(scene, &slot.path, slot.field, |cx| kind.check(value, cx)).is_ok()
}

/// Runs a parser with what a field's kind needs to know of the world.
pub(super) fn with_context<R>(scene: &Scene<'_>, path: &Path, field: &Field, run: impl FnOnce(&Context<'_>) -> R) -> R {
    let offered = match field.choices {
        Some(_) => (scene.offered)(path),
        None => std::sync::Arc::default(),
    };
    let held = scene.draft.answers.get(path).map(|answer| &answer.value);
    let begun = scene.draft.asked.get(path).and_then(|asked| asked.begun.as_ref());
    // What is asked about goes before what was answered before.
    let asked = begun.filter(|_| scene.draft.pending.asks_which_of() == Some(path));
    run(&Context {
        now: scene.now,
        lang: scene.lang,
        region: scene.region,
        options: &offered,
        other: field.choices.as_ref().is_some_and(|choices| choices.other),
        held: asked.or(held).or(begun),
    })
}

/// Reads words of the message as the answer to a slot; spans are those of the message.
pub(super) fn read(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: Range<usize>) -> Reading {
    let raw = reader.raw_range(words.clone());
    let kind = slot.field.kind.behaviour();
    let said = reader.said_to(slot.field);
    if words == (0..reader.said.words.len()) {
        let reading = with_context(scene, &slot.path, slot.field, |cx| kind.read(said, cx));
        return own_words(scene, reader, slot, &words, reading);
    }
    let part = Said::new(said.raw.get(raw.clone()).unwrap_or_default());
    let moved = |found: Found| Found { span: found.span.start + raw.start..found.span.end + raw.start, ..found };
    let reading = match with_context(scene, &slot.path, slot.field, |cx| kind.read(&part, cx)) {
        Reading::Value(found) => Reading::Value(moved(found)),
        Reading::Ambiguous(all) => Reading::Ambiguous(all.into_iter().map(moved).collect()),
        Reading::Refused(span, why) => Reading::Refused(span.start + raw.start..span.end + raw.start, why),
        Reading::Nothing => Reading::Nothing,
    };
    own_words(scene, reader, slot, &words, reading)
}

/// A reading without words of one's own in the place of an option where they have a link in them, or ask for the form that
/// is being filled: "I cannot log in" is no product.
fn own_words(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    slot: &Slot<'_>,
    words: &Range<usize>,
    reading: Reading,
) -> Reading {
    let mut clauses = reader.clauses.iter().filter(|clause| overlap(&clause.words, words));
    let linked = clauses.any(|clause| reader.has_link(&reader.raw_range(clause.words.clone())));
    let own = |found: &Found| matches!((&slot.field.kind, &found.value), (Kind::Choice(_), Value::Text(_)));
    let says_none =
        || pick::says_only(&scene.form.cues().starts, reader) || sentence::denies(scene, reader, slot.field);
    let none = |found: &Found| match slot.field.kind {
        Kind::Text(_) => sentence::denies(scene, reader, slot.field),
        _ => own(found) && (linked || says_none()),
    };
    match reading {
        Reading::Value(found) if none(&found) => Reading::Nothing,
        reading => reading,
    }
}

/// A value found for the fields that find the same; none where its words cannot be quoted.
pub(super) fn cand(reader: &Reader<'_>, alike: u32, found: Found) -> Option<Cand> {
    let quote = reader.said.raw.get(found.span.clone())?;
    let words = reader.words_of(&found.span);
    (!quote.trim().is_empty() && !words.is_empty()).then_some(Cand {
        alike,
        words,
        raw: found.span,
        value: found.value,
        strength: found.strength,
        negated: false,
        old: false,
    })
}
