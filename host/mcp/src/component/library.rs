//! The resources of a component.

use super::{Added, content, failure};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::resources::Library;
use crate::roots::Directories;
use async_trait::async_trait;
use bailiwick_sandbox::rich::{Body, Component, Document};
use bailiwick_sandbox::{CallError, ErrorKind};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Addresses of this server's own; a component can have none of them.
const OURS: &str = "bailiwick:";

pub(super) struct Shelf {
    added: Added,
    component: Component,
    directories: Directories,
}

impl Shelf {
    /// With all that the operator granted it.
    pub(super) fn new(added: Added, component: Component) -> Self {
        Self { added, component, directories: Directories::unasked() }
    }

    async fn documents(&self, uri: &str) -> Result<Option<Vec<Document>>, Failure> {
        if ours(uri) {
            return Ok(None);
        }
        let grants = self.added.grants_for(&self.directories).await?;
        let conditions = self.added.conditions(&grants, None);
        let report = self.added.sandbox.read_resource(&self.component, uri, conditions).await;
        match report.outcome {
            Ok(documents) => Ok(Some(documents)),
            Err(CallError::Tool(error)) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }
}

fn ours(uri: &str) -> bool {
    uri.get(..OURS.len()).is_some_and(|start| start.eq_ignore_ascii_case(OURS))
}

#[async_trait]
impl Library for Shelf {
    fn for_client(self: Arc<Self>, directories: &Directories, _: &Caller) -> Arc<dyn Library> {
        let (added, component) = (self.added.clone(), self.component.clone());
        Arc::new(Self { added, component, directories: directories.clone() })
    }

    async fn list(&self) -> Result<Vec<Resource>, Failure> {
        let grants = self.added.grants_for(&self.directories).await?;
        let conditions = self.added.conditions(&grants, None);
        let report = self.added.sandbox.list_resources(&self.component, conditions).await;
        let links = report.outcome.map_err(failure)?;
        Ok(links.into_iter().filter(|link| !ours(&link.uri)).map(content::link).collect())
    }

    async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let grants = self.added.grants_for(&self.directories).await?;
        let conditions = self.added.conditions(&grants, None);
        let report = self.added.sandbox.list_templates(&self.component, conditions).await;
        let templates = report.outcome.map_err(failure)?;
        let theirs = templates.into_iter().filter(|template| !ours(&template.uri_template));
        Ok(theirs
            .map(|one| {
                let mut template = ResourceTemplate::new(one.uri_template, one.name);
                template.title = one.title;
                template.description = one.description;
                template.mime_type = one.mime_type;
                template
            })
            .collect())
    }

    async fn read(&self, uri: &str) -> Result<Option<Vec<ResourceContents>>, Failure> {
        let documents = self.documents(uri).await?;
        Ok(documents.map(|documents| documents.into_iter().map(content::document).collect()))
    }

    async fn state(&self, uri: &str) -> Result<Option<String>, Failure> {
        let Some(documents) = self.documents(uri).await? else { return Ok(None) };
        // Compared only within this process; an attacker gains nothing from a collision.
        let mut hasher = DefaultHasher::new();
        for Document { uri, mime_type, body } in &documents {
            (uri, mime_type).hash(&mut hasher);
            match body {
                Body::Text(text) => text.hash(&mut hasher),
                Body::Bytes(bytes) => bytes.hash(&mut hasher),
            }
        }
        Ok(Some(format!("{:016x}", hasher.finish())))
    }
}
