//! The pages of `docs/` name tests that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The page about the tests of a customization. Every long name on it is a test.
const CUSTOMIZATION: &str = "docs/contributing/test-matrix.md";

/// The pages that say which test attacks which guarantee, and how many names each has at the least. A name is a whole test
/// (`a_long_name`), its beginning (`a_long_…`), or a path of modules (`races::*`, `escape::{lexical,links}`).
const ATTACKS: [(&str, usize); 3] = [
    ("docs/contributing/hostile-code.md", 50),
    ("docs/contributing/findings.md", 20),
    ("docs/contributing/security-contract.md", 80),
];

/// What is named on a page and stands in the tree.
struct Tree {
    functions: BTreeSet<String>,
    /// Modules and test binaries.
    modules: BTreeSet<String>,
}

impl Tree {
    fn read(directories: &[&str]) -> Self {
        let mut tree = Self { functions: BTreeSet::new(), modules: BTreeSet::new() };
        for directory in directories {
            tree.add(&root().join(directory));
        }
        tree
    }

    fn add(&mut self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && !["target", "node_modules"].contains(&stem.as_str()) {
                // A directory of tests is a binary (with `_` for `-`) or a module.
                self.modules.insert(stem.replace('-', "_"));
                self.add(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.modules.insert(stem);
                let text = fs::read_to_string(&path).unwrap();
                for line in text.lines() {
                    let words = ["pub ", "pub(crate) ", "async "]
                        .into_iter()
                        .fold(line.trim_start(), |words, word| words.strip_prefix(word).unwrap_or(words));
                    let name = |rest: &str| rest.split(['(', '<', ';', ' ']).next().unwrap().to_owned();
                    if let Some(rest) = words.strip_prefix("fn ") {
                        self.functions.insert(name(rest));
                    } else if let Some(rest) = words.strip_prefix("mod ") {
                        self.modules.insert(name(rest));
                    }
                }
            }
        }
    }

    fn has_test(&self, name: &str) -> bool {
        match name.strip_suffix('…') {
            Some(begun) => {
                self.functions.range(begun.to_owned()..).next().is_some_and(|found| found.starts_with(begun))
            }
            None => self.functions.contains(name),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.modules.contains(name) || self.has_test(name)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// What stands between backticks on a page.
fn quoted(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Names of tests are the long ones.
fn is_long(name: &str) -> bool {
    name.matches('_').count() > 4 && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_…".contains(letter))
}

#[test]
fn every_test_that_the_test_matrix_names_exists() {
    let tree = Tree::read(&["host/customize/src", "tests"]);
    let named: Vec<_> = quoted(CUSTOMIZATION).into_iter().filter(|name| is_long(name)).collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        assert!(tree.has_test(&name), "`{name}` is not a test");
    }
}

#[test]
fn every_test_that_a_page_about_attacks_names_exists() {
    let tree = Tree::read(&["host", "tests", "components"]);
    for (page, least) in ATTACKS {
        let mut seen = 0;
        for words in quoted(page).iter().filter(|words| words.contains("::") || is_long(words)) {
            // One letter is an example or a star.
            for name in words.split([':', '{', '}', ',', ' ']).filter(|name| name.len() > 1) {
                seen += 1;
                let there = if is_long(name) { tree.has_test(name) } else { tree.has(name) };
                assert!(there, "{page}: `{name}` of `{words}` is not a test");
            }
        }
        assert!(seen >= least, "{page} names {seen} tests");
    }
}
