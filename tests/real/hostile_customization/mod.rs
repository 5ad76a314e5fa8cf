//! A Java customization class attacks from inside the real generator: Java code of the package that the real emitter
//! compiles and runs while it generates.
//!
//! | file | what |
//! |---|---|
//! | `Attempts.java` | reaches for files, processes and networks outside the package |
//! | `Plants.java`, `plants.py` | leave in the package what others would run or follow |

use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use bailiwick_tests::{Answer, Sdk, World, cache};

const ATTEMPTS: &str = include_str!("Attempts.java");
const PLANTS: &str = include_str!("Plants.java");
const SCRIPT: &str = include_str!("plants.py");
const CUSTOMIZATION: &str = "customization/src/main/java/WidgetCustomization.java";
const REPORT: &str = "attempts.txt";

/// The one attempt that is allowed where it is made: what it starts ends with the step.
const DAEMON: &str = "leave a daemon";

/// A world with something outside to reach for.
struct Attacked {
    world: World,
    outside: PathBuf,
    bystander: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
}

impl Attacked {
    fn new() -> Self {
        let world = World::of(Sdk::Java);
        let outside = world.base().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("secret"), "somebody else's").unwrap();
        let unix = UnixListener::bind(outside.join("socket")).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        unix.set_nonblocking(true).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        let bystander = Command::new("sleep").arg("600").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        Self { world, outside, bystander, tcp, udp, unix }
    }

    /// An argument by which a daemon is found.
    fn word(&self) -> String {
        format!("120.7{}", self.bystander.id())
    }

    /// The customization with these members, whose first statement is `call`.
    fn customize(&self, members: &str, call: &str) {
        let path = self.world.package().join(CUSTOMIZATION);
        let text = std::fs::read_to_string(&path).unwrap();
        let begin = "public void customize(LibraryCustomization library, Logger logger) {\n";
        assert!(text.contains(begin));
        let text = text.replace(begin, &format!("{begin}        {call}\n"));
        let end = text.rfind('}').unwrap();
        let constants = self.constants(&cache());
        std::fs::write(&path, format!("{}\n{constants}{members}}}\n", &text[..end])).unwrap();
        self.world.commit();
    }

    fn constants(&self, cache: &Path) -> String {
        let text = |value: &str| serde_json::to_string(value).unwrap();
        let (base, package) = (self.world.base(), self.world.package());
        let script = format!("OUTSIDE = {}\n{SCRIPT}", text(self.outside.to_str().unwrap()));
        [
            ("String BASE", text(base.to_str().unwrap())),
            ("String PACKAGE", text(package.to_str().unwrap())),
            ("String HOME", text(&std::env::var("HOME").unwrap())),
            ("String CACHE", text(cache.to_str().unwrap())),
            ("String WORD", text(&self.word())),
            ("String SCRIPT", text(&script)),
            ("int PORT", self.tcp.local_addr().unwrap().port().to_string()),
            ("long BYSTANDER", self.bystander.id().to_string()),
        ]
        .map(|(name, value)| format!("    static final {name} = {value};\n"))
        .concat()
    }

    fn generate(&self) -> Answer {
        self.world.package_command("generate", &[])
    }

    /// What the generator printed.
    fn logs(&self) -> String {
        let runs = std::fs::read_dir(self.world.state().join("runs")).unwrap().flatten();
        let logs = runs.flat_map(|run| std::fs::read_dir(run.path().join("logs")).into_iter().flatten().flatten());
        logs.map(|log| std::fs::read_to_string(log.path()).unwrap()).collect()
    }

    /// Nothing reached what is outside.
    fn assert_alone(&mut self) {
        let mut names: Vec<_> =
            std::fs::read_dir(&self.outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["secret", "socket"]);
        assert_eq!(std::fs::read(self.outside.join("secret")).unwrap(), b"somebody else's");
        let blocked = Some(ErrorKind::WouldBlock);
        assert_eq!(self.tcp.accept().err().map(|error| error.kind()), blocked, "a connection was made");
        assert_eq!(self.udp.recv(&mut [0; 8]).err().map(|error| error.kind()), blocked, "a datagram arrived");
        assert_eq!(self.unix.accept().err().map(|error| error.kind()), blocked, "a connection was made by path");
        assert_eq!(self.bystander.try_wait().unwrap(), None, "a process outside was ended");
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", self.bystander.id())).unwrap();
        let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
        assert_ne!(files.split_whitespace().nth(3), Some("7"), "a process outside was limited");
        assert_eq!(self.daemons(), [] as [String; 0]);
        assert_eq!(self.world.processes(), Vec::<u32>::new());
    }

    fn daemons(&self) -> Vec<String> {
        let is_one = |entry: &std::fs::DirEntry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == self.word().as_bytes()))
        };
        let all = std::fs::read_dir("/proc").unwrap().flatten().filter(is_one);
        all.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Attacked {
    fn drop(&mut self) {
        for daemon in self.daemons() {
            let _ = Command::new("kill").args(["-9", &daemon]).status();
        }
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

/// Attempts by what came of them: those that were refused, and those that were done.
fn outcomes(report: &str) -> (Vec<&str>, Vec<&str>) {
    let attempts: Vec<(&str, &str)> = report.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let (done, refused): (Vec<_>, Vec<_>) = attempts.into_iter().partition(|(_, outcome)| *outcome == "done");
    (refused.into_iter().map(|(name, _)| name).collect(), done.into_iter().map(|(name, _)| name).collect())
}

#[test]
fn code_of_a_customization_reaches_nothing_outside_its_package() {
    let mut attacked = Attacked::new();
    let call = format!(
        "tryEverything();\n        try {{ java.nio.file.Files.write(java.nio.file.Paths.get(PACKAGE, \"{REPORT}\"), REPORT); }} \
         catch (java.io.IOException error) {{ throw new java.io.UncheckedIOException(error); }}"
    );
    attacked.customize(ATTEMPTS, &call);
    let attacking = attacked.world.snapshot();
    let answer = attacked.generate();
    assert_eq!(answer.code, 0, "{}{}", answer.stderr, attacked.logs());
    let answer = answer.json();
    let report = attacked.world.read(REPORT);
    let (refused, done) = outcomes(&report);
    assert_eq!(done, [DAEMON], "{report}");
    assert_eq!(refused.len(), 20, "{report}");
    attacked.assert_alone();
    let _ = attacked.world.bailiwick(&["run", "revert", answer["runId"].as_str().unwrap()]).exits(0);
    attacking.assert_same(&attacked.world.snapshot());

    // Without confinement the same code does what it tries, but for what only the superuser can.
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("Main.java");
    let constants = attacked.constants(directory.path());
    let main = "    public static void main(String[] arguments) {\n        tryEverything();\n        \
                REPORT.forEach(System.out::println);\n    }\n";
    std::fs::write(&program, format!("public class Main {{\n{constants}{ATTEMPTS}{main}}}\n")).unwrap();
    let ran = Command::new("java").arg(&program).output().unwrap();
    let report = String::from_utf8(ran.stdout).unwrap();
    let (refused, done) = outcomes(&report);
    let machine = ["read the accounts' secrets", "make a namespace"];
    assert!(refused.iter().all(|one| machine.contains(one)), "{report}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(done.len() >= 19, "{report}");
}

#[test]
fn what_a_customization_plants_is_removed_and_the_repositories_are_as_before() {
    let mut attacked = Attacked::new();
    let call = "try { plant(); } catch (Exception error) { throw new IllegalStateException(error); }";
    attacked.customize(PLANTS, call);
    let before = attacked.world.snapshot();
    let answer = attacked.generate().exits(1);
    // All that comes before this link was planted.
    assert!(answer.stderr.contains("customization/src/main/java` is a symbolic link"), "{}", answer.stderr);
    before.assert_same(&attacked.world.snapshot());
    let status =
        attacked.world.git("azure-sdk-for-java/sdk/widget/azure-widget", &["status", "--porcelain", "--ignored"]);
    assert_eq!(status, "", "git sees something");
    // The next command would have installed what `tsp-location.yaml` named.
    let _ = attacked.world.package_command("show", &[]);
    before.assert_same(&attacked.world.snapshot());
    attacked.assert_alone();
}
