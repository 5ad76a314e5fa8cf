//! The power is lost at every step of a run, and the disk keeps what it had to keep and any of the rest.
//!
//! A scenario is recorded once: every step that changes a disk, every wait for the disk, and what the scenario was told
//! had been done. For each moment of the record the directory is laid out as the disk may hold it (`disk` says what that
//! can be), the store is opened as after a start of the machine, and the outcome is compared with what had been promised
//! until then: both directories are as before the run or as after it, never between, a second start finds nothing to do,
//! and the record can be decided about.
//!
//! `BAILIWICK_POWER_STATES` is the number of states tried for each scenario; `all` tries every one that `disk` gives
//! (some 20,000, about a minute and a half).

mod disk;
mod scenarios;
mod world;

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

use bailiwick_base::files::failpoint;
use bailiwick_base::files::observer::{Passed, observe};

use self::disk::Disk;
use self::world::World;
use super::Scene;
use super::killing::Random;

/// States tried for each scenario unless the environment says otherwise.
const STATES: usize = 400;
const SEED: u64 = 0x5eed;

/// One thing that happened, in order.
enum Happened {
    /// A step is about to be taken; this is what the directory holds.
    Step(World),
    Synced(u64),
    SyncedEverything,
    /// The caller was told something, which holds from here on.
    Promise(&'static str),
    /// A wait that was taken out.
    Nothing,
}

/// What has happened in a directory since the recording began.
#[derive(Clone, Default)]
struct Record(Rc<RefCell<Vec<Happened>>>);

impl Record {
    /// Records what `work` does in `directory`.
    fn of(directory: &Path, work: impl FnOnce(&Self)) -> Self {
        let record = Self::default();
        let (events, place) = (record.clone(), directory.to_owned());
        let told = move |passed| {
            let happened = match passed {
                Passed::Step => Happened::Step(World::read(&place)),
                Passed::Synced(identity) => Happened::Synced(identity.inode),
                Passed::SyncedEverything(_) => Happened::SyncedEverything,
            };
            events.0.borrow_mut().push(happened);
        };
        told_once(&record, directory);
        observe(Some(Box::new(told)));
        work(&record);
        observe(None);
        told_once(&record, directory);
        record
    }

    /// The scenario was told that `what` is done.
    fn promise(&self, what: &'static str) {
        self.0.borrow_mut().push(Happened::Promise(what));
    }

    /// What is waited for at this place of the record, if anything is.
    fn waits_for(&self, at: usize) -> Option<String> {
        let events = self.0.borrow();
        let number = match events[at] {
            Happened::SyncedEverything => return Some("syncfs".into()),
            Happened::Synced(number) => number,
            _ => return None,
        };
        let world = events[..at].iter().rev().find_map(|one| match one {
            Happened::Step(world) => Some(world),
            _ => None,
        });
        Some(format!("fsync of {}", world?.path(number)?))
    }

    fn syncs(&self) -> (usize, usize) {
        let events = self.0.borrow();
        let count = |wanted: fn(&Happened) -> bool| events.iter().filter(|one| wanted(one)).count();
        (count(|one| matches!(one, Happened::Synced(_))), count(|one| matches!(one, Happened::SyncedEverything)))
    }
}

fn told_once(record: &Record, directory: &Path) {
    record.0.borrow_mut().push(Happened::Step(World::read(directory)));
}

/// Another process does something that syncs nothing, in steps of its own.
fn outside(work: impl FnOnce()) {
    work();
    failpoint::hit().unwrap();
}

/// A state of the disk, and what had been promised when the power was lost.
struct Loss {
    world: World,
    promise: &'static str,
    moment: usize,
}

/// Every state of `record` once for each promise; whether some were left to chance.
fn losses(record: &Record) -> (Vec<Loss>, usize, bool) {
    let mut random = Random(SEED);
    let mut seen = HashSet::new();
    let (mut losses, mut moments, mut exhaustive) = (Vec::new(), 0, true);
    let mut disk: Option<Disk> = None;
    let mut promise = "";
    let mut look = |disk: &Disk, promise: &'static str, moment: &mut usize, losses: &mut Vec<Loss>| {
        let (worlds, all) = disk.possible(&mut |end| usize::try_from(random.below(end as u64)).unwrap());
        exhaustive &= all;
        for world in worlds {
            if seen.insert((world.digest(), promise)) {
                losses.push(Loss { world, promise, moment: *moment });
            }
        }
        *moment += 1;
    };
    for happened in record.0.borrow().iter() {
        let Some(known) = &mut disk else {
            if let Happened::Step(world) = happened {
                disk = Some(Disk::holding(world.clone()));
            }
            continue;
        };
        match happened {
            Happened::Step(world) => known.becomes(world.clone()),
            Happened::Synced(number) => known.synced(*number),
            Happened::SyncedEverything => known.synced_everything(),
            Happened::Promise(what) => promise = what,
            Happened::Nothing => {}
        }
        look(known, promise, &mut moments, &mut losses);
    }
    (losses, moments, exhaustive)
}

