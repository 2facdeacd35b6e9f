//! `yes_no`: yes or no.
//!
//! "yep", "yes please", "not really", "no, thanks", and the author's own phrases: with `yes = ["with wifi"]`, "with wifi"
//! is yes and "without wifi" is no anywhere in a message.

use std::ops::Range;

use formwright_chat as chat;
use formwright_lexicon as language;
use formwright_lexicon::Language;
use formwright_text::{Class, Said, overlap};
use formwright_values::{Context, Found, Reading, Refusal, Strength, Value, numeric};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::kind::behaviour::FieldKind;

/// Yes or no.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YesNo {
    /// Phrases that mean yes here ("with wifi").
    pub yes: Vec<String>,
    /// Phrases that mean no here.
    pub no: Vec<String>,
}

/// Yes or no said in the words of the person's language (or English): which, and in which words. Only where the message
/// begins so, filler aside: "well, yes" is yes, "there is no rush" is nothing. The quote covers the yes or no alone.
pub fn said_yes_or_no(said: &Said, lang: &Language) -> Option<(Range<usize>, bool)> {
    let mut no = 0;
    // Nothing but greetings so far.
    let mut greeted = true;
    loop {
        let filler = lang.and_english().map(|lang| lang.filler.words_at(said, no)).max().unwrap_or(0);
        let greets = lang.and_english().any(|lang| lang.sentence.courtesy.at(said, no).is_some());
        let form = form_at(said, no, lang);
        let unsure = unsure_len(said, no, lang);
        // Spanish "sólo si hace sol" is no "sí".
        let depends = lang.and_english().filter_map(|lang| Some(lang.denial.condition.at(said, no)?.0)).max();
        if depends.is_some_and(|words| words > filler.max(form.map_or(0, |(words, _)| words))) {
            return None;
        }
        // German "noch nicht" is no "noch".
        if !greets && unsure > 0 && unsure >= form.map_or(0, |(words, _)| words) {
            // "No worries, yes."
            let next = after_marks(said, no + unsure);
            if !harmless_at(said, no, lang) || form_at(said, next, lang).is_none() {
                return None;
            }
            no = next;
            continue;
        }
        match form {
            // "Good evening" is no "good".
            Some((words, _)) if filler > words => {
                greeted &= greets;
                no += filler;
            }
            // "ok, no": the filler word is filler.
            Some((words, yes))
                if filler >= words
                    && form_at(said, after_greetings(said, no + words, lang), lang)
                        .is_some_and(|(_, next)| next != yes) =>
            {
                greeted = false;
                no += words;
            }
            Some((words, yes)) => {
                let next = after_marks(said, no + words);
                // "Yes, I mean no."
                if let Some(meant) = corrected(said, next, lang).filter(|(_, meant)| *meant != yes) {
                    return Some(meant);
                }
                // "OK, maybe" is no yes.
                let unsure = unsure_len(said, next, lang);
                if yes && unsure > 0 && !harmless_at(said, next, lang) && rest_is_filler(said, next + unsure, lang) {
                    return None;
                }
                // "No thanks, we have our own."
                let turns = |(words, other): (usize, bool)| {
                    other != yes && !harmless_at(said, next, lang) && stands(said, next, words, true, lang)
                };
                let turned = form_at(said, next, lang).is_some_and(turns);
                // "there is no rush" says no to nothing; "hi, no" does, and "actually, no".
                let begins = greeted || no.checked_sub(1).is_some_and(|before| after_marks(said, before) > before);
                return (!turned && stands(said, no, words, yes || begins, lang)).then_some((no..no + words, yes));
            }
            None => {
                if let Some(words) = denied_at(said, no, lang) {
                    return Some((no..no + words, false));
                }
                // "sorry, no", "I mean yes"
                let skipped = filler.max(correction_len(said, no, lang));
                if skipped == 0 {
                    return None;
                }
                greeted &= greets || after_marks(said, no) > no;
                no += skipped;
            }
        }
    }
}

/// Whether a name is that of something to consent to, in any language: "I agree to the terms".
pub fn is_consent(name: &str) -> bool {
    let said = Said::new(name);
    (0..said.words.len()).any(|no| language::all().any(|lang| lang.yes_no.consent.starts(&said, no)))
}

