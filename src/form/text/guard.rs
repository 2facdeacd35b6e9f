//! Which templates are taken: few tags, few filters, no arithmetic. What cannot be written cannot run away.
//!
//! minijinja's fuel counts instructions, not bytes: `{% set x = x ~ x %}` sixty times, or `'x' * 100000000`, would cost
//! few of them. So texts have neither `set` nor operators that build values.

use std::collections::BTreeSet;
use std::ops::Range;

use super::template;
use crate::logic::{Fault, FaultKind, nearest};

/// Greatest length of a text with a template in it, in bytes.
pub const MAX_TEMPLATE: usize = 4096;
/// Greatest depth of brackets in a tag, and of blocks.
const MAX_DEPTH: usize = 16;

/// Filters of templates, with what they do.
pub const FILTERS: &[(&str, &str)] = &[
    ("upper", "in capital letters"),
    ("lower", "in small letters"),
    ("capitalize", "with a capital first letter"),
    ("trim", "without white space around"),
    ("default", "what to show for a missing answer: `{{ note | default('none') }}`"),
    ("length", "number of items or characters"),
    ("first", "the first item"),
    ("last", "the last item"),
    ("join", "the items with this between: `{{ toppings | join(', ') }}`"),
];

const TAGS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];
const TESTS: [&str; 2] = ["defined", "undefined"];

/// Everything wrong with a text. `names` are the variables there will be.
pub(super) fn check(text: &str, names: &[&str]) -> Vec<Fault> {
    if !text.contains('{') {
        return Vec::new();
    }
    if let Err(fault) = admit(text) {
        return vec![fault];
    }
    if let Some(fault) = template::syntax(text) {
        return vec![fault];
    }
    let known = |name: &String| name == "loop" || names.contains(&name.as_str());
    let unknown = template::variables(text).into_iter().filter(|name| !known(name));
    unknown
        .map(|name| {
            let message = format!("there is no field `{name}` to show here");
            Fault::new(FaultKind::UnknownName, message, place_of(text, &name))
                .did_you_mean(&name, names.iter().copied())
        })
        .collect()
}

/// Where a name stands in a tag.
fn place_of(text: &str, name: &str) -> Range<usize> {
    for tag in tags(text).filter_map(Result::ok) {
        let inner = text.get(tag.inner.clone()).unwrap_or("");
        let found = words(inner).find(|word| inner.get(word.clone()) == Some(name));
        if let Some(word) = found {
            return tag.inner.start + word.start..tag.inner.start + word.end;
        }
    }
    0..0
}

/// Whether a text holds nothing but what templates may.
///
/// # Errors
/// The first thing it may not hold.
pub(super) fn admit(text: &str) -> Result<(), Fault> {
    if text.len() > MAX_TEMPLATE {
        let message = format!("a text with `{{` in it may have {MAX_TEMPLATE} bytes");
        return Err(Fault::new(FaultKind::TooLarge, message, 0..0));
    }
    let mut blocks = 0_usize;
    for tag in tags(text) {
        let tag = tag?;
        let inner = text.get(tag.inner.clone()).unwrap_or("");
        match tag.kind {
            TagKind::Comment => continue,
            TagKind::Show => {}
            TagKind::Block => {
                let name = words(inner).next().unwrap_or(0..0);
                let at = tag.inner.start + name.start..tag.inner.start + name.end;
                let name = inner.get(name).unwrap_or("");
                if !TAGS.contains(&name) {
                    let fault = Fault::new(FaultKind::Unsupported, format!("texts have no `{{% {name} %}}`"), at);
                    return Err(fault.help("they have if, elif, else, endif, for and endfor"));
                }
                if matches!(name, "if" | "for") {
                    blocks += 1;
                }
                if blocks > 4 * MAX_DEPTH {
                    return Err(Fault::new(FaultKind::TooLarge, "too many blocks in one text", at));
                }
            }
        }
        admit_inner(inner, tag.inner.start)?;
    }
    Ok(())
}

fn admit_inner(inner: &str, start: usize) -> Result<(), Fault> {
    let mut depth = 0_usize;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        if let Some(end) = quote {
            if !escaped && c == end {
                quote = None;
            }
            escaped = !escaped && c == '\\';
            continue;
        }
        let span = start + at..start + at + c.len_utf8();
        match c {
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '*' | '+' | '~' | '%' | '/' => {
                let fault = Fault::new(FaultKind::Unsupported, format!("texts do not calculate with `{c}`"), span);
                return Err(fault.help("use a computed field, and show that"));
            }
            '|' => admit_word(inner, at, start, &filter_names(), "filter")?,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(Fault::new(FaultKind::TooLarge, "brackets are nested too deeply", span));
        }
    }
    for word in words(inner).filter(|word| inner.get(word.clone()) == Some("is")) {
        let rest = inner.get(word.end..).unwrap_or("").trim_start();
        let at = if rest.starts_with("not ") { inner.len() - rest.len() + 3 } else { word.end - 1 };
        admit_word(inner, at, start, &TESTS, "test")?;
    }
    Ok(())
}

fn filter_names() -> Vec<&'static str> {
    FILTERS.iter().map(|(name, _)| *name).collect()
}

