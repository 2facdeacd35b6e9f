//! The adapter over a scripted host: what is drawn, what is understood, what is stored.

mod check;
mod drawn;
mod fixtures;
mod live;
mod sent;
mod signed;
mod taken;

use std::sync::Arc;

use formwright_chat::{FormCard, Place, Platform, Shown};
use formwright_fakes::host::FakeHost;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::DiscordSettings;
use crate::intake::{Intake, Me};

/// A Friday.
pub(crate) fn now() -> Timestamp {
    "2026-11-20T10:00:00Z".parse().unwrap()
}

pub(crate) fn guild() -> Place {
    Place { platform: Platform::new(crate::PLATFORM), workspace: "7".to_owned(), channel: "5".to_owned(), thread: None }
}

pub(crate) fn host() -> Arc<FakeHost> {
    let form = |id: &str, title: &str| FormCard {
        id: id.to_owned(),
        title: title.to_owned(),
        description: String::new(),
        fields: 3,
        ..FormCard::default()
    };
    Arc::new(FakeHost::with_forms(vec![form("injury-report", "Injury report"), form("pizza-order", "Pizza order")]))
}

pub(crate) fn intake(host: &Arc<FakeHost>) -> Intake {
    intake_with(host, here())
}

/// Forms are filled in where they are begun.
pub(crate) fn here() -> DiscordSettings {
    DiscordSettings { servers: Shown::Here, ..DiscordSettings::default() }
}

pub(crate) fn intake_with(host: &Arc<FakeHost>, settings: DiscordSettings) -> Intake {
    let me = Me {
        user: "99".to_owned(),
        application: "99".to_owned(),
        name: "Formwright".to_owned(),
        reads: true,
        installs: Vec::new(),
    };
    Intake::new(settings, Arc::<FakeHost>::clone(host), me)
}

/// An interaction of Ada's in the server's channel, as Discord sends it.
pub(crate) fn interaction(kind: u64, data: Value) -> Value {
    json!({
        "id": "700", "application_id": "99", "type": kind, "data": data, "token": "tok", "version": 1,
        "guild_id": "7", "channel_id": "5", "channel": {"id": "5", "type": 0}, "locale": "en-US",
        "member": {"user": {"id": "1", "username": "ada", "global_name": "Ada"}, "roles": ["r1"], "nick": null},
        "message": {"id": "800", "channel_id": "5", "components": []}, "entitlements": [], "some_new_field": {"a": 1},
    })
}
