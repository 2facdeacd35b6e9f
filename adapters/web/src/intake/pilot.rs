//! `FormPilot`'s protocol: its five addresses, for whoever comes without a cookie and without a key. The adapter only
//! translates; form files are the server's own, or come along with each request.
//!
//! A client may call a conversation as it likes, and whoever knows the name can go on with it: a conversation is as safe as
//! its name is hard to guess. Those that are given here are random.

mod answer;
mod tell;
mod wire;

use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use formwright_chat::{
    Action, Brought, Event, EventId, FormFile, HostError, Place, Reply, SessionView, Terms, TurnedAway, User,
};
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::intake::context::{self, Context};
use crate::limits;
use crate::receive::auth::Principal;

/// What is not done, in FormPilot's shape: `{"detail": …}`.
struct Refusal {
    status: StatusCode,
    detail: Value,
    retry_after: Option<u32>,
    /// Why the host was not asked; none where it was, or nothing was said.
    turned_away: Option<TurnedAway>,
}

impl Refusal {
    fn new(status: StatusCode, detail: impl Into<Value>) -> Self {
        let turned_away = (status != StatusCode::NOT_FOUND).then_some(TurnedAway::Unreadable);
        Self { status, detail: detail.into(), retry_after: None, turned_away }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let (retry_after, turned_away) = (error.retry_after, error.turned_away());
        Self { retry_after, turned_away, ..Self::new(error.status, error.message.as_ref()) }
    }
}

impl From<HostError> for Refusal {
    fn from(error: HostError) -> Self {
        let words = match error {
            HostError::Unavailable(_) => Some("This cannot be stored right now. Send it again in a moment."),
            HostError::Busy { .. } => Some("Too many messages. Wait a little, then send it again."),
            HostError::Refused(_) | HostError::Reused => None,
        };
        let refusal = Self::from(ApiError::from(error));
        Self { detail: words.map_or(refusal.detail, Value::from), ..refusal }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "detail": self.detail }))).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Answers a request of a FormPilot client, and lets all others go on.
pub(crate) async fn door(State(context): State<Context>, request: Request, next: Next) -> Response {
    if !matches!(context::who(&context, request.headers()), Ok(None)) {
        return next.run(request).await;
    }
    let path = request.uri().path().to_owned();
    let answer = match (request.method(), path.as_str()) {
        (&Method::POST, "/api/chat") => chat(&context, request).await,
        (&Method::POST, "/api/sessions/reset") => reset(&context, request).await,
        (&Method::GET, "/api/schemas") => Ok(Json(json!({ "schemas": schemas(&context) }))),
        (&Method::GET, "/api/health") => health(&context).await,
        (&Method::GET, path) if path.starts_with("/api/schemas/") => schema(&context, path),
        _ => return next.run(request).await,
    };
    if let Some(why) = answer.as_ref().err().and_then(|refusal| refusal.turned_away) {
        context.host.turned_away(why);
    }
    answer.into_response()
}

/// The server's forms, as the files that they are read from.
fn schemas(context: &Context) -> Vec<Value> {
    let entry =
        |file: &FormFile| json!({ "filename": file.name, "title": file.title, "size": file.text.chars().count() });
    context.host.form_files().iter().map(entry).collect()
}

/// The name is compared with the names of files: it is never part of a path.
fn schema(context: &Context, path: &str) -> Result<Json<Value>, Refusal> {
    let name = path.strip_prefix("/api/schemas/").unwrap_or_default();
    let file = context.host.form_files().into_iter().find(|file| is_written(&file.name, name));
    let missing =
        || Refusal::new(StatusCode::NOT_FOUND, "There is no such form. GET /api/schemas lists those there are.");
    let file = file.ok_or_else(missing)?;
    Ok(Json(json!({ "filename": file.name, "content": file.text.as_ref() })))
}

/// Whether an address has this name, its bytes as they are or as `%20`.
fn is_written(name: &str, written: &str) -> bool {
    let mut bytes = written.bytes();
    let mut next = || match bytes.next()? {
        b'%' => {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
        }
        byte => Some(byte),
    };
    let same = name.bytes().all(|byte| next() == Some(byte));
    same && bytes.next().is_none()
}

async fn health(context: &Context) -> Result<Json<Value>, Refusal> {
    context.host.health().await?;
    let sessions = context.host.session_count().await?;
    Ok(Json(json!({ "status": "healthy", "active_sessions": sessions })))
}

async fn reset(context: &Context, request: Request) -> Result<Json<Value>, Refusal> {
    let (parts, body) = request.into_parts();
    let body = context::read(context.shared.patience, &parts.headers, body, limits::BODY_BYTES).await?;
    let conversation = Principal::of_pilot().named(&wire::reset(&body)?);
    let user = Principal::of_pilot().user(&conversation);
    let reset = context.host.reset(&context::place(&conversation), &user).await?;
    let message = if reset { "Session reset" } else { "Session not found" };
    Ok(Json(json!({ "success": reset, "message": message })))
}

