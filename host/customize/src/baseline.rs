//! What a build said before a run changed anything, and which of its errors now are the same ones.
//!
//! An error is known where the line that it stands on has not changed since and the same words stood there. A name that has
//! another one now may have changed, in the line and in the words. An old error accounts for at most one error now. Everything
//! else is new: an error that was there somewhere else, in other words, on a line that the run changed otherwise, or without
//! a line.

// Tools of a package write what is compared.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

mod lines;

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_sdk::tasks::{Diagnostic, Rename};
use serde::{Deserialize, Serialize};

use lines::{Was, became, same_lines};

/// The errors of a package before a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    /// Its errors; files as `sdk/<path in the package>`.
    pub(crate) errors: Vec<Diagnostic>,
    /// The text of every file that one of them stands in, under the name in the error.
    pub(crate) texts: BTreeMap<String, String>,
}

/// The errors of a build, told apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Errors that were there before.
    pub(crate) known: Vec<Diagnostic>,
    /// Everything else, warnings included, in its order.
    pub(crate) rest: Vec<Diagnostic>,
}

impl Baseline {
    /// Tells the errors of a build now that were there before from the rest. `text` gives a file as it is now, by the name
    /// in the error, and `renames` are those of the run: an old error may speak of what has another name now.
    pub(crate) fn compare(
        &self,
        now: Vec<Diagnostic>,
        renames: &[Rename],
        text: impl Fn(&str) -> Option<String>,
    ) -> Compared {
        let mut unused: Vec<&Diagnostic> = self.errors.iter().collect();
        let mut lines: BTreeMap<String, BTreeMap<u32, Was>> = BTreeMap::new();
        let mut compared = Compared::default();
        for diagnostic in now {
            let place = diagnostic.file.clone().zip(diagnostic.line).filter(|_| diagnostic.is_error());
            let before = place.and_then(|(file, line)| {
                let lines = lines.entry(file.clone()).or_insert_with(|| {
                    let (before, now) = (self.texts.get(&file), text(&file));
                    before.zip(now).map(|(before, now)| same_lines(before, &now, renames)).unwrap_or_default()
                });
                let was = lines.get(&line)?;
                unused.iter().position(|one| {
                    one.line == Some(was.line)
                        && was.column(one.column) == Some(diagnostic.column)
                        && same_words(one, &diagnostic, renames)
                })
            });
            match before {
                Some(at) => {
                    unused.swap_remove(at);
                    compared.known.push(diagnostic);
                }
                None => compared.rest.push(diagnostic),
            }
        }
        compared
    }

    /// The files that its errors stand in.
    pub(crate) fn files(errors: &[Diagnostic]) -> BTreeSet<String> {
        errors.iter().filter_map(|error| error.file.clone()).collect()
    }
}

/// Whether an error says what an old one said of the same line. Another line may be named in the words (`already defined
/// on line 12`) and have moved, and so may a name that the run changed. Where a type has another name, a type checker need not
/// say any more which of two it means: `azure.widget.models.Part` is `Piece`.
fn same_words(old: &Diagnostic, now: &Diagnostic, renames: &[Rename]) -> bool {
    let parts = |one: &Diagnostic| (one.file.clone(), one.code.clone(), one.tool.clone());
    let same = |was: &[&str], is: &[&str]| {
        let same = |was: &str, is: &str| was == is || renames.iter().any(|rename| became(rename, was, is));
        was.len() == is.len() && was.iter().zip(is).all(|(was, is)| same(was, is))
    };
    let (was, is) = (words(&old.message), words(&now.message));
    let of_type = |rename: &Rename| {
        rename.kind.is_type() && was.contains(&rename.old.as_str()) && is.contains(&rename.new.as_str())
    };
    let qualified = || renames.iter().any(of_type) && same(&unqualified(&was), &unqualified(&is));
    parts(old) == parts(now) && (same(&was, &is) || qualified())
}

/// The words with the last part of each dotted name alone.
fn unqualified<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let is_name = |word: &str| word.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    let mut found: Vec<&str> = Vec::new();
    for word in words {
        if let [.., before, "."] = found[..]
            && is_name(before)
            && is_name(word)
        {
            found.truncate(found.len().saturating_sub(2));
        }
        found.push(word);
    }
    found
}

