use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// A repository with a project in it.
struct Clone {
    directory: TempDir,
}

impl Clone {
    fn new(configuration: &str) -> Self {
        let clone = Self { directory: tempfile::tempdir().unwrap() };
        clone.write("specs/.git/HEAD", "");
        clone.write("specs/specification/w/Shared/shared.tsp", "");
        clone.write("specs/specification/w/W/main.tsp", "");
        clone.write("specs/specification/w/W/tspconfig.yaml", configuration);
        clone
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(relative)
    }

    fn write(&self, relative: &str, content: &str) {
        crate::laid_out::write(self.directory.path(), relative, content);
    }

    fn discover(&self) -> Result<SpecProject, TypespecError> {
        SpecProject::discover(&self.path("specs/specification/w/W"))
    }
}

fn importing(directories: &str) -> String {
    format!("parameters:\n  dependencies:\n    additionalDirectories: {directories}\n")
}

#[test]
fn project_is_found_with_what_it_imports_from_and_without_a_client_file() {
    for list in ["[\"specification/w/Shared/\"]", "specification/w/Shared"] {
        let clone = Clone::new(&importing(list));
        let project = clone.discover().unwrap();
        assert_eq!(
            (project.entry.as_str(), project.main.as_str(), project.name.as_str()),
            ("main.tsp", "main.tsp", "W")
        );
        assert_eq!(project.root, clone.path("specs"));
        assert_eq!(project.additional, [("Shared".to_owned(), clone.path("specs/specification/w/Shared"))]);
        assert!(project.sdk.is_none() && !project.detached);
    }
    // A file that is no YAML is for the compiler to report.
    assert_eq!(Clone::new("options: [").discover().unwrap().additional, []);
}

#[test]
fn what_is_imported_lies_inside_the_repository() {
    // What ends in no name of its own would be copied over or beside the tools of the compiler.
    let nameless = ["[\"specification/w/..\"]", "[\"specification/w/Shared/.\"]", "[\".probe\"]", "[\"node_modules\"]"];
    let outside = ["[\"../outside\"]", "[\"/etc\"]", "[\".\"]", "[\"specification/w/W/link\"]"];
    for list in outside.iter().chain(&nameless) {
        let clone = Clone::new(&importing(list));
        clone.write("specs/.probe/main.mjs", "");
        clone.write("specs/node_modules/x.js", "");
        clone.write("outside/secret", "");
        symlink(clone.path("outside"), clone.path("specs/specification/w/W/link")).unwrap();
        let error = clone.discover().unwrap_err();
        assert!(matches!(error, TypespecError::ConfigurationOutside { .. }), "{list}: {error}");
        assert!(error.hint().is_some());
    }
}

#[test]
fn options_are_those_of_the_emitter_of_the_language() {
    let clone =
        Clone::new("options:\n  \"@azure-tools/typespec-autorest\": {}\n  \"@azure-tools/typespec-java\": {}\n");
    let project = clone.discover().unwrap();
    assert_eq!(project.emitter_of(Language::Java).unwrap(), "@azure-tools/typespec-java");
    assert_eq!(project.emitter_of(Language::Go).unwrap(), "");
    // A link in place of the file is not followed.
    let configuration = clone.path("specs/specification/w/W/tspconfig.yaml");
    clone.write("outside.yaml", "");
    fs::remove_file(&configuration).unwrap();
    symlink(clone.path("outside.yaml"), &configuration).unwrap();
    assert!(clone.discover().is_err());
}

#[test]
fn directory_outside_of_a_repository_and_one_without_a_project_are_refused() {
    let clone = Clone::new("");
    let inside = SpecProject::discover(&clone.path("specs/specification/w/Shared")).unwrap_err();
    assert!(matches!(inside, TypespecError::NoConfig { .. }), "{inside}");
    fs::remove_dir_all(clone.path("specs/.git")).unwrap();
    assert!(matches!(clone.discover().unwrap_err(), TypespecError::NotInGit { .. }));
}
