//! A crowd fills in forms.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::people::{self, Visitor};
use super::script::{Deed, form_id, note, steps};
use super::{Crowd, Platform, Scene};
use crate::latency::spread;

/// An answer that a person got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When the person did what was answered, since the crowd came.
    pub done: Duration,
    /// How long until they saw the answer.
    pub took: Duration,
}

/// What became of a crowd.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Every answer, in the order of what was answered.
    pub answers: Vec<Answer>,
    /// What people were left alone with: who, and the words that did not come.
    pub unanswered: Vec<String>,
    /// Questions that came more often than they were due: whose, and which.
    pub repeated: Vec<String>,
    /// Forms that people were told are submitted, spelled as [`Scene::submitted`] does; sorted.
    pub submitted: Vec<String>,
}

/// Lets a crowd in, and waits until the last has left.
///
/// # Panics
/// Where a person does not find what they were shown.
pub async fn play(scene: &Scene, platform: Platform, crowd: Crowd) -> Outcome {
    let start = Instant::now();
    let guests: Vec<_> = (0..crowd.people)
        .map(|no| {
            let visitor = people::visitor(scene, platform, no, crowd.together);
            tokio::spawn(Guest { visitor, platform, no, crowd, start }.fills_in())
        })
        .collect();
    let mut all = Outcome::default();
    for guest in guests {
        match guest.await {
            Ok(one) => {
                all.answers.extend(one.answers);
                all.unanswered.extend(one.unanswered);
                all.repeated.extend(one.repeated);
                all.submitted.extend(one.submitted);
            }
            Err(error) => panic!("a person of the crowd is lost: {error}"),
        }
    }
    all.answers.sort_by_key(|answer| answer.done);
    all.submitted.sort();
    all
}

struct Guest {
    visitor: Arc<dyn Visitor>,
    platform: Platform,
    no: usize,
    crowd: Crowd,
    start: Instant,
}

impl Guest {
    async fn fills_in(self) -> Outcome {
        let (crowd, who) = (self.crowd, format!("{} {}", self.platform.name(), self.no));
        let (mut outcome, mut asked) = (Outcome::default(), BTreeMap::<String, usize>::new());
        if let (Some(_), Ok(people), Ok(no)) = (crowd.lasting, u32::try_from(crowd.people), u32::try_from(self.no)) {
            tokio::time::sleep(crowd.thought * no / people).await;
        }
        let rounds = if crowd.lasting.is_some() { usize::MAX } else { 1 };
        let all = (0..rounds).flat_map(|round| {
            let steps = steps(self.platform.name(), self.no, round, crowd.together);
            steps.into_iter().map(move |step| (round, step))
        });
        for (deed, (round, step)) in all.take(crowd.deeds).enumerate() {
            if deed > 0 {
                tokio::time::sleep(crowd.thought.mul_f64(0.5 + spread(self.no * 31 + deed))).await;
            }
            if crowd.lasting.is_some_and(|lasting| self.start.elapsed() >= lasting) {
                break;
            }
            let known = self.visitor.showing(&step.answer);
            let done = self.start.elapsed();
            let answered = async {
                self.visitor.does(&step.deed).await;
                self.visitor.sees_another(&step.answer, &known).await;
            };
            if tokio::time::timeout(crowd.patience, answered).await.is_err() {
                outcome.unanswered.push(format!("{who}: “{}”", step.answer));
                break;
            }
            outcome.answers.push(Answer { done, took: self.start.elapsed().saturating_sub(done) });
            if matches!(&step.deed, Deed::Presses(_, "Confirm")) {
                outcome.submitted.push(if crowd.together {
                    form_id(self.no, true)
                } else {
                    note(self.platform.name(), self.no, round)
                });
            }
            *asked.entry(step.answer).or_default() += 1;
        }
        for (words, times) in asked {
            let shown = self.visitor.showing(&words).len();
            if shown > times && outcome.unanswered.is_empty() {
                outcome.repeated.push(format!("{who}: “{words}” {shown} times, not {times}"));
            }
        }
        outcome
    }
}
