//! `choice`: one of several options.
//!
//! With Margherita and Diavola offered, "the spicy one" (a synonym), "diabola", "2", "the second" and "not the
//! margherita, the diavola" all read as Diavola.

use std::collections::BTreeSet;
use std::ops::Range;

use formwright_chat as chat;
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::Said;
use formwright_values::options::{Fit, Mention, picks};
use formwright_values::{Context, Found, Offered, OptionId, Reading, Refusal, Strength, Value, answer, options};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;
use crate::kind::numbers::yes_no;
use crate::text::plain_text;

/// One of several options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {}

/// The greatest number of readings a person is asked to choose between.
const MOST_READINGS: usize = 8;

fn found(cx: &Context<'_>, option: usize, span: Range<usize>, strength: Strength) -> Option<Found> {
    let id = cx.options.get(option)?.id.clone();
    Some(Found { span, value: Value::Option(id), strength })
}

fn ambiguous(
    cx: &Context<'_>,
    options: impl IntoIterator<Item = (usize, Range<usize>)>,
    strength: Strength,
) -> Reading {
    let mut seen = BTreeSet::new();
    let all = options.into_iter().filter(|(option, _)| seen.insert(*option));
    let mut all: Vec<Found> = all.filter_map(|(option, span)| found(cx, option, span, strength)).collect();
    match all.len() {
        0 => Reading::Nothing,
        1 => Reading::Value(all.remove(0)),
        2..=MOST_READINGS => Reading::Ambiguous(all),
        _ => Reading::Nothing,
    }
}

/// Mentions that pick, without those turned down.
pub(crate) fn picked(said: &Said, cx: &Context<'_>, mentions: Vec<Mention>) -> Vec<Mention> {
    let negated = picks::negated(said, cx, &mentions);
    mentions.into_iter().zip(negated).filter(|(_, negated)| !negated).map(|(mention, _)| mention).collect()
}

/// How surely a mention inside a sentence means its option; none where it hardly ever does ("a" for option A).
pub(crate) fn strength(said: &Said, cx: &Context<'_>, mention: &Mention) -> Option<Strength> {
    if mention.fit <= Fit::Near {
        let sure = mention.several || mention.fit == Fit::Part && picks::is_a_name(said, cx, mention);
        return Some(if sure { Strength::Typed } else { Strength::Weak });
    }
    let quote = said.raw.get(mention.span.clone()).unwrap_or_default();
    let letter = quote.len() == 1 && quote.bytes().all(|b| b.is_ascii_alphabetic());
    let small = || quote.bytes().all(|b| b.is_ascii_lowercase()) || said.shouts();
    let one_letter = |no: &usize| cx.options.get(*no).is_some_and(|option| option.label.chars().count() == 1);
    if quote.contains('-') && mention.options.iter().all(one_letter) {
        return None;
    }
    if letter && (small() || is_small_word(said, cx, mention) || is_of_a_code(said, &mention.words)) {
        return None;
    }
    if picks::is_everyday_key(said, cx, mention) {
        return None;
    }
    Some(if picks::is_weak(said, cx, mention) { Strength::Typed } else { Strength::Exact })
}

/// Whether a capital letter is a word that begins a sentence: "A" and Spanish "Y", not the "A" of "A or B"; English "I" has a
/// capital everywhere.
fn is_small_word(said: &Said, cx: &Context<'_>, mention: &Mention) -> bool {
    let Range { start, end } = mention.words;
    let begins = start.checked_sub(1).is_none_or(|no| matches!(said.word(no), "." | "!" | "?" | ":" | "\n"));
    match said.raw.get(mention.span.clone()) {
        Some("I") => true,
        Some("A" | "O" | "E" | "Y") => begins && !picks::joined(said, cx, end..end + 1, true),
        _ => false,
    }
}

