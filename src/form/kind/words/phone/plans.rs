//! The numbering plans of all countries: some eight megabytes, in memory only while numbers are read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rlibphonenumber::PhoneNumberUtil;

/// The plans, and whether they were asked for since the last [`put_away`].
static PLANS: Mutex<Option<(Arc<PhoneNumberUtil>, bool)>> = Mutex::new(None);

/// The plans, made ready where they are not: some twenty milliseconds.
pub(crate) fn plans() -> Arc<PhoneNumberUtil> {
    let mut plans = lock();
    // They are part of the library and every test of a number reads them.
    let made = || PhoneNumberUtil::new().unwrap_or_else(|error| panic!("the numbering plans: {error}"));
    let (ready, asked) = plans.get_or_insert_with(|| (Arc::new(made()), true));
    *asked = true;
    Arc::clone(ready)
}

/// Gives their memory back if nobody has asked for them since it was called last.
pub fn put_away() {
    let unused = lock().take_if(|(_, asked)| !std::mem::take(asked));
    drop(unused);
}

fn lock() -> MutexGuard<'static, Option<(Arc<PhoneNumberUtil>, bool)>> {
    PLANS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_nobody_needs_are_put_away_and_made_ready_again() {
        let first = Arc::downgrade(&plans());
        // Other tests ask for them too, but not between any two of these.
        (0..10_000).take_while(|_| first.strong_count() > 0).for_each(|_| put_away());
        assert_eq!(first.strong_count(), 0);
        assert_eq!(plans().get_country_code_for_region("IT".parse().unwrap()), Some(39));
    }
}
