//! The picture in the README: a terminal, drawn as SVG from what a customization printed.
//!
//! `docs/images/customize.txt` holds the commands that were typed, behind `$ `, and what they printed, in the order in which
//! it came. It is the record of a real run, which `docs/contributing/releasing.md` says how to make anew. A line `…` stands for
//! lines that were left out; nothing else is changed.

use crate::process::say;
use crate::repository;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;

const RECORD: &str = "docs/images/customize.txt";
const PICTURE: &str = "docs/images/customize.svg";

/// In units of the picture; a character of the font is 0.6 times as wide as it is high.
const FONT: usize = 13;
const LINE: usize = 19;
const MARGIN: usize = 16;
/// The bar with the three buttons.
const BAR: usize = 30;

/// Its own background, so that it can be read on a light page and on a dark one.
const STYLE: &str = "text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; \
font-size: 13px; white-space: pre; fill: #d0d7de } .command { fill: #ffffff; font-weight: 600 } .added { fill: #7ee787 } \
.removed { fill: #ffa198 } .place { fill: #79c0ff } .good { fill: #7ee787; font-weight: 600 } .dim { fill: #9aa4af }";

/// Draws the picture from the record.
///
/// # Errors
/// When the record cannot be read or the picture not be written.
pub(crate) fn write() -> Result<()> {
    let root = repository::root();
    let record = fs::read_to_string(root.join(RECORD)).with_context(|| format!("cannot read `{RECORD}`"))?;
    fs::write(root.join(PICTURE), draw(&record)).with_context(|| format!("cannot write `{PICTURE}`"))?;
    say(format_args!("picture: {PICTURE}"));
    Ok(())
}

fn draw(record: &str) -> String {
    let lines: Vec<&str> = record.lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = MARGIN * 2 + columns * FONT * 6 / 10 + FONT;
    let height = BAR + MARGIN * 2 + lines.len() * LINE - LINE / 2;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
role=\"img\">\n<title>A terminal with a recorded customization: the request, the verdict, the difference</title>\n\
<style>{STYLE}</style>\n\
<rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#161b22\" stroke=\"#57606a\"/>\n",
        width - 1,
        height - 1,
    );
    for (button, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let x = MARGIN + 4 + button * 18;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{}\" r=\"5\" fill=\"{colour}\"/>", BAR / 2 + 2);
    }
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let y = BAR + MARGIN + number * LINE;
        let class = class(line).map(|class| format!(" class=\"{class}\"")).unwrap_or_default();
        let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\"{class} xml:space=\"preserve\">{}</text>", escaped(line));
    }
    svg.push_str("</svg>\n");
    svg
}

/// How a line of the record looks.
fn class(line: &str) -> Option<&'static str> {
    let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| line.starts_with(beginning));
    match line {
        _ if starts(&["$ ", "> "]) => Some("command"),
        _ if starts(&["--- ", "+++ ", "…"]) => Some("dim"),
        _ if starts(&["@@"]) => Some("place"),
        _ if starts(&["+"]) => Some("added"),
        _ if starts(&["-"]) => Some("removed"),
        _ if starts(&["success"]) => Some("good"),
        _ => None,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_is_drawn_from_the_record() {
        let [record, picture] =
            [RECORD, PICTURE].map(|file| fs::read_to_string(repository::root().join(file)).unwrap());
        assert_eq!(draw(&record), picture, "`cargo xtask picture` draws it anew");
    }

    #[test]
    fn lines_are_text_whatever_they_hold() {
        let svg = draw("$ a <b> & c\n+added\n");
        assert!(svg.contains("class=\"command\" xml:space=\"preserve\">$ a &lt;b&gt; &amp; c</text>"), "{svg}");
        assert!(svg.contains("class=\"added\" xml:space=\"preserve\">+added</text>"), "{svg}");
    }
}
