//! Answers one error: the change that puts it right, if that is certain.

use tree_sitter::Node;

use super::dialect::{Dialect, Import, Misfit, Role};
use super::error_message::{ErrorMessage, drift, simple};
use super::follow::followed;
use super::forms::{Form, Place, camel};
use super::reader::{Work, named_on_line};
use super::source::{Source, is_string_content, statement_lines};
use super::{duplicate_declaration, imports};
use crate::repair::{Change, has_word};
use bailiwick_sdk::syntax::around;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind};

/// What became of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// A change puts it right, or a doubt about it is on record.
    Given,
    /// Nothing that is known explains it.
    None,
}

pub(super) fn answer(work: &mut Work<'_>, error: &Diagnostic) -> Answer {
    let said = drift(error).unwrap_or_else(|| work.dialect.said(error));
    let name = match &said {
        ErrorMessage::Name(name) | ErrorMessage::Drift { name, .. } => name.as_str(),
        ErrorMessage::InNamespace { name, .. } => name.as_str(),
        ErrorMessage::Member { name, .. } | ErrorMessage::Argument { name, .. } => name.as_str(),
        ErrorMessage::Duplicate { name, owner, .. } => {
            return duplicate_declaration::answer(work, error, name.as_deref(), owner.as_deref());
        }
        ErrorMessage::Unused(path) => return imports::remove(work, error, path),
        // The errors that are told have to be explained by themselves.
        ErrorMessage::More => return Answer::Given,
        ErrorMessage::Other => return misfit(work, error),
    };
    let Some(file) = work.file_of(error) else { return Answer::None };
    let Some(source) = work.sources.get(file) else { return Answer::None };
    let Located { nodes, which } = located(work.dialect, source, error, &said);
    let Some(first) = nodes.first().copied() else { return Answer::None };
    let found = forms(work, source, first, &said);
    let nodes = match which {
        Which::All => nodes,
        // All references of a type, a function or a constant are followed anyway.
        Which::OneOfThem
            if !matches!(said, ErrorMessage::InNamespace { .. })
                && found.iter().all(|form| form.place == Place::Name) =>
        {
            vec![first]
        }
        Which::OneOfThem => {
            work.doubt(format!("several places of the line name `{name}`"), vec![error.place()]);
            return Answer::Given;
        }
    };
    let mut news: Vec<String> = found.iter().filter_map(|form| form.renamed(name)).collect();
    news.sort_unstable();
    news.dedup();
    match (news.as_slice(), found.first()) {
        ([new], Some(form)) => {
            let place = form.place;
            let class = work.dialect.class_around(source, first);
            renamed(work, file, &nodes, (name, new), place);
            if let ErrorMessage::InNamespace { namespace, .. } = &said {
                work.vouch_in(namespace, name, new);
            }
            // The class around may have lost its other half by the same rename.
            if let (ErrorMessage::Name(_), Place::Member, Some(class)) = (&said, place, class) {
                lost_part(work, class, new, file);
            }
            Answer::Given
        }
        ([], _) | (_, None) => without_rename(work, error, file, first, &said),
        _ => {
            work.doubt(format!("`{name}` could be {} by now", news.join(" or ")), vec![error.place()]);
            Answer::Given
        }
    }
}

/// An error about no name: a call of which only other overloads are left, or a type under its old name where a value has the
/// new one.
fn misfit(work: &mut Work<'_>, error: &Diagnostic) -> Answer {
    let (sources, forms) = (work.sources, work.forms);
    let Some(file) = work.file_of(error) else { return Answer::None };
    let Some(source) = sources.get(file) else { return Answer::None };
    match work.dialect.misfit(source, error) {
        Some(Misfit::Call(name)) => {
            let class = work.dialect.class_around(source, name);
            let is_bare = work.dialect.role(source, name) == Role::Value;
            // Whose method a variable has is not known here; that of the class around needs nothing in front of it.
            let is_its = |form: &&Form| match class {
                Some(class) if is_bare => work.is_of(form, class),
                _ => !is_bare,
            };
            let fits = |form: &&Form| form.place == Place::Member && form.kind == EntityKind::Operation && is_its(form);
            let mut news: Vec<String> =
                forms.iter().filter(fits).filter_map(|form| form.renamed(source.text(name))).collect();
            news.sort_unstable();
            news.dedup();
            let [new] = news.as_slice() else { return half_beside(work, (file, name)) };
            renamed(work, file, &[name], (source.text(name), new), Place::Member);
            Answer::Given
        }
        Some(Misfit::Types { is, wanted }) => {
            let stands_for = |form: &&Form| {
                form.place == Place::Name
                    && form.kind.is_type()
                    && has_word(&is, &form.new)
                    && has_word(&wanted, &form.old)
            };
            let mut found = forms.iter().filter(stands_for);
            let (Some(form), None) = (found.next(), found.next()) else { return Answer::None };
            work.vouch(&form.old, &form.new, file);
            Answer::Given
        }
        Some(Misfit::TakenForMember { name, is }) => {
            let old = source.text(name);
            let is_meant = |form: &&Form| {
                form.place == Place::Name
                    && form.kind.is_type()
                    && form.old == old
                    && is.as_ref().is_none_or(|is| *is == form.new)
            };
            let mut found = forms.iter().filter(is_meant);
            let (Some(form), None) = (found.next(), found.next()) else { return Answer::None };
            renamed(work, file, &[name], (old, &form.new), Place::Name);
            Answer::Given
        }
        None => Answer::None,
    }
}

