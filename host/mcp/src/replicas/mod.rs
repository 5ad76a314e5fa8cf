//! Several servers that clients reach as one: each run stays with the replica that began it, and any other passes calls about
//! it on.
//!
//! | module | subject |
//! |---|---|
//! | `entries` | the registry: which replicas there are, and which has which run |
//! | `directory`, `nats` | engines for it |
//! | `records` | what stands in it, sealed |
//! | `link` | a server that has other replicas, or none |
//! | `lease` | saying that one is there, and taking over what a dead process of the same state directory left |
//! | `enter`, `whole` | entering the runs of this replica, and noticing that the registry lost entries |
//! | `wire`, `guard` | what replicas say to one another, and whom they listen to |
//! | `forward` | passing a call on |
//! | `store_name` | the name of a state directory |
//!
//! The registry holds no truth about a run, which is in the state directory of its replica. What a run's entry says is where to
//! ask. A replica that is asked decides for itself whether it knows the run and whether the caller may.

mod directory;
mod enter;
mod entries;
mod forward;
mod guard;
mod lease;
mod link;
#[cfg(feature = "nats")]
mod nats;
mod records;
mod store_name;
#[cfg(test)]
mod suite;
mod whole;
pub(crate) mod wire;

pub use directory::Directory;
pub use entries::{Entries, Shelf};
pub(crate) use forward::{Reached, forwarded};
pub(crate) use guard::Guard;
pub(crate) use lease::keep;
pub(crate) use link::Link;
#[cfg(feature = "nats")]
pub use nats::Nats;
#[cfg(all(test, feature = "nats"))]
pub(crate) use nats::tests::server;
pub(crate) use records::{Announcement, Claim};
pub(crate) use whole::uncertain;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::keys::Keys;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use bailiwick_runs::Owner;
use records::Record;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use whole::Whole;

/// So often a run is claimed whose entry changes meanwhile.
const CLAIM_TRIES: usize = 3;

/// Bounds of what replicas do with one another.
#[derive(Debug, Clone)]
pub struct ReplicaLimits {
    /// How often one says that it is there.
    pub every: Duration,
    /// After how long without a word one counts as gone.
    pub lease: Duration,
    /// How long others may take to enter their runs again that the registry lost.
    pub settle: Duration,
    /// How long connecting to another may take.
    pub connect: Duration,
    /// How long another may say nothing while it answers. It says that it is there in a third of it.
    pub silence: Duration,
    /// How far the clocks of replicas may be apart.
    pub skew: Duration,
    /// How long a client may take to answer a question of another replica.
    pub answer: Duration,
}

/// What a replica is started with.
pub struct ReplicaOptions {
    /// The registry.
    pub entries: Arc<dyn Entries>,
    /// Where others reach this one; without it the address that it listens on.
    pub address: Option<SocketAddr>,
    /// Bounds.
    pub limits: ReplicaLimits,
}

/// This replica among the others. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Replicas(Arc<Inner>);

struct Inner {
    name: String,
    store: String,
    address: SocketAddr,
    keys: Keys,
    entries: Arc<dyn Entries>,
    limits: ReplicaLimits,
    whole: Whole,
    http: reqwest::Client,
}

/// Where a call about a run is answered.
#[derive(Debug)]
pub(crate) enum Place {
    /// By this replica.
    Here,
    /// By the first of these that can be reached; where none can, by this one only if the run is in its own state directory.
    There { replicas: Vec<Announcement>, own_store: bool },
}

/// What became of a claim.
enum Claimed {
    /// This replica has the run.
    Here,
    /// A replica with another state directory has it.
    Elsewhere,
    /// There is an entry, and it cannot be read.
    Unreadable,
}

impl Claimed {
    /// Whether other replicas know the run of this name as one of this replica. If not, the log says so.
    fn is_here(&self, name: &str) -> bool {
        let is_here = matches!(self, Self::Here);
        if !is_here {
            tracing::warn!(name, "other replicas do not know a run: its name is taken in the registry");
        }
        is_here
    }
}

impl Replicas {
    /// A replica that works with this state directory and is reached at this address.
    ///
    /// # Errors
    /// The state directory has no name and can be given none, or the system has no random bytes.
    pub(crate) fn new(
        options: &ReplicaOptions,
        state: &Path,
        listening: SocketAddr,
        keys: Keys,
    ) -> Result<Self, Failure> {
        let store = store_name::of(state)
            .map_err(|error| Failure::new(format!("the state directory cannot be given a name: {error}")))?;
        let name = hex(&random::bytes::<8>().map_err(|error| Failure::new(format!("no random bytes: {error}")))?);
        let limits = options.limits.clone();
        // An error says that there is one already, which does as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Neither a proxy nor an answer may lead elsewhere.
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(limits.connect)
            .read_timeout(limits.silence)
            .build()
            .map_err(|error| Failure::new(format!("other replicas cannot be asked: {error}")))?;
        let (address, entries) = (options.address.unwrap_or(listening), options.entries.clone());
        Ok(Self(Arc::new(Inner { name, store, address, keys, entries, limits, whole: Whole::default(), http })))
    }

