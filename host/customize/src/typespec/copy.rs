//! Copies of TypeSpec projects.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::TypespecError;

/// Directories that are not part of a project's source. `tsp-client` leaves out the first two as well.
const SKIPPED: &[&str] = &["node_modules", "tsp-output", ".git"];

/// Copies regular files from `from` to `to`, which may exist. A link is followed if it stays below `root`; what
/// leads elsewhere, and what is no file, is left out.
pub(super) fn copy_tree(from: &Path, to: &Path, root: &Path) -> Result<(), TypespecError> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = waiting.pop() {
        copy_one(&from, &to, root, &mut waiting)?;
    }
    Ok(())
}

/// Copies the files of one directory; the directories in it go to those that wait.
fn copy_one(from: &Path, to: &Path, root: &Path, waiting: &mut Vec<(PathBuf, PathBuf)>) -> Result<(), TypespecError> {
    fs::create_dir_all(to).map_err(TypespecError::io(to, "created"))?;
    for entry in fs::read_dir(from).map_err(TypespecError::io(from, "read"))? {
        let entry = entry.map_err(TypespecError::io(from, "read"))?;
        let name = entry.file_name();
        if SKIPPED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        let source = entry.path();
        let kind = entry.file_type().map_err(TypespecError::io(&source, "read"))?;
        let source = if kind.is_symlink() {
            match source.canonicalize() {
                // A directory behind a link could hold the link itself.
                Ok(target) if target.starts_with(root) && target.is_file() => target,
                _ => continue,
            }
        } else {
            source
        };
        let target = to.join(&name);
        if kind.is_dir() {
            waiting.push((source, target));
        } else if source.is_file() {
            fs::copy(&source, &target).map_err(TypespecError::io(&source, "copied"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn project_of_many_directories_inside_one_another_is_copied_on_a_small_stack() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        let deep = vec!["d"; 1_900].join("/");
        fs::create_dir_all(from.join(&deep)).unwrap();
        fs::write(from.join(&deep).join("a.tsp"), "").unwrap();
        let (source, target) = (from.clone(), to.clone());
        bailiwick_fuzz::on_small_stack(move || copy_tree(&source, &target, &source).unwrap());
        assert!(to.join(&deep).join("a.tsp").is_file());
    }

    #[test]
    fn links_out_of_the_repository_and_build_output_are_left_out() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "x").unwrap();
        let root = tempfile::tempdir().unwrap();
        let root_path = root.path().canonicalize().unwrap();
        let project = root_path.join("project");
        for directory in ["node_modules", "tsp-output", "examples"] {
            fs::create_dir_all(project.join(directory)).unwrap();
            fs::write(project.join(directory).join("a"), "a").unwrap();
        }
        fs::write(root_path.join("shared.tsp"), "s").unwrap();
        symlink(root_path.join("shared.tsp"), project.join("inside.tsp")).unwrap();
        symlink(outside.path().join("secret"), project.join("outside.tsp")).unwrap();
        symlink(outside.path(), project.join("outside")).unwrap();
        symlink(&project, project.join("loop")).unwrap();

        let to = root_path.join("copy");
        copy_tree(&project, &to, &root_path).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["examples", "inside.tsp"]);
        assert_eq!(fs::read(to.join("inside.tsp")).unwrap(), b"s");
    }
}
