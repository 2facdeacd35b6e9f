//! Workbooks as bytes: `.xlsx` files as spreadsheet programs write them.

use std::io::{Cursor, Read as _};

use calamine::{Data, Reader as _, Xlsx, XlsxError};
use rust_xlsxwriter::{Format, Workbook};

use super::tables::{Grid, text_of};

/// The sheets that an XLSForm has, with how many rows each may have; no other is read.
const SHEETS: [(&str, usize); 3] = [("survey", 12_000), ("choices", 20_000), ("settings", 100)];
/// Most columns of a sheet: one with a cell beyond them is refused.
const MOST_COLUMNS: usize = 200;
/// Most places for cells that the rows of a workbook may have, up to the last cell of each.
const MOST_CELLS: usize = 250_000;
/// Most bytes of text in a workbook, which may name one text in many cells.
const MOST_TEXT: usize = 4 << 20;
/// Most bytes that the parts of a workbook may have once unpacked, beyond those that they have packed.
const UNPACKED: u64 = 12 << 20;
/// Most tags in parts with cells and texts, and in each of the others, of which the reader makes far more than they are long.
const MOST_TAGS: usize = 1_500_000;
const FEW_TAGS: usize = 30_000;

/// A workbook as text.
///
/// # Errors
/// Why the bytes are no workbook that can be read.
pub fn opened(bytes: &[u8]) -> Result<String, String> {
    check_parts(bytes)?;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(no_workbook)?;
    let mut sheets: Vec<(String, Grid)> = Vec::new();
    let mut left = Left { cells: MOST_CELLS, text: MOST_TEXT };
    for name in book.sheet_names() {
        let known = SHEETS.iter().find(|(known, _)| name.trim().eq_ignore_ascii_case(known));
        let grid = match known {
            Some((_, rows)) => {
                grid(&mut book, &name, *rows, &mut left).map_err(|why| format!("its sheet `{name}` {why}"))?
            }
            None => Grid::new(),
        };
        sheets.push((name, grid));
    }
    Ok(text_of(&sheets))
}

fn no_workbook(error: impl std::fmt::Display) -> String {
    format!("it is no workbook (.xlsx): {error}")
}

/// What a workbook may still hold.
struct Left {
    cells: usize,
    text: usize,
}

/// The cells of a sheet, read one by one and counted before there is room made for them.
fn grid(book: &mut Xlsx<Cursor<&[u8]>>, name: &str, most_rows: usize, left: &mut Left) -> Result<Grid, String> {
    let unreadable = |error: XlsxError| format!("cannot be read: {error}");
    let mut cells = match book.worksheet_cells_reader(name) {
        Ok(cells) => cells,
        // A chart has no cells.
        Err(XlsxError::NotAWorksheet(_)) => return Ok(Grid::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut grid = Grid::new();
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let text = written(&Data::from(cell.get_value().clone()));
        if text.is_empty() {
            continue;
        }
        let (row, column) = (cell.get_position().0 as usize, cell.get_position().1 as usize);
        if row >= most_rows || column >= MOST_COLUMNS {
            let at = format!("row {}, column {}", row + 1, column + 1);
            return Err(format!(
                "has something in {at}, and may have {most_rows} rows and {MOST_COLUMNS} columns: delete what lies beyond"
            ));
        }
        left.text = left
            .text
            .checked_sub(text.len())
            .ok_or_else(|| format!("brings the workbook to more than {MOST_TEXT} bytes of text"))?;
        if grid.len() <= row {
            grid.resize(row + 1, Vec::new());
        }
        let Some(row) = grid.get_mut(row) else { continue };
        left.cells = left.cells.checked_sub((column + 1).saturating_sub(row.len())).ok_or_else(|| {
            format!("brings the workbook to more than {MOST_CELLS} cells, empty ones before others included")
        })?;
        row.resize(row.len().max(column + 1), String::new());
        if let Some(cell) = row.get_mut(column) {
            *cell = text;
        }
    }
    Ok(grid)
}

/// Looks through the parts of a workbook before any is read: how long they are and how many tags they have. What an archive
/// and its parts say of their own sizes need not be so.
fn check_parts(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"PK") {
        return Err(no_workbook("it is no zip archive"));
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(no_workbook)?;
    let mut left = UNPACKED + bytes.len() as u64;
    let mut tags = MOST_TAGS;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(no_workbook)?;
        let name = part.name().map_err(no_workbook)?.to_lowercase().replace('\\', "/");
        let mut look = Look::default();
        // One byte more than there may be tells that there are too many.
        let read = std::io::copy(&mut part.take(left + 1), &mut look).map_err(no_workbook)?;
        left = left.checked_sub(read).ok_or_else(|| format!("it unpacks to more than {UNPACKED} bytes"))?;
        if [".xml", ".rels"].iter().all(|ending| !name.ends_with(ending)) {
            continue;
        }
        let large = name.contains("worksheets/") || name.ends_with("sharedstrings.xml");
        let few = if large { tags } else { tags.min(FEW_TAGS) };
        if look.tags > few {
            return Err(format!("its part `{name}` has more than {few} tags"));
        }
        tags -= look.tags;
        // Room is made for as many texts as are announced. Of two bytes a letter nothing is told here.
        if look.announced > look.tags || look.zeros {
            return Err(format!("its part `{name}` is not written as a spreadsheet program writes it"));
        }
    }
    Ok(())
}

