//! Room for lookups in advance.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Most lookups in advance at a time: when there is more to do, people who wait come first.
const AT_ONCE: usize = 16;

/// Room for lookups in advance.
pub(crate) struct Foreseeing(pub(super) Arc<Semaphore>);

impl Default for Foreseeing {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Foreseeing {
    /// Whether anything is being looked up.
    #[cfg(test)]
    pub(crate) fn is_busy(&self) -> bool {
        self.0.available_permits() < AT_ONCE
    }
}
