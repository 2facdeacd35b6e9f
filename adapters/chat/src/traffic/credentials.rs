//! Whether a platform takes the bot's credentials: where it refuses them, nothing more is sent until it takes them again.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a platform takes the bot's credentials, as its calls have shown.
///
/// An adapter has one, shared by everything that calls the platform. It notes a 401 here, gives
/// [`Self::trouble`] as its [`crate::Adapter::trouble`], makes no call while [`Self::are_refused`], and asks
/// the platform now and then whether it knows the bot again. The host holds deliveries back meanwhile.
#[derive(Debug)]
pub struct Credentials {
    setting: &'static str,
    refused: AtomicBool,
}

impl Credentials {
    /// Credentials that no call has tried yet, with the setting that they stand in.
    pub fn new(setting: &'static str) -> Self {
        Self { setting, refused: AtomicBool::new(false) }
    }

    /// The platform refused them. True where it took them until now, so that it is logged once.
    pub fn refused(&self) -> bool {
        !self.refused.swap(true, Ordering::Relaxed)
    }

    /// The platform took them. True where it refused them until now.
    pub fn taken(&self) -> bool {
        self.refused.swap(false, Ordering::Relaxed)
    }

    /// Whether the platform refuses them.
    pub fn are_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Why nothing is sent, and what the operator can do; none where all is well.
    pub fn trouble(&self) -> Option<String> {
        let setting = self.setting;
        self.are_refused().then(|| format!("the platform refuses {setting}: nothing is sent until it takes it again"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_lasts_until_they_are_taken_and_is_news_once() {
        let credentials = Credentials::new("slack.token");
        assert_eq!((credentials.trouble(), credentials.taken()), (None, false));
        assert_eq!((credentials.refused(), credentials.refused()), (true, false));
        assert!(credentials.trouble().is_some_and(|why| why.contains("slack.token")));
        assert_eq!((credentials.taken(), credentials.are_refused()), (true, false));
    }
}
