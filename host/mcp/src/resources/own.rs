//! The resources of this server itself: the reference, and what its runs left.

use super::{Address, Document, KNOWLEDGE, Library, template};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::path_redaction::PathRedaction;
use crate::roots::Directories;
use crate::tools::Shared;
use crate::visible::VisibleRuns;
use async_trait::async_trait;
use bailiwick_agent::KnownSecrets;
use bailiwick_agent::transcript::Scrub as _;
use bailiwick_runs::{RunId, RunSummary, StoreError};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// So many runs are listed, the latest.
const LISTED_RUNS: usize = 50;
/// So many characters of a request stand in a description.
const REQUEST: usize = 120;
/// The kind of run that records what it changed as a difference.
const CUSTOMIZATION: &str = "customize";
/// The longest difference, in bytes; what an agent may change is far below it.
const DIFF_BYTES: usize = 1 << 20;

/// The resources of this server itself.
pub struct Own {
    shared: Arc<Shared>,
    /// Whose runs are there to be read.
    caller: Caller,
    /// In which directories.
    directories: Directories,
}

impl Own {
    /// As one caller has them.
    pub(crate) fn new(shared: Arc<Shared>, caller: Caller, directories: Directories) -> Self {
        Self { shared, caller, directories }
    }

    /// Files are read on a thread on which no other request waits.
    async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&VisibleRuns, &dyn HostContext) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let (shared, store) = (self.shared.clone(), self.shared.store(&self.caller, &self.directories).await?);
        let looked = tokio::task::spawn_blocking(move || look(&store, shared.host.as_ref())).await;
        looked.unwrap_or_else(|error| Err(Failure::new(format!("the runs cannot be read: {error}"))))
    }
}

#[async_trait]
impl Library for Own {
    fn for_client(self: Arc<Self>, directories: &Directories, caller: &Caller) -> Arc<dyn Library> {
        Arc::new(Self::new(self.shared.clone(), caller.clone(), directories.clone()))
    }

    async fn list(&self) -> Result<Vec<Resource>, Failure> {
        let runs = self.look(|store, host| {
            let runs = store.list()?;
            let private = host.private_places();
            Ok(runs.iter().take(LISTED_RUNS).flat_map(|run| of_run(run, &private)).collect::<Vec<_>>())
        });
        let mut listed = vec![
            Resource::new(KNOWLEDGE, "customizing-client-tsp")
                .with_title("Customizing a client library in client.tsp")
                .with_description(
                    "What TypeSpec client customizations can do for a library, with examples that compile.",
                )
                .with_mime_type(Document::Report.media_type())
                .with_size(bailiwick_customize::knowledge::EMBEDDED.len() as u64),
        ];
        listed.extend(runs.await?);
        Ok(listed)
    }

    async fn templates(&self) -> Result<Vec<ResourceTemplate>, Failure> {
        let of = |document, title: &str, description: &str| {
            ResourceTemplate::new(template(document), format!("run-{}", Document::name(document)))
                .with_title(title)
                .with_description(description)
                .with_mime_type(document.media_type())
        };
        Ok(vec![
            of(
                Document::Report,
                "Report of a run",
                "What a run did and what it came to: attempts, decisions, builds, changes, guidance.",
            ),
            of(Document::Diff, "Difference of a run", "What a customization changed, as a unified difference."),
        ])
    }

    async fn read(&self, uri: &str) -> Result<Option<Vec<ResourceContents>>, Failure> {
        let (text, media_type) = match Address::parse(uri) {
            None => return Ok(None),
            Some(Address::Knowledge) => {
                (bailiwick_customize::knowledge::EMBEDDED.to_owned(), Document::Report.media_type())
            }
            Some(Address::Run(run, document)) => {
                let Some(text) = self.look(move |store, host| document_of(store, host, &run, document)).await? else {
                    return Ok(None);
                };
                (text, document.media_type())
            }
        };
        Ok(Some(vec![ResourceContents::text(text, uri).with_mime_type(media_type)]))
    }

    async fn state(&self, uri: &str) -> Result<Option<String>, Failure> {
        match Address::parse(uri) {
            None => Ok(None),
            Some(Address::Knowledge) => Ok(Some(String::new())),
            Some(Address::Run(run, _)) => {
                let record = self.look(move |store, _| known(store.record(&run))).await?;
                Ok(record.map(|record| format!("{} {:?}", record.status, record.finished)))
            }
        }
    }
}

/// The documents of a run that are listed.
fn of_run(run: &RunSummary, private: &[(PathBuf, &str)]) -> Vec<Resource> {
    let roots = run.roots.iter().map(|(name, directory)| (name.as_str(), directory));
    let request = conceal(roots, private).everything(run.request.lines().next().unwrap_or_default());
    let asked: String = request.chars().take(REQUEST).collect();
    let has_diff = run.kind == CUSTOMIZATION && run.changed > 0;
    let documents = Document::ALL.into_iter().filter(|document| *document == Document::Report || has_diff);
    documents
        .map(|document| {
            let uri = Address::Run(run.id.clone(), document).to_string();
            Resource::new(uri, format!("{}-{}", document.name(), run.id))
                .with_title(format!("{} of run {}", title(document), run.id))
                .with_description(format!("{} ({}): {asked}", run.kind, run.status))
                .with_mime_type(document.media_type())
        })
        .collect()
}

fn title(document: Document) -> &'static str {
    match document {
        Document::Report => "Report",
        Document::Diff => "Difference",
    }
}

fn document_of(
    store: &VisibleRuns,
    host: &dyn HostContext,
    run: &RunId,
    document: Document,
) -> Result<Option<String>, Failure> {
    let secrets = host.secrets();
    let Some(record) = known(store.record(run))? else { return Ok(None) };
    let text = match document {
        Document::Report => known(store.of(run).and_then(|store| bailiwick_report::gather(store, run, &secrets)))?
            .map(|report| bailiwick_report::markdown(&report)),
        Document::Diff => diff(store, run, &secrets)?,
    };
    let roots = record.roots.iter().map(|root| (root.name.as_str(), &root.directory));
    let conceal = conceal(roots, &host.private_places());
    Ok(text.map(|text| conceal.places(&text)))
}

/// What a customization recorded of its changes.
fn diff(store: &VisibleRuns, run: &RunId, secrets: &KnownSecrets) -> Result<Option<String>, Failure> {
    let Some(record) = known(store.show(run))? else { return Ok(None) };
    let Some(text) = record.response.get("diff").and_then(Value::as_str) else { return Ok(None) };
    let mut text = secrets.scrub(text.to_owned());
    if text.len() > DIFF_BYTES {
        let end = text.floor_char_boundary(DIFF_BYTES);
        text.truncate(end);
        text.push_str("\n# and more, which `bailiwick run show` has\n");
    }
    Ok(Some(text))
}

/// The run's own directories are a client's as little as any other: it may not be the one that began the run.
fn conceal<'a>(roots: impl Iterator<Item = (&'a str, &'a PathBuf)>, private: &[(PathBuf, &str)]) -> PathRedaction {
    let named = roots.map(|(name, directory)| (directory.clone(), if name == "sdk" { "package" } else { "project" }));
    let places: Vec<_> = named.chain(private.iter().cloned()).collect();
    PathRedaction::new([], &places)
}

/// A run that is not there is no error.
fn known<T>(found: Result<T, StoreError>) -> Result<Option<T>, Failure> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::UnknownRun(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
