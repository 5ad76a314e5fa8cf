//! Attacks on a place, on a connection, and by what pretends to be a standby.

use std::fs::{self, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_sdk::tasks::{Language, SpecIndex};
use bailiwick_toolchains::{Compiler, Emitter, Node};
use tempfile::TempDir;

use super::ask::Patience;
use super::program::Program;
use super::{Place, Standby, Subject};
use crate::typespec::probe::ProbeRequest;
use crate::typespec::spec_project::SpecProject;

const SHORT: Duration = Duration::from_millis(300);
const LONG: Patience = Patience { answer: Duration::from_secs(60), silence: Duration::from_secs(60) };
/// Waits for an answer that is worked on, and not for one who says nothing. Only for one who does: a machine may be busy.
const SILENT: Patience = Patience { silence: SHORT, ..LONG };
/// Waits for no answer that takes long.
const SLOW: Patience = Patience { answer: SHORT, ..LONG };

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A runtime directory as a system makes it.
fn runtime_directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o700);
    directory
}

#[test]
fn directory_that_another_user_could_reach_or_put_there_is_no_place() {
    let runtime = runtime_directory();
    let (path, own) = (runtime.path(), runtime.path().join("bailiwick"));
    assert!(Place::beneath(Path::new("")).is_none() && Place::beneath(Path::new(".")).is_none());
    assert!(Place::beneath(&path.join("missing")).is_none());
    for open in [0o755, 0o710, 0o701, 0o1700, 0o500] {
        mode(path, open);
        assert!(Place::beneath(path).is_none(), "{open:o}");
        mode(path, 0o700);
        let _ = fs::create_dir(&own);
        mode(&own, open);
        assert!(Place::beneath(path).is_none(), "{open:o}");
        mode(&own, 0o700);
    }
    Place::beneath(path).unwrap();

    let links = runtime_directory();
    symlink(path, links.path().join("runtime")).unwrap();
    assert!(Place::beneath(&links.path().join("runtime")).is_none(), "a link to a runtime directory");
    symlink(&own, links.path().join("bailiwick")).unwrap();
    assert!(Place::beneath(links.path()).is_none(), "a link to a place");
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&own, Some(4_711), None).unwrap();
        assert!(Place::beneath(path).is_none(), "a place of another user");
        std::os::unix::fs::chown(path, Some(4_711), None).unwrap();
        assert!(Place::beneath(path).is_none(), "a runtime directory of another user");
    }
}

/// A project that is only named, and where a stand-in for its standby listens.
struct Bench {
    runtime: TempDir,
    project: SpecProject,
    node: Node,
    emitter: Emitter,
    tokio: tokio::runtime::Runtime,
}

impl Bench {
    fn new() -> Self {
        let project = SpecProject {
            directory: "/specification/widget".into(),
            root: "/specification".into(),
            name: "widget".to_owned(),
            entry: "client.tsp".to_owned(),
            entry_is_named: false,
            main: "main.tsp".to_owned(),
            additional: Vec::new(),
            sdk: None,
            detached: false,
        };
        let emitter = Emitter {
            root: "/emitter".into(),
            node_modules: "/emitter/node_modules".into(),
            name: "emitter".to_owned(),
            version: "1".to_owned(),
            digest: "abc".to_owned(),
        };
        Self {
            runtime: runtime_directory(),
            project,
            node: Node { root: "/node".into(), executable: "/node/node".into() },
            emitter,
            tokio: tokio::runtime::Runtime::new().unwrap(),
        }
    }

    fn request(&self) -> (ProbeRequest<'_>, Compiler<'_>) {
        let request = ProbeRequest {
            project: &self.project,
            emitter: "emitter",
            language: Language::Python,
            client: Some("text"),
            work: Path::new("/"),
        };
        (request, Compiler { node: &self.node, emitter: &self.emitter })
    }

    fn key(&self) -> String {
        let (request, compiler) = self.request();
        Subject::of(&request, compiler).key(&Program::running().unwrap()).unwrap()
    }

    fn place(&self) -> Place {
        Place::beneath(self.runtime.path()).unwrap()
    }

    /// Where its socket is.
    fn socket(&self) -> PathBuf {
        self.runtime.path().join("bailiwick").join(self.key())
    }

    /// Asks with a program that starts nothing and leaves a mark.
    fn ask(&self, patience: Patience) -> Result<SpecIndex, String> {
        let program = self.runtime.path().join("program");
        fs::write(&program, format!("#!/bin/sh\n: > '{}'\n", self.started().display())).unwrap();
        mode(&program, 0o700);
        let (request, compiler) = self.request();
        let standby = Standby::at(self.place()).with(program, patience);
        self.tokio.block_on(standby.ask(&request, compiler)).map_err(|error| error.to_string())
    }

