//! How a server is reached: with TLS, unless it is on this machine.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::{ConnectOptions, ServerAddr};
use bailiwick_base::files::FileError;
use bailiwick_base::{random, text};

use crate::ANSWER;
use crate::error::NatsError;
use crate::guard::{self, Flooded, Most};

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
}

/// A server that is connected.
#[derive(Clone)]
pub struct Connected {
    /// What is asked of it.
    pub jetstream: jetstream::Context,
    /// What no other connection is called.
    pub name: String,
    /// Whether it sent too much.
    pub flooded: Flooded,
}

impl Connection {
    /// The address, if it may be used.
    fn address(&self) -> Result<ServerAddr, NatsError> {
        let bad = |server: &str, reason| NatsError::Address { server: server.to_owned(), reason };
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

    /// Connects. A server that is lost later is looked for again all the while; one that sends more than `most` is given up.
    ///
    /// # Errors
    /// See [`NatsError`].
    pub async fn connect(&self, most: Most) -> Result<Connected, NatsError> {
        let address = self.address()?;
        let (certificate, key) = self.identity.as_ref().map(|(certificate, key)| (certificate, key)).unzip();
        for file in [self.authority.as_ref(), certificate, key].into_iter().flatten() {
            // The client would not say which file cannot be read.
            std::fs::File::open(file).map_err(FileError::at(file, "read"))?;
        }
        let name = text::hex(&random::bytes::<8>().map_err(NatsError::unreachable)?);
        let mut options = ConnectOptions::new()
            .name("bailiwick")
            .connection_timeout(ANSWER)
            .request_timeout(Some(ANSWER))
            .require_tls(address.scheme() == "tls")
            // A server must not send this program, and what it signs in with, somewhere else.
            .ignore_discovered_servers()
            .custom_inbox_prefix(format!("_INBOX.{name}"))
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
        let (client, flooded) = guard::connect(options, address, most).await?;
        let mut jetstream = jetstream::new(client);
        jetstream.set_timeout(ANSWER);
        Ok(Connected { jetstream, name, flooded })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_elsewhere_is_used_with_tls_alone_and_no_address_has_a_password() {
        let told = |server: &str| {
            let server = server.to_owned();
            Connection { server, login: None, authority: None, identity: None }.address()
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
