//! A package laid out for a build that writes beside what it reads: in the work directory, at no cost.
//!
//! The package's own files are linked, what a build has to find as a file of its own is copied, and above the package the
//! repository's directories are linked too, for project files refer to what lies there.

use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{BuildRequest, LanguageError};
use crate::shown::{is_left_out, shown};

/// What is laid out how. Paths are relative to the package.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape<'a> {
    /// The project file, which is copied: what a tool writes lies beside the file it is given.
    pub(super) project_file: &'a str,
    /// A directory that is made anew down to its files, because tools write into it or do not follow links to directories.
    pub(super) mirrored: Option<&'a str>,
    /// Names that are not inputs of a build, wherever they stand.
    pub(super) left_out: &'a [&'a str],
}

/// Where the package is laid out.
#[derive(Debug)]
pub(super) struct Layout {
    /// The directory that stands for the repository.
    pub(super) tree: PathBuf,
    /// The package inside it.
    pub(super) package: PathBuf,
    /// The real repository, or the package where there is none.
    pub(super) repository: PathBuf,
    /// Where the package stands in the repository.
    pub(super) original: PathBuf,
    /// The package that is laid out: the real one, or a copy of it.
    source: PathBuf,
}

impl Layout {
    /// Lays a package out in `tree` below `root`, with nothing left of an earlier build.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub(super) fn make(request: BuildRequest<'_>, root: &Path, shape: Shape<'_>) -> Result<Self, LanguageError> {
        let layout = Self::around(request, root, shape.left_out)?;
        let (from, to) = (request.package, layout.package.as_path());
        let own: Vec<&OsStr> =
            [Some(shape.project_file), shape.mirrored].into_iter().flatten().map(OsStr::new).collect();
        link_all(from, to, &own, shape.left_out)?;
        if let Some(directory) = shape.mirrored {
            mirror(&from.join(directory), &to.join(directory), &from.join(shape.project_file), shape.left_out)?;
        }
        let (project, copy) = (from.join(shape.project_file), to.join(shape.project_file));
        std::fs::copy(&project, &copy).map_err(LanguageError::io(&project, "read"))?;
        Ok(layout)
    }

    /// The same with every file of the package copied, for tools that ask where a file really lies. `left_out` names what
    /// is not an input, wherever in the package it stands: names, or `*` and what names end with.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub(super) fn copied(request: BuildRequest<'_>, root: &Path, left_out: &[&str]) -> Result<Self, LanguageError> {
        // Around the package it may be an input: what the repository installed for all its packages.
        let layout = Self::around(request, root, &[".git"])?;
        copy_all(request.package, &layout.package, left_out)?;
        Ok(layout)
    }

    /// The repository around the package's place, linked, and no package yet.
    fn around(request: BuildRequest<'_>, root: &Path, left_out: &[&str]) -> Result<Self, LanguageError> {
        let place = request.place;
        let repository =
            place.ancestors().find(|directory| directory.join(".git").exists()).unwrap_or(place).to_owned();
        let tree = root.join("tree");
        match std::fs::remove_dir_all(&tree) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(LanguageError::io(&tree, "removed")(error));
            }
            _ => {}
        }
        let relative = place.strip_prefix(&repository).unwrap_or(Path::new(""));
        let (mut from, mut to) = (repository.clone(), tree.clone());
        for part in relative.components() {
            link_all(&from, &to, &[part.as_os_str()], left_out)?;
            from.push(part);
            to.push(part);
        }
        let (original, source) = (place.to_owned(), request.package.to_owned());
        Ok(Self { package: to, tree, repository, original, source })
    }

    /// Adds to `read` what a build may read of the package and the repository, and gives what it may list.
    pub(super) fn show(&self, package: &Path, read: &mut Vec<PathBuf>) -> Vec<PathBuf> {
        let mut all = shown(&self.repository, &self.original);
        if package != self.original {
            let copy = shown(package, package);
            all.read.extend(copy.read);
            all.list.extend(copy.list);
        }
        read.extend(all.read);
        all.list
    }

    /// A tool's paths, as people know them: `sdk/…` in the package, `repository/…` around it.
    pub(super) fn readable(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (directory, name) in [
            (&self.package, "sdk"),
            (&self.source, "sdk"),
            (&self.original, "sdk"),
            (&self.tree, "repository"),
            (&self.repository, "repository"),
        ] {
            text = text.replace(&*directory.to_string_lossy(), name);
        }
        text
    }
}

/// Directories that are still to be done, each with its copy. The package decides how deep they lie, so
/// that they do not wait on the thread's stack.
type Waiting = Vec<(PathBuf, PathBuf)>;

