//! Packages that the SDK repository carries itself: `file:` dependencies of `eng/emitter-package.json`.
//!
//! npm would follow such a path anywhere and link to it, so that an agent's edit there would run at the next generation
//! and no key would notice. Here it has to be a directory beneath the package file's own, without `..` and without links;
//! its files are read once, through handles and never through a link, count in the key of the set, and are copied into it.

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use bailiwick_base::files::{self, Type};
use serde_json::Value;

use super::super::error::ToolchainError;
use super::super::node::write;

/// An emitter in source form is some dozens of files; what is larger was not meant.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: usize = 32 * 1024 * 1024;
const DEEPEST: usize = 32;

/// A package beneath the directory of the package file, read.
#[derive(Debug, Clone)]
pub(super) struct LocalPackage {
    /// Its name among the dependencies.
    pub(super) name: String,
    /// Where it lies, relative to the package file's directory, with slashes.
    pub(super) directory: String,
    /// The version in its own `package.json`.
    pub(super) version: Option<String>,
    /// Its files, relative to the package file's directory, with slashes, sorted.
    files: Vec<(String, Vec<u8>)>,
}

impl LocalPackage {
    /// Every `file:` dependency of a package file that lies in `directory`.
    ///
    /// The error is one reason, for a person.
    pub(super) fn all(package: &[u8], directory: &OwnedFd) -> Result<Vec<Self>, String> {
        let package: Value = serde_json::from_slice(package).map_err(|error| format!("it is not JSON: {error}"))?;
        let mut found = Vec::new();
        for kind in ["dependencies", "devDependencies", "optionalDependencies"] {
            for (name, asked) in package[kind].as_object().into_iter().flatten() {
                let asked = asked.as_str().unwrap_or_default();
                if let Some(path) = asked.strip_prefix("file:") {
                    found.push(Self::read(name, path, directory)?);
                } else if is_path(asked) {
                    // npm's other ways to say the same.
                    return Err(format!(
                        "its dependency `{name}` is the path `{asked}`, and paths are written `file:…`"
                    ));
                }
            }
        }
        Ok(found)
    }

    fn read(name: &str, path: &str, directory: &OwnedFd) -> Result<Self, String> {
        let relative = beneath(path).ok_or_else(|| {
            format!("its dependency `{name}` is `file:{path}`, and only directories beneath the file's own are taken")
        })?;
        let mut reader = Reader { files: Vec::new(), bytes: 0 };
        let names: Vec<OsString> = relative.split('/').map(OsString::from).collect();
        let own = files::descend(directory, &names)
            .map_err(|error| format!("`{relative}` beside it is not a directory ({})", std::io::Error::from(error)))?;
        reader.directory(&own, &relative, DEEPEST).map_err(|reason| format!("its dependency `{name}` {reason}"))?;
        reader.files.sort();
        let manifest = format!("{relative}/package.json");
        let manifest = reader.files.iter().find(|(path, _)| *path == manifest).map(|(_, content)| content);
        let manifest = manifest.ok_or_else(|| format!("its dependency `{name}` has no `package.json`"))?;
        let version = serde_json::from_slice::<Value>(manifest)
            .ok()
            .and_then(|manifest| manifest["version"].as_str().map(str::to_owned));
        Ok(Self { name: name.to_owned(), directory: relative, version, files: reader.files })
    }

    /// What counts in the key of a set.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.files.iter().flat_map(|(path, content)| [path.as_bytes(), content.as_slice()])
    }

    /// Copies the package to where the package file's copy looks for it.
    pub(super) fn copy_to(&self, at: &Path) -> Result<(), ToolchainError> {
        for (path, content) in &self.files {
            let path = at.join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(ToolchainError::io(parent, "created"))?;
            }
            write(&path, content)?;
        }
        Ok(())
    }
}

/// A dependency that npm takes for a path though nothing says `file:`.
fn is_path(asked: &str) -> bool {
    asked.starts_with(['.', '/', '~']) && asked.contains('/') || asked.starts_with("link:")
}

/// The path with plain slashes if it leads down and nowhere else.
fn beneath(path: &str) -> Option<String> {
    let parts: Vec<&str> = Path::new(path)
        .components()
        .filter(|part| !matches!(part, Component::CurDir))
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect::<Option<_>>()?;
    // What the copy itself needs there.
    let taken =
        ["node_modules", "package.json", "package-lock.json", "requirements.txt", "wheels", "bailiwick-set.json"];
    (!parts.is_empty() && !taken.contains(&parts[0])).then(|| parts.join("/"))
}

struct Reader {
    files: Vec<(String, Vec<u8>)>,
    bytes: usize,
}

