//! A manifest as what the sandbox gives: capabilities, limits, directories. Nothing here gives more than the manifest says.

use bailiwick_sandbox::{Access, Capabilities, Clocks, Grant, Grants, Limits, Random};
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{Host, Problem, Result, network};
use crate::manifest::{self, Manifest};

/// What stands behind what a component may import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// What a person approved.
    Approved,
    /// Nothing: clocks stand, the environment is empty, no request leaves. So a component is looked at before anybody
    /// approved it.
    Nothing,
}

/// What a component may import, and what stands behind it.
///
/// # Errors
/// A host cannot be granted, or a secret that is asked for is not kept for it.
pub fn capabilities(host: &dyn Host, manifest: Option<&Manifest>, behind: Behind) -> Result<Capabilities> {
    let Some(manifest) = manifest else { return Ok(Capabilities::files()) };
    let inert = Capabilities::whole_wasi();
    if behind == Behind::Nothing {
        return Ok(Capabilities { http: network::closed(manifest)?, ..inert });
    }
    let value = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
    Ok(Capabilities {
        http: network::http(host, manifest)?,
        clocks: if manifest.clocks.is_some() { Clocks::System } else { Clocks::Still },
        random: if manifest.random.is_some() { Random::System } else { Random::Fixed },
        environment: manifest.environment.iter().filter_map(|variable| value(&variable.name)).collect(),
        ..inert
    })
}

/// What one call may spend: the usual, but for what the manifest says.
///
/// # Errors
/// It asks for more than the host allows.
pub fn limits(host: &dyn Host, asked: &manifest::Limits) -> Result<Limits> {
    let (mut limits, ceiling) = (host.usual_limits(), host.most_limits());
    let sizes = [
        ("memory-mib", asked.memory_mib, 20, &mut limits.memory_bytes, ceiling.memory_bytes),
        ("input-kib", asked.input_kib, 10, &mut limits.input_bytes, ceiling.input_bytes),
        ("output-kib", asked.output_kib, 10, &mut limits.output_bytes, ceiling.output_bytes),
        ("open-files", asked.open_files, 0, &mut limits.handles, ceiling.handles),
    ];
    for (key, value, shift, limit, most) in sizes {
        if let Some(value) = value {
            *limit = bounded(key, u64::from(value), shift, most as u64)?.try_into().unwrap_or(usize::MAX);
        }
    }
    if let Some(value) = asked.written_mib {
        limits.written_bytes = bounded("written-mib", value.into(), 20, ceiling.written_bytes)?;
    }
    if let Some(value) = asked.deadline_seconds {
        let most = ceiling.deadline.as_secs();
        limits.deadline = std::time::Duration::from_secs(bounded("deadline-seconds", value.into(), 0, most)?);
    }
    Ok(limits)
}

fn bounded(key: &str, value: u64, shift: u32, most: u64) -> Result<u64> {
    if value > most >> shift {
        let most = most >> shift;
        return Err(Problem::refused(format!("`limits.{key}` asks for {value}, and a tool has {most} here at most")));
    }
    Ok(value << shift)
}

