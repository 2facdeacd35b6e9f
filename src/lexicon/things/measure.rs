//! `[number.measure]`: what numbers measure, by the words in the names of fields and by the units behind numbers.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};

use crate::phrases::Phrases;

/// What numbers measure.
#[derive(Debug, Default)]
pub struct Measures {
    /// In the names of fields: "weight"; the units that such a field may count in.
    pub named: Phrases<Vec<Box<str>>>,
    /// Behind numbers, and in the names of fields: "kilos"; the unit, which is called the same in every language.
    pub said: Phrases<Box<str>>,
    /// The words for each unit.
    pub words: BTreeMap<Box<str>, Vec<String>>,
}

impl Measures {
    /// The words for all units but floors, which are counted in nothing.
    pub(crate) fn units(&self) -> Phrases<()> {
        let units = self.words.iter().filter(|(unit, _)| ***unit != *STOREY);
        Phrases::new(units.flat_map(|(_, words)| words).map(|word| (word, ())))
    }
}

/// One of them, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Measure {
    #[serde(default)]
    named: Vec<String>,
    unit: BTreeMap<Box<str>, Vec<String>>,
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(data: D) -> Result<Self, D::Error> {
        let measures = BTreeMap::<Box<str>, Measure>::deserialize(data)?;
        let (mut named, mut said, mut words) = (Vec::new(), Vec::new(), BTreeMap::new());
        for measure in measures.into_values() {
            let units: Vec<Box<str>> = measure.unit.keys().cloned().collect();
            named.extend(measure.named.into_iter().map(|name| (name, units.clone())));
            for (unit, names) in measure.unit {
                said.extend(names.iter().map(|name| (name.clone(), unit.clone())));
                words.insert(unit, names);
            }
        }
        Ok(Self { named: Phrases::new(named), said: Phrases::new(said), words })
    }
}

/// The unit of floors.
pub const STOREY: &str = "storey";

/// Units of which each is so many of the first of its list.
const SIZES: [&[(&str, i64)]; 7] = [
    &[("g", 1), ("kg", 1_000), ("t", 1_000_000)],
    &[("oz", 1), ("lb", 16)],
    &[("mm", 1), ("cm", 10), ("m", 1_000), ("km", 1_000_000)],
    &[("in", 1), ("ft", 12), ("mi", 63_360)],
    &[("ml", 1), ("l", 1_000)],
    &[("mb", 1), ("gb", 1_000), ("tb", 1_000_000)],
    &[("m2", 1), ("ha", 10_000)],
];

/// A number of one unit in another, where that is exact: 0.5 for 500 grams in kilos.
pub fn convert(value: Decimal, from: &str, to: &str) -> Option<Decimal> {
    const DECIMALS: u32 = 6;
    let sizes = SIZES.iter().find(|sizes| sizes.iter().any(|(unit, _)| *unit == from))?;
    let size = |of: &str| sizes.iter().find(|(unit, _)| *unit == of).map(|(_, size)| Decimal::from(*size));
    let value = value.checked_mul(size(from)?)?.checked_div(size(to)?)?.normalize();
    (value.scale() <= DECIMALS).then_some(value)
}
