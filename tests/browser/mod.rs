//! The page in a real browser: every widget, by keyboard and pointer, through trouble and reloads.
//!
//! Set `FORMWRIGHT_SCREENSHOTS` to a directory to keep pictures of what was seen.

mod aside;
mod desk;
#[expect(dead_code, reason = "the adapter's own tests use more of it")]
#[path = "../../adapters/web/src/tests/double.rs"]
mod double;
mod driver;
mod every;
#[path = "../../adapters/web/src/tests/gallery.rs"]
mod gallery;
pub(crate) mod real;

use std::sync::Arc;

use formwright_chat::{Host, HostError};
use formwright_web::{WebAdapter, WebSettings};
use serde_json::json;
use tokio::net::TcpListener;

use double::Double;
use driver::Browser;

/// Notes what goes wrong in the page, and registers a client tool.
const WATCH: &str = "
    window.errors = [];
    for (const type of ['error', 'unhandledrejection', 'securitypolicyviolation'])
      addEventListener(type, (e) => errors.push(`${type}: ${e.message || e.reason || e.violatedDirective}`), true);
    if (location.hash !== '#no-tools') window.formwright = { tools: { lookup: async ({ q }) => ({ found: q + 1 }) } };";

/// Serves the page over the double; gives its address.
async fn serve() -> (String, Arc<Double>) {
    let (address, host, _) = serve_both().await;
    (address, host)
}

