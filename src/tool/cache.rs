//! Results that are kept for a while: for the next who asks the same, and those that were asked for in advance.
//!
//! A result is kept where the form says how long it stays fresh. One that was asked for in advance serves once, and is kept
//! only after it has served well: what the form cannot use is asked for again. Each process has its own.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hashlink::LruCache;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use formwright_engine::{Purpose, ToolCall};
use formwright_form::{Form, Tool};

/// Most results that are kept, and most bytes of them, in JSON.
const MOST: usize = 2000;
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// How long what was asked for in advance is worth something where the form does not say.
const FORESEEN: Duration = Duration::from_secs(10 * 60);

/// What a result is kept under: a digest of who asks what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// A key like no other of its number.
    #[cfg(test)]
    pub(super) fn of_test(no: u8) -> Self {
        Self([no; 32])
    }

    /// None where the result must not be kept.
    pub(super) fn of(form: &Form, tool: &Tool, call: &ToolCall, whose: &str) -> Option<Self> {
        if !form.may_keep(tool) || call.purpose != Purpose::Know {
            return None;
        }
        let mut digest = Sha256::new();
        let args = call.args.to_string();
        let whose = if tool.shared { "" } else { whose };
        for part in [form.id.as_str(), form.version.as_str(), tool.id.as_str(), &args, whose] {
            digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            digest.update(part);
        }
        Some(Self(digest.finalize().into()))
    }
}

/// How far a result has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    /// Asked for in advance, nobody has had it.
    Foreseen,
    /// It serves somebody, who has not said yet whether it is of use.
    Served,
    /// It was of use.
    Good,
}

struct Entry {
    result: Arc<Value>,
    bytes: usize,
    at: Instant,
    worth: Worth,
}

/// The results. Clones share them.
#[derive(Clone)]
pub(super) struct Cache(Arc<Mutex<Kept>>);

struct Kept {
    entries: LruCache<Key, Entry>,
    bytes: usize,
}

impl Default for Cache {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Kept { entries: LruCache::new_unbounded(), bytes: 0 })))
    }
}

impl Cache {
    /// A result that is fresh enough for the tool.
    pub(super) fn get(&self, key: Key, tool: &Tool, now: Instant) -> Option<Value> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = kept.entries.get_mut(&key)?;
        let longest = tool.fresh.map_or(FORESEEN, Duration::from_secs);
        let fresh = now.saturating_duration_since(entry.at) < longest;
        let result = match entry.worth {
            Worth::Foreseen | Worth::Good if fresh => Some(Value::clone(&entry.result)),
            Worth::Foreseen | Worth::Good | Worth::Served => None,
        };
        match &result {
            Some(_) if tool.fresh.is_some() && entry.worth == Worth::Foreseen => entry.worth = Worth::Served,
            Some(_) if tool.fresh.is_some() => {}
            Some(_) | None => kept.remove(key),
        }
        result
    }

    /// Whether there is a result that will serve.
    pub(super) fn has(&self, key: Key, tool: &Tool, now: Instant) -> bool {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = tool.fresh.map_or(FORESEEN, Duration::from_secs);
        let serves = |entry: &Entry| entry.worth != Worth::Served && now.saturating_duration_since(entry.at) < longest;
        kept.entries.peek(&key).is_some_and(serves)
    }

    /// Keeps what was asked for in advance.
    pub(super) fn foresee(&self, key: Key, result: &Value, now: Instant) {
        self.put(key, result, now, Worth::Foreseen);
    }

    /// Notes that a result was of use, and keeps it where the tool says how long.
    pub(super) fn keep(&self, key: Key, tool: &Tool, result: &Value, now: Instant) {
        if tool.fresh.is_none() {
            return;
        }
        {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(entry) = kept.entries.peek_mut(&key).filter(|entry| *entry.result == *result) {
                entry.worth = Worth::Good;
                return;
            }
        }
        self.put(key, result, now, Worth::Good);
    }

    fn put(&self, key: Key, result: &Value, now: Instant, worth: Worth) {
        let bytes = result.to_string().len();
        if bytes > MOST_BYTES / 8 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(key);
        kept.bytes += bytes;
        kept.entries.insert(key, Entry { result: Arc::new(result.clone()), bytes, at: now, worth });
        while kept.bytes > MOST_BYTES || kept.entries.len() > MOST {
            let Some((_, oldest)) = kept.entries.remove_lru() else { break };
            kept.bytes -= oldest.bytes;
        }
    }
}

