//! What people do anywhere, so that a script is written once and played everywhere: on the chat platforms as their people
//! do, on the web page through its API, at a terminal line by line.

pub(crate) mod page;
pub(crate) mod terminal;

use std::sync::Arc;

use async_trait::async_trait;
use formwright_chat::conformance::people::{Player, Told};
use formwright_chat::words::{Word, say};
use formwright_fakes::{discord, slack, telegram};
use jiff::ToSpan as _;

/// A person at a place of a platform.
#[async_trait]
pub(crate) trait Person: Send + Sync {
    /// Starts a form in the platform's own way: a command, or a mention of the bot.
    async fn opens(&self, form: &str);
    /// Writes to the bot.
    async fn writes(&self, words: &str);
    /// Waits for words that the bot shows after what the person did last.
    async fn sees(&self, words: &str);
    /// Presses a button, or picks an option, with this label.
    async fn presses(&self, label: &str);
    /// The same on the newest message that says these words: others' messages may wear the same label.
    async fn presses_under(&self, _words: &str, label: &str) {
        self.presses(label).await;
    }
    /// Writes to the bot where it hears only what answers it: in answer to the newest message that says these words.
    async fn answers(&self, _to: &str, words: &str) {
        self.writes(words).await;
    }
    /// Gives a day of the last few weeks: with the platform's picker where it has one.
    async fn gives_day(&self, day: jiff::civil::Date) {
        self.writes(&day.to_string()).await;
    }
    /// Gives a time of day, `20:15`: with the platform's picker where it has one.
    async fn gives_time(&self, time: &str) {
        self.writes(time).await;
    }
    /// Gives their own phone number: by a button where the platform has one.
    async fn gives_phone(&self, phone: &str) {
        self.writes(phone).await;
    }
    /// Gives a place: by a button where the platform has one.
    async fn gives_place(&self, lat: f64, lng: f64) {
        self.writes(&format!("{lat}, {lng}")).await;
    }
    /// Sends a file.
    async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]);
    /// Fills the open fields of a page in with one window, each by its question, its label and what is put in; false
    /// where there are no windows.
    async fn fills_window(&self, _fields: &[(&str, &str, &str)]) -> bool {
        false
    }
    /// Presses a button, or picks an option, of a screen that has been answered.
    async fn presses_old(&self, label: &str);
    /// Is told something, they alone.
    async fn is_told(&self, what: Told);
    /// Is told these words, they alone.
    async fn hears_alone(&self, words: &str) {
        self.sees(words).await;
    }
    /// Every message of the bot that this person sees here, as it is drawn.
    fn read(&self) -> Vec<String>;
}

/// The button that opens the fields of a page as one window.
const WINDOW: &str = "Fill in as a form";

/// A person whom scripts are played with.
pub(crate) type Anybody = Arc<dyn Person>;

/// A person whom the conformance suite plays with.
pub(crate) struct Played(pub(crate) Anybody);

#[async_trait]
impl Player for Played {
    async fn opens(&self, form: &str) {
        self.0.opens(form).await;
    }

    async fn writes(&self, words: &str) {
        self.0.writes(words).await;
    }

    async fn sees(&self, words: &str) {
        self.0.sees(words).await;
    }

    async fn presses(&self, label: &str) {
        self.0.presses(label).await;
    }

    async fn presses_old(&self, label: &str) {
        self.0.presses_old(label).await;
    }

    async fn is_told(&self, what: Told) {
        self.0.is_told(what).await;
    }
}

/// The words of the chat platforms.
fn told(what: Told) -> &'static str {
    match what {
        Told::NotYours => say(Word::NotYours, "en"),
        Told::Over => say(Word::Over, "en"),
    }
}

#[async_trait]
impl Person for telegram::Seat {
    async fn opens(&self, form: &str) {
        self.uses(&form.replace('-', "_")).await;
    }

    async fn writes(&self, words: &str) {
        self.writes(words).await;
    }

    async fn sees(&self, words: &str) {
        self.sees(words).await;
    }

    async fn presses(&self, label: &str) {
        self.presses(label).await;
    }

    async fn presses_under(&self, words: &str, label: &str) {
        self.presses_under(words, label).await;
    }

    async fn answers(&self, to: &str, words: &str) {
        self.replies(to, words).await;
    }

