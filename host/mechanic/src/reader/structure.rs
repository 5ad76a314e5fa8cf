//! What a request is made of: prose, lists, tables, quoted lines, code, records of review tools, logs; and what of it is
//! mail history or a signature.

use std::ops::Range;

use bailiwick_sdk::diagnostics::pasted::is_log_line;

/// A piece of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) role: Role,
    pub(super) span: Range<usize>,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// Sentences that follow each other.
    Prose,
    /// An item of a list.
    Item,
    /// What somebody else wrote, as context of what follows.
    Quote,
    /// Code, as context of what is said beside it.
    Code,
    /// A line of a diff.
    Diff { added: bool },
    /// A decorator that is suggested.
    Suggestion,
    /// What a record is about: an element of the API.
    Element,
    /// A row of a table: its cells, with the column heads.
    Row { heads: Vec<String>, cells: Vec<String> },
    /// A line that begins an example of how things are (`Before:`) or shall be (`After:`).
    Example { wanted: bool },
    /// An error or a summary of a tool.
    Log,
    /// Greetings to machines and people: headers, history, signatures, items that are not marked.
    Aside,
}

struct Line<'a> {
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    fn indent(&self) -> usize {
        self.text.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
    }

    /// The span of the text behind so many bytes, without white space around it.
    fn span(&self, skipped: usize) -> Range<usize> {
        let inner = self.text.get(skipped..).unwrap_or_default();
        let lead = inner.len().saturating_sub(inner.trim_start().len());
        let start = self.start.saturating_add(skipped).saturating_add(lead);
        start..start.saturating_add(inner.trim().len())
    }
}

/// Splits a request. Spans are in order and do not overlap.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let unseen = without_comments(text);
    let mut lines = Vec::new();
    let mut start = 0_usize;
    for line in unseen.split('\n') {
        lines.push(Line { text: line, start });
        start = start.saturating_add(line.len()).saturating_add(1);
    }
    let lower = text.to_lowercase();
    // Marked boxes are done, unless the text says that they are what is asked for.
    let selects = list! {
        "marked" "checked" "ticked" "selected" "crossed" "with [x]" "[x] ones" "boxes with" "box with" "with an x"
    }
    .iter()
    .any(|word| lower.contains(word));
    let boxes = if selects { Some(true) } else { Some(false) };
    let mut split = Split { units: Vec::new(), heads: Vec::new(), after_log: false, open: None, boxes };
    let mut fence: Option<String> = None;
    let mut mail = lines.iter().take(8).any(|line| is_mail_header(line.text));
    let mut signature = false;
    let mut hunk = false;
    let replied = replies_below(&lines);
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.text.trim();
        let next = lines.get(at.saturating_add(1));
        if let Some(language) = fence.clone() {
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                fence = None;
                hunk = false;
            } else if hunk || language == "diff" {
                split.changed(line);
            } else if is_hunk(trimmed) {
                hunk = true;
            } else if language == "suggestion" || trimmed.starts_with("@@") {
                split.push(Role::Suggestion, line.span(0));
            } else if is_log_line(line.text, true) && language.is_empty() {
                split.push(Role::Log, line.span(0));
            } else if !trimmed.is_empty() {
                split.push(Role::Code, line.span(0));
            }
            continue;
        }
        if let Some(language) = trimmed.strip_prefix("```").or_else(|| trimmed.strip_prefix("~~~")) {
            split.close();
            fence = Some(language.trim().to_lowercase());
            continue;
        }
        if trimmed.is_empty() {
            split.close();
            split.heads.clear();
            split.after_log = false;
            signature = false;
            hunk = false;
            if split.units.iter().any(|unit| unit.role == Role::Aside) {
                mail = false;
            }
            continue;
        }
        // `On Monday Ines wrote:`, with replies between the lines that it quotes.
        let quotes = next.is_some_and(|next| next.text.starts_with('>')) && trimmed.ends_with(':');
        if quotes && is_history(trimmed) {
            split.push(Role::Aside, line.span(0));
            continue;
        }
        if is_history(trimmed) {
            for rest in lines.iter().skip(at) {
                split.push(Role::Aside, rest.span(0));
            }
            break;
        }
        if mail && is_mail_header(line.text) || signature || is_signature(trimmed) {
            signature |= is_signature(trimmed);
            split.push(Role::Aside, line.span(0));
            continue;
        }
        // A pair of lines without a head is a diff where both declare something.
        let declares = |sign: char, line: &Line<'_>| line.text.strip_prefix(sign).is_some_and(is_declaration);
        let added = matches!(split.units.last(), Some(Unit { role: Role::Diff { added: false }, .. }));
        let pair = declares('-', line) && next.is_some_and(|next| declares('+', next)) || added && declares('+', line);
        if is_hunk(trimmed) {
            split.close();
            hunk = true;
        } else if hunk || pair {
            split.changed(line);
        } else {
            split.line(line, next, replied);
        }
    }
    split.close();
    quotations(&mut split.units, text);
    split.units.retain(|unit| !unit.span.is_empty() || matches!(unit.role, Role::Example { .. }));
    split.units
}

