//! What answers must be: how many entries a repeat has, scales, constraints, and constraints that are nothing but bounds:
//! `. >= 1 and . <= 10`, `string-length(.) <= 200`.

use std::ops::Range;

use super::columns::{entry, list, table, words};
use super::expression::to_cel::Place;
use super::expression::xpath::{Expr, Op, parse};
use super::expression::{to_cel, xpath};
use super::known::Holds;
use super::read::{Branch, texts};
use super::row::Survey;
use crate::node::{Data, Entry, Node};

/// Said where a constraint does not hold and the workbook has no words for it.
const REFUSED: &[(&str, &str)] = &[
    ("en", "This answer is not accepted."),
    ("ar", "هذه الإجابة غير مقبولة."),
    ("de", "Diese Antwort ist nicht zulässig."),
    ("es", "Esta respuesta no es válida."),
    ("fr", "Cette réponse n’est pas acceptée."),
    ("it", "Questa risposta non è ammessa."),
];

/// Said where a repeat has another number of entries than an answer asks for.
const COUNT: &[(&str, &str)] = &[
    ("en", "Exactly {} entries are needed here."),
    ("ar", "المطلوب هنا هو {} من العناصر بالضبط."),
    ("de", "Hier sind genau {} Einträge nötig."),
    ("es", "Aquí hacen falta exactamente {} entradas."),
    ("fr", "Il faut ici exactement {} entrées."),
    ("it", "Qui servono esattamente {} voci."),
];

impl Survey<'_> {
    /// A sentence in those of the form's languages that it is known in, else in English.
    fn said(&self, sentence: &[(&str, &str)], span: &std::ops::Range<usize>, what: &str) -> Node {
        let known = |lang: &String| sentence.iter().find(|(tag, _)| lang.split('-').next() == Some(*tag));
        let put = |text: &str| words(text.replace("{}", what), span);
        let english = sentence.first().map_or("", |(_, text)| *text);
        let mut found = self.langs.iter().filter_map(|lang| Some((lang, known(lang)?.1)));
        match (self.langs, found.clone().count()) {
            ([_], _) | (_, 0 | 1) => put(found.next().map_or(english, |(_, text)| text)),
            _ => table(found.map(|(lang, text)| entry(lang, put(text))).collect(), span),
        }
    }

    /// How many entries a repeat has: so many, or as many as an earlier answer says.
    pub(super) fn repeated(&self, branch: &Branch<'_>, at: &[String], keys: &mut Vec<Entry>) {
        let Some(count) = self.cell(branch, "repeat_count").filter(|_| branch.sort == "repeat") else { return };
        if count.text.parse::<u32>().is_ok() {
            let number = Node { span: count.span.clone(), data: Data::Number(count.text.clone()) };
            keys.push(entry("min", number.clone()));
            keys.push(entry("max", number));
            return;
        }
        let place = Place { questions: self.questions, at, holds: Holds::Nothing, columns: &[] };
        let code = to_cel::code(&count.text, place).filter(|_| to_cel::is_number(&count.text, place));
        let Some(code) = code else {
            return self.lose(branch, format!("`repeat_count`: `{}` has no counterpart", count.text), &count.span);
        };
        let plain = matches!(xpath::parse(&count.text), Some(xpath::Expr::Field(_)));
        let (that, shown) = if plain {
            (format!("!answered({code}) || size(value) == {code}"), format!("{{{{ {code} }}}}"))
        } else {
            (format!("size(value) == {code}"), "…".to_owned())
        };
        let otherwise = self.said(COUNT, &count.span, &shown);
        let check = table(vec![entry("that", words(that, &count.span)), entry("else", otherwise)], &count.span);
        keys.push(entry("check", list(vec![check], &count.span)));
    }

    /// The scale of a `range`.
    pub(super) fn range(&self, branch: &Branch<'_>, kind: &'static str, keys: &mut Vec<Entry>) -> &'static str {
        let cell = self.cell(branch, "parameters");
        let said = |name: &str| {
            let all = cell?.text.split([' ', ',', ';']).filter_map(|pair| pair.split_once('='));
            all.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned()).next()
        };
        let (start, end, step) = (said("start"), said("end"), said("step"));
        for part in cell.iter().flat_map(|cell| cell.text.split([' ', ',', ';'])).filter(|part| !part.is_empty()) {
            let known = part.split_once('=').is_some_and(|(key, _)| matches!(key.trim(), "start" | "end" | "step"));
            if !known {
                self.lose(
                    branch,
                    format!("`{part}` in its `parameters`"),
                    &cell.map_or(0..0, |cell| cell.span.clone()),
                );
            }
        }
        let whole = |digits: &Option<String>, or: &str| {
            digits.as_deref().unwrap_or(or).parse::<u32>().is_ok_and(|number| number <= 100)
        };
        let wholly = whole(&start, "1") && whole(&end, "10") && whole(&step, "1");
        if let Some(step) = step.filter(|step| step != "1" && step != "0.1") {
            self.lose(branch, format!("steps of {step}"), &cell.map_or(0..0, |cell| cell.span.clone()));
        }
        let span = cell.map_or_else(|| branch.row.span.clone(), |cell| cell.span.clone());
        let number = |digits: String| Node { span: span.clone(), data: Data::Number(digits) };
        let kind = if kind == "rating" && !wholly {
            "number"
        } else if kind == "number" && wholly {
            "integer"
        } else {
            kind
        };
        keys.push(entry("min", number(start.unwrap_or_else(|| "1".to_owned()))));
        keys.push(entry("max", number(end.unwrap_or_else(|| "10".to_owned()))));
        kind
    }

    /// What must hold of an answer.
    pub(super) fn constraint(&self, branch: &Branch<'_>, kind: &str, at: &[String], keys: &mut Vec<Entry>) {
        let Some(cell) = self.cell(branch, "constraint") else { return };
        let message = texts(self, branch, "constraint_message", at);
        if message.is_none() && taken(&cell.text, kind, &cell.span, keys) {
            return;
        }
        let Some(code) = to_cel::condition(&cell.text, self.place(at, Holds::of(kind))) else {
            return self.lose(branch, format!("`constraint`: `{}` has no counterpart", cell.text), &cell.span);
        };
        let otherwise = message.unwrap_or_else(|| self.said(REFUSED, &cell.span, ""));
        let check = table(vec![entry("that", words(code, &cell.span)), entry("else", otherwise)], &cell.span);
        match keys.iter_mut().find(|known| known.key == "check").map(|known| &mut known.node.data) {
            Some(Data::List(checks)) => checks.push(check),
            _ => keys.push(entry("check", list(vec![check], &cell.span))),
        }
    }
}

