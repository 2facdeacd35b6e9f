//! `formwright explain`: how a message is understood, and where a session's answers come from.

use std::fmt::Write as _;
use std::sync::Arc;

use formwright_chat as chat;
use jiff::Timestamp;

use super::{Failure, pretty, print, table, unknown_form};
use crate::engine::session::Heard;
use crate::engine::{Engine, Explanation, Happening, Input, Piece, Proposed, Reading, Session};
use crate::form::FormId;
use crate::runtime::{Model, SessionKey, Store};

/// What is to be explained.
#[derive(Debug, clap::Args)]
pub struct Explain {
    /// A session, as `formwright explain` lists them: shows its answers with the words they come from.
    #[arg(allow_hyphen_values = true)]
    pub session: Option<String>,
    /// A new conversation in this form, in place of a session.
    #[arg(long, conflicts_with = "session", requires = "say")]
    pub form: Option<String>,
    /// What the person says. Given several times, all but the last are said before it.
    #[arg(long, value_name = "TEXT")]
    pub say: Vec<String>,
    /// The language to speak, such as `it`.
    #[arg(long, requires = "form")]
    pub lang: Option<String>,
    /// Asks the model that is set up, where code leaves something over.
    #[arg(long, requires = "say")]
    pub model: bool,
    /// Tries this reply in place of a model's.
    #[arg(long, value_name = "JSON", conflicts_with = "model", requires = "say")]
    pub reply: Option<String>,
    /// Also prints what a model is told.
    #[arg(long, requires = "say")]
    pub prompt: bool,
    /// Prints one JSON object.
    #[arg(long, requires = "say")]
    pub json: bool,
}

/// Most sessions listed.
const MOST: u32 = 200;

/// Explains; without a session or a form, lists sessions.
///
/// # Errors
/// [`Failure::Asked`] where there is no such form or session, [`Failure::Undone`] where the store or the model fails.
pub async fn run(
    what: Explain,
    engine: &Engine,
    store: Option<&dyn Store>,
    model: Option<Arc<dyn Model>>,
    now: Timestamp,
) -> Result<(), Failure> {
    let session = match (&what.form, &what.session, store) {
        (Some(form), ..) => played(engine, form, &what, now)?,
        (None, Some(name), Some(store)) => stored(store, name).await?,
        (None, _, Some(store)) => return list(store).await,
        (None, _, None) => return Err(Failure::Asked("name a session, or a form with `--form`".to_owned())),
    };
    let Some(text) = what.say.last() else { return print(&told(&session)) };
    let mut reply = what.reply.clone();
    if what.model {
        let call = engine.explain(&session, text, now, None).call;
        let model = model.ok_or_else(|| Failure::Settings("no model is set up: see [model]".to_owned()))?;
        if let Some(call) = call {
            match model.ask(&session.owner, &call).await {
                Ok(said) => reply = Some(said),
                Err(error) => {
                    // What code makes of the message is worth knowing all the same.
                    let mut by_code = engine.explain(&session, text, now, None);
                    by_code.call = by_code.call.filter(|_| what.prompt);
                    print(&if what.json { format!("{}\n", pretty(&by_code)?) } else { drawn(&by_code, text) })?;
                    return Err(Failure::Undone(format!("the model: {}", error.for_log)));
                }
            }
        }
    }
    let mut explanation = engine.explain(&session, text, now, reply.as_deref());
    if !what.prompt {
        explanation.call = None;
    }
    if what.json { print(&format!("{}\n", pretty(&explanation)?)) } else { print(&drawn(&explanation, text)) }
}

