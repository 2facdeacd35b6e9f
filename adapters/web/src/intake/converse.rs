//! `POST /api/chat`: a message to an event, and what it is answered.

use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use formwright_chat::{Action, Brought, Event, EventId, Place, Prefill, Terms, Turn, User};

use crate::error::ApiError;
use crate::intake::context::{self, Context};
use crate::receive::auth::{self, Principal};
use crate::translate::{self, ChatRequest};
use crate::{limits, render};

/// Takes what a person did and gives what to show.
pub(crate) async fn chat(State(context): State<Context>, request: Request) -> Result<Response, ApiError> {
    let answer = turn(&context, request).await;
    if let Some(why) = answer.as_ref().err().and_then(ApiError::turned_away) {
        context.host.turned_away(why);
    }
    answer
}

async fn turn(context: &Context, request: Request) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = context::read(context.shared.patience, &parts.headers, body, limits::BODY_BYTES).await?;
    let mut request = translate::chat_request(&body)?;
    let (principal, cookie) = match context::who(context, &parts.headers)? {
        Some(principal) => (principal, None),
        None if request.conversation_id.is_some() => return Err(ApiError::not_found()),
        None => {
            let (principal, cookie) = context::newcomer(context)?;
            (principal, Some(cookie))
        }
    };
    let called = request.conversation_id.take();
    let own_id = request.event_id.take();
    let conversation_id = match (&called, &own_id) {
        (Some(id), _) => named(&principal, id)?,
        (None, Some(id)) => principal.conversation_of_event(id)?,
        (None, None) => principal.conversation(&context::random()?),
    };
    context::check_zone(request.zone.as_deref())?;
    let asking = Asking {
        context,
        user: context::user(
            principal.user(&conversation_id),
            request.locale.take(),
            request.zone.take(),
            &parts.headers,
        ),
        place: context::place(&conversation_id),
        request: own_id.as_ref().map(|_| auth::request_mark(&body)),
        event_id: own_id.map_or_else(|| context::random().map(|bits| principal.conversation(&bits)), Ok)?,
        called: called.clone().unwrap_or_else(|| conversation_id.clone()),
        cookie,
    };
    let _first = match asking.request {
        Some(_) => context.shared.under_way.enter(asking.id("").as_str()).await,
        None => None,
    };
    if let Some(turn) = asking.answered_before().await? {
        return asking.answer(turn).await;
    }
    let (form, brought) = form_of(context, &mut request, asking.user.locale.as_deref())?;
    let prefill = translate::prefill(request.values.take().unwrap_or_default())?;
    if form.is_none() && !prefill.is_empty() {
        let words = "values are for the form that a request starts. Send form or form_context_md with them.";
        return Err(ApiError::bad("values_without_form", words));
    }
    let action = translate::action(request, form.clone())?;
    let address = context.shared.proxies.client(&parts.extensions, &parts.headers);
    let visitor = asking.user.id.as_str();
    if principal.cookie
        && let Err(seconds) = context.shared.allowance.take(visitor, address, &conversation_id, Instant::now())
    {
        return Err(ApiError::busy(seconds, "Too many conversations were started here. Go on with one, or wait."));
    }
    // A client that calls its conversations by names of its own cannot tell which of them have begun.
    let begins = match &called {
        Some(id) => *id != conversation_id && form.is_some() && !asking.has_form().await?,
        None => true,
    };
    let terms = |action: &Action| Terms {
        brought: brought.clone(),
        prefill: if matches!(action, Action::Open { .. }) { prefill.clone() } else { Prefill::default() },
        ..Terms::default()
    };
    if begins && form.is_some() && !matches!(action, Action::Open { .. }) {
        // Who speaks first needs no greeting, only the form.
        let open = Action::Open { form };
        context.host.converse(asking.event(":open", terms(&open), open)).await?;
    }
    let turn = context.host.converse(asking.event("", terms(&action), action)).await?;
    asking.answer(turn).await
}

