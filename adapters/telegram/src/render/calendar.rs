//! A calendar and a clock of buttons. What they show stands in the operation of the button that led there, so nothing
//! has to be remembered between presses.
//!
//! | operation | leads to |
//! |---|---|
//! | `m2026-12`, `y2026`, `Y2010` | a month, the months of a year, years |
//! | `d2026-12-24` | a day: the answer, the first day of a range, or the hours of that day |
//! | `s2026-12-24.m2026-12` | a month in which the last day is picked |
//! | `e2026-12-24.2026-12-28` | a range: the answer |
//! | `k`, `h14`, `h2026-12-24T14` | hours, minutes of an hour |
//! | `t14:35`, `t2026-12-24T14:35` | a time: the answer |

use formwright_chat::words::{Word, say};
use formwright_chat::{ButtonRole, Hours, Input, Question, Token};
use jiff::civil::{Date, Time};
use jiff::{Span, ToSpan as _};

use super::keys::Key;
use super::names;

/// Years on one page.
const YEARS: i16 = 20;
/// Minutes apart from each other.
const MINUTES: u8 = 5;

/// The calendar of a question, as an operation left it; none where the question has none.
pub(crate) fn draw(question: &Question, op: &str, lang: &str, today: Date) -> Option<Vec<Vec<Key>>> {
    let (min, max) = match &question.input {
        Input::Date { min, max } | Input::DateTime { min, max } | Input::DateRange { min, max } => (min, max),
        Input::Time { .. } => return Some(clock(question, op, lang)),
        _ => return None,
    };
    if matches!(question.input, Input::DateTime { .. }) && op.starts_with(['d', 'h']) {
        return Some(clock(question, op, lang));
    }
    let range = matches!(question.input, Input::DateRange { .. });
    let (start, op) = match op.strip_prefix('s').and_then(|rest| rest.split_once('.')) {
        Some((start, op)) => (start.parse().ok(), op),
        // The first day of a range was picked just now.
        None if range && op.starts_with('d') => (op[1..].parse().ok(), ""),
        None => (None, op),
    };
    let min = bound(min.as_deref()).max(start);
    let calendar = Calendar { token: &question.token, lang, today, min, max: bound(max.as_deref()), start, range };
    let prefilled = question.prefill.as_deref().and_then(|prefill| bound(Some(prefill)));
    let first = calendar.clamp(start.or(prefilled).unwrap_or(today));
    let date = |year: &str, month: &str| Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok();
    let (view, rest) = op.split_at_checked(1).unwrap_or_default();
    Some(match view {
        "y" => calendar.months(rest.parse().unwrap_or(first.year())),
        "Y" => calendar.years(rest.parse().unwrap_or(first.year())),
        "m" => calendar.month(rest.split_once('-').and_then(|(year, month)| date(year, month)).unwrap_or(first)),
        _ => calendar.month(first),
    })
}

/// The day of a bound, which may have a time of day behind it or be the first day of a range.
fn bound(text: Option<&str>) -> Option<Date> {
    text?.get(..10)?.parse().ok()
}

struct Calendar<'a> {
    token: &'a Token,
    lang: &'a str,
    today: Date,
    min: Option<Date>,
    max: Option<Date>,
    start: Option<Date>,
    range: bool,
}

