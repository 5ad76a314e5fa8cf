use std::fs;
use std::os::unix::fs::symlink;

use super::*;

/// A package that is a submodule, with a link, and another person's directory beside it.
fn package() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    let package = base.join("package");
    for path in ["src/deep/er", ".git/hooks", ".git/info", ".git/objects", ".git/refs", "kept/refs"] {
        fs::create_dir_all(package.join(path)).unwrap();
    }
    for (path, content) in [
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/config", "[core]\n"),
        (".git/hooks/pre-commit", "#!/bin/sh\n"),
        (".git/index", "1"),
        ("tsp-location.yaml", "directory: a\n"),
        ("src/a.py", "a\n"),
    ] {
        fs::write(package.join(path), content).unwrap();
    }
    symlink("src/a.py", package.join("link")).unwrap();
    fs::create_dir(base.join("outside")).unwrap();
    fs::write(base.join("outside/kept"), "kept").unwrap();
    (directory, package)
}

fn left(package: &Path, owner: Owner, child: impl FnOnce(&Path)) -> Vec<(String, &'static str)> {
    let survey = Survey::take([(package, owner)].into_iter(), Some("copy")).unwrap();
    child(package);
    let name = |kind: &ResidueKind| match kind {
        ResidueKind::Repository(None) => "repository",
        ResidueKind::Location(None) => "location",
        ResidueKind::Link => "link",
        ResidueKind::Special => "special",
        ResidueKind::OfItsOwner => "of its owner",
        ResidueKind::Installed => "installed",
        ResidueKind::TooMuch => "too much",
        ResidueKind::Unreadable(_) => "unreadable",
        ResidueKind::Repository(Some(_)) | ResidueKind::Location(Some(_)) => "not put back",
    };
    let shown = |path: &Path| path.strip_prefix(package).unwrap().to_str().unwrap().to_owned();
    survey.compare(Some("copy")).iter().map(|one| (shown(&one.path), name(&one.kind))).collect()
}

#[test]
fn files_of_a_generator_and_of_git_itself_are_not_residue() {
    let (_directory, package) = package();
    let found = left(&package, Owner::Person, |package| {
        fs::write(package.join("src/a.py"), "b\n").unwrap();
        fs::write(package.join("src/new.py"), "c\n").unwrap();
        fs::write(package.join(".git/index"), "2").unwrap();
        fs::write(package.join(".git/objects/new"), "2").unwrap();
        fs::create_dir_all(package.join("copy/.git")).unwrap();
        symlink("/", package.join("copy/link")).unwrap();
        fs::remove_file(package.join("link")).unwrap();
    });
    assert_eq!(found, []);
}

type Act = fn(&Path);

#[test]
fn repositories_are_found_at_every_depth_and_removed() {
    let cases: [(&str, Act); 10] = [
        ("src/deep/er/.git", |package| {
            fs::create_dir(package.join("src/deep/er/.git")).unwrap();
            fs::write(package.join("src/deep/er/.git/config"), "[core]\n\tfsmonitor = x\n").unwrap();
        }),
        ("src/.git", |package| fs::write(package.join("src/.git"), "gitdir: ../../outside\n").unwrap()),
        ("src/.git", |package| symlink("../../outside", package.join("src/.git")).unwrap()),
        ("new/.hg", |package| {
            fs::create_dir_all(package.join("new/.hg")).unwrap();
            fs::write(package.join("new/.hg/hgrc"), "[extensions]\nx = x.py\n").unwrap();
        }),
        (".jj", |package| fs::create_dir_all(package.join(".jj/repo")).unwrap()),
        ("src/.sl", |package| fs::create_dir_all(package.join("src/.sl")).unwrap()),
        (".pijul", |package| fs::create_dir_all(package.join(".pijul")).unwrap()),
        ("_darcs", |package| fs::create_dir_all(package.join("_darcs/prefs")).unwrap()),
        ("new/.GIT", |package| fs::create_dir_all(package.join("new/.GIT")).unwrap()),
        ("node_modules/x/.git", |package| fs::create_dir_all(package.join("node_modules/x/.git/hooks")).unwrap()),
    ];
    for (path, act) in cases {
        for owner in [Owner::Person, Owner::Host] {
            let (_directory, package) = package();
            assert_eq!(left(&package, owner, act), [(path.to_owned(), "repository")], "{path}");
            assert!(fs::symlink_metadata(package.join(path)).is_err(), "{path} is still there");
        }
    }
}

#[test]
fn repository_below_a_name_that_is_no_text_is_removed() {
    use std::os::unix::ffi::OsStrExt as _;
    let (_directory, package) = package();
    let below = package.join(std::ffi::OsStr::from_bytes(b"\xff"));
    let survey = Survey::take([(&*package, Owner::Person)].into_iter(), None).unwrap();
    fs::create_dir_all(below.join(".git")).unwrap();
    fs::write(below.join(".git/config"), "[core]\n\tfsmonitor = x\n").unwrap();
    let found = survey.compare(None);
    assert!(matches!(found[..], [Residue { kind: ResidueKind::Repository(None), .. }]), "{found:?}");
    assert!(!below.join(".git").exists());
}

