//! Presses: opaque tokens become commands. Only what the present screen shows counts.

use formwright_chat as chat;

use crate::command::change::{self, Then};
use crate::command::{dispatch, navigate};
use crate::draft::filling::{self, Filling};
use crate::session::screen::{self, Pressing, Slot};
use crate::talk::Talk;
use crate::tools::hooks;
use crate::zone;
use formwright_form::field::Field;
use formwright_form::kind::{Context, Offered, Reading, Refusal, Said};
use formwright_form::{Kind, Path, Value};
use formwright_nlu::Command;

/// Carries out presses inside a form.
pub(crate) fn press(talk: &mut Talk<'_>, filling: &mut Filling<'_>, presses: &[chat::Press]) -> Then {
    for (no, press) in presses.iter().enumerate() {
        // What stands together on one widget is one answer.
        if presses[..no].iter().any(|before| before.token == press.token) {
            continue;
        }
        let then = match screen::look_up(&talk.session, &press.token) {
            // A button answers what was asked when it was drawn: a second one would answer what the first one asks.
            Pressing::Now(Slot::Do { command, .. }) => return dispatch::carry_out(talk, filling, command),
            Pressing::Now(Slot::Field { path }) => press_field(talk, filling, &path, &of_widget(presses, &press.token)),
            Pressing::Past(path) => {
                navigate::old_button(&mut talk.saying, filling, path.as_ref());
                Then::Go
            }
            Pressing::Unknown => {
                navigate::old_button(&mut talk.saying, filling, None);
                Then::Go
            }
        };
        if then != Then::Go {
            return then;
        }
    }
    Then::Go
}

fn press_field(talk: &mut Talk<'_>, filling: &mut Filling<'_>, path: &Path, pressed: &[&chat::Press]) -> Then {
    let Some(field) = filling.form.field_at(path) else { return Then::Vain };
    if pressed.iter().all(|press| press.value == chat::Pressed::Empty) {
        leave_empty(talk, filling, field, path);
        return Then::Go;
    }
    let offered = filling.offered(field, path);
    match pressed_value(field, pressed, &filling.context(field, &offered), &offered) {
        Ok(value) => {
            let fill = Command::Fill { path: path.clone(), value, quote: None };
            let mut then = Then::Go;
            for command in hooks::sanitized(talk, filling, vec![fill]) {
                then = dispatch::carry_out(talk, filling, command);
            }
            keep_words(filling, field, path, pressed);
            then
        }
        Err(refusal) => change::refuse(talk, filling, path, refusal),
    }
}

/// A field that was shown and left empty: what it held is taken away, and an optional one is not asked again. Where
/// the widget cannot show what there is, empty says nothing about it.
fn leave_empty(talk: &mut Talk<'_>, filling: &mut Filling<'_>, field: &Field, path: &Path) {
    if filling.draft().is_hidden(path) || filling.is_required(field, path) {
        return;
    }
    if filling.draft().answers.contains_key(path) {
        let unseen = matches!(field.kind, Kind::Person(_) | Kind::Channel(_) | Kind::File(_) | Kind::Location(_));
        if field.sensitive || unseen {
            return;
        }
        let _ = dispatch::carry_out(talk, filling, Command::Clear { path: path.clone() });
    }
    if filling.skip(path) {
        change::arrived(filling, path);
    }
}

/// Keeps how a day or time was said by a button, which may mean another one in another zone: "Tomorrow".
fn keep_words(filling: &mut Filling<'_>, field: &Field, path: &Path, pressed: &[&chat::Press]) {
    let Some(chat::Pressed::Text { text }) = pressed.last().map(|press| &press.value) else { return };
    let event = filling.world.event.clone();
    let Some(answer) = filling.journal.draft.answers.get_mut(path).filter(|answer| answer.event == event) else {
        return;
    };
    let exact = field.kind.behaviour().prefill(&answer.value);
    if zone::ask::holds_times(field) && exact.as_ref() != Some(text) {
        answer.quote = Some(text.clone());
    }
}

/// What the widget that wears a token holds: most hold one thing, some picked options beside the person's own words.
pub(crate) fn of_widget<'p>(presses: &'p [chat::Press], token: &chat::Token) -> Vec<&'p chat::Press> {
    presses.iter().filter(|press| press.token == *token).collect()
}

/// The value of what one widget holds. Several options and words of the person's own make one value; elsewhere what comes
/// last counts.
pub(crate) fn pressed_value(
    field: &Field,
    pressed: &[&chat::Press],
    cx: &Context<'_>,
    offered: &[Offered],
) -> Result<Value, Refusal> {
    match pressed {
        [_, _, ..] if matches!(field.kind, Kind::Choices(_)) => {
            let mut all = Vec::new();
            for press in pressed {
                match &press.value {
                    chat::Pressed::Text { text } => all.push(text.clone()),
                    _ => match one_value(field, press, cx, offered)? {
                        Value::Options { picked, .. } => all.extend(picked.iter().map(ToString::to_string)),
                        _ => return Err(Refusal::new("option_not_offered")),
                    },
                }
            }
            field.kind.behaviour().accept(&serde_json::json!(all), cx)
        }
        [.., press] => one_value(field, press, cx, offered),
        [] => Err(Refusal::new(filling::CANNOT_SKIP)),
    }
}

