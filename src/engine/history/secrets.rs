//! Card numbers and passwords that are said while something is asked that is kept from everybody's eyes: they may go there, and
//! nowhere else.

use std::ops::Range;

use crate::draft::filling::Filling;
use crate::saying::Saying;
use crate::sheet;
use formwright_form::kind::{Said, overlap, secret};
use formwright_form::{Field, Kind, Path, Value};
use formwright_lexicon::Language;
use formwright_nlu::{Command, Pending, Understood, Unsure, is_sensitive, named_at};

/// Whether words hold a secret, or what goes into a field for passwords of a client's form.
pub(crate) fn tells_a_secret(filling: &Filling<'_>, said: &Said) -> bool {
    let password = || filling.form.stays && private_named(filling, said).iter().any(|field| field.sensitive);
    !secret::secrets(said).is_empty() || password()
}

/// Whether words, or what went into these fields, are to be kept from everybody's eyes.
pub(crate) fn shows_a_secret(filling: &Filling<'_>, said: &Said, fields: &[Path]) -> bool {
    let sensitive = |path| filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field));
    fields.iter().any(sensitive) || tells_a_secret(filling, said) || !private_named(filling, said).is_empty()
}

/// Whether the field asked, or read back, is one whose answers are kept from everybody's eyes.
pub(crate) fn asks_for_a_secret(filling: &Filling<'_>) -> bool {
    let secret = |path: &Path| filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field));
    let about = |command: &Command| match command {
        Command::Clear { path } => secret(path),
        other => other.fills().iter().filter_map(Command::filled).any(secret),
    };
    match &filling.draft().pending {
        Pending::Field { path, .. } => secret(path),
        // What is said there may be a further item.
        Pending::MoreItems { list } => secret(list) || secret(&list.item(0)),
        Pending::Sure { then, .. } => about(then),
        Pending::Which { readings, .. } => readings.iter().any(|(_, command)| about(command)),
        _ => false,
    }
}

/// Refuses a message that holds what is not to be written here.
pub(crate) fn refuse_secret(saying: &mut Saying, filling: &mut Filling<'_>) {
    saying.notes.push(filling.say("secret", &[]));
    sheet::note_vain(filling);
}

/// Refuses what was understood of a message, all of it, where any of that would put a secret into a field that others
/// see, or say it back.
pub(crate) fn keep_secrets_in_place(
    saying: &mut Saying,
    filling: &mut Filling<'_>,
    understood: &mut Understood,
    said: &Said,
) {
    ask_again_in_private(filling, understood);
    if keeps_secrets_out(filling, understood, said) {
        *understood = Understood::default();
        refuse_secret(saying, filling);
    }
}

/// Several readings for a field that is kept from everybody's eyes would be shown as buttons: its question is asked
/// instead.
fn ask_again_in_private(filling: &Filling<'_>, understood: &mut Understood) {
    let Understood { commands, unsure, .. } = understood;
    unsure.retain(|Unsure { readings }| {
        let mut paths = readings.iter().filter_map(|(_, command)| command.filled());
        let private = paths.find(|path| is_private(filling, path));
        commands.extend(private.map(|path| Command::Edit { path: Some(path.clone()) }));
        private.is_none()
    });
}

/// Takes out of what was understood whatever would put a secret into a field that others see, or say it back; tells whether
/// there was any.
pub(crate) fn keeps_secrets_out(filling: &Filling<'_>, understood: &mut Understood, said: &Said) -> bool {
    let secrets = Secrets { spans: secret::secrets(said), said };
    if secrets.spans.is_empty() {
        return false;
    }
    let Understood { commands, unsure, rough, refused, later: _, leftover, weighed: _ } = understood;
    let before = commands.len() + unsure.len() + rough.len() + refused.len() + leftover.len();
    commands.retain(|command| !secrets.shown_by(filling, command));
    rough.retain(|command| !secrets.shown_by(filling, command));
    unsure.retain(|Unsure { readings }| readings.iter().all(|(_, command)| !secrets.shown_by(filling, command)));
    refused.retain(|(path, span, _)| is_private(filling, path) || !secrets.touch(span));
    leftover.retain(|span| !secrets.touch(span));
    commands.len() + unsure.len() + rough.len() + refused.len() + leftover.len() < before
}

/// The secrets of a message.
struct Secrets<'a> {
    spans: Vec<Range<usize>>,
    said: &'a Said,
}

impl Secrets<'_> {
    fn touch(&self, span: &Range<usize>) -> bool {
        self.spans.iter().any(|secret| overlap(secret, span))
    }

    /// Whether words of the message are nowhere said but in a secret, or with one in them.
    fn hold(&self, words: &str) -> bool {
        let mut places = self.said.raw.match_indices(words).map(|(at, found)| at..at + found.len()).peekable();
        match places.peek() {
            Some(_) => places.all(|place| self.touch(&place)),
            None => !secret::secrets(&Said::new(words)).is_empty(),
        }
    }

    /// Whether a command would put a secret where others see it.
    fn shown_by(&self, filling: &Filling<'_>, command: &Command) -> bool {
        match command {
            Command::Fill { path, value, quote } => {
                let holds = |words: &str| !words.is_empty() && self.hold(words);
                !is_private(filling, path) && (quote.as_deref().is_some_and(holds) || holds(&filling.show(path, value)))
            }
            Command::Together { fills } => fills.iter().any(|fill| self.shown_by(filling, fill)),
            Command::FillRest { quote: Some(words), .. } | Command::Ask { question: words } => self.hold(words),
            _ => false,
        }
    }
}

