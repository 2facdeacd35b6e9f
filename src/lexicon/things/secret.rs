//! `[secret]`: words that announce what must not be taken down.

use serde::Deserialize;

use crate::phrases::{Phrases, list};

/// Words that announce what must not be taken down.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SecretWords {
    /// Before any secret: "password".
    #[serde(deserialize_with = "list")]
    pub word: Phrases<()>,
    /// Before a secret of digits only: "PIN", "CVV".
    #[serde(deserialize_with = "list")]
    pub digits: Phrases<()>,
    /// Before what looks like a key of letters and digits: "token".
    #[serde(deserialize_with = "list")]
    pub key: Phrases<()>,
    /// Before a number that is nobody else's business: "social security number".
    #[serde(deserialize_with = "list")]
    pub number: Phrases<()>,
    /// Before the words that open a wallet: "seed phrase".
    #[serde(deserialize_with = "list")]
    pub seed: Phrases<()>,
    /// Before the name of a user, with whom a password may stand: "login".
    #[serde(deserialize_with = "list")]
    pub user: Phrases<()>,
    /// Between such a word and the secret: "is".
    #[serde(deserialize_with = "list")]
    pub is: Phrases<()>,
    /// Between the name of a secret and "is": "for", "I use".
    #[serde(deserialize_with = "list")]
    pub gap: Phrases<()>,
    /// Between a secret and its name: "as".
    #[serde(deserialize_with = "list")]
    pub uses: Phrases<()>,
    /// Before the name of a secret that stands after it: "my".
    #[serde(deserialize_with = "list")]
    pub whose: Phrases<()>,
    /// Before the name of a secret that is given a value: "set".
    #[serde(deserialize_with = "list")]
    pub set: Phrases<()>,
    /// Between its name and that value: "to".
    #[serde(deserialize_with = "list")]
    pub to: Phrases<()>,
    /// What follows where no secret follows: "wrong", "expired", "reset".
    #[serde(deserialize_with = "list")]
    pub not_secret: Phrases<()>,
}
