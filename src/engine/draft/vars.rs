//! What author's templates may name: answers as shown, the person's name, today.

use crate::draft::show;
use crate::session::Draft;
use crate::world::World;
use formwright_form::text::{Shown, Vars};
use formwright_form::{FieldId, Form, Path, Value};

/// The variables of a template where a field stands: answers by field id, those of the same list item first.
pub(crate) struct AnswerVars<'a> {
    pub(crate) form: &'a Form,
    pub(crate) draft: &'a Draft,
    pub(crate) world: &'a World,
    pub(crate) at: &'a Path,
    /// A value that is looked at before it is stored.
    pub(crate) candidate: Option<&'a Value>,
}

impl Vars for AnswerVars<'_> {
    fn get(&self, name: &str) -> Option<Shown> {
        match name {
            "name" => self.world.name.clone().map(Shown::from),
            "today" => Some(Shown::from(self.world.now.date().to_string())),
            _ => self.answer(name),
        }
    }
}

impl AnswerVars<'_> {
    fn answer(&self, name: &str) -> Option<Shown> {
        let id = FieldId::new(name);
        let mut parent = self.form.field_at(self.at).and_then(|field| field.parent);
        loop {
            if let Some(no) = self.form.member(parent, &id) {
                let path = self.form.path_near(no, self.at)?;
                let candidate = self.candidate.filter(|_| path == *self.at);
                let value = candidate.or_else(|| Some(&self.draft.answers.get(&path)?.value))?;
                return Some(Shown::from(show::show(self.form, self.draft, self.world, &path, value)));
            }
            parent = self.form.field(parent?)?.parent;
        }
    }
}