/// A new session in a form in which everything but the last message has been said.
fn played(engine: &Engine, form: &str, what: &Explain, now: Timestamp) -> Result<Session, Failure> {
    let id = FormId::new(form);
    if engine.catalog().form(&id).is_none() {
        let known: Vec<&str> = engine.catalog().forms().map(|form| form.id.as_str()).collect();
        return Err(unknown_form(form, known));
    }
    let place = chat::Place {
        platform: chat::Platform::new("terminal"),
        workspace: String::new(),
        channel: "explain".to_owned(),
        thread: None,
    };
    let user = chat::User { id: chat::UserId::new("you"), name: None, locale: what.lang.clone(), zone: None };
    let mut session = Session::new(place.clone(), user.id.clone());
    let before = what.say.split_last().map_or(&[][..], |(_, before)| before);
    let open = std::iter::once(chat::Action::Open { form: Some(form.to_owned()) });
    let actions = open.chain(before.iter().map(|text| chat::Action::Say { text: text.clone() }));
    let by_code = engine.clone().with_model(None);
    for (no, action) in (1_u32..).zip(actions) {
        let event = chat::Event {
            id: chat::EventId::new(no.to_string()),
            place: place.clone(),
            user: user.clone(),
            at: now,
            action,
            terms: chat::Terms::default(),
        };
        let input = Input { now, nonce: chat::Nonce::new(no.into()), event: Happening::Event(Box::new(event)) };
        session = by_code.step(session, input).session;
    }
    Ok(session)
}

async fn stored(store: &dyn Store, name: &str) -> Result<Session, Failure> {
    let gone = || Failure::Asked(format!("there is no session `{name}`; `formwright explain` lists them"));
    let key = SessionKey::named(name).ok_or_else(gone)?;
    let stored = store.load(&key).await.map_err(|error| Failure::Undone(error.to_string()))?;
    stored.session.map(Arc::unwrap_or_clone).ok_or_else(gone)
}

async fn list(store: &dyn Store) -> Result<(), Failure> {
    let failed = |error: crate::runtime::StoreError| Failure::Undone(error.to_string());
    let keys = store.expired(Timestamp::MAX, MOST).await.map_err(failed)?;
    let mut rows = Vec::new();
    for key in keys {
        let Some(session) = store.load(&key).await.map_err(failed)?.session else { continue };
        let draft = session.draft.as_ref().or(session.closed.as_ref());
        let (form, state, touched) = draft.map_or_else(Default::default, |draft| {
            (draft.form.to_string(), format!("{:?}", draft.state), draft.touched.strftime("%Y-%m-%d %H:%M").to_string())
        });
        rows.push(vec![touched, form, state, session.owner.to_string(), key.as_str().to_owned()]);
    }
    if rows.is_empty() {
        return print("no sessions\n");
    }
    rows.sort();
    print(&table(&["touched (UTC)", "form", "state", "user", "session"], &rows))
}

/// Where a session's answers come from.
fn told(session: &Session) -> String {
    let Some(draft) = session.draft.as_ref().or(session.closed.as_ref()) else { return "no form is open\n".to_owned() };
    let mut out = format!("form     {} ({:?})\n", draft.form, draft.state);
    let _ = writeln!(out, "started  {}", draft.started.strftime("%Y-%m-%d %H:%M:%S"));
    out.push_str("\nMessages\n");
    out.extend(draft.history.iter().map(message));
    out.push_str("\nAnswers\n");
    let answers = draft.answers.iter().map(|(path, answer)| {
        let quote = answer.quote.as_ref().map(|quote| format!("{quote:?}")).unwrap_or_default();
        vec![format!("  {path}"), format!("{:?}", answer.source), quote]
    });
    out.push_str(&table(&["  field", "source", "words"], &answers.collect::<Vec<_>>()));
    out
}

/// A message, and below it what a model proposed about it.
fn message(heard: &Heard) -> String {
    let fields: Vec<String> = heard.fields.iter().map(ToString::to_string).collect();
    let fields = if fields.is_empty() { "nothing".to_owned() } else { fields.join(", ") };
    let mut out = format!("  {}  {:?} → {fields}\n", heard.at.strftime("%H:%M:%S"), heard.words);
    for proposed in &heard.proposed {
        let field = proposed.field.as_deref().unwrap_or("a field that the form has not");
        let quote = proposed.quote.as_ref().map_or("words that nobody said".to_owned(), |quote| format!("{quote:?}"));
        let _ = writeln!(out, "    the model: {field} from {quote}, {}", proposed.verdict.words());
    }
    out
}