impl Kept {
    fn remove(&mut self, key: Key) {
        if let Some(entry) = self.entries.remove(&key) {
            self.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use formwright_form::{ToolId, ToolRun};
    use formwright_load::{Syntax, load};

    fn form(keys: &str) -> Form {
        let text = format!(
            "id = \"f\"\ntitle = \"F\"\n[[field]]\nid = \"a\"\nkind = \"text\"\n[[tool]]\nid = \"t\"\nkind = \"function\"\n{keys}"
        );
        load(&text, Syntax::Toml).form.unwrap()
    }

    fn key(form: &Form, args: Value, whose: &str) -> Key {
        let call = ToolCall {
            call: "c".to_owned(),
            form: form.id.clone(),
            version: form.version.clone(),
            tool: ToolId::new("t"),
            args,
            purpose: Purpose::Know,
        };
        Key::of(form, &form.tools[&ToolId::new("t")], &call, whose).unwrap()
    }

    #[rstest]
    #[case::the_same("", json!({"a": 1}), "ann", true)]
    #[case::another_argument("", json!({"a": 2}), "ann", false)]
    #[case::another_person("", json!({"a": 1}), "bob", false)]
    #[case::shared_by_all("shared = true", json!({"a": 1}), "bob", true)]
    fn a_result_serves_who_asks_the_same(
        #[case] keys: &str,
        #[case] args: Value,
        #[case] whose: &str,
        #[case] serves: bool,
    ) {
        let form = form(&format!("fresh = \"10m\"\n{keys}"));
        let tool = &form.tools[&ToolId::new("t")];
        let (cache, now) = (Cache::default(), Instant::now());
        cache.keep(key(&form, json!({"a": 1}), "ann"), tool, &json!("rows"), now);
        assert_eq!(cache.get(key(&form, args, whose), tool, now), serves.then(|| json!("rows")));
    }

    #[rstest]
    #[case::young("fresh = \"10m\"", 599, true)]
    #[case::old("fresh = \"10m\"", 600, false)]
    #[case::for_no_time("", 0, false)]
    fn a_result_is_kept_as_long_as_the_form_says(#[case] keys: &str, #[case] age: u64, #[case] serves: bool) {
        let form = form(keys);
        let tool = &form.tools[&ToolId::new("t")];
        let (cache, now, key) = (Cache::default(), Instant::now(), key(&form, json!({}), "ann"));
        cache.keep(key, tool, &json!(1), now);
        let later = now + Duration::from_secs(age);
        assert_eq!((cache.has(key, tool, later), cache.get(key, tool, later).is_some()), (serves, serves));
    }

    #[rstest]
    #[case::for_the_draft("")]
    #[case::for_a_while("fresh = \"1h\"")]
    fn what_was_foreseen_serves_once_until_it_was_of_use(#[case] keys: &str) {
        let form = form(keys);
        let tool = &form.tools[&ToolId::new("t")];
        let (cache, now, key) = (Cache::default(), Instant::now(), key(&form, json!({}), "ann"));
        cache.foresee(key, &json!(1), now);
        assert!(cache.has(key, tool, now));
        assert_eq!(cache.get(key, tool, now), Some(json!(1)));
        assert!(!cache.has(key, tool, now));
        assert_eq!(cache.get(key, tool, now), None, "it was of no use");
        cache.foresee(key, &json!(2), now);
        cache.get(key, tool, now);
        cache.keep(key, tool, &json!(2), now + Duration::from_secs(9));
        assert_eq!(cache.get(key, tool, now).is_some(), tool.fresh.is_some());
        let late = now + Duration::from_secs(3600);
        assert_eq!(cache.get(key, tool, late), None, "its age counts from when it was asked for");
    }

    #[test]
    fn there_is_room_for_so_many_and_no_more() {
        let form = form("fresh = \"1h\"");
        let tool = &form.tools[&ToolId::new("t")];
        let (cache, now) = (Cache::default(), Instant::now());
        let large = json!("x".repeat(MOST_BYTES / 8 - 10));
        for no in 0..20 {
            cache.keep(key(&form, json!(no), "ann"), tool, &large, now);
        }
        assert!(cache.get(key(&form, json!(0), "ann"), tool, now).is_none());
        assert!(cache.get(key(&form, json!(19), "ann"), tool, now).is_some());
        cache.keep(key(&form, json!("huge"), "ann"), tool, &json!("x".repeat(MOST_BYTES / 4)), now);
        assert!(cache.get(key(&form, json!("huge"), "ann"), tool, now).is_none());
        for no in 0..2 * MOST {
            cache.keep(key(&form, json!(no), "bob"), tool, &json!(no), now);
        }
        let kept = cache.0.lock().unwrap();
        assert!(kept.entries.len() <= MOST && kept.bytes <= MOST_BYTES);
        assert_eq!(kept.bytes, kept.entries.iter().map(|(_, entry)| entry.bytes).sum::<usize>());
        assert!(matches!(tool.run, ToolRun::Function));
    }
}
