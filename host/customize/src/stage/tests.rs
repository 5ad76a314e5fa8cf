//! Stages over real directories.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use tempfile::TempDir;

use super::{Stage, StageDifference, StageError, StageLimits, read_plain};
use crate::gate::Rule;

const LIMITS: StageLimits = StageLimits { file_bytes: 1_000, entries: 20 };

struct Fixture {
    repository: TempDir,
    stage: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let fixture =
            Self { repository: tempfile::tempdir().expect("tempdir"), stage: tempfile::tempdir().expect("tempdir") };
        fixture.write("azure/widget/_patch.py", "a = 1\n");
        fixture.write("azure/widget/_client.py", "generated\n");
        fixture
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.repository.path().join(path);
        fs::create_dir_all(path.parent().expect("parent")).expect("directory");
        fs::write(path, content).expect("written");
    }

    fn upper(&self) -> &Path {
        self.stage.path()
    }

    fn build(&self, editable: &[&str]) -> Result<Stage, StageError> {
        let editable: Vec<String> = editable.iter().map(|path| (*path).to_owned()).collect();
        Stage::build(&open(self.repository.path()), open(self.stage.path()), &editable, LIMITS)
    }

    fn built(&self) -> Stage {
        self.build(&["azure/widget/_patch.py", "client.tsp"]).expect("built")
    }
}

fn open(path: &Path) -> Dir {
    Dir::open_ambient_dir(path, ambient_authority()).expect("opened")
}

fn rules(difference: &StageDifference) -> Vec<Rule> {
    difference.violations.iter().map(|violation| violation.rule).collect()
}

#[test]
fn only_editable_files_are_staged_with_their_directories() {
    let fixture = Fixture::new();
    let stage = fixture.built();
    assert_eq!(fs::read(fixture.upper().join("azure/widget/_patch.py")).expect("read"), b"a = 1\n");
    assert!(!fixture.upper().join("azure/widget/_client.py").exists());
    assert!(!fixture.upper().join("client.tsp").exists());
    assert_eq!(stage.files()[0].content.as_deref(), Some(&b"a = 1\n"[..]));
    assert_eq!(stage.files()[1].content, None);
}

#[test]
fn file_in_a_directory_that_does_not_exist_yet_gets_the_directory() {
    let fixture = Fixture::new();
    fixture.build(&["new/deep/_patch.py"]).expect("built");
    assert!(fixture.upper().join("new/deep").is_dir());
}

