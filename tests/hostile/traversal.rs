//! Names of forms that lead out of the folder of forms: the real program gives one and the same 404 to all of them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// The spellings, one a line.
const SPELLINGS: &str = include_str!("traversal.txt");

struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program with the sample forms, in a folder that has more than forms.
fn server(folder: &std::path::Path) -> Server {
    std::fs::create_dir(folder.join("forms")).unwrap();
    std::fs::copy("forms/pizza-order.toml", folder.join("forms/pizza-order.toml")).unwrap();
    std::fs::copy("forms/support-ticket.toml", folder.join("secret.toml")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwright"));
    command.current_dir(folder).args(["run", "--listen", "127.0.0.1:0"]).env("NO_COLOR", "1");
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("the page is at http://").expect("it prints the page's address");
    let address = address.trim_end_matches('/').to_owned();
    Server(process, address)
}

/// Asks with the path exactly as it is written: a client of ours would tidy it up. Gives the answer but for its date.
fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer.split("\r\n").filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>().join("\r\n")
}

#[test]
fn a_name_that_leads_out_of_the_folder_is_not_there_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path());
    assert!(ask(&server.1, "/api/schemas/pizza-order").starts_with("HTTP/1.1 200"));
    let nothing = ask(&server.1, "/api/schemas/nosuch");
    assert!(nothing.starts_with("HTTP/1.1 404") && nothing.contains("\"code\":\"not_found\""), "{nothing}");
    let spellings: Vec<&str> = SPELLINGS.lines().filter(|line| !line.is_empty()).collect();
    assert!(spellings.len() >= 60, "{}", spellings.len());
    for name in spellings {
        for path in ["/api/schemas/", "/api/conversation/"] {
            assert_eq!(ask(&server.1, &format!("{path}{name}")), nothing, "{path}{name}");
        }
    }
}
