//! What code would ask about gives way to what a model proposes for the same field.

use super::quotes::find;
use super::{Scene, Understood};
use crate::command::Command;
use crate::proposal::{Proposal, name_of};
use formwright_form::kind::Said;

/// Takes out what code itself would have asked about, of fields that the model speaks of: its words are open again.
pub(super) fn give_up(scene: &Scene<'_>, said: &Said, code: &mut Understood, proposal: &Proposal) -> Vec<Command> {
    let is_proposed = |command: &Command| {
        let field = command.filled().and_then(|path| scene.form.field_at(path));
        let name = field.and_then(|field| name_of(scene.form, field.no));
        name.is_some_and(|name| proposal.updates.iter().any(|update| update.field == name))
    };
    let (given_up, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut code.rough).into_iter().partition(is_proposed);
    code.rough = kept;
    let quotes = given_up.iter().filter_map(|command| match command {
        Command::Fill { quote: Some(quote), .. } => find(said, quote),
        _ => None,
    });
    code.leftover.extend(quotes);
    code.leftover.sort_by_key(|left| left.start);
    given_up
}
