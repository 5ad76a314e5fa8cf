//! Requirements that name a directory of the repository: `-e ../../../eng/tools/azure-sdk-tools`.

// The package, which is untrusted, writes these.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::super::Around;

/// What a directory that a requirement names is.
pub(super) enum Beside {
    /// The package itself.
    Itself,
    /// A project of the repository, by its path relative to it.
    Directory(String),
    /// Nothing that is there, or no project.
    Missing,
    /// Something that is not in the repository.
    Outside,
}

/// Whether a line names a directory and not a package of a registry.
pub(super) fn is_local(line: &str) -> bool {
    let place = place(line);
    place == "." || place.starts_with("./") || place == ".." || place.starts_with("../")
}

/// The directory, without the option for a link to it and without extras.
fn place(line: &str) -> &str {
    let rest = line.strip_prefix("-e ").or_else(|| line.strip_prefix("--editable ")).unwrap_or(line).trim();
    rest.split('[').next().unwrap_or(rest).trim_end_matches('/')
}

/// What `line` names. A directory is a project where it holds one of the files in `projects`.
pub(super) fn find(line: &str, around: Option<Around<'_>>, projects: &[&str]) -> Beside {
    let Some(around) = around else { return Beside::Missing };
    let mut parts: Vec<&str> = around.package.split('/').filter(|part| !part.is_empty()).collect();
    for part in place(line).split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Beside::Outside;
                }
            }
            part => parts.push(part),
        }
    }
    let directory = parts.join("/");
    if directory == around.package {
        return Beside::Itself;
    }
    let is_project = projects.iter().any(|name| (around.file)(&format!("{directory}/{name}")).is_some());
    if is_project && !directory.is_empty() { Beside::Directory(directory) } else { Beside::Missing }
}
