//! Options that are steps of a scale, said in other words: "affordable" of cheap, moderate and expensive, "spacious" of
//! compact, standard and full-size. Which words are the same step is told in the language files.

use std::collections::BTreeMap;
use std::ops::Range;

use super::features::negation_before;
use super::ledger::Ledger;
use super::reader::Reader;
use super::score::Tide;
use super::spans::{Board, Slot, with_context};
use super::{Scene, passing};
use formwright_form::kind::{Found, Offered, Said, Strength};
use formwright_form::{Kind, Value};
use formwright_lexicon::everyday::{Rung, Step};
use formwright_text::stem;

/// Options by the steps that they are, for each scale.
type Scales = BTreeMap<Box<str>, Vec<(usize, usize)>>;

/// Fills the open choices whose options are steps of a scale that the message speaks of.
pub(super) fn fill(scene: &Scene<'_>, reader: &Reader<'_>, board: &Board<'_>, ledger: &mut Ledger, tide: &Tide) {
    let (hits, only) = (hits(reader), only_step(reader));
    if hits.is_empty() && only.is_none() {
        return;
    }
    let open = |no: &usize| {
        board.slots.get(*no).is_some_and(|slot| matches!(slot.field.kind, Kind::Choice(_))) && !ledger.has(*no)
    };
    let slots: Vec<(usize, Vec<Offered>, Scales)> = (0..board.slots.len())
        .filter(open)
        .filter_map(|no| {
            let slot = board.slots.get(no)?;
            let options = with_context(scene, &slot.path, slot.field, |cx| cx.options.to_vec());
            let scales = scales(reader, &options);
            (!scales.is_empty()).then_some((no, options, scales))
        })
        .collect();
    for (no, options, scales) in &slots {
        let Some(slot) = board.slots.get(*no) else { continue };
        // What two fields may mean is that of the asked one.
        let shared =
            |step: &Step| slots.iter().any(|(other, _, scales)| other != no && scales.contains_key(&step.scale));
        let mut meant: Vec<(Range<usize>, usize)> = Vec::new();
        for (words, steps) in hits.iter().chain(only.as_ref().filter(|_| slot.asked)) {
            let clause = reader.clause_of(words.start);
            let start = reader.clauses.get(clause).map_or(0, |clause| clause.words.start);
            let corrects = tide.changes(clause);
            let may = slot.value.is_none() || slot.asked || corrects;
            let of_part = is_of_a_part(reader, words);
            if !may
                || of_part
                || steps.iter().all(|step| matches!(step.rung, Rung::At(_))) && passing::is_compared(reader, words)
                || passing::is_remark(reader, words, slot.asked)
                || !ledger.is_free(words.clone())
                || negation_before(reader, start..words.start).is_some()
            {
                continue;
            }
            let fits = |step: &&Step| match step.rung {
                Rung::At(_) => {
                    let told = slot.asked || !step.asked && !shared(step);
                    let sized = || (slot.asked || !step.open) && is_of_thing(scene, reader, slot, words);
                    told && (!step.of_thing || sized())
                }
                // "The cheapest flight" is not said of its class.
                Rung::Lowest | Rung::Highest => {
                    let end = reader.clause_end(words.start);
                    let yours = || reader.len(|lang| &lang.sentence.you, words.end, end) > 0;
                    let sized = || yours() || is_of_thing(scene, reader, slot, words);
                    slot.asked || step.of_thing && !shared(step) && sized()
                }
            };
            let option = |step: &Step| option_at(scales.get(&step.scale)?, step, options.len());
            let option = steps.iter().filter(fits).find_map(option);
            meant.extend(option.map(|option| (words.clone(), option)));
        }
        let Some((words, option)) = meant.first().cloned() else { continue };
        let Some(offered) = options.get(option).filter(|_| meant.iter().all(|(_, other)| *other == option)) else {
            continue;
        };
        let found = Found {
            span: reader.raw_range(words),
            value: Value::Option(offered.id.clone()),
            strength: Strength::Typed,
        };
        if ledger.fill_named(reader, *no, found) {
            meant.into_iter().for_each(|(words, _)| ledger.claim(words));
        }
    }
}

