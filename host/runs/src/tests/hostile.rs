//! A build that works against the restore.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bailiwick_base::files::failpoint::{arm_calls, disarm};

use super::{Scene, age, assert_same, change, mode, picture};

/// Swaps a directory for a link to a directory outside and back, for as long as it may.
fn swap(sdk: &Path, outside: &Path, stop: &AtomicBool) {
    let (victim, parked) = (sdk.join("azure/widget"), sdk.join("parked"));
    while !stop.load(Ordering::Relaxed) {
        if fs::rename(&victim, &parked).is_ok() && symlink(outside, &victim).is_ok() {
            std::thread::yield_now();
            let _ = fs::remove_file(&victim);
        }
        let _ = fs::rename(&parked, &victim);
    }
}

#[test]
fn directory_swapped_for_a_link_during_the_restore_leads_nowhere() {
    let scene = Scene::new();
    let outside = scene.path("outside");
    fs::create_dir_all(outside.join("models")).unwrap();
    for name in ["_client.py", "_patch.py", "keep.txt", "models/_models.py", "models/keep.txt"] {
        fs::write(outside.join(name), "outside").unwrap();
    }
    mode(&outside.join("_client.py"), 0o640);
    age(&outside);
    let untouched = picture(&outside);
    let before = scene.picture();
    let mut run = scene.begin();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sdk, stop) = (scene.sdk(), &stop);
        let outside = &outside;
        let swapper = scope.spawn(move || swap(&sdk, outside, stop));
        let mut ended = 0;
        for round in 0..400 {
            // The swapper is often in the way of this too.
            let _ = fs::write(scene.sdk().join("azure/widget/_new.py"), "new");
            let _ = fs::remove_file(scene.sdk().join("azure/widget/_client.py"));
            ended += u32::from(run.restore().is_ok());
            if round % 50 == 0 {
                // The test itself writes through the link above; only what it cannot have written counts.
                let _ = fs::remove_file(outside.join("_new.py"));
            }
        }
        stop.store(true, Ordering::Relaxed);
        swapper.join().unwrap();
        println!("{ended} of 400 restores ended");
    });
    let _ = fs::remove_file(outside.join("_new.py"));
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
    // The test's own writes may have gone through the link; the restore's may not.
    let mut now = picture(&outside);
    if !now.contains_key("/_client.py") {
        now.insert("/_client.py".into(), untouched["/_client.py"].clone());
    }
    assert_same(&super::timeless(now), &super::timeless(untouched));
}

#[test]
fn directory_swapped_for_a_link_at_any_step_of_the_restore_leads_nowhere() {
    for victim in ["azure/widget", "azure", "added/one"] {
        for step in 0.. {
            let scene = Scene::quick();
            let outside = scene.path("outside");
            fs::create_dir_all(outside.join("two")).unwrap();
            for name in ["_client.py", "_patch.py", "keep.txt", "two/three.py"] {
                fs::write(outside.join(name), "outside").unwrap();
            }
            age(&outside);
            let untouched = picture(&outside);
            let before = scene.picture();
            let mut run = scene.begin();
            super::work(&scene);
            let (path, parked, target) = (scene.sdk().join(victim), scene.sdk().join("parked"), outside.clone());
            let swap = move || {
                if fs::rename(&path, &parked).is_ok() {
                    symlink(&target, &path).unwrap();
                }
            };
            arm_calls(vec![(step, Box::new(swap))]);
            let result = run.restore();
            if disarm() <= step {
                assert!(step > 30, "{step}");
                break;
            }
            result.unwrap();
            // What is swapped after the last look is the next restore's.
            run.restore().unwrap();
            let mut now = scene.picture();
            now.insert("spec/".into(), before["spec/"].clone());
            assert_same(&now, &before);
            assert_same(&picture(&outside), &untouched);
        }
    }
}

#[test]
fn directory_nested_ten_thousand_times_is_removed() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    nest(&scene.sdk().join("azure"), 10_000);
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

/// Paths have a greatest length, so this goes down by handles.
fn nest(top: &Path, depth: usize) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let mut handle = openat(CWD, top, OFlags::DIRECTORY, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&handle, "d", Mode::RWXU).unwrap();
        handle = openat(&handle, "d", OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    openat(&handle, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
}

#[test]
fn root_swapped_for_a_link_is_refused() {
    let scene = Scene::new();
    let outside = scene.path("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("mine"), "mine").unwrap();
    let untouched = picture(&outside);
    let mut run = scene.begin();
    fs::rename(scene.sdk(), scene.path("parked")).unwrap();
    symlink(&outside, scene.sdk()).unwrap();
    assert!(run.restore().is_err());
    assert!(run.changed().is_err());
    assert!(run.apply(&[change("sdk", "mine", Some("mine"), Some("yours"))]).is_err());
    assert_same(&picture(&outside), &untouched);
}

#[test]
fn names_like_our_temporary_files_are_removed_and_restored_like_any() {
    let scene = Scene::new();
    let taken = ".bailiwick-20200101-000000-000-bbbbbbbb-r1";
    fs::write(scene.sdk().join(taken), "a person's choice").unwrap();
    age(&scene.sdk());
    let before = scene.picture();
    let mut run = scene.begin();
    fs::remove_file(scene.sdk().join(taken)).unwrap();
    for number in 0..40 {
        fs::create_dir(scene.sdk().join(format!(".bailiwick-{}-r{number}", run.id()))).unwrap();
    }
    fs::write(scene.sdk().join(".bailiwick-deep-0"), "in the way").unwrap();
    fs::write(scene.sdk().join("setup.py"), "x").unwrap();
    run.restore().unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn directory_swapped_for_a_link_at_any_step_of_an_apply_leads_nowhere() {
    for victim in ["azure/widget", "azure"] {
        for step in 0.. {
            let scene = Scene::quick();
            let outside = scene.path("outside");
            fs::create_dir_all(outside.join("widget")).unwrap();
            for name in ["_patch.py", "keep.txt", "widget/_patch.py"] {
                // What the change expects, so that the content alone does not refuse it.
                fs::write(outside.join(name), fs::read(scene.sdk().join("azure/widget/_patch.py")).unwrap()).unwrap();
            }
            age(&outside);
            let untouched = picture(&outside);
            let mut run = scene.begin();
            let before = scene.picture();
            let (path, parked, target) = (scene.sdk().join(victim), scene.sdk().join("parked"), outside.clone());
            let swap = move || {
                if fs::rename(&path, &parked).is_ok() {
                    symlink(&target, &path).unwrap();
                }
            };
            let old = fs::read_to_string(scene.sdk().join("azure/widget/_patch.py")).unwrap();
            arm_calls(vec![(step, Box::new(swap))]);
            let result = run.apply(&[
                change("sdk", "azure/widget/_patch.py", Some(&old), Some("edited\n")),
                change("sdk", "azure/widget/added.py", None, Some("added\n")),
            ]);
            if disarm() <= step {
                assert!(step > 10, "{step}");
                break;
            }
            assert_same(&picture(&outside), &untouched);
            // Whatever became of the apply, the run undoes all of it.
            run.restore().unwrap();
            run.restore().unwrap();
            let mut now = scene.picture();
            now.insert("spec/".into(), before["spec/"].clone());
            assert_same(&now, &before);
            drop(result);
        }
    }
}
