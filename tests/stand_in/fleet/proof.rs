//! Packages of all five languages, while workers, the coordinator and everything at once are killed: as many verdicts as
//! packages, each the one that the package has where nothing dies, and every repository as before.
//!
//! `BAILIWICK_FLEET_PACKAGES` is how many packages there are; the slow tier has 60.

use super::verdicts::EATS as EATER;
use super::{Fleet, kill, of_five, until, verdict, verdicts};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Child;

const FAILS: usize = 1;
const HANGS: usize = 2;
const EATS: usize = 3;
const KILLS: usize = 4;

/// How many packages there are; at least as many as languages, and those with a number above.
pub(super) fn packages() -> usize {
    std::env::var("BAILIWICK_FLEET_PACKAGES").map_or(10, |number| number.parse().unwrap())
}

fn script(number: usize) -> Value {
    match number {
        FAILS => json!({ "generate": [["error: the emitter gives up"]] }),
        HANGS | KILLS => json!({ "hangs": "generate" }),
        EATS => json!({ "runs": "eats.js" }),
        _ => json!({}),
    }
}

/// How far a worker has come with a package that it is killed at, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// It has taken it.
    Taken,
    /// It is checking commits out.
    CheckingOut,
    /// The command runs.
    Generating,
    /// The command has ended, and there is no result yet.
    Keeping,
}

const PHASES: [Phase; 4] = [Phase::Taken, Phase::CheckingOut, Phase::Generating, Phase::Keeping];

/// What is seen of a fleet from outside.
struct Watched<'a> {
    directory: PathBuf,
    manifest: &'a Value,
    /// Packages whose first worker was killed.
    killed: BTreeSet<String>,
    /// In which phases, and how often.
    seen: Vec<Phase>,
}

impl<'a> Watched<'a> {
    fn new(fleet: &Fleet, manifest: &'a Value) -> Self {
        let directory = fleet.world.base().join("state/fleets").join(manifest["fleet"].as_str().unwrap());
        Self { directory, manifest, killed: BTreeSet::new(), seen: Vec::new() }
    }

    fn key(&self, number: usize) -> &str {
        let name = of_five(number);
        let jobs = self.manifest["jobs"].as_array().unwrap();
        let is = |job: &&Value| {
            name == format!("{}/{}", job["sdk"]["repository"].as_str().unwrap(), job["package"].as_str().unwrap())
        };
        jobs.iter().find(is).unwrap()["key"].as_str().unwrap()
    }

    fn has_result(&self, key: &str) -> bool {
        self.directory.join("results").join(format!("{key}.json")).exists()
    }

    fn results(&self) -> usize {
        let names = std::fs::read_dir(self.directory.join("results")).into_iter().flatten().flatten();
        names.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count()
    }

    /// The attempts that were begun, and the process of the last one.
    fn attempts(&self, key: &str) -> Option<(usize, u32)> {
        let begun = std::fs::read_to_string(self.directory.join("jobs").join(key)).ok()?;
        let last = begun.lines().last()?.rsplit(' ').next()?.parse().ok()?;
        Some((begun.lines().count(), last))
    }

    /// Kills the worker of the package that kills every worker, and the first worker of each third other package: one
    /// after the other in each phase.
    fn strike(&mut self, packages: usize) {
        if let Some((attempts, worker)) = self.attempts(self.key(KILLS)).filter(|_| !self.has_result(self.key(KILLS))) {
            let name = format!("{attempts}");
            if attempts <= 3 && !self.killed.contains(&name) {
                kill(worker);
                self.killed.insert(name);
            }
        }
        for number in (KILLS + 1..packages).step_by(3) {
            let key = self.key(number).to_owned();
            if self.killed.contains(&key) || self.has_result(&key) {
                continue;
            }
            let Some((1, worker)) = self.attempts(&key) else { continue };
            let wanted = PHASES[number / 3 % PHASES.len()];
            // A short phase can be over between two looks: the next one does as well.
            if let Some(phase) = self.phase(&key, worker).filter(|phase| *phase >= wanted) {
                kill(worker);
                self.seen.push(phase);
                self.killed.insert(key);
            }
        }
    }

