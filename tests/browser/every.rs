//! What is on the screen is what is sent, whatever the kind of question and in whatever order its widget is filled in.

use std::time::Instant;

use formwright_chat::{Action, HostError, Input, Pressed};
use serde_json::json;

use super::driver::{Browser, PATIENCE};
use super::gallery::gallery;
use super::{no_errors, open, serve};

/// Fills in every control of the widget, from the last one to the first where that is asked for.
const FILL: &str = "
    const widget = document.querySelector('.widget:not(.closed)');
    const all = [...widget.querySelectorAll('input:not([type=file],[type=search]),select,textarea')];
    const texts = { number: () => '7', time: () => '14:30', 'datetime-local': () => '2026-11-20T14:30', email: () => 'ada@example.com',
      url: () => 'https://example.com/', date: (no) => `2026-11-2${no}` };
    const order = [...all.entries()];
    if (arguments[0]) order.reverse();
    for (const [no, e] of order) {
      e.focus();
      if (e.type === 'checkbox') { if (no < 2) e.click(); continue; }
      if (e.type === 'radio') { if (no === 2) e.click(); continue; }
      if (e.matches('select')) e.selectedIndex = 2;
      else if (e.matches('[role=combobox]')) e.value = 'Option 2';
      else e.value = texts[e.type]?.(no) ?? `words ${no}`;
      for (const t of ['input', 'change']) e.dispatchEvent(new Event(t, { bubbles: true }));
    }";

/// What the page says below the last message.
const NAMED: &str = "return [...document.querySelectorAll('.mine')].at(-1).nextElementSibling?.matches('.aside')
    ? [...document.querySelectorAll('.aside')].at(-1).innerText : null";

/// All that the widget shows as an answer.
const SHOWN: &str = "
    const label = (e) => e.closest('label').querySelector('bdi').textContent;
    const widget = document.querySelector('.widget:not(.closed)');
    const controls = [...widget.querySelectorAll('input:not([type=file],[type=search]),select,textarea')].map((e) =>
      e.type === 'checkbox' ? e.checked && label(e) : e.type === 'radio' ? e.checked && e.value
      : e.matches('select') ? e.value && e.selectedOptions[0].textContent : e.value.trim());
    return [...controls, ...[...widget.querySelectorAll('.files bdi')].map((e) => e.textContent)].filter(Boolean)";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_the_screen_is_what_is_sent() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bill.pdf");
    std::fs::write(&file, "%PDF").unwrap();
    let mut both = 0;
    for backwards in [false, true] {
        // A link begins a conversation of its own.
        browser.client.goto(&format!("{address}?form=gallery")).await.unwrap();
        for (field, input) in gallery() {
            browser.see(".bot:last-of-type", &format!("What about {field}?")).await;
            let before = host.events().len();
            let chips = browser.client.execute("return !document.querySelector('.widget:not(.closed) .go')", vec![]);
            let shown = if chips.await.unwrap() == json!(true) {
                browser.click(&open(".choice:nth-child(2)")).await;
                json!(["Option 2"])
            } else {
                browser.client.execute(FILL, vec![backwards.into()]).await.unwrap();
                if matches!(input, Input::File { .. }) {
                    browser.keys(&open("input[type=file]"), &file.display().to_string()).await;
                    browser.find(&open(".files li")).await;
                }
                let shown = browser.client.execute(SHOWN, vec![]).await.unwrap();
                browser.click(&open(".go button")).await;
                shown
            };
            let started = Instant::now();
            while host.events().len() == before {
                assert!(started.elapsed() < PATIENCE, "{field}: {shown} was not sent\n{}", browser.text("#log").await);
                tokio::task::yield_now().await;
            }
            let event = host.events().swap_remove(before);
            let sent = sent(&event.action);
            assert_eq!(json!(sent), shown, "{field}");
            both += usize::from(sent.len() > 1 && matches!(input, Input::Options { other: true, .. }));
        }
    }
    assert_eq!(both, 2, "ticks and words of one's own, in both orders");
    no_errors(&browser).await;
    browser.close().await;
}

