//! What a sandboxed call costs, beside the same work done by `std::fs` in the same run.
//!
//! `cargo xtask bench` runs it; `docs/contributing/benchmarks.md` keeps the tables. Times on shared machines are noisy: the ratios
//! to the peer and the order of the rows are what to read, and the instruction counts, which callgrind makes and which
//! do not depend on what else the machine does. One argument selects rows by a part of their name.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints its table and may stop at once")]

mod counts;
mod table;
mod world;

use bailiwick_sandbox::Allocation;
use std::time::{Duration, Instant};
use table::{Selection, Times};
use world::{Case, World};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [flag, case, calls] = arguments.as_slice()
        && flag == counts::FLAG
    {
        return counts::repeat(case, calls.parse().unwrap());
    }
    let selection = Selection::new(arguments.first().cloned());
    let pooled = Allocation::Pooled { slots: 16 };

    println!("| what | p50 | p99 | peer p50 | ratio |\n|---|---|---|---|---|");
    // The places of the program are as large as the most memory that a person can approve for a tool. Beside them such as
    // are only as large as what a tool has without that, to tell what the larger ones cost every call.
    let worlds = [
        ("pooled", pooled, world::LARGEST),
        ("pooled in places of 64 MiB", pooled, 64 << 20),
        ("on demand", Allocation::OnDemand, world::LARGEST),
    ];
    for (label, allocation, largest) in worlds {
        let world = World::with_places(allocation, largest);
        for case in Case::ALL {
            times(&world, case, label, &selection);
        }
    }
    loads(&selection);

    println!("\n| calls a second, 4 KiB, pooled | |\n|---|---|");
    let world = World::new(pooled);
    for tasks in [1, 2, 4] {
        if let Some(row) = selection.row(&format!("{tasks} task(s)")) {
            println!("| {row} | {:.0} |", world.throughput(tasks));
        }
    }

    println!("\n| where the time of a call goes, pooled, p50 | nothing | 4 KiB | 1 MiB |\n|---|---|---|---|");
    phases(&World::new(pooled), &selection);

    println!("\n| instructions in user space a call (callgrind, on demand) | |\n|---|---|");
    for case in Case::ALL {
        if let Some(row) = selection.row(&format!("instructions, {}", case.name())) {
            println!("| {row} | {} |", counts::measure(case));
        }
    }
}

fn times(world: &World, case: Case, label: &str, selection: &Selection) {
    let names = ["on its worker", "async API", "async API with schema checks"];
    let names = names.map(|how| selection.row(&format!("{}, {label}, {how}", case.name())));
    let count = case.rounds();
    let peer = case.path(world.base()).map(|path| {
        Times::of(count, || {
            let started = Instant::now();
            std::hint::black_box(std::fs::read_to_string(&path).unwrap());
            started.elapsed()
        })
    });
    let [worker, outer, checked] = names;
    if worker.is_some() || outer.is_some() {
        let mut whole = Vec::with_capacity(count);
        let on_worker = Times::of(count, || {
            let started = Instant::now();
            let cost = world.invoke(case);
            whole.push(started.elapsed());
            cost.wall
        });
        table::print(worker, &on_worker, peer.as_ref());
        table::print(outer, &Times::from(whole), peer.as_ref());
    }
    if checked.is_some() {
        let with_checks = Times::of(count.min(2_000), || {
            let started = Instant::now();
            world.call(case);
            started.elapsed()
        });
        table::print(checked, &with_checks, peer.as_ref());
    }
}

/// The parts of one call, medians over many. The rest of the whole is the way to the worker and back.
fn phases(world: &World, selection: &Selection) {
    if selection.row("where the time goes").is_none() {
        return;
    }
    let measured = Case::ALL.map(|case| {
        let mut parts: [Vec<Duration>; 4] = Default::default();
        for _ in 0..case.rounds() {
            let started = Instant::now();
            let cost = world.invoke(case);
            let whole = started.elapsed();
            let guest = cost.wall.saturating_sub(cost.setup + cost.teardown);
            for (part, time) in
                parts.iter_mut().zip([cost.setup, guest, cost.teardown, whole.saturating_sub(cost.wall)])
            {
                part.push(time);
            }
        }
        parts.map(|part| Times::from(part).p50)
    });
    let names = ["store, limits, instance", "guest and file operations", "wiping, closing", "to the worker and back"];
    for (index, name) in names.into_iter().enumerate() {
        let cells: Vec<String> = measured.iter().map(|parts| format!("{:.1?}", parts[index])).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

fn loads(selection: &Selection) {
    let cache = tempfile::tempdir().unwrap();
    let mut times = Vec::new();
    for _ in 0..20 {
        times.push(world::load(cache.path()));
    }
    let cold = Times::from(times.drain(..1).collect::<Vec<_>>());
    table::print(selection.row("load ReadFile, cold (compiles)"), &cold, None);
    table::print(selection.row("load ReadFile, from the cache"), &Times::from(times), None);
}
