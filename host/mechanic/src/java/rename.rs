//! What a rename changes in a customization.

use std::ops::Range;

use super::change::{File, Findings};
use super::documentation;
use super::evidence::{class_of, is_missing};
use crate::names::JAVA_KEYWORDS;
use crate::repair::{Doubt, has_word};
use bailiwick_sdk::java::{Role, Use, member_names, operation_owner};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename};

/// Collects the changes of one rename in all files.
pub(super) fn collect(
    files: &[File],
    rename: &Rename,
    all: &[Rename],
    errors: &[&Diagnostic],
    findings: &mut Findings,
) {
    match rename.kind {
        _ if JAVA_KEYWORDS.contains(&rename.new.as_str()) => {
            let issue = format!(
                "the new name `{}` is a word that Java keeps for itself, so it is generated in another way",
                rename.new
            );
            findings.doubts.push(Doubt::new(issue, Vec::new()));
        }
        EntityKind::Parameter | EntityKind::Namespace => {
            let issue = format!("a renamed {} is not repaired mechanically", rename.kind.noun());
            findings.doubts.push(Doubt { issue, places: Vec::new() });
        }
        kind if kind.is_type() => {
            for (at, file) in files.iter().enumerate() {
                of_type(at, file, rename, findings);
            }
        }
        _ => {
            let member = Member::new(rename, all);
            for (at, file) in files.iter().enumerate() {
                of_member(at, file, &member, errors, findings);
            }
        }
    }
}

fn of_type(at: usize, file: &File, rename: &Rename, findings: &mut Findings) {
    for one in &file.uses {
        let named = one.name == rename.old;
        match &one.role {
            Role::FindType if named => findings.rename(at, one, one.span.clone(), &rename.new, None),
            // `this.Name` is a member; behind a package or alone it is the type.
            Role::Code { receiver } if named && receiver.as_deref() != Some("this") => {
                findings.rename(at, one, one.span.clone(), &rename.new, None);
            }
            Role::Documentation => documentation::of_type(at, file, one, rename, findings),
            Role::Unknown if has_word(&one.name, &rename.old) => unknown(file, one, &rename.old, findings),
            _ => {}
        }
    }
}

/// A renamed member with every form in which generated code names it.
pub(super) struct Member<'a> {
    kind: EntityKind,
    /// The class as it is called now and was called before; empty where any class may have it.
    classes: Vec<&'a str>,
    /// Old and new forms.
    pub(super) forms: Vec<(String, String)>,
}

impl<'a> Member<'a> {
    fn new(rename: &'a Rename, all: &'a [Rename]) -> Self {
        let old = member_names(rename.kind, &rename.old);
        let new = member_names(rename.kind, &rename.new);
        let mut classes: Vec<&str> = rename.container.as_deref().into_iter().collect();
        for other in all.iter().filter(|one| one.kind.is_type()) {
            if classes.contains(&other.new.as_str()) {
                classes.push(&other.old);
            } else if classes.contains(&other.old.as_str()) {
                classes.push(&other.new);
            }
        }
        Self { kind: rename.kind, classes, forms: old.into_iter().zip(new).collect() }
    }

    pub(super) fn belongs_to(&self, class: &str) -> bool {
        self.classes.iter().any(|known| match self.kind {
            EntityKind::Operation => operation_owner(class, known),
            _ => class == *known,
        }) || (self.classes.is_empty() && self.kind == EntityKind::Operation && class.ends_with("Client"))
    }

    /// The new form of a name, with the bytes of the use that it replaces.
    fn renamed(&self, one: &Use) -> Option<(&str, Range<usize>)> {
        self.forms.iter().find_map(|(old, new)| {
            let rest = one.name.strip_prefix(old.as_str())?;
            // `getX(String)`, as the former customization API names methods.
            let whole = rest.is_empty() || rest.starts_with('(');
            whole.then(|| (new.as_str(), one.span.start..one.span.start + old.len()))
        })
    }
}

