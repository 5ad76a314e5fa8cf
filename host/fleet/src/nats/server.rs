//! What a server says about how soon it writes to its disk.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// How soon a server writes what it has acknowledged to its disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// Before it acknowledges it.
    Always,
    /// Later: what it acknowledged in that time is lost with its power.
    Late(Duration),
    /// It does not say; the reason.
    Unknown(String),
}

/// How long the monitoring port is waited for.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest answer that is read, in bytes.
const ANSWER_BYTES: u64 = 1 << 20;

impl Setting {
    /// Asks the monitoring port of a server, `127.0.0.1:8222`.
    pub async fn of(monitor: &str) -> Self {
        match tokio::time::timeout(PATIENCE, asked(monitor)).await {
            Err(_) => Self::Unknown(format!("`{monitor}` does not answer")),
            Ok(Err(error)) => Self::Unknown(format!("`{monitor}` cannot be asked: {error}")),
            Ok(Ok(answer)) => Self::read(&answer),
        }
    }

    pub(super) fn read(answer: &str) -> Self {
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let Ok(said) = serde_json::from_str::<Value>(body) else {
            return Self::Unknown("the monitoring port does not answer with JSON".to_owned());
        };
        let config = said.get("config");
        if config.and_then(|config| config.get("sync_always")) == Some(&Value::Bool(true)) {
            return Self::Always;
        }
        match config.and_then(|config| config.get("sync_interval")).and_then(Value::as_u64) {
            Some(nanoseconds) => Self::Late(Duration::from_nanos(nanoseconds)),
            None => Self::Unknown("the monitoring port does not say `sync_interval`".to_owned()),
        }
    }
}

async fn asked(monitor: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(monitor).await?;
    let request = format!("GET /jsz?config=true HTTP/1.0\r\nHost: {monitor}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
