//! Over stdin and stdout, which carry the protocol and nothing else.
//!
//! [`Private::take`] moves both away before anything else runs: afterwards descriptor 1 is stderr and descriptor 0 is
//! empty, so that whatever a library, a guest or a child prints or reads by accident never meets the protocol.

mod channel;
mod drain;
mod lines;
mod message;
mod output;
mod roots_listener;

use crate::caller::Caller;
use crate::server::{Server, Transport};
use channel::{reader, writer};
use drain::DRAIN_TIMEOUT;
pub use lines::StdioLimits;
use lines::{Ended, Lines};
use output::Output;
use rmcp::ServiceExt;
use rmcp::service::{RunningServiceCancellationToken, ServerInitializeError};
use roots_listener::RootsListener;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;

/// The protocol's own stdin and stdout.
#[derive(Debug)]
pub struct Private {
    input: OwnedFd,
    output: OwnedFd,
}

impl Private {
    /// Takes both away from everybody else in this process and from its children. Once, before threads are started.
    ///
    /// # Errors
    /// A descriptor cannot be duplicated.
    pub fn take() -> io::Result<Self> {
        let input = io::stdin().as_fd().try_clone_to_owned()?;
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        let nothing = std::fs::File::open("/dev/null")?;
        put(&nothing, 0)?;
        put(&io::stderr(), 1)?;
        Ok(Self { input, output })
    }
}

/// Makes descriptor `number` what `source` is.
fn put(source: &impl AsFd, number: i32) -> io::Result<()> {
    let source = source.as_fd().as_raw_fd();
    #[expect(unsafe_code, reason = "there is no safe way to replace a standard descriptor without owning it")]
    // SAFETY: both numbers are open; `number` has no owner and stays open all the time.
    let result = unsafe { libc::dup2(source, number) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Serves one client until it closes stdin, or until `stop` ends. When this returns nothing is at work any more and both
/// repositories of every customization that was are as before.
///
/// `notice` is told what the client cannot be told, for stderr.
///
/// # Errors
/// The two streams cannot be used, or the client does not speak the protocol.
pub async fn serve(
    server: &Server,
    private: Private,
    limits: StdioLimits,
    notice: Arc<dyn Fn(&str) + Send + Sync>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let ended = Ended::default();
    let limit = server.limits().message_bytes;
    let output = Output::new(writer(private.output)?);
    let transport = Lines::new((reader(private.input)?, output.clone()), limit, limits, ended.clone(), notice);
    let connection = server.connection(Transport::Stdio, server.client("stdio", Caller::local(), None));
    let transport = RootsListener::new(transport, connection.roots());
    // In a box: the protocol's loop moves the future of every message about, and it is as large as the
    // largest of all.
    let connection = connection.into_dyn();
    tokio::pin!(stop);
    let service = tokio::select! {
        service = connection.serve(transport) => match service {
            Ok(service) => service,
            // A client that disconnects before its first message is not an error of the server.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(io::Error::other(error.to_string())),
        },
        () = &mut stop => return Ok(()),
    };
    let mut handle = Some(service.cancellation_token());
    let waiting = service.waiting();
    tokio::pin!(waiting);
    let stopped = tokio::select! {
        _ = &mut waiting => true,
        () = ended.asking.cancelled() => false,
        () = &mut stop => { cancel(&mut handle); false }
    };
    server.close().await;
    if !stopped {
        // Requests before the end of input are still answered while the client reads.
        let mut taken = output.taken();
        loop {
            tokio::select! {
                _ = &mut waiting => break,
                () = ended.reading.cancelled(), if handle.is_some() => cancel(&mut handle),
                () = tokio::time::sleep(DRAIN_TIMEOUT) => {
                    let before = std::mem::replace(&mut taken, output.taken());
                    if before == taken {
                        break;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Ends the protocol's loop, once.
fn cancel(handle: &mut Option<RunningServiceCancellationToken>) {
    if let Some(handle) = handle.take() {
        handle.cancel();
    }
}