/// Where a message has words for steps.
fn hits<'a>(reader: &Reader<'a>) -> Vec<(Range<usize>, &'a [Step])> {
    let mut hits = Vec::new();
    let mut no = 0;
    while no < reader.said.words.len() {
        let end = reader.clause_end(no);
        let found = reader.at(|lang| &lang.everyday.scale.said, no, end);
        hits.extend(found.map(|(len, steps)| (no..no + len, steps.as_slice())));
        no += found.map_or(1, |(len, _)| len);
    }
    hits
}

/// A name of a step that is all there is of a message, filler aside: "XL". In a sentence it would mean too much.
fn only_step<'a>(reader: &Reader<'a>) -> Option<(Range<usize>, &'a [Step])> {
    let count = reader.said.words.len();
    let tells = |no: &usize| !reader.is_idle(*no);
    let start = (0..count).find(|no| tells(no) || reader.said.plain(*no).len() == 1 && !reader.is_mark(*no))?;
    let (len, steps) = reader.at(|lang| &lang.everyday.scale.named, start, count)?;
    let alone = (start + len..count).all(|no| reader.is_idle(no) || reader.is_mark(no));
    alone.then_some((start..start + len, steps.as_slice()))
}

/// The scales that at least two options are different steps of.
fn scales(reader: &Reader<'_>, options: &[Offered]) -> Scales {
    let mut scales = Scales::new();
    let shared = shared_end(options);
    for (no, option) in options.iter().enumerate() {
        let label = Said::new(&option.label);
        let whole = |lang: &formwright_lexicon::Language| {
            let found = lang.everyday.scale.named.at(&label, 0);
            found
                .filter(|(len, _)| *len == label.words.len() || len + shared == label.words.len())
                .map(|(_, steps)| steps.clone())
        };
        for step in reader.langs().find_map(whole).unwrap_or_default() {
            if let Rung::At(rung) = step.rung {
                scales.entry(step.scale).or_default().push((rung, no));
            }
        }
    }
    scales.retain(|_, steps| steps.iter().any(|(step, _)| Some(*step) != steps.first().map(|(first, _)| *first)));
    scales
}

/// How many words all options end with: one in "small van" and "large van".
fn shared_end(options: &[Offered]) -> usize {
    let labels: Vec<Said> = options.iter().map(|option| Said::new(&option.label)).collect();
    let Some((first, others)) = labels.split_first().filter(|(_, others)| !others.is_empty()) else { return 0 };
    let from_end = |said: &Said, no: usize| {
        let at = said.words.len().checked_sub(no + 1);
        at.map(|at| said.plain(at).to_owned())
    };
    let same = |no: &usize| others.iter().all(|other| from_end(other, *no) == from_end(first, *no));
    (0..first.words.len()).take_while(same).count()
}

/// The only option at a step. The lowest and the highest are known where every one of the form's `count` options is a step.
fn option_at(steps: &[(usize, usize)], step: &Step, count: usize) -> Option<usize> {
    let numbers = || steps.iter().map(|(no, _)| *no);
    let no = match step.rung {
        Rung::At(no) if step.open && numbers().max() == no.checked_sub(1) => no.checked_sub(1),
        Rung::At(no) if step.open && numbers().min() == Some(no + 1) => Some(no + 1),
        Rung::At(no) => Some(no),
        Rung::Lowest => numbers().min().filter(|_| steps.len() == count),
        Rung::Highest => numbers().max().filter(|_| steps.len() == count),
    }?;
    let mut at = steps.iter().filter(|(other, _)| *other == no).map(|(_, option)| *option);
    at.next().filter(|_| at.next().is_none())
}

/// Whether an option's words are part of a longer phrase for another step of its scale: "large" of "extra large", "expensive"
/// of "least expensive". "Very large" is large.
pub(super) fn is_of_another_step(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    const LONGEST: usize = 4;
    let named = reader.at(|lang| &lang.everyday.scale.named, words.start, words.end);
    let Some((_, own)) = named.filter(|(len, _)| *len == words.len()) else { return false };
    let end = reader.clause_end(words.start);
    let other = |step: &Step| !step.open && own.iter().any(|own| own.scale == step.scale && own.rung != step.rung);
    let degree = |no: usize| reader.len(|lang| &lang.option.degree, no, no + 1) > 0;
    (words.start.saturating_sub(LONGEST)..=words.start).any(|no| {
        let phrase = reader.at(|lang| &lang.everyday.scale.said, no, end);
        phrase.is_some_and(|(len, steps)| {
            let around = no..no + len;
            let only_degree = || around.clone().all(|no| words.contains(&no) || degree(no));
            len > words.len() && around.end >= words.end && steps.iter().any(other) && !only_degree()
        })
    })
}