/// Whether the word after `at` is one of `known`.
fn admit_word(inner: &str, at: usize, start: usize, known: &[&str], what: &str) -> Result<(), Fault> {
    let rest = inner.get(at + 1..).unwrap_or("");
    let word = words(rest).next().unwrap_or(0..0);
    let name = rest.get(word.clone()).unwrap_or("");
    if known.contains(&name) {
        return Ok(());
    }
    let span = start + at + 1 + word.start..start + at + 1 + word.end;
    let fault = Fault::new(FaultKind::UnknownName, format!("texts have no {what} `{name}`"), span);
    Err(match nearest(name, known.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help(format!("they have {}", known.join(", "))),
    })
}

/// Every word of the tags that may name a variable: more than those that do, and none is missing.
pub(super) fn names(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for tag in tags(text).map_while(Result::ok).filter(|tag| tag.kind != TagKind::Comment) {
        let inner = text.get(tag.inner).unwrap_or("");
        let is_member =
            |word: &Range<usize>| inner.get(..word.start).is_some_and(|before| before.trim_end().ends_with('.'));
        names.extend(words(inner).filter(|word| !is_member(word)).filter_map(|word| inner.get(word)));
    }
    names
}

/// A text with its tags left out: what is shown where its template cannot run. Values show as missing.
pub(super) fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut from = 0;
    for tag in tags(text).map_while(Result::ok) {
        // The brackets stand two bytes before and after what is inside, or three with a trimming mark.
        let open =
            text.get(..tag.inner.start).and_then(|before| before.rfind('{')).map_or(0, |at| at.saturating_sub(1));
        let open = if tag.kind == TagKind::Show { open } else { open + 1 };
        plain.push_str(text.get(from..open).unwrap_or(""));
        if tag.kind == TagKind::Show {
            plain.push_str(super::MISSING);
        }
        from =
            text.get(tag.inner.end..).and_then(|after| after.find('}')).map_or(text.len(), |at| tag.inner.end + at + 1);
        if tag.kind == TagKind::Show {
            from += 1;
        }
    }
    plain.push_str(text.get(from..).unwrap_or(""));
    plain
}

/// Words (letters, digits, underscores) outside quotes.
fn words(inner: &str) -> impl Iterator<Item = Range<usize>> {
    let mut found = Vec::new();
    let mut quote: Option<char> = None;
    let mut begun: Option<usize> = None;
    let mut escaped = false;
    for (at, c) in inner.char_indices().chain([(inner.len(), ' ')]) {
        if let Some(end) = quote {
            if !escaped && c == end {
                quote = None;
            }
            escaped = !escaped && c == '\\';
            continue;
        }
        if c.is_alphanumeric() || c == '_' {
            begun.get_or_insert(at);
            continue;
        }
        found.extend(begun.take().map(|from| from..at));
        if matches!(c, '\'' | '"') {
            quote = Some(c);
        }
    }
    found.into_iter()
}

struct Tag {
    kind: TagKind,
    inner: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagKind {
    Show,
    Block,
    Comment,
}

/// The tags of a text in order; a tag that does not end is a fault.
fn tags(text: &str) -> impl Iterator<Item = Result<Tag, Fault>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = text.get(from..)?;
        let (open, kind) = rest.match_indices('{').find_map(|(at, _)| {
            let kind = match rest.as_bytes().get(at + 1)? {
                b'{' => TagKind::Show,
                b'%' => TagKind::Block,
                b'#' => TagKind::Comment,
                _ => return None,
            };
            Some((from + at, kind))
        })?;
        let start = open + 2;
        let close = match kind {
            TagKind::Show => "}}",
            TagKind::Block => "%}",
            TagKind::Comment => "#}",
        };
        let Some(end) = close_of(text, start, close, kind) else {
            from = text.len();
            let fault = Fault::new(FaultKind::Syntax, format!("this is not closed by `{close}`"), open..start);
            return Some(Err(fault));
        };
        from = end + 2;
        // The marks that trim white space belong to the brackets.
        let inner = text.get(start..end).unwrap_or("");
        let front = inner.len() - inner.trim_start_matches(['-', '+']).len();
        let front = front.min(1);
        let back = usize::from(inner.len() > front && inner.ends_with(['-', '+']));
        Some(Ok(Tag { kind, inner: start + front..end - back }))
    })
}

/// Where a tag ends: its closing mark outside quotes and inner brackets.
fn close_of(text: &str, start: usize, close: &str, kind: TagKind) -> Option<usize> {
    let rest = text.get(start..)?;
    if kind == TagKind::Comment {
        return rest.find(close).map(|at| start + at);
    }
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut braces = 0_usize;
    for (at, c) in rest.char_indices() {
        if let Some(end) = quote {
            if !escaped && c == end {
                quote = None;
            }
            escaped = !escaped && c == '\\';
        } else if braces == 0 && rest.get(at..).is_some_and(|rest| rest.starts_with(close)) {
            return Some(start + at);
        } else {
            match c {
                '\'' | '"' => quote = Some(c),
                '{' => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
    }
    None
}
