//! One of several servers that clients reach as one (`--replicas`).

use super::Mcp;
use crate::exit::{Error, Result};
use bailiwick_mcp::replicas::{Directory, ReplicaLimits, ReplicaOptions};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// What makes this server a replica, if it is to be one.
pub(super) fn options(mcp: &Mcp, listening: SocketAddr, made_up_token: bool) -> Result<Option<ReplicaOptions>> {
    let Some(path) = &mcp.replicas else { return Ok(None) };
    if made_up_token {
        return Err(Error::usage("clients of several replicas need a token that all of them take")
            .hint("name a file with it in `BAILIWICK_MCP_TOKEN_FILE`, or use `--oauth-issuer`"));
    }
    let address = mcp.replica_address;
    if address.unwrap_or(listening).ip().is_unspecified() {
        return Err(Error::usage("other replicas need an address of this one")
            .hint("name it with `--replica-address`, such as `10.0.0.7:8931`"));
    }
    let directory = Directory::open(path).map_err(|error| {
        Error::usage(format!("the directory `{}` of `--replicas` cannot be used: {error}", path.display()))
            .hint("name a directory of mode 0700 that every replica reaches")
    })?;
    Ok(Some(ReplicaOptions { entries: Arc::new(directory), address, limits: limits() }))
}

fn limits() -> ReplicaLimits {
    ReplicaLimits {
        every: Duration::from_secs(5),
        lease: Duration::from_secs(20),
        connect: Duration::from_secs(3),
        silence: Duration::from_secs(20),
        skew: Duration::from_secs(30),
        answer: Duration::from_secs(600),
    }
}
