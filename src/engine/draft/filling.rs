//! Answers going in and out of a draft: checked before they are stored, and followed by what depends on them.

use std::collections::BTreeSet;
use std::sync::Arc;

use formwright_chat as chat;

use crate::draft::journal::Journal;
use crate::draft::{list, options, order, whole};
use crate::session::Draft;
use crate::session::screen::Addr;
use crate::world::World;
use crate::zone;
use formwright_form::field::{Field, FieldNo};
use formwright_form::kind::{Context, Offered, Refusal};
use formwright_form::logic::{Answers, Expr, Extra, Outcome};
use formwright_form::{AnswerSource, Form, Kind, Path, Required, Value};
use formwright_nlu::Answer;

/// A draft being worked on in one step.
#[derive(Debug)]
pub(crate) struct Filling<'a> {
    pub(crate) form: &'a Form,
    pub(crate) world: &'a World,
    pub(crate) journal: Journal,
    /// What expressions did wrong, for the log.
    pub(crate) faults: Vec<String>,
    /// What tools say that looked something up.
    pub(crate) told: Vec<String>,
    /// Fields whose values a model read out of the message, and code did not.
    pub(crate) by_model: BTreeSet<Path>,
    /// What is asked goes on after a question of the person's.
    pub(crate) goes_on: bool,
    menus: options::Menus,
}

/// A value on its way in.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) value: Value,
    pub(crate) source: chat::Source,
    pub(crate) quote: Option<String>,
}

/// What became of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filled {
    /// Stored; what was there before.
    Stored(Option<Value>),
    /// The same as before.
    Same,
    /// Kept until its field is shown.
    Aside,
    /// Not stored: the old value stays.
    Refused(Refusal),
    /// The field takes no answers.
    Locked,
}

/// Code of the refusal to leave out what is needed.
pub(crate) const CANNOT_SKIP: &str = "cannot_skip";

/// Code of a refusal whose words the form's author wrote.
pub(crate) const AUTHORS_WORDS: &str = "author";

impl<'a> Filling<'a> {
    pub(crate) fn new(form: &'a Form, world: &'a World, draft: Draft) -> Self {
        Self {
            form,
            world,
            journal: Journal::new(draft),
            faults: Vec::new(),
            told: Vec::new(),
            by_model: BTreeSet::new(),
            goes_on: false,
            menus: options::Menus::default(),
        }
    }

    pub(crate) fn draft(&self) -> &Draft {
        &self.journal.draft
    }

    /// What a field offers now; `None` while a tool has still to be asked.
    pub(crate) fn known_options(&self, field: &Field, path: &Path) -> Option<Arc<[Offered]>> {
        self.menus.offered(self.form, self.draft(), self.world, field, path)
    }

    /// What a field offers now, as far as it is known.
    pub(crate) fn offered(&self, field: &Field, path: &Path) -> Arc<[Offered]> {
        self.known_options(field, path).unwrap_or_default()
    }

    /// The context of a field's parser, with what is offered now.
    pub(crate) fn context<'b>(&'b self, field: &Field, offered: &'b [Offered]) -> Context<'b> {
        options::context(self.world, field, offered)
    }

    /// Sets a field, empty or not.
    pub(crate) fn fill(&mut self, path: &Path, offer: Offer) -> Filled {
        let Some(field) = self.form.field_at(path) else { return Filled::Locked };
        let locked = matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
        if locked || matches!(field.kind, Kind::Group(_) | Kind::List(_) | Kind::Note(_) | Kind::Computed(_)) {
            return Filled::Locked;
        }
        if let Err(refusal) = self.vet(field, path, &offer.value) {
            return Filled::Refused(refusal);
        }
        let by_model = offer.source == chat::Source::Said && self.by_model.contains(path);
        let answer = Answer { by_model, day_quote: self.day_quote(path, &offer.value), ..self.answer(offer) };
        if self.draft().is_hidden(path) || self.page_is_hidden(field) {
            self.journal.set_kept(path, Some(answer));
            return Filled::Aside;
        }
        let old = self.draft().answers.get(path).map(|answer| answer.value.clone());
        if old.as_ref() == Some(&answer.value) {
            return Filled::Same;
        }
        self.store(path, Some(answer));
        if old.is_some() {
            self.take_back(path);
        }
        self.follow(path);
        Filled::Stored(old)
    }

    /// The earlier words that the day of a moment is from, where it was said before its time.
    fn day_quote(&self, path: &Path, value: &Value) -> Option<String> {
        let Value::DateTime(moment) = value else { return None };
        let is_day = |day: &Value| matches!(day, Value::Date(day) if *day == moment.date());
        let asked = self.draft().asked.get(path).filter(|asked| asked.begun.as_ref().is_some_and(is_day));
        asked.and_then(|asked| asked.begun_quote.clone()).or_else(|| {
            let held = self.draft().answers.get(path)?;
            let same = matches!(&held.value, Value::DateTime(held) if held.date() == moment.date());
            held.day_quote.clone().or_else(|| held.quote.clone()).filter(|_| same)
        })
    }

