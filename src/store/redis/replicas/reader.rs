//! How far the events of each partition were read.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::replicas::Partition;

/// An id in a stream, in the order of acceptance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StreamId {
    millis: u64,
    no: u64,
}

impl StreamId {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (millis, no) = text.split_once('-')?;
        Some(Self { millis: millis.parse().ok()?, no: no.parse().ok()? })
    }
}

impl std::fmt::Display for StreamId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.millis, self.no)
    }
}

/// How far each partition was read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// With the fence that it was read under: a partition that was lost and taken again is read from its beginning.
    pub(super) read: BTreeMap<Partition, (String, Option<StreamId>)>,
    pub(super) looked: Option<Instant>,
}
