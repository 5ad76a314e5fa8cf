//! What was added is what is handed out, and what was approved is what may be used.

use super::*;
use crate::approval::{How, Standing};
use crate::manifest::Manifest;
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

fn store() -> (tempfile::TempDir, Store) {
    let base = tempfile::tempdir().unwrap();
    let store = Store::at(base.path().join("state/tools"));
    (base, store)
}

fn plain(name: &str, bytes: &[u8]) -> Release {
    Release {
        digest: Digest::of(bytes),
        tools: vec![name.to_owned()],
        manifest: None,
        words: Some(Digest::of(b"words")),
        source: Source::File("/x.wasm".into()),
    }
}

fn asking(name: &str, bytes: &[u8], access: &str) -> Release {
    let text = format!(
        "schema = 1\nname = \"{name}\"\nversion = \"1\"\ndescription = \"d\"\ncomponent = \"t.wasm\"\n[[directories]]\n\
         name = \"repo\"\naccess = \"{access}\"\nreason = \"r\""
    );
    Release { manifest: Some(Manifest::parse(&text).unwrap()), ..plain(name, bytes) }
}

fn add(store: &Store, name: &str, bytes: &[u8]) -> Result<Entry> {
    store.add(name, bytes, plain(name, bytes), |_| Ok(()))
}

fn approval(release: &Release) -> Approval {
    Approval { binding: release.binding().unwrap(), at: 1, how: How::Terminal, pins: BTreeMap::new() }
}

fn standing(store: &Store, name: &str) -> Standing {
    store.entry(name).unwrap().standing()
}

#[test]
fn what_was_added_is_there_for_its_user_alone_and_gone_when_removed() {
    let (_base, store) = store();
    assert!(store.list().unwrap().is_empty());
    add(&store, "a", b"one").unwrap();
    add(&store, "b", b"one").unwrap();
    let (entry, bytes) = store.read("a").unwrap();
    assert_eq!((bytes.as_slice(), entry.current.tools.clone()), (&b"one"[..], vec!["a".to_owned()]));
    assert_eq!(entry.standing(), Standing::Unasking);
    for path in [store.directory.clone(), store.components()] {
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);
    }
    let component = store.file(&entry.current.digest);
    store.remove("a").unwrap();
    assert!(component.is_file(), "another name still has it");
    store.remove("b").unwrap();
    assert!(!component.exists());
    assert!(matches!(store.remove("b"), Err(StoreError::Unknown { .. })));
}

#[test]
fn component_that_was_changed_or_swapped_is_refused_by_name() {
    let (_base, store) = store();
    let entry = add(&store, "a", b"one").unwrap();
    std::fs::write(store.file(&entry.current.digest), b"two").unwrap();
    let refused = store.read("a").unwrap_err();
    assert!(matches!(refused, StoreError::Exchanged { .. }), "{refused}");
    assert!(refused.to_string().contains("`a`"), "{refused}");
    std::fs::remove_file(store.file(&entry.current.digest)).unwrap();
    assert!(matches!(store.read("a"), Err(StoreError::Unreadable { .. })));
}

#[test]
fn directory_that_others_can_write_to_is_refused() {
    let (_base, store) = store();
    add(&store, "a", b"one").unwrap();
    for path in [store.directory.clone(), store.components()] {
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o777)).unwrap();
        assert!(matches!(store.read("a"), Err(StoreError::NotPrivate(_))), "{}", path.display());
        assert!(matches!(add(&store, "b", b"two"), Err(StoreError::NotPrivate(_))));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o700)).unwrap();
    }
    store.read("a").unwrap();
}

