//! What a request is made of: prose, lists, tables, quoted lines, code, records of review tools, logs; and what of it is
//! mail history or a signature.

mod autorest;
mod blanks;
mod code;
mod decorators;
mod fields;
mod forms;
mod speakers;
mod tables;

use std::ops::Range;

use self::blanks::{without_comments, without_times};

use bailiwick_sdk::diagnostics::pasted::is_log_line;
pub(super) use code::{Declared, declared, differs_in_names, identifiers_of, is_between, rest_of};
use forms::{
    are_heads, cells, checkbox, columns, continues, is_a_name, is_code, is_coded, is_declaration, is_history, is_hunk,
    is_mail_header, is_note, is_place, is_row, is_signature, is_statement, list_mark, record, remark_at_a_file,
    replies_below,
};
pub(super) use forms::{example_label, is_a_pointer, is_heading};
pub(super) use speakers::{speaker, speakers};

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
    let (unseen, stamped) = without_times(without_comments(text));
    let mut lines = Vec::new();
    let mut start = 0_usize;
    for line in unseen.split('\n') {
        lines.push(Line { text: line, start });
        start = start.saturating_add(line.len()).saturating_add(1);
    }
    // Marked boxes are done, unless the text around them says that they are what is asked for.
    let around = || text.lines().filter(|line| checkbox(line).is_none()).map(str::to_lowercase);
    let told = around().any(|line| {
        ["with [x]", "[x] ones", "boxes with", "box with", "with an x"].iter().any(|phrase| line.contains(phrase))
    });
    let selects = told
        || around().any(|line| {
            let is = |list: &[&str]| line.split(|c: char| !c.is_alphanumeric()).any(|word| list.contains(&word));
            is(&["marked", "checked", "ticked", "selected", "crossed"])
                && is(&[
                    "box",
                    "boxes",
                    "ones",
                    "items",
                    "lines",
                    "those",
                    "only",
                    "everything",
                    "all",
                    "which",
                    "what",
                    "i",
                ])
        });
    let boxes = if selects { Some(true) } else { Some(false) };
    let mut split =
        Split { units: Vec::new(), heads: Vec::new(), after_log: false, open: None, boxes, speakers: speakers(text) };
    let mut fence: Option<String> = None;
    let mut mail = lines.iter().take(8).any(|line| is_mail_header(line.text));
    let mut signature = false;
    let mut hunk = false;
    // `// today`, with lines of code below it.
    let mut below_comment = false;
    let replied = replies_below(&lines);
    let records = fields::records(&lines);
    let renames = autorest::renames(&lines);
    let displayed = displayed(&lines);
    let barred = tables::barred(&lines);
    let printed = tables::printed(&lines);
    let mut next_line = 0;
    for (at, line) in lines.iter().enumerate() {
        if at < next_line {
            continue;
        }
        let trimmed = line.text.trim();
        let next = lines.get(at.saturating_add(1));
        let record = records.iter().filter(|_| fence.is_none()).chain(&renames);
        if let Some((_, unit)) = record.into_iter().find(|(taken, _)| taken.contains(&at)) {
            split.close();
            if split.units.last() != Some(unit) {
                split.units.push(unit.clone());
            }
            continue;
        }
        let changes = hunk || fence.as_deref() == Some("diff");
        if let Some(end) = decorators::last_line(&lines, at).filter(|_| !changes) {
            let last = lines.get(end).unwrap_or(line);
            split.push(Role::Suggestion, line.span(0).start..last.span(0).end);
            next_line = end.saturating_add(1);
            continue;
        }
        // `now`, with code below it.
        let code = lines.iter().skip(at.saturating_add(1)).find(|line| !line.text.trim().is_empty());
        if fence.is_none()
            && split.open.is_none()
            && let Some(wanted) = example_label(trimmed)
            && let commented = trimmed.starts_with("//")
            && next.is_some_and(|next| next.text.contains('('))
            && (commented || code.is_some_and(|code| is_statement(code) || code.text.trim_start().starts_with("```")))
        {
            split.push(Role::Example { wanted }, line.start..line.start);
            below_comment = commented;
            continue;
        }
        below_comment &= !trimmed.is_empty();
        if below_comment {
            split.push(Role::Code, line.span(0));
            continue;
        }
        // A note that somebody left in code, with the code below it.
        let below = next.is_some_and(|next| declared(next.text).is_some());
        if fence.is_none() && below && is_note(trimmed) {
            split.push(Role::Code, line.span(0));
            continue;
        }
        // A line of a pipeline says what happened, whatever words stand in it.
        if stamped.contains(&at) && !trimmed.is_empty() {
            split.push(Role::Log, line.span(0));
            continue;
        }
        if let Some(language) = fence.clone() {
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                fence = None;
                hunk = false;
            } else if hunk || language == "diff" || language == "suggestion" && line.text.starts_with(['-', '+']) {
                split.changed(line);
            } else if is_hunk(trimmed) {
                hunk = true;
            } else if language == "suggestion" || trimmed.starts_with("@@") {
                split.push(Role::Suggestion, line.span(0));
            } else if is_log_line(line.text, true) && language.is_empty() && !is_a_pointer(trimmed) {
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
        // What a tool printed, as people paste it.
        if printed.contains(&at) {
            split.push(Role::Quote, line.span(0));
            continue;
        }
        if barred.contains(&at) {
            split.row(line);
            continue;
        }
        if displayed.contains(&at)
            && let Some((_, span, _)) = &mut split.open
        {
            span.end = span.end.max(line.span(0).end);
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
        // `- create: (a: A) => B` and `+ make: (a: A) => B`: nothing but names differs, and it is no prose.
        let exchanged = |old: &Line<'_>, new: &Line<'_>| {
            let bare = |line: &Line<'_>, sign: char| line.text.strip_prefix(sign).map(str::to_owned);
            bare(old, '-').zip(bare(new, '+')).is_some_and(|(old, new)| {
                differs_in_names(&old, &new) && old.contains('(') && old.contains([':', ';', '=', '>'])
            })
        };
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        let pair = declares('-', line) && next.is_some_and(|next| declares('+', next))
            || added && declares('+', line)
            || next.is_some_and(|next| exchanged(line, next))
            || added && before.is_some_and(|before| exchanged(before, line));
        let introduced = before.is_some_and(|before| before.text.trim_end().ends_with(':'))
            || split.units.last().is_some_and(|unit| {
                unit.role == Role::Item && before.is_some_and(|before| before.span(0) == unit.span)
            });
        if introduced && is_a_name(trimmed) {
            // A name alone in its line, below `The following:` or another one.
            split.push(Role::Item, line.span(0));
        } else if is_hunk(trimmed) {
            split.close();
            hunk = true;
        } else if hunk || pair {
            split.changed(line);
        } else {
            split.line(line, replied);
        }
    }
    split.close();
    quotations(&mut split.units, text);
    examples(&mut split.units);
    split.units.retain(|unit| !unit.span.is_empty() || matches!(unit.role, Role::Example { .. }));
    split.units
}

/// Lines that a sentence goes on over: a name that stands apart in its middle, with the empty lines around it.
fn displayed(lines: &[Line<'_>]) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, five) in lines.windows(5).enumerate() {
        let [before, above, name, below, after] = five else { continue };
        let open = before.text.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',') && before.indent() < 4;
        let apart = [above, below].iter().all(|line| line.text.trim().is_empty()) && name.indent() > 1;
        let goes_on = after.indent() < 2 && after.text.starts_with(char::is_lowercase);
        if open && apart && goes_on && crate::names::is_identifier(name.text.trim()) {
            found.extend((1..4).map(|line| at.saturating_add(line)));
        }
    }
    found
}

