//! Who is asking, and which conversations are theirs. Pure: randomness and headers are given.
//!
//! A page holds a random cookie, an API client a key; either is a *secret*. A conversation id is 128 random bits
//! followed by their MAC under that secret, so an id is worth nothing without its secret, nothing is stored, and a
//! restart forgets nobody. What the rest of the product sees of a secret is a hash. A client with a key may call a
//! conversation by a name of its own: it stands for the id that the name's MAC under its key makes.

use std::str::FromStr;

use axum::http::{HeaderMap, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use formwright_chat::UserId;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};

use crate::error::ApiError;
use crate::{limits, translate};

/// Half of a conversation id: random bits, or their MAC.
const HALF: usize = 16;
/// Bytes of a cookie's secret.
const COOKIE: usize = 32;

/// An API client's key, as kept in the settings: by hash only.
#[derive(Clone, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct ApiKey {
    /// Names the client in sessions and submissions.
    pub name: String,
    /// SHA-256 of the key in 64 hexadecimal digits. Make the key of at least 128 random bits: it is hashed unsalted.
    pub sha256: String,
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiKey").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A key ready to be compared.
#[derive(Clone)]
pub(crate) struct KnownKey {
    name: String,
    hash: [u8; 32],
}

impl TryFrom<&ApiKey> for KnownKey {
    type Error = String;

    fn try_from(key: &ApiKey) -> Result<Self, String> {
        let digits = key.sha256.as_bytes();
        let hash: Option<Vec<u8>> = digits
            .chunks(2)
            .map(|two| std::str::from_utf8(two).ok().and_then(|two| u8::from_str_radix(two, 16).ok()))
            .collect();
        let hash = hash.filter(|_| digits.iter().all(u8::is_ascii_hexdigit)).and_then(|hash| hash.try_into().ok());
        match hash {
            Some(hash) if !key.name.is_empty() => Ok(Self { name: key.name.clone(), hash }),
            Some(_) => Err("web.keys: give every key a name".to_owned()),
            None => Err(format!(
                "web.keys: sha256 of key {:?} must be 64 hexadecimal digits; make it with: printf %s KEY | sha256sum",
                key.name
            )),
        }
    }
}

/// Someone with a secret.
#[derive(Clone)]
pub(crate) struct Principal {
    name: String,
    /// Whether they came by cookie: one person, whose conversations are counted.
    pub(crate) cookie: bool,
    id_key: [u8; 32],
}

impl Principal {
    /// The holder of a page's cookie.
    pub(crate) fn of_cookie(secret: &[u8; COOKIE]) -> Self {
        let name = URL_SAFE_NO_PAD.encode(&mac(secret, "user", b"")[..HALF]);
        Self { name: format!("web:{name}"), cookie: true, id_key: mac(secret, "conversations", b"") }
    }

    /// Whoever speaks `FormPilot`'s protocol: all of them are one, and a conversation's name alone says whose it is.
    pub(crate) fn of_pilot() -> Self {
        let name = "formpilot".to_owned();
        Self { id_key: mac(name.as_bytes(), "conversations", b""), name, cookie: false }
    }

    fn of_key(name: &str, key: &[u8]) -> Self {
        Self { name: format!("key:{name}"), cookie: false, id_key: mac(key, "conversations", b"") }
    }

    /// The person in a conversation, as sessions and submissions know them.
    ///
    /// Behind a key stand many people, each in a conversation of their own; so that they do not share one person's
    /// limits, each conversation has its own.
    pub(crate) fn user(&self, conversation: &str) -> UserId {
        if self.cookie {
            return UserId::new(&self.name);
        }
        let start = conversation.get(..HALF).unwrap_or_default();
        UserId::new(format!("{}:{start}", self.name))
    }

    /// The id of a new conversation made of fresh random bits.
    pub(crate) fn conversation(&self, random: &[u8; HALF]) -> String {
        let mut id = [0; HALF * 2];
        id[..HALF].copy_from_slice(random);
        id[HALF..].copy_from_slice(&mac(&self.id_key, "id", random)[..HALF]);
        URL_SAFE_NO_PAD.encode(id)
    }

    /// The id of the conversation that an event starts: the same again when it is sent again. Behind a key stand many people,
    /// whose short ids meet.
    pub(crate) fn conversation_of_event(&self, event_id: &str) -> Result<String, ApiError> {
        let least = limits::UNIQUE_ID;
        if !self.cookie && event_id.len() < least {
            let words = format!(
                "An event_id that starts a conversation under a key must have at least {least} characters (a UUID fits), so that \
                 sent again it starts the same one. Send a longer one, or the id of a conversation, or leave it out."
            );
            return Err(ApiError::bad("short_event_id", words));
        }
        Ok(self.conversation_of(event_id, "start"))
    }

