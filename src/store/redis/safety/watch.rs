//! What is looked at again and again while the program runs: whether the server has replicas, what it does when its memory
//! is full, whether it is still the one that it was, and whether the clocks agree.

use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::survival::{evicting, followers, words};
use super::watched::Clock;
use crate::redis::RedisStore;
use crate::redis::wire::{options, scripts};
use crate::replicas::Partition;
use crate::{RedisOutage, Refusal, StoreError};

/// How long a server that had replicas is expected to have one again. After that it promises what one without promises.
const EXPECTED: Duration = Duration::from_secs(3600);
/// How often a server that does not show its replicas is asked for them by `WAIT`, in looks, the first of which all ask;
/// and how long it may take.
const PROBE_EVERY: u32 = 10;
const PROBE_FIRST: u32 = 5;
const PROBE: Duration = Duration::from_millis(500);
/// An answer that took longer tells nothing about the time.
const PROMPT: Duration = Duration::from_secs(1);

impl RedisStore {
    /// Refuses until the server was looked at.
    pub(crate) fn was_looked_at(&self) -> Result<(), StoreError> {
        if self.watched.knows() { Ok(()) } else { Err(RedisOutage::Unknown.into()) }
    }

    /// Whether what is told to be safe must be at a replica of the server.
    pub(crate) async fn is_backed(&self) -> Result<bool, StoreError> {
        let known = self.watched.state().backed;
        match known {
            Some(backed) => Ok(backed),
            None => self.look_for_replicas(None).await,
        }
    }

    /// Looks at the server.
    ///
    /// # Errors
    /// Where it cannot be asked, or is not to be used, and was never looked at before: nothing may be begun then. What
    /// fails later is looked at again next time.
    pub(crate) async fn look(&self) -> Result<(), StoreError> {
        let looked = self.look_at_all().await;
        match looked {
            Err(error) if self.watched.knows() => {
                tracing::debug!(error = %formwright_chat::chain(&error), "Redis could not be looked at");
                Ok(())
            }
            looked => looked,
        }
    }

    /// What is not allowed is told before anything is begun: later it would stop some work in its middle.
    async fn look_at_rights(&self) -> Result<(), StoreError> {
        let missing: Vec<String> = self.link.run(&self.call(&scripts::RIGHTS, Partition(0))).await?;
        if missing.is_empty() {
            return Ok(());
        }
        Err(Refusal::Commands { commands: missing.join(", ") }.into())
    }

    async fn look_at_all(&self) -> Result<(), StoreError> {
        if !self.watched.knows() {
            self.look_at_rights().await?;
        }
        let mut info = redis::cmd("INFO");
        info.arg("replication").arg("memory");
        let info = self.link.ask_if_allowed(&info).await?.map(words);
        self.look_at_policy(info.as_deref()).await?;
        let (backed, named, timed) = tokio::join!(
            self.look_for_replicas(info.as_deref().and_then(followers)),
            self.look_at_name(),
            self.look_at_clock()
        );
        named.and(timed)?;
        let backed = backed?;
        let mut state = self.watched.state();
        state.looks = state.looks.wrapping_add(1);
        state.backed = Some(backed);
        Ok(())
    }

    /// A server that once had replicas is expected to have one, whoever asks: it keeps that itself. `followers` is how
    /// many it has by its own account, where it gives one.
    async fn look_for_replicas(&self, followers: Option<u32>) -> Result<bool, StoreError> {
        let key = self.names.replicated();
        let looks = self.watched.state().looks;
        let probed = looks < PROBE_FIRST || looks.is_multiple_of(PROBE_EVERY);
        let followed = match followers {
            Some(followers) => followers > 0,
            None if probed => {
                let Some(followed) = self.careful.is_followed(self, PROBE).await? else {
                    let why = "this user may ask neither INFO nor WAIT";
                    tracing::error!(why, "whether Redis has replicas is not known: nobody is told \"submitted\"");
                    return Ok(true);
                };
                followed
            }
            None => false,
        };
        if followed {
            let mut keep = redis::cmd("SET");
            keep.arg(key).arg(followers.unwrap_or(1)).arg("EX").arg(EXPECTED.as_secs());
            self.link.ask::<redis::Value>(&keep).await?;
            return Ok(true);
        }
        self.link.ask(redis::cmd("EXISTS").arg(key)).await
    }

