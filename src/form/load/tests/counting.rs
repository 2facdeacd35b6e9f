//! Counts what of a document is in the form, and what is told as lost: nothing may be neither.

use std::collections::BTreeSet;

use crate::{Source, Syntax, Target, convert};

/// The lines that `line 3` and `lines 3-7` name.
fn lines(at: &str) -> std::ops::RangeInclusive<usize> {
    let numbers = at.split(' ').nth(1).unwrap();
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    first.parse().unwrap()..=last.parse().unwrap()
}

/// The words and numbers of a document, such as `t1001x` and `1004`, that neither the form nor what is told as lost accounts for.
pub(crate) fn unaccounted(text: &str, from: Source) -> Result<Vec<String>, String> {
    let written =
        convert(text, from, Target::Form(Syntax::Toml), "form").map_err(|problems| format!("{problems:?}"))?;
    let form = String::from_utf8(written.bytes).unwrap();
    let form: String = form.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let told: BTreeSet<usize> = written.lost.iter().flat_map(|lost| &lost.at).flat_map(|at| lines(at)).collect();
    let mut out = Vec::new();
    for (no, line) in (1..).zip(text.lines()) {
        for word in line.split(|c: char| !c.is_ascii_alphanumeric()) {
            let is_word = word.starts_with('t') && word.ends_with('x') && word.len() > 2;
            let number = word.parse::<u32>().ok().filter(|number| *number >= 1000);
            // Next to a number that is left out stands the last one.
            let said = form.contains(word)
                || written.lost.iter().any(|lost| lost.what.contains(word))
                || number.is_some_and(|number| form.contains(&(number - 1).to_string()));
            if (is_word || number.is_some()) && !said && !told.contains(&no) {
                out.push(format!("line {no}: {word}"));
            }
        }
    }
    Ok(out)
}
