//! `bailiwick doctor`: what this machine has, what it can enforce, and what to do about the rest.

use super::package;
use crate::exit::{Code, Result};
use crate::installation::Installation;
use crate::{output, places, runtime};
use bailiwick_process::Availability;
use bailiwick_sandbox::fs::resolve::{Resolution, available};
use bailiwick_sandbox::{Audit, HIDDEN, SENSITIVE};
use serde::Serialize;
use std::path::Path;
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    /// The monitoring port of a NATS server that is the queue of fleets: whether it writes to its disk at once.
    #[arg(long, value_name = "HOST:PORT")]
    queue_monitor: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Check {
    name: String,
    status: Status,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Status {
    Good,
    /// Something works in a lesser way, or is needed for some jobs alone.
    Note,
    Missing,
}

pub(crate) fn execute(asked: &Doctor, as_json: bool) -> Result<Code> {
    let mut checks = vec![installation()?];
    checks.extend(programs());
    checks.extend(languages());
    checks.push(resolution());
    checks.extend(places_in_grants());
    checks.extend(confinement()?);
    checks.extend(directories()?);
    checks.push(toolchains(&places::cache()?));
    checks.push(tools());
    if let Some(monitor) = &asked.queue_monitor {
        checks.push(queue(monitor)?);
    }
    let complete = checks.iter().all(|check| check.status != Status::Missing);
    if as_json {
        output::json(&serde_json::json!({ "complete": complete, "checks": checks }));
    } else {
        for check in &checks {
            let mark = match check.status {
                Status::Good => "ok     ",
                Status::Note => "note   ",
                Status::Missing => "missing",
            };
            output::line(&format!("{mark} {:<26} {}", check.name, beginning(&check.found)));
            if let Some(hint) = &check.hint {
                output::line(&format!("        hint: {hint}"));
            }
        }
    }
    Ok(if complete { Code::Done } else { Code::NoSuccess })
}

/// How soon the server of a queue writes to its disk.
#[cfg(feature = "nats")]
fn queue(monitor: &str) -> Result<Check> {
    use bailiwick_fleet::Setting;
    let (status, found) = match runtime::block_on(Setting::of(monitor))? {
        Setting::Always => (Status::Good, "it writes to its disk before it acknowledges".to_owned()),
        Setting::Late(after) => (Status::Note, format!("it writes to its disk only every {} seconds", after.as_secs())),
        Setting::Unknown(reason) => (Status::Note, reason),
    };
    let hint = (status == Status::Note).then(|| "`sync_interval: always` in its configuration".to_owned());
    Ok(Check { name: format!("queue {monitor}"), status, found, hint })
}

#[cfg(not(feature = "nats"))]
fn queue(_: &str) -> Result<Check> {
    Err(crate::exit::Error::usage("this program was built without the feature `nats`"))
}

/// How many entries of a list a terminal shows.
const SHOWN: usize = 8;

/// A list as a terminal shows it: its beginning, and how many entries more there are.
fn beginning(found: &str) -> String {
    let entries: Vec<&str> = found.split(", ").collect();
    match entries.len().checked_sub(SHOWN) {
        Some(more) if more > 1 => {
            let first = entries.get(..SHOWN).unwrap_or_default().join(", ");
            format!("{first} and {more} more; `bailiwick doctor --json` lists all")
        }
        _ => found.to_owned(),
    }
}

fn installation() -> Result<Check> {
    let installation = Installation::current()?;
    let (status, hint) = match installation.cached {
        false => (Status::Good, None),
        true => {
            (Status::Note, Some("it is cleared with the cache; `uv tool install bailiwick-cli` keeps it".to_owned()))
        }
    };
    Ok(Check { name: "installation".into(), status, found: installation.text(), hint })
}

fn programs() -> Vec<Check> {
    const NEEDED: &[(&str, &str, &str)] = &[
        ("git", "--version", "install git: `tsp-client` asks it where a repository begins"),
        ("node", "--version", "install Node.js 20 or newer: it installs the locked Node 22 that is used"),
        ("npm", "--version", "install npm 10 or newer"),
        ("python3", "--version", "install Python 3.10 or newer with `venv` (on Debian `apt install python3-venv`)"),
    ];
    NEEDED
        .iter()
        .map(|(program, argument, hint)| match version(program, argument) {
            Some(found) => Check { name: (*program).into(), status: Status::Good, found, hint: None },
            None => Check {
                name: (*program).into(),
                status: Status::Missing,
                found: "not found".into(),
                hint: Some((*hint).into()),
            },
        })
        .collect()
}

/// Needed for the packages of one language alone.
fn languages() -> Vec<Check> {
    const NEEDED: &[(&str, &str, &str)] = &[
        (
            "javac",
            "--version",
            "for Java packages install a JDK, 17 or newer (on Debian `apt install openjdk-17-jdk-headless`)",
        ),
        ("mvn", "--version", "for Java packages install Maven 3.8 or newer (on Debian `apt install maven`)"),
        ("dotnet", "--version", "for .NET packages install the .NET SDK, 8 or newer, so that `dotnet` is on the path"),
        (
            "pwsh",
            "--version",
            "for scripts in PowerShell that a repository configures install PowerShell, so that `pwsh` is on the path",
        ),
        ("go", "version", "for Go packages install Go 1.23 or newer, so that `go` is on the path"),
    ];
    NEEDED
        .iter()
        .map(|(program, argument, hint)| match version(program, argument) {
            Some(found) => {
                let first = found.lines().next().unwrap_or_default();
                let found = first.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "").replace("\u{1b}[m", "");
                Check { name: (*program).into(), status: Status::Good, found, hint: None }
            }
            None => Check {
                name: (*program).into(),
                status: Status::Note,
                found: "not found".into(),
                hint: Some((*hint).into()),
            },
        })
        .collect()
}

