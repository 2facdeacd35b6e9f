use rstest::rstest;

use crate::Command;
use crate::testing::Stage;

const SITE: &str = r#"
id = "site"
title = "Site"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "w"
kind = "choice"
label = "Well"
options = [{ id = "y", label = "Yes" }, { id = "n", label = "No" }]

[[field]]
id = "d"
kind = "choice"
label = "Is there a dam on the site?"
options = [{ id = "y", label = "Yes" }, { id = "n", label = "No" }]

[[field]]
id = "p"
kind = "yes_no"
label = "Pond"

[[field]]
id = "owner"
kind = "text"
label = "Owner"
"#;

#[rstest]
#[case("well yes, the rest no", "w=y; rest false")]
#[case("the rest no, but yes to the well", "w=y; rest false")]
#[case("yes to the well, no to the rest", "w=y; rest false")]
#[case("Well: yes. Mark the rest as no.", "w=y; rest false")]
#[case("well is yes. all others no", "w=y; rest false")]
#[case("there is a well, everything else no", "w=y; rest false")]
#[case("yes to all", "rest true")]
#[case("please answer all remaining questions with yes", "rest true")]
#[case("no to all except the well", "rest false but w")]
#[case("no to all, except the well and the pond", "rest false but w but p")]
#[case("mark the rest as no except pond", "rest false but p")]
#[case("all of them no except the dam", "rest false but d")]
#[case("everything but the dam: no", "rest false but d")]
#[case("yes for the rest but the well is no", "w=n; rest true")]
#[case("No to the well and the dam, yes to the pond", "w=n; d=n; p=true")]
#[case("no to the well, the dam and the pond", "w=n; d=n; p=false")]
#[case("well, dam and pond: no", "w=n; d=n; p=false")]
#[case("well yes dam no", "w=y; d=n")]
#[case("there is no dam on the site", "d=n")]
#[case("actually there is a dam", "d=y")]
#[case("change dam to yes", "d=y")]
#[case("a dam but no pond", "d=y; p=false")]
#[case("a well, everything else no", "w=y; rest false")]
#[case("I have a well, the rest no", "w=y; rest false")]
#[case("a well and a dam, no to the rest", "w=y; d=y; rest false")]
#[case("a dam, but no pond", "d=y; p=false")]
#[case("no dam, but a pond", "d=n; p=true")]
#[case("no dam but a pond", "d=n; p=true")]
#[case("neither dam nor pond", "d=n; p=false")]
#[case("the dam is no, but the pond yes", "d=n; p=true")]
#[case("I swim, the rest no", "~I swim, the rest no")]
#[case("yes to swimming, no to the rest", "~yes to swimming, no to the rest")]
#[case("Ann swims. Mark the rest as no", "rest false; ~Ann swims")]
#[case("set all remaining to unknown", "")]
#[case("fill the rest with N/A", "")]
#[case("no", "deny")]
fn yes_and_no_are_said_of_fields_by_name_and_of_the_rest(#[case] said: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SITE, "").line(said), expected, "{said}");
    let answered = if expected == "deny" { return } else { Stage::new(SITE, "w").line(said) };
    assert_eq!(answered, expected, "{said}, where the well is asked");
}

#[rstest]
#[case("", "Well? Yes. Pond? No.", "w=y; p=false")]
#[case("", "well? yes pond? no", "w=y; p=false")]
#[case("", "pond? none", "p=false")]
#[case("", "dam? not really", "d=n")]
#[case("", "dam? if it is cheap", "")]
#[case("w", "yes but no dam", "w=y; d=n")]
#[case("w", "no but dam yes", "w=n; d=y")]
fn who_asks_by_a_name_answers_it(#[case] asked: &str, #[case] said: &str, #[case] expected: &str) {
    let line = Stage::new(SITE, asked).line(said);
    let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
    assert_eq!(fills, expected, "{said}");
}

#[rstest]
#[case("it", "segna il resto come no", "rest false")]
#[case("it", "sì al pond, il resto no", "p=true; rest false")]
#[case("es", "marca el resto como no", "rest false")]
#[case("es", "no a todo lo demás", "rest false")]
#[case("de", "den Rest mit nein beantworten", "rest false")]
#[case("de", "alles andere nein, außer Pond", "rest false but p")]
#[case("fr", "réponds non pour le reste", "rest false")]
#[case("fr", "non à tout sauf pond", "rest false but p")]
#[case("ar", "الباقي لا", "rest false")]
#[case("ar", "ضع نعم للباقي", "rest true")]
fn in_every_language(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(SITE, "").speaking(lang).line(said), expected, "{said}");
}

