//! Whether an edit of `client.tsp` can be made and has an effect.

use std::path::Path;

use super::error::TypespecError;
use super::location::TspLocation;

const CLIENT: &str = "client.tsp";
/// Files from which a generation reads `client.tsp`, or would if it were there.
const READ_WITH_IT: [&str; 2] = [CLIENT, "main.tsp"];

/// Checks, before anything is started, that an edit of a project's `client.tsp` can be made: it is no link, and the package,
/// where there is one, is generated from a file that reads it.
///
/// # Errors
/// [`TypespecError::ClientLink`], [`TypespecError::OtherEntry`].
pub(crate) fn editable_client_file(project: &Path, location: Option<&TspLocation>) -> Result<(), TypespecError> {
    let client = project.join(CLIENT);
    if client.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        return Err(TypespecError::ClientLink { path: client });
    }
    let named = location.and_then(|location| location.entrypoint_file.as_deref());
    match named {
        Some(entry) if !READ_WITH_IT.contains(&entry) && !reads_client(&project.join(entry)) => {
            Err(TypespecError::OtherEntry { entry: entry.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Whether a file imports the `client.tsp` beside it. A file that cannot be read is for the compiler.
fn reads_client(entry: &Path) -> bool {
    let text = std::fs::read_to_string(entry).unwrap_or_default();
    text.lines().any(|line| {
        let named = line.trim().strip_prefix("import").map(str::trim).and_then(|rest| rest.strip_prefix('"'));
        named.and_then(|rest| rest.split('"').next()) == Some("./client.tsp")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn location(entry: &str) -> TspLocation {
        let text = format!("directory: specification/w/W\ncommit: a\nrepo: a/b\n{entry}");
        let package = tempfile::tempdir().unwrap();
        fs::write(package.path().join("tsp-location.yaml"), text).unwrap();
        TspLocation::read(package.path()).unwrap()
    }

    #[test]
    fn client_file_that_the_package_is_not_generated_from_is_not_edited() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path();
        fs::write(project.join(CLIENT), "import \"./main.tsp\";\n").unwrap();
        let other = project.join("python-client.tsp");
        fs::write(&other, "import \"./main.tsp\";\n// import \"./client.tsp\";\n").unwrap();
        let check = |entry: &str| editable_client_file(project, Some(&location(entry)));
        for entry in ["", "entrypointFile: client.tsp\n", "entrypointFile: main.tsp\n"] {
            check(entry).unwrap();
        }
        let error = check("entrypointFile: python-client.tsp\n").unwrap_err();
        assert!(error.to_string().contains("`python-client.tsp`") && error.hint().is_some(), "{error}");
        fs::write(&other, "import \"./main.tsp\";\nimport \"./client.tsp\";\n").unwrap();
        check("entrypointFile: python-client.tsp\n").unwrap();
        editable_client_file(project, None).unwrap();
    }

    #[test]
    fn client_file_that_is_a_link_is_not_edited() {
        let directory = tempfile::tempdir().unwrap();
        let project = directory.path();
        editable_client_file(project, None).unwrap();
        for target in ["other.tsp", "main.tsp"] {
            fs::write(project.join("main.tsp"), "").unwrap();
            symlink(target, project.join(CLIENT)).unwrap();
            let error = editable_client_file(project, None).unwrap_err();
            assert!(matches!(error, TypespecError::ClientLink { .. }), "{error}");
            fs::remove_file(project.join(CLIENT)).unwrap();
        }
    }
}
