//! Whose name is meant behind a word of kin: the patient of "for my daughter Ann Lee" is she. Where a field is not for whom
//! something is done, her name is asked back as anybody's else is.

use std::ops::Range;

use super::casts::is_called;
use super::reader::Reader;
use super::spans::Slot;
use formwright_form::kind::text::Subtype;

/// Whether the name of somebody of the person's own is what a field asks for.
pub(super) fn is_meant(reader: &Reader<'_>, slot: &Slot<'_>, name: &Range<usize>) -> bool {
    const LONGEST: usize = 4;
    let clause = reader.clause_start(name.start);
    let own = |no: usize| {
        let ours = reader.len(|lang| &lang.naming.ours, no, name.start);
        let relation = reader.len(|lang| &lang.naming.relation, no + ours, name.start);
        ours > 0 && relation > 0 && no + ours + relation == name.start
    };
    // Arabic "لابنتي" is "for my daughter".
    let glued = |no: usize| {
        let lang = reader.own_lang();
        let bare = lang.number.for_prefix.and_then(|prefix| reader.said.plain(no).strip_prefix(prefix));
        bare.is_some_and(|word| lang.name.kin.word(word).is_some())
    };
    let behind = || {
        (clause.max(name.start.saturating_sub(LONGEST))..name.start).any(own)
            || name.start.checked_sub(1).is_some_and(|no| no >= clause && glued(no))
    };
    slot.subtype() == Some(Subtype::Person) && behind() && is_called(reader, slot, |lang| &lang.naming.treated)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const VISIT: &str = r#"
id = "visit"
title = "Visit"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "who"
kind = "text"
label = { en = "Patient name", it = "Nome del paziente", es = "Nombre del paciente", de = "Name des Patienten", fr = "Nom du patient", ar = "اسم المريض" }
subtype = "person"
"#;

    #[rstest]
    #[case("en", "an appointment for my daughter Anna Bruni", "who=Anna Bruni")]
    #[case("en", "my son Jonas Krause needs a vaccination", "who=Jonas Krause")]
    #[case("it", "una visita per mia figlia Anna Bruni", "who=Anna Bruni")]
    #[case("es", "una cita para mi hija Ana Ruiz", "who=Ana Ruiz")]
    #[case("de", "mein Sohn Jonas Krause braucht einen Termin", "who=Jonas Krause")]
    #[case("fr", "un rendez-vous pour ma fille Claire Morel", "who=Claire Morel")]
    #[case("ar", "موعد لابنتي سلمى خوري غدا", "who=سلمى خوري")]
    #[case("en", "I come with my wife Anna Bruni", "~=who=Anna Bruni")]
    fn kin_is_the_patient(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(VISIT, "").speaking(lang).fills(said), expected, "{said}");
    }
}
