//! The rows of a damaged file, read without SQLite: each page by itself, so that a page that is lost costs its own rows
//! and no others. Nothing is written, neither to the file nor to its log.
//!
//! SQLite's file format is public: <https://www.sqlite.org/fileformat2.html>. What no table of ours has is left out:
//! floating-point numbers, text that is not UTF-8, pages with reserved bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use rusqlite::types::Value;

use super::place::beside;

/// Bytes of a page where the file does not tell any more: what SQLite gives to a new one.
const PAGE: usize = 4096;
/// Bytes before the first page's rows, and before a log's pages.
const FILE_HEAD: usize = 100;
const LOG_HEAD: usize = 32;
/// Bytes before each page in a log.
const FRAME_HEAD: usize = 24;
/// Pages with rows: the leaves of a table, and those of a table without row ids, which has rows in its inner pages too.
const LEAF: u8 = 0x0d;
const KEY_LEAF: u8 = 0x0a;
const KEY_INNER: u8 = 0x02;

/// The pages of a file as its last commit left them.
pub(crate) struct Pages {
    file: File,
    log: Log,
    size: usize,
    count: u32,
}

/// What a log holds.
#[derive(Default)]
struct Log {
    file: Option<File>,
    /// Where the newest state of a page begins.
    pages: BTreeMap<u32, u64>,
    /// The size of a page, and how many pages the file has since the last commit.
    size: Option<(usize, u32)>,
}

/// A row of any table or index.
pub(crate) struct Row {
    /// None in a table without row ids.
    pub(crate) id: Option<i64>,
    /// As stored: null for the column that stands for the row's id.
    pub(crate) values: Vec<Value>,
}

impl Pages {
    /// The file and the log beside it.
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let mut file = File::open(path)?;
        let log = Log::read(&beside(path, "-wal")).unwrap_or_default();
        let mut head = [0; FILE_HEAD];
        let told = file.read_exact(&mut head).is_ok() && head.starts_with(b"SQLite format 3\0");
        let told = told.then(|| (page_size(number(&head[16..18])), number(&head[28..32])));
        let size = log.size.map(|(size, _)| size).or(told.and_then(|(size, _)| size)).unwrap_or(PAGE);
        let length = u32::try_from(file.metadata()?.len() / size as u64).unwrap_or(u32::MAX);
        let there = length.max(log.pages.keys().next_back().copied().unwrap_or_default());
        // What lies behind the last page was given back: it may be what somebody had removed.
        let count = log.size.map(|(_, count)| count).or(told.map(|(_, count)| count)).filter(|count| *count > 0);
        Ok(Self { file, log, size, count: count.map_or(there, |count| count.min(there)) })
    }

    pub(crate) fn numbers(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.count
    }

    /// The rows of a page that can be read.
    pub(crate) fn rows(&mut self, no: u32) -> Vec<Row> {
        let Some(page) = self.page(no) else { return Vec::new() };
        let head = if no == 1 { FILE_HEAD } else { 0 };
        let (kind, count) = (page[head], number(&page[head + 3..head + 5]) as usize);
        let first = head + if kind == KEY_INNER { 12 } else { 8 };
        let starts = page.get(first..first + 2 * count).unwrap_or_default();
        let cells = starts.chunks(2).filter_map(|start| page.get(number(start) as usize..));
        match kind {
            LEAF => cells.filter_map(|cell| self.row(cell, true)).collect(),
            KEY_LEAF => cells.filter_map(|cell| self.row(cell, false)).collect(),
            KEY_INNER => cells.filter_map(|cell| self.row(cell.get(4..)?, false)).collect(),
            _ => Vec::new(),
        }
    }

    /// A page; none where any of it is missing.
    fn page(&mut self, no: u32) -> Option<Vec<u8>> {
        let mut page = vec![0; self.size];
        let (file, start) = match (self.log.pages.get(&no), &mut self.log.file) {
            (Some(start), Some(log)) => (log, *start),
            _ => (&mut self.file, u64::from(no.checked_sub(1)?) * self.size as u64),
        };
        file.seek(SeekFrom::Start(start)).ok()?;
        file.read_exact(&mut page).ok()?;
        Some(page)
    }

    fn row(&mut self, mut cell: &[u8], has_id: bool) -> Option<Row> {
        let length = usize::try_from(varint(&mut cell)?).ok()?;
        let id = if has_id { Some(varint(&mut cell)?) } else { None };
        Some(Row { id, values: values(&self.record(cell, length, has_id)?)? })
    }

    /// The bytes of a row, which may go on in pages of their own.
    fn record(&mut self, cell: &[u8], length: usize, has_id: bool) -> Option<Vec<u8>> {
        if length / self.size > self.count as usize {
            return None;
        }
        let most = if has_id { self.size - 35 } else { (self.size - 12) * 64 / 255 - 23 };
        let least = (self.size - 12) * 32 / 255 - 23;
        let fitting = least + length.saturating_sub(least) % (self.size - 4);
        let here = if length <= most { length } else { Some(fitting).filter(|here| *here <= most).unwrap_or(least) };
        let (record, rest) = cell.split_at_checked(here)?;
        let (mut record, mut next) = (record.to_vec(), rest.get(..4).map_or(0, number));
        while record.len() < length {
            let page = self.page(next)?;
            record.extend(page[4..].iter().take(length - record.len()));
            next = number(&page[..4]);
        }
        Some(record)
    }
}

