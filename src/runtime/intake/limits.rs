//! How much is taken from a person, and what is never taken.

use formwright_chat as chat;
use unicode_normalization::UnicodeNormalization as _;

/// How much is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Bytes of a message, or of all the texts of a page of fields.
    pub message: usize,
    /// Bytes of tool results that a client sends.
    pub tool_results: usize,
    /// Bytes of a session as stored.
    pub session: usize,
    /// How long a message on a chat platform that looks unfinished waits for the next, to be read with it; zero reads each
    /// by itself.
    pub merge_window: std::time::Duration,
    /// Messages that a person may send at once.
    pub burst: u32,
    /// Messages a second that a person may go on with after that.
    pub per_second: f64,
    /// How long things are kept that are over.
    pub kept: crate::Kept,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 16 * 1024,
            tool_results: 64 * 1024,
            session: 256 * 1024,
            merge_window: std::time::Duration::from_millis(1500),
            burst: 20,
            per_second: 1.0,
            kept: crate::Kept::default(),
        }
    }
}

/// Longest id that a platform has.
const ID: usize = 512;
/// Most presses, files or tool results of one event.
const MANY: usize = 200;

/// Checks an event and cleans its texts: composed form, no control characters but line ends and tabs.
///
/// # Errors
/// A sentence for the sender.
pub(crate) fn admit(mut event: chat::Event, limits: &Limits) -> Result<chat::Event, String> {
    let chat::Place { platform, workspace, channel, thread } = &event.place;
    let ids = [event.id.as_str(), event.user.id.as_str(), platform.as_str(), workspace, channel];
    if ids.into_iter().chain(thread.as_deref()).any(|id| id.len() > ID || id.contains('\0')) {
        return Err("That message has an id that no platform gives.".to_owned());
    }
    if matches!(event.action, chat::Action::Case { .. }) {
        return Err("That is nothing that a person does.".to_owned());
    }
    let many = match &event.action {
        chat::Action::Press { presses } => presses.len(),
        chat::Action::Attach { files, .. } => files.len(),
        chat::Action::ToolResults { results } => results.len(),
        chat::Action::Open { .. }
        | chat::Action::Start { .. }
        | chat::Action::Case { .. }
        | chat::Action::Say { .. }
        | chat::Action::Edit { .. }
        | chat::Action::Share { .. } => 0,
    };
    let prefill = &event.terms.prefill.0;
    if many > MANY || prefill.len() > MANY || prefill.keys().any(|path| path.len() > ID) {
        return Err("That was too much at once. Please send it in parts.".to_owned());
    }
    if let chat::Action::ToolResults { results } = &event.action
        && size(results) > limits.tool_results
    {
        return Err("The tool's result is too large.".to_owned());
    }
    if event.terms.brought.as_ref().is_some_and(|brought| size(brought) > limits.session) {
        return Err("That form is too large to be kept.".to_owned());
    }
    let mut length = 0;
    for text in texts(&mut event) {
        if text.contains('\0') {
            return Err("That message has characters that are no text. Please write it again.".to_owned());
        }
        length += text.len();
        if length > limits.message {
            let most = limits.message / 1024;
            return Err(format!("That message is too long. Please keep it under {most} KB, or send it in parts."));
        }
        *text = text.nfc().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    }
    Ok(event)
}

