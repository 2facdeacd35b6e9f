//! Tools that run a program on this machine: JSON goes in, JSON comes out, and there is no shell.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::failure::Failure;
use super::outgoing::Outgoing;
use super::{Call, MAX_RESULT};

/// Where a program finds others.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Most bytes of what a program complains of that reach the log.
const COMPLAINT: u64 = 4096;
/// How long what a program wrote may take to arrive once it has ended: whoever it started may keep the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Outgoing {
    /// Runs a program once. It gets `{"id": …, "args": {…}}` on standard input and ends with 0 after it has written its
    /// result to standard output; else what it wrote may be `{"error": "words for the person"}`.
    pub(super) async fn run(
        &self,
        name: &str,
        refusal: &[String],
        call: Call<'_>,
        within: Duration,
    ) -> Result<Value, Failure> {
        let program = self.program(name).map_err(|problem| Failure::broken(problem.to_string(), false))?;
        // Where a form is only tried out there is no folder of data yet.
        let directory = if self.directory.is_dir() { self.directory.as_path() } else { Path::new("/") };
        let child = Command::new(&program.path)
            .args(&program.args)
            .env_clear()
            .env("PATH", PATH)
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let child = child.map_err(|error| Failure::broken(format!("`{name}` cannot be started: {error}"), false))?;
        let input = json!({"id": call.id, "args": call.args}).to_string();
        let talked = tokio::time::timeout(within, talk(child, input)).await;
        let late = || Failure::broken(format!("`{name}` did not end within {within:?}"), true);
        let (status, said, complaint) = talked.map_err(|_| late())?.map_err(|why| Failure::broken(why, true))?;
        tracing::debug!(command = name, %status, complaint = %complaint.trim(), "a tool ran a program");
        judge(name, status, &said, refusal)
    }
}

/// Writes the input, and reads until the program has ended. Dropped before that, it kills the program.
async fn talk(mut child: Child, input: String) -> Result<(ExitStatus, Vec<u8>, String), String> {
    if let Some(mut stdin) = child.stdin.take() {
        // A program that needs no input may have closed it already.
        tokio::spawn(async move { stdin.write_all(input.as_bytes()).await });
    }
    let most = u64::try_from(MAX_RESULT).unwrap_or(u64::MAX);
    let mut said = tokio::spawn(read(child.stdout.take(), most + 1));
    let mut complaint = tokio::spawn(read(child.stderr.take(), COMPLAINT));
    let status = child.wait().await.map_err(|error| error.to_string())?;
    // Whoever it started may hold its output open; nobody waits for them.
    let rest = tokio::time::timeout(LAST_WORDS, async { (&mut said).await.unwrap_or_default() }).await;
    let of_complaint = tokio::time::timeout(LAST_WORDS, async { (&mut complaint).await.unwrap_or_default() }).await;
    said.abort();
    complaint.abort();
    let rest = rest.map_err(|_| "it ended, and what it started still holds its output".to_owned())?;
    if rest.len() > MAX_RESULT {
        return Err(format!("it wrote more than {MAX_RESULT} bytes"));
    }
    Ok((status, rest, String::from_utf8_lossy(&of_complaint.unwrap_or_default()).into_owned()))
}

/// Reads so many bytes; what comes after them is read and thrown away, so that the program can go on to its end.
async fn read(stream: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = (&mut stream).take(most).read_to_end(&mut bytes).await;
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    }
    bytes
}

