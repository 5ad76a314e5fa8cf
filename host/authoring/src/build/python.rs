//! Tools in Python: the interpreter, the modules and the state after importing them become one component.

use super::{Builder, made, needed};
use crate::error::AuthoringError;
use crate::project::Project;
use bailiwick_toolchains::{Child, ComponentizePy};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// The module that has the class `Tool`, and the world of `wit/tool.wit` that it exports.
const MODULE: &str = "app";
const WORLD: &str = "tool-component";

impl Builder<'_> {
    pub(super) async fn python(&mut self, project: &Project, scratch: &Path) -> Result<Vec<u8>, AuthoringError> {
        needed(project, "app.py")?;
        let wit = needed(project, "wit")?;
        let builder = self.toolchains.componentize_py(self.on_progress).await?;
        let output = scratch.join("component.wasm");
        let mut arguments: Vec<OsString> = ComponentizePy::PROGRAM.map(OsString::from).into();
        arguments.extend(["--quiet".into(), "-d".into(), wit.into(), "-w".into(), WORLD.into(), "componentize".into()]);
        // Packages in pure Python that the author put beside the module: `pip install --target vendor NAME`.
        let vendor = project.directory.join("vendor");
        for directory in [project.directory.clone()].into_iter().chain(vendor.is_dir().then_some(vendor)) {
            arguments.extend(["-p".into(), directory.into()]);
        }
        arguments.extend([MODULE.into(), "-o".into(), output.clone().into()]);
        let child = Child {
            program: &builder.executable,
            arguments,
            directory: &project.directory,
            path: Vec::new(),
            environment: Vec::new(),
            read: vec![
                builder.root.clone(),
                builder.base.prefix.clone(),
                builder.base.executable.clone(),
                project.directory.clone(),
            ],
            list: Vec::new(),
            write: Vec::new(),
            scratch,
            deadline: DEADLINE,
        };
        self.run("componentize-py", child).await?;
        made(&output, "componentize-py")
    }
}
