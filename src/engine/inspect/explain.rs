//! How a message is understood, told to people who write forms: nothing is carried out.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Serialize;

use crate::command::{change, dispatch};
use crate::draft::filling::Filling;
use crate::engine::Engine;
use crate::handle::{idle, read, unexplained};
use crate::history::secrets;
use crate::input::{Happening, Input};
use crate::lookup;
use crate::model::{self, Asking, ModelCall, ModelUse, reply, texts};
use crate::prompt::refusal;
use crate::session::Session;
use crate::talk::Talk;
use crate::world::{self, World};
use formwright_form::Form;
use formwright_form::kind::{Said, secret};
use formwright_nlu::{Command, FormPick, Pending, Proposal, Understood, Update, Verdict};

/// How a message is understood.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    /// The form that is open.
    pub form: Option<String>,
    /// The field asked for.
    pub asked: Option<String>,
    /// What it reads like: a card number or a password, which is refused before anything else.
    pub refused_as_secret: bool,
    /// Forms that the message asks for, where none is open.
    pub asks_for: Vec<String>,
    /// What code makes of it.
    pub code: Reading,
    /// Whether a model would be asked.
    pub model_is_asked: bool,
    /// The call that would be made.
    pub call: Option<ModelCall>,
    /// What the model proposed, and what each guard did.
    pub proposal: Option<Proposed>,
    /// What comes of both; none where no model was asked.
    pub result: Option<Reading>,
}

/// What is made of a message.
#[derive(Debug, Default, Serialize)]
pub struct Reading {
    /// What the person wants, in order.
    pub commands: Vec<Piece>,
    /// What the person is asked first: whether this is meant, or which of these.
    pub asks: Vec<Vec<Piece>>,
    /// Values that cannot be taken: the field, the words and why.
    pub refused: Vec<(String, String, String)>,
    /// Fields of which something was said, and which are asked in their turn.
    pub later: Vec<String>,
    /// Words that nothing explains.
    pub leftover: Vec<String>,
}

/// One command.
#[derive(Debug, Serialize)]
pub struct Piece {
    /// What it does: `fill`, `skip`, `cancel`.
    pub does: String,
    /// The field it is about.
    pub field: Option<String>,
    /// The value as shown.
    pub value: Option<String>,
    /// The person's words it comes from.
    pub quote: Option<String>,
}

/// A model's proposal with what became of it.
#[derive(Debug, Default, Serialize)]
pub struct Proposed {
    /// Why the reply is no proposal at all.
    pub unreadable: Option<String>,
    /// What the model believes that the person wants.
    pub intent: String,
    /// Each update: the field, the quote, the value, and what the guards did.
    pub updates: Vec<(String, String, String, String)>,
    /// What else it says, `about`, `answer`, `reply` and the `wording` of each field: its words, and what was done with them.
    pub others: Vec<(String, String, String)>,
}

/// How a message would be understood in a session. `reply` is what a model says to the call, if it was asked.
pub(crate) fn explain(
    engine: &Engine,
    session: &Session,
    text: &str,
    now: Timestamp,
    reply: Option<&str>,
) -> Explanation {
    let input = Input { now, nonce: formwright_chat::Nonce::new(0), event: Happening::Expiry };
    let world = World { library: engine.library.clone(), ..world::world(engine, session, &input, None) };
    let said = Said::new(text);
    let secret = !secret::secrets(&said).is_empty();
    let open = session.draft.clone().and_then(|draft| Some((engine.form_of(&draft)?, draft)));
    let Some((form, draft)) = open else {
        let forms = engine.startable();
        let forms: Vec<&Form> = forms.iter().map(AsRef::as_ref).collect();
        let asks_for = match idle::asked_for(&forms, &said, world.lang) {
            FormPick::None => Vec::new(),
            FormPick::One(form, _) => vec![form.to_string()],
            FormPick::Several(forms) => forms.iter().map(ToString::to_string).collect(),
        };
        return Explanation { refused_as_secret: secret, asks_for, ..Explanation::default() };
    };
    let spoken = world.speaking(&form);
    let mut filling = Filling::new(&form, &spoken, draft);
    let asked = match &filling.draft().pending {
        Pending::Field { path, .. } => Some(path.to_string()),
        _ => None,
    };
    let refused_as_secret = secrets::must_refuse(&filling, &said);
    let shell = Explanation { form: Some(form.id.to_string()), asked, refused_as_secret, ..Explanation::default() };
    if refused_as_secret {
        return shell;
    }
    let mut understood = read::read(&engine.startable(), &filling, &said);
    let engine = engine.clone().with_model(engine.model().cloned().or_else(|| Some(ModelUse::default())));
    let mut lookups = lookup::Lookups::default();
    let mut talk = Talk::new(&engine, world, session.clone(), &mut lookups);
    let trial = Filling::new(&form, &spoken, filling.draft().clone());
    read_on(&mut talk, trial, &said, &mut understood);
    let code = reading(&filling, &said, &understood, &[]);
    talk.model = Asking::May(Box::new(nobody(session, text, now)));
    let model_is_asked = model::ask::model_is_due(&talk, &filling, &said, &understood);
    if !model_is_asked {
        return Explanation { code, ..shell };
    }
    let call = model::ask::call_for(&talk, &filling, &said);
    let Some(reply) = reply else { return Explanation { code, model_is_asked, call, ..shell } };
    let (proposal, result) = match reply::read(reply) {
        Err(why) => {
            let why = Some(why.words().to_owned());
            (Proposed { unreadable: why, ..Proposed::default() }, None)
        }
        Ok(proposal) => {
            let (mut understood, mut judged) = (understood, Cow::Borrowed(&proposal));
            model::ask::refuse_what_is_not_about(&filling, &mut understood, &mut judged, &said);
            let believed = model::ask::believed(&talk, &filling, understood, &judged, &said);
            let result = reading(&filling, &said, &believed.understood, &believed.doubtful);
            texts::keep_wordings(&mut filling, &proposal);
            let others = others(&filling, &proposal, &believed.understood, &said);
            (Proposed { others, ..proposed(&proposal, believed.verdicts) }, Some(result))
        }
    };
    Explanation { code, model_is_asked, call, proposal: Some(proposal), result, ..shell }
}

