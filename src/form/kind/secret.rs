//! Secrets that people write where they do not belong: payment cards, passwords, PINs, keys of services. They are refused,
//! not kept, and never said back.

use std::ops::Range;

use super::said::{Class, overlap};
use super::{Said, cards, credentials, iban};
use crate::form::language::{self, Phrases, secret::SecretWords};

/// Secrets in a message, as bytes of it, left to right, without overlaps: card numbers, keys that services and programs
/// give out, and what is announced as a password, PIN, security code or social security number in any of the languages.
pub fn secrets(said: &Said) -> Vec<Range<usize>> {
    let mut found = card_numbers(said);
    // An account number may hold digits that would be a card's.
    let accounts = iban::find(&said.raw);
    found.retain(|card| !accounts.iter().any(|account| overlap(account, card)));
    found.extend(credentials::find(&said.raw));
    found.extend(announced(said));
    found.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    found.dedup_by(|b, a| {
        let overlap = b.start < a.end;
        if overlap {
            a.end = a.end.max(b.end);
        }
        overlap
    });
    found
}

/// Card numbers, in one run or in groups with spaces, dots or dashes.
fn card_numbers(said: &Said) -> Vec<Range<usize>> {
    const LONGEST: usize = 19;
    let is_digits = |no: usize| said.words.get(no).is_some_and(|word| word.class == Class::Digits);
    let mut found = Vec::new();
    let mut from = 0;
    while from < said.words.len() {
        if !is_digits(from) || from > 0 && said.word(from - 1) == "+" {
            from += 1;
            continue;
        }
        let mut digits = String::new();
        let mut to = from;
        let mut end = None;
        while is_digits(to) && digits.len() <= LONGEST {
            digits.push_str(said.word(to));
            to += 1;
            if cards::is_card(&digits) {
                end = Some(to);
            }
            if matches!(said.word(to), "-" | "." | "/" | "_") && is_digits(to + 1) {
                to += 1;
            }
        }
        match end {
            Some(end) => {
                found.push(said.raw_words(from..end));
                from = end;
            }
            None => from += 1,
        }
    }
    found
}

/// A phrase of every language's table at a word.
fn at(said: &Said, no: usize, table: fn(&SecretWords) -> &Phrases<()>) -> Option<usize> {
    language::all().filter_map(|lang| table(&lang.secret).at(said, no)).map(|(words, ())| words).max()
}

/// What follows "my password is", "PIN:", "CVV", "token", "social security number".
fn announced(said: &Said) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for no in 0..said.words.len() {
        let lens = [
            at(said, no, |words| &words.word),
            at(said, no, |words| &words.digits),
            at(said, no, |words| &words.key),
            at(said, no, |words| &words.number),
        ];
        let Some(len) = lens.into_iter().flatten().max() else { continue };
        let [word, digits, key, number] = lens.map(|of| of == Some(len));
        let mut start = no + len;
        let mut linked = false;
        while let Some(len) = at(said, start, |words| &words.is) {
            start += len;
            linked = true;
        }
        while matches!(said.word(start), "\"" | "'" | ":" | "`" | "#") {
            start += 1;
        }
        let Some(first) = said.words.get(start) else { continue };
        let end = end_of_run(said, start);
        let run = said.raw.get(said.raw_words(start..end)).unwrap_or_default();
        let plain = first.class == Class::Digits && digits && (3..=8).contains(&said.word(start).len());
        let named = word
            && linked
            && (at(said, start, |words| &words.not_secret).is_none() && first.class != Class::Mark
                || is_odd(said, start));
        // Without "is" between them, only what no word looks like.
        let bare =
            (word || key) && run.chars().count() >= SHORTEST_KEY && (credentials::is_odd(run) || is_long_number(run));
        if plain || named || bare {
            found.push(said.raw_words(start..end));
        } else if number && let Some(end) = long_number(said, start) {
            found.push(said.raw_words(start..end));
        }
    }
    found
}

/// Fewest characters of a password or key that no "is" announces.
const SHORTEST_KEY: usize = 5;

