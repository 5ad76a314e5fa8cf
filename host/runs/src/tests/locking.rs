//! One writer for each directory.

use std::cell::RefCell;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use bailiwick_base::files::failpoint::{arm_calls, disarm};

use super::{Scene, assert_same, request, status, tree};
use crate::{BeginRun, Run, Status, Store, StoreError};

fn busy(result: Result<Run, StoreError>) -> Option<crate::RunId> {
    match result {
        Err(StoreError::Busy { run, .. }) => run,
        other => panic!("{other:?}"),
    }
}

#[test]
fn second_run_is_refused_with_the_name_of_the_first() {
    let scene = Scene::new();
    let run = scene.begin();
    let before = scene.picture();
    let error = scene.store().begin(scene.request()).unwrap_err();
    let sdk = scene.sdk().canonicalize().unwrap();
    assert_eq!(error.to_string(), format!("`{}` is in use by the run `{}`", sdk.display(), run.id()));
    assert_same(&scene.picture(), &before);
    drop(run);
    scene.begin();
}

#[test]
fn run_of_another_store_on_the_same_package_is_refused_and_recovers_nothing_meanwhile() {
    let scene = Scene::new();
    let other = || Store::open(&scene.path("state-of-another")).unwrap();
    let package = || request(vec![tree("sdk", &scene.sdk())]);
    let run = scene.store().begin(package()).unwrap();
    let before = scene.picture();
    let sdk = scene.sdk().canonicalize().unwrap();
    let error = other().begin(package()).unwrap_err();
    assert!(matches!(&error, StoreError::Busy { root, run: None } if *root == sdk), "{error}");
    assert_same(&scene.picture(), &before);
    drop(run);
    // The first store's run died. As long as the other works there, it is not undone beneath it.
    let at_work = other().begin(package()).unwrap();
    fs::write(scene.sdk().join("setup.py"), "of the other").unwrap();
    assert!(scene.store().recovered().is_empty());
    assert_eq!(fs::read(scene.sdk().join("setup.py")).unwrap(), b"of the other");
    drop(at_work);
    assert_eq!(other().recovered().len(), 1);
}

#[test]
fn directories_around_and_inside_are_busy_and_others_are_not() {
    let scene = Scene::new();
    let store = scene.store();
    let sdk = request(vec![tree("sdk", &scene.sdk())]);
    let inner = || request(vec![tree("inner", &scene.sdk().join("azure/widget"))]);
    let sibling = request(vec![tree("sibling", &scene.sdk().join("ignored"))]);
    let run = store.begin(sdk.clone()).unwrap();
    assert_eq!(busy(store.begin(inner())).as_ref(), Some(run.id()));
    let spec = store.begin(request(vec![tree("spec", &scene.spec())])).unwrap();
    drop((run, spec));
    let run = store.begin(inner()).unwrap();
    assert_eq!(busy(store.begin(sdk)).as_ref(), Some(run.id()), "named although it holds another directory");
    store.begin(sibling).unwrap();
}

#[test]
fn of_two_runs_that_begin_at_once_on_overlapping_directories_one_is_busy() {
    for step in 0.. {
        let scene = Scene::quick();
        let (other, theirs) = (scene.store(), Rc::new(RefCell::new(None)));
        let (inner, result) = (scene.sdk().join("azure"), Rc::clone(&theirs));
        arm_calls(vec![(
            step,
            Box::new(move || {
                *result.borrow_mut() = Some(other.begin(request(vec![tree("inner", &inner)])));
            }),
        )]);
        let ours = scene.store().begin(scene.request());
        if disarm() <= step {
            assert!(step > 10, "{step}");
            break;
        }
        let theirs = theirs.take().unwrap();
        assert!(ours.is_ok() != theirs.is_ok(), "step {step}: {ours:?} {theirs:?}");
        if let (Ok(ours), Err(error)) = (&ours, &theirs) {
            assert!(matches!(error, StoreError::Busy { run: Some(run), .. } if run == ours.id()), "{error}");
        }
    }
}

