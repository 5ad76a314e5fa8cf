//! The very script that `fleet step` writes, in an empty environment with the few programs that it needs. GitHub is a stand-in:
//! a program named `gh` that keeps the labels and the one comment in files.

use super::{Fleet, RENAME, SDK, SPECS, commit, package};
use bailiwick_tests::{Answer, binary, cache_of};
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const LABEL: &str = "bailiwick-repair";
const LIST: &str = "eng/bailiwick-repair.txt";

/// What the script calls, beside git, gh and bailiwick.
const PROGRAMS: [&str; 10] = ["sh", "git", "mktemp", "rm", "cat", "head", "sed", "grep", "env", "uname"];

/// Answers the calls of the script, and only with the token.
const GH: &str = r#"#!/bin/sh
[ "${GH_TOKEN:-}" = secret-token ] || { echo "no token" >&2; exit 4; }
case "$*" in
*"/labels --jq"*) cat "$GH_FILES/labels" ;;
*"--paginate"*"/comments?per_page=100"*) [ ! -s "$GH_FILES/comment" ] || echo 7 ;;
*"/comments/7 --jq .body") cat "$GH_FILES/comment" ;;
*"--method POST"*"/issues/12/comments -F body=@"* | *"--method PATCH"*"/comments/7 -F body=@"*)
    for last; do :; done
    cat "${last#body=@}" >"$GH_FILES/comment.new"
    mv "$GH_FILES/comment.new" "$GH_FILES/comment"
    echo "$2 $3" >>"$GH_FILES/calls" ;;
*"--method DELETE"*"/labels/bailiwick-repair") : >"$GH_FILES/labels" ;;
*) echo "unknown call: $*" >&2; exit 5 ;;
esac
"#;

/// Writes down its environment, then is bailiwick, which finds the programs of toolchains.
const BAILIWICK: &str = "#!/bin/sh\nenv >>\"$GH_FILES/environment\"\nPATH=$TOOLCHAIN exec \"$BAILIWICK_BIN\" \"$@\"\n";

/// A pull request that moves package 0 to a commit of the specification that breaks its hand-written code, and package 1,
/// which is not on the list.
struct PullRequest {
    fleet: Fleet,
    base: String,
    head: String,
}

impl PullRequest {
    fn new(list: Option<&str>) -> Self {
        let fleet = Fleet::of(3, |_| Value::Null);
        let client = fleet.world.project().join("client.tsp");
        std::fs::write(&client, fleet.world.client() + RENAME).unwrap();
        if let Some(list) = list {
            std::fs::write(fleet.world.base().join(SDK).join(LIST), list).unwrap();
        }
        fleet.world.commit();
        let base = commit(&fleet.world, SDK);
        let specification = commit(&fleet.world, SPECS);
        let _ = fleet.world.git(SDK, &["checkout", "-q", "-b", "pr"]);
        for number in [0, 1] {
            let location = fleet.world.base().join(package(number)).join("tsp-location.yaml");
            let text = std::fs::read_to_string(&location).unwrap();
            let line = text.lines().find(|line| line.starts_with("commit:")).unwrap();
            std::fs::write(&location, text.replace(line, &format!("commit: {specification}"))).unwrap();
        }
        // A pull request does not decide what may be repaired.
        std::fs::write(fleet.world.base().join(SDK).join(LIST), "**\n").unwrap();
        fleet.world.commit();
        let head = commit(&fleet.world, SDK);
        let base_directory = fleet.world.base();
        let _ = fleet.world.git(SDK, &["clone", "-q", "--bare", ".", "../origin.git"]);
        let _ = fleet.world.git(SDK, &["remote", "add", "origin", "../origin.git"]);
        let files = base_directory.join("gh");
        std::fs::create_dir(&files).unwrap();
        std::fs::write(files.join("labels"), format!("{LABEL}\nother\n")).unwrap();
        let _ = fleet.world.bailiwick(&["fleet", "step", "github", "--output", "step"]).exits(0);
        Self { fleet, base, head }
    }

    fn files(&self) -> PathBuf {
        self.fleet.world.base().join("gh")
    }

    fn comment(&self) -> String {
        std::fs::read_to_string(self.files().join("comment")).unwrap_or_default()
    }

    /// The branch of the pull request as others see it.
    fn pushed(&self) -> String {
        let origin = self.fleet.world.base().join("origin.git");
        self.fleet.world.git(SDK, &["--git-dir", origin.to_str().unwrap(), "rev-parse", "pr"]).trim().to_owned()
    }

