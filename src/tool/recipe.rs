//! A Rust function as a tool with a form of its own: people ask for it in their words, are asked for what it needs, and hear
//! what came of it.
//!
//! ```
//! use formwright_form::Catalog;
//! use formwright_tool::{Param, Recipe, Tools};
//! use serde_json::json;
//!
//! let twice = Recipe::new("twice", "Doubles a number")
//!     .example("what is 21 times 2")
//!     .param(Param::new("number", "number").ask("Which number?").verify())
//!     .output("result", "number")
//!     .answer("That makes {{ result }}.");
//! let tools = Tools::new().register(twice, |args| async move {
//!     Ok(json!({ "result": args["number"].as_f64().unwrap_or_default() * 2.0 }))
//! })?;
//! let mut catalog = Catalog::default();
//! tools.forms().into_iter().for_each(|form| catalog.insert_own(form));
//! assert!(tools.has("twice") && catalog.forms().count() == 1);
//! # Ok::<(), formwright_tool::BadRecipe>(())
//! ```

use serde_json::{Map, Value, json};

use formwright_form::Form;
use formwright_form::problem::{Look, has_errors, render};
use formwright_load::{Syntax, load};

/// A tool, described: what it is for, what it needs, and what it gives.
#[derive(Clone, Debug)]
pub struct Recipe {
    id: String,
    form: Map<String, Value>,
    tool: Map<String, Value>,
    params: Vec<Param>,
    outputs: Vec<Value>,
}

/// Something that a tool needs: a field of its form. Keys that have no method here are set by [`Param::key`].
#[derive(Clone, Debug)]
pub struct Param {
    id: String,
    keys: Map<String, Value>,
}

/// A recipe that makes no form: the problems, as `check` draws them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tool `{id}` makes no form:\n{problems}")]
pub struct BadRecipe {
    /// The tool.
    pub id: String,
    /// What is wrong.
    pub problems: String,
}

impl Recipe {
    /// A tool under the id that its function and its form have. `does` says what it is for: people find it by these words.
    pub fn new(id: &str, does: &str) -> Self {
        let form = json!({"schema": 1, "id": id, "title": does, "description": does, "confirm": false, "submit": []});
        let Value::Object(form) = form else { return Self::empty(id, Map::new()) };
        Self::empty(id, form)
    }

    fn empty(id: &str, form: Map<String, Value>) -> Self {
        Self { id: id.to_owned(), form, tool: Map::new(), params: Vec::new(), outputs: Vec::new() }
    }

    /// Its name in lists of forms; what it does by default.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        self.form_key("title", title)
    }

    /// A message that asks for it. Call it for each.
    #[must_use]
    pub fn example(mut self, message: &str) -> Self {
        let examples = self.form.entry("start_examples").or_insert_with(|| json!([]));
        if let Some(examples) = examples.as_array_mut() {
            examples.push(message.into());
        }
        self
    }

    /// Something that it needs, asked for in the order of these calls.
    #[must_use]
    pub fn param(mut self, param: Param) -> Self {
        self.params.push(param);
        self
    }

    /// Something that it gives, under this key of its result, of this kind of field.
    #[must_use]
    pub fn output(mut self, id: &str, kind: &str) -> Self {
        self.outputs.push(json!({"id": id, "kind": kind}));
        self
    }

    /// What is said when it has run: `{{ name }}` stands for an output or a param.
    #[must_use]
    pub fn answer(self, text: &str) -> Self {
        self.tool_key("answer", text)
    }

    /// An expression over outputs and params that holds where the result will do: `"status != 'unknown'"`.
    #[must_use]
    pub fn complete(self, expression: &str) -> Self {
        self.tool_key("is_complete", expression)
    }

    /// Asks the person to confirm what it is run with.
    #[must_use]
    pub fn confirm(self) -> Self {
        self.form_key("confirm", true)
    }

    /// Any key of a form file.
    #[must_use]
    pub fn form_key(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.form.insert(key.to_owned(), value.into());
        self
    }

    /// Any key of a tool in a form file.
    #[must_use]
    pub fn tool_key(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.tool.insert(key.to_owned(), value.into());
        self
    }

    /// The tool's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The form, as a form file in JSON.
    pub fn to_json(&self) -> Value {
        let fields: Vec<Value> = self.params.iter().map(Param::to_json).collect();
        let params: Map<String, Value> =
            self.params.iter().map(|param| (param.id.clone(), param.id.clone().into())).collect();
        let mut tool = self.tool.clone();
        tool.insert("id".to_owned(), self.id.clone().into());
        tool.insert("kind".to_owned(), "function".into());
        tool.insert("params".to_owned(), params.into());
        if !self.outputs.is_empty() {
            tool.insert("output".to_owned(), self.outputs.clone().into());
        }
        let mut form = self.form.clone();
        form.insert("field".to_owned(), fields.into());
        form.insert("tool".to_owned(), json!([tool]));
        form.insert("run".to_owned(), self.id.clone().into());
        Value::Object(form)
    }

    /// The form.
    ///
    /// # Errors
    /// Everything that is wrong with it, as with a form file.
    pub fn form(&self) -> Result<Form, BadRecipe> {
        let source = serde_json::to_string_pretty(&self.to_json()).unwrap_or_default();
        let loaded = load(&source, Syntax::Json);
        let broken = has_errors(&loaded.problems);
        loaded.form.filter(|_| !broken).ok_or_else(|| BadRecipe {
            id: self.id.clone(),
            problems: render(&self.id, &source, &loaded.problems, Look::Line),
        })
    }
}

