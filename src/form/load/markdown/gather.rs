//! Sorts what stands in a document: which tables speak of the form, a step, a field, a tool or the logic. What belongs to
//! none of these is a comment.

use std::ops::Range;

use super::outline::{Block, Cell, Section, Table};
use super::tabled::{bullets, is_properties, is_summary, names, properties, split, summary, tools};
use super::tools::outputs;
use super::words::{self, Meaning};
use crate::keys::FIELD;
use crate::node::{Data, Node};

/// Everything that a document says, in its order.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Of the form: its title, and the table below.
    pub(super) form: Told,
    /// Steps, with their numbers.
    pub(super) pages: Vec<(u32, Told)>,
    /// Steps of the front matter.
    pub(super) front_pages: Vec<Told>,
    /// Fields of the front matter.
    pub(super) front: Vec<Told>,
    /// Fields of the summary table.
    pub(super) summary: Vec<Told>,
    /// Fields that have a heading.
    pub(super) sections: Vec<Told>,
    /// Headings with a table or words below that may belong to a field that is told of elsewhere.
    pub(super) loose: Vec<Told>,
    /// Tools.
    pub(super) tools: Vec<Told>,
    /// Questions with their answers.
    pub(super) faq: Vec<Table>,
    /// Rows and sentences of the logic: what they depend on, where that is told apart, and what follows.
    pub(super) logic: Vec<(Option<Cell>, Cell)>,
    /// Words for a language model.
    pub(super) instructions: Vec<Cell>,
    /// Paragraphs and items below the title and the steps.
    pub(super) prose: Vec<Cell>,
}

/// What is told of a thing in one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Its name.
    pub(super) id: Option<(String, Range<usize>)>,
    /// Its heading.
    pub(super) title: Option<Cell>,
    /// Properties.
    pub(super) said: Vec<Said>,
    /// Words below the heading.
    pub(super) prose: Vec<Cell>,
    /// Other tables, such as of options.
    pub(super) tables: Vec<Table>,
    /// Blocks of code.
    pub(super) code: Vec<(String, Cell)>,
    /// The number of the step that it stands in, counted from 0.
    pub(super) page: Option<usize>,
    /// The group or list that it belongs to, among the sections.
    pub(super) parent: Option<usize>,
    /// Where it stands.
    pub(super) span: Range<usize>,
}

/// A property.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// Its name as written.
    pub(super) name: String,
    /// Where the name stands.
    pub(super) at: Range<usize>,
    /// What is said.
    pub(super) value: Value,
}

/// What is said of a property.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// In a table.
    Cell(Cell),
    /// In the front matter.
    Node(Node),
}

impl Value {
    /// Its words; none where it is a list or table.
    pub(super) fn cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell) => Some(cell.clone()),
            Self::Node(node) => match &node.data {
                Data::Text(text) | Data::Moment(text) | Data::Number(text) => Some(Cell::of(text, node.span.clone())),
                Data::Bool(truth) => Some(Cell::of(if *truth { "true" } else { "false" }, node.span.clone())),
                Data::Null | Data::List(_) | Data::Map(_) => None,
            },
        }
    }
}

impl Told {
    /// The words of the property that means this key.
    pub(super) fn of(&self, key: &str) -> Option<Cell> {
        let said = self.said.iter().find(|said| match words::property(&said.name, &FIELD) {
            Meaning::Key(name, None) => name == key,
            _ => false,
        });
        said.and_then(|said| said.value.cell())
    }

    fn take(&mut self, block: Block) {
        match block {
            Block::Table(table) if is_properties(&table) => self.said.extend(properties(&table)),
            Block::Table(table) => self.tables.push(table),
            Block::Prose(cell) => self.prose.push(cell),
            Block::Items(items) => self.prose.extend(items),
            Block::Code { info, text } => self.code.push((info, text)),
        }
    }
}

/// What the sections below a heading are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Fields,
    Tools,
    Logic,
    Instructions,
    Overview,
    Faq,
}

