//! The table of crates in `ARCHITECTURE.md` says which crate may depend on which. This test holds it against Cargo's own
//! account, in both directions: an arrow that the table does not allow fails, and so does one that nothing uses any more.
//! Arrows of the product lead down the table.

use crate::repository;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "ARCHITECTURE.md";
/// The lines around the table.
const BEGIN: &str = "<!-- begin crates -->";
const END: &str = "<!-- end crates -->";
/// What the names of the packages begin with; the table has the names of the directories.
const PREFIX: &str = "bailiwick-";

/// Crate to its direct dependencies inside the workspace: those of the product, and those only its tests have.
type Arrows = BTreeMap<String, [BTreeSet<String>; 2]>;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
}

fn by_cargo() -> Arrows {
    let mut cargo = repository::cargo();
    let output = cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output().unwrap();
    let metadata: Metadata = serde_json::from_slice(&output.stdout).unwrap();
    let mut arrows = Arrows::new();
    for package in metadata.packages {
        let [normal, tests] = arrows.entry(package.name.replace(PREFIX, "")).or_default();
        for dependency in &package.dependencies {
            let Some(name) = dependency.name.strip_prefix(PREFIX) else { continue };
            let set = if dependency.kind.as_deref() == Some("dev") { &mut *tests } else { &mut *normal };
            set.insert(name.to_owned());
        }
        // A crate that tests use with other features is not a second arrow.
        tests.retain(|name| !normal.contains(name));
    }
    arrows
}

/// Rows are `` | `crate` | what it is for | `a`, `b` | `c` | ``.
fn rows(page: &str) -> Vec<(String, [BTreeSet<String>; 2])> {
    let (_, rest) = page.split_once(BEGIN).unwrap();
    let (table, _) = rest.split_once(END).unwrap();
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').collect();
            let [name, _, normal, tests] = cells[..] else { panic!("not four columns: {line}") };
            (name.trim().trim_matches('`').to_owned(), [names(normal), names(tests)])
        })
        .collect()
}

#[test]
fn table_of_allowed_arrows_is_what_cargo_says() {
    let page = std::fs::read_to_string(repository::root().join(PAGE)).unwrap();
    let (table, cargo) = (rows(&page).into_iter().collect::<Arrows>(), by_cargo());
    assert!(cargo.len() > 10, "{cargo:?}");
    for (name, [normal, tests]) in &cargo {
        let Some([allowed, allowed_in_tests]) = table.get(name) else { panic!("{PAGE} has no row for `{name}`") };
        assert_eq!(normal, allowed, "dependencies of `{name}`: Cargo.toml left, {PAGE} right");
        assert_eq!(tests, allowed_in_tests, "dependencies of the tests of `{name}`: Cargo.toml left, {PAGE} right");
    }
    let gone: Vec<_> = table.keys().filter(|name| !cargo.contains_key(*name)).collect();
    assert!(gone.is_empty(), "{PAGE} has rows of crates that do not exist: {gone:?}");
}

#[test]
fn arrows_of_the_product_lead_down_the_table() {
    let page = std::fs::read_to_string(repository::root().join(PAGE)).unwrap();
    let mut above = BTreeSet::new();
    for (name, [normal, _]) in rows(&page) {
        let up: Vec<_> = normal.intersection(&above).collect();
        assert!(up.is_empty(), "`{name}` depends on {up:?}, whose rows are above its own");
        above.insert(name);
    }
}