/// What a name of an option says that is a plain yes or no and nothing else: "Yes", "Sì", "لا".
pub fn named(name: &str, lang: &Language) -> Option<bool> {
    let said = Said::new(name);
    let firm = lang.yes_no.firm.at(&said, 0).is_some_and(|(words, ())| words == said.words.len());
    form_at(&said, 0, lang).filter(|(words, _)| firm && *words == said.words.len()).map(|(_, yes)| yes)
}

/// A yes or no (see [`said_yes_or_no`]) with what says the same right behind it: "no, I am not".
pub fn said_through(said: &Said, lang: &Language) -> Option<(Range<usize>, bool)> {
    let (mut words, yes) = said_yes_or_no(said, lang)?;
    while let Some((more, _)) = form_at(said, after_marks(said, words.end), lang).filter(|(_, next)| *next == yes) {
        words.end = after_marks(said, words.end) + more;
    }
    Some((words, yes))
}

/// The yes or no that a sentence comes to in the end: "I wish we could, but no", "my wife is but I'm not", "any day, yes".
fn said_at_the_end(said: &Said, lang: &Language) -> Option<(Range<usize>, bool)> {
    const LONGEST: usize = 6;
    let count = said.words.len();
    if matches!(said.word(count.saturating_sub(1)), "?" | "؟") {
        return None;
    }
    (count.saturating_sub(LONGEST).max(1)..count).find_map(|no| {
        let but = lang.and_english().filter_map(|lang| Some(lang.denial.but.at(said, no)?.0)).max().unwrap_or(0);
        let start = after_marks(said, no + but);
        let (words, yes) = form_at(said, start, lang).filter(|_| start > no)?;
        let firm = lang.and_english().any(|lang| lang.yes_no.firm.starts(said, start));
        let told = firm || but > 0 && !yes;
        (told && rest_is_filler(said, start + words, lang)).then_some((start..start + words, yes))
    })
}

/// The longest yes or no at a word; no where both fit. What joins sentences in the person's language is no English word:
/// Spanish "y" is no yes.
fn form_at(said: &Said, no: usize, lang: &Language) -> Option<(usize, bool)> {
    let mut best: Option<(usize, bool)> = None;
    let joins = lang.sentence.join.starts(said, no);
    for lang in lang.and_english().filter(|known| !joins || known.code == lang.code) {
        for (table, yes) in [(&lang.yes_no.no, false), (&lang.yes_no.yes, true)] {
            if let Some((words, ())) = table.at(said, no)
                && best.is_none_or(|(most, _)| words > most)
            {
                best = Some((words, yes));
            }
        }
    }
    best
}

/// The yes or no that takes the place of one before it: "I mean no".
fn corrected(said: &Said, no: usize, lang: &Language) -> Option<(Range<usize>, bool)> {
    let len = |no: usize| {
        let but = lang.and_english().filter_map(|lang| Some(lang.denial.but.at(said, no)?.0)).max();
        correction_len(said, no, lang).max(but.unwrap_or(0))
    };
    // "Yes, hmm, actually no."
    let mut no = no;
    while len(no) == 0 {
        no += lang.and_english().map(|lang| lang.filler.words_at(said, no)).max().filter(|words| *words > 0)?;
    }
    let start = after_marks(said, no + len(no));
    let (words, yes) = form_at(said, start, lang)?;
    // "Yes but no pork" says no of the pork.
    let meant = stands(said, start, words, true, lang) && rest_is_filler(said, start + words, lang);
    meant.then_some((start..start + words, yes))
}

fn correction_len(said: &Said, no: usize, lang: &Language) -> usize {
    lang.and_english().filter_map(|lang| Some(lang.sentence.correct.at(said, no)?.0)).max().unwrap_or(0)
}

/// The words of a denial that is an answer by itself: "luckily not", and "nobody" in "nobody was hurt", but not in "nobody
/// but me".
fn denied_at(said: &Said, no: usize, lang: &Language) -> Option<usize> {
    /// Most words that tell what nobody did.
    const MOST: usize = 3;
    let negation = lang.and_english().filter_map(|lang| Some(lang.yes_no.negation.at(said, no)?.0)).max()?;
    let end = no + negation;
    let rest = end..(end..said.words.len()).find(|no| is_mark(said, *no)).unwrap_or(said.words.len());
    let nobody = lang.and_english().any(|lang| lang.yes_no.nobody.starts(said, no));
    let turns = |no: usize| {
        lang.and_english().any(|lang| {
            let excepts = lang.option.except.starts(said, no) || lang.denial.but.starts(said, no);
            excepts || lang.speech.person.starts(said, no)
        })
    };
    let told = || nobody && rest.len() <= MOST && !rest.clone().any(turns);
    (rest_is_filler(said, end, lang) || told()).then_some(negation)
}