/// Sorts the sections of a document.
pub(super) fn gather(sections: Vec<Section>) -> Draft {
    let mut draft = Draft::default();
    let mut about = (About::Fields, 0);
    let mut page: Option<(usize, u8)> = None;
    let mut open: Vec<(u8, usize)> = Vec::new();
    for section in sections {
        let heading = section.title.text();
        if page.is_some_and(|(_, level)| section.level <= level) {
            page = None;
        }
        open.retain(|(level, _)| *level < section.level);
        // What has a field's name is a field, whatever it is called.
        let field = section.level > 1 && section.blocks.iter().any(has_field_id);
        if section.level <= about.1 || about.0 == About::Fields {
            about = (if field { About::Fields } else { what(&heading) }, section.level);
        }
        match about.0 {
            _ if section.level <= 1 => draft.of_form(section),
            _ if field => draft.of_field(section, page.map(|(no, _)| no), &mut open),
            About::Tools => draft.of_tools(section, about.1),
            About::Logic => draft.of_logic(section),
            About::Instructions => {
                draft.instructions.extend(section.blocks.into_iter().flat_map(cells));
            }
            About::Overview => draft.overview(section),
            About::Faq => draft.faq.extend(section.blocks.into_iter().filter_map(table)),
            About::Fields => {
                if let Some((number, _)) = words::step(&heading) {
                    draft.pages.push((number, Told::default()));
                    page = Some((draft.pages.len() - 1, section.level));
                    draft.of_step(section, page);
                } else {
                    draft.of_field(section, page.map(|(no, _)| no), &mut open);
                }
            }
        }
    }
    draft
}

/// Whether this is a table of properties with the name of a field.
fn has_field_id(block: &Block) -> bool {
    let Block::Table(table) = block else { return false };
    let names = |row: &Vec<Cell>| row.first().is_some_and(|cell| words::word(&cell.text()) == "field_id");
    is_properties(table) && table.rows.iter().any(names)
}

/// What a heading announces.
fn what(heading: &str) -> About {
    let plain = heading.to_lowercase();
    let plain = plain.trim();
    if plain == "tools" || plain.contains("tool call") {
        About::Tools
    } else if plain.starts_with("conditional logic") || plain == "logic" {
        About::Logic
    } else if plain.ends_with("agent instructions") || plain == "instructions" {
        About::Instructions
    } else if plain == "overview" || plain == "form overview" {
        About::Overview
    } else if matches!(plain, "questions and answers" | "faq" | "frequently asked questions") {
        About::Faq
    } else {
        About::Fields
    }
}

impl Draft {
    fn of_form(&mut self, section: Section) {
        if section.level == 1 && self.form.title.is_none() {
            self.form.span = section.title.span.clone();
            self.form.title = Some(section.title);
        }
        for block in section.blocks {
            match block {
                Block::Table(table) if is_properties(&table) => self.form.said.extend(properties(&table)),
                Block::Table(table) if is_summary(&table) => self.summary.extend(summary(&table, None)),
                block => {
                    self.prose.extend(bullets::taken(block, None, &mut self.summary).map(cells).unwrap_or_default());
                }
            }
        }
    }

    fn of_step(&mut self, section: Section, page: Option<(usize, u8)>) {
        let Some((_, told)) = self.pages.last_mut() else { return };
        told.span = section.title.span.clone();
        told.title = Some(section.title);
        for block in section.blocks {
            match block {
                Block::Table(table) if is_properties(&table) => told.said.extend(properties(&table)),
                Block::Table(table) if is_summary(&table) => {
                    self.summary.extend(summary(&table, page.map(|(no, _)| no)));
                }
                block => {
                    let other = bullets::taken(block, page.map(|(no, _)| no), &mut self.summary);
                    self.prose.extend(other.map(cells).unwrap_or_default());
                }
            }
        }
    }

