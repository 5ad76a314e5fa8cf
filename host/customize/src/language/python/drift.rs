//! Members asked for by their old name as text, which no type checker sees.

use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};

use super::super::{DriftRequest, LanguageError, LanguageService, listed_content, open_package};

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let mut diagnostics = Vec::new();
    let package = open_package(request.package)?;
    for file in language.customization_files(request.package)? {
        let text = String::from_utf8_lossy(&listed_content(&package, &file)?).into_owned();
        for rename in request.renames.iter().filter(|rename| rename.kind == EntityKind::Property) {
            diagnostics.extend(drifted(&file, &text, rename));
        }
    }
    Ok(diagnostics)
}

fn drifted<'a>(file: &'a str, text: &'a str, rename: &'a Rename) -> impl Iterator<Item = Diagnostic> + 'a {
    let quoted = [format!("\"{}\"", rename.old), format!("'{}'", rename.old)];
    let asks = ["getattr(", "setattr(", "hasattr(", "delattr(", "attrgetter("];
    text.lines().enumerate().filter_map(move |(number, line)| {
        let code = line.split('#').next().unwrap_or_default();
        let drifts = asks.iter().any(|ask| code.contains(ask)) && quoted.iter().any(|name| code.contains(name));
        drifts.then(|| {
            let owner = rename.container.as_deref().unwrap_or("the model");
            let message =
                format!("`{}` of `{owner}` is called `{}` now and is asked for by name here", rename.old, rename.new);
            Diagnostic {
                severity: Severity::Error,
                file: Some(format!("sdk/{file}")),
                line: u32::try_from(number + 1).ok(),
                column: None,
                code: Some("renamed-member".to_owned()),
                message,
                symbol: Some(rename.old.clone()),
                tool: "drift".to_owned(),
            }
        })
    })
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
}
