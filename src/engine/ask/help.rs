//! Digressions: questions answered from the form's own texts, after which the form goes on.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ask::reprompt;
use crate::draft::filling::Filling;
use crate::draft::fresh;
use crate::library::Passage;
use crate::world::World;
use formwright_form::field::Field;
use formwright_form::kind::{Offered, Said};
use formwright_form::{Form, FormId, Kind, Path};
use formwright_lexicon as language;
use formwright_nlu::Pending;

/// Least share of a text's meaningful words that a question must contain to be taken as that question.
const FAQ_MATCH: f64 = 0.6;

/// Most options named in an answer.
const MOST_OPTIONS: usize = 20;

/// Help with the asked field, else with the form. What was asked about the field by its name is looked up too.
pub(crate) fn help(filling: &Filling<'_>, question: &str) -> String {
    let Some((field, path)) = asked(filling) else { return form_help(filling) };
    let label = filling.label(&path);
    let own = field.help.as_ref().map(|text| filling.text(text, &path));
    let found = passage(filling, question).map(|passage| quoted(filling, &passage));
    let asks = found.is_some();
    let mut parts: Vec<String> = own.into_iter().chain(found).collect();
    if parts.is_empty() {
        parts.push(filling.say("help_field", &[("label", &label)]));
    }
    if let Some(example) = field.examples.first() {
        let example = filling.text(example, &path);
        let example = filling.say("example", &[("example", &example)]);
        let ends = example.ends_with(['.', '!', '?', '…', '؟']);
        parts.push(if ends { example } else { format!("{example}.") });
    }
    // Where a client draws the question nobody knows whether its options are in sight.
    parts.extend(filling.form.stays.then(|| reprompt::options_told(filling, field, &path)).flatten());
    if !asks {
        parts.push(filling.say("help_general", &[]));
    }
    parts.join(" ")
}

fn form_help(filling: &Filling<'_>) -> String {
    let own = filling.form.help.as_ref().map(|text| filling.text(text, &Path::default()));
    let general = filling.say("help_general", &[]);
    own.map_or(general.clone(), |own| format!("{own} {general}"))
}

/// Why the asked field is needed.
pub(crate) fn why(filling: &Filling<'_>) -> String {
    let title = filling.form.title.pick(&filling.world.tags_of(filling.form));
    let own = asked(filling).and_then(|(field, path)| field.why.as_ref().map(|text| filling.text(text, &path)));
    let standard = if filling.form.stays { "sheet_why" } else { "why_default" };
    own.unwrap_or_else(|| filling.say(standard, &[("title", title)]))
}

/// How to reach a person.
pub(crate) fn human(filling: &Filling<'_>) -> String {
    let own = filling.form.human.as_ref().map(|text| filling.text(text, &Path::default()));
    own.map_or_else(|| filling.say("human_none", &[]), |human| filling.say("human", &[("human", &human)]))
}

/// What is said to a question that nothing answers: whom to ask instead, where the form says, or that somebody may be
/// asked for.
pub(crate) fn no_answer(filling: &Filling<'_>, may_ask: bool) -> String {
    let human = filling.form.human.as_ref().map(|text| filling.text(text, &Path::default()));
    let whom = match human {
        Some(human) => Some(filling.say("human", &[("human", &human)])),
        None if may_ask => Some(filling.say("human_offer", &[])),
        None => None,
    };
    std::iter::once(filling.say("no_answer", &[])).chain(whom).collect::<Vec<_>>().join(" ")
}

/// The answer to a question, if the form's texts have one.
pub(crate) fn found(filling: &Filling<'_>, question: &str) -> Option<String> {
    let asked_words = words(question, filling);
    if asked_words.is_empty() {
        return None;
    }
    own(filling, question, &asked_words).or_else(|| {
        let quoted = passage(filling, question).map(|passage| quoted(filling, &passage));
        // What a field says of itself does not hinder what a document says of it.
        let named = named_field(filling, &asked_words, quoted.is_some());
        let both: Vec<String> = named.into_iter().chain(quoted).collect();
        let near = || told(filling, question, &asked_words).map(|told| told.answer);
        if both.is_empty() { near() } else { Some(both.join(" ")) }
    })
}