/// A call in a member that speaks of a type of which hand-written code alone still has a part: its values are of another type
/// than the generated code takes.
fn half_beside(work: &mut Work<'_>, (file, call): (usize, Node<'_>)) -> Answer {
    let (dialect, sources, generated) = (work.dialect, work.sources, work.generated);
    let Some(source) = sources.get(file) else { return Answer::None };
    let Some(member) = around(call, &["method_declaration", "constructor_declaration"]) else { return Answer::None };
    let declares = |source: &Source, name: &str| {
        source.identifiers(name).into_iter().any(|node| dialect.role(source, node) == Role::DeclaresPart)
    };
    let is_left = |form: &&Form| {
        form.place == Place::Name
            && form.kind.is_type()
            && has_word(source.text(member), &form.old)
            && sources.iter().any(|source| declares(source, &form.old))
            && generated.iter().any(|source| declares(source, &form.new))
    };
    let Some(form) = work.forms.iter().find(is_left) else { return Answer::None };
    work.vouch(&form.old, &form.new, file);
    Answer::Given
}

/// Places that an error can mean.
struct Located<'t> {
    nodes: Vec<Node<'t>>,
    which: Which,
}

/// Which of several places an error means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    /// All of them: there is one, or the same expression stands there several times.
    All,
    /// One, and it does not say which.
    OneOfThem,
}

/// The places on the line of an error that it can mean.
fn located<'t>(dialect: &dyn Dialect, source: &'t Source, error: &Diagnostic, said: &ErrorMessage) -> Located<'t> {
    let name = match said {
        ErrorMessage::InNamespace { name, .. } => return in_namespace(dialect, source, error, name),
        ErrorMessage::Name(name) | ErrorMessage::Drift { name, .. } => name,
        ErrorMessage::Member { name, .. } | ErrorMessage::Argument { name, .. } => name,
        _ => return Located { nodes: Vec::new(), which: Which::All },
    };
    let on_line = named_on_line(source, name, error.line.unwrap_or_default());
    // What has a dot before it is a member, and what has none is not. Strings are asked for by the drift check alone.
    let fits = |node: &&Node<'_>| match said {
        ErrorMessage::Drift { .. } => true,
        _ if is_string_content(**node) => false,
        ErrorMessage::Name(_) => !matches!(dialect.role(source, **node), Role::Member | Role::Declares),
        _ => true,
    };
    let mut nodes: Vec<Node<'_>> = on_line.iter().filter(fits).copied().collect();
    if nodes.is_empty() {
        nodes = on_line;
    }
    // By itself a name means the same wherever it stands on a line, and so does the same expression.
    if matches!(said, ErrorMessage::Name(_)) {
        return Located { nodes, which: Which::All };
    }
    let around = |node: &Node<'_>| node.parent().map(|parent| source.text(parent)).unwrap_or_default();
    if let Some(exact) = nodes.iter().find(|node| error.column == Some(dialect.column_of(**node))).copied() {
        nodes.retain(|node| around(node) == around(&exact));
        return Located { nodes, which: Which::All };
    }
    let same = nodes.windows(2).all(|pair| around(&pair[0]) == around(&pair[1]));
    Located { which: if same { Which::All } else { Which::OneOfThem }, nodes }
}

/// The place of a name that its namespace does not have: the one at the column of the error, or the only one. A name of the same line without a
/// dot before it may be a property's.
fn in_namespace<'t>(dialect: &dyn Dialect, source: &'t Source, error: &Diagnostic, name: &str) -> Located<'t> {
    let mut nodes = named_on_line(source, name, error.line.unwrap_or_default());
    nodes.retain(|node| dialect.column_in_namespace(*node).is_some());
    let is_there = |node: &Node<'_>| dialect.column_in_namespace(*node) == error.column;
    if nodes.iter().any(is_there) {
        nodes.retain(is_there);
    }
    let which = if nodes.len() > 1 { Which::OneOfThem } else { Which::All };
    Located { nodes, which }
}

