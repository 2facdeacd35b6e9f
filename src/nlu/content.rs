//! The order in which a message is read: control words, the pending field, typed values, what is left.

use std::ops::Range;

use super::before::before_all;
use super::ledger::Ledger;
use super::named::{self, Named};
use super::pieces::{self, Piece, Sort, is_open_question, pieces};
use super::place::{further_items, place};
use super::prepare::prepare;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot, new_item, with_context};
use super::steer::{self, next_item};
use super::turns::turn_at;
use super::{
    MAX_WORDS, Scene, Understood, absent, amend, amounts, aside, asked, assign, bare, bare_moment, beside, casts,
    crowd, dishes, entitled, features, fill, fills, granted, guard, items, later, listed, naught, near, offers, order,
    outside, own, parts, passing, polar, postal, region, relative, said_again, scales, sentence, shift, some_of_us,
    soon, sorts, stretch, texts, titles, unnamed, venues, without,
};
use crate::command::Command;
use crate::so_far::Pending;
use formwright_form::Kind;
use formwright_form::kind::{Said, date, overlap};
use formwright_text::stem;

pub(super) fn understand(scene: &Scene<'_>, said: &Said) -> Understood {
    if said.words.len() > MAX_WORDS {
        return asked::long(scene, said);
    }
    let mut reader = Reader::new(said, scene.lang);
    // A link may be an answer in words of one's own where no field is for links.
    reader.without_links.take_if(|_| !scene.form.fields.iter().any(|field| matches!(field.kind, Kind::Url(_))));
    let cues = scene.form.cues();
    reader.idle_where(|word| cues.title.contains(stem(word)));
    let mut mentions = cues.mentions(said, scene.lang.code);
    mentions.extend(region::elsewhere(scene, said));
    let mut pieces = pieces(scene, &reader, &mentions);
    if let Some(understood) = before_all(scene, &reader, &pieces, &mentions) {
        return understood;
    }
    let (at, item_words) = place(scene, &reader, &mentions, &pieces);
    let mut board = Board::new(scene, &reader, mentions, &at);
    if item_words.is_none()
        && let Some(list) = items::gone_on_to(scene, &reader, &board)
    {
        board = Board::new(scene, &reader, std::mem::take(&mut board.mentions), &list);
    }
    if let Some(understood) = outside::foreign(&reader, &board) {
        return understood;
    }
    offers::take(scene, &reader, &board, &mut pieces);
    // What is said of an item does not answer a question elsewhere, unless any words do.
    let elsewhere = |slot: &Slot<'_>| !slot.path.is_within(&at) && !slot.takes_any_words();
    if item_words.is_some() && board.asked.and_then(|no| board.slots.get(no)).is_some_and(elsewhere) {
        board.asked = None;
    }
    let mut telling = pieces.iter().filter(|piece| reader.past_filler(piece.words.clone()) < piece.words.end);
    let unnamed =
        board.asked.is_some() && telling.all(Piece::is_content) && unnamed::is_unnamed(scene, &reader, &board);
    if unnamed || guard::is_beside_the_question(scene, &reader, &board, &pieces) {
        board.asked = None;
    }
    let mut ledger = Ledger::new(&reader);
    let no_values = pieces.iter().filter(|piece| !piece.is_content()).map(|piece| &piece.whole).chain(&item_words);
    no_values.for_each(|words| ledger.close(words.clone()));
    let refused = item_words.is_some() || pieces::refuse(&pieces);
    near::put_into_month(scene, &reader, &mut board);
    let shifts = shift::find(scene, &reader, &mut board);
    passing::take_out(scene, &reader, &mut board);
    some_of_us::take_out(&reader, &mut board);
    let tide = prepare(&reader, &mut board, scene.draft.pending, refused);
    relative::fill(&reader, &mut board, &mut ledger);
    shift::fill(scene, &reader, &mut board, &mut ledger, shifts);
    amend::instead(scene, &reader, &board, &mut ledger);
    crowd::add_up(scene, &reader, &board, &mut ledger, &tide);
    stretch::fill(scene, &reader, &board, &mut ledger);
    soon::fill(scene, &reader, &board, &mut ledger);
    let free = board.asked.filter(|no| board.slots.get(*no).is_some_and(super::spans::Slot::takes_any_words));
    if let Some(slot) = free
        && asked::is_answered_by_controls(scene, &reader, &board, &pieces, slot)
        && asked::take_all(scene, &reader, &board, &mut ledger, slot)
    {
        // A word for no is an answer where words are wanted and one is needed.
        return finish(scene, &reader, &board, &tide, ledger, Vec::new());
    }
    let long = free.is_some_and(|no| board.slots.get(no).is_some_and(Slot::is_long));
    let kept_aside = if long { Vec::new() } else { by_own_words(scene, &reader, &board, &mut ledger, &tide) };
    named(scene, &reader, &board, &mut ledger, &tide);
    if free.is_none() {
        asked::read_whole(scene, &reader, &board, &mut ledger, &pieces);
        bare_moment::fill(scene, &reader, &board, &mut ledger, &tide);
    }
    amend::take_out(scene, &reader, &board, &mut ledger);
    assign::assign(scene, &reader, &board, &mut ledger, &tide);
    granted::fill(scene, &reader, &board, &mut ledger, &tide);
    said_again::fill(scene, &reader, &board, &mut ledger);
    if !long {
        in_everyday_words(scene, &reader, &board, &mut ledger, &tide);
    }
    // "Ida Lund, 4417": what stands beside a name that was asked for.
    let named = |no: usize| ledger.has(no) && board.slots.get(no).is_some_and(|slot| slot.subtype().is_some());
    if free.is_none_or(named) {
        bare::fill(scene, &reader, &board, &mut ledger);
    }
    if !long {
        sorts::fill(scene, &reader, &board, &mut ledger);
    }
    if ledger.fills.iter().all(|filled| filled.sure && filled.named) {
        explain_names(&reader, &board, &mut ledger);
    }
    match free {
        Some(slot) => {
            let text = asked::free_text(scene, &reader, &board, &mut ledger, &pieces, slot);
            // What a long text has taken wishes and asks nothing besides.
            pieces.retain(|piece| text.end <= piece.words.start || piece.words.start < text.start);
        }
        None => {
            asked::read_rest(scene, &reader, &board, &mut ledger, &pieces);
            outside::explain_start(scene, &reader, &mut ledger);
        }
    }
    explain_names(&reader, &board, &mut ledger);
    if free.is_none_or(|no| !ledger.has(no)) {
        later::named(scene, &reader, &board, &mut ledger, &pieces);
    }
    with_aside(finish(scene, &reader, &board, &tide, ledger, pieces), kept_aside)
}

