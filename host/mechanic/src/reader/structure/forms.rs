//! The forms of lines: headings, list marks, tables, code, places, fields of records.

use super::{Line, Role};
use std::ops::Range;

/// `## Names`, `**Names**`: a line that stands above others.
pub(in crate::reader) fn is_heading(line: &str) -> bool {
    let marks = line.chars().take_while(|c| *c == '#').count();
    let bold = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    (1..=6).contains(&marks) && line.get(marks..).is_some_and(|rest| rest.starts_with(' '))
        || bold.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
}

/// Whether something of one's own follows the quoted lines: without it they are history.
pub(super) fn replies_below(lines: &[Line<'_>]) -> bool {
    let is_quote = |line: &Line<'_>| line.text.trim_start().starts_with('>');
    let first = lines.iter().position(is_quote);
    first.is_some_and(|first| {
        let above = lines.iter().take(first).any(|line| !line.text.trim().is_empty());
        let below = lines.iter().skip(first).any(|line| !is_quote(line) && !line.text.trim().is_empty());
        below || !above
    })
}

pub(super) fn is_mail_header(line: &str) -> bool {
    let Some((name, _)) = line.split_once(':') else { return false };
    ["from", "to", "cc", "bcc", "subject", "date", "sent", "betreff", "von", "an", "re"]
        .contains(&name.trim().to_lowercase().as_str())
}

pub(super) fn is_history(line: &str) -> bool {
    let lower = line.to_lowercase();
    let rule = line.starts_with("---") || line.starts_with("___");
    rule && (lower.contains("original message")
        || lower.contains("forwarded message")
        || lower.contains("ursprüngliche"))
        || lower.ends_with("wrote:") && !line.starts_with('>')
}

pub(super) fn is_signature(line: &str) -> bool {
    ["--", "-- ", "—", "__"].contains(&line)
}

pub(super) fn is_row(line: &str) -> bool {
    line.starts_with('|') && line.matches('|').count() >= 3 || line.matches(" | ").count() >= 2 && !line.ends_with('.')
}

/// `warning AZC0012 (suppressed): …`: the line of an analyzer, whatever stands behind its code.
pub(super) fn is_coded(line: &str) -> bool {
    // `AZC0036: …`
    let rule = line.split_once(": ").is_some_and(|(code, _)| {
        let letters = code.chars().take_while(char::is_ascii_uppercase).count();
        let digits = code.chars().skip(letters).collect::<String>();
        letters >= 2 && digits.len() >= 3 && digits.chars().all(|c| c.is_ascii_digit())
    });
    if rule {
        return true;
    }
    let mut words = line.split_whitespace();
    let level = words
        .next()
        .is_some_and(|word| ["warning", "error", "info"].contains(&word.to_lowercase().trim_end_matches(':')));
    let code = words.next().is_some_and(|word| {
        let word = word.trim_end_matches(':');
        word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().last().is_some_and(|c| c.is_ascii_digit())
            && word.len() >= 4
    });
    level && code
}

/// The cells of a row between tabs or wide gaps. A line of code is no row.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let trimmed = line.trim();
    if trimmed.ends_with(['.', ';', '{', '?', '!'])
        || trimmed.matches('\t').count() < 2 && super::declared(trimmed).is_some()
    {
        return None;
    }
    let part = |text: &str| text.trim().to_owned();
    // `old,new`: what a sheet exports, and no prose.
    let exported =
        |sign: &char| trimmed.contains(*sign) && !trimmed.contains(&format!("{sign} ")) && !trimmed.contains("  ");
    let sign = [',', ';'].into_iter().find(exported);
    let cells: Vec<String> = if trimmed.contains('\t') {
        trimmed.split('\t').map(part).collect()
    } else if let Some(sign) = sign {
        trimmed.split(sign).map(part).collect()
    } else {
        trimmed.split("  ").map(part).filter(|cell| !cell.is_empty()).collect()
    };
    (cells.len() > 1 && cells.iter().all(|cell| cell.split_whitespace().count() <= 6)).then_some(cells)
}

