//! Real children under a real supervisor. Most of them are probes of the `confined-helper` binary,
//! which try what confinement forbids and print what came of it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test itself")]

mod filesystem;
mod ipc;
mod lifetime;
mod limits;
mod network;
mod others;
mod output;
mod privacy;
mod start;
mod support;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_process::{
    Availability, Command, Confinement, Finished, Limits, Measured, Missing, Network, ProcessError, Rules, Supervisor,
    system_paths,
};

/// Long enough for any probe on a busy machine.
const AMPLE: Duration = Duration::from_secs(60);

fn helper() -> PathBuf {
    std::fs::canonicalize(env!("CARGO_BIN_EXE_confined-helper")).unwrap()
}

fn supervisor() -> Supervisor {
    Supervisor::new(helper())
}

/// Supervisors that confine children on this system and as on those that lack something, each with its name.
fn systems() -> [(&'static str, Supervisor); 4] {
    use Missing::{IpcNamespace, MountNamespace, NetworkNamespace, ProcessNamespace, ProcessScope, UserNamespace};
    [
        ("everything is there", supervisor()),
        ("no process namespace", supervisor().as_if_without(&[ProcessNamespace])),
        (
            "no namespaces",
            supervisor().as_if_without(&[
                UserNamespace,
                ProcessNamespace,
                MountNamespace,
                IpcNamespace,
                NetworkNamespace,
            ]),
        ),
        ("Linux before 6.12", supervisor().as_if_without(&[ProcessScope])),
    ]
}

/// A directory that a child may use and one that it may not, both without symbolic links in their paths.
struct Place {
    _parent: tempfile::TempDir,
    inside: PathBuf,
    outside: PathBuf,
}

fn place() -> Place {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().canonicalize().unwrap();
    let (inside, outside) = (root.join("inside"), root.join("outside"));
    std::fs::create_dir(&inside).unwrap();
    std::fs::create_dir(&outside).unwrap();
    Place { _parent: parent, inside, outside }
}

/// Rules that let the helper run and write to `write`.
fn rules(write: &Path) -> Rules {
    let mut read = system_paths();
    read.push(helper());
    Rules { read, list: Vec::new(), write: vec![write.to_owned()], network: Network::Refused }
}

fn ample() -> Limits {
    Limits {
        measured: Measured::Often,
        deadline: AMPLE,
        output_bytes: 64 * 1024,
        processes: 1000,
        memory_bytes: 1 << 30,
        file_bytes: 1 << 30,
        disk_bytes: 4 << 30,
    }
}

fn command(program: impl Into<PathBuf>, arguments: &[&str], confinement: Confinement) -> Command {
    Command {
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        directory: PathBuf::from("/"),
        environment: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        limits: ample(),
        confinement,
    }
}

fn probe_command(arguments: &[&str], confinement: Confinement) -> Command {
    command(helper(), &[&["probe"], arguments].concat(), confinement)
}

async fn run(command: &Command) -> Result<Finished, ProcessError> {
    supervisor().run(command, &mut |_, _| ()).await
}

/// What a confined probe printed.
async fn probe(arguments: &[&str], rules: &Rules) -> String {
    probe_by(&supervisor(), arguments, rules).await
}

async fn probe_by(supervisor: &Supervisor, arguments: &[&str], rules: &Rules) -> String {
    let command = probe_command(arguments, Confinement::Confined(rules.clone()));
    let finished = supervisor.run(&command, &mut |_, _| ()).await.unwrap();
    assert_eq!(finished.stderr.text, "");
    finished.stdout.text.trim_end().to_owned()
}

/// What the same probe prints without confinement: shows that a refusal is confinement's doing.
async fn unconfined(arguments: &[&str]) -> String {
    let command = probe_command(arguments, Confinement::Unconfined);
    run(&command).await.unwrap().stdout.text.trim_end().to_owned()
}

#[track_caller]
fn assert_refused(said: &str) {
    assert!(said.starts_with("refused "), "not refused: {said}");
}

#[track_caller]
fn assert_done(said: &str) {
    assert!(said.starts_with("done"), "not done: {said}");
}

/// Says why nothing was tested. Where `CI` is set everything has to be tested.
#[expect(clippy::print_stderr, reason = "the person who runs the tests must see it")]
fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Whether this machine has the mechanism.
fn enforces(name: &str) -> bool {
    supervisor()
        .support()
        .mechanisms
        .iter()
        .any(|mechanism| mechanism.name == name && matches!(mechanism.availability, Availability::Yes(_)))
}
