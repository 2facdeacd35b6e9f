//! The order in which a message is read: control words, the pending field, typed values, what is left.

use super::named::{self, Named};
use super::reader::Reader;
use super::steer::{self, Wish};
use super::{Scene, Understood};
use crate::engine::command::Command;
use crate::form::kind::Said;

pub(super) fn understand(scene: &Scene<'_>, said: &Said) -> Understood {
    let reader = Reader::new(said, scene.lang);
    let mut understood = Understood::default();
    let mentions = scene.form.cues().mentions(said);
    let mut wishes: Vec<Wish> = Vec::new();
    for clause in &reader.clauses {
        if let Some(more) = steer::wishes(&reader, clause.words.clone()) {
            wishes.extend(more);
            continue;
        }
        match named::directed(scene, &reader, &mentions, clause.words.clone()) {
            Some(Named::One(command)) => understood.commands.push(command),
            Some(Named::Several(unsure)) => understood.unsure.push(unsure),
            None if clause.question => {
                understood.commands.push(Command::Ask { question: reader.raw_text(clause.whole.clone()).to_owned() });
            }
            None => understood.leftover.push(reader.raw_range(clause.words.clone())),
        }
    }
    let changes = !understood.commands.is_empty();
    understood.commands.extend(steer::commands(scene, &wishes, changes, !understood.leftover.is_empty()));
    understood
}