/// A paragraph between quotation marks beside other prose is somebody else's.
fn quotations(units: &mut [Unit], text: &str) {
    let others = units.iter().filter(|unit| unit.role == Role::Prose).count() > 1;
    for unit in units.iter_mut().filter(|unit| others && unit.role == Role::Prose) {
        let part = text.get(unit.span.clone()).unwrap_or_default();
        let inner = part.strip_prefix(['"', '“', '„', '«']).and_then(|part| part.strip_suffix(['"', '”', '“', '»']));
        if inner.is_some_and(|inner| inner.split_whitespace().count() > 2 && !inner.contains('"')) {
            unit.role = Role::Quote;
        }
    }
}

/// The text with what no reader of the page sees (`<!-- … -->`) and what is struck out (`~~…~~`) blanked out.
fn without_comments(text: &str) -> String {
    let seen = blanked(text, "<!--", "-->");
    if seen.matches("~~").count() > 1 { blanked(&seen, "~~", "~~") } else { seen }
}

fn blanked(text: &str, open: &str, close: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(open) {
        seen.push_str(before);
        let inner = behind.find(close).map_or(behind.len(), |end| end.saturating_add(close.len()));
        let (gone, left) = behind.split_at(inner);
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        seen.extend(open.bytes().chain(gone.bytes()).map(blank));
        rest = left;
    }
    seen.push_str(rest);
    seen
}

struct Split {
    units: Vec<Unit>,
    heads: Vec<String>,
    after_log: bool,
    /// The unit that the next line may go on.
    open: Option<(Role, Range<usize>, usize)>,
    /// Which boxes are asked for.
    boxes: Option<bool>,
}

impl Split {
    fn push(&mut self, role: Role, span: Range<usize>) {
        self.close();
        self.units.push(Unit { role, span });
    }

    fn close(&mut self) {
        if let Some((role, span, _)) = self.open.take() {
            self.units.push(Unit { role, span });
        }
    }

    /// A line of a diff.
    fn changed(&mut self, line: &Line<'_>) {
        let head = line.text.starts_with("---") || line.text.starts_with("+++") || is_hunk(line.text);
        let role = match line.text.chars().next() {
            _ if head => Role::Aside,
            Some('-') => Role::Diff { added: false },
            Some('+') => Role::Diff { added: true },
            _ => Role::Code,
        };
        let sign = usize::from(matches!(role, Role::Diff { .. }));
        if !line.text.trim().is_empty() {
            self.push(role, line.span(sign));
        }
    }

