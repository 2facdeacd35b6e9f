//! The port for documents that questions are answered from: those of a form's `[[context]]`, and those for all forms.

use formwright_form::Form;

/// A passage of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Where it stands: the document's name and the headings above it, `Guide › Parcels`.
    pub source: String,
    /// What is quoted of it; whole sentences, lines of a list or rows of a table, one below the other.
    pub text: String,
    /// How well it answers: compared with that of other passages for the same question, and with nothing else.
    pub fit: f64,
    /// Whether its document is in the language of the question, or serves all alike.
    pub own: bool,
    /// Whether the question is the heading above it, in other words at most, and nothing else: "opening hours".
    pub named: bool,
}

impl Passage {
    /// What is quoted goes by this: a document in the language spoken goes before one that fits better.
    pub fn rank(&self) -> (bool, f64) {
        (self.own, self.fit)
    }
}

/// Documents that can be searched.
///
/// It is pure as far as the documents stay: the same question gives the same passage, for a step may be taken twice.
pub trait Library: std::fmt::Debug + Send + Sync + 'static {
    /// The passage that a question is about, out of the form's documents and those for all forms; out of the latter
    /// alone where no form is given. None where no passage is about it. `lang` is a BCP 47 tag: whose words are left out
    /// of the question, and which documents go first.
    fn find(&self, form: Option<&Form>, question: &str, lang: &str) -> Option<Passage>;
}
