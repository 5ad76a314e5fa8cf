//! Against a real server.

mod hostile;
mod lost;
mod rights;
#[path = "../../../nats/src/tests/server.rs"]
mod server;
#[path = "../../../nats/src/tests/stranger.rs"]
mod stranger;
#[path = "../../../nats/src/tests/tls.rs"]
mod tls;

use async_trait::async_trait;

use bailiwick_nats::Login;
use server::{Server, free_port};

use super::*;
use crate::jobs::Jobs;
use crate::manifest::{Job, Manifest, testing};
use crate::suite::{Bench, held_to_the_suite};
use crate::verdict::Verdict;

/// A fleet on a server of its own.
struct Remote {
    server: Server,
    nats: Nats,
    manifest: Manifest,
}

#[async_trait]
impl Bench for Remote {
    fn queue(&self) -> &dyn Jobs {
        &self.nats
    }

    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    async fn verdict(&self, job: &Job) -> Option<Verdict> {
        match self.nats.fetch(&self.manifest, job).await.unwrap() {
            Fetched::Left(left, _) => Some(left.result.verdict),
            Fetched::Nothing => None,
            Fetched::Refused { reason } => panic!("{reason}"),
        }
    }
}

async fn connected(connection: &Connection) -> Nats {
    Nats::connect(connection, vec!["python".to_owned()]).await.unwrap()
}

async fn remote(jobs: usize) -> Option<Remote> {
    let server = Server::start()?;
    let nats = connected(&server.connection()).await.with_lease(Duration::from_secs(1));
    let manifest = testing::manifest(jobs);
    let remote = Remote { server, nats, manifest };
    remote.offer().await;
    Some(remote)
}

impl Remote {
    async fn offer(&self) {
        let keys: Vec<Key> = self.manifest.jobs.iter().map(|job| job.key.clone()).collect();
        self.nats.offer(&self.manifest, &keys).await.unwrap();
    }
}

held_to_the_suite!(remote);