    fn started(&self) -> PathBuf {
        self.runtime.path().join("started")
    }

    /// Listens as a standby does, and does this with the first who asks.
    fn stand_in(&self, act: impl FnOnce(UnixStream) + Send + 'static) -> std::thread::JoinHandle<()> {
        self.place();
        let _ = fs::remove_file(self.socket());
        let listener = UnixListener::bind(self.socket()).unwrap();
        mode(&self.socket(), 0o600);
        std::thread::spawn(move || act(listener.accept().unwrap().0))
    }
}

/// Reads the question, and sends this after the length.
fn answers(mut stream: UnixStream, length: u32, text: &[u8]) {
    let mut asked = [0; 4];
    stream.read_exact(&mut asked).unwrap();
    let mut question = vec![0; u32::from_le_bytes(asked) as usize];
    stream.read_exact(&mut question).unwrap();
    let _ = stream.write_all(&length.to_le_bytes());
    let _ = stream.write_all(text);
}

#[test]
fn answer_that_is_no_index_comes_early_or_never_or_has_no_end_is_no_answer() {
    let bench = Bench::new();
    let whole = |text: &'static [u8]| move |stream| answers(stream, u32::try_from(text.len()).unwrap(), text);
    type Act = Box<dyn FnOnce(UnixStream) + Send>;
    let lies: [(&str, Act, Patience); 10] = [
        ("nothing", Box::new(drop), LONG),
        ("null", Box::new(whole(b"null")), LONG),
        ("another type", Box::new(whole(b"{}")), LONG),
        ("no JSON", Box::new(whole(b"[[[[")), LONG),
        ("less than announced", Box::new(|stream| answers(stream, 400, b"{}")), LONG),
        ("gigabytes, announced", Box::new(|stream| answers(stream, u32::MAX, &[b' '; 1 << 20])), LONG),
        (
            "gigabytes, unannounced",
            Box::new(|mut stream| {
                answers(stream.try_clone().unwrap(), 2, b"{}");
                while stream.write_all(&[b' '; 1 << 16]).is_ok() {}
            }),
            LONG,
        ),
        (
            "silence",
            Box::new(|mut stream| {
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest);
            }),
            SILENT,
        ),
        (
            "one byte after the other",
            Box::new(|mut stream| {
                answers(stream.try_clone().unwrap(), 1 << 20, b"");
                while stream.write_all(b" ").is_ok() {
                    std::thread::sleep(Duration::from_millis(10));
                }
            }),
            SLOW,
        ),
        (
            "work without end",
            Box::new(|mut stream| {
                while stream.write_all(&[0; 4]).is_ok() {
                    std::thread::sleep(Duration::from_millis(10));
                }
            }),
            SLOW,
        ),
    ];
    for (what, act, patience) in lies {
        let stand_in = bench.stand_in(act);
        assert!(bench.ask(patience).is_err(), "{what}");
        stand_in.join().unwrap();
        assert!(!bench.started().exists(), "{what}: another standby was started");
    }
    // The same with what is an index, so that the cases above say something.
    let index = serde_json::to_vec(&SpecIndex::default()).unwrap();
    let stand_in = bench.stand_in(move |stream| answers(stream, u32::try_from(index.len()).unwrap(), &index));
    assert_eq!(bench.ask(LONG).unwrap(), SpecIndex::default());
    stand_in.join().unwrap();
}

#[test]
fn one_who_says_nothing_loses_its_place_and_one_who_says_that_it_works_is_waited_for() {
    let bench = Bench::new();
    // It takes no connection, as one that was stopped does.
    bench.place();
    let stopped = UnixListener::bind(bench.socket()).unwrap();
    mode(&bench.socket(), 0o600);
    assert!(bench.ask(SILENT).is_err() && !bench.started().exists());
    assert!(!bench.socket().exists(), "it is asked once more");
    assert!(bench.ask(SILENT).is_err() && bench.started().exists(), "no other is started");
    drop(stopped);

    let index = serde_json::to_vec(&SpecIndex::default()).unwrap();
    let stand_in = bench.stand_in(move |mut stream| {
        for _ in 0..8 {
            stream.write_all(&[0; 4]).unwrap();
        }
        answers(stream, u32::try_from(index.len()).unwrap(), &index);
    });
    assert_eq!(bench.ask(LONG).unwrap(), SpecIndex::default());
    stand_in.join().unwrap();
    assert!(bench.socket().exists());
}

