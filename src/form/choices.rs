//! What a `choice` or `choices` field offers.

use formwright_values::{OptionId, ToolId};

use crate::Text;
use crate::logic::Expr;

/// What a `choice` or `choices` field offers.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Options written in the form, in order.
    pub options: Vec<OptionDef>,
    /// Options from a tool's result instead.
    pub from: Option<OptionsFrom>,
    /// Words of one's own are an answer too.
    pub other: bool,
}

/// Options out of a tool's result.
#[derive(Clone, Debug)]
pub struct OptionsFrom {
    /// The tool.
    pub tool: ToolId,
    /// Dotted path to the list in the result; none finds the only list.
    pub at: Option<String>,
    /// The id of the row that holds the list, as a field before has picked it: `at` is a path in that row then.
    pub row: Option<Expr>,
    /// Key of the id in each row; none takes `id`, `key`, `code`, `value`, the only key such as `branch_code`, or the label.
    pub id: Option<String>,
    /// Key of the label in each row; none takes the common ones, bilingual ones included.
    pub label: Option<String>,
    /// The form's first language: the label that is an id is in this one, whoever asks.
    pub home: Option<String>,
}

/// An option of a choice.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// Permanent name: what is stored.
    pub id: OptionId,
    /// What people read.
    pub label: Text,
    /// Other words for it, in every language.
    pub synonyms: Vec<String>,
    /// A second line.
    pub detail: Option<Text>,
}
