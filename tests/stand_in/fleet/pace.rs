//! How soon a fleet is done: no later than the mean and the longest package, and before an alphabetical split of the same
//! packages. What takes time here waits and does not compute, so that several workers get on on any machine.

use super::{Fleet, proof};
use serde_json::{Value, json};
use std::time::SystemTime;

/// The last fifth by name takes long, as packages of one service do.
fn milliseconds(number: usize, packages: usize) -> usize {
    if number >= packages - packages / 5 { 4_000 } else { 200 + number % 7 * 100 }
}

/// When a package was begun and when it was done, in seconds.
fn spans(fleet: &Fleet, manifest: &Value) -> Vec<(f64, f64)> {
    let directory = fleet.world.base().join("state/fleets").join(manifest["fleet"].as_str().unwrap());
    let modified = |path: std::path::PathBuf| {
        let time = std::fs::metadata(path).unwrap().modified().unwrap();
        time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64()
    };
    let keys = manifest["jobs"].as_array().unwrap().iter().map(|job| job["key"].as_str().unwrap());
    // The file of a job is written when it is begun, that of its result when it is done.
    keys.map(|key| {
        (modified(directory.join("jobs").join(key)), modified(directory.join(format!("results/{key}.json"))))
    })
    .collect()
}

/// The packages, done by so many workers: what each took, in the order of their names, and the time from first to last.
fn done(fleet: &Fleet, workers: usize) -> (Vec<f64>, f64) {
    let (path, manifest) = fleet.plan("generate", &[]);
    let _ = fleet.run(&path, &["--workers", &workers.to_string()]).exits(0);
    let spans = spans(fleet, &manifest);
    let first = spans.iter().map(|span| span.0).fold(f64::MAX, f64::min);
    let last = spans.iter().map(|span| span.1).fold(0.0, f64::max);
    (spans.iter().map(|span| span.1 - span.0).collect(), last - first)
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

#[test]
fn fleet_ends_by_the_mean_and_the_longest_package_and_before_an_alphabetical_split() {
    let packages = proof::packages();
    let workers = if packages > 10 { 4 } else { 2 };
    let fleet = Fleet::of(packages, |number| json!({ "takes": milliseconds(number, packages) }));
    // The first time nothing is known of how long they take.
    let (_, unknown) = done(&fleet, workers);
    let (durations, end) = done(&fleet, workers);
    let (sum, longest) = (durations.iter().sum::<f64>(), durations.iter().copied().fold(0.0, f64::max));
    let bound = sum / number(workers) + longest;
    let split = durations.chunks(packages.div_ceil(workers)).map(|part| part.iter().sum::<f64>()).fold(0.0, f64::max);
    eprintln!(
        "{packages} packages, {workers} workers: {end:.1} s, {unknown:.1} s with unknown durations; mean and longest {bound:.1} s; \
         alphabetical split of the same packages {split:.1} s"
    );
    assert!(end <= bound, "{end} after {bound}");
    assert!(end < split, "{end} after an alphabetical split in {split}");
    fleet.assert_untouched();
    // Of what depends on the machine, nothing is asserted.
    if packages > 10 {
        for workers in 1..=4 {
            let (durations, end) = done(&fleet, workers);
            let busy = durations.iter().sum::<f64>() / end / number(workers);
            let minute = number(packages) / end * 60.0;
            eprintln!(
                "{workers} workers: {end:.1} s, {minute:.0} packages a minute, workers busy {:.0} %",
                busy * 100.0
            );
        }
    }
}
