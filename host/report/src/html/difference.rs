//! Differences, both sides beside each other; on a narrow screen one below the other.

use super::escape::{escape, line};
use super::parts::more;
use crate::clip;
use crate::limits::Limits;
use crate::model::{FileDiff, Report, Row};
use crate::say;

/// The differences of all files that people and agents edit, then the list of generated ones.
pub(super) fn difference(report: &Report, limits: &Limits) -> String {
    let mut body = String::new();
    let mut left = limits.rows;
    for file in report.diff.iter().take(limits.list) {
        body.push_str(&one_file(file, &mut left, limits));
    }
    body.push_str(&more(report.diff.len().saturating_sub(limits.list)));
    if !report.generated.is_empty() {
        let all = report.generated.len() as u64 + report.more_generated;
        let title = say::count(all, "generated file");
        body.push_str(&format!(
            "<details class=\"generated\"><summary>{title}, written by the emitter</summary>\n<ul>\n"
        ));
        for file in report.generated.iter().take(limits.list) {
            let (path, change) = (line(&file.path, limits), line(&file.change, limits));
            body.push_str(&format!("<li><code>{path}</code> {change}</li>\n"));
        }
        body.push_str("</ul>\n");
        let listed = report.generated.len().min(limits.list) as u64;
        body.push_str(&more(usize::try_from(all - listed).unwrap_or(usize::MAX)));
        body.push_str("</details>\n");
    }
    body
}

fn one_file(file: &FileDiff, left: &mut usize, limits: &Limits) -> String {
    let path = line(&file.path, limits);
    let counts = format!(
        "<span class=\"plus\">+{} added</span> <span class=\"minus\">−{} removed</span>",
        say::grouped(file.added as u64),
        say::grouped(file.removed as u64)
    );
    let change = line(&file.change, limits);
    let mut body =
        format!("<article class=\"file\">\n<h3><code>{path}</code></h3>\n<p class=\"counts\">{change}: {counts}</p>\n");
    if file.rows.is_empty() {
        body.push_str("</article>\n");
        return body;
    }
    body.push_str(
        "<table class=\"diff\" role=\"table\">\n<caption>Before on the left, after on the right</caption>\n\
         <thead role=\"rowgroup\"><tr role=\"row\"><th scope=\"col\" role=\"columnheader\">Line</th>\
         <th scope=\"col\" role=\"columnheader\">Before</th><th scope=\"col\" role=\"columnheader\">Line</th>\
         <th scope=\"col\" role=\"columnheader\">After</th></tr></thead>\n<tbody role=\"rowgroup\">\n",
    );
    let shown = file.rows.len().min(*left);
    for (index, row) in file.rows[..shown].iter().enumerate() {
        body.push_str(&one_row(row, index == 0, limits));
    }
    *left -= shown;
    body.push_str("</tbody>\n</table>\n");
    body.push_str(&more(file.rows.len() - shown));
    body.push_str("</article>\n");
    body
}

fn one_row(row: &Row, first: bool, limits: &Limits) -> String {
    match row {
        // The first lines of a file have nothing left out before them.
        Row::Gap { at: (..=1, ..=1) } if first => String::new(),
        Row::Gap { at: (old, new) } => {
            format!(
                "<tr class=\"gap\" role=\"row\"><td colspan=\"4\" role=\"cell\">lines left out; on from line {old} before, {new} after</td></tr>\n"
            )
        }
        Row::Same { at: (old, new), text } => {
            let text = escape(&clip::code_line(text, limits.line));
            let side = |number: usize, class: &str| {
                format!(
                    "<td class=\"number {class}\" role=\"cell\">{number}</td><td class=\"{class}\" role=\"cell\"><pre>{text}</pre></td>"
                )
            };
            format!("<tr class=\"same\" role=\"row\">{}{}</tr>\n", side(*old, "old"), side(*new, "new"))
        }
        Row::Differs { old, new } => {
            let (old_text, new_text) = match (old, new) {
                (Some((_, old)), Some((_, new))) => marked(old, new, limits),
                (old, new) => {
                    let whole = |side: &Option<(usize, String)>| {
                        let (_, text) = side.as_ref()?;
                        Some(escape(&clip::code_line(text, limits.line)))
                    };
                    (whole(old).unwrap_or_default(), whole(new).unwrap_or_default())
                }
            };
            let side = |side: &Option<(usize, String)>, text: &str, class: &str, sign: &str, tag: &str| match side {
                Some((number, _)) => format!(
                    "<td class=\"number {class} changed\" role=\"cell\">{number}<span class=\"sign\">{sign}</span></td>\
                     <td class=\"{class} changed\" role=\"cell\"><pre><{tag}>{text}</{tag}></pre></td>"
                ),
                None => format!(
                    "<td class=\"number {class} none\" role=\"cell\"></td><td class=\"{class} none\" role=\"cell\"></td>"
                ),
            };
            let (left, right) = (side(old, &old_text, "old", "−", "del"), side(new, &new_text, "new", "+", "ins"));
            format!("<tr role=\"row\">{left}{right}</tr>\n")
        }
    }
}

/// Both lines, with what differs between their common beginning and end marked.
fn marked(old: &str, new: &str, limits: &Limits) -> (String, String) {
    let (old, new) = (clip::code_line(old, limits.line), clip::code_line(new, limits.line));
    let begin: usize = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (old_rest, new_rest) = (&old[begin..], &new[begin..]);
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    // Lines with little in common are clearer without.
    let common = begin + end;
    if common * 3 < old.len().max(new.len()) {
        return (escape(&old), escape(&new));
    }
    let mark = |text: &str| {
        let (head, middle, tail) = (&text[..begin], &text[begin..text.len() - end], &text[text.len() - end..]);
        let middle = if middle.is_empty() { String::new() } else { format!("<mark>{}</mark>", escape(middle)) };
        format!("{}{middle}{}", escape(head), escape(tail))
    };
    (mark(&old), mark(&new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::HTML;

    #[test]
    fn what_differs_within_a_line_is_marked() {
        let (old, new) = marked("    return self._title + \"<\"", "    return self._name + \"<\"", &HTML[0]);
        assert_eq!(old, "    return self._<mark>titl</mark>e + &quot;&lt;&quot;");
        assert_eq!(new, "    return self._<mark>nam</mark>e + &quot;&lt;&quot;");
        assert_eq!(marked("abc", "xyz", &HTML[0]), ("abc".to_owned(), "xyz".to_owned()));
        assert_eq!(marked("aa", "aaa", &HTML[0]), ("aa".to_owned(), "aa<mark>a</mark>".to_owned()));
        assert_eq!(marked("ää", "äüä", &HTML[0]), ("ää".to_owned(), "ä<mark>ü</mark>ä".to_owned()));
    }
}