#[test]
fn one_of_several_roots_is_enough_to_be_busy() {
    let scene = Scene::new();
    let store = scene.store();
    let run = store.begin(request(vec![tree("spec", &scene.spec())])).unwrap();
    assert_eq!(busy(store.begin(scene.request())).as_ref(), Some(run.id()));
    // What was locked before the busy one was found is free again.
    store.begin(request(vec![tree("sdk", &scene.sdk())])).unwrap();
}

#[test]
fn directory_is_the_same_under_another_path() {
    let scene = Scene::new();
    let run = scene.begin();
    std::os::unix::fs::symlink(scene.sdk(), scene.path("alias")).unwrap();
    let other = request(vec![tree("x", &scene.path("alias"))]);
    assert_eq!(busy(scene.store().begin(other)).as_ref(), Some(run.id()));
}

#[test]
fn root_that_was_moved_while_a_run_holds_it_stays_busy() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::rename(scene.sdk(), scene.path("moved")).unwrap();
    let other = request(vec![tree("x", &scene.path("moved"))]);
    assert_eq!(busy(scene.store().begin(other)).as_ref(), Some(run.id()));
}

#[test]
fn revert_does_not_wait_and_names_the_run_in_progress() {
    let scene = Scene::new();
    let run = scene.begin();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    let id = super::finish(run);
    let run = scene.begin();
    match scene.store().revert(&id) {
        Err(StoreError::Busy { run: Some(holder), .. }) => assert_eq!(holder, *run.id()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_that_take_the_same_roots_in_any_order_never_wait_for_one_another() {
    let scene = Scene::new();
    let roots = [tree("one", &scene.sdk()), tree("two", &scene.spec())];
    let [forth, back] = [roots.clone(), [roots[1].clone(), roots[0].clone()]].map(|roots| request(roots.into()));
    let state = scene.path("state");
    let attempts = |begin: BeginRun| {
        let store = Store::open(&state).unwrap();
        (0..40)
            .filter(|_| {
                store.begin(begin.clone()).is_ok_and(|run| run.finish(Status::Unchanged, &super::null()).is_ok())
            })
            .count()
    };
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(|| attempts(back));
        (attempts(forth), other.join().unwrap())
    });
    assert!(one + two > 0);
    assert!(scene.store().list().unwrap().iter().all(|run| run.status == Status::Unchanged));
}

/// Runs the test `name` of this very program in a process of its own.
pub(super) fn child(name: &str, scene: &Scene, extra: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("tests::{name}"), "--nocapture"])
        .env("BAILIWICK_RUNS_CHILD", scene.directory.path())
        .env("BAILIWICK_RUNS_EXTRA", extra)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The scene of the parent process; `None` in the parent.
pub(super) fn childs_scene() -> Option<(std::path::PathBuf, String)> {
    let directory = std::env::var_os("BAILIWICK_RUNS_CHILD")?;
    Some((directory.into(), std::env::var("BAILIWICK_RUNS_EXTRA").unwrap_or_default()))
}

#[test]
fn holds_a_run_until_it_is_killed() {
    let Some((directory, _)) = childs_scene() else { return };
    let store = Store::open(&directory.join("state")).unwrap();
    let _run = store.begin(request(vec![tree("sdk", &directory.join("sdk"))])).unwrap();
    fs::write(directory.join("sdk/setup.py"), "half done").unwrap();
    fs::write(directory.join("ready"), "").unwrap();
    loop {
        std::thread::park();
    }
}

#[test]
fn dead_process_keeps_no_lock_and_its_run_is_undone() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut child = child("locking::holds_a_run_until_it_is_killed", &scene, "");
    let start = Instant::now();
    while !scene.path("ready").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the child did not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let store = scene.store();
    assert_eq!(store.recovered(), [], "its process lives");
    let held = busy(store.begin(scene.request())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let run = store.begin(scene.request()).unwrap();
    assert_same(&scene.picture(), &before);
    assert_eq!(status(&store, &held), Status::Reverted);
    drop(run);
}