    /// Empties a field; tells whether there was something to empty.
    pub(crate) fn clear(&mut self, path: &Path) -> bool {
        let locked = self.form.field_at(path).is_none_or(|field| matches!(field.source, AnswerSource::Fixed(_)));
        if !locked && list::list_at(self.form, path).is_some() {
            return list::remove_items(self, path);
        }
        if locked || !self.draft().answers.contains_key(path) {
            return false;
        }
        self.journal.set_skipped(path, false);
        self.journal.draft.emptied.insert(path.clone());
        self.store(path, None);
        self.take_back(path);
        self.follow(path);
        true
    }

    /// Takes back the answers that go with the one at a path, which has changed.
    pub(crate) fn take_back(&mut self, path: &Path) {
        let form = self.form;
        let Some(changed) = form.field_at(path) else { return };
        for field in form.fields.iter().filter(|field| field.reset_with.contains(&changed.no)) {
            for place in self.instances(field.no, path) {
                self.journal.set_kept(&place, None);
                if self.draft().answers.contains_key(&place) {
                    self.store(&place, None);
                    self.take_back(&place);
                    self.follow(&place);
                }
            }
        }
    }

    /// Leaves an optional field empty; refused where an answer is needed.
    pub(crate) fn skip(&mut self, path: &Path) -> bool {
        let Some(field) = self.form.field_at(path) else { return false };
        if self.is_required(field, path) {
            return false;
        }
        self.journal.set_skipped(path, true);
        self.store(path, None);
        self.follow(path);
        true
    }

    /// Whether a value passes the field's bounds and the author's checks, given the other answers.
    pub(crate) fn vet(&mut self, field: &Field, path: &Path, value: &Value) -> Result<(), Refusal> {
        let offered = self.offered(field, path);
        field.kind.behaviour().check(value, &self.context(field, &offered))?;
        let Some(broken) = self.broken_check(field, path, value) else { return Ok(()) };
        let text = self.text_about(&broken.or_else, path, Some(value));
        Err(Refusal::new(AUTHORS_WORDS).fact("text", text))
    }

    /// What the author says against a value, given the other answers.
    pub(crate) fn authors_objection(&mut self, path: &Path, value: &Value) -> Option<String> {
        let broken = self.broken_check(self.form.field_at(path)?, path, value)?;
        Some(self.text_about(&broken.or_else, path, Some(value)))
    }

