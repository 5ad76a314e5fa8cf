//! What a package asks for: `pyproject.toml`, `setup.py` and, for tests, `dev_requirements.txt`. Read, never run.

// The package, which is untrusted, writes these.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::str::FromStr as _;

use bailiwick_sdk::syntax::tree;
use bailiwick_toolchains::locked_python_packages;
use pep508_rs::pep440_rs::Version;
use pep508_rs::{Requirement, VerbatimUrl, VersionOrUrl};
use serde::Deserialize;
use tree_sitter::Node;

use super::super::{Asking, Needs, Requirements};
use super::beside::{self, Beside};

/// Lines of a list that are looked at. The longest that Azure publishes has about thirty.
const MOST: usize = 200;
/// Nodes of `setup.py` inside one another.
const DEEPEST: usize = 200;

#[derive(Deserialize, Default)]
struct Manifest {
    #[serde(default)]
    project: Project,
}

#[derive(Deserialize, Default)]
struct Project {
    dependencies: Option<Vec<String>>,
}

/// What a directory is a project by.
const PROJECT: [&str; 2] = ["pyproject.toml", "setup.py"];
/// What its tests need.
const DEV: &str = "dev_requirements.txt";

/// What a build or the tests of a package import beside what is locked for all.
pub(super) fn read(asking: Asking<'_>, needs: Needs) -> Requirements {
    let mut found = Found::default();
    found.read_project(asking.file, "");
    if needs == Needs::Tests
        && let Some(text) = (asking.file)(DEV)
    {
        let lines = text.lines().map(|line| line.split(" #").next().unwrap_or_default().trim());
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).take(MOST).collect();
        let (local, fetched): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| beside::is_local(line));
        found.add(DEV, fetched.into_iter());
        for line in local {
            found.add_local(line, asking);
        }
    }
    found.requirements.asked.sort();
    found.requirements.asked.dedup();
    found.requirements
}

#[derive(Default)]
struct Found {
    requirements: Requirements,
}

impl Found {
    /// What the project file of a directory names; `of` says for people which directory that is.
    fn read_project(&mut self, file: &dyn Fn(&str) -> Option<String>, of: &str) {
        let [manifest, setup] = PROJECT;
        let project =
            file(manifest).and_then(|text| toml::from_str::<Manifest>(&text).ok()).unwrap_or_default().project;
        match (project.dependencies, file(setup)) {
            (Some(dependencies), _) => {
                self.add(&format!("{of}{manifest}"), dependencies.iter().map(String::as_str));
            }
            (None, Some(text)) => match install_requires(&text) {
                Asked::Listed(texts) => self.add(&format!("{of}{setup}"), texts.iter().map(String::as_str)),
                Asked::Computed => {
                    self.pass_over(&format!("`install_requires` of `{of}{setup}`"), "it is not a list of texts");
                }
                Asked::Nothing => {}
            },
            (None, None) => {}
        }
    }

    /// Source code of the same repository, which is used where it stands, and what it asks for itself.
    fn add_local(&mut self, line: &str, asking: Asking<'_>) {
        let what = format!("`{line}` of `{DEV}`");
        match beside::find(line, asking.around, &PROJECT) {
            Beside::Itself => {}
            Beside::Directory(directory) => {
                if self.requirements.beside.contains(&directory) {
                    return;
                }
                if let Some(around) = asking.around {
                    let within = |name: &str| (around.file)(&format!("{directory}/{name}"));
                    self.read_project(&within, &format!("{directory}/"));
                }
                self.requirements.beside.push(directory);
            }
            Beside::Missing => self.pass_over(
                &what,
                "there is no such directory in the repository; a whole clone of the SDK repository has it",
            ),
            Beside::Outside => self.pass_over(&what, "it lies outside the repository"),
        }
    }

