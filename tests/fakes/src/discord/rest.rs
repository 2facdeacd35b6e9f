//! REST v10: who asks, how often, what for; every request is written down.

mod apps;
pub(super) mod interactions;
mod messages;
mod rate;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest as _, Multipart};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Answer;
use super::refusal::Refusal;
use super::world::World;

/// A request, read.
pub(super) struct Asked<'a> {
    pub(super) method: &'a Method,
    /// The path under `/api/v10`, in parts.
    pub(super) path: &'a [&'a str],
    pub(super) query: &'a str,
    pub(super) body: Value,
    pub(super) files: Vec<File>,
}

/// A file sent along.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) bytes: usize,
}

/// What is given back.
pub(super) enum Given {
    /// A body.
    Some(Value),
    /// 201 and a body.
    New(Value),
    /// 204.
    Nothing,
}

pub(super) type Answered = Result<Given, Refusal>;

impl Asked<'_> {
    /// A parameter of the query.
    pub(super) fn param(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// Answers a request.
pub(super) async fn handle(world: Arc<World>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let Some(path) = parts.uri.path().strip_prefix("/api/v10/").map(str::to_owned) else {
        world.refuse(format!("{} {}: only /api/v10 is served", parts.method, parts.uri.path()));
        return Refusal::not_found().into_response();
    };
    let path: Vec<&str> = path.split('/').collect();
    let shown = shown(&path);
    let Ok(bytes) = to_bytes(body, 26_000_000).await else { return StatusCode::PAYLOAD_TOO_LARGE.into_response() };
    let read = read(&parts.headers, bytes).await;
    let line = format!("{} /{shown}", parts.method);
    write_down(&world, &line, &parts, &shown, read.as_ref().map_or(&Value::Null, |(body, _)| body));
    let scripted = world.change(|state| {
        let at = state
            .answers
            .iter()
            .position(|(route, _)| route.as_ref().is_none_or(|route| line.contains(route.as_str())))?;
        state.answers.remove(at).map(|(_, answer)| answer)
    });
    world.options.latency.pass(world.look(|state| state.requests.len())).await;
    let lost = matches!(scripted, Some(Answer::Lost));
    match scripted {
        Some(Answer::Lost) | None => {}
        Some(Answer::Slow(wait)) => tokio::time::sleep(wait).await,
        Some(answer) => return instead(&world, answer),
    }
    let (headers, limited) = rate::count(&world, &parts.method, &path);
    let answered = if let Some(limited) = limited {
        world.change(|state| state.invalid += 1);
        world.refuse(format!("{line}: 429, sent faster than the rate limit"));
        return rate::limited(&limited, headers);
    } else {
        let open = matches!(path.first(), Some(&"interactions" | &"webhooks"));
        if !open && !is_bot(&world, &parts.headers) {
            Err(Refusal::unauthorized())
        } else {
            match read {
                Ok((body, files)) => {
                    let query = parts.uri.query().unwrap_or_default();
                    route(&world, Asked { method: &parts.method, path: &path, query, body, files })
                }
                Err(refusal) => Err(refusal),
            }
        }
    };
    if lost {
        return broken();
    }
    let mut response = match answered {
        Ok(Given::Some(body)) => axum::Json(body).into_response(),
        Ok(Given::New(body)) => (StatusCode::CREATED, axum::Json(body)).into_response(),
        Ok(Given::Nothing) => StatusCode::NO_CONTENT.into_response(),
        Err(refusal) => {
            if matches!(refusal.status, 401 | 403) {
                world.change(|state| state.invalid += 1);
            }
            world.refuse(format!("{line}: {}", refusal.line()));
            refusal.into_response()
        }
    };
    response.headers_mut().extend(headers);
    response
}

fn route(world: &Arc<World>, asked: Asked<'_>) -> Answered {
    let get = asked.method == Method::GET;
    let post = asked.method == Method::POST;
    match asked.path {
        ["gateway"] if get => Ok(apps::gateway(world, false)),
        ["gateway", "bot"] if get => Ok(apps::gateway(world, true)),
        ["users", "@me"] if get => Ok(apps::me(world)),
        ["applications", "@me"] | ["oauth2", "applications", "@me"] if get => Ok(apps::application(world)),
        ["applications", application, "commands", ..] => apps::commands(world, application, None, &asked, 3),
        ["applications", application, "guilds", guild, "commands", ..] => {
            apps::commands(world, application, Some(guild), &asked, 5)
        }
        ["users", "@me", "channels"] if post => messages::direct(world, &asked),
        ["channels", channel] if get => messages::channel(world, channel),
        ["channels", channel, "threads"] if post => messages::make_thread(world, channel, &asked),
        ["channels", thread, "thread-members", person] if *asked.method == Method::PUT => {
            messages::invite(world, thread, person)
        }
        ["channels", channel, "typing"] if post => messages::typing(world, channel),
        ["channels", channel, "messages"] if get => messages::history(world, channel, &asked),
        ["channels", channel, "messages"] if post => messages::send(world, channel, &asked),
        ["channels", channel, "messages", id] => messages::one(world, channel, id, &asked),
        ["interactions", id, token, "callback"] if post => interactions::callback(world, id, token, &asked),
        ["webhooks", application, token] if post => interactions::follow_up(world, application, token, &asked),
        ["webhooks", application, token, "messages", id] => interactions::one(world, application, token, id, &asked),
        ["gateway" | "users" | "channels" | "webhooks" | "interactions" | "oauth2" | "applications", ..] => {
            Err(Refusal::wrong_method())
        }
        _ => Err(Refusal::not_found()),
    }
}

async fn read(headers: &HeaderMap, bytes: Bytes) -> Result<(Value, Vec<File>), Refusal> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        return multipart(kind, bytes).await;
    }
    if bytes.is_empty() {
        return Ok((Value::Null, Vec::new()));
    }
    if !kind.starts_with("application/json") {
        return Err(Refusal::not_json());
    }
    serde_json::from_slice(&bytes).map(|body| (body, Vec::new())).map_err(|_| Refusal::not_json())
}

