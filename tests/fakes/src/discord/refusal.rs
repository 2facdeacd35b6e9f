//! How Discord says no: an HTTP status, a code of its own, and for malformed bodies the path of each fault.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// A request that is not fulfilled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    /// The HTTP status.
    pub(super) status: u16,
    /// Discord's own code.
    pub(super) code: u64,
    /// In words.
    pub(super) message: &'static str,
    /// What is wrong where, for [`Refusal::form`].
    pub(super) faults: Vec<Fault>,
}

/// Something wrong in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The keys and indexes that lead there; none is the body itself.
    pub(super) path: Vec<String>,
    /// Discord's name of it.
    pub(super) code: &'static str,
    /// In words.
    pub(super) message: String,
}

macro_rules! refusals {
    ($($name:ident = $status:literal, $code:literal, $message:literal;)*) => {
        impl Refusal {
            $(
                #[doc = $message]
                pub(super) const fn $name() -> Self {
                    Self { status: $status, code: $code, message: $message, faults: Vec::new() }
                }
            )*
        }
    };
}

refusals! {
    unauthorized = 401, 0, "401: Unauthorized";
    not_found = 404, 0, "404: Not Found";
    wrong_method = 405, 0, "405: Method Not Allowed";
    unknown_channel = 404, 10_003, "Unknown Channel";
    unknown_message = 404, 10_008, "Unknown Message";
    unknown_user = 404, 10_013, "Unknown User";
    unknown_webhook = 404, 10_015, "Unknown Webhook";
    unknown_interaction = 404, 10_062, "Unknown interaction";
    unknown_command = 404, 10_063, "Unknown application command";
    not_this_application = 403, 20_012, "You are not authorized to perform this action on this application";
    too_many_commands = 400, 30_032, "Maximum number of application commands reached (100).";
    acknowledged = 400, 40_060, "Interaction has already been acknowledged.";
    too_many_follow_ups = 400, 40_094, "This interaction has reached the maximum number of follow-up messages";
    no_access = 403, 50_001, "Missing Access";
    not_in_direct = 403, 50_003, "Cannot execute action on a DM channel";
    not_the_author = 403, 50_005, "Cannot edit a message authored by another user";
    empty_message = 400, 50_006, "Cannot send an empty message";
    no_direct = 403, 50_007, "Cannot send messages to this user";
    no_permission = 403, 50_013, "Missing Permissions";
    wrong_channel = 400, 50_024, "Cannot execute action on this channel type";
    webhook_token = 401, 50_027, "Invalid Webhook Token";
    not_json = 400, 50_109, "The request body contains invalid JSON.";
}

impl Refusal {
    /// `50035 Invalid Form Body` with these faults.
    pub(super) fn form(faults: Vec<Fault>) -> Self {
        Self { status: 400, code: 50_035, message: "Invalid Form Body", faults }
    }

    /// `50035` for one key.
    pub(super) fn field(path: &str, code: &'static str, message: impl Into<String>) -> Self {
        Self::form(vec![Fault::new(path.split('.'), code, message)])
    }

    /// As Discord writes it.
    pub(super) fn body(&self) -> Value {
        let mut body = json!({"message": self.message, "code": self.code});
        if !self.faults.is_empty() {
            let mut errors = Value::Object(Map::new());
            self.faults.iter().for_each(|fault| fault.write(&mut errors));
            body["errors"] = errors;
        }
        body
    }

    /// In one line, for the list of refusals.
    pub(super) fn line(&self) -> String {
        let mut line = format!("{} {} {}", self.status, self.code, self.message);
        for fault in &self.faults {
            line.push_str(&format!("; {}: {} {}", fault.path.join("."), fault.code, fault.message));
        }
        line
    }
}

impl Fault {
    /// A fault at a path.
    pub(super) fn new<'a>(
        path: impl IntoIterator<Item = &'a str>,
        code: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { path: path.into_iter().map(str::to_owned).collect(), code, message: message.into() }
    }

    /// `{"data": {"components": {"0": {"_errors": […]}}}}`.
    fn write(&self, errors: &mut Value) {
        let at = self.path.iter().fold(errors, |at, key| {
            if at.get(key).is_none() {
                at[key.as_str()] = json!({});
            }
            &mut at[key.as_str()]
        });
        let error = json!({"code": self.code, "message": self.message});
        match at["_errors"].as_array_mut() {
            Some(known) => known.push(error),
            None => at["_errors"] = json!([error]),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        (status, Json(self.body())).into_response()
    }
}
