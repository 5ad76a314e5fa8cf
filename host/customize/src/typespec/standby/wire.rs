//! Messages over a socket: four bytes with the length, then JSON. A length of 0 says that the answer is worked on.

use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
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
pub(super) async fn receive<T: DeserializeOwned>(
    mut stream: impl AsyncRead + Unpin,
    most: u32,
    silence: Duration,
) -> Result<T> {
    let length = within(silence, stream.read_u32_le()).await?;
    content(stream, length, most, silence).await
}

/// Memory is taken for what comes and not for what is announced.
async fn content<T: DeserializeOwned>(
    stream: impl AsyncRead + Unpin,
    length: u32,
    most: u32,
    silence: Duration,
) -> Result<T> {
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
    mut stream: impl AsyncRead + Unpin,
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

#[cfg(test)]
mod tests {
    use tokio::io::{DuplexStream, duplex};
    use tokio::time::sleep;

    use super::*;

    const SILENCE: Duration = Duration::from_secs(15);

    /// Sends each of these after such a time.
    async fn say(mut to: DuplexStream, every: Duration, parts: Vec<Vec<u8>>) {
        for part in parts {
            sleep(every).await;
            let _ = to.write_all(&part).await;
        }
        std::future::pending::<()>().await;
    }

    /// What one receives in a time that only these two make pass.
    async fn received(every: Duration, parts: Vec<Vec<u8>>) -> Result<String> {
        let (mut ours, theirs) = duplex(64);
        tokio::select! {
            received = receive_from_one_at_work(&mut ours, 100, SILENCE) => received,
            () = say(theirs, every, parts) => unreachable!(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_works_is_waited_for_as_long_as_it_says_so_and_none_that_falls_silent() {
        let alive = || vec![0; 4];
        let text = b"\"done\"".iter().map(|byte| vec![*byte]);
        let answer = || [vec![6, 0, 0, 0]].into_iter().chain(text.clone()).collect::<Vec<_>>();
        let long: Vec<_> = std::iter::repeat_with(alive).take(60).chain(answer()).collect();
        let within = SILENCE.checked_sub(Duration::from_secs(1)).unwrap();
        assert_eq!(received(within, answer()).await.unwrap(), "done");
        assert_eq!(received(within, long.clone()).await.unwrap(), "done");
        for parts in [vec![], long[..60].to_vec(), long[..61].to_vec(), long[..65].to_vec()] {
            assert_eq!(received(within, parts).await.unwrap_err().kind(), ErrorKind::TimedOut);
        }
        assert_eq!(received(SILENCE * 2, long).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
