//! What happens in a case: somebody at the desk presses or writes, the person does something, time passes.

use std::collections::BTreeMap;

use formwright_chat as chat;
use formwright_chat::{CaseNews, Decision, Member, Pressed};
use jiff::{SignedDuration, Timestamp};

use crate::desk::state::{About, Deed, Done, End, No, Stage};
use crate::desk::words::Told;
use crate::desk::{self, Act, Asking, Case, Desk, PATIENCE, REMEMBERED, send};
use crate::effect::Effect;
use crate::world::World;

/// One step of a case.
pub(crate) struct Hall<'a> {
    pub(crate) case: Case,
    pub(crate) desk: Option<&'a Desk>,
    pub(crate) world: World,
    pub(crate) replies: Vec<chat::Reply>,
    /// What the person is told.
    pub(crate) news: Vec<Effect>,
}

impl Hall<'_> {
    fn now(&self) -> Timestamp {
        self.world.now.timestamp()
    }

    pub(crate) fn opens(&mut self) {
        self.case.opened = self.now();
        self.wait_for_desk();
        let mut say = vec![match self.case.affair.about {
            About::Review => self.say("case_review", &[]),
            About::HandOff => self.say("case_hand_off", &[]),
        }];
        if self.case.affair.needs > 1 {
            say.push(self.say("case_needs", &[("count", &self.case.affair.needs.to_string())]));
        }
        if let Some(text) = self.case.request.said.clone() {
            say.push(self.say("case_said", &[("text", &text)]));
        }
        self.draw(say);
    }

    /// When the desk is reminded next, or given up.
    fn wait_for_desk(&mut self) {
        let last = after(self.case.opened, PATIENCE);
        let remind = self.case.request.remind.and_then(|seconds| i64::try_from(seconds).ok());
        self.case.wake = remind.map_or(last, |seconds| after(self.now(), seconds.max(60)).min(last));
    }

    pub(crate) fn event(&mut self, event: &chat::Event) {
        match &event.action {
            chat::Action::Case { news, .. } => self.hears(news),
            chat::Action::Press { presses } => {
                for press in presses {
                    self.pressed(&decision(event), press);
                }
            }
            chat::Action::Say { text } => {
                let text = chat::addressed(text).map_or(text.as_str(), |(_, rest)| rest);
                self.written(&decision(event), text);
            }
            chat::Action::Attach { files, text } => {
                let caption = chat::addressed(text).map_or(text.as_str(), |(_, rest)| rest);
                self.sent(&decision(event), caption, files);
            }
            chat::Action::Edit { .. } => {
                let told = self.say("case_edited", &[]);
                self.tell(vec![told], false);
            }
            chat::Action::Open { .. }
            | chat::Action::Start { .. }
            | chat::Action::Share { .. }
            | chat::Action::ToolResults { .. } => {}
        }
    }

    /// The person did something.
    fn hears(&mut self, news: &CaseNews) {
        match news {
            CaseNews::Review { request } if self.case.affair.again() => {
                let changed = self.changed(request);
                self.case.request = (**request).clone();
                self.ask_no_more();
                self.case.opened = self.now();
                self.wait_for_desk();
                let mut say = vec![self.say("case_again", &[])];
                if !changed.is_empty() {
                    say.push(self.say("case_changed", &[("list", &changed)]));
                }
                self.draw(say);
            }
            CaseNews::Said { text } if !self.case.affair.is_over() => {
                let said = self.say("case_said", &[("text", text)]);
                self.draw(vec![said]);
            }
            CaseNews::Withdrawn | CaseNews::Forgotten if self.case.affair.ends(End::Withdrawn) => self.is_over(None),
            _ => {}
        }
    }

    /// Answers that are others than before, with what they were; of what is masked, only that it is another.
    fn changed(&self, request: &chat::CaseRequest) -> String {
        let before: BTreeMap<&str, &str> =
            self.case.request.rows.iter().map(|row| (row.field.as_str(), row.value.as_str())).collect();
        let rows = &request.rows;
        let now: BTreeMap<&str, &str> = rows.iter().map(|row| (row.field.as_str(), row.value.as_str())).collect();
        let changed = rows.iter().filter(|row| {
            before.get(row.field.as_str()) != Some(&row.value.as_str()) || request.veiled.contains(&row.field)
        });
        let told = changed.map(|row| match before.get(row.field.as_str()) {
            Some(_) if request.veiled.contains(&row.field) => self.say("case_veiled", &[("label", &row.label)]),
            Some(old) => format!("{}: {} → {}", row.label, old, row.value),
            None => format!("{}: {}", row.label, row.value),
        });
        let gone = self.case.request.rows.iter().filter(|row| !now.contains_key(row.field.as_str()));
        let told = told.chain(gone.map(|row| format!("{}: –", row.label)));
        told.collect::<Vec<_>>().join("; ")
    }

    fn pressed(&mut self, who: &Decision, press: &chat::Press) {
        let screen = self.case.screen.as_ref().filter(|screen| screen.nonce == press.token.nonce);
        let Some(act) = screen.and_then(|screen| screen.slots.get(usize::from(press.token.slot)).copied()) else {
            return self.comes_late(who);
        };
        match (act, &press.value) {
            (Act::Do(deed), _) => self.does(who, deed, ""),
            (Act::Never, _) => {
                if self.may(who, Deed::Reject) {
                    self.asks(who, None);
                }
            }
            (Act::Words, Pressed::Text { text }) => self.answered(who, text),
            (Act::Fields, Pressed::Options { tokens }) => {
                let open: Vec<&chat::CardRow> = self.changeable().collect();
                let picked = tokens.iter().filter(|token| token.nonce == press.token.nonce);
                let picked = picked.filter_map(|token| open.get(usize::from(token.option?)).copied());
                let fields: Vec<String> = picked.map(|row| row.field.clone()).collect();
                self.changes(who, fields, "");
            }
            (Act::Words | Act::Fields, _) => {}
        }
    }

    /// Rows whose answers the person can change, then those of fields that they left empty.
    pub(crate) fn changeable(&self) -> impl Iterator<Item = &chat::CardRow> {
        let fixed = |row: &&chat::CardRow| matches!(row.source, chat::Source::Fixed | chat::Source::Computed);
        self.case.request.rows.iter().filter(move |row| !fixed(row)).chain(&self.case.request.empty)
    }

    pub(crate) fn written(&mut self, who: &Decision, text: &str) {
        match desk::words::told(text, self.world.lang, self.case.affair.about) {
            Told::Do(deed, rest) => self.does(who, deed, rest),
            Told::Words("") => self.draw(Vec::new()),
            Told::Words(text) => self.answered(who, text),
        }
    }

    /// Words in answer to what this one of the desk is asked, or to the person. Whoever else is asked why, what somebody
    /// else says is about something else.
    fn answered(&mut self, who: &Decision, text: &str) {
        match self.asked_of(who).cloned() {
            _ if self.case.affair.about == About::HandOff => self.does(who, Deed::Answer, text),
            Some(Asking::Reason) => self.does(who, Deed::Reject, text),
            Some(Asking::Fields) => self.does(who, Deed::Change, text),
            Some(Asking::Why { fields }) => self.changes(who, fields, text),
            None if self.case.affair.is_over() => self.refuse(No::Over),
            None => self.whisper("case_hint", &[]),
        }
    }

    /// What somebody is asked for.
    fn asked_of(&self, who: &Decision) -> Option<&Asking> {
        let anybody = |asked: &chat::UserId| *asked == who.user.id;
        let now = self.case.asking.as_ref().filter(|_| self.case.asked.as_ref().is_none_or(anybody));
        now.or_else(|| self.case.aside.get(&who.user.id))
    }

    /// Asks somebody for what belongs to what they want to do; with none, for nothing any more. What somebody else was
    /// asked before waits for their words.
    fn asks(&mut self, who: &Decision, asking: Option<Asking>) {
        if let (Some(before), Some(other)) = (self.case.asking.take(), self.case.asked.take()) {
            self.case.aside.insert(other, before);
        }
        self.case.aside.remove(&who.user.id);
        self.case.asked = asking.as_ref().map(|_| who.user.id.clone());
        self.case.asking = asking;
        self.draw(Vec::new());
    }

    /// Nobody is asked for anything any more.
    fn ask_no_more(&mut self) {
        (self.case.asking, self.case.asked) = (None, None);
        self.case.aside.clear();
    }

    fn may(&mut self, who: &Decision, deed: Deed) -> bool {
        let may = match self.desk {
            Some(desk) => self.case.affair.may(&who.user.id, deed, &desk.people, &self.case.person),
            None => {
                let (code, name) = (&self.case.code, &self.case.request.desk);
                self.news.push(Effect::Fault(format!(
                    "case {code} is for the desk `{name}`, and there is none of that name in the settings any more"
                )));
                Err(No::Stranger)
            }
        };
        match may {
            Ok(()) => true,
            Err(no) => {
                self.refuse(no);
                false
            }
        }
    }

    pub(crate) fn does(&mut self, who: &Decision, deed: Deed, text: &str) {
        if !self.may(who, deed) {
            return;
        }
        match deed {
            Deed::Reject if text.is_empty() => self.asks(who, Some(Asking::Reason)),
            Deed::Change if text.is_empty() => self.asks(who, Some(Asking::Fields)),
            Deed::Change => {
                let open: Vec<chat::CardRow> = self.changeable().cloned().collect();
                match desk::words::fields(text, &open) {
                    Some((fields, why)) => self.changes(who, fields, why),
                    None => {
                        let labels: Vec<String> = open.into_iter().map(|row| row.label).collect();
                        self.whisper("case_no_field", &[("labels", &labels.join(", "))]);
                    }
                }
            }
            Deed::Approve | Deed::Reject | Deed::Claim | Deed::Answer | Deed::Return => {
                self.is_done(who, deed, text, Vec::new());
            }
        }
    }

    fn changes(&mut self, who: &Decision, fields: Vec<String>, why: &str) {
        if !self.may(who, Deed::Change) {
            return;
        }
        match (fields.is_empty(), why.is_empty()) {
            (true, _) => self.asks(who, Some(Asking::Fields)),
            (false, true) => self.asks(who, Some(Asking::Why { fields })),
            (false, false) => self.is_done(who, Deed::Change, why, fields),
        }
    }

    /// Does something; `fields` are those that are to be changed.
    fn is_done(&mut self, who: &Decision, deed: Deed, text: &str, fields: Vec<String>) {
        let Some(desk) = self.desk else { return self.refuse(No::Stranger) };
        let done = match self.case.affair.does(who, deed, &desk.people, &self.case.person) {
            Ok(done) => done,
            Err(no) => return self.refuse(no),
        };
        let round = self.case.request.round.to_string();
        let member = who.user.clone();
        match (deed, done) {
            (_, Done::Counted(left)) => {
                let name = if left == 1 { "case_counted_one" } else { "case_counted" };
                let told = self.say(name, &[("who", member.called()), ("count", &left.to_string())]);
                self.tell(vec![told], false);
                // Who approves has not the other thing in mind any more that they were asked about.
                if self.asked_of(who).is_some() {
                    self.asks(who, None);
                }
            }
            (Deed::Approve, Done::Done) => {
                self.send(CaseNews::Approved { decisions: self.case.affair.approved.clone() }, &round);
                self.is_over(Some(text));
            }
            (Deed::Reject, Done::Done) => {
                self.send(CaseNews::Rejected { decision: who.clone(), why: text.to_owned() }, &round);
                self.is_over(Some(text));
            }
            (Deed::Change, Done::Done) => {
                self.ask_no_more();
                let labels = self.labels(&fields);
                let told = self.say("case_changes", &[("who", member.called()), ("labels", &labels), ("why", text)]);
                self.send(CaseNews::Changes { decision: who.clone(), fields, why: text.to_owned() }, &round);
                self.case.screen = None;
                self.case.opened = self.now();
                self.case.wake = after(self.now(), PATIENCE);
                self.tell(vec![told], true);
            }
            (Deed::Claim, Done::Done) => {
                self.case.opened = self.now();
                self.case.wake = after(self.now(), PATIENCE);
                let told = self.say("case_claimed", &[("who", member.called())]);
                self.send(CaseNews::Claimed { who: member }, "1");
                self.draw(vec![told]);
            }
            (Deed::Answer, Done::Done) => {
                let told = self.say("case_answered", &[("who", member.called()), ("text", text)]);
                let count = self.world.event.as_ref().map(ToString::to_string).unwrap_or_default();
                self.send(CaseNews::Answer { who: member, text: text.to_owned() }, &count);
                self.tell(vec![told], false);
            }
            (Deed::Return, Done::Done) => {
                self.send(CaseNews::Back { who: member }, "1");
                self.is_over(None);
            }
        }
    }

    /// Tells everybody at the desk how it ended.
    fn is_over(&mut self, why: Option<&str>) {
        self.ask_no_more();
        self.case.screen = None;
        self.case.wake = after(self.now(), REMEMBERED);
        let mut told = self.ending();
        if let Some(why) = why.filter(|why| !why.is_empty()) {
            told = format!("{told} {why}");
        }
        self.tell(vec![told], true);
    }

    /// How it ended, in a sentence.
    pub(crate) fn ending(&self) -> String {
        let Stage::Over { end, who } = &self.case.affair.stage else { return String::new() };
        let names: Vec<String> = match end {
            End::Approved => self.case.affair.approved.iter().map(|by| by.user.called().to_owned()).collect(),
            End::Rejected | End::Returned | End::Withdrawn | End::Lapsed => {
                who.iter().map(|who| who.called().to_owned()).collect()
            }
        };
        let name = match end {
            End::Approved => "case_approved",
            End::Rejected => "case_rejected",
            End::Returned => "case_returned",
            End::Withdrawn => "case_withdrawn",
            End::Lapsed => "case_lapsed",
        };
        self.say(name, &[("who", &self.list(&names))])
    }

    /// Time has passed; tells whether the case is still to be kept.
    pub(crate) fn time_is_up(&mut self) -> bool {
        if self.case.affair.is_over() {
            return false;
        }
        if self.now() >= after(self.case.opened, PATIENCE) {
            if self.case.affair.ends(End::Lapsed) {
                self.send(CaseNews::Lapsed, "1");
                self.is_over(None);
            }
        } else {
            self.wait_for_desk();
            if self.case.affair.stage == Stage::Open {
                let told = self.say("case_reminder", &[]);
                self.draw(vec![told]);
            }
        }
        true
    }

    fn send(&mut self, news: CaseNews, count: &str) {
        self.news.push(Effect::Send(Box::new(send::to_person(&self.case, news, count, self.now()))));
    }
}

fn decision(event: &chat::Event) -> Decision {
    let user = Member { id: event.user.id.clone(), name: event.user.name.clone() };
    Decision { user, at: event.at }
}

/// A moment so many seconds later; the latest there is where that is none.
fn after(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}
