//! `tool add`, `tool update` and `tool remove`. None of them approves anything.

use super::review::{self, Review};

use crate::exit::{Code, Error, Result};
use crate::installed::{ThisProgram, described, store};
use crate::{output, runtime};
use bailiwick_sandbox::Audit;
use bailiwick_sandbox::Program;
use bailiwick_tools::change::differences;
use bailiwick_tools::downgrade::Downgrade;
use bailiwick_tools::installed::fetch::{let_go, resolved, settle};
use bailiwick_tools::installed::{self, Fetched, free};
use bailiwick_tools::{Entry, Source, Standing};
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct AddTool {
    /// The component, its `tool.toml`, the directory of one, or an artifact of a registry.
    #[arg(value_name = "FILE|oci://…")]
    pub(crate) file: PathBuf,
    /// What it is called here; the name in its manifest, or that of its only tool, if this is left out.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateTool {
    /// What it was added as.
    pub(crate) name: String,
    /// The component, its `tool.toml`, the directory of one, or an artifact of a registry; what its reference stands for
    /// today if this is left out.
    #[arg(value_name = "FILE|oci://…")]
    pub(crate) file: Option<PathBuf>,
    /// Also go back, to an older version or to a component that was used before.
    #[arg(long)]
    pub(crate) older: bool,
    #[command(flatten)]
    pub(crate) registry: RegistryUse,
}

/// How a registry is used.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct RegistryUse {
    /// Load nothing: use what was loaded before, and what `tools.lock` says a tag stands for.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Speak to the registry without encryption, also where it is not on this machine.
    #[arg(long)]
    pub(crate) plain_http: bool,
}

impl From<RegistryUse> for installed::RegistryUse {
    fn from(asked: RegistryUse) -> Self {
        Self { offline: asked.offline, plain_http: asked.plain_http, anew: false }
    }
}

/// A component that was looked at, with the names of the built-in tools.
struct Looked {
    fetched: Fetched,
    program: Program,
    own: Vec<String>,
}

fn look(what: &Path, how: installed::RegistryUse) -> Result<Looked> {
    let fetched = runtime::block_on(Fetched::get(&ThisProgram, what, &how))??;
    let sandbox = runtime::sandbox(Audit::Off)?;
    runtime::block_on(async {
        let own = runtime::builtin_tools(&sandbox).await?.iter().map(|tool| tool.descriptor().name.clone()).collect();
        let program = fetched.candidate.look(&ThisProgram, &sandbox).await?;
        Ok(Looked { fetched, program, own })
    })?
}

impl Looked {
    /// Refuses names that are taken, but for those of what it takes the place of.
    fn free(&self, name: &str, others: &BTreeMap<String, Entry>, instead_of: Option<&str>) -> Result<()> {
        let mut taken = self.own.clone();
        for (other, entry) in others.iter().filter(|(other, _)| Some(other.as_str()) != instead_of) {
            let releases = [Some(&entry.current), entry.update.as_ref()];
            taken.push(other.clone());
            taken.extend(releases.into_iter().flatten().flat_map(|release| release.tools.iter().cloned()));
        }
        free(name, &taken)?;
        self.program.names().iter().filter(|tool| **tool != name).try_for_each(|tool| free(tool, &taken))?;
        Ok(())
    }
}

pub(super) fn add(add: &AddTool, as_json: bool) -> Result<Code> {
    let looked = look(&add.file, add.registry.into())?;
    let tools = looked.program.names();
    let name = match (&add.name, &looked.fetched.candidate.manifest, tools.as_slice()) {
        (Some(name), _, _) => name.clone(),
        (None, Some(manifest), _) => manifest.name.clone(),
        (None, None, [only]) => only.clone(),
        (None, None, _) => {
            return Err(Error::usage(format!("the component has {} tools, so none gives it a name", tools.len()))
                .hint("name it with `--name NAME`"));
        }
    };
    let candidate = &looked.fetched.candidate;
    let (store, release) = (store()?, candidate.release(&looked.program));
    looked.fetched.keep_proof(&store, &release)?;
    let entry = store.add(&name, &candidate.bytes, release, |others| looked.free(&name, others, None))?;
    settle(&ThisProgram, &name)?;
    if as_json {
        let tools: Vec<_> = tools.iter().filter_map(|tool| described(&name, &looked.program, tool)).collect();
        let digest = entry.current.digest.hex();
        output::json(&json!({ "added": name, "digest": digest, "state": entry.standing().name(),
            "signature": looked.fetched.json(), "tools": tools }));
    } else {
        output::line(&format!("added {name}, sha256 {}, {}", entry.current.digest.hex(), looked.fetched.said()));
    }
    output::progress(&match entry.standing() {
        Standing::Unasking => format!("hint: `bailiwick mcp --tool {name}` offers it to a client"),
        _ => format!("hint: it asks for something, so look at it and decide: `bailiwick tool approve {name}`"),
    });
    Ok(Code::Done)
}

