//! What was seen when Redis was looked at last, and what operators are to know of it.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;

/// How far the machine's clock may be from the store's before that is told, and before this replica works on nothing.
const TELL_OFFSET: SignedDuration = SignedDuration::from_secs(5);
const WORST_OFFSET: SignedDuration = SignedDuration::from_secs(60);
/// What was seen last.
#[derive(Default)]
pub(crate) struct Watched(Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    pub(super) looks: u32,
    /// Whether what is told to be safe must be at a replica; none before the first look.
    pub(super) backed: Option<bool>,
    /// Why conversations may be thrown away; told once.
    pub(super) evicting: Option<String>,
    /// The name that this Redis was given when it was first used.
    pub(super) name: Option<String>,
    pub(super) clock: Clock,
    /// What operators are to know.
    pub(super) notices: BTreeSet<&'static str>,
}

/// How the machine's clock stands to the store's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Clock {
    #[default]
    Right,
    Off,
    Wrong,
}

impl Watched {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the server was looked at, and may be used.
    pub(crate) fn knows(&self) -> bool {
        self.state().backed.is_some()
    }

    /// Whether this machine's time is so wrong that it would end other people's drafts.
    pub(crate) fn is_out_of_time(&self) -> bool {
        self.state().clock == Clock::Wrong
    }

    /// Keeps what operators are to know.
    pub(crate) fn tell(&self, notice: &'static str) {
        tracing::error!("{notice}");
        self.state().notices.insert(notice);
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        self.state().notices.iter().map(|notice| (*notice).to_owned()).collect()
    }

    /// What keeps this replica from being ready.
    pub(crate) fn unfit(&self) -> Vec<&'static str> {
        let state = self.state();
        let clock = (state.clock == Clock::Wrong).then_some("the clock of this machine is wrong");
        let full = state.evicting.is_some().then_some("the store throws conversations away when its memory is full");
        clock.into_iter().chain(full).collect()
    }
}

impl Clock {
    pub(super) fn of(offset: SignedDuration) -> Self {
        match offset.abs() {
            offset if offset > WORST_OFFSET => Self::Wrong,
            offset if offset > TELL_OFFSET => Self::Off,
            _ => Self::Right,
        }
    }
}