#[test]
fn index_of_another_form_is_neither_read_nor_written_over() {
    let (_base, store) = store();
    add(&store, "a", b"one").unwrap();
    let outside = r#"{"version":1,"components":{"a":{"digest":"../../x","tools":[]}}}"#;
    let entry = r#"{"current":{"digest":"sha256:../../x","tools":[]},"consent":"unasked"}"#;
    let second = format!(r#"{{"version":2,"components":{{"a":{entry}}}}}"#);
    for content in [
        outside,
        second.as_str(),
        "",
        "{",
        r#"{"version":3,"components":{}}"#,
        r#"{"version":1,"components":{},"more":1}"#,
        r#"{"version":2,"components":{},"more":1}"#,
    ] {
        std::fs::write(store.index(), content).unwrap();
        add(&store, "b", b"two").unwrap_err();
        assert_eq!(std::fs::read_to_string(store.index()).unwrap(), content);
    }
}

#[test]
fn index_of_the_first_form_is_read_and_written_in_the_second() {
    let (_base, store) = store();
    let entry = add(&store, "a", b"one").unwrap();
    let hex = entry.current.digest.hex();
    let first = format!(r#"{{"version":1,"components":{{"a":{{"digest":"{hex}","tools":["a"]}}}}}}"#);
    std::fs::write(store.index(), first).unwrap();
    let (read, bytes) = store.read("a").unwrap();
    assert_eq!((read.standing(), bytes.as_slice()), (Standing::Unasking, &b"one"[..]));
    add(&store, "b", b"two").unwrap();
    assert!(std::fs::read_to_string(store.index()).unwrap().contains("\"version\": 2"));
    assert_eq!(store.list().unwrap().len(), 2);
}

#[test]
fn adding_at_the_same_time_loses_nothing() {
    let (_base, store) = store();
    std::thread::scope(|scope| {
        for number in 0..8_u8 {
            let store = &store;
            scope.spawn(move || add(store, &format!("t{number}"), &[number]).unwrap());
        }
    });
    assert_eq!(store.list().unwrap().len(), 8);
}

#[test]
fn tool_that_asks_waits_for_approval_and_can_be_revoked() {
    let (_base, store) = store();
    let release = asking("a", b"one", "read");
    let entry = store.add("a", b"one", release.clone(), |_| Ok::<_, StoreError>(())).unwrap();
    assert_eq!(entry.standing(), Standing::Unapproved);
    assert!(!entry.standing().allows());
    store.approve("a", approval(&release)).unwrap();
    assert_eq!(standing(&store, "a"), Standing::Approved);
    store.revoke("a").unwrap();
    assert_eq!(standing(&store, "a"), Standing::Revoked);
    store.approve("a", approval(&release)).unwrap();
    assert_eq!(standing(&store, "a"), Standing::Approved);
}

#[test]
fn approval_holds_for_nothing_but_what_was_shown() {
    let (_base, store) = store();
    let release = asking("a", b"one", "read");
    store.add("a", b"one", release.clone(), |_| Ok::<_, StoreError>(())).unwrap();
    for other in [
        asking("a", b"two", "read"),
        asking("a", b"one", "write"),
        Release { words: Some(Digest::of(b"other")), ..release.clone() },
    ] {
        assert!(matches!(store.approve("a", approval(&other)), Err(StoreError::Moved(_))));
    }
    store.approve("a", approval(&release)).unwrap();
    // The index is edited by hand: the digest, what is asked for, what is said, or the approval of another tool.
    let text = std::fs::read_to_string(store.index()).unwrap();
    let current = text.find("\"current\"").unwrap();
    let consent = text.find("\"consent\"").unwrap();
    let other = Digest::of(b"two").to_string();
    let edits = [
        (release.digest.to_string(), other.clone(), "the component"),
        ("\"access\": \"read\"".to_owned(), "\"access\": \"write\"".to_owned(), "what it asks for"),
        (release.words.clone().unwrap().to_string(), other, "what it says of itself"),
    ];
    for (from, to, what) in edits {
        let edited = format!("{}{}{}", &text[..current], text[current..consent].replace(&from, &to), &text[consent..]);
        assert_ne!(edited, text);
        std::fs::write(store.index(), edited).unwrap();
        assert_eq!(standing(&store, "a"), Standing::Changed(vec![what]));
        assert!(store.entry("a").unwrap().approval().is_none());
    }
}

#[test]
fn update_waits_beside_while_the_old_one_stays_in_use() {
    let (_base, store) = store();
    let check = |_: &_| Ok::<_, StoreError>(());
    let old = asking("a", b"one", "read");
    store.add("a", b"one", old.clone(), check).unwrap();
    store.approve("a", approval(&old)).unwrap();
    let shown = Release { source: Source::File("/elsewhere.wasm".into()), ..old.clone() };
    store.update("a", b"one", shown, check).unwrap();
    assert_eq!(standing(&store, "a"), Standing::Approved, "where it comes from is only shown");

    let new = asking("a", b"two", "write");
    let entry = store.update("a", b"two", new.clone(), check).unwrap();
    assert_eq!((entry.standing(), &entry.current.digest), (Standing::Approved, &old.digest));
    assert_eq!(store.read("a").unwrap().1, b"one");
    assert_eq!(store.component("a", &new.digest).unwrap(), b"two");
    assert!(matches!(store.approve("a", approval(&old)), Err(StoreError::Moved(_))), "the new one is asked about");
    let entry = store.approve("a", approval(&new)).unwrap();
    assert_eq!((entry.standing(), entry.previous), (Standing::Approved, vec![old.digest.clone()]));
    assert_eq!(store.read("a").unwrap().1, b"two");
    assert!(!store.file(&old.digest).exists());

    // What is revoked stays so whatever comes after it.
    store.revoke("a").unwrap();
    store.update("a", b"one", old, check).unwrap();
    assert_eq!(standing(&store, "a"), Standing::Revoked);
    store.update("a", b"three", plain("a", b"three"), check).unwrap();
    assert_eq!(standing(&store, "a"), Standing::Revoked);
}

#[test]
fn update_that_asks_for_something_first_needs_approval_and_leaves_the_other_in_use() {
    let (_base, store) = store();
    let check = |_: &_| Ok::<_, StoreError>(());
    add(&store, "a", b"one").unwrap();
    let entry = store.update("a", b"two", plain("a", b"two"), check).unwrap();
    assert_eq!((entry.standing(), entry.current.digest.clone()), (Standing::Unasking, Digest::of(b"two")));
    let entry = store.update("a", b"three", asking("a", b"three", "read"), check).unwrap();
    assert_eq!((entry.standing(), entry.current.digest), (Standing::Unasking, Digest::of(b"two")));
    assert_eq!(entry.update.unwrap().digest, Digest::of(b"three"));
}