impl Calendar<'_> {
    fn clamp(&self, day: Date) -> Date {
        let day = self.max.map_or(day, |max| day.min(max));
        self.min.map_or(day, |min| day.max(min))
    }

    /// Whether any of these days may be picked.
    fn open(&self, first: Date, last: Date) -> bool {
        self.min.is_none_or(|min| last >= min) && self.max.is_none_or(|max| first <= max)
    }

    /// A button that turns to another view, or an empty cell where nothing is there to pick.
    fn turn(&self, label: &str, op: &str, first: Option<Date>, span: Span) -> Key {
        let last = first.and_then(|first| first.checked_add(span).ok()?.yesterday().ok());
        match (first, last) {
            (Some(first), Some(last)) if self.open(first, last) => {
                let start = self.start.map(|start| format!("s{start}.")).unwrap_or_default();
                Key::op(self.token, format!("{start}{op}"), label)
            }
            _ => self.empty(),
        }
    }

    fn empty(&self) -> Key {
        Key::idle(self.token, "\u{b7}")
    }

    fn month(&self, of: Date) -> Vec<Vec<Key>> {
        let first = of.first_of_month();
        let step = |label: &str, by: Span| {
            let to = first.checked_add(by).ok();
            let op = to.map_or_else(String::new, |to| format!("m{}", &to.to_string()[..7]));
            self.turn(label, &op, to, 1.month())
        };
        let title = format!("{} {}", names::month(self.lang, first.month()), first.year());
        let january = Date::new(first.year(), 1, 1).ok();
        let title = self.turn(&title, &format!("y{}", first.year()), january, 1.year());
        let mut rows = vec![vec![
            step("«", -(1.year())),
            step("‹", -(1.month())),
            title,
            step("›", 1.month()),
            step("»", 1.year()),
        ]];
        let word = |word| Key::idle(self.token, say(word, self.lang));
        match self.start.filter(|_| self.range) {
            // The first day stands there, and leads back to where another one is picked.
            Some(start) => {
                let op = format!("m{}", &start.to_string()[..7]);
                let picked = Key::op(self.token, op, &format!("‹ {}", names::day(self.lang, start)));
                rows.push(vec![picked, word(Word::LastDay)]);
            }
            None if self.range => rows.push(vec![word(Word::FirstDay)]),
            None => {}
        }
        let (first_weekday, heads) = names::week(self.lang);
        rows.push(heads.iter().map(|head| Key::idle(self.token, head)).collect());
        let weekday = usize::try_from(first.weekday().to_monday_zero_offset()).unwrap_or(0);
        let blanks = (weekday + 7 - first_weekday) % 7;
        let mut cells: Vec<Key> = (0..blanks).map(|_| self.empty()).collect();
        cells.extend((1..=first.days_in_month()).map(|day| self.day(first, day)));
        cells.resize_with(cells.len().next_multiple_of(7), || self.empty());
        rows.extend(cells.chunks(7).map(<[Key]>::to_vec));
        rows
    }

    fn day(&self, month: Date, day: i8) -> Key {
        let Ok(date) = Date::new(month.year(), month.month(), day) else { return self.empty() };
        if !self.open(date, date) {
            return self.empty();
        }
        let label = if date == self.today { format!("[{day}]") } else { day.to_string() };
        match self.start.filter(|_| self.range) {
            Some(start) if start == date => {
                Key::op(self.token, format!("e{start}.{date}"), &label).role(ButtonRole::Primary)
            }
            Some(start) => Key::op(self.token, format!("e{start}.{date}"), &label),
            None => Key::op(self.token, format!("d{date}"), &label),
        }
    }

    fn months(&self, year: i16) -> Vec<Vec<Key>> {
        let january = |year: i16| Date::new(year, 1, 1).ok();
        let step = |label: &str, to: i16| self.turn(label, &format!("y{to}"), january(to), 1.year());
        let years = year.div_euclid(YEARS) * YEARS;
        let title = self.turn(&year.to_string(), &format!("Y{years}"), january(year), 1.year());
        let mut rows = vec![vec![step("‹", year.saturating_sub(1)), title, step("›", year.saturating_add(1))]];
        let month = |month: i8| {
            let first = Date::new(year, month, 1).ok();
            self.turn(names::month(self.lang, month), &format!("m{year:04}-{month:02}"), first, 1.month())
        };
        rows.extend((0..4).map(|row| (1..=3).map(|at| month(row * 3 + at)).collect()));
        rows
    }

    fn years(&self, first: i16) -> Vec<Vec<Key>> {
        let january = |year: i16| Date::new(year, 1, 1).ok();
        let span = i64::from(YEARS).years();
        let step = |label: &str, to: i16| self.turn(label, &format!("Y{to}"), january(to), span);
        let last = first.saturating_add(YEARS - 1);
        let title = Key::idle(self.token, &format!("{first}–{last}"));
        let mut rows =
            vec![vec![step("‹", first.saturating_sub(YEARS)), title, step("›", first.saturating_add(YEARS))]];
        let year = |year: i16| self.turn(&year.to_string(), &format!("y{year}"), january(year), 1.year());
        let years: Vec<Key> = (first..=last).map(year).collect();
        rows.extend(years.chunks(5).map(<[Key]>::to_vec));
        rows
    }
}

/// Hours, or the minutes of an hour, as far as they may be picked. The operation names the day where one was picked before.
fn clock(question: &Question, op: &str, lang: &str) -> Vec<Vec<Key>> {
    let token = &question.token;
    let (day, hour) = match op.split_at_checked(1).unwrap_or_default() {
        ("d", day) => (Some(day), None),
        ("h", rest) => match rest.split_once('T') {
            Some((day, hour)) => (Some(day), hour.parse::<i8>().ok()),
            None => (None, rest.parse::<i8>().ok()),
        },
        _ => (None, None),
    };
    let hours = match (&question.input, day.and_then(|day| day.parse().ok())) {
        (Input::Time { min, max }, _) => Hours::new(min.as_deref(), max.as_deref()),
        (Input::DateTime { min, max }, Some(day)) => Hours::of_day(day, min.as_deref(), max.as_deref()),
        _ => Hours::default(),
    };
    let stem = day.map(|day| format!("{day}T")).unwrap_or_default();
    let back = match (hour, day) {
        (Some(_), Some(day)) => Some(format!("d{day}")),
        (None, Some(day)) => Some(format!("m{}", day.get(..7).unwrap_or_default())),
        (Some(_), None) => Some("k".to_owned()),
        (None, None) => None,
    };
    let minute = |time: Time| {
        let label = time.strftime("%H:%M").to_string();
        Key::op(token, format!("t{stem}{label}"), &label)
    };
    let keys: Vec<Key> = match hour {
        Some(hour) => {
            let open = hours.within(hour, MINUTES);
            let open = if open.is_empty() { Hours::default().within(hour, MINUTES) } else { open };
            open.into_iter().map(minute).collect()
        }
        None => {
            let key = |hour: i8| Key::op(token, format!("h{stem}{hour:02}"), &format!("{hour:02}"));
            hours.open(0, MINUTES).into_iter().map(key).collect()
        }
    };
    let columns = if hour.is_some() { 4 } else { 6 };
    let picked = day.and_then(|day| day.parse().ok()).map(|day| names::day(lang, day));
    let label = picked.map_or_else(|| "‹".to_owned(), |day| format!("‹ {day}"));
    let back = back.map(|op| vec![Key::op(token, op, &label)]);
    back.into_iter().chain(keys.chunks(columns).map(<[Key]>::to_vec)).collect()
}
