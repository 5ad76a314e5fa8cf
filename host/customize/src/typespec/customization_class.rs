//! The class that `tspconfig.yaml` names for the Java emitter to run. Without its file the generator ends with an exception
//! that names nothing, so the file is looked for before anything is started.

use std::path::Path;

use bailiwick_base::files::Tree;
use bailiwick_base::files::plain;

use super::error::TypespecError;
use super::project::Project;
use super::spec_project::{LARGEST_CONFIG, configuration};

const OPTION: &str = "customization-class";

/// Looks whether the class exists that the options of the package's emitter name. A path outside the package, or one that
/// the compiler puts together, is not judged.
///
/// # Errors
/// [`TypespecError::NoCustomizationClass`] where there is no such file, and another where something cannot be read.
pub(crate) fn customization_class(project: &Project) -> Result<(), TypespecError> {
    let read = configuration(&project.directory)?;
    let named = ["options", &project.emitter.emitter, OPTION].iter().try_fold(&read, |value, key| value.get(key));
    let Some(class) = named.and_then(serde_yaml_ng::Value::as_str).filter(|class| is_judged(class)) else {
        return Ok(());
    };
    let path = class.trim_start_matches("./");
    if Tree::open(&project.package)?.kind(path)?.is_some() {
        return Ok(());
    }
    let file = project.directory.join("tspconfig.yaml");
    let text = plain::beneath(&project.directory, "tspconfig.yaml", LARGEST_CONFIG);
    let (text, _) = text.map_err(TypespecError::io(&file, "read"))?;
    let line = line_of(&String::from_utf8_lossy(&text), class);
    Err(TypespecError::NoCustomizationClass { file, line, class: class.to_owned(), package: project.package.clone() })
}

fn is_judged(class: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && part != "..";
    class.ends_with(".java")
        && !class.contains(['{', '\\'])
        && Path::new(class).is_relative()
        && class.split('/').all(is_plain)
}

/// The line, from 1, on which the option has this value.
fn line_of(text: &str, class: &str) -> usize {
    let says =
        |line: &str| line.trim_start().trim_start_matches(['"', '\'']).starts_with(OPTION) && line.contains(class);
    text.lines().position(says).map_or(1, |row| row.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_that_of_the_option_and_not_of_a_remark() {
        let text = "options:\n  # customization-class: A.java\n  \"x\":\n    customization-class: src/A.java\n    \"customization-class\": \"B.java\"\n";
        assert_eq!(line_of(text, "src/A.java"), 4);
        assert_eq!(line_of(text, "B.java"), 5);
    }

    #[test]
    fn path_that_leaves_the_package_or_is_put_together_is_not_judged() {
        for class in ["../A.java", "/a/A.java", "{project-root}/A.java", "A", "a//A.java", "a\\A.java"] {
            assert!(!is_judged(class), "{class}");
        }
        assert!(is_judged("customization/src/main/java/A.java"));
        assert!(is_judged("./A.java"));
    }
}
