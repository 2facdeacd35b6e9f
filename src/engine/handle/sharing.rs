//! Who may do what here: forms that a person may not use, and sessions that everybody at a place shares.
//!
//! A form with `scope = "channel"` is filled in the session of its place, by everybody there. Who gave a value is kept
//! with it. A question about a sensitive field goes to whoever acted last, and to nobody else.

use formwright_chat as chat;

use crate::command::{self, allowed, park};
use crate::engine::Engine;
use crate::handle::act;
use crate::input::Input;
use crate::session::{Draft, Session};
use crate::talk::Talk;
use crate::{prompt, world};
use formwright_form::{Form, FormId, Kind};
use formwright_nlu::Pending;

/// What is said to somebody who may do nothing here: the session is another person's, its question is for another
/// one's eyes, or they may not use the form that all fill here.
pub(crate) fn refusal_to_others(
    engine: &Engine,
    session: &Session,
    event: &chat::Event,
    input: &Input,
) -> Option<chat::Reply> {
    if matches!(event.action, chat::Action::Case { .. }) {
        return None;
    }
    let form = session.draft.as_ref().and_then(|draft| engine.form_of(draft));
    let pressed = |presses: &Vec<chat::Press>| presses.iter().any(|press| session.has_shown(&press.token));
    let presses = matches!(&event.action, chat::Action::Press { presses } if pressed(presses));
    let own = event.user.id == session.owner;
    let name = if session.shared {
        let barred = form.is_some_and(|form| !event.terms.allow(form.id.as_str()));
        let starts = matches!(event.action, chat::Action::Open { form: Some(_) } | chat::Action::Start { .. });
        if barred && !starts {
            "not_allowed"
        } else if !own && presses && asks_in_private(engine, session) {
            "not_yours"
        } else {
            return None;
        }
    } else if own {
        return None;
    } else {
        "not_yours"
    };
    if event.terms.overheard {
        return None;
    }
    let world = world::world(engine, session, input, Some(event));
    let say = prompt::Voice { world: &world, form: None }.say(name, &[]);
    let lang = world.speaks.code.to_owned();
    Some(chat::Reply { say: vec![say], lang, private: true, shared: session.shared, ..chat::Reply::default() })
}

/// Whether an event is any business of the bot's. Words in a shared session that were not said to it may be: what the
/// person says who acted last is, what others say answers a question that is not for words of any kind.
pub(crate) fn concerns(engine: &Engine, session: &Session, event: &chat::Event) -> bool {
    if !session.shared || !event.terms.overheard {
        return true;
    }
    if let chat::Action::Edit { message, .. } = &event.action {
        return session.has_heard(message);
    }
    let Some(draft) = &session.draft else { return false };
    let Some(form) = engine.form_of(draft).filter(|form| event.terms.allow(form.id.as_str())) else { return false };
    if event.user.id == session.owner {
        return true;
    }
    let Pending::Field { path, .. } = &draft.pending else { return false };
    let wordy = |kind: &Kind| matches!(kind, Kind::Text(_) | Kind::LongText(_));
    form.field_at(path).is_some_and(|field| !field.sensitive && !wordy(&field.kind))
}

/// Whether what is asked is for the eyes of one person.
fn asks_in_private(engine: &Engine, session: &Session) -> bool {
    let sensitive = |draft: &Draft| match &draft.pending {
        Pending::Field { path, .. } => engine.form_of(draft).is_some_and(|form| is_sensitive(&form, path)),
        _ => false,
    };
    session.draft.as_ref().is_some_and(sensitive)
}

/// Takes over what the platform tells of the person. What several fill together goes on in the language it was begun in.
pub(crate) fn meet(session: &mut Session, user: &chat::User) {
    session.zone = user.zone.clone().or(session.zone.take());
    let settled = session.lang.take_if(|_| session.shared && session.draft.is_some());
    session.lang = settled.or(user.locale.clone()).or(session.lang.take());
}

fn is_sensitive(form: &Form, path: &formwright_form::Path) -> bool {
    form.field_at(path).is_some_and(|field| field.sensitive)
}

