//! Error text without what differs from run to run, so that two failures can be compared.

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::Diagnostic;

/// What a failure is known by: its distinct errors with paths, positions and times removed, in a fixed order.
/// Warnings do not count, unless there is nothing else.
#[must_use]
pub fn error_key(diagnostics: &[Diagnostic]) -> String {
    let key = |diagnostic: &Diagnostic| {
        format!(
            "{}|{}|{}|{}",
            diagnostic.tool,
            diagnostic.code.as_deref().unwrap_or_default(),
            diagnostic.symbol.as_deref().unwrap_or_default(),
            normalise(&diagnostic.message)
        )
    };
    let errors: BTreeSet<String> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).map(key).collect();
    let keys = if errors.is_empty() { diagnostics.iter().map(key).collect() } else { errors };
    keys.into_iter().collect::<Vec<_>>().join("\n")
}

/// The text with every path, position, time and memory address replaced by a placeholder, and white space made single.
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut after_position_word = false;
    for word in text.split_whitespace() {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric() && !"/\\.~_".contains(c));
        let core = core.trim_end_matches('.');
        let previous_is_number = words.last().is_some_and(|last| is_number(last));
        let replaced = if core.is_empty() {
            word.to_owned()
        } else if is_time_unit(core) && previous_is_number {
            words.pop();
            "<time>".to_owned()
        } else if is_time(core) {
            "<time>".to_owned()
        } else if is_path(core) {
            "<path>".to_owned()
        } else if is_position(core) || (after_position_word && starts_with_digit(core)) {
            "<position>".to_owned()
        } else if is_address(core) {
            "<address>".to_owned()
        } else {
            word.to_owned()
        };
        after_position_word = is_position_word(core);
        words.push(replaced);
    }
    words.join(" ")
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_number(word: &str) -> bool {
    starts_with_digit(word) && word.parse::<f64>().is_ok()
}

fn is_position_word(word: &str) -> bool {
    const WORDS: [&str; 8] = ["line", "lines", "column", "columns", "col", "row", "position", "offset"];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_time_unit(word: &str) -> bool {
    const UNITS: [&str; 13] =
        ["ns", "us", "µs", "ms", "s", "sec", "secs", "second", "seconds", "min", "minutes", "h", "hours"];
    UNITS.contains(&word)
}

/// `1.5s`, `300ms`, `12:30`, `12:30:01.5`, `2026-08-01`, `2026-08-01T12:30:01Z`.
fn is_time(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if starts_with_digit(word) && is_time_unit(unit) {
        return true;
    }
    let bytes = word.as_bytes();
    if bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-' {
        return bytes[..4].iter().all(u8::is_ascii_digit)
            && bytes[5..7].iter().all(u8::is_ascii_digit)
            && bytes[8..10].iter().all(u8::is_ascii_digit);
    }
    // A clock has two digits in each field; other pairs of numbers are positions.
    let mut fields = word.split(':');
    let two_digits = |field: &str| {
        let whole = field.split('.').next().unwrap_or_default();
        whole.len() == 2 && whole.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.contains(':') && fields.all(two_digits)
}

/// `12:3`, `12,5`, `L12`, `3-5` after a bracket was trimmed.
fn is_position(word: &str) -> bool {
    starts_with_digit(word)
        && word.contains([':', ','])
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | ',' | '-'))
}

fn is_address(word: &str) -> bool {
    word.strip_prefix("0x")
        .is_some_and(|digits| digits.len() >= 4 && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
}

/// A word with a separator, or a file name followed by a position: `Widget.java:12`, `client.tsp(3,1)`.
fn is_path(word: &str) -> bool {
    if word.contains(['/', '\\']) {
        return word.chars().any(char::is_alphanumeric);
    }
    let end = word.find([':', '(', '[']).unwrap_or(word.len());
    let (name, rest) = word.split_at(end);
    let rest = rest.trim_start_matches([':', '(', '[']);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=5).contains(&extension.len())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
            && starts_with_digit(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::normalise;

    #[test]
    fn paths_positions_and_times_do_not_tell_errors_apart() {
        let pairs = [
            (
                "/tmp/a1/azure/_patch.py:3:18: error: no attribute \"x\"",
                "/tmp/b2/azure/_patch.py:9:1: error: no attribute \"x\"",
            ),
            ("Widget.java:[12,5] cannot find symbol", "Widget.java:[40,1] cannot find symbol"),
            ("client.tsp(3,1) bad", "client.tsp(30,11) bad"),
            ("failed at line 12 after 3.2s", "failed at line 99 after 300ms"),
            ("took 12 seconds", "took 9 seconds"),
            ("2026-08-01T10:00:00Z stopped", "2026-08-02T11:00:00Z stopped"),
            ("at 10:02:11 stopped", "at 10:03:59 stopped"),
            ("object at 0x7f00aa12", "object at 0x7f00bb34"),
        ];
        for (one, other) in pairs {
            assert_eq!(normalise(one), normalise(other));
        }
    }

    #[test]
    fn what_an_error_says_tells_errors_apart() {
        let pairs = [
            ("expected 2 arguments", "expected 3 arguments"),
            ("\"Widget\" has no attribute \"a\"", "\"Widget\" has no attribute \"b\""),
            ("module azure.widget.models is missing", "module azure.widget.aio is missing"),
            ("unknown decorator @clientNam", "unknown decorator @acces"),
        ];
        for (one, other) in pairs {
            assert_ne!(normalise(one), normalise(other));
        }
    }
}