#[test]
fn directory_that_became_a_bare_repository_is_one_no_more_and_keeps_what_it_had() {
    for directory in ["src", "kept", ""] {
        let (_directory, package) = package();
        let found = left(&package, Owner::Person, |package| {
            let at = package.join(directory);
            fs::write(at.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(at.join("config"), "[core]\n\tfsmonitor = x\n").unwrap();
            fs::create_dir_all(at.join("objects")).unwrap();
            fs::create_dir_all(at.join("refs")).unwrap();
        });
        assert_eq!(found, [(directory.to_owned(), "repository")]);
        assert!(!package.join(directory).join("HEAD").exists());
    }
    let (_directory, package) = package();
    assert!(package.join("kept/refs").exists());
}

#[test]
fn directory_that_takes_its_objects_from_another_is_a_repository_no_more() {
    for owner in [Owner::Person, Owner::Host] {
        let (_directory, package) = package();
        let found = left(&package, owner, |package| {
            fs::create_dir_all(package.join("src/common/objects")).unwrap();
            fs::create_dir_all(package.join("src/common/refs")).unwrap();
            fs::write(package.join("src/common/config"), "[core]\n\tfsmonitor = x\n").unwrap();
            fs::write(package.join("src/HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::write(package.join("src/commondir"), "common\n").unwrap();
        });
        assert_eq!(found, [("src".to_owned(), "repository")]);
        assert!(!package.join("src/HEAD").exists() && !package.join("src/commondir").exists());
    }
}

/// The superuser sees into such a directory, so nothing is unreadable for him.
#[test]
fn directory_without_permissions_hides_no_repository() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_directory, package) = package();
    let close = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
    let found = left(&package, Owner::Person, |package| {
        fs::create_dir_all(package.join("new/deep/.git")).unwrap();
        close(&package.join("new/deep"));
        close(&package.join("new"));
        close(package);
    });
    let unreadable = (String::new(), "unreadable");
    let found: Vec<_> = found.into_iter().filter(|one| *one != unreadable).collect();
    assert_eq!(found, [("new/deep/.git".to_owned(), "repository")]);
    fs::set_permissions(&package, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!package.join("new/deep/.git").exists());
}

#[test]
fn what_an_existing_repository_runs_is_put_back() {
    let cases: [(&str, Act); 4] = [
        (".git/config", |package| fs::write(package.join(".git/config"), "[core]\n\tfsmonitor = x\n").unwrap()),
        (".git/hooks/pre-commit", |package| fs::remove_file(package.join(".git/hooks/pre-commit")).unwrap()),
        (".git/hooks/post-checkout", |package| fs::write(package.join(".git/hooks/post-checkout"), "x").unwrap()),
        (".git/info/attributes", |package| fs::write(package.join(".git/info/attributes"), "* filter=x").unwrap()),
    ];
    for (path, act) in cases {
        let (_directory, package) = package();
        let before = fs::read(package.join(path)).ok();
        assert_eq!(left(&package, Owner::Person, act), [(path.to_owned(), "repository")]);
        assert_eq!(fs::read(package.join(path)).ok(), before, "{path}");
    }
}

#[test]
fn location_of_the_specification_is_put_back_and_may_be_made_where_it_was_not() {
    let (_directory, package) = package();
    let change = |package: &Path| {
        fs::write(package.join("tsp-location.yaml"), "emitterPackageJsonPath: e.json\n").unwrap();
    };
    assert_eq!(left(&package, Owner::Person, change), [("tsp-location.yaml".to_owned(), "location")]);
    assert_eq!(fs::read(package.join("tsp-location.yaml")).unwrap(), b"directory: a\n");
    fs::remove_file(package.join("tsp-location.yaml")).unwrap();
    assert_eq!(left(&package, Owner::Person, change), []);
}

#[test]
fn links_and_pipes_that_are_new_or_lead_elsewhere_are_told_in_a_persons_directory() {
    let (_directory, package) = package();
    let act = |package: &Path| {
        fs::rename(package.join("src"), package.join("moved")).unwrap();
        symlink("../outside", package.join("src")).unwrap();
        fs::remove_file(package.join("link")).unwrap();
        symlink("/etc/passwd", package.join("link")).unwrap();
        let pipe = package.join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    };
    let found = left(&package, Owner::Person, act);
    assert_eq!(found, [("link".to_owned(), "link"), ("src".to_owned(), "link"), ("pipe".to_owned(), "special")]);
    assert_eq!(fs::read_dir(package.parent().unwrap().join("outside")).unwrap().count(), 1);
}

#[test]
fn program_with_the_rights_of_its_owner_is_told_and_other_modes_are_not() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_directory, package) = package();
    let mode = |path: &str, mode| fs::set_permissions(package.join(path), fs::Permissions::from_mode(mode)).unwrap();
    let found = left(&package, Owner::Person, |package| {
        for name in ["user", "group", "locked", "plain"] {
            fs::write(package.join(name), "").unwrap();
        }
        mode("user", 0o4755);
        mode("group", 0o2755);
        mode("locked", 0o2644);
        mode("plain", 0o755);
        mode("src", 0o2755);
    });
    let told = |path: &str| (path.to_owned(), "of its owner");
    assert_eq!(found, [told("group"), told("user")]);
}

