//! Lines of code inside of a request: what each declares.

/// What a line of code declares or calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reader) struct Declared<'a> {
    pub(in crate::reader) name: &'a str,
    /// Whether it is a type, and holds what the lines behind it declare.
    pub(in crate::reader) is_type: bool,
}

const MODIFIERS: &[&str] = list! {
    "export" "default" "declare" "public" "private" "internal" "protected" "static" "final" "abstract" "sealed" "partial"
    "readonly" "override" "virtual" "async" "const" "new" "required" "synchronized" "transient" "unsafe" "extern" "get" "set"
};

const TYPES: &[&str] = &["class", "interface", "enum", "struct", "record", "type", "model", "union"];

/// Whether a line is a comment, an attribute or a bracket: it declares nothing, and belongs to the code around it.
pub(in crate::reader) fn is_between(line: &str) -> bool {
    let line = line.trim();
    ["//", "/*", "*/", "* ", "#", "\"\"\""].iter().any(|start| line.starts_with(start)) && !line.starts_with("# ")
        || line.starts_with('[') && line.ends_with(']')
        || line.strip_prefix('@').is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_'))
        || !line.is_empty() && line.chars().all(|c| "{}()[];,*/ ".contains(c))
}

/// What a line declares, if it is code.
pub(in crate::reader) fn declared(line: &str) -> Option<Declared<'_>> {
    let line = line.trim().trim_start_matches(['+', '-']).trim_start();
    if is_between(line) || line.starts_with('@') {
        return None;
    }
    let names = identifiers(line);
    let own = names.iter().position(|(_, name)| !MODIFIERS.contains(name))?;
    let (at, first) = *names.get(own)?;
    let second = names.get(own.saturating_add(1)).map(|(_, name)| *name);
    let behind = line.get(at.saturating_add(first.len())..).unwrap_or_default();
    let ends = line.ends_with(['{', '}', ';', ',', ':', '(', ')']) || behind.contains(['=', '<']);
    if TYPES.contains(&first) && (own > 0 || ends || first == "type" || names.len() == 2) {
        // `export type X = …`, `type X struct {`, `class X:`
        let declares = behind.starts_with(' ') && second.is_some_and(|name| name.starts_with(char::is_uppercase));
        return second.filter(|_| declares).map(|name| Declared { name, is_type: true });
    }
    let member = |name| Some(Declared { name, is_type: false });
    if first == "import" || first == "from" && names.iter().any(|(_, name)| *name == "import") {
        // `import { X } from "…"`, `from .models import X`
        let mut types = names.iter().map(|(_, name)| *name).filter(|name| name.starts_with(char::is_uppercase));
        return types.next().filter(|_| types.next().is_none()).map(|name| Declared { name, is_type: true });
    }
    if first == "def" && line.contains('(') {
        return second.and_then(member);
    }
    if first == "func" && line.contains('(') {
        // `func (client *X) Name(`
        let receiver = behind.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        return match receiver {
            Some((_, rest)) => identifiers(rest).first().map(|(_, name)| *name).and_then(member),
            None => second.and_then(member),
        };
    }
    // `name?: Type;`, `name: type = rest_field(…)`
    let typed = behind.trim_start_matches('?').strip_prefix(':').filter(|rest| rest.starts_with(' '));
    if let Some(kind) = typed {
        let kind = kind.trim();
        let plain = !kind.contains(' ') && !kind.is_empty() && !kind.ends_with('.');
        let closed = kind.ends_with([';', ',']) || kind.contains('=');
        return (plain && kind.chars().any(char::is_alphabetic) || closed).then_some(first).and_then(member);
    }
    // `public DateTimeOffset Ts { get; }`, `private final String name;`
    if own > 0 && second.is_some() && ends {
        let stop = outside_of_brackets(line).unwrap_or(line.len());
        let before = names.iter().rev().find(|(at, name)| at.saturating_add(name.len()) <= stop);
        // `const ColorRed Color = "red"`: Go writes the type behind the name.
        let typed = before.is_some_and(|(_, kind)| first != *kind && first.starts_with(kind));
        return if typed { member(first) } else { before.map(|(_, name)| *name).and_then(member) };
    }
    // `RunStatusAbrt RunStatus = "aborted"`, `ABRT = "aborted"`
    let assigned = line.split_once('=').is_some_and(|(before, value)| {
        identifiers(before).len() <= 2 && value.trim().starts_with(['"', '\'']) && !before.contains(['(', '.'])
    });
    // `Ttl *int32`, `Items []Part`, `Name string `json:"name"``
    let field = first.starts_with(char::is_uppercase)
        && [" *", " []", " map["].iter().any(|sign| behind.trim_end().starts_with(sign) || behind.contains("`json:"))
        && names.len() >= 2;
    if assigned || field && !line.ends_with('.') {
        return member(first);
    }
    called(line).and_then(member)
}

