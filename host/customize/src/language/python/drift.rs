//! What no type checker sees: members asked for by their old name as text, keywords that a hand-written constructor hands on
//! under their old name, and methods that no longer override the operation which they did.

use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};

use super::super::{DriftRequest, LanguageError, LanguageService, Override, listed_content, open_package};
use super::asked;
use super::keywords::{Kept, Text, kept};
use super::overrides::overrides;

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let mut diagnostics = Vec::new();
    let package = open_package(request.package)?;
    let mut files: Vec<Text> = Vec::new();
    for file in language.customization_files(request.package)? {
        let text = String::from_utf8_lossy(&listed_content(&package, &file)?).into_owned();
        files.push((file, text));
    }
    let properties = || request.renames.iter().filter(|rename| rename.kind == EntityKind::Property);
    for (file, text) in &files {
        for rename in properties() {
            diagnostics.extend(drifted(file, text, rename));
        }
        for rename in request.renames.iter().filter(|rename| rename.kind == EntityKind::EnumMember) {
            diagnostics.extend(of_enum(text, rename).into_iter().map(|line| missed(file, line, rename)));
        }
        for rename in request.fresh.iter().filter(|rename| is_gone(rename, &files)) {
            diagnostics.extend(drifted(file, text, rename));
        }
        for rename in request.fresh.iter().filter(|rename| !rename.new.starts_with('_')) {
            diagnostics.extend(left_behind(file, overrides(text, rename), rename));
        }
    }
    for rename in properties() {
        let places = kept(&files, rename, request.renames);
        diagnostics.extend(places.into_iter().filter_map(|one| handed_on(&files, &one, rename)));
    }
    Ok(diagnostics)
}

/// Whether nothing that a person wrote has the old name of an operation: who asks for it by name gets nothing.
fn is_gone(rename: &Rename, files: &[Text]) -> bool {
    let is_method = |line: &str| {
        let line = line.trim_start();
        let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ").map(str::trim_start);
        name.and_then(|rest| rest.strip_prefix(rename.old.as_str())).is_some_and(|rest| rest.starts_with('('))
    };
    rename.kind == EntityKind::Operation && !files.iter().any(|(_, text)| text.lines().any(is_method))
}

/// A keyword that the generated constructor does not take any more, and that a hand-written one hands on to it.
fn handed_on(files: &[Text], kept: &Kept, rename: &Rename) -> Option<Diagnostic> {
    let (file, _) = files.get(kept.file)?;
    let message = format!(
        "the hand-written constructor of `{}` has `{}` here, which is `{}` in generated code now",
        kept.class, rename.old, rename.new
    );
    Some(Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(kept.line),
        column: None,
        code: Some("renamed-keyword".to_owned()),
        message,
        symbol: Some(rename.old.clone()),
        tool: "drift".to_owned(),
    })
}

/// A method under the old name of an operation: users would see both, and what it did for them the new one does not do.
fn left_behind(file: &str, overrides: Vec<Override>, rename: &Rename) -> impl Iterator<Item = Diagnostic> {
    overrides.into_iter().map(move |one| Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(one.line),
        column: None,
        code: Some("renamed-override".to_owned()),
        message: format!("`{}` overrides nothing any more: the operation is called `{}` now", one.name, rename.new),
        symbol: Some(one.name),
        tool: "drift".to_owned(),
    })
}

fn drifted<'a>(file: &'a str, text: &'a str, rename: &'a Rename) -> impl Iterator<Item = Diagnostic> + 'a {
    let mut lines = asked::lines(text, &rename.old);
    if rename.kind == EntityKind::Operation {
        lines.extend(asked::tables(text, &rename.old));
    }
    lines.into_iter().map(move |line| missed(file, line, rename))
}

/// The lines that take a value of an enum by its old name. The metaclass of enums answers for every name, so no type checker
/// misses one.
fn of_enum(text: &str, rename: &Rename) -> Vec<u32> {
    let Some(owner) = &rename.container else { return Vec::new() };
    let value = format!("{owner}.{}", rename.old);
    let part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let says = |line: &str| {
        line.match_indices(&value).any(|(at, _)| {
            let (front, rest) = line.split_at_checked(at).unwrap_or((line, ""));
            let end = rest.strip_prefix(value.as_str()).unwrap_or_default();
            !front.contains('#') && !front.ends_with(part) && !end.starts_with(part)
        })
    };
    let numbered = text.lines().zip(1..);
    numbered.filter(|(line, _)| says(line)).map(|(_, number)| number).collect()
}

