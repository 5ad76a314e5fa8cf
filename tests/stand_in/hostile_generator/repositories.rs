//! Repositories of git are planted: their configuration names a program that git runs for the next person who looks.

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
