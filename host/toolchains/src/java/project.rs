//! The project files that say what the build of a package takes: its own, and those of parents in its repository.

// The files are untrusted.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use bailiwick_base::files::plain;

use super::super::error::ToolchainError;

/// No project file is larger.
const LARGEST: u64 = 4 * 1024 * 1024;

/// No package has more parents.
const MOST: usize = 32;

/// What an SDK repository configures for its packages.
const CONFIGURATION: &str = "eng/swagger_to_sdk_config.json";

/// A package's project files, by their paths within the repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Project {
    /// The package's own.
    pub(super) own: String,
    /// All of them with their content.
    pub(super) files: BTreeMap<String, Vec<u8>>,
    /// The last phase that has to run.
    pub(super) until: &'static str,
}

impl Project {
    /// Those of the package in this directory; `None` where it has no `pom.xml` yet.
    ///
    /// # Errors
    /// The package's own file cannot be read, or is a link.
    pub(super) fn read(package: &Path) -> Result<Option<Self>, ToolchainError> {
        let package = package.canonicalize().map_err(ToolchainError::io(package, "read"))?;
        let root = package.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(&package);
        let path = package.join("pom.xml");
        let Some(own) = inside(root, &path) else { return Ok(None) };
        let content = match plain::beneath(root, &own, LARGEST) {
            Ok((content, _)) => content,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ToolchainError::io(&path, "read")(error)),
        };
        let configured = plain::beneath(root, CONFIGURATION, LARGEST);
        let packages = configured.is_ok_and(|(text, _)| String::from_utf8_lossy(&text).contains("mvn "));
        let until = if packages { "package" } else { "compile" };
        let mut project = Self { own: own.clone(), files: BTreeMap::new(), until };
        let mut waiting = vec![(own, content)];
        while let Some((path, content)) = waiting.pop() {
            for parent in parents(&String::from_utf8_lossy(&content)) {
                let directory = root.join(&path);
                let directory = directory.parent().unwrap_or(root);
                let named = directory.join(parent);
                // What is not there, or a link, Maven takes from a repository of its own.
                let found = [named.clone(), named.join("pom.xml")].iter().find_map(|path| {
                    let path = inside(root, path)?;
                    plain::beneath(root, &path, LARGEST).ok().map(|(content, _)| (path, content))
                });
                let new = found.filter(|(path, _)| !project.files.contains_key(path));
                waiting.extend(new.filter(|_| project.files.len() < MOST));
            }
            project.files.insert(path, content);
        }
        Ok(Some(project))
    }
}

/// A path within the repository as names with slashes; `None` where it leads out.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain.strip_prefix(root).ok()?.to_str().map(str::to_owned)
}

/// Where a project file looks for its parent, relative to its directory.
fn parents(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let blocks = text.split("<parent>").skip(1).filter_map(|rest| rest.split("</parent>").next());
    blocks
        .filter_map(|block| match block.split_once("<relativePath") {
            None => Some("../pom.xml".to_owned()),
            Some((_, rest)) => {
                let path = rest.strip_prefix('>')?.split('<').next().unwrap_or_default().trim();
                (!path.is_empty()).then(|| path.replace('\\', "/"))
            }
        })
        .collect()
}

fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child_of(path: &str) -> String {
        format!("<project><parent><artifactId>p</artifactId>{path}</parent></project>")
    }

    #[test]
    fn parents_are_looked_for_where_maven_looks_for_them() {
        let path = |text: &str| parents(&child_of(text));
        assert_eq!(path(""), ["../pom.xml"]);
        assert_eq!(path("<relativePath> ../../parents/p </relativePath>"), ["../../parents/p"]);
        assert_eq!(path("<relativePath/>"), [] as [&str; 0]);
        assert_eq!(path("<relativePath></relativePath>"), [] as [&str; 0]);
        assert_eq!(path("<!-- <relativePath>x</relativePath> -->"), ["../pom.xml"]);
        assert_eq!(parents("<project><!-- <parent></parent> --></project>"), [] as [&str; 0]);
    }

    #[test]
    fn parents_in_the_repository_are_found_and_nothing_outside_of_it_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let package = base.join("repo/sdk/w/azure-w");
        for path in ["repo/.git", "repo/eng", "repo/sdk/w/azure-w", "repo/sdk/parents/p"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        let write = |path: &str, text: &str| std::fs::write(base.join(path), text).unwrap();
        let read = || Project::read(&package).unwrap();
        assert_eq!(read(), None, "there is no project file");

        let secret = child_of("<relativePath>../../../../outside.xml</relativePath>");
        write("outside.xml", "outside");
        write("repo/sdk/parents/p/pom.xml", &secret);
        write("repo/sdk/w/azure-w/pom.xml", &child_of("<relativePath>../../parents/p</relativePath>"));
        let project = read().unwrap();
        assert_eq!((project.own.as_str(), project.until), ("sdk/w/azure-w/pom.xml", "compile"));
        assert_eq!(project.files.keys().collect::<Vec<_>>(), ["sdk/parents/p/pom.xml", "sdk/w/azure-w/pom.xml"]);

        // A parent that is its own parent ends the search, and a link to elsewhere is not followed.
        std::os::unix::fs::symlink(base.join("outside.xml"), base.join("repo/sdk/w/pom.xml")).unwrap();
        write("repo/sdk/w/azure-w/pom.xml", &child_of(""));
        assert_eq!(read().unwrap().files.len(), 1);
        write("repo/sdk/w/azure-w/pom.xml", &child_of("<relativePath>pom.xml</relativePath>"));
        assert_eq!(read().unwrap().files.len(), 1);

        write("repo/eng/swagger_to_sdk_config.json", r#"{"buildScript":{"command":"mvn clean package"}}"#);
        assert_eq!(read().unwrap().until, "package");
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    use super::{inside, parents};

    #[test]
    fn poms() {
        const WORDS: &[&str] = &[
            "<parent>",
            "</parent>",
            "<relativePath>",
            "<relativePath/>",
            "</relativePath>",
            "<!--",
            "-->",
            "../",
            "..\\",
            "/etc/passwd",
            "<![CDATA[",
            "&lt;",
        ];
        Target { name: "poms", words: WORDS }.run_text(|text| {
            let found = parents(text);
            assert!(found.len() <= text.matches("<parent>").count());
            // What leads out of the repository is no file of it.
            let root = std::path::Path::new("/w/repo");
            for path in found.iter().filter_map(|path| inside(root, &root.join("sdk/a").join(path))) {
                assert!(!path.split('/').any(|part| part == ".."), "{path}");
            }
        });
    }
}
