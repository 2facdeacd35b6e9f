//! The side of whoever talks to a person: asked for, there, gone again.

use chat::{CaseCode, CaseMark, CaseNews, CaseRequest, Member};
use formwright_chat as chat;
use serde::{Deserialize, Serialize};

use crate::engine::carry::Then;
use crate::engine::digress;
use crate::engine::fill::Filling;
use crate::engine::finish::submission_id;
use crate::engine::talk::Talk;
use crate::form::kind::{Said, secret};
use crate::form::language::control::Control;
use crate::form::language::desk::DeskWord;

/// A person who was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandOff {
    /// Names the case.
    code: CaseCode,
    /// Name of the desk.
    desk: String,
    /// Who is there; none while nobody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    who: Option<Member>,
}

impl Talk<'_> {
    /// Asks for a person, where the form has any; else says where else to turn.
    pub(in crate::engine) fn ask_for_human(&mut self, filling: &mut Filling<'_>) -> Then {
        let named = filling.form.handoff.as_ref();
        let Some((name, desk)) = named.and_then(|name| self.engine.desks.get_key_value(name)) else {
            return self.tell(filling, digress::human);
        };
        if self.session.handoff.is_some() {
            self.notes.push(filling.say("handed_off_already", &[]));
            return Then::Go;
        }
        let Some(code) = CaseCode::of_submission(&submission_id(&self.world.nonce, 99)) else {
            return Then::Vain;
        };
        let said = filling.draft().history.last().map(|heard| heard.words.clone());
        let request = self.request(filling.form, filling.draft(), name, desk);
        let request = Box::new(CaseRequest { said, ..request });
        self.tell_desk(desk, &code, CaseNews::HandOff { request }, "1");
        self.session.handoff = Some(Box::new(HandOff { code, desk: name.clone(), who: None }));
        self.notes.push(filling.say("handed_off", &[]));
        Then::Go
    }

    /// Takes what is said to the desk, where somebody is there; tells whether it did.
    pub(in crate::engine) fn passes_on(&mut self, event: &chat::Event) -> bool {
        let chat::Action::Say { text } = &event.action else { return false };
        let Some(handoff) = self.session.handoff.clone().filter(|_| !event.terms.overheard) else { return false };
        let Some(who) = handoff.who.clone() else { return false };
        let said = Said::new(text);
        if said.words.is_empty() {
            return false;
        }
        if !secret::secrets(&said).is_empty() {
            self.note("secret", &[]);
            self.quiet = Some(CaseMark { code: handoff.code, over: false });
            return true;
        }
        let news = if self.wants_back(&said) {
            self.session.handoff = None;
            self.note("desk_left_self", &[]);
            CaseNews::Withdrawn
        } else {
            self.note("passed_on", &[("who", who.called())]);
            self.quiet = Some(CaseMark { code: handoff.code.clone(), over: false });
            CaseNews::Said { text: text.clone() }
        };
        if let Some(desk) = self.engine.desks.get(&handoff.desk) {
            self.tell_desk(desk, &handoff.code, news, event.id.as_str());
        }
        true
    }

    /// Whether words are nothing but the wish to go back to the form.
    fn wants_back(&self, said: &Said) -> bool {
        self.world.lang.and_english().any(|lang| {
            let control = lang.control.whole.at(said, 0).filter(|(len, _)| *len == said.words.len());
            let desk = lang.desk.word.at(said, 0).filter(|(len, _)| *len == said.words.len());
            control.is_some_and(|(_, what)| matches!(what, Control::Back | Control::Continue | Control::Cancel))
                || desk.is_some_and(|(_, what)| *what == DeskWord::Back)
        })
    }

    /// Hears what somebody at the desk has done; false where it is about no talk of this session.
    pub(super) fn hear_of_talk(&mut self, code: &CaseCode, news: &CaseNews) -> bool {
        let Some(handoff) = self.session.handoff.as_mut().filter(|handoff| handoff.code == *code) else {
            return false;
        };
        let quiet = CaseMark { code: code.clone(), over: false };
        match news {
            CaseNews::Claimed { who } => {
                handoff.who = Some(who.clone());
                self.quiet = Some(quiet);
                self.note("desk_joined", &[("who", who.called())]);
            }
            CaseNews::Answer { who, text } => {
                self.quiet = Some(quiet);
                self.notes.push(format!("{}: {text}", who.called()));
            }
            CaseNews::Back { who } => {
                self.session.handoff = None;
                self.note("desk_left", &[("who", who.called())]);
            }
            CaseNews::Lapsed => {
                self.session.handoff = None;
                self.note("desk_silent", &[]);
            }
            CaseNews::Review { .. }
            | CaseNews::HandOff { .. }
            | CaseNews::Said { .. }
            | CaseNews::Withdrawn
            | CaseNews::Approved { .. }
            | CaseNews::Rejected { .. }
            | CaseNews::Changes { .. } => return false,
        }
        true
    }
}
