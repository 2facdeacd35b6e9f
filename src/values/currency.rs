//! Currencies: their signs, codes and words, and how many decimals they have.

use rust_decimal::Decimal;

use formwright_lexicon::Language;
use formwright_lexicon::number::Atom;
use formwright_text::{Class, Said};

/// A currency in a message: how many words it takes, and its sign or ISO 4217 code.
pub(crate) type At<'a> = (usize, &'a str);

/// The currency at a word: `€`, `US$`, `EUR`, "euros".
pub fn at<'a>(said: &'a Said, no: usize, lang: &'a Language) -> Option<At<'a>> {
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
pub fn before<'a>(said: &'a Said, no: usize, lang: &'a Language) -> Option<(usize, &'a str)> {
    (no.saturating_sub(3)..no).find_map(|from| {
        let (words, meaning) = at(said, from, lang)?;
        // "5 euros 20": words of a currency stand before an amount only as a code or sign.
        let word = said.words.get(from).is_some_and(|word| word.class == Class::Letters);
        // "a dollar twenty-five"
        let one = |before: usize| {
            let one = |atom: &Atom| matches!(atom, Atom::Article | Atom::Value(_));
            lang.and_english().any(|lang| lang.number.atoms.at(said, before).is_some_and(|(_, atom)| one(atom)))
        };
        let counted = || from.checked_sub(1).is_some_and(|before| is_digits(said, before) || one(before));
        let spelled = word && words == 1 && code_at(said, from).is_none() && !is_sign_word(said, from) && counted();
        // "I won 1000" names none.
        let verb = said.word(from) == "won";
        (from + words == no && !spelled && !verb).then_some((from, meaning))
    })
}

/// Whether a word is the sign of a currency: `€`.
pub fn is_sign(said: &Said, no: usize) -> bool {
    SIGNS.contains(&said.word(no))
}

/// Whether a word is the sign or the code of a currency: `€`, `EUR`; not "euros".
pub(crate) fn is_written(said: &Said, no: usize) -> bool {
    let mark = said.words.get(no).is_some_and(|word| word.class == Class::Mark);
    mark && SIGNS.contains(&said.word(no)) || code_at(said, no).is_some()
}

/// How many decimals amounts of a currency have.
pub fn decimals(code: &str) -> u32 {
    match code {
        "JPY" | "KRW" | "VND" | "CLP" | "ISK" | "HUF" | "XAF" | "XOF" | "XPF" | "PYG" | "UGX" | "RWF" => 0,
        "BIF" | "DJF" | "GNF" | "KMF" | "VUV" | "ITL" | "ESP" => 0,
        "KWD" | "BHD" | "OMR" | "JOD" | "TND" | "IQD" | "LYD" => 3,
        _ => 2,
    }
}

/// The sign people know a currency by; its code where it has none of its own.
pub fn sign(code: &str) -> &str {
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
pub fn meant_by(sign: &str) -> &'static [&'static str] {
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
        "riyal" => &["SAR", "QAR", "OMR", "YER"],
        "dirham" => &["AED", "MAD"],
        "lira" => &["TRY", "LBP", "SYP"],
        "shilling" => &["KES", "UGX", "TZS", "SOS"],
        "peso" => &["MXN", "PHP", "ARS", "CLP", "COP"],
        _ => &[],
    }
}

