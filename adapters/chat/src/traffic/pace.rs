//! How fast a platform may be written to. A lane is whatever a platform counts by: a channel, a route, a whole bot.
//!
//! A call looks for the earliest time that suits all its lanes, and takes a place there only if it is willing to wait that
//! long. The place is given back when the call is dropped before it was made, so that no lane fills with calls that
//! nobody makes.
//!
//! A platform counts a call when it arrives, which is known only by its answer: a call of the next window waits until the
//! window after the answer has passed. So no allowance for the way is needed, and none adds up from window to window.
//!
//! Work that is [tried again](trying) when it was put off keeps the place of its call until then: otherwise whoever comes
//! in between would be before it, each time anew.

mod track;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use track::{Promise, Track};

/// At most `count` in any `per`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// At least 1.
    pub count: u32,
    /// The length of the window.
    pub per: Duration,
}

impl Rate {
    /// At most `count` in any `per`.
    pub const fn new(count: u32, per: Duration) -> Self {
        Self { count, per }
    }

    /// The same on average, without bursts.
    fn evenly(self) -> Self {
        Self { count: 1, per: self.per / self.count.max(1) }
    }

    fn most(self) -> usize {
        usize::try_from(self.count.max(1)).unwrap_or(usize::MAX)
    }
}

/// What a call counts against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    name: String,
    rate: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always(Rate),
    OnceRefused(Rate),
}

impl Lane {
    /// A lane with a limit that a platform enforces to the call.
    pub fn limited(name: impl Into<String>, rate: Rate) -> Self {
        Self { name: name.into(), rate: When::Always(rate) }
    }

    /// A lane for which a platform promises only the least that it takes: nothing waits until it refuses a call. For
    /// [`CALM`] after that, calls come evenly at the promised rate.
    pub fn at_least(name: impl Into<String>, rate: Rate) -> Self {
        Self { name: name.into(), rate: When::OnceRefused(rate) }
    }
}

/// How long after its time the place of a call that was put off is kept.
const KEPT_FOR: Duration = Duration::from_secs(5);
/// Places kept for calls that were put off; beyond, a call has to take its chance.
const KEPT: usize = 500;

tokio::task_local! {
    /// The work that the calls of a task belong to.
    static WORK: String;
}

/// Does work whose calls keep their places when they are put off, for the next try of the work of the same name.
pub async fn trying<T>(name: &str, work: impl Future<Output = T>) -> T {
    WORK.scope(name.to_owned(), work).await
}

/// How long a lane keeps to the promised rate after a refusal.
pub const CALM: Duration = Duration::from_secs(60);
/// The longest that a call is believed to be on its way; what takes longer, the platform takes to answer.
const WAY: Duration = Duration::from_secs(1);
/// Lanes kept before those that are free are forgotten.
const LANES: usize = 1000;
/// The longest wait that is believed.
const LONGEST: Duration = Duration::from_secs(3600);

/// The lanes of one bot.
#[derive(Debug, Default)]
pub struct Pace {
    lanes: Mutex<Lanes>,
}

#[derive(Debug, Default)]
struct Lanes {
    by_name: BTreeMap<String, Track>,
    /// Tells apart places at the same time.
    places: u64,
    /// Places of calls that were put off, by the work that they belong to, and its first lane.
    kept: BTreeMap<(String, String), Kept>,
    /// How many lanes were left when free ones were last forgotten.
    left: usize,
}

/// A place without a call that waits for it.
#[derive(Debug)]
struct Kept {
    at: Instant,
    id: u64,
    lanes: Vec<String>,
}

/// What a call finds in its lanes when its time has come.
enum Way {
    Free,
    Crowded(Instant),
    Closed,
}

impl Pace {
    /// Waits for the turn of a call. Whoever gives up waiting leaves the place to others.
    ///
    /// # Errors
    /// How long to wait, where that is longer than `patience`. No place is taken then, unless the work is
    /// [tried again](trying).
    pub async fn turn(&self, lanes: &[Lane], patience: Duration) -> Result<(), Duration> {
        self.call(lanes, patience, async {}).await
    }

    /// Makes a call in its [turn](Self::turn), and counts it from its answer on; from its turn on where it is dropped
    /// before.
    ///
    /// # Errors
    /// As for [`turn`](Self::turn); the call is not made then.
    pub async fn call<T>(
        &self,
        lanes: &[Lane],
        patience: Duration,
        call: impl Future<Output = T>,
    ) -> Result<T, Duration> {
        let deadline = Instant::now() + patience;
        let mut place = self.place(lanes, Instant::now(), deadline)?;
        let mut at = place.at;
        let left = loop {
            sleep_until(at).await;
            let now = Instant::now();
            let way = self.lock().look(lanes, &place, now);
            match way {
                Way::Free => break now,
                // Calls before it arrived late.
                Way::Crowded(until) => at = until,
                // A lane was closed meanwhile: the place is given back for a later one.
                Way::Closed => {
                    drop(place);
                    place = self.place(lanes, now, deadline)?;
                    at = place.at;
                }
            }
        };
        place.used = true;
        let answer = call.await;
        self.lock().count(lanes, &place, Instant::now().min(left + WAY));
        Ok(answer)
    }

    /// The platform refused a call and named the time to wait, which closes the first lane of the call. A wider lane is
    /// closed as well once two of its narrower lanes are refused at a time: then the limit is its own.
    pub fn refused(&self, lanes: &[Lane], after: Duration) {
        let Some((first, wider)) = lanes.split_first() else { return };
        let (now, after) = (Instant::now(), after.min(LONGEST));
        let mut all = self.lock();
        all.track(&first.name).hold(now + after);
        for lane in wider {
            let track = all.track(&lane.name);
            let before = track.blamed.replace((first.name.clone(), now + after));
            track.matters_until(now + after);
            if before.is_some_and(|(name, until)| name != first.name && until > now) {
                track.hold(now + after);
            }
        }
    }

