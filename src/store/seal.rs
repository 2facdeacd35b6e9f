//! What a store keeps at rest: sealed with a key, or with a checksum where there is none.
//!
//! A sealed record cannot be read without the key, and what is changed, or put in another record's place, is refused.
//! The cipher is XChaCha20-Poly1305; nonces are random, 24 bytes.

mod marks;
mod unreadable;

use std::sync::Arc;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use formwright_chat as chat;
use sha2::{Digest as _, Sha256};

use super::{Outage, StoreError, WrongKey};
pub(super) use marks::UNSEALED;

/// First byte of a record with a checksum, and of a sealed one.
const OPEN: u8 = 0;
const SEALED: u8 = 1;
const SUM: usize = 16;
const ID: usize = 4;
const NONCE: usize = 24;

/// Seals and opens records.
#[derive(Clone)]
pub struct Seal {
    /// The first seals; each opens what it has sealed.
    keys: Arc<[Key]>,
    /// Whether records with a checksum only are read although there is a key.
    takes_open: bool,
    unreadable: unreadable::Unreadable,
}

struct Key {
    id: [u8; ID],
    cipher: XChaCha20Poly1305,
}

impl Seal {
    /// Without a key: records are kept readable, and a checksum tells which are damaged.
    pub fn none() -> Self {
        Self { keys: Arc::default(), takes_open: true, unreadable: unreadable::Unreadable::default() }
    }

    /// Seals with the first key, and opens what any of them has sealed: a key is rotated by putting a new one in front.
    /// `takes_open` also reads what was written without a key, for the time after sealing was switched on.
    pub fn new(keys: &[[u8; 32]], takes_open: bool) -> Self {
        let key = |bytes: &[u8; 32]| Key {
            id: short(&Sha256::new().chain_update("formwright key id").chain_update(bytes)),
            cipher: XChaCha20Poly1305::new(bytes.into()),
        };
        let (takes_open, keys) = (takes_open || keys.is_empty(), keys.iter().map(key).collect());
        Self { keys, takes_open, unreadable: unreadable::Unreadable::default() }
    }

    /// Whether records are sealed.
    pub fn has_key(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether a record with no more than a checksum is read.
    pub fn takes_open(&self) -> bool {
        self.takes_open
    }

    /// Seals a record under the names that it is bound to: what it is, whose, and which version.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the system gives no randomness.
    pub fn seal(&self, bound_to: &[&str], record: &[u8]) -> Result<Vec<u8>, StoreError> {
        let aad = aad(bound_to);
        let Some(key) = self.keys.first() else {
            let mut kept = vec![OPEN];
            kept.extend(checksum(&aad, record));
            kept.extend(record);
            return Ok(kept);
        };
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(Outage::NoRandomness)?;
        let sealed = key.cipher.encrypt(&XNonce::from(nonce), Payload { msg: record, aad: &aad });
        let sealed = sealed.map_err(|_| Outage::TooLong)?;
        Ok([&[SEALED][..], &key.id, &nonce, &sealed].concat())
    }

    /// Opens a record under the names that it must be bound to.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] where it was changed or belongs elsewhere, [`StoreError::Sealed`] where its key is not at
    /// hand. It never says what it holds.
    pub fn open(&self, bound_to: &[&str], kept: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.unseal(bound_to, kept).inspect_err(|_| self.note_unreadable(bound_to))
    }

    /// Counts a record that cannot be read, once.
    pub(super) fn note_unreadable(&self, bound_to: &[&str]) {
        self.unreadable.note(short(&Sha256::new().chain_update(aad(bound_to))));
    }

    /// Number of records that could not be read.
    pub(super) fn unreadable(&self) -> u64 {
        self.unreadable.count()
    }

    fn unseal(&self, bound_to: &[&str], kept: &[u8]) -> Result<Vec<u8>, StoreError> {
        let what = bound_to.first().copied().unwrap_or_default();
        let damaged = |why| StoreError::unreadable(what, why);
        let aad = aad(bound_to);
        match kept.split_first() {
            Some((&OPEN, rest)) if self.takes_open => {
                let (sum, record) = rest.split_at_checked(SUM).ok_or_else(|| damaged("it is cut off"))?;
                let fits = sum == checksum(&aad, record);
                if fits { Ok(record.to_vec()) } else { Err(damaged("its checksum does not fit")) }
            }
            Some((&OPEN, _)) => Err(damaged("it is not sealed, and a key is set")),
            Some((&SEALED, rest)) => {
                let (id, rest) = rest.split_at_checked(ID).ok_or_else(|| damaged("it is cut off"))?;
                let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or_else(|| damaged("it is cut off"))?;
                let key = self.keys.iter().find(|key| key.id == id);
                let unset = || WrongKey::Record { record: what.to_owned(), key: chat::hex(id) };
                let key = key.ok_or_else(unset)?;
                let opened = key.cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &aad });
                opened.map_err(|_| damaged("its seal is broken"))
            }
            _ => Err(damaged("it is no record of this program")),
        }
    }
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Seal({} keys)", self.keys.len())
    }
}