/// The answer to a question that the form's own texts surely have.
fn own(filling: &Filling<'_>, question: &str, asked_words: &BTreeSet<String>) -> Option<String> {
    options_of_field(filling, asked_words)
        .or_else(|| told(filling, question, asked_words).filter(|told| told.sure).map(|told| told.answer))
        .or_else(|| worked_out(filling, question, asked_words))
        .or_else(|| details(filling, asked_words))
}

/// The passage of the documents that answers a question which the form's own texts do not surely answer.
pub(crate) fn passage(filling: &Filling<'_>, question: &str) -> Option<Passage> {
    let asked_words = words(question, filling);
    if asked_words.is_empty() || own(filling, question, &asked_words).is_some() {
        return None;
    }
    filling.world.library.as_ref()?.find(Some(filling.form), question, &filling.world.tag)
}

/// Whether words are the heading of a passage and nothing else: "opening hours" asks without a question mark.
pub(crate) fn names_a_passage(filling: &Filling<'_>, words: &str) -> bool {
    passage(filling, words).is_some_and(|passage| passage.named)
}

fn quoted(filling: &Filling<'_>, passage: &Passage) -> String {
    filling.say("quoted", &[("title", &passage.source), ("value", &passage.text)])
}

/// The passage that answers a question before any form, out of the documents of forms that may be started and those for
/// all; and the form whose it is.
pub(crate) fn passage_before<'f>(
    forms: &[&'f Form],
    world: &World,
    question: &str,
) -> Option<(Option<&'f Form>, Passage)> {
    let library = world.library.as_ref()?;
    let own = forms.iter().filter(|form| !form.context.is_empty());
    let own = own.filter_map(|form| Some((Some(*form), library.find(Some(form), question, &world.tag)?)));
    // Of those that fit alike the last is taken: what is for all forms is no one form's.
    let common = library.find(None, question, &world.tag).map(|passage| (None, passage));
    own.chain(common).max_by(|(_, a), (_, b)| a.own.cmp(&b.own).then(a.fit.total_cmp(&b.fit)))
}

/// An answer out of the questions and answers of a form.
pub(crate) struct Told {
    /// How near the question is to the form's, from 0 to 1.
    score: f64,
    /// Whether it asks just that: the same question word, or nothing beside.
    pub(crate) sure: bool,
    /// What the form says.
    pub(crate) answer: String,
}

/// The answer to a question before any form, out of the questions and answers of forms that may be started; and whose it
/// is.
pub(crate) fn found_before(forms: &[&Form], world: &World, question: &str) -> Option<(FormId, Told)> {
    let answers = forms.iter().filter(|form| !form.faq.is_empty()).filter_map(|form| {
        let world = world.speaking(form);
        let filling = Filling::new(form, &world, fresh::fresh(form, &world));
        let asked_words = words(question, &filling);
        Some((form.id.clone(), told(&filling, question, &asked_words)?))
    });
    answers.max_by(|a, b| a.1.score.total_cmp(&b.1.score))
}

/// Whether a question says what is asked, or of what: more than "what is it?"
pub(crate) fn is_about_something(question: &str, world: &World) -> bool {
    let stop = |said: &Said, no: usize| world.lang.and_english().any(|lang| lang.sentence.stop.starts(said, no));
    let said = Said::new(question);
    (0..said.words.len()).any(|no| {
        said.word(no).chars().any(char::is_alphanumeric)
            && !stop(&said, no)
            && (tells(said.word(no)) || measures(said.word(no)))
    })
}

/// Whether a word says what a question is about, as "how", "what", "long" and "price" do not.
fn tells(word: &str) -> bool {
    let said = Said::new(word);
    !measures(word) && !language::all().any(|lang| lang.sentence.question.starts(&said, 0))
}

/// Whether a word says what is asked of something: "long", "price".
fn measures(word: &str) -> bool {
    let said = Said::new(word);
    language::all().any(|lang| lang.sentence.measure.starts(&said, 0))
}

