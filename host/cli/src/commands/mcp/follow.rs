//! What is offered follows what a person decides and builds while clients are served: an approval that is revoked ends the
//! tool, one that is given brings the update, and a tool that somebody works on is there anew after each build.

use super::cli_host::CliHost;
use super::offered::Wanted;
use crate::installed::store;
use crate::output;
use bailiwick_audit::printable;
use bailiwick_mcp::Server;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Between two looks; so long a revoked tool can still be called.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// So many components of a directory are looked at.
const MOST: usize = 64;

/// What tells one state of a file from another.
type Stamp = Vec<(u64, i64, i64, u64)>;

/// Offers anew whenever something changed. Never ends, unless nothing is offered.
pub(super) async fn follow(server: Server, bench: Arc<CliHost>) {
    if bench.wanted().is_empty() {
        return;
    }
    let mut offered = stamp(bench.wanted());
    let mut before = offered.clone();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let now = stamp(bench.wanted());
        // A build writes several files, one after the other.
        let settled = now == before;
        if settled && now != offered {
            again(&server, &bench).await;
            offered.clone_from(&now);
        }
        before = now;
    }
}

async fn again(server: &Server, bench: &CliHost) {
    for error in bench.look_again().await {
        warn(&error.message);
    }
    if let Err(failure) = server.reload().await {
        // What was offered so far may be what was revoked.
        warn(&failure.message);
        bench.offer_none();
        if let Err(failure) = server.reload().await {
            warn(&failure.message);
        }
    }
}

/// Tells the person who started the server.
pub(super) fn warn(message: &str) {
    output::progress(&format!("warning: {}", printable(message)));
}

fn stamp(wanted: &Wanted) -> Stamp {
    let mut stamp = Stamp::new();
    if let Ok(store) = store() {
        stamp.extend(of(&store.index()));
    }
    for directory in wanted.directories() {
        let Ok(entries) = std::fs::read_dir(directory) else { continue };
        let files = entries.flatten().map(|entry| entry.path());
        let mut files: Vec<_> =
            files.filter(|path| path.extension().is_some_and(|kind| kind == "wasm" || kind == "toml")).collect();
        files.sort();
        stamp.extend(files.iter().take(MOST).flat_map(|file| of(file)));
    }
    stamp
}

fn of(path: &Path) -> Option<(u64, i64, i64, u64)> {
    let found = path.metadata().ok()?;
    Some((found.ino(), found.mtime(), found.mtime_nsec(), found.size()))
}
