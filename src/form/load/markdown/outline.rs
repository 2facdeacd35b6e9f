//! A Markdown document as headings with what stands below each: tables, paragraphs, items and code. Quotes, images and HTML
//! are comments, but for `<br>`, which begins a new line in a cell.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A heading and what stands below it, up to the next heading of any level.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// 1 for the title; 0 for what stands before the first heading.
    pub(super) level: u8,
    /// The heading.
    pub(super) title: Cell,
    /// What stands below.
    pub(super) blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Debug)]
pub(super) enum Block {
    /// A table.
    Table(Table),
    /// A paragraph.
    Prose(Cell),
    /// The items of a list, those of lists in it among them.
    Items(Vec<Cell>),
    /// A block of code, with the word behind its fence.
    Code {
        /// `json`, in small letters.
        info: String,
        /// What is in it.
        text: Cell,
    },
}

/// A table: its head, and rows of as many cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Names of the columns.
    pub(super) head: Vec<Cell>,
    /// Rows.
    pub(super) rows: Vec<Vec<Cell>>,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

/// Words of a cell, a heading, a paragraph or an item, without their marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// Its lines: a cell has several where `<br>` parts them. Never empty ones at the ends.
    pub(super) lines: Vec<(String, Range<usize>)>,
    /// The pieces of code in it.
    pub(super) codes: Vec<(String, Range<usize>)>,
    /// Whether there is anything beside code.
    pub(super) wordy: bool,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

impl Cell {
    /// Words as a cell of their own.
    pub(super) fn of(text: &str, span: Range<usize>) -> Self {
        Self { lines: vec![(text.to_owned(), span.clone())], codes: Vec::new(), wordy: true, span }
    }

    /// All its lines, joined by new lines.
    pub(super) fn text(&self) -> String {
        self.lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// Whether there is nothing in it; a dash alone is nothing, where it is not code.
    pub(super) fn is_empty(&self) -> bool {
        self.codes.is_empty() && matches!(self.text().as_str(), "" | "-" | "–" | "—")
    }

    /// The code, where it is nothing but one piece of code.
    pub(super) fn code(&self) -> Option<&(String, Range<usize>)> {
        match self.codes.as_slice() {
            [only] if !self.wordy => Some(only),
            _ => None,
        }
    }

    fn add(&mut self, words: &str, span: &Range<usize>) {
        match self.lines.last_mut() {
            Some((line, at)) => {
                if line.is_empty() {
                    at.start = span.start;
                }
                line.push_str(words);
                at.end = span.end;
            }
            None => self.lines.push((words.to_owned(), span.clone())),
        }
    }

    fn words(&mut self, words: &str, span: &Range<usize>) {
        self.wordy |= !words.trim().is_empty();
        self.add(words, span);
    }

    fn code_piece(&mut self, code: &str, span: &Range<usize>) {
        self.codes.push((code.to_owned(), span.clone()));
        self.add(code, span);
    }

    fn new_line(&mut self, at: usize) {
        self.lines.push((String::new(), at..at));
    }
}

/// Outlines a document. `from` is where it begins in the file: spans are the file's.
pub(super) fn outline(text: &str, from: usize) -> Vec<Section> {
    let mut reading = Reading { sections: vec![Section::default()], ..Reading::default() };
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        reading.take(event, span.start + from..span.end + from);
    }
    reading.sections
}

/// What is open while the document is read.
#[derive(Default)]
struct Reading {
    sections: Vec<Section>,
    /// Quotes and other parts that are passed over.
    quiet: usize,
    /// The words that come next belong to it.
    open: Option<Cell>,
    /// Lists in lists.
    lists: usize,
    items: Vec<Cell>,
    table: Table,
    row: Vec<Cell>,
    code: Option<String>,
}