/// The lines of an example are one piece.
fn examples(units: &mut Vec<Unit>) {
    let mut at = 0;
    while at < units.len() {
        let label = matches!(units.get(at), Some(Unit { role: Role::Example { .. }, span }) if span.is_empty());
        let code = |unit: Option<&Unit>| unit.is_some_and(|unit| unit.role == Role::Code);
        let (first, second) = (at.saturating_add(1), at.saturating_add(2));
        while label && code(units.get(first)) && code(units.get(second)) {
            let end = units.remove(second).span.end;
            if let Some(unit) = units.get_mut(first) {
                unit.span.end = end;
            }
        }
        at = first;
    }
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

struct Split {
    units: Vec<Unit>,
    heads: Vec<String>,
    after_log: bool,
    /// The unit that the next line may go on.
    open: Option<(Role, Range<usize>, usize)>,
    /// Who speaks in turns.
    speakers: Vec<String>,
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

    fn line(&mut self, line: &Line<'_>, replied: bool) {
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
        if let Some(skipped) = speaker(line.text, &self.speakers) {
            self.push(Role::Prose, line.span(skipped));
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
        // Rows between tabs or gaps, below a line of heads.
        if let Some(cells) = cells(line.text) {
            if self.heads.is_empty() && are_heads(&cells) {
                self.heads = cells.iter().map(|cell| cell.to_lowercase()).collect();
                self.push(Role::Aside, line.span(0));
                return;
            }
            if self.heads.len() == cells.len() {
                let heads = self.heads.clone();
                self.push(Role::Row { heads, cells }, line.span(0));
                return;
            }
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
        // A member below the line that opens its type.
        let inside = self.open.is_none()
            && line.indent() > 1
            && matches!(self.units.last(), Some(Unit { role: Role::Code, .. }))
            && (declared(trimmed).is_some() || is_between(trimmed));
        if is_code(line) || is_statement(line) || inside {
            self.push(Role::Code, line.span(0));
            return;
        }
        match &mut self.open {
            // What goes on from the line before.
            Some((role, span, indent)) if continues(role, *indent, line, span) => {
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