/// Fills what certain words tell, before the names of fields do; gives what is kept aside.
fn by_own_words(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    ledger: &mut Ledger,
    tide: &Tide,
) -> Vec<Command> {
    entitled::fill(scene, reader, board, ledger);
    let kept_aside = aside::fill(scene, reader, board, ledger);
    absent::fill(scene, reader, board, ledger, tide);
    without::fill(scene, reader, board, ledger, tide);
    later::set_aside(scene, reader, board, ledger);
    own::fill(reader, board, ledger);
    casts::fill(scene, reader, board, ledger, tide);
    titles::fill(scene, reader, board, ledger, tide);
    venues::fill(scene, reader, board, ledger);
    dishes::served(scene, reader, board, ledger);
    amounts::fill(scene, reader, board, ledger, tide);
    kept_aside
}

/// What was understood, with what was kept aside behind its values.
fn with_aside(mut understood: Understood, kept_aside: Vec<Command>) -> Understood {
    let fills = |command: &&Command| matches!(command, Command::Fill { .. } | Command::AddItem { .. });
    let at = understood.commands.iter().take_while(fills).count();
    understood.commands.splice(at..at, kept_aside);
    understood
}

/// Fields that are named, and what words of the sentence announce.
fn named(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    listed::named(scene, reader, board, ledger);
    texts::named(scene, reader, board, ledger);
    texts::announced(scene, reader, board, ledger, tide);
    items::fill(scene, reader, board, ledger);
    parts::each(scene, reader, board, ledger);
}

/// What is said in other words than a field's name and its options.
fn in_everyday_words(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    features::fill(scene, reader, board, ledger, tide);
    scales::fill(scene, reader, board, ledger, tide);
    crowd::fill(reader, board, ledger, tide);
}