/// Says that a form may not be used, and which may.
pub(crate) fn refuse_form(talk: &mut Talk<'_>) {
    talk.note("not_allowed", &[]);
    command::begin::list_forms(talk, None);
}

/// Puts the person's own draft aside where they may no longer use its form; tells whether it did.
pub(crate) fn puts_aside_what_is_not_allowed(talk: &mut Talk<'_>) -> bool {
    let form = talk.session.draft.as_ref().and_then(|draft| talk.engine.form_of(draft));
    if talk.session.shared || form.is_none_or(|form| allowed::may_use(&talk.world, &form)) {
        return false;
    }
    talk.session.parked.extend(talk.session.draft.take());
    true
}

/// Starts a form with words that were said in another session.
pub(crate) fn start_with(talk: &mut Talk<'_>, form: &FormId, text: &str) {
    if talk.session.draft.as_ref().is_some_and(|draft| draft.form == *form) {
        return;
    }
    match command::begin::start(talk, form, Some(text).filter(|text| !text.is_empty())) {
        true if !text.is_empty() => act::hear_on(talk, text),
        true => {}
        false if park::is_parked(talk, form) => {}
        false => command::begin::list_forms(talk, None),
    }
}

/// Hands a shared session to the person who acts now. What was asked of another one in private is not asked of this
/// one by the way: their words answer something else.
pub(crate) fn hand_to(talk: &mut Talk<'_>, event: &chat::Event) {
    if !talk.session.shared {
        return;
    }
    let other = talk.session.owner != event.user.id;
    if other
        && asks_in_private(talk.engine, &talk.session)
        && let Some(draft) = &mut talk.session.draft
    {
        draft.pending = Pending::Nothing;
    }
    talk.session.owner = event.user.id.clone();
}

