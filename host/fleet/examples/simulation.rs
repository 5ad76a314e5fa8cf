//! When fleets of hundreds and thousands of packages end, from recorded durations:
//!
//! ```sh
//! cargo run --example simulation --package bailiwick-fleet -- docs/contributing/fleet-durations.json
//! ```
//!
//! A file of recorded durations is what `bailiwick fleet run` keeps as `fleets/durations.json`. The packages of a larger
//! fleet are drawn from them, service by service: those of one service take about as long as one another and stand side by
//! side in the alphabet, which is what makes an alphabetical split uneven. The same numbers come out each time.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]
#![expect(clippy::unwrap_used, reason = "an example stops at the first surprise")]

use std::time::Instant;

use bailiwick_fleet::{Durations, Job, Key, Manifest, Queue, Taken, Verdict, longest_first, makespan, shards};

/// How many packages a service has.
const OF_A_SERVICE: usize = 8;
/// By how much the packages of a service differ, in per cent to either side.
const SPREAD: u32 = 30;

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("give the file of recorded durations");
        return;
    };
    let mut recorded: Vec<f64> = Durations::read(path.as_ref()).all().collect();
    recorded.sort_by(f64::total_cmp);
    if recorded.is_empty() {
        eprintln!("`{path}` has no durations");
        return;
    }
    println!("{} recorded durations, {:.1} to {:.1} s", recorded.len(), recorded[0], recorded[recorded.len() - 1]);
    println!(
        "| packages | machines | mean | longest | longest first | by name, pulled | balanced shards | alphabetical shards |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (packages, machines) in [(300, 1), (300, 4), (300, 10), (300, 30), (10_000, 10), (10_000, 100)] {
        println!("{}", row(&jobs(packages, &recorded), machines));
    }
    println!();
    // Looking for the next job takes as long as there are jobs, so the whole takes four times as long for twice as many.
    for packages in [300, 600] {
        println!("{}", queue(jobs(packages, &recorded)));
    }
}

/// So many packages in the order of their names.
fn jobs(packages: usize, recorded: &[f64]) -> Vec<Job> {
    let mut state = 7_u64;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut typical = 0.0;
    (0..packages)
        .map(|number| {
            if number % OF_A_SERVICE == 0 {
                let drawn = usize::try_from(random(u64::try_from(recorded.len()).unwrap())).unwrap();
                typical = recorded[drawn];
            }
            let per_cent = u32::try_from(random(u64::from(2 * SPREAD + 1))).unwrap() + 100 - SPREAD;
            job(number, typical * f64::from(per_cent) / 100.0)
        })
        .collect()
}

fn job(number: usize, seconds: f64) -> Job {
    let source = serde_json::json!({
        "repository": "azure-sdk", "clone": "/clone", "commit": "0123456789012345678901234567890123456789",
    });
    serde_json::from_value(serde_json::json!({
        "key": Key::unset(), "package": format!("sdk/p{number:05}"), "sdk": source, "language": "python", "action": "generate",
        "model": "mechanic", "emitter": "", "expected": seconds,
    }))
    .unwrap()
}

fn row(jobs: &[Job], machines: usize) -> String {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    let by_name: Vec<f64> = jobs.iter().filter_map(|job| job.expected).collect();
    let longest_first: Vec<f64> = longest_first(jobs).iter().filter_map(|job| job.expected).collect();
    let mean = by_name.iter().sum::<f64>() / number(machines);
    let alphabetical = by_name.chunks(by_name.len().div_ceil(machines)).map(|part| part.iter().sum::<f64>());
    let balanced = shards(jobs, machines).into_iter().map(|(_, seconds)| seconds);
    let ends = [
        mean,
        longest_first[0],
        makespan(&longest_first, machines),
        makespan(&by_name, machines),
        balanced.fold(0.0, f64::max),
        alphabetical.fold(0.0, f64::max),
    ];
    assert!(ends[2] <= ends[0] + ends[1], "no schedule of this kind ends later than the mean and the longest");
    let minutes: Vec<String> = ends.iter().map(|seconds| format!("{:.1} min", seconds / 60.0)).collect();
    format!("| {} | {machines} | {} |", jobs.len(), minutes.join(" | "))
}

/// What the directory that hands the packages out takes itself, with one worker that does nothing.
fn queue(jobs: Vec<Job>) -> String {
    let directory = tempfile::tempdir().unwrap();
    let manifest = Manifest::new("0", jobs, Vec::new()).unwrap();
    let packages = manifest.jobs.len();
    let started = Instant::now();
    let queue = Queue::create(&directory.path().join("fleet"), manifest).unwrap();
    let created = started.elapsed();
    let started = Instant::now();
    while let Taken::Job(lease) = queue.take().unwrap() {
        lease.finish(lease.of_fleet(Verdict::Succeeded, "nothing was done")).unwrap();
    }
    let worked = started.elapsed();
    let each = worked.as_secs_f64() * 1000.0 / f64::from(u32::try_from(packages).unwrap());
    let status = Instant::now();
    let standing = queue.standing().unwrap();
    assert_eq!(standing.verdicts[&Verdict::Succeeded], packages);
    format!(
        "a queue of {packages}: made in {created:.1?}; taking and finishing {each:.1} ms a package ({worked:.1?} in all); status in {:.1?}",
        status.elapsed()
    )
}
