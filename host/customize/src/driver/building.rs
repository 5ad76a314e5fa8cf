//! Building and testing a package, for whatever holds it: a run of one step, or a customization at work.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bailiwick_sdk::tasks::Diagnostic;
use bailiwick_toolchains::{BuildTools, Children};

use super::{CustomizeError, Customizer};
use crate::language::{BuildRequest, Built, Checks, Errors, Judged, LanguageService, Verdict};
use crate::plan::counted;
use crate::scripts::{self, Purpose, SdkConfiguration};
use crate::testing;

/// What building and testing a package take.
pub(super) struct Building<'a> {
    pub(super) customizer: &'a Customizer,
    /// The package directory.
    pub(super) package: &'a Path,
    /// The SDK repository, which is read.
    pub(super) repository: &'a Path,
    pub(super) language: &'a dyn LanguageService,
    /// What the repository says about the checks of the package.
    pub(super) checks: &'a Checks,
    /// By what the package is judged.
    pub(super) judged: Judged,
    pub(super) configuration: &'a SdkConfiguration,
    pub(super) tools: &'a BuildTools,
    pub(super) children: &'a Children,
    /// Outside the repositories, kept between the builds of one run.
    pub(super) work: &'a Path,
    /// The directory of the run, which keeps the logs.
    pub(super) run: &'a Path,
}

impl Building<'_> {
    /// Builds the package as it stands. `attempt` says for people which one is validated; it may be empty.
    pub(super) async fn build(&self, attempt: &str) -> Result<Built, CustomizeError> {
        let progress = &self.customizer.progress;
        let request = self.request(Errors::Shown);
        let script = self.configuration.script(Purpose::Build)?;
        let checks = script.as_ref().map_or_else(|| self.language.build_checks(), |_| "the repository's build script");
        progress.say(&format!("building {}: {checks}{attempt}", self.name()));
        let built = match script {
            Some(script) => {
                scripts::build(&script, request, self.repository, self.language, self.tools, self.children).await?
            }
            None => self.language.build(request, self.tools, self.children).await?,
        };
        let mut log = built.log.clone();
        for diagnostic in &built.diagnostics {
            // Writing to a string cannot fail.
            let _ = writeln!(log, "{}: {}", diagnostic.place(), diagnostic.message);
        }
        keep_log(self.run, "build", &log)?;
        let errors = built.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        progress.say(&match built.verdict {
            Verdict::Passed => format!("built after {:.1} s", built.wall.as_secs_f64()),
            Verdict::Failed => {
                format!("the build failed with {} after {:.1} s", counted(errors, "error"), built.wall.as_secs_f64())
            }
        });
        Ok(built)
    }

    /// Builds the package once more with every error, where its build leaves out some.
    pub(super) async fn build_with_all_errors(&self) -> Result<Built, CustomizeError> {
        let built = self.language.build(self.request(Errors::All), self.tools, self.children).await?;
        keep_log(self.run, "build-all-errors", &built.log)?;
        Ok(built)
    }

    fn request(&self, errors: Errors) -> BuildRequest<'_> {
        let Self { package, work, checks, judged, .. } = *self;
        BuildRequest { package, place: package, errors, checks, judged, work }
    }

    /// Runs the tests of the package on a copy of it. They import from the directories in `beside`, too.
    pub(super) async fn test(
        &self,
        runner: &testing::Runner,
        beside: &[PathBuf],
    ) -> Result<testing::Tested, CustomizeError> {
        let customizer = self.customizer;
        let pytest = match runner {
            testing::Runner::Pytest => {
                let toolchains = customizer.toolchains()?;
                Some(toolchains.pytest(&self.tools.python, &mut customizer.progress.toolchain()).await?)
            }
            testing::Runner::Command(_) => None,
        };
        customizer.progress.say(&format!("testing {}", self.name()));
        let request = testing::Request {
            package: self.package,
            repository: self.repository,
            work: self.work,
            language: self.language,
            tools: self.tools,
            pytest: pytest.as_ref(),
            beside,
        };
        let tested = testing::run(runner, request, self.children).await?;
        keep_log(self.run, "test", &tested.log)?;
        Ok(tested)
    }

    fn name(&self) -> String {
        self.package.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// What is said of files that changed beside a build, and beside tests.
pub(super) const WHILE_BUILT: &str = "files of the package changed while it was built";
pub(super) const WHILE_TESTED: &str = "files of the package changed while it was tested";

/// The error of a step that showed nothing, because files changed beside it.
pub(super) fn changed(message: String) -> Diagnostic {
    Diagnostic::without_place("files", "changed-meanwhile", message)
}

/// Keeps a log in the directory of a run.
pub(super) fn keep_log(run: &Path, name: &str, text: &str) -> Result<(), CustomizeError> {
    let directory = run.join("logs");
    std::fs::create_dir_all(&directory).map_err(CustomizeError::io(&directory, "created"))?;
    let count = std::fs::read_dir(&directory).map_or(0, Iterator::count);
    let path = directory.join(format!("{:02}-{name}.log", count + 1));
    std::fs::write(&path, text).map_err(CustomizeError::io(&path, "written"))
}