    /// Nothing leaves in a lane for so long.
    pub fn hold(&self, lane: &str, after: Duration) {
        self.lock().track(lane).hold(Instant::now() + after.min(LONGEST));
    }

    fn place<'a>(&'a self, lanes: &'a [Lane], now: Instant, deadline: Instant) -> Result<Place<'a>, Duration> {
        let mut all = self.lock();
        let first = lanes.first().map(|lane| lane.name.clone()).unwrap_or_default();
        let work = WORK.try_with(|work| (work.clone(), first)).ok();
        all.let_go(now);
        let kept = work.as_ref().and_then(|work| all.kept.remove_entry(work));
        if let Some((work, kept)) = kept {
            if all.are_held(lanes, kept.at.max(now)) {
                all.give_back(&kept);
            } else if kept.at > now && kept.at > deadline {
                let wait = kept.at.duration_since(now);
                all.kept.insert(work, kept);
                return Err(wait);
            } else {
                // Whoever comes a little late is not put behind those who have reckoned with the place.
                return Ok(Place { pace: self, lanes, at: kept.at, id: kept.id, used: false });
            }
        }
        let at = all.earliest(lanes, now);
        // Whoever has no patience still goes where nothing is to be waited for.
        let put_off = at > now && at > deadline;
        let work = work.filter(|_| put_off && all.kept.len() < KEPT);
        if put_off && work.is_none() {
            return Err(at.duration_since(now));
        }
        let id = all.take(lanes, at, now);
        all.forget(now);
        let Some(work) = work else { return Ok(Place { pace: self, lanes, at, id, used: false }) };
        let lanes = lanes.iter().map(|lane| lane.name.clone()).collect();
        all.kept.insert(work, Kept { at, id, lanes });
        Err(at.duration_since(now))
    }

    fn lock(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lanes {
    fn track(&mut self, name: &str) -> &mut Track {
        self.by_name.entry(name.to_owned()).or_default()
    }

    /// Takes a place in each lane; gives its number.
    fn take(&mut self, lanes: &[Lane], at: Instant, now: Instant) -> u64 {
        self.places += 1;
        let id = self.places;
        for Lane { name, rate } in lanes {
            let window = match rate {
                When::Always(rate) => rate.per,
                When::OnceRefused(rate) if self.by_name.get(name).is_some_and(|lane| lane.is_calm(at)) => {
                    rate.evenly().per
                }
                When::OnceRefused(_) => continue,
            };
            let track = self.track(name);
            track.places.retain(|(counts, _)| *counts + window > now);
            track.places.insert((at, (at, id)));
            track.matters_until(at + window);
        }
        id
    }

    /// Gives back the places that nobody came for.
    fn let_go(&mut self, now: Instant) {
        let gone = |kept: &Kept| kept.at + KEPT_FOR <= now;
        let names: Vec<_> = self.kept.iter().filter(|(_, kept)| gone(kept)).map(|(name, _)| name.clone()).collect();
        for name in names {
            if let Some(kept) = self.kept.remove(&name) {
                self.give_back(&kept);
            }
        }
    }

    fn give_back(&mut self, kept: &Kept) {
        for lane in &kept.lanes {
            if let Some(track) = self.by_name.get_mut(lane) {
                track.places.remove(&(kept.at, (kept.at, kept.id)));
            }
        }
    }

    /// The earliest time from `now` on that suits all lanes.
    fn earliest(&self, lanes: &[Lane], now: Instant) -> Instant {
        let mut at = now;
        loop {
            let free = |lane: &Lane| self.by_name.get(&lane.name).map_or(at, |track| track.earliest(lane.rate, at));
            let later = lanes.iter().map(free).fold(at, Instant::max);
            if later == at {
                return at;
            }
            at = later;
        }
    }

    /// Whether a call may leave.
    fn look(&self, lanes: &[Lane], place: &Place<'_>, now: Instant) -> Way {
        if self.are_held(lanes, now) {
            return Way::Closed;
        }
        let until = |lane: &Lane| self.by_name.get(&lane.name)?.crowded(lane.rate, place.promise(), now);
        lanes.iter().filter_map(until).max().map_or(Way::Free, Way::Crowded)
    }

    /// Counts a call that was made as made at this moment.
    fn count(&mut self, lanes: &[Lane], place: &Place<'_>, now: Instant) {
        for lane in lanes {
            let Some(track) = self.by_name.get_mut(&lane.name) else { continue };
            if track.places.remove(&(place.at, place.promise())) {
                track.places.insert((now, place.promise()));
            }
        }
    }

    fn are_held(&self, lanes: &[Lane], now: Instant) -> bool {
        let held = |lane: &Lane| self.by_name.get(&lane.name)?.held;
        lanes.iter().filter_map(held).any(|until| until > now)
    }

    fn forget(&mut self, now: Instant) {
        if self.by_name.len() > LANES.max(2 * self.left) {
            self.by_name.retain(|_, track| track.stale.is_some_and(|stale| stale > now));
            self.left = self.by_name.len();
        }
    }
}

/// A place in each lane of a call; given back unless the call is made.
struct Place<'a> {
    pace: &'a Pace,
    lanes: &'a [Lane],
    at: Instant,
    id: u64,
    used: bool,
}

impl Place<'_> {
    fn promise(&self) -> Promise {
        (self.at, self.id)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.used {
            return;
        }
        let mut all = self.pace.lock();
        for lane in self.lanes {
            if let Some(track) = all.by_name.get_mut(&lane.name) {
                track.places.remove(&(self.at, self.promise()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
