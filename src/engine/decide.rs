//! What comes next: the first open question, a page to look over, the review, or the submission.

use super::fill::Filling;
use super::options;
use super::order::{self, Asking};
use super::session::{Pending, State};
use formwright_form::{Kind, Path, Tool};

/// What comes next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// Wait for the person: what for stands in [`Pending`].
    Wait,
    /// Fill in the form of this field first.
    Open(Path),
    /// Ask a tool first.
    Call(super::ToolCall),
    /// Have the client run a tool first.
    ClientCall(super::ToolCall),
    /// Everything is there and nothing is to be confirmed.
    Submit,
}

impl Filling<'_> {
    /// Decides what comes next and notes what is waited for. Texts of notes on the way are said.
    pub(super) fn decide(&mut self, notes: &mut Vec<String>) -> Next {
        let next = self.decide_next(notes);
        notes.append(&mut self.told);
        next
    }

    fn decide_next(&mut self, notes: &mut Vec<String>) -> Next {
        if let Some(path) = self.sticky() {
            return path.map_or(Next::Wait, |path| self.wait_for(path));
        }
        if let Some(next) = self.do_owed(notes) {
            return next;
        }
        if self.sticky().is_some() || self.asks_zone() {
            return Next::Wait;
        }
        loop {
            if let Some(next) = self.fetch_unasked() {
                return next;
            }
            let open = self.first_open();
            if let Some(page) = self.page_to_review(open.as_ref().map(super::session::Addr::page)) {
                self.journal.draft.state = State::Incomplete;
                self.journal.draft.pending = Pending::PageReview { page };
                return Next::Wait;
            }
            let Some(open) = open else {
                if let Some(next) = self.fetch_rest() {
                    return next;
                }
                // What was brought may be asked about, or show further fields.
                if self.sticky().is_some() {
                    return Next::Wait;
                }
                if self.draft().todo.first().is_some_and(|addr| !addr.is_later()) {
                    continue;
                }
                return self.all_answered(notes);
            };
            self.journal.draft.state = State::Incomplete;
            match order::asking(self.form, &open) {
                // As long as more are needed there is nothing to ask.
                Some(Asking::More(list)) if self.needs_item(&list) && self.add_item(&list).is_some() => {}
                Some(Asking::More(list)) => {
                    self.journal.draft.pending = Pending::MoreItems { list };
                    return Next::Wait;
                }
                Some(Asking::Field(path)) => {
                    let field = self.form.field_at(&path);
                    if let Some(note) = field.filter(|field| matches!(field.kind, Kind::Note(_))) {
                        notes.extend(note.ask.first().map(|text| self.text(text, &path)));
                        self.journal.set_skipped(&path, true);
                        self.refresh_todo(&path);
                        continue;
                    }
                    if let Some(at) = self.form_for(&path) {
                        return Next::Open(at);
                    }
                    if let Some(next) = self.fetch_for(&path) {
                        return next;
                    }
                    if self.sticky().is_some() {
                        return Next::Wait;
                    }
                    if self.draft().answers.contains_key(&path) {
                        continue;
                    }
                    self.journal.draft.pending = Pending::Field { path: path.clone(), editing: false };
                    return self.wait_for(path);
                }
                None => self.journal.set_todo(open, false),
            }
        }
    }

    /// What is being waited for and stays so: `None` where the order of asking decides; the field, where its options may
    /// still have to be fetched.
    #[expect(clippy::option_option, reason = "whether it waits, and for which field if for one")]
    fn sticky(&self) -> Option<Option<Path>> {
        match &self.draft().pending {
            Pending::Field { path, editing: true } => Some(Some(path.clone())),
            Pending::Which { .. } | Pending::Sure { .. } | Pending::WhatToChange => Some(None),
            Pending::Nothing
            | Pending::Field { .. }
            | Pending::MoreItems { .. }
            | Pending::PageReview { .. }
            | Pending::Review
            | Pending::Tool { .. } => None,
        }
    }

    /// Whether something is waited for that the order of asking does not decide.
    pub(super) fn is_sticky(&self) -> bool {
        self.sticky().is_some() || matches!(self.draft().pending, Pending::Tool { .. })
    }

    fn page_to_review(&self, open: Option<u16>) -> Option<u16> {
        let pages = u16::try_from(self.form.pages.len()).unwrap_or(u16::MAX);
        // The form's own review shows the last page too.
        let last = pages.saturating_sub(u16::from(self.is_confirmed()));
        (0..open.unwrap_or(last).min(last)).find(|page| {
            let wanted = self.form.pages.get(usize::from(*page)).is_some_and(|page| page.review);
            wanted && !self.draft().pages_done.contains(page) && !self.draft().pages_hidden.contains(page)
        })
    }

    fn all_answered(&mut self, notes: &mut Vec<String>) -> Next {
        if self.form.stays {
            // What the client holds and cannot be so is asked for, though it may be left out.
            let wrong = self.first_wrong().map(|path| Pending::Field { path, editing: true });
            self.journal.draft.pending = wrong.unwrap_or(Pending::Nothing);
            return Next::Wait;
        }
        if let Some(against) = self.draft().hooked.as_ref().and_then(|hooked| hooked.against.clone()) {
            // Nothing is sent, or done, until something is changed.
            notes.push(against);
            self.journal.draft.confirmed = false;
            self.journal.draft.pending = Pending::WhatToChange;
            return Next::Wait;
        }
        if std::mem::take(&mut self.journal.draft.confirmed) {
            return Next::Submit;
        }
        // What has failed is tried again when the person says so.
        if self.is_confirmed() || self.has_failed_deed() {
            self.journal.draft.state = State::WaitConfirm;
            self.journal.draft.pending = Pending::Review;
            return Next::Wait;
        }
        if self.needs_approval() || !self.owe_all() {
            return Next::Submit;
        }
        match self.do_owed(notes) {
            Some(next) => next,
            None if self.has_failed_deed() || !self.is_all_answered() => self.decide(notes),
            None => Next::Submit,
        }
    }

    /// Whether nothing is open but what is offered at the review.
    fn is_all_answered(&self) -> bool {
        self.draft().todo.first().is_none_or(super::session::Addr::is_later)
    }

    /// Waits for a field, unless its options have to be fetched first.
    fn wait_for(&mut self, path: Path) -> Next {
        let Some(field) = self.form.field_at(&path) else { return Next::Wait };
        let awaited = options::awaited(self.form, self.draft(), self.world, field, &path);
        let Some((tool, args)) = awaited.or_else(|| options::stale(self.form, self.draft(), self.world, field, &path))
        else {
            return Next::Wait;
        };
        self.call(tool, args)
    }

    pub(super) fn call(&mut self, tool: &Tool, args: serde_json::Value) -> Next {
        let failed = |state: &super::session::ToolState| state.args == args && state.failures > 0;
        if self.draft().tools.get(&tool.id).is_some_and(failed) {
            return Next::Wait;
        }
        // A client that is still at it is asked for the same call: its result must find whom it is for.
        let client = matches!(tool.run, formwright_form::ToolRun::Client { .. });
        let running = |state: &&super::session::ToolState| {
            client && state.args == args && state.result.is_none() && state.failures == 0
        };
        let known = self.draft().tools.get(&tool.id).filter(running).map(|state| state.call.clone());
        let call = known.unwrap_or_else(|| format!("{}-{}", self.world.nonce.as_str(), tool.id));
        self.open_call(tool, args, call)
    }

    /// Calls a tool under an id.
    pub(super) fn open_call(&mut self, tool: &Tool, args: serde_json::Value, call: String) -> Next {
        let client = matches!(tool.run, formwright_form::ToolRun::Client { .. });
        let state = super::session::ToolState {
            args: args.clone(),
            call: call.clone(),
            at: self.world.now.timestamp(),
            ..super::session::ToolState::default()
        };
        self.journal.draft.tools.insert(tool.id.clone(), state);
        self.journal.draft.pending = Pending::Tool { call: call.clone(), tool: tool.id.clone(), client };
        let does = self.deed_of_call(&call).is_some();
        let purpose = if does { super::Purpose::Do } else { super::Purpose::Know };
        let call = super::ToolCall::of(self.form, &tool.id, call, args).to(purpose);
        if client { Next::ClientCall(call) } else { Next::Call(call) }
    }
}
