//! Manifests for tests.

use super::{Action, Job, Key, Manifest, Skipped, Source, Specification};

const COMMIT: &str = "0123456789012345678901234567890123456789";

/// A job for the package of this name.
pub(crate) fn job(name: &str, expected: Option<f64>) -> Job {
    let source =
        |repository: &str| Source { repository: repository.into(), clone: "/clone".into(), commit: COMMIT.into() };
    let mut job = Job {
        key: Key::try_from("0".repeat(64)).unwrap(),
        package: format!("sdk/{name}"),
        sdk: source("azure-sdk-for-python"),
        beside: vec!["eng".into()],
        specification: Some(Specification {
            source: source("azure-rest-api-specs"),
            directories: vec![format!("specification/{name}")],
            newer: None,
        }),
        language: "python".into(),
        action: Action::Fix,
        request: None,
        model: "mechanic".into(),
        emitter: "e".into(),
        expected,
    };
    job.key = Key::of(&job, "1");
    job
}

/// A manifest of so many jobs and one skipped package.
pub(crate) fn manifest(jobs: usize) -> Manifest {
    let jobs = (0..jobs).map(|number| job(&format!("p{number:03}"), None)).collect();
    let skipped = vec![Skipped { package: "azure-sdk-for-python/sdk/none".into(), reason: "it has no file".into() }];
    Manifest::new("1", jobs, skipped).unwrap()
}