fn version(program: &str, argument: &str) -> Option<String> {
    // As when something is installed: a repository has no say in what runs (`.mvn/jvm.config` loads agents), and no key is there.
    let (environment, _) = bailiwick_process::scrubbed_environment();
    let mut command = Command::new(program);
    command.arg(argument).current_dir("/").env_clear().envs(environment);
    let output = command.env("GOTOOLCHAIN", "local").env("DOTNET_NOLOGO", "1").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// What a tool does not reach in a directory that it was granted, and by which words it does.
fn places_in_grants() -> [Check; 2] {
    let check = |name: &str, places: &[&str], hint: &str| Check {
        name: name.into(),
        status: Status::Good,
        found: places.join(", "),
        hint: Some(hint.into()),
    };
    [
        check("hidden in every grant", HIDDEN, "`--unhide PATTERN` shows one of these, `--hide PATTERN` hides more"),
        check("not written in any grant", SENSITIVE, "`--allow-sensitive PLACE` allows one of these"),
    ]
}

fn resolution() -> Check {
    let (status, found) = match available() {
        Resolution::Openat2 => (Status::Good, "by the kernel (`openat2`)"),
        Resolution::Walk => (Status::Note, "component by component: this kernel or a filter refuses `openat2`"),
    };
    Check { name: "paths beneath a grant".into(), status, found: found.into(), hint: None }
}

fn confinement() -> Result<Vec<Check>> {
    let support = package::supervisor()?.support();
    let confines = support.confines();
    let mut checks: Vec<Check> = support
        .mechanisms
        .iter()
        .map(|mechanism| {
            let (status, found) = match &mechanism.availability {
                Availability::Yes(found) => (Status::Good, found.clone()),
                Availability::No(reason) => (Status::Note, format!("{reason}; so {}", mechanism.without)),
            };
            Check { name: mechanism.name.clone(), status, found, hint: None }
        })
        .collect();
    checks.push(match confines {
        Ok(()) => Check { name: "confined builds".into(), status: Status::Good, found: "yes".into(), hint: None },
        Err(reason) => Check {
            name: "confined builds".into(),
            status: Status::Missing,
            found: reason,
            hint: Some(
                "Linux 6.12 or newer with Landlock is needed, or 6.2 with user namespaces; `--unconfined-builds` runs \
                 without it at your own risk"
                    .into(),
            ),
        },
    });
    Ok(checks)
}

fn directories() -> Result<Vec<Check>> {
    let check = |name: &str, path: std::path::PathBuf| Check {
        name: name.into(),
        status: Status::Good,
        found: path.display().to_string(),
        hint: None,
    };
    Ok(vec![check("state", places::state()?), check("cache", places::cache()?)])
}

/// What commands on packages installed for themselves.
fn toolchains(cache: &Path) -> Check {
    let installed = bailiwick_toolchains::installed(cache);
    let one = |(name, count): (&String, &usize)| if *count > 1 { format!("{name} ({count})") } else { name.clone() };
    let (status, found) = match installed.is_empty() {
        true => (Status::Note, "none".to_owned()),
        false => (Status::Good, installed.iter().map(one).collect::<Vec<_>>().join(", ")),
    };
    let hint = "`bailiwick setup --package-path DIR` installs what the package's specification and emitter need; other \
                commands on packages install what is missing";
    let hint = installed.is_empty().then(|| hint.to_owned());
    Check { name: "installed toolchains".into(), status, found, hint }
}

fn tools() -> Check {
    let loaded = runtime::sandbox(Audit::Off)
        .and_then(|sandbox| runtime::block_on(async { runtime::builtin_tools(&sandbox).await })?);
    match loaded {
        Ok(tools) => Check {
            name: "sandboxed tools".into(),
            status: Status::Good,
            found: tools.iter().map(|tool| tool.descriptor().name.clone()).collect::<Vec<_>>().join(", "),
            hint: None,
        },
        Err(error) => {
            Check { name: "sandboxed tools".into(), status: Status::Missing, found: error.message, hint: error.hint }
        }
    }
}
