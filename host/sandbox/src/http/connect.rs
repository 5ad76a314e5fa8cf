//! A connection to a host: its name is resolved once, every address is looked at, and the connection goes to one of
//! exactly these. Nothing resolves the name again, so an answer that changes (DNS rebinding) changes nothing.

use super::Http;
use super::address;
use super::host::Host;
use super::policy::Target;
use super::rule::{Reach, Scheme};
use super::tls;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use wasmtime_wasi_http::Error;

/// Names that are looked up at once, in all calls: a look-up blocks a thread and cannot be called back.
static LOOK_UPS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(8)));

/// How long one of several addresses is tried.
const ONE_ADDRESS: Duration = Duration::from_secs(5);

/// An address that was refused, or why there is no connection.
#[derive(Debug)]
pub(super) enum ConnectError {
    /// One of the host's addresses is not what the rule reaches.
    Prohibited,
    Failed(Error),
}

impl From<Error> for ConnectError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Plain or encrypted.
pub(super) enum Connection {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

/// Connects to where a request goes.
pub(super) async fn connect(http: &Http, target: &Target) -> Result<Connection, ConnectError> {
    let addresses = allowed(resolve(&target.host, target.port).await?, target.reach)?;
    let stream = first(&addresses).await.map_err(Error::Connect)?;
    let _ = stream.set_nodelay(true);
    match target.scheme {
        Scheme::Http => Ok(Connection::Plain(stream)),
        Scheme::Https => {
            let name = match &target.host {
                Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid)?,
                Host::Address(address) => ServerName::from(*address),
            };
            let config = tls::config(&http.trust).ok_or(Error::ConfigurationError)?;
            let stream = TlsConnector::from(config).connect(name, stream).await.map_err(Error::Tls)?;
            Ok(Connection::Encrypted(Box::new(stream)))
        }
    }
}

async fn resolve(host: &Host, port: u16) -> Result<Vec<SocketAddr>, Error> {
    let name = match host {
        Host::Address(address) => return Ok(vec![SocketAddr::new(*address, port)]),
        Host::Name(name) => name.clone(),
    };
    let place = LOOK_UPS.clone().acquire_owned().await.map_err(|_| Error::DnsTimeout)?;
    let look_up = move || {
        let found = (name.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        drop(place);
        found
    };
    let unknown = || Error::DnsError { rcode: Some("the host has no address".into()), info_code: None };
    let found = tokio::task::spawn_blocking(look_up).await.map_err(|_| unknown())?.map_err(|_| unknown())?;
    if found.is_empty() { Err(unknown()) } else { Ok(found) }
}

/// All of them, or none: a host with one address too many is not the host that the rule was made for.
fn allowed(addresses: Vec<SocketAddr>, reach: Reach) -> Result<Vec<SocketAddr>, ConnectError> {
    if addresses.iter().all(|address| address::allowed(address.ip(), reach)) {
        Ok(addresses)
    } else {
        Err(ConnectError::Prohibited)
    }
}

async fn first(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match tokio::time::timeout(ONE_ADDRESS, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error,
            Err(_) => last = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(last)
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Encrypted(stream) => Pin::new(stream.as_mut()).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Encrypted(stream) => Pin::new(stream.as_mut()).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Encrypted(stream) => Pin::new(stream.as_mut()).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Encrypted(stream) => Pin::new(stream.as_mut()).poll_shutdown(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_with_one_refused_address_among_allowed_ones_is_refused() {
        let public: SocketAddr = "8.8.8.8:443".parse().unwrap();
        let loopback: SocketAddr = "127.0.0.1:443".parse().unwrap();
        assert!(allowed(vec![public], Reach::Public).is_ok());
        assert!(allowed(vec![public, loopback], Reach::Private).is_ok());
        for addresses in [vec![public, loopback], vec![loopback, public], vec![loopback]] {
            assert!(matches!(allowed(addresses, Reach::Public), Err(ConnectError::Prohibited)));
        }
    }
}
