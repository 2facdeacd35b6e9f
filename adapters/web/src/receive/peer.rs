//! From which address a request comes: the connection's other end, or whom a proxy that is trusted speaks for.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use formwright_listen::{Peer, counted};

/// Where proxies tell for whom they ask: the last address is the one that the last proxy saw.
const FORWARDED: &str = "x-forwarded-for";

/// Proxies whose word is taken for whom they ask.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    /// An address, and how many of its first bits count.
    trusted: Vec<(IpAddr, u8)>,
    /// Whether a proxy on this machine is one of them.
    loopback: bool,
}

impl Proxies {
    pub(crate) fn new(trusted: &[(IpAddr, u8)], loopback: bool) -> Self {
        Self { trusted: trusted.to_vec(), loopback }
    }

    /// The address that a request counts for; none where the connection is not known, as in a server of the caller's.
    pub(crate) fn client(&self, extensions: &Extensions, headers: &HeaderMap) -> Option<IpAddr> {
        let ConnectInfo(Peer(peer)) = extensions.get::<ConnectInfo<Peer>>()?;
        let told = headers.get_all(FORWARDED).iter().filter_map(|value| value.to_str().ok());
        let told: Vec<&str> = told.flat_map(|list| list.split(',')).map(str::trim).collect();
        let mut address = peer.to_canonical();
        for before in told.iter().rev() {
            if !self.trusts(address) {
                break;
            }
            let Some(before) = parse(before) else { break };
            address = before;
        }
        Some(counted(address))
    }

    /// Whether a proxy at an address is trusted.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|(network, bits)| is_within(address, *network, *bits))
            || self.loopback && address.is_loopback()
    }
}

/// An address as proxies write it: bare, in brackets, or with a port.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// Whether an address begins as a network does.
fn is_within(address: IpAddr, network: IpAddr, bits: u8) -> bool {
    let (off, most) = match (address, network) {
        (IpAddr::V4(one), IpAddr::V4(other)) => (u128::from(one.to_bits() ^ other.to_bits()), 32),
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits() ^ other.to_bits(), 128),
        // An address of the older kind in the form of the newer.
        (IpAddr::V4(_), IpAddr::V6(_)) if network.to_canonical().is_ipv4() => {
            return is_within(address, network.to_canonical(), bits.saturating_sub(96));
        }
        _ => return false,
    };
    let free = most - u32::from(bits).min(most);
    off.checked_shr(free).unwrap_or_default() == 0
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::direct("192.0.2.7", &[], "192.0.2.7")]
    #[case::a_stranger_is_not_believed("192.0.2.7", &["198.51.100.1"], "192.0.2.7")]
    #[case::a_proxy_speaks_for_another("10.0.0.1", &["198.51.100.1"], "198.51.100.1")]
    #[case::what_the_client_made_up("10.0.0.1", &["203.0.113.9, 198.51.100.1"], "198.51.100.1")]
    #[case::two_proxies("10.0.0.1", &["198.51.100.1, 10.0.0.2"], "198.51.100.1")]
    #[case::two_headers("10.0.0.1", &["203.0.113.9", "198.51.100.1"], "198.51.100.1")]
    #[case::a_proxy_that_says_nothing("10.0.0.1", &[], "10.0.0.1")]
    #[case::rubbish("10.0.0.1", &["unknown"], "10.0.0.1")]
    #[case::port("10.0.0.1", &["198.51.100.1:5000"], "198.51.100.1")]
    #[case::mapped("::ffff:192.0.2.7", &[], "192.0.2.7")]
    #[case::network("2001:db8:1:2:3:4:5:6", &[], "2001:db8:1:2::")]
    #[case::brackets("10.0.0.1", &["[2001:db8:1:2::9]"], "2001:db8:1:2::")]
    #[case::this_machine("127.0.0.1", &["198.51.100.1"], "127.0.0.1")]
    fn an_address_is_the_peers_unless_a_proxy_is_trusted(
        #[case] peer: &str,
        #[case] forwarded: &[&str],
        #[case] client: &str,
    ) {
        let proxies = Proxies::new(&[("10.0.0.1".parse().unwrap(), 31), ("10.0.0.2".parse().unwrap(), 32)], false);
        assert_eq!(asks(&proxies, peer, forwarded).to_string(), client);
    }

    #[test]
    fn a_proxy_on_this_machine_is_believed_where_one_is_expected() {
        let proxies = Proxies::new(&[], true);
        assert_eq!(asks(&proxies, "127.0.0.1", &["198.51.100.1"]).to_string(), "198.51.100.1");
    }

    #[rstest]
    #[case("10.1.2.3", "10.0.0.0", 8, true)]
    #[case("11.1.2.3", "10.0.0.0", 8, false)]
    #[case("192.0.2.7", "0.0.0.0", 0, true)]
    #[case("192.0.2.7", "192.0.2.7", 32, true)]
    #[case("192.0.2.8", "192.0.2.7", 32, false)]
    #[case("192.0.2.7", "::ffff:192.0.2.0", 120, true)]
    #[case("fd00::1", "fd00::", 8, true)]
    #[case("fe00::1", "fd00::", 8, false)]
    #[case("192.0.2.7", "::", 0, false)]
    fn a_network_has_the_addresses_that_begin_alike(
        #[case] address: &str,
        #[case] network: &str,
        #[case] bits: u8,
        #[case] within: bool,
    ) {
        assert_eq!(is_within(address.parse().unwrap(), network.parse().unwrap(), bits), within);
    }

    fn asks(proxies: &Proxies, peer: &str, forwarded: &[&str]) -> IpAddr {
        let mut request = Request::builder().extension(ConnectInfo(Peer(peer.parse().unwrap())));
        for list in forwarded {
            request = request.header(FORWARDED, *list);
        }
        let request = request.body(()).unwrap();
        proxies.client(request.extensions(), request.headers()).unwrap()
    }
}