/// Whether words are a size of something that a place or a thing has: "small" of "a small balcony".
pub(super) fn is_of_a_part(reader: &Reader<'_>, words: &Range<usize>) -> bool {
    let end = reader.clause_end(words.start);
    let size = reader.at(|lang| &lang.everyday.scale.said, words.start, end);
    let size = size.is_some_and(|(len, steps)| len == words.len() && steps.iter().any(|step| step.of_thing));
    let before = (words.start.saturating_sub(3)..words.start).any(|no| {
        let len = reader.len(|lang| &lang.everyday.parts, no, words.start);
        len > 0 && no + len == words.start
    });
    let after = reader.len(|lang| &lang.everyday.parts, words.end, end) > 0;
    size && (after || before && (words.end >= end || reader.is_idle(words.end)))
}

/// Whether a size is said of what the form is about, or of nothing: "a small car", "the big one", "spacious", "una macchina
/// grande".
fn is_of_thing(scene: &Scene<'_>, reader: &Reader<'_>, slot: &Slot<'_>, words: &Range<usize>) -> bool {
    let no = words.end;
    let end = reader.clause_end(no.saturating_sub(1));
    let known = |no: usize| {
        let word = stem(reader.said.plain(no));
        let explained = |help: &Said| (0..help.words.len()).any(|at| stem(help.plain(at)) == word);
        scene.form.cues().knows(word) || slot.helps.iter().any(explained)
    };
    let thing = |no: usize| {
        reader.len(|lang| &lang.everyday.things, no, end) > 0
            || !reader.is_idle(no) && known(no)
            || reader.is_of_form(no)
    };
    // Where sizes follow what they are of.
    let follows = || {
        let before = words.start.checked_sub(1).filter(|no| *no >= reader.clause_start(words.start));
        reader.own_lang().everyday.size_follows && before.is_some_and(|no| !reader.is_mark(no) && thing(no))
    };
    slot.asked && (no >= end || reader.is_idle(no)) || no < end && thing(no) || follows()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::Stage;

    const TRIP: &str = r#"
id = "trip"
title = "A trip"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "price"
kind = "choice"
label = "Price range"
options = ["Cheap", "Moderate", "Pricey"]

[[field]]
id = "car"
kind = "choice"
label = "Car"
options = ["Compact", "Standard", "Full-size"]

[[field]]
id = "seat"
kind = "choice"
label = "Seat"
options = ["Window", "Aisle"]
"#;

    const TABLE: &str = r#"
id = "table"
title = "A table"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "area"
kind = "choice"
label = "Area"
options = [{ id = "in", label = { en = "Inside", it = "Interno", es = "Interior", de = "Innen", fr = "Salle", ar = "داخلي" } }, { id = "out", label = { en = "Terrace", it = "Terrazza", es = "Terraza", de = "Terrasse", fr = "Terrasse", ar = "خارجي" } }]

[[field]]
id = "van"
kind = "choice"
label = "Vehicle"
options = ["Van", "SUV"]
"#;

    #[rstest]
    #[case("en", "area", "outside please", "area=out")]
    #[case("it", "area", "fuori", "area=out")]
    #[case("es", "area", "fuera", "area=out")]
    #[case("de", "area", "lieber draußen", "area=out")]
    #[case("fr", "area", "dehors", "area=out")]
    #[case("ar", "area", "برا", "area=out")]
    #[case("en", "van", "a minivan", "van=van")]
    #[case("en", "van", "we live outside of town", "")]
    fn everyday_words_name_steps_in_every_language(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(TABLE, asked).speaking(lang).fills(said), expected, "{said}");
    }

    #[rstest]
    #[case("en", "", "an affordable place", "price=moderate")]
    #[case("en", "", "something inexpensive with a spacious car", "price=cheap; car=full-size")]
    #[case("en", "", "luxury please", "price=pricey")]
    #[case("en", "", "not too expensive", "price=moderate")]
    #[case("en", "", "nothing upscale, no luxury", "")]
    #[case("en", "", "a big problem", "")]
    #[case("en", "", "a mid-size vehicle", "car=standard")]
    #[case("en", "car", "small", "car=compact")]
    #[case("en", "", "affordable or upscale", "")]
    #[case("en", "car", "extra large", "")]
    #[case("en", "price", "the cheapest you have", "price=cheap")]
    #[case("en", "price", "not the cheapest", "")]
    #[case("en", "price", "top of the line", "price=pricey")]
    #[case("en", "car", "the biggest", "car=full-size")]
    #[case("en", "car", "the smallest one", "car=compact")]
    #[case("en", "", "the cheapest car", "~=price=cheap")]
    #[case("en", "", "the biggest you have", "car=full-size")]
    #[case("en", "", "the biggest surprise", "")]
    #[case("it", "price", "il più economico", "price=cheap")]
    #[case("es", "car", "el más grande", "car=full-size")]
    #[case("de", "price", "das günstigste", "price=cheap")]
    #[case("fr", "price", "le moins cher", "price=cheap")]
    #[case("ar", "price", "الأرخص", "price=cheap")]
    #[case("it", "", "un posto non troppo caro", "price=moderate")]
    #[case("es", "", "un sitio barato", "price=cheap")]
    #[case("de", "", "ein geräumiges Auto", "car=full-size")]
    #[case("fr", "", "une petite voiture", "car=compact")]
    #[case("ar", "", "سعر رخيص", "price=cheap")]
    fn a_step_of_a_scale_has_many_names(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(TRIP, asked).speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    const SKY: &str = r#"
id = "sky"
title = "X1"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "sky"
kind = "choice"
label = { en = "Weather condition", it = "Tempo", es = "Tiempo", de = "Wetter", fr = "Météo", ar = "الطقس" }
options = [
    { id = "rain", label = { en = "Rain", it = "Pioggia", es = "Lluvia", de = "Regen", fr = "Pluie", ar = "مطر" } },
    { id = "sunny", label = { en = "Sunny", it = "Sole", es = "Soleado", de = "Sonne", fr = "Soleil", ar = "شمس" } },
    { id = "storm", label = { en = "Storm", it = "Temporale", es = "Tormenta", de = "Sturm", fr = "Orage", ar = "عاصفة" } },
]
"#;

    #[rstest]
    #[case("en", "it will be stormy tomorrow", "sky=storm")]
    #[case("en", "the sun will come out", "sky=sunny")]
    #[case("en", "it is rainy outside", "sky=rain")]
    #[case("en", "it won't be rainy", "")]
    #[case("it", "domani sarà piovoso", "sky=rain")]
    #[case("es", "mañana será lluvioso", "sky=rain")]
    #[case("de", "wird es stürmisch", "sky=storm")]
    #[case("fr", "ce sera orageux", "sky=storm")]
    #[case("ar", "سيكون الجو ممطر", "sky=rain")]
    fn the_weather_has_adjectives(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(SKY, "").speaking(lang).fills(said), expected, "{said}");
    }

    const SHIRT: &str = r#"
