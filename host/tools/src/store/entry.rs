//! What is known of an added tool.

use crate::approval::{Approval, Binding, Standing};
use crate::digest::Digest;
use crate::manifest::Manifest;
use serde::{Deserialize, Serialize};

/// One component with its manifest, as it was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Release {
    /// Of the component, which is kept by it.
    pub digest: Digest,
    /// Its tools by name.
    pub tools: Vec<String>,
    /// What it asks for, where it came with a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// Of what it said of itself when it was added; `None` for those that were added before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Digest>,
    /// Where it came from.
    #[serde(default)]
    pub source: Source,
}

/// Where a component came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Source {
    /// It was not kept.
    #[default]
    Unknown,
    /// A file of this machine, by its path as it was.
    File(String),
    /// A registry.
    Registry {
        /// What was asked for, such as `oci://registry.example/tools/changelog:1`.
        reference: String,
        /// The manifest that it was then.
        resolved: Digest,
    },
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Consent {
    /// No person was asked, since it asks for nothing.
    Unasked,
    /// Nothing yet.
    Waiting,
    /// Yes.
    Approved(Approval),
    /// Not any more.
    Revoked,
}

/// What is known of an added tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entry {
    /// What is used, once it may be.
    pub current: Release,
    /// What was decided about it.
    pub consent: Consent,
    /// What would be used in its place, if a person approves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<Release>,
    /// What was used before, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub previous: Vec<Digest>,
}

impl Release {
    /// Whether a person has to decide about it before it is used.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| !manifest.authority().is_empty())
    }

    /// What an approval of it is bound to; `None` without a manifest.
    #[must_use]
    pub fn binding(&self) -> Option<Binding> {
        Some(Binding {
            component: self.digest.clone(),
            authority: self.manifest.as_ref()?.authority().digest(),
            words: self.words.clone()?,
        })
    }
}

impl Entry {
    /// Whether it may be used, by all that the index says. That the component is the one of the index is for
    /// [`Store::read`](super::Store::read) to find.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match (&self.consent, self.current.asks()) {
            (Consent::Revoked, _) => Standing::Revoked,
            (_, false) => Standing::Unasking,
            (Consent::Unasked | Consent::Waiting, true) => Standing::Unapproved,
            (Consent::Approved(approval), true) => {
                let differs = self
                    .current
                    .binding()
                    .map_or(vec!["what it says of itself"], |found| approval.binding.differs(&found));
                if differs.is_empty() { Standing::Approved } else { Standing::Changed(differs) }
            }
        }
    }

    /// The approval, while it holds.
    #[must_use]
    pub fn approval(&self) -> Option<&Approval> {
        match &self.consent {
            Consent::Approved(approval) if self.standing() == Standing::Approved => Some(approval),
            _ => None,
        }
    }

    /// What a person would decide about now: the update if there is one.
    #[must_use]
    pub fn undecided(&self) -> Option<&Release> {
        match &self.update {
            Some(update) => Some(update),
            None if !matches!(self.standing(), Standing::Approved | Standing::Unasking) => Some(&self.current),
            None => None,
        }
    }
}
