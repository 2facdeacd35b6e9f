//! Workbooks as bytes: `.xlsx` files as spreadsheet programs write them.

use std::io::{Cursor, Read as _};

use calamine::{Data, Reader as _, Xlsx, XlsxError};
use rust_xlsxwriter::{Format, Workbook};

use super::tables::{Grid, text_of};

/// Most rows and columns of a sheet: one with a cell beyond them is refused.
const MOST_ROWS: usize = 20_000;
const MOST_COLUMNS: usize = 200;
/// Most bytes that the parts of a workbook may have once unpacked.
const UNPACKED: u64 = 64 << 20;

/// A workbook as text.
///
/// # Errors
/// Why the bytes are no workbook that can be read.
pub fn opened(bytes: &[u8]) -> Result<String, String> {
    check_size(bytes)?;
    let mut book: Xlsx<_> =
        Xlsx::new(Cursor::new(bytes)).map_err(|error| format!("it is no workbook (.xlsx): {error}"))?;
    let mut sheets: Vec<(String, Grid)> = Vec::new();
    let mut left = UNPACKED;
    for name in book.sheet_names() {
        let grid = grid(&mut book, &name, &mut left).map_err(|why| format!("its sheet `{name}` {why}"))?;
        sheets.push((name, grid));
    }
    Ok(text_of(&sheets))
}

/// The cells of a sheet, read one by one: a cell far out takes no more room than any other. `left` is how many bytes of
/// text the workbook may still hold, which may name one text in many cells.
fn grid(book: &mut Xlsx<Cursor<&[u8]>>, name: &str, left: &mut u64) -> Result<Grid, String> {
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
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            let at = format!("row {}, column {}", row + 1, column + 1);
            return Err(format!(
                "has something in {at}, and may have {MOST_ROWS} rows and {MOST_COLUMNS} columns: delete what lies beyond"
            ));
        }
        *left = left
            .checked_sub(text.len() as u64)
            .ok_or_else(|| format!("brings the workbook to more than {UNPACKED} bytes of text"))?;
        if grid.len() <= row {
            grid.resize(row + 1, Vec::new());
        }
        if let Some(row) = grid.get_mut(row) {
            row.resize(row.len().max(column + 1), String::new());
            if let Some(cell) = row.get_mut(column) {
                *cell = text;
            }
        }
    }
    Ok(grid)
}

/// Refuses what would unpack to far more than any form is.
fn check_size(bytes: &[u8]) -> Result<(), String> {
    let mut archive =
        zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("it is no workbook (.xlsx): {error}"))?;
    let mut left = UNPACKED;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|error| format!("it is no workbook (.xlsx): {error}"))?;
        // What an archive says of its own sizes need not be so: it is counted.
        let read = std::io::copy(&mut part.take(left), &mut std::io::sink()).map_err(|error| error.to_string())?;
        left = left.saturating_sub(read);
        if left == 0 {
            return Err(format!("it unpacks to more than {UNPACKED} bytes"));
        }
    }
    Ok(())
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
        assert!(opened(&book(&[(20_000, 0)])).unwrap_err().contains("row 20001"));
        let text = opened(&book(&[(0, 0), (19_999, 199)])).unwrap();
        assert!(text.starts_with("[survey]\n1: here\n20000: ") && text.ends_with("| here\n"), "{}", text.len());
    }
}
