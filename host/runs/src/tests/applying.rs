//! Changes land together or not at all.

use std::fs;
use std::os::unix::fs::symlink;

use bailiwick_base::files::failpoint::{Call, Mode, arm, arm_calls, disarm};

use super::{Scene, assert_same, assert_tidy, change, mode, timeless};
use crate::{ApplyError, Change};

fn several() -> Vec<Change> {
    vec![
        change("sdk", "setup.py", Some("setup()\n"), Some("setup(2)\n")),
        change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("changed\n")),
        change("sdk", "azure/widget/_new.py", None, Some("new\n")),
        change("spec", "new/deep/extra.tsp", None, Some("deep\n")),
        change("sdk", "azure/widget/_patch.py", Some("# by hand\n"), None),
        change("sdk", "locked/run.sh", Some("#!/bin/sh\n"), Some("#!/bin/bash\n")),
    ]
}

fn check_several(scene: &Scene) {
    let read = |path: &str| fs::read_to_string(scene.path(path)).ok();
    assert_eq!(read("sdk/setup.py").as_deref(), Some("setup(2)\n"));
    assert_eq!(read("spec/client.tsp").as_deref(), Some("changed\n"));
    assert_eq!(read("sdk/azure/widget/_new.py").as_deref(), Some("new\n"));
    assert_eq!(read("spec/new/deep/extra.tsp").as_deref(), Some("deep\n"));
    assert_eq!(read("sdk/azure/widget/_patch.py"), None);
    assert_eq!(super::picture(&scene.sdk())["/locked/run.sh"].mode & 0o7777, 0o755, "modes stay");
    assert_tidy(&scene.picture());
}

#[test]
fn several_changes_land_and_are_undone_by_a_restore() {
    let scene = Scene::new();
    let before = scene.picture();
    let mut run = scene.begin();
    run.apply(&several()).unwrap();
    check_several(&scene);
    assert!(!run.directory().join("journal.json").exists());
    run.restore().unwrap();
    let now = timeless(scene.picture());
    assert_same(&now, &timeless(before));
}

#[test]
fn several_changes_land_where_files_cannot_be_exchanged() {
    let scene = Scene::new();
    let mut run = scene.begin();
    arm(0, Mode::NoExchange);
    let result = run.apply(&several());
    disarm();
    result.unwrap();
    check_several(&scene);
}

type Spoil = (&'static str, Change, fn(&Scene));

#[test]
fn one_refused_change_keeps_all_others_away() {
    let nothing: fn(&Scene) = |_| {};
    let cases: &[Spoil] = &[
        ("other content", change("sdk", "setup.py", Some("other"), Some("x")), nothing),
        ("must not exist", change("sdk", "setup.py", None, Some("x")), nothing),
        ("must exist", change("sdk", "missing.py", Some("x"), Some("y")), nothing),
        ("must exist in a missing directory", change("sdk", "no/way.py", Some("x"), Some("y")), nothing),
        ("removal of another content", change("sdk", "setup.py", Some("other"), None), nothing),
        ("link", change("sdk", "link", Some("setup()\n"), Some("x")), nothing),
        ("directory", change("sdk", "azure", None, Some("x")), nothing),
        ("through a link", change("sdk", "to-directory/_patch.py", Some("# by hand\n"), Some("x")), nothing),
        ("through a file", change("sdk", "setup.py/x", None, Some("x")), nothing),
        ("not covered", change("spec", "main.tsp", Some("namespace A;\n"), Some("x")), nothing),
        ("skipped", change("sdk", ".git/objects/pack", Some("git's own"), Some("x")), nothing),
        ("unknown root", change("other", "a", None, Some("x")), nothing),
        ("leads out", change("sdk", "../spec/main.tsp", Some("namespace A;\n"), Some("x")), nothing),
        ("absolute", change("sdk", "/etc/passwd", None, Some("x")), nothing),
        ("twice", change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("y")), nothing),
        ("a link where the file was", change("sdk", "setup.py", Some("setup()\n"), Some("x")), |scene| {
            fs::write(scene.path("outside"), "setup()\n").unwrap();
            fs::remove_file(scene.sdk().join("setup.py")).unwrap();
            symlink(scene.path("outside"), scene.sdk().join("setup.py")).unwrap();
        }),
    ];
    for (name, bad, spoil) in cases {
        let scene = Scene::new();
        let mut run = scene.begin();
        spoil(&scene);
        let before = scene.picture();
        let good = change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("changed"));
        for changes in [[good.clone(), bad.clone()], [bad.clone(), good]] {
            let error = run.apply(&changes).unwrap_err();
            assert_same(&scene.picture(), &before);
            assert!(!error.to_string().ends_with('.'), "{name}: {error}");
            assert!(!run.directory().join("journal.json").exists());
        }
    }
}

