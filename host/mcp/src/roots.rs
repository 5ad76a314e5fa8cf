//! The directories that a client is at work in (its *roots*, up to 2025-11-25): they narrow the operator's grants for this
//! client and never widen them.
//!
//! The client is asked when a call first needs a directory, and again after it said that its roots changed. A client that
//! said it has roots and does not tell them gets no directory at all until it does: the operator's grants would be more
//! than the person at the client meant. Roots are only ever names; what is opened is opened beneath the handles of the
//! grants (`narrow`).

mod narrow;
mod uri;

use crate::failure::Failure;
use bailiwick_sandbox::Grants;
pub(crate) use narrow::{beneath, narrow};
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;

/// So often a call asks for roots that change while they are told.
const MOST_ROUNDS: usize = 4;

/// Whether the roots of clients are heeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRoots {
    /// They narrow the operator's grants.
    Narrow,
    /// Clients are not asked.
    Ignored,
}

/// What one client may use.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The grants, narrowed.
    pub grants: Grants,
    /// What the client is told of its roots.
    pub notes: Vec<String>,
}

impl Scope {
    /// All that the operator granted.
    fn whole(grants: &Grants) -> Self {
        Self { grants: grants.clone(), notes: Vec::new() }
    }
}

/// The roots of one client, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// Counts up with every change that the client tells of.
    changes: AtomicU64,
    known: Mutex<Option<Known>>,
}

/// What a client answered.
#[derive(Debug)]
struct Known {
    /// After which change.
    change: u64,
    roots: Arc<Vec<String>>,
    /// What they leave of grants: the server's, and those of each added component.
    scopes: Vec<(Grants, Arc<Scope>)>,
}

impl Roots {
    /// The client has others now.
    pub(crate) fn changed(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }
}

/// Where the roots of a client are learned.
#[derive(Clone)]
enum Source {
    /// Nowhere: it has none, or they are not heeded.
    None,
    /// From the client.
    Client(Peer<RoleServer>),
    /// They came with the call.
    Call,
}

/// The way from a call to what its client may use.
#[derive(Clone)]
pub struct Directories {
    roots: Arc<Roots>,
    source: Source,
    patience: Duration,
}

impl Directories {
    pub(crate) fn new(
        heeded: ClientRoots,
        roots: &Arc<Roots>,
        context: &RequestContext<RoleServer>,
        patience: Duration,
    ) -> Self {
        // From 2026-07-28 on a server sends no requests, and roots are only names there.
        let old =
            context.protocol_version().is_none_or(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str());
        let has_roots = context.client_capabilities().is_some_and(|capabilities| capabilities.roots.is_some());
        let source = match heeded == ClientRoots::Narrow && old && has_roots {
            true => Source::Client(context.peer.clone()),
            false => Source::None,
        };
        Self { roots: roots.clone(), source, patience }
    }

    /// Those of a client that has nothing to be asked.
    #[must_use]
    pub fn unasked() -> Self {
        Self { roots: Arc::default(), source: Source::None, patience: Duration::ZERO }
    }

    /// Those of a client of another replica, which asked it for these roots.
    pub(crate) fn named(roots: Vec<String>) -> Self {
        let known = Known { change: 0, roots: Arc::new(roots), scopes: Vec::new() };
        let roots = Roots { changes: AtomicU64::new(0), known: Mutex::new(Some(known)) };
        Self { roots: Arc::new(roots), source: Source::Call, patience: Duration::from_secs(60) }
    }

    /// The roots as the client has told them; `None` where it was not to be asked.
    ///
    /// # Errors
    /// As for [`Directories::scope`].
    pub(crate) async fn told(&self) -> Result<Option<Vec<String>>, Failure> {
        if matches!(self.source, Source::None) {
            return Ok(None);
        }
        self.scope(&Grants::none()).await?;
        // Another call may have asked anew meanwhile, without an answer.
        match &*self.roots.known.lock().await {
            Some(known) => Ok(Some(known.roots.to_vec())),
            None => Err(untold("they changed meanwhile")),
        }
    }

