//! Packages of a small stand-in for the binary. `tests/real/dist` installs packages of the real one.

use crate::archive::{Tree, read_tar};
use crate::licences::Policy;
use crate::metadata::{Checksums, Metadata};
use crate::{Effort, Machine, Release, Shell, deb, oci, sbom, tarball, wheel, write};
use std::io::Read as _;

fn release() -> Release {
    Release {
        version: "1.2.3".into(),
        binary: b"stand-in for the binary".to_vec(),
        machine: Machine::X64,
        glibc: (2, 34),
        readme: "# bailiwick\n".into(),
        licence: "MIT\n".into(),
        notices: "others\n".into(),
        sbom: "{}\n".into(),
        manual: ".TH bailiwick 1\n".into(),
        completions: Shell::ALL.map(|shell| (shell, format!("# {shell}\n"))).to_vec(),
        effort: Effort::Most,
    }
}

fn base() -> Tree {
    let mut debian = Tree::default();
    debian.file("lib/x86_64-linux-gnu/libc.so.6", "stand-in for the C library");
    debian.link("lib64/ld-linux-x86-64.so.2", "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
    debian.file("usr/share/ca-certificates/mozilla/b.crt", "second\n");
    debian.file("usr/share/ca-certificates/mozilla/a.crt", "first\n");
    debian.file("usr/share/doc/libc6/copyright", "not needed");
    oci::base(&[("libc6".into(), crate::archive::tar(&debian, "./").unwrap())]).unwrap()
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
    plain
}

#[test]
fn same_release_gives_the_same_bytes_and_another_binary_gives_others() {
    let first = write::packages(&release(), Some(&base())).unwrap();
    // Where a time went into a package, it would be another one now: zip writes even seconds.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let second = write::packages(&release(), Some(&base())).unwrap();
    assert_eq!(first, second);
    let other = Release { binary: b"another".to_vec(), ..release() };
    let other = write::packages(&other, Some(&base())).unwrap();
    let with_binary = |packages: &[crate::Package]| -> Vec<Vec<u8>> {
        let named = |name: &str| !name.ends_with("1.2.3.tgz") || name.contains("linux");
        packages
            .iter()
            .filter(|one| named(&one.file) && one.file != "sbom.cdx.json")
            .map(|one| one.bytes.clone())
            .collect()
    };
    for (one, another) in with_binary(&first).iter().zip(with_binary(&other)) {
        assert_ne!(*one, another);
    }
}

#[test]
fn sums_name_every_other_file_with_its_digest() {
    let packages = write::packages(&release(), Some(&base())).unwrap();
    let (sums, others) = packages.split_last().unwrap();
    let text = String::from_utf8(sums.bytes.clone()).unwrap();
    assert_eq!((sums.file.as_str(), others.len(), text.lines().count()), (write::SUMS, 8, 8));
    for package in others {
        assert!(text.contains(&format!("{}  {}\n", oci::hex(&package.bytes), package.file)), "{}", package.file);
    }
}

#[test]
fn wheel_is_named_for_its_platform_and_its_metadata_comes_last() {
    let wheel = wheel::wheel(&release()).unwrap();
    assert_eq!(wheel.file, "bailiwick_cli-1.2.3-py3-none-manylinux_2_34_x86_64.whl");
    let archive = rawzip::ZipArchive::from_slice(&wheel.bytes).unwrap();
    let (mut entries, mut names, mut modes) = (archive.entries(), Vec::new(), Vec::new());
    while let Some(entry) = entries.next_entry().unwrap() {
        names.push(entry.file_path().try_normalize().unwrap().as_ref().to_owned());
        modes.push(entry.mode().value() & 0o777);
    }
    let first = names.iter().position(|name| name.contains(".dist-info/")).unwrap();
    assert!(first > 0 && names[first..].iter().all(|name| name.contains(".dist-info/")), "{names:?}");
    let program = names.iter().position(|name| name == "bailiwick_cli-1.2.3.data/scripts/bailiwick").unwrap();
    assert_eq!(modes[program], 0o755);
}

#[test]
fn image_layout_holds_what_its_digests_say() {
    let image = oci::image(&release(), &base()).unwrap();
    let layout = read_tar(&image.bytes).unwrap();
    let json = |path: &str| -> serde_json::Value { serde_json::from_slice(layout.bytes(path).unwrap()).unwrap() };
    let blob = |descriptor: &serde_json::Value| {
        let digest = descriptor["digest"].as_str().unwrap().strip_prefix("sha256:").unwrap().to_owned();
        let bytes = layout.bytes(&format!("blobs/sha256/{digest}")).unwrap();
        assert_eq!((oci::hex(bytes), Some(bytes.len() as u64)), (digest, descriptor["size"].as_u64()));
        bytes.to_vec()
    };
    let manifest: serde_json::Value = serde_json::from_slice(&blob(&json("index.json")["manifests"][0])).unwrap();
    let configuration: serde_json::Value = serde_json::from_slice(&blob(&manifest["config"])).unwrap();
    assert_eq!((&configuration["os"], &configuration["architecture"]), (&"linux".into(), &"amd64".into()));
    let mut root = Tree::default();
    for (layer, diff) in
        manifest["layers"].as_array().unwrap().iter().zip(configuration["rootfs"]["diff_ids"].as_array().unwrap())
    {
        let plain = gunzip(&blob(layer));
        assert_eq!(format!("sha256:{}", oci::hex(&plain)), *diff);
        root.extend(read_tar(&plain).unwrap());
    }
    assert_eq!(root.bytes("usr/bin/bailiwick").unwrap(), release().binary);
    assert_eq!(root.bytes("etc/ssl/certs/ca-certificates.crt").unwrap(), b"first\nsecond\n");
    assert!(root.bytes("usr/share/doc/libc6/copyright").is_none());
}

#[test]
fn debian_package_and_tarball_hold_program_manual_and_completions() {
    let package = deb::deb(&release()).unwrap();
    assert_eq!(package.file, "bailiwick-cli_1.2.3_amd64.deb");
    let mut archive = ar::Archive::new(package.bytes.as_slice());
    let mut members = Vec::new();
    while let Some(member) = archive.next_entry() {
        let mut member = member.unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        members.push((String::from_utf8(member.header().identifier().to_vec()).unwrap(), bytes));
    }
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    let control = read_tar(&gunzip(&members[1].1)).unwrap();
    let control = String::from_utf8(control.bytes("control").unwrap().to_vec()).unwrap();
    assert!(control.contains("Depends: libc6 (>= 2.34), libgcc-s1\n"), "{control}");
    let data = read_tar(&gunzip(&members[2].1)).unwrap();
    assert_eq!(data.bytes("usr/bin/bailiwick").unwrap(), release().binary);
    assert_eq!(gunzip(data.bytes("usr/share/man/man1/bailiwick.1.gz").unwrap()), b".TH bailiwick 1\n");

    let tarball = tarball::tarball(&release()).unwrap();
    let tree = read_tar(&gunzip(&tarball.bytes)).unwrap();
    for shell in Shell::ALL {
        assert!(tree.bytes(&format!("bailiwick-1.2.3-linux-x64/completions/{}", shell.file())).is_some(), "{shell}");
    }
}

#[test]
fn archive_whose_path_leads_out_is_refused() {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..9].copy_from_slice(b"../escape");
    header.set_size(0);
    header.set_cksum();
    builder.append(&header, std::io::empty()).unwrap();
    let archive = builder.into_inner().unwrap();
    assert!(oci::base(&[("evil".into(), archive)]).unwrap_err().to_string().contains("`evil` cannot be read"));
}

