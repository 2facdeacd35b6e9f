//! What is waited for, and what waits its turn: the second of two answers to be changed, words said while a tool runs.

use formwright_chat as chat;

use super::carry::{Then, UNASKED_CHANGE};
use super::command::Command;
use super::decide::Next;
use super::fill::Filling;
use super::hear;
use super::session::Pending;
use super::talk::Talk;
use super::understand::Understood;
use formwright_form::kind::Said;
use formwright_form::{Kind, Path};
use formwright_lexicon::{Language, Phrases};
use formwright_text::Class;

/// Asks whether a value was read right: name of a message.
pub(super) const VERIFY: &str = "verify";

/// Asks whether a value is right that a tool brought: name of a message.
pub(super) const VERIFY_FOUND: &str = "verify_found";

/// Asks whether several values were read right: name of a message.
pub(super) const VERIFY_ALL: &str = "verify_all";

/// Most messages that are kept while a client runs a tool: with the next one its result is not waited for any more.
const MOST_KEPT: usize = 2;

/// What becomes of a message that comes while the client runs a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meanwhile {
    /// It is heard when the result is there, and the client is asked for it again.
    Kept,
    /// It counts at once; the client is waited for no longer.
    Counts,
    /// So too, and by it the person wants to leave.
    Leaves,
}

impl Talk<'_> {
    /// Tells that an answer stays as it is.
    pub(super) fn tell_kept(&mut self, filling: &Filling<'_>, path: &Path) {
        let Some(answer) = filling.draft().answers.get(path) else { return };
        let facts = (filling.label(path), filling.show(path, &answer.value));
        self.notes.push(filling.say("kept", &[("label", &facts.0), ("value", &facts.1)]));
    }

    /// Of several answers that a message wants to change, keeps the first and gives the others: they are asked one after
    /// the other.
    pub(super) fn put_in_line(&mut self, filling: &Filling<'_>, commands: &mut Vec<Command>) -> Vec<Pending> {
        let changes = |command: &Command| match command {
            Command::Edit { path: Some(path) } if !filling.draft().is_hidden(path) => Some(path.clone()),
            _ => None,
        };
        let mut paths: Vec<Path> = Vec::new();
        for path in commands.iter().filter_map(changes) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let Some((first, rest)) = paths.split_first().filter(|(_, rest)| !rest.is_empty()) else { return Vec::new() };
        let labels: Vec<String> = paths.iter().map(|path| filling.label(path)).collect();
        let labels = filling.voice().list(&labels);
        self.notes.push(filling.say("one_by_one", &[("labels", &labels)]));
        let mut kept = false;
        commands.retain(|command| match changes(command) {
            Some(path) if path == *first => !std::mem::replace(&mut kept, true),
            other => other.is_none(),
        });
        rest.iter().map(|path| Pending::Field { path: path.clone(), editing: true }).collect()
    }

    /// Asks whether values are meant that the words name only roughly, one after the other.
    pub(super) fn ask_whether_meant(&mut self, filling: &mut Filling<'_>, rough: Vec<Command>) {
        let mut asks = Vec::new();
        for command in rough {
            let Command::Fill { path, value, .. } = &command else { continue };
            let Some(field) = filling.form.field_at(path) else { continue };
            match filling.vet(field, path, value) {
                Err(refusal) => {
                    let _ = self.refuse(filling, path, refusal);
                }
                Ok(()) => {
                    asks.push(Pending::Sure { then: Box::new(command), question: "did_you_mean".to_owned() });
                }
            }
        }
        let mut asks = asks.into_iter();
        if let Some(first) = asks.next() {
            filling.put_first(first);
            filling.journal.draft.waiting.splice(0..0, asks);
        }
    }

    /// Goes on with what waits in line, where nothing else is waited for.
    pub(super) fn take_up_waiting(&mut self, filling: &mut Filling<'_>) {
        while !filling.is_sticky() && !filling.draft().waiting.is_empty() {
            match filling.journal.draft.waiting.remove(0) {
                Pending::Field { path, .. } => {
                    let _ = self.edit(filling, Some(path));
                    filling.stay();
                }
                pending => filling.journal.draft.pending = pending,
            }
        }
    }

    /// Keeps what is said while the client runs a tool, and has the client asked for the same call again. Control words are
    /// not kept: they count at once, but where the client does what was confirmed: that is waited for, and only who wants to
    /// leave does not.
    pub(super) fn keep_for_later(&mut self, action: &chat::Action) -> Meanwhile {
        let draft = self.session.draft.as_ref();
        let doing = draft.is_some_and(|draft| {
            matches!(draft.pending, Pending::Tool { client: true, .. }) && super::deeds::is_under_way(draft)
        });
        let text = match action {
            chat::Action::Say { text } => text,
            chat::Action::Press { .. } | chat::Action::Open { form: None } if doing => return Meanwhile::Kept,
            _ => return Meanwhile::Counts,
        };
        let runs = |pending: &Pending| matches!(pending, Pending::Tool { client: true, .. });
        let draft = self.session.draft.as_ref().filter(|draft| runs(&draft.pending));
        let room = draft.is_some_and(|draft| draft.unheard.len() < MOST_KEPT);
        if draft.is_none() || text.trim().is_empty() {
            return Meanwhile::Counts;
        }
        let Some((form, draft)) = self.take_draft() else { return Meanwhile::Counts };
        let world = self.world.speaking(&form);
        let mut filling = Filling::new(&form, &world, draft);
        if filling.tells_a_secret(&Said::new(text)) {
            self.refuse_secret(&mut filling);
            self.put_draft(filling);
            return Meanwhile::Kept;
        }
        let steers = steering(&filling, &Said::new(text));
        let leaves = steers.as_ref().is_some_and(|commands| commands.contains(&Command::Cancel));
        if steers.is_none() && room {
            filling.journal.draft.unheard.push(text.clone());
            self.notes.push(filling.say("kept_for_later", &[]));
        }
        self.put_draft(filling);
        match steers {
            Some(_) if leaves => Meanwhile::Leaves,
            Some(_) if doing && room => Meanwhile::Kept,
            None if room => Meanwhile::Kept,
            Some(_) | None => Meanwhile::Counts,
        }
    }

    /// Hears what was said while a tool was running, now that nothing runs any more.
    pub(super) fn hear_kept(&mut self) {
        let any = |talk: &Self| talk.session.draft.as_ref().is_some_and(|draft| !draft.unheard.is_empty());
        for _ in 0..=MOST_KEPT {
            if !any(self) {
                return;
            }
            let hear = |talk: &mut Self, filling: &mut Filling<'_>| {
                if filling.decide(&mut talk.notes) != Next::Wait {
                    return Then::Go;
                }
                let text = filling.journal.draft.unheard.remove(0);
                // Who said it saw no question.
                let then = talk.hear_late(filling, &text, Pending::Nothing);
                if then == Then::Go {
                    let _ = filling.decide(&mut talk.notes);
                }
                then
            };
            self.in_form(hear, |_| {});
        }
    }
}