fn drawn(explanation: &Explanation, text: &str) -> String {
    let mut out = format!("message  {text:?}\n");
    match &explanation.form {
        Some(form) => {
            let _ = writeln!(out, "form     {form}");
            let _ = writeln!(out, "asked    {}", explanation.asked.as_deref().unwrap_or("nothing"));
        }
        None => {
            let forms =
                if explanation.asks_for.is_empty() { "none".to_owned() } else { explanation.asks_for.join(", ") };
            let _ = writeln!(out, "form     none is open; the message asks for: {forms}");
        }
    }
    if explanation.refused_as_secret {
        out.push_str("refused  it reads like a card number or a password: nothing else is looked at\n");
        return out;
    }
    if explanation.form.is_some() {
        out.push_str("\nCode\n");
        draw_reading(&mut out, &explanation.code);
        let asks = match (explanation.model_is_asked, explanation.code.leftover.is_empty()) {
            (true, true) => "asked whether that is what was meant",
            (true, false) => "asked about what is left over",
            (false, _) => "not asked",
        };
        let _ = writeln!(out, "\nModel    {asks}");
    }
    if let Some(call) = &explanation.call {
        let _ = writeln!(out, "\n{}\n\n{}\n\n{}", call.system.trim_end(), call.message, call.schema);
    }
    if let Some(proposal) = &explanation.proposal {
        draw_proposal(&mut out, proposal);
    }
    if let Some(result) = &explanation.result {
        out.push_str("\nTogether\n");
        draw_reading(&mut out, result);
    }
    out
}

fn draw_proposal(out: &mut String, proposal: &Proposed) {
    if let Some(why) = &proposal.unreadable {
        let _ = writeln!(out, "  no proposal: {why}");
        return;
    }
    let _ = writeln!(out, "  intent {}", proposal.intent);
    for (field, quote, value, verdict) in &proposal.updates {
        let _ = writeln!(out, "  {field} = {value:?} from {quote:?}\n    {verdict}");
    }
    for (what, words, done) in &proposal.others {
        let _ = writeln!(out, "  {what} {words:?}\n    {done}");
    }
}

fn draw_reading(out: &mut String, reading: &Reading) {
    let before = out.len();
    for piece in &reading.commands {
        let _ = writeln!(out, "  {}", piece_line(piece));
    }
    for readings in &reading.asks {
        let readings: Vec<String> = readings.iter().map(piece_line).collect();
        let _ = writeln!(out, "  asks: {}?", readings.join(", or "));
    }
    for (field, words, why) in &reading.refused {
        let _ = writeln!(out, "  refused {field} from {words:?}: {why}");
    }
    for field in &reading.later {
        let _ = writeln!(out, "  later {field}: asked in its turn");
    }
    for words in &reading.leftover {
        let _ = writeln!(out, "  left over {words:?}");
    }
    if out.len() == before {
        out.push_str("  nothing\n");
    }
}

fn piece_line(piece: &Piece) -> String {
    let mut line = piece.does.clone();
    for part in [piece.field.clone(), piece.value.as_ref().map(|value| format!("= {value}"))].into_iter().flatten() {
        let _ = write!(line, " {part}");
    }
    if let Some(quote) = &piece.quote {
        let _ = write!(line, " from {quote:?}");
    }
    line
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::stored_before(
        r#"{"words":"we are 4","fields":["guests"],"at":"2026-11-20T09:00:00Z"}"#,
        "  09:00:00  \"we are 4\" → guests\n"
    )]
    #[case::with_what_a_model_proposed(
        r#"{"words":"a few of us","at":"2026-11-20T09:00:00Z","proposed":[
            {"field":"guests","quote":"a few","verdict":"doubtful"},{"verdict":{"dropped":"not_said"}}]}"#,
        concat!(
            "  09:00:00  \"a few of us\" → nothing\n",
            "    the model: guests from \"a few\", asked: only the model says that the words mean it\n",
            "    the model: a field that the form has not from words that nobody said, dropped: the person did not say these words\n",
        )
    )]
    fn a_message_is_shown_with_what_a_model_proposed(#[case] stored: &str, #[case] shown: &str) {
        assert_eq!(message(&serde_json::from_str(stored).unwrap()), shown);
    }
}
