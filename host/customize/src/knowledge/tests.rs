//! The page that comes with the program is judged by the gate, and a repository's own goes before it.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use bailiwick_sdk::tasks::{Decorator, Language, Scope, SpecIndex};

use super::*;
use crate::gate::{Candidate, TypespecDifference, Verdict, allowed_decorators, judge_typespec};

#[expect(
    dead_code,
    unreachable_pub,
    reason = "the test that compiles the examples has the same file and reads the rest"
)]
#[path = "../../../../tests/src/examples.rs"]
mod examples;

use examples::{Example, examples};

/// The rules that refuse an example as an edit of a file that has its head and nothing else.
fn refused(example: &Example, head: &str) -> BTreeSet<String> {
    let token = example.words("gate").first().or(example.words("changes").first()).expect("a language to judge for");
    let before = example.head(head);
    let after = format!("{before}\n{}", example.text);
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    let candidate = Candidate {
        path: "client.tsp".into(),
        original: bytes(&before),
        staged: bytes(&before),
        now: bytes(&before),
        after: bytes(&after),
    };
    let index = SpecIndex { schema: 1, namespaces: vec!["Contoso.WidgetManager".into()], ..SpecIndex::default() };
    let language = Language::from_scope_token(token).expect("a scope token");
    let verdict = judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language,
        permitted: &Scope::Only(vec![language]),
        granted: &[],
        candidates: &[candidate],
        index_before: &index,
        index_after: Some(&index),
        file_bytes: 100_000,
    });
    match verdict {
        Verdict::Lands(_) => BTreeSet::new(),
        Verdict::Refused(violations) => violations.iter().map(|one| one.rule.name().to_owned()).collect(),
    }
}

#[test]
fn every_example_lands_or_is_refused_by_the_rule_that_the_page_names() {
    let page = examples(EMBEDDED);
    let mut wrong = Vec::new();
    for example in page.all.iter().filter(|example| example.words("fails").is_empty()) {
        let expected: BTreeSet<String> = example.words("refused").iter().cloned().collect();
        let found = refused(example, &page.head);
        if found != expected {
            wrong.push(format!("line {}: refused by {found:?}, not by {expected:?}", example.line));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn page_has_a_section_for_every_decorator_that_the_gate_takes() {
    for decorator in allowed_decorators().map(Decorator::name) {
        assert!(EMBEDDED.contains(&format!("\n### `@{decorator}`\n")), "{decorator}");
    }
}

#[test]
fn page_fits_into_a_prompt_and_has_no_comments_there() {
    let page = Reference::embedded();
    assert!(page.whole().len() < LIMIT && page.whole().contains("```tsp"));
    assert!(!page.whole().contains("<!--") && !page.whole().contains("changes: python"), "{}", page.whole());
    let words = page.words();
    assert!(words.contains("### `@access`") && words.contains("## Do not"));
    assert!(!words.contains("```") && !words.contains("@@access(Widgets"), "{words}");
}

#[test]
fn fence_in_a_fence_is_part_of_the_example() {
    assert_eq!(without_examples("a\n````md\n```tsp\nx\n```\ny\n````\nb\n"), "a\nb\n");
    assert_eq!(without_comments("a\n<!-- x -->\nb\n<!-- y\nz\n-->\nc\n"), "a\nb\nc\n");
}

fn project(base: &Path) -> SpecProject {
    let (spec, sdk) = (base.join("spec"), base.join("sdk"));
    for root in [&spec, &sdk] {
        fs::create_dir_all(root.join("eng/common/knowledge")).unwrap();
    }
    SpecProject {
        directory: spec.clone(),
        name: "W".into(),
        entry: "client.tsp".into(),
        entry_is_named: false,
        main: "main.tsp".into(),
        additional: Vec::new(),
        sdk: Some((sdk.join("sdk/w/azure-w"), sdk)),
        detached: false,
        root: spec,
    }
}

#[test]
fn page_of_the_specification_repository_goes_before_that_of_the_sdk_and_the_embedded_one() {
    let base = tempfile::tempdir().unwrap();
    let project = project(base.path());
    assert_eq!(Reference::of(&project), Reference::embedded());
    fs::write(base.path().join("sdk").join(IN_REPOSITORY), "# Of the SDK\n").unwrap();
    assert_eq!(Reference::of(&project).whole(), "# Of the SDK\n");
    fs::write(project.root.join(IN_REPOSITORY), "# Of the specification\n<!-- note -->\n").unwrap();
    let page = Reference::of(&project);
    assert_eq!((page.whole(), &page.origin), ("# Of the specification\n", &Origin::Repository(Owner::Specification)));
}

#[test]
fn page_that_is_too_long_or_no_text_or_a_link_is_passed_over_with_the_reason() {
    let base = tempfile::tempdir().unwrap();
    let project = project(base.path());
    let page = project.root.join(IN_REPOSITORY);
    let secret = base.path().join("secret");
    fs::write(&secret, "a secret of the person\n").unwrap();
    for (content, words) in
        [(vec![b'x'; LIMIT + 1], "larger than the limit"), (vec![0xff], "not text"), (Vec::new(), "empty")]
    {
        fs::write(&page, content).unwrap();
        assert_passed_over(&project, words);
    }
    fs::remove_file(&page).unwrap();
    symlink(&secret, &page).unwrap();
    assert_passed_over(&project, "not a plain file");
}

#[track_caller]
fn assert_passed_over(project: &SpecProject, words: &str) {
    let page = Reference::of(project);
    assert_eq!(page.whole(), Reference::embedded().whole());
    assert!(matches!(&page.origin, Origin::PassedOver { reason } if reason.contains(words)), "{:?}", page.origin);
}
