//! Puts a repair together: answers each error, follows what was begun, and asks whether anything is left open.

use super::answer::{Answer, answer};
use super::dialect::{Dialect, Role};
use super::error_message::{ErrorMessage, drift};
use super::follow::{Followed, follow, follow_in_namespaces, follow_variables};
use super::forms::{Form, Place};
use super::imports;
use super::source::{Source, is_identifier};
use crate::repair::{Case, Change, Doubt, Hunk, Reader, Text, Wanted, errors_that, has_word, settle};
use bailiwick_sdk::syntax::{last_line, line};
use bailiwick_sdk::tasks::{Diagnostic, PatchTask, Rename};

/// The reader of a language whose compiler names each missing name with its place.
pub(crate) struct Compiled {
    pub(super) dialect: &'static dyn Dialect,
}

/// Everything that is known, and what was found so far.
pub(super) struct Work<'a> {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) sources: &'a [Source],
    pub(super) generated: &'a [Source],
    pub(super) forms: &'a [Form],
    /// The types that hand-written files declare with what they extend.
    pub(super) bases: &'a [(String, String)],
    pub(super) changes: Vec<Change>,
    pub(super) doubts: Vec<Doubt>,
    /// Names of types, functions and constants that an error vouches for.
    pub(super) followed: Vec<Followed>,
    /// Renamed types with the namespace that an error says is theirs: namespace, old and new name.
    pub(super) in_namespaces: Vec<(String, String, String)>,
    /// The statements in which something changes: file and lines.
    pub(super) statements: Vec<(usize, (u32, u32))>,
    /// Where names of members were changed: file and byte.
    pub(super) vouched: Vec<(usize, usize)>,
}

impl Work<'_> {
    /// The hand-written file that an error is reported in.
    pub(super) fn file_of(&self, error: &Diagnostic) -> Option<usize> {
        let named = error.file.as_deref()?.trim_start_matches("./");
        self.sources.iter().position(|source| source.path == named).or_else(|| {
            let mut ends = self.sources.iter().enumerate().filter(|(_, one)| one.path.ends_with(&format!("/{named}")));
            let (at, _) = ends.next()?;
            ends.next().is_none().then_some(at)
        })
    }

    pub(super) fn doubt(&mut self, issue: impl Into<String>, places: Vec<String>) {
        self.doubts.push(Doubt::new(issue, places));
    }

    /// Has every reference to a type, a function or a constant follow, for which an error in this file vouches.
    pub(super) fn vouch(&mut self, old: &str, new: &str, file: usize) {
        let followed = Followed { old: old.to_owned(), new: new.to_owned(), file };
        if !self.followed.contains(&followed) {
            self.followed.push(followed);
        }
    }

    /// Has every reference to a type behind the whole name of its namespace follow.
    pub(super) fn vouch_in(&mut self, namespace: &str, old: &str, new: &str) {
        let found = (namespace.to_owned(), old.to_owned(), new.to_owned());
        if !self.in_namespaces.contains(&found) {
            self.in_namespaces.push(found);
        }
    }

    /// Whether a member of the form can be one of this type, by itself or from a type that it extends.
    pub(super) fn is_of(&self, form: &Form, owner: &str) -> bool {
        let mut waiting = vec![(owner.to_owned(), 0)];
        while let Some((class, depth)) = waiting.pop() {
            if form.is_of(&class) {
                return true;
            }
            let last = super::error_message::simple(&class);
            if depth < 5 {
                let extended = self.bases.iter().filter(|(derived, _)| derived == last);
                waiting.extend(extended.map(|(_, base)| (base.clone(), depth + 1)));
            }
        }
        false
    }

    /// Whether something changes in the member of a type, or the function, that holds the line of an error.
    fn changes_member_around(&self, file: usize, number: u32) -> bool {
        let Some(source) = self.sources.get(file) else { return false };
        let is_member = |node: &tree_sitter::Node<'_>| {
            let in_body = node.parent().is_some_and(|parent| parent.kind().ends_with("_body"));
            let function = matches!(node.kind(), "method_definition" | "function_declaration");
            function || (in_body && node.kind().ends_with("_declaration"))
        };
        let holds =
            |node: &tree_sitter::Node<'_>| is_member(node) && (line(*node)..=last_line(*node)).contains(&number);
        let member = source.nodes().into_iter().filter(holds).min_by_key(|node| node.byte_range().len());
        member.is_some_and(|member| {
            self.changes.iter().any(|change| change.file == file && member.byte_range().contains(&change.start))
        })
    }

    fn is_consequence(&self, error: &Diagnostic) -> bool {
        let (Some(file), Some(line)) = (self.file_of(error), error.line) else { return false };
        let near = self.statements.iter().any(|(at, (first, last))| *at == file && (*first..=*last).contains(&line));
        let names = |form: &Form| {
            [&form.old, &form.new].into_iter().chain(&form.classes).any(|name| has_word(&error.message, name))
        };
        if self.dialect.comes_with_another(error) {
            return self.changes_member_around(file, line);
        }
        if self.dialect.says_unknown(error) {
            return near || self.changes_member_around(file, line);
        }
        near && self.forms.iter().any(names)
    }
}

