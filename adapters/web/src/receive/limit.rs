//! Nobody has too much under way at once.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::crowd::too_much;
use crate::receive::shared::Shared;

/// The middleware. Requests that wait for notices are counted by themselves, for they take nothing but their places.
pub(crate) async fn limit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let waits = request.uri().path().ends_with("/events");
    let address = shared.proxies.client(request.extensions(), request.headers()).filter(|_| !waits);
    let place = address.map(|address| shared.crowd.asking.take(address));
    if matches!(place, Some(None)) {
        return too_much().into_response();
    }
    next.run(request).await
}
