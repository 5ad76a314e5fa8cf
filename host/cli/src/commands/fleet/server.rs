//! `--queue`: a fleet whose workers are on other machines, over a NATS server.

use crate::exit::{Error, Result};
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
            Error::usage("this program was built without `--queue`")
                .hint("build it with the feature `nats`, which is on by default")
        };
        if self.queue.is_some() { Err(refused()) } else { Ok(()) }
    }
}

#[cfg(feature = "nats")]
mod connected {
    use super::super::failure;
    use super::*;
    use bailiwick_fleet::{Connection, Login, Nats};
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    impl Server {
        /// Connects for the jobs of these languages, if a server is named.
        pub(crate) async fn connect(&self, languages: Vec<String>) -> Result<Option<Nats>> {
            let Some(server) = &self.queue else { return Ok(None) };
            let connection = Connection {
                server: server.clone(),
                login: self.queue_login.as_deref().map(login).transpose()?,
                authority: self.queue_ca.clone(),
                identity: self.queue_certificate.clone().zip(self.queue_key.clone()),
                languages,
            };
            connection.connect().await.map(Some).map_err(|error| failure(&error))
        }
    }

    fn login(path: &Path) -> Result<Login> {
        let wrong = |reason: String| Error::usage(format!("`--queue-login`: `{}` {reason}", path.display()));
        let about = std::fs::metadata(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        if about.mode() & 0o077 != 0 {
            return Err(wrong("can be read by others".to_owned()).hint(format!("`chmod 600 {}`", path.display())));
        }
        let text = std::fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let mut lines = text.lines().map(str::to_owned);
        match (lines.next(), lines.next()) {
            (Some(user), Some(password)) if !user.is_empty() => Ok(Login { user, password }),
            _ => Err(wrong("has no user in its first line and no password in its second one".to_owned())),
        }
    }
}