/// The directories of a call, in the manifest's order: those that the person gave under the names that it asks for, else
/// those that were meant once and for all.
pub(super) fn directories(
    host: &dyn Host,
    name: &str,
    manifest: &Manifest,
    given: &Grants,
    pins: &BTreeMap<String, PathBuf>,
) -> Result<Grants> {
    let asked = &manifest.directories;
    if let Some(other) = given.iter().find(|grant| !asked.iter().any(|one| one.name == grant.name())) {
        let names: Vec<_> = asked.iter().map(|one| format!("`{}`", one.name)).collect();
        let hint =
            if names.is_empty() { "it asks for none".to_owned() } else { format!("it asks for {}", names.join(", ")) };
        return Err(Problem::refused(format!("`{name}` asks for no directory `{}`", other.name())).hint(hint));
    }
    let mut all = Vec::new();
    for one in asked {
        let most = match one.access {
            manifest::Access::Read => Access::ReadOnly,
            manifest::Access::Write => Access::ReadWrite,
        };
        let grant = match (given.iter().find(|grant| grant.name() == one.name), pins.get(&one.name)) {
            (Some(grant), _) if grant.access() == Access::ReadWrite && most == Access::ReadOnly => {
                return Err(Problem::refused(format!("`{name}` asks to read `{}` and not to write there", one.name))
                    .hint(format!("grant it with `--grant {}=PATH:ro`", one.name)));
            }
            (Some(grant), _) => grant.clone(),
            (None, Some(path)) => {
                Grant::open(&one.name, path, most, &host.reserved()?).map_err(|error| Problem::from(&error))?
            }
            (None, None) => {
                let access = if most == Access::ReadWrite { ":rw" } else { "" };
                return Err(Problem::usage(format!("`{name}` asks for a directory `{}`, and none is given", one.name))
                    .hint(format!("add `--grant {}=PATH{access}`", one.name)));
            }
        };
        all.push(grant);
    }
    Grants::new(all).map_err(|error| Problem::usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::ProblemKind;
    use super::super::host::tests::TestHost;
    use super::*;
    use bailiwick_sandbox::{Reserved, Wasi};

    fn asking(asks: &str) -> Manifest {
        let head = "schema = 1\nname = \"t\"\nversion = \"1\"\ndescription = \"d\"\ncomponent = \"t.wasm\"\n";
        Manifest::parse(&format!("{head}{asks}")).unwrap()
    }

    #[test]
    fn what_is_behind_an_import_is_what_the_manifest_asks_for_and_nothing_before_it_was_approved() {
        let host = TestHost::default();
        assert_eq!(capabilities(&host, None, Behind::Approved).unwrap(), Capabilities::files());
        let nothing = asking("");
        assert_eq!(capabilities(&host, Some(&nothing), Behind::Approved).unwrap(), Capabilities::whole_wasi());
        let clock = asking("[clocks]\nreason = \"r\"\n[[environment]]\nname = \"PATH\"\nreason = \"r\"");
        let given = capabilities(&host, Some(&clock), Behind::Approved).unwrap();
        assert_eq!((given.wasi, given.clocks, given.random), (Wasi::Whole, Clocks::System, Random::Fixed));
        assert_eq!(given.environment.len(), 1);
        assert_eq!(capabilities(&host, Some(&clock), Behind::Nothing).unwrap(), Capabilities::whole_wasi());
    }

    #[test]
    fn limits_are_lowered_or_raised_to_the_ceiling_and_never_over_it() {
        let host = TestHost::default();
        let asked = |text: &str| limits(&host, &asking(&format!("[limits]\n{text}")).limits);
        let lower = asked("memory-mib = 8\ndeadline-seconds = 2").unwrap();
        assert_eq!((lower.memory_bytes, lower.deadline.as_secs()), (8 << 20, 2));
        assert_eq!(lower.input_bytes, host.usual_limits().input_bytes);
        let raised = asked("memory-mib = 512\ndeadline-seconds = 300").unwrap();
        assert_eq!((raised.memory_bytes, raised.deadline.as_secs()), (512 << 20, 300));
        assert_eq!(asked("memory-mib = 128").unwrap().memory_bytes, 128 << 20);
        for over in [
            "memory-mib = 513",
            "deadline-seconds = 301",
            "memory-mib = 4096",
            "deadline-seconds = 3600",
            "open-files = 100000",
            "written-mib = 65536",
        ] {
            assert_eq!(asked(over).unwrap_err().kind, ProblemKind::Refused, "{over}");
        }
    }

    #[test]
    fn call_gets_the_directories_that_were_asked_for_with_no_more_access() {
        let host = TestHost::default();
        let base = tempfile::tempdir().unwrap();
        let open = |name: &str, access| Grant::open(name, base.path(), access, &Reserved::none()).unwrap();
        let given = |grants: Vec<Grant>| Grants::new(grants).unwrap();
        let manifest = asking(
            "[[directories]]\nname = \"in\"\naccess = \"read\"\nreason = \"r\"\n[[directories]]\nname = \"out\"\n\
             access = \"write\"\nreason = \"r\"",
        );
        let none = BTreeMap::new();
        let both = given(vec![open("out", Access::ReadWrite), open("in", Access::ReadOnly)]);
        let had = directories(&host, "t", &manifest, &both, &none).unwrap();
        assert_eq!(had.iter().map(Grant::name).collect::<Vec<_>>(), ["in", "out"]);
        let more = given(vec![open("in", Access::ReadWrite), open("out", Access::ReadWrite)]);
        let other =
            given(vec![open("in", Access::ReadOnly), open("out", Access::ReadOnly), open("x", Access::ReadOnly)]);
        for refused in [&more, &other] {
            assert_eq!(directories(&host, "t", &manifest, refused, &none).unwrap_err().kind, ProblemKind::Refused);
        }
        let one = given(vec![open("in", Access::ReadOnly)]);
        assert_eq!(directories(&host, "t", &manifest, &one, &none).unwrap_err().kind, ProblemKind::Usage);
    }
}
