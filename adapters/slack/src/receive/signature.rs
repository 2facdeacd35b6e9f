//! Slack's signature of a request: HMAC-SHA256 over `v0:timestamp:body`, the body as it came
//! (docs.slack.dev/authentication/verifying-requests-from-slack). Pure: the time is given.

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::Sha256;

use crate::limits::SIGNATURE_AGE;

/// The header with the signature, `v0=` and 64 hexadecimal digits.
pub(crate) const SIGNATURE: &str = "x-slack-signature";
/// The header with the time of sending, in seconds since 1970.
pub(crate) const TIMESTAMP: &str = "x-slack-request-timestamp";

/// What the headers say, before a body is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    timestamp: String,
    digest: [u8; 32],
}

impl Signature {
    /// Reads the headers. None where one is missing, doubled or malformed, or the time is not within five minutes of now.
    pub(crate) fn of(headers: &HeaderMap, now: Timestamp) -> Option<Self> {
        let one = |name: &str| {
            let mut all = headers.get_all(name).iter();
            let one = all.next()?.to_str().ok()?;
            all.next().is_none().then_some(one)
        };
        let timestamp = one(TIMESTAMP)?;
        let digits = (1..=12).contains(&timestamp.len()) && timestamp.bytes().all(|b| b.is_ascii_digit());
        let age = now.as_second().checked_sub(timestamp.parse::<i64>().ok()?)?;
        let fresh = digits && age.unsigned_abs() <= SIGNATURE_AGE.unsigned_abs();
        let digest = hex(one(SIGNATURE)?.strip_prefix("v0=")?)?;
        fresh.then(|| Self { timestamp: timestamp.to_owned(), digest })
    }

    /// Whether the body was signed with this secret. Takes the same time wherever the difference is.
    pub(crate) fn signs(&self, body: &[u8], secret: &str) -> bool {
        if secret.is_empty() {
            return false;
        }
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        mac.update(b"v0:");
        mac.update(self.timestamp.as_bytes());
        mac.update(b":");
        mac.update(body);
        mac.verify_slice(&self.digest).is_ok()
    }
}

/// 64 lower-case hexadecimal digits as 32 bytes.
fn hex(text: &str) -> Option<[u8; 32]> {
    let well_formed = text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let mut bytes = [0; 32];
    for (no, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(no * 2..no * 2 + 2)?, 16).ok()?;
    }
    well_formed.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    // The example of Slack's page on verifying requests.
    const SECRET: &str = "8f742231b10e8888abcd99yyyzzz85a5";
    const BODY: &str = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const GOOD: &str = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    const SENT: i64 = 1_531_420_618;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn headers(signature: &str, timestamp: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(SIGNATURE, HeaderValue::from_bytes(signature.as_bytes()).unwrap());
        headers.insert(TIMESTAMP, HeaderValue::from_bytes(timestamp.as_bytes()).unwrap());
        headers
    }

    fn taken(headers: &HeaderMap, body: &str, secret: &str, now: i64) -> bool {
        Signature::of(headers, at(now)).is_some_and(|signature| signature.signs(body.as_bytes(), secret))
    }

    #[rstest]
    #[case(0)]
    #[case(300)]
    #[case(-300)]
    #[case(299)]
    fn slacks_own_example_is_taken_within_five_minutes(#[case] late: i64) {
        assert!(taken(&headers(GOOD, "1531420618"), BODY, SECRET, SENT + late));
    }

    #[rstest]
    #[case("v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b502", "1531420618", SENT)]
    #[case("v1=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503", "1531420618", SENT)]
    #[case("a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503", "1531420618", SENT)]
    #[case("V0=A2114D57B48EAC39B9AD189DD8316235A7B4A8D21A10BD27519666489C69B503", "1531420618", SENT)]
    #[case("v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b5", "1531420618", SENT)]
    #[case("v0=+2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503", "1531420618", SENT)]
    #[case("v0=é2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b50", "1531420618", SENT)]
    #[case("v0=", "1531420618", SENT)]
    #[case("", "1531420618", SENT)]
    #[case(GOOD, "1531420619", SENT)]
    #[case(GOOD, "01531420618", SENT)]
    #[case(GOOD, "+1531420618", SENT)]
    #[case(GOOD, "1531420618.0", SENT)]
    #[case(GOOD, " 1531420618", SENT)]
    #[case(GOOD, "", SENT)]
    #[case(GOOD, "now", SENT)]
    #[case(GOOD, "99999999999999999999", SENT)]
    #[case(GOOD, "1531420618", SENT + 301)]
    #[case(GOOD, "1531420618", SENT - 301)]
    fn altered_late_and_malformed_ones_are_not(#[case] signature: &str, #[case] timestamp: &str, #[case] now: i64) {
        assert!(!taken(&headers(signature, timestamp), BODY, SECRET, now));
    }

    #[test]
    fn every_flipped_byte_of_the_body_and_of_the_secret_counts() {
        let headers = headers(GOOD, "1531420618");
        for at in (0..BODY.len()).step_by(7) {
            let mut body = BODY.as_bytes().to_vec();
            body[at] ^= 1;
            let signature = Signature::of(&headers, Timestamp::from_second(SENT).unwrap()).unwrap();
            assert!(!signature.signs(&body, SECRET), "{at}");
        }
        assert!(!taken(&headers, &format!("{BODY} "), SECRET, SENT));
        assert!(!taken(&headers, BODY, "another", SENT));
        assert!(!taken(&headers, BODY, "", SENT));
    }

    #[test]
    fn two_headers_of_a_kind_and_missing_ones_are_refused() {
        for name in [SIGNATURE, TIMESTAMP] {
            let mut doubled = headers(GOOD, "1531420618");
            let value = doubled[name].clone();
            doubled.append(name, value);
            assert!(Signature::of(&doubled, at(SENT)).is_none());
            let mut missing = headers(GOOD, "1531420618");
            missing.remove(name);
            assert!(Signature::of(&missing, at(SENT)).is_none());
        }
    }
}
