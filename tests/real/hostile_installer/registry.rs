//! A registry with one package, for tests that need no network.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// A tarball that a server on this machine answers every request with.
pub(crate) struct Registry {
    /// Where it listens.
    pub(crate) url: String,
    /// What a lock file says of the tarball.
    pub(crate) integrity: String,
}

impl Registry {
    /// Packs `package`, a directory that is called so, and serves it at `listener` until the test ends.
    pub(crate) fn serving(package: &Path, listener: TcpListener) -> Self {
        let tarball = package.with_extension("tgz");
        let parent = package.parent().unwrap();
        let packed =
            Command::new("tar").arg("-czf").arg(&tarball).arg("-C").arg(parent).arg("package").status().unwrap();
        assert!(packed.success());
        let bytes = std::fs::read(&tarball).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let lines = BufReader::new(stream.try_clone().unwrap()).lines();
                for line in lines.map_while(Result::ok) {
                    if line.is_empty() {
                        break;
                    }
                }
                let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", bytes.len());
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
            }
        });
        Self { url, integrity: integrity(&tarball) }
    }
}

fn integrity(tarball: &Path) -> String {
    const SAY: &str = "console.log('sha512-' + require('crypto').createHash('sha512')\
        .update(require('fs').readFileSync(process.argv[1])).digest('base64'))";
    let output = Command::new("node").args(["-e", SAY]).arg(tarball).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
