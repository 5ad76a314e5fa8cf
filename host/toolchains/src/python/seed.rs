//! What mypy knows of the libraries that packages import, found out once for each environment.
//!
//! A check of a package reads the library's types three times as long as the package. What it finds out about them is the
//! same each time: mypy keeps it in a cache, and uses an entry only for the file, the options and the dependencies it was
//! made from. This cache is made in a process that sees no package, and every check begins with a copy of it. It is one
//! file (`--sqlite-cache`): more than a thousand would take longer to copy than they save.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::Value;

use super::Python;
use crate::OnProgress;
use crate::cache::{Cache, Failure, Key, Recipe};
use crate::error::ToolchainError;
use crate::install::{Installer, Purpose, Step};
use crate::node::write;

/// The start of every configuration of a check. An entry of the cache holds for the options it was made with.
pub const MYPY_CONFIGURATION: &str =
    "[mypy]\nignore_missing_imports = True\ndisable_error_code = annotation-unchecked\n";

/// The set for people.
pub(crate) const TITLE: &str = "the types of the Python libraries";

/// Imports what is installed of Azure's libraries, and what generated code imports of Python's own, and checks that file.
///
/// Arguments: the directory of the environment, its interpreter. Both are looked at only.
const PROGRAM: &str = r#"
import glob, os, sqlite3, sys
from mypy import api

environment, interpreter = sys.argv[1:]
names = {
    "abc", "asyncio", "base64", "calendar", "codecs", "collections.abc", "copy", "datetime", "decimal", "email.utils",
    "enum", "functools", "io", "isodate", "json", "logging", "math", "os", "re", "sys", "time", "types", "typing",
    "typing_extensions", "urllib.parse", "uuid", "warnings", "xml.etree.ElementTree",
}
for site in glob.glob(os.path.join(glob.escape(environment), "venv", "lib", "python3*", "site-packages")):
    for directory, below, files in os.walk(os.path.join(site, "azure")):
        below[:] = sorted(name for name in below if name.isidentifier() and name not in ("__pycache__", "tests"))
        package = os.path.relpath(directory, site).replace(os.sep, ".")
        for name in files:
            stem, ending = os.path.splitext(name)
            if ending == ".py" and stem.isidentifier():
                names.add(package if stem == "__init__" else package + "." + stem)
with open("bailiwick_imports.py", "w") as file:
    file.writelines("import " + name + "\n" for name in sorted(names))
arguments = ["--config-file", "mypy.ini", "--sqlite-cache", "--cache-dir", "cache", "--output", "json", "--no-error-summary"]
if interpreter != sys.executable:
    arguments += ["--python-executable", interpreter]
_, said, code = api.run(arguments + ["bailiwick_imports.py"])
if code > 1:
    sys.exit(said)
"#;

/// The cache that checks with this interpreter begin with.
pub(crate) async fn ensure(
    cache: &Cache,
    installer: &Installer,
    python: &Python,
    on_progress: OnProgress<'_>,
) -> Result<PathBuf, ToolchainError> {
    let checker = python.checker.root.file_name().unwrap_or_default().as_encoded_bytes();
    let parts = [python.digest.as_bytes(), checker, PROGRAM.as_bytes(), MYPY_CONFIGURATION.as_bytes()];
    let key = Key::new("mypy-seed", TITLE, &parts);
    let (root, _) = cache.ensure(&key, on_progress, &Seed { installer, python }).await?;
    Ok(root.join("cache"))
}

struct Seed<'a> {
    installer: &'a Installer,
    python: &'a Python,
}

#[async_trait]
impl Recipe for Seed<'_> {
    async fn install(&self, at: &Path, _: OnProgress<'_>) -> Result<Value, Failure> {
        write(&at.join("mypy.ini"), MYPY_CONFIGURATION.as_bytes())?;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (environment, interpreter) = (text(&self.python.root), text(&self.python.executable));
        let step = Step {
            purpose: Purpose::Local,
            program: &self.python.checker.executable,
            arguments: &["-I", "-B", "-c", PROGRAM, &environment, &interpreter],
            directory: at,
            environment: Vec::new(),
            read: self.python.read(),
            set: at,
            write: Vec::new(),
            hosts: BTreeSet::new(),
        };
        // No registry is asked, so what failed once fails again.
        let finished = self.installer.run(step).await;
        finished.map(|_| Value::Null).map_err(|failure| match failure {
            Failure::Passing(reason) => ToolchainError::Install { set: TITLE.to_owned(), attempts: 1, reason }.into(),
            lasting @ Failure::Lasting(_) => lasting,
        })
    }
}