impl Log {
    /// Reads up to the last commit; what comes after a frame that is not whole does not count.
    fn read(path: &Path) -> std::io::Result<Self> {
        let mut log = BufReader::new(File::open(path)?);
        let mut head = [0; LOG_HEAD];
        log.read_exact(&mut head)?;
        let is_big = head[3] & 1 == 1;
        let mut sum = checksum((0, 0), &head[..24], is_big);
        let size = page_size(number(&head[8..12])).filter(|_| sum == sum_at(&head[24..]));
        let Some(size) = size else { return Ok(Self::default()) };
        let mut read = Self::default();
        let (mut frame, mut start, mut open) = (vec![0; FRAME_HEAD + size], LOG_HEAD as u64, BTreeMap::new());
        while log.read_exact(&mut frame).is_ok() {
            sum = checksum(checksum(sum, &frame[..8], is_big), &frame[FRAME_HEAD..], is_big);
            if frame[8..16] != head[16..24] || sum != sum_at(&frame[16..24]) {
                break;
            }
            open.insert(number(&frame[..4]), start + FRAME_HEAD as u64);
            let count = number(&frame[4..8]);
            if count > 0 {
                read.pages.append(&mut open);
                read.size = Some((size, count));
            }
            start += frame.len() as u64;
        }
        read.file = Some(log.into_inner());
        Ok(read)
    }
}

/// The sizes that pages may have; 1 stands for 65536.
fn page_size(told: u32) -> Option<usize> {
    let size = if told == 1 { 65536 } else { told as usize };
    (size.is_power_of_two() && (512..=65536).contains(&size)).then_some(size)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn sum_at(bytes: &[u8]) -> (u32, u32) {
    (number(&bytes[..4]), number(&bytes[4..8]))
}

fn checksum(sum: (u32, u32), bytes: &[u8], is_big: bool) -> (u32, u32) {
    let word = |bytes: [u8; 4]| if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
    bytes.as_chunks().0.chunks_exact(2).fold(sum, |(one, two), words| {
        let one = one.wrapping_add(word(words[0])).wrapping_add(two);
        (one, two.wrapping_add(word(words[1])).wrapping_add(one))
    })
}

/// Takes a number of one to nine bytes off the front.
fn varint(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0;
    for place in 0..9 {
        let byte = *bytes.split_off_first()?;
        if place == 8 {
            return Some(number << 8 | i64::from(byte));
        }
        number = number << 7 | i64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

/// The columns of a row; none where they do not fill it, or one is of a kind that we do not store.
fn values(record: &[u8]) -> Option<Vec<Value>> {
    let mut kinds = record;
    let head = usize::try_from(varint(&mut kinds)?).ok()?;
    let (kinds_end, mut body) = record.split_at_checked(head)?;
    kinds = kinds_end.get(record.len() - kinds.len()..)?;
    let mut values = Vec::new();
    while !kinds.is_empty() {
        let kind = usize::try_from(varint(&mut kinds)?).ok()?;
        let length = match kind {
            0..=4 => kind,
            5 => 6,
            6 => 8,
            8 | 9 => 0,
            12.. => (kind - 12) / 2,
            _ => return None,
        };
        let bytes = body.split_off(..length)?;
        values.push(match kind {
            0 => Value::Null,
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            1..=6 => Value::Integer(signed(bytes)),
            _ if kind % 2 == 0 => Value::Blob(bytes.to_vec()),
            _ => Value::Text(std::str::from_utf8(bytes).ok()?.to_owned()),
        });
    }
    body.is_empty().then_some(values)
}

fn signed(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|byte| byte & 0x80 > 0) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}