/// A sample of at most as many as are asked for, in order.
fn sampled(losses: Vec<Loss>, states: usize) -> Vec<Loss> {
    let wanted = match std::env::var("BAILIWICK_POWER_STATES").as_deref() {
        Ok("all") => usize::MAX,
        Ok(number) => number.parse().unwrap(),
        Err(_) => states,
    };
    let mut random = Random(SEED);
    let mut left = losses.len();
    let mut missing = wanted.min(left);
    losses
        .into_iter()
        .filter(|_| {
            // Each of those left is as likely as any other.
            let taken = usize::try_from(random.below(left as u64)).unwrap() < missing;
            left -= 1;
            missing -= usize::from(taken);
            taken
        })
        .collect()
}

/// Lays out each state that `record` allows and lets `check` judge it. A start of the machine is pretended.
fn judge(name: &str, scene: &Scene, record: &Record, states: usize, check: impl Fn(&Scene, &Loss)) -> usize {
    let (losses, moments, exhaustive) = losses(record);
    let found = losses.len();
    let losses = sampled(losses, states);
    let (files, systems) = record.syncs();
    println!(
        "{name}: {moments} moments, {found} states{}, {} tried; {files} fsync, {systems} syncfs",
        if exhaustive { ", which are all" } else { " (structured and by chance, seed 0x5eed)" },
        losses.len(),
    );
    let failures = failures(scene, &losses, usize::MAX, check);
    assert!(
        failures.is_empty(),
        "{name}: {} of {} states went wrong; the first:\n{}",
        failures.len(),
        losses.len(),
        failures[0]
    );
    losses.len()
}

/// What goes wrong, up to so many states of it.
fn failures(scene: &Scene, losses: &[Loss], most: usize, check: impl Fn(&Scene, &Loss)) -> Vec<String> {
    let mut failures = Vec::new();
    crate::boot::pretend(Some("another"));
    for loss in losses {
        if failures.len() == most {
            break;
        }
        loss.world.lay_out(scene.directory.path());
        let outcome = catch_unwind(AssertUnwindSafe(|| check(scene, loss)));
        if let Err(panic) = outcome {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
                .unwrap_or_default();
            failures.push(format!(
                "at moment {}, promised {:?}: {text}\nthe disk held:\n{}",
                loss.moment,
                loss.promise,
                loss.world.describe()
            ));
        }
    }
    crate::boot::pretend(None);
    failures
}

/// Takes each wait for the disk out of the record, one after the other, as if the program did not wait there: some state
/// has to go wrong then, or the wait is not needed. Returns those without which nothing went wrong. Waits before the
/// promise `from` was made are left in.
fn not_needed(scene: &Scene, record: &Record, from: &str, check: impl Fn(&Scene, &Loss)) -> Vec<String> {
    let is_start = |one: &Happened| matches!(one, Happened::Promise(what) if *what == from);
    let start = record.0.borrow().iter().position(is_start).unwrap_or_default();
    let waits: Vec<usize> = (start..record.0.borrow().len()).filter(|at| record.waits_for(*at).is_some()).collect();
    let mut not_needed = Vec::new();
    // Failures are expected and say nothing.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for at in waits {
        let what = record.waits_for(at).unwrap_or_default();
        let taken = std::mem::replace(&mut record.0.borrow_mut()[at], Happened::Nothing);
        let (losses, ..) = losses(record);
        // What a lost wait leaves is seen from there on.
        let mut near: Vec<Loss> = losses.into_iter().filter(|loss| loss.moment + 1 >= at).collect();
        // The next wait may make up for a lost one, so all states that come soon are tried.
        let later = near.split_off(near.len().min(STATES));
        near.extend(sampled(later, STATES / 4));
        let wrong = failures(scene, &near, 1, &check);
        record.0.borrow_mut()[at] = taken;
        println!(
            "without {what}: {}",
            wrong.first().and_then(|text| text.lines().next()).unwrap_or("nothing went wrong")
        );
        if wrong.is_empty() {
            not_needed.push(what);
        }
    }
    std::panic::set_hook(hook);
    not_needed
}

/// Whether the directory is one whose inodes are not used again while the test runs.
fn numbers_are_fresh(directory: &Path) -> bool {
    let number = || {
        let path = directory.join("probe");
        fs::write(&path, "").unwrap();
        let number = fs::metadata(&path).unwrap().ino();
        fs::remove_file(&path).unwrap();
        number
    };
    number() != number()
}
