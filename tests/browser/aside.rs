//! The page keeps what was begun, and its head in sight, in the reader's language.

use std::time::{Duration, Instant};

use formwright_chat::Host as _;
use serde_json::{Value, json};

use super::driver::Browser;
use super::{no_errors, open, serve};

/// Answers the gallery's questions in words until one is asked.
async fn up_to(browser: &Browser, field: &str) {
    let order = super::gallery::gallery();
    for (no, (asked, _)) in order.iter().enumerate() {
        browser.see(".bot:last-of-type", &format!("What about {asked}?")).await;
        if *asked == field {
            return;
        }
        browser.say(&format!("answer {no}")).await;
    }
}

/// Whether an element is wholly in sight.
async fn in_sight(browser: &Browser, css: &str) -> bool {
    let script = "const at = document.querySelector(arguments[0]).getBoundingClientRect();
        return at.top >= 0 && at.bottom <= innerHeight && at.height > 0";
    browser.client.execute(script, vec![css.into()]).await.unwrap() == json!(true)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_stays_where_it_is_below_a_log_longer_than_the_screen() {
    let Some(browser) = Browser::start().await else { return };
    let (address, _) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=gallery]").await;
    browser.telephone().await;
    up_to(&browser, "papers").await;
    browser.click(&open(".go button")).await;
    browser.find(&open(".go .problem:not([hidden])")).await;
    let pages = "return [document.scrollingElement, document.body].map((e) => e.scrollTop)";
    assert_eq!(browser.client.execute(pages, vec![]).await.unwrap(), json!([0, 0]));
    assert!(in_sight(&browser, ".top").await && in_sight(&browser, "#composer").await);
    assert!(in_sight(&browser, &open(".go .problem")).await, "the refusal is beside the widget");
    // By the keyboard, up from the message to the hidden input.
    browser.client.execute("document.querySelector('input[type=file]').focus()", vec![]).await.unwrap();
    assert_eq!(browser.client.execute(pages, vec![]).await.unwrap(), json!([0, 0]));
    assert!(in_sight(&browser, ".top").await && in_sight(&browser, &open(".drop")).await);
    browser.picture("long-log").await;
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_tab_of_a_conversation_follows_the_first() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=gallery]").await;
    up_to(&browser, "size").await;
    let first = browser.client.window().await.unwrap();
    let second = browser.client.new_window(true).await.unwrap().handle;
    browser.client.switch_to_window(second.clone()).await.unwrap();
    browser.client.goto(&address).await.unwrap();
    browser.see(".bot:last-of-type", "What about size?").await;
    browser.client.switch_to_window(first.clone()).await.unwrap();
    browser.click(&open(".choice:nth-child(2)")).await;
    browser.see(".bot:last-of-type", "What about topping?").await;
    // The other one shows what was said and asked, and its widget is the one that counts.
    browser.client.switch_to_window(second).await.unwrap();
    browser.see(".mine", "Option 2").await;
    browser.see(".bot:last-of-type", "What about topping?").await;
    browser.set(&open("select"), "1").await;
    browser.click(&open(".go button")).await;
    browser.see(".bot:last-of-type", "What about country?").await;
    no_errors(&browser).await;
    browser.client.switch_to_window(first).await.unwrap();
    browser.see(".bot:last-of-type", "What about country?").await;
    let open_widgets = "return document.querySelectorAll('.widget:not(.closed)').length";
    assert_eq!(browser.client.execute(open_widgets, vec![]).await.unwrap(), json!(1));
    no_errors(&browser).await;
    let said: Vec<_> = host.events().into_iter().map(|event| event.place).collect();
    assert!(said.iter().all(|place| *place == said[0]), "one conversation");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_tab_follows_when_a_form_is_left_begun_and_taken_up() {
    let Some(browser) = Browser::start().await else { return };
    let (address, _) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=gallery]").await;
    up_to(&browser, "size").await;
    let first = browser.client.window().await.unwrap();
    let second = browser.client.new_window(true).await.unwrap().handle;
    let to = async |tab: &fantoccini::wd::WindowHandle| browser.client.switch_to_window(tab.clone()).await.unwrap();
    to(&second).await;
    browser.client.goto(&address).await.unwrap();
    browser.see(".bot:last-of-type", "What about size?").await;
    browser.set("#message", "half a sentence").await;

    to(&first).await;
    browser.click("#again").await;
    browser.click("[data-choice=drop]").await;
    browser.find(".start:not([hidden]) [data-form=hostile]").await;
    to(&second).await;
    browser.find(".start:not([hidden]) [data-form=hostile]").await;
    let kept = "const { length } = document.querySelectorAll('.turn, [data-aside]');
        return JSON.stringify([length, localStorage.getItem('formwright.conversation'), sessionStorage.getItem('formwright.transcript'),
            document.querySelector('#message').value])";
    assert_eq!(browser.told(kept).await, r#"[0,null,null,"half a sentence"]"#, "dropped here too");
    browser.set("#message", "").await;

    to(&first).await;
    browser.click("[data-form=hostile]").await;
    browser.see(".bot:last-of-type", "What about name?").await;
    browser.say("Ada").await;
    browser.see(".bot:last-of-type", "What about size?").await;
    to(&second).await;
    browser.see(".mine", "Ada").await;
    browser.see(".bot:last-of-type", "What about size?").await;

    to(&first).await;
    browser.click("#home").await;
    browser.click("[data-choice=aside]").await;
    browser.find("[data-aside=hostile]").await;
    to(&second).await;
    browser.click("[data-aside=hostile] .on").await;
    browser.see(".mine", "Ada").await;
    browser.find(&open(".choice")).await;
    to(&first).await;
    browser.see(".mine", "Ada").await;
    browser.click(&open(".choice:nth-child(2)")).await;
    browser.see(".bot:last-of-type", "What about topping?").await;
    to(&second).await;
    browser.see(".bot:last-of-type", "What about topping?").await;

    // Nobody knows the conversation any more.
    browser.client.delete_all_cookies().await.unwrap();
    browser.say("mushrooms").await;
    browser.see(".aside", "has ended on the server").await;
    no_errors(&browser).await;
    to(&first).await;
    browser.see(".aside", "has ended on the server").await;
    browser.find(".start:not([hidden])").await;
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_put_aside_and_taken_up_again() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.click("[data-form=gallery]").await;
    up_to(&browser, "topping").await;

    // Escape and "stay" change nothing.
    browser.click("#home").await;
    browser.find("dialog[open]").await;
    browser.picture("leave").await;
    browser.click("[data-choice=stay]").await;
    assert_eq!(browser.text(&open(".title strong")).await, "Topping");

    browser.click("#home").await;
    browser.click("[data-choice=aside]").await;
    browser.see("[data-aside=gallery]", "Gallery of widgets").await;
    browser.see("[data-aside=gallery]", "2 of 25").await;
    browser.picture("aside").await;

    // Another form is another conversation; a reload keeps what was put aside.
    browser.client.refresh().await.unwrap();
    browser.find("[data-aside=gallery]").await;
    browser.click("[data-form=hostile]").await;
    browser.see(".bot:last-of-type", "What about name?").await;
    browser.click("#again").await;
    browser.click("[data-aside=gallery] .on").await;
    browser.see(".mine", "answer 0").await;
    browser.find(&open("select")).await;
    assert_eq!(
        (browser.text(&open(".title strong")).await, browser.text("#title").await),
        ("Topping".into(), "Gallery of widgets".into())
    );
    browser.say("mushrooms").await;
    browser.see(".bot:last-of-type", "What about country?").await;

    // Dropped from the list, it is gone on the server too.
    browser.click("#home").await;
    browser.click("[data-choice=aside]").await;
    browser.click("[data-aside=gallery] .quiet").await;
    browser.click("[data-choice=drop]").await;
    browser.until("return !document.querySelector('[data-aside], .begun')", vec![]).await;
    browser.client.refresh().await.unwrap();
    browser.find(".form").await;
    assert_eq!(
        browser.client.execute("return localStorage.getItem('formwright.aside')", vec![]).await.unwrap(),
        json!("[]")
    );
    let started = Instant::now();
    while host.session_count().await.unwrap() > 1 {
        assert!(started.elapsed() < Duration::from_secs(20), "the conversation is still there");
        tokio::task::yield_now().await;
    }
    no_errors(&browser).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_speaks_the_readers_language_throughout() {
    let Some(browser) = Browser::start().await else { return };
    let (address, host) = serve().await;
    browser.client.goto(&address).await.unwrap();
    browser.find(".form").await;
    browser.say("arabic").await;
    browser.see("#title", "معرض الأدوات").await;
    browser.see(".bot .hidden", "المساعد").await;
    assert_eq!(browser.text("#skip").await, "انتقل إلى الرسالة");

    // What the server would refuse is refused at once, and stays to be shortened.
    let long = "ب".repeat(9000);
    browser.set("#message", &long).await;
    browser.keys("#message", "\u{e007}").await;
    browser.see(".aside", "أطول").await;
    let kept = browser.client.execute("return document.querySelector('#message').value.length", vec![]).await.unwrap();
    assert_eq!((kept, host.events().len()), (Value::from(9000), 1));
    no_errors(&browser).await;
    browser.close().await;
}