/// Whether the cells of a first line are heads: they speak of what is and of what shall be, and name nothing.
pub(super) fn are_heads(cells: &[String]) -> bool {
    let says = |list: &[&str]| {
        cells
            .iter()
            .position(|cell| cell.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word)))
    };
    let new = says(list! {
        "new" "proposed" "proposal" "suggested" "suggestion" "wanted" "after" "preferred" "desired" "requested" "should"
        "replacement" "better" "to" "becomes" "expected" "ga" "future" "then" "final" "resolution" "decision"
    });
    let word = |cell: &str| !cell.contains(char::is_whitespace) && cell.chars().any(char::is_lowercase);
    let named = |cell: &String| {
        super::super::token::is_name_shaped(cell) && cell.contains(['_', '.', '('])
            || word(cell) && cell.chars().skip(1).any(char::is_uppercase)
            || cell.contains('`') && cell.contains(char::is_whitespace)
    };
    new.is_some() && !cells.iter().any(named)
}

/// Two names with a gap between them: a table without lines.
pub(super) fn columns(line: &str) -> Option<(&str, &str)> {
    let at = line.find("  ").or_else(|| line.find('\t')).or_else(|| line.find(" ..."))?;
    let (left, right) = line.split_at(at);
    // `x ...... y`
    let leaders = right.trim_start().starts_with("...");
    let (left, right) = (left.trim(), right.trim().trim_start_matches('.').trim_start());
    let word = |text: &str| crate::names::is_identifier(text.trim_matches(['(', ')']));
    let name = |text: &str| {
        leaders && word(text) || super::super::token::is_name_shaped(text) && !text.contains(char::is_whitespace)
    };
    // `Part    WidgetPart`: a word that the name beside it goes on from.
    let grown = left.starts_with(char::is_uppercase)
        && crate::names::is_identifier(left)
        && right.len() > left.len()
        && (right.ends_with(left) || right.starts_with(left));
    ((name(left) || grown) && name(right)).then_some((left, right))
}

/// The mark of a list in front of a line: the bytes to skip.
pub(super) fn list_mark(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    let lead = line.len().saturating_sub(trimmed.len());
    let digits = trimmed.chars().take_while(char::is_ascii_digit).count();
    let behind = trimmed.get(digits..).unwrap_or_default();
    let mut length = if digits > 0 && digits <= 3 && (behind.starts_with(". ") || behind.starts_with(") ")) {
        digits.saturating_add(2)
    } else if let Some(bullet) =
        ["- ", "* ", "• ", "+ ", "– ", "· ", "— "].iter().find(|bullet| trimmed.starts_with(**bullet))
    {
        bullet.len()
    } else {
        let mut characters = trimmed.chars();
        let open = characters.next() == Some('(');
        let letter = if open { characters.next() } else { trimmed.chars().next() };
        let close = if open { characters.next() } else { trimmed.chars().nth(1) };
        let lettered = letter.is_some_and(|c| c.is_ascii_alphanumeric()) && close == Some(')');
        // `[1]`, `#41`, `// `
        let numbered = trimmed.strip_prefix('[').and_then(|rest| rest.split_once(']')).filter(|(number, _)| {
            !number.is_empty() && number.len() <= 3 && number.chars().all(|c| c.is_ascii_digit())
        });
        let hash = trimmed
            .strip_prefix('#')
            .map(|rest| rest.chars().take_while(char::is_ascii_digit).count())
            .filter(|count| *count > 0);
        if let Some((number, _)) = numbered {
            number.len().saturating_add(2)
        } else if let Some(count) = hash {
            count.saturating_add(1)
        } else if trimmed.starts_with("// ") {
            3
        } else if lettered {
            if open { 3 } else { 2 }
        } else {
            0
        }
    };
    if let Some(rest) = trimmed.get(length..)
        && let Some(mark) =
            ["[x] ", "[X] ", "[ ] ", "☐ ", "☑ ", "✅ ", "✔ "].iter().find(|mark| rest.starts_with(**mark))
    {
        length = length.saturating_add(mark.len());
    }
    (length > 0).then(|| lead.saturating_add(length))
}

