//! The same conversation in a terminal: pickers where there is a real one, numbered lines where input is piped.
//!
//! A file is answered by its path: its name, size and type are taken, its contents stay where they are. Deliberately
//! absent: people and channels of a platform, which a terminal has none of; their questions can be answered in words.

mod prompts;

use std::io::{BufRead, IsTerminal as _, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use formwright_chat::{
    Action, Adapter, AdapterError, Delivery, DeliveryError, Event, EventId, FileRef, Host, HostError, Input, Place,
    Platform, Press, Pressed, Preview, Reply, Shutdown, Terms, User, UserId, fallback,
};
use jiff::{Timestamp, tz::TimeZone};

/// Most bytes of a line that are read: more than the product takes.
const MAX_LINE: u64 = 64 * 1024;

/// One person at a terminal, filling in one form.
#[derive(Debug)]
pub struct Terminal {
    form: String,
    locale: Option<String>,
    events: AtomicU64,
}

/// What the person did at the prompt.
#[derive(Debug)]
enum Done {
    /// An action for the form.
    Act(Action),
    /// Closed the input.
    Left,
}

impl Terminal {
    /// A terminal on which a form is filled in, in a language such as `it`.
    pub fn new(form: &str, locale: Option<String>) -> Self {
        Self { form: form.to_owned(), locale, events: AtomicU64::new(0) }
    }

    fn event(&self, action: Action) -> Event {
        let no = self.events.fetch_add(1, Ordering::Relaxed);
        let zone = TimeZone::system().iana_name().map(str::to_owned);
        Event {
            id: EventId::new(format!("{no}")),
            place: place(),
            user: User { id: UserId::new("me"), name: None, locale: self.locale.clone(), zone },
            at: Timestamp::now(),
            action,
            terms: Terms::default(),
        }
    }

    async fn converse(&self, host: &Arc<dyn Host>) -> Result<(), AdapterError> {
        let mut action = Action::Open { form: Some(self.form.clone()) };
        loop {
            let turn = match host.converse(self.event(action)).await {
                Ok(turn) => turn,
                Err(HostError::Refused(why)) => {
                    show(&format!("{why}\n"))?;
                    action = match ask(None).await? {
                        Done::Act(action) => action,
                        Done::Left => return Ok(()),
                    };
                    continue;
                }
                Err(error) => return Err(broken(error)),
            };
            let last = turn.replies.last().cloned();
            for reply in &turn.replies {
                show(&render(reply))?;
                show_submission(reply)?;
            }
            if last.as_ref().is_some_and(ends) {
                return Ok(());
            }
            action = match ask(last).await? {
                Done::Act(action) => action,
                Done::Left => return Ok(()),
            };
        }
    }
}

#[async_trait]
impl Adapter for Terminal {
    fn platform(&self) -> Platform {
        Platform::new("terminal")
    }

    async fn run(self: Arc<Self>, host: Arc<dyn Host>, shutdown: Shutdown) -> Result<(), AdapterError> {
        tokio::select! {
            result = self.converse(&host) => result,
            () = shutdown => Ok(()),
        }
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<(), DeliveryError> {
        show(&render(&delivery.reply)).map_err(|error| DeliveryError::later(error.to_string()))
    }
}

/// A reply as it is printed, for looking at offline.
pub fn preview(reply: &Reply) -> Vec<Preview> {
    let picture = visible(&fallback::text(reply));
    let losses = reply.questions.iter().filter_map(|question| match &question.input {
        Input::Options { options, .. } if options.len() > fallback::MAX_LISTED => {
            let (about, what) = (format!("field {}", question.field), format!("{} options", options.len()));
            let limit = format!("limit {}", fallback::MAX_LISTED);
            Some(formwright_chat::loss(
                &about,
                &what,
                "a terminal",
                &limit,
                "the first of them; others are typed by name",
            ))
        }
        _ => None,
    });
    let losses = losses.collect();
    vec![Preview { what: "text".to_owned(), payload: picture.clone().into(), picture, losses }]
}

fn place() -> Place {
    Place {
        platform: Platform::new("terminal"),
        workspace: String::new(),
        channel: "terminal".to_owned(),
        thread: None,
    }
}

fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The reply as printed: with a terminal, options and buttons are drawn by the prompt instead.
fn render(reply: &Reply) -> String {
    let text = if is_interactive() {
        let card = reply.card.as_ref().map(fallback::card_text);
        reply.say.iter().cloned().chain(card).collect::<Vec<_>>().join("\n")
    } else {
        fallback::text(reply)
    };
    format!("\n{}\n", visible(&text))
}

/// Whether nothing comes after a reply: a form was submitted, and it led to no other that asks for something.
fn ends(reply: &Reply) -> bool {
    reply.complete.is_some() && reply.questions.is_empty() && reply.card.is_none()
}

fn show_submission(reply: &Reply) -> Result<(), AdapterError> {
    let Some(answers) = &reply.complete else { return Ok(()) };
    show(&format!("\n{}\n", visible(&format!("{answers:#}"))))
}

/// Control characters from outside would move the cursor or worse, others would turn the direction of all that follows.
fn visible(text: &str) -> String {
    let unwanted = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
    text.chars().filter(|c| *c == '\n' || !unwanted(*c)).collect()
}

async fn ask(reply: Option<Reply>) -> Result<Done, AdapterError> {
    let asked = tokio::task::spawn_blocking(move || match reply {
        Some(reply) if is_interactive() => prompts::ask(&reply),
        reply => read_line(reply.as_ref()),
    });
    asked.await.map_err(broken)?
}

fn read_line(reply: Option<&Reply>) -> Result<Done, AdapterError> {
    show("> ")?;
    let line = line(&mut std::io::stdin().lock()).map_err(broken)?;
    let Some(line) = line else { return Ok(Done::Left) };
    let line = line.trim().to_owned();
    let press = reply.and_then(|reply| fallback::pick(reply, &line).or_else(|| file_press(reply, &line)));
    Ok(Done::Act(match press {
        Some(press) => Action::Press { presses: vec![press] },
        None => Action::Say { text: line },
    }))
}

/// The next line, no more of it than the product could take; none at the end of the input. One that is no text is a NUL,
/// which the product refuses in words.
fn line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(line) => line,
        // A line may have been cut in the midst of a character.
        Err(error) if error.utf8_error().error_len().is_none() => {
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
        Err(_) => "\0".to_owned(),
    }))
}