    /// The conversation that they call so: the same again for the same name, and nobody else's.
    pub(crate) fn named(&self, name: &str) -> String {
        self.conversation_of(name, "fill")
    }

    fn conversation_of(&self, name: &str, purpose: &str) -> String {
        let mut half = [0; HALF];
        half.copy_from_slice(&mac(&self.id_key, "event", format!("{name}\n{purpose}").as_bytes())[..HALF]);
        self.conversation(&half)
    }

    /// The conversation that an id means: one of theirs, or for a client with a key the one that it calls so. An id of the
    /// shape that is handed out here is no name.
    pub(crate) fn find(&self, id: &str) -> Option<String> {
        if self.owns(id) {
            return Some(id.to_owned());
        }
        let is_name = !self.cookie && !Self::is_conversation(id) && translate::is_name(id);
        is_name.then(|| self.named(id))
    }

    /// Whether an id has the shape of a conversation's, whosever it is.
    pub(crate) fn is_conversation(id: &str) -> bool {
        let spelled = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        id.len() == (HALF * 2 * 8).div_ceil(6) && id.bytes().all(spelled)
    }

    /// Whether a conversation is theirs.
    pub(crate) fn owns(&self, id: &str) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(id) else { return false };
        let Ok(bytes) = <[u8; HALF * 2]>::try_from(bytes) else { return false };
        let (random, given) = bytes.split_at(HALF);
        mac(&self.id_key, "id", random)[..HALF].ct_eq(given).into()
    }
}

/// What tells a request from another one under the same event id: its content, however its JSON is written.
pub(crate) fn request_mark(body: &[u8]) -> String {
    let mut sorted: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    sorted.sort_all_objects();
    URL_SAFE_NO_PAD.encode(&Sha256::digest(sorted.to_string().as_bytes())[..HALF])
}

/// Reads who is asking: a key where there is an `Authorization` header, else the cookie; none where there is neither.
pub(crate) fn principal(headers: &HeaderMap, keys: &[KnownKey], cookie: &str) -> Result<Option<Principal>, ApiError> {
    if let Some(authorization) = headers.get(header::AUTHORIZATION) {
        let key = authorization.to_str().ok().and_then(bearer).and_then(|key| known(key, keys));
        return key.map(Some).ok_or_else(|| {
            ApiError::new(
                StatusCode::UNAUTHORIZED,
                "unknown_key",
                "This key is not known. Send Authorization: Bearer KEY with one of web.keys, or no Authorization \
                 header at all.",
            )
        });
    }
    Ok(cookie_secret(headers, cookie).map(|secret| Principal::of_cookie(&secret)))
}

/// The `Set-Cookie` value that hands out a secret.
pub(crate) fn set_cookie(name: &str, secret: &[u8; COOKIE], secure: bool) -> String {
    let secure = if secure { "; Secure" } else { "" };
    let value = URL_SAFE_NO_PAD.encode(secret);
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000{secure}")
}

/// Name of the cookie; over https one that only this very host can set.
pub(crate) fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-formwright" } else { "formwright" }
}

fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, key) = authorization.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then(|| key.trim())
}

/// Compares with every key, in the same time whichever fits.
fn known(key: &str, keys: &[KnownKey]) -> Option<Principal> {
    let hash: [u8; 32] = Sha256::digest(key.as_bytes()).into();
    let mut found = None;
    for candidate in keys {
        let same: Choice = hash.ct_eq(&candidate.hash);
        if same.into() {
            found = Some(Principal::of_key(&candidate.name, key.as_bytes()));
        }
    }
    found
}

fn cookie_secret(headers: &HeaderMap, name: &str) -> Option<[u8; COOKIE]> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name)
        .find_map(|(_, value)| URL_SAFE_NO_PAD.decode(value).ok()?.try_into().ok())
}

fn mac(key: &[u8], purpose: &str, message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    block[..32].copy_from_slice(&Sha256::digest(key));
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// An origin: scheme, host and port as browsers send them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not an origin; write it like https://forms.example or http://localhost:3000");
        let (scheme, authority) = text.split_once("://").ok_or_else(wrong)?;
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:[]".contains(c);
        if !matches!(scheme, "http" | "https") || authority.is_empty() || !authority.chars().all(plain) {
            return Err(wrong());
        }
        Ok(Self(text.to_owned()))
    }
}

impl Origin {
    /// Whether a browser's `Origin` header is this one, exactly.
    pub(crate) fn is(&self, header: &str) -> bool {
        self.0 == header
    }

    /// Whether it is https.
    pub(crate) fn secure(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Host and port.
    pub(crate) fn authority(&self) -> &str {
        self.0.split_once("://").map_or("", |(_, authority)| authority)
    }
}