/// What the form's questions and answers say to a question. Where it says what it is about, only those that are about it
/// too, or where the form is (its title, fields, options and the questions of its own) those that ask the same of it.
fn told(filling: &Filling<'_>, question: &str, asked_words: &BTreeSet<String>) -> Option<Told> {
    let asking = |text: &str| -> BTreeSet<String> {
        let said = Said::new(text);
        let words = (0..said.words.len()).map(|no| said.word(no).to_owned());
        words.filter(|word| filling.world.lang.sentence.question.word(word).is_some()).collect()
    };
    let asks = asking(question);
    let telling: Vec<&String> = asked_words.iter().filter(|word| tells(word)).collect();
    let measures: Vec<&String> = asked_words.iter().filter(|word| measures(word)).collect();
    let of_form = telling.is_empty()
        || subject(filling.form).any(|text| words(text, filling).iter().any(|word| telling.contains(&word)));
    let agrees = |theirs: &BTreeSet<String>| {
        let shares = |words: &[&String]| words.iter().any(|word| theirs.contains(*word));
        shares(&telling) || of_form && (measures.is_empty() || shares(&measures))
    };
    let score = |text: &str| {
        let theirs = words(text, filling);
        let common = theirs.iter().filter(|word| asked_words.contains(*word)).count();
        let score = if theirs.is_empty() { 0.0 } else { ratio(common, theirs.len()) };
        let own = asking(text);
        let sure = asked_words.is_subset(&theirs) || !own.is_empty() && own.is_subset(&asks);
        (score, sure)
    };
    let scored = filling.form.faq.iter().filter_map(|faq| {
        let texts = || faq.questions.iter().flat_map(|text| text.by_lang.values());
        let theirs = texts().flat_map(|text| words(text, filling)).collect();
        let scores = texts().map(|text| score(text)).filter(|_| agrees(&theirs));
        let (score, sure) = scores.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        Some((score, sure, &faq.answer))
    });
    let best = scored.filter(|(score, ..)| *score >= FAQ_MATCH).max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    best.map(|(score, sure, answer)| Told { score, sure, answer: filling.text(answer, &Path::default()) })
}

/// Texts that tell what a form is about.
fn subject(form: &Form) -> impl Iterator<Item = &String> {
    let options = form.fields.iter().filter_map(|field| field.choices.as_ref()).flat_map(|all| &all.options);
    let asked = form.faq.iter().flat_map(|faq| &faq.questions);
    let texts = std::iter::once(&form.title).chain(form.fields.iter().map(|field| &field.label));
    texts.chain(options.map(|option| &option.label)).chain(asked).flat_map(|text| text.by_lang.values())
}

