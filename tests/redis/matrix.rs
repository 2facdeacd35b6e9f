//! What can go wrong with a Redis, a test each: what a person sees, and what becomes of what they said.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

use super::proxy::{Fault, Proxy};
use super::server::{Server, WRITES_FIRST, at_hand};
use super::{Answer, Bot, Person, Stage, things, up, words};

/// The longest that a person may be kept waiting for an honest no.
const HONEST: Duration = Duration::from_secs(12);

#[tokio::test(flavor = "multi_thread")]
async fn down_at_the_start_the_program_stays_up_and_serves_once_it_is_there() {
    if !at_hand() {
        return;
    }
    let (stage, mut server) = (Stage::new().await, Server::prepare(&[]));
    let bot = stage.bot("one", &server.url(), &[]);
    up(&bot).await;
    bot.says("Redis is away").await;
    let mut ann = Person::new(&stage, "ann");
    let first = ann.next(None);
    assert!(matches!(ann.tries(&bot.address, &first).await, Answer::Later(503)));
    server.run();
    ann.fills(|| bot.address.clone(), 2).await;
    bot.says("survives: process kill: yes").await;
    stage.delivered(1).await;
    assert_eq!(stage.effects()["ann"], [things(2)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_people_speak_nothing_acknowledged_is_lost() {
    if !at_hand() {
        return;
    }
    let (stage, mut server) = (Stage::new().await, Server::start(&WRITES_FIRST));
    let bot = stage.bot("one", &server.url(), &[]);
    up(&bot).await;
    let people: Vec<String> = (0..6).map(|no| format!("p{no}")).collect();
    let filling = people.iter().map(|name| async {
        let mut person = Person::new(&stage, name);
        person.fills(|| bot.address.clone(), 12).await;
    });
    let killing = async {
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(400)).await;
            server.kill();
            tokio::time::sleep(Duration::from_millis(600)).await;
            server.run();
        }
    };
    tokio::join!(futures_util::future::join_all(filling), killing);
    stage.delivered(people.len()).await;
    for name in people {
        assert_eq!(stage.effects()[&name], [things(12)], "{name}");
    }
}

/// A program at this server, and somebody who has begun the form.
async fn greeted<'a>(stage: &'a Stage, server: &Server) -> (Bot, Person<'a>) {
    let bot = stage.bot("one", &server.url(), &[]);
    up(&bot).await;
    let mut ann = Person::new(stage, "ann");
    ann.says(&mut || bot.address.clone(), None).await;
    (bot, ann)
}

#[tokio::test(flavor = "multi_thread")]
async fn frozen_it_is_told_honestly_and_what_happened_meanwhile_counts_once() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let (bot, mut ann) = greeted(&stage, &server).await;
    server.freeze();
    let (body, since) = (ann.next(Some("ann")), Instant::now());
    let frozen = ann.tries(&bot.address, &body).await;
    assert!(matches!(frozen, Answer::Later(503)), "{frozen:?}");
    assert!(since.elapsed() < HONEST, "{:?}", since.elapsed());
    server.thaw();
    // What was written before the freeze ended is known by its id.
    goes_on_and_counts_once(&stage, &bot, ann, &body).await;
}

/// Says what was not taken again, as a client does, then the rest of the form: all of it took effect once.
async fn goes_on_and_counts_once(stage: &Stage, bot: &Bot, mut ann: Person<'_>, body: &Value) {
    while !matches!(ann.tries(&bot.address, body).await, Answer::Said(_)) {}
    for word in ["thing1", "that is all", "yes"] {
        ann.says(&mut || bot.address.clone(), Some(word)).await;
    }
    stage.delivered(1).await;
    assert_eq!(stage.effects()["ann"], [things(1)]);
}

