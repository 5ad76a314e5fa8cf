//! `docs/contributing/test-matrix.md` names tests that exist.

use std::fs;
use std::path::Path;

fn sources(directory: &Path, text: &mut String) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_test_that_the_table_of_phase_9_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/contributing/test-matrix.md")).unwrap();
    let mut text = String::new();
    sources(&root.join("host/customize/src"), &mut text);
    sources(&root.join("tests"), &mut text);
    // The names of tests are the long ones.
    let named: Vec<_> = page.split('`').skip(1).step_by(2).filter(|word| word.matches('_').count() > 4).collect();
    assert!(named.len() > 40, "{named:?}");
    for name in named {
        assert!(text.contains(&format!("fn {name}(")), "`{name}` is no test");
    }
}
