//! A hostile generator attacks the host: whatever it makes of the package, nothing is read or written outside, git runs
//! nothing of it, and both repositories are as before.
//!
//! The generator is the stand-in of `tests/stand-in-toolchain`, which runs a script of the package inside the confined
//! child; the driver, the confinement, the runs and git are real. No real emitter attacks here.

mod hidden;
mod left_out;
mod links;
mod names;
mod repositories;
mod what_runs;

use bailiwick_tests::{Answer, Snapshot, World};
use std::path::PathBuf;

/// A world whose generator runs `script`, and what stood there before. `outside` lies beside both repositories.
struct Attacked {
    world: World,
    before: Snapshot,
    outside: PathBuf,
}

impl Attacked {
    fn by(script: &str) -> Self {
        let world = World::standing_in();
        let outside = world.base().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("_patch.py"), "somebody else's").unwrap();
        let outside_text = serde_json::to_string(&outside).unwrap();
        let script = format!("const fs = require('fs');\nconst outside = {outside_text};\n{script}\n");
        std::fs::write(world.package().join("hostile.js"), script).unwrap();
        world.stand_in_fails(&serde_json::json!({ "runs": "hostile.js" }));
        let before = world.snapshot();
        Self { world, before, outside }
    }

    fn generate(&self) -> Answer {
        let package = self.world.package();
        self.world.bailiwick(&["package", "generate", "--package-path", package.to_str().unwrap()])
    }

    /// The generation failed and named `path`, the repositories are as before, and nothing outside changed.
    #[track_caller]
    fn assert_refused(&self, answer: Answer, path: &str) {
        let answer = answer.exits(1);
        assert!(answer.stderr.contains(path), "`{path}` is not named: {}", answer.stderr);
        self.assert_whole();
    }

    #[track_caller]
    fn assert_whole(&self) {
        // A run whose process ended in the middle is completed by the next command.
        let _ = self.world.bailiwick(&["run", "list"]).exits(0);
        self.before.assert_same(&self.world.snapshot());
        let names: Vec<_> = std::fs::read_dir(&self.outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["_patch.py"], "something was written outside");
        assert_eq!(std::fs::read(self.outside.join("_patch.py")).unwrap(), b"somebody else's");
    }

    /// Every `.git` in the SDK repository, relative to it.
    fn repositories(&self) -> Vec<String> {
        let root = self.world.base().join(self.world.sdk().repository());
        let mut found = Vec::new();
        let mut left = vec![root.clone()];
        while let Some(directory) = left.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let entry = entry.unwrap();
                if entry.file_name() == ".git" {
                    found.push(entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                } else if entry.file_type().unwrap().is_dir() {
                    left.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }
}

#[test]
fn generator_that_only_generates_is_let_through() {
    let attacked = Attacked::by("fs.appendFileSync('azure/widget/models/_models.py', '# one more line\\n');");
    let _ = attacked.generate().exits(0);
    assert!(attacked.world.read("azure/widget/models/_models.py").ends_with("# one more line\n"));
}
