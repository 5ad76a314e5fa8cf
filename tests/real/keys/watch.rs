//! Looks at the environment and the arguments of every process that a command starts, as long as it runs.

use super::canary::found;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What was seen of the children of a command.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// How many processes ran each program, by its file name.
    pub(crate) programs: BTreeMap<String, usize>,
    /// Where a trace of the key was.
    pub(crate) leaks: Vec<String>,
}

/// Waits for a command and looks at everything below it meanwhile.
pub(crate) fn watch(child: Child) -> (Output, Seen) {
    let (root, ended) = (child.id(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut processes = BTreeMap::new();
            while !ended.load(Ordering::SeqCst) {
                look(root, &mut processes);
                std::thread::sleep(Duration::from_millis(2));
            }
            processes
        });
        let output = child.wait_with_output().unwrap();
        ended.store(true, Ordering::SeqCst);
        let mut seen = Seen::default();
        for ((_, arguments), leaks) in watching.join().unwrap() {
            let program = arguments.split('\0').next().unwrap_or_default();
            *seen.programs.entry(program.rsplit('/').next().unwrap_or_default().to_owned()).or_default() += 1;
            seen.leaks.extend(leaks);
        }
        (output, seen)
    })
}

/// Processes by their number and their arguments, with the leaks of each.
type Processes = BTreeMap<(u32, String), Option<String>>;

fn look(root: u32, processes: &mut Processes) {
    let own = read(root, "cmdline");
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        parents.insert(process, parent(process));
    }
    for &process in parents.keys().filter(|&&process| descends(process, root, &parents)) {
        let arguments = read(process, "cmdline");
        // What was forked and has not started its program yet is the command itself; what has no arguments has ended.
        if arguments == own || arguments.is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(&arguments).into_owned();
        let leak = ["cmdline", "environ"].into_iter().find_map(|part| {
            let leak = found(&read(process, part))?;
            // Between the look at its arguments and this one it may have become another.
            (read(process, "cmdline") == arguments).then(|| format!("{part} of `{text}`: {leak}"))
        });
        let known = processes.entry((process, text)).or_default();
        *known = known.take().or(leak);
    }
}

fn read(process: u32, part: &str) -> Vec<u8> {
    fs::read(format!("/proc/{process}/{part}")).unwrap_or_default()
}

fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn descends(process: u32, root: u32, parents: &BTreeMap<u32, Option<u32>>) -> bool {
    let mut at = process;
    while let Some(Some(parent)) = parents.get(&at) {
        if *parent == root {
            return true;
        }
        at = *parent;
    }
    false
}
