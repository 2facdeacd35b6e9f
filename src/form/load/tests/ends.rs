//! The first and the second of two fields that belong together.

use formwright_form::cues::Role;
use rstest::rstest;

use crate::{Syntax, load};

#[rstest]
#[case("stay", "Hotel", &["date check-in", "date check-out"], "12")]
#[case("stay", "Zimmer", &["date Anreise", "date Abreise"], "12")]
#[case("stay", "Albergo", &["date Arrivo", "date Partenza"], "12")]
#[case("stay", "Séjour", &["date Arrivée", "date Départ"], "12")]
#[case("stay", "Hotel", &["date Llegada", "date Salida"], "12")]
#[case("trip", "Viaje", &["date Fecha de salida", "date Fecha de regreso"], "12")]
#[case("trip", "Voyage", &["date Date de départ", "date Date de retour"], "12")]
#[case("stay", "فندق", &["date تاريخ الوصول", "date تاريخ المغادرة"], "12")]
#[case("trip", "Trip", &["date Departure", "date Return"], "12")]
#[case("trip", "Viaggio", &["date Partenza", "date Ritorno"], "12")]
#[case("trip", "Flight", &["time Departure time", "time Arrival time"], "12")]
#[case("trip", "Flight", &["text Departure city", "text Arrival city"], "12")]
#[case("trip", "Viaggio", &["text Città di partenza", "text Città di arrivo"], "12")]
#[case("car", "Car", &["date Pick-up", "date Drop-off"], "12")]
#[case("kennel", "Kennel", &["date Drop-off date", "date Pick-up date"], "12")]
#[case("kennel", "Kennel", &["date Drop-off", "date Pick-up", "time Drop-off time"], "121")]
#[case("repair", "Repair", &["date Drop-off date", "date Return date"], "12")]
#[case("kennel", "Kennel", &["date First day", "date Pick-up"], "12")]
#[case("pensione", "Pensione", &["date Consegna", "date Ritiro"], "12")]
#[case("noleggio", "Noleggio", &["date Ritiro", "date Riconsegna"], "12")]
#[case("guarderia", "Residencia canina", &["date Fecha de entrega", "date Fecha de recogida"], "12")]
#[case("coche", "Alquiler", &["date Recogida", "date Entrega"], "12")]
#[case("pension", "Tierpension", &["date Abgabe", "date Abholung"], "12")]
#[case("auto", "Mietwagen", &["date Abholung", "date Rückgabe"], "12")]
#[case("pension", "Pension", &["date Dépôt", "date Récupération"], "12")]
#[case("pension", "رعاية", &["date تاريخ التسليم", "date تاريخ الاستلام"], "12")]
#[case("car", "سيارة", &["date تاريخ الاستلام", "date تاريخ التسليم"], "12")]
#[case("car", "Car", &["date Check-in", "date Departure"], "12")]
#[case("rdv", "Rendez-vous", &["date Date du rendez-vous"], "-")]
#[case("hotel", "Hôtel", &["date Date d'arrivée", "date Date de départ"], "12")]
#[case("hotel", "Hotel", &["date Fecha de entrada", "date Fecha de salida"], "12")]
#[case("visita", "Visita", &["date Data della visita"], "-")]
#[case("car", "Work", &["date Start", "date End", "text Name"], "12-")]
#[case("move", "Removal", &["text Current city", "text New city"], "12")]
#[case("move", "Removal", &["text New address", "text Old address", "date New day"], "21-")]
#[case("login", "Password", &["text New password", "text Name"], "--")]
#[case("viaje", "Viaje", &["text Ciudad de origen", "text Ciudad de destino"], "12")]
#[case("umzug", "Umzug", &["text Startort", "text Zielort"], "12")]
#[case("umzug", "Umzug", &["text Alte Adresse", "text Neue Adresse"], "12")]
#[case("trasloco", "Trasloco", &["text Città attuale", "text Nuova città"], "12")]
#[case("voyage", "Voyage", &["text Ville d'origine", "text Ville de destination"], "12")]
#[case("naql", "نقل", &["text العنوان القديم", "text العنوان الجديد"], "12")]
fn the_first_and_the_second_of_two_are_known_by_their_names(
    #[case] id: &str,
    #[case] title: &str,
    #[case] fields: &[&str],
    #[case] expected: &str,
) {
    let field = |(no, field): (usize, &&str)| {
        let (kind, label) = field.split_once(' ').unwrap();
        let subtype = if label.contains("it") && kind == "text" { "\nsubtype = \"place\"" } else { "" };
        format!("[[field]]\nid = \"f{no}\"\nkind = \"{kind}\"\nlabel = \"{label}\"{subtype}\n")
    };
    let fields: Vec<String> = fields.iter().enumerate().map(field).collect();
    let text = format!("id = \"{id}\"\ntitle = \"{title}\"\n\n{}", fields.join("\n"));
    let form = load(&text, Syntax::Toml).form.expect("the form has no errors");
    let roles = form.cues().roles.iter().map(|role| match role {
        Some(Role::First) => '1',
        Some(Role::Second) => '2',
        None => '-',
    });
    assert_eq!(roles.collect::<String>(), expected);
}
