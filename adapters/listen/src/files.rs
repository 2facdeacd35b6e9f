//! How many files the process may have open: every connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The most that is asked for: more than all connections and the store need.
const WANTED: u64 = 65_536;

/// Files kept for everything that is no connection of a listener's.
const KEPT: u64 = 256;

/// Raises the number of files that may be open as far as the system allows without asking; gives what it is then.
pub fn raise_limit() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    if current.is_some_and(|current| current < wanted) {
        // Where it may not be raised, fewer connections are taken in.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
    getrlimit(Resource::Nofile).current
}

/// How many of so many connections there are files for.
pub(crate) fn affordable(connections: usize) -> usize {
    affordable_of(connections, getrlimit(Resource::Nofile).current)
}

/// Half of what is not kept: a program may have several listeners, and connections of its own.
fn affordable_of(connections: usize, files: Option<u64>) -> usize {
    let Some(files) = files else { return connections };
    let half = usize::try_from(files.saturating_sub(KEPT) / 2).unwrap_or(usize::MAX);
    connections.min(half.max(16))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::no_limit(None, 4_096)]
    #[case::plenty(Some(65_536), 4_096)]
    #[case::as_shells_have_it(Some(1_024), 384)]
    #[case::next_to_nothing(Some(64), 16)]
    fn connections_leave_files_for_everything_else(#[case] files: Option<u64>, #[case] connections: usize) {
        assert_eq!(affordable_of(4_096, files), connections);
    }

    #[test]
    fn the_limit_is_raised_as_far_as_it_goes() {
        let raised = raise_limit();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!(raised, current);
        assert!(current.is_none_or(|current| current >= maximum.unwrap_or(WANTED).min(WANTED)));
    }
}