const METADATA: &str = r#"{
  "packages": [
    { "id": "own", "name": "bailiwick-cli", "version": "1.2.3", "license": "MIT", "manifest_path": "/none/Cargo.toml" },
    { "id": "a", "name": "a", "version": "1.0.0", "license": "MIT/Apache-2.0", "source": "registry", "manifest_path": "/none/Cargo.toml" },
    { "id": "b", "name": "b", "version": "2.0.0", "license": "GPL-3.0-only", "source": "registry", "manifest_path": "/none/Cargo.toml" },
    { "id": "c", "name": "c", "version": "3.0.0", "license": null, "source": "registry", "manifest_path": "/none/Cargo.toml" }
  ],
  "resolve": { "nodes": [
    { "id": "own", "deps": [
      { "pkg": "a", "dep_kinds": [{ "kind": null }] },
      { "pkg": "b", "dep_kinds": [{ "kind": "dev" }] } ] },
    { "id": "a", "deps": [{ "pkg": "c", "dep_kinds": [{ "kind": "build" }] }] },
    { "id": "b", "deps": [] },
    { "id": "c", "deps": [] } ] } }"#;

#[test]
fn licence_that_is_not_allowed_is_named_with_its_crate() {
    let policy = Policy::read("[licenses]\nallow = [\"MIT\"]\n").unwrap();
    let metadata = Metadata::read(METADATA.as_bytes()).unwrap();
    let complaints: Vec<String> = metadata.foreign().filter_map(|package| policy.complaint(package)).collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("`b 2.0.0`") && complaints[0].contains("GPL-3.0-only"), "{complaints:?}");
    assert!(complaints[1].contains("`c 3.0.0` names no licence"), "{complaints:?}");
}

#[test]
fn bill_of_materials_has_what_is_linked_and_nothing_of_tests_and_builds() {
    let dependencies = Metadata::read(METADATA.as_bytes()).unwrap().of_binary().unwrap();
    let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"00ff\"\n";
    let text = sbom::sbom(&dependencies, &Checksums::read(lock).unwrap());
    let bill: serde_json::Value = serde_json::from_str(&text).unwrap();
    let components = bill["components"].as_array().unwrap();
    assert_eq!(components.len(), 1, "{text}");
    assert_eq!(components[0]["purl"], "pkg:cargo/a@1.0.0");
    assert_eq!(components[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
    assert_eq!(components[0]["hashes"][0]["content"], "00ff");
}