/// Adds what a message says of fields that its own values bring into view, as a chat hears it once they are filled.
fn read_on(talk: &mut Talk<'_>, mut trial: Filling<'_>, said: &Said, understood: &mut Understood) {
    let hidden = trial.draft().hidden.clone();
    let fills = understood.commands.iter().filter(|command| command.filled().is_some());
    for command in fills.cloned().collect::<Vec<_>>() {
        let _ = dispatch::carry_out(talk, &mut trial, command);
    }
    if let Some((commands, left)) = unexplained::said_of_appeared(&trial, &hidden, said)
        && !commands.is_empty()
    {
        understood.commands.extend(commands);
        unexplained::left_by_both(&mut understood.leftover, &left);
    }
}

fn nobody(session: &Session, text: &str, now: Timestamp) -> formwright_chat::Event {
    formwright_chat::Event {
        id: formwright_chat::EventId::new("explain"),
        place: session.place.clone(),
        user: formwright_chat::User { id: session.owner.clone(), name: None, locale: session.lang.clone(), zone: None },
        at: now,
        action: formwright_chat::Action::Say { text: text.to_owned() },
        terms: formwright_chat::Terms::default(),
    }
}

fn proposed(proposal: &Proposal, verdicts: Vec<(Update, Verdict)>) -> Proposed {
    let update =
        |(update, verdict): (Update, Verdict)| (update.field, update.quote, update.value, verdict.words().to_owned());
    Proposed {
        unreadable: None,
        intent: proposal.intent.name().to_owned(),
        updates: verdicts.into_iter().map(update).collect(),
        others: Vec::new(),
    }
}

/// What a model says besides values, each with what was done with it.
fn others(
    filling: &Filling<'_>,
    proposal: &Proposal,
    understood: &Understood,
    said: &Said,
) -> Vec<(String, String, String)> {
    let mut others = Vec::new();
    let mut tell =
        |what: &str, words: &str, done: &str| others.push((what.to_owned(), words.to_owned(), done.to_owned()));
    if let Some(about) = proposal.about {
        let refused = understood.refused.iter().any(|(_, _, why)| why.code == change::NOT_ABOUT);
        let done = match (about, refused) {
            (true, _) => "the words are an answer to the question",
            (false, true) => "the words are refused: they are no answer to the question",
            (false, false) => "not used: there are no words to be judged",
        };
        tell("about", &about.to_string(), done);
    }
    let only_asks = understood.commands.iter().all(|command| matches!(command, Command::Ask { .. }));
    let nothing_else = only_asks && understood.unsure.is_empty() && understood.refused.is_empty();
    let answer = texts::answer_to_question(filling, proposal, &said.raw);
    let done = match answer.filter(|_| nothing_else) {
        Some(text) => format!("said: {text}"),
        None if !nothing_else => "not said: the message says something else as well".to_owned(),
        None => "not said: it is no question, or the author's texts do not answer it with that".to_owned(),
    };
    for (what, words) in [("answer", &proposal.answer), ("reply", &proposal.reply)] {
        if let Some(words) = words {
            tell(what, words, &done);
        }
    }
    for (field, words) in &proposal.wording {
        let worded = filling.draft().asked.values().filter_map(|asked| asked.worded.as_ref());
        let kept = worded.into_iter().any(|(_, kept)| kept == words.trim());
        let done = if kept { "kept for the question" } else { "not used: the author's words are" };
        tell(&format!("wording of {field}"), words, done);
    }
    others
}

fn reading(filling: &Filling<'_>, said: &Said, understood: &Understood, doubtful: &[Command]) -> Reading {
    let one = |command: &Command| vec![piece(filling, command)];
    let unsure = understood
        .unsure
        .iter()
        .map(|unsure| unsure.readings.iter().map(|(_, command)| piece(filling, command)).collect::<Vec<_>>());
    let refused = understood.refused.iter().map(|(path, span, why)| {
        let words = said.raw.get(span.clone()).unwrap_or_default().to_owned();
        (path.to_string(), words, refusal::refusal(filling, path, why))
    });
    let leftover = understood.leftover.iter().filter_map(|span| said.raw.get(span.clone()));
    Reading {
        commands: understood.commands.iter().map(|command| piece(filling, command)).collect(),
        asks: unsure.chain(understood.rough.iter().map(one)).chain(doubtful.iter().map(one)).collect(),
        refused: refused.collect(),
        later: understood.later.iter().map(ToString::to_string).collect(),
        leftover: leftover.map(str::to_owned).collect(),
    }
}

fn piece(filling: &Filling<'_>, command: &Command) -> Piece {
    let json = serde_json::to_value(command).unwrap_or_default();
    let text = |key: &str| json.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    let field = ["path", "list", "item", "form"].iter().find_map(|key| text(key));
    let (value, quote) = match command {
        Command::Fill { path, value, quote } => (Some(filling.show(path, value)), quote.clone()),
        Command::Ask { question } => (None, Some(question.clone())),
        _ => (None, None),
    };
    Piece { does: text("type").unwrap_or_default(), field, value, quote }
}
