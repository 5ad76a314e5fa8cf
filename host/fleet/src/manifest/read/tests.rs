use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::manifest::testing;

fn text(change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::to_value(testing::manifest(2)).unwrap();
    change(&mut value);
    value.to_string()
}

#[test]
fn manifest_reads_as_it_was_written() {
    let manifest = testing::manifest(3);
    assert_eq!(Manifest::parse(&serde_json::to_string_pretty(&manifest).unwrap()).unwrap(), manifest);
}

#[test]
fn key_changes_with_everything_that_a_result_depends_on_and_with_nothing_else() {
    let same = testing::job("a", None);
    let mut moved = testing::job("a", Some(7.0));
    moved.sdk.clone = "/elsewhere".into();
    assert_eq!(Key::of(&same, "1"), Key::of(&moved, "1"));
    let changes: [fn(&mut Job); 9] = [
        |job| job.package.push('x'),
        |job| job.sdk.commit.push('0'),
        |job| job.sdk.repository.push('x'),
        |job| job.specification.as_mut().unwrap().source.commit.push('0'),
        |job| job.specification.as_mut().unwrap().newer = Some("0000000".into()),
        |job| job.request = Some("x".into()),
        |job| job.model.push('x'),
        |job| job.emitter.push('x'),
        |job| job.action = crate::manifest::Action::Generate,
    ];
    for change in changes {
        let mut other = same.clone();
        change(&mut other);
        assert_ne!(Key::of(&same, "1"), Key::of(&other, "1"), "{other:?}");
    }
    assert_ne!(Key::of(&same, "1"), Key::of(&same, "2"));
}

#[test]
fn edited_doubled_and_escaping_jobs_are_refused() {
    let edited = text(|value| value["jobs"][0]["request"] = json!("rm"));
    assert!(matches!(Manifest::parse(&edited), Err(FleetError::Edited { .. })));
    let doubled = text(|value| value["jobs"][1] = value["jobs"][0].clone());
    assert!(matches!(Manifest::parse(&doubled), Err(FleetError::Twice { .. })));
    for path in ["../x", "/etc", "", "a\\b", "a/./../b"] {
        let outside = text(|value| value["jobs"][0]["package"] = json!(path));
        assert!(matches!(Manifest::parse(&outside), Err(FleetError::Outside { .. })), "{path}");
    }
    for commit in ["HEAD", "--upload-pack=x", ""] {
        let odd = text(|value| value["jobs"][0]["sdk"]["commit"] = json!(commit));
        assert!(matches!(Manifest::parse(&odd), Err(FleetError::Malformed { .. })), "{commit}");
    }
    for fleet in ["../../x", "", "a b"] {
        let odd = text(|value| value["fleet"] = json!(fleet));
        assert!(matches!(Manifest::parse(&odd), Err(FleetError::Malformed { .. })), "{fleet}");
    }
    let newer = text(|value| value["format"] = json!(2));
    assert!(matches!(Manifest::parse(&newer), Err(FleetError::Format { found: 2, known: 1 })));
}

proptest! {
    #[test]
    fn any_text_gives_an_answer(text in "\\PC{0,300}") {
        let _ = Manifest::parse(&text);
    }
}
