//! An error with all that led to it, on one line, for a log.

use std::error::Error;

/// The words of an error and of each of its causes, the last cause last. A cause whose words are there already is not
/// repeated.
///
/// It is made where the error is logged, and nowhere before: whoever passes an error on keeps its causes in it.
pub fn chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    for cause in std::iter::successors(error.source(), |cause| (*cause).source()) {
        let words = cause.to_string();
        if !line.contains(&words) {
            line.push_str(": ");
            line.push_str(&words);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the file cannot be written: {0}")]
    struct Outer(#[source] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("the disk is full")]
    struct Inner(#[source] std::io::Error);

    #[test]
    fn each_cause_is_told_once() {
        let error = Outer(Inner(std::io::Error::other("no space left")));
        assert_eq!(chain(&error), "the file cannot be written: the disk is full: no space left");
    }
}
