//! The real program is stopped, asked to read its settings again, and loses its data folder while it runs.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::Server;

const PATIENCE: Duration = Duration::from_secs(60);

/// The program in a folder, with its log.
struct Bot {
    log: Receiver<String>,
    server: Server,
}

impl Bot {
    fn start(folder: tempfile::TempDir) -> Self {
        let mut server = Server::with_log(folder);
        let log = server.process.stderr.take().unwrap();
        let (tell, told) = channel();
        std::thread::spawn(move || {
            BufReader::new(log).lines().map_while(Result::ok).try_for_each(|line| tell.send(line)).ok()
        });
        Self { log: told, server }
    }

    fn signal(&self, name: &str) {
        let id = self.server.process.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for a line of the log.
    fn says(&self, words: &str) -> String {
        loop {
            let line = self.log.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("it never says: {words}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    async fn get(&self, path: &str) -> Value {
        self.server.get(path, None).await
    }

    /// The forms that are served.
    async fn forms(&self) -> String {
        self.get("api/schemas").await.to_string()
    }
}

fn write_form(folder: &Path, id: &str, title: &str) {
    std::fs::create_dir_all(folder.join("forms")).unwrap();
    let field = "[[field]]\nid = \"size\"\nkind = \"integer\"\nask = \"Which size?\"\n";
    let text = format!("id = \"{id}\"\ntitle = \"{title}\"\n{field}");
    std::fs::write(folder.join("forms").join(format!("{id}.toml")), text).unwrap();
}

fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("formwright.db")).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_clean_stop_leaves_one_file_of_the_database() {
    let mut bot = Bot::start(tempfile::tempdir().unwrap());
    let (status, _) = bot.server.chat(&mut None, &json!({"user_message": "order a pizza"})).await;
    assert_eq!(status, 200);
    let data = bot.server.folder.path().join("data");
    assert!(files(&data).len() > 1, "{:?}", files(&data));
    bot.signal("-TERM");
    assert!(bot.server.process.wait().unwrap().success());
    assert_eq!(files(&data), ["formwright.db"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
    let looked = command.current_dir(bot.server.folder.path()).arg("submissions").output().unwrap();
    assert!(looked.status.success(), "{looked:?}");
    assert_eq!(files(&data), ["formwright.db"], "nor does a command leave more");
}

#[tokio::test]
async fn settings_that_are_written_after_the_start_are_read_on_sighup() {
    let folder = tempfile::tempdir().unwrap();
    write_form(folder.path(), "shoes", "Shoes");
    let bot = Bot::start(folder);
    let file = bot.server.folder.path().join("formwright.toml");
    std::fs::write(&file, "[web]\nnonsense = 1\n").unwrap();
    bot.signal("-HUP");
    assert!(bot.says("nothing was changed").contains("nonsense"));
    std::fs::write(&file, "[log]\nlevel = \"debug\"\n").unwrap();
    bot.signal("-HUP");
    assert!(bot.says("these have changed").contains("log.level"));
}

#[tokio::test]
async fn on_sighup_settings_and_forms_are_read_again_and_what_is_broken_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |text: &str| format!("[forms]\nreload = false\n{text}");
    let file = folder.path().join("formwright.toml");
    std::fs::write(&file, settings("")).unwrap();
    write_form(folder.path(), "shoes", "Shoes");
    let bot = Bot::start(folder);
    let folder = bot.server.folder.path();

    write_form(folder, "boots", "Boots");
    std::fs::write(&file, "[forms\n").unwrap();
    bot.signal("-HUP");
    assert!(bot.says("nothing was changed").contains("formwright.toml"));
    assert!(!bot.forms().await.contains("boots"));

    let elsewhere = "[web]\nhosts = [\"elsewhere.example\"]\n[log]\nlevel = \"debug\"\n";
    std::fs::write(&file, settings(elsewhere)).unwrap();
    std::fs::write(folder.join("forms/shoes.toml"), "id = \"shoes\"\ntitle = \"Sandals\"\nbroken").unwrap();
    bot.signal("-HUP");
    bot.says("shoes.toml");
    bot.says("forms read again");
    assert!(bot.says("these have changed").contains("log.level"));
    assert!(bot.says("count from the next start").contains("web.hosts"));
    let forms = bot.forms().await;
    assert!(forms.contains("boots") && forms.contains("shoes") && !forms.contains("Sandals"), "{forms}");

    // What is away for a moment is missed: neither the samples nor the settings of nobody come in its place.
    let away = folder.join("away");
    for part in ["forms", "formwright.toml"] {
        std::fs::rename(folder.join(part), &away).unwrap();
        bot.signal("-HUP");
        assert!(bot.says("nothing was changed").contains(part));
        assert!(bot.forms().await.contains("boots") && !bot.forms().await.contains("pizza"));
        std::fs::rename(&away, folder.join(part)).unwrap();
    }

    // A form that goes where the new settings let it not is no reason to lose what it sends.
    let sends = "submit = [\"settings.kitchen\"]\n";
    std::fs::write(&file, settings("[sinks.kitchen]\nkind = \"jsonl\"\n")).unwrap();
    write_form(folder, "shoes", "Shoes");
    let text = std::fs::read_to_string(folder.join("forms/shoes.toml")).unwrap();
    std::fs::write(folder.join("forms/shoes.toml"), text.replace("[[field]]", &format!("{sends}[[field]]"))).unwrap();
    bot.signal("-HUP");
    assert!(bot.says("these have changed").contains("sinks.kitchen"));
    std::fs::write(&file, settings("")).unwrap();
    bot.signal("-HUP");
    assert!(bot.says("nothing was changed").contains("kitchen"));
}

#[tokio::test]
async fn a_data_folder_that_was_moved_away_is_told_in_health_and_costs_nothing_once_it_is_back() {
    let bot = Bot::start(tempfile::tempdir().unwrap());
    let mut cookie = None;
    let said = json!({"user_message": "order a pizza"});
    assert_eq!(bot.server.chat(&mut cookie, &said).await.0, 200);
    let folder = bot.server.folder.path();
    std::fs::rename(folder.join("data"), folder.join("away")).unwrap();
    let (status, _) = bot.server.chat(&mut cookie, &said).await;
    assert_eq!(status, 503, "what is said would be lost");
    let health = bot.get("api/health").await.to_string();
    assert!(health.contains("moved away"), "{health}");
    std::fs::rename(folder.join("away"), folder.join("data")).unwrap();
    assert_eq!(bot.server.chat(&mut cookie, &said).await.0, 200);
}

#[tokio::test]
async fn a_damaged_database_is_put_aside_and_health_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/formwright.db"), "no database ".repeat(500)).unwrap();
    let bot = Bot::start(folder);
    let health = bot.get("api/health").await;
    assert_eq!(health["status"], "ok");
    assert!(health["notices"][0].as_str().unwrap().contains("put aside"), "{health}");
    let kept = files(&bot.server.folder.path().join("data"));
    assert!(kept.iter().any(|name| name.contains("damaged")), "{kept:?}");
}
