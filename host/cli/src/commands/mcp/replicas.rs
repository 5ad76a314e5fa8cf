//! One of several servers that clients reach as one (`--replicas`).

use crate::exit::{Error, Result};
use bailiwick_mcp::replicas::{Directory, Entries, ReplicaLimits, ReplicaOptions};
use clap::Args;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What makes this server a replica.
#[derive(Debug, Args)]
pub(crate) struct Replicated {
    /// Make this server one of several that clients reach as one: where they write who has which run. This is a directory
    /// of mode 0700 that all of them reach, or a NATS server: `tls://HOST:4222`, or `nats://127.0.0.1:4222` on this machine.
    /// All have the same `--state-key`, and take the same tokens.
    #[arg(long, value_name = "DIRECTORY|URL", requires_all = ["http", "state_keys"])]
    replicas: Option<PathBuf>,
    /// A file with the user of the NATS server in its first line and the password in its second one, which only you can
    /// read.
    #[arg(long, value_name = "FILE", requires = "replicas")]
    replicas_login: Option<PathBuf>,
    /// Certificates of the NATS server that are trusted in place of those of this machine.
    #[arg(long, value_name = "FILE", requires = "replicas")]
    replicas_ca: Option<PathBuf>,
    /// The certificate to sign in to the NATS server with, where it asks for one.
    #[arg(long, value_name = "FILE", requires_all = ["replicas", "replicas_key"])]
    replicas_certificate: Option<PathBuf>,
    /// Its key.
    #[arg(long, value_name = "FILE", requires_all = ["replicas", "replicas_certificate"])]
    replicas_key: Option<PathBuf>,
    /// Where other replicas reach this one, if it is not the address that it listens on.
    #[arg(long, value_name = "ADDRESS", requires = "replicas")]
    replica_address: Option<SocketAddr>,
}

impl Replicated {
    /// What makes this server a replica, if it is to be one.
    pub(super) async fn options(&self, listening: SocketAddr, made_up_token: bool) -> Result<Option<ReplicaOptions>> {
        let Some(place) = &self.replicas else { return Ok(None) };
        if made_up_token {
            return Err(Error::usage("clients of several replicas need a token that all of them take")
                .hint("name a file with it in `BAILIWICK_MCP_TOKEN_FILE`, or use `--oauth-issuer`"));
        }
        let address = self.replica_address;
        if address.unwrap_or(listening).ip().is_unspecified() {
            return Err(Error::usage("other replicas need an address of this one")
                .hint("name it with `--replica-address`, such as `10.0.0.7:8931`"));
        }
        let entries = match place.to_str().filter(|place| place.contains("://")) {
            Some(server) => self.on_server(server).await?,
            None => self.in_directory(place)?,
        };
        Ok(Some(ReplicaOptions { entries, address, limits: limits() }))
    }

    fn in_directory(&self, path: &Path) -> Result<Arc<dyn Entries>> {
        let of_servers = [&self.replicas_login, &self.replicas_ca, &self.replicas_certificate, &self.replicas_key];
        if of_servers.into_iter().any(Option::is_some) {
            return Err(Error::usage(format!(
                "`{}` of `--replicas` is a directory, which has no login",
                path.display()
            ))
            .hint("name a server, such as `--replicas tls://HOST:4222`"));
        }
        if is_like_a_server(path) && !path.exists() {
            return Err(Error::usage(format!(
                "`{}` of `--replicas` is neither a directory that is there nor the address of a server",
                path.display()
            ))
            .hint("name a server as `tls://HOST:4222`; make the directory first if you mean one of this name"));
        }
        let directory = Directory::open(path).map_err(|error| {
            Error::usage(format!("the directory `{}` of `--replicas` cannot be used: {error}", path.display()))
                .hint("name a directory of mode 0700 that every replica reaches")
        })?;
        Ok(Arc::new(directory))
    }

    #[cfg(not(feature = "nats"))]
    async fn on_server(&self, _: &str) -> Result<Arc<dyn Entries>> {
        Err(Error::usage("this program was built without NATS servers for `--replicas`")
            .hint("build it with the feature `nats`, which is on by default, or name a directory"))
    }

    #[cfg(feature = "nats")]
    async fn on_server(&self, server: &str) -> Result<Arc<dyn Entries>> {
        use bailiwick_nats::{Connection, NatsError};
        let login = |path: &PathBuf| crate::nats_login::read(path, "--replicas-login");
        let connection = Connection {
            server: server.to_owned(),
            login: self.replicas_login.as_ref().map(login).transpose()?,
            authority: self.replicas_ca.clone(),
            identity: self.replicas_certificate.clone().zip(self.replicas_key.clone()),
        };
        let nats = bailiwick_mcp::replicas::Nats::open(connection).await.map_err(|error| {
            let text = format!("`--replicas`: {error}");
            match error {
                NatsError::Address { .. } => Error::usage(text)
                    .hint("`--replicas tls://HOST:4222`, with the login in a file: `--replicas-login FILE`"),
                NatsError::Certificate { .. } => Error::failed(text).hint(
                    "`--replicas-ca FILE` names the authorities that are trusted, `--replicas-certificate FILE` and \
                     `--replicas-key FILE` what to sign in with",
                ),
                NatsError::Unreachable { .. } => Error::failed(text)
                    .hint("see that the server runs with JetStream, and that the user of `--replicas-login` has the rights it needs"),
                NatsError::Stream { .. } => Error::failed(text).hint(
                    "delete that stream, and the server makes it as it has to be; give each set of replicas an account of its own",
                ),
                NatsError::Flooded | NatsError::Io(_) => Error::failed(text),
            }
        })?;
        Ok(Arc::new(nats))
    }
}

/// Whether a place is named like a server whose scheme is missing or cut off.
fn is_like_a_server(place: &Path) -> bool {
    let Some(place) = place.to_str() else { return false };
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    place.starts_with("tls:")
        || place.starts_with("nats:")
        || place.rsplit_once(':').is_some_and(|(_, port)| is_port(port))
}

fn limits() -> ReplicaLimits {
    ReplicaLimits {
        every: Duration::from_secs(5),
        lease: Duration::from_secs(20),
        settle: Duration::from_secs(20),
        connect: Duration::from_secs(3),
        silence: Duration::from_secs(20),
        skew: Duration::from_secs(30),
        answer: Duration::from_secs(600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn server_that_is_named_without_its_scheme_makes_no_directory() {
        let base = tempfile::tempdir().unwrap();
        let options = async |place: &str| {
            let replicated = Replicated {
                replicas: Some(base.path().join(place)),
                replicas_login: None,
                replicas_ca: None,
                replicas_certificate: None,
                replicas_key: None,
                replica_address: None,
            };
            replicated.options("127.0.0.1:1".parse().unwrap(), false).await
        };
        for place in ["registry.example:4222", "127.0.0.1:4222"] {
            assert!(options(place).await.is_err(), "{place}");
            assert!(!base.path().join(place).exists(), "{place}");
        }
        std::fs::create_dir(base.path().join("there:1")).unwrap();
        std::fs::set_permissions(base.path().join("there:1"), std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .unwrap();
        for place in ["registry", "there:1", "a:b"] {
            assert!(options(place).await.is_ok(), "{place}");
        }
        for place in ["tls:registry.example", "nats:/registry.example", "tls:/registry.example:4222"] {
            assert!(is_like_a_server(Path::new(place)), "{place}");
        }
    }
}
