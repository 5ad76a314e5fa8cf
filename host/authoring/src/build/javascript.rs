//! Tools in JavaScript: the engine, the modules and the state after loading them become one component.

use super::{Builder, made, needed};
use crate::error::AuthoringError;
use crate::project::Project;
use bailiwick_toolchains::Child;
use std::path::Path;
use std::time::Duration;

const DEADLINE: Duration = Duration::from_secs(10 * 60);

/// The world of `wit/world.wit`.
const WORLD: &str = "javascript-tool";

impl Builder<'_> {
    pub(super) async fn javascript(&mut self, project: &Project, scratch: &Path) -> Result<Vec<u8>, AuthoringError> {
        let module = needed(project, "app.js")?;
        let wit = needed(project, "wit")?;
        let node = self.toolchains.node(self.on_progress).await?;
        let builder = self.toolchains.componentize_js(&node, self.on_progress).await?;
        let output = scratch.join("component.wasm");
        let words = [&builder.script, &module, &wit, Path::new(WORLD), &output];
        let child = Child {
            program: &node.executable,
            arguments: words.iter().map(|word| word.as_os_str().to_owned()).collect(),
            directory: &project.directory,
            path: node.executable.parent().map(Path::to_owned).into_iter().collect(),
            environment: vec![("NODE_NO_WARNINGS", "1".into())],
            read: vec![node.root.clone(), builder.root.clone(), project.directory.clone()],
            list: Vec::new(),
            write: Vec::new(),
            scratch,
            deadline: DEADLINE,
        };
        self.run("ComponentizeJS", child).await?;
        made(&output, "ComponentizeJS")
    }
}