    fn of_field(&mut self, section: Section, page: Option<usize>, open: &mut Vec<(u8, usize)>) {
        let parent = open.last().map(|(_, no)| *no);
        let span = section.title.span.clone();
        let mut told = Told { title: Some(section.title), page, parent, span, ..Told::default() };
        for block in section.blocks {
            match block {
                Block::Table(table) if is_summary(&table) => self.summary.extend(summary(&table, page)),
                block => {
                    if let Some(other) = bullets::taken(block, page, &mut self.summary) {
                        told.take(other);
                    }
                }
            }
        }
        let ids = told.of("id").map(|cell| names(&cell)).unwrap_or_default();
        if ids.is_empty() {
            // A kind makes it a field, whose lack of a name is told; without one it may belong to a field told of elsewhere.
            if told.of("kind").is_some() {
                self.sections.push(told);
            } else {
                self.loose.push(told);
            }
            return;
        }
        let kinds: Vec<Cell> = told.of("kind").map(|cell| split(&cell, ids.len())).unwrap_or_default();
        let several = ids.len() > 1;
        for (no, id) in ids.into_iter().enumerate() {
            let mut one = Told { id: Some(id), ..told.clone() };
            if several {
                // What is said of both is said of each, but for their names and what the heading calls them together.
                one.said.retain(|said| {
                    let meaning = words::property(&said.name, &FIELD);
                    !matches!(meaning, Meaning::Key("id" | "kind" | "label" | "ask", _))
                });
                one.title = None;
                if let Some(kind) = kinds.get(no) {
                    one.said.push(Said {
                        name: "Type".into(),
                        at: kind.span.clone(),
                        value: Value::Cell(kind.clone()),
                    });
                }
            }
            let holds =
                one.of("kind").is_some_and(|kind| matches!(words::kind(&kind.text()).as_str(), "list" | "group"));
            self.sections.push(one);
            if holds {
                open.push((section.level, self.sections.len() - 1));
            }
        }
    }

    fn of_tools(&mut self, section: Section, level: u8) {
        if section.level > level {
            let span = section.title.span.clone();
            let name = section.title.codes.first().map_or_else(|| section.title.text(), |(code, _)| code.clone());
            let mut told = Told { id: Some((name, span.clone())), span, ..Told::default() };
            section.blocks.into_iter().for_each(|block| told.take(block));
            if !told.said.is_empty() || !told.code.is_empty() || told.tables.iter().any(outputs::is_outputs) {
                self.tools.push(told);
                return;
            }
            self.tools.extend(told.tables.iter().flat_map(tools));
            return;
        }
        self.tools.extend(section.blocks.into_iter().filter_map(table).flat_map(|table| tools(&table)));
    }

    fn of_logic(&mut self, section: Section) {
        for block in section.blocks {
            match block {
                Block::Table(table) => {
                    for row in table.rows {
                        let mut cells = row.into_iter();
                        if let (Some(when), Some(then)) = (cells.next(), cells.next()) {
                            self.logic.push((Some(when), then));
                        }
                    }
                }
                block => self.logic.extend(cells(block).into_iter().map(|cell| (None, cell))),
            }
        }
    }

    /// `- **Purpose**: …` of an overview, as properties of the form.
    fn overview(&mut self, section: Section) {
        for block in section.blocks {
            let Block::Items(items) = block else {
                if let Block::Table(table) = block
                    && is_properties(&table)
                {
                    self.form.said.extend(properties(&table));
                }
                continue;
            };
            for item in items {
                let text = item.text();
                let Some((name, value)) = text.split_once(':') else { continue };
                if matches!(name.trim().to_lowercase().as_str(), "purpose" | "language" | "languages" | "description") {
                    let value = Value::Cell(Cell::of(value.trim(), item.span.clone()));
                    self.form.said.push(Said { name: name.trim().to_owned(), at: item.span.clone(), value });
                }
            }
        }
    }
}

fn table(block: Block) -> Option<Table> {
    match block {
        Block::Table(table) => Some(table),
        Block::Prose(_) | Block::Items(_) | Block::Code { .. } => None,
    }
}

fn cells(block: Block) -> Vec<Cell> {
    match block {
        Block::Prose(cell) => vec![cell],
        Block::Items(items) => items,
        Block::Table(_) | Block::Code { .. } => Vec::new(),
    }
}
