//! `tool.toml`: what a tool is, and what it asks for.
//!
//! A manifest is the author's word. It widens nothing: a person reads it, approves it or does not, and what was approved is
//! what the tool gets. [`Manifest::parse`] takes text and does no I/O.
//!
//! | module | subject |
//! |---|---|
//! | `parse` | text to [`Manifest`]: unknown keys, and the line of whatever is wrong |
//! | `check` | what the types cannot say: lengths, names, what belongs together |
//! | `schema` | JSON Schema of the file, for editors |
//! | `authority` | all that a manifest asks for, and its digest |

mod authority;
mod check;
mod error;
mod parse;
mod schema;

pub use authority::Authority;
pub use error::ManifestError;
pub use schema::schema;

use crate::digest::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the file.
pub const FILE: &str = "tool.toml";

/// The longest file that is read, in bytes.
pub const LONGEST: usize = 128 << 10;

/// The form of the file that this program reads.
pub const VERSION: u32 = 1;

/// What a tool is and what it asks for, as its author says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(title = "tool.toml")]
pub struct Manifest {
    /// The form of this file, which is 1.
    #[schemars(extend("const" = 1))]
    pub schema: u32,
    /// What the tool is added as: up to 64 letters, digits, `-` and `_`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub name: String,
    /// The author's version of it.
    #[schemars(length(min = 1, max = 64))]
    pub version: String,
    /// What it is for, for the person who decides about it.
    #[schemars(length(min = 1, max = 2000))]
    pub description: String,
    /// The file of the component, beside this one.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$"))]
    pub component: String,
    /// SHA-256 of the component; `bailiwick tool build` writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// What it is written in, for `bailiwick tool build` and `bailiwick tool test`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The directories it asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directories: Vec<Directory>,
    /// The hosts it asks to send HTTP requests to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<Network>,
    /// The environment variables it asks to read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<Environment>,
    /// The secrets it asks to have sent with its requests. It never sees one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Secret>,
    /// Asks for clocks that go. Without it they stand still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Because>,
    /// Asks for random bytes. Without it they are the same at every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<Because>,
    /// What one call may spend.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
    /// What a call can do, as the author says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// Where it comes from, as the author says. Shown, never trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// What a tool is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// JavaScript.
    Js,
}

/// A directory that a tool asks for. Which one it is, the person says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Directory {
    /// What the tool calls it: inside the tool it is `/<name>`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"))]
    pub name: String,
    /// What it wants to do there.
    pub access: Access,
    /// What for.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// What a tool wants to do in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Read.
    Read,
    /// Read, write, create and remove.
    Write,
}

/// A host that a tool asks to send requests to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Network {
    /// `api.example.com`, or `*.example.com` for every name beneath.
    #[schemars(length(min = 1, max = 253))]
    pub host: String,
    /// The methods, such as `GET`.
    #[schemars(length(min = 1, max = 16))]
    pub methods: Vec<String>,
    /// The port, if not the usual one of the scheme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub port: Option<u16>,
    /// How it is spoken to.
    #[serde(default, skip_serializing_if = "Scheme::is_https")]
    pub scheme: Scheme,
    /// Whether the host may have a loopback, link-local or private address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// What for.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// How a host is spoken to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Encrypted.
    #[default]
    Https,
    /// Readable by everybody on the way.
    Http,
}

impl Scheme {
    /// Whether requests are encrypted.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
    fn is_https(&self) -> bool {
        *self == Self::Https
    }
}

/// An environment variable that a tool asks to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Environment {
    /// Its name.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"))]
    pub name: String,
    /// What for.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// A secret that the host sends with a tool's requests. The person keeps its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Secret {
    /// What the person keeps it under.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub name: String,
    /// The one host it is sent to, over https; it has to be among the hosts asked for.
    #[schemars(length(min = 1, max = 253))]
    pub host: String,
    /// The header it is sent in.
    #[schemars(regex(pattern = r"^[A-Za-z0-9-]{1,64}$"))]
    pub header: String,
    /// What stands before it in the header, such as `Bearer `.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 32))]
    pub prefix: Option<String>,
    /// What for.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// That something is asked for, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Because {
    /// What for.
    #[schemars(length(min = 1, max = 300))]
    pub reason: String,
}

/// What one call may spend. What is left out is what the host gives to any tool; nothing can be more than its ceiling.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Memory, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4096))]
    pub memory_mib: Option<u32>,
    /// Wall clock, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3600))]
    pub deadline_seconds: Option<u32>,
    /// The input, in KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub input_kib: Option<u32>,
    /// The answer, in KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub output_kib: Option<u32>,
    /// What it writes to files, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65_536))]
    pub written_mib: Option<u32>,
    /// Files and directories open at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_048_576))]
    pub open_files: Option<u32>,
}

impl Limits {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a call can do, as the author says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "four independent flags of the contract, not one state")]
pub struct Effects {
    /// Reads what was granted.
    #[serde(default)]
    pub reads: bool,
    /// Changes what was granted.
    #[serde(default)]
    pub writes: bool,
    /// Can remove or overwrite what was there.
    #[serde(default)]
    pub destructive: bool,
    /// The same call again changes nothing more.
    #[serde(default)]
    pub idempotent: bool,
}

/// Where a tool comes from, as its author says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Provenance {
    /// Where its source is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub source: Option<String>,
    /// Which revision of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub revision: Option<String>,
    /// Its licence, as SPDX writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub license: Option<String>,
    /// Who wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub authors: Vec<String>,
}

#[cfg(test)]
mod tests;
