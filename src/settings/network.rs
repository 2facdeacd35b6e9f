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

/// Reads a list of texts, or a text of them with commas between, each as what it stands for.
pub(super) fn listed<'de, D, T, L>(data: D) -> Result<L, D::Error>
where
    D: serde::Deserializer<'de>,
    T: FromStr<Err = String>,
    L: IntoIterator<Item = T> + FromIterator<T>,
{
    struct Written;
    impl<'de> serde::de::Visitor<'de> for Written {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of addresses")
        }

        fn visit_str<E>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(text.split(',').filter(|part| !part.trim().is_empty()).map(str::to_owned).collect())
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Vec<String>, A::Error> {
            Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(list))
        }
    }
    let texts = data.deserialize_any(Written)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}
