use super::*;
use crate::typespec::customization_class;
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

/// Two repositories side by side, as people have them.
struct Clones {
    directory: TempDir,
}

impl Clones {
    fn new() -> Self {
        let clones = Self { directory: tempfile::tempdir().unwrap() };
        clones.write("sdk-repo/.git/HEAD", "");
        clones.write("spec-repo/.git/HEAD", "");
        clones.write(
            "sdk-repo/eng/emitter-package.json",
            r#"{"dependencies":{"@typespec/http-client-python":"0.28.3"}}"#,
        );
        clones.location("repo: Azure/spec-repo\n");
        for name in ["main.tsp", "client.tsp", "tspconfig.yaml"] {
            clones.write(&format!("spec-repo/specification/w/W/{name}"), "");
        }
        clones
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(relative)
    }

    fn write(&self, relative: &str, content: &str) {
        crate::laid_out::write(self.directory.path(), relative, content);
    }

    fn location(&self, more: &str) {
        let text = format!("directory: specification/w/W\ncommit: abc\n{more}");
        self.write("sdk-repo/sdk/w/azure-w/tsp-location.yaml", &text);
    }

    fn discover(&self, lookup: &SpecLookup) -> Result<Project, TypespecError> {
        Project::discover(&self.path("sdk-repo/sdk/w/azure-w"), lookup)
    }

    fn explicit(&self, relative: &str) -> Result<Project, TypespecError> {
        self.discover(&SpecLookup { project: Some(self.path(relative)), clone: None })
    }
}

#[test]
fn clone_beside_the_sdk_repository_is_found() {
    let clones = Clones::new();
    let project = clones.discover(&SpecLookup::default()).unwrap();
    assert_eq!(project.directory, clones.path("spec-repo/specification/w/W"));
    assert_eq!(project.spec_root, clones.path("spec-repo"));
    assert_eq!(project.sdk_root, clones.path("sdk-repo"));
    assert_eq!(project.entry, "client.tsp");
    assert_eq!(project.main, "main.tsp");
    assert_eq!(project.package_name(), "azure-w");
    assert_eq!(project.emitter.emitter, "@typespec/http-client-python");
}

#[test]
fn clone_of_another_name_is_found_by_what_it_holds() {
    let clones = Clones::new();
    fs::rename(clones.path("spec-repo"), clones.path("my-specs")).unwrap();
    let project = clones.discover(&SpecLookup::default()).unwrap();
    assert_eq!(project.spec_root, clones.path("my-specs"));
}

#[test]
fn clone_is_found_although_the_repository_is_not_a_name() {
    let clones = Clones::new();
    for repo in ["../spec-repo", "https://github.com/Azure/spec-repo", "..\\spec-repo", "..", "/"] {
        clones.location(&format!("repo: '{repo}'\n"));
        assert_eq!(clones.discover(&SpecLookup::default()).unwrap().spec_root, clones.path("spec-repo"), "{repo}");
    }
}

