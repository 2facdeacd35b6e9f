//! Time zones of people whose own is not known: of a platform's, and of all others.

use serde::{Deserialize, Deserializer};

use super::Settings;
use crate::form::catalog::Zones;
use crate::form::zone;

impl Settings {
    /// The zones of the settings.
    pub fn zones(&self) -> Zones {
        let of_platforms = [
            ("web", &self.web.zone),
            ("slack", &self.slack.zone),
            ("discord", &self.discord.zone),
            ("telegram", &self.telegram.zone),
        ];
        let set = of_platforms.into_iter().filter_map(|(platform, zone)| Some((platform.to_owned(), zone.clone()?)));
        Zones { platforms: set.collect(), others: self.forms.zone.clone() }
    }
}

/// Reads the name of a zone, and spells it as the database does.
pub(super) fn named<'de, D: Deserializer<'de>>(data: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(data)?;
    let known = zone::canonical(&name);
    let unfit = || format!("there is no time zone `{name}`; one is named like `Europe/Rome`, `UTC` or `+05:30`");
    known.map(Some).ok_or_else(|| serde::de::Error::custom(unfit()))
}
