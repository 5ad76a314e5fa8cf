//! Servers on this machine's loopback, in plain text and over TLS, that behave as badly as servers can. They keep every
//! request as it came over the wire.

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// What a host knows and a component must not.
pub(crate) const SECRET: &str = "sk-canary.0123456789+ABC";

/// A certificate authority of these tests, and a certificate of it for `localhost` and 127.0.0.1.
pub(crate) struct Certificates {
    pub(crate) authority: Vec<u8>,
    config: Arc<ServerConfig>,
}

pub(crate) fn certificates() -> &'static Certificates {
    static MADE: OnceLock<Certificates> = OnceLock::new();
    MADE.get_or_init(|| {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut parameters = rcgen::CertificateParams::new(Vec::<String>::new()).unwrap();
        parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let authority = parameters.self_signed(&key).unwrap();
        let issuer = rcgen::Issuer::new(parameters, key);
        let key = rcgen::KeyPair::generate().unwrap();
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let leaf = rcgen::CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
            .unwrap();
        Certificates { authority: authority.der().to_vec(), config: Arc::new(config) }
    })
}

#[derive(Default)]
struct Seen {
    requests: Mutex<Vec<String>>,
    connections: AtomicUsize,
    waiting: AtomicUsize,
    most_waiting: AtomicUsize,
}

/// A server; its threads end with the process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

/// Whether it speaks TLS.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Plain,
    Encrypted,
}

impl Server {
    pub(crate) fn start(wire: Wire) -> Self {
        let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::LOCALHOST), 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Seen::default());
        let own = seen.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let seen = own.clone();
                std::thread::spawn(move || {
                    seen.connections.fetch_add(1, Ordering::SeqCst);
                    // A client that goes away in the middle is part of the tests.
                    let _ = serve(stream, wire, &seen);
                });
            }
        });
        Self { address, seen }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Every request so far, as it came.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// The most requests for `/wait` that were under way at one time.
    pub(crate) fn most_waiting(&self) -> usize {
        self.seen.most_waiting.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, wire: Wire, seen: &Seen) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    match wire {
        Wire::Plain => answer(stream, seen),
        Wire::Encrypted => {
            let connection = ServerConnection::new(certificates().config.clone()).map_err(std::io::Error::other)?;
            answer(StreamOwned::new(connection, stream), seen)
        }
    }
}

fn answer(mut stream: impl Read + Write, seen: &Seen) -> std::io::Result<()> {
    let request = read(&mut stream)?;
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let authorization = header(&request, "authorization").unwrap_or_default();
    seen.requests.lock().unwrap().push(request.clone());
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    let whole = |headers: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    };
    match path {
        "/echo" => stream.write_all(&whole("", request.as_bytes()))?,
        "/echo-header" => {
            let name = authorization.trim_start_matches("Bearer ");
            stream.write_all(&whole(&format!("X-Echo: {authorization}\r\nX-{name}: 1\r\nX-Echo: b\r\n"), b"ok"))?;
        }
        "/echo-in-two" => {
            let (one, two) = authorization.split_at(authorization.len() / 2);
            let chunks = format!("{:x}\r\n{one}\r\n{:x}\r\n{two}\r\n0\r\n\r\n", one.len(), two.len());
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            stream.write_all(chunks.as_bytes())?;
        }
        "/echo-binary" => {
            stream.write_all(&whole("", &[b"\xff\xfe\x00", authorization.as_bytes(), b"\x80"].concat()))?;
        }
        "/echo-escaped" => {
            let escaped: String = authorization.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let base64 = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, &authorization);
            let json = authorization.replace('+', "\\u002b");
            stream.write_all(&whole("", format!("{escaped} {base64} {json}").as_bytes()))?;
        }
        "/secret-encoding" => stream.write_all(&whole(&format!("Content-Encoding: {authorization}\r\n"), b"x"))?,
        "/gzip" => stream.write_all(&whole("Content-Encoding: gzip\r\n", b"\x1f\x8b"))?,
        "/redirect" => {
            stream.write_all(
                format!("HTTP/1.1 302 Found\r\nLocation: {query}\r\nContent-Length: 0\r\n\r\n").as_bytes(),
            )?;
        }
        "/many-headers" => {
            let headers: String = (0..100).map(|number| format!("X-{number}: {}\r\n", "y".repeat(200))).collect();
            stream.write_all(&whole(&headers, b""))?;
        }
        "/switch" => {
            stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")?;
        }
        "/short" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")?,
        "/no-http" => stream.write_all(b"+OK POP3 ready\r\n")?,
        "/hang" => std::thread::sleep(Duration::from_secs(20)),
        "/wait" => {
            let now = seen.waiting.fetch_add(1, Ordering::SeqCst) + 1;
            seen.most_waiting.fetch_max(now, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(150));
            // Counted down before the answer: with the answer in hand, the client sends its next request at once.
            seen.waiting.fetch_sub(1, Ordering::SeqCst);
            stream.write_all(&whole("", b"waited"))?;
        }
        "/drip" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")?;
            loop {
                stream.write_all(b".")?;
                stream.flush()?;
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        "/endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            let chunk = [b"2000\r\n".as_slice(), &[b'x'; 0x2000], b"\r\n"].concat();
            loop {
                stream.write_all(&chunk)?;
            }
        }
        _ => stream.write_all(&whole("Content-Type: text/plain\r\n", b"hello"))?,
    }
    stream.flush()
}

/// Head and body of one request.
fn read(stream: &mut impl Read) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = header(head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            if body.len() >= length {
                return Ok(text);
            }
        }
        let count = stream.read(&mut piece)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&piece[..count]);
    }
}

fn header(request: &str, name: &str) -> Option<String> {
    request.lines().skip(1).find_map(|line| {
        let (own, value) = line.split_once(':')?;
        own.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}
