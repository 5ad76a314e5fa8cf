//! Debian's registry server, on this machine, minisign, and certificates.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `reader` and `canary-password`, as `htpasswd -B` writes it.
const USERS: &str = "reader:$2b$04$q5H.wp3q7xdZdwFt0Y5L.ue23l6H1eaqaCfDS317mZAsWUvwVKOs.\n";

/// Whether there is a registry server; says so where there is none, and fails where there has to be one.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
pub(crate) fn there() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = ["docker-registry", "minisign", "openssl"];
    let missing: Vec<_> = programs
        .iter()
        .filter(|program| !std::env::split_paths(&path).any(|directory| directory.join(program).is_file()))
        .collect();
    if missing.is_empty() {
        return true;
    }
    assert!(std::env::var_os("BAILIWICK_REGISTRY_REQUIRED").is_none(), "not installed: {missing:?}");
    eprintln!("left out: not installed: {missing:?}");
    false
}

/// Who may ask a registry for anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum For {
    Everyone,
    Reader,
}

/// A registry that runs as long as this is held.
pub(crate) struct Server {
    child: Child,
    pub(crate) host: String,
    storage: PathBuf,
}

impl Server {
    pub(crate) fn start(base: &Path, who: For) -> Self {
        // Another process may take the port before the server does.
        (0..5).find_map(|attempt| Self::attempt(base, who, attempt, "")).expect("the registry does not start")
    }

    /// One that shows the certificate of [`authority`].
    pub(crate) fn encrypted(base: &Path) -> Self {
        let [certificate, key] = ["server.pem", "server.key"].map(|name| base.join(name).display().to_string());
        let tls = format!(", tls: {{ certificate: {certificate}, key: {key} }}");
        (0..5)
            .find_map(|attempt| Self::attempt(base, For::Everyone, attempt, &tls))
            .expect("the registry does not start")
    }

    /// The port it listens on.
    pub(crate) fn port(&self) -> &str {
        self.host.rsplit(':').next().unwrap()
    }

    fn attempt(base: &Path, who: For, attempt: u32, tls: &str) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host = format!("127.0.0.1:{port}");
        let own = base.join(format!("registry-{who:?}-{attempt}"));
        let storage = own.join("storage");
        std::fs::create_dir_all(&storage).unwrap();
        std::fs::write(own.join("users"), USERS).unwrap();
        let auth = format!("auth: {{ htpasswd: {{ realm: tests, path: {} }} }}\n", own.join("users").display());
        let config = format!(
            "version: 0.1\nlog: {{ accesslog: {{ disabled: true }}, level: error }}\n\
             storage: {{ filesystem: {{ rootdirectory: {} }} }}\nhttp: {{ addr: \"{host}\"{tls} }}\n{}",
            storage.display(),
            if who == For::Reader { auth } else { String::new() },
        );
        std::fs::write(own.join("config.yml"), config).unwrap();
        let mut child = Command::new("docker-registry")
            .args(["serve".as_ref(), own.join("config.yml").as_os_str()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if child.try_wait().unwrap().is_some() {
                return None;
            }
            if std::net::TcpStream::connect(&host).is_ok() {
                return Some(Self { child, host, storage });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
        None
    }

    /// The file in which it keeps a blob, by its 64 digits.
    pub(crate) fn blob(&self, digits: &str) -> PathBuf {
        self.storage.join("docker/registry/v2/blobs/sha256").join(&digits[..2]).join(digits).join("data")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A key pair without a password; returns the public key.
pub(crate) fn new_key(base: &Path, name: &str) -> String {
    let (public, secret) = (base.join(format!("{name}.pub")), base.join(format!("{name}.key")));
    let made = Command::new("minisign")
        .args(["-G".as_ref(), "-W".as_ref(), "-p".as_ref(), public.as_os_str(), "-s".as_ref(), secret.as_os_str()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    std::fs::read_to_string(public).unwrap().lines().nth(1).unwrap().to_owned()
}

/// Signs a file as an author does.
pub(crate) fn sign(base: &Path, key: &str, file: &Path) {
    let secret = base.join(format!("{key}.key"));
    let signed = Command::new("minisign")
        .args(["-S".as_ref(), "-s".as_ref(), secret.as_os_str(), "-m".as_ref(), file.as_os_str()])
        .output()
        .unwrap();
    assert!(signed.status.success(), "{signed:?}");
}

/// A certificate authority in `authority.pem`, another one in `other.pem`, and a certificate of the first for the hosts of
/// the tests in `server.pem`.
pub(crate) fn authority(base: &Path) {
    const HOSTS: &str = "subjectAltName=DNS:registry.example.test,DNS:localhost,IP:0.0.0.0";
    let openssl = |line: &str| {
        let made = Command::new("openssl").args(line.split(' ')).current_dir(base).output().unwrap();
        assert!(made.status.success(), "{line}: {made:?}");
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for name in ["authority", "other"] {
        openssl(&format!("req -x509 {key} -keyout {name}.key -out {name}.pem -subj /CN={name} -days 2"));
    }
    openssl(&format!("req {key} -keyout server.key -out server.csr -subj /CN=registry -addext {HOSTS}"));
    openssl(
        "x509 -req -in server.csr -CA authority.pem -CAkey authority.key -days 2 -copy_extensions copy -out server.pem",
    );
}
