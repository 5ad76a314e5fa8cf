//! Messages over a socket: four bytes with the length, then JSON. A length of 0 says that the answer is worked on.

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

/// The length that says that one is at work. No JSON is so short.
const ALIVE: u32 = 0;

pub(super) async fn send(stream: &mut UnixStream, message: &impl Serialize, most: u32) -> Result<()> {
    let text = serde_json::to_vec(message)?;
    let length = u32::try_from(text.len()).ok().filter(|length| *length <= most).ok_or(ErrorKind::InvalidData)?;
    stream.write_all(&length.to_le_bytes()).await?;
    stream.write_all(&text).await
}

/// One message, of which each part comes within `silence`.
pub(super) async fn receive<T: DeserializeOwned>(stream: &mut UnixStream, most: u32, silence: Duration) -> Result<T> {
    let length = within(silence, stream.read_u32_le()).await?;
    content(stream, length, most, silence).await
}

/// Memory is taken for what comes and not for what is announced.
async fn content<T: DeserializeOwned>(stream: &mut UnixStream, length: u32, most: u32, silence: Duration) -> Result<T> {
    if length > most {
        return Err(ErrorKind::InvalidData.into());
    }
    let (mut text, mut stream) = (Vec::new(), stream.take(u64::from(length)));
    while within(silence, stream.read_buf(&mut text)).await? > 0 {}
    if text.len() != length as usize {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&text)?)
}

/// A word without content: who is asked is there still.
pub(super) async fn say_alive(stream: &mut UnixStream) -> Result<()> {
    stream.write_all(&ALIVE.to_le_bytes()).await
}

/// The same from one that works for it, and says meanwhile that it is there: it says nothing for no longer than `silence`.
pub(super) async fn receive_from_one_at_work<T: DeserializeOwned>(
    stream: &mut UnixStream,
    most: u32,
    silence: Duration,
) -> Result<T> {
    let length = loop {
        match within(silence, stream.read_u32_le()).await? {
            ALIVE => {}
            length => break length,
        }
    };
    content(stream, length, most, silence).await
}

/// The same in time, or an error.
pub(super) async fn within<T>(time: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(time, work).await.unwrap_or_else(|_| Err(Error::from(ErrorKind::TimedOut)))
}
