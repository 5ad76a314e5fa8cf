//! The real server, which `cargo xtask test` installs and names in `BAILIWICK_NATS_SERVER`. The tests of other crates that
//! have a server use this file, too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Connection;

/// The server's program; says so if it is missing.
fn program() -> Option<PathBuf> {
    let program = std::env::var_os("BAILIWICK_NATS_SERVER").map(PathBuf::from);
    if program.is_none() {
        let quick = std::env::var_os("BAILIWICK_TESTS_QUICK").is_some();
        assert!(
            quick || std::env::var_os("CI").is_none(),
            "continuous integration names the server in BAILIWICK_NATS_SERVER"
        );
        eprintln!("skipped: BAILIWICK_NATS_SERVER names no nats-server; `cargo xtask test` installs one");
    }
    program
}

/// A server of this test, with its files in a directory that goes with it.
pub(crate) struct Server {
    program: PathBuf,
    child: Child,
    pub(crate) kept: tempfile::TempDir,
    pub(crate) port: u16,
    configuration: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nothing listens on.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    pub(crate) fn start() -> Option<Self> {
        let kept = tempfile::tempdir().unwrap();
        let port = free_port();
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n",
            kept.path().join("store").display()
        );
        Self::with(kept, port, &text)
    }

    pub(crate) fn with(kept: tempfile::TempDir, port: u16, text: &str) -> Option<Self> {
        let program = program()?;
        let configuration = kept.path().join("server.conf");
        std::fs::write(&configuration, text).unwrap();
        let child = started(&program, &configuration, kept.path());
        let server = Self { program, child, kept, port, configuration };
        server.until_it_listens();
        Some(server)
    }

    fn until_it_listens(&self) {
        for _ in 0..600 {
            if std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("the server does not listen: {}", self.said());
    }

    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(self.kept.path().join("log")).unwrap_or_default()
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub(crate) fn again(&mut self) {
        self.child = started(&self.program, &self.configuration, self.kept.path());
        self.until_it_listens();
    }

    pub(crate) fn lose_disk(&self) {
        std::fs::remove_dir_all(self.kept.path().join("store")).unwrap();
    }

    pub(crate) fn connection(&self) -> Connection {
        Connection { server: format!("nats://127.0.0.1:{}", self.port), login: None, authority: None, identity: None }
    }
}

fn started(program: &Path, configuration: &Path, directory: &Path) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(directory.join("log")).unwrap();
    let mut command = Command::new(program);
    command.arg("-c").arg(configuration).current_dir(directory);
    command.env("BAILIWICK_COORDINATOR_PASSWORD", "c-password").env("BAILIWICK_WORKER_PASSWORD", "w-password");
    command.env("BAILIWICK_REPLICA_PASSWORD", "r-password");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
}
