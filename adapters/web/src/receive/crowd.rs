//! How much one address, and one visitor, may have under way at once. Connections are counted where they come in; here
//! are requests, which may come through a proxy's connections, and requests that wait for notices.

use std::net::IpAddr;

use formwright_listen::{Place, Places};

use crate::error::ApiError;

/// Seconds after which a client that has too much under way may ask again.
const RETRY_AFTER: u32 = 10;

/// Counts what is under way.
pub(crate) struct Crowd {
    pub(super) asking: Places<IpAddr>,
    waiting: Places<IpAddr>,
    visitors: Places<String>,
}

/// A request that waits for notices, counted until it is dropped.
pub(crate) struct Waiting {
    _address: Option<Place<IpAddr>>,
    _visitor: Place<String>,
}

impl Crowd {
    /// Requests of an address, and waiting ones of an address and of a visitor.
    pub(crate) fn new(requests: u32, polls_per_address: u32, polls_per_visitor: u32) -> Self {
        let places = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        Self {
            asking: Places::new(places(requests)),
            waiting: Places::new(places(polls_per_address)),
            visitors: Places::new(places(polls_per_visitor)),
        }
    }

    /// A place to wait in for a visitor and their address, where that counts.
    pub(crate) fn wait(&self, visitor: &str, address: Option<IpAddr>) -> Result<Waiting, ApiError> {
        let of_visitor = self.visitors.take(visitor.to_owned()).ok_or_else(too_much)?;
        let of_address = address.map(|address| self.waiting.take(address).ok_or_else(too_much)).transpose()?;
        Ok(Waiting { _address: of_address, _visitor: of_visitor })
    }
}

pub(super) fn too_much() -> ApiError {
    ApiError::busy(RETRY_AFTER, "Too many requests wait here at once. Close some, or wait for answers, and try again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_too_often_is_told_to_come_back_and_leaves_room_for_others() {
        let crowd = Crowd::new(1, 3, 2);
        let (here, there) = (Some(IpAddr::from([192, 0, 2, 7])), Some(IpAddr::from([192, 0, 2, 8])));
        let first = [crowd.wait("a", here), crowd.wait("a", here)];
        assert!(first.iter().all(Result::is_ok));
        assert_eq!(crowd.wait("a", there).err().map(|refusal| refusal.retry_after), Some(Some(RETRY_AFTER)));
        let other = crowd.wait("b", here);
        assert!(other.is_ok() && crowd.wait("c", here).is_err() && crowd.wait("c", there).is_ok());
        // Whose address is full has not used up a place of their own.
        drop(first);
        assert!(crowd.wait("c", here).is_ok() && crowd.wait("a", here).is_ok());
    }

    #[test]
    fn sixty_people_of_one_address_wait_and_ask() {
        let settings = crate::WebSettings::default();
        let crowd =
            Crowd::new(settings.connections_per_address, settings.polls_per_address, settings.polls_per_visitor);
        let here = IpAddr::from([192, 0, 2, 7]);
        let waiting: Vec<_> = (0..60).map(|no| crowd.wait(&no.to_string(), Some(here))).collect();
        assert!(waiting.iter().all(Result::is_ok));
        assert!(settings.connections_per_address >= 2 * 60, "each waits by one connection and asks by another");
    }
}
