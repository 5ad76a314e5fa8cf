//! The official conformance suite against a server over HTTP.

use crate::HttpServer;
use crate::clients::{newer_node, npm};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

/// What one check came to.
#[derive(Debug, Clone)]
pub struct Check {
    /// The scenario it belongs to.
    pub scenario: String,
    /// Its name.
    pub id: String,
    /// `SUCCESS`, `FAILURE`, `WARNING`, `SKIPPED` or `INFO`.
    pub status: String,
    /// Why, where it says.
    pub message: String,
}

/// One run of the suite.
#[derive(Debug)]
pub struct Conformance {
    /// Its own verdict.
    pub exit: ExitStatus,
    /// Every check of every scenario.
    pub checks: Vec<Check>,
    /// What it printed.
    pub printed: String,
}

impl Conformance {
    /// Runs exactly what a revision of the specification requires, writing results beneath `base`.
    #[must_use]
    pub fn run(server: &HttpServer, revision: &str, base: &Path) -> Self {
        let suite = npm("conformance");
        let proxy = Proxy::start(server);
        let results = base.join(revision);
        let output = Command::new(newer_node())
            .arg(suite.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"))
            .args(["server", "--url", &proxy.url(), "--requirements", revision, "-o"])
            .arg(&results)
            .output()
            .unwrap();
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Self { exit: output.status, checks: checks(&results, &printed), printed }
    }

    /// How many checks have each status.
    #[must_use]
    pub fn count(&self) -> BTreeMap<&str, usize> {
        let mut count = BTreeMap::new();
        for check in &self.checks {
            *count.entry(check.status.as_str()).or_default() += 1;
        }
        count
    }
}

/// `RESULTS/server-SCENARIO-TIME/checks.json` of every scenario.
fn checks(results: &Path, printed: &str) -> Vec<Check> {
    let directories = std::fs::read_dir(results).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    let mut checks = Vec::new();
    for directory in directories {
        let directory = directory.unwrap();
        let name = directory.file_name().into_string().unwrap();
        // The time is `2026-11-22T05-14-10-848Z`.
        let scenario = name.strip_prefix("server-").unwrap().rsplitn(7, '-').last().unwrap();
        let text = std::fs::read_to_string(directory.path().join("checks.json")).unwrap();
        let read: Value = serde_json::from_str(&text).unwrap();
        let text_of = |check: &Value, name: &str| check[name].as_str().unwrap_or_default().to_owned();
        checks.extend(read.as_array().unwrap().iter().map(|check| Check {
            scenario: scenario.to_owned(),
            id: text_of(check, "id"),
            status: text_of(check, "status"),
            message: text_of(check, "errorMessage"),
        }));
    }
    checks
}

/// What adds the token to the requests of the suite, which cannot send one.
struct Proxy {
    child: Child,
    port: String,
}

impl Proxy {
    fn start(server: &HttpServer) -> Self {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("mcp-clients/conformance/proxy.mjs");
        let mut child = Command::new(newer_node())
            .arg(script)
            .arg(&server.address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.as_mut().unwrap(), "{}", server.token).unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { child, port: port.trim().to_owned() }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The component with the tools, resources and prompts that the suite calls by name, built with the other guests.
fn conformance_fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../components/dist/conformance-fixtures.wasm")
}

/// A project of that component in `base`, to be added as `name`: with a manifest it may wait by a clock, and it asks for
/// nothing, so there is nothing to approve.
///
/// # Panics
/// When it cannot be written, or the guests are not built.
#[must_use]
pub fn conformance_project(base: &Path, name: &str) -> PathBuf {
    let place = base.join(format!("{name}-project"));
    std::fs::create_dir_all(&place).expect("a directory");
    let manifest = format!(
        "schema = 1\nname = \"{name}\"\nversion = \"0.1.0\"\n\
         description = \"What the conformance suite calls by name.\"\ncomponent = \"tool.wasm\"\n"
    );
    std::fs::write(place.join("tool.toml"), manifest).expect("a manifest");
    std::fs::copy(conformance_fixtures(), place.join("tool.wasm")).expect("the guests are built");
    place
}
