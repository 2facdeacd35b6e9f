//! The ledger: what people confirmed and were told, against what took effect where.

use std::collections::{BTreeMap, BTreeSet};

/// A book of confirmations and of their effects at each sink.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Orders whose confirmation was sent, answered or not.
    pub(crate) asked: BTreeSet<String>,
    /// Orders whose confirmation was answered with "submitted".
    pub(crate) acknowledged: BTreeSet<String>,
    /// What each sink holds: the submission's id and the order's name, as often as they are in it.
    pub(crate) effects: BTreeMap<&'static str, Vec<(String, String)>>,
}

impl Ledger {
    /// Everything that does not add up; empty when all is well.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (sink, effects) in &self.effects {
            let mut by_order: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (id, order) in effects {
                by_order.entry(order).or_default().push(id);
            }
            for order in &self.acknowledged {
                match by_order.get(order.as_str()).map_or(0, Vec::len) {
                    1 => {}
                    0 => complaints.push(format!("{sink}: {order} was acknowledged and is lost")),
                    n => complaints.push(format!("{sink}: {order} took effect {n} times")),
                }
            }
            for (order, ids) in by_order {
                if !self.asked.contains(order) {
                    complaints.push(format!("{sink}: {order} took effect and was never confirmed ({ids:?})"));
                }
            }
        }
        complaints
    }
}

#[test]
fn a_ledger_sees_what_is_lost_doubled_and_invented() {
    let orders = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let effect = |id: &str, order: &str| (id.to_owned(), order.to_owned());
    let effects = vec![effect("1", "a"), effect("2", "b"), effect("2", "b"), effect("3", "unanswered")];
    let mut ledger = Ledger {
        asked: orders(&["a", "b", "unanswered"]),
        acknowledged: orders(&["a"]),
        effects: BTreeMap::from([("file", effects)]),
    };
    assert_eq!(ledger.complaints(), [""; 0], "what was not answered may have happened or not");
    ledger.acknowledged = orders(&["a", "b", "c"]);
    ledger.asked = orders(&["a", "b", "c"]);
    assert_eq!(ledger.complaints().len(), 3, "b doubled, c lost, one invented");
}