impl Reader {
    fn directory(&mut self, handle: &OwnedFd, relative: &str, depth: usize) -> Result<(), String> {
        let unreadable = |error: rustix::io::Errno| format!("cannot be read: {}", std::io::Error::from(error));
        if depth == 0 {
            return Err(format!("has directories that are nested deeper than {DEEPEST}"));
        }
        for name in files::names(handle).map_err(unreadable)? {
            let text = name.to_str().ok_or_else(|| "has a file whose name is not UTF-8".to_owned())?;
            let path = format!("{relative}/{text}");
            match files::present(handle, &name).map_err(unreadable)?.map(|(kind, _)| kind) {
                // npm puts what the package needs where the package file's own is.
                Some(Type::Directory) if text == "node_modules" => {}
                Some(Type::Directory) => {
                    let inner = files::open_directory(handle, &name).map_err(unreadable)?;
                    self.directory(&inner, &path, depth - 1)?;
                }
                Some(Type::File) => self.file(handle, &name, path)?,
                _ => return Err(format!("has `{path}`, which is neither a file nor a directory")),
            }
        }
        Ok(())
    }

    fn file(&mut self, directory: &OwnedFd, name: &OsStr, path: String) -> Result<(), String> {
        let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
        let (file, _) = files::open_file(directory, name).map_err(|error| unreadable(error.into()))?;
        let mut content = Vec::new();
        let most = u64::try_from(MOST_BYTES - self.bytes.min(MOST_BYTES)).unwrap_or_default();
        file.take(most + 1).read_to_end(&mut content).map_err(unreadable)?;
        self.bytes += content.len();
        self.files.push((path, content));
        if self.files.len() > MOST_FILES || self.bytes > MOST_BYTES {
            return Err(format!("has more than {MOST_FILES} files or {} MiB", MOST_BYTES / (1024 * 1024)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    fn all(directory: &Path, path: &str) -> Result<Vec<LocalPackage>, String> {
        let package = format!(r#"{{"dependencies":{{"e":"{path}","other":"1.0.0"}}}}"#);
        let (directory, _) = files::open_root(&directory.canonicalize().unwrap()).unwrap();
        LocalPackage::all(package.as_bytes(), &directory)
    }

    fn package(directory: &Path) -> PathBuf {
        let own = directory.join("emitter");
        std::fs::create_dir_all(own.join("src")).unwrap();
        std::fs::create_dir_all(own.join("node_modules/x")).unwrap();
        std::fs::write(own.join("package.json"), r#"{"version":"1.2.3"}"#).unwrap();
        std::fs::write(own.join("src/index.mjs"), "1").unwrap();
        std::fs::write(own.join("node_modules/x/index.js"), "2").unwrap();
        own
    }

    #[test]
    fn package_beneath_the_file_is_read_and_copied_without_what_npm_left_in_it() {
        let directory = tempfile::tempdir().unwrap();
        let own = package(directory.path());
        let read = || all(directory.path(), "file:./emitter").unwrap().remove(0);
        let found = read();
        assert_eq!((found.name.as_str(), found.version.as_deref()), ("e", Some("1.2.3")));
        let target = tempfile::tempdir().unwrap();
        found.copy_to(target.path()).unwrap();
        assert_eq!(std::fs::read(target.path().join("emitter/src/index.mjs")).unwrap(), b"1");
        assert!(!target.path().join("emitter/node_modules").exists());

        std::fs::write(own.join("src/index.mjs"), "3").unwrap();
        let changed = read();
        assert!(!found.parts().eq(changed.parts()), "the key does not see an edit");
    }

    #[test]
    fn paths_that_lead_anywhere_else_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let eng = directory.path().join("eng");
        std::fs::create_dir(&eng).unwrap();
        package(directory.path());
        package(&eng);
        for path in
            ["file:../emitter", "file:/etc", "file:emitter/../../emitter", "file:", "file:.", "file:node_modules"]
        {
            let reason = all(&eng, path).unwrap_err();
            assert!(reason.contains("only directories beneath"), "{path}: {reason}");
        }
        for path in ["../emitter", "/etc/x", "~/emitter", "./emitter", "link:emitter"] {
            assert!(all(&eng, path).unwrap_err().contains("file:"), "{path}");
        }
        assert!(all(&eng, "file:missing").is_err());
        assert!(all(&eng, "file:emitter/package.json").is_err());
    }

    #[test]
    fn links_are_refused_wherever_they_stand() {
        let directory = tempfile::tempdir().unwrap();
        let own = package(directory.path());
        symlink(&own, directory.path().join("link")).unwrap();
        assert!(all(directory.path(), "file:link").is_err());
        assert!(all(directory.path(), "file:link/src").is_err());
        symlink("/etc/passwd", own.join("src/secret")).unwrap();
        assert!(all(directory.path(), "file:emitter").unwrap_err().contains("src/secret"));
    }
}