/// The forms of known renames that a place can have.
fn forms<'w>(work: &Work<'w>, source: &Source, node: Node<'_>, said: &ErrorMessage) -> Vec<&'w Form> {
    let class = work.dialect.class_around(source, node);
    let fits = |form: &Form| match said {
        ErrorMessage::Name(_) => match form.place {
            Place::Name => true,
            // A member of the class around needs nothing in front of it.
            Place::Member => class.is_some_and(|class| work.is_of(form, class)),
            Place::Argument => false,
        },
        ErrorMessage::InNamespace { .. } => form.place == Place::Name,
        ErrorMessage::Member { owner, .. } if owner.contains("import(") => form.place == Place::Name,
        ErrorMessage::Member { owner, .. } if owner.starts_with('{') => {
            form.place == Place::Member && is_group(form, source, node)
        }
        ErrorMessage::Member { owner, .. } => form.place == Place::Member && work.is_of(form, owner),
        ErrorMessage::Argument { of, .. } => form.place == Place::Argument && work.is_of(form, of),
        ErrorMessage::Drift { owner, .. } => match (form.place, owner) {
            (Place::Name, owner) => owner.is_none(),
            (Place::Member, Some(owner)) => work.is_of(form, owner),
            // Nothing generated has the name any more, whichever class is meant.
            (Place::Member, None) => class.is_none_or(|class| work.is_of(form, class)),
            (Place::Argument, _) => false,
        },
        _ => false,
    };
    let all: &'w [Form] = work.forms;
    all.iter().filter(|form| form.renamed(source.text(node)).is_some() && fits(form)).collect()
}

/// Whether a member is one of `client.widgets`, whose type has no name and is that of the operations of `Widgets`.
fn is_group(form: &Form, source: &Source, node: Node<'_>) -> bool {
    let object = node.parent().and_then(|parent| source.name_of(parent, "object")).unwrap_or_default();
    let last = object.rsplit('.').next().unwrap_or_default().trim_end_matches(['!', '?']);
    form.kind == EntityKind::Operation && form.classes.iter().any(|class| camel(class) == last)
}

fn renamed(work: &mut Work<'_>, file: usize, nodes: &[Node<'_>], (old, new): (&str, &str), place: Place) {
    let Some(source) = work.sources.get(file) else { return };
    for node in nodes {
        match followed(work.dialect, source, (file, *node), new, place) {
            Ok(change) => work.changes.push(change),
            Err(issue) => work.doubt(issue, vec![source.place(*node)]),
        }
        work.statements.push((file, statement_lines(*node)));
        work.vouched.push((file, node.start_byte()));
    }
    // A string that links a class to generated code says nothing about what else has the name.
    if place == Place::Name && !nodes.iter().copied().all(is_string_content) {
        work.vouch(old, new, file);
    }
}

/// An error about a name that no rename took away: the class around it has lost its other part, or an import is missing.
fn without_rename(work: &mut Work<'_>, error: &Diagnostic, file: usize, node: Node<'_>, said: &ErrorMessage) -> Answer {
    let Some(source) = work.sources.get(file) else { return Answer::None };
    let (name, class) = match said {
        ErrorMessage::Name(name) => (name, work.dialect.class_around(source, node)),
        ErrorMessage::Member { name, owner } => (name, Some(simple(owner))),
        _ => return Answer::None,
    };
    if class.is_some_and(|class| lost_part(work, class, name, file)) {
        return Answer::Given;
    }
    if !matches!(said, ErrorMessage::Name(_))
        || matches!(work.dialect.role(source, node), Role::Imports | Role::Exports)
    {
        return Answer::None;
    }
    let mut others: Vec<&Source> = work.sources.iter().filter(|other| other.path != source.path).collect();
    others.extend(work.generated);
    match work.dialect.import(source, node, name, &others) {
        Import::Insert { at, text } => {
            work.changes.push(Change::new(file, at..at, text));
            Answer::Given
        }
        Import::Doubt(issue) => {
            work.doubt(issue, vec![error.place()]);
            Answer::Given
        }
        Import::Unknown => Answer::None,
    }
}

/// Follows the rename of a type that hand-written code holds a part of, if the generated part has the member under its new
/// name. A part that an attribute links to the generated one keeps its name, and the attribute follows.
fn lost_part(work: &mut Work<'_>, class: &str, member: &str, file: usize) -> bool {
    let (dialect, sources, forms) = (work.dialect, work.sources, work.forms);
    let linked = sources.iter().enumerate().find_map(|(at, source)| {
        dialect.links(source).into_iter().find(|(one, _)| one == class).map(|(_, link)| (at, source, link))
    });
    let generated_as = linked.map_or(class, |(_, source, link)| source.text(link));
    let is_renamed = |form: &&Form| form.place == Place::Name && form.old == generated_as && form.kind.is_type();
    let Some(form) = forms.iter().find(is_renamed) else { return false };
    let has = |source: &Source| {
        let mut members = dialect.members(source).into_iter();
        members.any(|one| one.owner.as_deref() == Some(form.new.as_str()) && one.name == member)
    };
    if !work.generated.iter().any(has) {
        return false;
    }
    if let Some((at, _, link)) = linked {
        work.changes.push(Change::new(at, link.byte_range(), form.new.clone()));
        work.statements.push((at, statement_lines(link)));
        return true;
    }
    let declares = |source: &Source| {
        source.identifiers(class).into_iter().any(|node| dialect.role(source, node) == Role::DeclaresPart)
    };
    if !sources.iter().any(declares) {
        return false;
    }
    work.vouch(&form.old, &form.new, file);
    true
}
