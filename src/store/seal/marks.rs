//! Which keys a store is sealed with: the store has a mark of each, so that a start without one of them is refused before
//! it does harm. A key that is not set is no damage: what it sealed must stay as it is.

use std::collections::BTreeMap;

use formwright_chat as chat;

use super::{ID, Key, OPEN, SEALED, Seal};
use crate::{StoreError, WrongKey};

/// The mark of records that are not sealed.
pub(crate) const UNSEALED: &str = "unsealed";

impl Seal {
    /// The name of what seals here: of the first key, or [`UNSEALED`]. It does not tell the key.
    pub(crate) fn name(&self) -> String {
        self.keys.first().map_or_else(|| UNSEALED.to_owned(), Key::name)
    }

    /// The names of all that is opened here, the first as [`Self::name`] gives it.
    pub(crate) fn names(&self) -> Vec<String> {
        let unsealed = self.takes_open.then(|| UNSEALED.to_owned());
        self.keys.iter().map(Key::name).chain(unsealed).collect()
    }

    /// The mark that a store keeps under [`Self::name`].
    ///
    /// # Errors
    /// As [`Self::seal`].
    pub(crate) fn mark(&self) -> Result<Vec<u8>, StoreError> {
        let name = self.name();
        self.seal(&["mark", &name], name.as_bytes())
    }

    /// Whether everything in a store with these marks can be opened.
    ///
    /// # Errors
    /// [`StoreError::Sealed`], with the setting to look at.
    pub(crate) fn fits(&self, marks: &BTreeMap<String, Vec<u8>>) -> Result<(), StoreError> {
        for (name, mark) in marks {
            let key = name.clone();
            return Err(match self.unseal(&["mark", name], mark) {
                Ok(_) => continue,
                Err(_) if name == UNSEALED => WrongKey::Unsealed,
                Err(_) if self.keys.is_empty() => WrongKey::NoneSet { key },
                Err(_) => {
                    WrongKey::OthersSet { key, set: self.keys.iter().map(Key::name).collect::<Vec<_>>().join(", ") }
                }
            }
            .into());
        }
        Ok(())
    }

    /// The name of what has sealed a record; none where it is no record.
    pub(crate) fn sealed_with(kept: &[u8]) -> Option<String> {
        match kept.split_first()? {
            (&OPEN, _) => Some(UNSEALED.to_owned()),
            (&SEALED, rest) => Some(chat::hex(rest.first_chunk::<ID>()?)),
            _ => None,
        }
    }
}

impl Key {
    fn name(&self) -> String {
        chat::hex(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(keys: &[u8], takes_open: bool) -> Seal {
        Seal::new(&keys.iter().map(|byte| [*byte; 32]).collect::<Vec<_>>(), takes_open)
    }

    /// The marks of a store that was used with these, one after the other.
    fn used(seals: &[&Seal]) -> BTreeMap<String, Vec<u8>> {
        seals.iter().map(|seal| (seal.name(), seal.mark().unwrap())).collect()
    }

    #[test]
    fn who_lacks_a_key_that_a_store_is_sealed_with_is_told_which_setting_to_look_at() {
        let (none, one, two) = (Seal::none(), with(&[1], false), with(&[2, 1], false));
        for (seal, marks, named) in [
            (&none, used(&[]), None),
            (&one, used(&[]), None),
            (&none, used(&[&none]), None),
            (&one, used(&[&one]), None),
            (&two, used(&[&one, &two]), None),
            (&with(&[1], true), used(&[&none, &one]), None),
            (&none, used(&[&one]), Some("data.key is not set")),
            (&with(&[2], false), used(&[&one]), Some("put it into data.old_keys")),
            (&with(&[2], false), used(&[&one, &two]), Some("put it into data.old_keys")),
            (&one, used(&[&one, &two]), Some("put it into data.old_keys")),
            (&one, used(&[&none]), Some("data.read_unsealed = true")),
        ] {
            match (seal.fits(&marks), named) {
                (Ok(()), None) => {}
                (Err(StoreError::Sealed(why)), Some(named)) => assert!(why.to_string().contains(named), "{why}"),
                (found, _) => panic!("{seal:?} at {:?}: {found:?}", marks.keys()),
            }
        }
    }

    #[test]
    fn a_record_tells_what_has_sealed_it() {
        for seal in [Seal::none(), with(&[1], false)] {
            let kept = seal.seal(&["session", "web:ann", "7"], b"{}").unwrap();
            assert_eq!(Seal::sealed_with(&kept), Some(seal.name()));
        }
        assert_eq!(Seal::sealed_with(&[]), None);
        assert_eq!(Seal::sealed_with(&[7, 1, 2, 3, 4]), None);
    }
}
