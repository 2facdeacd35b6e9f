//! Who listens to forms is told what a turn has done to them: webhooks by the outbox, in the very commit of the turn; a
//! program's own listeners once that is written.

pub(crate) mod tell;

pub use formwright_engine::lifecycle::{Ending, Told, What, Wrong};

/// A program's own listener.
///
/// It is told once a turn is written, in the order in which things happened, and at most once: what a process that dies
/// would have told is told by nobody. What must not be lost goes to a webhook.
///
/// ```
/// use std::sync::mpsc::Sender;
///
/// use formwright_runtime::listening::{Told, What};
/// use formwright_runtime::Listener;
///
/// /// Hands on which fields people answer, and where from.
/// struct Counter(Sender<(String, String)>);
///
/// impl Listener for Counter {
///     fn told(&self, told: &Told) {
///         if let What::Changed { field, source: Some(_), .. } = &told.what {
///             let _ = self.0.send((told.form.to_string(), field.clone()));
///         }
///     }
/// }
/// ```
///
/// It goes into [`Parts::listeners`](super::Parts::listeners).
pub trait Listener: Send + Sync + 'static {
    /// Hears what happened to a form. It returns at once, for somebody waits for their reply: what takes time is handed on.
    fn told(&self, told: &Told);
}
