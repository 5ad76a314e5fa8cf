//! The kinds of runs.

/// What a run is for. The names stand in records on disk, reports and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunKind {
    Customize,
    Fix,
    /// A customization of a specification without a package.
    Specification,
    /// A customization that an agent outside drives.
    Workflow,
    Init,
    Convert,
    Generate,
    Build,
    Test,
    UpdateChangelog,
    UpdateVersion,
    UpdateMetadata,
}

impl RunKind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Customize => "customize",
            Self::Fix => "fix",
            Self::Specification => "specification",
            Self::Workflow => "workflow",
            Self::Init => "init",
            Self::Convert => "convert",
            Self::Generate => "generate",
            Self::Build => "build",
            Self::Test => "test",
            Self::UpdateChangelog => "update changelog",
            Self::UpdateVersion => "update version",
            Self::UpdateMetadata => "update metadata",
        }
    }
}
