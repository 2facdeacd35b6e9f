//! Interactions over HTTP: Discord as the caller, with its signatures, and others who are not Discord.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};

use super::rest::interactions;
use super::world::World;

/// A request that Discord did not send, or not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// None: signed as Discord signs.
    Genuine,
    /// Signed with another key.
    OtherKey,
    /// A byte of the body was changed after signing.
    AlteredBody,
    /// A space was added to the body after signing.
    PaddedBody,
    /// The body was replaced by another that is well formed.
    OtherBody,
    /// The body was cut after signing.
    CutBody,
    /// The body is empty.
    EmptyBody,
    /// The time was changed after signing.
    AlteredTime,
    /// Signed long ago, or far ahead, by so many seconds.
    Aged(i64),
    /// The time is signed, and is none.
    NoNumber,
    /// The signature is missing.
    NoSignature,
    /// The time is missing.
    NoTime,
    /// Neither is there.
    Bare,
    /// The signature is empty.
    EmptySignature,
    /// The signature is not hexadecimal.
    NotHex,
    /// The signature is cut.
    ShortSignature,
    /// The signature goes on after its end.
    LongSignature,
    /// One bit of the signature is turned, at this byte of 64.
    TurnedBit(usize),
    /// All of the signature is zero.
    Zero,
    /// Two signatures: a false one and the right one.
    TwoSignatures,
    /// Two times: the right one and another.
    TwoTimes,
    /// The body alone was signed, without the time.
    BodyOnly,
    /// Body and time were signed in the wrong order.
    WrongOrder,
    /// The time and the body are divided elsewhere: the same bytes are signed.
    MovedBorder,
}

impl Forgery {
    /// Every kind of forgery; none of them may be taken.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self::OtherKey,
            Self::AlteredBody,
            Self::PaddedBody,
            Self::OtherBody,
            Self::CutBody,
            Self::EmptyBody,
            Self::AlteredTime,
            Self::NoNumber,
            Self::NoSignature,
            Self::NoTime,
            Self::Bare,
            Self::EmptySignature,
            Self::NotHex,
            Self::ShortSignature,
            Self::LongSignature,
            Self::Zero,
            Self::TwoSignatures,
            Self::TwoTimes,
            Self::BodyOnly,
            Self::WrongOrder,
            Self::MovedBorder,
        ];
        all.extend([-86_400, -3600, -601, 601, 3600, 86_400].map(Self::Aged));
        all.extend([0, 15, 31, 32, 47, 63].map(Self::TurnedBit));
        all
    }
}

/// The application's key pair.
pub(super) fn key() -> SigningKey {
    SigningKey::from_bytes(b"a key that signs for no one else")
}

/// Sends an interaction to the endpoint; gives the status, and what was answered.
pub(super) async fn call(url: &str, payload: &Value, forgery: Forgery) -> Result<(u16, Value), String> {
    let request = sealed(payload, forgery);
    let mut call = client()?.post(url).header("content-type", "application/json");
    for (name, value) in &request.headers {
        call = call.header(*name, value);
    }
    let response = call.body(request.body).send().await.map_err(|error| error.to_string())?;
    let status = response.status().as_u16();
    let bytes = response.bytes().await.map_err(|error| error.to_string())?;
    Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
}

/// Sends an interaction and takes the answer, as the callback would be taken.
pub(super) async fn deliver(world: Arc<World>, url: String, id: u64, token: String, payload: Value) {
    let answered = tokio::time::timeout(world.options.answer_within, call(&url, &payload, Forgery::Genuine)).await;
    match answered {
        Ok(Ok((200..300, body))) if !body.is_null() => {
            if let Err(refusal) = interactions::answer(&world, id, &token, &body, &[]) {
                world.refuse(format!("answer over HTTP: {} {body}", refusal.line()));
            }
        }
        // Accepted; the callback comes by itself.
        Ok(Ok((202 | 204, _))) => {}
        Ok(Ok((status, _))) => tracing::debug!(status, "fake discord: the endpoint did not take an interaction"),
        Ok(Err(error)) => tracing::debug!(error, "fake discord: the endpoint was not reached"),
        Err(_) => tracing::debug!("fake discord: the endpoint did not answer in time"),
    }
}

/// What the developer portal does before it takes an address: a ping, and one with a false signature.
pub(super) async fn probe(url: &str) -> Result<(), String> {
    let ping = json!({"type": 1, "version": 1, "id": "1", "token": "t", "application_id": super::world::BOT.to_string(),
        "entitlements": []});
    let (status, answer) = call(url, &ping, Forgery::Genuine).await?;
    if status != 200 || answer["type"].as_u64() != Some(1) {
        return Err(format!("a ping was answered with {status} {answer}"));
    }
    let (status, _) = call(url, &ping, Forgery::OtherKey).await?;
    if status != 401 {
        return Err(format!("a ping with a false signature was answered with {status}, not 401"));
    }
    Ok(())
}

struct Sealed {
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

const SIGNATURE: &str = "x-signature-ed25519";
const TIME: &str = "x-signature-timestamp";

fn sealed(payload: &Value, forgery: Forgery) -> Sealed {
    let mut body = payload.to_string().into_bytes();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let mut time = match forgery {
        Forgery::Aged(by) => now.saturating_add_signed(by).to_string(),
        Forgery::NoNumber => "now".to_owned(),
        _ => now.to_string(),
    };
    let signed = match forgery {
        Forgery::BodyOnly => body.clone(),
        Forgery::WrongOrder => [body.as_slice(), time.as_bytes()].concat(),
        _ => [time.as_bytes(), body.as_slice()].concat(),
    };
    let key = if forgery == Forgery::OtherKey { SigningKey::from_bytes(&[3; 32]) } else { key() };
    let mut signature = key.sign(&signed).to_bytes().to_vec();
    match forgery {
        Forgery::AlteredBody => {
            body = String::from_utf8_lossy(&body).replacen("\"type\":", "\"type\": ", 1).into_bytes();
        }
        Forgery::PaddedBody => body.push(b' '),
        Forgery::OtherBody => body = payload.to_string().replace("\"locale\":\"", "\"locale\":\"x").into_bytes(),
        Forgery::CutBody => body.truncate(body.len() / 2),
        Forgery::EmptyBody => body.clear(),
        Forgery::AlteredTime => time = (now + 1).to_string(),
        Forgery::TurnedBit(at) => signature.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1),
        Forgery::Zero => signature.fill(0),
        Forgery::ShortSignature => signature.truncate(63),
        Forgery::LongSignature => signature.push(0),
        Forgery::MovedBorder => {
            let last = time.pop().map(|digit| digit.to_string()).unwrap_or_default();
            body.splice(0..0, last.into_bytes());
        }
        _ => {}
    }
    let hex: String = match forgery {
        Forgery::EmptySignature => String::new(),
        Forgery::NotHex => "z".repeat(128),
        _ => signature.iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let mut headers = Vec::new();
    if forgery == Forgery::TwoSignatures {
        headers.push((SIGNATURE, "0".repeat(128)));
    }
    if !matches!(forgery, Forgery::NoSignature | Forgery::Bare) {
        headers.push((SIGNATURE, hex));
    }
    if !matches!(forgery, Forgery::NoTime | Forgery::Bare) {
        headers.push((TIME, time));
    }
    if forgery == Forgery::TwoTimes {
        headers.push((TIME, (now + 1).to_string()));
    }
    Sealed { headers, body }
}

fn client() -> Result<reqwest::Client, String> {
    // The one that is there already stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().build().map_err(|error| error.to_string())
}
