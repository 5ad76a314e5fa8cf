//! The examples of `knowledge/customizing-client-tsp.md` with what the document says of each.
//!
//! A block fenced as `tsp` is an example, and the comment after it says what it does: `changes:` the languages whose
//! client model becomes another (or `none`), `warns:` the compiler's codes, `fails:` the code of its error, `refused:` the
//! rules of the gate that refuse it (without them it lands), `gate:` the language that the gate judges it for (the first
//! that changes, if left out), `uses:` further namespaces that are opened, and any other line is
//! `LANGUAGE POINTER = JSON`, the value at that place of the language's model, or `absent`. A block fenced as
//! `tsp given` is a part of the service for the next example, and `tsp head` is what every file begins with.
//!
//! Two tests read it, in two crates: one compiles the examples, the other has the gate judge them.

use std::collections::BTreeMap;

/// The whole document's examples.
#[derive(Debug)]
pub struct Examples {
    /// What every `client.tsp` begins with.
    pub head: String,
    /// In the order of the document.
    pub all: Vec<Example>,
}

/// One example.
#[derive(Debug)]
pub struct Example {
    /// The line of the document where its text begins.
    pub line: usize,
    /// What stands in `client.tsp` below the head.
    pub text: String,
    /// What the service has for it besides; may be empty.
    pub given: String,
    /// `changes`, `warns`, `fails`, `refused`, `gate` and `uses`, each with its words; `none` is no word.
    pub said: BTreeMap<String, Vec<String>>,
    /// Language, JSON pointer into its model, and the JSON there; no JSON for nothing there.
    pub shows: Vec<(String, String, Option<String>)>,
}

impl Example {
    /// The words after this key; none if the key is not there.
    pub fn words(&self, key: &str) -> &[String] {
        self.said.get(key).map_or(&[], Vec::as_slice)
    }

    /// The head as this example needs it, with further namespaces opened.
    pub fn head(&self, head: &str) -> String {
        let uses: String = self.words("uses").iter().map(|name| format!("using {name};\n")).collect();
        format!("{head}{uses}")
    }
}

const KEYS: [&str; 6] = ["changes", "warns", "fails", "refused", "gate", "uses"];

/// Reads the document.
///
/// # Panics
/// When a block has no comment, or a comment cannot be read.
pub fn examples(document: &str) -> Examples {
    let (mut head, mut given, mut all) = (String::new(), String::new(), Vec::new());
    let mut lines = document.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let Some(kind) = line.strip_prefix("```tsp") else { continue };
        let text = block(lines.by_ref().map(|(_, line)| line), "```");
        match kind.trim() {
            "head" => head = text,
            "given" => given = text,
            "" => {
                let next = lines.peek().map_or("", |(_, line)| line);
                assert!(next.starts_with("<!-- "), "line {number}: an example without a comment after it");
                let comment = comment(&mut lines.by_ref().map(|(_, line)| line));
                let (said, shows) = effects(&comment, number);
                let given = std::mem::take(&mut given);
                all.push(Example { line: number + 2, text, given, said, shows });
            }
            other => panic!("line {number}: a block of the kind `{other}`"),
        }
    }
    Examples { head, all }
}

fn block<'a>(lines: impl Iterator<Item = &'a str>, end: &str) -> String {
    lines.take_while(|line| *line != end).map(|line| format!("{line}\n")).collect()
}

/// A comment without its marks, up to the line that closes it.
fn comment<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines {
        text += line.trim_start_matches("<!-- ").trim_end_matches("-->").trim();
        text.push('\n');
        if line.ends_with("-->") {
            break;
        }
    }
    text
}

type Effects = (BTreeMap<String, Vec<String>>, Vec<(String, String, Option<String>)>);

fn effects(comment: &str, number: usize) -> Effects {
    let (mut said, mut shows) = (BTreeMap::new(), Vec::new());
    for line in comment.lines().filter(|line| !line.is_empty()) {
        if let Some((key, words)) = line.split_once(':').filter(|(key, _)| KEYS.contains(key)) {
            let words = words.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != "none");
            said.insert(key.to_owned(), words.map(str::to_owned).collect());
            continue;
        }
        let shown = line.split_once(" = ").and_then(|(place, value)| {
            let (language, pointer) = place.split_once(' ')?;
            let value = (value != "absent").then(|| value.to_owned());
            Some((language.to_owned(), pointer.to_owned(), value))
        });
        shows.push(shown.unwrap_or_else(|| panic!("line {number}: `{line}` cannot be read")));
    }
    (said, shows)
}