/// Makes `to` and links into it whatever lies in `from`, except what is left out.
fn link_all(from: &Path, to: &Path, without: &[&OsStr], left_out: &[&str]) -> Result<(), LanguageError> {
    std::fs::create_dir_all(to).map_err(LanguageError::io(to, "created"))?;
    for entry in std::fs::read_dir(from).map_err(LanguageError::io(from, "read"))? {
        let entry = entry.map_err(LanguageError::io(from, "read"))?;
        let name = entry.file_name();
        let left = is_left_out(&name) || left_out.iter().any(|left_out| name == *left_out);
        if left || without.contains(&name.as_os_str()) {
            continue;
        }
        let link = to.join(&name);
        symlink(entry.path(), &link).map_err(LanguageError::io(&link, "created"))?;
    }
    Ok(())
}

/// Copies files and directories. Links are left out: they do not lead to sources.
fn copy_all(from: &Path, to: &Path, left_out: &[&str]) -> Result<(), LanguageError> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    let top = from;
    while let Some((from, to)) = waiting.pop() {
        copy_one(&from, &to, (left_out, from == top), &mut waiting)?;
    }
    Ok(())
}

/// Copies the files of one directory; the directories in it go to those that wait.
fn copy_one(
    from: &Path,
    to: &Path,
    (left_out, is_top): (&[&str], bool),
    waiting: &mut Waiting,
) -> Result<(), LanguageError> {
    std::fs::create_dir_all(to).map_err(LanguageError::io(to, "created"))?;
    for entry in std::fs::read_dir(from).map_err(LanguageError::io(from, "read"))? {
        let entry = entry.map_err(LanguageError::io(from, "read"))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(LanguageError::io(&source, "read"))?;
        let name = entry.file_name();
        if is_top && is_left_out(&name) || left_out.iter().any(|left_out| is_called(&name, left_out)) {
            continue;
        }
        if kind.is_dir() {
            waiting.push((source, target));
        } else if kind.is_file() {
            std::fs::copy(&source, &target).map_err(LanguageError::io(&source, "copied"))?;
        }
    }
    Ok(())
}

/// Whether a name is the one that is left out, or ends as such names do.
fn is_called(name: &OsStr, left_out: &str) -> bool {
    match left_out.strip_prefix('*') {
        Some(ending) => name.as_encoded_bytes().ends_with(ending.as_bytes()),
        None => name == left_out,
    }
}

/// Makes the directories of `from` anew in `to` and links the files, except one. What is left out is so at the top alone:
/// deeper down, a directory called `bin` holds sources as any other does.
fn mirror(from: &Path, to: &Path, without: &Path, left_out: &[&str]) -> Result<(), LanguageError> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    let top = from;
    while let Some((from, to)) = waiting.pop() {
        let left_out = if from == top { left_out } else { &[] };
        mirror_one(&from, &to, (without, left_out), &mut waiting)?;
    }
    Ok(())
}