/// `client.widgets.list(a="…")`: the path that a line calls, where the line is nothing else.
fn called(line: &str) -> Option<&str> {
    let open = line.find('(')?;
    let path = line.get(..open)?.rsplit(['=', ' ']).next()?;
    let code = path.contains('.') && path.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    let words = line.get(..open)?.split_whitespace().count();
    (code && words <= 4 && line.trim_end_matches([';', ':', '{', ' ']).ends_with(')')).then_some(path)
}

/// Where the first sign stands that ends a declaration's name.
fn outside_of_brackets(line: &str) -> Option<usize> {
    let mut depth = 0_i32;
    line.char_indices().find_map(|(at, c)| {
        match c {
            '<' | '[' => depth = depth.saturating_add(1),
            '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth <= 0 && ['(', '{', '=', ';'].contains(&c)).then_some(at)
    })
}

fn identifiers(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        let part = c.is_alphanumeric() || c == '_' || c == '$';
        match (start, part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.extend(line.get(from..at).map(|name| (from, name)));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether one line takes another one's place: nothing but names differs.
pub(in crate::reader) fn differs_in_names(old: &str, new: &str) -> bool {
    old != new && rest_of(old) == rest_of(new) && identifiers_of(old).len() == identifiers_of(new).len()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names and words of a line.
pub(in crate::reader) fn identifiers_of(line: &str) -> Vec<&str> {
    line.split(|c: char| !is_part(c)).filter(|part| !part.is_empty()).collect()
}

/// The signs of a line, without its names and spaces.
pub(in crate::reader) fn rest_of(line: &str) -> String {
    line.chars().filter(|&c| !is_part(c) && !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_of_each_language_declares_its_name() {
        for (line, name) in [
            ("class Widget(_Model):", "Widget"),
            ("    ttl: int = rest_field(name=\"ttl\")", "ttl"),
            ("ACT = \"active\"", "ACT"),
            ("def list_widgets(self, *, top: int) -> Widget:", "list_widgets"),
            ("client.widgets.list_widgets(fld=\"a\")", "client.widgets.list_widgets"),
            ("from azure.widget import WidgetManagerClient", "WidgetManagerClient"),
            ("public partial class Widget", "Widget"),
            ("public DateTimeOffset? Ts { get; }", "Ts"),
            ("public IDictionary<string, Part> Parts { get; set; }", "Parts"),
            ("public final class Widget implements JsonSerializable<Widget> {", "Widget"),
            ("public String getName() {", "getName"),
            ("private final String name;", "name"),
            ("export interface Widget {", "Widget"),
            ("pts: Coord[];", "pts"),
            ("ttl?: number;", "ttl"),
            ("const ColorRed Color = \"red\"", "ColorRed"),
            ("import { WidgetManagerClient } from \"@azure/widget\";", "WidgetManagerClient"),
            ("type Widget struct {", "Widget"),
            ("Ttl *int32", "Ttl"),
            ("StatusAct Status = \"active\"", "StatusAct"),
            ("func (client *WidgetsClient) Get(ctx context.Context) error {", "Get"),
        ] {
            assert_eq!(declared(line).map(|one| one.name), Some(name), "{line}");
        }
    }

    #[test]
    fn prose_and_comments_declare_nothing() {
        for line in [
            "Why is this public?",
            "Nit: rename it.",
            "Please rename Widget to Gadget.",
            "Type of the part is odd.",
            "/// <summary> A part. </summary>",
            "@Immutable",
            "}",
            "const (",
            "the class Widget is fine",
            "internal tooling needs it",
            "Public API: we should look at it again",
        ] {
            assert_eq!(declared(line), None, "{line}");
        }
    }
}
