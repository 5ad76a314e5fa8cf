//! A log in a scratch directory, and calls to put in it.

use bailiwick_audit::{AuditError, Denied, Entry, GrantAccess, GrantEntry, Log, Outcome};
use std::path::{Path, PathBuf};

pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::Builder::new().prefix("bailiwick-audit-").tempdir().unwrap())
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.0.path().join("state/audit")
    }

    pub(crate) fn file(&self, number: u32) -> PathBuf {
        self.log().join(format!("audit-{number:06}.jsonl"))
    }

    pub(crate) fn open(&self, file_bytes: u64) -> Log {
        Log::open(&self.log(), file_bytes).unwrap()
    }
}

pub(crate) fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

pub(crate) fn append(log: &Log, call: usize) {
    try_append(log, call).unwrap();
}

pub(crate) fn try_append(log: &Log, call: usize) -> Result<(), AuditError> {
    try_append_path(log, call, "../../etc/passwd")
}

pub(crate) fn try_append_path(log: &Log, call: usize, path: &str) -> Result<(), AuditError> {
    let grants = [GrantEntry {
        name: "sdk".into(),
        access: GrantAccess::ReadWrite,
        path: Some("/home/somebody/azure-sdk-for-python/sdk/widget/azure-widget".into()),
        device: 2049,
        inode: 123_456,
    }];
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    log.append(&Entry {
        run: Some("20261120-130405-678-abcd"),
        tool: "ReadFile",
        component: digest,
        grants: &grants,
        arguments: digest,
        outcome: Outcome::Done { output: Some(digest) },
        cost: &[call],
        denied: &[Denied { operation: "open", path, reason: "outside" }],
    })
}

/// The shortest line a call can have, for tests that try every bit of it.
pub(crate) fn append_short(log: &Log) {
    let outcome = Outcome::ToolError { kind: "failed" };
    let (run, grants, denied) = (None, &[], &[]);
    log.append(&Entry { run, tool: "T", component: "", grants, arguments: "", outcome, cost: &0, denied }).unwrap();
}