async fn chat(context: &Context, request: Request) -> Result<Json<Value>, Refusal> {
    let shared = &context.shared;
    let (parts, body) = request.into_parts();
    let body = context::read(shared.patience, &parts.headers, body, limits::FILL_BYTES).await?;
    let request = wire::request(&body)?;
    let called = request.conversation.map_or_else(|| context::random().map(|bits| uuid(&bits)), Ok)?;
    let conversation = Principal::of_pilot().named(&called);
    let user = context::user(Principal::of_pilot().user(&conversation), None, None, &parts.headers);
    let address = shared.proxies.client(&parts.extensions, &parts.headers);
    if let Err(seconds) = shared.allowance.take(user.id.as_str(), address, &conversation, Instant::now()) {
        return Err(
            ApiError::busy(seconds, "Too many conversations were started here. Go on with one, or wait.").into()
        );
    }
    let asking = Asking { context, user, place: context::place(&conversation) };
    let view = asking.view().await?;
    let going = view.as_ref().is_some_and(|view| goes_on(view, request.actions.is_empty()));
    let (form, brought) = if going { (None, None) } else { form_of(context, &request.form)? };
    let terms = Terms { brought, ..Terms::default() };
    let tells = request.form.contains(tell::TOOL);
    let mut actions = request.actions;
    let silent = going && tells && tell::is_answer(&actions);
    if !going {
        actions.insert(0, Action::Open { form });
    } else if silent {
        actions.clear();
    } else if actions.is_empty() {
        actions.push(Action::Open { form: None });
    }
    let asked = view.map(|view| view.last).unwrap_or_default();
    let actions = actions.into_iter().map(|action| if going { wire::pressed(action, &asked) } else { action });
    let greets = !going && actions.len() == 1;
    let mut replies: Vec<Reply> = Vec::new();
    for action in actions {
        replies = context.host.converse(asking.event(&terms, action)?).await?.replies;
    }
    let view = asking.view().await?;
    let last = view.as_ref().map(|view| view.last.as_slice()).unwrap_or_default();
    let shown = if replies.is_empty() { last } else { &replies };
    let turn = match greets {
        _ if silent => None,
        true => Some(answer::greeting(shown)),
        false => Some(answer::action(shown, view.as_ref())),
    };
    let action = match turn {
        Some(action) if greets || !tells => action,
        turn => tell::next(&asking, view.as_ref(), turn).await?,
    };
    Ok(Json(json!({ "action": action, "conversation_id": called, "answers": answer::answers(view.as_ref()) })))
}

/// Whether a conversation goes on, or the form begins, anew too where its time was up. What is said once all is done begins
/// nothing: it may be the yes of before, sent twice.
fn goes_on(view: &SessionView, silent: bool) -> bool {
    let done = || view.last.iter().any(|reply| reply.complete.is_some());
    view.form.is_some() && (view.state != "Closed" || done() && !silent)
}

/// Somebody who fills in a form, and where.
struct Asking<'a> {
    context: &'a Context,
    user: User,
    place: Place,
}

impl Asking<'_> {
    async fn view(&self) -> Result<Option<SessionView>, Refusal> {
        Ok(self.context.host.view(&self.place, &self.user.id).await?)
    }

    fn event(&self, terms: &Terms, action: Action) -> Result<Event, Refusal> {
        let id = uuid(&context::random()?);
        Ok(Event {
            id: EventId::new(format!("{}:{id}", self.place.channel)),
            place: self.place.clone(),
            user: self.user.clone(),
            at: jiff::Timestamp::now(),
            terms: terms.clone(),
            action,
        })
    }
}

/// The form that a text is: one of the server's own where it is that form's file, else one that came along.
fn form_of(context: &Context, text: &str) -> Result<(Option<String>, Option<Box<Brought>>), Refusal> {
    if let Some(file) = context.host.form_files().into_iter().find(|file| file.text.trim() == text.trim()) {
        return Ok((Some(file.form), None));
    }
    let refused = |error| {
        let refusal = Refusal::from(error);
        // A form that cannot be used is what the client must change, not the shape of its request.
        let status =
            if refusal.status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { refusal.status };
        Refusal { status, ..refusal }
    };
    let form = context.host.form_from_text(text).map_err(refused)?;
    Ok((Some(form), Some(Box::new(Brought::Text { text: text.to_owned() }))))
}

/// Random bits as a UUID of version 4.
fn uuid(bits: &[u8; 16]) -> String {
    let number = u128::from_be_bytes(*bits) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let digits = format!("{number:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_written_with_its_bytes() {
        assert!(is_written("leave.md", "leave.md") && is_written("my leave (é).md", "my%20leave%20(%C3%A9).md"));
        for other in
            ["leave", "leave.mdx", "leave.m%6", "leave.m%", "leave.m%zz", "leave.md%", "LEAVE.md", "leave.md%00", ""]
        {
            assert!(!is_written("leave.md", other), "{other}");
        }
    }

    #[test]
    fn random_bits_are_a_uuid() {
        assert_eq!(uuid(&[0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid(&[0; 16]), "00000000-0000-4000-8000-000000000000");
    }
}
