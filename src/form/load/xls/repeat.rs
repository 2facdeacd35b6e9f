//! How often a repeat is asked, and the sentences that a form needs and a workbook has none for.

use super::columns::{entry, list, table, words};
use super::expression::to_cel::Place;
use super::expression::{to_cel, xpath};
use super::known::Holds;
use super::read::Branch;
use super::row::Survey;
use crate::node::{Data, Entry, Node};

/// Said where a constraint does not hold and the workbook has no words for it.
pub(super) const REFUSED: &[(&str, &str)] = &[
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
    pub(super) fn said(&self, sentence: &[(&str, &str)], span: &std::ops::Range<usize>, what: &str) -> Node {
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
}
