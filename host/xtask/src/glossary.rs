//! `GLOSSARY.md` says where each term is in code. This test looks there.

use crate::repository;
use std::fs;
use std::path::Path;

const PAGE: &str = "GLOSSARY.md";
const KINDS: [&str; 7] = ["struct", "enum", "trait", "fn", "mod", "const", "type"];

fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_item_of_the_glossary_is_in_its_crate() {
    let page = fs::read_to_string(repository::root().join(PAGE)).unwrap();
    let rows =
        page.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.trim_matches('|').rsplit('|').next());
    let items: Vec<_> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(items.len() > 30, "{items:?}");
    let missing: Vec<_> = items.into_iter().filter(|item| !is_defined(item)).collect();
    assert!(missing.is_empty(), "{PAGE} has items that their crates do not have: {missing:?}");
}

/// Whether `item`, such as `sandbox::Grant`, is defined anywhere in its crate.
fn is_defined(item: &str) -> bool {
    let Some((name, symbol)) = item.split_once("::") else { return false };
    let mut text = String::new();
    sources(&repository::root().join("host").join(name).join("src"), &mut text);
    KINDS.iter().any(|kind| {
        let definition = format!("{kind} {symbol}");
        text.match_indices(&definition).any(|(at, _)| {
            !text[at + definition.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
    })
}