    fn line(&mut self, line: &Line<'_>, next: Option<&Line<'_>>, replied: bool) {
        let trimmed = line.text.trim();
        if let Some(quoted) = trimmed.strip_prefix('>') {
            let inner = quoted.trim_start_matches(['>', ' ']);
            let lead = line.text.len().saturating_sub(inner.len());
            let fenced = inner.starts_with("```");
            let role = if !replied {
                Role::Aside
            } else if inner.trim_start().starts_with("@@") {
                Role::Suggestion
            } else if is_log_line(inner, false) {
                Role::Log
            } else {
                Role::Quote
            };
            if !fenced {
                self.push(role, line.span(lead));
            }
            return;
        }
        if is_row(trimmed) {
            self.row(line);
            return;
        }
        if is_heading(trimmed) {
            self.push(Role::Prose, line.span(0));
            return;
        }
        // `**Why:** …`
        if trimmed
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"))
            .is_some_and(|(label, rest)| label.ends_with(':') || rest.starts_with(':'))
        {
            self.close();
            let skipped = line.text.find(':').map_or(0, |colon| colon.saturating_add(1));
            let label = line.text.get(..skipped).unwrap_or_default().to_lowercase();
            let told = ["why", "reason", "background", "context"].iter().any(|word| label.contains(word));
            self.open = Some((if told { Role::Aside } else { Role::Prose }, line.span(0), line.indent()));
            return;
        }
        if is_place(trimmed) {
            self.push(Role::Element, line.span(0));
            return;
        }
        if let Some(length) = remark_at_a_file(line.text) {
            self.push(Role::Element, line.start..line.start.saturating_add(length));
            self.open = Some((Role::Prose, line.span(length), line.indent()));
            return;
        }
        if is_log_line(line.text, self.after_log) || is_coded(trimmed) {
            self.after_log = true;
            self.push(Role::Log, line.span(0));
            return;
        }
        self.after_log = false;
        if trimmed.starts_with("@@") && trimmed.contains('(') {
            self.push(Role::Suggestion, line.span(0));
            return;
        }
        if let Some((left, right)) = columns(trimmed) {
            let cells = vec![left.to_owned(), right.to_owned()];
            self.push(Role::Row { heads: vec!["now".into(), "new".into()], cells }, line.span(0));
            return;
        }
        if let Some((role, skipped)) = record(line.text) {
            let indent = line.indent();
            let span = line.span(skipped);
            if matches!(role, Role::Prose) {
                self.close();
                self.open = Some((role, span, indent));
            } else {
                self.push(role, span);
            }
            return;
        }
        if let Some(skipped) = list_mark(line.text) {
            self.close();
            let other = checkbox(line.text).is_some() && checkbox(line.text) != self.boxes;
            self.open = Some((if other { Role::Aside } else { Role::Item }, line.span(skipped), line.indent()));
            return;
        }
        if is_code(line, next) {
            self.push(Role::Code, line.span(0));
            return;
        }
        match &mut self.open {
            // What goes on from the line before.
            Some((role, span, indent)) if continues(role, *indent, line, span, &self.units) => {
                span.end = line.span(0).end;
            }
            _ => {
                self.close();
                self.open = Some((Role::Prose, line.span(0), line.indent()));
            }
        }
    }

    fn row(&mut self, line: &Line<'_>) {
        let cells: Vec<String> =
            line.text.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let rule = cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| "-: =".contains(c)));
        if rule {
            return;
        }
        if self.heads.is_empty() {
            self.heads = cells.iter().map(|cell| cell.to_lowercase()).collect();
            self.push(Role::Aside, line.span(0));
            return;
        }
        let heads = self.heads.clone();
        self.push(Role::Row { heads, cells }, line.span(0));
    }
}

/// `## Names`, `**Names**`: a line that stands above others.
pub(super) fn is_heading(line: &str) -> bool {
    let marks = line.chars().take_while(|c| *c == '#').count();
    let bold = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    (1..=6).contains(&marks) && line.get(marks..).is_some_and(|rest| rest.starts_with(' '))
        || bold.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
}

