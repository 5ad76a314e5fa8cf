//! Entering the runs of a replica: those that its state directory holds when it starts, and all of them where the registry lost
//! entries.

use super::records::Record as _;
use super::{Claim, Replicas, unreachable};
use crate::failure::Failure;
use crate::host_context::HostContext;
use crate::tools::Shared;
use bailiwick_runs::{Owner, Status};
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::collections::BTreeMap;

/// Entries that are made at once.
const AT_ONCE: usize = 16;

/// What a state directory holds under a name.
struct Kept {
    owner: Owner,
    /// A process that works on it enters it itself.
    is_at_work: bool,
}

impl Replicas {
    /// Enters the runs and workflows of this process and of its state directory. While the registry or that directory cannot be
    /// read, it is tried again.
    pub(super) async fn enter(self, shared: std::sync::Arc<Shared>) {
        while self.try_enter(&shared).await.is_err() {
            tokio::time::sleep(self.limits().every).await;
        }
    }

    async fn try_enter(&self, shared: &Shared) -> Result<(), Failure> {
        for (name, owner) in shared.runs.names().into_iter().chain(shared.workflows.names()) {
            self.try_claim(&name, &owner).await?.is_here(&name);
        }
        let host = shared.host.clone();
        let kept = match tokio::task::spawn_blocking(move || kept(host.as_ref())).await {
            Ok(Ok(kept)) => kept,
            Ok(Err(failure)) => {
                tracing::warn!(
                    failure = failure.message,
                    "other replicas are not told of the runs of this state directory for now"
                );
                return Err(failure);
            }
            Err(error) => return Err(Failure::new(error.to_string())),
        };
        let rest = kept.into_iter().filter(|(_, kept)| !kept.is_at_work);
        let entering = rest.map(|(name, kept)| async move {
            let claim = Claim { replica: self.0.name.clone(), store: self.0.store.clone(), owner: kept.owner };
            let content = claim.sealed(&name, &self.0.keys)?;
            // What stands there is left as it is.
            let entered = self.0.entries.create(Claim::SHELF, &name, &content).await;
            entered.map(drop).map_err(|error| unreachable(&error))
        });
        futures_util::stream::iter(entering).buffer_unordered(AT_ONCE).try_collect().await
    }
}

/// The runs and workflows of the state directory by name.
fn kept(host: &dyn HostContext) -> Result<BTreeMap<String, Kept>, Failure> {
    let store = host.store()?;
    let mut all = BTreeMap::new();
    for run in store.list()? {
        let record = match store.record(&run.id) {
            Ok(record) => record,
            Err(error) => {
                tracing::warn!(run = run.id.as_str(), %error, "other replicas are not told of a run: it cannot be read");
                continue;
            }
        };
        let workflow = record.details.get("workflowId").and_then(|id| id.as_str()).map(str::to_owned);
        for name in workflow.into_iter().chain([run.id.to_string()]) {
            all.insert(name, Kept { owner: record.owner.clone(), is_at_work: record.status == Status::Running });
        }
    }
    Ok(all)
}