fn one_value(field: &Field, press: &chat::Press, cx: &Context<'_>, offered: &[Offered]) -> Result<Value, Refusal> {
    let behaviour = field.kind.behaviour();
    match &press.value {
        chat::Pressed::Button => picked(field, std::slice::from_ref(&press.token), &press.token, offered),
        chat::Pressed::Empty => Err(Refusal::new(filling::CANNOT_SKIP)),
        chat::Pressed::Options { tokens } => picked(field, tokens, &press.token, offered),
        chat::Pressed::Text { text } => {
            let json = serde_json::Value::String(text.clone());
            behaviour.accept(&json, cx).or_else(|refusal| match behaviour.read(&Said::new(text), cx) {
                Reading::Value(found) => Ok(found.value),
                Reading::Refused(_, refusal) => Err(refusal),
                Reading::Ambiguous(_) | Reading::Nothing => Err(refusal),
            })
        }
        chat::Pressed::Files { files } => behaviour.accept(&serde_json::json!(files), cx),
        chat::Pressed::Location { location } => behaviour.accept(&serde_json::json!(location), cx),
    }
}

/// The value of picked options. Only tokens of this very widget, and options offered now, count.
fn picked(field: &Field, tokens: &[chat::Token], slot: &chat::Token, offered: &[Offered]) -> Result<Value, Refusal> {
    let refused = || Refusal::new("option_not_offered");
    let numbers: Vec<u16> = tokens
        .iter()
        .map(|token| token.option.filter(|_| token.nonce == slot.nonce && token.slot == slot.slot).ok_or_else(refused))
        .collect::<Result<_, _>>()?;
    let option = |no: u16| offered.get(usize::from(no)).map(|option| option.id.clone()).ok_or_else(refused);
    match (&field.kind, numbers.as_slice()) {
        (Kind::Choice(_), [no]) => option(*no).map(Value::Option),
        (Kind::Choices(_), numbers) => {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable();
            numbers.dedup();
            let picked = numbers.into_iter().map(option).collect::<Result<_, _>>()?;
            Ok(Value::Options { picked, other: None })
        }
        (Kind::YesNo(_), [no @ (0 | 1)]) => Ok(Value::Bool(*no == 0)),
        (Kind::Rating(rating), [no]) => Ok(Value::Integer(rating.min.saturating_add(i64::from(*no)))),
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use jiff::Timestamp;

    use crate::effect::Effect;
    use crate::engine::Engine;
    use crate::input::{Happening, Input};
    use crate::session::Session;
    use formwright_form::{Catalog, Value};
    use formwright_load::{Syntax, load};

    const VISIT: &str = r#"
        id = "visit"
        title = "Visit"
        [[field]]
        id = "name"
        kind = "text"
        [[field]]
        id = "floor"
        kind = "integer"
        required = false
        [[field]]
        id = "pin"
        kind = "text"
        required = false
        sensitive = true
        [[field]]
        id = "note"
        kind = "text"
        required = false
    "#;

    struct Visit {
        engine: Engine,
        session: Session,
        no: u32,
    }

    impl Visit {
        fn begin() -> Self {
            Self::of(VISIT)
        }

        fn of(form: &str) -> Self {
            let loaded = load(form, Syntax::Toml);
            let mut catalog = Catalog::default();
            catalog.insert(loaded.form.unwrap_or_else(|| panic!("{:?}", loaded.problems)));
            let mut session = Session::new(chat::conformance::place("slack"), chat::UserId::new("ada"));
            session.draws_pages = true;
            Self { engine: Engine::new(catalog), session, no: 0 }
        }

        fn does(&mut self, action: chat::Action) -> chat::Reply {
            self.no += 1;
            let now = Timestamp::from_second(1_800_000_000 + i64::from(self.no)).unwrap();
            let user = chat::User { id: chat::UserId::new("ada"), name: None, locale: None, zone: None };
            let (id, place) = (chat::EventId::new(self.no.to_string()), self.session.place.clone());
            let event = chat::Event { id, place, user, at: now, action, terms: chat::Terms::default() };
            let nonce = chat::Nonce::new(u128::from(self.no));
            let input = Input { now, nonce, event: Happening::Event(Box::new(event)) };
            let step = self.engine.step(self.session.clone(), input);
            self.session = step.session;
            let mut replies = step.effects.into_iter().filter_map(|effect| match effect {
                Effect::Reply(reply) => Some(*reply),
                _ => None,
            });
            replies.next_back().expect("a reply")
        }

        /// Sends the page as it was drawn, its fields filled in this order; none leaves one empty.
        fn sends(&mut self, page: &chat::Reply, values: &[(&str, Option<&str>)]) -> chat::Reply {
            let press = |(field, value): &(&str, Option<&str>)| {
                let mut questions = page.questions.iter().chain(&page.page);
                let question = questions.find(|question| question.field == *field).expect("it is on the page");
                let value = value.map(|text| chat::Pressed::Text { text: text.to_owned() });
                chat::Press { token: question.token.clone(), value: value.unwrap_or(chat::Pressed::Empty) }
            };
            self.does(chat::Action::Press { presses: values.iter().map(press).collect() })
        }

        fn answer(&self, path: &str) -> Value {
            let draft = self.session.draft.as_ref().expect("a draft");
            let mut answers = draft.answers.iter();
            answers.find(|(at, _)| at.to_string() == path).expect("an answer").1.value.clone()
        }

        fn held(&self) -> Vec<String> {
            let draft = self.session.draft.as_ref().expect("a draft");
            let skipped = draft.skipped.iter().map(|path| format!("{path} skipped"));
            draft.answers.keys().map(ToString::to_string).chain(skipped).collect()
        }
    }

    const PIZZA: &str = r#"
        id = "pizza"
        title = "Pizza"
        [[field]]
        id = "size"
        kind = "choice"
        options = ["Small", "Large"]
        other = true
        [[field]]
        id = "toppings"
        kind = "choices"
        options = ["Olives", "Capers", "Ham"]
        other = true
        min = 2
        max = 3
    "#;

    /// Presses of one question: options by their numbers, and words.
    fn together(question: &chat::Question, picked: &[u16], words: &[&str]) -> chat::Action {
        let token = &question.token;
        let tokens: Vec<chat::Token> = picked.iter().map(|no| token.option(*no)).collect();
        let ticked = (!tokens.is_empty()).then_some(chat::Pressed::Options { tokens });
        let words = words.iter().map(|text| chat::Pressed::Text { text: (*text).to_owned() });
        let presses = ticked.into_iter().chain(words).map(|value| chat::Press { token: token.clone(), value });
        chat::Action::Press { presses: presses.collect() }
    }

    #[test]
    fn ticks_and_words_of_ones_own_are_one_answer() {
        let mut visit = Visit::of(PIZZA);
        let asked = visit.does(chat::Action::Open { form: Some("pizza".to_owned()) });
        let next = visit.does(together(&asked.questions[0], &[0], &["Huge"]));
        assert_eq!(visit.answer("size"), Value::Text("Huge".to_owned()), "of one, what comes last");
        // Counted together they are enough, or too many.
        let refused = visit.does(together(&next.questions[0], &[0, 1, 2], &["Tuna"]));
        assert!(refused.questions[0].problem.is_some(), "{refused:?}");
        visit.does(together(&refused.questions[0], &[2], &["Tuna"]));
        let ham = formwright_form::OptionId::new("ham");
        assert_eq!(visit.answer("toppings"), Value::Options { picked: vec![ham], other: Some("Tuna".to_owned()) });
    }

    #[test]
    fn what_is_left_empty_in_a_form_is_not_asked_again() {
        let mut visit = Visit::begin();
        let page = visit.does(chat::Action::Open { form: Some("visit".to_owned()) });
        let values = [("name", Some("Ada")), ("floor", None), ("pin", None), ("note", Some("late"))];
        let next = visit.sends(&page, &values);
        assert_eq!(visit.held(), ["name", "note", "floor skipped", "pin skipped"]);
        assert!(next.card.is_some(), "{next:?}");
    }

    #[test]
    fn what_is_needed_stays_open_though_it_was_left_empty() {
        let mut visit = Visit::begin();
        let page = visit.does(chat::Action::Open { form: Some("visit".to_owned()) });
        let next = visit.sends(&page, &[("name", None), ("floor", Some("3")), ("pin", None), ("note", None)]);
        assert_eq!(next.questions.first().map(|question| question.field.as_str()), Some("name"));
        assert_eq!(visit.held(), ["floor", "note skipped", "pin skipped"]);
    }

    #[test]
    fn what_is_emptied_is_taken_away_but_not_what_was_not_shown() {
        let mut visit = Visit::begin();
        let page = visit.does(chat::Action::Open { form: Some("visit".to_owned()) });
        let _ = visit.sends(&page, &[("floor", Some("3")), ("pin", Some("1234"))]);
        assert_eq!(visit.held(), ["floor", "pin"]);
        let page = visit.does(chat::Action::Say { text: "change floor".to_owned() });
        let _ = visit.sends(&page, &[("floor", None)]);
        assert_eq!(visit.held(), ["pin", "floor skipped"]);
        let page = visit.does(chat::Action::Say { text: "change pin".to_owned() });
        let _ = visit.sends(&page, &[("pin", None)]);
        assert_eq!(visit.held(), ["pin", "floor skipped"]);
    }
}
