//! A stand-in for what a server works with: it has nothing, and is asked for nothing here.

use async_trait::async_trait;
use bailiwick_agent::KnownSecrets;
use bailiwick_customize::driver::{Customizer, Planner, Progress};
use bailiwick_mcp::{
    ClientRoots, Failure, HostContext, Keys, ModelOf, PackageDirectories, Sampling, Server, ServerLimits, TaskLimits,
    Toolbox,
};
use bailiwick_runs::Store;
use bailiwick_sandbox::Grants;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

struct Nothing;

#[async_trait]
impl HostContext for Nothing {
    fn has_grants(&self) -> bool {
        false
    }

    fn client_roots(&self) -> ClientRoots {
        ClientRoots::Ignored
    }

    async fn toolbox(&self) -> Result<Toolbox, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn model(&self) -> ModelOf {
        ModelOf::Host
    }

    async fn customizer(&self, _: Progress, _: Sampling) -> Result<Customizer, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn planner(&self, _: Progress, _: Sampling) -> Result<Planner, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn store(&self) -> Result<Store, Failure> {
        Err(Failure::new("there is nothing"))
    }

    fn packages(&self) -> PackageDirectories {
        PackageDirectories::new(Grants::none(), Vec::new())
    }

    fn secrets(&self) -> KnownSecrets {
        KnownSecrets::new([])
    }

    fn checkouts(&self) -> PathBuf {
        std::env::temp_dir()
    }

    fn private_places(&self) -> Vec<(PathBuf, &'static str)> {
        Vec::new()
    }
}

/// A server that has nothing to work with.
pub(crate) fn server() -> Server {
    let limits = ServerLimits {
        answer_within: Duration::ZERO,
        longest_wait: Duration::ZERO,
        runs: 1,
        all_runs: 1,
        ended_runs: 1,
        calls: 4,
        message_bytes: 1 << 16,
        answer: Duration::ZERO,
        questions: 1,
        roots: Duration::ZERO,
        tasks: TaskLimits {
            after: Duration::ZERO,
            longest: Duration::ZERO,
            kept: Duration::ZERO,
            most: 1,
            poll: Duration::ZERO,
        },
        subscriptions: 1,
        look_every: Duration::from_secs(3600),
    };
    Server::new(Arc::new(Nothing), limits, Keys::of_this_process().expect("random bytes"))
        .unwrap_or_else(|failure| panic!("{}", failure.message))
}