fn is_mark(said: &Said, no: usize) -> bool {
    said.words.get(no).is_some_and(|word| word.class == Class::Mark)
}

/// Whether what starts at a word takes back no yes before it: "no problem" of "sure, no problem".
fn harmless_at(said: &Said, no: usize, lang: &Language) -> bool {
    lang.and_english().any(|lang| lang.yes_no.harmless.starts(said, no))
}

fn unsure_len(said: &Said, no: usize, lang: &Language) -> usize {
    lang.and_english().filter_map(|lang| lang.yes_no.unsure.at(said, no)).map(|(words, ())| words).max().unwrap_or(0)
}

/// Whether a yes or no stands for itself: plain ones ("yes", "no") before anything where they are `firm`, others ("right", "good", "I do")
/// only where a mark, filler or the end follows.
fn stands(said: &Said, no: usize, words: usize, firm: bool, lang: &Language) -> bool {
    let end = no + words;
    let firm = firm && lang.and_english().any(|lang| lang.yes_no.firm.at(said, no).is_some());
    // "Not yet but she will be on Monday."
    let yet = |lang: &Language| lang.yes_no.yet.starts(said, no) && lang.sentence.join.starts(said, end);
    let firm = firm || lang.and_english().any(yet);
    let letters = said.words.get(end).is_some_and(|word| word.class != Class::Mark);
    firm || !letters || rest_is_filler(said, end, lang) || form_at(said, end, lang).is_some()
}

fn rest_is_filler(said: &Said, from: usize, lang: &Language) -> bool {
    numeric::is_filler(said, lang, from..said.words.len())
}

/// One past the marks and greetings at a word.
fn after_greetings(said: &Said, no: usize, lang: &Language) -> usize {
    let next = after_marks(said, no);
    match lang.and_english().filter_map(|lang| Some(lang.sentence.courtesy.at(said, next)?.0)).max() {
        Some(words) => after_greetings(said, next + words, lang),
        None => next,
    }
}

fn after_marks(said: &Said, mut no: usize) -> usize {
    while matches!(said.word(no), "," | "." | "!" | "-" | "…" | ";" | ":" | "،") {
        no += 1;
    }
    no
}

impl YesNo {
    /// The author's phrases in a message, turned round by a negation before them.
    fn phrases(&self, said: &Said, lang: &Language) -> Vec<(Range<usize>, bool)> {
        let mut all: Vec<(Range<usize>, bool)> = Vec::new();
        let phrases = self.yes.iter().map(|phrase| (phrase, true)).chain(self.no.iter().map(|phrase| (phrase, false)));
        for (phrase, yes) in phrases {
            let core = without_with(phrase, lang);
            for no in 0..said.words.len() {
                let found = if let Some(words) = numeric::phrase_at(said, no, phrase) {
                    let from = negation_before(said, no, lang);
                    Some((from.unwrap_or(no)..no + words, yes == from.is_none()))
                } else if let Some(words) = core.and_then(|core| numeric::phrase_at(said, no, core)) {
                    negation_before(said, no, lang).map(|from| (from..no + words, !yes))
                } else {
                    None
                };
                all.extend(found);
            }
        }
        // "without wifi" as a phrase of its own wins over "wifi" with "without" before it.
        let inside = |a: &Range<usize>, b: &Range<usize>| b.start <= a.start && a.end <= b.end && b.len() > a.len();
        let longest = |(words, _): &(Range<usize>, bool)| !all.iter().any(|(other, _)| inside(words, other));
        let mut longest: Vec<_> = all.iter().filter(|found| longest(found)).cloned().collect();
        longest.sort_by_key(|(words, _)| words.start);
        longest.dedup();
        longest
    }
}

/// A phrase without its leading "with", so that "without …" turns it round.
fn without_with<'a>(phrase: &'a str, lang: &Language) -> Option<&'a str> {
    let (first, rest) = phrase.split_once(' ')?;
    let with = lang.and_english().any(|lang| lang.yes_no.with.word(&first.to_lowercase()).is_some());
    with.then(|| rest.trim_start())
}