#[test]
fn read_only_file_is_writable_in_the_stage() {
    let fixture = Fixture::new();
    let path = fixture.repository.path().join("azure/widget/_patch.py");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("mode");
    fixture.built();
    let mode = fs::metadata(fixture.upper().join("azure/widget/_patch.py")).expect("metadata").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn untouched_stage_has_no_difference() {
    let fixture = Fixture::new();
    let difference = fixture.built().collect().expect("collected");
    assert_eq!(difference, StageDifference { files: Vec::new(), violations: Vec::new() });
}

#[test]
fn changed_added_and_removed_files_are_collected() {
    let fixture = Fixture::new();
    let stage = fixture.built();
    fs::remove_file(fixture.upper().join("azure/widget/_patch.py")).expect("removed");
    fs::write(fixture.upper().join("client.tsp"), "new").expect("written");
    fs::write(fixture.upper().join("azure/widget/_client.py"), "evil").expect("written");
    let files = stage.collect().expect("collected").files;
    let seen: Vec<String> = files
        .iter()
        .map(|file| {
            let text =
                |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            format!("{} {:?} {:?}", file.path, text(&file.staged), text(&file.after))
        })
        .collect();
    assert_eq!(
        seen,
        [
            "azure/widget/_client.py None Some(\"evil\")",
            "azure/widget/_patch.py Some(\"a = 1\\n\") None",
            "client.tsp None Some(\"new\")",
        ]
    );
}

#[test]
fn what_took_the_place_of_a_repositorys_file_is_neither_followed_nor_waited_for() {
    let fixture = Fixture::new();
    let stage = fixture.built();
    let file = fixture.repository.path().join("azure/widget/_patch.py");
    assert_eq!(stage.present("azure/widget/_patch.py").as_deref(), Some(&b"a = 1\n"[..]));
    fs::remove_file(&file).expect("removed");
    rustix::fs::mkfifoat(rustix::fs::CWD, &file, rustix::fs::Mode::RWXU).expect("pipe");
    assert_eq!(stage.present("azure/widget/_patch.py"), None);
    fs::remove_file(&file).expect("removed");
    symlink(fixture.repository.path().join("azure/widget/_client.py"), &file).expect("linked");
    assert_eq!(stage.present("azure/widget/_patch.py"), None);
}

#[test]
fn links_pipes_and_second_names_are_violations_and_are_not_read() {
    let fixture = Fixture::new();
    let stage = fixture.built();
    let secret = fixture.repository.path().join("secret");
    fs::write(&secret, "secret").expect("written");
    let patch = fixture.upper().join("azure/widget/_patch.py");
    fs::hard_link(&patch, fixture.upper().join("twin.py")).expect("linked");
    symlink(&secret, fixture.upper().join("client.tsp")).expect("linked");
    symlink(fixture.repository.path(), fixture.upper().join("directory")).expect("linked");
    let pipe = fixture.upper().join("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).expect("pipe");
    let difference = stage.collect().expect("collected");
    assert_eq!(rules(&difference), [Rule::NotAPlainFile; 5]);
    assert!(difference.files.is_empty(), "{:?}", difference.files);
}

#[test]
fn name_that_is_not_text_is_a_violation_and_hides_no_other() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    let stage = fixture.built();
    fs::write(fixture.upper().join(std::ffi::OsStr::from_bytes(b"a\xff")), "x").expect("written");
    fs::write(fixture.upper().join("client.tsp"), "new").expect("written");
    let difference = stage.collect().expect("collected");
    assert_eq!(rules(&difference), [Rule::NameNotText]);
    assert_eq!(difference.files.len(), 1);
}

#[test]
fn too_much_is_a_violation() {
    let fixture = Fixture::new();
    let stage = fixture.built();
    fs::write(fixture.upper().join("client.tsp"), "x".repeat(1_001)).expect("written");
    assert_eq!(rules(&stage.collect().expect("collected")), [Rule::TooLarge]);

    let fixture = Fixture::new();
    let stage = fixture.built();
    for n in 0..30 {
        fs::write(fixture.upper().join(format!("file{n}")), "x").expect("written");
    }
    assert_eq!(rules(&stage.collect().expect("collected")), [Rule::StageTooLarge]);

    let fixture = Fixture::new();
    let roomy = StageLimits { entries: 500, ..LIMITS };
    let stage = Stage::build(&open(fixture.repository.path()), open(fixture.upper()), &[], roomy).expect("built");
    fs::create_dir_all(fixture.upper().join("d/".repeat(80))).expect("directories");
    assert_eq!(rules(&stage.collect().expect("collected")), [Rule::StageTooLarge]);
}

#[test]
fn link_in_the_repository_is_not_staged() {
    let fixture = Fixture::new();
    let outside = tempfile::tempdir().expect("tempdir");
    fs::write(outside.path().join("_patch.py"), "secret").expect("written");
    symlink(outside.path().join("_patch.py"), fixture.repository.path().join("_patch.py")).expect("linked");
    symlink(outside.path(), fixture.repository.path().join("linked")).expect("linked");
    for path in ["_patch.py", "linked/_patch.py"] {
        let error = fixture.build(&[path]).expect_err("refused");
        assert!(matches!(error, StageError::NotAPlainFile { .. }), "{path}: {error}");
    }
    assert!(fs::read_dir(fixture.upper()).expect("listed").next().is_none());
}

#[test]
fn paths_that_are_not_plain_are_refused() {
    let fixture = Fixture::new();
    for path in ["../x", "/etc/passwd", "a/../b", "a//b", "./a", "a/", ""] {
        let error = fixture.build(&[path]).expect_err("refused");
        assert!(matches!(error, StageError::BadPath { .. }), "{path}: {error}");
    }
}

#[test]
fn stage_starts_empty_and_within_its_limits() {
    let fixture = Fixture::new();
    fixture.built();
    assert!(matches!(fixture.build(&["client.tsp"]), Err(StageError::NotEmpty)));
    let fixture = Fixture::new();
    fixture.write("big.py", &"x".repeat(1_001));
    assert!(matches!(fixture.build(&["big.py"]), Err(StageError::TooLarge { .. })));
    let many: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(matches!(Fixture::new().build(&many), Err(StageError::TooMany { found: 21, limit: 20 })));
}

#[test]
fn plain_file_is_read_and_missing_one_is_absent() {
    let fixture = Fixture::new();
    let root = open(fixture.repository.path());
    assert_eq!(read_plain(&root, "azure/widget/_patch.py", 100).expect("read").as_deref(), Some(&b"a = 1\n"[..]));
    assert_eq!(read_plain(&root, "azure/none/_patch.py", 100).expect("read"), None);
    assert_eq!(read_plain(&root, "azure/widget/none", 100).expect("read"), None);
    assert!(matches!(read_plain(&root, "azure/widget", 100), Err(StageError::NotAPlainFile { .. })));
    assert!(matches!(read_plain(&root, "azure/widget/_patch.py/x", 100), Err(StageError::NotAPlainFile { .. })));
}

/// Another process of the same user exchanges what is being collected.
#[test]
fn what_is_exchanged_while_a_stage_is_collected_is_never_followed_and_judged_is_what_was_read() {
    const EDITS: [&str; 2] = ["a = 2\n", "a = 3\n"];
    let fixture = Fixture::new();
    let stage = fixture.built();
    let outside = tempfile::tempdir().expect("tempdir");
    fs::create_dir_all(outside.path().join("widget")).expect("directory");
    for name in ["secret", "_patch.py", "widget/_patch.py"] {
        fs::write(outside.path().join(name), "secret\n").expect("written");
    }
    let stop = std::sync::atomic::AtomicBool::new(false);
    let running = || !stop.load(std::sync::atomic::Ordering::Relaxed);
    std::thread::scope(|scope| {
        let (upper, outside) = (fixture.upper(), outside.path());
        scope.spawn(move || {
            let (file, fresh) = (upper.join("azure/widget/_patch.py"), upper.join("fresh"));
            let (directory, parked) = (upper.join("azure"), upper.join("parked"));
            for round in 0_usize.. {
                if !running() {
                    break;
                }
                // The file becomes a link, another text, and its directory a link.
                let _ = symlink(outside.join("secret"), &fresh).and_then(|()| fs::rename(&fresh, &file));
                let _ = fs::write(&fresh, EDITS[round % 2]).and_then(|()| fs::rename(&fresh, &file));
                if fs::rename(&directory, &parked).is_ok() {
                    let _ = symlink(outside, &directory);
                    std::thread::yield_now();
                    let _ = fs::remove_file(&directory);
                    let _ = fs::rename(&parked, &directory);
                }
            }
        });
        let mut edits = 0;
        for _ in 0..2_000 {
            let Ok(difference) = stage.collect() else { continue };
            for change in &difference.files {
                let after = change.after.as_deref().map(String::from_utf8_lossy);
                assert!(!after.as_deref().is_some_and(|text| text.contains("secret")), "{change:?}");
                edits += usize::from(after.as_deref().is_some_and(|text| EDITS.contains(&text)));
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(edits > 0, "nothing was seen of what was exchanged");
    });
}
