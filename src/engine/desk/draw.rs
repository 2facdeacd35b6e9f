//! What a desk sees of a case.

use formwright_chat as chat;
use formwright_chat::ButtonRole::{Danger, Plain, Primary};

use crate::desk::case::Hall;
use crate::desk::state::{About, Deed, Stage};
use crate::desk::{Act, Asking, CaseScreen};
use crate::prompt::{Facts, Voice};

/// Most fields that a desk is offered to have changed.
const MOST_FIELDS: usize = 25;

/// Most characters of a reason or an answer.
const LONGEST: u32 = 2000;

/// Letters of the code by which somebody without a name is called.
const VISITOR: usize = 4;

impl Hall<'_> {
    /// A sentence about the case.
    pub(crate) fn say(&self, name: &str, facts: &Facts<'_>) -> String {
        let reference = match self.case.affair.about {
            About::Review => format!("F-{}", self.case.code),
            About::HandOff => format!("#{}", self.case.code),
        };
        let person = self.person();
        let mut all = facts.to_vec();
        all.extend([
            ("title", self.case.request.title.as_str()),
            ("person", person.as_str()),
            ("reference", reference.as_str()),
            ("code", self.case.code.as_str()),
        ]);
        Voice { world: &self.world, form: None }.say(name, &all)
    }

    /// What the person is called: a visitor where there is but an id that the page or a key has made.
    fn person(&self) -> String {
        let person = &self.case.request.person;
        if person.name.is_some() || !person.id.as_str().contains(':') {
            return person.called().to_owned();
        }
        let code: String = self.case.code.as_str().chars().take(VISITOR).collect();
        Voice { world: &self.world, form: None }.say("case_visitor", &[("code", &code)])
    }

    /// The short names of fields.
    pub(crate) fn labels(&self, fields: &[String]) -> String {
        let request = &self.case.request;
        let label = |field: &String| {
            request.rows.iter().chain(&request.empty).find(|row| row.field == *field).map(|row| row.label.clone())
        };
        let labels: Vec<String> = fields.iter().filter_map(label).collect();
        self.list(&labels)
    }

    pub(crate) fn list(&self, words: &[String]) -> String {
        Voice { world: &self.world, form: None }.list(words)
    }

    fn reply(&self, say: Vec<String>, over: bool) -> chat::Reply {
        chat::Reply {
            say,
            lang: self.world.speaks.code.to_owned(),
            shared: true,
            case: Some(chat::CaseMark { code: self.case.code.clone(), over }),
            ..chat::Reply::default()
        }
    }

    /// Tells everybody at the desk something, without widgets; `over` takes those away that are shown.
    pub(crate) fn tell(&mut self, say: Vec<String>, over: bool) {
        let reply = self.reply(say, over);
        self.replies.push(reply);
    }

    /// Tells who did something why that does not count.
    pub(crate) fn whisper(&mut self, name: &str, facts: &Facts<'_>) {
        let told = self.say(name, facts);
        self.whispered(told);
    }

    pub(crate) fn whispered(&mut self, told: String) {
        let reply = chat::Reply { private: true, shared: false, ..self.reply(vec![told], false) };
        self.replies.push(reply);
    }

    /// Shows the case with the widgets that count from now on.
    pub(crate) fn draw(&mut self, mut say: Vec<String>) {
        if self.case.affair.is_over() {
            let told = self.ending();
            return self.tell(vec![told], true);
        }
        let nonce = chat::Nonce::of_case(&self.case.code, &self.world.nonce);
        let mut screen = CaseScreen { nonce: nonce.clone(), slots: Vec::new() };
        let mut reply = self.reply(Vec::new(), false);
        let begins = !say.is_empty();
        match (&self.case.affair.stage, self.case.asking.clone()) {
            (Stage::Changing { who }, _) => {
                say.push(self.say("case_changing", &[("who", who.called())]));
                return self.tell(say, true);
            }
            (Stage::Claimed { .. }, _) => {
                let ask = self.say("case_hint_talk", &[]);
                self.words(&mut screen, &mut reply, "case_answer", ask.clone());
                self.button(&mut screen, &mut reply, "button_return", Plain, Act::Do(Deed::Return));
                say.push(ask);
            }
            (_, Some(Asking::Reason)) => {
                let ask = self.say("case_why_reject", &[]);
                self.words(&mut screen, &mut reply, "case_reason", ask.clone());
                self.button(&mut screen, &mut reply, "button_back", Plain, Act::Never);
                say.push(ask);
            }
            (_, Some(Asking::Why { fields })) => {
                let ask = self.say("case_why_change", &[("labels", &self.labels(&fields))]);
                self.words(&mut screen, &mut reply, "case_reason", ask.clone());
                self.button(&mut screen, &mut reply, "button_back", Plain, Act::Never);
                say.push(ask);
            }
            (_, Some(Asking::Fields)) => {
                let ask = self.say("case_which_fields", &[]);
                self.fields(&mut screen, &mut reply, ask.clone());
                self.button(&mut screen, &mut reply, "button_back", Plain, Act::Never);
                say.push(ask);
            }
            (_, None) => {
                if !begins {
                    say.push(self.say("case_reminder", &[]));
                }
                let (title, rows) = (self.case.request.title.clone(), self.case.request.rows.clone());
                reply.card = (!rows.is_empty()).then_some(chat::Card { title, rows });
                if self.case.affair.about == About::HandOff {
                    say.push(self.say("case_hint_claim", &[]));
                    self.button(&mut screen, &mut reply, "button_claim", Primary, Act::Do(Deed::Claim));
                } else {
                    say.push(self.say("case_hint", &[]));
                    self.button(&mut screen, &mut reply, "button_approve", Primary, Act::Do(Deed::Approve));
                    self.button(&mut screen, &mut reply, "button_reject", Danger, Act::Do(Deed::Reject));
                    if self.changeable().next().is_some() {
                        self.button(&mut screen, &mut reply, "button_changes", Plain, Act::Do(Deed::Change));
                    }
                }
            }
        }
        reply.say = say;
        self.case.screen = Some(screen);
        self.replies.push(reply);
    }

    fn button(&self, screen: &mut CaseScreen, reply: &mut chat::Reply, name: &str, role: chat::ButtonRole, act: Act) {
        reply.buttons.push(chat::Button { token: screen.slot(act), label: self.say(name, &[]), role });
    }

    fn words(&self, screen: &mut CaseScreen, reply: &mut chat::Reply, label: &str, ask: String) {
        let input = chat::Input::Text { long: true, max_chars: Some(LONGEST), example: None, secret: false };
        reply.questions.push(question(screen.slot(Act::Words), self.say(label, &[]), ask, input));
    }

    fn fields(&self, screen: &mut CaseScreen, reply: &mut chat::Reply, ask: String) {
        let token = screen.slot(Act::Fields);
        let rows = self.changeable().take(MOST_FIELDS).zip(0_u16..);
        let choice = |(row, no): (&chat::CardRow, u16)| chat::Choice {
            token: token.option(no),
            label: row.label.clone(),
            detail: None,
            picked: false,
        };
        let options = rows.map(choice).collect();
        let input = chat::Input::Options { options, multiple: true, min: 1, max: None, other: false };
        reply.questions.push(question(token, self.say("button_changes", &[]), ask, input));
    }
}

impl CaseScreen {
    fn slot(&mut self, act: Act) -> chat::Token {
        let no = u16::try_from(self.slots.len()).unwrap_or(u16::MAX);
        self.slots.push(act);
        chat::Token::new(&self.nonce, no)
    }
}

fn question(token: chat::Token, label: String, ask: String, input: chat::Input) -> chat::Question {
    chat::Question {
        field: "case".to_owned(),
        token,
        label,
        ask,
        help: None,
        required: true,
        problem: None,
        prefill: None,
        input,
    }
}