/// Somebody who asks, and in which conversation.
struct Asking<'a> {
    context: &'a Context,
    user: User,
    place: Place,
    event_id: String,
    /// Tells the request apart, where the client has chosen the event's id.
    request: Option<String>,
    /// The client's name of the conversation.
    called: String,
    cookie: Option<HeaderValue>,
}

impl Asking<'_> {
    fn id(&self, suffix: &str) -> EventId {
        EventId::new(format!("{}:{}{suffix}", self.place.channel, self.event_id))
    }

    fn event(&self, suffix: &str, terms: Terms, action: Action) -> Event {
        let request = self.request.clone().filter(|_| suffix.is_empty());
        Event {
            id: self.id(suffix),
            place: self.place.clone(),
            user: self.user.clone(),
            at: jiff::Timestamp::now(),
            terms: Terms { request, ..terms },
            action,
        }
    }

    /// What the same request was answered before. It is asked before anything that counts what people send.
    async fn answered_before(&self) -> Result<Option<Turn>, ApiError> {
        if self.request.is_none() {
            return Ok(None);
        }
        let event = self.event("", Terms::default(), Action::Open { form: None });
        Ok(self.context.host.answered_before(&event).await?)
    }

    /// Whether a form is being filled in in the conversation, or was last.
    async fn has_form(&self) -> Result<bool, ApiError> {
        let view = self.context.host.view(&self.place, &self.user.id).await?;
        Ok(view.is_some_and(|view| view.form.is_some()))
    }

    async fn answer(self, turn: Turn) -> Result<Response, ApiError> {
        let (last, standing) = match turn.standing {
            Some(standing) if !turn.replies.is_empty() => (Vec::new(), Some(standing)),
            _ => match self.context.host.view(&self.place, &self.user.id).await? {
                Some(mut view) => (std::mem::take(&mut view.last), Some(view.into())),
                None => (Vec::new(), None),
            },
        };
        let response = Json(render::response(self.called, turn.replies, &last, standing)).into_response();
        Ok(match self.cookie {
            Some(cookie) => context::with_cookie(response, cookie),
            None => response,
        })
    }
}

/// Looks up the form that a request names or brings along; and what it brings.
fn form_of(
    context: &Context,
    request: &mut ChatRequest,
    locale: Option<&str>,
) -> Result<(Option<String>, Option<Box<Brought>>), ApiError> {
    let inline = request.form_context_md.take().filter(|markdown| !markdown.trim().is_empty());
    match (request.form.take(), inline) {
        (Some(_), Some(_)) => Err(ApiError::bad("two_forms", "Send form or form_context_md, not both.")),
        (None, Some(_)) if !context.shared.settings.allow_inline_forms => Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "no_inline_forms",
            "This server takes no forms in requests. Name one of its own in form (GET /api/schemas lists them), or have \
             its operator set web.inline_forms.",
        )),
        (None, Some(markdown)) => {
            let form = context.host.form_from_text(&markdown)?;
            Ok((Some(form), Some(Box::new(Brought::Text { text: markdown }))))
        }
        (Some(form), None) if context.host.forms().iter().any(|card| card.id == form) => Ok((Some(form), None)),
        (Some(form), None) => {
            let off = context.host.when_off(&form, locale);
            Err(off.map_or_else(ApiError::not_found, |words| ApiError::new(StatusCode::CONFLICT, "form_off", words)))
        }
        (None, None) => Ok((None, None)),
    }
}

/// The conversation that a message names. A client with a key is told what may be a name; whoever else, and who names one
/// that was handed out to others, is told what a missing one gives.
fn named(principal: &Principal, id: &str) -> Result<String, ApiError> {
    let refusal = || {
        let is_theirs_to_name = !principal.cookie && !Principal::is_conversation(id);
        if is_theirs_to_name {
            translate::bad_name("bad_conversation_id", "conversation_id")
        } else {
            ApiError::not_found()
        }
    };
    principal.find(id).ok_or_else(refusal)
}
