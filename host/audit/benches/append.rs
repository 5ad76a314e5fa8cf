//! What a line of the audit log costs, alone and with others who append, and what verification costs.
//!
//! `cargo xtask bench` runs it. The peer writes a line of the same length with one `write` and nothing else. One
//! argument selects rows by a part of their name.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its table and may stop at once")]

#[expect(dead_code, reason = "the tests use the rest")]
#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{Scratch, append};
use std::io::Write as _;
use std::time::{Duration, Instant};

type Row = fn() -> Vec<Duration>;

const COUNT: usize = 50_000;

fn main() {
    let selected = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    println!("| what | p50 | p99 | per second |\n|---|---|---|---|");
    let rows: [(&str, Row); 5] = [
        ("audit: line, one process", alone),
        ("audit: question and line, one process", asked),
        ("audit: peer, one `write` of as many bytes", peer),
        ("audit: line, two logs in two threads", contended),
        ("audit: line, two threads on one log", shared),
    ];
    for (name, run) in rows.iter().filter(|(name, _)| name.contains(&selected)) {
        let started = Instant::now();
        let mut times = run();
        let rate = times.len() as f64 / started.elapsed().as_secs_f64();
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100].as_nanos() as f64 / 1000.0;
        println!("| {name} | {:.1} µs | {:.1} µs | {rate:.0} |", at(50), at(99));
    }
    verification();
}

fn time(mut work: impl FnMut(usize)) -> Vec<Duration> {
    let mut timed = |call| {
        let started = Instant::now();
        work(call);
        started.elapsed()
    };
    (0..COUNT).map(&mut timed).collect()
}

fn alone() -> Vec<Duration> {
    let scratch = Scratch::new();
    let log = scratch.open(16 << 20);
    time(|call| append(&log, call))
}

/// As calls do it: before them the log is asked.
fn asked() -> Vec<Duration> {
    let scratch = Scratch::new();
    let log = scratch.open(16 << 20);
    time(|call| {
        log.check().unwrap();
        append(&log, call);
    })
}

fn peer() -> Vec<Duration> {
    let scratch = Scratch::new();
    append(&scratch.open(1 << 20), 0);
    let line = std::fs::read(scratch.file(1)).unwrap();
    let mut file = std::fs::File::options().append(true).open(scratch.file(1)).unwrap();
    time(|_| file.write_all(&line).unwrap())
}

fn contended() -> Vec<Duration> {
    let scratch = Scratch::new();
    let logs = [scratch.open(16 << 20), scratch.open(16 << 20)];
    both(|thread, call| append(&logs[thread], call))
}

fn shared() -> Vec<Duration> {
    let scratch = Scratch::new();
    let log = scratch.open(16 << 20);
    both(|_, call| append(&log, call))
}

fn both(work: impl Fn(usize, usize) + Sync) -> Vec<Duration> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads = [0, 1].map(|thread| scope.spawn(move || time(|call| work(thread, call))));
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn verification() {
    let scratch = Scratch::new();
    let log = scratch.open(16 << 20);
    (0..COUNT).for_each(|call| append(&log, call));
    let started = Instant::now();
    let verified = bailiwick_audit::verify(&scratch.log(), None).unwrap();
    let took = started.elapsed();
    println!("\nverification of {} lines in {} files: {} ms", verified.lines, verified.files, took.as_millis());
}
