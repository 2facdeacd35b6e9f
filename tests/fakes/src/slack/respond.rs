//! `response_url`: five uses in half an hour, to answer, replace or delete what a person pressed.

use std::sync::Arc;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::web::{Refusal, broken, plain};
use super::world::{BOT, Message, ResponseUrl, World};
use super::{Answer, Inner, chat};
use crate::record::record;

/// How often one may be used.
const USES: u32 = 5;
/// Bytes of a request that are read.
const MOST: usize = 1 << 20;
/// What may stand in it.
const KNOWN: [&str; 9] = [
    "text",
    "blocks",
    "response_type",
    "replace_original",
    "delete_original",
    "thread_ts",
    "unfurl_links",
    "unfurl_media",
    "metadata",
];

pub(super) async fn respond(
    State(inner): State<Arc<Inner>>,
    Path((kind, id)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = to_bytes(body, MOST).await.unwrap_or_default();
    let given: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let path = format!("/respond/{kind}/…");
    record("slack", parts.method.as_str(), &path, &plain(&parts.headers), &given);
    inner.lock().calls.push(("response_url".to_owned(), given.clone()));
    inner.takes_time().await;
    let fault = inner.next_fault("response_url");
    if let Some(response) = fault.as_ref().and_then(Answer::at_once) {
        return response;
    }
    let outcome = taken(&mut inner.lock(), &id, &given);
    let response = match outcome {
        Err(refusal) => {
            let answer = inner.refused("response_url", &refusal);
            let status = match refusal.code {
                "used_url" | "expired_url" => StatusCode::NOT_FOUND,
                "no_text" | "invalid_blocks" | "invalid_payload" => StatusCode::BAD_REQUEST,
                _ => StatusCode::OK,
            };
            (status, axum::Json(answer)).into_response()
        }
        // A command's URL answers in words, an action's in JSON.
        Ok(()) if kind == "commands" => "ok".into_response(),
        Ok(()) => axum::Json(json!({"ok": true})).into_response(),
    };
    inner.changed();
    if let Some(Answer::Lose) = fault { broken() } else { response }
}

/// Does what was sent to a `response_url`.
fn taken(world: &mut World, id: &str, given: &Value) -> Result<(), Refusal> {
    let life = world.windows.response_url;
    let url = world.urls.get_mut(id).ok_or("expired_url")?;
    if url.at.elapsed() > life {
        return Err("expired_url".into());
    }
    if url.uses >= USES {
        return Err("used_url".into());
    }
    url.uses += 1;
    let url = url.clone();
    said(world, &url, given)
}

/// Does what an app says in answer to something: also used for the immediate answer to a command.
pub(super) fn said(world: &mut World, url: &ResponseUrl, given: &Value) -> Result<(), Refusal> {
    let Some(object) = given.as_object() else { return Err("invalid_payload".into()) };
    if let Some(unknown) = object.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        return Err(Refusal::because("invalid_payload", &[format!("unknown key: {unknown}")]));
    }
    if given["delete_original"] == true {
        let Some(ts) = &url.message else { return Err("message_not_found".into()) };
        chat::remove(world, &url.channel, ts);
        return Ok(());
    }
    let blocks = chat::judged(object.get("blocks"))?;
    let text = given["text"].as_str().map(str::to_owned);
    if text.as_deref().is_none_or(|text| text.trim().is_empty()) && blocks.as_ref().is_none_or(Vec::is_empty) {
        return Err("no_text".into());
    }
    if given["replace_original"] == true {
        let Some(ts) = &url.message else { return Err("message_not_found".into()) };
        if world.message(&url.channel, ts).is_none() {
            return Err("message_not_found".into());
        }
        // What replaces a message replaces all of it.
        chat::change(world, &url.channel, ts, text, Some(blocks.unwrap_or_default()), None);
        return Ok(());
    }
    let only = match given["response_type"].as_str() {
        None | Some("ephemeral") => Some(url.user.clone()),
        Some("in_channel") => None,
        Some(_) => return Err("invalid_payload".into()),
    };
    let ts = world.ts();
    let blocks = world.named(blocks.unwrap_or_default());
    let thread = given["thread_ts"].as_str().map(str::to_owned).or_else(|| url.thread.clone());
    let text = text.unwrap_or_default();
    let message = Message { ts, thread, from: BOT.to_owned(), text, blocks, only, ..Message::default() };
    world.post(&url.channel, message);
    Ok(())
}
