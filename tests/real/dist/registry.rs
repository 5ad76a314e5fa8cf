//! A static server of files on loopback, in the form of a Python index and of an npm registry. It stands in for both.

use super::Packages;
use bailiwick_tests::python_tools;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha512};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(super) struct Registry {
    server: Child,
    files: tempfile::TempDir,
    pub(super) address: String,
}

impl Registry {
    fn start() -> Self {
        let files = tempfile::tempdir().unwrap();
        let mut server = Command::new(python_tools().join("python"))
            .args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"])
            .current_dir(files.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split_whitespace().skip_while(|word| *word != "port").nth(1).unwrap().to_owned();
        Self { server, files, address: format!("http://127.0.0.1:{port}") }
    }

    /// An index with the wheel.
    pub(super) fn python() -> Self {
        let registry = Self::start();
        let wheel = Packages::all().find(".whl");
        let name = wheel.file_name().unwrap().to_str().unwrap();
        let project = registry.files.path().join("simple/bailiwick-cli");
        std::fs::create_dir_all(&project).unwrap();
        std::fs::copy(&wheel, project.join(name)).unwrap();
        std::fs::write(project.join("index.html"), format!("<!DOCTYPE html><a href=\"{name}\">{name}</a>\n")).unwrap();
        registry
    }

    /// A registry with both npm packages.
    pub(super) fn npm() -> Self {
        let registry = Self::start();
        let packages = Packages::all();
        let version = &packages.release.version;
        for name in ["bailiwick-cli", "bailiwick-cli-linux-x64"] {
            let file = format!("{name}-{version}.tgz");
            let tarball = std::fs::read(packages.path().join(&file)).unwrap();
            let mut manifest = manifest(&packages.path().join(&file));
            manifest["dist"] = json!({
                "tarball": format!("{}/{file}", registry.address),
                "integrity": format!("sha512-{}", STANDARD.encode(Sha512::digest(&tarball)))
            });
            let document =
                json!({ "name": name, "dist-tags": { "latest": version }, "versions": { version: manifest } });
            std::fs::write(registry.files.path().join(name), document.to_string()).unwrap();
            std::fs::write(registry.files.path().join(file), tarball).unwrap();
        }
        registry
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// `package.json` of a packed package.
fn manifest(tarball: &Path) -> Value {
    let mut tar = Command::new("tar")
        .arg("xzOf")
        .arg(tarball)
        .arg("package/package.json")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    tar.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(tar.wait().unwrap().success());
    serde_json::from_str(&text).unwrap()
}
