//! Currencies: their signs, codes and words, and how many decimals they have.

use super::Said;
use super::said::Class;
use crate::form::language::Language;

/// A currency in a message: how many words it takes, and its sign or ISO 4217 code.
pub(super) type At<'a> = (usize, &'a str);

/// The currency at a word: `€`, `US$`, `EUR`, "euros".
pub(super) fn at<'a>(said: &'a Said, no: usize, lang: &'a Language) -> Option<At<'a>> {
    let word = said.words.get(no)?;
    if word.class == Class::Mark {
        return SIGNS.contains(&said.word(no)).then(|| (1, said.word(no)));
    }
    if word.class == Class::Digits {
        return None;
    }
    if said.word(no + 1) == "$"
        && (said.is_glued(no + 1)
            || matches!(said.word(no), "us" | "c" | "ca" | "au" | "nz" | "hk") && is_digits(said, no + 2))
        && let Some((_, code)) = DOLLARS.iter().find(|(prefix, _)| *prefix == said.word(no))
    {
        return Some((2, code));
    }
    if let Some(code) = code_at(said, no) {
        return Some((1, code));
    }
    if matches!(said.word(no), "kr" | "zł" | "kč" | "fr" | "r" | "rm") && is_sign_word(said, no) {
        return Some(match said.word(no) {
            "fr" => (1, "CHF"),
            "rm" => (1, "MYR"),
            sign => (1, sign),
        });
    }
    lang.and_english()
        .find_map(|lang| lang.number.currencies.at(said, no))
        .map(|(words, meaning)| (words, meaning.as_str()))
}

/// The currency that ends right before a word: its first word, and its sign or code.
pub(super) fn before<'a>(said: &'a Said, no: usize, lang: &'a Language) -> Option<(usize, &'a str)> {
    (no.saturating_sub(2)..no).find_map(|from| {
        let (words, meaning) = at(said, from, lang)?;
        // "5 euros 20": words of a currency stand before an amount only as a code or sign.
        let word = said.words.get(from).is_some_and(|word| word.class == Class::Letters);
        let counted = || from.checked_sub(1).is_some_and(|before| is_digits(said, before));
        let spelled = word && words == 1 && code_at(said, from).is_none() && !is_sign_word(said, from) && counted();
        (from + words == no && !spelled).then_some((from, meaning))
    })
}

/// How many decimals amounts of a currency have.
pub(super) fn decimals(code: &str) -> u32 {
    match code {
        "JPY" | "KRW" | "VND" | "CLP" | "ISK" | "HUF" | "XAF" | "XOF" | "PYG" | "UGX" | "RWF" => 0,
        "KWD" | "BHD" | "OMR" | "JOD" | "TND" | "IQD" | "LYD" => 3,
        _ => 2,
    }
}

/// The sign people know a currency by; its code where it has none of its own.
pub(super) fn sign(code: &str) -> &str {
    match code {
        "EUR" => "€",
        "USD" => "$",
        "GBP" => "£",
        "JPY" => "¥",
        "INR" => "₹",
        "ILS" => "₪",
        "KRW" => "₩",
        "UAH" => "₴",
        "VND" => "₫",
        "TRY" => "₺",
        "RUB" => "₽",
        "PLN" => "zł",
        "SEK" | "NOK" | "DKK" => "kr",
        "CAD" => "CA$",
        "AUD" => "A$",
        "NZD" => "NZ$",
        "BRL" => "R$",
        _ => code,
    }
}

/// Codes that a sign or a generic word may stand for, the likeliest first; empty where it is a code itself.
pub(super) fn meant_by(sign: &str) -> &'static [&'static str] {
    match sign {
        "$" => &["USD", "CAD", "AUD", "NZD", "MXN", "SGD", "HKD", "ARS", "CLP", "COP", "TWD"],
        "£" => &["GBP", "EGP"],
        "€" => &["EUR"],
        "¥" => &["JPY", "CNY"],
        "₹" => &["INR"],
        "₪" => &["ILS"],
        "₩" => &["KRW"],
        "₴" => &["UAH"],
        "₫" => &["VND"],
        "₺" => &["TRY"],
        "₽" => &["RUB"],
        "₦" => &["NGN"],
        "₱" => &["PHP"],
        "฿" => &["THB"],
        "₭" => &["LAK"],
        "₮" => &["MNT"],
        "¢" => &["USD", "EUR"],
        "kr" => &["SEK", "NOK", "DKK", "ISK"],
        "zł" => &["PLN"],
        "kč" => &["CZK"],
        "r" => &["ZAR"],
        "dinar" => &["KWD", "JOD", "BHD", "TND", "IQD", "DZD", "LYD", "RSD"],
        "riyal" => &["SAR", "QAR", "OMR"],
        "peso" => &["MXN", "PHP", "ARS", "CLP", "COP"],
        _ => &[],
    }
}