#[test]
fn the_words_of_the_instruction_are_quoted() {
    let understood = Stage::new(SITE, "").hear("Well yes, mark the rest as no.");
    let rest = Command::FillRest { yes: false, except: Vec::new(), quote: Some("mark the rest as no".to_owned()) };
    assert_eq!(understood.commands.last(), Some(&rest));
}

const PLACE: &str = r#"
id = "place"
title = "Place"

[[field]]
id = "wet"
kind = "choice"
label = "Is it wet?"
options = [{ id = "y", label = "Yes" }, { id = "n", label = "No" }]

[[field]]
id = "new"
kind = "choice"
label = "Is it new?"
options = [{ id = "y", label = "Yes" }, { id = "n", label = "No" }]

[[field]]
id = "far"
kind = "yes_no"
label = "Is it far?"
"#;

#[rstest]
#[case("yes. mark the rest as no", "wet=y; rest false")]
#[case("yes, and the rest no", "wet=y; rest false")]
#[case("yes and the rest no", "wet=y; rest false")]
#[case("yes and the rest is no", "wet=y; rest false")]
#[case("it is wet and the rest is no", "wet=y; rest false")]
#[case("it is wet, mark the rest as no", "wet=y; rest false")]
#[case("it is new and the rest no", "new=y; rest false")]
#[case("Is it new: yes, the rest no", "new=y; rest false")]
#[case("it is not new, the rest yes", "new=n; rest true")]
#[case("it's new, the rest no", "new=y; rest false")]
#[case("it isn't far", "far=false")]
#[case("it is new", "new=y")]
#[case("yes", "wet=y")]
#[case("no, and it is new", "wet=n; new=y")]
fn what_is_said_of_one_goes_before_what_is_said_of_the_rest(#[case] said: &str, #[case] expected: &str) {
    assert_eq!(Stage::new(PLACE, "wet").line(said), expected, "{said}");
}

const CABIN: &str = r#"
id = "cabin"
title = "Cabin"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "pets"
kind = "yes_no"
label = { en = "Do you bring pets?", it = "Porti animali?", es = "¿Trae mascotas?", de = "Bringen Sie Haustiere mit?", fr = "Amenez-vous des animaux ?" }

[[field]]
id = "parking"
kind = "yes_no"
label = { en = "Do you need parking?", it = "Le serve il parcheggio?", es = "¿Necesita aparcamiento?", de = "Brauchen Sie einen Parkplatz?", fr = "Besoin d'un parking ?" }

[[field]]
id = "certificate"
kind = "yes_no"
label = "Do you have a certificate?"

[[field]]
id = "since"
kind = "date"
label = "Start date"
"#;

#[rstest]
#[case("en", "pets", "yes but no cats", "pets=true")]
#[case("en", "pets", "yes, a dog, no cats", "pets=true")]
#[case("en", "pets", "yes, no pets", "")]
#[case("en", "pets", "yes, no cats", "pets=true")]
#[case("en", "pets", "just a cat", "pets=true")]
#[case("en", "pets", "two dogs", "pets=true")]
#[case("en", "pets", "which pets?", "")]
#[case("it", "pets", "solo se piccoli", "")]
#[case("en", "pets", "yes, wait, no", "pets=false")]
#[case("en", "pets", "I wish, but no", "pets=false")]
#[case("en", "parking", "no but there is a car park 200 metres away", "parking=false")]
#[case("en", "parking", "no certificate yet", "certificate=false")]
#[case("en", "pets", "yes, a hamster, 2 years ago", "pets=true")]
#[case("it", "pets", "sì, ma niente gatti", "pets=true")]
#[case("es", "pets", "sí, pero sin gatos", "pets=true")]
#[case("de", "pets", "ja, aber keine Katze", "pets=true")]
#[case("fr", "pets", "oui mais pas de chats", "pets=true")]
fn a_plain_answer_stands_beside_what_is_said_of_a_part(
    #[case] lang: &'static str,
    #[case] asked: &str,
    #[case] said: &str,
    #[case] expected: &str,
) {
    let line = Stage::new(CABIN, asked).speaking(lang).line(said);
    let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
    assert_eq!(fills, expected, "{said}");
}