/// The names with their lengths, so that no two lists of names look the same.
fn aad(bound_to: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for name in bound_to {
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.as_bytes());
    }
    bytes
}

fn checksum(aad: &[u8], record: &[u8]) -> [u8; SUM] {
    short(&Sha256::new().chain_update(aad).chain_update(record))
}

fn short<const N: usize>(digest: &Sha256) -> [u8; N] {
    let digest = digest.clone().finalize();
    std::array::from_fn(|no| digest[no])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: [&str; 3] = ["session", "web:ann", "7"];
    const RECORD: &[u8] = b"{\"pizza\":\"diavola\"}";

    fn one(byte: u8) -> Seal {
        Seal::new(&[[byte; 32]], false)
    }

    #[test]
    fn a_sealed_record_opens_and_does_not_show_what_it_holds() {
        let kept = one(1).seal(&BOUND, RECORD).unwrap();
        assert!(!kept.windows(5).any(|part| part == b"pizza"));
        assert_eq!(one(1).open(&BOUND, &kept).unwrap(), RECORD);
        assert_ne!(one(1).seal(&BOUND, RECORD).unwrap(), kept, "a nonce is never used twice");
    }

    #[test]
    fn each_flipped_byte_and_each_cut_is_refused() {
        for seal in [Seal::none(), one(1)] {
            let kept = seal.seal(&BOUND, RECORD).unwrap();
            for no in 0..kept.len() {
                let mut flipped = kept.clone();
                flipped[no] ^= 1;
                assert!(seal.open(&BOUND, &flipped).is_err(), "byte {no} of {seal:?}");
                assert!(seal.open(&BOUND, &kept[..no]).is_err(), "cut at {no} of {seal:?}");
            }
        }
    }

    #[test]
    fn a_record_in_anothers_place_is_refused() {
        for seal in [Seal::none(), one(1)] {
            let kept = seal.seal(&BOUND, RECORD).unwrap();
            for place in [&["session", "web:ben", "7"][..], &["session", "web:ann", "8"], &["session", "web:ann7", ""]]
            {
                assert!(seal.open(place, &kept).is_err(), "{place:?}");
            }
        }
    }

    #[test]
    fn a_key_is_rotated_by_putting_a_new_one_in_front() {
        let (old, both, new) = (one(1), Seal::new(&[[2; 32], [1; 32]], false), one(2));
        let kept = old.seal(&BOUND, RECORD).unwrap();
        assert_eq!(both.open(&BOUND, &kept).unwrap(), RECORD);
        assert_eq!(new.open(&BOUND, &both.seal(&BOUND, RECORD).unwrap()).unwrap(), RECORD);
        let error = new.open(&BOUND, &kept).unwrap_err().to_string();
        assert_eq!(error, format!("session: it is sealed with a key that is not set, named {}", old.name()));
    }

    #[test]
    fn what_was_written_without_a_key_is_read_only_where_that_is_allowed() {
        let kept = Seal::none().seal(&BOUND, RECORD).unwrap();
        assert!(one(1).open(&BOUND, &kept).is_err());
        assert_eq!(Seal::new(&[[1; 32]], true).open(&BOUND, &kept).unwrap(), RECORD);
    }
}