/// What a message wants of the conversation; none where it tells something.
fn steering(filling: &Filling<'_>, said: &Said) -> Option<Vec<Command>> {
    let Understood { commands, rough, unsure, refused, later, leftover } = hear::read(&[], filling, said);
    let tells = |command: &Command| matches!(command, Command::Fill { .. } | Command::Confirm | Command::Deny);
    let steers = !commands.is_empty()
        && rough.is_empty()
        && unsure.is_empty()
        && refused.is_empty()
        && later.is_empty()
        && leftover.is_empty()
        && !commands.iter().any(tells);
    steers.then_some(commands)
}

impl Pending {
    /// The field that this asks about, which of several readings is meant.
    pub(super) fn asks_which_of(&self) -> Option<&Path> {
        let Self::Which { readings, .. } = self else { return None };
        super::ask::one_field(readings)
    }
}

impl Filling<'_> {
    /// Waits for something at once; what a question of this message waits for already comes after it.
    pub(super) fn put_first(&mut self, pending: Pending) {
        if let Some(path) = pending.asks_which_of() {
            self.drop_which_of(&path.clone());
        }
        let before = std::mem::replace(&mut self.journal.draft.pending, pending);
        if matches!(before, Pending::Sure { .. } | Pending::Which { .. }) {
            self.journal.draft.waiting.insert(0, before);
        }
    }

    /// Does not ask any more which reading of a field's answer is meant.
    pub(super) fn drop_which_of(&mut self, path: &Path) {
        let draft = &mut self.journal.draft;
        draft.waiting.retain(|waiting| waiting.asks_which_of() != Some(path));
        if draft.pending.asks_which_of() == Some(path) {
            draft.pending = Pending::Nothing;
        }
    }

    /// Asks whether a value was read right, in the order in which values came: after another one that this is asked of, and
    /// in place of what is asked of the same field.
    pub(super) fn ask_whether_right(&mut self, path: &Path, then: Box<Command>) {
        self.ask_sure_of(path, Pending::Sure { then, question: VERIFY.to_owned() });
    }

    /// Asks whether a value is right that a tool brought.
    pub(super) fn ask_whether_found(&mut self, path: &Path, then: Box<Command>) {
        self.ask_sure_of(path, Pending::Sure { then, question: VERIFY_FOUND.to_owned() });
    }

    fn ask_sure_of(&mut self, path: &Path, sure: Pending) {
        self.no_longer_doubts(path);
        let draft = &mut self.journal.draft;
        match &draft.pending {
            Pending::Sure { then, .. } if !then.fills().is_empty() => draft.waiting.push(sure),
            _ => draft.pending = sure,
        }
    }

    /// Stays at the asked field until it is dealt with, whatever the order of asking.
    pub(super) fn stay(&mut self) {
        if let Pending::Field { editing, .. } = &mut self.journal.draft.pending {
            *editing = true;
        }
    }

    /// The asked field, or the first open one, if it is of a kind.
    pub(super) fn wants(&self, fits: fn(&Kind) -> bool) -> Option<Path> {
        let of_kind = |path: &Path| self.form.field_at(path).is_some_and(|field| fits(&field.kind));
        if let Pending::Field { path, .. } = &self.draft().pending
            && of_kind(path)
        {
            return Some(path.clone());
        }
        self.open_fields().find(of_kind)
    }

    /// Whether the asked field has nothing to choose from because its tool has failed.
    pub(super) fn waits_for_failed_tool(&self) -> bool {
        matches!(&self.draft().pending, Pending::Field { path, .. } if self.tool_has_failed(path))
    }

    /// Counts a try in vain for what is asked; gives what is said of it.
    pub(super) fn failed(&mut self) -> Option<String> {
        if let Pending::Which { again, readings } = &mut self.journal.draft.pending {
            // Asked twice: then the field's own question stands again.
            if !std::mem::replace(again, true) {
                return None;
            }
            let of_values = readings.iter().all(|(_, command)| command.filled().is_some());
            self.let_go();
            return of_values.then(|| self.say("which_none", &[]));
        }
        let Pending::Field { path, .. } = self.draft().pending.clone() else { return None };
        let asked = self.journal.draft.asked.entry(path).or_default();
        asked.failures = asked.failures.saturating_add(1);
        asked.refusal = Some(formwright_form::kind::Refusal::new("not_understood"));
        None
    }
}

