//! A draft whose form has changed goes on with the version it was started with; where that is no longer at hand, answers
//! that still fit move to the new one.

use super::Effect;
use super::begin::fresh;
use super::fill::{Filled, Filling, Offer};
use super::session::Draft;
use super::talk::Talk;

impl Talk<'_> {
    /// Moves the draft to the form's present version where its own is gone, and drops it where the form is gone.
    pub(super) fn catch_up(&mut self) {
        self.submit_what_was_approved();
        let Some(draft) = &self.session.draft else { return };
        if self.engine.catalog.version(&draft.form, &draft.version).is_some() {
            return;
        }
        let Some(old) = self.session.draft.take() else { return };
        let Some(form) = self.engine.catalog.form(&old.form).cloned() else {
            self.note("form_gone", &[]);
            let waits = old.returns.clone();
            let gone = Draft { cancelled: true, ..old };
            if waits.is_some_and(|returns| self.go_back_from_gone(&returns)) {
                self.effects.push(Effect::Left(Box::new(gone)));
            } else {
                self.session.closed = Some(gone);
            }
            return;
        };
        let world = self.world.speaking(&form);
        let draft = Draft { submission: old.submission.clone(), started: old.started, ..fresh(&form, &world) };
        let mut filling = Filling::new(&form, &world, draft);
        filling.begin();
        filling.move_in(&old);
        self.notes.push(filling.say("form_changed", &[]));
        let mut draft = filling.journal.finish();
        draft.undo.clear();
        self.session.draft = Some(draft);
    }
}

impl Filling<'_> {
    fn move_in(&mut self, old: &Draft) {
        for (list, state) in &old.lists {
            while self.draft().lists.get(list).is_some_and(|now| now.len < state.len) && self.add_item(list).is_some() {
            }
            if state.ended {
                self.end_list(list);
            }
        }
        // Answers may depend on each other: what is refused at first may fit once the others are in.
        for _ in 0..2 {
            for (path, answer) in &old.answers {
                let offer = Offer { value: answer.value.clone(), source: answer.source, quote: answer.quote.clone() };
                if let Filled::Stored(_) = self.fill(path, offer) {
                    self.journal.set_answer(path, Some(answer.clone()));
                }
            }
        }
        for path in &old.skipped {
            self.skip(path);
        }
    }
}