/// Whether a message says several options and nothing else: "A or B".
fn are_alternatives(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> bool {
    let words: Vec<Range<usize>> = mentions.iter().map(|mention| mention.words.clone()).collect();
    let joined = |pair: &[Range<usize>]| {
        let [one, two] = pair else { return false };
        one.end < two.start && picks::joined(said, cx, one.end..two.start, true)
    };
    words.len() > 1 && words.windows(2).all(joined) && picks::content(said, cx, &words).is_empty()
}

/// Whether a hyphen joins words to others: the "B" of "B-52".
fn is_of_a_code(said: &Said, words: &Range<usize>) -> bool {
    let hyphen = |no: usize| said.word(no) == "-" && said.is_glued(no) && said.is_glued(no + 1);
    hyphen(words.end) || words.start.checked_sub(1).is_some_and(hyphen)
}

/// One option out of mentions that pick, where they agree on one or the last corrects the others.
fn one_of(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> Reading {
    let Some((first, rest)) = mentions.split_first() else { return Reading::Nothing };
    let strength = match first.fit {
        Fit::Loose | Fit::Exact => Strength::Exact,
        Fit::Part | Fit::Near if first.several => Strength::Typed,
        Fit::Part | Fit::Near => Strength::Weak,
    };
    let common = rest.iter().fold(first.options.clone(), |common, mention| {
        common.into_iter().filter(|option| mention.options.contains(option)).collect()
    });
    if let [option] = common.as_slice() {
        return found(cx, *option, first.span.clone(), strength).map_or(Reading::Nothing, Reading::Value);
    }
    if let [.., before, last] = mentions {
        let between = before.words.end..last.words.start;
        if let ([option], true) = (last.options.as_slice(), picks::corrects(said, cx, between)) {
            return found(cx, *option, last.span.clone(), strength).map_or(Reading::Nothing, Reading::Value);
        }
    }
    let all = mentions.iter().flat_map(|mention| mention.options.iter().map(|&option| (option, mention.span.clone())));
    ambiguous(cx, all, strength)
}

/// The option that a message of places points at.
fn placed(said: &Said, cx: &Context<'_>) -> Option<Reading> {
    let places: BTreeSet<usize> = picks::places(said, cx)?.into_iter().collect();
    let span = said.raw_words(answer::words(said, cx));
    if places.iter().any(|place| *place >= cx.options.len()) {
        return Some(Reading::Refused(span.clone(), unknown(said.raw.get(span).unwrap_or_default())));
    }
    Some(ambiguous(cx, places.into_iter().map(|place| (place, span.clone())), Strength::Typed))
}

/// The option that a yes or no means, where there are two options and they are just these: "Yes" and "No". The words are
/// the person's, or of the options' own language.
fn yes_or_no(said: &Said, cx: &Context<'_>) -> Option<(usize, Range<usize>)> {
    let [one, other] = cx.options else { return None };
    let pair = |lang: &Language| Some((yes_no::named(&one.label, lang)?, yes_no::named(&other.label, lang)?));
    let own = || language::all().filter_map(|lang| Some((lang, pair(lang)?))).filter(|(_, (one, other))| one != other);
    let (_, (first, _)) = own().next().filter(|_| !cx.other)?;
    let mut langs = std::iter::once(cx.lang).chain(own().map(|(lang, _)| lang));
    let (words, yes) = langs.find_map(|lang| yes_no::said_through(said, lang))?;
    Some((usize::from(yes != first), words))
}

/// The option whose key is the whole message but for its full stops: "B.C."
fn abbreviated(said: &Said, cx: &Context<'_>) -> Option<Reading> {
    let span = said.raw_words(answer::words(said, cx));
    let bare: String = said.raw.get(span.clone())?.chars().filter(|c| *c != '.').collect();
    let letters = bare.len() > 1 && bare.chars().all(char::is_alphabetic) && said.words.len() > bare.chars().count();
    let option = options::exactly(cx.options, &bare, cx.lang.code).filter(|_| letters)?;
    found(cx, option, span, Strength::Exact).map(Reading::Value)
}

/// The only option that words resemble, or the words themselves, where either may be meant and both are answers.
fn doubted(said: &Said, cx: &Context<'_>, close: &[Mention]) -> Option<Reading> {
    let [mention] = close else { return None };
    let [option] = mention.options.as_slice() else { return None };
    let (span, text) = picks::own_words(said, cx).filter(|_| cx.other && mention.doubtful)?;
    let option = found(cx, *option, span.clone(), Strength::Weak)?;
    Some(Reading::Ambiguous(vec![option, Found { span, value: Value::Text(text), strength: Strength::Weak }]))
}

/// Refuses words that name no option.
pub(crate) fn unknown(said: &str) -> Refusal {
    const LONGEST: usize = 60;
    Refusal::new("option_unknown").fact("said", said.chars().take(LONGEST).collect::<String>())
}

impl FieldKind for Choice {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let mentions = options::mentions(said, cx);
        let mut all: Vec<Found> = Vec::new();
        let sure = picked(said, cx, mentions.sure);
        let near = picked(said, cx, mentions.near).into_iter().filter(|mention| mention.options.len() == 1);
        let near = near.filter(|mention| !(cx.other && mention.doubtful));
        let covers = |mention: &Mention| picks::content(said, cx, std::slice::from_ref(&mention.words)).is_empty();
        let told = |part: &Mention| part.several || covers(part) || picks::is_a_name(said, cx, part);
        let part = mentions.part.into_iter().filter(|part| part.options.len() == 1 && told(part));
        let part = picked(said, cx, part.collect());
        for mention in sure.iter().cloned().chain(near).chain(part) {
            let Some(strength) = strength(said, cx, &mention) else { continue };
            let span = mention.span.clone();
            all.extend(mention.options.iter().filter_map(|&option| found(cx, option, span.clone(), strength)));
        }
        let announced = picks::announced(said, cx).into_iter();
        all.extend(announced.filter_map(|(option, words)| found(cx, option, said.raw_words(words), Strength::Exact)));
        all.sort_by_key(|found| (found.span.start, std::cmp::Reverse(found.strength)));
        all
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        if let Some((option, words)) = yes_or_no(said, cx) {
            return found(cx, option, said.raw_words(words), Strength::Exact).map_or(Reading::Nothing, Reading::Value);
        }
        let mentions = options::mentions(said, cx);
        let named = !mentions.sure.is_empty();
        let covers = |mention: &Mention| picks::content(said, cx, std::slice::from_ref(&mention.words)).is_empty();
        let mut sure = picked(said, cx, mentions.sure);
        let strong = |mention: &Mention| !picks::is_weak(said, cx, mention);
        if sure.iter().any(strong) {
            sure.retain(strong);
        } else if sure.len() > MOST_READINGS {
            sure.clear();
        } else if !are_alternatives(said, cx, &sure) {
            sure.retain(covers);
        }
        if !sure.is_empty() {
            return one_of(said, cx, &sure);
        }
        if let Some(reading) = abbreviated(said, cx) {
            return reading;
        }
        // A word of a label stands for the option where nothing else is said.
        let several = |part: &Mention| part.several && part.options.len() == 1;
        let part = mentions.part.into_iter().filter(|part| covers(part) || several(part));
        let part = picked(said, cx, part.collect());
        let by_number = part.first().is_some_and(|mention| {
            mention.options.len() == 1 && said.text(0..said.norm.len()).contains(|c: char| c.is_ascii_digit())
        });
        if !by_number && let Some(reading) = placed(said, cx) {
            return reading;
        }
        let near = picked(said, cx, mentions.near);
        // Where words of one's own are an answer too, words that only resemble an option must be all there is.
        let resembling = |mention: &&Mention| !cx.other || covers(mention);
        let close: Vec<Mention> = near.iter().chain(&part).filter(resembling).cloned().collect();
        if let Some(reading) = doubted(said, cx, &close) {
            return reading;
        }
        for fit in [Fit::Near, Fit::Part] {
            let of: Vec<Mention> = close.iter().filter(|mention| mention.fit == fit).cloned().collect();
            if !of.is_empty() {
                return one_of(said, cx, &of);
            }
        }
        if let [(option, words)] = picks::announced(said, cx).as_slice() {
            return found(cx, *option, said.raw_words(words.clone()), Strength::Exact)
                .map_or(Reading::Nothing, Reading::Value);
        }
        if cx.other
            && !named
            && !answer::looks_like_question(said)
            && let Some((span, text)) = picks::own_words(said, cx)
        {
            return Reading::Value(Found { span, value: Value::Text(text), strength: Strength::Weak });
        }
        Reading::Nothing
    }

    /// Takes an id or a label; other words where the field takes them.
    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let text = answer::scalar(data)?;
        let polar = || {
            let said = Said::new(&text);
            yes_or_no(&said, cx).filter(|(_, words)| words.len() == said.words.len()).map(|(option, _)| option)
        };
        let named = options::exactly(cx.options, &text, cx.lang.code).or_else(polar);
        let value = match named.and_then(|no| cx.options.get(no)) {
            Some(option) => Value::Option(option.id.clone()),
            None => Value::Text(answer::tidy(&text)),
        };
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        match value {
            Value::Option(id) if cx.options.iter().any(|option| option.id == *id) => Ok(()),
            Value::Option(id) => Err(unknown(id.as_str())),
            Value::Text(text) if cx.other && !answer::is_blank(text) => answer::no_controls(text, false),
            Value::Text(text) => Err(unknown(text)),
            _ => Err(Refusal::new("option_expected")),
        }
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        match value {
            Value::Option(id) => label(cx.options, id),
            _ => answer::text_of(value),
        }
    }

    fn json(&self, value: &Value) -> Json {
        match value {
            Value::Option(id) => id.as_str().into(),
            _ => answer::text_of(value).into(),
        }
    }

    fn schema(&self, choices: Option<&Choices>) -> Json {
        option_schema(choices)
    }

    fn input(&self, slot: &chat::Token, value: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let picked = |id: &OptionId| matches!(value, Some(Value::Option(picked)) if picked == id);
        chat::Input::Options {
            options: offer(slot, cx, picked),
            multiple: false,
            min: 1,
            max: Some(1),
            other: cx.other,
        }
    }

    fn samples(&self, choices: Option<&Choices>) -> Vec<Value> {
        let mut samples: Vec<Value> = sample_ids(choices).into_iter().map(Value::Option).collect();
        if choices.is_some_and(|choices| choices.other) {
            samples.push(Value::Text("something else".to_owned()));
        }
        samples
    }
}