impl Compiled {
    fn parsed(&self, files: &[Text]) -> Vec<Option<Source>> {
        files.iter().map(|file| Source::parse(self.dialect, file)).collect()
    }

    fn forms(&self, renames: &[Rename]) -> Vec<Form> {
        renames
            .iter()
            .flat_map(|rename| {
                // While its class is renamed as well, the class goes by either name.
                let classes: Vec<String> = rename
                    .container
                    .iter()
                    .flat_map(|class| {
                        let others = renames.iter().filter(|one| one.kind.is_type()).filter_map(|one| {
                            (one.old == *class).then_some(&one.new).or_else(|| (one.new == *class).then_some(&one.old))
                        });
                        std::iter::once(class).chain(others)
                    })
                    .cloned()
                    .collect();
                self.dialect.forms(rename, &classes)
            })
            .filter(|form| form.old != form.new)
            .collect()
    }
}

impl Reader for Compiled {
    fn is_hopeless(&self, task: &PatchTask) -> bool {
        let begins = |error: &Diagnostic| {
            drift(error).is_some()
                || self.dialect.may_misfit(error)
                || !matches!(self.dialect.said(error), ErrorMessage::Other | ErrorMessage::More)
        };
        !task.diagnostics.iter().any(|one| one.is_error() && begins(one))
    }

    fn wanted(&self, task: &PatchTask, files: &[Text]) -> Vec<Wanted> {
        let forms = self.forms(&task.renames);
        let sources: Vec<Source> = self.parsed(files).into_iter().flatten().collect();
        let mut wanted = Vec::new();
        for form in forms.iter().filter(|form| form.place == Place::Name) {
            let parts = |source: &Source| {
                let mut declared = source.identifiers(&form.old).into_iter();
                declared.any(|node| self.dialect.role(source, node) == Role::DeclaresPart)
                    || self.dialect.links(source).iter().any(|(_, link)| source.text(*link) == form.old)
            };
            if sources.iter().any(parts) {
                wanted.extend(self.dialect.origins(None, &form.new));
            }
        }
        for error in task.diagnostics.iter().filter(|one| one.is_error()) {
            let own = sources.iter().find(|source| error.file.as_deref() == Some(source.path.as_str()));
            match self.dialect.said(error) {
                ErrorMessage::Name(name) if !forms.iter().any(|form| form.renamed(&name).is_some()) => {
                    wanted.extend(own.into_iter().flat_map(|own| self.dialect.origins(Some(own), &name)));
                }
                ErrorMessage::Duplicate { owner, name, other } => {
                    let files = [error.file.clone(), other].into_iter().flatten();
                    wanted.extend(files.filter(|file| self.dialect.reads(file)).map(Wanted::File));
                    let declares = owner.or(name).filter(|_| own.is_some());
                    wanted.extend(declares.into_iter().flat_map(|name| self.dialect.origins(own, &name)));
                }
                _ => {}
            }
        }
        wanted
    }