    fn run(&self, further: &[(&str, &str)]) -> Answer {
        let base = self.fleet.world.base();
        let programs = base.join("programs");
        if !programs.exists() {
            std::fs::create_dir(&programs).unwrap();
            for name in PROGRAMS.iter().chain(&["mv"]) {
                symlink(found(name), programs.join(name)).unwrap();
            }
            for (name, text) in [("gh", GH), ("bailiwick", BAILIWICK)] {
                std::fs::write(programs.join(name), text).unwrap();
                std::fs::set_permissions(programs.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let home = base.join("home");
        std::fs::create_dir_all(&home).unwrap();
        let output = Command::new(programs.join("sh"))
            .arg(base.join("step/repair.sh"))
            .current_dir(base)
            .env_clear()
            .env("PATH", &programs)
            .env("TOOLCHAIN", std::env::var_os("PATH").unwrap())
            .envs([("HOME", home.to_str().unwrap()), ("GH_TOKEN", "secret-token")])
            .envs([("REPOSITORY", "owner/azure-sdk-for-python"), ("PULL_REQUEST", "12"), ("BRANCH", "pr")])
            .envs([("BASE", &*self.base), ("SDK", SDK), ("SPECIFICATIONS", SPECS)])
            .env("GH_FILES", self.files())
            .env("BAILIWICK_BIN", binary())
            .env("BAILIWICK_STATE_DIR", self.fleet.world.state())
            .env("BAILIWICK_CACHE_DIR", cache_of(base))
            .envs(further.iter().copied())
            .output()
            .unwrap();
        Answer {
            code: output.status.code().unwrap_or(128),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn assert_nothing_was_done(&self) {
        assert_eq!((self.pushed(), self.comment()), (self.head.clone(), String::new()));
        assert!(!self.files().join("environment").exists(), "bailiwick was started");
    }
}

fn found(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file()).unwrap()
}

fn totals(comment: &str) -> Value {
    let line = comment.lines().next().unwrap();
    let told = line.strip_prefix("<!-- bailiwick-repair ").and_then(|rest| rest.strip_suffix(" -->")).unwrap();
    serde_json::from_str(told).unwrap()
}

#[test]
fn labelled_pull_request_is_repaired_on_its_branch_with_one_comment_and_the_token_reaches_no_build() {
    let request = PullRequest::new(Some("# packages\nsdk/w00/*\nsdk/w02/*\n"));
    // The variable of the script may be one that is exported.
    let answer = request.run(&[("token", "x"), ("GITHUB_TOKEN", "another-token")]).exits(0);
    let pushed = request.pushed();
    assert_ne!(pushed, request.head, "{}", answer.stderr);
    let origin = request.fleet.world.base().join("origin.git");
    let changed = request
        .fleet
        .world
        .git(SDK, &["--git-dir", origin.to_str().unwrap(), "diff", "--name-only", &request.head, "pr"]);
    assert!(changed.lines().all(|file| file.starts_with("sdk/w00/azure-widget/")), "{changed}");
    assert!(changed.contains("_patch.py"), "{changed}");
    let comment = request.comment();
    let counted = json!({ "runs": 1, "done": 1, "repaired": 1, "notDone": 0 });
    let told = totals(&comment);
    for (name, value) in counted.as_object().unwrap() {
        assert_eq!(&told[name], value, "{comment}");
    }
    assert!(comment.contains("sdk/w01/azure-widget") && comment.contains("`--only` does not list it"), "{comment}");
    assert!(comment.contains(&format!("Pushed onto this branch, from {} to {pushed}", request.head)), "{comment}");
    assert!(!comment.contains("sdk/w02"), "{comment}");
    let environment = std::fs::read_to_string(request.files().join("environment")).unwrap();
    assert!(!environment.contains("secret-token") && !environment.contains("another-token"), "{environment}");

    // The label is gone, so nothing is done before a person sets it again.
    let calls = || std::fs::read_to_string(request.files().join("calls")).unwrap().lines().count();
    assert_eq!(calls(), 1);
    let _ = request.run(&[]).exits(0);
    assert_eq!(calls(), 1);

    // Once more on the repaired branch: the same comment, with the counts of both runs.
    std::fs::write(request.files().join("labels"), LABEL).unwrap();
    let _ = request.fleet.world.git(SDK, &["fetch", "-q", "origin"]);
    let _ = request.fleet.world.git(SDK, &["reset", "-q", "--hard", "origin/pr"]);
    let _ = request.run(&[]).exits(0);
    let told = totals(&request.comment());
    assert_eq!((&told["runs"], &told["done"], &told["repaired"]), (&json!(2), &json!(2), &json!(1)));
    assert_eq!(request.pushed(), pushed);
}

#[test]
fn stop_switch_a_missing_label_and_a_missing_list_each_leave_everything_as_it_was() {
    let request = PullRequest::new(Some("sdk/w00/*\n"));
    for value in ["off", "OFF", "false", " "] {
        let _ = request.run(&[("BAILIWICK_REPAIR", value)]).exits(0);
        request.assert_nothing_was_done();
    }
    // A variable in the file of Azure Pipelines would win over the one that a person sets.
    let _ = request.fleet.world.bailiwick(&["fleet", "step", "azure", "--output", "azure"]).exits(0);
    let pipeline = std::fs::read_to_string(request.fleet.world.base().join("azure/repair.yml")).unwrap();
    assert!(!pipeline.lines().any(|line| line.trim_start().starts_with("BAILIWICK_REPAIR:")), "{pipeline}");
    std::fs::write(request.files().join("labels"), "bailiwick-repair-later\n").unwrap();
    let _ = request.run(&[]).exits(0);
    request.assert_nothing_was_done();
    // The pull request adds a list, and the base branch has none.
    let request = PullRequest::new(None);
    let _ = request.run(&[]).exits(0);
    request.assert_nothing_was_done();
}

#[test]
fn run_beyond_its_time_limit_ends_with_a_verdict_for_each_package_and_pushes_nothing() {
    let request = PullRequest::new(Some("**\n"));
    for number in [0, 1] {
        let script = request.fleet.world.base().join(package(number)).join("stand-in.json");
        std::fs::write(script, json!({ "hangs": "generate" }).to_string()).unwrap();
    }
    request.fleet.world.commit();
    let before = request.pushed();
    let answer = request.run(&[("TIME_LIMIT", "4")]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    let comment = request.comment();
    assert!(comment.contains("| cancelled | 2 |"), "{comment}");
    assert_eq!(totals(&comment)["notDone"], 2);
    assert_eq!(request.pushed(), before);
    assert!(request.fleet.world.processes().is_empty(), "{:?}", request.fleet.world.processes());
}

#[test]
fn run_that_cannot_be_planned_says_so_in_the_one_comment_which_the_next_run_replaces() {
    let request = PullRequest::new(Some("sdk/w00/*\n"));
    let answer = request.run(&[("SPECIFICATIONS", "missing")]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert!(request.comment().contains("its packages could not be planned"), "{}", request.comment());
    assert_eq!(request.pushed(), request.head);
    let _ = request.run(&[]).exits(0);
    let calls = std::fs::read_to_string(request.files().join("calls")).unwrap();
    assert_eq!(calls, "--method POST\n--method PATCH\n");
    assert_eq!(totals(&request.comment())["runs"], 1);
}

#[test]
fn branch_that_moved_meanwhile_is_not_overwritten() {
    let request = PullRequest::new(Some("sdk/w00/*\n"));
    let other = request.fleet.world.base().join("other");
    let other = other.to_str().unwrap();
    let _ = request.fleet.world.git(SDK, &["clone", "-q", "-b", "pr", "../origin.git", other]);
    std::fs::write(Path::new(other).join("more.txt"), "more\n").unwrap();
    let commit = ["-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "more"];
    for arguments in [&["add", "more.txt"][..], &commit, &["push", "-q", "origin", "pr"]] {
        let _ = request.fleet.world.git(SDK, &[&["-C", other][..], arguments].concat());
    }
    let moved = request.pushed();
    let answer = request.run(&[]);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert_eq!(request.pushed(), moved);
    assert!(request.comment().contains("could not be pushed"), "{}", request.comment());
}

#[test]
fn text_of_a_package_is_no_command_to_the_agent_of_a_pipeline() {
    let request = PullRequest::new(Some("**\n"));
    let text = "##vso[task.complete result=Succeeded;]x";
    let error = json!({ "file": "azure/widget/_client.py", "line": 1, "message": format!("{text} ##[add-matcher]y") });
    for (number, script) in
        [(0, json!({ "build": vec![[error]; 9] })), (1, json!({ "generate": vec![[text, "::stop-commands::z"]; 9] }))]
    {
        let file = request.fleet.world.base().join(package(number)).join("stand-in.json");
        std::fs::write(file, script.to_string()).unwrap();
    }
    request.fleet.world.commit();
    for variable in ["TF_BUILD", "GITHUB_ACTIONS"] {
        std::fs::write(request.files().join("labels"), LABEL).unwrap();
        let answer = request.run(&[(variable, "True")]);
        let said = format!("{}{}", answer.stdout, answer.stderr);
        assert!(said.contains("vso[task.complete"), "the text is not printed: {said}");
        for line in said.lines() {
            let obeyed = line.contains("##vso[") || line.contains("##[") || line.trim_start().starts_with("::");
            assert!(!obeyed, "{line}\n{said}");
        }
    }
}
