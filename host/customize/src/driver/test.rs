//! The tests of a package.

use crate::testing;

use super::CustomizeError;
use super::session::Session;

impl Session<'_> {
    pub(super) async fn test(&mut self, runner: &testing::Runner) -> Result<testing::Tested, CustomizeError> {
        let customizer = self.customizer;
        let pytest = match runner {
            testing::Runner::Pytest => {
                let toolchains = customizer.toolchains()?;
                Some(toolchains.pytest(&self.tools.python, &mut customizer.progress.toolchain()).await?)
            }
            testing::Runner::Command(_) => None,
        };
        customizer.progress.say(&format!("testing {}", self.project.package_name()));
        let request = testing::Request {
            package: &self.project.package,
            repository: &self.project.sdk_root,
            work: &self.work,
            language: self.language.as_ref(),
            tools: &self.tools,
            pytest: pytest.as_ref(),
        };
        let tested = testing::run(runner, request, &self.children).await?;
        self.keep_log("test", &tested.log)?;
        Ok(tested)
    }
}
