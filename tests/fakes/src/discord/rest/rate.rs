//! Rate limits: a bucket for each route and channel, and one for everything.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

use crate::discord::world::World;

/// A request above a limit.
pub(super) struct Limited {
    /// Seconds.
    pub(super) after: f64,
    /// Of everything that the bot asks.
    pub(super) global: bool,
}

/// Counts a request; gives the headers that tell how much is left.
pub(super) fn count(world: &World, method: &Method, path: &[&str]) -> (HeaderMap, Option<Limited>) {
    let now = Instant::now();
    let answers = matches!(path.first(), Some(&"interactions" | &"webhooks"));
    let (global, window) = (world.options.global_rate, Duration::from_secs(1));
    if !answers && let Some((_, after)) = take(world, "all", (global, window), now).filter(|(left, _)| *left < 0) {
        return (HeaderMap::new(), Some(Limited { after: after.as_secs_f64(), global: true }));
    }
    let Some((name, limit)) = bucket(world, method, path) else { return (HeaderMap::new(), None) };
    let Some((left, after)) = take(world, &name, limit, now) else { return (HeaderMap::new(), None) };
    let mut headers = HeaderMap::new();
    let reset = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default() + after;
    let mut add = |name: &'static str, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    add("x-ratelimit-limit", limit.0.to_string());
    add("x-ratelimit-remaining", left.max(0).to_string());
    add("x-ratelimit-reset", format!("{:.3}", reset.as_secs_f64()));
    add("x-ratelimit-reset-after", format!("{:.3}", after.as_secs_f64()));
    add("x-ratelimit-bucket", name.bytes().map(|byte| format!("{byte:02x}")).collect());
    let limited = (left < 0).then_some(Limited { after: after.as_secs_f64(), global: false });
    (headers, limited)
}

/// The answer to a request above a limit.
pub(super) fn limited(limited: &Limited, mut headers: HeaderMap) -> Response {
    let body =
        json!({"message": "You are being rate limited.", "retry_after": limited.after, "global": limited.global});
    let mut add = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    // Whole seconds in the header, the exact time in the body.
    add(header::RETRY_AFTER, &format!("{:.0}", limited.after.ceil()));
    add(HeaderName::from_static("x-ratelimit-scope"), if limited.global { "global" } else { "user" });
    if limited.global {
        add(HeaderName::from_static("x-ratelimit-global"), "true");
    }
    (StatusCode::TOO_MANY_REQUESTS, headers, axum::Json(body)).into_response()
}

/// One request out of a window; gives what is left, below zero when there was none, and when the window ends.
fn take(world: &World, name: &str, (limit, window): (u32, Duration), now: Instant) -> Option<(i64, Duration)> {
    if limit == 0 {
        return None;
    }
    Some(world.change(|state| {
        let (began, used) = state.buckets.entry(name.to_owned()).or_insert((now, 0));
        if now.duration_since(*began) >= window {
            (*began, *used) = (now, 0);
        }
        let left = i64::from(limit) - i64::from(*used) - 1;
        if left >= 0 {
            *used += 1;
        }
        (left, window.saturating_sub(now.duration_since(*began)))
    }))
}

fn bucket(world: &World, method: &Method, path: &[&str]) -> Option<(String, (u32, Duration))> {
    let per_channel = world.options.channel_rate;
    Some(match (method.as_str(), path) {
        ("POST", ["channels", channel, "messages"]) => (format!("send {channel}"), per_channel),
        ("PATCH", ["channels", channel, "messages", _]) => (format!("edit {channel}"), per_channel),
        ("DELETE", ["channels", channel, "messages", _]) => (format!("delete {channel}"), per_channel),
        ("POST", ["channels", channel, "typing"]) => (format!("typing {channel}"), per_channel),
        ("GET", ["channels", channel, ..]) => (format!("read {channel}"), (10, Duration::from_secs(1))),
        (_, ["webhooks", _, token, ..]) => {
            let tail = &token[token.len().saturating_sub(12)..];
            (format!("hook {tail}"), world.options.hook_rate)
        }
        _ => return None,
    })
}
