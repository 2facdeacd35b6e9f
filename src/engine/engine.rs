//! What the engine is made of: the forms, and what it has at hand for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::desk::Desks;
use crate::library::Library;
use crate::model::ModelUse;
use crate::phase::Phases;
use crate::session::Draft;
use formwright_form::{Catalog, Form, FormId};

/// The conversation engine: pure, and the same for every platform.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    pub(crate) catalog: Catalog,
    pub(crate) model: Option<ModelUse>,
    pub(crate) phases: BTreeMap<FormId, Arc<dyn Phases>>,
    pub(crate) library: Option<Arc<dyn Library>>,
    pub(crate) desks: Desks,
    pub(crate) tries_out: bool,
}

impl Engine {
    /// An engine for these forms.
    pub fn new(catalog: Catalog) -> Self {
        Self { catalog, ..Self::default() }
    }

    /// The same engine with other forms.
    #[must_use]
    pub fn with_forms(&self, catalog: Catalog) -> Self {
        Self { catalog, ..self.clone() }
    }

    /// The same engine with a model at hand, used like this.
    #[must_use]
    pub fn with_model(self, model: Option<ModelUse>) -> Self {
        Self { model, ..self }
    }

    /// The same engine with phases of a form in a program's hands.
    #[must_use]
    pub fn with_phases(mut self, form: FormId, phases: Arc<dyn Phases>) -> Self {
        self.phases.insert(form, phases);
        self
    }

    /// The same engine with documents that questions are answered from.
    #[must_use]
    pub fn with_library(mut self, library: Arc<dyn Library>) -> Self {
        self.library = Some(library);
        self
    }

    /// The same engine with people to send requests to.
    #[must_use]
    pub fn with_desks(mut self, desks: Desks) -> Self {
        self.desks = desks;
        self
    }

    /// The same engine for forms that are only tried out: what a step or a form does when it is confirmed is told, and not
    /// done.
    #[must_use]
    pub fn trying_out(mut self) -> Self {
        self.tries_out = true;
        self
    }

    /// The forms.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// How a model is used; none where there is none.
    pub fn model(&self) -> Option<&ModelUse> {
        self.model.as_ref()
    }

    /// The desks.
    pub fn desks(&self) -> &Desks {
        &self.desks
    }

    /// The very version a draft was started with, or the current one.
    pub(crate) fn form_of(&self, draft: &Draft) -> Option<Arc<Form>> {
        self.catalog.version(&draft.form, &draft.version).or_else(|| self.catalog.form(&draft.form)).cloned()
    }

    pub(crate) fn startable(&self) -> Vec<Arc<Form>> {
        self.catalog.forms().filter(|form| form.enabled && form.listed).cloned().collect()
    }
}
