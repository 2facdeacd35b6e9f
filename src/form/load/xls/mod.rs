//! XLSForms: the workbooks in which ODK and its kin keep forms, read and written.
//!
//! A workbook is turned into text first ([`opened`]), a line a row, so that problems have a place. `to_cel` and `from_cel`
//! translate expressions; what has no counterpart is told as lost, never guessed. <https://xlsform.org>

mod book;
mod bounds;
mod columns;
pub(super) mod expression;
pub(super) mod known;
mod ledger;
pub(super) mod offered;
mod options;
mod read;
mod row;
mod row_out;
mod settings;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod write;

pub(super) use book::closed;
pub use book::opened;
pub(super) use read::read;
pub(super) use write::write;