    /// What this process is called among the replicas.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub(crate) fn limits(&self) -> &ReplicaLimits {
        &self.0.limits
    }

    /// Enters a run or a workflow as one of this replica, before its name is told to a client.
    ///
    /// # Errors
    /// Another state directory has it, its entry cannot be read, or the registry cannot be reached.
    pub(crate) async fn claim(&self, name: &str, owner: &Owner) -> Result<(), Failure> {
        match self.try_claim(name, owner).await? {
            Claimed::Here => Ok(()),
            Claimed::Elsewhere => Err(Failure::new(format!("the run `{name}` is another replica's"))),
            Claimed::Unreadable => Err(Failure::new(format!(
                "the entry of `{name}` in the registry of replicas is not sealed under a key of this server"
            ))
            .hint("if it was begun under an older key, start the server with that key as a further `--state-key`")),
        }
    }

    /// The same for a run that has begun already. While the registry cannot be reached, it is tried again. Returns whether other
    /// replicas know the run.
    pub(crate) async fn claim_late(&self, name: &str, owner: &Owner) -> bool {
        loop {
            match self.try_claim(name, owner).await {
                Ok(claimed) => return claimed.is_here(name),
                Err(_) => tokio::time::sleep(self.limits().every).await,
            }
        }
    }

    /// # Errors
    /// The registry cannot be reached.
    async fn try_claim(&self, name: &str, owner: &Owner) -> Result<Claimed, Failure> {
        let claim = Claim { replica: self.0.name.clone(), store: self.0.store.clone(), owner: owner.clone() };
        let content = claim.sealed(name, &self.0.keys)?;
        let entries = &self.0.entries;
        let (mut claimed, mut had_by) = (Claimed::Unreadable, None);
        // An entry may be lost or written again between these steps.
        for _ in 0..CLAIM_TRIES {
            if entries.create(Claim::SHELF, name, &content).await.map_err(|error| unreachable(&error))? {
                return Ok(Claimed::Here);
            }
            let found = entries.get(Claim::SHELF, name).await.map_err(|error| unreachable(&error))?;
            let Some(found) = found else { continue };
            let other = match self.opened::<Claim>(name, &found) {
                Some(other) if other.store != self.0.store => return Ok(Claimed::Elsewhere),
                Some(other) if other.replica == self.0.name => return Ok(Claimed::Here),
                Some(other) => other,
                // It may be sealed under a key that was left out. The next caller must not become its owner.
                None => return Ok(Claimed::Unreadable),
            };
            // Of several processes that go on with it at once, one does.
            if had_by.is_some_and(|before| before != other.replica) {
                return Ok(Claimed::Elsewhere);
            }
            // Processes of one state directory go on with one another's runs, and operators with those of others: a run stays
            // its owner's.
            let again = Claim { owner: other.owner, ..claim.clone() }.sealed(name, &self.0.keys)?;
            if entries.replace(Claim::SHELF, name, &found, &again).await.map_err(|error| unreachable(&error))? {
                return Ok(Claimed::Here);
            }
            (claimed, had_by) = (Claimed::Elsewhere, Some(other.replica));
        }
        Ok(claimed)
    }

    /// Takes a name out that no client can ask about any more.
    pub(crate) async fn forget(&self, name: &str) {
        let own = |claim: &Claim| claim.replica == self.0.name;
        if matches!(self.read::<Claim>(name).await, Ok(Some(claim)) if own(&claim)) {
            let _ = self.0.entries.remove(Claim::SHELF, name).await;
        }
    }

    /// Where a call of this caller about a run or a workflow is answered.
    ///
    /// # Errors
    /// The registry cannot be reached.
    pub(crate) async fn place(&self, name: &str, caller: &Caller) -> Result<Place, Failure> {
        if !entries::is_name(name) {
            return Ok(Place::Here);
        }
        let Some(claim) = self.read::<Claim>(name).await? else { return Ok(Place::Here) };
        // What is not theirs is an unknown name here, too, and whether it can be reached is not told.
        if claim.replica == self.0.name || !caller.sees(&claim.owner) {
            return Ok(Place::Here);
        }
        let own_store = claim.store == self.0.store;
        let mut replicas = self.others().await?;
        // In the own state directory this process does what another one did that is gone.
        replicas.retain(|one| one.replica == claim.replica || (!own_store && one.store == claim.store));
        replicas.sort_by_key(|one| (one.replica != claim.replica, std::cmp::Reverse(one.at)));
        Ok(Place::There { replicas, own_store })
    }

    /// The replica of this name, if it said that it is there.
    ///
    /// # Errors
    /// The registry cannot be reached.
    pub(crate) async fn called(&self, name: &str) -> Result<Place, Failure> {
        let replicas = match entries::is_name(name) {
            true => self.read::<Announcement>(name).await?.into_iter().collect(),
            false => Vec::new(),
        };
        Ok(Place::There { replicas, own_store: false })
    }

    /// Every other replica that said it is there, however long ago.
    async fn others(&self) -> Result<Vec<Announcement>, Failure> {
        let names = self.0.entries.names(Announcement::SHELF).await.map_err(|error| unreachable(&error))?;
        let mut others = Vec::new();
        for name in names.into_iter().filter(|name| *name != self.0.name) {
            others.extend(self.read::<Announcement>(&name).await?.filter(|one| one.replica == name));
        }
        Ok(others)
    }

    /// What stands under this name, if a holder of the key wrote it.
    async fn read<T: Record>(&self, name: &str) -> Result<Option<T>, Failure> {
        let content = self.0.entries.get(T::SHELF, name).await.map_err(|error| unreachable(&error))?;
        Ok(content.and_then(|content| self.opened(name, &content)))
    }

    /// The content of an entry, if a holder of the key wrote it.
    fn opened<T: Record>(&self, name: &str, content: &[u8]) -> Option<T> {
        let record = T::opened(name, content, &self.0.keys);
        if record.is_none() {
            tracing::warn!(
                name,
                "an entry of the registry of replicas is not sealed under the key, and does not count"
            );
        }
        record
    }
}

fn unreachable(error: &std::io::Error) -> Failure {
    // Where it lies is for the operator.
    tracing::warn!(%error, "the registry of replicas cannot be reached");
    Failure::new("the registry of this server's replicas cannot be reached").hint("try again a little later")
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests;