/// Whether words have changed nothing but how often was asked.
pub(crate) fn is_as_before(session: &Session, before: &Session) -> bool {
    let same = |now: &Draft, was: &Draft| {
        now.answers == was.answers
            && now.lists == was.lists
            && now.skipped == was.skipped
            && now.pending == was.pending
            && now.state == was.state
    };
    match (&session.draft, &before.draft) {
        (Some(now), Some(was)) => same(now, was),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;

    use crate::effect::Effect;
    use crate::engine::Engine;
    use crate::session::Session;
    use crate::testing;
    use formwright_form::FormId;
    use formwright_nlu::Answer;

    const LUNCH: &str = r#"
        id = "lunch"
        title = "Team lunch"
        scope = "channel"
        start_examples = ["team lunch"]
        [[field]]
        id = "people"
        kind = "integer"
        [[field]]
        id = "place"
        kind = "text"
        [[field]]
        id = "iban"
        kind = "text"
        sensitive = true
        [[field]]
        id = "vegan"
        kind = "yes_no"
    "#;
    const PIZZA: &str = r#"
        id = "pizza"
        title = "Pizza order"
        start_examples = ["order a pizza"]
        [[field]]
        id = "count"
        kind = "integer"
    "#;

    struct Room {
        engine: Engine,
        session: Session,
        no: u32,
        effects: Vec<Effect>,
    }

    impl Room {
        fn new(shared: bool) -> Self {
            let place = chat::conformance::place("slack");
            let mut session = Session::new(place, chat::UserId::new("ada"));
            (session.shared, session.shares_place) = (shared, true);
            Self { engine: Engine::new(testing::catalog(&[LUNCH, PIZZA])), session, no: 0, effects: Vec::new() }
        }

        fn does(&mut self, who: &str, action: chat::Action, terms: chat::Terms) -> String {
            self.no += 1;
            let now = Timestamp::from_second(1_800_000_000 + i64::from(self.no)).unwrap();
            let user = testing::somebody(who, if who == "carla" { "it" } else { "en" });
            self.effects = testing::does(&self.engine, &mut self.session, self.no, now, user, (action, terms));
            let said = self.effects.iter().filter_map(|effect| match effect {
                Effect::Reply(reply) => Some(reply.say.join(" ")),
                _ => None,
            });
            said.collect::<Vec<_>>().join(" | ")
        }

        fn says(&mut self, who: &str, text: &str) -> String {
            self.does(who, chat::Action::Say { text: text.to_owned() }, chat::Terms::default())
        }

        fn mutters(&mut self, who: &str, text: &str) -> String {
            let terms = chat::Terms { overheard: true, ..chat::Terms::default() };
            self.does(who, chat::Action::Say { text: text.to_owned() }, terms)
        }

        fn reply(&self) -> &chat::Reply {
            let mut replies = self.effects.iter().filter_map(|effect| match effect {
                Effect::Reply(reply) => Some(reply.as_ref()),
                _ => None,
            });
            replies.next_back().expect("a reply")
        }

        fn answers(&self) -> Vec<(String, Option<&str>)> {
            let draft = self.session.draft.as_ref().expect("a draft");
            let answer = |(path, answer): (&formwright_form::Path, &Answer)| {
                let by = draft.answers.get(path).and_then(|answer| answer.by.as_ref());
                (format!("{path}={}", serde_json::to_string(&answer.value).unwrap()), by.map(chat::UserId::as_str))
            };
            draft.answers.iter().map(answer).collect()
        }
    }

    fn only(forms: &[&str]) -> chat::Terms {
        let forms = Some(forms.iter().map(|form| (*form).to_owned()).collect());
        chat::Terms { forms, ..chat::Terms::default() }
    }

    #[test]
    fn nobody_is_invited_to_write_where_words_are_not_heard() {
        for unheard in [false, true] {
            let open = chat::Action::Open { form: Some("pizza".to_owned()) };
            let told = Room::new(false).does("ada", open, chat::Terms { unheard, ..chat::Terms::default() });
            assert_eq!(told.contains("I need: Count.") && !told.contains("in one message"), unheard, "{told}");
        }
    }

    #[test]
    fn several_fill_one_form_and_who_gave_what_is_kept() {
        let mut room = Room::new(true);
        let _ = room.says("ada", "team lunch");
        assert!(room.reply().shared && !room.reply().private);
        let _ = room.says("ben", "5");
        let _ = room.says("carla", "Luini");
        assert_eq!(room.answers().iter().map(|(_, by)| *by).collect::<Vec<_>>(), [Some("ben"), Some("carla")]);
        assert_eq!(room.session.lang.as_deref(), Some("en"), "it goes on in the language it was begun in");
        assert!(room.reply().private && room.session.owner.as_str() == "carla", "asked of who acted last");
        let _ = room.says("carla", "IT1234");
        let _ = room.says("ada", "no");
        let _ = room.says("ben", "yes");
        let submission = room.effects.iter().find_map(|effect| match effect {
            Effect::Submit(submission) => Some(submission),
            _ => None,
        });
        let submission = submission.expect("anybody may confirm");
        assert_eq!((submission.user.as_str(), submission.shared), ("ben", true));
        let by: Vec<_> = submission.provenance.iter().map(|p| (p.field.to_string(), p.by.clone().unwrap())).collect();
        let by: Vec<_> = by.iter().map(|(field, by)| (field.as_str(), by.as_str())).collect();
        assert_eq!(by, [("iban", "carla"), ("people", "ben"), ("place", "carla"), ("vegan", "ada")]);
    }

    #[test]
    fn what_is_asked_of_one_in_private_another_does_not_answer() {
        let mut room = Room::new(true);
        let _ = room.says("ada", "team lunch");
        let _ = room.says("ada", "5");
        let _ = room.says("ada", "Luini");
        let token = room.reply().questions[0].token.clone();
        let press = chat::Press { token, value: chat::Pressed::Text { text: "IT9999".to_owned() } };
        let said = room.does("ben", chat::Action::Press { presses: vec![press] }, chat::Terms::default());
        assert_eq!(said, "This form belongs to somebody else.");
        assert_eq!(room.mutters("ben", "IT9999"), "", "not even by the way");
        let _ = room.says("ben", "IT9999");
        assert_eq!(room.answers().len(), 2, "{:?}", room.answers());
        assert!(room.reply().private && room.session.owner.as_str() == "ben");
    }

    #[test]
    fn talk_among_people_is_left_alone_unless_it_answers() {
        let mut room = Room::new(true);
        let _ = room.says("ada", "team lunch");
        assert_eq!(room.mutters("ben", "see you at the station"), "");
        assert_ne!(room.mutters("ben", "we are 7"), "");
        let before = room.session.clone();
        assert_eq!(room.mutters("ada", "did anybody feed the cat"), "", "words for any words");
        assert_eq!(room.session, before);
        assert_ne!(room.mutters("ben", "Luini"), "", "who acted last is in the conversation");
    }

    #[test]
    fn a_form_goes_to_the_session_it_belongs_to() {
        let mut own = Room::new(false);
        assert_eq!(own.says("ada", "team lunch for 5 people"), "");
        let text = "team lunch for 5 people".to_owned();
        assert_eq!(own.effects, [Effect::Move { form: FormId::new("lunch"), text: text.clone() }]);
        let mut shared = Room::new(true);
        let start = chat::Action::Start { form: "lunch".to_owned(), text };
        let _ = shared.does("ada", start, chat::Terms::default());
        assert_eq!(shared.answers(), [("people={\"t\":\"integer\",\"v\":5}".to_owned(), Some("ada"))]);
        let open = chat::Action::Open { form: Some("pizza".to_owned()) };
        let _ = shared.does("ben", open, chat::Terms::default());
        assert_eq!(shared.effects, [Effect::Move { form: FormId::new("pizza"), text: String::new() }]);
        assert_eq!(shared.answers().len(), 1, "what all fill stays as it is");
    }

    #[test]
    fn nobody_gets_a_form_that_they_may_not_use() {
        const NO: &str = "You cannot use this form here.";
        let mut room = Room::new(false);
        let say = |text: &str| chat::Action::Say { text: text.to_owned() };
        for action in [
            say("order a pizza"),
            say("I would like to order a pizza"),
            chat::Action::Open { form: Some("pizza".to_owned()) },
        ] {
            let said = room.does("ada", action, only(&["lunch"]));
            assert!(said.starts_with(NO), "{said}");
            let offered: Vec<&str> = room.reply().buttons.iter().map(|button| button.label.as_str()).collect();
            assert_eq!((offered, room.session.draft.is_some()), (vec!["Team lunch"], false));
        }
        let _ = room.does("ada", chat::Action::Open { form: None }, chat::Terms::default());
        let stale = room.reply().buttons.iter().find(|button| button.label == "Pizza order").unwrap().token.clone();
        let press = chat::Press { token: stale, value: chat::Pressed::Button };
        let said = room.does("ada", chat::Action::Press { presses: vec![press] }, only(&["lunch"]));
        assert!(said.starts_with(NO) && room.session.draft.is_none(), "{said}");
    }

    #[test]
    fn a_draft_whose_form_may_not_be_used_any_more_waits() {
        let mut room = Room::new(false);
        let _ = room.says("ada", "order a pizza");
        let said = room.does("ada", chat::Action::Say { text: "3".to_owned() }, only(&[]));
        assert!(said.starts_with("You cannot use this form here."), "{said}");
        assert!(room.session.draft.is_none());
        let _ = room.does("ada", chat::Action::Open { form: Some("pizza".to_owned()) }, chat::Terms::default());
        let _ = room.says("ada", "go on");
        assert_eq!(room.session.draft.as_ref().map(|draft| draft.form.as_str()), Some("pizza"));

        let mut all = Room::new(true);
        let _ = all.says("ada", "team lunch");
        let said = all.does("ben", chat::Action::Say { text: "5".to_owned() }, only(&["pizza"]));
        assert_eq!(said, "You cannot use this form here.");
        assert!(all.reply().private && all.answers().is_empty());
    }
}
