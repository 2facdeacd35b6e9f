//! What a model proposed for fields that were hidden, weighed again when other values have brought them into view.

use std::ops::Range;

use crate::ask::{confirm, verify};
use crate::command::{change, dispatch};
use crate::draft::filling::Filling;
use crate::model;
use crate::talk::Talk;
use formwright_form::kind::Said;
use formwright_nlu::{Command, Intent, Pending, Proposal, Understood};

/// Weighs once more the updates for fields that were hidden, while other values bring such fields into view.
pub(crate) fn weigh_again(
    talk: &mut Talk<'_>,
    filling: &mut Filling<'_>,
    said: &Said,
    leftover: &mut Vec<Range<usize>>,
) {
    const ROUNDS: usize = 4;
    let Some((intent, mut verdicts)) = talk.weighed.take() else { return };
    for _ in 0..ROUNDS {
        let (again, done): (Vec<_>, Vec<_>) = verdicts.into_iter().partition(|(_, verdict)| verdict.may_change());
        verdicts = done;
        if again.is_empty() {
            break;
        }
        let updates = again.into_iter().map(|(update, _)| update).collect();
        // What else the person wants was done already.
        let of_values = if intent == Intent::Question { intent } else { Intent::Fill };
        let proposal = Proposal { updates, intent: of_values, ..Proposal::default() };
        let code = Understood { leftover: leftover.clone(), ..Understood::default() };
        let believed = model::ask::believed(talk, filling, code, &proposal, said);
        let any = believed.verdicts.iter().any(|(_, verdict)| !verdict.may_change());
        verdicts.extend(believed.verdicts);
        if !any {
            break;
        }
        let Understood { commands, unsure, refused, leftover: left, .. } = believed.understood;
        // What code has read in the meantime counts.
        let event = filling.world.event.clone();
        let given = |filling: &Filling<'_>, command: &Command| match command {
            Command::Fill { path, .. } => filling.draft().answers.get(path).is_some_and(|a| a.event == event),
            _ => false,
        };
        for command in commands {
            if !given(filling, &command) {
                let _ = dispatch::carry_out(talk, filling, command);
            }
        }
        for (path, _, refusal) in refused {
            let _ = change::refuse(talk, filling, &path, refusal);
        }
        let doubtful = believed.doubtful.into_iter().filter(|command| !given(filling, command)).collect();
        confirm::ask_about(talk, filling, doubtful);
        for unsure in unsure {
            verify::put_first(filling, Pending::Which { readings: unsure.readings, again: false });
        }
        *leftover = left;
    }
    talk.weighed = Some((intent, verdicts));
}
