//! A draft in which nothing has been said.

use std::collections::{BTreeMap, BTreeSet};

use formwright_chat as chat;

use crate::draft::filling::Filling;
use crate::session::{Draft, State};
use crate::world::World;
use formwright_form::{Form, Path};
use formwright_nlu::Pending;

/// Sets fixed values and defaults, and opens every question of a fresh draft.
pub(crate) fn begin(filling: &mut Filling<'_>) {
    let form = filling.form;
    for page in 0..u16::try_from(form.pages.len()).unwrap_or(u16::MAX) {
        filling.reconsider_page(page);
    }
    for field in &form.fields {
        let inside_list = form.list_of(field.no).is_some();
        let Some(path) = form.path_near(field.no, &Path::default()).filter(|_| !inside_list) else { continue };
        if let Some(expr) = &field.show_when {
            let hide = !filling.holds(expr, &path);
            filling.journal.set_hidden(&path, hide);
        }
    }
    for no in form.top() {
        if let Some(field) = form.field(*no) {
            filling.open_within(&Path::field(&field.id));
        }
    }
}

/// Whether the person has answered anything in a draft.
pub(crate) fn is_begun(draft: &Draft) -> bool {
    draft.answers.values().any(|answer| matches!(answer.source, chat::Source::Said | chat::Source::Pressed))
}

/// A draft in which nothing has been said.
pub(crate) fn fresh(form: &Form, world: &World) -> Draft {
    let now = world.now.timestamp();
    Draft {
        form: form.id.clone(),
        version: form.version.clone(),
        submission: submission_id(&world.nonce, 0),
        revision: 0,
        state: State::Incomplete,
        answers: BTreeMap::new(),
        lists: BTreeMap::new(),
        skipped: BTreeSet::new(),
        hidden: BTreeSet::new(),
        kept: BTreeMap::new(),
        todo: BTreeSet::new(),
        verified: BTreeSet::new(),
        offered: BTreeMap::new(),
        pending: Pending::Nothing,
        waiting: Vec::new(),
        unheard: Vec::new(),
        asked: BTreeMap::new(),
        said: BTreeMap::new(),
        cancelled: false,
        trail: Vec::new(),
        emptied: BTreeSet::new(),
        pages_hidden: BTreeSet::new(),
        pages_done: BTreeSet::new(),
        hooked: None,
        tools: BTreeMap::new(),
        deeds: BTreeMap::new(),
        confirmed: false,
        undelivered: false,
        decided: BTreeMap::new(),
        approval: None,
        zone: None,
        history: Vec::new(),
        before: None,
        sheet: None,
        returns: None,
        by_hand: BTreeSet::new(),
        undo: Vec::new(),
        redo: Vec::new(),
        started: now,
        touched: now,
    }
}

/// The id of a submission to come: 26 letters and digits that people can read out, made of the step's random bits. `no`
/// tells those of one step apart.
pub(crate) fn submission_id(nonce: &chat::Nonce, no: u32) -> String {
    // Crockford's base 32: no I, L, O or U to be mistaken.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let apart = std::iter::repeat_n(b'+', usize::try_from(no).unwrap_or(0));
    let bits =
        nonce.as_str().bytes().chain(apart).fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
    let letter = |i: u32| char::from(ALPHABET[usize::try_from((bits >> (5 * i)) & 31).unwrap_or(0)]);
    format!("F-{}", (0..26).map(letter).collect::<String>())
}
