//! One conversation for each sample form: what a person says to which question, and what must come of it.

use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};
use serde_json::{Value, json};

/// How a person answers a question.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Words(String),
    File(&'static str),
    Place(f64, f64),
}

/// A person who wants something of a form.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) form: &'static str,
    /// What is said first to a question, in words that code makes nothing of.
    pub(crate) odd: Vec<(&'static str, &'static str)>,
    /// What is said to a question in the end; to others "skip".
    pub(crate) plain: Vec<(&'static str, Answer)>,
    /// Values as they are shown: what is offered with one of these is right.
    pub(crate) wanted: &'static [&'static str],
    /// What a good model makes of the odd words: words, field, value.
    pub(crate) meanings: &'static [(&'static str, &'static str, &'static str)],
    /// The submission.
    pub(crate) expected: Value,
}

/// All of them.
pub(crate) fn scripts() -> Vec<Script> {
    vec![pizza(), leave(), expenses(), event(), ticket(), injury()]
}

/// The meanings of all of them.
pub(crate) fn meanings() -> Vec<(&'static str, &'static str, &'static str)> {
    scripts().iter().flat_map(|script| script.meanings).copied().collect()
}

fn words(words: &str) -> Answer {
    Answer::Words(words.to_owned())
}

fn today() -> Date {
    Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC).date()
}

fn days_ago(days: i32) -> String {
    today().checked_sub(days.days()).unwrap().to_string()
}

fn pizza() -> Script {
    Script {
        form: "pizza-order",
        odd: vec![("pizza", "the hot one for my uncle"), ("count", "a few for the family")],
        plain: vec![
            ("pizza", words("diavola")),
            ("count", words("3")),
            ("address", words("via Roma 12")),
            ("phone", words("347 123 4567")),
        ],
        wanted: &["Diavola"],
        meanings: &[("hot one", "pizza", "diavola")],
        expected: json!({
            "pizza": "diavola", "count": 3, "address": "via Roma 12", "phone": "+393471234567",
        }),
    }
}

fn leave() -> Script {
    let (from, to) = (today().checked_add(20.days()).unwrap(), today().checked_add(22.days()).unwrap());
    Script {
        form: "leave-request",
        odd: vec![("leave_type", "some days by the sea with the kids")],
        plain: vec![
            ("leave_type", words("Annual leave")),
            ("dates", words(&format!("{from} to {to}"))),
            ("approver", words("Grace Hopper")),
        ],
        wanted: &["Annual leave"],
        meanings: &[("days by the sea", "leave_type", "annual")],
        expected: json!({
            "leave_type": "annual", "dates": {"start": from.to_string(), "end": to.to_string()}, "days": 3,
            "approver": {"id": "Grace Hopper", "name": "Grace Hopper"},
        }),
    }
}

fn expenses() -> Script {
    let day = days_ago(10);
    let amount = json!({"amount": "24.50", "currency": "EUR"});
    Script {
        form: "expense-claim",
        odd: vec![("cost_center", "the one of our department"), ("items.spent_on", "the day of the big storm")],
        plain: vec![
            ("purpose", words("Trade fair in Milan")),
            ("cost_center", words("SA-1040")),
            ("items.category", words("Meals")),
            ("items.spent_on", words(&day)),
            ("items.amount", words("24.50")),
            ("iban", words("IT60X0542811101000000123456")),
            ("correct", words("yes")),
        ],
        wanted: &[],
        meanings: &[],
        expected: json!({
            "purpose": "Trade fair in Milan", "cost_center": "SA-1040",
            "items": [{"category": "meals", "spent_on": day, "amount": amount}],
            "total": amount, "iban": "IT60X0542811101000000123456", "correct": true,
        }),
    }
}

fn event() -> Script {
    Script {
        form: "event-signup",
        odd: vec![("ticket", "the whole thing from start to end")],
        plain: vec![
            ("name", words("Ada Lovelace")),
            ("email", words("ada@mail.example")),
            ("ticket", words("Both days")),
            ("workshops", words("Fresh pasta")),
            ("conduct", words("yes")),
        ],
        wanted: &["Both days"],
        meanings: &[("whole thing", "ticket", "both-days")],
        expected: json!({
            "name": "Ada Lovelace", "email": "ada@mail.example", "ticket": "both-days", "guests": 0,
            "workshops": ["pasta"], "newsletter": false, "conduct": true,
        }),
    }
}

fn ticket() -> Script {
    let happened = "I pressed export, expected a file, and nothing happened.";
    Script {
        form: "support-ticket",
        odd: vec![("severity", "it drives me up the wall")],
        plain: vec![
            ("product", words("Mobile app")),
            ("severity", words("A small thing")),
            ("summary", words("Export button is grey")),
            ("description", words(happened)),
            ("contact.name", words("Ada Lovelace")),
            ("contact.email", words("ada@mail.example")),
        ],
        wanted: &["A small thing"],
        meanings: &[("up the wall", "severity", "minor")],
        expected: json!({
            "product": "mobile", "severity": "minor", "summary": "Export button is grey", "description": happened,
            "contact": {"name": "Ada Lovelace", "email": "ada@mail.example"},
        }),
    }
}

fn injury() -> Script {
    let story = "I slipped on the wet floor of the store room and fell on my wrist.";
    let days = [days_ago(9), days_ago(8), days_ago(7)];
    Script {
        form: "injury-report",
        odd: vec![("selectedEstablishment", "the ones with the bricks")],
        plain: vec![
            ("selectedEstablishment", words("Najd Building Materials")),
            ("selectedOccupation", words("Sales assistant")),
            ("injuryDate", words(&format!("{} at 14:20", days[0]))),
            ("injuryTime", words("14:20")),
            ("workDisabilityDate", words(&days[1])),
            ("contributorInformedDate", words(&days[2])),
            ("injuryOccurred", words(story)),
            ("selectedInjuryType", words("Injury at the place of work")),
            ("selectedInjuryReason", words("Fall or slip")),
            ("locationResults", Answer::Place(24.7136, 46.6753)),
            ("placeType", words("Road")),
            ("governmentSector", words("Police")),
            ("emergencyMobileNumber", words("050 123 4567")),
            ("requiredDocs", Answer::File("report.pdf")),
        ],
        wanted: &["Najd Building Materials"],
        meanings: &[("bricks", "selectedEstablishment", "Najd Building Materials")],
        expected: json!({
            "selectedEstablishment": "10002", "selectedOccupation": "10002-1", "injuryDate": days[0],
            "injuryTime": "14:20", "workDisabilityDate": days[1], "contributorInformedDate": days[2],
            "injuryOccurred": story, "selectedInjuryType": "1", "selectedInjuryReason": "11",
            "locationResults": {"lat": 24.7136, "lng": 46.6753}, "treatmentStarted": true, "placeType": "road",
            "governmentSector": "police", "emergencyMobileNumber": "+966501234567",
            "requiredDocs": [{"id": "", "name": "report.pdf", "media_type": "application/pdf", "bytes": 2000}],
            "enableReportInjuryWithoutBottomSheet": "off",
        }),
    }
}
