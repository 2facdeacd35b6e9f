//! Tools: named calls whose results give a form its options, or that do something for it.
//!
//! Rows in the form file need no call (see [`formwright_form::tool`]), and an API client's tools run at the client. What is
//! left are requests to hosts and programs that the operator allows ([`Outgoing`]), and functions registered in Rust:
//!
//! ```
//! # use formwright_tool::Tools;
//! let tools = Tools::new().function("countries", |_args| async { Ok(serde_json::json!(["Italy", "France"])) });
//! assert!(tools.has("countries"));
//! ```
//!
//! Deliberately absent: choosing a tool (the form does).

mod ahead;
mod attempts;
mod cache;
mod command;
mod failure;
mod http;
mod outgoing;
mod recipe;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::Value;

use ahead::Ahead;
use cache::{Cache, Key};
use failure::Failure;
use formwright_engine::{CallError, Outcome, ToolCall};
use formwright_form::{Form, ToolRun};
pub use outgoing::{Outgoing, ToolProblem, Unusable};
pub use recipe::{BadRecipe, Param, Recipe};

/// How long a call may take unless [`Tools::within`] says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Largest result, in bytes of JSON.
pub const MAX_RESULT: usize = 1024 * 1024;

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Names the call. One that changes something has the same id however often it is made: take each once.
    pub id: &'a str,
    /// Arguments by name.
    pub args: &'a Value,
}

/// Something that can be called by name.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Calls it.
    ///
    /// # Errors
    /// Why there is no result, in words for the person and for the log.
    async fn call(&self, call: Call<'_>) -> Result<Value, CallError>;
}

/// What runs the tools of forms: functions by name, and the hosts and programs that the operator allows.
#[derive(Clone)]
pub struct Tools {
    by_name: BTreeMap<String, Arc<dyn Tool>>,
    recipes: BTreeMap<String, Recipe>,
    outgoing: Option<Outgoing>,
    limit: Duration,
    cache: Cache,
    ahead: Ahead,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            by_name: BTreeMap::new(),
            recipes: BTreeMap::new(),
            outgoing: None,
            limit: TIME_LIMIT,
            cache: Cache::default(),
            ahead: Ahead::default(),
        }
    }
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}

impl Tools {
    /// No functions, no hosts, no programs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function under the id that forms call it by. A later one of the same name takes its place.
    #[must_use]
    pub fn function<F, R>(self, name: &str, function: F) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, CallError>> + Send + 'static,
    {
        self.function_with_id(name, move |_id, args| function(args))
    }