/// The answer to a question for a file, where the line is the path of one.
fn file_press(reply: &Reply, line: &str) -> Option<Press> {
    let question = reply.questions.first().filter(|question| matches!(question.input, Input::File { .. }))?;
    let file = file_at(line)?;
    Some(Press { token: question.token.clone(), value: Pressed::Files { files: vec![file] } })
}

/// The file at a path; none where there is none.
fn file_at(path: &str) -> Option<FileRef> {
    let path = std::path::Path::new(path.trim()).canonicalize().ok()?;
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let media_type = match ending.as_str() {
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "txt" => "text/plain",
        "csv" => "text/csv",
        _ => "application/octet-stream",
    };
    let id = format!("file://{}", path.display());
    Some(FileRef { id, name, media_type: media_type.to_owned(), bytes: Some(meta.len()) })
}

fn show(text: &str) -> Result<(), AdapterError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(broken)
}

/// The terminal, or the product behind it, gave out: there is nothing to add to what it says.
fn broken(error: impl std::error::Error + Send + Sync + 'static) -> AdapterError {
    AdapterError::broken(error.to_string(), error)
}

#[cfg(test)]
mod tests {
    use formwright_chat::conformance::{self, Drawn};

    use super::*;

    /// What the printed text offers: what a number picks, and what the words of a button or an unprinted option do. The
    /// product's own words name the ways out of a question that takes numbers.
    fn drawn(reply: &Reply) -> Drawn {
        let seen = fallback::text(reply);
        let mut drawn = Drawn::default();
        for no in 1..=fallback::MAX_LISTED + reply.buttons.len() {
            match fallback::pick(reply, &no.to_string()).map(|press| (press.token, press.value)) {
                Some((_, Pressed::Options { tokens })) => drawn.reachable.extend(tokens),
                Some((token, _)) => drop(drawn.reachable.insert(token)),
                None => {}
            }
        }
        let takes_numbers = reply.questions.iter().any(|question| !matches!(question.input, Input::Options { .. }));
        drawn.reachable.extend(reply.buttons.iter().filter(|_| takes_numbers).map(|button| button.token.clone()));
        for question in &reply.questions {
            if let Input::Options { options, .. } = &question.input {
                let unprinted = options.iter().skip(fallback::MAX_LISTED);
                drawn.reachable.extend(unprinted.map(|option| option.token.clone()));
            }
        }
        drawn.seen = seen;
        drawn
    }

    #[test]
    fn every_reply_can_be_read_and_answered_in_plain_text() {
        assert_eq!(conformance::faults(drawn), Vec::<String>::new());
    }

    #[test]
    fn lines_are_read_whatever_is_in_them() {
        let mut input = b"30\r\ncaf\xe9\n\xff\xfe\n\n".to_vec();
        input.extend("x".repeat(1 << 20).bytes());
        input.extend("\nè".bytes());
        let mut input = input.as_slice();
        let mut lines = Vec::new();
        while let Some(line) = line(&mut input).unwrap() {
            lines.push(line);
        }
        let long = lines.remove(4);
        assert_eq!(lines, ["30\r\n", "\0", "\0", "\n", "è"]);
        assert_eq!(long.len() as u64, MAX_LINE);
        let long = "è".repeat(1 << 16);
        assert!(line(&mut &long.as_bytes()[..]).unwrap().unwrap().len() as u64 >= MAX_LINE);
        assert_eq!(line(&mut &long.as_bytes()[1..]).unwrap().unwrap(), "\0");
    }

    #[test]
    fn the_cursor_stays_where_it_is_whatever_is_printed() {
        for (name, reply) in conformance::replies() {
            let shown = render(&reply);
            assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
            for preview in preview(&reply) {
                assert!(!preview.picture.trim().is_empty() || reply == Reply::default(), "{name}");
            }
        }
    }

    #[test]
    fn long_lists_say_how_many_more_there_are() {
        assert!(fallback::text(&conformance::one_of(300)).contains("… +270"));
        assert!(!fallback::text(&conformance::one_of(30)).contains("… +"));
        assert_eq!(preview(&conformance::one_of(300))[0].losses.len(), 1);
    }
}
