//! `bailiwick review`: a page on loopback on which a person looks at runs and fleets and decides about runs.
//!
//! | module | subject |
//! |---|---|
//! | `admission` | who is let in: a link that works once, an address that cannot be guessed, `Host` and `Origin` |
//! | `pages` | the pages, and the two decisions |
//!
//! Authority is the address: every page lies beneath a secret that the one-time link leads to. There is no cookie, which a
//! browser would send to every other server of this machine as well. Pages have no script and load nothing.

mod admission;
mod pages;

use admission::Admission;
use bailiwick_agent::KnownSecrets;
use bailiwick_connections::ConnectionLimits;
use bailiwick_fleet::Report;
use bailiwick_report::FleetLine;
use bailiwick_runs::Store;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// One browser opens six at once. Any program of this machine can connect; one that does not know the address gives way.
const LIMITS: ConnectionLimits = ConnectionLimits {
    most: 64,
    head_within: Duration::from_secs(10),
    head_bytes: 32 * 1024,
    head_lines: 64,
    unread: Duration::from_secs(60),
    // A decision that was made is carried out; what has no request ends at once.
    last_words: Duration::from_secs(600),
};

/// The fleets of this machine.
pub trait Fleets: Send + Sync + 'static {
    /// All of them, latest first.
    fn list(&self) -> Vec<FleetLine>;

    /// The fleet of this name. Returns `None` if no fleet has it, or if it cannot be read.
    fn report(&self, name: &str) -> Option<Report>;
}

/// What can be looked at.
pub struct Reviewed {
    /// The runs, as they are at the command line.
    pub store: Store,
    /// What stands on no page.
    pub secrets: KnownSecrets,
    /// The fleets.
    pub fleets: Box<dyn Fleets>,
}

/// A server that listens.
pub struct Review {
    listener: TcpListener,
    admission: Arc<Admission>,
    link: String,
}

impl Review {
    /// Listens on loopback, on this port or on a free one.
    ///
    /// # Errors
    /// The port is taken, or the system has no random bytes.
    pub async fn listen(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let (admission, key) = Admission::new(listener.local_addr()?.port())?;
        let link = format!("http://127.0.0.1:{}/enter/{key}", listener.local_addr()?.port());
        Ok(Self { listener, admission: Arc::new(admission), link })
    }

    /// The link that lets one browser in, once.
    #[must_use]
    pub fn link(&self) -> &str {
        &self.link
    }

    /// Serves until `stop` ends. A decision that is being carried out is carried out.
    ///
    /// # Errors
    /// The listener fails.
    pub async fn serve(self, reviewed: Reviewed, stop: impl Future<Output = ()>) -> io::Result<()> {
        let router = admission::before(self.admission, pages::all(Arc::new(reviewed)));
        let ended = CancellationToken::new();
        let serving = bailiwick_connections::serve(self.listener, router, LIMITS, ended.clone());
        tokio::pin!(serving, stop);
        tokio::select! {
            result = &mut serving => return result,
            () = &mut stop => {}
        }
        ended.cancel();
        serving.await
    }
}
