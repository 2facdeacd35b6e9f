//! Reading a message in the language it is in.

use std::sync::Arc;

use crate::draft::filling::Filling;
use formwright_form::kind::{Offered, Said};
use formwright_form::{Form, Kind, Path, Value};
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_nlu as nlu;
use formwright_nlu::{Command, Pending, Scene, SlotChoices, Understood};
use formwright_text::Class;

/// Whether the asked field takes any words.
pub(crate) fn asks_for_words(filling: &Filling<'_>) -> bool {
    let Pending::Field { path, .. } = &filling.draft().pending else { return false };
    let kind = filling.form.field_at(path).map(|field| &field.kind);
    match kind {
        Some(Kind::Text(text)) => text.subtype.is_none(),
        Some(Kind::LongText(_)) => true,
        _ => false,
    }
}

/// Reads a message in the person's language, in the form's where that gives nothing, and in others where it answers in one.
pub(crate) fn read(forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    let understood = read_as_spoken(forms, filling, said);
    if !understood.is_nothing() {
        return understood;
    }
    answered_in_another(filling, said).unwrap_or(understood)
}

/// Reads a message in the person's language, and in the form's where that gives nothing.
pub(crate) fn read_as_spoken(forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    let Filling { world, .. } = filling;
    let understood = read_in(world.lang, forms, filling, said);
    if !understood.is_nothing() || world.lang.code == world.speaks.code {
        return understood;
    }
    let spoken = read_in(world.speaks, forms, filling, said);
    if spoken.is_nothing() { understood } else { spoken }
}

/// Whether a message means a command in a language that is spoken here.
pub(crate) fn is_spoken(filling: &Filling<'_>, said: &Said, command: &Command) -> bool {
    let Filling { world, .. } = filling;
    [world.lang, world.speaks].into_iter().any(|lang| read_in(lang, &[], filling, said).commands.contains(command))
}

/// Yes, no, cancel, or a way about the form in a language that is not spoken here, where the words mean nothing else: "sì",
/// "ja", "aiuto", "zurück". Where words are asked for they are the answer.
fn answered_in_another(filling: &Filling<'_>, said: &Said) -> Option<Understood> {
    const MOST_WORDS: usize = 5;
    let pending = &filling.draft().pending;
    let asked = match pending {
        Pending::Field { path, .. } => filling.form.field_at(path).map(|field| &field.kind),
        _ => None,
    };
    let yes_or_no = match pending {
        Pending::Nothing | Pending::Tool { .. } | Pending::Which { .. } => false,
        Pending::Field { path, editing } => {
            *editing || filling.draft().offered.contains_key(path) || matches!(asked, Some(Kind::YesNo(_)))
        }
        _ => true,
    };
    if said.words.len() > MOST_WORDS {
        return None;
    }
    let words = asks_for_words(filling);
    let yes_no_asked = matches!(asked, Some(Kind::YesNo(_)));
    let answers = |command: &Command| match command {
        Command::Cancel => true,
        Command::Help | Command::Back | Command::Undo | Command::Redo | Command::Review | Command::Repeat => !words,
        Command::Confirm | Command::Deny | Command::AddItem { .. } | Command::EndList { .. } => yes_or_no,
        Command::Fill { value: Value::Bool(_), .. } => yes_no_asked,
        _ => false,
    };
    language::all()
        .filter(|lang| lang.code != filling.world.lang.code && (yes_no_asked || may_steer(lang, said)))
        .map(|lang| read_in(lang, &[], filling, said))
        .find(|read| {
            let whole = read.leftover.is_empty() && read.unsure.is_empty() && read.refused.is_empty();
            whole && matches!(read.commands.as_slice(), [one] if answers(one))
        })
}

/// Whether a message has a word that steers in a language, or says yes or no: most have none and are not read in it.
fn may_steer(lang: &Language, said: &Said) -> bool {
    let tables = [&lang.yes_no.yes, &lang.yes_no.no, &lang.yes_no.negation, &lang.control.add];
    let starts = |no| lang.control.whole.starts(said, no) || tables.into_iter().any(|table| table.starts(said, no));
    // "-" alone says that there is nothing, in every language.
    said.words.iter().enumerate().any(|(no, word)| word.class != Class::Mark && starts(no))
}

pub(crate) fn read_in(lang: &Language, forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Understood {
    with_scene(lang, forms, filling, |scene| nlu::understand(scene, said))
}

/// What fields could be filled with by a message, and how likely that is.
pub(crate) fn weighed(forms: &[Arc<Form>], filling: &Filling<'_>, said: &Said) -> Vec<SlotChoices> {
    with_scene(filling.world.lang, forms, filling, |scene| {
        nlu::understand(&Scene { explains: true, ..*scene }, said).weighed
    })
}

/// Reads something with what is known where a message is read.
pub(crate) fn with_scene<R>(
    lang: &Language,
    forms: &[Arc<Form>],
    filling: &Filling<'_>,
    read: impl FnOnce(&Scene<'_>) -> R,
) -> R {
    let forms: Vec<&Form> = forms.iter().map(Arc::as_ref).filter(|form| form.id != filling.form.id).collect();
    let offered = |path: &Path| -> Arc<[Offered]> {
        filling.form.field_at(path).map(|field| filling.offered(field, path)).unwrap_or_default()
    };
    let scene = Scene {
        form: filling.form,
        draft: filling.draft().so_far(),
        forms: &forms,
        now: &filling.world.now,
        lang,
        region: filling.world.region.as_deref(),
        offered: &offered,
        explains: false,
    };
    read(&scene)
}
