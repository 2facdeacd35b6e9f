//! What is there once the bot knows who it is.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwright_chat as chat;

use crate::api::Rest;
use crate::intake::Intake;
use crate::limits;

/// What is there once the bot knows who it is.
pub(crate) struct Live {
    pub(crate) intake: Intake,
    pub(crate) rest: Arc<Rest>,
    /// What the operator is told once Discord is connected.
    pub(crate) line: Mutex<Option<String>>,
    /// Set while an event waits to be stored.
    pub(crate) away: AtomicBool,
    /// Who was told that nothing can be kept now.
    pub(crate) told_away: chat::Seldom,
    /// The channels where it was shown lately that the bot is writing.
    pub(crate) typed: chat::Seldom,
    /// The channels that threads belong to, and the categories of channels, as far as they are known.
    parents: Mutex<BTreeMap<String, Option<String>>>,
}

impl Live {
    pub(crate) fn new(intake: Intake, rest: Arc<Rest>, line: Option<String>) -> Self {
        Self {
            intake,
            rest,
            line: Mutex::new(line),
            away: AtomicBool::new(false),
            told_away: chat::Seldom::away(),
            typed: chat::Seldom::new(limits::TYPING),
            parents: Mutex::default(),
        }
    }

    pub(crate) fn parents(&self) -> MutexGuard<'_, BTreeMap<String, Option<String>>> {
        self.parents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the operator, once, that Discord is connected.
    pub(crate) fn announce(&self) {
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(line) = line {
            self.intake.host.announce(&line);
        }
    }
}
