use super::*;
use crate::manifest::testing;
use crate::verdict::Cause;

fn result(manifest: &Manifest, number: usize, verdict: Verdict, causes: &[(&str, Option<&str>, &str)]) -> JobResult {
    let job = &manifest.jobs[number];
    JobResult {
        key: job.key.clone(),
        package: job.name(),
        verdict,
        attempt: 1,
        seconds: 10.0 * f64::from(u32::try_from(number + 1).unwrap()),
        finished: "2026-11-24T00:00:00.000Z".into(),
        message: "m".into(),
        causes: causes
            .iter()
            .map(|(tool, code, message)| Cause {
                tool: (*tool).into(),
                code: code.map(Into::into),
                message: (*message).into(),
            })
            .collect(),
        guidance: Vec::new(),
        patches: Vec::new(),
        onto: None,
    }
}

#[test]
fn verdicts_are_counted_and_a_fleet_without_all_of_them_is_not_complete() {
    let manifest = testing::manifest(3);
    let mut results = vec![result(&manifest, 0, Verdict::Succeeded, &[]), result(&manifest, 1, Verdict::Repaired, &[])];
    let report = Report::of(&manifest, &results).unwrap();
    assert_eq!((report.packages, report.complete, report.without_verdict), (4, false, 1));
    assert!(!report.is_success());
    results.push(result(&manifest, 2, Verdict::Repaired, &[]));
    let report = Report::of(&manifest, &results).unwrap();
    assert!(report.complete && report.is_success());
    assert_eq!(report.counts.values().sum::<usize>(), 4);
    assert_eq!(report.metrics.share_repaired, Some(1.0));
    assert_eq!(report.metrics.seconds_to_green, Some(20.0));
}

#[test]
fn wrong_sum_is_an_error_and_no_report() {
    let (manifest, other) = (testing::manifest(2), testing::manifest(3));
    let one = result(&manifest, 0, Verdict::Succeeded, &[]);
    assert!(matches!(Report::of(&manifest, &[one.clone(), one]), Err(FleetError::WrongSum { .. })));
    let foreign = result(&other, 2, Verdict::Succeeded, &[]);
    assert!(matches!(Report::of(&manifest, &[foreign]), Err(FleetError::WrongSum { .. })));
}

#[test]
fn same_diagnostic_over_forty_packages_is_one_line() {
    let manifest = testing::manifest(41);
    let results: Vec<JobResult> = (0..40)
        .map(|number| {
            let message = format!("\"Client{number}\" has no attribute 'x{number}' in sdk/p{number}/a.py");
            result(&manifest, number, Verdict::Failed, &[("mypy", Some("attr-defined"), &message)])
        })
        .chain([result(&manifest, 40, Verdict::Failed, &[("gate", Some("too-large"), "20 lines changed")])])
        .collect();
    let report = Report::of(&manifest, &results).unwrap();
    assert_eq!(report.groups.len(), 2, "{:?}", report.groups);
    assert_eq!((report.groups[0].packages.len(), report.groups[0].times), (40, 40));
    assert_eq!(report.metrics.refused_by_rule["too-large"], 1);
    assert_eq!((report.metrics.broken, report.metrics.share_repaired), (41, Some(0.0)));
}

#[test]
fn what_the_emitter_and_what_the_specification_changed_are_counted_apart() {
    let manifest = testing::manifest(2);
    let patch =
        |of: &str, files, lines| Patch { of: of.into(), base: "0".repeat(40), digest: "0".repeat(64), files, lines };
    let mut results =
        vec![result(&manifest, 0, Verdict::Succeeded, &[]), result(&manifest, 1, Verdict::Succeeded, &[])];
    results[0].patches = vec![patch(Patch::PACKAGE, 2, 10), patch(Patch::NEWER_SPECIFICATION, 1, 3)];
    results[1].patches = vec![patch(Patch::PACKAGE, 0, 0), patch(Patch::NEWER_SPECIFICATION, 4, 40)];
    let report = Report::of(&manifest, &results).unwrap();
    assert_eq!(report.changed, Changed { packages: 1, files: 2, lines: 10 });
    assert_eq!(report.newer_specification, Some(Changed { packages: 2, files: 5, lines: 43 }));
}
