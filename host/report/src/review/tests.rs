//! What the pages say, and that nothing of others is markup in them.

use super::*;
use bailiwick_runs::{Owner, RunId};

const HOSTILE: &str = "\"><script>alert(1)</script>\u{202e}<form action=//evil.example>";

fn run(status: Status) -> RunSummary {
    RunSummary {
        id: "20261120-130405-678-k3m9x2qa".parse::<RunId>().unwrap(),
        status,
        kind: "customize".into(),
        request: HOSTILE.into(),
        started: HOSTILE.into(),
        finished: None,
        roots: vec![("sdk".into(), format!("/tmp/{}", HOSTILE.replace('/', "|")).into())],
        changed: 2,
        owner: Owner::Local,
    }
}

#[test]
fn text_of_others_is_never_markup_in_the_overview() {
    let fleets = [FleetLine { name: HOSTILE.into(), done: Some((1, 300)) }];
    let page = overview_page(&[run(Status::Pending)], &[HOSTILE.into()], &fleets);
    for markup in ["<script", "<form", "\u{202e}"] {
        assert!(!page.contains(markup), "{page}");
    }
    assert!(page.contains("One run waits for a decision") && page.contains("1 of 300"), "{page}");
    assert!(page.contains("href=\"run/20261120-130405-678-k3m9x2qa/\""), "{page}");
}

#[test]
fn overview_is_asked_for_again_while_something_goes_on_and_not_afterwards() {
    let is_asked_again = |runs: &[RunSummary]| overview_page(runs, &[], &[]).contains("http-equiv=\"refresh\"");
    assert!(is_asked_again(&[run(Status::Running)]));
    assert!(!is_asked_again(&[run(Status::Pending)]));
}

#[test]
fn very_many_runs_fit_on_a_page_that_says_how_many_are_left_out() {
    let runs = vec![run(Status::Approved); 30_000];
    let page = overview_page(&runs, &[], &[]);
    assert!(page.len() <= HTML_BYTES && page.contains("more: <code>bailiwick run list</code>"), "{}", page.len());
}
