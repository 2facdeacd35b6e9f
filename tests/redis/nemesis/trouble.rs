//! What happens to the replicas, their lines, Redis and the platforms.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use formwright_fakes::{discord, slack, telegram};

use super::super::proxy::Fault;
use super::{Dice, Field};

/// Misfortunes until then, of replicas, of Redis and of the platforms each in their own time. Some go on for a while.
pub(super) async fn until(field: &Arc<Field>, seed: u64, end: Instant) {
    let replicas = repeated(field, Dice::new(seed), (300, 2000), end, async |dice| field.a_replica_suffers(dice).await);
    let redis = repeated(field, Dice::new(!seed), (2000, 8000), end, async |dice| match dice.roll(3) {
        0 | 1 => field.redis_restarts(dice).await,
        _ => field.redis_freezes(dice).await,
    });
    let platforms =
        repeated(field, Dice::new(seed.rotate_left(7)), (300, 2000), end, async |dice| match dice.roll(3) {
            0 => field.slack_stumbles(dice).await,
            1 => field.discord_stumbles(dice).await,
            _ => field.telegram_stumbles(dice).await,
        });
    tokio::join!(replicas, redis, platforms);
}

async fn repeated(
    field: &Field,
    dice: Dice,
    (least, most): (u64, u64),
    end: Instant,
    deed: impl AsyncFn(&Dice) -> &'static str,
) {
    while Instant::now() < end {
        tokio::time::sleep(dice.millis(least, most)).await;
        let name = deed(&dice).await;
        *field.book().troubles.entry(name).or_default() += 1;
    }
}