    /// What the worker of this package is doing.
    fn phase(&self, key: &str, worker: u32) -> Option<Phase> {
        let children = children(worker);
        let is_git = |child: &Vec<String>| child.first().is_some_and(|program| program == "git");
        if self.directory.join("artifacts").join(format!("{key}.answer.json")).exists() {
            Some(Phase::Keeping)
        } else if children.iter().any(is_git) {
            Some(Phase::CheckingOut)
        } else if !children.is_empty() {
            Some(Phase::Generating)
        } else {
            Path::new("/proc").join(worker.to_string()).exists().then_some(Phase::Taken)
        }
    }

    /// Strikes until the command has ended, and gives its exit code; kills it first once it is told to.
    fn until_ended(&mut self, mut run: Child, packages: usize, dies_after: Option<usize>) -> Option<i32> {
        until("the fleet has ended", || {
            self.strike(packages);
            if dies_after.is_some_and(|results| self.results() >= results) {
                kill(run.id());
            }
            run.try_wait().unwrap().map(|status| status.code())
        })
    }
}

/// The command lines of the processes that a process started.
fn children(process: u32) -> Vec<Vec<String>> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let numbers: Vec<u32> = tasks
        .flat_map(|task| of(task).split_whitespace().filter_map(|one| one.parse().ok()).collect::<Vec<_>>())
        .collect();
    numbers.into_iter().map(super::arguments_of).collect()
}

fn expected(number: usize) -> &'static str {
    match number {
        FAILS | EATS => "failed",
        HANGS => "timed-out",
        KILLS => "killed-its-worker",
        _ => "succeeded",
    }
}

#[test]
fn whatever_is_killed_every_package_of_five_languages_has_the_verdict_that_is_its_own() {
    let packages = packages();
    let fleet = Fleet::in_five_languages(packages, script);
    let eats = fleet.world.base().join(of_five(EATS)).join("eats.js");
    std::fs::write(eats, EATER).unwrap();
    fleet.world.commit();
    let fleet = Fleet { before: fleet.world.snapshot(), ..fleet };
    let (path, manifest) = fleet.plan_all("generate");
    assert_eq!(manifest["jobs"].as_array().unwrap().len(), packages, "{manifest:#}");
    assert_eq!(manifest["skipped"], json!([]));
    let name = manifest["fleet"].as_str().unwrap();
    let further = ["--workers", "3", "--deadline", "30", "--memory", "700"];
    let mut watched = Watched::new(&fleet, &manifest);

    // First the coordinator alone is killed.
    let run = fleet.start(&[&["fleet", "run", path.to_str().unwrap()], &further[..]].concat());
    assert_eq!(watched.until_ended(run, packages, Some(packages / 5)), None);
    until("its workers have ended", || fleet.world.processes().is_empty().then_some(()));
    let early = verdicts(&fleet.report(&manifest));

    // Then everything at once.
    let mut run = fleet.start(&[&["fleet", "resume", name], &further[..]].concat());
    let done = watched.results();
    until("another package is done", || {
        watched.strike(packages);
        (watched.results() > done || run.try_wait().unwrap().is_some()).then_some(())
    });
    kill(run.id());
    run.wait().unwrap();
    until("all processes have ended", || {
        fleet.world.processes().into_iter().for_each(kill);
        fleet.world.processes().is_empty().then_some(())
    });

    // And at last it is let to its end, but for its workers.
    let run = fleet.start(&[&["fleet", "resume", name], &further[..]].concat());
    assert_eq!(watched.until_ended(run, packages, None), Some(1));
    let report = fleet.report(&manifest);
    let found = verdicts(&report);
    for number in 0..packages {
        let rows = report["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["package"] == of_five(number)).unwrap();
        assert_eq!(verdict(&found, &of_five(number)), expected(number), "{row:#}");
    }
    assert_eq!((found.len(), &report["complete"]), (packages, &json!(true)));
    let kept = early.iter().filter(|(_, verdict)| verdict != "none");
    assert!(
        kept.clone().count() > 0 && kept.clone().all(|one| found.contains(one)),
        "a verdict was another one before"
    );
    assert!(!watched.seen.is_empty(), "no worker of an ordinary package was killed");
    eprintln!("{packages} packages; workers were killed while {:?}", watched.seen);
    fleet.assert_untouched();
}
