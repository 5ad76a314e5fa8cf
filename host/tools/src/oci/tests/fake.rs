//! An HTTP server that answers as a test says and keeps what it was asked.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug, Clone)]
pub(super) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

#[derive(Debug, Clone)]
enum Body {
    /// With its length.
    Whole(Vec<u8>),
    /// Without one, until the connection ends.
    Open(Vec<u8>),
    /// The connection ends before as much as was announced.
    Broken(Vec<u8>),
    /// For ever.
    Endless,
    /// Not at all.
    Silence,
}

impl Reply {
    pub(super) fn ok(body: &[u8]) -> Self {
        Self { status: 200, headers: Vec::new(), body: Body::Whole(body.to_vec()) }
    }

    pub(super) fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Body::Whole(Vec::new()) }
    }

    pub(super) fn unmeasured(body: &[u8]) -> Self {
        Self { body: Body::Open(body.to_vec()), ..Self::status(200) }
    }

    pub(super) fn broken(body: &[u8]) -> Self {
        Self { body: Body::Broken(body.to_vec()), ..Self::status(200) }
    }

    pub(super) fn endless() -> Self {
        Self { body: Body::Endless, ..Self::status(200) }
    }

    pub(super) fn silence() -> Self {
        Self { body: Body::Silence, ..Self::status(200) }
    }

    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn saying(mut self, body: &str) -> Self {
        self.body = Body::Whole(body.as_bytes().to_vec());
        self
    }
}

type Answer = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;

pub(super) struct Fake {
    pub(super) address: SocketAddr,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Fake {
    pub(super) async fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer): (_, Answer) = (Arc::clone(&asked), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&kept)));
            }
        });
        Self { address, asked }
    }

    pub(super) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|request| request.path).collect()
    }
}

/// One request a connection.
async fn serve(mut stream: TcpStream, answer: Answer, asked: Arc<Mutex<Vec<Request>>>) {
    let Some(request) = read(&mut stream).await else { return };
    asked.lock().unwrap().push(request.clone());
    let reply = answer(&request);
    let mut head = format!("HTTP/1.1 {} X\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    match &reply.body {
        Body::Whole(body) => head += &format!("Content-Length: {}\r\n", body.len()),
        Body::Broken(body) => head += &format!("Content-Length: {}\r\n", body.len() + 10),
        Body::Open(_) | Body::Endless | Body::Silence => {}
    }
    if !matches!(reply.body, Body::Silence) {
        let _ = stream.write_all(format!("{head}\r\n").as_bytes()).await;
    }
    match reply.body {
        Body::Whole(body) | Body::Open(body) | Body::Broken(body) => {
            if request.method != "HEAD" {
                let _ = stream.write_all(&body).await;
            }
        }
        Body::Endless => while stream.write_all(&[b' '; 4096]).await.is_ok() {},
        Body::Silence => tokio::time::sleep(std::time::Duration::from_secs(60)).await,
    }
    let _ = stream.shutdown().await;
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    let headers: Vec<_> = lines.filter_map(header).collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    while bytes.len() < end + length.unwrap_or(0) {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Request { method, path, headers, body: bytes[end..].to_vec() })
}