    async fn look_at_policy(&self, info: Option<&[String]>) -> Result<(), StoreError> {
        let why = evicting(self.policy(info).await?.as_deref()).filter(|_| !self.evicting_ok);
        let first = !self.watched.knows();
        let before = std::mem::replace(&mut self.watched.state().evicting, why.clone());
        match (why, before) {
            (Some(why), _) if first => return Err(RedisOutage::Evicts(why.into()).into()),
            (Some(why), None) => tracing::error!(%why, "Redis has been changed and may lose what people said"),
            (None, Some(_)) => tracing::info!("Redis throws nothing away any more"),
            _ => {}
        }
        Ok(())
    }

    /// What the server does when its memory is full; none where it does not tell.
    pub(crate) async fn policy(&self, info: Option<&[String]>) -> Result<Option<String>, StoreError> {
        let told = |line: &String| line.strip_prefix("maxmemory_policy:").map(str::to_owned);
        let mut told: Vec<String> = info.unwrap_or_default().iter().filter_map(told).collect();
        if told.is_empty() {
            let mut config = redis::cmd("CONFIG");
            config.arg("GET").arg("maxmemory-policy");
            let answer = self.link.ask_if_allowed(&config).await?.map(words).unwrap_or_default();
            let values = answer.windows(2).filter(|pair| pair[0] == "maxmemory-policy").map(|pair| pair[1].clone());
            told.extend(values);
        }
        // Of a cluster's servers, the one that is not to be used.
        told.sort_by_key(|policy| policy == "noeviction");
        Ok(told.into_iter().next())
    }

    /// A Redis that was used has a name. One without has been emptied, or is another one.
    async fn look_at_name(&self) -> Result<(), StoreError> {
        let mut command = redis::cmd("SET");
        let new = format!("{:016x}", options::random()?);
        command.arg(self.names.installation()).arg(&new).arg("NX").arg("GET");
        let found: Option<String> = self.link.ask(&command).await?;
        let emptied = found.is_none();
        let name = found.unwrap_or(new);
        let before = self.watched.state().name.replace(name.clone());
        if before.is_some_and(|before| before != name) {
            tracing::error!(emptied, "Redis has another name than before");
            self.watched.tell("Redis was emptied, or is another one than before: conversations are lost");
        }
        Ok(())
    }

    async fn look_at_clock(&self) -> Result<(), StoreError> {
        let (asked, here) = (Instant::now(), (self.clock)());
        let (seconds, micros): (i64, i64) = self.link.ask(&redis::cmd("TIME")).await?;
        let took = asked.elapsed();
        let Ok(there) = Timestamp::from_microsecond(seconds.saturating_mul(1_000_000).saturating_add(micros)) else {
            return Ok(());
        };
        let middle = here + SignedDuration::try_from(took / 2).unwrap_or_default();
        if took > PROMPT {
            return Ok(());
        }
        let offset = middle.duration_since(there);
        let clock = Clock::of(offset);
        let before = std::mem::replace(&mut self.watched.state().clock, clock);
        let seconds = offset.as_secs();
        match clock {
            _ if clock == before => {}
            Clock::Right => tracing::info!("the clock of this machine agrees with that of Redis"),
            Clock::Off => tracing::warn!(seconds, "the clock of this machine is off that of Redis"),
            Clock::Wrong => tracing::error!(
                seconds,
                "the clock of this machine is off that of Redis: this replica works on nothing until that is mended"
            ),
        }
        Ok(())
    }
}
