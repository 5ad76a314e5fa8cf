//! The tests of a package, on their own.

use std::path::Path;

use crate::testing;
use crate::toolchain::Toolchains;

use super::session::{Goal, Session};
use super::{CustomizeError, Customizer, Step};

impl Customizer {
    /// Runs the tests of a package on a copy of it, confined and without a network. Changes nothing in it.
    ///
    /// # Errors
    /// See [`CustomizeError`]; [`testing::TestError::NoTests`] where the package has none.
    pub async fn test(&self, package: &Path, project: Option<&Path>) -> Result<Step, CustomizeError> {
        let prepared = self.prepared(package, project)?;
        let runner = testing::runner(prepared.language.as_ref(), &prepared.project.package)?;
        let session = Session::begin(self, Goal::plain("test", ""), prepared).await?;
        let pytest = match runner {
            testing::Runner::Pytest => {
                let toolchains = Toolchains::open(&self.cache, self.supervisor.clone())?;
                Some(toolchains.pytest(&session.tools.python, &mut self.progress.toolchain()).await?)
            }
            testing::Runner::Command(_) => None,
        };
        self.progress.say(&format!("testing {}", session.project.package_name()));
        let request = testing::Request {
            package: &session.project.package,
            repository: &session.project.sdk_root,
            work: &session.work,
            language: session.language.as_ref(),
            tools: &session.tools,
            pytest: pytest.as_ref(),
        };
        let tested = testing::run(&runner, request, &session.children).await?;
        session.keep_log("test", &tested.log)?;
        session.step("test", tested.passed, tested.diagnostics, tested.counts)
    }
}