fn mirror_one(
    from: &Path,
    to: &Path,
    (without, left_out): (&Path, &[&str]),
    waiting: &mut Waiting,
) -> Result<(), LanguageError> {
    std::fs::create_dir_all(to).map_err(LanguageError::io(to, "created"))?;
    for entry in std::fs::read_dir(from).map_err(LanguageError::io(from, "read"))? {
        let entry = entry.map_err(LanguageError::io(from, "read"))?;
        let (name, path) = (entry.file_name(), entry.path());
        if path == without || left_out.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type().map_err(LanguageError::io(&path, "read"))?.is_dir() {
            waiting.push((path, target));
        } else {
            symlink(&path, &target).map_err(LanguageError::io(&target, "created"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_of_many_directories_inside_one_another_is_laid_out_on_a_small_stack() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        let deep = vec!["d"; 1_900].join("/");
        std::fs::create_dir_all(from.join(&deep)).unwrap();
        std::fs::write(from.join(&deep).join("a"), "a").unwrap();
        let (source, target) = (from.clone(), to.clone());
        bailiwick_fuzz::on_small_stack(move || copy_all(&source, &target, &[]).unwrap());
        assert!(to.join(&deep).join("a").is_file());
        let mirrored = directory.path().join("mirrored");
        let target = mirrored.clone();
        bailiwick_fuzz::on_small_stack(move || mirror(&from, &target, Path::new(""), &[]).unwrap());
        assert!(mirrored.join(&deep).join("a").is_symlink());
    }

    #[test]
    fn directory_that_a_compiler_writes_at_the_top_holds_sources_further_down() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        for path in ["bin/Made.cs", "Custom/bin/Written.cs"] {
            crate::laid_out::write(&from, path, "class A { }");
        }
        mirror(&from, &to, Path::new(""), &["bin"]).unwrap();
        assert!(!to.join("bin").exists());
        assert!(to.join("Custom/bin/Written.cs").is_symlink());
    }

    fn request<'a>(package: &'a Path, work: &'a Path) -> BuildRequest<'a> {
        BuildRequest::plain(package, work)
    }

    #[test]
    fn copy_of_a_package_is_laid_out_in_the_packages_place() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let (place, copy) = (base.join("repo/sdk/w/azure-w"), base.join("before"));
        for path in ["repo/.git", "repo/sdk/parents", "repo/sdk/w/azure-w/src", "before/src"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        std::fs::write(base.join("repo/sdk/parents/pom.xml"), "parent").unwrap();
        std::fs::write(place.join("pom.xml"), "now").unwrap();
        std::fs::write(copy.join("pom.xml"), "before").unwrap();
        std::fs::write(copy.join("src/A.java"), "before").unwrap();
        let root = base.join("work");
        let shape = Shape { project_file: "pom.xml", mirrored: None, left_out: &["target", ".git"] };
        let layout = Layout::make(BuildRequest { place: &place, ..request(&copy, &root) }, &root, shape).unwrap();
        let read = |path: &str| std::fs::read_to_string(layout.package.join(path)).unwrap();
        assert_eq!((read("pom.xml"), read("src/A.java")), ("before".to_owned(), "before".to_owned()));
        assert_eq!(read("../../parents/pom.xml"), "parent");
        for directory in [&copy, &place, &layout.package] {
            assert_eq!(layout.readable(&format!("{}/src/A.java", directory.display())), "sdk/src/A.java");
        }
    }

    #[test]
    fn package_is_laid_out_without_its_output_and_with_the_repository_around_it() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let package = base.join("repo/sdk/w/azure-w");
        for path in ["repo/.git", "repo/sdk/parents", "repo/sdk/w/azure-w/src/main/java", "repo/sdk/w/azure-w/target"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        std::fs::write(base.join("repo/sdk/parents/pom.xml"), "parent").unwrap();
        std::fs::write(package.join("pom.xml"), "pom").unwrap();
        let root = base.join("work");
        std::fs::create_dir(&root).unwrap();
        let shape = Shape { project_file: "pom.xml", mirrored: None, left_out: &["target", ".git"] };
        // A second build begins with nothing of the first.
        for _ in 0..2 {
            let layout = Layout::make(request(&package, &root), &root, shape).unwrap();
            assert!(!layout.package.join("pom.xml").is_symlink() && layout.package.join("src").is_symlink());
            assert!(!layout.package.join("target").exists());
            assert_eq!(std::fs::read_to_string(layout.package.join("../../parents/pom.xml")).unwrap(), "parent");
            assert_eq!(layout.readable(&format!("{}/src/A.java", layout.package.display())), "sdk/src/A.java");
            std::fs::create_dir_all(layout.package.join("target/classes")).unwrap();
        }
    }

    #[test]
    fn mirrored_directory_can_be_written_and_the_package_stays_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let package = base.join("package");
        for path in ["src/Generated/Models", "src/obj", "tests"] {
            std::fs::create_dir_all(package.join(path)).unwrap();
        }
        for path in ["src/W.csproj", "src/Generated/Models/A.cs", "src/obj/old.json"] {
            std::fs::write(package.join(path), path).unwrap();
        }
        let root = base.join("work");
        let shape = Shape { project_file: "src/W.csproj", mirrored: Some("src"), left_out: &["obj"] };
        let layout = Layout::make(request(&package, &root), &root, shape).unwrap();
        let laid_out = |path: &str| layout.package.join(path);
        assert!(laid_out("tests").is_symlink());
        assert!(laid_out("src/Generated/Models/A.cs").is_symlink() && !laid_out("src/Generated/Models").is_symlink());
        assert!(!laid_out("src/W.csproj").is_symlink() && !laid_out("src/obj").exists());
        std::fs::create_dir(laid_out("src/obj")).unwrap();
        std::fs::write(laid_out("src/obj/new.json"), "").unwrap();
        std::fs::write(laid_out("src/W.csproj"), "written").unwrap();
        assert!(!package.join("src/obj/new.json").exists());
        assert_eq!(std::fs::read_to_string(package.join("src/W.csproj")).unwrap(), "src/W.csproj");
    }
}
