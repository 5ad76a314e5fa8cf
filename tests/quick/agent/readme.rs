//! The commands on the page of the examples, typed as they stand there, without a key.

use bailiwick_tests::{binary, cache};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A directory like the one that the page speaks of: a clone, and room beside it.
pub(crate) struct Clone {
    directory: tempfile::TempDir,
}

impl Clone {
    /// One with everything installed that the page says, for all tests here.
    pub(crate) fn shared() -> &'static Self {
        static CLONE: OnceLock<Clone> = OnceLock::new();
        CLONE.get_or_init(|| {
            let directory = tempfile::tempdir().unwrap();
            let clone = Self { directory };
            super::examples::copy(&super::examples::examples(), &clone.path("clone/examples/agents"));
            let install = blocks()[1].lines().next().unwrap().to_owned();
            let _ = clone.types(&install);
            clone
        })
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    /// Types commands into a shell, in the clone, and says what they print.
    pub(crate) fn types(&self, commands: &str) -> String {
        let own = binary();
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("sh")
            .args(["-ec", commands])
            .current_dir(self.path("clone"))
            .env("PATH", format!("{}:{path}", own.parent().unwrap().display()))
            .env("BAILIWICK_STATE_DIR", self.path("state"))
            .env("BAILIWICK_CACHE_DIR", cache())
            .env_remove("BAILIWICK_MODEL")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{commands}\n{}\n{stderr}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The blocks of commands on the page, in their order.
fn blocks() -> Vec<String> {
    let page = fs::read_to_string(super::examples::examples().join("README.md")).unwrap();
    let blocks: Vec<String> =
        page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    // The last one builds tools in three languages and asks a person; `contributed_tools` does what it does.
    assert_eq!(blocks.len(), 4, "a block of commands came to be that is not tested");
    blocks
}

fn result(printed: &str) -> Value {
    serde_json::from_str(printed).unwrap_or_else(|error| panic!("{error}: {printed}"))
}

#[test]
fn commands_that_write_a_readme_write_it() {
    let clone = Clone::shared();
    let printed = clone.types(&blocks()[0]);
    assert_eq!(result(&printed), json!({"path": "project/README.md", "outcome": "created", "modules": 2}));
    let readme = fs::read_to_string(clone.path("clock/README.md")).unwrap();
    assert_eq!(readme, "# Clock\n\nTells the time.\n\n## Modules\n\n- src/clock.py\n- tick.py\n");
}

#[test]
fn commands_that_correct_the_spelling_leave_nothing_for_the_real_spell_checker_to_find() {
    let clone = Clone::shared();
    let (_, commands) = blocks()[1].split_once('\n').map(|(first, rest)| (first.to_owned(), rest.to_owned())).unwrap();
    let printed = clone.types(&commands);
    let result = result(&printed);
    assert_eq!(result["fixed"], 3);
    assert_eq!(result["added"], json!(["preopen", "Okonkwo", "Laurila", "Jyväskylä"]));
    let docs = clone.path("docs");
    assert_eq!(super::spelling::cspell(&docs), "");
    let guide = fs::read_to_string(docs.join("guide.md")).unwrap();
    assert!(guide.contains("receives its preopen once") && guide.contains("are separate, and"), "{guide}");
    let code = fs::read_to_string(docs.join("src/latch.py")).unwrap();
    assert!(code.contains("until somebody"), "{code}");
}

#[test]
fn commands_that_show_least_privilege_are_refused_what_the_text_asks_for() {
    let clone = Clone::shared();
    let printed = clone.types(&blocks()[2]);
    assert_eq!(result(&printed)["refused"], "not-permitted");
    assert!(!Path::new(&clone.path("clone/examples/agents/dependencies/sample/DEPENDENCIES.md")).exists());
}
