//! What a tool of a third party costs, in each of the three languages: the worked examples of `examples/tools`, built here,
//! added, approved, called by the command line and over MCP.
//!
//! `cargo xtask bench tools` runs it with the release binary. The compiled components are in a cache of the benchmark's own,
//! so the first call compiles; the toolchains are those that are installed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../mcp/client.rs"]
mod client;
mod prepare;

use bailiwick_tests::server;
use client::Client;
use prepare::{TOOLS, World};
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};

/// Processes that are started for one median.
const STARTS: usize = 7;
/// Warm calls of one tool.
const CALLS: usize = 300;
/// What a server does after it was asked for its list is not waiting.
const SETTLED: Duration = Duration::from_secs(3);

/// The column of the nearest peer. It has issues about its start (`several seconds`, microsoft/wassette#68) and a plan for
/// them (#204), and no number for a tool.
const WASSETTE: &str = "none published";

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if !wanted.is_empty() && !wanted.iter().any(|word| "tools".contains(word.as_str())) {
        return;
    }
    let base = tempfile::tempdir().expect("a directory");
    let world = World::new(base.path());
    let columns: Vec<Column> = TOOLS.iter().map(|tool| column(&world, tool)).collect();
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.language).collect();
    println!("| what | {} | wassette |\n|---|{}---|", names.join(" | "), "---|".repeat(names.len()));
    for (number, (what, _)) in columns[0].iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|column| column[number].1.as_str()).collect();
        println!("| {what} | {} | {WASSETTE} |", cells.join(" | "));
    }
    let (alone, _) = listening(&world, None);
    println!("\nthe same server with no added tool, waiting (RSS): {}", mebibytes(alone.memory() << 10));
}

/// The cells of one tool, with their rows.
type Column = Vec<(&'static str, String)>;

fn column(world: &World, tool: &'static prepare::Tool) -> Column {
    let mut cells: Column = Vec::new();
    let bytes = world.build(tool);
    cells.push(("the component", mebibytes(bytes)));

    let started = Instant::now();
    world.add(tool);
    cells.push(("`tool add`, which compiles it: the whole process", shown(started.elapsed())));
    world.approve(tool);

    let mut calls: Vec<Duration> = (0..STARTS).map(|_| world.call(tool)).collect();
    cells.push(("its first `tool call`: the whole process", shown(calls[0])));
    cells.push(("a `tool call`: the whole process, p50", percentile(&mut calls, 50)));

    // What the server has of its own is in the cache as well, as from the second start on.
    drop(listening(world, Some(tool)));
    let (mut starts, mut firsts) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let (mut client, took) = started_with(world, Some(tool));
        starts.push(took);
        firsts.push(timed(&mut client, tool));
    }
    cells.push(("`mcp --tool`: start to `tools/list`, p50", percentile(&mut starts, 50)));
    cells.push(("first call in a new server, from the cache, p50", percentile(&mut firsts, 50)));

    let (mut client, waiting) = listening(world, Some(tool));
    let _ = timed(&mut client, tool);
    let mut warm: Vec<Duration> = (0..CALLS).map(|_| timed(&mut client, tool)).collect();
    cells.push(("warm call over MCP, p50", percentile(&mut warm, 50)));
    cells.push(("warm call over MCP, p99", percentile(&mut warm, 99)));
    cells.push(("memory of the server, offered and never called (RSS)", mebibytes(waiting << 10)));
    cells.push(("memory of the server after all calls (RSS)", mebibytes(client.memory() << 10)));
    cells
}

/// A server that has settled, and what it has in memory, in KiB.
fn listening(world: &World, tool: Option<&prepare::Tool>) -> (Client, u64) {
    let (client, _) = started_with(world, tool);
    std::thread::sleep(SETTLED);
    let memory = client.memory();
    (client, memory)
}

fn started_with(world: &World, tool: Option<&prepare::Tool>) -> (Client, Duration) {
    let started = Instant::now();
    let (client, tools) = Client::start(command(world, tool));
    let took = started.elapsed();
    assert!(tools > 0, "no tools");
    (client, took)
}

fn command(world: &World, tool: Option<&prepare::Tool>) -> Command {
    let mut arguments = Vec::new();
    if let Some(tool) = tool {
        arguments.extend(["--grant".to_owned(), tool.grant()]);
        arguments.extend(["--tool".to_owned(), format!("{}={}", tool.name, tool.directory)]);
    } else {
        arguments.extend(["--grant".to_owned(), TOOLS[0].grant()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = server(world.base(), &arguments);
    command.env("BAILIWICK_CACHE_DIR", world.cache());
    command
}

fn timed(client: &mut Client, tool: &prepare::Tool) -> Duration {
    let input: Value = serde_json::from_str(tool.input).expect("JSON");
    client.calls(tool.name, &input, 1, 1, 1)[0]
}

fn percentile(times: &mut [Duration], percent: usize) -> String {
    times.sort();
    shown(times[(times.len() * percent / 100).min(times.len() - 1)])
}

fn shown(time: Duration) -> String {
    format!("{time:.2?}")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