/// What has been worked out so far, where a question names it or asks for a total.
fn worked_out(filling: &Filling<'_>, question: &str, asked_words: &BTreeSet<String>) -> Option<String> {
    let said = Said::new(question);
    let lang = filling.world.lang;
    let total = (0..said.words.len()).any(|no| {
        let mut langs = lang.and_english();
        langs.any(|lang| lang.sentence.total.at(&said, no).is_some())
    });
    let known = filling.form.fields.iter().filter_map(|field| {
        let path = Path::field(&field.id);
        let at = filling.form.field_at(&path).filter(|at| at.no == field.no && !at.sensitive)?;
        let answer = filling.draft().answers.get(&path).filter(|_| !filling.draft().is_hidden(&path))?;
        let label = words(at.label.pick(&filling.world.tags()), filling);
        let named = !label.is_empty() && label.iter().all(|word| asked_words.contains(word));
        matches!(at.kind, Kind::Computed(_)).then(|| (named, path.clone(), answer.value.clone()))
    });
    let known: Vec<_> = known.collect();
    let any_named = known.iter().any(|(named, ..)| *named);
    let meant = known.into_iter().filter(|(named, ..)| *named || total && !any_named);
    let told = meant.map(|(_, path, value)| {
        let facts = (filling.label(&path), filling.show(&path, &value));
        filling.say("noted_value", &[("label", &facts.0), ("value", &facts.1)])
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// Fields with options to choose from that are in sight, the asked one first, with what they offer.
fn choices<'f>(filling: &'f Filling<'_>) -> impl Iterator<Item = (&'f Field, Path, Arc<[Offered]>)> {
    let pending = asked(filling);
    let others = filling
        .form
        .fields
        .iter()
        .filter_map(|field| Some((field, filling.form.path_near(field.no, &Path::default())?)));
    let all = pending
        .into_iter()
        .chain(others)
        .filter(|(field, path)| field.choices.is_some() && !filling.draft().is_hidden(path));
    all.map(|(field, path)| {
        let offered = filling.offered(field, &path);
        (field, path, offered)
    })
}

/// The options of the field that a question names with nothing beside: "what pizzas do you have?"
fn options_of_field(filling: &Filling<'_>, asked_words: &BTreeSet<String>) -> Option<String> {
    let asks = |word: &String| filling.world.lang.sentence.question.word(word).is_some();
    let told: BTreeSet<&String> = asked_words.iter().filter(|word| !asks(word)).collect();
    choices(filling).find_map(|(field, path, offered)| {
        let names = [field.label.pick(&filling.world.tags()), field.id.as_str()];
        let named = names.into_iter().any(|name| {
            let name = words(name, filling);
            !told.is_empty() && name.iter().filter(|word| !asks(word)).collect::<BTreeSet<_>>() == told
        });
        let labels: Vec<String> = offered.iter().take(MOST_OPTIONS).map(|option| option.label.clone()).collect();
        if !named || labels.is_empty() {
            return None;
        }
        let list = filling.say("options_list", &[("options", &labels.join(", "))]);
        let more = offered.len() - labels.len();
        let help = field.help.as_ref().map(|text| filling.text(text, &path));
        let more = (more > 0).then(|| filling.say("and_more", &[("count", &more.to_string())]));
        Some([Some(list), more, help].into_iter().flatten().collect::<Vec<_>>().join(" "))
    })
}

/// What is told beside the options that a question names: "what's on the marinara?"
fn details(filling: &Filling<'_>, asked_words: &BTreeSet<String>) -> Option<String> {
    let told = |option: &Offered| {
        let label = words(&option.label, filling);
        let named = !label.is_empty() && label.iter().all(|word| asked_words.contains(word));
        let detail = option.detail.as_ref().filter(|_| named)?;
        Some(filling.say("noted_value", &[("label", &option.label), ("value", detail.trim_end_matches('.'))]))
    };
    choices(filling).find_map(|(_, _, offered)| {
        let told: Vec<String> = offered.iter().filter_map(told).collect();
        (!told.is_empty()).then(|| told.join(" "))
    })
}

/// The help or reason of the field that a question names, where asked for with nothing beside.
fn named_field(filling: &Filling<'_>, asked_words: &BTreeSet<String>, alone: bool) -> Option<String> {
    let asks = |word: &String| filling.world.lang.sentence.question.word(word).is_some();
    let pending = asked(filling).map(|(field, path)| (field, Some(path)));
    let others = filling.form.fields.iter().map(|field| (field, None));
    pending.into_iter().chain(others).find_map(|(field, path)| {
        let mut label = words(field.label.pick(&filling.world.tags()), filling);
        // "How many" names nothing by its "how".
        label.retain(|word| !asks(word));
        let named = !label.is_empty() && label.iter().all(|word| asked_words.contains(word));
        let named = named && (!alone || asked_words.iter().all(|word| asks(word) || label.contains(word)));
        let path = path.unwrap_or_else(|| Path::field(&field.id));
        let text = field.help.as_ref().or(field.why.as_ref()).filter(|_| named)?;
        Some(filling.text(text, &path))
    })
}

fn asked<'f>(filling: &Filling<'f>) -> Option<(&'f Field, Path)> {
    let path = match &filling.draft().pending {
        Pending::Field { path, .. } => path.clone(),
        Pending::MoreItems { list } => list.clone(),
        Pending::Nothing if filling.form.stays => filling.open_fields().next()?,
        _ => return None,
    };
    Some((filling.form.field_at(&path)?, path))
}

/// Meaningful words of a text: no stop words, no plural endings.
fn words(text: &str, filling: &Filling<'_>) -> BTreeSet<String> {
    let said = Said::new(text);
    (0..said.words.len())
        .map(|i| said.word(i))
        .filter(|word| word.chars().any(char::is_alphanumeric) && filling.world.lang.sentence.stop.word(word).is_none())
        .map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word).to_owned())
        .collect()
}

fn ratio(part: usize, whole: usize) -> f64 {
    let count = |n: usize| u32::try_from(n).map_or(f64::MAX, f64::from);
    count(part) / count(whole)
}
