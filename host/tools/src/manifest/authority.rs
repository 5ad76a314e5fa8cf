//! All that a manifest asks for: what a person approves, and what an approval is bound to.

use super::{Because, Directory, Environment, Limits, Manifest, Network, Secret};
use crate::digest::Digest;
use serde::{Deserialize, Serialize};

/// What a tool asks for, reasons included: a person who approved for one reason did not approve for another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Authority {
    /// Directories.
    #[serde(default)]
    pub directories: Vec<Directory>,
    /// Hosts.
    #[serde(default)]
    pub network: Vec<Network>,
    /// Environment variables.
    #[serde(default)]
    pub environment: Vec<Environment>,
    /// Secrets.
    #[serde(default)]
    pub secrets: Vec<Secret>,
    /// Clocks.
    #[serde(default)]
    pub clocks: Option<Because>,
    /// Random bytes.
    #[serde(default)]
    pub random: Option<Because>,
    /// What one call may spend.
    #[serde(default)]
    pub limits: Limits,
}

impl Authority {
    /// Whether it asks for nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The digest of it. The same requests in another order are other requests.
    #[must_use]
    pub fn digest(&self) -> Digest {
        // Field by field in one order; no part of it can fail to be written.
        Digest::of(&serde_json::to_vec(self).unwrap_or_default())
    }
}

impl Manifest {
    /// All that it asks for.
    #[must_use]
    pub fn authority(&self) -> Authority {
        Authority {
            directories: self.directories.clone(),
            network: self.network.clone(),
            environment: self.environment.clone(),
            secrets: self.secrets.clone(),
            clocks: self.clocks.clone(),
            random: self.random.clone(),
            limits: self.limits.clone(),
        }
    }
}
