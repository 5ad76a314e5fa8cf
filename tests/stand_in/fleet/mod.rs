//! Fleets and commits of specifications, over the stand-in toolchain: every package one verdict, and nothing left behind.

mod collecting;
mod dying;
mod planning;
mod sharding;
mod spec_commit;
mod step;
mod verdicts;

use bailiwick_tests::{Answer, Snapshot, World};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const SDK: &str = "azure-sdk-for-python";
const SPECS: &str = "azure-rest-api-specs";
const RENAME: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";

/// The fixture with its package many times, each at the commit of the specification that it names.
struct Fleet {
    world: World,
    before: Snapshot,
    /// The commit of the specification that every package names.
    pinned: String,
}

impl Fleet {
    /// `packages` copies of the package, each with what `script` gives for its number.
    fn of(packages: usize, script: impl Fn(usize) -> Value) -> Self {
        let world = World::standing_in();
        let pinned = commit(&world, SPECS);
        let location = world.read("tsp-location.yaml");
        let line = location.lines().find(|line| line.starts_with("commit:")).unwrap();
        let location = location.replace(line, &format!("commit: {pinned}"));
        for number in 0..packages {
            let package = world.base().join(package(number));
            std::fs::create_dir_all(package.parent().unwrap()).unwrap();
            let copied = std::process::Command::new("cp").arg("-a").arg(world.package()).arg(&package).status();
            assert!(copied.unwrap().success());
            std::fs::write(package.join("tsp-location.yaml"), &location).unwrap();
            let script = script(number);
            if !script.is_null() {
                std::fs::write(package.join("stand-in.json"), script.to_string()).unwrap();
            }
        }
        std::fs::remove_dir_all(world.package()).unwrap();
        world.commit();
        let before = world.snapshot();
        Self { world, before, pinned }
    }

    /// Plans what is to be done with every package.
    fn plan(&self, action: &str, further: &[&str]) -> (PathBuf, Value) {
        let path = self.world.base().join("fleet.json");
        let arguments = ["fleet", "plan", "--sdk", SDK, "--do", action, "--output", path.to_str().unwrap()];
        let _ = self.world.bailiwick(&[&arguments, further].concat()).exits(0);
        let manifest = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        (path, manifest)
    }

    fn run(&self, manifest: &Path, further: &[&str]) -> Answer {
        let arguments = ["--json", "fleet", "run", manifest.to_str().unwrap()];
        self.world.bailiwick(&[&arguments, further].concat())
    }

    /// Starts it and does not wait.
    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.world.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn report(&self, manifest: &Value) -> Value {
        let name = manifest["fleet"].as_str().unwrap();
        let answer = self.world.bailiwick(&["--json", "fleet", "report", name]);
        answer.json()
    }

    /// Who is at work, with the attempt; nothing while the fleet has not begun.
    fn at_work(&self, manifest: &Value) -> Value {
        let standing = self.world.bailiwick(&["--json", "fleet", "status", manifest["fleet"].as_str().unwrap()]);
        if standing.code == 0 { standing.json()["atWork"].clone() } else { json!([]) }
    }

    /// Waits until a job is at work, and gives the processes that work for it.
    fn until_at_work(&self, manifest: &Value) -> Vec<u32> {
        until("a package is at work", || (self.at_work(manifest) != json!([])).then(|| self.workers()))
    }

    /// The worker processes of this world.
    fn workers(&self) -> Vec<u32> {
        self.world
            .processes()
            .into_iter()
            .filter(|number| arguments_of(*number).contains(&"worker".to_owned()))
            .collect()
    }

    /// Neither repository changed, and nothing is left of what was checked out or started.
    fn assert_untouched(&self) {
        self.before.assert_same(&self.world.snapshot());
        for repository in [SDK, SPECS] {
            assert_eq!(self.world.git(repository, &["status", "--porcelain"]), "");
            assert_eq!(self.world.git(repository, &["worktree", "list"]).lines().count(), 1);
        }
        // What was killed is removed by the next command that works.
        let _ = self.world.bailiwick(&["run", "list"]).exits(0);
        assert_eq!(checkouts(&self.world), Vec::<PathBuf>::new());
        until("all processes have ended", || self.world.processes().is_empty().then_some(()));
    }
}

fn package(number: usize) -> String {
    format!("{SDK}/sdk/w{number:02}/azure-widget")
}

fn commit(world: &World, repository: &str) -> String {
    world.git(repository, &["rev-parse", "HEAD"]).trim().to_owned()
}

/// What lies where commits are checked out.
fn checkouts(world: &World) -> Vec<PathBuf> {
    let place = world.base().join("state-checkouts");
    std::fs::read_dir(place).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

fn arguments_of(process: u32) -> Vec<String> {
    let text = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    text.split(|byte| *byte == 0).map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

fn kill(process: u32) {
    let number = rustix::process::Pid::from_raw(process.try_into().unwrap()).unwrap();
    let _ = rustix::process::kill_process(number, rustix::process::Signal::KILL);
}

/// Tries until there is something, for as long as a busy machine may need.
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Every package of the manifest once, with its verdict.
fn verdicts(report: &Value) -> Vec<(String, String)> {
    let rows = report["rows"].as_array().unwrap();
    let mut found: Vec<_> = rows
        .iter()
        .map(|row| (row["package"].as_str().unwrap().to_owned(), row["verdict"].as_str().unwrap_or("none").to_owned()))
        .collect();
    let count = found.len();
    found.sort();
    found.dedup_by(|one, other| one.0 == other.0);
    assert_eq!((found.len(), report["packages"].as_u64()), (count, Some(count as u64)), "{report:#}");
    let counted: u64 = report["counts"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted + report["withoutVerdict"].as_u64().unwrap(), count as u64);
    found
}

fn verdict<'a>(found: &'a [(String, String)], package: &str) -> &'a str {
    &found.iter().find(|(name, _)| name == package).unwrap_or_else(|| panic!("{package}: {found:?}")).1
}