/// Names as they are and every other sign on its own, without the numbers of lines.
fn words(message: &str) -> Vec<&str> {
    let part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut found: Vec<&str> = Vec::new();
    for word in message.split_inclusive(|sign: char| !part(sign)) {
        let name = word.trim_end_matches(|sign: char| !part(sign));
        let number = !name.is_empty() && name.chars().all(|one| one.is_ascii_digit());
        let of_line = number && found.last() == Some(&"line");
        if !name.is_empty() && !of_line {
            found.push(name);
        }
        let sign = word.strip_prefix(name).unwrap_or_default().trim();
        if !sign.is_empty() {
            found.push(sign);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::Severity;
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = "sdk/azure/w/_patch.py";
    const SOURCE: &str = "sdk/src/A.cs";

    fn error(line: u32, message: &str) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            file: Some(FILE.to_owned()),
            line: Some(line),
            column: Some(5),
            code: Some("attr-defined".to_owned()),
            message: message.to_owned(),
            symbol: None,
            tool: "mypy".to_owned(),
        }
    }

    fn baseline(text: &str, errors: Vec<Diagnostic>) -> Baseline {
        Baseline { errors, texts: [FILE, SOURCE].map(|file| (file.to_owned(), text.to_owned())).into() }
    }

    fn rest(before: &Baseline, now: &str, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
        before.compare(errors, &[], |_| Some(now.to_owned())).rest
    }

    #[test]
    fn error_that_moved_with_its_line_is_known() {
        let before = baseline("a\nb\nc\n", vec![error(2, "x")]);
        let compared = before.compare(vec![error(4, "x")], &[], |_| Some("new\nnew\na\nb\nc\n".to_owned()));
        assert_eq!((compared.known, compared.rest), (vec![error(4, "x")], vec![]));
    }

    #[test]
    fn error_on_a_changed_line_in_other_words_or_without_a_line_is_new() {
        let before = baseline("a\nb\nc\n", vec![error(2, "x"), Diagnostic { line: None, ..error(1, "whole") }]);
        assert_eq!(rest(&before, "a\nB\nc\n", vec![error(2, "x")]).len(), 1);
        assert_eq!(rest(&before, "a\nb\nc\n", vec![error(2, "y")]).len(), 1);
        assert_eq!(rest(&before, "a\nb\nc\n", vec![error(1, "x")]).len(), 1);
        assert_eq!(rest(&before, "a\nb\nc\n", vec![Diagnostic { line: None, ..error(1, "whole") }]).len(), 1);
        let elsewhere = Diagnostic { file: Some("sdk/other.py".to_owned()), ..error(2, "x") };
        assert_eq!(rest(&before, "a\nb\nc\n", vec![elsewhere]).len(), 1);
    }

    #[test]
    fn line_that_is_named_in_the_words_may_have_moved() {
        let before = baseline("a\nb\n", vec![error(2, "Name \"x\" already defined on line 12")]);
        assert_eq!(rest(&before, "a\nb\n", vec![error(2, "Name \"x\" already defined on line 14")]), []);
        assert_eq!(rest(&before, "a\nb\n", vec![error(2, "Name \"y\" already defined on line 12")]).len(), 1);
    }

    #[test]
    fn name_that_the_run_changed_may_stand_in_the_words() {
        let before = baseline("a\nb\n", vec![error(2, "Signature of \"get\" incompatible with supertype \"Part\"")]);
        let renames = [Rename {
            kind: bailiwick_sdk::tasks::EntityKind::Model,
            container: None,
            old: "Part".to_owned(),
            new: "Piece".to_owned(),
        }];
        let now = |name: &str| vec![error(2, &format!("Signature of \"get\" incompatible with supertype \"{name}\""))];
        let rest = |name: &str| before.compare(now(name), &renames, |_| Some("a\nb\n".to_owned())).rest.len();
        assert_eq!((rest("Piece"), rest("Part"), rest("Other")), (0, 0, 1));
    }

    fn rename(kind: bailiwick_sdk::tasks::EntityKind, old: &str, new: &str) -> Rename {
        Rename { kind, container: None, old: old.to_owned(), new: new.to_owned() }
    }

    /// What is new in `azure-eventgrid`, after a repair changed the line or the emitter the name of a type.
    #[test]
    fn error_on_a_line_that_the_repair_changed_is_known_where_it_is_the_same_but_for_renamed_names() {
        use bailiwick_sdk::tasks::EntityKind::{Model, Operation};
        let at = |column, message: &str| Diagnostic { column: Some(column), ..error(1, message) };
        let missing = "\"_Mixin\" has no attribute \"_namespace\"";
        let before = baseline("await self._renew_locks(self._namespace)\n", vec![at(25, missing)]);
        let renames = [rename(Operation, "_renew_locks", "_extend_locks")];
        let rest =
            |now: &str, found: Diagnostic| before.compare(vec![found], &renames, |_| Some(now.to_owned())).rest.len();
        let now = "await self._extend_locks(self._namespace)\n";
        assert_eq!(rest(now, at(26, missing)), 0);
        // Another place, other words, another edit of the same line.
        assert_eq!(rest(now, at(25, missing)), 1);
        assert_eq!(rest(now, at(26, &missing.replace("_namespace", "_extend_locks"))), 1);
        assert_eq!(rest("await self._extend_locks(self._namespace, 1)\n", at(26, missing)), 1);
        assert_eq!(before.compare(vec![at(26, missing)], &[], |_| Some(now.to_owned())).rest.len(), 1);

        let types = |expression: &str, variable: &str| {
            error(
                1,
                &format!("Incompatible types (expression has type \"{expression}\", variable has type \"{variable}\")"),
            )
        };
        let old = types("azure.core.messaging.CloudEvent[Any]", "azure.eventgrid.models._models.CloudEvent");
        let before = baseline("a\n", vec![old]);
        let renames = [rename(Model, "CloudEvent", "EventGridCloudEvent")];
        let rest = |found: Diagnostic| before.compare(vec![found], &renames, |_| Some("a\n".to_owned())).rest.len();
        assert_eq!(rest(types("CloudEvent[Any]", "EventGridCloudEvent")), 0);
        assert_eq!(rest(types("CloudEvent[Any]", "Other")), 1);
        assert_eq!(rest(types("EventGridCloudEvent", "str")), 1);
        assert_eq!(rest(types("CloudEvent[Any]", "CloudEvent")), 1);
    }

    #[test]
    fn one_old_error_accounts_for_one_error_now() {
        let before = baseline("a\nb\n", vec![error(2, "x")]);
        assert_eq!(rest(&before, "a\nb\n", vec![error(2, "x"), error(2, "x")]).len(), 1);
    }

    /// How a tool says that a fault stands on a line.
    #[derive(Debug, Clone, Copy)]
    enum Tool {
        Mypy,
        Javac,
        Msbuild,
    }

    impl Tool {
        /// What it reports of a text. Lines of kind 0 and 1 hold a fault; its words do not say which line it is.
        fn errors(self, kinds: &[u8]) -> Vec<Diagnostic> {
            let faults: Vec<u32> = (1_u32..).zip(kinds).filter(|(_, kind)| **kind < 2).map(|(line, _)| line).collect();
            match self {
                Self::Mypy => faults.into_iter().map(|line| error(line, "fault")).collect(),
                Self::Javac => {
                    let log: String = faults
                        .into_iter()
                        .map(|line| {
                            format!(
                                "[ERROR] {FILE}:[{line},9] error: cannot find symbol\n  symbol:   method x()\n  location: class A\n"
                            )
                        })
                        .collect();
                    // Maven says all of it twice.
                    let found =
                        bailiwick_sdk::diagnostics::javac::parse(&(log.clone() + &log), |path| Some(path.to_owned()));
                    assert!(found.iter().all(bailiwick_sdk::diagnostics::javac::goes_on_after));
                    found
                }
                Self::Msbuild => {
                    // For each target framework, and all of it again at the end.
                    let of = |framework: &str| -> String {
                        let line = |line: &u32| {
                            format!(
                                "{SOURCE}({line},26): error AZC0030: Model name 'AOption' ends with 'Option'. [sdk/src/W.csproj::TargetFramework={framework}]\n"
                            )
                        };
                        faults.iter().map(line).collect()
                    };
                    let log = of("net8.0") + &of("netstandard2.0");
                    let found = bailiwick_sdk::diagnostics::msbuild::parse(&(log.clone() + &log));
                    assert!(found.iter().all(bailiwick_sdk::diagnostics::msbuild::goes_on_after));
                    assert_eq!(found.len(), faults.len());
                    found
                }
            }
        }
    }

    proptest! {
        /// Errors stand on the lines that hold a fault. A run changes lines, and every fault that it brings is new,
        /// wherever others moved to.
        #[test]
        fn fault_that_an_edit_brings_is_never_hidden_by_one_that_moved(
            before in proptest::collection::vec(0_u8..6, 0..30),
            edits in proptest::collection::vec((0_usize..40, 0_u8..3, 0_u8..6), 1..8),
            tool in prop_oneof![Just(Tool::Mypy), Just(Tool::Javac), Just(Tool::Msbuild)],
        ) {
            let mut now: Vec<(u8, bool)> = before.iter().map(|kind| (*kind, false)).collect();
            for (at, edit, kind) in edits {
                let at = at % (now.len() + 1);
                match edit {
                    0 => now.insert(at, (kind, true)),
                    1 if at < now.len() => { now.remove(at); }
                    _ if at < now.len() => now[at] = (kind, true),
                    _ => {}
                }
            }
            let text = |kinds: &[u8]| kinds.iter().map(|kind| format!("line {kind}\n")).collect::<String>();
            let errors = |kinds: &[u8]| tool.errors(kinds);
            let kinds: Vec<u8> = now.iter().map(|(kind, _)| *kind).collect();
            let before_faults = errors(&before).len();
            let found = baseline(&text(&before), errors(&before));
            let compared = found.compare(errors(&kinds), &[], |_| Some(text(&kinds)));
            // As many as were there at most, of each kind of line.
            prop_assert!(compared.known.len() <= before_faults);
            for kind in 0..2_u8 {
                let count = |kinds: &[u8]| kinds.iter().filter(|one| **one == kind).count();
                let known = compared.known.iter().filter(|one| kinds[one.line.unwrap() as usize - 1] == kind).count();
                prop_assert!(known <= count(&before));
                let new = count(&kinds) - known;
                prop_assert!(new >= count(&kinds).saturating_sub(count(&before)));
            }
        }

        /// The same of a repair that puts a new name for an old one in some lines, while others are written anew: an error
        /// on a line in which anything else changed, or in other words, is new.
        #[test]
        fn fault_on_a_line_in_which_more_than_names_changed_is_never_hidden(
            lines in proptest::collection::vec((0_u8..3, 0_u8..4, any::<bool>()), 1..20),
        ) {
            let renames = [rename(bailiwick_sdk::tasks::EntityKind::Property, "old", "renamed")];
            let text = |now: bool| lines.iter().map(|(kind, edit, _)| {
                let name = if now && edit & 1 == 1 { "renamed" } else { "old" };
                let more = if now && edit & 2 == 2 { "more" } else { "x" };
                format!("{name} = {more}, fault_{kind}\n")
            }).collect::<String>();
            // The fault stands behind the names, so its column moves.
            let faults = |now: bool| text(now).lines().zip(&lines).zip(1_u32..).filter(|((_, (_, _, faulty)), _)| *faulty)
                .map(|((line, (kind, ..)), number)| Diagnostic {
                    column: Some(u32::try_from(line.find("fault").unwrap()).unwrap() + 1),
                    ..error(number, &format!("fault {kind}"))
                }).collect::<Vec<_>>();
            let found = baseline(&text(false), faults(false));
            let compared = found.compare(faults(true), &renames, |_| Some(text(true)));
            for one in &compared.known {
                let (_, edit, _) = lines[one.line.unwrap() as usize - 1];
                prop_assert!(edit & 2 == 0, "{one:?}");
            }
            for kind in 0..3_u8 {
                let of = |all: &[Diagnostic]| all.iter().filter(|one| one.message == format!("fault {kind}")).count();
                prop_assert!(of(&compared.known) <= of(&found.errors));
            }
            // Where nothing but names changed, everything is known.
            if lines.iter().all(|(_, edit, _)| edit & 2 == 0) {
                prop_assert_eq!(compared.rest, vec![]);
            }
        }
    }
}
