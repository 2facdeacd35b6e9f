//! Draws problems the way a compiler does.

use std::fmt::Write as _;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};

use super::{Problem, Severity};

/// How problems are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// One line a problem: `file:line:column: error[code]: message (help)`.
    Line,
    /// With the lines of the file, without colours.
    Drawn,
    /// With the lines of the file, in colours.
    Coloured,
}

/// Draws the problems of one file, in the order of the file.
#[must_use]
pub fn render(name: &str, source: &str, problems: &[Problem], look: Look) -> String {
    let mut sorted: Vec<&Problem> = problems.iter().collect();
    sorted.sort_by_key(|problem| problem.spans.first().map_or(0, |(span, _)| span.start));
    let mut out = String::new();
    for problem in sorted {
        match look {
            Look::Line => line(&mut out, name, source, problem),
            Look::Drawn => draw(&mut out, name, source, problem, GraphicalTheme::unicode_nocolor()),
            Look::Coloured => draw(&mut out, name, source, problem, GraphicalTheme::unicode()),
        }
    }
    out
}

fn line(out: &mut String, name: &str, source: &str, problem: &Problem) {
    let start = problem.spans.first().map_or(0, |(span, _)| span.start.min(source.len()));
    let before = source.get(..start).unwrap_or_default();
    let row = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let kind = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let help = problem.help.as_deref().map_or_else(String::new, |help| format!(" ({help})"));
    let _ = writeln!(out, "{name}:{row}:{column}: {kind}[{}]: {}{help}", problem.code, problem.message);
}

/// Longest line of a file, in bytes, that is drawn.
const MAX_LINE: usize = 400;

/// Whether the lines that would be drawn can be: there are some, and they are not too long to look at.
fn can_draw(source: &str, problem: &Problem) -> bool {
    let short = |(span, _): &(std::ops::Range<usize>, String)| {
        let at = |place: usize| source.as_bytes().iter().take(place).filter(|byte| **byte == b'\n').count();
        let (first, last) = (at(span.start), at(span.end));
        let near = source.lines().skip(first.saturating_sub(1)).take(last - first.min(last) + 3);
        near.into_iter().all(|line| line.len() <= MAX_LINE)
    };
    !source.is_empty() && problem.spans.iter().all(short)
}

fn draw(out: &mut String, name: &str, source: &str, problem: &Problem, theme: GraphicalTheme) {
    if !out.is_empty() {
        out.push('\n');
    }
    if !can_draw(source, problem) {
        return line(out, name, source, problem);
    }
    let drawn = Drawn { problem, source: NamedSource::new(name, source.to_owned()), len: source.len() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(110).with_context_lines(1).with_links(false);
    if handler.render_report(out, &drawn).is_err() {
        line(out, name, source, problem);
    }
}

/// A problem with its file, as the drawing library wants it.
struct Drawn<'a> {
    problem: &'a Problem,
    source: NamedSource<String>,
    len: usize,
}

impl Diagnostic for Drawn<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(self.problem.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.problem.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |(span, label): &(std::ops::Range<usize>, String)| {
            let start = span.start.min(self.len);
            let len = span.end.min(self.len).saturating_sub(start);
            LabeledSpan::new((!label.is_empty()).then(|| label.clone()), start, len)
        };
        Some(Box::new(self.problem.spans.iter().map(label)))
    }
}

impl std::fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::fmt::Debug for Drawn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Drawn<'_> {}