/// The name of a field that was filled is understood with it, and so is the value that gave way.
fn explain_names(reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger) {
    for cand in board.cands.iter().filter(|cand| cand.negated || cand.old) {
        if board.takers(cand).iter().any(|no| ledger.has(*no)) {
            ledger.claim(cand.words.clone());
        }
    }
    // "leaving", "back on", "my name is": they told which of two a value is, or whose.
    for start in ledger.fills.iter().map(|filled| filled.words.start).collect::<Vec<_>>() {
        for no in start.saturating_sub(4)..start {
            let turn = turn_at(reader, no, start).map_or(0, |(len, _)| len);
            let name = reader.len(|lang| &lang.name.is, no, start).max(reader.len(|lang| &lang.name.called, no, start));
            let len = turn.max(name);
            // "Deliver to 12 Elm Close".
            let lead = reader.len(|lang| &lang.street.lead, no, start);
            let len = if no + lead == start { len.max(lead) } else { len };
            if (no + len..start).all(|no| reader.is_idle(no)) {
                ledger.claim(no..no + len);
            }
        }
    }
    // "… instead of diavola" names what gives way.
    for clause in &reader.clauses {
        let end = clause.words.end;
        let filled = ledger
            .fills
            .iter()
            .any(|filled| reader.clause_of(filled.words.start) == reader.clause_of(clause.words.start));
        let instead = clause.words.clone().find(|no| reader.len(|lang| &lang.sentence.instead, *no, end) > 0);
        if let Some(from) = instead.filter(|_| filled) {
            let until = (from..end).find(|no| *no > from && reader.len(|lang| &lang.sentence.join, *no, end) > 0);
            ledger.claim(from..until.unwrap_or(end));
        }
    }
    for no in 0..board.slots.len() {
        if !ledger.has(no) {
            continue;
        }
        let Some(slot) = board.slots.get(no) else { continue };
        let clauses: Vec<usize> = ledger
            .fills
            .iter()
            .filter(|filled| filled.slot == no)
            .map(|filled| reader.clause_of(filled.words.start))
            .collect();
        let named: Vec<Range<usize>> = board
            .mentions_of(slot)
            .filter(|mention| {
                let clause = reader.clause_of(mention.words.start);
                let gave_way = board.cands.iter().any(|cand| {
                    cand.old && reader.clause_of(cand.words.start) == clause && board.takers(cand).contains(&no)
                });
                clauses.contains(&clause) || gave_way
            })
            .map(|mention| mention.words.clone())
            .collect();
        named.into_iter().for_each(|words| ledger.claim(words));
    }
}