/// The currency a region uses, for signs that several share.
pub fn of_region(region: &str) -> Option<&'static str> {
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
const DOLLARS: [(&str, &str); 19] = [
    ("us", "USD"),
    ("u", "USD"),
    ("ca", "CAD"),
    ("c", "CAD"),
    ("a", "AUD"),
    ("au", "AUD"),
    ("nz", "NZD"),
    ("mx", "MXN"),
    ("nt", "TWD"),
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
const CODES: [(&str, &str, bool); 154] = [
    ("aed", "AED", false),
    ("afn", "AFN", true),
    ("all", "ALL", true),
    ("amd", "AMD", true),
    ("ang", "ANG", true),
    ("aoa", "AOA", true),
    ("ars", "ARS", true),
    ("aud", "AUD", false),
    ("awg", "AWG", true),
    ("azn", "AZN", false),
    ("bam", "BAM", true),
    ("bbd", "BBD", true),
    ("bdt", "BDT", false),
    ("bgn", "BGN", false),
    ("bhd", "BHD", false),
    ("bif", "BIF", true),
    ("bmd", "BMD", true),
    ("bnd", "BND", true),
    ("bob", "BOB", true),
    ("brl", "BRL", false),
    ("bsd", "BSD", true),
    ("btn", "BTN", true),
    ("bwp", "BWP", true),
    ("byn", "BYN", false),
    ("bzd", "BZD", true),
    ("cad", "CAD", true),
    ("cdf", "CDF", true),
    ("chf", "CHF", false),
    ("clp", "CLP", false),
    ("cny", "CNY", false),
    ("cop", "COP", true),
    ("crc", "CRC", false),
    ("cup", "CUP", true),
    ("cve", "CVE", true),
    ("czk", "CZK", false),
    ("djf", "DJF", true),
    ("dkk", "DKK", false),
    ("dop", "DOP", true),
    ("dzd", "DZD", false),
    ("egp", "EGP", false),
    ("ern", "ERN", true),
    ("etb", "ETB", false),
    ("eur", "EUR", false),
    ("fjd", "FJD", false),
    ("fkp", "FKP", true),
    ("gbp", "GBP", false),
    ("gel", "GEL", true),
    ("ghs", "GHS", false),
    ("gip", "GIP", true),
    ("gmd", "GMD", true),
    ("gnf", "GNF", true),
    ("gtq", "GTQ", false),
    ("gyd", "GYD", true),
    ("hkd", "HKD", false),
    ("hnl", "HNL", false),
    ("htg", "HTG", true),
    ("huf", "HUF", false),
    ("idr", "IDR", false),
    ("ils", "ILS", true),
    ("inr", "INR", false),
    ("iqd", "IQD", false),
    ("irr", "IRR", true),
    ("isk", "ISK", false),
    ("jmd", "JMD", false),
    ("jod", "JOD", false),
    ("jpy", "JPY", false),
    ("kes", "KES", false),
    ("kgs", "KGS", true),
    ("khr", "KHR", false),
    ("kmf", "KMF", true),
    ("kpw", "KPW", true),
    ("krw", "KRW", false),
    ("kwd", "KWD", false),
    ("kyd", "KYD", true),
    ("kzt", "KZT", false),
    ("lak", "LAK", true),
    ("lbp", "LBP", false),
    ("lkr", "LKR", false),
    ("lrd", "LRD", true),
    ("lsl", "LSL", true),
    ("lyd", "LYD", false),
    ("mad", "MAD", true),
    ("mdl", "MDL", true),
    ("mga", "MGA", true),
    ("mkd", "MKD", false),
    ("mmk", "MMK", false),
    ("mnt", "MNT", false),
    ("mop", "MOP", true),
    ("mru", "MRU", true),
    ("mur", "MUR", true),
    ("mvr", "MVR", true),
    ("mwk", "MWK", false),
    ("mxn", "MXN", false),
    ("myr", "MYR", false),
    ("mzn", "MZN", false),
    ("nad", "NAD", true),
    ("ngn", "NGN", false),
    ("nio", "NIO", true),
    ("nok", "NOK", false),
    ("npr", "NPR", false),
    ("nzd", "NZD", false),
    ("omr", "OMR", false),
    ("pab", "PAB", true),
    ("pen", "PEN", true),
    ("pgk", "PGK", true),
    ("php", "PHP", true),
    ("pkr", "PKR", false),
    ("pln", "PLN", false),
    ("pyg", "PYG", false),
    ("qar", "QAR", false),
    ("ron", "RON", true),
    ("rsd", "RSD", false),
    ("rub", "RUB", true),
    ("rwf", "RWF", false),
    ("sar", "SAR", true),
    ("sbd", "SBD", true),
    ("scr", "SCR", true),
    ("sdg", "SDG", true),
    ("sek", "SEK", false),
    ("sgd", "SGD", false),
    ("shp", "SHP", true),
    ("sle", "SLE", true),
    ("sos", "SOS", true),
    ("srd", "SRD", true),
    ("ssp", "SSP", true),
    ("stn", "STN", true),
    ("svc", "SVC", true),
    ("syp", "SYP", true),
    ("szl", "SZL", true),
    ("thb", "THB", false),
    ("tjs", "TJS", false),
    ("tmt", "TMT", false),
    ("tnd", "TND", false),
    ("top", "TOP", true),
    ("try", "TRY", true),
    ("ttd", "TTD", true),
    ("twd", "TWD", false),
    ("tzs", "TZS", false),
    ("uah", "UAH", false),
    ("ugx", "UGX", false),
    ("usd", "USD", false),
    ("uyu", "UYU", false),
    ("uzs", "UZS", false),
    ("ves", "VES", true),
    ("vnd", "VND", false),
    ("vuv", "VUV", true),
    ("wst", "WST", true),
    ("xaf", "XAF", false),
    ("xcd", "XCD", true),
    ("xof", "XOF", false),
    ("xpf", "XPF", true),
    ("yer", "YER", true),
    ("zar", "ZAR", false),
    ("zmw", "ZMW", false),
];

/// A code with a scale before it, as in business reports: the millions of `30 MUSD`, the thousands of `kEUR 50`.
pub fn scaled_at(said: &Said, no: usize) -> Option<(Decimal, &'static str)> {
    let raw = said.raw.get(said.raw_words(no..no + 1))?;
    let (scale, code) = raw.len().checked_sub(3).and_then(|at| raw.split_at_checked(at))?;
    let scale = match scale {
        "k" | "K" => 1_000,
        "m" | "M" | "mn" | "MN" => 1_000_000,
        "b" | "B" | "bn" | "BN" => 1_000_000_000,
        _ => return None,
    };
    let found = CODES.binary_search_by(|(known, ..)| (*known).cmp(code.to_ascii_lowercase().as_str())).ok()?;
    let (_, known, _) = CODES.get(found)?;
    (code == *known).then(|| (Decimal::from(scale), *known))
}

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