    fn repair(&self, case: &Case<'_>) -> Result<Vec<Hunk>, Vec<Doubt>> {
        let forms = self.forms(case.renames);
        let errors: Vec<&Diagnostic> = case.diagnostics.iter().filter(|one| one.is_error()).collect();
        let (mut files, mut sources) = (Vec::new(), Vec::new());
        for file in case.files.iter().filter(|file| self.dialect.reads(&file.path)) {
            let Some(source) = Source::parse(self.dialect, file) else {
                // What names nothing of all this and has no error need not be understood.
                let touched = errors.iter().any(|error| error.file.as_deref() == Some(file.path.as_str()))
                    || forms.iter().any(|form| has_word(&file.text, &form.old));
                if touched {
                    return Err(vec![Doubt::new("the file cannot be parsed", vec![file.path.clone()])]);
                }
                continue;
            };
            files.push(file.clone());
            sources.push(source);
        }
        let generated: Vec<Source> = self.parsed(case.generated).into_iter().flatten().collect();
        let bases: Vec<(String, String)> = sources.iter().flat_map(|source| self.dialect.bases(source)).collect();
        let mut work = Work {
            dialect: self.dialect,
            sources: &sources,
            generated: &generated,
            forms: &forms,
            bases: &bases,
            changes: Vec::new(),
            doubts: Vec::new(),
            followed: Vec::new(),
            in_namespaces: Vec::new(),
            statements: Vec::new(),
            vouched: Vec::new(),
        };
        let mut open = Vec::new();
        for error in errors {
            match answer(&mut work, error) {
                Answer::Given => {}
                Answer::None => open.push(error),
            }
        }
        follow(&mut work);
        follow_in_namespaces(&mut work);
        if case.diagnostics.iter().any(|error| self.dialect.said(error) == ErrorMessage::More) {
            follow_variables(&mut work);
        }
        blind_spots(&mut work);
        imports::remove_unused(&mut work);
        open.retain(|error| !work.is_consequence(error));
        if let Some(first) = open.first() {
            let hidden = open
                .iter()
                .find_map(|error| case.renames.iter().find_map(|rename| self.dialect.hidden_along(rename, error)));
            let unexplained = || errors_that(open.len(), ("is not explained", "are not explained"), &first.message);
            let places = open.iter().map(|one| one.place()).collect();
            work.doubt(hidden.unwrap_or_else(unexplained), places);
        }
        let Work { changes, doubts, .. } = work;
        settle(&files, changes, doubts, case.limits)
    }
}

/// Doubts places that use a member by its old name where the compiler does not look.
fn blind_spots(work: &mut Work<'_>) {
    let members: Vec<&Form> = work.forms.iter().filter(|form| form.place == Place::Member).collect();
    for (at, source) in work.sources.iter().enumerate() {
        let vouched: Vec<usize> = work.vouched.iter().filter(|(file, _)| *file == at).map(|(_, byte)| *byte).collect();
        for form in &members {
            if !has_word(&source.text, &form.old) {
                continue;
            }
            if let Some((line, issue)) = work.dialect.blind_spot(source, form, &vouched) {
                work.doubts.push(Doubt::new(issue, vec![format!("{}:{line}", source.path)]));
            }
        }
    }
}

/// The identifiers and whole strings of this name on a line.
pub(super) fn named_on_line<'t>(source: &'t Source, name: &str, line: u32) -> Vec<tree_sitter::Node<'t>> {
    let fits = |node: &tree_sitter::Node<'_>| {
        (is_identifier(*node) || super::source::is_string_content(*node))
            && bailiwick_sdk::syntax::line(*node) == line
            && source.text(*node) == name
    };
    source.nodes().into_iter().filter(fits).collect()
}
