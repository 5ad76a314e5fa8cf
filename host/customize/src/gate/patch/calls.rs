//! Calls that no repair of a customization makes: what ends, starts or signals a process, reaches around the library's
//! own interfaces, looks into the running program, or runs text as code. With one of them an edit could write the
//! verdict of its own build.
//!
//! Syntax trees are compared by their tokens, so that white space, line breaks and comments change nothing. Only what an
//! edit adds counts. The tables name what is known: they are not a sandbox. What runs is confined by the operating system,
//! and the verdicts of builds do not rest on this rule alone.

mod loosened;
mod tables;
mod unchecked;

use bailiwick_sdk::tasks::Language;
use tree_sitter::Node;

use super::super::{Candidate, Rule, Violation};
use crate::language::tree::{all, parse, text_of};
use tables::{Table, table};

/// One use of something that a repair does not need.
#[derive(Debug, PartialEq, Eq)]
struct Use {
    /// As it stands in the code: `os._exit`.
    what: String,
    why: Why,
}

/// What is wrong with a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Process,
    Reach,
    Inspect,
    Text,
    LeftOut,
    Unchecked,
    Loosened,
}

impl Why {
    fn rule(self) -> Rule {
        match self {
            Self::LeftOut | Self::Unchecked | Self::Loosened => Rule::CheckSilenced,
            Self::Process | Self::Reach | Self::Inspect | Self::Text => Rule::ForbiddenCall,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Process => "can end, start or signal a process, or write to its output",
            Self::Reach => "reaches files, the network or native code around the library's own interfaces",
            Self::Inspect => "looks into the running program or changes it",
            Self::Text => "runs text as code",
            Self::LeftOut => "leaves code out of the build or adds some to it",
            Self::Unchecked => "keeps code from being checked",
            Self::Loosened => "has the checker ask nothing of what the value has",
        }
    }
}

/// So many characters of a use are told.
const SHOWN: usize = 60;

/// Adds a violation for each use that `after` has more often than `before`.
pub(super) fn judge(
    language: Language,
    candidate: &Candidate,
    before: &str,
    after: &str,
    violations: &mut Vec<Violation>,
) {
    let Some(found) = uses(language, after) else {
        let message = "the code is nested too deeply, or has too many errors, to be looked into; write it flatter";
        return violations.push(Violation::new(Rule::ForbiddenCall, &candidate.path, message.to_owned()));
    };
    let mut stood = uses(language, before).unwrap_or_default();
    let mut told: Vec<String> = Vec::new();
    for found in found {
        if let Some(at) = stood.iter().position(|one| *one == found) {
            stood.swap_remove(at);
        } else if !told.contains(&found.what) {
            let what: String = found.what.chars().take(SHOWN).collect();
            let message =
                format!("`{what}` {}; repair the code without it, or explain what is left", found.why.words());
            violations.push(Violation::new(found.why.rule(), &candidate.path, message));
            told.push(found.what);
        }
    }
}

/// A token of the code.
struct Token<'a> {
    kind: &'a str,
    text: &'a str,
    /// Where the import begins that it stands in.
    imported: Option<usize>,
}

impl Token<'_> {
    fn is_name(&self) -> bool {
        self.kind.ends_with("identifier")
    }
}

/// `None` for code that cannot be looked into.
fn uses(language: Language, text: &str) -> Option<Vec<Use>> {
    let table = table(language);
    let tree = parse(&(table.grammar)(), text)?;
    let nodes = all_tokens(tree.root_node());
    let tokens: Vec<Token<'_>> = nodes
        .iter()
        .filter(|(node, _)| !node.kind().contains("comment"))
        .map(|(node, imported)| Token { kind: node.kind(), text: text_of(*node, text), imported: *imported })
        .collect();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        found.extend(use_at(&table, &tokens, at));
    }
    for node in all(tree.root_node()) {
        let kind = node.kind();
        if table.kinds.contains(&kind) {
            let first = text_of(node, text).lines().next().unwrap_or_default();
            found.push(Use { what: first.trim().chars().take(SHOWN).collect(), why: Why::LeftOut });
        } else if kind.contains("comment") {
            let comment = text_of(node, text);
            let told = table.comments.iter().find(|start| comment.starts_with(**start));
            found.extend(told.map(|start| Use { what: (*start).to_owned(), why: Why::LeftOut }));
        }
    }
    if language == Language::Python {
        found.extend(unchecked::uses(tree.root_node(), text));
    }
    found.extend(loosened::uses(language, tree.root_node(), text));
    // With them a name can be written in a way that its reader and these tables do not see.
    if table.escapes {
        let escapes = text.matches("\\u").count();
        found.extend((0..escapes).map(|_| Use { what: "\\u".to_owned(), why: Why::Text }));
    }
    Some(found)
}

