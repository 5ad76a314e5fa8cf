//! A NATS server of a test, and workers of it, each of which could be another machine.

use super::{Fleet, SPECS, kill, until};
use bailiwick_tests::{Sdk, nats_server};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(super) const EVERY: &str = "python,java,csharp,javascript,go";

/// A server with its files in a directory of its own.
pub(crate) struct Server {
    child: Child,
    port: u16,
    monitor: u16,
    /// Not beneath the directory whose processes the tests count.
    kept: tempfile::TempDir,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(tempfile::tempdir().unwrap(), "", "")
    }

    /// One whose configuration says this as well, with the files that it names in `kept`.
    pub(super) fn with(kept: tempfile::TempDir, further: &str, of_jetstream: &str) -> Self {
        let (port, monitor) = (free_port(), free_port());
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\nhttp: \"127.0.0.1:{monitor}\"\n\
             jetstream {{ store_dir: \"store\"\n{of_jetstream} }}\n{further}\n"
        );
        std::fs::write(kept.path().join("server.conf"), text).unwrap();
        let child = started(kept.path());
        let server = Self { child, port, monitor, kept };
        until("the server listens", || TcpStream::connect(("127.0.0.1", port)).ok());
        server
    }

    pub(crate) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The address for clients that insist on TLS.
    pub(super) fn address_with_tls(&self) -> String {
        format!("tls://127.0.0.1:{}", self.port)
    }

    /// Where it says how it is.
    pub(super) fn monitor(&self) -> String {
        format!("127.0.0.1:{}", self.monitor)
    }

    /// Waits until it has so many messages in all its streams.
    pub(super) fn until_it_has(&self, messages: usize) {
        let wanted = format!("\"messages\": {messages},\n");
        until("the server has the messages", || {
            let mut stream = TcpStream::connect(self.monitor()).ok()?;
            stream.write_all(b"GET /jsz HTTP/1.0\r\n\r\n").ok()?;
            let mut said = String::new();
            stream.read_to_string(&mut said).ok()?;
            said.contains(&wanted).then_some(())
        });
    }

    /// Its disk is lost with it, and it comes back.
    pub(super) fn lose_everything(&mut self) {
        self.kill();
        self.again_without_its_disk();
    }

    pub(crate) fn kill(&mut self) {
        kill(self.child.id());
        self.child.wait().unwrap();
    }

    /// Starts one that was killed.
    pub(crate) fn again_without_its_disk(&mut self) {
        std::fs::remove_dir_all(self.kept.path().join("store")).unwrap();
        self.child = started(self.kept.path());
    }
}

fn started(directory: &Path) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(directory.join("log")).unwrap();
    let mut command = Command::new(nats_server());
    command.args(["-c", "server.conf"]).current_dir(directory);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The arguments of a worker of a server, with all clones that there are.
pub(super) fn arguments<'a>(fleet: &Fleet, address: &'a str, languages: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["worker", "--queue", address, "--languages", languages, "--deadline", "60"];
    for sdk in Sdk::ALL.iter().map(|sdk| sdk.repository()).filter(|name| fleet.world.base().join(name).is_dir()) {
        arguments.extend(["--sdk", sdk]);
    }
    arguments.extend(["--spec", SPECS]);
    arguments
}

/// Starts a worker that waits for work until it is told to end.
pub(super) fn worker(fleet: &Fleet, server: &Server, languages: &str) -> Child {
    fleet.start(&arguments(fleet, &server.address(), languages))
}

/// Tells a worker to end.
pub(super) fn end(mut worker: Child) {
    let number = rustix::process::Pid::from_raw(worker.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(number, rustix::process::Signal::TERM).unwrap();
    worker.wait().unwrap();
}
