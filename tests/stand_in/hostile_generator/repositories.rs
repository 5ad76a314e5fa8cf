//! Repositories of git are planted: their configuration names a program that git runs for the next person who looks.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::Attacked;

/// What a planted repository would run, and where that would show.
const RUNS: &str = "const plant = (at) => {
  fs.mkdirSync(at + '/objects', { recursive: true });
  fs.mkdirSync(at + '/refs', { recursive: true });
  fs.writeFileSync(at + '/HEAD', 'ref: refs/heads/main\\n');
  fs.writeFileSync(at + '/config', '[core]\\n\\tfsmonitor = touch ' + outside + '/ran; false\\n');
};
";

#[test]
fn repository_below_the_packages_root_is_removed_and_git_runs_nothing_there() {
    for place in ["azure/widget/.git", ".git", "azure/widget/new/deep/.git"] {
        let attacked = Attacked::by(&format!("{RUNS}plant('{place}');"));
        attacked.assert_refused(attacked.generate(), place);
        assert_eq!(attacked.repositories(), [".git"]);
        let _ = attacked.world.git("azure-sdk-for-python/sdk/widget/azure-widget/azure/widget", &["status"]);
        assert!(!attacked.outside.join("ran").exists(), "git ran what was planted");
    }
}

#[test]
fn package_that_became_a_bare_repository_is_one_no_more() {
    for place in [".", "azure/widget"] {
        let attacked = Attacked::by(&format!("{RUNS}plant('{place}');"));
        attacked.assert_refused(attacked.generate(), "azure-widget");
        let _ = attacked.world.git("azure-sdk-for-python/sdk/widget/azure-widget/azure/widget", &["status"]);
        assert!(!attacked.outside.join("ran").exists(), "git ran what was planted");
    }
}

/// Finding 5: `run revert` left six entries of a nested repository behind.
#[test]
fn file_that_names_another_repository_is_removed() {
    let attacked = Attacked::by("fs.writeFileSync('azure/widget/.git', 'gitdir: ' + outside + '\\n');");
    attacked.assert_refused(attacked.generate(), "azure/widget/.git");
    assert_eq!(attacked.repositories(), [".git"]);
}

/// `HEAD` here, everything else in the directory that `commondir` names.
#[test]
fn directory_that_takes_its_configuration_from_another_is_not_a_repository_afterwards() {
    let attacked = Attacked::by(
        "const config = '[core]\\n\\trepositoryformatversion = 1\\n\\tfsmonitor = \"touch ' + outside + '/ran; false\"\\n[extensions]\\n\\tworktreeConfig = true\\n';
for (const at of ['azure/common/objects', 'azure/common/refs']) fs.mkdirSync(at, { recursive: true });
fs.writeFileSync('azure/common/config', config);
fs.writeFileSync('azure/widget/HEAD', 'ref: refs/heads/main\\n');
fs.writeFileSync('azure/widget/commondir', '../common\\n');
fs.writeFileSync('azure/widget/config.worktree', '[core]\\n\\tbare = false\\n\\tworktree = ..\\n');",
    );
    attacked.assert_refused(attacked.generate(), "azure/widget");
    let _ = attacked.world.git("azure-sdk-for-python/sdk/widget/azure-widget/azure/widget", &["status"]);
    assert!(!attacked.outside.join("ran").exists(), "git ran what was planted");
}

/// What cannot be looked into keeps nothing beside it from being looked at.
#[test]
fn nesting_without_end_hides_no_repository_at_the_packages_root() {
    let attacked = Attacked::by(&format!(
        "{RUNS}plant('.git');\nfor (let i = 0; i < 300; i++) {{\n  fs.mkdirSync('d');\n  process.chdir('d');\n}}"
    ));
    attacked.assert_refused(attacked.generate(), "azure-widget");
    assert_eq!(attacked.repositories(), [".git"]);
}

/// The comparison with what was there before is part of a step that comes to its end. Here it never does.
#[test]
fn repository_that_is_planted_before_a_cancellation_or_a_kill_is_undone() {
    for signal in ["-INT", "-KILL"] {
        let attacked = Attacked::by(&format!(
            "{RUNS}plant('.git');\nplant('azure/widget/.git');\nAtomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"
        ));
        let package = attacked.world.package();
        let mut generating = attacked
            .world
            .command(&["package", "generate", "--package-path", package.to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(120);
        while !package.join("azure/widget/.git/config").exists() {
            assert!(Instant::now() < deadline && generating.try_wait().unwrap().is_none(), "nothing was planted");
            std::thread::sleep(Duration::from_millis(20));
        }
        let killed = std::process::Command::new("kill").args([signal, &generating.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let _ = generating.wait().unwrap();
        attacked.assert_whole();
        assert_eq!(attacked.repositories(), [".git"], "{signal}");
    }
}
