//! Everything that is settled before an agent runs.

use super::added;
use super::grants::{self, Allowed};
use super::options::Options;
use super::source::{self, Source};
use crate::conversation::Conversation;
use crate::exit::{Error, Result};
use crate::model::Preflight;
use crate::{model, runtime};
use bailiwick_agent::sandboxed::Equipped;
use bailiwick_agent::script::Script;
use bailiwick_agent::{Backend, Microagent};
use bailiwick_models::Origin;
use bailiwick_runs::Digest;
use bailiwick_sandbox::{Audit, Sandbox};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// The model that is built in, and only knows customizations.
const MECHANIC: &str = "mechanic";

pub(super) struct Prepared {
    pub(super) asked: Options,
    pub(super) source: Source,
    pub(super) input: Value,
    pub(super) agent: Microagent<Value>,
    pub(super) allowed: Allowed,
    /// The most that it may cost, in millionths of one unit of money; known once it is known what answers.
    pub(super) money: Option<u64>,
}

/// What answers.
pub(super) struct Answering {
    pub(super) conversation: Conversation,
    /// Of the script's text, where it is a script.
    pub(super) script: Option<Digest>,
}

/// Reads and opens what was asked for. Nothing is started, and nothing is written.
pub(super) fn prepare(asked: Options) -> Result<Prepared> {
    let source = Source::read(&asked.file)?;
    source.check_input(asked.input.as_ref())?;
    let input = asked.input.clone().unwrap_or_else(|| Value::Object(Map::new()));
    let agent = source.microagent(&input)?;
    let allowed = grants::open(&source, &input, &asked)?;
    Ok(Prepared { asked, source, input, agent, allowed, money: None })
}

impl Prepared {
    /// Chooses what answers: a conversation that is replayed, else the command line's model, then the file's.
    ///
    /// A model is asked whether it can serve requests if `preflight` says so, and nobody is asked about what is not
    /// allowed anyway.
    pub(super) fn answering(
        &mut self,
        record: Option<&Path>,
        replay: Option<&Path>,
        preflight: Preflight,
    ) -> Result<Answering> {
        let preflight = if self.allowed.lacks.is_some() { Preflight::Skipped } else { preflight };
        let named: Vec<(String, &Path)> =
            self.allowed.shown.iter().map(|grant| (format!("grant-{}", grant.name), grant.path.as_path())).collect();
        let directories: Vec<(&str, &Path)> = named.iter().map(|(name, path)| (name.as_str(), *path)).collect();
        let mut script = None;
        let choose = || {
            let (backend, digest) = backend(&self.source, self.asked.model.as_deref(), preflight)?;
            script = digest;
            Ok(backend)
        };
        let conversation = Conversation::open(choose, record, replay, &directories)?;
        // A replay costs nothing, whatever its conversation did.
        if replay.is_none() {
            self.limit_money(conversation.backend().as_ref())?;
        }
        Ok(Answering { conversation, script })
    }

    /// The command line's amount, else the smaller one of the agent file's and the person's own.
    fn limit_money(&mut self, backend: &dyn Backend) -> Result<()> {
        let persons = model::money(self.asked.max_cost, backend)?;
        let files = self.source.agent.money.filter(|_| self.asked.max_cost.is_none());
        self.money = persons.into_iter().chain(files).min();
        Ok(())
    }

    /// The sandbox and the tools that the file asks for, in its order.
    pub(super) async fn tools(&self, audit: Audit) -> Result<(Arc<Sandbox>, Vec<Equipped>)> {
        let sandbox = runtime::sandbox(audit)?;
        let tools = added::equip(self, &sandbox).await?;
        Ok((sandbox, tools))
    }
}

fn backend(source: &Source, chosen: Option<&str>, preflight: Preflight) -> Result<(Arc<dyn Backend>, Option<Digest>)> {
    let of_file = source.agent.model.as_deref();
    let scripted = |(script, digest): (Script, Digest)| -> (Arc<dyn Backend>, _) { (Arc::new(script), Some(digest)) };
    if let Some(model) = chosen {
        return match model.strip_prefix("script:") {
            Some(script) => Ok(scripted(source::script_of_person(script)?)),
            None => Ok((known(Some((model, Origin::Flag)), preflight)?, None)),
        };
    }
    match of_file {
        Some(model) if model.starts_with("script:") => {
            Ok(scripted(source.script(model.trim_start_matches("script:"))?))
        }
        // What the agent reads goes to its model, and so may a key.
        Some(model) if model.contains("://") || model.contains('@') => {
            Err(Error::refused(format!("`model`: the agent file names an address, `{}`", model.escape_debug()))
                .hint("if what the agent reads may go there, choose it with `--model`"))
        }
        named => Ok((known(named.map(|model| (model, Origin::AgentFile)), preflight)?, None)),
    }
}

fn known(named: Option<(&str, Origin)>, preflight: Preflight) -> Result<Arc<dyn Backend>> {
    match named {
        Some((MECHANIC, _)) => {
            Err(Error::usage("`mechanic` only customizes packages, so it cannot run an agent from a file")
                .hint("choose another model with `--model`"))
        }
        None if model::configured()?.is_none_or(|name| name == MECHANIC) => {
            Err(Error::usage("no model is chosen: the agent file names none")
                .hint("choose one with `--model`, or write `model = \"…\"` in the agent file"))
        }
        named => model::backend(named, preflight),
    }
}
