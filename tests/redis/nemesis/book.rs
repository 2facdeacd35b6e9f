//! What people said and were told, against what took effect.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::platforms::stage::Platform;

/// Confirmed forms, what went wrong with replies, and what was done to whom.
#[derive(Default)]
pub(super) struct Book {
    /// Forms that were told to be submitted, with the things said in them, in their order.
    pub(super) told: BTreeMap<String, Vec<String>>,
    /// Messages that were answered.
    pub(super) turns: u64,
    /// Replies that do not answer what was said.
    pub(super) wrong: Vec<String>,
    /// Replies that a person saw more than once.
    pub(super) repeated: Vec<(Platform, String)>,
    /// What happened, and how often.
    pub(super) troubles: BTreeMap<&'static str, u32>,
}

impl Book {
    /// Whether a platform may show a message twice: where it takes no name for a message, what it has shown and its
    /// sender never heard of is sent again. Discord's messages have a name that it takes once.
    fn may_repeat(platform: Platform) -> bool {
        match platform {
            Platform::Telegram | Platform::Slack => true,
            Platform::Discord => false,
        }
    }

    fn times(&self, platform: Platform) -> usize {
        self.repeated.iter().filter(|(at, _)| *at == platform).count()
    }

    /// One paragraph about the run.
    pub(super) fn tells(&self, seed: u64, takeovers: u64) -> String {
        let troubles: Vec<String> = self.troubles.iter().map(|(name, times)| format!("{name} {times}")).collect();
        let repeated: Vec<String> =
            self.repeated.iter().map(|(platform, what)| format!("{platform:?}: {what}")).collect();
        let shown = Platform::ALL.map(|platform| format!("{platform:?} {}", self.times(platform))).join(", ");
        format!(
            "nemesis: seed {seed}: {} forms, {} turns, {takeovers} partitions changed hands; {}; shown twice: {shown} \
             {repeated:?}",
            self.told.len(),
            self.turns,
            troubles.join(", ")
        )
    }

    /// Everything that does not add up.
    pub(super) fn complaints(&self, effects: &BTreeMap<String, Vec<Value>>) -> Vec<String> {
        let mut complaints = self.wrong.clone();
        for (name, things) in &self.told {
            let things = Value::from(things.clone());
            match effects.get(name).map(Vec::as_slice) {
                None | Some([]) => complaints.push(format!("lost: {name}")),
                Some([one]) if *one == things => {}
                Some([one]) => complaints.push(format!("lost, doubled or out of order: {name}: {one}, not {things}")),
                Some(several) => complaints.push(format!("doubled: {name}: {several:?}")),
            }
        }
        let invented = effects.keys().filter(|name| !self.told.contains_key(*name));
        complaints.extend(invented.map(|name| format!("invented: {name}")));
        let repeated = self.repeated.iter().filter(|(platform, _)| !Self::may_repeat(*platform));
        complaints.extend(repeated.map(|(platform, what)| format!("shown twice on {platform:?}: {what}")));
        complaints
    }
}

#[test]
fn a_book_sees_what_is_lost_doubled_out_of_order_and_invented() {
    let things = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
    let effect = |all: &[&str]| Value::from(things(all));
    let names = ["a", "b", "c", "d"];
    let told = names.map(|name| (name.to_owned(), things(&["1", "2"]))).into();
    let mut book = Book { told, ..Book::default() };
    let mut effects: BTreeMap<_, _> = names.map(|name| (name.to_owned(), vec![effect(&["1", "2"])])).into();
    assert_eq!(book.complaints(&effects), [""; 0]);
    effects.remove("a");
    effects.insert("b".to_owned(), vec![effect(&["1", "2"]); 2]);
    effects.insert("c".to_owned(), vec![effect(&["2", "1"])]);
    effects.insert("e".to_owned(), vec![effect(&["1"])]);
    assert_eq!(book.complaints(&effects).len(), 4);
    book.repeated = Platform::ALL.map(|platform| (platform, "hello".to_owned())).into();
    assert_eq!(book.complaints(&effects).len(), 5, "Discord shows nothing twice");
}
