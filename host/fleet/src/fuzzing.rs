//! Manifests and results that come from other machines, and what a child that was killed in the middle printed.

use bailiwick_fuzz::Target;

use crate::durations::Durations;
use crate::judge::{Ended, judge};
use crate::manifest::{Action, Manifest};
use crate::patch;
use crate::report::Report;
use crate::verdict::{JobResult, Verdict};

#[test]
fn fleets() {
    const WORDS: &[&str] = &[
        "\"format\": 1",
        "\"jobs\": [",
        "\"skipped\": []",
        "\"key\": \"",
        "\"package\": \"../",
        "\"verdict\": \"succeeded\"",
        "\"succeeded\": true",
        "\"outcome\": \"success\"",
        "\"step\": \"generate\"",
        "\"diagnostics\": [",
        "\"error\": {\"message\": \"",
        "\"seconds\": 1e308",
        "\"seconds\": -1",
        "\"state\": \"done\"",
        "\"artifacts\": [{\"name\": \"../",
        "\"ended\": \"code 0\"",
        "\"sync_interval\": ",
        "\ndiff --git a/sdk/a/x b/sdk/a/x\n",
        "\n@@ -1,3 +1,3 @@\n",
        "\\u202e",
        "null",
    ];
    Target { name: "fleets", words: WORDS }.run_text(|text| {
        if let Ok(manifest) = Manifest::parse(text) {
            let report = Report::of(&manifest, &[]).unwrap();
            assert_eq!(report.rows.len(), manifest.packages());
            assert!(manifest.jobs.iter().all(|job| !job.package.split('/').any(|part| part == "..")));
        }
        let _ = serde_json::from_str::<JobResult>(text);
        if let Ok(durations) = serde_json::from_str::<Durations>(text) {
            assert!(durations.of(Action::Build, "a").is_none_or(|seconds| seconds >= 0.0));
        }
        if let Ok((files, _)) = patch::size(text.as_bytes(), "sdk/a") {
            assert!(files == 0 || text.contains("a/sdk/a/"));
        }
        #[cfg(feature = "nats")]
        crate::nats::read_all(text);
        // What ended otherwise is never done, whatever it says.
        for ended in [Ended::Code(1), Ended::Signal(9), Ended::Deadline, Ended::Limit("memory")] {
            assert!(!judge(ended, text).verdict.is_done());
        }
        if judge(Ended::Code(0), text).verdict == Verdict::Repaired {
            assert!(text.contains("codePatches"));
        }
    });
}
