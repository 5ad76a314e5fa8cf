//! People who speak in turns: `[14:02] Ana: …`, `@ana: …`, and `Ana: …` where names come back at the beginning of lines.

use super::super::lexicon as words;

/// What stands in front of a colon and is nobody.
const LABELS: &[&str] = list! {
    "note" "notes" "decision" "why" "reason" "background" "context" "summary" "title" "fix" "issue" "edit" "update" "pro" "con"
    "pros" "cons" "request" "comment" "reply" "proposal" "action" "before" "after" "now" "today" "wanted" "current" "expected"
    "old" "new" "was" "is" "from" "to" "cc" "subject" "date" "re" "line" "file" "code" "todo" "example" "impact" "priority"
    "name" "names" "severity" "version" "owner" "reporter" "done" "open" "must" "should" "optional" "error" "warning" "info"
    "suggestion" "element" "elementid" "ticket" "question" "answer" "thanks" "hint" "scope" "service" "package" "library"
};

/// The names by which several people speak in a text without times.
pub(in crate::reader) fn speakers(text: &str) -> Vec<String> {
    let bold = bold_speakers(text);
    if !bold.is_empty() {
        return bold;
    }
    let mut found: Vec<(&str, usize)> = Vec::new();
    for name in text.lines().filter_map(name) {
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => found.push((name, 1)),
        }
    }
    let again = found.iter().any(|(_, count)| *count > 1);
    let turns = found.len() > 1 && found.iter().map(|(_, count)| count).sum::<usize>() > 2;
    if again && turns { found.into_iter().map(|(name, _)| name.to_owned()).collect() } else { Vec::new() }
}

/// Who speaks under names in bold print, as threads of a review are pasted: `**rkaur** (author):`, with what is said behind it
/// or below it. One of them has a role, or a handle in place of a name.
fn bold_speakers(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut sure = false;
    for line in text.lines() {
        let Some((name, role, said)) = in_turn(line) else { continue };
        let handle = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let label = LABELS.contains(&name.to_lowercase().as_str()) || words::kinds_of(&name.to_lowercase()).is_some();
        let single = (1..=2).contains(&name.split(' ').count()) && !name.contains(['`', '.', '_', '(']);
        if label || !single || !said.is_empty() && !said.starts_with(' ') {
            continue;
        }
        sure |= !role.is_empty() || handle && !super::super::token::is_name_shaped(name);
        if !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    if sure && found.len() > 1 { found } else { Vec::new() }
}

/// The name, the role and the words of `**rkaur** (author): …`.
fn in_turn(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.trim().strip_prefix("**")?.split_once("**")?;
    let (role, said) = rest.split_once(':')?;
    let role = role.trim();
    let is_role = role.is_empty() || role.starts_with('(') && role.ends_with(')') && !role.contains('`');
    is_role.then_some((name, role, said))
}

/// `**rkaur** (architect)`: a name in bold print, with what its bearer is.
fn in_bold(who: &str) -> Option<&str> {
    let (name, role) = who.trim().strip_prefix("**")?.split_once("**")?;
    let role = role.trim();
    let is_role = role.is_empty() || role.starts_with('(') && role.ends_with(')');
    let is_name = (1..=2).contains(&name.split(' ').count()) && !super::super::token::is_name_shaped(name);
    (is_role && is_name && !LABELS.contains(&name.trim_end_matches(':').to_lowercase().as_str())).then_some(name)
}

fn name(line: &str) -> Option<&str> {
    let (name, said) = line.split_once(": ")?;
    if let Some(name) = in_bold(name).filter(|name| words::kinds_of(&name.to_lowercase()).is_none()) {
        return (!said.trim().is_empty()).then_some(name);
    }
    let mut words = name.split(' ');
    let person = |word: &str| {
        let lower = word.to_lowercase();
        word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || "-.'".contains(c))
            && !super::super::token::is_name_shaped(word)
            && !LABELS.contains(&lower.as_str())
            && !words::STANDINGS.contains(&lower.as_str())
            && words::kinds_of(&lower).is_none()
            && words::language(&lower).is_none()
    };
    let known = words.clone().count() <= 2 && words.all(person) && !said.trim().is_empty();
    known.then_some(name)
}

/// The length of what says who speaks in a line of a conversation.
pub(in crate::reader) fn speaker(line: &str, speakers: &[String]) -> Option<usize> {
    let trimmed = line.trim_start();
    let lead = line.len().saturating_sub(trimmed.len());
    // `**rkaur** (author):`, above or in front of what is said.
    if let Some((_, _, said)) = in_turn(trimmed).filter(|(name, ..)| speakers.iter().any(|one| one == name)) {
        return Some(line.len().saturating_sub(said.trim_start().len()));
    }
    let (who, said) = trimmed.split_once(": ")?;
    let digits = |part: &str| part.len() <= 2 && !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let timed = who.split_whitespace().next().is_some_and(|time| {
        let time = time.trim_matches(['[', ']', '(', ')']);
        time.contains(':') && time.split(':').all(digits)
    });
    let words = who.split_whitespace().count();
    let named =
        who.strip_prefix('@').is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c)));
    let speaks = timed && (2..=4).contains(&words)
        || named
        || speakers.iter().any(|name| name == who || in_bold(who) == Some(name));
    (speaks && !said.trim().is_empty()).then(|| lead.saturating_add(who.len()).saturating_add(2))
}
