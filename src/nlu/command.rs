//! What a person can want: presses and sentences become the same commands.

use serde::{Deserialize, Serialize};

use formwright_form::{FormId, Path, Value};

/// One thing the person wants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Command {
    /// Sets a field, empty or not: the first answer and a correction are the same command.
    Fill {
        /// Which field.
        path: Path,
        /// Canonical value; checked again before it is stored.
        value: Value,
        /// The person's words; none for a press.
        quote: Option<String>,
    },
    /// Sets several fields, by one yes to what was asked of all of them.
    Together {
        /// What each is set to.
        fills: Vec<Command>,
    },
    /// Empties a field.
    Clear {
        /// Which field.
        path: Path,
    },
    /// Adds an item to a list and goes on to its first field.
    AddItem {
        /// Which list.
        list: Path,
    },
    /// Takes an item out of a list.
    RemoveItem {
        /// Which item: a path that ends in an item.
        item: Path,
    },
    /// Ends a list: no more items.
    EndList {
        /// Which list.
        list: Path,
    },
    /// Yes to what is asked: a review, a page, "you said X — right?", a cancel.
    Confirm,
    /// No to what is asked.
    Deny,
    /// Wants out of the form.
    Cancel,
    /// Wants to begin the form anew.
    Restart,
    /// Leaves the asked field empty.
    Skip,
    /// Goes back to the field asked before.
    Back,
    /// Takes the last change back, a cancel included.
    Undo,
    /// Puts back what undo took.
    Redo,
    /// Shows all answers.
    Review,
    /// Asks a field again, to change it.
    Edit {
        /// Which field; none asks which.
        path: Option<Path>,
    },
    /// Wants help with the asked field, or with the form.
    Help,
    /// Wants to know why the asked field is needed.
    Why,
    /// Wants the question again.
    Repeat,
    /// Asked something that the form's texts answer.
    Ask {
        /// The question as said.
        question: String,
    },
    /// Wants a person.
    Human,
    /// Starts a form, parking the present one.
    Start {
        /// Which form.
        form: FormId,
    },
    /// Wants to see the forms.
    Forms,
    /// Goes on with a parked form.
    Resume {
        /// Which; none takes the last parked.
        form: Option<FormId>,
    },
    /// Goes on with the parked draft of a form that was asked for, and hears the words that asked for it.
    TakeUp {
        /// Which form.
        form: FormId,
        /// The words; none where it was asked for without.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// Begins a form anew though a draft of it is parked, and hears the words that asked for it.
    Anew {
        /// Which form.
        form: FormId,
        /// The words; none where it was asked for without.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// Takes back a form that waits for approval.
    Withdraw {
        /// Id of its submission.
        submission: String,
    },
    /// Tries a failed submission again.
    Retry,
    /// Sets every yes/no field still open to this ("mark the rest as no"). What somebody consents to is asked by itself.
    FillRest {
        /// To which answer.
        yes: bool,
        /// All but these.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        except: Vec<Path>,
        /// The person's words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quote: Option<String>,
    },
    /// Answers the question whether everything that is kept of the person shall be deleted. It counts only while that is
    /// asked.
    Forget {
        /// Delete it.
        yes: bool,
    },
    /// Answers the question which time zone the person is in.
    Zone {
        /// Its name; none leaves it as it is.
        zone: Option<String>,
    },
    /// Shows other options of a long list, or the next page of them.
    More,
}

impl Command {
    /// The field that it fills, if it fills one.
    pub fn filled(&self) -> Option<&Path> {
        if let Self::Fill { path, .. } = self { Some(path) } else { None }
    }

    /// What it sets, one by one.
    pub fn fills(&self) -> &[Self] {
        match self {
            Self::Together { fills } => fills,
            Self::Fill { .. } => std::slice::from_ref(self),
            _ => &[],
        }
    }
}