/// What people read for an option; the id where it is offered no more.
pub(crate) fn label(options: &[Offered], id: &OptionId) -> String {
    options.iter().find(|option| option.id == *id).map_or_else(|| id.to_string(), |option| option.label.clone())
}

/// The options as a widget offers them; a token has room for 65,536.
pub(crate) fn offer(slot: &chat::Token, cx: &Context<'_>, picked: impl Fn(&OptionId) -> bool) -> Vec<chat::Choice> {
    let choice = |(no, option): (u16, &Offered)| chat::Choice {
        token: slot.option(no),
        label: option.label.clone(),
        detail: option.detail.clone(),
        picked: picked(&option.id),
    };
    (0..=u16::MAX).zip(cx.options).map(choice).collect()
}

/// JSON Schema of one pick.
pub(crate) fn option_schema(choices: Option<&Choices>) -> Json {
    match choices {
        Some(choices) if choices.from.is_none() && !choices.other && !choices.options.is_empty() => {
            let one = |option: &crate::choices::OptionDef| json!({ "const": option.id.as_str(), "title": plain_text(&option.label, "") });
            json!({ "type": "string", "oneOf": choices.options.iter().map(one).collect::<Vec<_>>() })
        }
        _ => json!({ "type": "string" }),
    }
}

/// The first, second and last option; a made-up one where options come from a tool.
pub(crate) fn sample_ids(choices: Option<&Choices>) -> Vec<OptionId> {
    let options = choices.map_or(&[][..], |choices| &choices.options);
    let mut ids: Vec<OptionId> =
        options.iter().take(2).chain(options.iter().skip(2).last()).map(|o| o.id.clone()).collect();
    if ids.is_empty() {
        ids.push(OptionId::new("sample"));
    }
    ids
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, offered};

    const PIZZAS: &[&str] = &[
        "margherita=Margherita|plain one",
        "diavola=Diavola|spicy|pepperoni",
        "formaggi=Quattro Formaggi|four cheese",
        "calabrese=Calabrese|spicy",
        "capricciosa=Capricciosa",
    ];
    const SPICY: &[&str] = &["Margherita", "diavola=Diavola|spicy pizza|spicy pizzas"];
    const SIZES: &[&str] = &["S=Small", "M=Medium", "L=Large (40 cm)", "XL=Extra large"];
    const TOWNS: &[&str] = &["il=Springfield, Illinois", "ma=Springfield, Massachusetts", "Boston"];
    const PROVINCES: &[&str] = &["BC=British Columbia", "ON=Ontario"];
    const PEOPLE: &[&str] = &["2 people", "4 people", "6 people"];
    const WELL: &[&str] = &["0=No", "1=Yes"];
    const POZZO: &[&str] = &["si=Sì", "no=No"];
    const REASONS: &[&str] = &["road=Road accident / حادث مروري", "fall=Fall / سقوط"];
    const BLOOD: &[&str] = &["O+", "O-", "A+", "A-"];
    const EMPLOYERS: &[&str] = &["e1=Gulf Logistics Company", "e2=Najd Building Materials"];
    const ZONES: &[&str] = &["A", "B", "C"];
    const FLIGHTS: &[&str] =
        &["Economy", "Premium Economy", "United Airlines", "Delta Airlines", "None", "No cheese", "Cheese"];

    /// The ids read: `?` before several.
    fn read(options: &[&str], lang: &'static str, said: &str, other: bool) -> String {
        let options = offered(options);
        let cx = Context { options: &options, other, ..cx(lang) };
        let said = Said::new(said);
        let id = |found: &Found| {
            assert!(said.raw.get(found.span.clone()).is_some_and(|quote| !quote.is_empty()));
            Choice {}.json(&found.value).as_str().unwrap().to_owned()
        };
        let reading = Choice {}.read(&said, &cx);
        match reading {
            Reading::Value(found) => id(&found),
            Reading::Ambiguous(all) => format!("?{}", all.iter().map(id).collect::<Vec<_>>().join(" ")),
            Reading::Refused(_, refusal) => format!("!{}", refusal.code),
            Reading::Nothing => String::new(),
        }
    }

    #[rstest]
    #[case(WELL, "yeah", "1")]
    #[case(WELL, "y", "1")]
    #[case(WELL, "of course", "1")]
    #[case(WELL, "true", "1")]
    #[case(WELL, "nope", "0")]
    #[case(WELL, "not really", "0")]
    #[case(WELL, "No, I am not.", "0")]
    #[case(WELL, "maybe", "")]
    #[case(POZZO, "certo", "si")]
    #[case(POZZO, "yep", "si")]
    #[case(PIZZAS, "Margherita", "margherita")]
    #[case(PIZZAS, "i'd like a MARGHERITA please", "margherita")]
    #[case(PIZZAS, "two margheritas", "margherita")]
    #[case(PIZZAS, "the plain one", "margherita")]
    #[case(PIZZAS, "pepperoni!", "diavola")]
    #[case(PIZZAS, "margerita", "margherita")]
    #[case(PIZZAS, "margarita", "margherita")]
    #[case(PIZZAS, "diabola please", "diavola")]
    #[case(PIZZAS, "quatro formagi", "formaggi")]
    #[case(PIZZAS, "quattroformaggi", "formaggi")]
    #[case(PIZZAS, "capriciosa", "capricciosa")]
    #[case(PIZZAS, "four cheeses", "formaggi")]
    #[case(PIZZAS, "something spicy", "?diavola calabrese")]
    #[case(PIZZAS, "the spicy diavola", "diavola")]
    #[case(PIZZAS, "margherita or diavola", "?margherita diavola")]
    #[case(EMPLOYERS, "I work for Gulf Logistics as a forklift driver", "e1")]
    #[case(EMPLOYERS, "Gulf", "e1")]
    #[case(EMPLOYERS, "I swam in the gulf as a child", "")]
    #[case(PIZZAS, "-2", "")]
    #[case(PIZZAS, "- 2", "diavola")]
    #[case(PIZZAS, "margherita, no wait, diavola", "diavola")]
    #[case(PIZZAS, "margherita... actually make it a capricciosa", "capricciosa")]
    #[case(PIZZAS, "not the diavola", "")]
    #[case(PIZZAS, "I don't want the diavola", "")]
    #[case(PIZZAS, "not the diavola, the margherita", "margherita")]
    #[case(PIZZAS, "anything but the diavola or the calabrese", "")]
    #[case(PIZZAS, "margherita instead of diavola", "margherita")]
    #[case(PIZZAS, "no, the diavola", "diavola")]
    #[case(PIZZAS, "no the diavola", "diavola")]
    #[case(PIZZAS, "no diavola", "")]
    #[case(PIZZAS, "why not the diavola", "diavola")]
    #[case(PIZZAS, "2", "diavola")]
    #[case(PIZZAS, "2.", "diavola")]
    #[case(PIZZAS, "#2", "diavola")]
    #[case(PIZZAS, "٢", "diavola")]
    #[case(PIZZAS, "number two", "diavola")]
    #[case(PIZZAS, "option 3 please", "formaggi")]
    #[case(PIZZAS, "the second one", "diavola")]
    #[case(PIZZAS, "the 2nd", "diavola")]
    #[case(PIZZAS, "I'll take the last one", "capricciosa")]
    #[case(PIZZAS, "one", "margherita")]
    #[case(PIZZAS, "that one", "")]
    #[case(PIZZAS, "9", "!option_unknown")]
    #[case(PIZZAS, "2.5", "")]
    #[case(PIZZAS, "hawaii", "")]
    #[case(PIZZAS, "what's on the capricciosa?", "capricciosa")]
    #[case(PIZZAS, "", "")]
    #[case(SIZES, "large", "L")]
    #[case(SIZES, "extra large", "XL")]
    #[case(SIZES, "extra-large", "XL")]
    #[case(SIZES, "m", "M")]
    #[case(SIZES, "XL", "XL")]
    #[case(SIZES, "40 cm", "L")]
    #[case(SIZES, "smell", "")]
    #[case(SIZES, "change it from small, I mean medium", "M")]
    #[case(TOWNS, "Springfield", "?il ma")]
    #[case(TOWNS, "springfield in massachusetts", "ma")]
    #[case(TOWNS, "illinois", "il")]
    #[case(TOWNS, "bostn", "boston")]
    #[case(PROVINCES, "on", "ON")]
    #[case(PROVINCES, "B.C.", "BC")]
    #[case(PROVINCES, "it is in ON", "ON")]
    #[case(PROVINCES, "I am working on it", "")]
    #[case(PEOPLE, "4", "4-people")]
    #[case(PEOPLE, "2 people", "2-people")]
    #[case(PEOPLE, "the third", "6-people")]
    #[case(REASONS, "حادث مروري", "road")]
    #[case(REASONS, "السقوط", "fall")]
    #[case(REASONS, "road accident", "road")]
    #[case(BLOOD, "O+", "o+")]
    #[case(BLOOD, "a-", "a-")]
    #[case(BLOOD, "o", "?o+ o-")]
    #[case(FLIGHTS, "premium economy", "premium-economy")]
    #[case(FLIGHTS, "economy", "economy")]
    #[case(FLIGHTS, "delta", "delta-airlines")]
    #[case(FLIGHTS, "airlines", "?united-airlines delta-airlines")]
    #[case(ZONES, "A", "a")]
    #[case(ZONES, "a", "a")]
    #[case(ZONES, "A or B", "?a b")]
    #[case(ZONES, "b or c", "?b c")]
    #[case(PIZZAS, "quattro", "formaggi")]
    #[case(PIZZAS, "a quattro stagioni", "")]
    #[case(SPICY, "a pizza please", "")]
    #[case(SPICY, "some pizzas", "")]
    #[case(SPICY, "spicy pizza", "diavola")]
    #[case(FLIGHTS, "none", "none")]
    #[case(FLIGHTS, "no cheese", "no-cheese")]
    #[case(FLIGHTS, "I'd like cheese", "cheese")]
    fn an_answer_names_an_option(#[case] options: &[&str], #[case] said: &str, #[case] want: &str) {
        assert_eq!(read(options, "en", said, false), want, "{said}");
    }

    #[rstest]
    #[case("it", "due margherite", "margherita")]
    #[case("it", "la seconda", "diavola")]
    #[case("it", "l'ultima", "capricciosa")]
    #[case("it", "non la diavola, la calabrese", "calabrese")]
    #[case("it", "senza diavola", "")]
    #[case("es", "no quiero la diavola", "")]
    #[case("es", "la segunda", "diavola")]
    #[case("es", "no, la diavola", "diavola")]
    #[case("de", "die zweite", "diavola")]
    #[case("de", "Diavola bitte nicht", "")]
    #[case("de", "keine Diavola sondern Calabrese", "calabrese")]
    #[case("de", "Nummer 3", "formaggi")]
    #[case("fr", "pas de diavola", "")]
    #[case("fr", "la deuxième", "diavola")]
    #[case("fr", "le numéro 2", "diavola")]
    #[case("ar", "الخيار 2", "diavola")]
    #[case("ar", "رقم ٣", "formaggi")]
    fn other_languages_are_understood(#[case] lang: &'static str, #[case] said: &str, #[case] want: &str) {
        assert_eq!(read(PIZZAS, lang, said, false), want, "{said}");
    }

    #[rstest]
    #[case("margherita", "margherita")]
    #[case("margarita please", "margherita")]
    #[case("a kebab", "a kebab")]
    #[case("it's a Kebab with fries", "Kebab with fries")]
    #[case("not the diavola", "")]
    #[case("quattro stagioni", "quattro stagioni")]
    #[case("what do you have?", "")]
    #[case("not sure yet", "")]
    #[case("hmm not sure", "")]
    #[case("I really don't know", "")]
    #[case("what does that mean", "")]
    #[case("show me the list", "")]
    #[case("whatever", "")]
    #[case("something else", "")]
    #[case("something else entirely with tuna", "something else entirely with tuna")]
    #[case("diavolo", "diavola")]
    #[case("Niavola", "?diavola Niavola")]
    fn words_of_ones_own_are_taken_where_the_field_takes_them(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read(PIZZAS, "en", said, true).trim_start_matches("a "), want.trim_start_matches("a "), "{said}");
    }

    #[rstest]
    #[case(&["披萨", "面条"], "我要披萨", "披萨")]
    #[case(&["👍 Good", "👎 Bad"], "good", "👍-good")]
    #[case(&["👍", "👎"], "👎 sorry", "👎")]
    #[case(&["C", "C++", "C#"], "C++ please", "c++")]
    #[case(&["T-Shirt", "Hoodie"], "tshirt", "t-shirt")]
    #[case(&["Wifi", "Cable"], "wi-fi", "wifi")]
    #[case(&["Café", "Thé"], "cafe", "café")]
    fn labels_of_any_script_are_found(#[case] options: &[&str], #[case] said: &str, #[case] want: &str) {
        assert_eq!(read(options, "en", said, false), want);
    }

    fn find(options: &[&str], said: &str) -> Vec<(String, Strength)> {
        let options = offered(options);
        let cx = Context { options: &options, ..cx("en") };
        let found = Choice {}.find(&Said::new(said), &cx);
        found.into_iter().map(|found| (Choice {}.show(&found.value, &cx), found.strength)).collect()
    }

    #[rstest]
    #[case("two spicy pizzas to via Roma 12", &[("Diavola", Strength::Exact), ("Calabrese", Strength::Exact)])]
    #[case("a diabola for 2 at 8", &[("Diavola", Strength::Weak)])]
    #[case("option 2, at 8 pm", &[("Diavola", Strength::Exact)])]
    #[case("number 2, at 8 pm", &[])]
    #[case("no onions and not the diavola", &[])]
    #[case("there is a diva in there", &[])]
    fn a_sentence_holds_options(#[case] said: &str, #[case] want: &[(&str, Strength)]) {
        let want: Vec<_> = want.iter().map(|(label, strength)| ((*label).to_owned(), *strength)).collect();
        assert_eq!(find(PIZZAS, said), want, "{said}");
    }

    #[test]
    fn a_key_that_is_an_everyday_word_counts_in_capitals_only() {
        let found = |said: &str| find(PROVINCES, said).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        assert_eq!(found("I am working on it"), [""; 0]);
        assert_eq!(found("I AM WORKING ON IT"), [""; 0]);
        assert_eq!(found("I live in ON now"), ["Ontario"]);
    }

    #[test]
    fn common_words_and_letters_in_a_sentence_are_less_sure() {
        assert_eq!(find(&["Yes", "No"], "no problem at all"), [("No".to_owned(), Strength::Typed)]);
        assert_eq!(find(&["A", "B"], "a table for B please"), [("B".to_owned(), Strength::Typed)]);
        assert_eq!(find(&["A", "B"], "zone A please"), [("A".to_owned(), Strength::Typed)]);
        assert_eq!(find(&["A", "B"], "A car with the plate B-AB 1234, it's B-ish"), []);
        assert_eq!(find(&["smell"], "I want a small one"), []);
    }

    #[test]
    fn data_names_an_option_by_id_or_label() {
        let options = offered(PIZZAS);
        let cx = Context { options: &options, ..cx("en") };
        let id = |id: &str| Ok(Value::Option(OptionId::new(id)));
        for data in ["formaggi", "Quattro Formaggi", "quattro formaggi "] {
            assert_eq!(Choice {}.accept(&json!(data), &cx), id("formaggi"), "{data}");
        }
        for data in [json!("spicy"), json!("zebra"), json!(""), json!(null), json!(["formaggi"])] {
            assert!(Choice {}.accept(&data, &cx).is_err(), "{data}");
        }
        let numbered = offered(&["1077=Alpha", "2=Beta"]);
        let cx = Context { options: &numbered, ..cx };
        assert_eq!(Choice {}.accept(&json!(1077), &cx), id("1077"));
    }

    #[test]
    fn many_options_are_searched_in_good_time() {
        let labels: Vec<String> = (0..2_000).map(|no| format!("Product number {no} blue")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert_eq!(read(&labels, "en", "the product number 1234 blue one", false), "product-number-1234-blue");
    }
}