impl Field {
    async fn a_replica_suffers(self: &Arc<Self>, dice: &Dice) -> &'static str {
        let no = dice.replica();
        let line = &self.lines[no];
        match dice.roll(12) {
            0..=2 => self.restarts(no, dice, "-KILL").await,
            3 | 4 => self.restarts(no, dice, "-TERM").await,
            5 | 6 => self.freezes(no, dice),
            7 => {
                line.during(Fault::Blackhole, dice.millis(500, 4000)).await;
                "line silent"
            }
            8 => {
                line.during(Fault::DropReplies, dice.millis(300, 3000)).await;
                "replies dropped"
            }
            9 => {
                line.during(Fault::Reset, dice.millis(100, 2000)).await;
                "line cut"
            }
            10 => {
                line.during(Fault::Latency(dice.millis(5, 150)), dice.millis(500, 2000)).await;
                "line slow"
            }
            _ => {
                line.during(Fault::Garbage, dice.millis(50, 500)).await;
                "garbage"
            }
        }
    }

    /// Ends a replica, and starts it again after a while.
    async fn restarts(self: &Arc<Self>, no: usize, dice: &Dice, signal: &'static str) -> &'static str {
        // One that is frozen, or on its way out, is left to that.
        let Ok(mut place) = self.bots[no].try_lock() else { return "nothing" };
        if let Some(mut bot) = place.take() {
            bot.signal(signal);
            let _ = tokio::time::timeout(Duration::from_secs(30), bot.child.wait()).await;
        }
        tokio::time::sleep(dice.millis(0, 1500)).await;
        *place = Some(self.start(no));
        if signal == "-TERM" { "stopped" } else { "killed" }
    }

    /// Stops a replica in the middle of whatever it does, for longer than its leases hold or not; others go on meanwhile.
    fn freezes(self: &Arc<Self>, no: usize, dice: &Dice) -> &'static str {
        let (field, time) = (Arc::clone(self), dice.millis(500, 16_000));
        tokio::spawn(async move {
            let place = field.bots[no].lock().await;
            let Some(bot) = place.as_ref() else { return };
            bot.signal("-STOP");
            tokio::time::sleep(time).await;
            bot.signal("-CONT");
        });
        "frozen"
    }

    /// Kills Redis, and starts it again on the same files.
    async fn redis_restarts(&self, dice: &Dice) -> &'static str {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).kill();
        tokio::time::sleep(dice.millis(50, 1500)).await;
        self.server.lock().unwrap_or_else(PoisonError::into_inner).run();
        "Redis killed"
    }

    async fn redis_freezes(&self, dice: &Dice) -> &'static str {
        self.server.lock().unwrap_or_else(PoisonError::into_inner).freeze();
        tokio::time::sleep(dice.millis(100, 3000)).await;
        self.server.lock().unwrap_or_else(PoisonError::into_inner).thaw();
        "Redis frozen"
    }

    async fn slack_stumbles(&self, dice: &Dice) -> &'static str {
        match dice.roll(7) {
            0 => {
                self.slack.drop_sockets();
                "Slack's sockets dropped"
            }
            1 => {
                self.slack.sends_disconnect("refresh_requested");
                "Slack's sockets recycled"
            }
            2 => {
                self.slack.doubles_events(true);
                tokio::time::sleep(dice.millis(500, 3000)).await;
                self.slack.doubles_events(false);
                "Slack doubles"
            }
            3 => {
                self.slack.withholds_events();
                tokio::time::sleep(dice.millis(200, 1500)).await;
                self.slack.releases_events(true);
                "Slack reverses"
            }
            4 => {
                self.slack.next_answers_to("chat.postMessage", [slack::Answer::Lose]);
                "Slack's answer lost"
            }
            5 => {
                let answers = [slack::Answer::Status(502), slack::Answer::TooMany { retry_after: Some(1) }];
                let no = usize::try_from(dice.roll(2)).unwrap();
                self.slack.next_answers([answers[no].clone()]);
                "Slack fails"
            }
            _ => {
                if !self.slack.calls_of("chat.postMessage").is_empty() {
                    self.slack.redelivers();
                }
                "Slack repeats"
            }
        }
    }

    async fn discord_stumbles(&self, dice: &Dice) -> &'static str {
        let lost = |answer| self.discord.next_answers_to("POST /channels", vec![answer]);
        match dice.roll(8) {
            0 => {
                self.discord.drop_sockets();
                "Discord's socket dropped"
            }
            1 => {
                self.discord.closes_with(if dice.roll(2) == 0 { 4000 } else { 4009 });
                "Discord closes"
            }
            2 => {
                self.discord.asks_to_reconnect();
                "Discord asks to reconnect"
            }
            3 => {
                self.discord.invalidates(dice.roll(2) == 0);
                "Discord's session invalid"
            }
            4 => {
                self.discord.redelivers(5);
                "Discord repeats"
            }
            5 => {
                self.discord.holds_events();
                tokio::time::sleep(dice.millis(200, 1500)).await;
                self.discord.releases_reversed();
                "Discord reverses"
            }
            6 => {
                lost(discord::Answer::Lost);
                "Discord's answer lost"
            }
            _ => {
                let answers = [discord::Answer::Status(502), discord::Answer::Limited { after: 1.0, global: false }];
                lost(answers[usize::try_from(dice.roll(2)).unwrap()].clone());
                "Discord fails"
            }
        }
    }

    async fn telegram_stumbles(&self, dice: &Dice) -> &'static str {
        match dice.roll(6) {
            0 => {
                self.telegram.drop_sockets();
                "Telegram's polling dropped"
            }
            1 => {
                self.telegram.redelivers();
                "Telegram repeats everything"
            }
            2 => {
                self.telegram.holds_updates();
                tokio::time::sleep(dice.millis(200, 1500)).await;
                self.telegram.releases_updates(true);
                "Telegram reverses"
            }
            3 => {
                self.telegram.next_answers_to("sendMessage", [telegram::Fault::DropAfter]);
                "Telegram's answer lost"
            }
            4 => {
                let faults = [telegram::Fault::Status(502), telegram::Fault::TooMany(1)];
                let no = usize::try_from(dice.roll(2)).unwrap();
                self.telegram.next_answers([faults[no].clone()]);
                "Telegram fails"
            }
            _ => {
                self.telegram.is_down(true);
                tokio::time::sleep(dice.millis(200, 1500)).await;
                self.telegram.is_down(false);
                "Telegram down"
            }
        }
    }
}
