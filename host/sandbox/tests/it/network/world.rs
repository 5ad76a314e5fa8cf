//! A sandbox with the guest in it, under rules.

use super::server::certificates;
use crate::common;
use bailiwick_sandbox::http::{HeaderSecret, Http, HttpLimits, Reach, Rule, Scheme, Trust};
use bailiwick_sandbox::{CallReport, Capabilities, CompileCache, Grants, Limits, Sandbox, Tool};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The component as `cargo xtask guests` built it. It is not embedded anywhere.
pub(crate) fn bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components/dist/hostile-net-guest.wasm");
    std::fs::read(&path).expect("the guest is not built yet; run `cargo xtask guests` first")
}

/// One sandbox for all tests. Each loads the component with its own rules, which takes it from the cache.
pub(crate) fn sandbox() -> &'static Sandbox {
    static SHARED: OnceLock<Sandbox> = OnceLock::new();
    SHARED.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("network");
        common::sandbox_with(CompileCache::Directory(cache))
    })
}

pub(crate) fn generous() -> HttpLimits {
    HttpLimits { requests: 64, at_once: 16, request_bytes: 1 << 20, response_bytes: 1 << 20, header_bytes: 16 << 10 }
}

pub(crate) struct World {
    pub(crate) rules: Vec<Rule>,
    pub(crate) secrets: Vec<HeaderSecret>,
    pub(crate) http: HttpLimits,
    pub(crate) limits: Limits,
    pub(crate) trust: Trust,
}

/// A rule that reaches this machine.
pub(crate) fn private(scheme: Scheme, host: &str, port: u16, methods: &[&str]) -> Rule {
    Rule::new(scheme, host, Some(port), methods.iter().copied(), Reach::Private).unwrap()
}

impl World {
    pub(crate) fn new(rules: Vec<Rule>) -> Self {
        let limits = Limits { deadline: Duration::from_secs(20), ..common::limits() };
        let trust = Trust::And(vec![certificates().authority.clone()]);
        Self { rules, secrets: Vec::new(), http: generous(), limits, trust }
    }

    /// The guest under these rules.
    pub(crate) fn tool(&self) -> Tool {
        let http = Http::new(self.rules.clone(), self.secrets.clone(), self.http.clone(), self.trust.clone());
        let capabilities = Capabilities { http: Some(Arc::new(http)), ..Capabilities::files() };
        common::block_on(sandbox().load(&bytes(), &capabilities)).unwrap()
    }

    pub(crate) fn report(&self, requests: &Value) -> CallReport {
        let input = json!({ "requests": requests }).to_string();
        common::block_on(sandbox().call(&self.tool(), &Grants::none(), &input, &self.limits))
    }

    /// What each request came to.
    pub(crate) fn ask(&self, requests: &Value) -> (Vec<Value>, CallReport) {
        let report = self.report(requests);
        let text = report.outcome.as_ref().unwrap_or_else(|error| panic!("{error}"));
        let mut answered: Value = serde_json::from_str(text).unwrap();
        let Value::Array(answers) = answered["answers"].take() else { panic!("{answered}") };
        (answers, report)
    }

    /// What a single request came to.
    pub(crate) fn one(&self, request: &Value) -> (Value, CallReport) {
        let (mut answers, report) = self.ask(&json!([request]));
        (answers.remove(0), report)
    }
}