/// Whether a list's item is marked.
pub(super) fn checkbox(line: &str) -> Option<bool> {
    let rest = line.trim_start().trim_start_matches(['-', '*', '+', '•', ' ']);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ')' || c == ' ');
    if ["[x]", "[X]", "☑", "✅", "✔"].iter().any(|mark| rest.starts_with(mark)) {
        Some(true)
    } else if ["[ ]", "☐"].iter().any(|mark| rest.starts_with(mark)) {
        Some(false)
    } else {
        None
    }
}

/// A field of a review tool, with the bytes of its name.
pub(super) fn record(line: &str) -> Option<(Role, usize)> {
    let trimmed = line.trim_start();
    let lead = line.len().saturating_sub(trimmed.len());
    let (name, rest) = trimmed.split_once(':')?;
    let skipped = lead.saturating_add(name.len()).saturating_add(1);
    let word: String = name.trim().trim_matches('*').to_lowercase();
    let first = word.split_whitespace().next().unwrap_or_default();
    let numbered = ["line", "ln", "l"].contains(&first) && word.chars().any(|c| c.is_ascii_digit());
    let starts_name = rest.starts_with(char::is_whitespace) || rest.is_empty();
    if !starts_name || word.len() > 40 {
        return None;
    }
    match word.as_str() {
        "elementid" | "element id" | "element" | "symbol" | "member" | "api" | "line id" | "lineid" | "definition" => {
            Some((Role::Element, skipped))
        }
        "before" | "now" | "today" | "current" | "currently" | "old" | "was" | "actual" | "is"
            if !rest.trim().is_empty() || starts_name =>
        {
            Some((Role::Example { wanted: false }, skipped))
        }
        "after" | "new" | "wanted" | "expected" | "should be" | "desired" | "proposed" | "target"
            if !rest.trim().is_empty() || starts_name =>
        {
            Some((Role::Example { wanted: true }, skipped))
        }
        "line" | "code" | "snippet" => Some((Role::Code, skipped)),
        "comment" | "comments" | "reply" | "reviewer" | "details" | "detail" | "request" | "wish" | "ask"
        | "action" | "body" | "text" | "decision" => Some((Role::Prose, skipped)),
        "summary" | "title" => Some((Role::Prose, skipped)),
        _ if numbered => Some((Role::Code, skipped)),
        _ if (first == "reply" || first == "comment")
            && !name.split_whitespace().any(super::super::token::is_name_shaped) =>
        {
            Some((Role::Prose, skipped))
        }
        _ => None,
    }
}

/// `src/Models/A.cs:14`, alone in its line.
pub(super) fn is_place(line: &str) -> bool {
    let mut parts = line.trim_end_matches(':').split([':', '(', '#']);
    let source = parts.next().is_some_and(|file| {
        SOURCES.iter().any(|ending| file.ends_with(ending)) && file.contains('/') && !file.contains(char::is_whitespace)
    });
    source && parts.all(|part| part.chars().all(|c| c.is_ascii_digit() || "L-,)".contains(c)))
}

/// The endings of files of code.
const SOURCES: &[&str] = &[".cs", ".java", ".ts", ".py", ".go"];

/// A person's words at a place of the code (`src/Models/A.cs(11,28): the class is fine`): the length of the place.
pub(super) fn remark_at_a_file(line: &str) -> Option<usize> {
    let (place, rest) = line.split_once(": ")?;
    let file = place.split('(').next()?.trim();
    let source = SOURCES.iter().any(|ending| file.ends_with(ending));
    let one = !file.is_empty() && !file.contains(char::is_whitespace) && place.ends_with(')');
    let mut words = rest.trim_start();
    let reviewed = words.contains("(review)");
    for label in ["error", "warning", "info"] {
        if words.starts_with(label) && !reviewed {
            return None;
        }
    }
    if reviewed {
        let at = line.find("(review)")?;
        return source.then_some(at.saturating_add("(review)".len()));
    }
    words = words.trim_end();
    (source && one && words.contains(' ')).then(|| place.len().saturating_add(1))
}

/// `@@ -88,7 +88,7 @@`: the head of a part of a diff.
pub(super) fn is_hunk(line: &str) -> bool {
    line.starts_with("@@ -")
}

