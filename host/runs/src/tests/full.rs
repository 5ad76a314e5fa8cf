//! On a full disk everything comes back: what the run made goes first, because the originals fitted before it.
//!
//! The test runs once more in a mount namespace of its own, on small file systems in memory.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::{Picture, assert_same, picture, request, skip, tree};
use crate::{Status, Store};

/// The directory to use, set in the process that may mount.
const OWN_NAMESPACE: &str = "BAILIWICK_RUNS_TEST_FULL";
/// What that process prints when it is through: a filter that matched no test would pass as well.
const THROUGH: &str = "every full disk was met";

#[test]
fn what_a_run_made_goes_before_the_originals_come_back_to_a_full_disk() {
    if let Some(base) = std::env::var_os(OWN_NAMESPACE) {
        let base = Path::new(&base);
        on_disks_of_their_own(base);
        on_one_disk(base);
        where_attributes_take_room(base);
        return println!("{THROUGH}");
    }
    let own = ["--mount", "--propagation", "private"];
    let user = ["--user", "--map-root-user", "--mount", "--propagation", "private"];
    let base = tempfile::tempdir().unwrap();
    let mounts = |unshare: &[&str]| {
        let tried =
            Command::new("unshare").args(unshare).args(["mount", "-t", "tmpfs", "tmpfs"]).arg(base.path()).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let Some(unshare) = [&own[..], &user[..]].into_iter().find(|unshare| mounts(unshare)) else {
        return skip("a mount namespace of its own needs `unshare`, and root or user namespaces");
    };
    let output = Command::new("unshare")
        .args(unshare)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "tests::full::what_a_run_made_goes_before_the_originals_come_back_to_a_full_disk"])
        .arg("--nocapture")
        .env(OWN_NAMESPACE, base.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success() && text.contains(THROUGH), "{text}");
}

/// Two roots, each of a few files; the second is the one whose originals are larger than what the run left there.
fn lay_out(base: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    let (sdk, spec) = (base.join("sdk"), base.join("spec"));
    for (directory, length) in [(&sdk, 40_000_usize), (&spec, 120_000)] {
        fs::create_dir_all(directory).unwrap();
        for name in ["a.py", "b.py", "c.py"] {
            fs::write(directory.join(name), name.repeat(length / name.len())).unwrap();
        }
    }
    (sdk, spec)
}

fn pictures(sdk: &Path, spec: &Path) -> Picture {
    picture(sdk)
        .into_iter()
        .chain(picture(spec).into_iter().map(|(path, seen)| (format!("spec{path}"), seen)))
        .collect()
}

fn mount(at: &Path, size: &str) {
    fs::create_dir_all(at).unwrap();
    let size = format!("size={size},mode=700");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).status().unwrap();
    assert!(mounted.success());
}

/// Writes until nothing more fits.
fn fill(path: &Path) {
    let mut file = File::options().create(true).append(true).open(path).unwrap();
    for size in [64 << 10, 512] {
        let error = std::iter::repeat_with(|| file.write_all(&vec![1; size])).find_map(Result::err).unwrap();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
    }
}

/// Makes all files others: some shorter, one gone, and one that takes what is left of the disk.
fn work(sdk: &Path, spec: &Path) {
    fs::write(spec.join("a.py"), "shorter").unwrap();
    fs::write(spec.join("b.py"), "").unwrap();
    fs::remove_file(spec.join("c.py")).unwrap();
    fs::write(sdk.join("a.py"), "x".repeat(40_000)).unwrap();
    fill(&sdk.join("c.py"));
}