    fn add<'a>(&mut self, file: &str, texts: impl Iterator<Item = &'a str>) {
        for text in texts.take(MOST) {
            match Requirement::<VerbatimUrl>::from_str(text) {
                Ok(one) if matches!(one.version_or_url, Some(VersionOrUrl::Url(_))) => {
                    self.pass_over(&format!("`{text}` of `{file}`"), "only packages of a registry are fetched");
                }
                Ok(one) if is_locked(&one) => {}
                Ok(one) => self.requirements.asked.push(one.to_string()),
                Err(_) => self.pass_over(&format!("`{text}` of `{file}`"), "it names no package of a registry"),
            }
        }
    }

    fn pass_over(&mut self, what: &str, why: &str) {
        self.requirements.passed_over.push(format!("{what} is passed over: {why}"));
    }
}

/// Whether the locked environment holds it already.
fn is_locked(requirement: &Requirement<VerbatimUrl>) -> bool {
    let name = requirement.name.to_string();
    let locked = locked_python_packages().find(|(locked, _)| *locked == name);
    let Some(version) = locked.and_then(|(_, version)| Version::from_str(version).ok()) else { return false };
    let fits = match &requirement.version_or_url {
        None => true,
        Some(VersionOrUrl::VersionSpecifier(specifiers)) => specifiers.contains(&version),
        Some(VersionOrUrl::Url(_)) => false,
    };
    fits && requirement.extras.is_empty()
}

/// What `setup.py` says.
enum Asked {
    /// These, as they are written.
    Listed(Vec<String>),
    /// Something that only running it would tell.
    Computed,
    /// Nothing.
    Nothing,
}

fn install_requires(setup: &str) -> Asked {
    let Some(tree) = tree(&tree_sitter_python::LANGUAGE.into(), setup) else { return Asked::Computed };
    let Some(value) = keyword(tree.root_node(), setup, 0) else { return Asked::Nothing };
    if value.kind() != "list" {
        return Asked::Computed;
    }
    let mut cursor = value.walk();
    let texts: Option<Vec<String>> = value
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .map(|child| plain_text(child, setup))
        .collect();
    texts.map_or(Asked::Computed, Asked::Listed)
}

/// The value of the keyword argument `install_requires`, wherever it stands.
fn keyword<'a>(node: Node<'a>, text: &str, depth: usize) -> Option<Node<'a>> {
    let named = |node: Node<'_>| node.child_by_field_name("name").and_then(|name| text.get(name.byte_range()));
    if node.kind() == "keyword_argument" && named(node) == Some("install_requires") {
        return node.child_by_field_name("value");
    }
    let deeper = depth.checked_add(1).filter(|depth| *depth < DEEPEST)?;
    let mut cursor = node.walk();
    let children: Vec<Node<'a>> = node.named_children(&mut cursor).collect();
    children.into_iter().find_map(|child| keyword(child, text, deeper))
}

