//! A member that the service has by now and the customization still adds: the addition goes.

use tree_sitter::Node;

use super::change::{Change, File, Findings, Kind};
use super::evidence::class_of;
use bailiwick_sdk::java::{GeneratedCode, Role, Source, Use};
use bailiwick_sdk::syntax::{around, children, field, line, named_children};
use bailiwick_sdk::tasks::Diagnostic;

/// Collects the lines that add what an error calls already defined. `code` holds the generated file with both members.
pub(super) fn collect(files: &[File], error: &Diagnostic, code: &GeneratedCode, findings: &mut Findings) {
    let (Some(name), Some(class)) = (error.symbol.as_deref(), class_of(error)) else { return };
    let method = error.message.starts_with("method ");
    let role = if method { Role::AddMethod } else { Role::AddField };
    let adds = |one: &&Use| one.role == role && one.name == name;
    let found: Vec<(usize, &File, &Use)> = files
        .iter()
        .enumerate()
        .flat_map(|(at, file)| file.uses.iter().filter(adds).map(move |one| (at, file, one)))
        .filter(|(_, _, one)| one.owner.as_deref().is_none_or(|owner| owner == class))
        .collect();
    let [(at, file, one)] = found[..] else {
        for (_, file, one) in found {
            findings.doubt(file, one.line, format!("`{name}` is added in more than one place"));
        }
        return;
    };
    if one.owner.is_none() {
        findings.doubt(file, one.line, format!("it is not certain that `{name}` is added to `{class}`"));
        return;
    }
    // The service's own must be able to stand for what goes.
    let declared: Vec<&str> = code
        .get(class)
        .map(|found| found.members.as_slice())
        .unwrap_or_default()
        .iter()
        .filter(|member| member.name == name && member.is_method == method)
        .map(|member| member.signature.as_str())
        .collect();
    let [first, second] = declared[..] else {
        let issue = format!("the generated `{class}` has `{name}` {} times, and two were expected", declared.len());
        findings.doubt(file, one.line, issue);
        return;
    };
    if first != second {
        let issue = format!("`{name}` is `{first}` in one declaration and `{second}` in the other");
        findings.doubt(file, one.line, issue);
        return;
    }
    match addition(&file.source, one) {
        Ok(statements) => {
            for (first, last) in statements {
                findings.changes.push(removal(at, file, one, name, class, first, last));
            }
        }
        Err(issue) => findings.doubt(file, one.line, issue),
    }
}

fn removal(at: usize, file: &File, one: &Use, name: &str, class: &str, first: u32, last: u32) -> Change {
    let text = &file.source.text;
    let start = |number: u32| {
        let row = usize::try_from(number - 1).unwrap_or(usize::MAX);
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).nth(row).unwrap_or(text.len())
    };
    Change {
        kind: Kind::Removed,
        file: at,
        span: start(first)..start(last + 1),
        new: String::new(),
        name: name.to_owned(),
        owner: Some(class.to_owned()),
        statement: (first, last),
        method: one.method,
    }
}

/// The lines of the statements that add a member, or why they cannot be taken out.
fn addition(source: &Source, one: &Use) -> Result<Vec<(u32, u32)>, String> {
    let literal = source
        .root()
        .descendant_for_byte_range(one.span.start, one.span.end)
        .ok_or_else(|| "the place is not found again".to_owned())?;
    let statement = around(literal, &["expression_statement", "local_variable_declaration", "lambda_expression"])
        .ok_or_else(|| "the addition is not a statement of its own".to_owned())?;
    match statement.kind() {
        "expression_statement" => whole_lines(source, statement).map(|lines| vec![lines]),
        "local_variable_declaration" => with_uses(source, statement),
        // `ifPresent(clazz -> clazz.addField(…))`: the statement around it does more than that.
        _ => Err(format!("`{}` is added in a lambda without braces", one.name)),
    }
}

/// A variable that holds the addition, and every statement that does nothing but change what it holds.
fn with_uses(source: &Source, declaration: Node<'_>) -> Result<Vec<(u32, u32)>, String> {
    let declarators: Vec<Node<'_>> =
        named_children(declaration).into_iter().filter(|node| node.kind() == "variable_declarator").collect();
    let [declarator] = declarators[..] else { return Err("several variables are declared together".to_owned()) };
    let name = field(declarator, "name").map(|node| source.text(node)).unwrap_or_default();
    let block = declaration.parent().ok_or_else(|| "the addition stands nowhere".to_owned())?;
    let mut lines = vec![whole_lines(source, declaration)?];
    let mut waiting = children(block);
    while let Some(node) = waiting.pop() {
        if node.kind() == "identifier"
            && source.text(node) == name
            && !declaration.byte_range().contains(&node.start_byte())
        {
            let statement = around(node, &["expression_statement", "lambda_expression", "block"]);
            let alone = statement
                .filter(|found| found.kind() == "expression_statement" && found.start_byte() == node.start_byte());
            let Some(found) = alone else {
                return Err(format!("`{name}`, which holds the addition, is used for something else"));
            };
            lines.push(whole_lines(source, found)?);
        }
        waiting.extend(children(node));
    }
    lines.sort_unstable();
    lines.dedup();
    Ok(lines)
}

/// The lines of a statement that has them for itself.
fn whole_lines(source: &Source, statement: Node<'_>) -> Result<(u32, u32), String> {
    let before = source.text[..statement.start_byte()].rsplit('\n').next().unwrap_or_default();
    let after = source.text[statement.end_byte()..].split('\n').next().unwrap_or_default();
    if !before.trim().is_empty() || !after.trim().is_empty() {
        return Err("the addition shares a line with something else".to_owned());
    }
    Ok((line(statement), u32::try_from(statement.end_position().row + 1).unwrap_or(u32::MAX)))
}