/// Where a negation stands that turns round what starts at a word: at most three words before it, no mark between.
fn negation_before(said: &Said, no: usize, lang: &Language) -> Option<usize> {
    let letters = |no: &usize| said.words.get(*no).is_some_and(|word| word.class == Class::Letters);
    let from = (no.saturating_sub(4)..no).rev().take_while(letters).last()?;
    (from..no).find(|&at| {
        lang.and_english().any(|lang| lang.yes_no.negation.at(said, at).is_some_and(|(words, ())| at + words <= no))
    })
}

impl FieldKind for YesNo {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let phrases = self.phrases(said, cx.lang).into_iter();
        let found = phrases.map(|(words, yes)| Found {
            span: said.raw_words(words),
            value: Value::Bool(yes),
            strength: Strength::Exact,
        });
        found.collect()
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let phrases = self.phrases(said, cx.lang);
        let plain = said_yes_or_no(said, cx.lang).or_else(|| said_at_the_end(said, cx.lang));
        // "no wifi" is one no, not a no and a turned phrase.
        let overlap = |(words, _): &(Range<usize>, bool)| phrases.iter().any(|(other, _)| overlap(words, other));
        let all = plain.filter(|plain| !overlap(plain)).into_iter().chain(phrases.clone());
        numeric::choose(said, all.map(|(words, yes)| (said.raw_words(words), Strength::Exact, Ok(Value::Bool(yes)))))
    }

    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let refusal = || Refusal::new("not_yes_or_no");
        match data {
            Json::Bool(yes) => Ok(Value::Bool(*yes)),
            Json::Number(number) if number.as_u64() == Some(1) => Ok(Value::Bool(true)),
            Json::Number(number) if number.as_u64() == Some(0) => Ok(Value::Bool(false)),
            Json::String(text) if text.trim() == "1" => Ok(Value::Bool(true)),
            Json::String(text) if text.trim() == "0" => Ok(Value::Bool(false)),
            Json::String(text) => match self.read(&Said::new(text), cx) {
                Reading::Value(found) => Ok(found.value),
                Reading::Ambiguous(_) | Reading::Refused(..) | Reading::Nothing => Err(refusal()),
            },
            Json::Null | Json::Number(_) | Json::Array(_) | Json::Object(_) => Err(refusal()),
        }
    }

    fn check(&self, value: &Value, _: &Context<'_>) -> Result<(), Refusal> {
        if matches!(value, Value::Bool(_)) { Ok(()) } else { Err(Refusal::new("not_yes_or_no")) }
    }

    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        match value {
            Value::Bool(true) => cx.lang.yes_no.show_yes.clone(),
            Value::Bool(false) => cx.lang.yes_no.show_no.clone(),
            _ => String::new(),
        }
    }

    fn json(&self, value: &Value) -> Json {
        if let Value::Bool(yes) = value { json!(yes) } else { Json::Null }
    }

    fn schema(&self, _: Option<&Choices>) -> Json {
        json!({ "type": "boolean" })
    }

    /// Two options: yes is `slot.option(0)`, no is `slot.option(1)`.
    fn input(&self, slot: &chat::Token, picked: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let option = |no: u16, yes: bool| chat::Choice {
            token: slot.option(no),
            label: self.show(&Value::Bool(yes), cx),
            detail: None,
            picked: picked == Some(&Value::Bool(yes)),
        };
        let options = vec![option(0, true), option(1, false)];
        chat::Input::Options { options, multiple: false, min: 1, max: Some(1), other: false }
    }

    fn samples(&self, _: Option<&Choices>) -> Vec<Value> {
        vec![Value::Bool(true), Value::Bool(false)]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, finds, reads};

    #[rstest]
    #[case("en", "yes", "yes=true")]
    #[case("en", "Yep!", "Yep=true")]
    #[case("en", "yes please", "yes please=true")]
    #[case("en", "no, thanks", "no=false")]
    #[case("en", "not really", "not really=false")]
    #[case("en", "yes, and are there fees?", "yes=true")]
    #[case("en", "well, yes", "yes=true")]
    #[case("en", "I think so", "I think so=true")]
    #[case("en", "that's right", "that's right=true")]
    #[case("en", "that's not right", "that's not right=false")]
    #[case("en", "not correct", "not correct=false")]
    #[case("en", "don't", "don't=false")]
    #[case("en", "untrue", "untrue=false")]
    #[case("en", "ok, no", "no=false")]
    #[case("en", "ok", "ok=true")]
    #[case("en", "👍", "👍=true")]
    #[case("en", "👍🏽", "👍=true")]
    #[case("en", "No problem", "")]
    #[case("en", "sorry, no", "no=false")]
    #[case("en", "hi, no and two nights", "no=false")]
    #[case("en", "actually, yes", "yes=true")]
    #[case("en", "sure, no problem", "sure=true")]
    #[case("en", "OK, maybe", "")]
    #[case("en", "why not", "why not=true")]
    #[case("en", "I don't mind", "")]
    #[case("en", "no objections", "no objections=true")]
    #[case("en", "luckily not", "not=false")]
    #[case("en", "no, that's fine", "")]
    #[case("en", "no that's fine", "no that's fine=false")]
    #[case("de", "wär schön", "wär schön=true")]
    #[case("ar", "ما عندي", "ما عندي=false")]
    #[case("en", "not that I know of", "not that I know of=false")]
    #[case("en", "nobody was hurt", "nobody=false")]
    #[case("en", "nobody but me", "")]
    #[case("en", "nobody told me about that", "")]
    #[case("en", "no worries, yes", "yes=true")]
    #[case("en", "no worries", "")]
    #[case("en", "yes, I mean no", "no=false")]
    #[case("en", "yes, I mean no, thanks", "no=false")]
    #[case("en", "yes but no pork", "yes=true")]
    #[case("en", "yes, wait, no", "no=false")]
    #[case("en", "my wife is but I'm not", "I'm not=false")]
    #[case("en", "a day or two either way, yeah", "yeah=true")]
    #[case("en", "it is old but good", "")]
    #[case("en", "we come by train, no?", "")]
    #[case("en", "yes, hmm, actually no", "no=false")]
    #[case("de", "wäre schön, aber nein", "nein=false")]
    #[case("en", "no thanks, we have our own", "no thanks=false")]
    #[case("en", "we'd rather not", "we'd rather not=false")]
    #[case("en", "no, wait, yes", "yes=true")]
    #[case("en", "yes... sorry, no", "no=false")]
    #[case("en", "I wish we could, but no", "no=false")]
    #[case("en", "we thought about it but no thanks", "no thanks=false")]
    #[case("en", "not allowed", "not allowed=false")]
    #[case("en", "not at the moment", "not at the moment=false")]
    #[case("en", "only if it rains", "")]
    #[case("it", "sì, aspetta, no", "no=false")]
    #[case("it", "mi piacerebbe molto ma no", "no=false")]
    #[case("es", "sólo si hace sol", "")]
    #[case("es", "sí, espera, no", "no=false")]
    #[case("es", "ya no", "ya no=false")]
    #[case("de", "ja, Moment, nein", "nein=false")]
    #[case("de", "nicht mehr", "nicht mehr=false")]
    #[case("fr", "oui, attendez, non", "non=false")]
    #[case("fr", "y en a", "y en a=true")]
    #[case("fr", "y en a plus", "y en a plus=false")]
    #[case("ar", "نعم، آسف، لا", "لا=false")]
    #[case("en", "yes, but no nuts", "yes=true")]
    #[case("en", "yes please but no more than 20 euros", "yes please=true")]
    #[case("en", "hell yeah", "yeah=true")]
    #[case("en", "that wont be necessary", "that wont be necessary=false")]
    #[case("it", "per fortuna no", "no=false")]
    #[case("it", "non che io sappia", "non che io sappia=false")]
    #[case("it", "nessuno", "nessuno=false")]
    #[case("es", "nadie", "nadie=false")]
    #[case("es", "que yo sepa no", "que yo sepa no=false")]
    #[case("de", "noch nicht", "noch nicht=false")]
    #[case("de", "zum Glück nicht", "nicht=false")]
    #[case("de", "nein war schon da", "nein=false")]
    #[case("de", "niemand", "niemand=false")]
    #[case("fr", "malheureusement non", "non=false")]
    #[case("fr", "carrément", "carrément=true")]
    #[case("ar", "مش ضروري", "مش ضروري=false")]
    #[case("ar", "ليش لا", "ليش لا=true")]
    #[case("it", "mi scusi, no", "no=false")]
    #[case("it", "non c'è problema", "")]
    #[case("it", "non ho niente in contrario", "non ho niente in contrario=true")]
    #[case("it", "sì, nessun problema", "sì=true")]
    #[case("es", "no y dos noches", "no=false")]
    #[case("es", "hola, no y dos noches", "no=false")]
    #[case("es", "no hay problema", "")]
    #[case("es", "no me importa", "")]
    #[case("es", "no tengo inconveniente", "no tengo inconveniente=true")]
    #[case("de", "Entschuldigung, nein", "nein=false")]
    #[case("de", "hallo, nein und zwei Nächte", "nein=false")]
    #[case("de", "gar kein Problem", "")]
    #[case("de", "ich habe nichts dagegen", "ich habe nichts dagegen=true")]
    #[case("fr", "désolé, non", "non=false")]
    #[case("fr", "bonjour, non et deux nuits", "non=false")]
    #[case("fr", "aucun souci", "")]
    #[case("fr", "je n'y vois pas d'inconvénient", "je n'y vois pas d'inconvénient=true")]
    #[case("ar", "آسف، لا", "لا=false")]
    #[case("ar", "لا مانع", "لا مانع=true")]
    #[case("ar", "لا بأس", "لا بأس=true")]
    #[case("ar", "لا مشكلة", "")]
    #[case("en", "I have no idea", "")]
    #[case("en", "not sure", "")]
    #[case("en", "yes and no", "")]
    #[case("en", "yes no", "")]
    #[case("en", "right now", "")]
    #[case("en", "good morning", "")]
    #[case("en", "great question, what does it cost?", "")]
    #[case("en", "there is no rush", "")]
    #[case("en", "is that true?", "")]
    #[case("it", "sì", "sì=true")]
    #[case("it", "si grazie", "si grazie=true")]
    #[case("it", "non è corretto", "non è corretto=false")]
    #[case("es", "claro que no", "claro que no=false")]
    #[case("de", "Nein danke", "Nein danke=false")]
    #[case("de", "das stimmt nicht", "das stimmt nicht=false")]
    #[case("fr", "bien sûr", "bien sûr=true")]
    #[case("fr", "oui", "oui=true")]
    #[case("ar", "نعم", "نعم=true")]
    #[case("ar", "لا شكرا", "لا شكرا=false")]
    #[case("ar", "غير صحيح", "غير صحيح=false")]
    #[case("it", "yes", "yes=true")]
    fn the_answer_to_its_question(#[case] lang: &'static str, #[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&YesNo::default(), text, &cx(lang)).trim_end_matches(" Exact"), expected);
    }

    fn wifi() -> YesNo {
        YesNo { yes: vec!["with wifi".into(), "need wifi".into()], no: vec!["offline".into(), "non-smoking".into()] }
    }

    #[rstest]
    #[case("a room with wifi please", &["with wifi=true Exact"])]
    #[case("a room without wifi", &["without wifi=false Exact"])]
    #[case("no wifi", &["no wifi=false Exact"])]
    #[case("I don't need wifi", &["don't need wifi=false Exact"])]
    #[case("we don't want the wifi", &["don't want the wifi=false Exact"])]
    #[case("I'll be offline", &["offline=false Exact"])]
    #[case("Non-smoking room", &["Non-smoking=false Exact"])]
    #[case("yes", &[])]
    #[case("is there wifi?", &[])]
    #[case("no pool, with wifi", &["with wifi=true Exact"])]
    fn only_the_authors_phrases_stand_by_themselves(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(finds(&wifi(), text, &cx("en")), expected);
    }

    #[rstest]
    #[case("yes", "yes=true Exact")]
    #[case("no wifi", "no wifi=false Exact")]
    #[case("yes, with wifi", "yes=true Exact")]
    #[case("no, with wifi", "no=false Exact | with wifi=true Exact")]
    fn phrases_and_yes_are_read_together(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(reads(&wifi(), text, &cx("en")), expected);
    }

    #[rstest]
    #[case(json!(true), Some(true))]
    #[case(json!(false), Some(false))]
    #[case(json!("no"), Some(false))]
    #[case(json!("true"), Some(true))]
    #[case(json!("0"), Some(false))]
    #[case(json!(1), Some(true))]
    #[case(json!("maybe"), None)]
    #[case(json!(2), None)]
    fn data_is_accepted(#[case] data: Json, #[case] expected: Option<bool>) {
        assert_eq!(YesNo::default().accept(&data, &cx("en")).ok(), expected.map(Value::Bool));
    }

    #[test]
    fn nothing_that_denies_is_ever_a_yes() {
        for lang in formwright_lexicon::all() {
            for no in ["not correct", "that isn't right", "untrue", "don't do it", "i don't", "no yes", "not yes"] {
                let said = Said::new(no);
                assert_ne!(said_yes_or_no(&said, lang).map(|(_, yes)| yes), Some(true), "{no} in {}", lang.code);
            }
        }
    }
}