    /// What of `grants` the client of this call may use.
    ///
    /// # Errors
    /// The client has roots and does not say which.
    pub async fn scope(&self, grants: &Grants) -> Result<Arc<Scope>, Failure> {
        if matches!(self.source, Source::None) {
            return Ok(Arc::new(Scope::whole(grants)));
        }
        // Waiting for the answer to another call's question counts, too: one client that says nothing is waited for once.
        let told = tokio::time::timeout(self.patience, self.narrowed(grants)).await;
        told.unwrap_or_else(|_| Err(untold("it did not answer")))
    }

    /// Looks anew what the roots leave of `grants` at the next call.
    pub(crate) async fn forget(&self, grants: &Grants) {
        if let Some(known) = &mut *self.roots.known.lock().await {
            known.scopes.retain(|(of, _)| !of.is_same(grants));
        }
    }

    async fn narrowed(&self, grants: &Grants) -> Result<Arc<Scope>, Failure> {
        let mut known = self.roots.known.lock().await;
        for _ in 0..MOST_ROUNDS {
            let change = self.roots.changes.load(Ordering::SeqCst);
            let known = match &mut *known {
                Some(known) if known.change == change => known,
                known => {
                    *known = None;
                    let roots = Arc::new(self.ask().await?);
                    known.insert(Known { change, roots, scopes: Vec::new() })
                }
            };
            let scope = match known.scopes.iter().find(|(of, _)| of.is_same(grants)) {
                Some((_, scope)) => scope.clone(),
                None => {
                    let (operators, roots) = (grants.clone(), known.roots.clone());
                    let scope = tokio::task::spawn_blocking(move || Arc::new(narrow(&operators, &roots)))
                        .await
                        .map_err(|_| Failure::new("the roots of this client could not be looked at"))?;
                    known.scopes.push((grants.clone(), scope.clone()));
                    scope
                }
            };
            // Unless they changed meanwhile, this is the answer.
            if self.roots.changes.load(Ordering::SeqCst) == change {
                return Ok(scope);
            }
        }
        Err(untold("they change with every answer"))
    }

    #[expect(deprecated, reason = "clients up to 2025-11-25 have roots, and narrowing heeds what they mean")]
    async fn ask(&self) -> Result<Vec<String>, Failure> {
        let Source::Client(peer) = &self.source else { return Err(untold("the call came without them")) };
        match peer.list_roots().await {
            Ok(answer) => Ok(answer.roots.into_iter().map(|root| root.uri).collect()),
            Err(_) => Err(untold("it answered with an error")),
        }
    }
}

fn untold(why: &str) -> Failure {
    Failure::new(format!(
        "this client has roots and did not say which: {why}; no directory is open to it until it does"
    ))
    .hint("a client without roots, or `--client-roots ignore` of this server, opens all that was granted")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::task::Poll;

    #[tokio::test]
    async fn roots_that_are_unknown_again_after_they_were_looked_at_are_not_taken_for_none() {
        let directories = Directories::named(vec!["file:///work".into()]);
        assert_eq!(directories.told().await.unwrap(), Some(vec!["file:///work".to_owned()]));
        // Another call asks anew, without an answer, between the two looks of this one.
        let known = directories.roots.known.lock().await;
        let mut told = Box::pin(directories.told());
        let mut forgetting = Box::pin(async { *directories.roots.known.lock().await = None });
        poll_fn(|context| {
            let waiting = (told.as_mut().poll(context), forgetting.as_mut().poll(context));
            assert!(waiting.0.is_pending() && waiting.1.is_pending());
            Poll::Ready(())
        })
        .await;
        drop(known);
        let (told, ()) = tokio::join!(told, forgetting);
        assert!(told.unwrap_err().message.contains("did not say which"));
    }
}
