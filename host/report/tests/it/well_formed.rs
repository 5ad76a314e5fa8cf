//! A strict reader of the pages: every tag and attribute that may occur is named here, and everything is closed where it
//! has to be. A text that became markup shows as something that is not on the list.

const TAGS: [&str; 42] = [
    "html", "head", "title", "style", "body", "a", "header", "p", "span", "h1", "h2", "h3", "dl", "div", "dt", "dd",
    "time", "code", "nav", "ul", "li", "main", "section", "pre", "article", "table", "caption", "thead", "tbody", "tr",
    "th", "td", "ol", "details", "summary", "strong", "footer", "del", "ins", "mark", "meta", "b",
];
const ATTRIBUTES: [&str; 20] = [
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "href",
    "id",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "datetime",
    "scope",
    "role",
    "tabindex",
    "colspan",
    "open",
    "title",
    "dir",
    "hidden",
];

/// Panics at the first thing that is not on the list.
pub(crate) fn html(page: &str) {
    let rest = page.strip_prefix("<!doctype html>").expect("begins with its type");
    let mut open: Vec<&str> = Vec::new();
    let mut rest = rest;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(open.last() == Some(&"style") || !text.contains('>'), "a `>` in text: {text:?}");
        assert!(!text.contains(bailiwick_unseen), "an unseen character in {text:?}");
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in the wrong place: {open:?}");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(TAGS.contains(&name), "a tag that is not ours: <{tag}>");
        check(name, attributes);
        if name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

fn check(name: &str, attributes: &str) {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (attribute, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("no value: <{name} {attributes}>"));
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("not ended: <{name} {attributes}>"));
        assert!(ATTRIBUTES.contains(&attribute), "an attribute that is not ours: <{name} {attributes}>");
        assert!(attribute != "href" || value.starts_with('#'), "a link that leads away: {value}");
        assert!(!value.contains('<'), "{value}");
        rest = after.trim_start();
    }
}

fn bailiwick_unseen(character: char) -> bool {
    character != '\n' && bailiwick_audit::is_invisible(character)
}
