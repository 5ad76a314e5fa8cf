//! What a client can read without calling a tool.
//!
//! | address | text |
//! |---|---|
//! | `bailiwick://knowledge/customizing-client-tsp` | what TypeSpec can do for a client library; comes with the program |
//! | `bailiwick://runs/{runId}/report` | what a run did, Markdown |
//! | `bailiwick://runs/{runId}/diff` | what a customization changed, a unified difference |
//!
//! No path of this machine stands in any of them: directories are called `<package>` and `<project>`.

mod own;
mod uri;

pub use own::Own;
pub use uri::{Address, Document, KNOWLEDGE, template};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::roots::Directories;
use async_trait::async_trait;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use std::sync::Arc;

/// A source of resources.
#[async_trait]
pub trait Library: Send + Sync {
    /// The same for one client, whose directories may be fewer than the operator's and whose runs are not everybody's.
    fn for_client(self: Arc<Self>, directories: &Directories, caller: &Caller) -> Arc<dyn Library>;

    /// Those worth a look, always in the same order while nothing changes. Not all that can be read.
    ///
    /// # Errors
    /// They cannot be listed.
    async fn list(&self) -> Result<Vec<Resource>, Failure>;

    /// Forms of addresses that are not all listed.
    ///
    /// # Errors
    /// They cannot be listed.
    async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure>;

    /// The resource at this address; `None` if there is none.
    ///
    /// # Errors
    /// It is there and cannot be read.
    async fn read(&self, uri: &str) -> Result<Option<Vec<ResourceContents>>, Failure>;

    /// A text that differs whenever the resource at this address does; `None` if there is no such resource.
    ///
    /// # Errors
    /// It cannot be told now.
    async fn state(&self, uri: &str) -> Result<Option<String>, Failure>;
}