fn judge(name: &str, status: ExitStatus, said: &[u8], refusal: &[String]) -> Result<Value, Failure> {
    let answer: Option<Value> = serde_json::from_slice(said).ok();
    if status.success() {
        if said.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        return answer.ok_or_else(|| Failure::broken(format!("`{name}` wrote something else than JSON"), false));
    }
    let told = format!("`{name}` ended with {status}");
    match answer.filter(|answer| answer.get("error").is_some()) {
        Some(answer) => {
            let error = ["error".to_owned()];
            Err(Failure::refused(told, &answer, if refusal.is_empty() { &error } else { refusal }))
        }
        None => Err(Failure::broken(told, true)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;
    use std::time::Instant;

    use rstest::rstest;

    use super::*;
    use formwright_engine::Failing;
    use formwright_http::{Dns, Guarded};

    /// What a script of these lines gives for the arguments.
    async fn run(script: &str, within: Duration) -> Result<Value, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool.sh");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        let words = ["/bin/sh".to_owned(), path.display().to_string(), "--json".to_owned()];
        let outgoing = Outgoing::new(Guarded::new([].into(), Arc::new(Dns)).unwrap(), folder.path().to_owned());
        let outgoing = outgoing.command("parcel", &words).unwrap();
        let call = Call { id: "c1", args: &json!({"number": "1; rm -rf $HOME"}) };
        outgoing.run("parcel", &[], call, within).await
    }

    const LONG: Duration = Duration::from_secs(20);

    #[rstest]
    #[case::what_it_reads_is_what_it_is_asked("cat", json!({"id": "c1", "args": {"number": "1; rm -rf $HOME"}}))]
    #[case::its_own_arguments("echo \"[\\\"$1\\\"]\"", json!(["--json"]))]
    #[case::nothing_of_our_environment("echo \"[\\\"$HOME$CARGO_MANIFEST_DIR\\\"]\"", json!([""]))]
    #[case::it_is_where_data_is("test -f tool.sh && echo true", json!(true))]
    #[case::it_need_not_read("exec 0<&-; echo 1", json!(1))]
    #[case::nothing_to_say("exit 0", json!(null))]
    #[case::complaints_are_not_the_result("echo oops >&2; echo 2", json!(2))]
    #[tokio::test]
    async fn a_program_has_json_in_and_json_out(#[case] script: &str, #[case] expected: Value) {
        assert_eq!(run(script, LONG).await.map_err(|failure| failure.error), Ok(expected));
    }

    #[rstest]
    #[case::rubbish("echo hello", "wrote something else than JSON", false)]
    #[case::an_error("exit 3", "ended with exit status: 3", true)]
    #[case::an_error_with_rubbish("echo '[1'; exit 3", "ended with exit status: 3", true)]
    #[case::killed("kill -9 $$", "ended with signal: 9", true)]
    #[case::endless("yes", "did not end within 500ms", true)]
    #[case::long("yes | head -c 2000000", "wrote more than 1048576 bytes", true)]
    #[case::who_it_started_stays("sleep 5 & echo 1", "still holds its output", true)]
    #[tokio::test]
    async fn what_goes_wrong_is_told_to_the_log(#[case] script: &str, #[case] told: &str, #[case] retry: bool) {
        let within = if told.contains("500ms") { Duration::from_millis(500) } else { LONG };
        let error = run(script, within).await.unwrap_err().error;
        assert!(error.for_log.contains(told), "{}", error.for_log);
        assert_eq!((error.for_person, error.retry, error.failing), (None, retry, Failing::Broken));
    }

    #[tokio::test]
    async fn a_program_that_hangs_is_killed() {
        let began = Instant::now();
        let error = run("echo $$ > pid; exec sleep 60", Duration::from_millis(500)).await.unwrap_err().error;
        assert!(error.for_log.contains("did not end") && began.elapsed() < LONG, "{}", error.for_log);
    }

    #[tokio::test]
    async fn a_program_says_no_in_words_for_the_person() {
        let error = run("echo '{\"error\": \"No such parcel.\"}'; exit 1", LONG).await.unwrap_err().error;
        let refused = Failing::Refused { fields: std::collections::BTreeMap::new() };
        assert_eq!((error.for_person.as_deref(), error.failing), (Some("No such parcel."), refused));
    }

    #[tokio::test]
    async fn a_program_needs_no_folder_of_data() {
        let nowhere = tempfile::tempdir().unwrap().path().join("nowhere");
        let outgoing = Outgoing::new(Guarded::new([].into(), Arc::new(Dns)).unwrap(), nowhere);
        let words = ["/bin/sh", "-c", "cat > /dev/null; echo 1"].map(str::to_owned);
        let outgoing = outgoing.command("one", &words).unwrap();
        let call = Call { id: "c1", args: &json!({}) };
        assert_eq!(outgoing.run("one", &[], call, LONG).await.map_err(|failure| failure.error), Ok(json!(1)));
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_told() {
        let outgoing = Outgoing::new(Guarded::new([].into(), Arc::new(Dns)).unwrap(), "/".into());
        let outgoing = outgoing.command("gone", &["/nowhere/gone".to_owned()]).unwrap();
        let call = Call { id: "c1", args: &json!({}) };
        let error = outgoing.run("gone", &[], call, LONG).await.unwrap_err().error;
        assert!(error.for_log.starts_with("`gone` cannot be started") && !error.retry, "{}", error.for_log);
        assert!(outgoing.run("other", &[], call, LONG).await.unwrap_err().error.for_log.contains("[tools.commands]"));
        assert!(outgoing.command("x", &["x".to_owned()]).is_err());
    }
}
