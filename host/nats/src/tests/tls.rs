//! A server with TLS and users. The tests of other crates that have a server use this file, too.

use super::server::{Server, free_port};
use super::{Connection, Login};

fn pem(what: &str, bytes: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", lines.join("\n"))
}

/// A server with this configuration, whose ports, files and certificate are those of a test.
pub(crate) fn secured(configuration: &str) -> Option<Server> {
    let kept = tempfile::tempdir().unwrap();
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    std::fs::write(kept.path().join("server.crt"), pem("CERTIFICATE", cert.der())).unwrap();
    std::fs::write(kept.path().join("server.key"), pem("PRIVATE KEY", &signing_key.serialize_der())).unwrap();
    let (port, monitor) = (free_port(), free_port());
    std::fs::write(kept.path().join("monitor"), monitor.to_string()).unwrap();
    let text = configuration
        .replace("0.0.0.0:4222", &format!("127.0.0.1:{port}"))
        .replace("127.0.0.1:8222", &format!("127.0.0.1:{monitor}"));
    assert_ne!(text, configuration);
    Server::with(kept, port, &text)
}

/// A connection of this user.
pub(crate) fn signed_in(server: &Server, user: &str, password: &str) -> Connection {
    Connection {
        server: format!("tls://127.0.0.1:{}", server.port),
        login: Some(Login { user: user.to_owned(), password: password.to_owned() }),
        authority: Some(server.kept.path().join("server.crt")),
        ..server.connection()
    }
}