    /// Adds a function that is told the call's id too. One that changes something keeps the ids it has seen, so that a call
    /// that is repeated changes nothing more.
    #[must_use]
    pub fn function_with_id<F, R>(self, name: &str, function: F) -> Self
    where
        F: Fn(String, Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, CallError>> + Send + 'static,
    {
        self.tool(name, Function(function))
    }

    /// Adds a tool under the id that forms call it by. A later one of the same name takes its place.
    #[must_use]
    pub fn tool(mut self, name: &str, tool: impl Tool) -> Self {
        self.by_name.insert(name.to_owned(), Arc::new(tool));
        self
    }

    /// Adds a function with a form of its own: people ask for it by what it is for, and are asked for what it needs. See
    /// [`Recipe`] for an example. A later one of the same name takes its place.
    ///
    /// # Errors
    /// Where the recipe makes no form.
    pub fn register<F, R>(mut self, recipe: Recipe, function: F) -> Result<Self, BadRecipe>
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, CallError>> + Send + 'static,
    {
        recipe.form()?;
        let name = recipe.id().to_owned();
        self.recipes.insert(name.clone(), recipe);
        Ok(self.function(&name, function))
    }

    /// The forms of registered recipes, for [`Catalog::insert_own`](formwright_form::Catalog::insert_own): reading form files
    /// again leaves them.
    pub fn forms(&self) -> Vec<Form> {
        self.recipes.values().filter_map(|recipe| recipe.form().ok()).collect()
    }

    /// Lets tools of forms ask these hosts and run these programs.
    #[must_use]
    pub fn reaching(self, outgoing: Outgoing) -> Self {
        Self { outgoing: Some(outgoing), ..self }
    }

    /// Sets how long a call may take, with all its tries.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Whether there is a function of this name: a form that names another one cannot run.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Names of all functions, in alphabetic order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether a tool of a form can run here, to be asked when forms are loaded.
    ///
    /// # Errors
    /// What the operator may change.
    pub fn check(&self, tool: &formwright_form::Tool) -> Result<(), ToolProblem> {
        match &tool.run {
            ToolRun::Data { .. } | ToolRun::Client { .. } => Ok(()),
            ToolRun::Function => self.has(tool.id.as_str()).then_some(()).ok_or(ToolProblem::NoFunction),
            ToolRun::Http(http) => match &self.outgoing {
                Some(outgoing) => outgoing.admits(http),
                None => Err(ToolProblem::Nowhere),
            },
            ToolRun::Command { name } => match &self.outgoing {
                Some(outgoing) => outgoing.program(name).map(drop),
                None => Err(ToolProblem::Nowhere),
            },
        }
    }

    /// Runs a call to its end: it always has an outcome, also where the tool is unknown, panics, takes too long or
    /// returns too much. What may pass is tried again as often as the form says. What was asked before for this person
    /// (`whose`), and is still fresh, is not asked again, and what is being asked in advance is waited for. Needs a tokio
    /// runtime.
    pub async fn run(&self, call: &ToolCall, form: Option<&Form>, whose: &str) -> Outcome {
        if let Some((tool, key)) = key(call, form, whose) {
            let joined = self.ahead.join(key).await;
            let kept = self.cache.get(key, tool, Instant::now());
            if let Some(result) = kept.map(Ok).or(joined) {
                return Outcome { call: call.call.clone(), result };
            }
        }
        self.ask(call, form).await
    }

    /// Notes that the result of a call was of use: it serves the next who asks the same, for as long as the form says.
    pub fn keep(&self, call: &ToolCall, form: Option<&Form>, whose: &str, result: &Value) {
        if let Some((tool, key)) = key(call, form, whose) {
            self.cache.keep(key, tool, result, Instant::now());
        }
    }

    /// Whether a call is worth making in advance: its result may be kept, there is none, nor is it under way, and it has not
    /// failed a short while ago.
    pub fn lacks(&self, call: &ToolCall, form: &Form, whose: &str) -> bool {
        let now = Instant::now();
        key(call, Some(form), whose)
            .is_some_and(|(tool, key)| !self.cache.has(key, tool, now) && self.ahead.may_begin(key, now))
    }

    /// Makes a call in advance, and keeps what comes of it until somebody asks the same. A failure is nobody's matter yet.
    pub async fn foresee(&self, call: &ToolCall, form: &Form, whose: &str) {
        let began = Instant::now();
        let Some((tool, key)) = key(call, Some(form), whose) else { return };
        if self.cache.has(key, tool, began) {
            return;
        }
        let Some(begun) = self.ahead.begin(key, began) else { return };
        let outcome = self.ask(call, Some(form)).await;
        if let Ok(result) = &outcome.result {
            self.cache.foresee(key, result, began);
        }
        begun.end(outcome.result, Instant::now());
    }

    async fn ask(&self, call: &ToolCall, form: Option<&Form>) -> Outcome {
        let tool = form.and_then(|form| form.tools.get(&call.tool));
        let retries = tool.map_or(0, |tool| tool.retries);
        let result = attempts::repeated(retries, self.limit, |left| self.once(call, tool, left)).await;
        Outcome { call: call.call.clone(), result }
    }

    async fn once(
        &self,
        call: &ToolCall,
        tool: Option<&formwright_form::Tool>,
        within: Duration,
    ) -> Result<Value, Failure> {
        let ours = Call { id: &call.call, args: &call.args };
        let refusal = tool.map_or(&[][..], |tool| &tool.refusal);
        let nowhere = || Failure::broken(ToolProblem::Nowhere.to_string(), false);
        match tool.map(|tool| &tool.run) {
            Some(ToolRun::Http(http)) => {
                self.outgoing.as_ref().ok_or_else(nowhere)?.ask(http, refusal, ours, within).await
            }
            Some(ToolRun::Command { name }) => {
                self.outgoing.as_ref().ok_or_else(nowhere)?.run(name, refusal, ours, within).await
            }
            Some(ToolRun::Function | ToolRun::Data { .. } | ToolRun::Client { .. }) | None => {
                Ok(self.in_rust(call, within).await?)
            }
        }
    }

    async fn in_rust(&self, call: &ToolCall, within: Duration) -> Result<Value, CallError> {
        let name = call.tool.as_str();
        let Some(tool) = self.by_name.get(name).cloned() else {
            return Err(CallError::broken(format!("there is no tool `{name}`"), false));
        };
        // A task of its own, so that a panic ends the call and nothing else.
        let (id, args) = (call.call.clone(), call.args.clone());
        let mut task = tokio::spawn(async move { tool.call(Call { id: &id, args: &args }).await });
        let result = match tokio::time::timeout(within, &mut task).await {
            Ok(Ok(result)) => result?,
            Ok(Err(_)) => return Err(CallError::broken(format!("tool `{name}` panicked"), false)),
            Err(_) => {
                task.abort();
                return Err(CallError::broken(format!("tool `{name}` took longer than {within:?}"), true));
            }
        };
        if !fits(&result) {
            return Err(CallError::broken(format!("tool `{name}` returned more than {MAX_RESULT} bytes"), false));
        }
        Ok(result)
    }
}

/// The tool of a call, with what its result is kept under; none where it must not be kept.
fn key<'f>(call: &ToolCall, form: Option<&'f Form>, whose: &str) -> Option<(&'f formwright_form::Tool, Key)> {
    let tool = form?.tools.get(&call.tool)?;
    Some((tool, Key::of(form?, tool, call, whose)?))
}