#[test]
fn listener_whose_queue_is_full_keeps_no_command_waiting() {
    let bench = Bench::new();
    bench.place();
    let full = rustix::net::socket(rustix::net::AddressFamily::UNIX, rustix::net::SocketType::STREAM, None).unwrap();
    rustix::net::bind(&full, &rustix::net::SocketAddrUnix::new(bench.socket()).unwrap()).unwrap();
    rustix::net::listen(&full, 0).unwrap();
    mode(&bench.socket(), 0o600);
    let _waits = UnixStream::connect(bench.socket()).unwrap();
    assert_eq!(bench.place().standbys(), 1);
    assert!(bench.ask(LONG).is_err() && !bench.started().exists());
}

#[test]
fn socket_of_another_mode_or_kind_or_user_is_not_asked() {
    let bench = Bench::new();
    let socket = bench.socket();
    let refuses = |what: &str| {
        assert!(bench.ask(LONG).is_err(), "{what}");
        assert!(!bench.started().exists(), "{what}: a standby was started beside it");
    };
    bench.place();
    let listener = UnixListener::bind(&socket).unwrap();
    for open in [0o660, 0o666, 0o606, 0o700, 0o400] {
        mode(&socket, open);
        refuses(&format!("{open:o}"));
    }
    mode(&socket, 0o600);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&socket, Some(4_711), None).unwrap();
        refuses("another user's");
    }
    let elsewhere = bench.runtime.path().join("elsewhere");
    fs::rename(&socket, &elsewhere).unwrap();
    symlink(&elsewhere, &socket).unwrap();
    refuses("a link");
    fs::remove_file(&socket).unwrap();
    fs::write(&socket, "").unwrap();
    mode(&socket, 0o600);
    refuses("a file");
    drop(listener);
    // Where one died, the next is started.
    fs::remove_file(&socket).unwrap();
    fs::rename(&elsewhere, &socket).unwrap();
    mode(&socket, 0o600);
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&socket, Some(0), None).unwrap();
    }
    assert!(bench.ask(LONG).is_err() && bench.started().exists());
}

#[test]
fn key_is_another_for_each_thing_that_an_answer_depends_on() {
    let bench = Bench::new();
    let mut seen = vec![bench.key()];
    let changes: [fn(&mut Bench); 9] = [
        |bench| bench.project.directory = "/specification/other".into(),
        |bench| bench.project.root = "/".into(),
        |bench| bench.project.entry = "main.tsp".to_owned(),
        |bench| bench.project.additional = vec![("a".to_owned(), "/specification/a".into())],
        |bench| bench.project.sdk = Some(("/sdk/package".into(), "/sdk".into())),
        |bench| bench.node.executable = "/other/node".into(),
        |bench| bench.emitter.digest = "abd".to_owned(),
        |bench| bench.emitter.node_modules = "/other/node_modules".into(),
        |bench| bench.emitter.root = "/other".into(),
    ];
    for change in changes {
        let mut other = Bench::new();
        change(&mut other);
        seen.push(other.key());
    }
    let (request, compiler) = bench.request();
    for request in [ProbeRequest { language: Language::Java, ..request }, ProbeRequest { emitter: "other", ..request }]
    {
        seen.push(Subject::of(&request, compiler).key(&Program::running().unwrap()).unwrap());
    }
    let another = Program::of(Path::new("/bin/sh")).unwrap();
    seen.push(Subject::of(&request, compiler).key(&another).unwrap());
    let number = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), number);
}

#[test]
fn one_listens_under_a_name_and_the_oldest_of_three_is_ended() {
    let runtime = runtime_directory();
    let place = || Place::beneath(runtime.path()).unwrap();
    let tokio = tokio::runtime::Runtime::new().unwrap();
    let _entered = tokio.enter();
    let first = place().listen("a").unwrap();
    let path = runtime.path().join("bailiwick/a");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let second = place().listen("a").unwrap();
    assert!(!first.is_there() && second.is_there());
    drop(first);
    assert!(second.is_there(), "one that was replaced takes the other's socket away");
    std::thread::sleep(Duration::from_millis(20));
    let (third, fourth) = (place().listen("b").unwrap(), {
        std::thread::sleep(Duration::from_millis(20));
        place().listen("c").unwrap()
    });
    assert!(!second.is_there() && third.is_there() && fourth.is_there());
    assert_eq!((place().standbys(), place().end_all(), place().standbys()), (2, 2, 0));
    assert!(!third.is_there() && !fourth.is_there());
}
