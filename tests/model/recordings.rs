//! What a model said is recorded and played again by the real program, without calling anybody.

use std::path::Path;
use std::process::Stdio;

use formwright_fakes::llm::{KEY, Mode, ModelFake, obedient};
use tokio::io::AsyncWriteExt as _;

use super::person::fill;
use super::program::{Program, command, model_at};
use super::scripts::{meanings, scripts};

const TYPED: &str = "the hot one for my uncle\nyes\n3\nvia Roma 12\n347 123 4567\nyes\n";

/// `formwright try pizza-order`, with lines from a pipe: exit code, standard output and standard error.
async fn tries(
    folder: &Path,
    settings: &[(&'static str, String)],
    args: &[&str],
    typed: &str,
) -> (i32, String, String) {
    let mut command = command(folder);
    command.args(["--forms", concat!(env!("CARGO_MANIFEST_DIR"), "/forms"), "try", "pizza-order"]).args(args);
    command.envs(settings.iter().cloned());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(typed.as_bytes()).await.unwrap();
    let output = process.wait_with_output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_is_played_again_and_what_was_not_fails_and_calls_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let fake = ModelFake::start(Mode::Honest, obedient(&meanings())).await;
    let model = model_at(&fake.url());
    let (code, printed, told) = tries(folder.path(), &model, &["--record", "tapes"], TYPED).await;
    assert_eq!(code, 0, "{printed}{told}");
    assert!(printed.contains("Is that right?") && told.contains("the model was asked once"), "{printed}{told}");
    let tapes: Vec<String> = std::fs::read_dir(folder.path().join("tapes"))
        .unwrap()
        .map(|tape| std::fs::read_to_string(tape.unwrap().path()).unwrap())
        .collect();
    assert_eq!(tapes.len(), 1, "{tapes:?}");
    assert!(tapes[0].contains("hot one") && !tapes[0].contains(KEY), "{tapes:?}");
    let asked = fake.questions();

    // Recorded already: nobody is asked again. The address stays set, and is not used.
    let again = tries(folder.path(), &model, &["--record", "tapes"], TYPED).await;
    let replayed = tries(folder.path(), &model, &["--replay", "tapes"], TYPED).await;
    assert_eq!((again.0, replayed.0), (0, 0), "{}{}", again.2, replayed.2);
    assert_eq!(without_reference(&replayed.1), without_reference(&printed));
    let alone = tries(folder.path(), &[], &["--replay", "tapes"], TYPED).await;
    assert_eq!(without_reference(&alone.1), without_reference(&printed), "no server need be set");
    assert_eq!(fake.questions(), asked);

    let probes = fake.calls().len();
    let unknown = TYPED.replace("the hot one for my uncle\nyes\n", "what my aunt always takes\ndiavola\n");
    let (code, printed, told) = tries(folder.path(), &model, &["--replay", "tapes"], &unknown).await;
    assert!(printed.contains("\"pizza\": \"diavola\""), "the form goes on: {printed}");
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("not in the recordings") && told.contains("nobody was called"), "{told}");
    assert_eq!(fake.calls().len(), probes, "nobody is called, not even by a probe");
}

/// A reference is new each time.
fn without_reference(printed: &str) -> String {
    printed.lines().filter(|line| !line.contains("order number")).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_plays_recordings_too() {
    let folder = tempfile::tempdir().unwrap();
    let tapes = folder.path().join("tapes").display().to_string();
    let pizza = scripts().remove(0);
    let fake = ModelFake::start(Mode::Honest, obedient(&meanings())).await;
    let mut settings = model_at(&fake.url());
    settings.push(("FORMWRIGHT__MODEL__RECORDINGS", tapes.clone()));
    settings.push(("FORMWRIGHT__MODEL__RECORD", "true".to_owned()));
    let recording = Program::start(settings, &[]).await;
    let first = fill(&recording, &pizza).await;
    assert_eq!(recording.stop().await.0, Some(0));

    let asked = fake.calls().len();
    let replaying = Program::start(model_at(&fake.url()), &["--replay", &tapes]).await;
    let second = fill(&replaying, &pizza).await;
    assert_eq!(without_reference(&first), without_reference(&second));
    assert_eq!(replaying.health().await.1["model"]["calls"], 2);
    assert_eq!(replaying.stop().await.0, Some(0));

    std::fs::remove_dir_all(&tapes).unwrap();
    let empty = Program::start(model_at(&fake.url()), &["--replay", &tapes]).await;
    fill(&empty, &pizza).await;
    let (status, health) = empty.health().await;
    assert_eq!((status, &health["model"]["failures"]), (200, &2.into()), "{health}");
    let (code, log) = empty.stop().await;
    assert_eq!(code, Some(1), "{log}");
    assert!(log.contains("the model was asked 2 times what is not in the recordings"), "{log}");
    assert_eq!(fake.calls().len(), asked, "nobody was called");
}

#[tokio::test]
async fn recording_needs_a_folder_and_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let record = [("FORMWRIGHT__MODEL__RECORD", "true".to_owned())];
    let (code, _, told) = tries(folder.path(), &record, &[], "").await;
    assert!(code == 3 && told.contains("model.recordings"), "{told}");
    let (code, _, told) = tries(folder.path(), &[], &["--record", "tapes"], "").await;
    assert!(code == 3 && told.contains("model.base_url"), "{told}");
    let (code, _, told) = tries(folder.path(), &[], &["--record", "a", "--replay", "b"], "").await;
    assert!(code == 2 && told.contains("--replay"), "{told}");
}