#[rstest]
#[case::slow(Fault::Latency(Duration::from_millis(60)))]
#[case::answers_lost(Fault::DropReplies)]
#[case::cut(Fault::Reset)]
#[case::silent(Fault::Blackhole)]
#[case::byte_by_byte(Fault::Slice)]
#[case::garbled(Fault::Garbage)]
#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_loses_and_doubles_nothing(#[case] fault: Fault) {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let line = Proxy::before(server.port).await;
    let bot = stage.bot("one", &line.url(), &[]);
    up(&bot).await;
    let done = AtomicBool::new(false);
    let people = ["ann", "ben", "cid"];
    let filling = async {
        let filling = people.map(|name| {
            let stage = &stage;
            let address = bot.address.clone();
            async move { Person::new(stage, name).fills(|| address.clone(), 8).await }
        });
        futures_util::future::join_all(filling).await;
        done.store(true, Ordering::Relaxed);
    };
    let trouble = async {
        let mut times = 0;
        while !done.load(Ordering::Relaxed) && times < 5 {
            tokio::time::sleep(Duration::from_millis(250)).await;
            line.during(fault, Duration::from_millis(900)).await;
            times += 1;
        }
    };
    tokio::join!(filling, trouble);
    stage.delivered(people.len()).await;
    for name in people {
        assert_eq!(stage.effects()[name], [things(8)], "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn submitted_is_said_once_a_replica_has_it_and_survives_the_loss_of_the_primary() {
    if !at_hand() {
        return;
    }
    let (stage, mut primary) = (Stage::new().await, Server::start(&[]));
    let replica = Server::start(&["--replicaof", &format!("127.0.0.1 {}", primary.port)]);
    while primary.info("connected_slaves") != "1" || replica.info("master_link_status") != "up" {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let line = Proxy::before(primary.port).await;
    let bot = stage.bot("one", &line.url(), &[]);
    up(&bot).await;
    bot.says("failover: 1 connected").await;
    let mut ann = Person::new(&stage, "ann");
    for word in [None, Some("ann"), Some("thing1"), Some("that is all")] {
        ann.says(&mut || bot.address.clone(), word).await;
    }
    replica.freeze();
    let yes = ann.next(Some("yes"));
    let Answer::Said(early) = ann.tries(&bot.address, &yes).await else { panic!("no answer") };
    assert!(words(&early).contains("are saved and on their way"), "{early}");
    replica.thaw();
    let said = loop {
        let Answer::Said(said) = ann.tries(&bot.address, &yes).await else { continue };
        if !words(&said).contains("are saved and on their way") {
            break said;
        }
    };
    assert_eq!(said["action"]["action"], "FORM_COMPLETE", "{said}");
    primary.kill();
    assert!(replica.ask::<String>(redis::cmd("REPLICAOF").arg("NO").arg("ONE").to_owned()).is_some());
    // Until the new primary has a replica, nothing is said to be safe.
    let _next = Server::start(&["--replicaof", &format!("127.0.0.1 {}", replica.port)]);
    line.move_to(replica.port).await;
    let mut ben = Person::new(&stage, "ben");
    ben.fills(|| bot.address.clone(), 2).await;
    stage.delivered(2).await;
    assert_eq!((&stage.effects()["ann"], &stage.effects()["ben"]), (&vec![things(1)], &vec![things(2)]));
}

/// A server, and one that follows it.
async fn pair() -> (Server, Server) {
    let primary = Server::start(&["--repl-diskless-sync-delay", "0"]);
    let replica = Server::start(&["--replicaof", &format!("127.0.0.1 {}", primary.port)]);
    while primary.info("connected_slaves") != "1" || replica.info("master_link_status") != "up" {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (primary, replica)
}

/// Waits until the replica has all that the server has now.
async fn follows(primary: &Server, replica: &Server) {
    let offset = |server: &Server, name| server.info(name).parse::<u64>().unwrap();
    let now = offset(primary, "master_repl_offset");
    while offset(replica, "slave_repl_offset") < now {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn replicate(server: &Server, whom: [&str; 2]) {
    assert!(server.ask::<String>(redis::cmd("REPLICAOF").arg(&whom).to_owned()).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_that_a_failover_lost_is_never_told_to_be_submitted_and_its_owner_is_asked_again() {
    if !at_hand() {
        return;
    }
    let (stage, (mut primary, replica)) = (Stage::new().await, pair().await);
    // The new primary is followed at once: what it never had is not safe for all that.
    let _next = Server::start(&["--replicaof", &format!("127.0.0.1 {}", replica.port)]);
    let line = Proxy::before(primary.port).await;
    let bot = stage.bot("one", &line.url(), &[("FORMWRIGHT__LOG__LEVEL", "info")]);
    up(&bot).await;
    let mut ann = Person::new(&stage, "ann");
    for word in [None, Some("ann"), Some("thing1"), Some("that is all")] {
        ann.says(&mut || bot.address.clone(), word).await;
    }
    // The replica has all of this, and nothing that follows.
    follows(&primary, &replica).await;
    replicate(&replica, ["127.0.0.1", "1"]);
    let early = ann.says(&mut || bot.address.clone(), Some("yes")).await;
    assert!(words(&early).contains("are saved and on their way"), "{early}");
    let seen = stage.look(&bot.address, &ann).await;
    assert!(!seen.contains("has been submitted") && seen.contains("are saved and on their way"), "{seen}");
    replicate(&replica, ["NO", "ONE"]);
    line.move_to(replica.port).await;
    primary.kill();
    bot.says("a submission was lost").await;
    let told = stage.events(&bot.address, &ann).await;
    assert!(told.contains("was not kept"), "{told}");
    assert!(!told.contains("has been submitted"), "{told}");
    let seen = stage.look(&bot.address, &ann).await;
    assert!(seen.contains("WaitConfirm"), "{seen}");
    let done = ann.confirms(&mut || bot.address.clone()).await;
    assert_eq!(done["action"]["action"], "FORM_COMPLETE", "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_word_that_is_owed_is_told_though_the_program_was_started_again() {
    if !at_hand() {
        return;
    }
    let (stage, (primary, replica)) = (Stage::new().await, pair().await);
    let mut bot = stage.bot("one", &primary.url(), &[]);
    up(&bot).await;
    let mut ann = Person::new(&stage, "ann");
    for word in [None, Some("ann"), Some("thing1"), Some("that is all")] {
        ann.says(&mut || bot.address.clone(), word).await;
    }
    replica.freeze();
    let early = ann.says(&mut || bot.address.clone(), Some("yes")).await;
    assert!(words(&early).contains("are saved and on their way"), "{early}");
    bot.signal("-TERM");
    bot.child.wait().await.unwrap();
    let again = stage.bot("one", &primary.url(), &[]);
    up(&again).await;
    replica.thaw();
    let told = stage.events(&again.address, &ann).await;
    assert!(told.contains("has been submitted"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_emptied_is_noticed() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let (bot, _ann) = greeted(&stage, &server).await;
    server.ask::<String>(redis::cmd("FLUSHALL")).unwrap();
    bot.says("Redis was emptied").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_throws_conversations_away_is_refused_unless_that_is_allowed() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&["--maxmemory-policy", "allkeys-lru"]));
    let mut bot = stage.bot("one", &server.url(), &[]);
    let ended = tokio::time::timeout(super::PATIENCE, bot.child.wait()).await.unwrap().unwrap();
    assert_eq!(ended.code(), Some(3), "{}", bot.log());
    assert!(bot.log().contains("maxmemory-policy is allkeys-lru"), "{}", bot.log());
    let allowed = stage.bot("one", &server.url(), &[("FORMWRIGHT__REDIS__ALLOW_EVICTION", "true")]);
    up(&allowed).await;
    Person::new(&stage, "ann").fills(|| allowed.address.clone(), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn full_it_refuses_and_pretends_nothing() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let room = |bytes: &str| redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(bytes).to_owned();
    let (bot, mut ann) = greeted(&stage, &server).await;
    server.ask::<String>(room("1")).unwrap();
    let body = ann.next(Some("ann"));
    let full = ann.tries(&bot.address, &body).await;
    assert!(matches!(full, Answer::Later(503)), "{full:?}");
    server.ask::<String>(room("0")).unwrap();
    goes_on_and_counts_once(&stage, &bot, ann, &body).await;
}

/// Fills a server's disk, or makes room on it: whatever it writes to a file then fails.
fn fill_disk(server: &Server, full: bool) {
    let limit = if full { "--fsize=1:unlimited" } else { "--fsize=unlimited:unlimited" };
    let process = server.info("process_id");
    let status = std::process::Command::new("prlimit").args([limit, "--pid", process.trim()]).status();
    assert!(status.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn with_its_disk_full_it_refuses_and_goes_on_once_there_is_room() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let (bot, mut ann) = greeted(&stage, &server).await;
    fill_disk(&server, true);
    // It learns that its disk is full from a write that it had already answered.
    let write = || server.ask::<String>(redis::cmd("SET").arg("something").arg("else").to_owned());
    for _ in 0..200 {
        if write().is_none() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(write(), None);
    let body = ann.next(Some("ann"));
    let full = ann.tries(&bot.address, &body).await;
    assert!(matches!(full, Answer::Later(503)), "{full:?}");
    fill_disk(&server, false);
    goes_on_and_counts_once(&stage, &bot, ann, &body).await;
}

/// Flips one bit of every record that is there.
const FLIP: &str = "
    local flipped = 0
    for _, key in ipairs(redis.call('KEYS', '*')) do
        if redis.call('TYPE', key).ok == 'hash' then
            local body = redis.call('HGET', key, 'b')
            if body and #body > 0 then
                local last = string.char(bit.bxor(string.byte(body, -1), 1))
                redis.call('HSET', key, 'b', string.sub(body, 1, -2) .. last)
                flipped = flipped + 1
            end
        end
    end
    return flipped";

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_conversation_begins_again_and_is_never_half_read() {
    if !at_hand() {
        return;
    }
    let (stage, server) = (Stage::new().await, Server::start(&[]));
    let (mut first, mut ann) = greeted(&stage, &server).await;
    for word in ["ann", "thing1"] {
        ann.says(&mut || first.address.clone(), Some(word)).await;
    }
    // The next one has to read what this one knows by heart.
    first.signal("-TERM");
    first.child.wait().await.unwrap();
    let bot = stage.bot("one", &server.url(), &[]);
    up(&bot).await;
    let flipped: u32 = server.ask(redis::cmd("EVAL").arg(FLIP).arg(0).to_owned()).unwrap();
    assert!(flipped > 0);
    let said = ann.says(&mut || bot.address.clone(), Some("diary")).await;
    assert!(words(&said).contains("was damaged, so we start again"), "{said}");
    bot.says("a damaged session was thrown away").await;
}
