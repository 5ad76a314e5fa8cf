//! What a run is begun for, and what it comes to.

use bailiwick_customize::checkout::SpecCommit;
use bailiwick_customize::driver::{Request, Single, SpecificationRequest, Step};
use bailiwick_customize::plan::Plan;
use bailiwick_customize::response::{Response, SpecificationResponse};
use std::path::PathBuf;

/// What is to be done.
#[derive(Debug, Clone)]
pub enum JobRequest {
    /// Both phases.
    Customization(Request),
    /// What both phases would do. No run is recorded.
    Plan(Request),
    /// A specification without a package.
    Specification(SpecificationRequest),
    /// What would be done to it. No run is recorded.
    SpecificationPlan(SpecificationRequest),
    /// Phase B alone.
    Repair {
        /// What is repaired.
        request: Request,
        /// The commit of its specification, if not as the clone stands.
        commit: Option<SpecCommit>,
    },
    /// Regeneration, build or tests on their own.
    Step {
        /// Which.
        single: Single,
        /// The package directory.
        package: PathBuf,
        /// The TypeSpec project, if not found through `tsp-location.yaml`.
        project: Option<PathBuf>,
        /// The commit of the specification, if not as the clone stands.
        commit: Option<SpecCommit>,
    },
}

impl JobRequest {
    /// The package and the TypeSpec project that it is begun on, as far as they are given.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let (package, project) = match self {
            Self::Customization(request) | Self::Plan(request) | Self::Repair { request, .. } => {
                (Some(&request.package), request.project.as_ref())
            }
            Self::Specification(request) | Self::SpecificationPlan(request) => (None, Some(&request.project)),
            Self::Step { package, project, .. } => (Some(package), project.as_ref()),
        };
        package.into_iter().chain(project).cloned().collect()
    }
}

/// What it came to, success or not.
#[derive(Debug)]
pub enum JobOutcome {
    /// A customization or a repair.
    Response(Box<Response>),
    /// A specification that was customized without a package.
    Specification(Box<SpecificationResponse>),
    /// A dry run.
    Plan(Box<Plan>),
    /// A single step.
    Step(Box<Step>),
}