/// Takes a constraint over as keys of the field; tells whether all of it was.
fn taken(source: &str, kind: &str, span: &Range<usize>, keys: &mut Vec<Entry>) -> bool {
    let Some(expr) = parse(source) else { return false };
    let mut found = Vec::new();
    if !each(&expr, kind, &mut found) || found.is_empty() {
        return false;
    }
    let twice = found.iter().any(|(key, _)| found.iter().filter(|(other, _)| other == key).count() > 1);
    if twice || found.iter().any(|(key, _)| keys.iter().any(|known| known.key == *key)) {
        return false;
    }
    for (key, value) in found {
        let node = match value {
            Bound::Number(digits) => Node { span: span.clone(), data: Data::Number(digits) },
            Bound::Text(text) => words(text, span),
        };
        keys.push(entry(key, node));
    }
    true
}

enum Bound {
    Number(String),
    Text(String),
}

fn each(expr: &Expr, kind: &str, found: &mut Vec<(&'static str, Bound)>) -> bool {
    match expr {
        Expr::Two(Op::And, left, right) => each(left, kind, found) && each(right, kind, found),
        Expr::Two(op, left, right) => {
            let bound = one(*op, left, right, kind);
            let some = bound.is_some();
            found.extend(bound);
            some
        }
        _ => false,
    }
}

fn one(op: Op, left: &Expr, right: &Expr, kind: &str) -> Option<(&'static str, Bound)> {
    let least = match op {
        Op::GreaterEqual => true,
        Op::LessEqual => false,
        _ => return None,
    };
    let number = || match right {
        Expr::Number(digits) => Some(Bound::Number(digits.clone())),
        Expr::Minus(inner) => match inner.as_ref() {
            Expr::Number(digits) => Some(Bound::Number(format!("-{digits}"))),
            _ => None,
        },
        _ => None,
    };
    match (left, kind) {
        (Expr::This, "integer" | "number") => Some((if least { "min" } else { "max" }, number()?)),
        (Expr::This, "date") => {
            let day = match right {
                Expr::Call(name, args) if name == "today" && args.is_empty() => "today".to_owned(),
                Expr::Call(name, args) if name == "date" => match args.as_slice() {
                    [Expr::Text(day)] => day.clone(),
                    _ => return None,
                },
                _ => return None,
            };
            Some((if least { "min" } else { "max" }, Bound::Text(day)))
        }
        (Expr::Call(name, args), "text" | "long_text") if name == "string-length" && *args == [Expr::This] => {
            Some((if least { "min_chars" } else { "max_chars" }, number()?))
        }
        (Expr::Call(name, args), "choices") if name == "count-selected" && *args == [Expr::This] => {
            Some((if least { "min" } else { "max" }, number()?))
        }
        _ => None,
    }
}
