use proptest::prelude::*;

use super::*;
use crate::manifest::testing;
use crate::report::Report;
use crate::verdict::Verdict;

fn queue(jobs: usize) -> (tempfile::TempDir, Queue) {
    let directory = tempfile::tempdir().unwrap();
    let queue = Queue::create(&directory.path().join("fleet"), testing::manifest(jobs)).unwrap();
    (directory, queue)
}

fn taken(queue: &Queue) -> Lease {
    match queue.take().unwrap() {
        Taken::Job(lease) => *lease,
        other => panic!("{other:?}"),
    }
}

fn finish(lease: &Lease, verdict: Verdict) {
    lease.finish(lease.of_fleet(verdict, "done")).unwrap();
}

#[test]
fn job_is_given_to_one_worker_at_a_time_and_comes_back_when_that_one_dies() {
    let (_kept, queue) = queue(1);
    let first = taken(&queue);
    assert!(matches!(queue.take().unwrap(), Taken::Wait));
    assert_eq!(queue.standing().unwrap().at_work, [(first.job().name(), 1)]);
    drop(first);
    let second = taken(&queue);
    assert_eq!(second.attempt(), 2);
    finish(&second, Verdict::Succeeded);
    drop(second);
    assert!(matches!(queue.take().unwrap(), Taken::Done));
}

#[test]
fn job_that_kills_every_worker_is_given_up_and_the_others_are_done() {
    let (_kept, queue) = queue(2);
    for attempt in 1..=MOST_ATTEMPTS {
        assert_eq!(taken(&queue).attempt(), attempt);
    }
    finish(&taken(&queue), Verdict::Succeeded);
    assert!(matches!(queue.take().unwrap(), Taken::Done));
    let verdicts = queue.standing().unwrap().verdicts;
    assert_eq!((verdicts[&Verdict::KilledItsWorker], verdicts[&Verdict::Succeeded]), (1, 1));
}

#[test]
fn worker_that_is_told_to_end_gives_its_job_back_uncounted() {
    let (_kept, queue) = queue(1);
    drop(taken(&queue));
    taken(&queue).give_back().unwrap();
    assert_eq!(taken(&queue).attempt(), 2);
}

#[test]
fn cancelled_jobs_are_not_given_out_and_have_that_verdict() {
    let (_kept, queue) = queue(3);
    let at_work = taken(&queue);
    let key = queue.manifest().jobs[2].key.clone();
    queue.cancel(Some(&key)).unwrap();
    finish(&taken(&queue), Verdict::Succeeded);
    assert!(matches!(queue.take().unwrap(), Taken::Wait));
    assert_eq!(queue.result(&key).unwrap().unwrap().verdict, Verdict::Cancelled);
    queue.cancel(None).unwrap();
    queue.settle_cancelled().unwrap();
    assert!(queue.is_cancelled(&at_work.job().key) && !queue.has_result(&at_work.job().key));
}

/// What another machine left may hold links.
#[test]
fn links_and_pipes_in_the_place_of_what_a_queue_writes_are_refused_and_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let (kept, queue) = queue(1);
    let victim = kept.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let key = queue.manifest().jobs[0].key.clone();
    let place = |name: &str| queue.directory().join(name);
    let begun = place("jobs").join(key.as_str());
    symlink(&victim, &begun).unwrap();
    assert!(queue.take().is_err() && queue.again(&key).is_err());
    fs::remove_file(&begun).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&begun).status().unwrap().success());
    assert!(queue.take().is_err() && queue.again(&key).is_err());
    symlink(&victim, place("cancelled").join("all")).unwrap();
    queue.cancel(None).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    for part in ["artifacts", "results"] {
        fs::remove_dir(place(part)).unwrap();
        symlink(kept.path(), place(part)).unwrap();
        assert!(Queue::open(queue.directory()).is_err(), "{part}");
        assert!(Queue::create(queue.directory(), queue.manifest().clone()).is_err(), "{part}");
        fs::remove_file(place(part)).unwrap();
        fs::create_dir(place(part)).unwrap();
    }
    Queue::open(queue.directory()).unwrap();
}

#[test]
fn other_fleet_in_the_same_directory_and_foreign_results_are_refused() {
    let (_kept, queue) = queue(1);
    let other = Queue::create(queue.directory(), testing::manifest(1));
    assert!(matches!(other, Err(FleetError::AnotherFleet { .. })));
    let key = &queue.manifest().jobs[0].key;
    let path = queue.directory().join("results").join(format!("{key}.json"));
    for text in ["", "{}", "{\"verdict\":\"succeeded\"}"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(queue.result(key), Err(FleetError::BadResult { .. })), "{text}");
    }
    let lease = queue.lease(key).unwrap().unwrap();
    let mut result = lease.of_fleet(Verdict::Succeeded, "x");
    result.key = Key::try_from("1".repeat(64)).unwrap();
    fs::write(&path, serde_json::to_vec(&result).unwrap()).unwrap();
    assert!(matches!(queue.result(key), Err(FleetError::BadResult { .. })));
}