/// What is seen of a part while it is unpacked.
#[derive(Default)]
struct Look {
    tags: usize,
    zeros: bool,
    /// The greatest number behind `uniqueCount`.
    announced: usize,
    /// How much of that word, and of what may stand between it and its number, was just seen.
    word: usize,
    number: Option<usize>,
}

impl Look {
    const WORD: &[u8] = b"uniqueCount";

    fn see(&mut self, byte: u8) {
        self.tags += usize::from(byte == b'<');
        self.zeros |= byte == 0;
        if self.word < Self::WORD.len() {
            let next = Self::WORD.get(self.word) == Some(&byte);
            self.word = if next { self.word + 1 } else { usize::from(byte == b'u') };
            return;
        }
        match (byte, self.number) {
            (b'0'..=b'9', number) => {
                let number = number.unwrap_or_default().saturating_mul(10).saturating_add(usize::from(byte - b'0'));
                self.number = Some(number);
                self.announced = self.announced.max(number);
            }
            (b'=' | b'"' | b'\'' | b' ' | b'\t' | b'\r' | b'\n', None) => {}
            _ => (self.word, self.number) = (0, None),
        }
    }
}

impl std::io::Write for Look {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        bytes.iter().for_each(|byte| self.see(*byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn written(cell: &Data) -> String {
    match cell {
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(truth) => truth.to_string(),
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, _, _) = moment.to_ymd_hms_milli();
            if hour == 0 && minute == 0 {
                format!("{year:04}-{month:02}-{day:02}")
            } else {
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}")
            }
        }
        Data::Error(_) | Data::Empty => String::new(),
    }
}

/// A workbook of these sheets.
///
/// # Errors
/// Where a cell holds more than a workbook can: 32,767 characters.
pub(in super::super) fn closed(sheets: &[(String, Grid)]) -> Result<Vec<u8>, String> {
    let mut book = Workbook::new();
    let (bold, plain) = (Format::new().set_bold(), Format::new());
    let mut fill = || -> Result<Vec<u8>, rust_xlsxwriter::XlsxError> {
        // Two workbooks of the same form are the same bytes.
        let made = rust_xlsxwriter::ExcelDateTime::from_ymd(2000, 1, 1)?;
        book.set_properties(&rust_xlsxwriter::DocProperties::new().set_creation_datetime(&made));
        for (name, rows) in sheets {
            let sheet = book.add_worksheet().set_name(name)?;
            for (no, row) in (0_u32..).zip(rows) {
                for (column, cell) in (0_u16..).zip(row).filter(|(_, cell)| !cell.is_empty()) {
                    sheet.write_string_with_format(no, column, cell, if no == 0 { &bold } else { &plain })?;
                }
            }
            sheet.set_freeze_panes(1, 0)?;
        }
        book.save_to_buffer()
    };
    fill().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn book(cells: &[(u32, u16)]) -> Vec<u8> {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet().set_name("survey").unwrap();
        for (row, column) in cells {
            sheet.write_string(*row, *column, "here").unwrap();
        }
        book.save_to_buffer().unwrap()
    }

    #[test]
    fn a_cell_far_out_takes_no_room_and_is_refused() {
        let told = opened(&book(&[(0, 0), (1_048_575, 16_383)])).unwrap_err();
        assert!(told.starts_with("its sheet `survey` has something in row 1048576, column 16384"), "{told}");
        assert!(opened(&book(&[(0, 200)])).unwrap_err().contains("column 201"));
        assert!(opened(&book(&[(12_000, 0)])).unwrap_err().contains("row 12001"));
        let text = opened(&book(&[(0, 0), (11_999, 199)])).unwrap();
        assert!(text.starts_with("[survey]\n1: here\n12000: ") && text.ends_with("| here\n"), "{}", text.len());
    }

    #[test]
    fn sheets_that_no_xlsform_has_are_named_and_not_read() {
        let mut book = Workbook::new();
        book.add_worksheet().set_name("Survey").unwrap().write_string(0, 0, "type").unwrap();
        book.add_worksheet().set_name("figures").unwrap().write_string(1_048_575, 16_383, "far").unwrap();
        assert_eq!(opened(&book.save_to_buffer().unwrap()).unwrap(), "[Survey]\n1: type\n[figures]\n");
    }

    #[test]
    fn what_a_part_announces_is_seen_however_it_is_spaced() {
        let announced = |text: &str| {
            let mut look = Look::default();
            // However the part is cut into pieces.
            text.as_bytes().chunks(3).for_each(|piece| look.write_all(piece).unwrap());
            look.announced
        };
        assert_eq!(announced("<sst count=\"9\" uniqueCount=\"12\">"), 12);
        assert_eq!(announced("<sst uniqueuniqueCount \n= '4000000000'>"), 4_000_000_000);
        assert_eq!(announced("<sst uniqueCount=\"99999999999999999999999\"/>"), usize::MAX);
        assert_eq!(announced("<t>uniqueCount of 5</t><t>7</t>"), 0);
    }
}
