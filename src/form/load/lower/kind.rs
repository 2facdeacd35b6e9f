//! A field's kind with its settings.

use formwright_form::kind::{
    Kind, KindName, address, channel, choice, choices, computed, date, date_range, datetime, duration, email, file,
    group, hidden, integer, list, location, long_text, money, note, number, pattern, percent, person, phone, rating,
    text, time, url, yes_no,
};
use formwright_form::patterns::NoPattern;
use formwright_form::problem::Problem;

use super::flat::Flat;
use super::lowering::Lower;
use super::text::lines;
use crate::moment;
use crate::node::Node;

impl Lower<'_> {
    /// The kind; plain text where the file gives none that is known, which was reported before.
    pub(super) fn kind(&mut self, flat: &Flat<'_>) -> Kind {
        self.kind_named(flat, flat.kind.and_then(KindName::of).unwrap_or(KindName::Text))
    }

    fn kind_named(&mut self, flat: &Flat<'_>, name: KindName) -> Kind {
        match name {
            KindName::LongText => {
                let (min_chars, max_chars) = self.bounds(flat, "min_chars", "max_chars", Node::number);
                Kind::LongText(long_text::LongText { min_chars, max_chars })
            }
            KindName::Integer => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                Kind::Integer(integer::Integer { min, max, unit: self.words(flat.at("unit")) })
            }
            KindName::Number => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                let unit = self.words(flat.at("unit"));
                Kind::Number(number::Number { min, max, decimals: whole(flat, "decimals"), unit })
            }
            KindName::Money => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                let currency = line(flat, "currency").unwrap_or_default();
                Kind::Money(money::Money { currency, currencies: lines(flat.at("currencies")), min, max })
            }
            KindName::Percent => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                Kind::Percent(percent::Percent { min, max })
            }
            KindName::YesNo => {
                Kind::YesNo(yes_no::YesNo { yes: self.words(flat.at("yes")), no: self.words(flat.at("no")) })
            }
            KindName::Choice => Kind::Choice(choice::Choice {}),
            KindName::Choices => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                Kind::Choices(choices::Choices { min, max })
            }
            KindName::Rating => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                let (least, most) = (min.unwrap_or(1), max.unwrap_or(5));
                if let Some(node) = flat.at("min").filter(|_| max.is_none() && least > most) {
                    let what = format!("no value fits: `min` is above {most}, which `max` is by default");
                    let problem = Problem::error("form::min_above_max", what).at(node.span.clone(), "the least");
                    self.problems.push(problem.help("give `max` too"));
                }
                Kind::Rating(rating::Rating { min: least, max: most })
            }
            KindName::Time => {
                let (min, max) = self.bounds(flat, "min", "max", |node| node.text().and_then(moment::clock));
                Kind::Time(time::Time { min, max })
            }
            KindName::Duration => {
                let (min, max) = self.bounds(flat, "min", "max", |node| node.text().and_then(moment::length));
                Kind::Duration(duration::Duration { min, max })
            }
            KindName::Datetime => {
                let (min, max) = self.days(flat);
                Kind::Datetime(datetime::Datetime { min, max, prefer: prefer(flat, max) })
            }
            KindName::DateRange => {
                let (min, max) = self.days(flat);
                Kind::DateRange(date_range::DateRange { min, max, max_days: whole(flat, "max_days") })
            }
            KindName::Date => {
                let (min, max) = self.days(flat);
                Kind::Date(date::Date { min, max, prefer: prefer(flat, max) })
            }
            KindName::Email => Kind::Email(email::Email { domains: lines(flat.at("domains")) }),
            KindName::Phone => Kind::Phone(phone::Phone { country: line(flat, "country") }),
            KindName::Url => Kind::Url(url::Url { hosts: lines(flat.at("hosts")) }),
            KindName::Pattern => self.pattern(flat),
            KindName::Person => Kind::Person(person::Person {}),
            KindName::Channel => Kind::Channel(channel::Channel {}),
            KindName::File => self.file(flat),
            KindName::Location => {
                let pin = flat.at("pin").and_then(Node::truth).unwrap_or(false);
                Kind::Location(location::Location { pin })
            }
            KindName::Address => {
                let house_number = flat.at("house_number").and_then(Node::truth).unwrap_or(true);
                Kind::Address(address::Address { house_number })
            }
            KindName::List => {
                let (min, max) = self.bounds(flat, "min", "max", Node::number);
                Kind::List(list::List { min, max, item: self.text(flat.at("item")) })
            }
            KindName::Group => Kind::Group(group::Group {}),
            KindName::Note => Kind::Note(note::Note {}),
            KindName::Hidden => Kind::Hidden(hidden::Hidden {}),
            KindName::Computed => {
                let result = flat.at("result").and_then(Node::text).and_then(KindName::of);
                let result = result.filter(|kind| !matches!(kind, KindName::Computed | KindName::List));
                let result = Box::new(self.kind_named(flat, result.unwrap_or(KindName::Text)));
                Kind::Computed(computed::Computed { result })
            }
            KindName::Text => {
                let (min_chars, max_chars) = self.bounds(flat, "min_chars", "max_chars", Node::number);
                let letters = flat.at("letters").map(|letters| letters.one_or_more().iter().filter_map(word).collect());
                Kind::Text(text::Text { min_chars, max_chars, subtype: flat.at("subtype").and_then(word), letters })
            }
        }
    }

    fn file(&mut self, flat: &Flat<'_>) -> Kind {
        let (min_files, max_files) = self.bounds(flat, "min_files", "max_files", Node::number::<u32>);
        let min_files = min_files.unwrap_or(1);
        let max_files = max_files.unwrap_or(min_files.max(1));
        let accept = lines(flat.at("accept"));
        Kind::File(file::File { accept, max_bytes: whole(flat, "max_bytes"), max_files, min_files })
    }

    fn pattern(&mut self, flat: &Flat<'_>) -> Kind {
        let shape = self.text(flat.at("shape"));
        let upper = flat.at("upper").and_then(Node::truth).unwrap_or(false);
        let node = flat.at("regex");
        let regex = node.and_then(Node::text).unwrap_or_default();
        let wrong = match pattern::Pattern::new(&self.patterns, regex, shape, upper) {
            Ok(pattern) => return Kind::Pattern(pattern),
            Err(wrong) => wrong,
        };
        match (node, wrong) {
            (Some(node), NoPattern::Broken(error)) => self.bad_regex(node, &error),
            (Some(node), many @ NoPattern::TooMany) => {
                self.error(&node.span, "form::too_many", many.to_string(), "one more", "make several forms of it");
            }
            (None, _) => {}
        }
        Kind::Text(text::Text::default())
    }

    /// Reports a broken regular expression where it breaks.
    fn bad_regex(&mut self, node: &Node, error: &regex::Error) {
        let drawn = error.to_string();
        let text = node.text().unwrap_or_default();
        // The error comes drawn: carets stand under the expression, four columns in.
        let caret = drawn.lines().find(|line| line.contains('^') && line.chars().all(|c| matches!(c, ' ' | '^')));
        let part = caret.and_then(|line| {
            let from = line.find('^')?.checked_sub(4)?;
            let byte = |column: usize| text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
            Some(byte(from)..byte(from + line.matches('^').count()))
        });
        let span = self.inside(node, &part.unwrap_or(0..text.len()));
        let why = drawn.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let help = "the syntax is that of the Rust crate `regex`: no look-around and no back-references";
        self.error(&span, "form::bad_regex", "this is not a regular expression".to_owned(), &why, help);
    }

    /// Reads two bounds and reports a least value above the greatest.
    fn bounds<T: PartialOrd + Copy>(
        &mut self,
        flat: &Flat<'_>,
        min_key: &str,
        max_key: &str,
        read: impl Fn(&Node) -> Option<T>,
    ) -> (Option<T>, Option<T>) {
        let min = flat.at(min_key).and_then(|node| Some((node, read(node)?)));
        let max = flat.at(max_key).and_then(|node| Some((node, read(node)?)));
        if let (Some((min_node, min)), Some((max_node, max))) = (min, max)
            && min > max
        {
            self.crossed((min_key, min_node), (max_key, max_node));
        }
        (min.map(|(_, min)| min), max.map(|(_, max)| max))
    }

    fn days(&mut self, flat: &Flat<'_>) -> (Option<date::Bound>, Option<date::Bound>) {
        let read = |key: &str| flat.at(key).and_then(|node| Some((node, moment::day(node.text()?)?)));
        let (min, max) = (read("min"), read("max"));
        if let (Some((min_node, min)), Some((max_node, max))) = (min, max)
            && later(min, max)
        {
            self.crossed(("min", min_node), ("max", max_node));
        }
        (min.map(|(_, min)| min), max.map(|(_, max)| max))
    }

    fn crossed(&mut self, (min_key, min): (&str, &Node), (max_key, max): (&str, &Node)) {
        let problem = Problem::error("form::min_above_max", format!("no value fits: `{min_key}` is above `{max_key}`"))
            .at(min.span.clone(), "the least")
            .at(max.span.clone(), "the greatest");
        self.problems.push(problem.help("exchange the two, or change one"));
    }
}

