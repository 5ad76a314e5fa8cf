//! The directories a hostile program is let loose on, and what is held against it afterwards.

use super::guest;
use super::tree::Tree;
use crate::common;
use bailiwick_sandbox::{Access, CallError, Denial, DenialReason, Grant, Grants, HostFailure, Limits, Reserved};
use rustix::fd::OwnedFd;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Every name and every content outside of the grants has this word in it, and nothing inside has.
pub(crate) const OUTSIDE: &str = "outside";

/// What must not appear in a guest's report, beside the path of the world itself.
const LEAKS: [&str; 3] = [OUTSIDE, "root:x:", "LD_LIBRARY_PATH"];

/// A directory with granted trees in it and canaries beside them.
pub(crate) struct World {
    base: tempfile::TempDir,
    granted: Vec<(Grant, PathBuf)>,
}

impl World {
    /// The trees `granted`, `frozen` and `other`, alike; `outside`, `granted-evil` and `granted2` beside them. Nothing
    /// is granted yet.
    pub(crate) fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let at = |place: &str| base.path().join(place);
        for tree in ["granted", "frozen", "other"] {
            fs::create_dir_all(at(tree).join("sub/deeper")).unwrap();
            fs::write(at(tree).join("inside.txt"), "inside\n").unwrap();
            fs::write(at(tree).join("sub/inside.txt"), "sub\n").unwrap();
            fs::write(at(tree).join("sub/deeper/leaf.txt"), "leaf\n").unwrap();
        }
        fs::create_dir_all(at("outside/sub-outside")).unwrap();
        fs::write(at("outside/sub-outside/deep-outside.txt"), "deep outside\n").unwrap();
        for tree in ["outside", "granted-evil", "granted2"] {
            fs::create_dir_all(at(tree)).unwrap();
            fs::write(at(tree).join("secret-outside.txt"), "the outside secret\n").unwrap();
        }
        Self { base, granted: Vec::new() }
    }

    /// The three trees as `box`, `other` (both writable) and `frozen` (read-only).
    pub(crate) fn usual() -> Self {
        Self::new().grant("box", "granted", Access::ReadWrite).grant("frozen", "frozen", Access::ReadOnly).grant(
            "other",
            "other",
            Access::ReadWrite,
        )
    }

    /// Grants a directory of this world.
    pub(crate) fn grant(self, name: &str, place: &str, access: Access) -> Self {
        self.grant_with(name, place, access, |grant| grant)
    }

    /// [`World::grant`], with something said about it.
    pub(crate) fn grant_with(
        mut self,
        name: &str,
        place: &str,
        access: Access,
        with: impl FnOnce(Grant) -> Grant,
    ) -> Self {
        let grant = Grant::open(name, &self.at(place), access, &Reserved::none()).unwrap();
        self.granted.push((with(grant), self.at(place)));
        self
    }

    /// Grants `upper` over `lower`.
    pub(crate) fn grant_staged(mut self, name: &str, lower: &str, upper: &str) -> Self {
        let open = |place: &str| OwnedFd::from(fs::File::open(self.at(place)).unwrap());
        let grant = Grant::staged(name, open(lower), open(upper), &Reserved::none()).unwrap();
        // Of the two only the upper one may change.
        self.granted.push((grant, self.at(upper)));
        self
    }

    /// A place in this world, on the host's side.
    pub(crate) fn at(&self, place: &str) -> PathBuf {
        self.base.path().join(place)
    }

    pub(crate) fn write(&self, place: &str, content: &str) {
        fs::create_dir_all(self.at(place).parent().unwrap()).unwrap();
        fs::write(self.at(place), content).unwrap();
    }

    pub(crate) fn read(&self, place: &str) -> String {
        fs::read_to_string(self.at(place)).unwrap()
    }

    /// A symbolic link at `place` with any text.
    pub(crate) fn link(&self, place: &str, target: impl AsRef<Path>) {
        fs::create_dir_all(self.at(place).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, self.at(place)).unwrap();
    }

    pub(crate) fn exists(&self, place: &str) -> bool {
        fs::symlink_metadata(self.at(place)).is_ok()
    }

    /// The sorted names in a directory.
    pub(crate) fn names(&self, place: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(place)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// One of the trees as it is now.
    pub(crate) fn tree(&self, place: &str) -> Tree {
        Tree::of(&self.at(place), &[])
    }

    fn outside(&self) -> Tree {
        let granted: Vec<_> = self.granted.iter().map(|(_, path)| path.clone()).collect();
        Tree::of(self.base.path(), &granted)
    }

    /// Runs a program and holds it to what no program may do.
    pub(crate) fn run(&self, program: &str) -> Ran {
        self.call(&json!({ "program": program, "outside": self.at("outside") }))
    }

    /// [`World::run`], after which every granted tree must hold the very same things, too.
    pub(crate) fn run_in_vain(&self, program: &str) -> Ran {
        let trees = || -> Vec<_> {
            self.granted.iter().map(|(_, path)| (path, Tree::of(path, &[]).without_directory_times())).collect()
        };
        let before = trees();
        let ran = self.run(program);
        for ((path, before), (_, after)) in before.iter().zip(trees()) {
            before.assert_unchanged(&after, &path.display().to_string());
        }
        ran
    }

    /// Runs operations through the interpreter; one answer for each.
    pub(crate) fn operate(&self, operations: &Value) -> Vec<Value> {
        let before = self.outside();
        let (outcome, _, _) = self.raw(&json!({ "operations": operations }));
        before.assert_unchanged(&self.outside(), "the outside");
        let output: Value = serde_json::from_str(&outcome.unwrap()).unwrap();
        output["answers"].as_array().unwrap().clone()
    }

    fn call(&self, input: &Value) -> Ran {
        let before = self.outside();
        let (outcome, denied, denials) = self.raw(input);
        before.assert_unchanged(&self.outside(), "the outside");
        let (answers, failure) = match outcome {
            Ok(output) => (serde_json::from_str::<Output>(&output).unwrap().answers, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let base = self.base.path().display().to_string();
        for answer in &answers {
            for leak in LEAKS.iter().copied().chain([base.as_str()]) {
                assert!(!answer.result.contains(leak), "something of the outside leaked: {answer:?}");
            }
        }
        Ran { answers, failure, denied, denials }
    }

    fn raw(&self, input: &Value) -> (Result<String, CallError>, u64, Vec<Denial>) {
        let (sandbox, tool) = guest::shared();
        let grants = Grants::new(self.granted.iter().map(|(grant, _)| grant.clone()).collect()).unwrap();
        // A debug build under load takes its time; no program may be stopped before its last attempt.
        let limits = Limits { deadline: Duration::from_secs(120), written_bytes: 32 << 20, ..common::limits() };
        let report = common::block_on(sandbox.call(tool, &grants, &input.to_string(), &limits));
        (report.outcome, report.cost.denied.into(), report.denials)
    }
}

#[derive(Deserialize)]
struct Output {
    answers: Vec<Answer>,
}

/// What one call of a program came to.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) call: String,
    pub(crate) path: String,
    pub(crate) result: String,
}

impl Answer {
    pub(crate) fn succeeded(&self) -> bool {
        self.result == "ok" || self.result.starts_with("ok: ")
    }
}

/// A program that has run.
pub(crate) struct Ran {
    pub(crate) answers: Vec<Answer>,
    failure: Option<CallError>,
    denied: u64,
    pub(crate) denials: Vec<Denial>,
}

impl Ran {
    /// It came to its end and every attempt in it failed; some of them were counted as refusals.
    pub(crate) fn assert_nothing_succeeded(&self) {
        self.assert_only(|_| false);
        assert!(self.denied > 0, "nothing was counted as refused");
    }

    /// It came to its end, and what succeeded is what `may`.
    pub(crate) fn assert_only(&self, may: impl Fn(&Answer) -> bool) {
        assert_eq!(self.failure, None);
        assert!(!self.answers.is_empty(), "the program tried nothing");
        let beyond: Vec<_> = self.answers.iter().filter(|answer| answer.succeeded() && !may(answer)).collect();
        assert!(beyond.is_empty(), "succeeded and should not have: {beyond:#?}");
    }

    /// What the call came to, the first time.
    pub(crate) fn result(&self, call: &str, path: &str) -> &str {
        assert_eq!(self.failure, None);
        let found = self.answers.iter().find(|answer| answer.call == call && answer.path == path);
        &found.unwrap_or_else(|| panic!("`{call}` of `{path}` was not tried")).result
    }

    /// Each of these came to what is said.
    pub(crate) fn assert_results(&self, expected: &[(&str, &str, &str)]) {
        for (call, path, result) in expected {
            assert_eq!(self.result(call, path), *result, "{call} {path:?}");
        }
    }

    /// The guest was stopped, and the sandbox goes on.
    pub(crate) fn assert_trapped(&self) {
        assert!(matches!(self.failure, Some(CallError::Host(HostFailure::Trap(_)))), "{:?}", self.failure);
        assert_goes_on();
    }

    /// The guest was stopped by the limit of its handles, and the sandbox goes on.
    pub(crate) fn assert_out_of_handles(&self) {
        assert!(matches!(self.failure, Some(CallError::Host(HostFailure::Handles { .. }))), "{:?}", self.failure);
        assert_goes_on();
    }

    /// At least one attempt was refused for this reason.
    pub(crate) fn assert_denied_for(&self, reason: DenialReason) {
        assert!(self.denials.iter().any(|denial| denial.reason == reason), "{:?}", self.denials);
    }
}

/// The next call of the same tool is unharmed.
fn assert_goes_on() {
    let world = World::usual();
    assert_eq!(world.operate(&json!([["get-type", 0]])), [json!({"ok": "directory"})]);
}
