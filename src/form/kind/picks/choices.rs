//! `choices`: any of several options.
//!
//! "olives and anchovies", "all", "none", "everything except olives", "1 and 3", "no olives but anchovies" are read.
//! A message may hold several groups of picks ("olives … and also capers"): [`FieldKind::find`] gives each group by
//! itself, and whoever assigns them joins them.

use std::collections::BTreeSet;
use std::ops::Range;

use formwright_chat as chat;
use formwright_text::Said;
use formwright_values::options::{Fit, Mention, picks};
use formwright_values::{Context, Found, OptionId, Reading, Refusal, Strength, Value, answer, options};
use serde_json::{Value as Json, json};

use super::choice;
use crate::kind::behaviour::FieldKind;

/// Any of several options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// Least number of picks.
    pub min: Option<u32>,
    /// Greatest number of picks.
    pub max: Option<u32>,
}

/// More mentions than this of words as common as "no" mean nothing.
const MOST_WEAK: usize = 20;

fn value(cx: &Context<'_>, picked: &BTreeSet<usize>, other: Option<String>) -> Value {
    let picked = picked.iter().filter_map(|&no| cx.options.get(no)).map(|option| option.id.clone()).collect();
    Value::Options { picked, other }
}

/// The picks of mentions, each of which means one option.
fn options_of(mentions: &[Mention]) -> BTreeSet<usize> {
    mentions.iter().filter_map(|mention| mention.options.first().copied()).collect()
}