fn missed(file: &str, line: u32, rename: &Rename) -> Diagnostic {
    let owner = rename.container.as_deref().map(|owner| format!(" of `{owner}`")).unwrap_or_default();
    let message = format!("`{}`{owner} is called `{}` now and is asked for by name here", rename.old, rename.new);
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(line),
        column: None,
        code: Some("renamed-member".to_owned()),
        message,
        symbol: Some(rename.old.clone()),
        tool: "drift".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_asked_for_by_its_old_name_as_text_is_drift_and_a_remark_is_not() {
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("Widget".into()),
            old: "display_name".into(),
            new: "title".into(),
        };
        let text = "a = getattr(widget, \"display_name\")\nb = \"display_name\"\n# getattr(widget, 'display_name')\n";
        let found: Vec<_> = drifted("models/_patch.py", text, &rename).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/models/_patch.py:1");
    }

    #[test]
    fn operation_asked_for_by_its_old_name_is_drift_unless_a_person_wrote_a_method_of_that_name() {
        let rename =
            Rename { kind: EntityKind::Operation, container: None, old: "list_parts".into(), new: "get_parts".into() };
        let traced = (
            "telemetry/_tracer.py".to_owned(),
            "APIS = ((\"PartsOperations\", \"list_parts\"),)\nfor owner, method in APIS:\n    getattr(owner, method)\n"
                .to_owned(),
        );
        let of = |files: &[Text]| {
            let (file, text) = &files[0];
            let found = is_gone(&rename, files).then(|| drifted(file, text, &rename).collect::<Vec<_>>());
            found.unwrap_or_default().iter().map(Diagnostic::place).collect::<Vec<_>>()
        };
        assert_eq!(of(std::slice::from_ref(&traced)), ["sdk/telemetry/_tracer.py:1"]);
        for own in ["class P(Generated):\n    async def list_parts(self): ...\n", "def list_parts(): ...\n"] {
            assert_eq!(of(&[traced.clone(), ("_patch.py".to_owned(), own.to_owned())]), [""; 0], "{own}");
        }
        let other = "class P(Generated):\n    def list_parts_again(self): ...\n".to_owned();
        assert_eq!(of(&[traced, ("_patch.py".to_owned(), other)]).len(), 1);
    }

    #[test]
    fn value_of_an_enum_under_its_old_name_is_drift_though_no_type_checker_misses_it() {
        let rename = Rename {
            kind: EntityKind::EnumMember,
            container: Some("RunStatus".into()),
            old: "WAITING".into(),
            new: "PENDING".into(),
        };
        let text = "a = RunStatus.WAITING\nb = models.RunStatus.WAITING.value\nc = RunStatus.WAITING_LONG\n\
                    d = OtherRunStatus.WAITING\ne = 1  # RunStatus.WAITING\n";
        assert_eq!(of_enum(text, &rename), [1, 2]);
        let message = missed("_patch.py", 1, &rename).message;
        assert!(message.contains("`WAITING` of `RunStatus`") && message.contains("`PENDING`"), "{message}");
        assert_eq!(of_enum(text, &Rename { container: None, ..rename }), [0_u32; 0]);
    }

    #[test]
    fn method_that_stays_under_the_old_name_of_an_operation_is_drift() {
        let rename = Rename { kind: EntityKind::Operation, container: None, old: "ping".into(), new: "check".into() };
        let text = "from ._client import AClient as Generated\nclass AClient(Generated):\n    def ping(self): ...\n";
        let found: Vec<_> = left_behind("_patch.py", overrides(text, &rename), &rename).collect();
        assert_eq!(found.iter().map(Diagnostic::place).collect::<Vec<_>>(), ["sdk/_patch.py:3"]);
        assert!(found[0].message.contains("`ping`") && found[0].message.contains("`check`"), "{}", found[0].message);
        let followed = text.replace("ping", "check");
        assert_eq!(left_behind("_patch.py", overrides(&followed, &rename), &rename).count(), 0);
    }
}
