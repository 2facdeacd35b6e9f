//! Yes or no said of fields by their names, or of all that is left: "yes to the well, no to the rest", "no to all except the
//! pond", "there is a dam". What is said of a field by its name goes before what is said of the rest.

use std::ops::Range;

use super::Scene;
use super::reader::{Clause, Reader};
use super::spans::asked_path;
use crate::command::Command;
use crate::so_far::Pending;
pub(super) use answered::keep_plain;
use formwright_form::cues::Mention;
use formwright_form::field::Field;
use formwright_form::kind::yes_no::said_yes_or_no;
use formwright_form::kind::{Offered, Said};
use formwright_form::{Kind, Path, Value};
use formwright_lexicon::Language;
use formwright_lexicon::control::Control;
use names::Names;
use reach::{ends_in_or, is_bare, joins_by_or, wants, wishes_at};
pub(super) use rest::is_unclear;

mod answered;
mod names;
mod reach;
mod rest;

/// What yes or no means in a field: of a choice, the one option that says it, where one other says the opposite.
pub fn value_of(field: &Field, offered: &[Offered], langs: &[&Language], yes: bool) -> Option<Value> {
    match &field.kind {
        Kind::YesNo(_) => Some(Value::Bool(yes)),
        Kind::Choice(_) => {
            let saying = |meant: bool| -> Vec<&Offered> {
                offered.iter().filter(|option| says(option, langs) == Some(meant)).collect()
            };
            match (saying(yes).as_slice(), saying(!yes).len()) {
                ([option], 1) => Some(Value::Option(option.id.clone())),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an option is a bare yes or no, by its label, its name or another word for it.
fn says(option: &Offered, langs: &[&Language]) -> Option<bool> {
    let words = [option.label.as_str(), option.id.as_str()].into_iter();
    words.chain(option.synonyms.iter().map(String::as_str)).find_map(|word| {
        let said = Said::new(word);
        let meant = langs.iter().find_map(|lang| said_yes_or_no(&said, lang));
        meant.filter(|(words, _)| words.len() == said.words.len()).map(|(_, yes)| yes)
    })
}

/// A word that counts here.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// "Yes", "no".
    Says(bool),
    /// "There is a", "there is no".
    There(bool),
    /// The name of a field that yes and no answer.
    Name(Path),
    /// "The rest", "all of them".
    Rest,
    /// "Except".
    Except,
}

/// What yes or no is said of.
enum Of {
    Field(Path),
    /// All that is open but these.
    Rest(Vec<Path>),
}

/// Clauses that belong together.
struct Part {
    clauses: Range<usize>,
    tokens: Vec<Token>,
    /// It names a field with a question mark that what follows answers: "wifi? yes".
    questioned: bool,
    /// It begins with a plain no right before a name, "no smoking", which goes no further than "or" takes it.
    bare: bool,
    /// It says by itself that what it names is wanted: "with wifi", "just wifi", "wifi please".
    wants: bool,
}

impl Part {
    /// Whether it says what holds of the rest: "everything else no", "no to the rest".
    fn begins_with_rest(&self) -> bool {
        matches!(self.tokens.as_slice(), [Token::Rest, Token::Says(_)] | [Token::Says(_), Token::Rest])
    }

    fn names_only(&self) -> bool {
        self.tokens.iter().all(|token| matches!(token, Token::Name(_) | Token::Rest))
    }

    /// Whether what a clause holds goes on with this: "no to the well" "and the dam"; "the well" "and the dam no".
    /// `or` tells that an "or" ends the enumeration.
    fn goes_on(&self, next: &Self, or: bool) -> bool {
        let says = |token: &Token| matches!(token, Token::Says(_) | Token::There(_));
        let named = |token: &Token| matches!(token, Token::Name(_) | Token::Rest);
        match next.tokens.first() {
            first if self.questioned => first.is_some_and(says),
            Some(Token::Except) if self.tokens.contains(&Token::Rest) => !next.tokens.iter().any(says),
            // "A dam", "but no pump".
            Some(Token::Except) => self.tokens.iter().any(named),
            Some(Token::Name(_) | Token::Rest) if self.names_only() => true,
            _ if self.names_only() && next.begins_with_rest() => true,
            _ => {
                let reaches = !next.wants && (!self.bare || or);
                reaches && self.tokens.first().is_some_and(says) && self.tokens.iter().any(named) && next.names_only()
            }
        }
    }
}

/// For each clause what it does, where it says yes or no of fields and nothing else; nothing at all where it says
/// something else of the rest.
pub(super) fn said(scene: &Scene<'_>, reader: &Reader<'_>, mentions: &[Mention]) -> Vec<Option<Vec<Command>>> {
    let mut said: Vec<Option<Vec<Command>>> = vec![None; reader.clauses.len()];
    let names = Names { scene, mentions };
    let mut parts: Vec<Part> = Vec::new();
    // "Is it new: yes" asks nothing.
    let labelled = |clause: &Clause| {
        let named = |mention: &Mention| clause.words.contains(&mention.words.start) && mention.weight >= 1.0;
        mentions.iter().any(|mention| named(mention) && reader.said.word(mention.words.end) == ":")
    };
    let tells = |clause: &Clause| !clause.question && !clause.tentative || labelled(clause);
    for (no, clause) in reader.clauses.iter().enumerate() {
        let questioned = answered::is_answered(reader, &names, no);
        if !questioned && !tells(clause) {
            continue;
        }
        let goes_on = parts.last().is_some_and(|last| last.questioned && last.clauses.end == no);
        let answer = || answered::answer(reader, clause).filter(|_| goes_on).map(|yes| vec![Token::Says(yes)]);
        let tokens = match tokens(reader, &names, clause).or_else(answer) {
            Some(tokens) => tokens,
            None if leaves_something_else(scene, reader, clause.words.clone()) => {
                said[no] = Some(Vec::new());
                continue;
            }
            None => continue,
        };
        let part = Part {
            clauses: no..no + 1,
            bare: is_bare(reader, &names, &clause.words),
            wants: wants(reader, &clause.words),
            tokens,
            questioned,
        };
        let adjoins = |last: &&mut Part| last.clauses.end == no && (last.questioned || !reader.clauses[no - 1].stop);
        let or = ends_in_or(reader, no);
        match parts.last_mut().filter(adjoins).filter(|last| last.goes_on(&part, or)) {
            Some(last) => {
                last.clauses.end = no + 1;
                last.questioned = questioned;
                // "The well, everything else no."
                if last.names_only() && part.begins_with_rest() {
                    last.tokens.push(Token::Except);
                }
                last.tokens.extend(part.tokens);
            }
            None => parts.push(part),
        }
    }
    for Part { clauses, tokens, .. } in parts {
        let Some(all) = statements(&tokens) else { continue };
        let words = reader.clauses[clauses.start].words.start..reader.clauses[clauses.end - 1].words.end;
        let quote = Some(reader.raw_text(words).trim().to_owned());
        let commands = all.into_iter().filter_map(|(yes, of)| match of {
            Of::Field(path) => {
                let value = names.value(&path, yes)?;
                Some(Command::Fill { path, value, quote: quote.clone() })
            }
            Of::Rest(except) => Some(Command::FillRest { yes, except, quote: quote.clone() }),
        });
        said[clauses.start] = Some(commands.collect());
        said[clauses.start + 1..clauses.end].fill(Some(Vec::new()));
    }
    said
}

/// What is said of what: `None` where the tokens say it of nothing, or nothing of something.
fn statements(tokens: &[Token]) -> Option<Vec<(bool, Of)>> {
    let mut said: Vec<(Option<bool>, Of)> = Vec::new();
    let mut holds = None;
    let mut no = 0;
    while let Some(token) = tokens.get(no) {
        no += 1;
        match token {
            Token::Says(yes) | Token::There(yes) => {
                let open = said.iter_mut().filter(|(yes, _)| yes.is_none());
                let closed = open.map(|(open, _)| *open = Some(*yes)).count();
                holds = if closed == 0 { Some(*yes) } else { None };
            }
            Token::Name(_) | Token::Rest => {
                // "It is wet and the rest no": the last word is that of the rest.
                let own = match tokens.get(no) {
                    Some(Token::Says(yes)) if holds.is_some() && no + 1 == tokens.len() => Some(*yes),
                    _ => None,
                };
                no += usize::from(own.is_some());
                let of = match token {
                    Token::Name(path) => Of::Field(path.clone()),
                    _ => Of::Rest(Vec::new()),
                };
                said.push((own.or(holds), of));
            }
            Token::Except => {
                let named = tokens[no..].iter().map_while(|token| match token {
                    Token::Name(path) => Some(path.clone()),
                    _ => None,
                });
                let named: Vec<Path> = named.collect();
                let says = matches!(tokens.get(no + named.len()), Some(Token::Says(_)));
                let before = said.last().and_then(|(yes, _)| *yes);
                // "Yes for the rest, but the well is no" makes no exception.
                let rest = said.iter_mut().rev().find_map(|(yes, of)| match of {
                    Of::Rest(except) if !(says && yes.is_some()) => Some(except),
                    _ => None,
                });
                match (rest, before) {
                    // "A dam but no pump."
                    (None, _) if named.is_empty() => {
                        let says = tokens[no..].iter().find_map(|token| match token {
                            Token::Says(yes) | Token::There(yes) => Some(*yes),
                            _ => None,
                        });
                        if let Some(yes) = says {
                            said.iter_mut().filter(|(open, _)| open.is_none()).for_each(|(open, _)| *open = Some(!yes));
                        }
                    }
                    (Some(_), _) if named.is_empty() => {}
                    (Some(except), _) => {
                        no += named.len();
                        except.extend(named);
                    }
                    // "No dam but a pump."
                    (None, Some(yes)) if !says => {
                        no += named.len();
                        said.extend(named.into_iter().map(|path| (Some(!yes), Of::Field(path))));
                    }
                    (None, _) => holds = None,
                }
            }
        }
    }
    let said: Option<Vec<(bool, Of)>> = said.into_iter().map(|(yes, of)| Some((yes?, of))).collect();
    said.filter(|said| !said.is_empty())
}

/// The tokens of a clause; `None` where it holds anything else.
fn tokens(reader: &Reader<'_>, names: &Names<'_, '_>, clause: &Clause) -> Option<Vec<Token>> {
    let end = clause.words.end;
    let mut tokens: Vec<Token> = Vec::new();
    // "No smoking and wifi" may want wifi.
    let narrow = is_bare(reader, names, &clause.words) && !joins_by_or(reader, &clause.words);
    let mut no = clause.words.start;
    // "Change the dam to yes."
    no += reader.len(|lang| &lang.control.edit, no, end);
    let negates = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, end);
    let is_firm = |no: usize| reader.len(|lang| &lang.yes_no.firm, no, end) > 0;
    let names_rest = |no: usize| {
        let rest = |no: usize| reader.len(|lang| &lang.control.rest, no, end) > 0;
        rest(no) || reader.is_idle(no) && rest(no + 1)
    };
    // "It is wet": said of it is yes.
    if let Some((len, yes)) = stated(reader, no..end).filter(|(len, _)| names.at(no + len, end).is_some()) {
        tokens.push(Token::There(yes));
        no += len;
    }
    let mut denied = false;
    while no < end {
        // "We don't smoke and need wifi."
        let wish = wishes_at(reader, no, end);
        if wish > 0 && matches!(tokens.last(), Some(Token::Name(_))) && negates(no) == 0 && names.at(no, end).is_none()
        {
            tokens.push(Token::There(true));
            no += wish;
            continue;
        }
        // "Neither dam nor pump."
        let denies = negates(no) > 0 && names.at(no + negates(no), end).is_some();
        let begins = denies && tokens.is_empty() && (no + 1..end).any(|no| negates(no) > 0);
        if denies && (begins && !is_firm(no) || tokens.first() == Some(&Token::There(false))) {
            tokens.extend(begins.then_some(Token::There(false)));
            denied = true;
            no += negates(no);
            continue;
        }
        // "Yes, but no parking" answers what was asked, too.
        let joint = reader.len(|lang| &lang.sentence.join, no, end);
        let answers = matches!(tokens.as_slice(), [Token::Says(_)]) && joint > 0;
        if let Some(asked) = names.asked().filter(|_| answers && names.says_of_another(reader, no + joint..end)) {
            tokens.push(Token::Name(asked));
            no += joint;
            continue;
        }
        let says = reader.len(|lang| &lang.yes_no.firm, no, end);
        let refusal = reader.len(|lang| &lang.yes_no.no, no, end);
        let there = reader.at(|lang| &lang.control.there, no, end);
        let rest = reader.len(|lang| &lang.control.rest, no, end);
        let all = if names.asks_for_several() { 0 } else { reader.len(|lang| &lang.option.all, no, end) };
        let except = reader.len(|lang| &lang.option.except, no, end);
        let mark = reader.len(|lang| &lang.control.mark, no, end);
        let name = names.at(no, end);
        let before = tokens.last();
        let found = [
            (name.as_ref().map_or(0, |name| name.len), None),
            (there.map_or(0, |(len, _)| len), there.map(|(_, yes)| Token::There(*yes))),
            (says, Some(Token::Says(refusal < says))),
            (rest.max(all), Some(Token::Rest)),
            (except, Some(Token::Except)),
        ];
        let longest = found.iter().map(|(len, _)| *len).max().unwrap_or(0).max(mark);
        let control = reader.at(|lang| &lang.control.whole, no, end).filter(|(len, _)| *len > longest);
        // "Yes to all" confirms where that is asked.
        if control.is_some_and(|(_, what)| *what != Control::Confirm || !names.asks_a_field()) {
            return None;
        }
        match found.into_iter().find(|(len, _)| *len == longest && *len > 0) {
            Some((_, Some(token))) => tokens.push(token),
            Some((_, None)) => match name.and_then(|name| name.of(before)) {
                Some(path) if before == Some(&Token::Name(path.clone())) => {}
                Some(_) if narrow && !denied && only_denies(&tokens) => return None,
                Some(path) => {
                    denied = false;
                    tokens.push(Token::Name(path));
                }
                None => return None,
            },
            None if mark > 0 => {}
            None => {
                let join = reader.len(|lang| &lang.sentence.join, no, end) > 0;
                let alone = matches!(tokens.as_slice(), [Token::Says(_)]);
                let negation = negates(no);
                let turns = negation.max(reader.len(|lang| &lang.yes_no.unsure, no, end));
                // "Yes and the rest no" answers what was asked.
                let then = no + reader.len(|lang| &lang.sentence.join, no, end);
                if join && alone && names_rest(then) {
                    tokens.extend(names.asked().map(Token::Name));
                    no = then;
                    continue;
                }
                // "Yes and parking" answers what was asked, too.
                if !reader.is_idle(no) || turns > 0 || join && alone {
                    return None;
                }
            }
        }
        no += longest.max(1);
    }
    (!tokens.is_empty()).then_some(tokens)
}

/// Whether tokens deny names, and say nothing else: "no smoking".
fn only_denies(tokens: &[Token]) -> bool {
    let denies = |token: &Token| matches!(token, Token::Says(false) | Token::There(false) | Token::Name(_));
    matches!(tokens.last(), Some(Token::Name(_))) && tokens.iter().all(denies)
}

/// How many words say that something is or is not, before what it is: "it is", "it isn't".
fn stated(reader: &Reader<'_>, words: Range<usize>) -> Option<(usize, bool)> {
    const SUBJECT: usize = 2;
    let end = words.end;
    let is = |no: usize| if reader.is_copula(no, end) { reader.len(|lang| &lang.sentence.is, no, end) } else { 0 };
    let not = |no: usize| reader.len(|lang| &lang.yes_no.negation, no, end);
    let contracted = |no: usize| reader.is_idle(no) && reader.said.word(no).contains('\'');
    let except = |no: usize| reader.len(|lang| &lang.option.except, no, end) > 0;
    let names = |no: usize| reader.is_idle(no) && !reader.is_mark(no) && !except(no);
    let subject = |no: &usize| names(*no) && is(*no) == 0 && not(*no) == 0;
    let verb = words.start + words.clone().take(SUBJECT).take_while(subject).count();
    let said = if contracted(words.start) { words.start + 1 } else { verb + is(verb) };
    let len = said + not(said) - words.start;
    let verbal = contracted(words.start) || verb > words.start && said + not(said) > verb && !reader.is_mark(verb);
    verbal.then_some((len, not(said) == 0))
}

/// Whether a clause wants something of the rest that is neither yes nor no, where words are no answer: "fill the rest with
/// 5".
fn leaves_something_else(scene: &Scene<'_>, reader: &Reader<'_>, words: Range<usize>) -> bool {
    let end = words.end;
    let asked = asked_path(scene).and_then(|path| scene.form.field_at(&path));
    let takes_words = asked.is_some_and(|field| matches!(field.kind, Kind::Text(_) | Kind::LongText(_)));
    !takes_words
        && words.clone().any(|no| reader.len(|lang| &lang.control.rest, no, end) > 0)
        && reader.len(|lang| &lang.control.mark, reader.past_filler(words.clone()), end) > 0
}

/// Whether what was asked is answered by yes and no: a yes/no question, or a choice between the two.
pub(super) fn asks_yes_or_no(scene: &Scene<'_>) -> bool {
    let Pending::Field { path, .. } = scene.draft.pending else { return false };
    Names { scene, mentions: &[] }.value(path, true).is_some()
}

#[cfg(test)]
mod tests;
