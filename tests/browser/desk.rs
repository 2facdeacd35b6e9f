//! The page while the person talks to somebody at a desk: it shows so, however often it is loaded.

use formwright_chat::{Adapter as _, CaseMark, Delivery, Reply, ReplyId};
use serde_json::json;

use super::driver::Browser;
use super::{no_errors, open, serve_both};

fn of_case(say: &[&str]) -> Reply {
    let case = CaseMark { code: "7KQ2ABCD".parse().unwrap(), over: false };
    let say = say.iter().map(|&said| said.to_owned()).collect();
    Reply { say, lang: "en".into(), case: Some(case), ..Reply::default() }
}

/// How often the log has a paragraph of these words alone.
async fn times(browser: &Browser, words: &str, count: usize) {
    let script = "return [...document.querySelectorAll('#log p')].filter((p) => p.textContent === arguments[0]).length
        === arguments[1]";
    browser.until(script, vec![words.into(), json!(count)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_talk_is_shown_again_with_the_words_that_this_tab_does_not_have() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host, adapter) = serve_both().await;
    browser.client.goto(&address).await.unwrap();
    browser.find(".form").await;
    browser.say("hello").await;
    browser.see(".bot", "What about size?").await;
    let event = host.events().remove(0);
    let here = "Ben is here.";
    for (no, words) in [here, "Ben: ok", "Ben: ok"].into_iter().enumerate() {
        let (place, user) = (event.place.clone(), event.user.id.clone());
        let delivery = Delivery::first(ReplyId::new(no.to_string()), place, user, of_case(&[words]));
        adapter.deliver(&delivery).await.unwrap();
    }
    times(&browser, "Ben: ok", 2).await;
    host.show_too(of_case(&["You: I am lost", "Ben: ok", "Ben: ok", here]));

    browser.client.refresh().await.unwrap();
    times(&browser, here, 2).await;
    times(&browser, "Ben: ok", 2).await;
    times(&browser, "You: I am lost", 0).await;
    browser.find(&open(".choice")).await;

    // Another tab has heard nothing yet, and the server kept what was said last.
    browser.client.execute("sessionStorage.clear()", vec![]).await.unwrap();
    browser.client.refresh().await.unwrap();
    times(&browser, "You: I am lost", 1).await;
    times(&browser, "Ben: ok", 2).await;
    times(&browser, here, 1).await;
    browser.find(&open(".choice")).await;
    no_errors(&browser).await;
    browser.close().await;
}
