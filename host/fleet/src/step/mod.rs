//! The step of a pipeline that repairs the packages of one pull request: a shell script, and the pipeline that runs it.
//!
//! A person asks for it with a label. The script plans a fleet of the packages that the pull request changes, runs it, pushes
//! what it collected onto the pull request's branch and leaves one comment.

use crate::matrix::{Pipeline, PipelineFile};

mod totals;

pub use totals::Totals;

/// The script and the pipeline's file.
#[must_use]
pub fn step(pipeline: Pipeline) -> Vec<PipelineFile> {
    let content = match pipeline {
        Pipeline::Azure => include_str!("azure.yml"),
        Pipeline::Github => include_str!("github.yml"),
    };
    vec![
        PipelineFile { name: "repair.sh", content: include_str!("repair.sh").to_owned() },
        PipelineFile { name: "repair.yml", content: content.to_owned() },
    ]
}
