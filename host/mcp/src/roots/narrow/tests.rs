//! Roots of every sort against grants on a real disk.

use super::*;
use bailiwick_sandbox::{Access, Reserved};
use std::path::Path;

/// `work` (with `a`, `b` and a link `out` to the outside) and `other` are granted; `work_evil` and `outside` are not.
fn world() -> (tempfile::TempDir, Grants) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    for directory in ["work/a/deep", "work/b", "other", "work_evil", "outside"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    std::os::unix::fs::symlink(root.join("outside"), root.join("work/out")).unwrap();
    std::os::unix::fs::symlink(root.join("work/a"), root.join("to-a")).unwrap();
    std::fs::write(root.join("work/file"), "").unwrap();
    let grant = |name: &str| {
        let path = root.join(name);
        Grant::open(name, &path, Access::ReadWrite, &Reserved::none()).unwrap().called(path.to_str().unwrap())
    };
    let grants = Grants::new(vec![grant("work"), grant("other")]).unwrap();
    (base, grants)
}

/// What is left when the client has these roots beneath the base: names and where they really are, and how many notes.
fn left(roots: &[&str]) -> (Vec<(String, String)>, usize) {
    let (base, grants) = world();
    let root = base.path().canonicalize().unwrap();
    let uris: Vec<String> = roots.iter().map(|path| format!("file://{}{path}", root.display())).collect();
    let scope = narrow(&grants, &uris);
    let place = |grant: &Grant| {
        let place = grant.place().unwrap();
        Path::new("/").join(place.strip_prefix(&root).unwrap()).display().to_string()
    };
    (scope.grants.iter().map(|grant| (grant.name().to_owned(), place(grant))).collect(), scope.notes.len())
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, place)| ((*name).to_owned(), (*place).to_owned())).collect()
}

#[test]
fn roots_narrow_and_never_widen() {
    let both = [("work", "/work"), ("other", "/other")];
    for (roots, expected, notes) in [
        (&["/work/a"][..], &[("work/a", "/work/a")][..], 0),
        (&["/work/a", "/work/b"], &[("work/a", "/work/a"), ("work/b", "/work/b")], 0),
        (&["/work"], &[("work", "/work")], 0),
        (&["/work/", "/work/a"], &[("work", "/work")], 0),
        (&["/"], &both, 0),
        (&["/outside"], &[], 2),
        (&["/outside", "/other"], &[("other", "/other")], 1),
        (&["/work_evil"], &[], 2),
        // Beneath the handle it leads out.
        (&["/work/out"], &[], 2),
        (&["/work/missing"], &[], 2),
        (&["/work/file"], &[], 2),
        // Only the kernel can say where these lead, and it says beneath the grant.
        (&["/outside/../work/a"], &[("work/a", "/work/a")], 0),
        (&["/work/../outside"], &[], 2),
        (&["/to-a"], &[("work/a", "/work/a")], 0),
        (&["/%77ork/a"], &[("work/a", "/work/a")], 0),
    ] {
        assert_eq!(left(roots), (pairs(expected), notes), "{roots:?}");
    }
}

#[test]
fn uri_that_is_not_a_file_of_this_machine_is_ignored_and_told() {
    let (_base, grants) = world();
    let scope = narrow(&grants, &["https://example.com/\u{1b}[2J".to_owned()]);
    assert!(scope.grants.iter().next().is_none());
    assert!(scope.notes[0].contains("https://example.com/[2J") && scope.notes.len() == 2, "{:?}", scope.notes);
}

#[test]
fn narrowed_grant_is_called_as_the_client_calls_it_and_judges_sensitive_places_as_before() {
    let (base, grants) = world();
    let root = base.path().canonicalize().unwrap();
    let scope = narrow(&grants, &[format!("file://{}/to-a", root.display())]);
    let grant = scope.grants.iter().next().unwrap();
    let called = [format!("{}/to-a", root.display()), format!("{}/work/a", root.display())];
    assert_eq!(grant.names_of_callers(), called);
    assert_eq!(grant.access(), Access::ReadWrite);
}

#[test]
fn no_roots_leave_all_that_was_granted() {
    assert_eq!(left(&[]), (pairs(&[("work", "/work"), ("other", "/other")]), 0));
}
