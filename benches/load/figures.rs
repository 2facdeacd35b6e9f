//! What is told of a crowd, and what is good enough.

use std::time::Duration;

use formwright_fakes::crowd::{Crowd, Need, Outcome, Platform};

/// The head of the table.
pub(crate) const HEAD: &str = "\
| crowd | platform | answers | p50 | p99 | the limit alone, p50 and p99 | beyond it, mean of the first and last third | unanswered | asked twice | 429 |
|---|---|---|---|---|---|---|---|---|---|";

/// An answer takes no longer than this, beside what the platform's limit needs, in the middle.
const MIDDLE: Duration = Duration::from_secs(2);
/// The same for 99 of 100: a moment for further words, two calls, and a `Retry-After` in whole seconds.
const WORST: Duration = Duration::from_secs(3);
/// What answers may become slower by from the first third to the last: nothing but noise.
const NOISE: Duration = Duration::from_millis(500);

/// How long people waited.
pub(crate) struct Figures {
    p50: Duration,
    p99: Duration,
    need50: Duration,
    need99: Duration,
    first: Duration,
    last: Duration,
}

impl Figures {
    pub(crate) fn of(outcome: &Outcome, platform: Platform, crowd: &Crowd) -> Self {
        let took: Vec<Duration> = outcome.answers.iter().map(|answer| answer.took).collect();
        let done: Vec<Duration> = outcome.answers.iter().map(|answer| answer.done).collect();
        let need = Need::of(platform, crowd.together);
        let needs = need.map_or_else(|| vec![Duration::ZERO; done.len()], |need| need.waits(&done));
        let over: Vec<Duration> = took.iter().zip(&needs).map(|(took, need)| took.saturating_sub(*need)).collect();
        let third = over.len() / 3;
        Self {
            p50: at(&took, 50),
            p99: at(&took, 99),
            need50: at(&needs, 50),
            need99: at(&needs, 99),
            first: mean(&over[..third]),
            last: mean(&over[over.len() - third..]),
        }
    }

    /// What is not good enough.
    pub(crate) fn faults(&self, outcome: &Outcome) -> Vec<String> {
        let mut faults = Vec::new();
        let mut limit = |what: &str, is: Duration, most: Duration| {
            if is > most {
                faults.push(format!("{what} is {}, not {} at most", seconds(is), seconds(most)));
            }
        };
        limit("p50", self.p50, MIDDLE + self.need50);
        limit("p99", self.p99, WORST + self.need99);
        limit("the mean of the last third", self.last, self.first + NOISE);
        faults.extend(outcome.unanswered.iter().map(|who| format!("not answered: {who}")));
        faults.extend(outcome.repeated.iter().map(|who| format!("asked twice: {who}")));
        faults
    }

    /// A row of the table.
    pub(crate) fn row(&self, case: &str, platform: Platform, crowd: &Crowd, all: &Outcome, limited: usize) -> String {
        let [p50, p99, need50, need99, first, last] =
            [self.p50, self.p99, self.need50, self.need99, self.first, self.last].map(seconds);
        let (answers, unanswered, repeated) = (all.answers.len(), all.unanswered.len(), all.repeated.len());
        format!(
            "| {case}, {} people | {} | {answers} | {p50} | {p99} | {need50} and {need99} | {first} and {last} | {unanswered} \
             | {repeated} | {limited} |",
            crowd.people,
            platform.name(),
        )
    }
}

/// The time that so many of a hundred do not pass.
fn at(times: &[Duration], part: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    let no = (times.len() * part).div_ceil(100).saturating_sub(1);
    times.get(no).copied().unwrap_or_default()
}

/// The middle would jump between answers to presses and to words, where there are as many of each.
fn mean(times: &[Duration]) -> Duration {
    times.iter().sum::<Duration>().checked_div(u32::try_from(times.len()).unwrap_or(u32::MAX)).unwrap_or_default()
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
