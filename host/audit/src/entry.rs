//! What one call puts on record.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// Bytes of a denied path that are kept: it is text the guest chose.
pub const LONGEST_PATH: usize = 256;

/// One call. `C` is whatever the caller measures cost with.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", bound = "C: Serialize")]
pub struct Entry<'a, C: ?Sized> {
    /// The run the call belongs to, if any.
    pub run: Option<&'a str>,
    /// The tool's name.
    pub tool: &'a str,
    /// SHA-256 of the component, in hexadecimal.
    pub component: &'a str,
    /// What the call was given.
    pub grants: &'a [GrantEntry],
    /// SHA-256 of the input JSON, in hexadecimal. The input itself may hold secrets.
    pub arguments: &'a str,
    /// How the call ended.
    pub outcome: Outcome<'a>,
    /// What it cost.
    pub cost: &'a C,
    /// What the sandbox refused, the first few attempts of it.
    pub denied: &'a [Denied<'a>],
}

/// A directory that the call was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantEntry {
    /// The name guests know it by.
    pub name: String,
    /// What the call may do there.
    pub access: GrantAccess,
    /// Its path on the host, where it has one.
    pub path: Option<String>,
    /// The device it lies on.
    pub device: u64,
    /// Its inode: a path may lead elsewhere tomorrow.
    pub inode: u64,
}

/// What a grant allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrantAccess {
    /// Reading.
    ReadOnly,
    /// Reading and writing.
    ReadWrite,
    /// Reading; what is written is kept beside the directory.
    Staged,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome<'a> {
    /// The tool answered.
    Done {
        /// SHA-256 of the output JSON, in hexadecimal, where the caller computes it.
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<&'a str>,
    },
    /// The tool reported a failure of this kind.
    ToolError {
        /// Which kind.
        kind: &'a str,
    },
    /// The host stopped the call.
    HostFailure {
        /// Which kind.
        kind: &'a str,
    },
}

/// One attempt that the sandbox refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Denied<'a> {
    /// What was attempted.
    pub operation: &'a str,
    /// On which path, in the guest's words; the first [`LONGEST_PATH`] bytes are kept, and the length if it was longer.
    pub path: &'a str,
    /// Why it was refused.
    pub reason: &'a str,
}

impl Serialize for Denied<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kept = &self.path[..self.path.floor_char_boundary(LONGEST_PATH)];
        let cut = kept.len() < self.path.len();
        let mut fields = serializer.serialize_struct("Denied", 3 + usize::from(cut))?;
        fields.serialize_field("operation", self.operation)?;
        fields.serialize_field("path", kept)?;
        if cut {
            fields.serialize_field("pathBytes", &self.path.len())?;
        }
        fields.serialize_field("reason", self.reason)?;
        fields.end()
    }
}
