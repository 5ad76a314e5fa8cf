//! What a repository of Azure's Python SDK says about the type checker: a package may leave it out, and the repository pins its
//! version.
//!
//! Both are read from the recorded commit. An emitter writes `pyproject.toml` anew, and what decides whether a check counts is
//! never written by what is checked.

use bailiwick_sdk::diagnostics::mypy;
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use bailiwick_toolchains::locked_python_packages;
use serde::Deserialize;
use toml::Spanned;

use super::super::{BuildRequest, Checks, Judged, Pinned, Said, content_of, open_package};
use super::modules::{Author, Module};
use crate::recorded::{InCommit, Recorded};

const PROJECT: &str = "pyproject.toml";

/// Where the repository pins mypy, the newest habit first: a requirements file, a constant of its tools, its tox file.
const PINS: [(&str, &[&str]); 3] = [
    ("eng/tool_requirements/mypy.txt", &["mypy=="]),
    ("eng/tools/azure-sdk-tools/azpysdk/mypy.py", &["MYPY_VERSION = \""]),
    ("eng/tox/tox.ini", &["mypy=="]),
];

/// `[tool.azure-sdk-build] mypy = false` and the pinned version, as the commit has them.
pub(super) fn read(recorded: &Recorded) -> Checks {
    let (own, pins) = recorded.texts(PROJECT, [PINS[0].0, PINS[1].0, PINS[2].0]);
    let unknown = (own == InCommit::Unknown).then(|| recorded.unanswered());
    let left_out = own.known().and_then(|text| leaves_mypy_out(&text));
    Checks { left_out, pinned: pinned(&pins.map(InCommit::known)), unknown, ..Checks::default() }
}

/// Where the text of a `pyproject.toml` says `[tool.azure-sdk-build] mypy = false`.
fn leaves_mypy_out(text: &str) -> Option<Said> {
    #[derive(Deserialize)]
    struct Project {
        tool: Tool,
    }
    #[derive(Deserialize)]
    struct Tool {
        #[serde(rename = "azure-sdk-build")]
        build: Build,
    }
    #[derive(Deserialize)]
    struct Build {
        mypy: Spanned<bool>,
    }
    let mypy = toml::from_str::<Project>(text).ok()?.tool.build.mypy;
    let line = line_at(text, mypy.span().start);
    (!mypy.into_inner()).then(|| Said { file: format!("sdk/{PROJECT}"), line })
}

fn pinned(texts: &[Option<String>; 3]) -> Option<Pinned> {
    PINS.iter().zip(texts).find_map(|((path, starts), text)| {
        let text = text.as_deref()?;
        text.lines().zip(1..).find_map(|(line, number)| {
            let rest = starts.iter().find_map(|start| line.trim_start().strip_prefix(start))?;
            let version: String = rest.chars().take_while(|one| one.is_ascii_alphanumeric() || *one == '.').collect();
            let said = Said { file: format!("repository/{path}"), line: number };
            (!version.is_empty()).then_some(Pinned { version, said })
        })
    })
}

fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

/// What mypy found, as the package is held to it: errors that do not count are warnings, and what was said about the check is
/// told in front.
pub(super) fn held(mut found: Vec<Diagnostic>, request: &BuildRequest<'_>, modules: &[Module]) -> Vec<Diagnostic> {
    let Checks { left_out, pinned, .. } = request.checks;
    let mut told = Vec::new();
    if let Some(said) = left_out {
        let own = |file: &str| {
            let path = file.strip_prefix("sdk/").unwrap_or(file);
            modules.iter().any(|module| module.author == Author::Person && module.file == path)
        };
        let counts = |one: &Diagnostic| {
            request.judged == Judged::AfterEdits
                && one.file.as_deref().is_none_or(own)
                && !mypy::is_about_declarations(one)
        };
        for one in found.iter_mut().filter(|one| !counts(one)) {
            one.severity = Severity::Warning;
        }
        let further = match request.judged {
            Judged::AsItStands => "what mypy reports is told as warnings",
            Judged::AfterEdits => {
                "of what mypy reports, only errors in hand-written code count that are not about declared types alone"
            }
        };
        told.push(warning(Some(said), format!("the package leaves mypy out of its checks here; {further}")));
    } else if let Some(said) = stands(request) {
        let message = match request.checks.unknown {
            Some(_) => {
                "this leaves mypy out of the checks, but whether the commit says it is not known, so mypy counts"
            }
            None => {
                "this leaves mypy out of the checks, but the commit at which the repository stands does not say it, so mypy \
                 counts; commit it for it to hold"
            }
        };
        told.push(warning(Some(&said), message.to_owned()));
    }
    let own = locked_python_packages().find(|(name, _)| *name == "mypy").map(|(_, version)| version);
    if let (Some(Pinned { version, said }), Some(own)) = (pinned, own)
        && version != own
    {
        let message = format!(
            "the repository checks with mypy {version}, and this build with mypy {own}: they may differ in what they report"
        );
        told.push(warning(Some(said), message));
    }
    told.append(&mut found);
    told
}

/// Where the package as it stands leaves mypy out, whatever the commit says.
fn stands(request: &BuildRequest<'_>) -> Option<Said> {
    let text = open_package(request.package).ok().and_then(|package| content_of(&package, PROJECT).ok().flatten())?;
    leaves_mypy_out(&String::from_utf8_lossy(&text))
}

