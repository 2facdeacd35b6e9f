//! The Web API over HTTP: tokens, scopes, bodies, faults, and the answer's shape.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use futures_util::stream;
use serde_json::{Map, Value, json};

use super::methods::{self, Token};
use super::world::World;
use super::{APP_TOKEN, Answer, BOT_TOKEN, Inner, chat, lookup, respond, socket, views};
use crate::record::record;

/// Bytes of a request that are read.
const MOST: usize = 4 << 20;

/// Why a request is refused: the platform's code, and what it adds.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: &'static str,
    pub(super) more: Value,
}

impl From<&'static str> for Refusal {
    fn from(code: &'static str) -> Self {
        Self { code, more: json!({}) }
    }
}

impl Refusal {
    /// A refusal that says what is wrong, sentence by sentence.
    pub(super) fn because(code: &'static str, why: &[String]) -> Self {
        Self { code, more: json!({"response_metadata": {"messages": why}}) }
    }
}

pub(super) type Outcome = Result<Value, Refusal>;

pub(super) fn router(inner: Arc<Inner>) -> Router {
    Router::new()
        .route("/api/{method}", any(call))
        .route("/link/", get(socket::connect))
        .route("/respond/{kind}/{id}", post(respond::respond))
        .with_state(inner)
}

async fn call(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let name = parts.uri.path().trim_start_matches("/api/").to_owned();
    let body = to_bytes(body, MOST).await.unwrap_or_default();
    let mut given = http_params(parts.uri.query());
    let json_body = is_json(&parts.headers);
    let read = read_body(&parts.headers, &body);
    let shown = read.as_ref().map_or_else(|code| json!({"error": code}), |body| Value::Object(body.clone()));
    let mut shown = if shown.as_object().is_some_and(Map::is_empty) { Value::Object(given.clone()) } else { shown };
    if let Some(shown) = shown.as_object_mut() {
        shown.remove("token");
    }
    record("slack", parts.method.as_str(), parts.uri.path(), &plain(&parts.headers), &shown);
    let channel = shown["channel"].as_str().unwrap_or_default().to_owned();
    inner.lock().calls.push((name.clone(), shown));
    inner.takes_time().await;
    let fault = inner.next_fault(&name).or_else(|| inner.lock().over_limit(&name, &channel));
    if let Some(response) = fault.as_ref().and_then(Answer::at_once) {
        return response;
    }
    let answer = async {
        let method = methods::named(&name).ok_or("unknown_method")?;
        let body = read?;
        let token = token(&parts.headers, &body);
        // Slack does not read JSON where a method takes none: the parameters are simply missing.
        if !(method.form_only && json_body) {
            given.extend(body);
        }
        let scopes = inner.allow(method, token.as_deref())?;
        let params = methods::read(method, &given).map_err(|why| Refusal::because("invalid_arguments", &why))?;
        Ok((inner.perform(method.name, &params)?, scopes))
    };
    let answer: Result<(Value, String), Refusal> = answer.await;
    let (mut answer, scopes) = match answer {
        Ok((answer, scopes)) => (answer, scopes),
        Err(refusal) => (inner.refused(&name, &refusal), inner.scopes()),
    };
    inner.changed();
    if let Some(Answer::Lose) = fault {
        return broken();
    }
    if json_body && !content_type(&parts.headers).contains("charset") {
        answer["warning"] = json!("missing_charset");
    }
    let mut response = axum::Json(answer).into_response();
    let headers = response.headers_mut();
    let value = HeaderValue::from_str(&scopes).unwrap_or_else(|_| HeaderValue::from_static(""));
    headers.insert("x-oauth-scopes", value);
    headers.insert("x-slack-req-id", HeaderValue::from_static("fake"));
    response
}

impl Inner {
    /// Whether a token may call a method; gives the scopes it has.
    fn allow(&self, method: &methods::Method, token: Option<&str>) -> Result<String, Refusal> {
        let world = self.lock();
        let held = match token {
            None => return Err("not_authed".into()),
            Some(_) if world.revoked => return Err("token_revoked".into()),
            Some(BOT_TOKEN) => Token::Bot,
            Some(APP_TOKEN) => Token::App,
            Some(_) => return Err("invalid_auth".into()),
        };
        let scopes = world.granted();
        drop(world);
        if held != method.token && method.name != "auth.test" {
            return Err("not_allowed_token_type".into());
        }
        need(method.scopes, &scopes)?;
        Ok(scopes)
    }

    fn scopes(&self) -> String {
        self.lock().granted()
    }

