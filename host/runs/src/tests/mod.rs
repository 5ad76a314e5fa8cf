//! Situations and their outcomes. What directories hold is compared by `picture`, which shares no
//! code with the store.

mod applying;
mod approving;
mod attributes;
mod beginning;
mod crashing;
mod finishing;
mod full;
mod hostile;
mod killing;
mod locking;
mod names;
mod owning;
mod permissions;
mod power;
mod proofs;
mod random;
mod recovering;
mod restoring;
mod reverting;
mod state_directory;
mod suspending;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{BeginRun, Change, Coverage, Digest, RootSpec, Run, RunId, Status, Store};

/// An SDK package, a spec project and a state directory of their own.
pub(crate) struct Scene {
    pub(crate) directory: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::in_directory(TempDir::new().unwrap())
    }

    /// In memory where there is such a place, for tests that lay out hundreds of scenes: what they
    /// test does not depend on the disk, and the disk would take minutes.
    pub(crate) fn quick() -> Self {
        Self::in_directory(quick_directory())
    }

    fn in_directory(directory: TempDir) -> Self {
        let scene = Self { directory };
        let sdk = scene.sdk();
        for directory in ["azure/widget/models", "empty", "locked", ".git/objects", "ignored"] {
            fs::create_dir_all(sdk.join(directory)).unwrap();
        }
        for (path, content) in [
            ("setup.py", "setup()\n"),
            ("azure/widget/_client.py", "class Client:\r\n    pass"),
            ("azure/widget/_patch.py", "# by hand\n"),
            ("azure/widget/models/_models.py", "class Widget: ...\n"),
            ("azure/widget/py.typed", ""),
            (".gitignore", "ignored/\n"),
            ("ignored/cache.bin", "\0\u{1}\u{2}"),
            (".git/objects/pack", "git's own"),
            ("locked/run.sh", "#!/bin/sh\n"),
        ] {
            fs::write(sdk.join(path), content).unwrap();
        }
        symlink("setup.py", sdk.join("link")).unwrap();
        symlink("/nowhere/at/all", sdk.join("dangling")).unwrap();
        symlink("azure/widget", sdk.join("to-directory")).unwrap();
        mode(&sdk.join("locked/run.sh"), 0o755);
        mode(&sdk.join("azure/widget/_client.py"), 0o600);
        mode(&sdk.join("empty"), 0o711);
        for path in ["setup.py", "azure/widget/_client.py", "azure/widget/_patch.py", "azure/widget/models/_models.py"]
        {
            tag(&sdk.join(path));
        }
        fs::create_dir_all(scene.spec().join("sub")).unwrap();
        fs::write(scene.spec().join("main.tsp"), "namespace A;\n").unwrap();
        fs::write(scene.spec().join("client.tsp"), "import \"./main.tsp\";\n").unwrap();
        age(scene.directory.path());
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn sdk(&self) -> PathBuf {
        self.path("sdk")
    }

    pub(crate) fn spec(&self) -> PathBuf {
        self.path("spec")
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(&self.path("state")).unwrap()
    }

    pub(crate) fn begin(&self) -> Run {
        self.store().begin(self.request()).unwrap()
    }

    pub(crate) fn request(&self) -> BeginRun {
        request(vec![
            tree("sdk", &self.sdk()),
            RootSpec {
                name: "spec".into(),
                directory: self.spec(),
                coverage: Coverage::Files(vec!["client.tsp".into(), "new/deep/extra.tsp".into()]),
            },
        ])
    }

    /// Everything that a run may touch, and what lies around it.
    pub(crate) fn picture(&self) -> Picture {
        let mut all = picture(&self.sdk());
        all.extend(picture(&self.spec()).into_iter().map(|(path, seen)| (format!("spec/{path}"), seen)));
        all
    }
}

pub(crate) fn quick_directory() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap()
}

pub(crate) fn request(roots: Vec<RootSpec>) -> BeginRun {
    BeginRun { kind: "test".into(), request: "rename a to b".into(), details: json!({ "a": 1 }), roots }
}

pub(crate) fn tree(name: &str, directory: &Path) -> RootSpec {
    let coverage = Coverage::Tree { skip: vec!["kept-out".into()], skip_at_root: vec![".git".into()] };
    RootSpec { name: name.into(), directory: directory.into(), coverage }
}

