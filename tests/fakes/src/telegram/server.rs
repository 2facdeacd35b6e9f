//! `POST /bot<token>/<Method>` and `GET /file/bot<token>/<path>`.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest as _, Multipart, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value, json};

use super::updates::{Ended, poll};
use super::world::World;
use super::{Fault, Refusal, Shared, methods, schema};
use crate::record::record;

/// Bytes of an upload.
const UPLOAD: usize = 50 * 1024 * 1024;

/// A file in a request.
pub(super) struct Upload {
    pub(super) name: String,
    pub(super) media_type: String,
    pub(super) bytes: Bytes,
}

pub(super) type Uploads = BTreeMap<String, Upload>;

pub(super) async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let path = request.uri().path().replace("%3A", ":").replace("%3a", ":");
    if let Some(rest) = path.strip_prefix("/file/bot") {
        return file(&shared.world(), rest);
    }
    let Some((token, name)) = path.strip_prefix("/bot").and_then(|rest| rest.split_once('/')) else {
        return refuse(&Refusal::new(404, "Not Found"));
    };
    if shared.world().down {
        return (StatusCode::BAD_GATEWAY, "<html><body>502 Bad Gateway</body></html>").into_response();
    }
    let Some(method) = schema::method(name) else {
        return refused(&shared, name, &json!({}), &Refusal::new(404, "Not Found: method not found"));
    };
    let (verb, headers) = (request.method().to_string(), request.headers().clone());
    let read = read(request).await;
    let body = read.as_ref().map_or_else(|refusal| json!(refusal.words), |(params, _)| Value::Object(params.clone()));
    log(&verb, method, &headers, &body);
    if token != shared.world().settings.token {
        return refused(&shared, method, &json!({}), &Refusal::new(401, "Unauthorized"));
    }
    let (latency, no) = {
        let mut world = shared.world();
        world.calls.push((method.to_owned(), body.clone()));
        (world.settings.latency, world.calls.len())
    };
    if method != "getUpdates" {
        latency.pass(no).await;
    }
    let fault = shared.world().fault(method);
    let lost_after = matches!(fault, Some(Fault::DropAfter));
    match fault {
        Some(Fault::TooMany(seconds)) => {
            let mut world = shared.world();
            let until = world.now() + std::time::Duration::from_secs(u64::from(seconds));
            let chat = body["chat_id"].as_i64();
            chat.into_iter().for_each(|chat| world.meter.hold(chat, until));
            drop(world);
            return refuse(&Refusal::too_many(seconds));
        }
        Some(Fault::Status(status)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            return (status, "<html><body>trouble</body></html>").into_response();
        }
        Some(Fault::Refuse(code, words)) => return refuse(&Refusal::new(code, words)),
        Some(Fault::Drop) => return broken(),
        Some(Fault::Slow(time)) => tokio::time::sleep(time).await,
        Some(Fault::DropAfter) | None => {}
    }
    let outcome = match read.and_then(|(params, uploads)| Ok((schema::check(method, params)?, uploads))) {
        Err(refusal) => Err(refusal),
        Ok((params, _)) if method == "getUpdates" => match poll(&shared, &params).await {
            Ok(updates) => Ok(updates),
            Err(Ended::Refused(refusal)) => Err(refusal),
            Err(Ended::Dropped) => return broken(),
        },
        Ok((params, uploads)) => methods::call(&mut shared.world(), method, &params, &uploads),
    };
    shared.tell();
    if lost_after {
        return broken();
    }
    match outcome {
        Ok(result) => axum::Json(json!({"ok": true, "result": result})).into_response(),
        Err(refusal) => refused(&shared, method, &body, &refusal),
    }
}

fn refused(shared: &Shared, method: &str, body: &Value, refusal: &Refusal) -> Response {
    let mut body = body.to_string();
    if body.len() > 600 {
        let end = (0..=600).rev().find(|end| body.is_char_boundary(*end)).unwrap_or(0);
        body.truncate(end);
    }
    shared.world().refusals.push(format!("{method}: {} {} — {body}", refusal.code, refusal.words));
    refuse(refusal)
}

