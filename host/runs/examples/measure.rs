//! Times the steps of a run over a tree of 2,000 files, 5 KiB each on average:
//! `cargo run --release -p bailiwick-runs --example measure [STATE_DIRECTORY]`.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bailiwick_runs::{BeginRun, Change, Coverage, Digest, RootSpec, Run, Status, Store, StoreError, tree_digest};
use serde_json::Value;

const FILES: usize = 2_000;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scratch = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, Into::into);
    let scratch = scratch.join(format!("bailiwick-measure-{}", std::process::id()));
    let tree = scratch.join("tree");
    lay_out(&tree)?;
    // Files written within the last two seconds do not vouch for their content.
    std::thread::sleep(Duration::from_millis(2_500));
    let store = Store::open(&scratch.join("state"))?;
    println!("{:<46} {:>10}", "step", "median");
    print("tree_digest (reads everything)", || tree_digest(&tree, &[]).map(drop))?;
    let mut times = vec![Vec::new(); 7];
    for _ in 0..ROUNDS {
        let mut run = timed(&mut times[0], || begin(&store, &tree))?;
        timed(&mut times[1], || run.changed())?;
        let change = Change {
            root: "sdk".into(),
            path: "d00/f0000.py".into(),
            expected: Some(Digest::of(&content(0))),
            content: Some(b"changed".to_vec()),
        };
        timed(&mut times[2], || run.apply(std::slice::from_ref(&change)))?;
        timed(&mut times[3], || run.restore())?;
        fs::remove_dir_all(tree.join("d01"))?;
        timed(&mut times[4], || run.restore())?;
        fs::write(tree.join("d02/new.py"), "new")?;
        let id = run.id().clone();
        timed(&mut times[5], || run.finish(Status::Pending, &Value::Null))?;
        timed(&mut times[6], || store.revert(&id))?;
    }
    let names = [
        "begin",
        "changed, nothing changed",
        "apply, one file",
        "restore, one file",
        "restore, 100 files removed",
        "finish as pending, one file added",
        "revert, one file",
    ];
    for (name, times) in names.iter().zip(&mut times) {
        println!("{name:<46} {:>7.2} ms", median(times));
    }
    print("open the store", || Store::open(&scratch.join("state")).map(drop))?;
    fs::remove_dir_all(scratch)?;
    Ok(())
}

fn lay_out(tree: &Path) -> std::io::Result<()> {
    for number in 0..FILES {
        let directory = tree.join(format!("d{:02}", number / 100));
        fs::create_dir_all(&directory)?;
        fs::write(directory.join(format!("f{number:04}.py")), content(number))?;
    }
    Ok(())
}

fn content(number: usize) -> Vec<u8> {
    format!("# {number}\nvalue = {number}\n").repeat(50 + number % 300).into_bytes()
}

fn begin(store: &Store, tree: &Path) -> Result<Run, StoreError> {
    store.begin(BeginRun {
        kind: "measure".into(),
        request: String::new(),
        details: Value::Null,
        roots: vec![RootSpec {
            name: "sdk".into(),
            directory: tree.to_owned(),
            coverage: Coverage::Tree { skip: Vec::new(), skip_at_root: vec![".git".into()] },
        }],
    })
}

fn print<E>(name: &str, mut step: impl FnMut() -> Result<(), E>) -> Result<(), E> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        timed(&mut times, &mut step)?;
    }
    println!("{name:<46} {:>7.2} ms", median(&mut times));
    Ok(())
}

fn timed<T>(times: &mut Vec<Duration>, step: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = step();
    times.push(start.elapsed());
    result
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}
