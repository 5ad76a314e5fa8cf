//! How a server is reached: with TLS, unless it is on this machine.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::{ConnectOptions, ServerAddr};
use bailiwick_base::{random, text};

use super::{ANSWER, LEASE, Nats, failed, guard};
use crate::error::FleetError;

/// Who signs in.
#[derive(Clone)]
pub struct Login {
    /// The user of the server's account.
    pub user: String,
    /// Its password.
    pub password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// A server, and how to sign in to it.
#[derive(Debug, Clone)]
pub struct Connection {
    /// `tls://HOST:4222`, or `nats://127.0.0.1:4222` on this machine.
    pub server: String,
    /// Who signs in, where the server asks for it.
    pub login: Option<Login>,
    /// A file with the certificates that are trusted in place of those of the platform.
    pub authority: Option<PathBuf>,
    /// Files with a certificate and its key, where the server asks for them.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The languages whose jobs are taken: `python`. None where none are.
    pub languages: Vec<String>,
}

impl Connection {
    /// The address, if it may be used.
    fn address(&self) -> Result<ServerAddr, FleetError> {
        let bad = |queue: &str, reason| FleetError::BadQueue { queue: queue.to_owned(), reason };
        if self.server.contains('@') {
            return Err(bad("nats://…@…", "a login in an address is seen by everybody on this machine"));
        }
        let address: ServerAddr =
            self.server.parse().map_err(|_| bad(&self.server, "it is not the address of a server"))?;
        let host = address.host().trim_matches(['[', ']']).to_owned();
        let is_here = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|host| host.is_loopback());
        match address.scheme() {
            _ if host.is_empty() => Err(bad(&self.server, "it names no server")),
            "tls" => Ok(address),
            "nats" if is_here => Ok(address),
            "nats" => Err(bad(&self.server, "without TLS only a server on this machine is used")),
            _ => Err(bad(&self.server, "it begins with neither `tls://` nor `nats://`")),
        }
    }

    /// Connects. A server that is lost later is looked for again all the while.
    ///
    /// # Errors
    /// [`FleetError::BadQueue`], [`FleetError::Io`], [`FleetError::Certificate`], [`FleetError::Server`], [`FleetError::Flooded`].
    pub async fn connect(&self) -> Result<Nats, FleetError> {
        let address = self.address()?;
        let (certificate, key) = self.identity.as_ref().map(|(certificate, key)| (certificate, key)).unzip();
        for file in [self.authority.as_ref(), certificate, key].into_iter().flatten() {
            // The client would not say which file cannot be read.
            std::fs::File::open(file).map_err(FleetError::io(file, "read"))?;
        }
        let worker = text::hex(&random::bytes::<8>().map_err(failed("named"))?);
        let mut options = ConnectOptions::new()
            .name("bailiwick")
            .connection_timeout(ANSWER)
            .request_timeout(Some(ANSWER))
            .require_tls(address.scheme() == "tls")
            // A server must not send this program, and what it signs in with, somewhere else.
            .ignore_discovered_servers()
            .custom_inbox_prefix(format!("_INBOX.{worker}"))
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis(200).saturating_mul(u32::try_from(attempts.min(25)).unwrap_or(25))
            });
        if let Some(Login { user, password }) = &self.login {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(authority) = &self.authority {
            options = options.add_root_certificates(authority.clone());
        }
        if let Some((certificate, key)) = &self.identity {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let (client, flooded) = guard::connect(options, address, guard::MOST).await?;
        let mut jetstream = jetstream::new(client);
        jetstream.set_timeout(ANSWER);
        Ok(Nats { jetstream, languages: self.languages.clone(), lease: LEASE, worker, flooded })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_elsewhere_is_used_with_tls_alone_and_no_address_has_a_password() {
        let told = |server: &str| {
            let server = server.to_owned();
            Connection { server, login: None, authority: None, identity: None, languages: Vec::new() }.address()
        };
        for server in [
            "tls://queue.example:4222",
            "tls://10.1.2.3",
            "nats://127.0.0.1:4222",
            "nats://localhost:1",
            "nats://[::1]:4222",
        ] {
            assert!(told(server).is_ok(), "{server}");
        }
        for server in [
            "nats://queue.example:4222",
            "nats://127.0.0.1.example",
            "ws://localhost",
            "tls://u:p@queue.example",
            "",
            "tls://",
        ] {
            let error = told(server).unwrap_err().to_string();
            assert!(!error.contains("u:p"), "{error}");
        }
    }
}
