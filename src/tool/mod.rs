//! Tools: named calls whose results give a form its options.
//!
//! Rows in the form file need no call (see [`crate::form::tool`]), and an API client's tools run at the client. What is
//! left are functions registered in Rust:
//!
//! ```
//! # use formwright::tool::Tools;
//! let tools = Tools::new().function("countries", |_args| async { Ok(serde_json::json!(["Italy", "France"])) });
//! assert!(tools.has("countries"));
//! ```
//!
//! Deliberately absent: choosing a tool (the form does), caching and repeating (the engine does), and HTTP.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

use crate::engine::{CallError, Outcome, ToolCall};

/// How long a call may take unless [`Tools::within`] says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);
/// Largest result, in bytes of JSON.
pub const MAX_RESULT: usize = 1024 * 1024;

/// Something that can be called by name.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Calls it with arguments by name.
    ///
    /// # Errors
    /// Why there is no result, in words for the person and for the log.
    async fn call(&self, args: Value) -> Result<Value, CallError>;
}

/// The tools that forms may name with `kind = "function"`.
#[derive(Clone)]
pub struct Tools {
    by_name: BTreeMap<String, Arc<dyn Tool>>,
    limit: Duration,
}

impl Default for Tools {
    fn default() -> Self {
        Self { by_name: BTreeMap::new(), limit: TIME_LIMIT }
    }
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}

impl Tools {
    /// No tools.
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
        self.tool(name, Function(function))
    }

    /// Adds a tool under the id that forms call it by. A later one of the same name takes its place.
    #[must_use]
    pub fn tool(mut self, name: &str, tool: impl Tool) -> Self {
        self.by_name.insert(name.to_owned(), Arc::new(tool));
        self
    }

    /// Sets how long a call may take.
    #[must_use]
    pub fn within(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Whether there is a tool of this name: a form that names another one cannot run.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Names of all tools, in alphabetic order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Runs a call to its end: it always has an outcome, also where the tool is unknown, panics, takes too long or
    /// returns too much. Needs a tokio runtime.
    pub async fn run(&self, call: &ToolCall) -> Outcome {
        Outcome { call: call.call.clone(), result: self.result(call.tool.as_str(), call.args.clone()).await }
    }

    async fn result(&self, name: &str, args: Value) -> Result<Value, CallError> {
        let Some(tool) = self.by_name.get(name).cloned() else {
            return Err(failure(format!("there is no tool `{name}`"), false));
        };
        // A task of its own, so that a panic ends the call and nothing else.
        let mut task = tokio::spawn(async move { tool.call(args).await });
        let result = match tokio::time::timeout(self.limit, &mut task).await {
            Ok(Ok(result)) => result?,
            Ok(Err(_)) => return Err(failure(format!("tool `{name}` panicked"), false)),
            Err(_) => {
                task.abort();
                return Err(failure(format!("tool `{name}` took longer than {:?}", self.limit), true));
            }
        };
        if !fits(&result) {
            return Err(failure(format!("tool `{name}` returned more than {MAX_RESULT} bytes"), false));
        }
        Ok(result)
    }
}

struct Function<F>(F);

#[async_trait]
impl<F, R> Tool for Function<F>
where
    F: Fn(Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, CallError>> + Send + 'static,
{
    async fn call(&self, args: Value) -> Result<Value, CallError> {
        (self.0)(args).await
    }
}

fn failure(for_log: String, retry: bool) -> CallError {
    CallError { for_person: None, for_log, retry }
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
    use crate::form::{FormId, FormVersion, ToolId};

    fn tools() -> Tools {
        Tools::new()
            .function("echo", |args| async move { Ok(args) })
            .function("down", |_| async {
                Err(CallError { for_person: Some("Try later.".to_owned()), for_log: "503".to_owned(), retry: true })
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
    #[case::late("endless", Err("tool `endless` took longer than 20ms true"))]
    #[case::huge("huge", Err("tool `huge` returned more than 1048576 bytes false"))]
    #[tokio::test]
    async fn a_call_always_has_an_outcome(#[case] tool: &str, #[case] expected: Result<Value, &str>) {
        let call = ToolCall {
            call: "c1".to_owned(),
            form: FormId::new("f"),
            version: FormVersion::new("v"),
            tool: ToolId::new(tool),
            args: json!({"a": 1}),
        };
        let outcome = tools().run(&call).await;
        let said = outcome.result.map_err(|error| format!("{} {}", error.for_log, error.retry));
        assert_eq!((outcome.call.as_str(), said), ("c1", expected.map_err(str::to_owned)));
    }
}
