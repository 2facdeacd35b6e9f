//! The weights of features: one table, fitted by `formwright extract --fit` from labelled messages.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::feature::{self, Feature};

/// The table, as committed.
const TABLE: &str = include_str!("weights.toml");

/// Weights by feature.
#[derive(Debug)]
pub(crate) struct Weights(Vec<f32>);

impl Weights {
    /// The fitted table.
    pub(crate) fn fitted() -> &'static Self {
        static FITTED: LazyLock<Weights> = LazyLock::new(|| Weights::read(TABLE));
        &FITTED
    }

    /// Reads a table: `"left.from.place" = 0.75`. A name that no feature has is left out.
    fn read(text: &str) -> Self {
        let rows: BTreeMap<String, f32> = rows(text).collect();
        let mut weights = vec![0.0; feature::count()];
        for (no, weight) in weights.iter_mut().enumerate() {
            let name = feature::name(Feature::try_from(no).unwrap_or(Feature::MAX));
            *weight = rows.get(&name).copied().unwrap_or(0.0);
        }
        Self(weights)
    }

    /// The sum of the weights of features.
    pub(crate) fn sum(&self, features: &[Feature]) -> f32 {
        features.iter().map(|no| self.0.get(*no as usize).copied().unwrap_or(0.0)).sum()
    }
}

fn rows(text: &str) -> impl Iterator<Item = (String, f32)> {
    text.lines().filter_map(|line| {
        let (name, weight) = line.split_once(" = ")?;
        let weight = weight.split('#').next()?.trim().parse().ok()?;
        Some((name.trim_matches('"').to_owned(), weight))
    })
}
