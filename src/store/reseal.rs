//! Sealing anew what an older key has sealed, so that a key can be taken out of use.

use std::collections::BTreeMap;

use super::seal::UNSEALED;

/// What came of sealing anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Records that were sealed anew.
    pub sealed: u64,
    /// What else had sealed records before, and how many it still has: those that are soon forgotten by themselves are
    /// left as they are. With none left a key is needed no more.
    pub left: BTreeMap<String, u64>,
}

impl Resealed {
    /// A record was found that is sealed otherwise, and stays so.
    pub(super) fn leave(&mut self, name: String) {
        *self.left.entry(name).or_default() += 1;
    }

    /// Counts what was found elsewhere as well.
    pub(super) fn add(&mut self, found: Self) {
        self.sealed += found.sealed;
        found.left.into_iter().for_each(|(name, left)| *self.left.entry(name).or_default() += left);
    }

    /// What to tell the operator.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.sealed > 0 {
            lines.push(format!("{} records were sealed anew with data.key", self.sealed));
        }
        lines.extend(self.left.iter().map(|(name, left)| match (name.as_str(), left) {
            (UNSEALED, 0) => "all that is kept is sealed: data.read_unsealed can be switched off".to_owned(),
            (UNSEALED, left) => format!("{left} records are not sealed yet: leave data.read_unsealed on"),
            (name, 0) => {
                format!("nothing is sealed with the key named {name} any more: it can be taken out of data.old_keys")
            }
            (name, left) => {
                format!("{left} records are still sealed with the key named {name}: leave it in data.old_keys")
            }
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operator_is_told_which_keys_are_still_needed() {
        let mut found = Resealed { sealed: 3, ..Resealed::default() };
        found.leave("0a1b2c3d".to_owned());
        found.left.insert("ffffffff".to_owned(), 0);
        found.left.insert(UNSEALED.to_owned(), 0);
        assert_eq!(
            found.lines(),
            [
                "3 records were sealed anew with data.key",
                "1 records are still sealed with the key named 0a1b2c3d: leave it in data.old_keys",
                "nothing is sealed with the key named ffffffff any more: it can be taken out of data.old_keys",
                "all that is kept is sealed: data.read_unsealed can be switched off",
            ]
        );
        assert_eq!(Resealed::default().lines(), Vec::<String>::new());
    }
}