impl Param {
    /// A param under the name that the function sees, of a kind of field (`text`, `integer`, `date` …).
    pub fn new(id: &str, kind: &str) -> Self {
        let keys = Map::from_iter([("kind".to_owned(), kind.into())]);
        Self { id: id.to_owned(), keys }
    }

    /// How it is asked for.
    #[must_use]
    pub fn ask(self, question: &str) -> Self {
        self.key("ask", question)
    }

    /// What it is called; its id by default.
    #[must_use]
    pub fn label(self, label: &str) -> Self {
        self.key("label", label)
    }

    /// It may be left out.
    #[must_use]
    pub fn optional(self) -> Self {
        self.key("required", false)
    }

    /// Read back once, "you said X, right?", when it was read out of a sentence.
    #[must_use]
    pub fn verify(self) -> Self {
        self.key("verify", true)
    }

    /// What it may be, for `choice` and `choices`. The function is given what is written here.
    #[must_use]
    pub fn options(self, options: &[&str]) -> Self {
        let options: Vec<Value> = options.iter().map(|option| json!({"id": option, "label": option})).collect();
        self.key("options", options)
    }

    /// What a list is of: `Param::new("guests", "list").of("text")`.
    #[must_use]
    pub fn of(self, kind: &str) -> Self {
        self.key("of", kind)
    }

    /// Filled beforehand, and may be changed.
    #[must_use]
    pub fn default(self, value: impl Into<Value>) -> Self {
        self.key("default", value)
    }

    /// Always this: never asked.
    #[must_use]
    pub fn fixed(self, value: impl Into<Value>) -> Self {
        self.key("fixed", value)
    }

    /// Any key of a field in a form file.
    #[must_use]
    pub fn key(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.keys.insert(key.to_owned(), value.into());
        self
    }

    fn to_json(&self) -> Value {
        let mut field = Map::from_iter([("id".to_owned(), self.id.clone().into())]);
        field.extend(self.keys.clone());
        Value::Object(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwright_form::{FieldId, FormId, ToolId};

    fn parcels() -> Recipe {
        Recipe::new("parcels", "Finds a parcel")
            .title("Parcels")
            .example("where is my parcel")
            .example("track a parcel")
            .param(Param::new("number", "text").ask("Which parcel?").verify())
            .param(Param::new("by", "choice").options(&["road", "air"]).default("road"))
            .param(Param::new("from", "text").fixed("web"))
            .param(Param::new("notes", "list").of("text").optional())
            .output("status", "text")
            .complete("status != 'unknown'")
            .answer("It is {{ status }}.")
    }

    #[test]
    fn a_recipe_makes_a_form_that_ends_in_its_function() {
        let form = parcels().form().unwrap();
        assert_eq!((&form.id, form.run.as_ref()), (&FormId::new("parcels"), Some(&ToolId::new("parcels"))));
        assert_eq!((form.confirm, form.start_examples.len(), form.submit.len()), (false, 2, 0));
        let names: Vec<_> = form.tools[&ToolId::new("parcels")].params.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["number", "by", "from", "notes"]);
        assert_eq!(form.tools[&ToolId::new("parcels")].outputs.len(), 1);
        assert!(form.fields.iter().any(|field| field.id == FieldId::new("number") && field.verify.is_some()));
    }

    #[test]
    fn what_is_wrong_with_a_recipe_is_told_as_with_a_form_file() {
        let bad = Recipe::new("bad", "Does nothing").param(Param::new("a", "texxt")).form().unwrap_err();
        assert!(bad.problems.contains("texxt"), "{bad}");
        let bad =
            Recipe::new("bad", "Does nothing").param(Param::new("a", "text")).complete("b ==").form().unwrap_err();
        assert_eq!(bad.id, "bad");
    }
}
