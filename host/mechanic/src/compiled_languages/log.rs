//! What a pasted build log says about its cause.

// The log may be pasted by any person.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::error_message::ErrorMessage;
use super::forms::Place;
use super::reader::Compiled;
use bailiwick_sdk::tasks::{Diagnostic, Rename};

impl Compiled {
    /// The renames that explain every error of a log, or `None` if one error has another cause or there is no error. What
    /// is declared twice or imported for nothing needs none: generated code has changed beneath what is written by hand.
    pub(crate) fn renames_behind(&self, diagnostics: &[Diagnostic], made: &[Rename]) -> Option<Vec<Rename>> {
        let mut errors = diagnostics.iter().filter(|one| one.is_error()).peekable();
        errors.peek()?;
        let mut used: Vec<Rename> = Vec::new();
        for error in errors {
            let said = self.dialect.said(error);
            if matches!(said, ErrorMessage::Duplicate { .. } | ErrorMessage::Unused(_) | ErrorMessage::More) {
                continue;
            }
            let cause = made.iter().find(|rename| {
                let classes: Vec<String> = rename.container.iter().cloned().collect();
                self.dialect.forms(rename, &classes).iter().any(|form| {
                    form.old != form.new
                        && match &said {
                            // Inside its class a member has nothing in front of it.
                            ErrorMessage::Name(name) => form.place != Place::Argument && form.renamed(name).is_some(),
                            ErrorMessage::Member { name, owner } => {
                                form.place == Place::Member && form.renamed(name).is_some() && form.is_of(owner)
                            }
                            ErrorMessage::Argument { name, of } => {
                                form.place == Place::Argument && form.renamed(name).is_some() && form.is_of(of)
                            }
                            _ => false,
                        }
                })
            })?;
            if !used.contains(cause) {
                used.push(cause.clone());
            }
        }
        Some(used)
    }
}

#[cfg(test)]
mod tests {
    use crate::compiled_languages::{CSHARP, GO, TYPESCRIPT};
    use bailiwick_sdk::diagnostics::pasted;
    use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

    fn diagnostics(log: &str) -> Vec<Diagnostic> {
        pasted::entries(log).into_iter().map(|entry| entry.diagnostic).collect()
    }

    fn renames() -> Vec<Rename> {
        let rename = |kind, container: Option<&str>, old: &str, new: &str| Rename {
            kind,
            container: container.map(str::to_owned),
            old: old.into(),
            new: new.into(),
        };
        vec![
            rename(EntityKind::Property, Some("Widget"), "displayName", "title"),
            rename(EntityKind::Model, None, "AnalyzeResult", "WidgetAnalysis"),
        ]
    }

    #[test]
    fn pasted_log_of_each_compiler_is_explained_by_the_renames_behind_it() {
        let go = "# github.com/Azure/azwidget\n./custom.go:3:10: undefined: AnalyzeResult\n./custom.go:5:45: w.DisplayName undefined (type *Widget has no field or method DisplayName)\n";
        assert_eq!(GO.renames_behind(&diagnostics(go), &renames()).unwrap().len(), 2);
        let other = "./custom.go:3:10: undefined: Other\n";
        assert_eq!(GO.renames_behind(&diagnostics(other), &renames()), None);
        assert_eq!(GO.renames_behind(&[], &renames()), None);
        for line in go.lines() {
            assert!(pasted::is_log_line(line, true), "{line}");
        }
        let tsc =
            "src/custom.ts(1,10): error TS2305: Module '\"./models.js\"' has no exported member 'AnalyzeResult'.\n";
        assert_eq!(TYPESCRIPT.renames_behind(&diagnostics(tsc), &renames()).unwrap().len(), 1);
        let csc = "src/Custom.cs(4,58): error CS1061: 'Widget' does not contain a definition for 'DisplayName' [/w/A.csproj]\n";
        assert_eq!(CSHARP.renames_behind(&diagnostics(csc), &renames()).unwrap().len(), 1);
        let part = csc.replace("'Widget'", "'Part'");
        assert_eq!(CSHARP.renames_behind(&diagnostics(&part), &renames()), None);
    }
}
