//! What follows from a change: fields appear and disappear, values are worked out again, and answers that no longer hold
//! are set aside and offered again.

use std::collections::{BTreeSet, VecDeque};

use formwright_chat::Source;

use crate::ask::verify::{VERIFY, VERIFY_FOUND};
use crate::draft::filling::{Filling, Offer};
use crate::draft::list;
use crate::session::Draft;
use crate::tools::fetch;
use formwright_form::field::Field;
use formwright_form::logic::{Answers, Extra, Outcome};
use formwright_form::{AnswerSource, Kind, Path, Value};
use formwright_nlu::{Command, Pending};

impl Filling<'_> {
    /// Re-checks everything that reads the answer at `path`, and so on.
    pub(crate) fn follow(&mut self, path: &Path) {
        let mut queue = VecDeque::from([path.clone()]);
        // Dependencies have no cycles, so the work ends; the bound only guards against a form that was not checked.
        let mut budget = 64 + 16 * self.form.fields.len();
        while let Some(path) = queue.pop_front() {
            let Some(left) = budget.checked_sub(1) else { return };
            budget = left;
            let mut readers = BTreeSet::new();
            let mut pages = BTreeSet::new();
            let mut at = self.form.field_at(&path);
            while let Some(field) = at {
                readers.extend(self.form.graph.dependents.get(field.no.index()).into_iter().flatten().copied());
                pages.extend(self.form.graph.pages.get(field.no.index()).into_iter().flatten().copied());
                // A list's checks may speak of its items without naming their fields.
                if matches!(field.kind, Kind::List(_)) && !field.checks.is_empty() {
                    readers.insert(field.no);
                }
                at = field.parent.and_then(|parent| self.form.field(parent));
            }
            for page in pages {
                queue.extend(self.reconsider_page(page));
            }
            for no in readers {
                let Some(field) = self.form.field(no) else { continue };
                for place in self.instances(no, &path) {
                    queue.extend(self.reconsider(field, &place));
                }
            }
        }
    }

    /// Looks at a page's `show_when` again; gives the answers that came or went.
    pub(crate) fn reconsider_page(&mut self, page: u16) -> Vec<Path> {
        let form = self.form;
        let Some(expr) = form.pages.get(usize::from(page)).and_then(|page| page.show_when.as_ref()) else {
            return Vec::new();
        };
        let hide = !self.holds(expr, &Path::default());
        if hide == self.draft().pages_hidden.contains(&page) {
            return Vec::new();
        }
        if hide {
            self.journal.draft.pages_hidden.insert(page);
        } else {
            self.journal.draft.pages_hidden.remove(&page);
        }
        let fields: Vec<_> = form.top().iter().filter_map(|no| form.field(*no)).filter(|f| f.page == page).collect();
        fields.into_iter().flat_map(|field| self.come_or_go(&Path::field(&field.id), hide)).collect()
    }

    /// Looks at everything about a field that may depend on others; gives the answers that changed, came or went.
    pub(crate) fn reconsider(&mut self, field: &Field, path: &Path) -> Vec<Path> {
        self.ask_no_more_of_another(field, path);
        let mut changed = self.reconsider_visibility(field, path);
        if self.draft().is_hidden(path) || self.page_is_hidden(field) {
            return changed;
        }
        if self.work_out(field, path) {
            changed.push(path.clone());
        }
        if self.draft().skipped.contains(path) && self.is_required(field, path) {
            self.journal.set_skipped(path, false);
        }
        if self.draft().answers.contains_key(path) && self.set_aside_if_broken(field, path) {
            changed.push(path.clone());
        }
        self.refresh_todo(path);
        self.refresh_more(path);
        changed
    }

    /// Stops asking whether a value is right that was brought, or chosen, for answers which are others now: it is brought, or
    /// asked, anew.
    fn ask_no_more_of_another(&mut self, field: &Field, path: &Path) {
        if field.verify.is_none() {
            return;
        }
        let stale = !fetch::is_still_brought(self, field, path);
        let from_tool = field.choices.as_ref().is_some_and(|choices| choices.from.is_some());
        let unknown = from_tool && self.known_options(field, path).is_none();
        let gone = |pending: &Pending| match pending {
            Pending::Sure { then, question } => match then.as_ref() {
                Command::Fill { path: asked, .. } if asked == path => {
                    unknown && question == VERIFY || stale && question == VERIFY_FOUND
                }
                _ => false,
            },
            _ => false,
        };
        let draft = &mut self.journal.draft;
        draft.waiting.retain(|pending| !gone(pending));
        if gone(&draft.pending) {
            draft.pending = Pending::Nothing;
        }
    }

    fn reconsider_visibility(&mut self, field: &Field, path: &Path) -> Vec<Path> {
        let left_out = self.draft().hooked.as_ref().is_some_and(|hooked| hooked.left_out.contains(path));
        let hide = left_out || field.show_when.as_ref().is_some_and(|expr| !self.holds(expr, path));
        if hide == self.draft().hidden.contains(path) {
            return Vec::new();
        }
        self.journal.set_hidden(path, hide);
        let mut moved = self.come_or_go(path, hide);
        // A field that is hidden has no answer for good, which its readers may have waited for.
        if !moved.contains(path) {
            moved.push(path.clone());
        }
        moved
    }

    /// Takes the answers within a path off, or puts them back; gives those that moved.
    pub(crate) fn come_or_go(&mut self, path: &Path, hide: bool) -> Vec<Path> {
        let mut moved = Vec::new();
        if hide {
            for addr in self.todo_within(path) {
                self.journal.set_todo(addr, false);
            }
            for inner in keys_within(&self.draft().answers, path) {
                let answer = self.draft().answers.get(&inner).cloned();
                self.journal.set_kept(&inner, answer);
                self.journal.set_answer(&inner, None);
                moved.push(inner);
            }
            return moved;
        }
        for inner in keys_within(&self.draft().kept, path) {
            let visible = !self.draft().is_hidden(&inner);
            let Some(field) = self.form.field_at(&inner).filter(|field| visible && !self.page_is_hidden(field)) else {
                continue;
            };
            let Some(answer) = self.draft().kept.get(&inner).cloned() else { continue };
            self.journal.set_kept(&inner, None);
            if self.vet(field, &inner, &answer.value).is_ok() {
                self.store(&inner, Some(answer));
            } else {
                self.journal.set_offered(&inner, Some(answer.value));
            }
            moved.push(inner);
        }
        self.open_within(path);
        moved
    }

    /// Puts every open question within a path on the list.
    pub(crate) fn open_within(&mut self, path: &Path) {
        let form = self.form;
        let Some(field) = form.field_at(path) else { return };
        if matches!(field.kind, Kind::List(_)) && !list::ends_in_item(path) {
            list::open_list(self, field, path);
        } else if matches!(field.kind, Kind::Group(_) | Kind::List(_)) {
            for member in form.members(field.no).iter().filter_map(|no| form.field(*no)) {
                self.open_within(&path.child(&member.id));
            }
        } else if !self.draft().is_hidden(path) && !self.page_is_hidden(field) {
            let changed = self.work_out(field, path);
            self.refresh_todo(path);
            if changed {
                self.follow(path);
            }
        }
    }

    /// Works out a computed value or default; tells whether the answer changed.
    pub(crate) fn work_out(&mut self, field: &Field, path: &Path) -> bool {
        let old = self.draft().answers.get(path).cloned();
        let (value, source) = match &field.source {
            AnswerSource::Computed(expr) => (self.value_of(field, path, expr), Source::Computed),
            AnswerSource::DefaultFrom(expr) => {
                let given = old.as_ref().is_some_and(|answer| answer.source != Source::Default);
                if given || self.draft().skipped.contains(path) || self.draft().emptied.contains(path) {
                    return false;
                }
                (self.value_of(field, path, expr), Source::Default)
            }
            AnswerSource::Fixed(value) => (Some(value.clone()), Source::Fixed),
            AnswerSource::Default(value) => {
                if old.is_some() || self.draft().skipped.contains(path) || self.draft().emptied.contains(path) {
                    return false;
                }
                (Some(value.clone()), Source::Default)
            }
            AnswerSource::FromTool { .. } => {
                let brought = old.as_ref().is_some_and(|answer| answer.source == Source::Tool);
                if !brought || fetch::is_still_brought(self, field, path) {
                    return false;
                }
                // Another value will be brought, which nobody has confirmed.
                self.journal.draft.verified.remove(path);
                (None, Source::Tool)
            }
            AnswerSource::Person => return false,
        };
        if old.as_ref().map(|answer| &answer.value) == value.as_ref() {
            return false;
        }
        let answer = value.map(|value| self.answer(Offer { value, source, quote: None }));
        self.store(path, answer);
        true
    }

    /// The first visible value that cannot be worked out though its answers are there, with why, for the log.
    pub(crate) fn unworkable(&mut self) -> Option<(Path, String)> {
        let form = self.form;
        for field in &form.fields {
            let AnswerSource::Computed(expr) = &field.source else { continue };
            for path in self.instances(field.no, &Path::default()) {
                if self.draft().is_hidden(&path) || self.page_is_hidden(field) {
                    continue;
                }
                let before = self.faults.len();
                let value = self.value_of(field, &path, expr);
                if let (None, Some(why)) = (value, self.faults.get(before)) {
                    return Some((path, why.clone()));
                }
            }
        }
        None
    }

    fn value_of(&mut self, field: &Field, path: &Path, expr: &formwright_form::logic::Expr) -> Option<Value> {
        let outcome = expr.eval(path, &Settled(self.draft()), &Extra::none(), &self.world.now);
        let json = match outcome {
            Outcome::Known(json) => json,
            Outcome::Unknown => return None,
            Outcome::Failed(why) => {
                self.faults.push(format!("{path} cannot be worked out: {why}"));
                return None;
            }
        };
        let offered = self.offered(field, path);
        match field.kind.behaviour().accept(&json, &self.context(field, &offered)) {
            Ok(value) => Some(value),
            Err(refusal) => {
                self.faults.push(format!("{}: {json} is not a value of {path} ({})", expr.source, refusal.code));
                None
            }
        }
    }

    /// Takes an answer off that its checks or options no longer allow, and offers it again; tells whether it did.
    fn set_aside_if_broken(&mut self, field: &Field, path: &Path) -> bool {
        let Some(answer) = self.draft().answers.get(path).cloned() else { return false };
        if matches!(answer.source, Source::Fixed | Source::Computed) {
            return false;
        }
        let unknown_options = field.choices.as_ref().is_some_and(|choices| choices.from.is_some())
            && self.known_options(field, path).is_none();
        if !unknown_options && self.vet(field, path, &answer.value).is_ok() {
            return false;
        }
        self.store(path, None);
        self.take_back(path);
        self.journal.set_offered(path, Some(answer.value));
        true
    }
}

/// The answers, with those that never come told from those that have not come yet.
struct Settled<'a>(&'a Draft);

impl Answers for Settled<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.0.value(path)
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        self.0.list_len(path)
    }

    fn is_left_out(&self, path: &Path) -> bool {
        self.0.skipped.contains(path) || self.0.is_hidden(path)
    }
}

/// Keys of a map that lie at or within a path.
pub(crate) fn keys_within<V>(map: &std::collections::BTreeMap<Path, V>, path: &Path) -> Vec<Path> {
    map.range(path.clone()..).map(|(key, _)| key).take_while(|key| key.is_within(path)).cloned().collect()
}
