//! `--queue`: a fleet whose workers are on other machines, over a NATS server.

use crate::exit::Result;
use clap::Args;
use std::path::PathBuf;

/// The server of a queue, and how to sign in to it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Server {
    /// The NATS server whose queue is used: `tls://HOST:4222`, or `nats://127.0.0.1:4222` on this machine.
    #[arg(long, value_name = "URL")]
    pub(crate) queue: Option<String>,
    /// A file with the user in its first line and the password in its second one, which only you can read.
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_login: Option<PathBuf>,
    /// Certificates that are trusted in place of those of this machine.
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_ca: Option<PathBuf>,
    /// The certificate to sign in with, where the server asks for one.
    #[arg(long, value_name = "FILE", requires = "queue_key")]
    queue_certificate: Option<PathBuf>,
    /// Its key.
    #[arg(long, value_name = "FILE", requires = "queue_certificate")]
    queue_key: Option<PathBuf>,
}

#[cfg(not(feature = "nats"))]
impl Server {
    /// Refuses.
    pub(crate) fn refuse(&self) -> Result<()> {
        let refused = || {
            crate::exit::Error::usage("this program was built without `--queue`")
                .hint("build it with the feature `nats`, which is on by default")
        };
        if self.queue.is_some() { Err(refused()) } else { Ok(()) }
    }
}

#[cfg(feature = "nats")]
mod connected {
    use super::super::failure;
    use super::*;
    use bailiwick_fleet::Nats;
    use bailiwick_nats::Connection;

    impl Server {
        /// Connects for the jobs of these languages, if a server is named.
        pub(crate) async fn connect(&self, languages: Vec<String>) -> Result<Option<Nats>> {
            let Some(server) = &self.queue else { return Ok(None) };
            let login = |path: &PathBuf| crate::nats_login::read(path, "--queue-login");
            let connection = Connection {
                server: server.clone(),
                login: self.queue_login.as_ref().map(login).transpose()?,
                authority: self.queue_ca.clone(),
                identity: self.queue_certificate.clone().zip(self.queue_key.clone()),
            };
            Nats::connect(&connection, languages).await.map(Some).map_err(|error| failure(&error))
        }
    }
}