struct Function<F>(F);

#[async_trait]
impl<F, R> Tool for Function<F>
where
    F: Fn(String, Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, CallError>> + Send + 'static,
{
    async fn call(&self, call: Call<'_>) -> Result<Value, CallError> {
        (self.0)(call.id.to_owned(), call.args.clone()).await
    }
}

fn fits(result: &Value) -> bool {
    serde_json::to_writer(Room(MAX_RESULT), result).is_ok()
}

/// Bytes still allowed.
struct Room(usize);

impl std::io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use formwright_form::{FormId, FormVersion, ToolId};

    fn tools() -> Tools {
        Tools::new()
            .function("echo", |args| async move { Ok(args) })
            .function("down", |_| async {
                Err(CallError { for_person: Some("Try later.".to_owned()), ..CallError::broken("503", true) })
            })
            .function("broken", |args| async move {
                let rows = args.as_array().map_or(0, Vec::len);
                Ok(json!(1 / rows))
            })
            .function("endless", |_| std::future::pending())
            .function("huge", |_| async { Ok(json!("x".repeat(MAX_RESULT))) })
            .within(Duration::from_millis(20))
    }

    #[rstest]
    #[case::answer("echo", Ok(json!({"a": 1})))]
    #[case::refusal("down", Err("503 true"))]
    #[case::unknown("other", Err("there is no tool `other` false"))]
    #[case::panic("broken", Err("tool `broken` panicked false"))]
    #[case::late("endless", Err("tool `endless` took longer than"))]
    #[case::huge("huge", Err("tool `huge` returned more than 1048576 bytes false"))]
    #[tokio::test]
    async fn a_call_always_has_an_outcome(#[case] tool: &str, #[case] expected: Result<Value, &str>) {
        let call = ToolCall {
            call: "c1".to_owned(),
            form: FormId::new("f"),
            version: FormVersion::new("v"),
            tool: ToolId::new(tool),
            args: json!({"a": 1}),
            purpose: formwright_engine::Purpose::Know,
        };
        let outcome = tools().run(&call, None, "ann").await;
        assert_eq!(outcome.call, "c1");
        match (outcome.result.map_err(|error| format!("{} {}", error.for_log, error.retry)), expected) {
            (Err(said), Err(expected)) => assert!(said.starts_with(expected), "{said}"),
            (result, expected) => assert_eq!(result, expected.map_err(str::to_owned)),
        }
    }
}
