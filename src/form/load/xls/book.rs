//! Workbooks as bytes: `.xlsx` files as spreadsheet programs write them.

use std::io::{Cursor, Read as _};

use calamine::{Data, Reader as _, Xlsx};
use rust_xlsxwriter::{Format, Workbook};

use super::tables::{Grid, text_of};

/// Most rows and columns that are looked at in a sheet.
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
    for name in book.sheet_names() {
        let range =
            book.worksheet_range(&name).map_err(|error| format!("its sheet `{name}` cannot be read: {error}"))?;
        let (rows, columns) = range.end().map_or((0, 0), |(row, column)| (row as usize + 1, column as usize + 1));
        if rows > MOST_ROWS || columns > MOST_COLUMNS {
            return Err(format!("its sheet `{name}` has more than {MOST_ROWS} rows or {MOST_COLUMNS} columns"));
        }
        let mut grid: Grid = vec![vec![String::new(); columns]; rows];
        for (row, column, cell) in range.used_cells() {
            let start = range.start().unwrap_or_default();
            let at = grid.get_mut(row + start.0 as usize).and_then(|row| row.get_mut(column + start.1 as usize));
            if let Some(at) = at {
                *at = written(cell);
            }
        }
        sheets.push((name, grid));
    }
    Ok(text_of(&sheets))
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
