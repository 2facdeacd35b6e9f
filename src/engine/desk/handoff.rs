//! The side of whoever talks to a person: asked for, there, gone again.

use formwright_chat as chat;
use formwright_chat::{CaseCode, CaseMark, CaseNews, CaseRequest, Member};

use crate::ask::help;
use crate::command::change::Then;
use crate::command::digress;
use crate::desk::person;
use crate::draft::filling::Filling;
use crate::flow::submission;
use crate::session::handoff::{HandOff, Line};
use crate::session::{Session, State};
use crate::talk::Talk;
use crate::world::World;
use formwright_form::kind::{Said, file, location, secret};
use formwright_lexicon::control::Control;
use formwright_lexicon::desk::DeskWord;

/// Most things said in a talk that are kept, to be shown again.
const MOST_LINES: usize = 10;

/// Asks for a person, where the form has any; else says where else to turn.
pub(crate) fn ask_for_human(talk: &mut Talk<'_>, filling: &mut Filling<'_>) -> Then {
    let named = filling.form.handoff.as_ref();
    let Some((name, desk)) = named.and_then(|name| talk.engine.desks.get_key_value(name)) else {
        return digress::tell(talk, filling, help::human);
    };
    if talk.session.handoff.is_some() {
        talk.saying.notes.push(filling.say("handed_off_already", &[]));
        return Then::Go;
    }
    let Some(code) = CaseCode::of_submission(&submission::new_submission(talk)) else { return Then::Vain };
    let said = filling.draft().history.last().map(|heard| heard.words.clone());
    let request = person::request(talk, filling.form, filling.draft(), name, desk);
    let request = Box::new(CaseRequest { said, ..request });
    person::tell_desk(talk, desk, &code, CaseNews::HandOff { request }, "1");
    talk.session.handoff = Some(Box::new(HandOff { code, desk: name.clone(), who: None, said: Vec::new() }));
    let waits = filling.draft().state == State::InReview;
    talk.saying.notes.push(filling.say(if waits { "handed_off_waiting" } else { "handed_off" }, &[]));
    Then::Go
}

/// Takes what is said or sent to the desk, where somebody is there; tells whether it did.
pub(crate) fn passes_on(talk: &mut Talk<'_>, event: &chat::Event) -> bool {
    let Some(handoff) = talk.session.handoff.clone().filter(|_| !event.terms.overheard) else { return false };
    let (Some(who), Some(text)) = (&handoff.who, in_words(&event.action)) else { return false };
    let who = who.called();
    talk.saying.quiet = Some(CaseMark { code: handoff.code.clone(), over: false });
    let said = Said::new(&text);
    if text.trim().is_empty() {
        talk.note("desk_joined", &[("who", who)]);
        return true;
    }
    if !secret::secrets(&said).is_empty() {
        talk.note("secret", &[]);
        return true;
    }
    let news = if wants_back(&talk.world, &said) {
        (talk.session.handoff, talk.saying.quiet) = (None, None);
        talk.note("desk_left_self", &[]);
        CaseNews::Withdrawn
    } else {
        match &event.action {
            chat::Action::Attach { files, .. } if !files.iter().all(file::is_link) => {
                talk.note("passed_on_files", &[("who", who), ("list", &file::shown(files))]);
            }
            _ => talk.note("passed_on", &[("who", who)]),
        }
        remember_talk(&mut talk.session, None, &text);
        CaseNews::Said { text }
    };
    if let Some(desk) = talk.engine.desks.get(&handoff.desk) {
        person::tell_desk(talk, desk, &handoff.code, news, event.id.as_str());
    }
    true
}

/// Keeps what was said last in the talk.
fn remember_talk(session: &mut Session, who: Option<&Member>, text: &str) {
    let Some(handoff) = &mut session.handoff else { return };
    handoff.said.push(Line { who: who.map(|who| who.called().to_owned()), text: text.to_owned() });
    let old = handoff.said.len().saturating_sub(MOST_LINES);
    handoff.said.drain(..old);
}

/// Whether words are nothing but the wish to go back to the form.
fn wants_back(world: &World, said: &Said) -> bool {
    world.lang.and_english().any(|lang| {
        let control = lang.control.whole.at(said, 0).filter(|(len, _)| *len == said.words.len());
        let desk = lang.desk.word.at(said, 0).filter(|(len, _)| *len == said.words.len());
        control.is_some_and(|(_, what)| matches!(what, Control::Back | Control::Continue | Control::Cancel))
            || desk.is_some_and(|(_, what)| *what == DeskWord::Back)
    })
}

/// Hears what somebody at the desk has done; false where it is about no talk of this session.
pub(crate) fn hear_of_talk(talk: &mut Talk<'_>, code: &CaseCode, news: &CaseNews) -> bool {
    let Some(handoff) = talk.session.handoff.as_mut().filter(|handoff| handoff.code == *code) else {
        return false;
    };
    let quiet = CaseMark { code: code.clone(), over: false };
    match news {
        CaseNews::Claimed { who } => {
            handoff.who = Some(who.clone());
            talk.saying.quiet = Some(quiet);
            talk.note("desk_joined", &[("who", who.called())]);
        }
        CaseNews::Answer { who, text } => {
            talk.saying.quiet = Some(quiet);
            talk.saying.notes.push(format!("{}: {text}", who.called()));
            remember_talk(&mut talk.session, Some(who), text);
        }
        CaseNews::Back { who } => {
            talk.session.handoff = None;
            talk.note("desk_left", &[("who", who.called())]);
        }
        CaseNews::Lapsed => {
            talk.session.handoff = None;
            talk.note("desk_silent", &[]);
        }
        CaseNews::Unreached => talk.note("desk_away", &[]),
        CaseNews::Review { .. }
        | CaseNews::HandOff { .. }
        | CaseNews::Said { .. }
        | CaseNews::Withdrawn
        | CaseNews::Forgotten
        | CaseNews::Approved { .. }
        | CaseNews::Rejected { .. }
        | CaseNews::Changes { .. } => return false,
    }
    true
}

/// Words, and the files that came with them: their names, and the addresses of those that have one.
pub(crate) fn with_files(text: &str, files: &[chat::FileRef]) -> String {
    let links = files.iter().filter(|file| file::is_link(file) && file.bytes.is_some_and(|bytes| bytes > 0));
    let lines = [text.to_owned(), format!("\u{1f4ce} {}", file::shown(files))].into_iter();
    let lines = lines.chain(links.map(|file| file.id.clone())).filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// What somebody does, as words for who talks to them: empty where it is something that cannot be told, none where it is
/// for the form.
fn in_words(action: &chat::Action) -> Option<String> {
    match action {
        chat::Action::Say { text } => Some(text.clone()),
        chat::Action::Edit { text, .. } => Some(format!("\u{270f}\u{fe0f} {text}")),
        chat::Action::Attach { files, text } => Some(with_files(text, files)),
        chat::Action::Share { location } => Some(format!("\u{1f4cd} {}", location::shown(location))),
        // What says nothing: a sticker, a command without words.
        chat::Action::Open { form: None } => Some(String::new()),
        chat::Action::Open { form: Some(_) }
        | chat::Action::Start { .. }
        | chat::Action::Case { .. }
        | chat::Action::Press { .. }
        | chat::Action::ToolResults { .. } => None,
    }
}