#[test]
fn conflict_tells_what_was_expected_and_found() {
    let scene = Scene::new();
    let mut run = scene.begin();
    let error = run.apply(&[change("sdk", "setup.py", Some("other"), Some("x"))]).unwrap_err();
    match &error {
        ApplyError::Conflict { path, expected, found } => {
            assert_eq!(path, "sdk/setup.py");
            assert_eq!(*expected, Some(crate::Digest::of(b"other")));
            assert_eq!(*found, Some(crate::Digest::of(b"setup()\n")));
        }
        other => panic!("{other}"),
    }
    assert!(error.hint().is_some());
}

/// Saves as editors do: written beside, then renamed.
fn save(path: std::path::PathBuf) -> Call {
    Box::new(move || {
        fs::write(path.with_extension("edit"), "saved by a person\n").unwrap();
        fs::rename(path.with_extension("edit"), path).unwrap();
    })
}

#[test]
fn what_a_person_saves_at_any_step_of_it_is_never_lost() {
    for fails in [false, true] {
        for step in 0.. {
            let scene = Scene::quick();
            let mut run = scene.begin();
            let mut calls = vec![(step, save(scene.sdk().join("setup.py")))];
            if fails {
                // After everything was checked, so that the first change is swapped in and taken back.
                calls.push((0, save(scene.spec().join("client.tsp"))));
            }
            arm_calls(calls);
            let result = run.apply(&[
                change("sdk", "setup.py", Some("setup()\n"), Some("setup(2)\n")),
                change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("changed\n")),
            ]);
            if disarm() <= step {
                assert!(step > 10, "{step}");
                break;
            }
            let read = |path: &str| fs::read_to_string(scene.path(path)).unwrap();
            assert_eq!(read("sdk/setup.py"), "saved by a person\n", "step {step}, {result:?}");
            match result {
                Ok(()) => assert_eq!(read("spec/client.tsp"), "changed\n"),
                Err(ApplyError::Conflict { .. }) if fails => {
                    assert_eq!(read("spec/client.tsp"), "saved by a person\n");
                }
                Err(ApplyError::Conflict { path, .. }) => {
                    assert_eq!(path, "sdk/setup.py");
                    assert_eq!(read("spec/client.tsp"), "import \"./main.tsp\";\n");
                }
                Err(other) => panic!("{other}"),
            }
            assert_tidy(&scene.picture());
        }
    }
}

#[test]
fn file_that_a_person_creates_at_any_step_of_it_is_never_lost() {
    for step in 0.. {
        let scene = Scene::quick();
        let mut run = scene.begin();
        arm_calls(vec![(step, save(scene.sdk().join("new.py"))), (0, save(scene.spec().join("client.tsp")))]);
        let result = run.apply(&[
            change("sdk", "new.py", None, Some("new\n")),
            change("spec", "client.tsp", Some("import \"./main.tsp\";\n"), Some("changed\n")),
        ]);
        if disarm() <= step {
            break;
        }
        assert!(matches!(result, Err(ApplyError::Conflict { .. })), "{result:?}");
        assert_eq!(fs::read(scene.sdk().join("new.py")).unwrap(), b"saved by a person\n", "step {step}");
        assert_tidy(&scene.picture());
    }
}

#[test]
fn changes_that_change_nothing_touch_nothing() {
    let scene = Scene::new();
    let mut run = scene.begin();
    let before = scene.picture();
    run.apply(&[
        change("sdk", "setup.py", Some("setup()\n"), Some("setup()\n")),
        change("sdk", "missing.py", None, None),
    ])
    .unwrap();
    run.apply(&[]).unwrap();
    assert_same(&scene.picture(), &before);
}

#[test]
fn failure_at_any_step_leaves_every_file_as_it_was() {
    for exchange in [true, false] {
        let mut failed = 0;
        for step in 0.. {
            let scene = Scene::quick();
            mode(&scene.sdk().join("setup.py"), 0o4711);
            let mut run = scene.begin();
            // An earlier change of the same run has to survive.
            run.apply(&[change("sdk", "azure/widget/py.typed", Some(""), Some("earlier"))]).unwrap();
            let before = timeless(scene.picture());
            arm(step, if exchange { Mode::Error } else { Mode::ErrorWithoutExchange });
            let result = run.apply(&several());
            let passed = disarm();
            if let Err(error) = result {
                failed += 1;
                let applied = matches!(fs::read(scene.sdk().join("setup.py")).as_deref(), Ok(b"setup(2)\n"));
                // The last steps (journal, event) come after the change is complete.
                if applied {
                    check_several(&scene);
                    assert!(matches!(error, ApplyError::Store(_)), "{error}");
                } else {
                    assert_same(&timeless(scene.picture()), &before);
                }
            } else {
                check_several(&scene);
                if passed <= step {
                    break;
                }
            }
        }
        assert!(failed > 20, "{failed}");
    }
}
