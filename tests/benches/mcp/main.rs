//! The server's file tools beside the reference file server, over stdio, with one client and in turns.
//!
//! `cargo xtask bench` runs it with the release binary. Every round measures one server a moment after the other, so
//! that both meet the same machine; the table has percentiles over the calls of all rounds.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod client;

use bailiwick_tests::{cache_of, reference_file_server, server};
use client::Client;
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Starts of each server.
const STARTS: usize = 15;
/// Rounds of calls on each server.
const ROUNDS: usize = 5;
/// Callers at once.
const CALLERS: [usize; 2] = [1, 8];

struct Row {
    what: &'static str,
    tool: &'static str,
    file: &'static str,
    /// Calls of a round, over all callers.
    calls: usize,
}

const ROWS: [Row; 3] = [
    Row { what: "read 1 KiB", tool: "read_text_file", file: "small.txt", calls: 800 },
    Row { what: "list 100 entries", tool: "list_directory", file: "hundred", calls: 800 },
    Row { what: "read 1 MiB", tool: "read_text_file", file: "large.txt", calls: 32 },
];

#[derive(Clone, Copy)]
enum Server {
    Ours,
    Reference,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if !wanted.is_empty() && !wanted.iter().any(|word| "mcp".contains(word.as_str())) {
        return;
    }
    let base = tempfile::tempdir().expect("a directory");
    prepare(base.path());
    println!("| what | bailiwick | server-filesystem | ratio |\n|---|---|---|---|");
    starts(base.path());
    let (mut ours, _) = Client::start(command(Server::Ours, base.path()));
    let (mut reference, _) = Client::start(command(Server::Reference, base.path()));
    // What a server does after it was asked for its list is not idle.
    std::thread::sleep(Duration::from_secs(2));
    memory("idle memory (RSS)", &ours, &reference);
    for row in &ROWS {
        for callers in CALLERS {
            calls(row, callers, base.path(), &mut ours, &mut reference);
        }
    }
    memory("memory after all calls (RSS)", &ours, &reference);
}

fn prepare(base: &Path) {
    let directory = base.join("files");
    std::fs::create_dir_all(directory.join("hundred")).expect("a directory");
    let write = |name: &str, length: usize| {
        let line = "All work and no play makes a dull benchmark, said the line.\n";
        let text: String = line.chars().cycle().take(length).collect();
        std::fs::write(directory.join(name), text).expect("a file");
    };
    write("small.txt", 1 << 10);
    write("large.txt", 1 << 20);
    for number in 0..100 {
        write(&format!("hundred/entry-{number:03}.txt"), 10);
    }
    // The compiled tools are in the cache, as from the second start on.
    let _ = cache_of(base);
    let (client, _) = Client::start(command(Server::Ours, base));
    std::thread::sleep(Duration::from_secs(2));
    drop(client);
}

fn command(which: Server, base: &Path) -> Command {
    let files = base.join("files");
    match which {
        Server::Ours => server(base, &["--grant", &format!("files={}", files.display())]),
        Server::Reference => {
            let mut command = reference_file_server();
            command.arg(files);
            command
        }
    }
}

/// From the start of the process to the list of its tools.
fn starts(base: &Path) {
    let (mut ours, mut reference) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        for (which, times) in [(Server::Ours, &mut ours), (Server::Reference, &mut reference)] {
            let started = Instant::now();
            let (client, tools) = Client::start(command(which, base));
            times.push(started.elapsed());
            assert!(tools > 0, "no tools");
            drop(client);
        }
    }
    row("process start to `tools/list` answered, p50", percentile(&mut ours, 50), percentile(&mut reference, 50));
    row("the same, the fastest", ours[0], reference[0]);
}

fn calls(row_of: &Row, callers: usize, base: &Path, ours: &mut Client, reference: &mut Client) {
    let arguments = json!({ "path": base.join("files").join(row_of.file) });
    let (mut own, mut other) = (Vec::new(), Vec::new());
    // One round for both to warm up.
    for round in 0..=ROUNDS {
        for (client, times) in [(&mut *ours, &mut own), (&mut *reference, &mut other)] {
            let mut measured = client.calls(row_of.tool, &arguments, 1 << 10, callers, row_of.calls);
            if round > 0 {
                times.append(&mut measured);
            }
        }
    }
    for percent in [50, 99] {
        let what = format!("{}, {callers} caller{}, p{percent}", row_of.what, if callers == 1 { "" } else { "s" });
        row(&what, percentile(&mut own, percent), percentile(&mut other, percent));
    }
}

fn memory(what: &str, ours: &Client, reference: &Client) {
    let (own, other) = (ours.memory() as f64 / 1024.0, reference.memory() as f64 / 1024.0);
    println!("| {what} | {own:.1} MiB | {other:.1} MiB | {:.2} |", own / other);
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

fn row(what: &str, own: Duration, other: Duration) {
    println!("| {what} | {own:.2?} | {other:.2?} | {:.2} |", own.as_secs_f64() / other.as_secs_f64());
}