#[test]
fn copy_of_the_hosts_may_hold_links() {
    let (_directory, package) = package();
    assert_eq!(left(&package, Owner::Host, |package| symlink("/", package.join("venv")).unwrap()), []);
}

#[test]
fn nesting_that_hides_what_is_in_it_is_told() {
    let (_directory, package) = package();
    let found = left(&package, Owner::Person, |package| {
        let mut at = package.join("src");
        for _ in 0..200 {
            at.push("d");
        }
        fs::create_dir_all(at).unwrap();
        fs::create_dir(package.join("tests")).unwrap();
        fs::write(package.join("tests/.git"), "gitdir: ../../outside\n").unwrap();
    });
    // It hides nothing beside it.
    assert_eq!(found, [("tests/.git".to_owned(), "repository"), (String::new(), "unreadable")]);
    assert!(!package.join("tests/.git").exists());
}

#[test]
fn installed_or_compiled_program_that_differs_is_told_and_one_that_a_generation_makes_is_not() {
    let cases: [(&str, Act); 6] = [
        ("src/node_modules/x.js", |package| fs::write(package.join("src/node_modules/x.js"), "").unwrap()),
        ("node_modules/typescript/bin/tsc", |package| {
            // A file of the same length, with the time of before.
            let tsc = package.join("node_modules/typescript/bin/tsc");
            let time = fs::metadata(&tsc).unwrap().modified().unwrap();
            fs::write(&tsc, "evil").unwrap();
            fs::File::options().write(true).open(&tsc).unwrap().set_modified(time).unwrap();
        }),
        ("node_modules/typescript/more.js", |package| {
            fs::write(package.join("node_modules/typescript/more.js"), "").unwrap();
        }),
        ("src/.venv/bin/activate", |package| fs::remove_file(package.join("src/.venv/bin/activate")).unwrap()),
        ("src/a.pyc", |package| fs::write(package.join("src/a.pyc"), "evil").unwrap()),
        ("", |package| {
            for path in ["other/node_modules/x.js", "src/__pycache__/b.cpython-312.pyc"] {
                fs::create_dir_all(package.join(path).parent().unwrap()).unwrap();
                fs::write(package.join(path), "new").unwrap();
            }
            fs::write(package.join("src/a.py"), "b\n").unwrap();
        }),
    ];
    for (path, act) in cases {
        let (_directory, package) = package();
        for path in ["node_modules/typescript/bin/tsc", "src/.venv/bin/activate", "src/a.pyc"] {
            fs::create_dir_all(package.join(path).parent().unwrap()).unwrap();
            fs::write(package.join(path), "good").unwrap();
        }
        fs::create_dir(package.join("src/node_modules")).unwrap();
        let expected = (!path.is_empty()).then(|| (path.to_owned(), "installed"));
        assert_eq!(left(&package, Owner::Person, act), Vec::from_iter(expected), "{path}");
    }
}

#[test]
fn what_python_compiled_for_itself_is_removed_and_fails_nothing() {
    let (_directory, package) = package();
    let caches =
        ["src/__pycache__/a.cpython-312.pyc", "src/deep/__pycache__/b.cpython-312.pyc", "src/__pycache__/kept.pyc"];
    let write = |path: &str, content: &str| {
        fs::create_dir_all(package.join(path).parent().unwrap()).unwrap();
        fs::write(package.join(path), content).unwrap();
    };
    write(caches[0], "of before");
    write(caches[2], "of before");
    let found = left(&package, Owner::Person, |_| {
        write(caches[0], "evil");
        write(caches[1], "evil");
        write("src/__pycache__/more/c.pyc", "new");
    });
    assert_eq!(found, []);
    assert_eq!(caches.map(|path| package.join(path).exists()), [false, false, true]);
}