/// The repositories on one disk, the store on another.
fn on_disks_of_their_own(base: &Path) {
    let (disk, state) = (base.join("own"), base.join("own-state"));
    mount(&disk, "1m");
    mount(&state, "8m");
    let (sdk, spec) = lay_out(&disk);
    let before = pictures(&sdk, &spec);
    let store = Store::open(&state).unwrap();
    let mut run = store.begin(request(vec![tree("sdk", &sdk), tree("spec", &spec)])).unwrap();
    work(&sdk, &spec);
    run.restore().unwrap();
    assert_same(&pictures(&sdk, &spec), &before);
    run.finish(Status::Failed { kept: false }, &json!({})).unwrap();
    // A run that died, and one that a person undoes.
    drop(store.begin(request(vec![tree("sdk", &sdk), tree("spec", &spec)])).unwrap());
    work(&sdk, &spec);
    let recovered = store.recover().unwrap();
    assert_eq!(recovered.len(), 1);
    assert_same(&pictures(&sdk, &spec), &before);
    let run = store.begin(request(vec![tree("sdk", &sdk), tree("spec", &spec)])).unwrap();
    work(&sdk, &spec);
    let id = run.id().clone();
    run.finish(Status::Pending, &json!({})).unwrap();
    store.revert(&id).unwrap();
    assert_same(&pictures(&sdk, &spec), &before);
}

/// All of it on one disk, which the run's own work and the copies of what is overwritten fill too.
fn on_one_disk(base: &Path) {
    let disk = base.join("one");
    mount(&disk, "4m");
    let (sdk, spec) = lay_out(&disk);
    let before = pictures(&sdk, &spec);
    let store = Store::open(&disk.join("state")).unwrap();
    let mut run = store.begin(request(vec![tree("sdk", &sdk), tree("spec", &spec)])).unwrap();
    fs::create_dir_all(run.scratch()).unwrap();
    fs::write(run.scratch().join("copy"), vec![1; 1_000_000]).unwrap();
    work(&sdk, &spec);
    let _ = run.restore().unwrap();
    assert_same(&pictures(&sdk, &spec), &before);
    assert!(!run.scratch().exists());

    // Each file that goes makes room for a copy of the next, until none is left for the second root.
    for (name, length) in [("a.py", 300_000), ("b.py", 250_000), ("c.py", 210_000)] {
        fs::write(sdk.join(name), vec![b'x'; length]).unwrap();
        fs::write(spec.join(name), "").unwrap();
    }
    fill(&disk.join("of-another-program"));
    assert_eq!(run.restore().unwrap(), None, "copies that were given up are not announced");
    assert_same(&pictures(&sdk, &spec), &before);
    fs::remove_file(disk.join("of-another-program")).unwrap();
    run.finish(Status::Failed { kept: false }, &json!({})).unwrap();
}

/// ext4 keeps attributes in a block of their own. The first root has its attributes again when the second has left room.
fn where_attributes_take_room(base: &Path) {
    let (image, disk) = (base.join("image"), base.join("ext4"));
    File::create(&image).unwrap().set_len(4 << 20).unwrap();
    fs::create_dir(&disk).unwrap();
    let done = |program: &str, arguments: &[&str]| {
        let done = Command::new(program).args(arguments).arg(&image).arg(&disk).output();
        done.is_ok_and(|output| output.status.success())
    };
    let made = Command::new("mkfs.ext4").args(["-q", "-m", "0", "-b", "1024"]).arg(&image).output();
    if !made.is_ok_and(|output| output.status.success()) || !done("mount", &["-o", "loop"]) {
        return skip("attributes on a full disk need `mkfs.ext4` and a loop device");
    }
    let (sdk, spec) = lay_out(&disk);
    let [directory, file] = [sdk.clone(), sdk.join("b.py")];
    let set = |path: &Path| rustix::fs::setxattr(path, "user.own", &[1; 700], rustix::fs::XattrFlags::empty());
    let store = Store::open(&base.join("ext4-state")).unwrap();
    for path in [&directory, &file] {
        set(path).unwrap();
    }
    let mut run = store.begin(request(vec![tree("sdk", &sdk), tree("spec", &spec)])).unwrap();
    for path in [&directory, &file] {
        rustix::fs::removexattr(path, "user.own").unwrap();
    }
    fill(&spec.join("c.py"));
    assert!(set(&file).is_err(), "there is room");
    run.restore().unwrap();
    for path in [&directory, &file] {
        let length = rustix::fs::getxattr(path, "user.own", &mut [0_u8; 1000]);
        assert_eq!(length, Ok(700), "{}", path.display());
    }
    run.finish(Status::Failed { kept: false }, &json!({})).unwrap();
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
}