/// Whether something of one's own follows the quoted lines: without it they are history.
fn replies_below(lines: &[Line<'_>]) -> bool {
    let is_quote = |line: &Line<'_>| line.text.trim_start().starts_with('>');
    let first = lines.iter().position(is_quote);
    first.is_some_and(|first| {
        let above = lines.iter().take(first).any(|line| !line.text.trim().is_empty());
        let below = lines.iter().skip(first).any(|line| !is_quote(line) && !line.text.trim().is_empty());
        below || !above
    })
}

fn is_mail_header(line: &str) -> bool {
    let Some((name, _)) = line.split_once(':') else { return false };
    ["from", "to", "cc", "bcc", "subject", "date", "sent", "betreff", "von", "an", "re"]
        .contains(&name.trim().to_lowercase().as_str())
}

fn is_history(line: &str) -> bool {
    let lower = line.to_lowercase();
    let rule = line.starts_with("---") || line.starts_with("___");
    rule && (lower.contains("original message")
        || lower.contains("forwarded message")
        || lower.contains("ursprüngliche"))
        || lower.ends_with("wrote:") && !line.starts_with('>')
}

fn is_signature(line: &str) -> bool {
    ["--", "-- ", "—", "__"].contains(&line)
}

fn is_row(line: &str) -> bool {
    line.starts_with('|') && line.matches('|').count() >= 3 || line.matches(" | ").count() >= 2 && !line.ends_with('.')
}

/// `warning AZC0012 (suppressed): …`: the line of an analyzer, whatever stands behind its code.
fn is_coded(line: &str) -> bool {
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

/// Two names with a gap between them: a table without lines.
fn columns(line: &str) -> Option<(&str, &str)> {
    let at = line.find("  ").or_else(|| line.find('\t')).or_else(|| line.find(" ..."))?;
    let (left, right) = line.split_at(at);
    // `x ...... y`
    let leaders = right.trim_start().starts_with("...");
    let (left, right) = (left.trim(), right.trim().trim_start_matches('.').trim_start());
    let word = |text: &str| crate::names::is_identifier(text);
    let name =
        |text: &str| leaders && word(text) || super::token::is_name_shaped(text) && !text.contains(char::is_whitespace);
    (name(left) && name(right)).then_some((left, right))
}

/// The mark of a list in front of a line: the bytes to skip.
fn list_mark(line: &str) -> Option<usize> {
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
fn checkbox(line: &str) -> Option<bool> {
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
fn record(line: &str) -> Option<(Role, usize)> {
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
        _ if (first == "reply" || first == "comment") && !name.split_whitespace().any(super::token::is_name_shaped) => {
            Some((Role::Prose, skipped))
        }
        _ => None,
    }
}

/// `src/Models/A.cs:14`, alone in its line.
fn is_place(line: &str) -> bool {
    let mut parts = line.trim_end_matches(':').split([':', '(', '#']);
    let source = parts.next().is_some_and(|file| {
        SOURCES.iter().any(|ending| file.ends_with(ending)) && file.contains('/') && !file.contains(char::is_whitespace)
    });
    source && parts.all(|part| part.chars().all(|c| c.is_ascii_digit() || "L-,)".contains(c)))
}

/// The endings of files of code.
const SOURCES: &[&str] = &[".cs", ".java", ".ts", ".py", ".go"];

/// A person's words at a place of the code (`src/Models/A.cs(11,28): the class is fine`): the length of the place.
fn remark_at_a_file(line: &str) -> Option<usize> {
    let (place, rest) = line.split_once(": ")?;
    let file = place.split('(').next()?.trim();
    let source = SOURCES.iter().any(|ending| file.ends_with(ending));
    let one = !file.is_empty() && !file.contains(char::is_whitespace) && place.ends_with(')');
    let mut words = rest.trim_start();
    let reviewed = words.contains("(review)");
    for label in ["error", "warning", "info"] {
        if let Some(behind) = words.strip_prefix(label)
            && !reviewed
        {
            let _ = behind;
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
fn is_hunk(line: &str) -> bool {
    line.starts_with("@@ -")
}

/// How a declaration begins.
const DECLARING: &[&str] = list! {
    "class" "def" "async" "public" "private" "internal" "protected" "interface" "type" "func" "export" "enum" "struct"
    "static" "final" "abstract" "from" "import" "@overload" "readonly" "override" "virtual" "sealed" "partial"
};

/// Whether a line begins as declarations do, behind the signs of a diff.
fn is_declaration(line: &str) -> bool {
    let first = line.trim_start_matches(['+', '-', ' ']).split_whitespace().next().unwrap_or_default();
    DECLARING.contains(&first)
}

/// An indented line of code: a declaration, not a sentence.
fn is_code(line: &Line<'_>, next: Option<&Line<'_>>) -> bool {
    let text = line.text.trim();
    let declares = is_declaration(text);
    let ends = text.ends_with(['{', ':', ';', ')', '}']) && text.contains(['(', '{', '=', '<'])
        || text.ends_with(':') && text.contains('(')
        || text.ends_with(';');
    let _ = next;
    declares && (ends || text.contains("(") && !text.ends_with('.') && line.indent() >= 2)
}

/// Whether a line goes on with the sentence or the item before it.
fn continues(role: &Role, indent: usize, line: &Line<'_>, span: &Range<usize>, _units: &[Unit]) -> bool {
    match role {
        Role::Item | Role::Aside => line.indent() > indent,
        Role::Prose => line.indent() <= indent.saturating_add(1) && !span.is_empty(),
        _ => false,
    }
}