/// Whether a message holds a secret that no field of the form is for. Where it names one that is, only what is read for
/// other fields is refused.
pub(crate) fn must_refuse(filling: &Filling<'_>, said: &Said) -> bool {
    let has_place = || !filling.form.stays && !private_named(filling, said).is_empty();
    !asks_for_a_secret(filling) && tells_a_secret(filling, said) && !has_place()
}

/// Fields kept from everybody's eyes that a message names and says something of, without asking about them.
pub(crate) fn private_named<'t>(filling: &'t Filling<'_>, said: &Said) -> Vec<&'t Field> {
    let tells = |field: &&Field| {
        let label = field.label.pick(&filling.world.tags_of(filling.form));
        // "PIN" is short for "Door PIN".
        let short = label.split_whitespace().filter(|word| secret::is_named(word));
        let named = |name: &str| named_at(said, name).iter().map(Range::len).sum::<usize>();
        let named = std::iter::once(label).chain(short).map(named).max().unwrap_or(0);
        named > 0 && said.words.len() > named && !said.raw.contains(['?', '؟'])
    };
    filling.form.fields.iter().filter(|field| is_sensitive(filling.form, field)).filter(tells).collect()
}

/// Where a secret of any words is asked, takes out what asks about it or declines it: kept and masked, nobody would
/// notice. A secret beside a question is asked for again.
pub(crate) fn keep_talk_out_of_secrets(filling: &Filling<'_>, understood: &mut Understood, said: &Said) {
    let Pending::Field { path: asked, .. } = &filling.draft().pending else { return };
    let Some(field) = filling.form.field_at(asked).filter(|field| is_sensitive(filling.form, field)) else { return };
    // "I cannot sleep" is an answer where no password is asked.
    let password = secret::is_named(field.label.pick(&filling.world.tags_of(filling.form)));
    if !matches!(field.kind, Kind::Text(_)) && !password {
        return;
    }
    let whole = |command: &Command| match command {
        Command::Fill { path, value: Value::Text(text), .. } => {
            path == asked && (asks(&said.raw) || password && declines(text, said, filling.world.lang))
        }
        _ => false,
    };
    understood.commands.retain(|command| !whole(command));
}

/// Whether words end in a question, or a clause of them does.
fn asks(text: &str) -> bool {
    const FEWEST: usize = 3;
    text.match_indices(['?', '؟']).any(|(at, mark)| {
        let after = text.get(at + mark.len()..).and_then(|after| after.chars().next());
        let before = text.get(..at).and_then(|before| before.rsplit(['.', '!', ',', ';', '\n']).next());
        after.is_none_or(char::is_whitespace) && before.unwrap_or_default().split_whitespace().count() >= FEWEST
    })
}

/// Whether a whole message declines what is asked: "no PIN please", "I don't want one".
fn declines(text: &str, said: &Said, lang: &Language) -> bool {
    let declined = |lang: &Language| {
        let denied = |no: usize| lang.yes_no.negation.starts(said, no);
        denied(0) || lang.sentence.speaker.starts(said, 0) && (0..said.words.len()).any(denied)
    };
    said.raw.trim_start().starts_with(text.trim()) && said.words.len() > 1 && lang.and_english().any(declined)
}

/// Whether a field's answers are kept from everybody's eyes.
fn is_private(filling: &Filling<'_>, path: &Path) -> bool {
    filling.form.field_at(path).is_some_and(|field| is_sensitive(filling.form, field))
}

#[cfg(test)]
mod tests {
    use formwright_chat as chat;
    use rstest::rstest;

    use crate::effect::Effect;
    use crate::engine::Engine;

    use crate::session::Session;
    use crate::testing;

    use super::*;

    const PAY: &str = r#"
id = "pay"
title = "Pay"
[[field]]
id = "name"
kind = "text"
[[field]]
id = "salary"
kind = "number"
sensitive = true
"#;

    #[test]
    fn of_two_values_for_a_field_that_nobody_sees_neither_is_shown() {
        let engine = Engine::new(testing::catalog(&[PAY]));
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "1".to_owned(),
            thread: None,
        };
        let mut session = Session::new(place, chat::UserId::new("ada"));
        let now = "2026-11-28T09:00:00Z".parse().unwrap();
        let mut said = |no: u32, action: chat::Action| -> String {
            let effects = testing::does(
                &engine,
                &mut session,
                no,
                now,
                testing::somebody("ada", "en"),
                (action, chat::Terms::default()),
            );
            let replies = effects.iter().filter_map(|effect| match effect {
                Effect::Reply(reply) => Some(serde_json::to_string(reply).unwrap()),
                _ => None,
            });
            replies.collect()
        };
        let say = |text: &str| chat::Action::Say { text: text.to_owned() };
        said(1, chat::Action::Open { form: Some("pay".to_owned()) });
        said(2, say("Ada Lovelace"));
        let review = said(3, say("54321"));
        assert!(review.contains("Confirm"), "{review}");
        let again = said(4, say("salary is 65432 or 54321"));
        assert!(!again.contains("65") && !again.contains("54321"), "{again}");
        assert!(again.contains("Salary"), "{again}");
        let review = said(5, say("65432"));
        assert!(review.contains("Confirm") && !review.contains("65"), "{review}");
    }

    #[rstest]
    #[case("let me think, how long must it be?", true)]
    #[case("what is a PIN for? mine is SESAM12, quiet please", true)]
    #[case("who?Knows77", false)]
    #[case("really?", false)]
    #[case("open sesame", false)]
    fn a_clause_of_several_words_asks(#[case] said: &str, #[case] expected: bool) {
        assert_eq!(asks(said), expected);
    }
}