id = "shirt"
title = "A shirt"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "size"
kind = "choice"
label = "Size"
options = [
    { id = "s", label = { en = "Small", it = "Piccola", es = "Pequeña", de = "Klein", fr = "Petite", ar = "صغير" } },
    { id = "m", label = { en = "Medium", it = "Media", es = "Mediana", de = "Mittel", fr = "Moyenne", ar = "متوسط" } },
    { id = "l", label = { en = "Large", it = "Grande", es = "Grande", de = "Groß", fr = "Grande", ar = "كبير" } },
]

[[field]]
id = "price"
kind = "choice"
label = "Price range"
options = ["Cheap", "Moderate", "Expensive"]
"#;

    /// Who wears XL wears no L: where the form has none it is asked.
    #[rstest]
    #[case("en", "size", "XL", "~=size=l")]
    #[case("en", "size", "extra large", "")]
    #[case("en", "size", "very large", "size=l")]
    #[case("en", "size", "large", "size=l")]
    #[case("en", "size", "bigger than small", "")]
    #[case("en", "size", "smaller than large", "")]
    #[case("en", "price", "the least expensive", "price=cheap")]
    #[case("en", "price", "the most expensive", "price=expensive")]
    #[case("en", "price", "less expensive", "")]
    #[case("en", "price", "a bit more expensive", "")]
    #[case("en", "price", "cheaper than expensive", "")]
    #[case("en", "price", "very expensive", "price=expensive")]
    #[case("it", "size", "più grande di piccola", "")]
    #[case("es", "size", "más grande que pequeña", "")]
    #[case("de", "size", "größer als klein", "")]
    #[case("de", "size", "extra groß", "")]
    #[case("fr", "size", "plus grande que petite", "")]
    #[case("ar", "size", "أكبر من صغير", "")]
    fn what_a_step_is_compared_with_is_not_meant(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(SHIRT, asked).speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    const TICKET: &str = r#"
id = "ticket"
title = "A ticket"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "priority"
kind = "choice"
label = { en = "Priority", it = "Priorità", es = "Prioridad", de = "Priorität", fr = "Priorité", ar = "الأولوية" }
options = [
    { id = "low", label = { en = "Low", it = "Bassa", es = "Baja", de = "Niedrig", fr = "Basse", ar = "منخفضة" } },
    { id = "normal", label = { en = "Normal", it = "Normale", es = "Normal", de = "Normal", fr = "Normale", ar = "عادية" } },
    { id = "high", label = { en = "High", it = "Alta", es = "Alta", de = "Hoch", fr = "Haute", ar = "عالية" } },
]

[[field]]
id = "often"
kind = "choice"
label = { en = "How often", it = "Con che frequenza", es = "Con qué frecuencia", de = "Wie oft", fr = "À quelle fréquence", ar = "كم مرة" }
options = [
    { id = "seldom", label = { en = "Rarely", it = "Raramente", es = "Raramente", de = "Selten", fr = "Rarement", ar = "نادرا" } },
    { id = "some", label = { en = "Sometimes", it = "A volte", es = "A veces", de = "Manchmal", fr = "Parfois", ar = "أحيانا" } },
    { id = "always", label = { en = "Always", it = "Sempre", es = "Siempre", de = "Immer", fr = "Toujours", ar = "دائما" } },
]

[[field]]
id = "size"
kind = "choice"
label = "Size"
options = ["Small", "Medium", "Large"]

[[field]]
id = "water"
kind = "choice"
label = "Water"
options = ["Cold", "Warm", "Hot"]

[[field]]
id = "sound"
kind = "choice"
label = "Sound"
options = ["Poor", "Fair", "Good", "Excellent"]

[[field]]
id = "level"
kind = "choice"
label = "Level"
options = ["Beginner", "Intermediate", "Advanced"]

[[field]]
id = "hours"
kind = "choice"
label = "Hours"
options = ["Part-time", "Full-time"]
"#;

    #[rstest]
    #[case("en", "", "this is an emergency", "priority=high")]
    #[case("en", "priority", "critical", "priority=high")]
    #[case("en", "priority", "asap please", "priority=high")]
    #[case("en", "priority", "it's important", "priority=high")]
    #[case("en", "", "it's important that you call", "")]
    #[case("en", "priority", "it can wait", "priority=low")]
    #[case("en", "priority", "not super urgent", "priority=low")]
    #[case("en", "often", "hardly ever", "often=seldom")]
    #[case("en", "often", "constantly", "often=always")]
    #[case("en", "", "we need a tiny one", "size=small")]
    #[case("en", "often", "often", "")]
    #[case("en", "", "it crashes all the time", "")]
    #[case("en", "size", "tiny", "size=small")]
    #[case("en", "size", "huge", "size=large")]
    #[case("en", "size", "middle-sized", "size=medium")]
    #[case("en", "size", "extra large", "")]
    #[case("en", "water", "freezing cold", "water=cold")]
    #[case("en", "water", "boiling", "water=hot")]
    #[case("en", "water", "lukewarm", "~=water=warm")]
    #[case("en", "sound", "terrible", "sound=poor")]
    #[case("en", "sound", "so-so", "sound=fair")]
    #[case("en", "sound", "outstanding", "sound=excellent")]
    #[case("en", "sound", "not terrible", "")]
    #[case("en", "level", "I'm an expert", "level=advanced")]
    #[case("en", "level", "total novice", "level=beginner")]
    #[case("en", "hours", "half days", "hours=part-time")]
    #[case("it", "priority", "può aspettare", "priority=low")]
    #[case("it", "priority", "è un'emergenza", "priority=high")]
    #[case("it", "often", "quasi mai", "often=seldom")]
    #[case("es", "priority", "lo antes posible", "priority=high")]
    #[case("es", "often", "de vez en cuando", "often=some")]
    #[case("de", "priority", "kann warten", "priority=low")]
    #[case("de", "often", "ständig", "often=always")]
    #[case("fr", "priority", "ça peut attendre", "priority=low")]
    #[case("fr", "often", "de temps en temps", "often=some")]
    #[case("ar", "priority", "حالة طارئة", "priority=high")]
    #[case("ar", "often", "كل مرة", "often=always")]
    fn words_of_a_ladder_mean_the_step_a_form_has(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        let line = Stage::new(TICKET, asked).speaking(lang).line(said);
        let fills = line.split("; ").filter(|part| part.contains('=')).collect::<Vec<_>>().join("; ");
        assert_eq!(fills, expected, "{said}");
    }

    const CLEAN: &str = r#"
id = "clean"
title = "Cleaning"
languages = ["en", "it", "es", "de", "fr", "ar"]

[[field]]
id = "freq"
kind = "choice"
label = "How often"
options = [
    { id = "once", label = { en = "Once", it = "Una volta", es = "Una vez", de = "Einmalig", fr = "Une fois", ar = "مرة واحدة" } },
    { id = "weekly", label = { en = "Weekly", it = "Settimanale", es = "Semanal", de = "Wöchentlich", fr = "Hebdomadaire", ar = "أسبوعيا" } },
    { id = "monthly", label = { en = "Monthly", it = "Mensile", es = "Mensual", de = "Monatlich", fr = "Mensuel", ar = "شهريا" } },
]
"#;

    #[rstest]
    #[case("en", "can you come once a week", "freq=weekly")]
    #[case("en", "every month would be enough", "freq=monthly")]
    #[case("en", "just the once", "freq=once")]
    #[case("en", "every day", "")]
    #[case("en", "not every week, every month", "freq=monthly")]
    #[case("it", "una volta a settimana", "freq=weekly")]
    #[case("it", "una volta", "freq=once")]
    #[case("es", "una vez al mes", "freq=monthly")]
    #[case("de", "einmal die Woche", "freq=weekly")]
    #[case("de", "nur einmal", "freq=once")]
    #[case("fr", "une fois par mois", "freq=monthly")]
    #[case("ar", "كل أسبوع", "freq=weekly")]
    fn how_often_is_said_in_many_words(#[case] lang: &'static str, #[case] said: &str, #[case] expected: &str) {
        assert_eq!(Stage::new(CLEAN, "freq").speaking(lang).fills(said), expected, "{said}");
    }

    const VAN: &str = r#"
id = "van"
title = "Hire"
languages = ["en", "it", "es", "de", "fr"]

[[field]]
id = "van"
kind = "choice"
label = "Which one"
options = [{ id = "small", label = { en = "Small van", it = "Piccolo furgone", fr = "Petit fourgon" } }, { id = "large", label = { en = "Large van", it = "Grande furgone", fr = "Grand fourgon" } }]
"#;

    #[rstest]
    #[case("en", "", "the biggest you have", "van=large")]
    #[case("en", "van", "the smaller one", "van=small")]
    #[case("it", "van", "il più grande", "van=large")]
    #[case("fr", "van", "le plus grand", "van=large")]
    fn options_are_steps_beside_the_words_that_all_end_with(
        #[case] lang: &'static str,
        #[case] asked: &str,
        #[case] said: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(Stage::new(VAN, asked).speaking(lang).fills(said), expected, "{said}");
    }
}