#[test]
fn emitter_package_and_entry_that_the_location_names_are_used() {
    let clones = Clones::new();
    clones.write("sdk-repo/eng/other.json", r#"{"dependencies":{"@azure-tools/typespec-python":"0.9.0"}}"#);
    clones.write("spec-repo/specification/w/W/client.python.tsp", "");
    clones.location("repo: a/spec-repo\nemitterPackageJsonPath: eng\\other.json\nentrypointFile: client.python.tsp\n");
    let project = clones.discover(&SpecLookup::default()).unwrap();
    assert_eq!(
        (project.emitter.emitter.as_str(), project.entry.as_str()),
        ("@azure-tools/typespec-python", "client.python.tsp")
    );
}

#[test]
fn two_clones_that_hold_the_project_are_a_question_for_the_person() {
    let clones = Clones::new();
    fs::rename(clones.path("spec-repo"), clones.path("a")).unwrap();
    clones.write("b/.git/HEAD", "");
    clones.write("b/specification/w/W/tspconfig.yaml", "");
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(matches!(error, TypespecError::ManySpecClones { ref clones, .. } if clones.len() == 2));
}

#[test]
fn no_clone_is_an_error_that_names_what_was_looked_for() {
    let clones = Clones::new();
    fs::remove_dir_all(clones.path("spec-repo")).unwrap();
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(error.to_string().contains("`Azure/spec-repo` with `specification/w/W`"));
    assert!(error.hint().unwrap().contains("--typespec-project-path"));
}

#[test]
fn configured_clone_replaces_the_search() {
    let clones = Clones::new();
    clones.write("elsewhere/specs/.git/HEAD", "");
    for name in ["main.tsp", "tspconfig.yaml"] {
        clones.write(&format!("elsewhere/specs/specification/w/W/{name}"), "");
    }
    let lookup = SpecLookup { project: None, clone: Some(clones.path("elsewhere/specs")) };
    let project = clones.discover(&lookup).unwrap();
    assert_eq!(project.spec_root, clones.path("elsewhere/specs"));
    assert_eq!(project.entry, "main.tsp");
}

#[test]
fn explicit_project_may_be_its_configuration_file() {
    let clones = Clones::new();
    for given in ["spec-repo/specification/w/W", "spec-repo/specification/w/W/tspconfig.yaml"] {
        let project = clones.explicit(given).unwrap();
        assert_eq!(project.directory, clones.path("spec-repo/specification/w/W"));
    }
}

#[test]
fn repository_given_instead_of_project_is_told_the_project() {
    let clones = Clones::new();
    let error = clones.explicit("spec-repo").unwrap_err();
    assert!(matches!(error, TypespecError::NoConfig { .. }));
    assert!(error.hint().unwrap().ends_with("spec-repo/specification/w/W`"));
}

#[test]
fn wrong_input_is_told_apart() {
    let clones = Clones::new();
    let error = Project::discover(&clones.path("nowhere"), &SpecLookup::default()).unwrap_err();
    assert!(matches!(error, TypespecError::NoPackage { .. }));
    assert!(matches!(clones.explicit("nowhere").unwrap_err(), TypespecError::NoProject { .. }));

    clones.write("loose/tspconfig.yaml", "");
    clones.write("loose/main.tsp", "");
    assert!(matches!(clones.explicit("loose").unwrap_err(), TypespecError::NotInGit { .. }));

    fs::remove_file(clones.path("sdk-repo/eng/emitter-package.json")).unwrap();
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(error.to_string().contains("emitter-package.json"));

    fs::remove_dir_all(clones.path("sdk-repo/.git")).unwrap();
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(matches!(error, TypespecError::NotInGit { .. }));

    fs::remove_file(clones.path("sdk-repo/sdk/w/azure-w/tsp-location.yaml")).unwrap();
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(matches!(error, TypespecError::NoLocation { .. }));
}

#[test]
fn package_path_that_an_emitter_would_break_is_refused_early() {
    let clones = Clones::new();
    fs::rename(clones.path("sdk-repo"), clones.path("sdk repo")).unwrap();
    let package = clones.path("sdk repo/sdk/w/azure-w");
    let error = Project::discover(&package, &SpecLookup::default()).unwrap_err();
    assert!(error.hint().unwrap().contains("without spaces"), "{error}");
}

#[test]
fn project_without_a_file_to_start_from_is_refused() {
    let clones = Clones::new();
    for name in ["main.tsp", "client.tsp"] {
        fs::remove_file(clones.path(&format!("spec-repo/specification/w/W/{name}"))).unwrap();
    }
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(error.to_string().ends_with("has no `client.tsp` or `main.tsp`"));

    clones.location("repo: a/spec-repo\nentrypointFile: other.tsp\n");
    let error = clones.discover(&SpecLookup::default()).unwrap_err();
    assert!(error.to_string().contains("`other.tsp`"));
}

#[test]
fn link_that_leads_out_of_the_clone_is_refused() {
    let clones = Clones::new();
    clones.write("outside/tspconfig.yaml", "");
    clones.write("outside/main.tsp", "");
    fs::remove_dir_all(clones.path("spec-repo/specification/w/W")).unwrap();
    symlink(clones.path("outside"), clones.path("spec-repo/specification/w/W")).unwrap();
    assert!(matches!(clones.discover(&SpecLookup::default()).unwrap_err(), TypespecError::OutsideRepository { .. }));
}

#[test]
fn missing_additional_directory_is_found_before_anything_runs() {
    let clones = Clones::new();
    clones.location("repo: a/spec-repo\nadditionalDirectories: [specification/common]\n");
    assert!(clones.discover(&SpecLookup::default()).is_err());
    clones.write("spec-repo/specification/common/a.tsp", "");
    clones.discover(&SpecLookup::default()).unwrap();
}

#[test]
fn git_directories_of_a_work_tree_are_known() {
    let clones = Clones::new();
    clones.write("main-clone/.git/worktrees/w/commondir", "../..\n");
    fs::remove_dir_all(clones.path("sdk-repo/.git")).unwrap();
    let pointer = format!("gitdir: {}\n", clones.path("main-clone/.git/worktrees/w").display());
    clones.write("sdk-repo/.git", &pointer);
    let project = clones.discover(&SpecLookup::default()).unwrap();
    assert_eq!(
        project.git_directories,
        ["sdk-repo/.git", "main-clone/.git/worktrees/w", "main-clone/.git"].map(|path| clones.path(path))
    );
}

#[test]
fn customization_class_that_the_package_lacks_is_named_with_its_line() {
    let clones = Clones::new();
    clones.write("sdk-repo/eng/emitter-package.json", r#"{"dependencies":{"@azure-tools/typespec-java":"0.33.0"}}"#);
    let class = "customization/src/main/java/C.java";
    let says = |emitter: &str, value: &str| {
        clones.write(
            "spec-repo/specification/w/W/tspconfig.yaml",
            &format!("options:\n  \"{emitter}\":\n    partial-update: true\n    customization-class: {value}\n"),
        );
        customization_class(&clones.discover(&SpecLookup::default()).unwrap())
    };
    let java = "@azure-tools/typespec-java";
    let error = says(java, class).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("tspconfig.yaml:4` names the customization class"), "{said}");
    assert!(said.contains(class) && said.contains("sdk-repo/sdk/w/azure-w`"), "{said}");
    assert!(error.hint().unwrap().contains("put the class there"));
    // Another emitter's option, and a path that is not judged.
    for (emitter, value) in [("@typespec/http-client-python", class), (java, "\"{project-root}/C.java\""), (java, "3")]
    {
        assert!(says(emitter, value).is_ok(), "{emitter} {value}");
    }
    clones.write(&format!("sdk-repo/sdk/w/azure-w/{class}"), "class C {}");
    assert!(says(java, class).is_ok());
    assert!(says(java, &format!("./{class}")).is_ok());
}

#[test]
fn directory_that_is_kept_from_every_generator_is_refused_under_each_of_its_names() {
    for (link, named) in [(None, ".git"), (None, "modules/.git/refs"), (Some(".git"), "g"), (None, ".ssh")] {
        let clones = Clones::new();
        for directory in [".git", "modules/.git/refs", ".ssh"] {
            fs::create_dir_all(clones.path("spec-repo").join(directory)).unwrap();
        }
        if let Some(target) = link {
            symlink(target, clones.path("spec-repo").join(named)).unwrap();
        }
        clones.location(&format!("repo: a/spec-repo\nadditionalDirectories:\n- {named}\n"));
        let error = clones.discover(&SpecLookup::default()).unwrap_err();
        assert!(matches!(error, TypespecError::KeptBack { .. }), "{named}: {error}");
    }
}
