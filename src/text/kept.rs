//! What is worked out of a message once, for all that read it.

use std::any::Any;
use std::sync::{Arc, OnceLock};

/// What one reader of a message has worked out, kept with the message. The reader brings the type: whoever keeps it need not
/// know what numbers or days are.
#[derive(Clone, Debug, Default)]
pub struct Kept(OnceLock<Arc<dyn Any + Send + Sync>>);

impl Kept {
    /// What is kept, worked out now where nothing is; `None` where something of another type is kept.
    pub fn get_or_keep<T: Any + Send + Sync>(&self, work: impl FnOnce() -> T) -> Option<&T> {
        self.0.get_or_init(|| Arc::new(work())).downcast_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_done_once_and_a_copy_keeps_it_too() {
        let kept = Kept::default();
        assert_eq!(kept.get_or_keep(|| 1), Some(&1));
        assert_eq!(kept.get_or_keep(|| 2), Some(&1));
        assert_eq!(kept.clone().get_or_keep(|| 3), Some(&1));
        assert_eq!(kept.get_or_keep(|| "four"), None);
    }
}
