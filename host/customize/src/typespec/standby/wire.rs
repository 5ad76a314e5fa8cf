//! Messages over a socket: four bytes with the length, then JSON.

use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::time::timeout;

/// The most that a subject or a question may be. A client file has some kilobytes, at most one mebibyte.
pub(super) const MOST_ASKED: u32 = 16 << 20;

/// The most that an answer may be: as much as a compiler may leave.
pub(super) const MOST_ANSWERED: u32 = 256 << 20;

pub(super) async fn send(stream: &mut UnixStream, message: &impl Serialize, most: u32) -> Result<()> {
    let text = serde_json::to_vec(message)?;
    let length = u32::try_from(text.len()).ok().filter(|length| *length <= most).ok_or(ErrorKind::InvalidData)?;
    stream.write_all(&length.to_le_bytes()).await?;
    stream.write_all(&text).await
}

/// Memory is taken for what comes and not for what is announced.
pub(super) async fn receive<T: DeserializeOwned>(stream: &mut UnixStream, most: u32) -> Result<T> {
    let length = stream.read_u32_le().await?;
    if length > most {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut text = Vec::new();
    stream.take(u64::from(length)).read_to_end(&mut text).await?;
    if text.len() != length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&text)?)
}

/// The same in time, or an error.
pub(super) async fn within<T>(time: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(time, work).await.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))
}
