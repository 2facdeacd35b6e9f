//! Networks: an address, or all addresses that begin alike.

use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An address, or a network such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Network {
    /// An address in it.
    pub address: IpAddr,
    /// How many of its bits all addresses in it share.
    pub bits: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || format!("expected an address, or a network such as 10.0.0.0/8, found `{text}`");
        let (address, bits) =
            text.trim().split_once('/').map_or((text.trim(), None), |(head, bits)| (head, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| unfit())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), str::parse).ok().filter(|bits| *bits <= most).ok_or_else(unfit)?;
        Ok(Self { address, bits })
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        format!("{}/{}", network.address, network.bits)
    }
}

/// Reads a list of texts, each as what it stands for.
pub(super) fn listed<'de, D, T, L>(data: D) -> Result<L, D::Error>
where
    D: serde::Deserializer<'de>,
    T: FromStr<Err = String>,
    L: IntoIterator<Item = T> + FromIterator<T>,
{
    let texts = Vec::<String>::deserialize(data)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}