/// The end of a run without spaces, but for the marks of the sentence after it.
fn end_of_run(said: &Said, start: usize) -> usize {
    let mut end = start + 1;
    while end < said.words.len() && said.is_glued(end) {
        end += 1;
    }
    end
}

/// Whether a run is digits only, more than those of a year.
fn is_long_number(run: &str) -> bool {
    let run = run.trim_end_matches(['.', ',', '!', '?']);
    run.chars().count() >= SHORTEST_KEY && run.chars().all(char::is_numeric)
}

/// The end of a number of 8 to 15 digits, in one run or in groups.
fn long_number(said: &Said, start: usize) -> Option<usize> {
    let mut digits = 0;
    let mut end = start;
    while let Some(word) = said.words.get(end) {
        match word.class {
            Class::Digits => digits += said.word(end).len(),
            Class::Letters if digits > 0 && said.word(end).len() == 1 => {}
            Class::Mark if digits > 0 && matches!(said.word(end), "-" | "." | "/") => {}
            _ => break,
        }
        end += 1;
    }
    (8..=15).contains(&digits).then_some(end)
}

/// Whether a mark begins a run that goes on without a space, as passwords do: `$ecret`.
fn is_odd(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Mark)
        && said.words.len() > no + 1
        && said.is_glued(no + 1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn quotes(said: &str) -> Vec<String> {
        let said = Said::new(said);
        secrets(&said).into_iter().map(|range| said.raw.get(range).unwrap().to_owned()).collect()
    }

    #[rstest]
    #[case("4111 1111 1111 1111", &["4111 1111 1111 1111"])]
    #[case("my card is 4111-1111-1111-1111, ok?", &["4111-1111-1111-1111"])]
    #[case("5555555555554444 exp 12/28 cvv 123", &["5555555555554444", "123"])]
    #[case("amex 378282246310005", &["378282246310005"])]
    #[case("٤١١١ ١١١١ ١١١١ ١١١١", &["٤١١١ ١١١١ ١١١١ ١١١١"])]
    #[case("password: hunter2", &["hunter2"])]
    #[case("My password is S3cr3t!x and I live here", &["S3cr3t!x"])]
    #[case("pwd=abc123", &["abc123"])]
    #[case("my pin is 1234", &["1234"])]
    #[case("la mia password è Pippo99", &["Pippo99"])]
    #[case("mi contraseña es gato123", &["gato123"])]
    #[case("mein Passwort ist Geheim1", &["Geheim1"])]
    #[case("mon mot de passe est chat123", &["chat123"])]
    #[case("كلمة السر هي abc123", &["abc123"])]
    #[case("password is $ecret", &["$ecret"])]
    fn secrets_are_found(#[case] said: &str, #[case] want: &[&str]) {
        assert_eq!(quotes(said), want, "{said}");
    }

    #[rstest]
    #[case("pwd hunter2x", &["hunter2x"])]
    #[case("the wifi password Garden2026!", &["Garden2026!"])]
    #[case("password 123456", &["123456"])]
    #[case("Passwort Sommer2026", &["Sommer2026"])]
    #[case("mdp chat123", &["chat123"])]
    #[case("psw pippo99", &["pippo99"])]
    #[case("contraseña gato123", &["gato123"])]
    #[case("كلمة المرور abc123", &["abc123"])]
    #[case("ssn 123-45-6789", &["123-45-6789"])]
    #[case("my social security number is 123 45 6789", &["123 45 6789"])]
    #[case("SSN: 123456789", &["123456789"])]
    #[case("numéro de sécurité sociale 1 84 12 76 451 089", &["1 84 12 76 451 089"])]
    #[case("Sozialversicherungsnummer 65 170839 J 003", &["65 170839 J 003"])]
    #[case("PIN 4711", &["4711"])]
    #[case("cvv 123", &["123"])]
    #[case("my cvc code: 123", &["123"])]
    #[case("codice segreto 12345", &["12345"])]
    #[case("code confidentiel : 4711", &["4711"])]
    #[case("الرقم السري 4711", &["4711"])]
    #[case("token ghp_abc123", &["ghp_abc123"])]
    #[case("here: ghp_16C7e42F292c6912E7710c838347Ae178B4a.", &["ghp_16C7e42F292c6912E7710c838347Ae178B4a"])]
    #[case("github_pat_11ABCDEFG0abcdefghij", &["github_pat_11ABCDEFG0abcdefghij"])]
    #[case("use sk-proj-abc123DEF456ghi789", &["sk-proj-abc123DEF456ghi789"])]
    #[case("key=sk-1234567890abcdef1234", &["sk-1234567890abcdef1234"])]
    #[case("AKIAIOSFODNN7EXAMPLE", &["AKIAIOSFODNN7EXAMPLE"])]
    #[case("xoxb-123456789012-abcdefGHIJKL", &["xoxb-123456789012-abcdefGHIJKL"])]
    #[case("api key: abcdef", &["abcdef"])]
    #[case("api key 9f8e7d6c5b4a", &["9f8e7d6c5b4a"])]
    #[case("clé api 9f8e7d6c5b4a", &["9f8e7d6c5b4a"])]
    #[case("API-Schlüssel: 9f8e7d6c5b4a", &["9f8e7d6c5b4a"])]
    #[case("Authorization: Bearer abc123def456", &["abc123def456"])]
    #[case(
        "it is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
        &["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"]
    )]
    #[case("123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", &["123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"])]
    #[case(
        "look -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- ok",
        &["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"]
    )]
    #[case("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl", &["-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl"])]
    fn so_are_keys_and_passwords_that_nothing_announces(#[case] said: &str, #[case] want: &[&str]) {
        assert_eq!(quotes(said), want, "{said}");
    }

    #[rstest]
    #[case("DE89 3704 0044 0532 0130 00")]
    #[case("IT60X0542811101000000123456")]
    #[case("my IBAN is GB82 WEST 1234 5698 7654 32")]
    #[case("a small token of thanks")]
    #[case("my token of thanks")]
    #[case("pin the note to the wall")]
    #[case("password reset form please")]
    #[case("I need a new password for the intranet")]
    #[case("the password field is too small")]
    #[case("password protected files only")]
    #[case("the reset of my password took 20 minutes")]
    #[case("order number 2026-11-20-0042")]
    #[case("order AB-1234567")]
    #[case("invoice 4711")]
    #[case("my customer number is 123-45-6789")]
    #[case("ticket SK-1042")]
    #[case("+39 347 123 4567")]
    #[case("call 050 123 4567 or 02 1234 5678")]
    #[case("(555) 123-4567")]
    #[case("the key is under the mat")]
    #[case("room key 12B")]
    #[case("a bearer of good news")]
    #[case("my boarding pass is AB1234")]
    #[case("I lost the tan jacket")]
    #[case("social security office in Rome")]
    #[case("the security code was not accepted")]
    #[case("secret santa on 24 December 2026")]
    #[case("see https://example.com/reset?token=1")]
    #[case("write to ada.lovelace1815@example.com")]
    #[case("ask-me-anything-later, risk-taking-2026")]
    #[case("the hf_model is slow")]
    #[case("version 2.0.1-beta.3 build 20261120")]
    #[case("la clave de la casa está en la mesa")]
    #[case("le jeton de la machine à café")]
    #[case("la chiave di casa")]
    #[case("die PIN habe ich vergessen")]
    #[case("how much is 12.50 euros at 3pm-5pm")]
    #[case("-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----")]
    #[case("two pizzas to via Roma 12, 20100 Milano")]
    fn harmless_messages_are_let_through(#[case] said: &str) {
        assert_eq!(quotes(said), Vec::<String>::new(), "{said}");
    }

    #[rstest]
    #[case("I forgot my password")]
    #[case("my password is not working")]
    #[case("the password is expired")]
    #[case("please reset my password: it was lost")]
    #[case("call me on +39 347 123 4567")]
    #[case("order 1234567890123456")]
    #[case("0039 347 1234567 10 pizzas")]
    #[case("a pin for the map")]
    #[case("4111 1111 1111 1112")]
    fn other_messages_hold_none(#[case] said: &str) {
        assert_eq!(quotes(said), Vec::<String>::new(), "{said}");
    }
}