/// Bytes of something as stored.
pub(crate) fn size<T: serde::Serialize>(value: &T) -> usize {
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

struct Count(usize);

impl std::io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Everything in an event that a person wrote.
fn texts(event: &mut chat::Event) -> Vec<&mut String> {
    let mut texts: Vec<&mut String> = event.user.name.iter_mut().collect();
    texts.extend(event.terms.prefill.0.values_mut());
    match &mut event.action {
        chat::Action::Open { form } => texts.extend(form),
        chat::Action::Start { form, text } => texts.extend([form, text]),
        chat::Action::Say { text } | chat::Action::Edit { text, .. } => texts.push(text),
        chat::Action::Press { presses } => {
            for press in presses {
                match &mut press.value {
                    chat::Pressed::Button | chat::Pressed::Empty | chat::Pressed::Options { .. } => {}
                    chat::Pressed::Text { text } => texts.push(text),
                    chat::Pressed::Files { files } => files.iter_mut().for_each(|file| file_texts(file, &mut texts)),
                    chat::Pressed::Location { location } => place_texts(location, &mut texts),
                }
            }
        }
        chat::Action::Attach { files, text } => {
            files.iter_mut().for_each(|file| file_texts(file, &mut texts));
            texts.push(text);
        }
        chat::Action::Share { location } => place_texts(location, &mut texts),
        chat::Action::ToolResults { .. } | chat::Action::Case { .. } => {}
    }
    texts
}

fn file_texts<'a>(file: &'a mut chat::FileRef, texts: &mut Vec<&'a mut String>) {
    texts.extend([&mut file.id, &mut file.name, &mut file.media_type]);
}

fn place_texts<'a>(place: &'a mut chat::LocationRef, texts: &mut Vec<&'a mut String>) {
    texts.extend([&mut place.address, &mut place.city, &mut place.country].into_iter().flatten());
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn said(text: &str) -> chat::Event {
        let place = chat::Place {
            platform: chat::Platform::new("web"),
            workspace: String::new(),
            channel: "c".to_owned(),
            thread: None,
        };
        let user = chat::User { id: chat::UserId::new("ann"), name: None, locale: None, zone: None };
        let at = jiff::Timestamp::UNIX_EPOCH;
        let action = chat::Action::Say { text: text.to_owned() };
        chat::Event { id: chat::EventId::new("e"), place, user, at, action, terms: chat::Terms::default() }
    }

    #[rstest]
    #[case::plain("two spicy\n\tpizzas", "two spicy\n\tpizzas")]
    #[case::controls("a\u{7}b\u{1b}[31mc\u{85}d\r\n", "ab[31mcd\n")]
    #[case::composed("cafe\u{301}", "café")]
    #[case::joined_emoji("👩\u{200d}🍳", "👩\u{200d}🍳")]
    #[case::right_to_left("مرحبا", "مرحبا")]
    fn texts_are_cleaned(#[case] sent: &str, #[case] taken: &str) {
        assert_eq!(admit(said(sent), &Limits::default()), Ok(said(taken)));
    }

    #[test]
    fn too_long_is_told_in_words_for_the_sender() {
        let limits = Limits::default();
        assert!(admit(said(&"x".repeat(limits.message)), &limits).is_ok());
        insta::assert_snapshot!(
            admit(said(&"x".repeat(5_000_000)), &limits).unwrap_err(),
            @"That message is too long. Please keep it under 16 KB, or send it in parts."
        );
    }

    #[test]
    fn what_no_person_sends_is_refused() {
        let limits = Limits::default();
        assert!(admit(said("a\0b"), &limits).is_err());
        let long_id = chat::Event { id: chat::EventId::new("x".repeat(ID + 1)), ..said("a") };
        assert!(admit(long_id, &limits).is_err());
        let press = chat::Press { token: chat::Token::new(&chat::Nonce::new(1), 0), value: chat::Pressed::Button };
        let presses = chat::Event { action: chat::Action::Press { presses: vec![press; MANY + 1] }, ..said("a") };
        assert!(admit(presses, &limits).is_err());
        for (path, value, fits) in [("a", "x\u{1b}", true), (&*"p".repeat(ID + 1), "x", false), ("a", "\0", false)] {
            let prefill = |value: &str| chat::Prefill([(path.to_owned(), value.to_owned())].into());
            let linked =
                |value| chat::Event { terms: chat::Terms { prefill: prefill(value), ..said("").terms }, ..said("a") };
            assert_eq!(admit(linked(value), &limits).ok(), fits.then(|| linked("x")), "{path}={value}");
        }
        let result = chat::ToolResult {
            call: None,
            tool: "t".to_owned(),
            result: serde_json::Value::String("x".repeat(limits.tool_results)),
        };
        let results = chat::Event { action: chat::Action::ToolResults { results: vec![result] }, ..said("a") };
        assert!(admit(results, &limits).is_err());
    }
}