    /// Notes a refusal; the answer that says so.
    pub(super) fn refused(&self, name: &str, refusal: &Refusal) -> Value {
        let mut answer = json!({"ok": false, "error": refusal.code});
        let more = refusal.more.as_object().into_iter().flatten();
        more.for_each(|(key, value)| answer[key.as_str()] = value.clone());
        let why = if refusal.more == json!({}) { String::new() } else { format!(" {}", refusal.more) };
        self.lock().refusals.push(format!("{name}: {}{why}", refusal.code));
        answer
    }

    fn perform(self: &Arc<Self>, name: &str, params: &Map<String, Value>) -> Outcome {
        let mut world = self.lock();
        let answer = match name {
            "chat.postMessage" => chat::post(&mut world, params),
            "chat.postEphemeral" => chat::whisper(&mut world, params),
            "chat.update" => chat::update(&mut world, params),
            "chat.delete" => chat::delete(&mut world, params),
            "views.open" => views::open(&mut world, params),
            "views.push" => views::push(&mut world, params),
            "views.update" => views::update(&mut world, params),
            "views.publish" => views::publish(&mut world, params),
            "apps.connections.open" => {
                drop(world);
                return Ok(json!({"ok": true, "url": self.ticket()}));
            }
            name => lookup::answer(&mut world, name, params, &self.url()),
        };
        let echo = world.echoes.then(|| world.echo.take()).flatten();
        drop(world);
        let mut answer = answer?;
        answer["ok"] = json!(true);
        if let Some(event) = echo {
            self.event(event);
        }
        Ok(answer)
    }
}

impl World {
    /// The token's scopes, as a header and errors list them.
    pub(super) fn granted(&self) -> String {
        self.scopes.iter().map(String::as_str).collect::<Vec<_>>().join(",")
    }
}

/// Whether one of these scopes is there.
pub(super) fn need(needed: &[&str], granted: &str) -> Result<(), Refusal> {
    let has = |scope: &&str| granted.split(',').any(|one| one == *scope);
    if needed.is_empty() || needed.iter().any(has) {
        return Ok(());
    }
    Err(Refusal { code: "missing_scope", more: json!({"needed": needed[0], "provided": granted}) })
}

/// A connection that breaks off in the midst of an answer.
pub(super) fn broken() -> Response {
    let nothing = stream::once(async { Err::<Bytes, _>(std::io::Error::other("the connection is dropped")) });
    let mut response = Response::new(Body::from_stream(nothing));
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from_static("1000"));
    response
}

impl Answer {
    /// The answer in place of the method's own; none where the method is performed.
    pub(super) fn at_once(&self) -> Option<Response> {
        let limited = |seconds: Option<&str>| {
            let mut response =
                (StatusCode::TOO_MANY_REQUESTS, axum::Json(json!({"ok": false, "error": "ratelimited"})))
                    .into_response();
            if let Some(seconds) = seconds {
                let value = HeaderValue::from_str(seconds).unwrap_or_else(|_| HeaderValue::from_static("1"));
                response.headers_mut().insert(header::RETRY_AFTER, value);
            }
            response
        };
        match self {
            Self::TooMany { retry_after } => Some(limited(retry_after.map(|after| after.to_string()).as_deref())),
            Self::Status(status) => {
                let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                Some((status, "upstream trouble").into_response())
            }
            Self::Error(code) => Some(axum::Json(json!({"ok": false, "error": code})).into_response()),
            Self::Drop => Some(broken()),
            Self::Lose => None,
        }
    }
}

pub(super) fn plain(headers: &HeaderMap) -> Vec<(String, String)> {
    let plain = |(name, value): (&header::HeaderName, &HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    headers.iter().map(plain).collect()
}

fn http_params(query: Option<&str>) -> Map<String, Value> {
    query.map(super::http::decode).unwrap_or_default()
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default()
}

fn is_json(headers: &HeaderMap) -> bool {
    content_type(headers).starts_with("application/json")
}

fn read_body(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, &'static str> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    let kind = content_type(headers);
    if kind.starts_with("application/json") {
        let body: Value = serde_json::from_slice(body).map_err(|_| "invalid_json")?;
        return body.as_object().cloned().ok_or("json_not_object");
    }
    if kind.starts_with("application/x-www-form-urlencoded") {
        return Ok(super::http::decode(std::str::from_utf8(body).map_err(|_| "invalid_form_data")?));
    }
    Err("invalid_post_type")
}

fn token(headers: &HeaderMap, body: &Map<String, Value>) -> Option<String> {
    let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = header.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
    bearer.or_else(|| body.get("token").and_then(Value::as_str).map(str::to_owned))
}