fn of_member(at: usize, file: &File, member: &Member<'_>, errors: &[&Diagnostic], findings: &mut Findings) {
    for one in &file.uses {
        if one.role == Role::Documentation {
            documentation::of_member(at, file, one, member, findings);
            continue;
        }
        if one.role == Role::Unknown {
            if let Some((old, _)) = member.forms.iter().find(|(old, _)| has_word(&one.name, old)) {
                unknown(file, one, old, findings);
            }
            continue;
        }
        let Some((new, span)) = member.renamed(one) else { continue };
        match &one.role {
            Role::FindField | Role::FindMethod | Role::FindMember => match &one.owner {
                Some(owner) if member.belongs_to(owner) => findings.rename(at, one, span, new, Some(owner)),
                Some(_) => {}
                // No class has a member of that name any more.
                None if is_missed(file, one, errors) => findings.rename(at, one, span, new, None),
                None => findings.doubt(file, one.line, format!("it is not certain whose `{}` is asked for", one.name)),
            },
            Role::Code { receiver } => {
                of_code(at, file, one, receiver.as_deref(), (new, span), member, errors, findings);
            }
            Role::AddField | Role::AddMethod if one.owner.as_deref().is_some_and(|owner| member.belongs_to(owner)) => {
                findings.doubt(file, one.line, format!("the customization adds a member `{}` itself", one.name));
            }
            _ => {}
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "what a place in a file is judged by")]
fn of_code(
    at: usize,
    file: &File,
    one: &Use,
    receiver: Option<&str>,
    (new, span): (&str, Range<usize>),
    member: &Member<'_>,
    errors: &[&Diagnostic],
    findings: &mut Findings,
) {
    match (receiver, &one.owner) {
        // A parameter or a local variable of the name hides the field.
        (None, _) if is_local(file, one) => {}
        (None | Some("this"), Some(owner)) if member.belongs_to(owner) => {
            findings.rename(at, one, span, new, Some(owner));
        }
        (None | Some("this"), Some(_)) => {}
        (None | Some("this"), None) => {
            findings.doubt(
                file,
                one.line,
                format!("it is not certain which class the code with `{}` is for", one.name),
            );
        }
        // Something else's member: the compiler says whether it is missed, and of which type.
        (Some(_), owner) => {
            let missed = errors.iter().find(|error| {
                is_missing(error)
                    && error.symbol.as_deref() == Some(one.name.as_str())
                    && (owner.is_none() || owner.as_deref() == class_of(error))
            });
            let Some(error) = missed else { return };
            match (type_of_location(&error.message), owner) {
                (Some(class), Some(owner)) if member.belongs_to(class) => {
                    findings.rename(at, one, span, new, Some(owner));
                }
                (Some(class), Some(_)) if !class.is_empty() => {}
                _ => findings.doubt(file, one.line, format!("it is not certain whose `{}` is used", one.name)),
            }
        }
    }
}

fn is_missed(file: &File, one: &Use, errors: &[&Diagnostic]) -> bool {
    errors.iter().any(|error| {
        error.tool == "drift"
            && error.symbol.as_deref() == Some(one.name.as_str())
            && error.file.as_deref() == Some(file.source.path.as_str())
            && error.line == Some(one.line)
    })
}

/// The type in `location: variable part of type com.azure.Part`.
fn type_of_location(message: &str) -> Option<&str> {
    let kind = message.split_once(" of type ").map(|(_, rest)| rest)?;
    let name = kind.split(['<', ';', ' ']).next()?;
    name.rsplit('.').next()
}

/// Whether the statement declares a parameter or a variable of the name.
fn is_local(file: &File, one: &Use) -> bool {
    let same = |other: &&Use| other.statement == one.statement && other.name == one.name;
    file.uses.iter().filter(same).any(|other| match &other.role {
        Role::AddParameter => true,
        Role::Code { receiver: None } => is_declaration(&file.source.text[..other.span.start]),
        _ => false,
    })
}

/// Whether what stands before a name makes it a declaration: a type.
fn is_declaration(before: &str) -> bool {
    const KEYWORDS: &[&str] = &["assert", "case", "else", "instanceof", "new", "return", "throw", "yield"];
    let trimmed = before.trim_end_matches(' ');
    if trimmed.len() == before.len() {
        return false;
    }
    if trimmed.ends_with(['>', ']']) {
        // `a > b` compares; a type argument ends right behind its name.
        return !trimmed.ends_with(" >");
    }
    let word = trimmed.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
    word.starts_with(char::is_alphabetic) && !KEYWORDS.contains(&word)
}

fn unknown(file: &File, one: &Use, name: &str, findings: &mut Findings) {
    findings.doubt(file, one.line, format!("a string names `{name}`, and what it is for is not known"));
}