/// "All" and what is taken back from it: the words and the picks.
fn all_of(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> Option<(Range<usize>, BTreeSet<usize>, bool)> {
    let free = |words: &Range<usize>| mentions.iter().all(|m| m.words.end <= words.start || words.end <= m.words.start);
    let all = (0..said.words.len()).find_map(|no| {
        let words = no..no + picks::at(said, cx, no, |words| &words.all)?;
        let yes =
            cx.lang.and_english().filter_map(|lang| lang.yes_no.yes.at(said, no)).any(|(len, ())| len > words.len());
        (free(&words) && !yes).then_some(words)
    })?;
    let except = (all.end..said.words.len().min(all.end + 4)).find_map(|no| {
        Some(no + picks::at(said, cx, no, |words| &words.except)?).filter(|end| *end <= said.words.len())
    });
    let every: BTreeSet<usize> = (0..cx.options.len()).collect();
    let Some(except) = except else {
        let negated = picks::negated(said, cx, mentions);
        let Some(last) = mentions.last().filter(|_| negated.iter().all(|negated| *negated)) else {
            return Some((all, every, false));
        };
        let taken: BTreeSet<usize> = mentions.iter().flat_map(|mention| mention.options.iter().copied()).collect();
        return Some((all.start.min(last.words.start)..all.end.max(last.words.end), &every - &taken, true));
    };
    let back: Vec<&Mention> = mentions.iter().filter(|mention| mention.words.end > except).collect();
    let last = back.last()?;
    let taken: BTreeSet<usize> = back.iter().flat_map(|mention| mention.options.iter().copied()).collect();
    Some((all.start..last.words.end, &every - &taken, true))
}

/// Whether nothing but small words stands outside some words, or one word that names what is picked ("all toppings").
fn is_all_there_is(said: &Said, cx: &Context<'_>, words: &Range<usize>) -> bool {
    match picks::content(said, cx, std::slice::from_ref(words)).as_slice() {
        [] => true,
        [one] => !picks::is_common(said, cx, *one) && !answer::looks_like_question(said),
        _ => false,
    }
}

/// Whether a message says that nothing is picked.
fn none_of(said: &Said, cx: &Context<'_>) -> Option<Range<usize>> {
    let none = (0..said.words.len()).find_map(|no| Some(no..no + picks::at(said, cx, no, |words| &words.none)?))?;
    // Where words of one's own count, "no peanuts" is one of them and not nothing.
    let own = cx.other && !picks::content(said, cx, std::slice::from_ref(&none)).is_empty();
    (!own && is_all_there_is(said, cx, &none)).then_some(none)
}

/// Parts of the message between words that join picks, which no mention lies in.
fn rest(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> Vec<Range<usize>> {
    const MOST: usize = 12;
    let mut parts = Vec::new();
    let mut start = 0;
    let mut no = 0;
    while no <= said.words.len() {
        let len = match said.word(no) {
            "," | ";" | "،" | "+" | "&" => Some(1),
            _ => picks::at(said, cx, no, |words| &words.and),
        };
        let inside = mentions.iter().any(|mention| mention.words.start < no && no < mention.words.end);
        if no == said.words.len() || (len.is_some() && !inside) {
            let part = start..no;
            if !part.is_empty() && mentions.iter().all(|m| m.words.end <= part.start || part.end <= m.words.start) {
                parts.push(part);
            }
            start = no + len.unwrap_or(1);
        }
        no += len.unwrap_or(1);
    }
    parts.truncate(MOST);
    parts
}

impl Choices {
    /// Groups of mentions that nothing but joining words separates.
    fn groups(said: &Said, cx: &Context<'_>, mentions: Vec<Mention>) -> Vec<Vec<Mention>> {
        let mut groups: Vec<Vec<Mention>> = Vec::new();
        for mention in mentions {
            let last = groups.last().and_then(|group| group.last());
            let joins = last.is_some_and(|last| picks::joined(said, cx, last.words.end..mention.words.start, true));
            match groups.last_mut() {
                Some(group) if joins => group.push(mention),
                _ => groups.push(vec![mention]),
            }
        }
        groups
    }

    /// Picks and words of one's own in parts of the message without a whole label in them.
    fn read_rest(said: &Said, cx: &Context<'_>, mentions: &[Mention]) -> (BTreeSet<usize>, Vec<String>) {
        let mut picked = BTreeSet::new();
        let mut own = Vec::new();
        for words in rest(said, cx, mentions) {
            let part = Said::new(said.raw.get(said.raw_words(words)).unwrap_or_default());
            let in_part = options::mentions(&part, cx);
            let named = !in_part.sure.is_empty() || !in_part.near.is_empty();
            let some: Vec<Mention> = in_part.part.into_iter().filter(|mention| mention.options.len() == 1).collect();
            let some = choice::picked(&part, cx, some);
            let covers = |mention: &Mention| picks::content(&part, cx, std::slice::from_ref(&mention.words)).is_empty();
            match some.first() {
                Some(mention) if covers(mention) => picked.extend(options_of(&some)),
                _ if cx.other && !named && !picks::content(&part, cx, &[]).is_empty() => {
                    own.extend(picks::own_words(&part, cx).map(|(_, text)| text));
                }
                _ => {}
            }
        }
        (picked, own)
    }
}

/// What is picked with the option that some words resemble, or with those words as one's own, where both are answers.
fn doubted(said: &Said, cx: &Context<'_>, all: &[Mention]) -> Option<Reading> {
    let at = all.iter().position(|mention| cx.other && mention.doubtful)?;
    let (start, end) = (all.first()?.span.start, all.last()?.span.end);
    let alone = all.len() == 1;
    let rest: Vec<Mention> = all.iter().enumerate().filter(|(no, _)| *no != at).map(|(_, one)| one.clone()).collect();
    let doubtful = all.get(at)?;
    let own = if alone {
        picks::own_words(said, cx)
    } else {
        let quote = said.raw.get(doubtful.span.clone())?;
        Some((doubtful.span.clone(), answer::tidy_line(quote)))
    };
    let (span, text) = own?;
    let span = if alone { span } else { start..end };
    let found = |value| Found { span: span.clone(), value, strength: Strength::Weak };
    let with = value(cx, &options_of(all), None);
    let without = value(cx, &options_of(&rest), Some(text));
    Some(Reading::Ambiguous(vec![found(with), found(without)]))
}

impl FieldKind for Choices {
    fn find(&self, said: &Said, cx: &Context<'_>) -> Vec<Found> {
        let mentions = options::mentions(said, cx);
        if let Some((words, picked, true)) = all_of(said, cx, &mentions.sure) {
            let value = value(cx, &picked, None);
            return vec![Found { span: said.raw_words(words), value, strength: Strength::Exact }];
        }
        let near = mentions.near.into_iter().filter(|mention| mention.options.len() == 1);
        let near = near.filter(|mention| !(cx.other && mention.doubtful));
        let mut all: Vec<Mention> = mentions.sure.into_iter().chain(near).collect();
        all.sort_by_key(|mention| mention.words.start);
        let mut found = Vec::new();
        for group in Self::groups(said, cx, choice::picked(said, cx, all)) {
            let strengths = group.iter().map(|mention| choice::strength(said, cx, mention));
            let Some(strength) = strengths.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().min()) else {
                continue;
            };
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let value = value(cx, &options_of(&group), None);
            found.push(Found { span: first.span.start..last.span.end, value, strength });
        }
        found
    }

    fn read(&self, said: &Said, cx: &Context<'_>) -> Reading {
        let mentions = options::mentions(said, cx);
        let one =
            |span: Range<usize>, value: Value, strength: Strength| Reading::Value(Found { span, value, strength });
        let named = !mentions.sure.is_empty();
        if let Some((words, picked, except)) = all_of(said, cx, &mentions.sure)
            && (except || (!named && is_all_there_is(said, cx, &words)))
        {
            return one(said.raw_words(words), value(cx, &picked, None), Strength::Exact);
        }
        let mut sure = choice::picked(said, cx, mentions.sure);
        if sure.iter().any(|mention| !picks::is_weak(said, cx, mention)) {
            sure.retain(|mention| !picks::is_weak(said, cx, mention));
        } else {
            let words: Vec<Range<usize>> = sure.iter().map(|mention| mention.words.clone()).collect();
            if words.len() > MOST_WEAK || !picks::content(said, cx, &words).is_empty() {
                sure.clear();
            }
        }
        if sure.is_empty()
            && let Some(places) = picks::places(said, cx)
        {
            let span = said.raw_words(answer::words(said, cx));
            if places.iter().any(|place| *place >= cx.options.len()) {
                return Reading::Refused(span.clone(), choice::unknown(said.raw.get(span).unwrap_or_default()));
            }
            return one(span, value(cx, &places.into_iter().collect(), None), Strength::Typed);
        }
        if !named && let Some(words) = none_of(said, cx) {
            return one(said.raw_words(words), value(cx, &BTreeSet::new(), None), Strength::Exact);
        }
        let mut all: Vec<Mention> = sure.into_iter().chain(choice::picked(said, cx, mentions.near)).collect();
        all.sort_by_key(|mention| mention.words.start);
        if let Some(unclear) = all.iter().find(|mention| mention.options.len() > 1) {
            let sure: Vec<Mention> = all.iter().filter(|mention| mention.options.len() == 1).cloned().collect();
            let with = |&option: &usize| {
                let mut picked = options_of(&sure);
                picked.insert(option);
                Found { span: unclear.span.clone(), value: value(cx, &picked, None), strength: Strength::Weak }
            };
            return Reading::Ambiguous(unclear.options.iter().map(with).collect());
        }
        if let Some(reading) = doubted(said, cx, &all) {
            return reading;
        }
        let (more, own) = if named && all.is_empty() { Default::default() } else { Self::read_rest(said, cx, &all) };
        let picked = &options_of(&all) | &more;
        let own = if answer::looks_like_question(said) { Vec::new() } else { own };
        if picked.is_empty() && own.is_empty() {
            return Reading::Nothing;
        }
        let sure = more.is_empty() && own.is_empty() && all.iter().all(|mention| mention.fit > Fit::Near);
        let strength = if sure { Strength::Exact } else { Strength::Weak };
        let other = (!own.is_empty()).then(|| own.join(", "));
        let span = match (all.first(), all.last()) {
            (Some(first), Some(last)) if sure => first.span.start..last.span.end,
            _ => said.raw_words(answer::words(said, cx)),
        };
        one(span, value(cx, &picked, other), strength)
    }

    /// Takes a list of ids or labels, or one; other words where the field takes them.
    fn accept(&self, data: &Json, cx: &Context<'_>) -> Result<Value, Refusal> {
        let items = match data {
            Json::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut picked = BTreeSet::new();
        let mut own: Vec<String> = Vec::new();
        for item in items {
            let text = answer::scalar(item)?;
            match options::exactly(cx.options, &text, cx.lang.code) {
                Some(no) => _ = picked.insert(no),
                None if cx.other && !answer::is_blank(&text) => own.push(answer::tidy(&text)),
                None => return Err(choice::unknown(&text)),
            }
        }
        let other = (!own.is_empty()).then(|| own.join(", "));
        let value = value(cx, &picked, other);
        self.check(&value, cx)?;
        Ok(value)
    }

    fn check(&self, value: &Value, cx: &Context<'_>) -> Result<(), Refusal> {
        let Value::Options { picked, other } = value else { return Err(Refusal::new("option_expected")) };
        if let Some(id) = picked.iter().find(|id| cx.options.iter().all(|option| option.id != **id)) {
            return Err(choice::unknown(id.as_str()));
        }
        if let Some(other) = other {
            answer::not_blank(other)?;
            answer::no_controls(other, false)?;
            if !cx.other {
                return Err(choice::unknown(other));
            }
        }
        let have = u32::try_from(picked.len() + usize::from(other.is_some())).unwrap_or(u32::MAX);
        match (self.min.filter(|min| have < *min), self.max.filter(|max| have > *max)) {
            (Some(min), _) => Err(Refusal::new("too_few_picks").fact("min", min.to_string())),
            (_, Some(max)) => Err(Refusal::new("too_many_picks").fact("max", max.to_string())),
            (None, None) => Ok(()),
        }
    }

    /// The labels, with commas; a dash where nothing is picked.
    fn show(&self, value: &Value, cx: &Context<'_>) -> String {
        let Value::Options { picked, other } = value else { return String::new() };
        let labels = picked.iter().map(|id| choice::label(cx.options, id)).chain(other.clone());
        let shown = labels.collect::<Vec<_>>().join(", ");
        if shown.is_empty() { "–".to_owned() } else { shown }
    }

    fn json(&self, value: &Value) -> Json {
        let Value::Options { picked, other } = value else { return Json::Null };
        picked.iter().map(OptionId::as_str).chain(other.as_deref()).collect()
    }

    fn schema(&self, choices: Option<&crate::choices::Choices>) -> Json {
        let mut schema = json!({ "type": "array", "items": choice::option_schema(choices), "uniqueItems": true });
        if let Some(min) = self.min {
            schema["minItems"] = min.into();
        }
        if let Some(max) = self.max {
            schema["maxItems"] = max.into();
        }
        schema
    }

    fn input(&self, slot: &chat::Token, value: Option<&Value>, cx: &Context<'_>) -> chat::Input {
        let picked = |id: &OptionId| matches!(value, Some(Value::Options { picked, .. }) if picked.contains(id));
        chat::Input::Options {
            options: choice::offer(slot, cx, picked),
            multiple: true,
            min: self.min.unwrap_or(0),
            max: self.max,
            other: cx.other,
        }
    }

    fn samples(&self, choices: Option<&crate::choices::Choices>) -> Vec<Value> {
        let ids = choice::sample_ids(choices);
        let one = ids.iter().take(1).cloned().collect();
        let other = choices.is_some_and(|choices| choices.other).then(|| "something else".to_owned());
        vec![
            Value::Options { picked: one, other: None },
            Value::Options { picked: Vec::new(), other: None },
            Value::Options { picked: ids, other },
        ]
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::kind::testing::{cx, offered};

    const TOPPINGS: &[&str] = &[
        "olives=Olives",
        "onions=Onions",
        "capers=Capers",
        "anchovies=Anchovies|fish",
        "goat=Goat cheese",
        "corn=Sweet corn",
    ];

    fn read(lang: &'static str, said: &str, other: bool) -> String {
        let options = offered(TOPPINGS);
        let cx = Context { options: &options, other, ..cx(lang) };
        match Choices::default().read(&Said::new(said), &cx) {
            Reading::Value(found) => Choices::default().json(&found.value).to_string().replace('"', ""),
            Reading::Ambiguous(all) => format!("?{}", all.len()),
            Reading::Refused(_, refusal) => format!("!{}", refusal.code),
            Reading::Nothing => String::new(),
        }
    }

    #[rstest]
    #[case("olives and capers", "[olives,capers]")]
    #[case("capers, olives & a bit of goat cheese", "[olives,capers,goat]")]
    #[case("capers and olive and capers", "[olives,capers]")]
    #[case("goat and sweet corn", "[goat,corn]")]
    #[case("olivs and onoins", "[olives,onions]")]
    #[case("all", "[olives,onions,capers,anchovies,goat,corn]")]
    #[case("all of them please", "[olives,onions,capers,anchovies,goat,corn]")]
    #[case("all toppings", "[olives,onions,capers,anchovies,goat,corn]")]
    #[case("all good", "")]
    #[case("everything except onions", "[olives,capers,anchovies,goat,corn]")]
    #[case("all but the onions and the fish", "[olives,capers,goat,corn]")]
    #[case("everything, no onions", "[olives,capers,anchovies,goat,corn]")]
    #[case("everything, olives too", "[olives]")]
    #[case("none", "[]")]
    #[case("nothing, thanks", "[]")]
    #[case("no toppings", "[]")]
    #[case("no", "[]")]
    #[case("no idea", "")]
    #[case("no olives but capers", "[capers]")]
    #[case("no onions", "")]
    #[case("no onions or olives, capers", "[capers]")]
    #[case("without onions and olives", "")]
    #[case("1 and 3", "[olives,capers]")]
    #[case("1, 3, 4", "[olives,capers,anchovies]")]
    #[case("1,3", "[olives,capers]")]
    #[case("the first and the last one", "[olives,corn]")]
    #[case("2", "[onions]")]
    #[case("1 and 9", "!option_unknown")]
    #[case("hello there", "")]
    #[case("", "")]
    fn an_answer_picks(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read("en", said, false), want, "{said}");
    }

    #[rstest]
    #[case("olives and tuna", "[olives,tuna]")]
    #[case("tuna, capers and smoked salmon", "[capers,tuna, smoked salmon]")]
    #[case("olives", "[olives]")]
    #[case("tuna", "[tuna]")]
    #[case("no onions", "")]
    fn other_words_are_kept_where_the_field_takes_them(#[case] said: &str, #[case] want: &str) {
        assert_eq!(read("en", said, true), want, "{said}");
    }

    #[rstest]
    #[case("it", "tutte tranne onions", "[olives,capers,anchovies,goat,corn]")]
    #[case("it", "nessuna", "[]")]
    #[case("es", "todas menos onions", "[olives,capers,anchovies,goat,corn]")]
    #[case("de", "alles außer onions und capers", "[olives,anchovies,goat,corn]")]
    #[case("fr", "olives et capers", "[olives,capers]")]
    #[case("ar", "الكل", "[olives,onions,capers,anchovies,goat,corn]")]
    fn other_languages_are_understood(#[case] lang: &'static str, #[case] said: &str, #[case] want: &str) {
        assert_eq!(read(lang, said, false), want, "{said}");
    }

    #[test]
    fn groups_are_found_in_a_sentence() {
        let options = offered(TOPPINGS);
        let cx = Context { options: &options, ..cx("en") };
        let said = Said::new("a large with olives and capers to via Roma 12, also onions but no corn");
        let found = Choices::default().find(&said, &cx);
        let quotes: Vec<_> = found.iter().map(|found| said.raw.get(found.span.clone()).unwrap()).collect();
        assert_eq!(quotes, ["olives and capers", "onions"]);
        assert!(found.iter().all(|found| found.strength == Strength::Exact));
    }

    #[test]
    fn the_number_of_picks_has_bounds_and_data_is_taken_in_any_order() {
        let options = offered(TOPPINGS);
        let cx = Context { options: &options, ..cx("en") };
        let kind = Choices { min: Some(1), max: Some(2) };
        let value = kind.accept(&json!(["capers", "Olives", "capers"]), &cx).unwrap();
        assert_eq!(kind.json(&value), json!(["olives", "capers"]));
        assert_eq!(kind.accept(&kind.json(&value), &cx), Ok(value));
        assert_eq!(kind.accept(&json!([]), &cx), Err(Refusal::new("too_few_picks").fact("min", "1")));
        let many = json!(["olives", "capers", "corn"]);
        assert_eq!(kind.accept(&many, &cx), Err(Refusal::new("too_many_picks").fact("max", "2")));
        assert_eq!(kind.accept(&json!(["zebra"]), &cx), Err(Refusal::new("option_unknown").fact("said", "zebra")));
    }
}
