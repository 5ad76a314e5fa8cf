//! Contents outside the rules can be neither read nor changed, by any kind of operation.

use std::fs;
use std::os::unix::fs::symlink;

use bailiwick_process::ProcessError;

use crate::{assert_done, assert_refused, place, probe, rules, run, text, unconfined};

#[tokio::test]
async fn every_kind_of_change_inside_is_done() {
    let place = place();
    let inside = |name: &str| text(&place.inside.join(name)).to_owned();
    let rules = rules(&place.inside);
    fs::create_dir(inside("d")).unwrap();
    for arguments in [
        &["write", &inside("a")][..],
        &["append", &inside("a")],
        &["read", &inside("a")],
        &["truncate", &inside("a")],
        &["rename", &inside("a"), &inside("d/b")],
        &["link", &inside("d/b"), &inside("c")],
        &["symlink", "c", &inside("s")],
        &["directory", &inside("e")],
        &["fifo", &inside("f")],
        &["remove", &inside("c")],
        &["list", &inside("d")],
        &["write", "/dev/null"],
        &["list", "/usr"],
    ] {
        assert_done(&probe(arguments, &rules).await);
    }
}

#[tokio::test]
async fn every_kind_of_change_outside_is_refused() {
    let place = place();
    let inside = |name: &str| text(&place.inside.join(name)).to_owned();
    let outside = |name: &str| text(&place.outside.join(name)).to_owned();
    let rules = rules(&place.inside);
    fs::write(inside("own"), "own").unwrap();
    fs::write(outside("canary"), "canary").unwrap();
    for arguments in [
        &["read", &outside("canary")][..],
        &["list", &outside("")],
        &["write", &outside("new")],
        &["append", &outside("canary")],
        &["truncate", &outside("canary")],
        &["rename", &outside("canary"), &inside("stolen")],
        &["rename", &inside("own"), &outside("dropped")],
        &["link", &outside("canary"), &inside("linked")],
        &["link", &inside("own"), &outside("linked")],
        &["symlink", "canary", &outside("s")],
        &["directory", &outside("d")],
        &["fifo", &outside("f")],
        &["remove", &outside("canary")],
        &["write", &inside("../outside/new")],
    ] {
        let said = probe(arguments, &rules).await;
        assert!(said.starts_with("refused "), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_to_string(outside("canary")).unwrap(), "canary");
    assert_eq!(fs::read_dir(&place.outside).unwrap().count(), 1);
    // Without confinement the same attempts succeed.
    assert_done(&unconfined(&["truncate", &outside("canary")]).await);
    assert_done(&unconfined(&["rename", &outside("canary"), &inside("stolen")]).await);
}

#[tokio::test]
async fn child_lists_a_directory_and_reads_nothing_in_it_but_what_else_is_named() {
    let place = place();
    let inside = |name: &str| text(&place.inside.join(name)).to_owned();
    let outside = |name: &str| text(&place.outside.join(name)).to_owned();
    fs::create_dir(outside("hidden")).unwrap();
    fs::write(outside("hidden/canary"), "canary").unwrap();
    let mut rules = rules(&place.inside);
    rules.list.push(place.outside.clone());
    // More than a process may have open at once as it is.
    for number in 0..1_500 {
        let shown = place.outside.join(format!("shown-{number}"));
        fs::write(&shown, "shown").unwrap();
        rules.read.push(shown);
    }
    for arguments in [&["list", &outside("")][..], &["list", &outside("hidden")], &["read", &outside("shown-1499")]] {
        assert_done(&probe(arguments, &rules).await);
    }
    for arguments in [
        &["read", &outside("hidden/canary")][..],
        &["link", &outside("hidden/canary"), &inside("linked")],
        &["rename", &outside("hidden"), &inside("stolen")],
        &["write", &outside("new")],
    ] {
        let said = probe(arguments, &rules).await;
        assert!(said.starts_with("refused "), "{arguments:?}: {said}");
    }
}

#[tokio::test]
async fn what_may_be_read_cannot_be_changed() {
    let place = place();
    let file = place.outside.join("file");
    fs::write(&file, "kept").unwrap();
    let mut rules = rules(&place.inside);
    rules.read.push(place.outside.clone());
    assert_eq!(probe(&["read", text(&file)], &rules).await, "done kept");
    for operation in ["append", "truncate", "remove", "write"] {
        assert_refused(&probe(&[operation, text(&file)], &rules).await);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[tokio::test]
async fn single_file_can_be_granted() {
    let place = place();
    let (granted, other) = (place.outside.join("granted"), place.outside.join("other"));
    fs::write(&granted, "granted").unwrap();
    fs::write(&other, "other").unwrap();
    let mut rules = rules(&place.inside);
    rules.write.push(granted.clone());
    assert_done(&probe(&["append", text(&granted)], &rules).await);
    assert_refused(&probe(&["append", text(&other)], &rules).await);
    assert_refused(&probe(&["remove", text(&granted)], &rules).await);
}

#[tokio::test]
async fn secret_in_the_home_directory_is_refused() {
    let place = place();
    let home = place.outside.join("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id"), "secret").unwrap();
    let said = probe(&["read", text(&home.join(".ssh/id"))], &rules(&place.inside)).await;
    assert_refused(&said);
    // The real one as well, where there is one.
    if let Some(home) = std::env::home_dir() {
        assert_refused(&probe(&["list", text(&home)], &rules(&place.inside)).await);
    }
    assert_refused(&probe(&["read", "/etc/shadow"], &rules(&place.inside)).await);
}

#[tokio::test]
async fn symlinks_inside_that_point_outside_are_refused() {
    let place = place();
    fs::write(place.outside.join("canary"), "canary").unwrap();
    symlink(place.outside.join("canary"), place.inside.join("file")).unwrap();
    symlink(&place.outside, place.inside.join("directory")).unwrap();
    symlink(place.outside.join("new"), place.inside.join("dangling")).unwrap();
    let rules = rules(&place.inside);
    for (operation, name) in [
        ("read", "file"),
        ("append", "file"),
        ("truncate", "file"),
        ("list", "directory"),
        ("read", "directory/canary"),
        ("write", "directory/new"),
        ("write", "dangling"),
    ] {
        assert_refused(&probe(&[operation, text(&place.inside.join(name))], &rules).await);
    }
    assert_eq!(fs::read_to_string(place.outside.join("canary")).unwrap(), "canary");
    assert!(!place.outside.join("new").exists());
}

#[tokio::test]
async fn device_node_cannot_be_made_even_inside() {
    let place = place();
    let path = place.inside.join("disk");
    assert_refused(&probe(&["block-device", text(&path)], &rules(&place.inside)).await);
    assert!(!path.exists());
}

#[tokio::test]
async fn commands_to_devices_are_refused() {
    let place = place();
    if !crate::enforces("device rules") {
        return crate::skip("this kernel has no rules for commands to devices");
    }
    let said = probe(&["device-command", "/dev/null"], &rules(&place.inside)).await;
    assert!(said.contains("PermissionDenied"), "{said}");
    let said = unconfined(&["device-command", "/dev/null"]).await;
    assert!(!said.contains("PermissionDenied"), "{said}");
}

#[tokio::test]
async fn rule_that_leads_through_a_symlink_is_refused() {
    let place = place();
    symlink(&place.outside, place.inside.join("link")).unwrap();
    for read in [false, true] {
        let mut rules = rules(&place.inside);
        let list = if read { &mut rules.read } else { &mut rules.write };
        list.push(place.inside.join("link/below"));
        fs::create_dir_all(place.outside.join("below")).unwrap();
        let refused =
            run(&crate::probe_command(&["list", "/usr"], bailiwick_process::Confinement::Confined(rules))).await;
        assert!(
            matches!(&refused, Err(ProcessError::Rule { reason, .. }) if reason.contains("symbolic link")),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn missing_path_is_skipped_for_reading_and_an_error_for_writing() {
    let place = place();
    let mut rules = rules(&place.inside);
    rules.read.push(place.outside.join("missing"));
    assert_done(&probe(&["list", "/usr"], &rules).await);
    rules.write.push(place.outside.join("missing"));
    let refused = run(&crate::probe_command(&["list", "/usr"], bailiwick_process::Confinement::Confined(rules))).await;
    assert!(matches!(refused, Err(ProcessError::Rule { .. })), "{refused:?}");
}
