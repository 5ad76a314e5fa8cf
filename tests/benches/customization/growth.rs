//! The host's own time, memory and waits for the disk as packages and specifications grow.

use crate::measured::{own_time, process};
use bailiwick_tests::World;
use bailiwick_tests::sizes::{large_package, large_specification};
use std::time::Duration;

const FILES: [usize; 4] = [10, 100, 1_000, 5_000];
/// Each has two operations.
const MODELS: [usize; 3] = [10, 100, 500];
/// Dry runs of which the median counts.
const LOOKS: usize = 5;

/// A customization after which every generated file differs, over the stand-in toolchain, so that only the host works.
pub(crate) fn of_packages() {
    println!(
        "\n| generated files, all changed | host's own time | each | host's memory | waits for the disk | revert | report |"
    );
    println!("|---|---|---|---|---|---|---|");
    for files in FILES {
        let world = World::standing_in();
        large_package(&world, files);
        // Files written within the last two seconds do not vouch for their content.
        std::thread::sleep(Duration::from_millis(2_500));
        let package = world.package();
        let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
        let customize =
            ["package", "customize", "--package-path", package.to_str().unwrap(), "--customization-request", request];
        let (_, memory) = process(&world, &customize);
        let run = std::fs::read_dir(world.state().join("runs")).unwrap().next().unwrap().unwrap().file_name();
        let run = run.to_str().unwrap();
        let own = own_time(&world, run);
        let waits =
            &world.bailiwick(&["--json", "run", "show", run, "--timings"]).exits(0).json()["timings"]["diskWaits"];
        let (report, _) = process(&world, &["run", "report", run]);
        let (revert, revert_memory) = process(&world, &["run", "revert", run]);
        let each = own / u32::try_from(files).unwrap();
        println!(
            "| {files} | {own:.1?} | {each:.1?} | {memory} MiB | {waits} | {revert:.1?}, {revert_memory} MiB | {report:.1?} |"
        );
    }
}

/// Dry runs that know the specification: the first reads it with the real compiler, or finds it in the cache, and does not
/// count.
pub(crate) fn of_specifications() {
    println!("\n| operations beside the fixture's | dry run of a known specification | host's memory |");
    println!("|---|---|---|");
    for models in MODELS {
        let world = World::new();
        large_specification(&world, models);
        let package = world.package();
        let request = format!("rename the model Gadget{:03} to LastGadget in the Python SDK", models - 1);
        let look = [
            "package",
            "customize",
            "--package-path",
            package.to_str().unwrap(),
            "--customization-request",
            &request,
            "--dry-run",
        ];
        let _ = process(&world, &look);
        let mut known: Vec<(Duration, u64)> = (0..LOOKS).map(|_| process(&world, &look)).collect();
        known.sort();
        let (known, memory) = known[LOOKS / 2];
        println!("| {} | {known:.1?} | {memory} MiB |", 2 * models);
    }
}
