//! JSON Lines: one submission a line, as stored.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::Deserialize;

use super::file::{Change, Format, Records};
use super::{Sink, SinkError, blocking};
use formwright_engine::Submission;

/// Appends submissions to a file, one JSON object a line, each id and revision once.
pub struct Jsonl {
    records: Arc<Mutex<Records<Lines>>>,
}

struct Lines;

/// What of a line tells which submission it is.
#[derive(Deserialize)]
struct Head {
    id: String,
    revision: u32,
}

impl Jsonl {
    /// A sink that appends to this file; it and its directory are made when the first submission comes.
    pub fn new(path: PathBuf) -> Self {
        Self { records: Arc::new(Mutex::new(Records::new(path, Lines))) }
    }
}

#[async_trait]
impl Sink for Jsonl {
    async fn deliver(&self, _id: &str, submission: &Submission) -> Result<(), SinkError> {
        let (records, submission) = (Arc::clone(&self.records), submission.clone());
        blocking(move || {
            let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
            records.add(&submission).map_err(SinkError::retry)
        })
        .await
    }
}

impl Format for Lines {
    const SHOWS_ITS_END: bool = true;

    fn is_whole(&self, _lines: &[u8]) -> bool {
        true
    }

    fn see(&mut self, record: &[u8]) -> Option<(String, u32)> {
        let head: Head = serde_json::from_slice(record).ok()?;
        Some((head.id, head.revision))
    }

    fn forget(&mut self) {}

    fn write(&mut self, submission: &Submission) -> io::Result<Change> {
        let mut line = serde_json::to_vec(submission)?;
        line.push(b'\n');
        Ok(Change::Append(line))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::tests::submission;
    use super::*;

    fn ids(path: &std::path::Path) -> Vec<(String, u32)> {
        let text = std::fs::read_to_string(path).unwrap();
        let parse = |line| serde_json::from_str::<Submission>(line).unwrap();
        text.lines().map(parse).map(|s| (s.id, s.revision)).collect()
    }

    async fn deliver(sink: &Jsonl, id: &str, revision: u32) {
        let answers = json!({"note": "two\nlines and \"quotes\""});
        sink.deliver("any", &submission(id, revision, answers)).await.unwrap();
    }

    #[tokio::test]
    async fn each_submission_is_one_line_however_often_it_comes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/pizza.jsonl");
        let sink = Jsonl::new(path.clone());
        for (id, revision) in [("a", 1), ("a", 1), ("b", 1), ("a", 2), ("b", 1)] {
            deliver(&sink, id, revision).await;
        }
        // A new process has only the file to know from.
        let again = Jsonl::new(path.clone());
        for (id, revision) in [("a", 2), ("b", 1), ("c", 1)] {
            deliver(&again, id, revision).await;
            deliver(&sink, id, revision).await;
        }
        let expected = [("a", 1), ("b", 1), ("a", 2), ("c", 1)];
        assert_eq!(ids(&path), expected.map(|(id, revision)| (id.to_owned(), revision)));
    }

    #[rstest]
    #[case::whole_but_for_its_end(0, true)]
    #[case::cut_in_the_middle(30, false)]
    #[case::all_but_a_byte(1, false)]
    #[tokio::test]
    async fn a_torn_last_line_is_mended(#[case] missing: usize, #[case] kept: bool) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pizza.jsonl");
        deliver(&Jsonl::new(path.clone()), "a", 1).await;
        deliver(&Jsonl::new(path.clone()), "b", 1).await;
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 1 - missing]).unwrap();
        let sink = Jsonl::new(path.clone());
        deliver(&sink, "c", 1).await;
        let names: Vec<String> = ids(&path).into_iter().map(|(id, _)| id).collect();
        assert_eq!(names, if kept { vec!["a", "b", "c"] } else { vec!["a", "c"] });
        deliver(&sink, "b", 1).await;
        assert_eq!(ids(&path).len(), 3, "what was cut off can be delivered again, what was kept is not doubled");
    }

    #[tokio::test]
    async fn a_file_that_was_moved_away_begins_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pizza.jsonl");
        let sink = Jsonl::new(path.clone());
        deliver(&sink, "a", 1).await;
        std::fs::rename(&path, directory.path().join("old.jsonl")).unwrap();
        deliver(&sink, "b", 1).await;
        assert_eq!(ids(&path), [("b".to_owned(), 1)]);
    }
}