impl Reading {
    #[expect(clippy::wildcard_enum_match_arm, reason = "marks inside words, and parts that are comments")]
    fn take(&mut self, event: Event<'_>, span: Range<usize>) {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::Image { .. } | Tag::HtmlBlock) => self.quiet += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Image | TagEnd::HtmlBlock) => {
                self.quiet = self.quiet.saturating_sub(1);
            }
            _ if self.quiet > 0 => {}
            Event::Start(tag) => self.start(tag, span),
            Event::End(end) => self.end(end),
            Event::Text(words) => self.cell(&span).words(&words, &span),
            Event::Code(code) => self.cell(&span).code_piece(&code, &span),
            Event::SoftBreak => self.cell(&span).add(" ", &span),
            Event::HardBreak => self.cell(&span).new_line(span.end),
            Event::InlineHtml(tag) if is_break(&tag) => self.cell(&span).new_line(span.end),
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "marks inside words say nothing")]
    fn start(&mut self, tag: Tag<'_>, span: Range<usize>) {
        match tag {
            Tag::Heading { .. } | Tag::TableCell => self.open = Some(Cell { span, ..Cell::default() }),
            Tag::Paragraph if self.open.is_none() => self.open = Some(Cell { span, ..Cell::default() }),
            Tag::Paragraph => self.cell(&span).add(" ", &(span.start..span.start)),
            Tag::List(_) => {
                self.items.extend(self.open.take());
                self.lists += 1;
            }
            Tag::Item => self.open = Some(Cell { span, ..Cell::default() }),
            Tag::CodeBlock(kind) => {
                self.items.extend(self.open.take().filter(|_| self.lists > 0));
                self.code = Some(match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split_whitespace().next().unwrap_or_default().to_ascii_lowercase()
                    }
                    CodeBlockKind::Indented => String::new(),
                });
                self.open = Some(Cell { span, ..Cell::default() });
            }
            Tag::Table(_) => self.table = Table { span, ..Table::default() },
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "marks inside words say nothing")]
    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(level) => {
                let title = self.open.take().unwrap_or_default();
                self.sections.push(Section { level: level as u8, title, blocks: Vec::new() });
            }
            TagEnd::Paragraph if self.lists == 0 => {
                let prose = self.open.take().unwrap_or_default();
                self.push(Block::Prose(prose));
            }
            TagEnd::Item => self.items.extend(self.open.take()),
            TagEnd::List(_) => {
                self.lists = self.lists.saturating_sub(1);
                if self.lists == 0 {
                    let items = std::mem::take(&mut self.items);
                    self.push(Block::Items(items.into_iter().filter(|item| !item.is_empty()).collect()));
                }
            }
            TagEnd::CodeBlock => {
                let (info, text) = (self.code.take().unwrap_or_default(), self.open.take().unwrap_or_default());
                self.push(Block::Code { info, text });
            }
            TagEnd::TableCell => self.row.extend(self.open.take()),
            TagEnd::TableHead => self.table.head = std::mem::take(&mut self.row),
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.table.rows.push(row);
            }
            TagEnd::Table => {
                let table = std::mem::take(&mut self.table);
                self.push(Block::Table(table));
            }
            _ => {}
        }
    }

    /// What is open; words that stand in nothing open a cell.
    fn cell(&mut self, span: &Range<usize>) -> &mut Cell {
        self.open.get_or_insert_with(|| Cell { span: span.clone(), ..Cell::default() })
    }

    fn push(&mut self, block: Block) {
        if let Some(section) = self.sections.last_mut() {
            section.blocks.push(block);
        }
    }
}

fn is_break(tag: &str) -> bool {
    let name = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/').trim();
    name.eq_ignore_ascii_case("br")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn told(text: &str) -> String {
        let words = |cell: &Cell| format!("{}{:?}", if cell.code().is_some() { "code " } else { "" }, cell.text());
        let mut out = String::new();
        for section in outline(text, 0) {
            let _ = writeln!(out, "{} {}", section.level, words(&section.title));
            for block in &section.blocks {
                let cells = |cells: &[Cell]| cells.iter().map(words).collect::<Vec<_>>().join(" | ");
                let _ = match block {
                    Block::Table(table) => {
                        let rows: Vec<String> = table.rows.iter().map(|row| cells(row)).collect();
                        writeln!(out, "  table {} || {}", cells(&table.head), rows.join(" || "))
                    }
                    Block::Prose(cell) => writeln!(out, "  prose {}", words(cell)),
                    Block::Items(items) => writeln!(out, "  items {}", cells(items)),
                    Block::Code { info, text } => writeln!(out, "  {info} {}", words(text)),
                };
            }
        }
        out
    }

    #[test]
    fn a_document_is_headings_with_what_stands_below() {
        let text = "before\n\n# Title\n\n> a comment\n\n| Property | Value |\n|---|---|\n| **Field ID** | `a` |\n\n\
                    ## Step 1: *One*\n\nSome **bold**\nwords. <!-- hidden -->\n\n<!-- a\ncomment -->\n\n1. first\n   - inner `x`\n2. second\n\n```JSON\n[1,\n 2]\n```\n";
        insta::assert_snapshot!(told(text), @r#"
        0 ""
          prose "before"
        1 "Title"
          table "Property" | "Value" || "Field ID" | code "a"
        2 "Step 1: One"
          prose "Some bold words."
          items "first" | "inner x" | "second"
          json "[1,\n 2]"
        "#);
    }

    #[rstest::rstest]
    #[case(r"`a \|\| b`", "a || b", true)]
    #[case(r"a \| b", "a | b", false)]
    #[case("`a` and `b`", "a and b", false)]
    #[case("one<br>two<br/>three", "one\ntwo\nthree", false)]
    #[case(r"\*not bold\* \<br\> &amp; {{ name }}", "*not bold* <br> & {{ name }}", false)]
    #[case("snake_case_name", "snake_case_name", false)]
    #[case("—", "—", false)]
    fn a_cell_is_its_words(#[case] written: &str, #[case] words: &str, #[case] code: bool) {
        let text = format!("| a |\n|---|\n| {written} |\n");
        let sections = outline(&text, 0);
        let [Block::Table(table)] = sections[0].blocks.as_slice() else { panic!("{sections:?}") };
        let cell = &table.rows[0][0];
        assert_eq!(cell.text(), words);
        assert_eq!(cell.code().is_some(), code);
        assert_eq!(&text[cell.span.clone()].trim(), &written);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let head = "---\nid: a\n---\n";
        let text = "# T\n\n| a |\n|---|\n| one<br>two `x` |\n";
        let whole = format!("{head}{text}");
        let sections = outline(text, head.len());
        let [Block::Table(table)] = sections[1].blocks.as_slice() else { panic!("{sections:?}") };
        let cell = &table.rows[0][0];
        let lines: Vec<&str> = cell.lines.iter().map(|(_, span)| &whole[span.clone()]).collect();
        assert_eq!(lines, ["one", "two `x`"]);
        assert_eq!(&whole[cell.codes[0].1.clone()], "`x`");
        assert_eq!(&whole[sections[1].title.span.clone()].trim(), &"# T");
    }
}