fn finish(
    scene: &Scene<'_>,
    reader: &Reader<'_>,
    board: &Board<'_>,
    tide: &Tide,
    mut ledger: Ledger,
    pieces: Vec<Piece>,
) -> Understood {
    let weighed = fill::fill(scene, reader, board, &mut ledger, tide, &pieces);
    let mut understood = Understood { weighed, ..Understood::default() };
    guard::drop_denied(reader, board, &mut ledger);
    beside::follow_days(reader, board, &mut ledger);
    near::settle(scene, reader, board, &mut ledger);
    order::keep(scene, reader, board, &mut ledger);
    postal::part(scene, reader, board, &mut ledger);
    let fills = fills::fill_commands(scene, reader, board, &ledger.fills);
    let said_of_fields = !ledger.fills.is_empty() || !ledger.unsure.is_empty() || !ledger.refused.is_empty();
    understood.unsure = std::mem::take(&mut ledger.unsure).into_iter().map(|(_, unsure)| unsure).collect();
    let refused = std::mem::take(&mut ledger.refused).into_iter();
    let of = |(slot, span, why)| Some((board.slots.get::<usize>(slot)?.path.clone(), span, why));
    understood.refused = refused.filter_map(of).collect();
    let (mut wishes, mut directed) = (Vec::new(), Vec::new());
    understood.later = later::open(scene, &mut ledger, &mut directed);
    let mut questions: Vec<(Range<usize>, Command)> = Vec::new();
    let reviewing = matches!(scene.draft.pending, Pending::Review | Pending::PageReview { .. } | Pending::WhatToChange);
    let nothing_beside = naught::beside(scene, board, &ledger, &pieces);
    let mut items = Vec::new();
    if let Some((words, commands)) = further_items(scene, reader, &pieces).filter(|_| !said_of_fields) {
        items = commands;
        ledger.close(words);
    }
    for piece in pieces {
        match piece.sort {
            Sort::Wishes(_) if nothing_beside.contains(&piece.words) => {}
            Sort::Wishes(more) => wishes.extend(more),
            Sort::Named(Named::One(command)) => directed.push(command),
            Sort::Named(Named::Each(commands)) if commands.iter().any(is_of_items) => items.extend(commands),
            Sort::Named(Named::Each(commands)) => directed.extend(commands),
            Sort::Named(Named::Several(unsure)) => understood.unsure.push(unsure),
            Sort::Polar(commands) => items.extend(commands),
            Sort::Question | Sort::Content if offers::asks_for_the_form(scene, reader, &piece.words) => {
                ledger.close(piece.words);
            }
            Sort::Question if tells(&ledger, &piece) => {}
            Sort::Question => ask(reader, &mut questions, &piece.whole),
            Sort::Content if reviewing && !said_of_fields => {
                match named::bare_name(scene, reader, &board.mentions, piece.words.clone()) {
                    Some(Named::One(command)) => directed.push(command),
                    Some(Named::Each(commands)) => directed.extend(commands),
                    Some(Named::Several(unsure)) => understood.unsure.push(unsure),
                    None if is_open_question(reader, &ledger, &piece) => ask(reader, &mut questions, &piece.whole),
                    None => continue,
                }
                ledger.close(piece.words);
            }
            Sort::Content if is_open_question(reader, &ledger, &piece) => {
                ask(reader, &mut questions, &piece.whole);
                ledger.close(piece.words);
            }
            Sort::Content => {}
        }
    }
    understood.leftover = ledger.leftover(reader);
    understood.leftover.extend(nothing_beside.into_iter().map(|words| reader.raw_range(words)));
    let changes = said_of_fields || !directed.is_empty() || !items.is_empty() || !understood.unsure.is_empty();
    // "Yes?" asks back.
    let asks_back = reader.clauses.iter().any(|clause| clause.tentative);
    let open = asks_back || !understood.leftover.is_empty();
    let steering = steer::commands(scene, &wishes, changes, open);
    let adds = |command: &Command| matches!(command, Command::AddItem { .. });
    // What is filled into an item that stands open already, or was added with its value, needs no other.
    let needless = |command: &Command| match command {
        Command::AddItem { list } => {
            let open = list.item(next_item(scene, list));
            let is_new = new_item(scene, &open).is_some();
            let into = |fill: &Command| matches!(fill, Command::Fill { path, .. } if path.is_within(&open));
            items.iter().any(adds) || !is_new && fills.iter().any(into)
        }
        _ => false,
    };
    let mut added: Vec<Command> = fills.iter().filter(|command| adds(command)).cloned().collect();
    // An item is added before what is filled into it, and once though it is asked for twice.
    for command in steering.iter().chain(&directed).filter(|command| adds(command)) {
        if !added.contains(command) && !needless(command) {
            added.push(command.clone());
            understood.commands.push(command.clone());
        }
    }
    let (rough, clear): (Vec<_>, Vec<_>) = fills.iter().cloned().partition(|fill| {
        let doubted = |slot: &usize| board.slots.get(*slot).is_some_and(|slot| fill.filled() == Some(&slot.path));
        ledger.doubted.iter().any(doubted)
            || is_rough(scene, fill)
            || sentence::is_swallowed(scene, reader, board, &ledger, fill)
            || guard::is_doubtful(scene, reader, board, &ledger, fill)
    });
    understood.rough = rough;
    understood.commands.extend(clear);
    understood.commands.extend(items);
    polar::keep_plain(scene, reader, &mut understood.commands);
    understood.commands.extend(directed.into_iter().filter(|command| !adds(command)));
    understood.commands.extend(questions.into_iter().map(|(_, command)| command));
    understood.commands.extend(steering.into_iter().filter(|command| !adds(command)));
    if understood.is_nothing() {
        // What says the answer once more is told that it is so already.
        let again = ledger.fills.iter().filter_map(|filled| {
            let slot = board.slots.get(filled.slot).filter(|slot| slot.value == Some(&filled.value))?;
            let quote = super::ledger::quote(reader, &filled.raw)?;
            Some(super::ledger::fill_command(slot, filled.value.clone(), quote))
        });
        understood.commands.extend(again);
    }
    understood
}

/// Whether a command fills in a day that its words name only roughly.
fn is_rough(scene: &Scene<'_>, command: &Command) -> bool {
    let Command::Fill { path, quote: Some(quote), .. } = command else { return false };
    let Some(field) = scene.form.field_at(path) else { return false };
    let range = matches!(field.kind, Kind::DateRange(_));
    if !range && !matches!(field.kind, Kind::Date(_) | Kind::Datetime(_)) {
        return false;
    }
    let words = Said::new(quote);
    with_context(scene, path, field, |cx| date::is_rough(&words, range, cx))
}

/// Whether a command fills, adds or takes out what a message tells of the items of a list.
fn is_of_items(command: &Command) -> bool {
    matches!(command, Command::Fill { .. } | Command::AddItem { .. } | Command::RemoveItem { .. })
}

/// Whether a question holds values, which is what it is then for.
fn tells(ledger: &Ledger, piece: &Piece) -> bool {
    ledger.fills.iter().any(|filled| overlap(&filled.words, &piece.whole))
}

/// Neighbouring questions are one.
fn ask(reader: &Reader<'_>, questions: &mut Vec<(Range<usize>, Command)>, words: &Range<usize>) {
    let whole = match questions.last() {
        Some((before, _)) if before.end == words.start => before.start..words.end,
        _ => words.clone(),
    };
    if questions.last().is_some_and(|(before, _)| before.end == words.start) {
        questions.pop();
    }
    let question = reader.raw_text(whole.clone()).trim().to_owned();
    questions.push((whole, Command::Ask { question }));
}
