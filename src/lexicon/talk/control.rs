//! `[control]`: words that steer the conversation.

use serde::Deserialize;

use crate::phrases::Phrases;

/// Words that steer the conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControlWords {
    /// Messages that want something of the conversation, by what they want.
    #[serde(deserialize_with = "crate::phrases::by_meaning")]
    pub whole: Phrases<Control>,
    /// Before the name of a field to change it: "change", "I want to edit".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub edit: Phrases<()>,
    /// After the name of a field to change it: "is wrong".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub wrong: Phrases<()>,
    /// Before the name of a field to empty it: "remove", "forget".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub clear: Phrases<()>,
    /// Messages of a person who wants everything that is kept of them deleted: "forget me", "/forget". Never what may
    /// be about something else, as "forget it".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub forget: Phrases<()>,
    /// Before the name of an item to add one: "add".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub add: Phrases<()>,
    /// Before the name of a field to know why it is asked: "why do you need".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub why: Phrases<()>,
    /// Before the name of a field to get help with it: "what do you mean by".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub help: Phrases<()>,
    /// Before the name of a form to start it: "I want to", "start".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub start: Phrases<()>,
    /// Before the name of a form to go back to it: "go on with".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub resume: Phrases<()>,
    /// All that is open: "the rest", "everything else".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub rest: Phrases<()>,
    /// Words around an answer for all that is open: "mark", "questions".
    #[serde(deserialize_with = "crate::phrases::list")]
    pub mark: Phrases<()>,
    /// Before the name of a field, yes or no to it: "there is", "there is no".
    #[serde(deserialize_with = "crate::phrases::table")]
    pub there: Phrases<bool>,
    /// Which one of several: "the first" is 1, "the last" is -1.
    #[serde(deserialize_with = "crate::phrases::table")]
    pub ordinal: Phrases<i64>,
}

/// What a message that is a control phrase wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Agreement beside the words for yes: "looks good", "submit it".
    Confirm,
    /// Refusal beside the words for no: "incorrect", "wrong".
    Deny,
    /// Out of the form.
    Cancel,
    /// To the field asked before.
    Back,
    /// To leave the asked field empty.
    Skip,
    /// To take the last change back.
    Undo,
    /// To put back what undo took.
    Redo,
    /// To see the answers.
    Review,
    /// To change an answer without saying which.
    Edit,
    /// Help.
    Help,
    /// The reason of the question.
    Why,
    /// The question again.
    Repeat,
    /// A person.
    Human,
    /// The list of forms.
    Forms,
    /// To go on: with the next step, or with a parked form.
    Continue,
    /// To try again what failed.
    Retry,
    /// More options.
    More,
    /// Another item.
    Add,
    /// To take the last item out.
    RemoveLast,
    /// To end a list or a form: "that's all".
    Done,
    /// There is nothing to give: "none", "I don't have one".
    Nothing,
    /// The answer is not known.
    Unknown,
    /// None of the readings offered.
    Neither,
    /// To begin the form anew.
    Restart,
    /// To leave an answer as it is: "same as before".
    Same,
}

#[cfg(test)]
mod tests {
    use formwright_text::Said;
    use rstest::rstest;

    use super::Control::{self, Back, Cancel, Continue, Forms, Help, Human, Redo, Repeat, Review, Skip, Undo, Why};
    use crate::language;

    #[rstest]
    #[case("en", "yes", "no", ["cancel", "back", "skip", "undo", "redo", "help", "why", "review", "repeat", "human", "resume", "forms"])]
    #[case("it", "sì", "no", ["annulla", "indietro", "salta", "disfai", "rifai", "aiuto", "perché", "riepilogo", "ripeti", "operatore", "riprendi", "moduli"])]
    #[case("es", "sí", "no", ["cancelar", "atrás", "saltar", "deshacer", "rehacer", "ayuda", "por qué", "resumen", "repite", "una persona", "continuar", "formularios"])]
    #[case("de", "ja", "nein", ["abbrechen", "zurück", "überspringen", "rückgängig", "doch wieder", "Hilfe", "warum", "Übersicht", "wiederholen", "Mitarbeiter", "fortsetzen", "Formulare"])]
    #[case("fr", "oui", "non", ["annuler", "retour", "passer", "défaire", "refaire", "aide", "pourquoi", "résumé", "répétez", "conseiller", "reprendre", "formulaires"])]
    #[case("ar", "نعم", "لا", ["إلغاء", "رجوع", "تخطي", "تراجع", "إعادة", "مساعدة", "لماذا", "ملخص", "كرر", "موظف", "استئناف", "النماذج"])]
    fn every_language_steers(#[case] code: &str, #[case] yes: &str, #[case] no: &str, #[case] words: [&str; 12]) {
        const CONTROLS: [Control; 12] =
            [Cancel, Back, Skip, Undo, Redo, Help, Why, Review, Repeat, Human, Continue, Forms];
        let lang = language(code);
        for (word, wanted) in words.into_iter().zip(CONTROLS) {
            let said = Said::new(word);
            assert_eq!(lang.control.whole.at(&said, 0), Some((said.words.len(), &wanted)), "{code}: {word}");
        }
        assert!(lang.yes_no.yes.starts(&Said::new(yes), 0), "{code}: {yes}");
        assert!(lang.yes_no.no.starts(&Said::new(no), 0), "{code}: {no}");
        assert!(!lang.sentence.stop.is_empty() && !lang.sentence.question.is_empty(), "{code}");
        assert!(
            !lang.control.rest.is_empty() && !lang.control.mark.is_empty() && !lang.yes_no.consent.is_empty(),
            "{code}"
        );
    }
}