/// Whether a message says that an answer stays as it is, where it is asked whether it changes: "no, keep Ann".
pub(super) fn keeps_the_answer(filling: &Filling<'_>, said: &Said) -> bool {
    let Pending::Sure { then, question } = &filling.draft().pending else { return false };
    let Command::Fill { path, .. } = then.as_ref() else { return false };
    let Some(answer) = filling.draft().answers.get(path).filter(|_| question == UNASKED_CHANGE) else { return false };
    let old = Said::new(&filling.show(path, &answer.value));
    let lang = filling.world.lang;
    let (mut no, mut named) = (0, false);
    while no < said.words.len() {
        let small = lang.and_english().filter_map(|lang| {
            let tables = [&lang.yes_no.no, &lang.denial.keep, &lang.sentence.stop];
            tables.into_iter().filter_map(|table| table.at(said, no)).map(|(len, ())| len).max()
        });
        let is_old = (0..old.words.len()).any(|at| old.word(at) == said.word(no));
        let mark = said.words.get(no).is_some_and(|word| word.class == Class::Mark);
        named |= is_old && !mark;
        match small.max() {
            Some(len) => no += len.max(1),
            None if is_old || mark => no += 1,
            None => return false,
        }
    }
    named
}

/// A bare yes or no.
pub(super) fn yes_or_no(said: &Said, lang: &Language) -> Option<bool> {
    let count = said.words.iter().rposition(|word| word.class != Class::Mark)? + 1;
    let whole = |of: fn(&Language) -> &Phrases<()>| {
        lang.and_english().any(|lang| of(lang).at(said, 0).is_some_and(|(len, ())| len == count))
    };
    if whole(|lang| &lang.yes_no.yes) {
        return Some(true);
    }
    whole(|lang| &lang.yes_no.no).then_some(false)
}
