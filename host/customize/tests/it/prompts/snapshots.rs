//! Every rendered template against a file, byte for byte.
//!
//! `BAILIWICK_REWRITE_SNAPSHOTS=1 cargo test -p bailiwick-customize --test it prompts` rewrites the files; read the difference before it is kept,
//! and count up the version of a template whose text changed.

use std::collections::BTreeSet;
use std::path::PathBuf;

use bailiwick_customize::prompts::{PromptId, render};
use similar::TextDiff;

use super::samples::samples;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/prompts/snapshots")
}

#[test]
fn every_template_renders_to_its_snapshot() {
    let rewrite = std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some();
    assert!(!(rewrite && std::env::var_os("CI").is_some()), "snapshots are not rewritten in CI");
    let mut known = BTreeSet::new();
    let mut wrong = String::new();
    for id in PromptId::ALL {
        for (name, values) in samples(id) {
            let rendered = render(id, &values).unwrap();
            // The version is part of the snapshot, so that a changed text without a new version shows in the difference.
            let text = format!("{}\n\n{}", rendered.stamp, rendered.text);
            let file = format!("{id}.{name}.md");
            let path = directory().join(&file);
            if rewrite {
                std::fs::write(&path, &text).unwrap();
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            if kept != text {
                let diff = TextDiff::from_lines(&kept, &text);
                wrong +=
                    &diff.unified_diff().header(&format!("{file} (kept)"), &format!("{file} (rendered)")).to_string();
            }
            known.insert(file);
        }
    }
    assert!(wrong.is_empty(), "set BAILIWICK_REWRITE_SNAPSHOTS=1 to keep these:\n{wrong}");
    let present =
        std::fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(present.collect::<BTreeSet<_>>(), known, "a snapshot nothing renders to");
}