pub(super) fn update(update: &UpdateTool, as_json: bool) -> Result<Code> {
    let name = update.name.as_str();
    let before = store()?.entry(name)?;
    let looked =
        look(&successor(name, &before, update)?, installed::RegistryUse { anew: true, ..update.registry.into() })?;
    let candidate = &looked.fetched.candidate;
    let release = candidate.release(&looked.program);
    if before.current.asks() && release.manifest.is_none() {
        return Err(Error::usage(format!("`{name}` has a manifest, and what is to take its place has none"))
            .hint("give its `tool.toml` or the directory of it"));
    }
    let back = Downgrade::of(&before, &release);
    if let Some(back) = back.as_ref().filter(|_| !update.older) {
        return Err(Error::refused(format!("what is to take the place of `{name}` goes back: {back}"))
            .hint(format!("where that is wanted: `bailiwick tool update {name} --older`; nothing was changed")));
    }
    let mut lines = differences(&before.current, &release);
    if let (Some(old), Some(new)) = (resolved(&before.current), resolved(&release))
        && old != new
    {
        lines.splice(0..0, [format!("- artifact {old}"), format!("+ artifact {new}")]);
    }
    if lines.is_empty() && before.current.words != release.words {
        lines.push("+ its tools describe themselves in other words".into());
    }
    let store = store()?;
    looked.fetched.keep_proof(&store, &release)?;
    let entry = store.update(name, &candidate.bytes, release, |others| looked.free(name, others, Some(name)))?;
    settle(&ThisProgram, name)?;
    if let Some(back) = &back {
        output::progress(&format!("warning: {back}"));
    }
    let waits = entry.update.is_some() || !entry.standing().allows();
    if as_json {
        output::json(&json!({
            "updated": name,
            "state": entry.standing().name(),
            "updateWaits": entry.update.is_some(),
            "digest": entry.current.digest.hex(),
            "differences": lines,
            "older": back.is_some(),
        }));
    } else {
        lines.iter().for_each(|line| output::line(&bailiwick_audit::printable(line)));
        output::line(&match (lines.is_empty(), &entry.update) {
            (true, _) => format!("{name} is the same as before"),
            (false, Some(_)) => format!("an update of {name} waits for your approval; until then the old one is used"),
            (false, None) => format!("updated {name}, sha256 {}", entry.current.digest.hex()),
        });
    }
    if waits {
        let review = Review::of(name, &entry, &looked.program);
        review::warn(&review.warnings);
        output::progress(&format!("hint: look at it and decide: `bailiwick tool approve {name}`"));
    }
    Ok(Code::Done)
}

/// What is to take the place of a tool: what a person names, or what its reference stands for today.
fn successor(name: &str, before: &Entry, update: &UpdateTool) -> Result<PathBuf> {
    match (&update.file, &before.current.source) {
        (Some(file), _) => Ok(file.clone()),
        (None, Source::Registry { reference, .. }) => Ok(reference.into()),
        (None, Source::File(_) | Source::Unknown) => {
            Err(Error::usage(format!("`{name}` came from no registry, so nothing says what is to take its place"))
                .hint(format!("name it: `bailiwick tool update {name} FILE`")))
        }
    }
}

pub(super) fn remove(name: &str, as_json: bool) -> Result<Code> {
    let entry = store()?.remove(name)?;
    settle(&ThisProgram, name)?;
    let_go(&ThisProgram, &entry);
    if as_json {
        output::json(&json!({ "removed": name, "digest": entry.current.digest.hex() }));
    } else {
        output::line(&format!("removed {name}"));
    }
    Ok(Code::Done)
}