fn warning(said: Option<&Said>, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        file: said.map(|said| said.file.clone()),
        line: said.map(|said| said.line),
        ..Diagnostic::without_place("mypy", "checks", message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_that_leaves_mypy_out_says_so_on_a_line() {
        let line = |text: &str| leaves_mypy_out(text).map(|said| said.line);
        assert_eq!(line("[project]\nname = \"w\"\n\n[tool.azure-sdk-build]\npyright = true\nmypy = false\n"), Some(6));
        assert_eq!(line("tool.azure-sdk-build = { pyright = false, mypy = false }"), Some(1));
        for text in [
            "",
            "[tool.azure-sdk-build]\nmypy = true\n",
            "[tool.azure-sdk-build]\nmypy = \"false\"\n",
            "[tool.azure-sdk-build]\npyright = false\n",
            "[tool.mypy]\nmypy = false\n",
            "mypy = false",
            "[tool.azure-sdk-build]\nmypy = false\n[",
        ] {
            assert_eq!(line(text), None, "{text}");
        }
    }

    #[test]
    fn pin_of_the_newest_habit_is_taken() {
        let of = |texts: [Option<&str>; 3]| {
            let texts = texts.map(|text| text.map(str::to_owned));
            pinned(&texts).map(|one| (one.version, one.said.file, one.said.line))
        };
        let file = |path: &str| format!("repository/{path}");
        let requirements = "# pins\nmypy==1.19.1\ntypes-six==1.16\n";
        let tool = "PYTHON_VERSION = \"3.10\"\nMYPY_VERSION = \"1.14.1\"\n";
        let tox = "[testenv:mypy]\ndeps =\n  mypy==1.0.0\n";
        assert_eq!(
            of([Some(requirements), Some(tool), Some(tox)]),
            Some(("1.19.1".into(), file("eng/tool_requirements/mypy.txt"), 2))
        );
        assert_eq!(
            of([None, Some(tool), Some(tox)]),
            Some(("1.14.1".into(), file("eng/tools/azure-sdk-tools/azpysdk/mypy.py"), 2))
        );
        assert_eq!(of([None, Some("MYPY = mypy\n"), Some(tox)]), Some(("1.0.0".into(), file("eng/tox/tox.ini"), 3)));
        assert_eq!(of([Some("mypy>=1\n"), None, Some("mypy\n")]), None);
    }

    #[test]
    fn left_out_check_fails_no_package_as_it_stands_and_finds_what_edits_broke() {
        let directory = tempfile::tempdir().unwrap();
        let checks =
            Checks { left_out: Some(Said { file: "sdk/pyproject.toml".into(), line: 7 }), ..Checks::default() };
        let modules = [
            Module { name: "azure.w._patch".into(), file: "azure/w/_patch.py".into(), author: Author::Person },
            Module { name: "azure.w._client".into(), file: "azure/w/_client.py".into(), author: Author::Other },
        ];
        let error = |file: &str, code: &str| Diagnostic {
            file: Some(format!("sdk/azure/w/{file}")),
            line: Some(3),
            code: Some(code.into()),
            ..Diagnostic::without_place("mypy", code, code.to_owned())
        };
        let found = || {
            vec![
                error("_patch.py", "attr-defined"),
                error("_patch.py", "override"),
                error("_patch.py", "return-value"),
                error("_client.py", "attr-defined"),
                Diagnostic::without_place("mypy", "mypy", "mypy failed".to_owned()),
            ]
        };
        let errors = |checks: &Checks, judged: Judged| {
            let request = BuildRequest { checks, judged, ..BuildRequest::plain(directory.path(), directory.path()) };
            let held = held(found(), &request, &modules);
            let told = held.len().saturating_sub(found().len());
            let errors: Vec<String> = held.iter().filter(|one| one.is_error()).map(|one| one.message.clone()).collect();
            (told, errors)
        };
        assert_eq!(errors(&checks, Judged::AsItStands), (1, vec![]));
        assert_eq!(
            errors(&checks, Judged::AfterEdits),
            (1, ["attr-defined", "override", "mypy failed"].map(str::to_owned).to_vec())
        );
        assert_eq!(errors(&Checks::default(), Judged::AsItStands).1.len(), 5);

        // What stands there and is not recorded is told, and counts for nothing.
        std::fs::write(directory.path().join(PROJECT), "[tool.azure-sdk-build]\nmypy = false\n").unwrap();
        let (told, failed) = errors(&Checks::default(), Judged::AsItStands);
        assert_eq!((told, failed.len()), (1, 5));
    }

    #[test]
    fn other_version_of_the_type_checker_is_told_and_the_same_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let own = locked_python_packages().find(|(name, _)| *name == "mypy").unwrap().1;
        let told = |version: &str| {
            let said = Said { file: "repository/eng/tox/tox.ini".into(), line: 3 };
            let checks = Checks { pinned: Some(Pinned { version: version.into(), said }), ..Checks::default() };
            let request = BuildRequest { checks: &checks, ..BuildRequest::plain(directory.path(), directory.path()) };
            held(Vec::new(), &request, &[]).into_iter().map(|one| one.message).collect::<Vec<_>>()
        };
        assert_eq!(told(own), Vec::<String>::new());
        assert!(told("0.900")[0].contains("mypy 0.900"), "{:?}", told("0.900"));
    }
}