/// What was sent, part by part, as a screen shows it.
fn sent(action: &Action) -> Vec<String> {
    let Action::Press { presses } = action else { panic!("{action:?} is no answer of a widget") };
    let parts = |value: &Pressed| match value {
        Pressed::Options { tokens } => {
            let label = |no: u16| format!("Option {}", no + 1);
            tokens.iter().map(|token| token.option.map(label).unwrap()).collect()
        }
        Pressed::Text { text } => match text.split_once('/') {
            Some((from, to)) if from.starts_with("2026-") => vec![from.to_owned(), to.to_owned()],
            _ => vec![text.clone()],
        },
        Pressed::Files { files } => files.iter().map(|file| file.name.clone()).collect(),
        Pressed::Location { location } => {
            let point = [location.lat, location.lng].map(|degrees| degrees.to_string());
            point.into_iter().chain(location.address.clone()).collect()
        }
        Pressed::Button | Pressed::Empty => panic!("{value:?} holds nothing"),
    };
    presses.iter().flat_map(|press| parts(&press.value)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_filled_in_stays_while_the_question_does_and_is_named_afterwards() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bill.pdf");
    std::fs::write(&file, "%PDF").unwrap();
    let shown = async || browser.client.execute(SHOWN, vec![]).await.unwrap();
    browser.client.goto(&format!("{address}?form=gallery")).await.unwrap();
    for (field, input) in gallery() {
        browser.see(".bot:last-of-type", &format!("What about {field}?")).await;
        assert_eq!(shown().await, json!([]), "{field} begins empty");
        browser.client.execute(FILL, vec![false.into()]).await.unwrap();
        if matches!(input, Input::File { .. }) {
            browser.keys(&open("input[type=file]"), &file.display().to_string()).await;
            browser.find(&open(".files li")).await;
        }
        if field == "pin" {
            browser.click(&open("[aria-pressed]")).await;
        }
        let before = shown().await;
        let chips = before == json!([]);
        assert_eq!(chips, field == "size", "{field}: {before}");
        browser.say("why is that?").await;
        browser.see(".bot:last-of-type", "Because we need it.").await;
        assert_eq!(shown().await, before, "{field} is asked again");
        browser.say("something").await;
        if !chips {
            let named = browser.told(NAMED).await;
            let label = format!("Not sent: {}{} – ", field[..1].to_uppercase(), &field[1..]);
            assert!(named.starts_with(&label), "{field}: {named}");
            assert_eq!(named.ends_with("••••••"), field == "pin", "{named}");
        }
    }
    browser.find(".card:not(.closed)").await;
    assert_eq!(host.events().len(), 1 + 2 * gallery().len());
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_filled_in_counts_again_when_the_message_was_refused() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&format!("{address}?form=gallery")).await.unwrap();
    browser.see(".bot:last-of-type", "What about name?").await;
    browser.client.execute(FILL, vec![false.into()]).await.unwrap();
    for sends in ["a message", "the widget"] {
        host.fail([HostError::Busy { retry_after: 3600 }]);
        if sends == "the widget" {
            browser.click(&open(".go button")).await;
        } else {
            browser.say("why is that?").await;
        }
        browser.see(".mine:last-of-type .state", "Not sent").await;
        let shown = browser.client.execute(SHOWN, vec![]).await.unwrap();
        assert_eq!(shown, json!(["words 0"]), "{sends} was refused");
    }
    browser.click(&open(".go button")).await;
    browser.see(".bot:last-of-type", "What about size?").await;
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_conceals_is_masked_and_not_kept() {
    let Some(browser) = Browser::start().await else { return };
    let (address, _) = serve().await;
    browser.client.goto(&format!("{address}?form=gallery")).await.unwrap();
    browser.see(".bot:last-of-type", "What about name?").await;
    browser.say("I am Ada").await;
    browser.see(".bot:last-of-type", "What about size?").await;
    browser.say("my pin is 4321").await;
    browser.see(".bot:last-of-type", "I keep that to myself.").await;
    let kept = "return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.body.innerText])";
    let kept = browser.told(kept).await;
    assert!(kept.contains("I am Ada") && kept.contains("••••••") && !kept.contains("4321"), "{kept}");
    browser.client.refresh().await.unwrap();
    browser.see(".mine", "••••••").await;
    no_errors(&browser).await;
    browser.close().await;
}
