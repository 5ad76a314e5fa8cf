//! Code that is imported leaves daemons, changes processes outside, makes System V objects and sends datagrams to a
//! listener. After the build none of it has an effect. Each attempt is shown to work without confinement.

use std::os::unix::net::UnixDatagram;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bailiwick_tests::World;

/// What the imported code tries. It goes on after each failure, and then ends the import with what it achieved.
const ATTEMPTS: &str = include_str!("leaving.py");

/// What the code is aimed at: a process, a listener, and names for what it leaves.
struct Targets {
    bystander: Child,
    listener: UnixDatagram,
    path: std::path::PathBuf,
    key: u32,
    word: String,
}

impl Targets {
    fn new(directory: &std::path::Path, number: u32) -> Self {
        let path = directory.join(format!("log-{number}"));
        let listener = UnixDatagram::bind(&path).unwrap();
        listener.set_nonblocking(true).unwrap();
        let bystander = Command::new("sleep").arg("300").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let own = std::process::id();
        // A key of System V that no other program has, and an argument by which the daemons are found.
        Self { bystander, listener, path, key: 0x5000_0000 + own * 4 + number, word: format!("120.{number}{own}") }
    }

    fn code(&self) -> String {
        let Self { bystander, path, key, word, .. } = self;
        let pid = bystander.id();
        format!("_BYSTANDER = {pid}\n_LISTENER = {path:?}\n_KEY = {key}\n_WORD = {word:?}\n{ATTEMPTS}")
    }

    /// Whether a datagram arrived.
    fn heard(&self) -> bool {
        self.listener.recv(&mut [0; 64]).is_ok()
    }

    /// The limits of the process, and its priority.
    fn hobbled(&self) -> bool {
        let of = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", self.bystander.id())).unwrap();
        let limits = of("limits");
        let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
        files.split_whitespace().nth(3) == Some("7")
    }

    /// The identifier of the segment that the code made.
    fn segment(&self) -> Option<String> {
        let segments = std::fs::read_to_string("/proc/sysvipc/shm").unwrap();
        let key = self.key.to_string();
        let line = segments.lines().find(|line| line.split_whitespace().next() == Some(&key))?;
        line.split_whitespace().nth(1).map(str::to_owned)
    }

    /// The daemons that are left, by their number.
    fn daemons(&self) -> Vec<String> {
        let is_one = |entry: &std::fs::DirEntry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| line.split(|byte| *byte == 0).any(|argument| argument == self.word.as_bytes()))
        };
        let all = std::fs::read_dir("/proc").unwrap().flatten().filter(is_one);
        all.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// Takes away what the code achieved where nothing held it.
    fn clear(&self) {
        for daemon in self.daemons() {
            assert!(Command::new("kill").args(["-9", &daemon]).status().unwrap().success());
        }
        if let Some(segment) = self.segment() {
            assert!(Command::new("ipcrm").args(["-m", &segment]).status().unwrap().success());
        }
    }
}

impl Drop for Targets {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

#[test]
fn code_of_a_build_leaves_nothing_and_changes_nothing_outside() {
    let world = World::new();
    let targets = Targets::new(world.base(), 1);
    plant(&world, &targets.code());
    let answer = world.customize("hide operation deleteWidget").exits(1);
    // The code did run, as far as its first daemon: a process that it forked speaks on the channel of the check, which is
    // noticed and ends the import there.
    for attempt in ["os.kill", "ctypes.dlsym", "os.fork"] {
        assert!(answer.stdout.contains(attempt), "`{attempt}` was not tried: {}", answer.stdout);
    }
    assert!(!targets.heard(), "a listener outside got a datagram: {}", answer.stdout);
    assert!(!targets.hobbled(), "a process outside has other limits: {}", answer.stdout);
    assert_eq!(targets.segment(), None, "{}", answer.stdout);
    assert_eq!(targets.daemons(), Vec::<String>::new(), "{}", answer.stdout);
    assert_eq!(world.processes(), Vec::<u32>::new());

    // Without confinement the same code achieves all of it.
    let control = Targets::new(world.base(), 2);
    let ran = Command::new("python3").args(["-c", &control.code()]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    // A daemon bears its name only from when it begins, which is not before the code that started it has ended.
    let begun = (0..100).map(|_| control.daemons().len()).find(|daemons| {
        std::thread::sleep(Duration::from_millis(50));
        *daemons == 3
    });
    let achieved = (control.heard(), control.hobbled(), control.segment().is_some(), begun);
    control.clear();
    assert_eq!(achieved, (true, true, true, Some(3)), "{said}");
}

/// Adds statements that run when the models are imported.
fn plant(world: &World, code: &str) {
    let path = world.package().join("azure/widget/models/_patch.py");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("from typing import", &format!("{code}\nfrom typing import"), 1)).unwrap();
    world.commit();
}
