//! Names for directories of this machine in what tools print.

use std::path::{Path, PathBuf};

/// Replaces directories of this machine by names, longest first.
#[derive(Debug, Clone, Default)]
pub struct PathMap {
    entries: Vec<(String, String)>,
}

impl PathMap {
    /// Each directory with the name that stands for it, for example `spec`.
    #[must_use]
    pub fn new(entries: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        let mut entries: Vec<_> =
            entries.into_iter().map(|(directory, name)| (directory.to_string_lossy().into_owned(), name)).collect();
        entries.sort_by_key(|(directory, _)| std::cmp::Reverse(directory.len()));
        Self { entries }
    }

    /// The directories of a child that works on a project, and on a package if there is one, where copies of the project
    /// lie in `copies` under these names.
    #[must_use]
    pub fn of_package<'a>(
        package: Option<&Path>,
        project: &Path,
        copies: impl IntoIterator<Item = (PathBuf, &'a str)>,
        cache: &Path,
    ) -> Self {
        let fixed = [(project.to_owned(), "spec"), (cache.to_owned(), "tools")];
        let package = package.map(|package| (package.to_owned(), "sdk"));
        Self::new(fixed.into_iter().chain(package).chain(copies).map(|(directory, name)| (directory, name.to_owned())))
    }

    /// The path below a known directory with that directory's name in front, else the part from `node_modules` on,
    /// else the file's name alone.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        let path = path.replace('\\', "/");
        for (directory, name) in &self.entries {
            if let Some(rest) = path.strip_prefix(directory.as_str()) {
                if rest.is_empty() {
                    return name.clone();
                }
                if rest.starts_with('/') {
                    return format!("{name}{rest}");
                }
            }
        }
        match path.rfind("node_modules/") {
            Some(start) => path.get(start..).unwrap_or_default().to_owned(),
            None if path.starts_with('/') => path.rsplit('/').next().unwrap_or_default().to_owned(),
            None => path,
        }
    }

    /// `text` with every known directory replaced by its name.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.entries.iter().fold(text.to_owned(), |text, (directory, name)| text.replace(directory.as_str(), name))
    }
}
