//! What stands beside a question that was answered in vain.

use formwright_chat::ButtonRole::Plain;

use crate::ask::drawing::Drawing;
use crate::draft::filling::Filling;
use formwright_form::Path;
use formwright_form::field::Field;
use formwright_nlu::Command;

/// What is added after tries in vain: first an example, then the choices, then ways out.
pub(crate) fn climb(filling: &mut Filling<'_>, drawing: &mut Drawing, field: &Field, path: &Path, failures: u32) {
    let examples = field.examples.len();
    if failures >= 2 && examples > 0 {
        let no = usize::try_from(failures - 2).unwrap_or(0) % examples;
        let example = field.examples.get(no).map(|text| filling.text(text, path)).unwrap_or_default();
        drawing.reply.say.push(filling.say("example", &[("example", &example)]));
    }
    if failures >= 2 && !filling.form.stays {
        drawing.reply.say.extend(options_told(filling, field, path));
    }
    if failures >= 3 {
        let turn = failures - 3;
        if is_turn_of_ways_out(filling, turn) && !filling.is_required(field, path) {
            drawing.reply.say.push(filling.say("can_skip", &[]));
        }
        tell_ways_out(filling, drawing, path, turn);
    }
}

/// The choices of a field in a sentence, where it has some.
pub(crate) fn options_told(filling: &Filling<'_>, field: &Field, path: &Path) -> Option<String> {
    let offered = filling.offered(field, path);
    let labels: Vec<&str> = offered.iter().take(12).map(|option| option.label.as_str()).collect();
    (!labels.is_empty()).then(|| filling.say("options_list", &[("options", &labels.join(", "))]))
}

/// How to get out where one try after the other is in vain: the hint once in each of its words, whom to reach at
/// times.
pub(crate) fn tell_ways_out(filling: &Filling<'_>, drawing: &mut Drawing, path: &Path, turn: u32) {
    let wording = usize::try_from(turn).unwrap_or(usize::MAX);
    if wording < filling.voice().turns("can_help").max(1) {
        drawing.reply.say.push(filling.voice().say_turn("can_help", wording, &[]));
    }
    if filling.form.handoff.is_some() {
        drawing.button(filling.say("button_human", &[]), Plain, Command::Human);
    }
    if let Some(human) = filling.form.human.as_ref().filter(|_| is_turn_of_ways_out(filling, turn)) {
        let human = filling.text(human, path);
        drawing.reply.say.push(filling.say("human", &[("human", &human)]));
    }
}

fn is_turn_of_ways_out(filling: &Filling<'_>, turn: u32) -> bool {
    let every = u32::try_from(filling.voice().turns("can_help")).unwrap_or(1).max(1);
    turn.is_multiple_of(every)
}
