//! What is kept of an agent run beside its conversation, and what must not have changed when it goes on.

use super::super::options::Options;
use super::super::prepare::{Answering, Prepared};
use bailiwick_agent::sandboxed::Equipped;
use bailiwick_runs::Digest;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The form of the record; counted up when it changes.
pub(super) const FORMAT: u32 = 1;

/// `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Record {
    pub(super) format: u32,
    /// The agent's name.
    pub(in super::super) agent: String,
    /// The model that answered.
    pub(in super::super) model: String,
    pub(in super::super) asked: Options,
    definition: Fingerprint,
}

/// Digests of everything that the agent is defined by, under names for people.
pub(in super::super) type Fingerprint = BTreeMap<String, Digest>;

impl Record {
    pub(in super::super) fn new(prepared: &Prepared, answering: &Answering, tools: &[Equipped]) -> Self {
        Self {
            format: FORMAT,
            agent: prepared.source.agent.name.clone(),
            model: answering.conversation.backend().name().to_owned(),
            asked: prepared.asked.absolute(),
            definition: fingerprint(prepared, answering, tools),
        }
    }

    /// What differs from the beginning of the run; of a script only if there is one now.
    pub(in super::super) fn changed(&self, now: &Fingerprint) -> Vec<String> {
        let another_model = !now.contains_key(SCRIPT);
        let names = self.definition.keys().chain(now.keys().filter(|name| !self.definition.contains_key(*name)));
        names
            .filter(|name| self.definition.get(*name) != now.get(*name))
            .filter(|name| !(another_model && *name == SCRIPT))
            .cloned()
            .collect()
    }
}

const SCRIPT: &str = "the script";

pub(in super::super) fn fingerprint(prepared: &Prepared, answering: &Answering, tools: &[Equipped]) -> Fingerprint {
    let Prepared { source, input, agent, allowed, .. } = prepared;
    let text = |text: &str| Digest::of(text.as_bytes());
    let mut parts = Fingerprint::new();
    parts.insert("the agent file".into(), source.digest);
    parts.insert("the input".into(), text(&input.to_string()));
    for (name, schema) in &source.schemas {
        parts.insert(format!("the schema of the {name}"), text(&schema.to_string()));
    }
    if let Some(template) = &agent.template {
        let stamp = json!({ "template": template, "text": agent.instructions });
        parts.insert("the template".into(), text(&stamp.to_string()));
    }
    for Equipped { tool, .. } in tools {
        parts.insert(format!("the tool `{}`", tool.descriptor().name), text(tool.digest()));
    }
    for grant in &allowed.shown {
        let (device, inode) = grant.identity;
        let sensitive = &grant.allow_sensitive;
        let mut stamp = json!([grant.path.to_string_lossy(), device, inode, grant.access, sensitive, grant.allowed]);
        // Absent where there is none, as in what was kept before there were any.
        if let Some(stamp) = stamp.as_array_mut().filter(|_| !(grant.hide.is_empty() && grant.unhide.is_empty())) {
            stamp.extend([json!(grant.hide), json!(grant.unhide)]);
        }
        parts.insert(format!("the grant `{}`", grant.name), text(&stamp.to_string()));
    }
    if let Some(script) = answering.script {
        parts.insert(SCRIPT.into(), script);
    }
    parts
}