/// How a declaration begins.
const DECLARING: &[&str] = list! {
    "class" "def" "async" "public" "private" "internal" "protected" "interface" "type" "func" "export" "enum" "struct"
    "static" "final" "abstract" "from" "import" "@overload" "readonly" "override" "virtual" "sealed" "partial"
};

/// Whether a line begins as declarations do, behind the signs of a diff.
pub(super) fn is_declaration(line: &str) -> bool {
    let first = line.trim_start_matches(['+', '-', ' ']).split_whitespace().next().unwrap_or_default();
    DECLARING.contains(&first)
}

/// An indented line of code: a declaration, not a sentence.
pub(super) fn is_code(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let declares = is_declaration(text);
    let ends = text.ends_with(['{', ':', ';', ')', '}']) && text.contains(['(', '{', '=', '<'])
        || text.ends_with(':') && text.contains('(')
        || text.ends_with(';');
    let opens = super::declared(text).is_some_and(|one| one.is_type) && line.indent() >= 2;
    declares && (ends || opens || text.contains("(") && !text.ends_with('.') && line.indent() >= 2)
}

/// A statement of code: a call that ends as statements do, or what gives a constant its value.
pub(super) fn is_statement(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let call = text.ends_with(");") && !text.contains(". ");
    let indented = line.indent() >= 4 && text.ends_with(')') && text.contains('(') && !text.contains(' ');
    // `RunStateAbrt RunState = "aborted"`
    let constant = text.split_once(" = \"").is_some_and(|(before, value)| {
        let mut names = before.split_whitespace();
        value.ends_with('"') && names.clone().count() == 2 && names.all(crate::names::is_identifier)
    });
    // `state: str = rest_field(name="state")`
    let field = line.indent() >= 4
        && text.ends_with(')')
        && text.contains(": ")
        && text.contains(" = ")
        && super::declared(text).is_some();
    call || indented || constant || field
}

/// `^^^^`, below a line of code.
pub(in crate::reader) fn is_a_pointer(text: &str) -> bool {
    let text = text.trim_matches(['#', '/', ' ']);
    text.contains(['^', '~']) && text.chars().all(|c| "^~ ".contains(c))
}

/// `// TODO: rename X`, `# FIXME(ana): …`
pub(super) fn is_note(line: &str) -> bool {
    let Some(note) = ["//", "#", "/*"].iter().find_map(|mark| line.strip_prefix(mark)) else { return false };
    let note = note.trim_start().to_lowercase();
    ["todo", "fixme", "xxx"]
        .iter()
        .any(|mark| note.strip_prefix(mark).is_some_and(|rest| rest.starts_with([':', '(', ' '])))
}

/// What a line says that stands above an example: `now`, `## Expected`.
pub(in crate::reader) fn example_label(line: &str) -> Option<bool> {
    let label = line.trim_matches(['#', '*', ':', ' ', '/', '-', '.', '…']).to_lowercase().replace('’', "'");
    match label.as_str() {
        "before" | "now" | "today" | "current" | "currently" | "actual" | "how it is" | "as it is" | "what we have"
        | "what it is" | "as is" => return Some(false),
        "after" | "wanted" | "expected" | "desired" | "should be" | "proposed" | "how it should be"
        | "as it should be" | "what it should be" | "what we want" | "to be" => return Some(true),
        _ => {}
    }
    // `what I'd like to write`
    let mut words = label.split_whitespace();
    let wishes = words.next() == Some("what")
        && matches!(words.next(), Some("i'd" | "we'd" | "i" | "we" | "users"))
        && label.split_whitespace().count() < 8
        && ["like to", "want to", "expect to", "would like"].iter().any(|wish| label.contains(wish));
    wishes.then_some(true)
}

/// Whether a line goes on with the sentence or the item before it.
pub(super) fn continues(role: &Role, indent: usize, line: &Line<'_>, span: &Range<usize>) -> bool {
    match role {
        Role::Item | Role::Aside => line.indent() > indent,
        Role::Prose => line.indent() <= indent.saturating_add(1) && !span.is_empty(),
        _ => false,
    }
}

/// Whether a line is one name and nothing else.
pub(super) fn is_a_name(line: &str) -> bool {
    let name = line.trim_matches('`');
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    plain && (name.len() < line.len() || super::super::token::is_name_shaped(name))
}