/// The text of a string without parts that are computed.
fn plain_text(node: Node<'_>, text: &str) -> Option<String> {
    if node.kind() != "string" {
        return None;
    }
    let mut cursor = node.walk();
    let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    match parts.as_slice() {
        [_, content, _] if content.kind() == "string_content" && content.named_child_count() == 0 => {
            text.get(content.byte_range()).map(str::to_owned)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Around;

    fn text_of<'a>(files: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| files.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
    }

    fn requirements(files: &[(&str, &str)], needs: Needs) -> Requirements {
        read(Asking { file: &text_of(files), around: None }, needs)
    }

    const SETUP: &str = r#"
from setuptools import setup
setup(
    name="azure-widget",
    install_requires=[
        # always there
        "isodate>=0.6.1",
        'azure-mgmt-core>=1.3.2',
        "typing-extensions>=4.6.0; python_version<'3.11'",
    ],
    python_requires=">=3.8",
)
"#;

    #[test]
    fn what_is_locked_for_all_is_not_asked_for_again() {
        let found = requirements(&[("setup.py", SETUP)], Needs::Build);
        assert_eq!(found.asked, ["azure-mgmt-core>=1.3.2"]);
        assert_eq!(found.passed_over, Vec::<String>::new());
    }

    #[test]
    fn version_that_is_not_the_locked_one_is_asked_for() {
        let project = "[project]\ndependencies = [\"azure-core<1.31\", \"azure-core[aio]>=1.30\"]\n";
        let found = requirements(&[("pyproject.toml", project), ("setup.py", SETUP)], Needs::Build);
        assert_eq!(found.asked, ["azure-core<1.31", "azure-core[aio]>=1.30"]);
    }

    #[test]
    fn requirements_of_tests_are_read_for_tests_alone() {
        let dev =
            "-e ../../../eng/tools/azure-sdk-tools\n../../core/azure-core\n# comment\naiohttp>=3.0  # for async\n";
        let files = [("dev_requirements.txt", dev)];
        assert_eq!(requirements(&files, Needs::Build), Requirements::default());
        let found = requirements(&files, Needs::Tests);
        assert_eq!(found.asked, ["aiohttp>=3.0"]);
        assert_eq!(found.passed_over.len(), 2, "{found:?}");
    }

    #[test]
    fn source_code_of_the_same_repository_is_used_where_it_stands_with_what_it_asks_for() {
        let dev = "-e ../../../eng/tools/azure-sdk-tools[build]\n../azure-other\n../../../../outside\n-e .\n";
        let files = [("dev_requirements.txt", dev)];
        let repository = [
            ("eng/tools/azure-sdk-tools/pyproject.toml", "[project]\ndependencies = [\"Jinja2\", \"../evil\"]\n"),
            ("sdk/pyproject.toml", ""),
        ];
        let (file, around) = (text_of(&files), text_of(&repository));
        let around = Some(Around { package: "sdk/widget/azure-widget", file: &around });
        let found = read(Asking { file: &file, around }, Needs::Tests);
        assert_eq!(found.beside, ["eng/tools/azure-sdk-tools"]);
        assert_eq!(found.asked, ["jinja2"]);
        let [evil, missing, outside] = found.passed_over.as_slice() else { panic!("{found:?}") };
        assert!(evil.contains("`../evil` of `eng/tools/azure-sdk-tools/pyproject.toml`"), "{evil}");
        assert!(missing.contains("`../azure-other`") && missing.contains("clone"), "{missing}");
        assert!(outside.contains("outside the repository"), "{outside}");
        assert_eq!(read(Asking { file: &file, around }, Needs::Build), Requirements::default());
    }

    #[test]
    fn addresses_options_and_what_is_computed_never_reach_the_installer() {
        for text in
            ["evil @ https://example.org/evil.whl", "--index-url https://example.org", "-r other.txt", "./local"]
        {
            let project = format!("[project]\ndependencies = [{text:?}]\n");
            let found = requirements(&[("pyproject.toml", &project)], Needs::Build);
            assert_eq!((found.asked.len(), found.passed_over.len()), (0, 1), "{text}: {found:?}");
        }
        for value in ["REQUIRED", "[\"a\"] + other", "[f\"{name}\"]", "open(\"r.txt\").read()"] {
            let setup = format!("setup(install_requires={value})\n");
            let found = requirements(&[("setup.py", &setup)], Needs::Build);
            assert_eq!((found.asked.len(), found.passed_over.len()), (0, 1), "{value}: {found:?}");
        }
        assert_eq!(requirements(&[], Needs::Build), Requirements::default());
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn requirements() {
        const WORDS: &[&str] = &[
            "setup(",
            "install_requires=",
            "[",
            "]",
            "\"azure-core>=1\"",
            "f\"",
            "'",
            "(",
            ")",
            ",",
            "#",
            "\n",
            "=",
            "{",
            "}",
        ];
        Target { name: "requirements", words: WORDS }.run_text(|text| {
            if let super::Asked::Listed(texts) = super::install_requires(text) {
                assert!(texts.iter().all(|one| text.contains(one.as_str())));
            }
        });
    }
}
