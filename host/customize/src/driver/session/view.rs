//! What a run knows of the specification: the compiler's view before and now, and the view that is kept for the next run.

use bailiwick_sdk::tasks::SpecIndex;

use super::Session;
use crate::driver::CustomizeError;
use crate::driver::kept_index::{KeptIndex, made_with};
use crate::driver::roots::{CLIENT_FILE, SPEC};
use crate::typespec::{Except, ProbeRequest};

/// What the compiler read: everything beside `client.tsp`, and that.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Indexed {
    around: String,
    client: Option<Vec<u8>>,
}

impl Session<'_> {
    /// Asks the compiler what there is before anything is changed.
    pub(in crate::driver) async fn read_specification(&mut self) -> Result<(), CustomizeError> {
        let _step = self.step_called("specification");
        self.indexed = Some(self.as_indexed()?);
        self.index_before = self.present_index().await?;
        self.index = self.index_before.clone();
        Ok(())
    }

    /// The compiler's view of the project with `client` in place of its client file, if given.
    pub(in crate::driver) async fn probe(&self, client: Option<&str>) -> Result<SpecIndex, CustomizeError> {
        let project = self.project.specification();
        let request = ProbeRequest {
            project: &project,
            emitter: &self.project.emitter.emitter,
            language: self.language.language(),
            client,
            work: &self.work,
        };
        let children = self.children.called("compiler");
        Ok(self.customizer.residents.read(request, self.tools.compiler(), &children).await?)
    }

    /// Keeps the compiler's view of what landed, so that the next run need not ask again.
    pub(in crate::driver) fn keep_present_index(&self) -> Result<(), CustomizeError> {
        // A person may have edited since: the view is of what the compiler read.
        if self.indexed.as_ref() == Some(&self.as_indexed()?) {
            self.kept_index()?.keep(&self.index);
        }
        Ok(())
    }

    /// What the compiler reads now.
    fn as_indexed(&self) -> Result<Indexed, CustomizeError> {
        let around = self.project.specification().digest(Except::File(CLIENT_FILE))?;
        Ok(Indexed { around, client: self.content(SPEC, CLIENT_FILE)? })
    }

    /// Takes the compiler's view of a `client.tsp` that landed.
    pub(in crate::driver) fn landed(&mut self, index: SpecIndex, client: Option<Vec<u8>>) {
        self.index = index;
        if let Some(indexed) = &mut self.indexed {
            indexed.client = client;
        }
    }

    fn kept_index(&self) -> Result<KeptIndex, CustomizeError> {
        let made_with = made_with(&self.project.emitter, &self.tools.build.node, Some(&self.tools.emitter));
        let (project, emitter) = (self.project.specification(), &self.project.emitter.emitter);
        KeptIndex::of(&self.customizer.cache, &project, emitter, &made_with, self.language.language())
    }

    /// Takes the compiler's view of the project as it stands if it is in the cache. Starts no compiler.
    pub(in crate::driver) fn know_present_index(&mut self) -> Result<(), CustomizeError> {
        if let Some(index) = self.kept_index()?.read() {
            self.index_before = index.clone();
            self.index = index;
        }
        Ok(())
    }

    /// The compiler's view of the project as it stands, from the cache where nothing it depends on has changed.
    pub(in crate::driver) async fn present_index(&self) -> Result<SpecIndex, CustomizeError> {
        let kept = self.kept_index()?;
        if let Some(index) = kept.read() {
            return Ok(index);
        }
        self.customizer.progress.say("reading the TypeSpec project");
        let index = self.probe(None).await?;
        kept.keep_if_same(&index, &self.kept_index()?);
        Ok(index)
    }
}