    fn broken_check<'f>(&mut self, field: &'f Field, path: &Path, value: &Value) -> Option<&'f formwright_form::Check> {
        if field.checks.is_empty() {
            return None;
        }
        let extra = Extra::value(value);
        let mut broken = None;
        for (check, that) in field.checks.iter().filter_map(|check| Some((check, check.that.expr()?))) {
            let candidate = Candidate { draft: &self.journal.draft, path, value };
            match that.eval(path, &candidate, &extra, &self.world.now) {
                Outcome::Known(serde_json::Value::Bool(false)) => {
                    broken = Some(check);
                    break;
                }
                Outcome::Failed(why) => self.faults.push(format!("{}: {why}", that.source)),
                Outcome::Known(_) | Outcome::Unknown => {}
            }
        }
        broken
    }

    /// Evaluates an expression where a field stands.
    pub(crate) fn eval(&mut self, expr: &Expr, at: &Path) -> Outcome {
        let outcome = expr.eval(at, &self.journal.draft, &Extra::none(), &self.world.now);
        if let Outcome::Failed(why) = &outcome {
            self.faults.push(format!("{}: {why}", expr.source));
        }
        outcome
    }

    pub(crate) fn holds(&mut self, expr: &Expr, at: &Path) -> bool {
        self.eval(expr, at) == Outcome::Known(serde_json::Value::Bool(true))
    }

    pub(crate) fn is_required(&mut self, field: &Field, path: &Path) -> bool {
        match &field.required {
            Required::Yes => true,
            Required::No => false,
            Required::When(expr) => self.holds(expr, path),
        }
    }

    /// Whether an answer is needed, as far as that can be told.
    pub(crate) fn needs(&self, field: &Field, path: &Path) -> bool {
        match &field.required {
            Required::Yes => true,
            Required::No => false,
            Required::When(expr) => {
                let outcome = expr.eval(path, self.draft(), &Extra::none(), &self.world.now);
                outcome == Outcome::Known(serde_json::Value::Bool(true))
            }
        }
    }

    /// Puts an answer in or out, and the question off or on the list.
    pub(crate) fn store(&mut self, path: &Path, answer: Option<Answer>) {
        if answer.is_some() {
            self.journal.set_skipped(path, false);
            self.journal.set_offered(path, None);
            self.journal.draft.waiting.retain(|waiting| waiting.asks_which_of() != Some(path));
            if let Some(asked) = self.journal.draft.asked.get_mut(path) {
                asked.earlier = std::mem::take(&mut asked.failures);
                asked.refusal = None;
                asked.begun = None;
                asked.begun_quote = None;
            }
        } else {
            self.journal.draft.verified.remove(path);
        }
        if answer.as_ref().is_some_and(|answer| zone::is_local_time(&answer.value)) {
            self.journal.draft.zone.get_or_insert_with(|| self.world.zone.name.clone());
        }
        self.journal.set_answer(path, answer);
        self.refresh_todo(path);
    }

    /// Puts a field's question on the list if it is open, off if not.
    pub(crate) fn refresh_todo(&mut self, path: &Path) {
        let Some(field) = self.form.field_at(path) else { return };
        let Some(addr) = order::addr(self.form, path) else { return };
        let draft = self.draft();
        let open = is_askable(field)
            && !draft.answers.contains_key(path)
            && !draft.skipped.contains(path)
            && !draft.is_hidden(path)
            && !self.page_is_hidden(field);
        self.journal.set_todo(addr, open);
    }

    /// Puts the question whether a list has more items on the list, or off. A list that is closed but not right as a whole
    /// is open again.
    pub(crate) fn refresh_more(&mut self, list: &Path) {
        let Some((field, _)) = list::list_at(self.form, list) else { return };
        let Some(addr) = order::more_addr(self.form, list) else { return };
        let shown = !self.draft().is_hidden(list) && !self.page_is_hidden(field);
        let open = shown && (!whole::is_closed(self, list) || whole::list_problem(self, list).is_some());
        self.journal.set_todo(addr, open);
    }

    pub(crate) fn page_is_hidden(&self, field: &Field) -> bool {
        self.draft().pages_hidden.contains(&field.page)
    }

    pub(crate) fn answer(&self, offer: Offer) -> Answer {
        let given = matches!(offer.source, chat::Source::Said | chat::Source::Pressed);
        Answer {
            by: self.world.by.clone().filter(|_| given),
            value: offer.value,
            source: offer.source,
            quote: offer.quote,
            day_quote: None,
            by_model: false,
            event: self.world.event.clone(),
            at: self.world.now.timestamp(),
        }
    }

    /// Fields still open, in the order of asking.
    pub(crate) fn open_fields(&self) -> impl Iterator<Item = Path> {
        order::fields(self.form, self.draft().todo.iter())
    }

    /// Addresses still open within a path.
    pub(crate) fn todo_within(&self, path: &Path) -> Vec<Addr> {
        let Some(addr) = order::addr(self.form, path) else { return Vec::new() };
        let from = self.draft().todo.range(addr.clone()..);
        from.take_while(|open| open.0.starts_with(&addr.0)).cloned().collect()
    }

    /// Every place that a field has now, given that the person is at `near`: one, or one per item of lists that `near`
    /// is not in.
    pub(crate) fn instances(&self, no: FieldNo, near: &Path) -> Vec<Path> {
        if let Some(path) = self.form.path_near(no, near) {
            return vec![path];
        }
        let Some(field) = self.form.field(no) else { return Vec::new() };
        let Some(parent) = field.parent else { return Vec::new() };
        let is_list = self.form.field(parent).is_some_and(|parent| matches!(parent.kind, Kind::List(_)));
        let mut paths = Vec::new();
        for up in self.instances(parent, near) {
            if !is_list {
                paths.push(up.child(&field.id));
                continue;
            }
            let len = self.draft().list_len(&up).unwrap_or(0);
            let plain = self.form.plain_item(parent) == Some(no);
            paths.extend((0..len).map(|i| if plain { up.item(i) } else { up.item(i).child(&field.id) }));
        }
        paths
    }
}

/// Whether a field is ever asked.
pub(crate) fn is_askable(field: &Field) -> bool {
    let by_person = !matches!(field.source, AnswerSource::Fixed(_) | AnswerSource::Computed(_));
    by_person && !matches!(field.kind, Kind::Group(_) | Kind::List(_) | Kind::Computed(_) | Kind::Hidden(_))
}

impl Answers for Draft {
    fn value(&self, path: &Path) -> Option<&Value> {
        self.answers.get(path).map(|answer| &answer.value)
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        self.lists.get(path).map(|list| list.len)
    }
}

/// The answers as they would be with one more.
struct Candidate<'a> {
    draft: &'a Draft,
    path: &'a Path,
    value: &'a Value,
}

impl Answers for Candidate<'_> {
    fn value(&self, path: &Path) -> Option<&Value> {
        if path == self.path { Some(self.value) } else { self.draft.value(path) }
    }

    fn list_len(&self, path: &Path) -> Option<u32> {
        self.draft.list_len(path)
    }
}