/// The same, with the adapter.
async fn serve_both() -> (String, Arc<Double>, Arc<WebAdapter>) {
    let host = Arc::new(Double::default());
    let settings = WebSettings { tools_script: WATCH.into(), ..WebSettings::default() };
    let adapter = Arc::new(WebAdapter::new(settings).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let (shared, serving) = (Arc::clone(&host) as Arc<dyn Host>, Arc::clone(&adapter));
    tokio::spawn(async move { serving.serve(listener, shared, Box::pin(std::future::pending())).await });
    (address, host, adapter)
}

async fn no_errors(browser: &Browser) {
    let errors = browser.client.execute("return window.errors", vec![]).await.unwrap();
    assert_eq!(errors, json!([]));
    let pwned = browser.client.execute("return window.pwned ?? document.querySelector('img[onerror]')", vec![]).await;
    assert_eq!(pwned.unwrap(), json!(null));
}

const OPEN: &str = ".widget:not(.closed)";

fn open(inner: &str) -> String {
    format!("{OPEN} {inner}")
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "one walk through one page, widget after widget")]
async fn every_widget_answers_its_question() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.see(".form", "Gallery of widgets").await;
    browser.picture("start").await;
    browser.click("[data-form=gallery]").await;

    let send = open(".go button");
    let asked = async |field: &str| browser.see(".bot:last-of-type", &format!("What about {field}?")).await;
    asked("name").await;

    // Questions that come together are answered together.
    browser.say("page").await;
    browser.keys(&open(".part:nth-of-type(1) input"), "Ada").await;
    browser.keys(&open(".part:nth-of-type(2) input"), "10\u{e007}").await;
    browser.see(&open(".go .problem"), "Count:").await;
    browser.set(&open(".part:nth-of-type(2) input"), "7").await;
    browser.picture("page").await;
    browser.click(&send).await;
    browser.see(".mine", "Name: Ada").await;
    browser.see(".bot", "Thanks for both.").await;
    asked("size").await;
    browser.picture("buttons").await;
    browser.keys(&open(".choice"), "\u{e015}\u{e007}").await;
    asked("topping").await;
    browser.set(&open("select"), "1").await;
    browser.picture("select").await;
    browser.click(&send).await;
    asked("country").await;
    browser.keys(&open("[role=combobox]"), "option 2").await;
    browser.picture("combobox").await;
    browser.keys(&open("[role=combobox]"), "\u{e015}\u{e007}").await;
    asked("extras").await;
    browser.click(&send).await;
    browser.see(&open(".problem"), "at least 1").await;
    browser.click(&open(".check:nth-child(1) input")).await;
    browser.click(&open(".check:nth-child(3) input")).await;
    browser.picture("checkboxes").await;
    browser.click(&send).await;
    asked("many").await;
    browser.keys(&open("input[type=search]"), "14").await;
    browser.click(&open(".check:nth-child(14) input")).await;
    browser.click(&send).await;
    asked("stars").await;
    browser.click(&open(".star:nth-child(4) input")).await;
    browser.picture("stars").await;
    browser.click(&send).await;
    asked("scale").await;
    browser.click(&open(".point:nth-child(10) input")).await;
    browser.picture("scale").await;
    browser.click(&send).await;
    asked("price").await;
    browser.keys(&open("input"), "-1\u{e007}").await;
    browser.find(&open(".go .problem:not([hidden])")).await;
    browser.set(&open("input"), "12.50").await;
    browser.picture("number").await;
    browser.click(&send).await;
    asked("day").await;
    browser.set(&open("input"), "2026-11-20").await;
    browser.picture("date").await;
    browser.click(&send).await;
    browser.see(".mine", "November 20, 2026").await;
    asked("hour").await;
    browser.set(&open("input"), "14:30").await;
    browser.click(&send).await;
    asked("moment").await;
    browser.set(&open("input"), "2026-11-20T14:30").await;
    browser.click(&send).await;
    asked("stay").await;
    browser.set(&open("label:nth-child(1) input"), "2026-11-20").await;
    browser.set(&open("label:nth-child(2) input"), "2026-11-22").await;
    browser.picture("range").await;
    browser.click(&send).await;
    asked("length").await;
    browser.keys(&open("input"), "2 h\u{e007}").await;
    asked("phone").await;
    browser.picture("phone").await;
    browser.keys(&open("input"), "\u{202a}347 123 4567\u{202c}\u{e007}").await;
    asked("mail").await;
    browser.keys(&open("input"), "ada\u{e007}").await;
    browser.see(&open(".problem"), "@").await;
    browser.keys(&open("input"), "@example.com\u{e007}").await;
    asked("site").await;
    browser.keys(&open("input"), "https://example.com\u{e007}").await;
    asked("story").await;
    browser.find(".buttons:not(.closed) button").await;
    browser.keys(&open("textarea"), "First line\nsecond line").await;
    browser.picture("long-text").await;
    browser.click(&send).await;
    asked("pin").await;
    browser.keys(&open("input[type=password]"), "1234\u{e007}").await;
    asked("boss").await;
    browser.keys(&open("input"), "Grace\u{e007}").await;
    asked("room").await;
    browser.keys(&open("input"), "#general\u{e007}").await;
    asked("papers").await;
    let folder = tempfile::tempdir().unwrap();
    for (name, size) in [("photo.png", 10), ("empty.pdf", 0), ("big.pdf", 1_000_001), ("bill.pdf", 12_345)] {
        let path = folder.path().join(name);
        std::fs::write(&path, vec![0; size]).unwrap();
        browser.keys(&open("input[type=file]"), &path.display().to_string()).await;
        if name != "bill.pdf" {
            browser.see(&open(".filebox .problem"), name).await;
        }
    }
    browser.see(&open(".files li"), "bill.pdf").await;
    browser.picture("file").await;
    browser.click(&send).await;
    asked("place").await;
    browser.set(&open("input[aria-label=Latitude]"), "45.46").await;
    browser.set(&open("input[aria-label=Longitude]"), "9.19").await;
    browser.picture("location").await;
    browser.click(&send).await;
    asked("dishes").await;
    browser.say("soup").await;
    asked("town").await;
    browser.say("Milan").await;

    browser.see(".card:not(.closed)", "Option 14").await;
    browser.picture("review").await;
    browser.click(".card:not(.closed) .row:nth-child(22) .edit").await;
    asked("papers").await;
    browser.say("bill2.pdf").await;
    asked("place").await;
    for said in ["Milan", "soup", "Milan"] {
        browser.say(said).await;
    }
    browser.click(".buttons:not(.closed) .primary").await;
    browser.see(".complete", "Done. Thank you!").await;
    browser.picture("complete").await;
    let old = browser.client.execute("return document.querySelectorAll('#log fieldset:not(:disabled)').length", vec![]);
    assert_eq!(old.await.unwrap(), json!(0));
    let secret = "return [...document.querySelectorAll('.mine')].every((e) => !e.innerText.endsWith('1234'))";
    assert_eq!(browser.client.execute(secret, vec![]).await.unwrap(), json!(true));
    let emptied = "return [...document.querySelectorAll('input, textarea')].every((e) => e.value !== '1234')";
    assert_eq!(browser.client.execute(emptied, vec![]).await.unwrap(), json!(true));
    no_errors(&browser).await;
    let answers: Vec<String> =
        host.events().iter().map(|event| serde_json::to_string(&event.action).unwrap()).collect();
    for held in ["347 123 4567", "2026-11-20/2026-11-22", "12.50", "\"name\":\"bill.pdf\"", "\"lat\":45.46"] {
        assert!(answers.iter().any(|action| action.contains(held)), "{held}: {answers:#?}");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_its_form_once_and_puts_aside_what_was_begun() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    let asked = async |field: &str| browser.see(".bot:last-of-type", &format!("What about {field}?")).await;
    browser.client.goto(&format!("{address}?form=gallery&name=Ada&guest.town=New%20York")).await.unwrap();
    asked("name").await;
    let prefill = host.events()[0].terms.prefill.0.clone();
    let given = [("guest.town", "New York"), ("name", "Ada")];
    assert!(prefill.iter().map(|(path, value)| (&**path, &**value)).eq(given), "{prefill:?}");
    assert_eq!(browser.client.current_url().await.unwrap().as_str(), address, "it is not asked for again");
    browser.say("Ada").await;
    asked("size").await;
    browser.client.refresh().await.unwrap();
    asked("size").await;
    browser.client.goto(&format!("{address}?form=gallery")).await.unwrap();
    asked("name").await;
    browser.click("#home").await;
    browser.find("[data-aside=gallery]").await;
    let opened = host.events().iter().filter(|event| event.place != host.events()[0].place).count();
    assert_eq!(opened, 1, "the first conversation is left as it was");
    browser.client.goto(&format!("{address}?form=nothing")).await.unwrap();
    browser.see(".form", "Gallery of widgets").await;
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_trouble_and_reloads_lose_nothing() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.find(".form").await;
    browser.say("hello, I am Ada").await;
    browser.see(".bot", "What about size?").await;

    // A free question while a widget is shown, and the same question again.
    browser.say("why is that?").await;
    browser.see(".bot", "Because we need it.").await;
    let counts = "return document.querySelectorAll('.choice:enabled').length";
    assert_eq!(browser.client.execute(counts, vec![]).await.unwrap(), json!(3));

    // The store is away: said so, tried again with the same event id, taken once.
    host.fail([HostError::Unavailable("away".into()), HostError::Busy { retry_after: 1 }]);
    browser.click(&open(".choice:nth-child(3)")).await;
    browser.find("#line:not([hidden])").await;
    browser.picture("trouble").await;
    browser.see(".bot:last-of-type", "What about topping?").await;
    browser.find("#line[hidden]").await;

    // A reload keeps what was said and the widget that counts.
    browser.client.refresh().await.unwrap();
    browser.see(".mine", "hello, I am Ada").await;
    browser.find(&open("select")).await;
    assert_eq!(browser.text(".title strong").await, "Topping");
    no_errors(&browser).await;

    // No network at all: the message waits, also through a reload of the page's script.
    let network =
        |offline| json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.devtools("Network.enable", json!({})).await;
    browser.devtools("Network.emulateNetworkConditions", network(true)).await;
    browser.say("mushrooms").await;
    browser.see("#line:not([hidden])", "No connection").await;
    browser.devtools("Network.emulateNetworkConditions", network(false)).await;
    browser.see(".bot:last-of-type", "What about country?").await;

    // A client tool of the page, and none.
    browser.say("tool").await;
    browser.see(".bot", "{\"found\":2}").await;
    browser.click("#debug-toggle").await;
    browser.see("#debug", "mushrooms").await;
    browser.see("#debug", "Last action").await;
    browser.picture("debug").await;
    browser.click("#again").await;
    browser.click("[data-choice=drop]").await;
    browser.see(".form", "Hostile <img").await;
    browser.client.execute("delete window.formwright", vec![]).await.unwrap();
    browser.say("Ada").await;
    browser.see(".bot", "What about size?").await;
    browser.say("tool").await;
    browser.see(".bot", "The tool said null.").await;
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_suits_dark_rooms_right_to_left_and_telephones() {
    let Some(browser) = Browser::start().await else { return };
    let (address, _) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.look("dark").await;
    browser.find(".form").await;
    browser.picture("dark-start").await;
    browser.say("Ada").await;
    browser.see(".bot", "What about size?").await;
    browser.picture("dark").await;
    browser.look("light").await;
    browser.telephone().await;
    browser.picture("telephone").await;
    let wide = "return document.documentElement.scrollWidth <= innerWidth";
    browser.until(wide, vec![]).await;
    browser.say("arabic").await;
    browser.until("return document.documentElement.dir === 'rtl'", vec![]).await;
    browser.picture("telephone-rtl").await;
    browser.until(wide, vec![]).await;
    no_errors(&browser).await;
    browser.close().await;
}
