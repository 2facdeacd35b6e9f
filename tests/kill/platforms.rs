//! The real program is killed at every point of a turn on every chat platform, while a person fills in a form: each answer
//! counts once, and what was asked is asked once.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use formwright::store::Store as _;
use formwright_fakes::{discord, slack, telegram};
use serde_json::json;

use super::own::MENU;
use crate::platforms::lunch::LUNCH;
use crate::platforms::person::Person;
use crate::platforms::stage::{PATIENCE, Plan, Platform, Stage};

/// How many programs run at once on each core: each has to answer within the seconds that a platform allows.
const AT_ONCE: usize = 4;
/// What the person is told, turn by turn.
const TOLD: [&str; 4] = ["What is your name?", "Which dish?", "Is everything right?", "has been submitted"];

/// What is said to a press on a question that was answered.
const OUTDATED: &str = "That question was answered already.";

/// How the program comes to its end.
#[derive(Clone, Copy, Debug)]
enum End {
    /// At this point, the time that it is reached.
    At(&'static str, u32),
    /// While the person writes.
    Asleep,
    /// When the platform has shown a question, and the program has not heard that it has.
    Unheard,
}

fn ends() -> Vec<End> {
    let of_events = ["received", "stored", "loaded", "before-commit", "committed-unseen"];
    let of_deliveries = ["posted-webhook", "marked-done"];
    let at = |points: &[&'static str], times: &'static [u32]| -> Vec<End> {
        points.iter().flat_map(|point| times.iter().map(|nth| End::At(point, *nth))).collect()
    };
    // Opened, written, picked, confirmed; four replies and a submission.
    let mut ends = at(&of_events, &[1, 2, 3, 4]);
    ends.extend(at(&of_deliveries, &[1, 3, 4, 5]));
    ends.push(End::At("tool-called", 1));
    ends.extend([End::Asleep, End::Unheard]);
    ends
}

#[test]
fn nothing_is_lost_or_doubled_on_any_chat_platform() {
    let cases = ends().into_iter().flat_map(|end| Platform::ALL.map(|platform| (platform, end)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (cases, faults) = (Mutex::new(cases.collect::<VecDeque<_>>()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE * cores {
            scope.spawn(|| {
                while let Some((platform, end)) = { cases.lock().unwrap().pop_front() } {
                    let found = try_once(platform, end);
                    let found = found.into_iter().map(|fault| format!("{platform:?}, {end:?}: {fault}"));
                    faults.lock().unwrap().extend(found);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn try_once(platform: Platform, end: End) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let played = || runtime.block_on(play(platform, end));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(played))
        .unwrap_or_else(|_| vec!["somebody waited in vain, see above".to_owned()])
}

/// Plays one case; gives what is wrong.
async fn play(platform: Platform, end: End) -> Vec<String> {
    let calls = matches!(end, End::At("tool-called", _));
    let (form, own) = if calls { (MENU, Some("kill::own::a_program_with_a_function")) } else { (LUNCH, None) };
    let (forms, only) = (vec![form.to_owned()], Some(platform));
    let plan = Plan { forms, only, own, in_a_hurry: true, ..Plan::default() };
    let stage = Stage::set(plan).await;
    let fault = match end {
        End::At(point, nth) => Some(format!("{point}:kill:{nth}")),
        _ => None,
    };
    stage.start(fault.as_deref()).await;
    stage.connected().await;
    let ada = stage.alone(platform, "Ada");
    let restart = async {
        if fault.is_some() {
            stage.dies().await;
            stage.start(None).await;
        }
    };
    let played = async { tokio::join!(orders(&stage, ada.as_ref(), end), restart) };
    let Ok((again, ())) = tokio::time::timeout(3 * PATIENCE, played).await else {
        return vec![format!("it does not come to an end: {:#?}\n{}", ada.read(), stage.log())];
    };
    stage.is_quiet().await;
    let mut faults = Vec::new();
    let submitted = stage.submitted("lunch");
    if submitted != [json!({"name": "Ada Lovelace", "dish": "soup"})] {
        faults.push(format!("submitted: {submitted:?}"));
    }
    let stored = stage.store().submissions(None, 10).await.unwrap().len();
    if stored != 1 {
        faults.push(format!("{stored} submissions are stored"));
    }
    let read = ada.read();
    // Telegram takes no name for a message: what it has shown and nobody heard of is sent again. The reply to a
    // confirmation is on its way beside the submission, whose delivery may be what the program ends at.
    let unheard = matches!(end, End::Unheard | End::At("posted-webhook" | "marked-done", 4..));
    let twice = usize::from(platform == Platform::Telegram && unheard);
    for told in TOLD {
        let times = read.iter().filter(|message| message.contains(told)).count();
        if !(1..=1 + twice + again).contains(&times) {
            faults.push(format!("“{told}” is shown {times} times: {read:#?}"));
        }
    }
    if !faults.is_empty() {
        faults.push(stage.log());
    }
    faults
}

/// Orders lunch; gives how often something had to be done again.
async fn orders(stage: &Stage, ada: &dyn Person, end: End) -> usize {
    if matches!(end, End::Unheard) {
        stage.telegram.next_answers_to("sendMessage", [telegram::Fault::DropAfter]);
        stage.slack.next_answers_to("chat.postMessage", [slack::Answer::Lose]);
        stage.discord.next_answers_to("POST /channels", vec![discord::Answer::Lost]);
    }
    let opens = async || match end {
        // In answer to a command, Discord changes a message that is there already.
        End::Unheard => ada.writes("lunch").await,
        _ => ada.opens("lunch").await,
    };
    let mut again = until(stage, ada, TOLD[0], opens).await;
    if matches!(end, End::Asleep) {
        stage.is_quiet().await;
    }
    if matches!(end, End::Asleep | End::Unheard) {
        stage.kill().await;
    }
    ada.writes("Ada Lovelace").await;
    if matches!(end, End::Asleep | End::Unheard) {
        stage.start(None).await;
    }
    again += until(stage, ada, TOLD[1], async || ()).await;
    again += until(stage, ada, TOLD[2], async || ada.presses("Soup").await).await;
    again += until(stage, ada, TOLD[3], async || ada.presses("Confirm").await).await;
    again
}

/// Does something until these words are shown: again whenever the platform tells that nobody answered, or the program
/// that what was pressed is out of date, since something pressed again came in between. Gives how often it was done again.
async fn until(stage: &Stage, ada: &dyn Person, words: &str, deed: impl AsyncFn()) -> usize {
    let is_shown = || ada.read().iter().any(|message| message.contains(words));
    let unanswered = || stage.unanswered() + ada.read().iter().filter(|message| message.contains(OUTDATED)).count();
    let mut again = 0;
    loop {
        let before = unanswered();
        deed().await;
        loop {
            if is_shown() {
                return again;
            }
            if unanswered() > before {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        again += 1;
    }
}
