//! What stands before every route: which host and origin a request may name, and the headers every answer wears.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::receive::auth::Origin;

/// Only our own scripts, styles and images; no frames around us, no plugins, no base, nowhere else to talk to.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                   manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("geolocation=(self), camera=(), microphone=()"),
    ),
];

/// Who may call.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Other origins whose pages may call the API.
    pub(crate) origins: Vec<Origin>,
    /// Pages of any origin may, as long as they send neither a cookie nor a key.
    pub(crate) anyone: bool,
    /// The page's own origin, where it is known.
    pub(crate) own: Option<Origin>,
    /// Names the server answers to; empty answers to any.
    pub(crate) hosts: Vec<String>,
}

/// The middleware.
pub(crate) async fn guard(State(rules): State<Arc<Rules>>, request: Request, next: Next) -> Response {
    let origin = header_text(request.headers(), &header::ORIGIN).map(str::to_owned);
    let api = request.uri().path().starts_with("/api");
    let known = origin.as_deref().is_some_and(|origin| rules.origins.iter().any(|known| known.is(origin)));
    let named = [header::COOKIE, header::AUTHORIZATION].iter().any(|name| request.headers().contains_key(name));
    let anyone = rules.anyone && !known && !named && origin.is_some();
    let allowed = known || anyone;
    let preflight = request.method() == Method::OPTIONS && allowed;
    let mut response = match rules.check(&request, origin.as_deref(), allowed) {
        Err(refusal) => refusal.into_response(),
        Ok(()) if preflight => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, value);
    }
    if api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if !rules.origins.is_empty() || rules.anyone {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(origin) = origin.filter(|_| allowed).and_then(|origin| HeaderValue::from_str(&origin).ok()) {
        if anyone {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        } else {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
        if preflight {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
            let request_headers = HeaderValue::from_static("content-type, authorization");
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, request_headers);
            headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        }
    }
    response
}

impl Rules {
    fn check(&self, request: &Request, origin: Option<&str>, allowed: bool) -> Result<(), ApiError> {
        let host = host_of(request)?;
        let named = |known: &String| known == host || known == without_port(host);
        if !self.hosts.is_empty() && !self.hosts.iter().any(named) && !is_loopback(without_port(host)) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "unknown_host",
                "This server does not answer to that name. Set web.public_url to the address people use, or add the \
                 name to web.hosts.",
            ));
        }
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        let own = |origin: &str| match &self.own {
            Some(own) if own.is(origin) => true,
            _ => !host.is_empty() && origin.split_once("://").is_some_and(|(_, authority)| authority == host),
        };
        if changes && origin.is_some_and(|origin| !allowed && !own(origin)) {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "foreign_origin",
                "Pages of that origin may not call this API. Add the exact origin to web.origins to allow it.",
            ));
        }
        Ok(())
    }
}

/// The host that a request names: once, in its `Host` header or as the authority of its address, which is what HTTP/2
/// has in place of the header.
fn host_of(request: &Request) -> Result<&str, ApiError> {
    let words = "Name the host once: one Host header, and the same name in the address where that has one.";
    let unclear = || ApiError::bad("unclear_host", words);
    let mut headers = request.headers().get_all(header::HOST).iter();
    let header = headers.next().map(|host| host.to_str().map_err(|_| unclear())).transpose()?;
    let authority = request.uri().authority().map(Authority::as_str);
    match (header, authority) {
        _ if headers.next().is_some() => Err(unclear()),
        (Some(header), Some(authority)) if header != authority => Err(unclear()),
        (header, authority) => Ok(authority.or(header).unwrap_or_default()),
    }
}

fn header_text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("null"))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_loopback(name: &str) -> bool {
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}