#[test]
fn manifest_with_the_name_of_a_fleet_and_other_work_is_refused_and_its_results_are_no_answer() {
    let (_kept, queue) = queue(2);
    for _ in 0..2 {
        finish(&taken(&queue), Verdict::Succeeded);
    }
    let mut elsewhere = queue.manifest().clone();
    elsewhere.jobs.reverse();
    elsewhere.jobs[0].sdk.clone = "/another/clone".into();
    assert!(Queue::create(queue.directory(), elsewhere).is_ok(), "the same work from another clone");
    let changes: [fn(&mut Manifest); 4] = [
        |manifest| manifest.jobs[1].sdk.commit = "1".repeat(40),
        |manifest| drop(manifest.jobs.pop()),
        |manifest| manifest.jobs.push(testing::job("another", None)),
        |manifest| manifest.skipped.clear(),
    ];
    for change in changes {
        let mut other = queue.manifest().clone();
        change(&mut other);
        for job in &mut other.jobs {
            job.key = Key::of(job, &other.version);
        }
        let refused = Queue::create(queue.directory(), other);
        assert!(matches!(refused, Err(FleetError::OtherJobs { .. })), "{refused:?}");
    }
    assert_eq!(Queue::open(queue.directory()).unwrap().manifest(), queue.manifest());
}

/// What may happen to a fleet, in any order.
#[derive(Debug, Clone, Copy)]
enum Event {
    Take,
    Finish(usize),
    Die(usize),
    GiveBack(usize),
    Cancel(usize),
    DieInTheMiddleOfWriting(usize),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(
        prop_oneof![
            4 => Just(Event::Take),
            3 => (0_usize..8).prop_map(Event::Finish),
            2 => (0_usize..8).prop_map(Event::Die),
            1 => (0_usize..8).prop_map(Event::GiveBack),
            1 => (0_usize..8).prop_map(Event::Cancel),
            1 => (0_usize..8).prop_map(Event::DieInTheMiddleOfWriting),
        ],
        0..40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(bailiwick_fuzz::cases(96)))]

    #[test]
    fn every_package_has_one_verdict_whatever_dies(jobs in 1_usize..6, events in events()) {
        let (_kept, queue) = queue(jobs);
        let mut leases: Vec<Lease> = Vec::new();
        let mut first: std::collections::BTreeMap<Key, crate::verdict::JobResult> = Default::default();
        for event in events {
            match event {
                Event::Take => if let Taken::Job(lease) = queue.take().unwrap() {
                    prop_assert!(lease.attempt() <= MOST_ATTEMPTS);
                    prop_assert!(leases.iter().all(|other| other.job().key != lease.job().key), "two workers on one job");
                    prop_assert!(!queue.has_result(&lease.job().key));
                    leases.push(*lease);
                },
                Event::Finish(at) if at < leases.len() => finish(&leases.remove(at), Verdict::Succeeded),
                Event::Die(at) if at < leases.len() => drop(leases.remove(at)),
                Event::GiveBack(at) if at < leases.len() => leases.remove(at).give_back().unwrap(),
                Event::Cancel(at) if at < jobs => queue.cancel(Some(&queue.manifest().jobs[at].key)).unwrap(),
                Event::DieInTheMiddleOfWriting(at) if at < leases.len() => {
                    let lease = leases.remove(at);
                    let beside = queue.directory().join("results").join(format!(".{}.json.1.tmp", lease.job().key));
                    fs::write(beside, "{\"verdict\":").unwrap();
                }
                _ => {}
            }
            // A result that was left is never another one afterwards.
            for result in queue.results().unwrap() {
                let before = first.entry(result.key.clone()).or_insert_with(|| result.clone());
                prop_assert_eq!(&*before, &result);
            }
        }
        drop(leases);
        loop {
            match queue.take().unwrap() {
                Taken::Job(lease) => finish(&lease, Verdict::Failed),
                Taken::Wait => prop_assert!(false, "no worker is at work"),
                Taken::Done => break,
            }
        }
        let report = Report::of(queue.manifest(), &queue.results().unwrap()).unwrap();
        prop_assert!(report.complete);
        prop_assert_eq!(report.counts.values().sum::<usize>(), jobs + 1);
        prop_assert_eq!(report.rows.len(), jobs + 1);
    }
}
