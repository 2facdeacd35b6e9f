//! Names of fields that yes and no answer, in the words of a message.

use std::ops::Range;

use super::super::Scene;
use super::super::named::is_hidden;
use super::super::reader::Reader;
use super::super::spans::{asked_path, takes_words};
use super::{Token, value_of};
use crate::so_far::Pending;
use formwright_form::cues::Mention;
use formwright_form::field::Fill;
use formwright_form::{Kind, Path, Value};
use formwright_lexicon::Language;

/// Least share of a field's name that names it here.
const LEAST: f32 = 0.25;

/// The names of fields that yes and no answer.
pub(super) struct Names<'a, 's> {
    pub(super) scene: &'a Scene<'s>,
    pub(super) mentions: &'a [Mention],
}

/// Words that name such fields.
pub(super) struct Name {
    pub(super) len: usize,
    /// Each with how much of its name is said; the best first.
    fields: Vec<(Path, f32)>,
}

impl Name {
    /// The field that is meant: the one before, where the words may go on with its name, else the one that fits best.
    pub(super) fn of(&self, before: Option<&Token>) -> Option<Path> {
        let on = self.fields.iter().find(|(path, _)| before == Some(&Token::Name(path.clone())));
        let best = match self.fields.as_slice() {
            [(_, one), (_, two), ..] if (one - two).abs() < 0.01 => None,
            all => all.first(),
        };
        on.or(best).map(|(path, _)| path.clone())
    }
}

impl Names<'_, '_> {
    pub(super) fn at(&self, no: usize, end: usize) -> Option<Name> {
        let here =
            |mention: &&Mention| mention.words.start == no && mention.words.end <= end && mention.weight >= LEAST;
        let here = || self.mentions.iter().filter(here);
        let len = here().filter(|mention| self.path(mention).is_some()).map(|mention| mention.words.len()).max()?;
        let longest = here().filter(|mention| mention.words.len() == len);
        let mut fields: Vec<(Path, f32)> = Vec::new();
        for mention in longest {
            // A word that names another sort of field as well names neither.
            let path = self.path(mention)?;
            match fields.iter_mut().find(|(known, _)| *known == path) {
                Some((_, weight)) => *weight = weight.max(mention.weight),
                None => fields.push((path, mention.weight)),
            }
        }
        fields.sort_by(|one, two| two.1.total_cmp(&one.1));
        Some(Name { len, fields })
    }

    /// The field of a mention, where yes and no answer it and words may.
    fn path(&self, mention: &Mention) -> Option<Path> {
        let field = self.scene.form.field(mention.field)?;
        // "No accidents" says yes to "accident-free".
        if mention.weight < 1.0 && self.scene.form.cues().is_of_absence(mention.field) {
            return None;
        }
        let path = self.scene.form.path_near(field.no, &Path::default())?;
        let asked = asked_path(self.scene).as_ref() == Some(&path);
        let open = takes_words(field, asked) && (field.fill == Fill::Any || asked) && !is_hidden(self.scene, &path);
        self.value(&path, true).filter(|_| open && !mention.cue && !mention.unit).map(|_| path)
    }

    pub(super) fn value(&self, path: &Path, yes: bool) -> Option<Value> {
        let field = self.scene.form.field_at(path)?;
        let offered = (self.scene.offered)(path);
        let langs: Vec<&Language> = self.scene.lang.and_english().collect();
        value_of(field, &offered, &langs, yes)
    }

    /// What was asked, where yes and no answer it.
    pub(super) fn asked(&self) -> Option<Path> {
        asked_path(self.scene).filter(|path| self.value(path, true).is_some())
    }

    /// Whether words begin with a no, or end with yes or no, and name something between: "no parking", "parking yes".
    pub(super) fn says_of_another(&self, reader: &Reader<'_>, words: Range<usize>) -> bool {
        let firm = |no: usize| reader.len(|lang| &lang.yes_no.firm, no, words.end);
        let denied = firm(words.start).max(reader.len(|lang| &lang.yes_no.negation, words.start, words.end));
        let name = self.at(words.start + denied, words.end);
        let end = words.start + denied + name.as_ref().map_or(0, |name| name.len);
        name.is_some() && if denied > 0 { end == words.end } else { firm(end) > 0 && end + firm(end) == words.end }
    }

    pub(super) fn asks_a_field(&self) -> bool {
        matches!(self.scene.draft.pending, Pending::Field { .. } | Pending::Nothing)
    }

    /// Whether several options may be picked where it was asked: "all" is an answer there.
    pub(super) fn asks_for_several(&self) -> bool {
        let asked = asked_path(self.scene).and_then(|path| self.scene.form.field_at(&path));
        asked.is_some_and(|field| matches!(field.kind, Kind::Choices(_)))
    }
}
