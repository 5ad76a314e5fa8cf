//! A directory or a file becomes a link, a pipe or a pit.

use super::Attacked;

/// The host puts hand-written files back after each generation; here their directory leads outside by then.
#[test]
fn directory_of_a_hand_written_file_that_became_a_link_is_not_followed() {
    let attacked = Attacked::by(
        "fs.renameSync('azure/widget/models', 'azure/widget/moved');\nfs.symlinkSync(outside, 'azure/widget/models');",
    );
    attacked.assert_refused(attacked.generate(), "azure/widget/models");
}

/// The files that the host removes and puts back after a failure, and empties directories of.
#[test]
fn failed_generation_restores_nothing_behind_a_link() {
    let attacked = Attacked::by(
        "fs.renameSync('azure/widget', 'azure/moved');\nfs.symlinkSync(outside, 'azure/widget');\nprocess.exit(1);",
    );
    attacked.assert_refused(attacked.generate(), "azure/widget");
}

#[test]
fn every_link_and_pipe_that_is_left_ends_the_step() {
    for (path, script) in [
        ("azure/widget/elsewhere", "fs.symlinkSync('/etc', 'azure/widget/elsewhere');"),
        (
            "azure/widget/models/_patch.py",
            "fs.rmSync('azure/widget/models/_patch.py');\nfs.symlinkSync(outside + '/_patch.py', 'azure/widget/models/_patch.py');",
        ),
        ("azure/widget/pipe", "require('child_process').execFileSync('/usr/bin/mkfifo', ['azure/widget/pipe']);"),
        (
            "azure/widget/models/_patch.py",
            "fs.rmSync('azure/widget/models/_patch.py');\nrequire('child_process').execFileSync('/usr/bin/mkfifo', ['azure/widget/models/_patch.py']);",
        ),
    ] {
        let attacked = Attacked::by(script);
        attacked.assert_refused(attacked.generate(), path);
    }
}

#[test]
fn directories_nested_without_end_are_refused_and_removed() {
    let attacked = Attacked::by("for (let i = 0; i < 400; i++) {\n  fs.mkdirSync('d');\n  process.chdir('d');\n}");
    attacked.assert_refused(attacked.generate(), "azure-widget");
}

/// A backup by hard links, or a package manager's store: the file lies outside as well.
#[test]
fn file_that_has_a_name_outside_is_written_inside_alone() {
    let attacked = Attacked::by("fs.writeFileSync('azure/widget/models/_patch.py.bak', 'overwritten\\n');");
    let inside = attacked.world.package().join("azure/widget/models/_patch.py.bak");
    std::fs::hard_link(attacked.outside.join("_patch.py"), &inside).unwrap();
    let _ = attacked.generate().exits(0);
    assert_eq!(std::fs::read(inside).unwrap(), b"overwritten\n");
    assert_eq!(std::fs::read(attacked.outside.join("_patch.py")).unwrap(), b"somebody else's");
}

/// The copy of the specification is removed by the host, and a link to the tools is put into it.
#[test]
fn copy_of_the_specification_that_became_a_link_is_removed_and_not_followed() {
    let attacked = Attacked::by(
        "fs.rmSync('TempTypeSpecFiles', { recursive: true });\nfs.symlinkSync(outside, 'TempTypeSpecFiles');",
    );
    let _ = attacked.generate();
    assert!(attacked.outside.join("_patch.py").is_file());
    assert!(std::fs::symlink_metadata(attacked.world.package().join("TempTypeSpecFiles")).is_err());
    assert_eq!(std::fs::read_dir(&attacked.outside).unwrap().count(), 1);
}
