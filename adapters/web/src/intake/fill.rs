//! `POST /api/fill`: clients that keep their form themselves, and have it filled in by what a person says. The adapter only
//! translates; the session is the state, the form comes along with each request.

mod answer;
mod schema;
mod wire;

use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use formwright_chat::{Action, Brought, Event, EventId, Terms};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::intake::context::{self, Context};
use crate::limits;
use crate::receive::auth::{self, Principal};

/// The published schema of what is taken and given.
pub(crate) async fn published() -> Json<Value> {
    Json(schema::schema())
}

/// Takes the nine variables and gives them as they are after the turn.
pub(crate) async fn fill(State(context): State<Context>, request: Request) -> Response {
    let answer = turn(&context, request).await;
    if let Some(why) = answer.as_ref().err().and_then(ApiError::turned_away) {
        context.host.turned_away(why);
    }
    answer.unwrap_or_else(refusal)
}

/// A refusal, for clients that look at the status alone too: nothing is completed.
fn refusal(error: ApiError) -> Response {
    let body = json!({
        "error": { "code": error.code, "message": error.message },
        "status": "in_progress",
        "response_message": error.message,
    });
    let (parts, _) = error.into_response().into_parts();
    let (_, body) = Json(body).into_response().into_parts();
    Response::from_parts(parts, body)
}

async fn turn(context: &Context, request: Request) -> Result<Response, ApiError> {
    let shared = &context.shared;
    if !shared.settings.fill {
        let words = "This server fills in no forms that come with requests. Have its operator set web.fill.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "no_fill", words));
    }
    let (parts, body) = request.into_parts();
    let body = context::read(shared.patience, &parts.headers, body, limits::FILL_BYTES).await?;
    let request = wire::request(&body, &|name| context.host.names_a_secret(name))?;
    let (principal, cookie) = match context::who(context, &parts.headers)? {
        Some(principal) => (principal, None),
        None => {
            let (principal, cookie) = context::newcomer(context)?;
            (principal, Some(cookie))
        }
    };
    let conversation = conversation_of(&principal, &request)?;
    context::check_zone(request.zone.as_deref())?;
    let user = principal.user(&conversation);
    let user = context::user(user, request.locale.clone(), request.zone.clone(), &parts.headers);
    let place = context::place(&conversation);
    let event_id = match &request.event_id {
        Some(id) => id.clone(),
        None => principal.conversation(&context::random()?),
    };
    let mut event = Event {
        id: EventId::new(format!("{conversation}:{event_id}")),
        place: place.clone(),
        user: user.clone(),
        at: jiff::Timestamp::now(),
        action: Action::Open { form: None },
        terms: Terms {
            answers_only: request.sheet.is_none(),
            request: request.event_id.as_ref().map(|_| auth::request_mark(&body)),
            ..Terms::default()
        },
    };
    let (_first, before) = match request.event_id {
        Some(_) => {
            let first = shared.under_way.enter(event.id.as_str()).await;
            (first, context.host.answered_before(&event).await?)
        }
        None => (None, None),
    };
    let address = shared.proxies.client(&parts.extensions, &parts.headers);
    if before.is_none()
        && principal.cookie
        && let Err(seconds) = shared.allowance.take(user.id.as_str(), address, &conversation, Instant::now())
    {
        let words = "Too many conversations were started here. Send thread_id and the cookie with further requests, \
                     use an API key, or wait.";
        return Err(ApiError::busy(seconds, words));
    }
    let mut turn = match before {
        Some(turn) => turn,
        None => {
            begin(context, &request, &mut event)?;
            context.host.converse(event).await?
        }
    };
    if turn.replies.is_empty() {
        turn.replies = context.host.view(&place, &user.id).await?.map(|view| view.last).unwrap_or_default();
    }
    let view = context.host.sheet(&place, &user.id).await?;
    let thread = request.thread.clone().unwrap_or(conversation);
    let repeatable = |text: &str| context.host.repeatable(text);
    let answer = answer::answer(&request, thread, &turn.replies, view.as_ref(), &repeatable);
    let response = Json(answer).into_response();
    Ok(match cookie {
        Some(cookie) => context::with_cookie(response, cookie),
        None => response,
    })
}

/// What the event is to do: with the form that the request brings.
fn begin(context: &Context, request: &wire::FillRequest, event: &mut Event) -> Result<(), ApiError> {
    let mut form = None;
    if let Some(sheet) = &request.sheet {
        let id = context.host.form_from_sheet(sheet)?;
        event.terms.forms = Some(vec![id.clone()]);
        event.terms.brought = Some(Box::new(Brought::Sheet { sheet: Box::new(sheet.clone()) }));
        form = Some(id);
    }
    event.action =
        if request.message.is_empty() { Action::Open { form } } else { Action::Say { text: request.message.clone() } };
    Ok(())
}

/// The conversation of a thread: one of ours, or the one that a client's own id names for this person. A thread of ours
/// that belongs to somebody else is none, unless the request has all that is needed to begin anew.
fn conversation_of(principal: &Principal, request: &wire::FillRequest) -> Result<String, ApiError> {
    match &request.thread {
        None => match &request.event_id {
            Some(id) => principal.conversation_of_event(id),
            None => Ok(principal.conversation(&context::random()?)),
        },
        Some(thread) if principal.owns(thread) => Ok(thread.clone()),
        Some(thread) if request.sheet.is_none() && Principal::is_conversation(thread) => Err(ApiError::not_found()),
        Some(thread) => Ok(principal.named(thread)),
    }
}
