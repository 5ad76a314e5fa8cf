//! Shards as pipelines want them: a matrix, and the file of a pipeline that runs it.
//!
//! The shape of a matrix's entry for Azure Pipelines is that of `New-RegenerateMatrix.ps1` of the Azure SDK repositories
//! (`JobKey`, `DirectoryList`), so that what reads one reads the other.

use serde_json::{Map, Value, json};

use crate::manifest::Manifest;
use crate::schedule::shards;

/// Whose pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipeline {
    /// Azure Pipelines.
    Azure,
    /// GitHub Actions.
    Github,
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineFile {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub content: String,
}

/// The matrix of so many shards, and the pipeline that runs it. Shards without a package are left out.
#[must_use]
pub fn pipeline(manifest: &Manifest, pipeline: Pipeline, count: usize) -> Vec<PipelineFile> {
    let shards = shards(&manifest.jobs, count);
    let entries =
        shards.iter().enumerate().filter(|(_, (jobs, _))| !jobs.is_empty()).map(|(index, (jobs, seconds))| {
            let directories = jobs.iter().map(|job| job.name()).collect::<Vec<_>>().join(",");
            (index + 1, directories, seconds.round(), jobs.len())
        });
    let (matrix, content) = match pipeline {
        Pipeline::Azure => {
            let matrix: Map<String, Value> = entries
                .map(|(shard, directories, seconds, packages)| {
                    let entry = json!({
                        "JobKey": format!("shard_{shard}"), "Shard": format!("{shard}/{count}"),
                        "DirectoryList": directories, "ExpectedSeconds": seconds, "Packages": packages,
                    });
                    (format!("shard_{shard}"), entry)
                })
                .collect();
            (Value::Object(matrix), include_str!("azure.yml"))
        }
        Pipeline::Github => {
            let entries: Vec<Value> = entries
                .map(|(shard, directories, seconds, packages)| {
                    json!({
                        "shard": format!("{shard}/{count}"), "name": format!("shard_{shard}"), "directories": directories,
                        "expectedSeconds": seconds, "packages": packages,
                    })
                })
                .collect();
            (json!({ "include": entries }), include_str!("github.yml"))
        }
    };
    let excluded = json!(manifest.skipped);
    let text = |value: &Value| format!("{value:#}\n");
    vec![
        PipelineFile { name: "fleet.json", content: text(&json!(manifest)) },
        PipelineFile { name: "matrix.json", content: text(&matrix) },
        PipelineFile { name: "excluded.json", content: text(&excluded) },
        PipelineFile { name: "pipeline.yml", content: content.to_owned() },
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::manifest::testing;

    #[test]
    fn every_package_is_in_one_entry_and_the_excluded_stand_beside_with_their_reasons() {
        let manifest = testing::manifest(23);
        let all: BTreeSet<String> = manifest.jobs.iter().map(crate::Job::name).collect();
        for (which, list) in [(Pipeline::Azure, "DirectoryList"), (Pipeline::Github, "directories")] {
            let files = pipeline(&manifest, which, 5);
            let matrix: Value = serde_json::from_str(&files[1].content).unwrap();
            let entries: Vec<Value> = match which {
                Pipeline::Azure => matrix.as_object().unwrap().values().cloned().collect(),
                Pipeline::Github => matrix["include"].as_array().unwrap().clone(),
            };
            assert_eq!(entries.len(), 5);
            let named: Vec<String> = entries
                .iter()
                .flat_map(|entry| entry[list].as_str().unwrap().split(',').map(str::to_owned).collect::<Vec<_>>())
                .collect();
            assert_eq!(named.len(), all.len());
            assert_eq!(named.into_iter().collect::<BTreeSet<_>>(), all);
            assert!(files[2].content.contains("it has no file"));
            assert_eq!(Manifest::parse(&files[0].content).unwrap(), manifest);
        }
    }

    #[test]
    fn shards_without_a_package_are_left_out() {
        let files = pipeline(&testing::manifest(2), Pipeline::Github, 5);
        let matrix: Value = serde_json::from_str(&files[1].content).unwrap();
        assert_eq!(matrix["include"].as_array().unwrap().len(), 2);
    }
}