/// Changes as a compiler, a build and an agent make them, of every kind.
pub(crate) fn work(scene: &Scene) {
    let sdk = scene.sdk();
    fs::write(sdk.join("setup.py"), "setup(1)\n").unwrap();
    fs::write(sdk.join("azure/widget/_client.py"), "class Client:\r\n    pasS").unwrap();
    fs::remove_dir_all(sdk.join("azure/widget/models")).unwrap();
    fs::write(sdk.join("azure/widget/models"), "a file where a directory was").unwrap();
    fs::create_dir_all(sdk.join("added/one/two")).unwrap();
    fs::write(sdk.join("added/one/two/three.py"), "new").unwrap();
    fs::create_dir(sdk.join("added/.git")).unwrap();
    fs::write(sdk.join("added/.git/config"), "the run's own").unwrap();
    // A repository inside one that was there, from whose configuration git would run programs.
    fs::create_dir(sdk.join("azure/.git")).unwrap();
    fs::write(sdk.join("azure/.git/config"), "[core]\n\tfsmonitor = x\n").unwrap();
    fs::remove_dir(sdk.join("empty")).unwrap();
    fs::remove_file(sdk.join("ignored/cache.bin")).unwrap();
    mode(&sdk.join("locked/run.sh"), 0o644);
    mode(&sdk.join("locked"), 0o700);
    fs::remove_file(sdk.join("link")).unwrap();
    symlink("azure", sdk.join("link")).unwrap();
    fs::remove_file(sdk.join("dangling")).unwrap();
    fs::create_dir(sdk.join("dangling")).unwrap();
    fs::write(sdk.join("dangling/inside"), "x").unwrap();
    // Written anew with the same content, as generators do.
    let _ = fs::remove_file(sdk.join("azure/widget/_patch.py"));
    fs::write(sdk.join("azure/widget/_patch.py"), "# by hand\n").unwrap();
    fs::write(scene.spec().join("client.tsp"), "changed").unwrap();
    fs::create_dir_all(scene.spec().join("new/deep")).unwrap();
    fs::write(scene.spec().join("new/deep/extra.tsp"), "added").unwrap();
}

pub(crate) fn finish(run: Run) -> RunId {
    let id = run.id().clone();
    run.finish(Status::Pending, &json!({ "outcome": "success" })).unwrap();
    id
}

pub(crate) fn change(root: &str, path: &str, expected: Option<&str>, content: Option<&str>) -> Change {
    Change {
        root: root.into(),
        path: path.into(),
        expected: expected.map(|text| Digest::of(text.as_bytes())),
        content: content.map(|text| text.as_bytes().to_vec()),
    }
}

pub(crate) fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// What programs of users keep beside the content of a file.
const TAG: &str = "user.tag";

/// Gives a file an attribute where the file system has such a thing.
fn tag(path: &Path) {
    let _ = rustix::fs::setxattr(path, TAG, path.file_name().unwrap().as_bytes(), rustix::fs::XattrFlags::empty());
}

/// Gives everything a modification time of long ago, so that restored times can be told from new ones.
pub(crate) fn age(path: &Path) {
    let found = fs::symlink_metadata(path).unwrap();
    if found.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            age(&entry.unwrap().path());
        }
    }
    if !found.is_symlink() {
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_500_000_000 + found.ino() % 1000, 123_456_789);
        let file = fs::File::open(path).unwrap();
        file.set_modified(time).unwrap();
    }
}

/// Everything in a directory and the directory itself, skipping only `.git` at the top.
pub(crate) type Picture = BTreeMap<String, Seen>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) kind: &'static str,
    pub(crate) mode: u32,
    owner: (u32, u32),
    pub(crate) content: Vec<u8>,
    tag: Option<Vec<u8>>,
    modified: (i64, i64),
}

pub(crate) fn picture(directory: &Path) -> Picture {
    let mut all = Picture::new();
    look(directory, "", &mut all);
    all
}

fn look(path: &Path, shown: &str, all: &mut Picture) {
    use std::os::unix::fs::FileTypeExt as _;

    let found = fs::symlink_metadata(path).unwrap();
    let kind = found.file_type();
    let (kind, content) = if kind.is_symlink() {
        ("symlink", fs::read_link(path).unwrap().as_os_str().as_bytes().to_vec())
    } else if kind.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            look(&entry.path(), &format!("{shown}/{}", name.as_bytes().escape_ascii()), all);
        }
        ("directory", Vec::new())
    } else if kind.is_fifo() || kind.is_socket() {
        ("special", Vec::new())
    } else {
        ("file", fs::read(path).unwrap())
    };
    let modified = (found.mtime(), found.mtime_nsec());
    let mut value = vec![0; 1024];
    let length = rustix::fs::lgetxattr(path, TAG, value.as_mut_slice());
    let tag = length.ok().map(|length| value[..length].to_vec());
    all.insert(
        shown.to_owned(),
        Seen { kind, mode: found.mode(), owner: (found.uid(), found.gid()), content, tag, modified },
    );
}

/// The same without times of directories, which differ after work that came to nothing.
pub(crate) fn timeless(mut picture: Picture) -> Picture {
    for seen in picture.values_mut().filter(|seen| seen.kind == "directory") {
        seen.modified = (0, 0);
    }
    picture
}

/// Fails with the differing paths only; whole pictures are unreadable.
#[track_caller]
pub(crate) fn assert_same(now: &Picture, before: &Picture) {
    let differing: Vec<_> = now
        .keys()
        .chain(before.keys())
        .filter(|path| now.get(*path) != before.get(*path))
        .map(|path| format!("{path}: {:?} was {:?}", now.get(path), before.get(path)))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// No temporary file of any run is left.
#[track_caller]
pub(crate) fn assert_tidy(picture: &Picture) {
    let left: Vec<_> = picture.keys().filter(|path| path.contains("/.bailiwick-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

pub(crate) fn status(store: &Store, id: &RunId) -> Status {
    store.show(id).unwrap().status
}

/// Says why nothing was tested. Where `CI` is set everything has to be tested.
pub(crate) fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "{reason}");
    eprintln!("skipped: {reason}");
}

pub(crate) fn null() -> Value {
    Value::Null
}
