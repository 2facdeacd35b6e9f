//! While nothing can be kept: people are told so, and nobody waits in silence.

use std::sync::Arc;

use chat::words::{Word, say};
use formwright_chat as chat;
use jiff::Timestamp;

use crate::limits;
use crate::receive::frame::Frame;
use crate::receive::give::give;
use crate::receive::live::Live;
use crate::send::Sender;
use crate::translate::{self, Heard};

/// Completes when something can be kept again.
pub(crate) async fn back(live: &Live) {
    while live.intake.host.health().await.is_err() {
        tokio::time::sleep(limits::LOOK).await;
    }
}

/// Tells whoever is behind an event that it cannot be stored now. Tells whether that was all there is to do about it: an
/// interaction has no time to wait, a message has.
pub(crate) fn is_declined(live: &Arc<Live>, frame: &Frame) -> bool {
    match frame.event.as_str() {
        "INTERACTION_CREATE" => {
            let answer = live.intake.declines(&frame.data);
            answer.map(|answer| give(live, &frame.data, answer)).is_some()
        }
        "MESSAGE_CREATE" => {
            let heard = translate::message(&frame.data, None, &live.intake.me.user);
            let heard = heard.filter(|heard| heard.addressed && heard.action().is_some());
            if let Some(Heard { who, id, .. }) = heard
                && live.told_away.is_due(&who.user.id, Timestamp::now())
            {
                let lang = live.intake.known_language(&who.user.id).unwrap_or_default();
                let live = Arc::clone(live);
                tokio::spawn(async move {
                    let sender = Sender { intake: &live.intake, rest: &live.rest };
                    sender.decline(&who.place, &id, say(Word::Away, &lang)).await;
                });
            }
            false
        }
        _ => false,
    }
}
