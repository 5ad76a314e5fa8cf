//! Pieces of a text that are left out before it is split, by spaces in their place.

/// The text with what no reader of the page sees (`<!-- … -->`) and what is struck out (`~~…~~`) blanked out.
pub(super) fn without_comments(text: &str) -> String {
    let seen = blanked(text, "<!--", "-->");
    if seen.matches("~~").count() < 2 {
        return seen;
    }
    let struck = blanked(&seen, "~~", "~~");
    // `- ~~X → Y~~ dropped, because …`: why it is struck.
    let mut kept = String::with_capacity(struck.len());
    for (before, line) in seen.split_inclusive('\n').zip(struck.split_inclusive('\n')) {
        let item = before.trim_start_matches([' ', '\t', '-', '*', '+', '.', ')', '[', ']']);
        let item = item.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ')' || c == ' ');
        let rest = line.trim_start_matches([' ', '\t', '-', '*', '+', '.', ')', '(', ':', ',', '—', '–', '[', ']']);
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ".) (:,-".contains(c));
        let first = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default().to_lowercase();
        let inner = item.strip_prefix("~~").and_then(|inner| inner.split_once("~~")).map_or("", |(inner, _)| inner);
        let pair = ["→", "->", "=>", " to "].iter().any(|sign| inner.contains(sign));
        let more = |word: &str| !first.is_empty() && (MORE.contains(&word.to_lowercase().as_str()) || is_name(word));
        let own = rest.contains(['→', '`']) || rest.contains("->") || rest.contains("=>");
        let alone = !own && !rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(more);
        if pair && alone && STRUCK.contains(&first.as_str()) {
            kept.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// How people begin to say why something is struck out.
const STRUCK: &[&str] = list! {
    "dropped" "rejected" "declined" "refused" "withdrawn" "no" "nope" "not" "out" "obsolete" "superseded" "won't" "wontfix"
    "skip" "skipped" "cancelled" "canceled" "postponed" "deferred" "done" "never" "agreed" "stays" "kept" "removed" "resolved"
};

/// Words by which the reason is said of other lines, too.
const MORE: &[&str] = list! {
    "all" "these" "those" "following" "next" "below" "rest" "list" "both" "either" "whole" "nothing" "neither" "others" "other" "same"
    "like" "together"
};

/// `PermitHold`, `permit_hold`
fn is_name(word: &str) -> bool {
    word.contains('_') || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// The text without the time that a pipeline writes in front of each line of a log: `2026-01-02T10:20:30.1234567Z `.
/// The second part says which lines had one.
pub(super) fn without_times(text: String) -> (String, Vec<usize>) {
    let mut seen = text.into_bytes();
    let (mut start, mut number, mut stamped) = (0, 0_usize, Vec::new());
    while start < seen.len() {
        let end =
            seen.iter().skip(start).position(|byte| *byte == b'\n').map_or(seen.len(), |at| start.saturating_add(at));
        let line = seen.get_mut(start..end).unwrap_or_default();
        let stamp = line.iter().position(|byte| *byte == b'Z').filter(|end| (19..=30).contains(end));
        let digits = |line: &[u8], form: &[u8]| {
            line.iter().zip(form).all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form })
        };
        if let Some(stamp) = stamp.filter(|_| digits(line, b"0000-00-00T00:00:00")) {
            line.iter_mut().take(stamp.saturating_add(1)).for_each(|byte| *byte = b' ');
            stamped.push(number);
        }
        number = number.saturating_add(1);
        start = end.saturating_add(1);
    }
    // Only whole ASCII characters were exchanged.
    (String::from_utf8(seen).unwrap_or_default(), stamped)
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