async fn multipart(kind: &str, bytes: Bytes) -> Result<(Value, Vec<File>), Refusal> {
    let request = Request::builder().method(Method::POST).header(header::CONTENT_TYPE, kind).body(Body::from(bytes));
    let Ok(request) = request else { return Err(Refusal::not_json()) };
    let Ok(mut parts) = Multipart::from_request(request, &()).await else { return Err(Refusal::not_json()) };
    let (mut body, mut files) = (Value::Null, Vec::new());
    loop {
        let Ok(part) = parts.next_field().await else { return Err(Refusal::not_json()) };
        let Some(part) = part else { return Ok((body, files)) };
        let named = part.name().unwrap_or_default().to_owned();
        let name = part.file_name().map(str::to_owned);
        let kind = part.content_type().unwrap_or("application/octet-stream").to_owned();
        let Ok(bytes) = part.bytes().await else { return Err(Refusal::not_json()) };
        if named == "payload_json" {
            body = serde_json::from_slice(&bytes).map_err(|_| Refusal::not_json())?;
        } else if named.starts_with("files[") || named.starts_with("file") {
            files.push(File { name: name.unwrap_or(named), kind, bytes: bytes.len() });
        }
    }
}

fn is_bot(world: &World, headers: &HeaderMap) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    given == Some(format!("Bot {}", world.options.token).as_str())
}

/// The path without tokens.
fn shown(path: &[&str]) -> String {
    let mut path: Vec<&str> = path.to_vec();
    if matches!(path.first(), Some(&"interactions" | &"webhooks"))
        && let Some(token) = path.get_mut(2)
    {
        *token = "…";
    }
    path.join("/")
}

fn write_down(world: &World, line: &str, parts: &axum::http::request::Parts, shown: &str, body: &Value) {
    let header = |(name, value): (&header::HeaderName, &header::HeaderValue)| {
        (name.as_str().to_owned(), value.to_str().unwrap_or("…").to_owned())
    };
    let headers: Vec<(String, String)> = parts.headers.iter().map(header).collect();
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = format!("/api/v10/{shown}{query}");
    crate::record::record("discord", parts.method.as_str(), &path, &headers, body);
    world.change(|state| state.requests.push(line.to_owned()));
}

/// What the test wants answered instead.
fn instead(world: &World, answer: Answer) -> Response {
    match answer {
        Answer::Limited { after, global } => rate::limited(&rate::Limited { after, global }, HeaderMap::new()),
        Answer::LimitedBare => {
            (StatusCode::TOO_MANY_REQUESTS, axum::Json(json!({"message": "You are being rate limited."})))
                .into_response()
        }
        Answer::LimitedByProxy { after } => {
            let after = [(header::RETRY_AFTER, after.to_string()), (header::CONTENT_TYPE, "text/html".to_owned())];
            (StatusCode::TOO_MANY_REQUESTS, after, "<html>error code: 1015</html>").into_response()
        }
        Answer::Status(status) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, axum::Json(json!({"message": format!("{status}"), "code": 0}))).into_response()
        }
        Answer::Refused(status, code) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
            (status, axum::Json(json!({"message": "scripted", "code": code}))).into_response()
        }
        Answer::Drop => broken(),
        Answer::Lost | Answer::Slow(_) => {
            world.refuse("a scripted answer that is none".to_owned());
            broken()
        }
    }
}

/// A connection that breaks before the answer is there.
fn broken() -> Response {
    let cut = futures_util::stream::once(async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Err::<Bytes, std::io::Error>(std::io::ErrorKind::ConnectionReset.into())
    });
    Response::new(Body::from_stream(cut))
}
