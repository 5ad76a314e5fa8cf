//! Resources of an added component.

use super::tool::failed;
use super::{Added, content};
use crate::failure::Failure;
use crate::resources::Library;
use async_trait::async_trait;
use bailiwick_sandbox::rich::{Body, Component, Document};
use bailiwick_sandbox::{CallError, Conditions, ErrorKind};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use sha2::{Digest, Sha256};

/// The resources of one component. Its own addresses alone are read from it: a component cannot speak for the server.
pub(crate) struct AddedLibrary {
    added: Added,
    component: Component,
}

impl AddedLibrary {
    pub(crate) fn new(added: &Added, component: &Component) -> Self {
        Self { added: added.clone(), component: component.clone() }
    }

    fn conditions(&self) -> Conditions<'_> {
        Conditions { grants: &self.added.grants, limits: &self.added.limits, notices: None }
    }

    async fn documents(&self, uri: &str) -> Result<Option<Vec<Document>>, Failure> {
        if super::is_reserved(uri) {
            return Ok(None);
        }
        match self.added.sandbox.read_resource(&self.component, uri, self.conditions()).await.outcome {
            Ok(documents) => Ok(Some(documents)),
            Err(CallError::Tool(error)) if error.kind == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }
}

#[async_trait]
impl Library for AddedLibrary {
    async fn list(&self) -> Result<Vec<Resource>, Failure> {
        let links = self.added.sandbox.list_resources(&self.component, self.conditions()).await.outcome;
        let links = links.map_err(failed)?.into_iter().filter(|link| !super::is_reserved(&link.uri));
        Ok(links.map(content::link).collect())
    }

    async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let templates = self.added.sandbox.list_templates(&self.component, self.conditions()).await.outcome;
        let templates = templates.map_err(failed)?.into_iter().filter(|one| !super::is_reserved(&one.uri_template));
        Ok(templates
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
        let mut digest = Sha256::new();
        for document in documents {
            let bytes = match &document.body {
                Body::Text(text) => text.as_bytes(),
                Body::Bytes(bytes) => bytes,
            };
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        Ok(Some(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}
