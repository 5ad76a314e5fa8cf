//! The stand-in for an issuer of access tokens (`mcp-clients/python/issuer.py`).

use crate::{exchange, request, stand_in_issuer};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// An issuer on this machine.
pub struct Issuer {
    child: Child,
    address: String,
}

impl Issuer {
    /// Starts one.
    #[must_use]
    pub fn start() -> Self {
        let mut child = stand_in_issuer().stdout(Stdio::piped()).spawn().unwrap();
        let line = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let address = line.split_once("http://").unwrap().1.to_owned();
        Self { child, address }
    }

    /// The issuer of this name, as its tokens name it.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// A token with these claims and header fields.
    #[must_use]
    pub fn mint(&self, token: &Value) -> String {
        let body = token.to_string();
        let reply =
            exchange(&self.address, request("POST", "/mint", &[("Host", self.address.clone())], &body).as_bytes());
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.body
    }

    /// What it was asked for, as paths.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        let reply = exchange(&self.address, request("GET", "/asked", &[("Host", self.address.clone())], "").as_bytes());
        serde_json::from_str(&reply.body).unwrap()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
