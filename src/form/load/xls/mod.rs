//! XLSForms: the workbooks in which ODK and its kin keep forms, read and written.
//!
//! A workbook is turned into text first ([`opened`]), a line a row, so that problems have a place. `to_cel` and `from_cel`
//! translate expressions; what has no counterpart is told as lost, never guessed. <https://xlsform.org>

mod book;
mod bounds;
mod columns;
mod expression;
mod known;
mod options;
mod read;
mod refused;
mod row;
mod row_out;
mod tables;
#[cfg(test)]
mod tests;
mod write;

pub(super) use book::closed;
pub use book::opened;
pub(super) use read::read;
pub(super) use refused::take_out;
pub(super) use write::write;