/// Whether a least day is after a greatest day, whatever today is.
fn later(min: date::Bound, max: date::Bound) -> bool {
    use date::Bound::{Day, FromToday};
    let length = |years: i16, months: i32, days: i32| i64::from(years) * 366 + i64::from(months) * 31 + i64::from(days);
    match (min, max) {
        (Day(min), Day(max)) => min > max,
        (FromToday { years: y1, months: m1, days: d1 }, FromToday { years: y2, months: m2, days: d2 }) => {
            length(y1, m1, d1) > length(y2, m2, d2)
        }
        (Day(_), FromToday { .. }) | (FromToday { .. }, Day(_)) => false,
    }
}

/// A kind at its defaults, for what a tool gives; text where it is none of those.
pub(super) fn plain(name: &str) -> Kind {
    match KindName::of(name).unwrap_or(KindName::Text) {
        KindName::LongText => Kind::LongText(long_text::LongText::default()),
        KindName::Integer => Kind::Integer(integer::Integer::default()),
        KindName::Number => Kind::Number(number::Number::default()),
        KindName::Percent => Kind::Percent(percent::Percent::default()),
        KindName::YesNo => Kind::YesNo(yes_no::YesNo::default()),
        KindName::Choice => Kind::Choice(choice::Choice {}),
        KindName::Choices => Kind::Choices(choices::Choices::default()),
        KindName::Date => Kind::Date(date::Date::default()),
        KindName::Time => Kind::Time(time::Time::default()),
        KindName::Datetime => Kind::Datetime(datetime::Datetime::default()),
        KindName::Duration => Kind::Duration(duration::Duration::default()),
        KindName::Email => Kind::Email(email::Email::default()),
        KindName::Phone => Kind::Phone(phone::Phone::default()),
        KindName::Url => Kind::Url(url::Url::default()),
        KindName::Location => Kind::Location(location::Location::default()),
        KindName::Address => Kind::Address(address::Address { house_number: false }),
        KindName::Text
        | KindName::Money
        | KindName::Rating
        | KindName::DateRange
        | KindName::Pattern
        | KindName::Person
        | KindName::Channel
        | KindName::File
        | KindName::List
        | KindName::Group
        | KindName::Note
        | KindName::Computed
        | KindName::Hidden => Kind::Text(text::Text::default()),
    }
}

/// Which of the days that a word leaves open is meant.
fn prefer(flat: &Flat<'_>, max: Option<date::Bound>) -> date::Prefer {
    flat.at("prefer").and_then(word).unwrap_or_else(|| date::Prefer::within(max))
}

fn whole<N: std::str::FromStr>(flat: &Flat<'_>, key: &str) -> Option<N> {
    flat.at(key).and_then(Node::number)
}

fn line(flat: &Flat<'_>, key: &str) -> Option<String> {
    flat.at(key).and_then(Node::text).map(str::to_owned)
}

/// A word of a fixed set.
fn word<W: serde::de::DeserializeOwned>(node: &Node) -> Option<W> {
    serde_json::from_value(node.json()).ok()
}