    async fn gives_day(&self, day: jiff::civil::Date) {
        let mut shown = jiff::Zoned::now().date().first_of_month();
        while shown > day.first_of_month() {
            self.presses("‹").await;
            shown = shown.checked_sub(1.month()).unwrap();
            self.sees(&shown.strftime("%B %Y").to_string()).await;
        }
        self.presses(&day.day().to_string()).await;
    }

    async fn gives_time(&self, time: &str) {
        self.presses(&time[..2]).await;
        self.presses(time).await;
    }

    async fn gives_phone(&self, phone: &str) {
        let _ = self.person().with_phone(phone.trim_start_matches('+'));
        self.shares_contact().await;
    }

    async fn gives_place(&self, lat: f64, lng: f64) {
        self.shares_location(lat, lng).await;
    }

    async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        self.sends_file(name, media_type, bytes).await;
    }

    async fn presses_old(&self, label: &str) {
        // The widget goes away behind the next question.
        self.sees_no_button(label).await;
        self.presses_old(label).await;
    }

    async fn is_told(&self, what: Told) {
        self.is_told(told(what)).await;
    }

    async fn hears_alone(&self, words: &str) {
        self.is_told(words).await;
    }

    fn read(&self) -> Vec<String> {
        self.read()
    }
}

#[async_trait]
impl Person for slack::Person {
    async fn opens(&self, form: &str) {
        // A command would be answered out of the others' sight.
        let form = form.replace('-', " ");
        let words = format!("@Formwright {form}");
        self.writes(if self.is_private() { &form } else { &words }).await;
    }

    async fn writes(&self, words: &str) {
        self.writes(words).await;
    }

    async fn sees(&self, words: &str) {
        self.sees_next(words).await;
    }

    async fn presses(&self, label: &str) {
        self.presses(label).await;
    }

    async fn presses_under(&self, words: &str, label: &str) {
        self.presses_under(words, label).await;
    }

    async fn gives_day(&self, day: jiff::civil::Date) {
        self.picks_day(&day.to_string()).await;
    }

    async fn gives_time(&self, time: &str) {
        self.picks_in("timepicker", time).await;
    }

    async fn fills_window(&self, fields: &[(&str, &str, &str)]) -> bool {
        self.presses(WINDOW).await;
        let fields: Vec<_> = fields.iter().map(|(asked, _, value)| (*asked, *value)).collect();
        self.fills_modal(&fields).await;
        true
    }

    async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        self.sends_file(name, media_type, bytes).await;
    }

    async fn presses_old(&self, label: &str) {
        self.presses_old(label).await;
    }

    async fn is_told(&self, what: Told) {
        self.sees_next(told(what)).await;
    }

    async fn hears_alone(&self, words: &str) {
        self.sees_next(words).await;
    }

    fn read(&self) -> Vec<String> {
        self.read()
    }
}

#[async_trait]
impl Person for discord::Person {
    async fn opens(&self, form: &str) {
        self.runs(form).await;
    }

    async fn writes(&self, words: &str) {
        self.writes(words).await;
    }

    async fn sees(&self, words: &str) {
        self.sees(words).await;
    }

    async fn presses(&self, label: &str) {
        self.presses(label).await;
    }

    async fn presses_under(&self, words: &str, label: &str) {
        self.presses_under(words, label).await;
    }

    async fn gives_day(&self, day: jiff::civil::Date) {
        let this_year = day.year() == jiff::Zoned::now().year();
        let named = day.strftime(if this_year { "%a %-d %b" } else { "%a %-d %b %Y" });
        self.presses(&named.to_string()).await;
    }

    async fn gives_time(&self, time: &str) {
        self.presses(&format!("{0}:00 – {0}:59", &time[..2])).await;
        self.presses(time).await;
    }

    async fn fills_window(&self, fields: &[(&str, &str, &str)]) -> bool {
        self.presses(WINDOW).await;
        let fields: Vec<_> = fields.iter().map(|(_, label, value)| (*label, *value)).collect();
        self.fills_modal(&fields).await;
        true
    }

    async fn sends_file(&self, name: &str, media_type: &str, bytes: &[u8]) {
        self.sends_file(name, media_type, bytes).await;
    }

    async fn presses_old(&self, label: &str) {
        self.presses_old(label).await;
    }

    async fn is_told(&self, what: Told) {
        self.sees_alone(told(what)).await;
    }

    async fn hears_alone(&self, words: &str) {
        self.sees_alone(words).await;
    }

    fn read(&self) -> Vec<String> {
        self.read()
    }
}