#[test]
fn tools_of_the_repository_write_where_they_are_installed_and_a_generation_only_their_caches() {
    let act: Act = |package| {
        for path in ["node_modules/.cache/x.json", "node_modules/.vite-temp/x.mjs", ".tox/log/1.log", ".tox/.tmp/x"] {
            fs::create_dir_all(package.join(path).parent().unwrap()).unwrap();
            fs::write(package.join(path), "").unwrap();
        }
    };
    let (_directory, package) = package();
    for path in ["node_modules", ".tox"] {
        fs::create_dir(package.join(path)).unwrap();
    }
    assert_eq!(left(&package, Owner::Person, act), []);
    let survey = Survey::take([(&*package, Owner::Person)].into_iter(), None).unwrap();
    fs::write(package.join("node_modules/x.js"), "").unwrap();
    assert!(survey.compare(None).is_empty());
    let found =
        left(&package, Owner::Person, |package| fs::write(package.join("node_modules/.cache/x.so"), "").unwrap());
    assert_eq!(found, [("node_modules/.cache/x.so".to_owned(), "installed")]);
}

#[test]
fn numbers_of_file_and_device_do_not_make_another_program_of_an_installed_one() {
    let (_directory, package) = package();
    fs::create_dir(package.join("node_modules")).unwrap();
    fs::write(package.join("node_modules/x.js"), "").unwrap();
    let before = Seen::of(&Tree::open(&package).unwrap(), None, Bounds::NONE).0;
    let mut now = before.installed.clone();
    for facts in now.values_mut() {
        (facts.device, facts.inode) = (facts.device + 1, facts.inode + 1);
    }
    let changed = |now: &BTreeMap<PathBuf, Facts>| {
        installed::changed(&before.places, &before.installed, now, Work::Generation).map(Path::to_owned)
    };
    assert_eq!(changed(&now), None);
    now.get_mut(Path::new("node_modules/x.js")).unwrap().size += 1;
    assert_eq!(changed(&now), Some("node_modules/x.js".into()));
}

#[test]
fn files_without_content_that_the_host_would_read_for_hours_are_too_much() {
    let (_directory, package) = package();
    let length = MOST_BYTES / 2;
    let holes = |package: &Path, count| {
        for number in 0..count {
            let file = fs::File::create(package.join(format!("src/{number}"))).unwrap();
            file.set_len(length).unwrap();
        }
    };
    assert_eq!(left(&package, Owner::Person, |package| holes(package, 2)), []);
    assert_eq!(left(&package, Owner::Person, |package| holes(package, 5)), [(String::new(), "too much")]);
}

/// What makes a repository run something, and what paths are called, costs a child nothing.
#[test]
fn control_files_and_names_without_end_take_a_bounded_part_of_memory() {
    let (_directory, package) = package();
    let hooks = package.join(".git/hooks");
    for number in 0..100 {
        fs::File::create(hooks.join(number.to_string())).unwrap().set_len(LARGEST).unwrap();
    }
    let seen = |most| Seen::of(&Tree::open(&package).unwrap(), None, most).0;
    let kept = |seen: &Seen| seen.control.values().flatten().map(|content| content.len() as u64).sum::<u64>();
    let all = seen(Bounds::NONE);
    assert_eq!(kept(&all), all.kept);
    assert!(all.kept > 100 * LARGEST);
    let few = seen(Bounds { paths: u64::MAX, control: 5 * LARGEST });
    assert!(kept(&few) <= 5 * LARGEST && few.control.len() == all.control.len());
    let few = seen(Bounds { paths: all.paths / 2, control: u64::MAX });
    assert!(few.paths == all.paths && few.control.len() < all.control.len());
    let found = left(&package, Owner::Person, |package| fs::write(package.join(".git/hooks/pre-commit"), "x").unwrap());
    assert_eq!(found, [(".git/hooks/pre-commit".to_owned(), "repository")]);
    // It comes last and may not be noted: nothing of it is told ahead of the flood.
    fs::create_dir(package.join("node_modules")).unwrap();
    fs::write(package.join("node_modules/x.js"), "").unwrap();
    fs::create_dir(package.join("z")).unwrap();
    fs::create_dir(package.join("z/.git")).unwrap();
    fs::File::create(package.join("z/.git/config")).unwrap().set_len(LARGEST + 1).unwrap();
    let flood = |package: &Path| {
        let deep = package.join(vec!["d".repeat(200); 15].join("/"));
        fs::create_dir_all(&deep).unwrap();
        let handle = fs::File::open(&deep).unwrap();
        for number in 0..MOST_OF_PATHS / 3_000 {
            rustix::fs::mknodat(
                &handle,
                number.to_string(),
                rustix::fs::FileType::RegularFile,
                rustix::fs::Mode::RUSR,
                0,
            )
            .unwrap();
        }
    };
    assert_eq!(left(&package, Owner::Person, flood), [(String::new(), "too much")]);
    fs::remove_dir_all(package.join("d".repeat(200))).unwrap();
    assert_eq!(left(&package, Owner::Host, flood), [(String::new(), "too much")]);
}
