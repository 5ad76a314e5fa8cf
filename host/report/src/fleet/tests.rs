use std::collections::BTreeMap;

use bailiwick_fleet::{Action, Changed, Group, Metrics, Report, Row, Verdict};

use super::*;
use crate::{HTML_BYTES, MARKDOWN_BYTES};

/// What ends a tag, an attribute, a code span, a cell and a line, and what is not seen.
const HOSTILE: &str = "\"'><script>alert(1)</script>|`\n# x\u{202e}@all <img src=x onerror=alert(1)>";

fn report(packages: usize, text: &str) -> Report {
    let rows: Vec<Row> = (0..packages)
        .map(|number| Row {
            package: format!("repository/sdk/p{number:04}{text}"),
            language: text.to_owned(),
            verdict: (number != 1).then(|| Verdict::ALL[number % Verdict::ALL.len()]),
            message: text.to_owned(),
            attempt: 1,
            seconds: 5.0 + (number % 97) as f64 * 3.0,
            guidance: vec![text.to_owned()],
            changed: Some(Changed { packages: 1, files: 3, lines: 40 }),
            newer_specification: Some(Changed { packages: 1, files: 1, lines: 2 }),
        })
        .collect();
    let mut counts = BTreeMap::new();
    rows.iter().filter_map(|row| row.verdict).for_each(|verdict| *counts.entry(verdict).or_default() += 1);
    Report {
        fleet: format!("20261124{text}"),
        planned: text.to_owned(),
        version: text.to_owned(),
        action: Some(Action::Fix),
        packages,
        complete: packages < 2,
        without_verdict: usize::from(packages > 1),
        counts,
        metrics: Metrics {
            broken: 3,
            repaired: 2,
            share_repaired: Some(2.0 / 3.0),
            refused_by_rule: BTreeMap::from([(text.to_owned(), 2)]),
            seconds_to_green: Some(65.0),
            seconds: 7200.0,
            longest: 293.0,
        },
        changed: Changed { packages: 2, files: 6, lines: 80 },
        newer_specification: None,
        groups: vec![Group {
            tool: text.to_owned(),
            code: Some(text.to_owned()),
            example: text.to_owned(),
            times: 4,
            packages: rows.iter().map(|row| row.package.clone()).collect(),
        }],
        rows,
    }
}

#[test]
fn every_package_stands_in_the_page_and_no_text_is_markup() {
    let page = fleet_html(&report(300, HOSTILE));
    assert!(page.len() <= HTML_BYTES, "{}", page.len());
    assert_eq!(page.matches("<tr class=\"v-").count(), 300);
    for markup in ["<script", "<img", "\u{202e}", "onerror=alert(1)>"] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(page.contains("default-src 'none'"));
    // Each verdict that occurs can be chosen, and the style sheet knows it.
    for verdict in Verdict::ALL {
        let name = verdict.name();
        assert!(
            page.contains(&format!("id=\"show-{name}\"")) && page.contains(&format!("#show-{name}:checked")),
            "{name}"
        );
    }
}

#[test]
fn markdown_fits_a_comment_and_no_text_ends_its_cell() {
    let text = fleet_markdown(&report(300, HOSTILE));
    assert!(text.len() <= MARKDOWN_BYTES, "{}", text.len());
    let parsed: String = {
        let options = pulldown_cmark::Options::ENABLE_TABLES;
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new_ext(&text, options));
        html
    };
    for markup in ["<script", "<img", "<h1"] {
        assert!(!parsed.contains(markup), "{markup}:\n{parsed}");
    }
}

#[test]
fn times_and_sums_are_said_in_words() {
    assert_eq!((time(12.4), time(200.0), time(3_900.0)), ("12 s".into(), "3 min 20 s".into(), "1 h 5 min".into()));
    assert_eq!(sentence(&report(1, "")), "1 of 1 package done, and each of them has its verdict.");
    assert!(sentence(&report(9, "")).contains("1 package without a verdict yet"));
}
