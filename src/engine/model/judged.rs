//! Which answers a model judges.

use crate::draft::filling::Filling;
use formwright_form::Path;
use formwright_form::field::Field;
use formwright_nlu::{Command, Pending, Understood, is_sensitive};

/// The text whose words are to be judged, with those words: the asked one, or one that the message names.
pub(crate) fn judged(filling: &Filling<'_>, understood: &Understood) -> Option<(Path, String)> {
    let fills = understood.commands.iter().chain(&understood.rough).filter_map(|command| match command {
        Command::Fill { path, quote: Some(quote), .. } => {
            is_judged(filling, path).then(|| (path.clone(), quote.clone()))
        }
        _ => None,
    });
    let mut fills: Vec<_> = fills.collect();
    fills.sort_by_key(|(path, _)| Some(path) != asked(filling));
    fills.into_iter().next()
}

/// The text that is to be judged where code found no words for one: the asked one.
pub(crate) fn asked_judged<'f>(filling: &'f Filling<'_>) -> Option<&'f Path> {
    asked(filling).filter(|path| is_judged(filling, path))
}

pub(crate) fn asked<'f>(filling: &'f Filling<'_>) -> Option<&'f Path> {
    match &filling.draft().pending {
        Pending::Field { path, .. } => Some(path),
        _ => None,
    }
}

/// Whether words for a field are judged: not where that was found so often that the next ones are taken, for a model
/// that says no to everything must not keep anybody from going on.
pub(crate) fn is_judged(filling: &Filling<'_>, path: &Path) -> bool {
    const MOST: u32 = 2;
    let open = |field: &Field| field.judge.is_some() && !is_sensitive(filling.form, field);
    let beside = filling.draft().asked.get(path).map_or(0, |asked| asked.beside);
    beside < MOST && filling.form.field_at(path).is_some_and(open)
}
