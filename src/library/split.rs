//! A document by its passages: paragraphs under their headings, lists and tables whole.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::words::words;
use formwright_form::context::Document;

/// Longest passage in characters, where a paragraph, list or table is not longer by itself.
const LONGEST: usize = 600;

/// A passage of a document.
#[derive(Debug, PartialEq)]
pub(super) struct Part {
    /// The name of the document, where it has one, then the headings above it, the nearest last.
    pub(super) headings: Vec<String>,
    /// How many of them are no heading of its own text, but the document's name.
    pub(super) names: usize,
    /// Its words, without marks, as they can be read aloud. Items and rows are lines of their own.
    pub(super) text: String,
    /// The languages of the document; none serves all.
    pub(super) langs: Vec<String>,
}

impl Part {
    /// The words of each heading below the document's name.
    pub(super) fn below(&self) -> impl Iterator<Item = Vec<String>> {
        self.headings().map(|heading| words(heading))
    }

    /// The headings below the document's name, the nearest last.
    pub(super) fn headings(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.headings.iter().skip(self.names)
    }
}

/// Splits a document.
pub(super) fn split(document: &Document) -> Vec<Part> {
    let plain = document
        .file
        .as_deref()
        .and_then(|file| file.rsplit_once('.'))
        .is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("txt"));
    let sections = if plain { of_text(&document.text) } else { of_markdown(&document.text) };
    // A heading above all others names the document, where nothing else does. One that has none below it is about its text.
    let mut tops =
        sections.iter().filter(|section| section.headings.len() == 1).map(|section| section.headings.clone());
    let over_all = |_: &Vec<String>| sections.iter().any(|section| section.headings.len() > 1);
    let top = tops.next();
    let titled = |top: &Vec<String>| {
        document.title.as_ref().is_some_and(|title| top.first().is_some_and(|top| words(title) == words(top)))
    };
    let first = top.clone().filter(|top| titled(top) || over_all(top)).filter(|_| tops.next().is_none());
    let own = |heading: &[String]| first.as_deref().is_some_and(|first| first.first() == heading.first());
    let name = document.title.clone().or_else(|| first.clone()?.pop()).or_else(|| document.name());
    let mut parts = Vec::new();
    for section in &sections {
        let mut headings: Vec<String> = name.iter().cloned().collect();
        if headings.is_empty() && section.headings.is_empty() {
            headings.extend(top.iter().flatten().cloned());
        }
        let names = headings.len();
        let above = usize::from(own(&section.headings));
        headings.extend(section.headings.iter().skip(above).cloned());
        for text in joined(section.blocks.clone()) {
            parts.push(Part { headings: headings.clone(), names, text, langs: document.langs.clone() });
        }
    }
    parts
}

/// What stands below a heading.
#[derive(Debug, Default)]
struct Section {
    /// The headings above, the first one of the document among them.
    headings: Vec<String>,
    blocks: Vec<String>,
}

/// Puts short blocks of a section together. What a list or table is of stands in the block before it.
fn joined(blocks: Vec<String>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for block in blocks {
        let length = block.chars().count();
        match texts.last_mut() {
            Some(before) if before.ends_with(':') || before.chars().count() + length <= LONGEST => {
                before.push('\n');
                before.push_str(&block);
            }
            _ => texts.push(block),
        }
    }
    texts
}

fn of_text(text: &str) -> Vec<Section> {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        match blocks.last_mut() {
            Some(block) if !line.is_empty() && !block.is_empty() => {
                block.push(' ');
                block.push_str(line);
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks.retain(|block| !block.is_empty());
    vec![Section { headings: Vec::new(), blocks }]
}

fn of_markdown(text: &str) -> Vec<Section> {
    let mut reader = Reader { sections: vec![Section::default()], ..Reader::default() };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS) {
        reader.take(event);
    }
    reader.end_block();
    reader.sections
}

#[derive(Default)]
struct Reader {
    sections: Vec<Section>,
    /// The headings above, each with its level.
    above: Vec<(HeadingLevel, String)>,
    /// What is being read.
    text: String,
    /// How deep in lists it stands.
    depth: usize,
    /// The numbers of ordered lists around, the innermost last.
    numbers: Vec<Option<u64>>,
    /// The cells of the table's head, and of the row that is being read.
    head: Vec<String>,
    row: Vec<String>,
    /// The rows of the table that were read.
    rows: Vec<String>,
    /// Whether what is read belongs to nothing that is quoted.
    silent: bool,
    link: Option<String>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) if !self.silent => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak if !self.silent => self.text.push(' '),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => self.end_block(),
            Tag::List(first) => {
                if self.depth == 0 {
                    self.end_block();
                }
                self.depth += 1;
                self.numbers.push(first);
            }
            Tag::Item => {
                self.new_line();
                if let Some(Some(no)) = self.numbers.last_mut() {
                    self.text.push_str(&format!("{no}. "));
                    *no += 1;
                }
            }
            Tag::Table(_) => self.end_block(),
            Tag::Link { dest_url, .. } if dest_url.starts_with("http") => self.link = Some(dest_url.to_string()),
            Tag::HtmlBlock | Tag::MetadataBlock(_) => self.silent = true,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let title = std::mem::take(&mut self.text).trim().to_owned();
                self.above.retain(|(other, _)| *other < level);
                self.above.push((level, title));
                let headings = self.above.iter().map(|(_, title)| title.clone()).collect();
                self.sections.push(Section { headings, blocks: Vec::new() });
            }
            TagEnd::List(_) => {
                self.depth = self.depth.saturating_sub(1);
                self.numbers.pop();
                if self.depth == 0 {
                    self.end_block();
                }
            }
            TagEnd::Paragraph if self.depth == 0 => self.end_block(),
            TagEnd::Paragraph => self.text.push(' '),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                self.row.push(cell.trim().to_owned());
            }
            TagEnd::TableHead => self.head = std::mem::take(&mut self.row),
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.rows.push(spelt_out(&self.head, &row));
            }
            TagEnd::Table => {
                self.text = std::mem::take(&mut self.rows).join("\n");
                self.end_block();
            }
            TagEnd::CodeBlock => self.end_block(),
            TagEnd::Link => {
                if let Some(link) = self.link.take().filter(|link| !self.text.ends_with(link.as_str())) {
                    self.text.push_str(&format!(" ({link})"));
                }
            }
            TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => self.silent = false,
            _ => {}
        }
    }

    fn new_line(&mut self) {
        self.text.truncate(self.text.trim_end().len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn end_block(&mut self) {
        let text = std::mem::take(&mut self.text);
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        if let Some(section) = self.sections.last_mut().filter(|_| !text.is_empty()) {
            section.blocks.push(text);
        }
    }
}

/// A row as it is read aloud: what it is of, then each cell with what stands above it.
fn spelt_out(head: &[String], row: &[String]) -> String {
    let Some((of, cells)) = row.split_first() else { return String::new() };
    let cells = head.iter().skip(1).zip(cells).filter(|(_, cell)| !cell.is_empty());
    let named =
        |(name, cell): (&String, &String)| if name.is_empty() { cell.clone() } else { format!("{name}: {cell}") };
    let cells: Vec<String> = cells.map(named).collect();
    let parts = [of.clone(), cells.join(", ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" — ")
}