/// The leaves of a tree in their order, without recursion: a tree may be as deep as the text is long.
fn all_tokens(root: Node<'_>) -> Vec<(Node<'_>, Option<usize>)> {
    let mut found = Vec::new();
    let mut open = vec![(root, None)];
    while let Some((node, imported)) = open.pop() {
        let begins = node.kind().contains("import") || node.kind() == "using_directive";
        let imported = imported.or(begins.then(|| node.start_byte()));
        if node.child_count() == 0 || node.kind().contains("comment") {
            found.push((node, imported));
            continue;
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        open.extend(children.into_iter().rev().map(|child| (child, imported)));
    }
    found
}

fn use_at(table: &Table, tokens: &[Token<'_>], at: usize) -> Option<Use> {
    let token = &tokens[at];
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let qualified = at > 0 && matches!(text(at - 1), "." | "?." | "::");
    let found = |what: String, why: Why| Some(Use { what, why });
    if token.imported.is_some() {
        let module = token.text.trim_matches(['"', '\'', '`']);
        let starts = token.is_name() && !qualified || token.kind.contains("string");
        let harmless = table.harmless.contains(&module);
        if starts
            && !harmless
            && let Some((_, why)) = table.modules.iter().find(|(name, _)| names_module(name, module, tokens, at))
        {
            return found(module.to_owned(), *why);
        }
        // Go: `import o "os"` and `import . "os"`.
        if token.kind.contains("string")
            && let Some(guarded) = table.guarded.iter().find(|guarded| guarded.name == module)
            && at > 1
            && (tokens[at - 2].is_name() || tokens[at - 2].text == ".")
        {
            return found(format!("{} {module}", tokens[at - 2].text), guarded.why);
        }
    }
    if token.kind.contains("string") {
        let content = token.text.trim_matches(['"', '\'', '`']);
        return if table.hidden_names.contains(&content) { found(content.to_owned(), Why::Inspect) } else { None };
    }
    if !token.is_name() {
        return (token.kind == "import" && text(at + 1) == "(" && table.refuses_dynamic_import)
            .then(|| Use { what: "import(".to_owned(), why: Why::Text });
    }
    if let Some((_, why)) = table.names.iter().find(|(name, _)| *name == token.text) {
        return found(token.text.to_owned(), *why);
    }
    if table.hidden_names.contains(&token.text) {
        return found(token.text.to_owned(), Why::Inspect);
    }
    // A keyword argument or a member of the same name is another thing.
    let bare = !qualified && text(at + 1) != "=" && token.kind == "identifier";
    if bare && let Some((_, why)) = table.globals.iter().find(|(name, _)| *name == token.text) {
        return found(token.text.to_owned(), *why);
    }
    if let Some(guarded) = table.guarded.iter().find(|guarded| guarded.name == token.text) {
        return guarded_use(guarded, tokens, at, qualified);
    }
    if !qualified && let Some((path, why)) = table.paths.iter().find(|(path, _)| is_path(path, tokens, at)) {
        let harmless = table.harmless.iter().any(|path| is_path(path, tokens, at));
        return if harmless { None } else { found((*path).to_owned(), *why) };
    }
    None
}

/// Whether an import at this token names the module or something in it.
fn names_module(name: &str, module: &str, tokens: &[Token<'_>], at: usize) -> bool {
    if tokens[at].kind.contains("string") {
        let module = module.strip_prefix("node:").unwrap_or(module);
        return module == name || module.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
    }
    // What is imported *from* another module is named behind `import`, and from the package's own behind a dot.
    let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
    let first = matches!(before, "import" | "from" | ",") && !is_member(tokens, at);
    first && is_path(name, tokens, at)
}

/// Whether the name stands behind `from … import`.
fn is_member(tokens: &[Token<'_>], at: usize) -> bool {
    let same = |token: &&Token<'_>| token.imported == tokens[at].imported;
    let line: Vec<&str> = tokens[..at].iter().rev().take_while(same).map(|one| one.text).collect();
    let import = line.iter().position(|text| *text == "import");
    import.is_some_and(|import| line[import..].contains(&"from"))
}

/// Whether the tokens from here on are these names with dots between them.
fn is_path(path: &str, tokens: &[Token<'_>], at: usize) -> bool {
    path.split('.').enumerate().all(|(index, name)| {
        let here = at + 2 * index;
        tokens.get(here).is_some_and(|token| token.text == name)
            && (index == 0 || matches!(tokens[here - 1].text, "." | "::"))
    })
}

/// A module or class of which some members are harmless. Any other use hands the whole of it on.
fn guarded_use(guarded: &tables::Guarded, tokens: &[Token<'_>], at: usize, qualified: bool) -> Option<Use> {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let member = text(at + 2);
    let what = |member: &str| Some(Use { what: format!("{}.{member}", guarded.name), why: guarded.why });
    if matches!(text(at + 1), "." | "?.") {
        return if guarded.harmless.contains(&member) { None } else { what(member) };
    }
    let statement = tokens[at].imported;
    if statement.is_some() {
        // `from os import path, getenv as g`
        if at > 0 && text(at - 1) == "from" {
            let rest = (at + 2..tokens.len()).take_while(|one| tokens[*one].imported == statement);
            let mut names = rest.filter(|one| (tokens[*one].is_name() || text(*one) == "*") && text(one - 1) != "as");
            return names.find(|one| !guarded.harmless.contains(&text(*one))).and_then(|one| what(text(one)));
        }
        return if text(at + 1) == "as" { what("…") } else { None };
    }
    // A keyword argument, or a member of that name.
    let other = text(at + 1) == "=" || qualified && !guarded.qualified || tokens[at].kind.starts_with("property");
    if other { None } else { Some(Use { what: guarded.name.to_owned(), why: guarded.why }) }
}

#[cfg(test)]
mod tests;
