//! Secrets that people write where they do not belong: payment cards, passwords, PINs, keys of services. They are refused,
//! not kept, and never said back.

mod told;

use std::ops::Range;
use std::sync::LazyLock;

use formwright_lexicon as language;
use formwright_lexicon::number::Atom;
use formwright_lexicon::secret::SecretWords;
use formwright_lexicon::{Language, Phrases};
use formwright_text::{Class, Said, overlap};
use rust_decimal::Decimal;

use crate::signs::{cards, credentials, iban};

/// Secrets in a message, as bytes of it, left to right, without overlaps: card numbers, keys that services and programs
/// give out, and what is announced as a password, PIN, security code or social security number in any of the languages.
pub fn secrets(said: &Said) -> Vec<Range<usize>> {
    let mut found = card_numbers(said);
    // An account number may hold digits that would be a card's.
    let accounts = iban::find(&said.raw);
    found.retain(|card| !accounts.iter().any(|account| overlap(account, card)));
    found.extend(credentials::find(&said.raw));
    found.extend(announced(said));
    found.extend(told::after(said));
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

/// Whether a field's name is that of a secret, in any language: "Your bank password", "PIN code", "CVV".
pub fn is_named(name: &str) -> bool {
    let said = Said::new(name);
    let ends = |no: usize| {
        let on = at(&said, no, |words| &words.gap).is_some();
        on || said.words.get(no).is_none_or(|word| word.class == Class::Mark)
    };
    (0..said.words.len()).any(|no| {
        at(&said, no, |words| &words.word).is_some()
            || at(&said, no, |words| &words.seed).is_some()
            // "Token" and "pin" are other things too.
            || at(&said, no, |words| &words.key).is_some_and(|len| len > 1)
            || at(&said, no, |words| &words.digits).is_some_and(|len| ends(no + len))
    })
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
pub(crate) fn at(said: &Said, no: usize, table: fn(&SecretWords) -> &Phrases<()>) -> Option<usize> {
    language::all().filter_map(|lang| table(&lang.secret).at(said, no)).map(|(words, ())| words).max()
}

/// Whether a word begins what announces a secret or names a user, in any language. Few do, and there are many tables.
pub(crate) fn may_announce(said: &Said, no: usize) -> bool {
    static FIRST_WORDS: LazyLock<Phrases<()>> = LazyLock::new(|| {
        let tables = language::all()
            .map(|lang| &lang.secret)
            .flat_map(|words| [&words.word, &words.digits, &words.key, &words.number, &words.seed, &words.user]);
        Phrases::new(tables.flat_map(Phrases::first_words).map(|word| (word, ())))
    });
    FIRST_WORDS.starts(said, no)
}

/// What follows "my password is", "PIN:", "CVV", "token", "social security number", "login: ada /".
fn announced(said: &Said) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut after_user = None;
    for no in (0..said.words.len()).filter(|no| may_announce(said, *no)) {
        if let Some(user) = User::at(said, no) {
            found.extend(user.password.map(|words| said.raw_words(words)));
            after_user = Some(user.end);
        }
        let lens = [
            at(said, no, |words| &words.word),
            at(said, no, |words| &words.digits),
            at(said, no, |words| &words.key),
            at(said, no, |words| &words.number),
            at(said, no, |words| &words.seed),
        ];
        let Some(len) = lens.into_iter().flatten().max() else { continue };
        let [word, digits, key, number, seed] = lens.map(|of| of == Some(len));
        let (start, linked) = past_link(said, no + len);
        let Some(first) = said.words.get(start) else { continue };
        let end = end_of_run(said, start);
        let run = said.raw.get(said.raw_words(start..end)).unwrap_or_default();
        let named = word && linked && (!is_about(said, start) && first.class != Class::Mark || is_odd(said, start));
        let alone = word && !is_small(said, start) && (after_user == Some(no) || is_label(said, no, end));
        // Without "is" between them, only what no word looks like.
        let bare =
            (word || key) && run.chars().count() >= SHORTEST_KEY && (credentials::is_odd(run) || is_long_number(run));
        if let Some(end) = few_digits(said, start).filter(|_| digits) {
            found.push(said.raw_words(start..end));
        } else if let Some(end) = phrase_of_words(said, start).filter(|_| seed) {
            found.push(said.raw_words(start..end));
        } else if named || alone || bare {
            found.push(said.raw_words(start..end));
        } else if number && let Some(end) = long_number(said, start) {
            found.push(said.raw_words(start..end));
        }
    }
    found
}

/// Where the words after "is", a colon or a quote begin, and whether there is such a link.
pub(crate) fn past_link(said: &Said, mut no: usize) -> (usize, bool) {
    let mut linked = no.checked_sub(1).is_some_and(|before| matches!(said.word(before), ":" | "="));
    while let Some(len) = at(said, no, |words| &words.is) {
        no += len;
        linked = true;
    }
    while matches!(said.word(no), "\"" | "'" | ":" | "`" | "#") {
        linked |= !said.is_glued(no) && said.is_glued(no + 1);
        no += 1;
    }
    (no, linked)
}

/// Whether a word speaks about a secret and is none: "expired", "reset".
pub(crate) fn is_about(said: &Said, no: usize) -> bool {
    at(said, no, |words| &words.not_secret).is_some()
}

/// Whether a word is one that anybody may say beside the name of a secret.
pub(crate) fn is_small(said: &Said, no: usize) -> bool {
    let small = |lang: &Language| {
        let tables = [&lang.sentence.stop, &lang.yes_no.negation, &lang.option.common];
        tables.into_iter().any(|table| table.starts(said, no))
    };
    is_about(said, no) || said.words.get(no).is_none_or(|word| word.class == Class::Mark) || language::all().any(small)
}

/// Whether nothing stands around the name of a secret and the run that ends at `end` but "my" and its like: "Kennwort
/// Sonne", "here is my password sunshine".
fn is_label(said: &Said, name: usize, end: usize) -> bool {
    let ends = |no: usize| said.words.get(no).is_none_or(|word| word.class == Class::Mark);
    let asks = (name..=end).any(|no| matches!(said.word(no), "?" | "؟"));
    let speaks = |no: usize| language::all().any(|lang| lang.sentence.speaker.starts(said, no));
    let mut before = (0..name).rev().take_while(|no| !ends(*no));
    ends(end) && !asks && before.all(|no| is_small(said, no) && !speaks(no))
}

/// The name of a user, as "login: ada".
struct User {
    /// What stands after a stroke or colon behind it: "login: ada / lovelace".
    password: Option<Range<usize>>,
    /// Where what is said next begins, without "and my".
    end: usize,
}

impl User {
    fn at(said: &Said, no: usize) -> Option<Self> {
        let (start, linked) = past_link(said, no + at(said, no, |words| &words.user)?);
        if is_small(said, start) {
            return None;
        }
        let is_stroke = |no: usize| matches!(said.word(no), "/" | ":" | "|");
        let mut end = start + 1;
        while said.is_glued(end) && !is_stroke(end) {
            end += 1;
        }
        let after = end_of_run(said, end + 1);
        let run = said.raw.get(said.raw_words(end + 1..after)).unwrap_or_default();
        let is_last = said.words.get(after).is_none_or(|word| word.class == Class::Mark);
        let follows = is_stroke(end) && !is_small(said, end + 1) && is_last && (linked || credentials::is_odd(run));
        let password = follows.then_some(end + 1..after);
        while end < said.words.len()
            && (said.words[end].class == Class::Mark
                || language::all().any(|lang| lang.sentence.stop.starts(said, end)))
        {
            end += 1;
        }
        Some(Self { password, end })
    }
}

/// The end of three to eight digits, written or said: "4711", "four seven one one".
fn few_digits(said: &Said, start: usize) -> Option<usize> {
    let value = |word: &str| {
        language::all().find_map(|lang| match lang.number.atoms.word(word) {
            Some(Atom::Value(value)) if *value < Decimal::ONE_HUNDRED => {
                Some(if *value < Decimal::TEN { 1 } else { 2 })
            }
            _ => None,
        })
    };
    let spoken = |no: usize| said.plain(no).split('-').map(value).sum::<Option<usize>>();
    let mut count = 0;
    let mut found = None;
    for (no, word) in said.words.iter().enumerate().skip(start) {
        let more = match word.class {
            Class::Digits => said.word(no).len(),
            Class::Letters => spoken(no).unwrap_or(usize::MAX),
            Class::Mark if said.word(no) == "-" => 0,
            Class::Mark => usize::MAX,
        };
        count = more.saturating_add(count);
        match count {
            0..3 => {}
            3..=8 => found = Some(no + 1),
            _ => break,
        }
    }
    found
}

/// The end of the twelve words and more that open a wallet.
fn phrase_of_words(said: &Said, start: usize) -> Option<usize> {
    const FEWEST: usize = 12;
    let letters = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
    let end = (start..said.words.len()).find(|no| !letters(no)).unwrap_or(said.words.len());
    (end >= start + FEWEST).then_some(end)
}

/// Fewest characters of a password or key that no "is" announces.
const SHORTEST_KEY: usize = 5;

/// The end of a run without spaces, but for the marks of the sentence after it.
pub(crate) fn end_of_run(said: &Said, start: usize) -> usize {
    let mut end = start + 1;
    while end < said.words.len() && said.is_glued(end) {
        end += 1;
    }
    while end > start + 1 && matches!(said.word(end - 1), "," | ";" | ".") {
        end -= 1;
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
    #[case("Password", true)]
    #[case("Your bank password", true)]
    #[case("user password", true)]
    #[case("PIN code", true)]
    #[case("PIN of the card", true)]
    #[case("CVV", true)]
    #[case("CVC (3 digits)", true)]
    #[case("Contraseña", true)]
    #[case("Mot de passe", true)]
    #[case("كلمة المرور", true)]
    #[case("Pin color", false)]
    #[case("Parking token", false)]
    #[case("Passport number", false)]
    #[case("Postal code", false)]
    fn fields_are_for_secrets_by_their_names(#[case] name: &str, #[case] secret: bool) {
        assert_eq!(is_named(name), secret, "{name}");
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
    #[case("the password I use is sunshine", "sunshine")]
    #[case("sunshine is my password", "sunshine")]
    #[case("My login is ann and sunshine is the password", "sunshine")]
    #[case("my password (sunshine) is jolly", "sunshine")]
    #[case("my pass is sunshine", "sunshine")]
    #[case("use sunshine as the password please", "sunshine")]
    #[case("I set the password to sunshine yesterday", "sunshine")]
    #[case("the password for my account is sunshine", "sunshine")]
    #[case("log me in with bob:hunter2", "hunter2")]
    #[case("my pa\u{200b}ssword is sunshine", "sunshine")]
    #[case("the code from the sms is 483920", "483920")]
    #[case("the three digits on the back are 123", "123")]
    #[case("4711 is my pin", "4711")]
    #[case("123-45-6789 is my social", "123-45-6789")]
    #[case("il codice del bancomat è 48392", "48392")]
    #[case("girasole è la mia password", "girasole")]
    #[case("girasol es mi contraseña", "girasol")]
    #[case("Sonne ist mein Passwort", "Sonne")]
    #[case("tournesol est mon mot de passe", "tournesol")]
    #[case("my pw: sunshine", "sunshine")]
    #[case("passwd hunter", "hunter")]
    #[case("here is my password sunshine", "sunshine")]
    #[case("the wifi password sunshine", "sunshine")]
    #[case("my password's sunshine", "sunshine")]
    #[case("my password is 'sunshine rain'", "sunshine")]
    #[case("password \"sunshine\"", "sunshine\"")]
    #[case("login: bob / hunter2", "hunter2")]
    #[case("login: bob / sunshine", "sunshine")]
    #[case("credentials bob:hunter2", "hunter2")]
    #[case("username bob password bob", "bob")]
    #[case("my username is bob and my password sunshine, thanks", "sunshine")]
    #[case("user: bob, password: bob", "bob")]
    #[case("my netflix pass: orange77", "orange77")]
    #[case("my secret is rosebud", "rosebud")]
    #[case("secret: rosebud", "rosebud")]
    #[case("PIN four seven one one", "four seven one one")]
    #[case("my PIN is 4 7 1 1", "4 7 1 1")]
    #[case("CVV three-two-one", "three-two-one")]
    #[case("the sms code is 123 456", "123 456")]
    #[case("PIN forty seven eleven", "forty seven eleven")]
    #[case(
        "my seed phrase apple river stone cloud tiger lemon ocean forest candle mirror silver window",
        "apple river stone cloud tiger lemon ocean forest candle mirror silver window"
    )]
    #[case("seed phrase: apple river stone", "apple")]
    #[case("la mia password è girasole", "girasole")]
    #[case("password girasole", "girasole")]
    #[case("il pin è quattro sette uno uno", "quattro sette uno uno")]
    #[case("nome utente bob password girasole", "girasole")]
    #[case("il mio segreto è rosaspina", "rosaspina")]
    #[case("contraseña: girasol", "girasol")]
    #[case("mi contraseña girasol", "girasol")]
    #[case("usuario pepe contraseña girasol", "girasol")]
    #[case("PIN cuatro siete uno uno", "cuatro siete uno uno")]
    #[case("Kennwort Sonne", "Sonne")]
    #[case("mein Passwort lautet Sonne", "Sonne")]
    #[case("mein pw ist Sonne", "Sonne")]
    #[case("Benutzername max, Passwort Sonne", "Sonne")]
    #[case("PIN vier sieben eins eins", "vier sieben eins eins")]
    #[case("mot de passe tournesol", "tournesol")]
    #[case("mon mdp : tournesol", "tournesol")]
    #[case("identifiant luc mot de passe tournesol", "tournesol")]
    #[case("code PIN quatre sept un un", "quatre sept un un")]
    #[case("كلمة السر وردة", "وردة")]
    #[case("كلمة المرور هي وردة", "وردة")]
    #[case("الرقم السري أربعة سبعة واحد واحد", "أربعة سبعة واحد واحد")]
    #[case("SG.abcdefg.hijklmnop", "SG.abcdefg.hijklmnop")]
    #[case("gsk_abcdefghijklmnop", "gsk_abcdefghijklmnop")]
    #[case("GOCSPX-abcdefghijklmnop", "GOCSPX-abcdefghijklmnop")]
    #[case("postgres://bob:sunshine@db.example.com/shop", "postgres://bob:sunshine@db.example.com/shop")]
    #[case(
        "bot MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
    )]
    fn plain_words_are_secrets_where_they_are_announced(#[case] said: &str, #[case] want: &str) {
        assert_eq!(quotes(said), [want], "{said}");
    }

    #[rstest]
    #[case("this is my password")]
    #[case("what is my password")]
    #[case("the problem is my password")]
    #[case("the only thing missing is the password")]
    #[case("use it as the password")]
    #[case("I set the password to the old one")]
    #[case("the password I set is wrong")]
    #[case("the password for my account is stuck")]
    #[case("password (optional)")]
    #[case("the gate code is 4821")]
    #[case("my pass is for two days")]
    #[case("the password reset does not work")]
    #[case("I need a passport")]
    #[case("the secret is out: we marry in June")]
    #[case("my secret is that I bake with butter")]
    #[case("pass me the salt")]
    #[case("a pin in the map")]
    #[case("my login does not work")]
    #[case("Login: it does not work")]
    #[case("login page / sign-up page are slow")]
    #[case("my username and password do not work")]
    #[case("username or password incorrect")]
    #[case("the username field and the password field overlap")]
    #[case("PIN code field is broken")]
    #[case("the PIN pad fails three times a day")]
    #[case("Password policy question")]
    #[case("Password problem")]
    #[case("password manager")]
    #[case("I forgot my password yesterday")]
    #[case("I changed my password and now I am locked out")]
    #[case("my password was rejected three times")]
    #[case("my password is correct but the login fails")]
    #[case("my \"password\" does not work")]
    #[case("Password: cannot log in")]
    #[case("can you reset my password please")]
    #[case("what is password hygiene?")]
    #[case("the login was slow and the password prompt never came")]
    #[case("non ricordo la password")]
    #[case("ho dimenticato la password")]
    #[case("la password non funziona")]
    #[case("password dimenticata")]
    #[case("il reset della password non va")]
    #[case("olvidé mi contraseña")]
    #[case("la contraseña no funciona")]
    #[case("contraseña olvidada")]
    #[case("no puedo cambiar la contraseña")]
    #[case("ich habe mein Passwort vergessen")]
    #[case("Passwort vergessen")]
    #[case("das Passwort wird nicht angenommen")]
    #[case("Passwort ändern geht nicht")]
    #[case("j'ai oublié mon mot de passe")]
    #[case("mot de passe oublié")]
    #[case("le mot de passe ne marche pas")]
    #[case("نسيت كلمة السر")]
    #[case("كلمة المرور لا تعمل")]
    #[case("see https://example.com:8080/a@b")]
    fn who_speaks_about_passwords_is_heard(#[case] said: &str) {
        assert_eq!(quotes(said), Vec::<String>::new(), "{said}");
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