/// The currency a region uses, for signs that several share.
pub(super) fn of_region(region: &str) -> Option<&'static str> {
    let known = [
        ("AU", "AUD"),
        ("CA", "CAD"),
        ("CN", "CNY"),
        ("DK", "DKK"),
        ("EG", "EGP"),
        ("HK", "HKD"),
        ("MX", "MXN"),
        ("NO", "NOK"),
        ("NZ", "NZD"),
        ("SE", "SEK"),
        ("SG", "SGD"),
        ("US", "USD"),
    ];
    known.into_iter().find(|(code, _)| code.eq_ignore_ascii_case(region)).map(|(_, currency)| currency)
}

const SIGNS: [&str; 17] = ["$", "€", "£", "¥", "₹", "₪", "₩", "₴", "₫", "₺", "₽", "₦", "₱", "฿", "₭", "₮", "¢"];

/// What letters before `$` say.
const DOLLARS: [(&str, &str); 18] = [
    ("us", "USD"),
    ("u", "USD"),
    ("ca", "CAD"),
    ("c", "CAD"),
    ("a", "AUD"),
    ("au", "AUD"),
    ("nz", "NZD"),
    ("mx", "MXN"),
    ("s", "SGD"),
    ("sg", "SGD"),
    ("hk", "HKD"),
    ("r", "BRL"),
    ("cad", "CAD"),
    ("aud", "AUD"),
    ("nzd", "NZD"),
    ("mex", "MXN"),
    ("sgd", "SGD"),
    ("hkd", "HKD"),
];

/// ISO 4217 codes, sorted. The second says that the letters are a word in some language and so must be in capitals.
const CODES: [(&str, &str, bool); 59] = [
    ("aed", "AED", false),
    ("all", "ALL", true),
    ("ars", "ARS", true),
    ("aud", "AUD", false),
    ("bdt", "BDT", false),
    ("bgn", "BGN", false),
    ("bhd", "BHD", false),
    ("brl", "BRL", false),
    ("cad", "CAD", true),
    ("chf", "CHF", false),
    ("clp", "CLP", false),
    ("cny", "CNY", false),
    ("cop", "COP", true),
    ("czk", "CZK", false),
    ("dkk", "DKK", false),
    ("dzd", "DZD", false),
    ("egp", "EGP", false),
    ("eur", "EUR", false),
    ("gbp", "GBP", false),
    ("hkd", "HKD", false),
    ("huf", "HUF", false),
    ("idr", "IDR", false),
    ("ils", "ILS", true),
    ("inr", "INR", false),
    ("iqd", "IQD", false),
    ("isk", "ISK", false),
    ("jod", "JOD", false),
    ("jpy", "JPY", false),
    ("kes", "KES", false),
    ("krw", "KRW", false),
    ("kwd", "KWD", false),
    ("lbp", "LBP", false),
    ("lyd", "LYD", false),
    ("mad", "MAD", true),
    ("mnt", "MNT", false),
    ("mxn", "MXN", false),
    ("myr", "MYR", false),
    ("ngn", "NGN", false),
    ("nok", "NOK", false),
    ("nzd", "NZD", false),
    ("omr", "OMR", false),
    ("pen", "PEN", true),
    ("php", "PHP", true),
    ("pkr", "PKR", false),
    ("pln", "PLN", false),
    ("qar", "QAR", false),
    ("ron", "RON", true),
    ("rsd", "RSD", false),
    ("rub", "RUB", true),
    ("sar", "SAR", true),
    ("sek", "SEK", false),
    ("sgd", "SGD", false),
    ("thb", "THB", false),
    ("tnd", "TND", false),
    ("try", "TRY", true),
    ("twd", "TWD", false),
    ("uah", "UAH", false),
    ("usd", "USD", false),
    ("zar", "ZAR", false),
];

fn code_at(said: &Said, no: usize) -> Option<&'static str> {
    let word = said.word(no);
    if word.len() != 3 {
        return None;
    }
    let found = CODES.binary_search_by(|(code, ..)| (*code).cmp(word)).ok()?;
    let (_, code, capitals) = CODES.get(found)?;
    let raw = said.raw.get(said.raw_words(no..no + 1))?;
    (!capitals || raw == *code).then_some(*code)
}

fn is_digits(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Digits)
}

/// A short word that serves as a sign beside an amount, as in `100 kr`.
fn is_sign_word(said: &Said, no: usize) -> bool {
    match said.word(no) {
        "kr" | "zł" | "kč" => true,
        "fr" | "r" => said.is_glued(no) || said.is_glued(no + 1),
        "rm" => [no.wrapping_sub(1), no + 1].into_iter().any(|no| is_digits(said, no)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted() {
        assert!(CODES.is_sorted());
    }
}