fn refuse(refusal: &Refusal) -> Response {
    let mut answer = json!({"ok": false, "error_code": refusal.code, "description": refusal.words});
    if let Some(parameters) = &refusal.parameters {
        answer["parameters"] = parameters.clone();
    }
    let status = StatusCode::from_u16(refusal.code).unwrap_or(StatusCode::BAD_REQUEST);
    let mut response = (status, axum::Json(answer)).into_response();
    if let Some(wait) = refusal.parameters.as_ref().and_then(|parameters| parameters["retry_after"].as_u64()) {
        response.headers_mut().insert(header::RETRY_AFTER, wait.into());
    }
    response
}

/// An answer that breaks off: the connection is lost.
fn broken() -> Response {
    let lost = futures_util::stream::once(async { Err::<Bytes, _>(std::io::Error::other("dropped by the test")) });
    Response::new(Body::from_stream(lost))
}

fn file(world: &World, rest: &str) -> Response {
    let found = rest.split_once('/').filter(|(token, _)| *token == world.settings.token);
    let file = found.and_then(|(_, path)| world.files.values().find(|file| file.path == path));
    match file {
        Some(file) => file.bytes.clone().into_response(),
        None => refuse(&Refusal::new(404, "Not Found")),
    }
}

fn log(verb: &str, method: &str, headers: &HeaderMap, body: &Value) {
    let headers: Vec<(String, String)> = headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    let mut body = body.clone();
    if body.get("secret_token").is_some() {
        body["secret_token"] = json!("…");
    }
    record("telegram", verb, &format!("/bot…/{method}"), &headers, &body);
}

/// The parameters of a request, whichever way they come.
async fn read(request: Request) -> Result<(Map<String, Value>, Uploads), Refusal> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let query = Query::<BTreeMap<String, String>>::try_from_uri(request.uri()).map(|query| query.0).unwrap_or_default();
    let mut params: Map<String, Value> = query.into_iter().map(|(name, value)| (name, value.into())).collect();
    let mut uploads = Uploads::new();
    match kind.as_str() {
        "multipart/form-data" => multipart(request, &mut params, &mut uploads).await?,
        "application/x-www-form-urlencoded" => {
            let form = axum::Form::<BTreeMap<String, String>>::from_request(request, &()).await;
            let form = form.map_err(|_| Refusal::bad("can't parse the form"))?.0;
            params.extend(form.into_iter().map(|(name, value)| (name, value.into())));
        }
        "application/json" => {
            let body = to_bytes(request.into_body(), UPLOAD).await.unwrap_or_default();
            let json = if body.is_empty() { Ok(json!({})) } else { serde_json::from_slice(&body) };
            match json {
                Ok(Value::Object(fields)) => params.extend(fields),
                _ => return Err(Refusal::bad("can't parse JSON object")),
            }
        }
        _ => {}
    }
    Ok((params, uploads))
}

async fn multipart(request: Request, params: &mut Map<String, Value>, uploads: &mut Uploads) -> Result<(), Refusal> {
    let wrong = || Refusal::bad("can't parse the multipart form");
    let mut parts = Multipart::from_request(request, &()).await.map_err(|_| wrong())?;
    while let Some(part) = parts.next_field().await.map_err(|_| wrong())? {
        let Some(name) = part.name().map(str::to_owned) else { return Err(wrong()) };
        let file = part.file_name().map(str::to_owned);
        let media_type = part.content_type().unwrap_or("application/octet-stream").to_owned();
        let bytes = part.bytes().await.map_err(|_| wrong())?;
        match file {
            Some(file) => {
                params.entry(name.clone()).or_insert_with(|| json!(format!("attach://{name}")));
                uploads.insert(name, Upload { name: file, media_type, bytes });
            }
            None => {
                let text =
                    String::from_utf8(bytes.to_vec()).map_err(|_| Refusal::bad("strings must be encoded in UTF-8"))?;
                params.insert(name, text.into());
            }
        }
    }
    Ok(())
}
