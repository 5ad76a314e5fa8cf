//! Links of the Markdown pages: files that exist, headings that exist, and no page that the book leaves out.
//!
//! A page of the book links pages of the book alone, since nothing else is beside it once it is built. It names files of
//! the repository by their paths. Addresses of the web are not asked for.

use anyhow::{Context, Result, ensure};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

const BOOK: &str = "docs";
/// What is read beside the pages at the root.
const DIRECTORIES: [&str; 3] = [BOOK, "examples", "knowledge"];
/// A page that is another file, as mdbook writes it.
const INCLUDE: &str = "{{#include ";

/// What of a page matters here.
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

/// Reads every page below `root` and holds their links against one another.
///
/// # Errors
/// With every link that leads nowhere.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut pages = BTreeMap::new();
    collect(root, Path::new(""), false, &mut pages)?;
    for directory in DIRECTORIES {
        collect(root, Path::new(directory), true, &mut pages)?;
    }
    let complaints = complaints(root, &pages);
    ensure!(complaints.is_empty(), "pages with links that lead nowhere:\n{}", complaints.join("\n"));
    Ok(())
}

fn complaints(root: &Path, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut linked = BTreeSet::new();
    let summary = Path::new(BOOK).join("SUMMARY.md");
    for (path, page) in pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { joined(path, file) };
            let wrong = if !root.join(&target).exists() {
                "no such file"
            } else if path.starts_with(BOOK) && !target.starts_with(BOOK) {
                "is not in the book; name its path instead"
            } else if !anchor.is_empty() && !pages.get(&target).is_some_and(|page| page.anchors.contains(anchor)) {
                "no such heading"
            } else {
                if *path == summary {
                    linked.insert(target);
                }
                continue;
            };
            complaints.push(format!("{}: `{link}`: {wrong}", path.display()));
        }
    }
    let missing = pages.keys().filter(|path| path.starts_with(BOOK) && **path != summary && !linked.contains(*path));
    complaints.extend(missing.map(|path| format!("{}: not in {}", path.display(), summary.display())));
    complaints
}

fn collect(root: &Path, directory: &Path, deep: bool, pages: &mut BTreeMap<PathBuf, Page>) -> Result<()> {
    let at = root.join(directory);
    for entry in fs::read_dir(&at).with_context(|| format!("cannot read `{}`", at.display()))? {
        let name = entry?.file_name();
        let path = directory.join(&name);
        if root.join(&path).is_dir() {
            if deep && name != "node_modules" && name != "target" {
                collect(root, &path, deep, pages)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(root.join(&path)).with_context(|| format!("`{}`", path.display()))?;
            let mut page = read(&text);
            // The anchors of what it includes are its own. Links in there count from where it is included.
            if let Some((_, rest)) = text.split_once(INCLUDE) {
                let included = joined(&path, rest.split("}}").next().unwrap_or_default());
                let file = root.join(&included);
                page = read(&fs::read_to_string(&file).with_context(|| format!("`{}`", included.display()))?);
            }
            pages.insert(path, page);
        }
    }
    Ok(())
}

fn read(text: &str) -> Page {
    let mut page = Page { anchors: BTreeSet::new(), links: Vec::new() };
    let mut heading = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => page.links.push(dest_url.into()),
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor(&heading.take().unwrap_or_default());
                let numbered = (1..).map(|number| format!("{anchor}-{number}"));
                let free = std::iter::once(anchor.clone()).chain(numbered).find(|one| !page.anchors.contains(one));
                page.anchors.extend(free);
            }
            // `<img src="…">`, the one element that the pages have.
            Event::Html(html) | Event::InlineHtml(html) => {
                page.links.extend(html.split("src=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.into())));
            }
            _ => {}
        }
    }
    page
}

/// The anchor that mdbook and GitHub give to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || "_- ".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// `link` as seen from the page `from`, without `..`.
fn joined(from: &Path, link: &str) -> PathBuf {
    let mut path = from.parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pages: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for directory in DIRECTORIES {
            fs::create_dir(root.path().join(directory)).unwrap();
        }
        for (path, text) in pages {
            fs::write(root.path().join(path), text).unwrap();
        }
        let error = check(root.path()).err().map(|error| error.to_string()).unwrap_or_default();
        error.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn links_that_lead_somewhere_are_accepted() {
        let page = "# One `two`: 3\n## Again\n## Again\n[a](#one-two-3) [b](SUMMARY.md) [c](#again-1) <https://example.com/x#y>";
        assert_eq!(of(&[("docs/SUMMARY.md", "[a](a.md)"), ("docs/a.md", page)]), [""; 0]);
        let included = [("docs/SUMMARY.md", "[a](a.md)"), ("docs/a.md", "{{#include ../B.md}}"), ("B.md", "# B\n")];
        assert_eq!(of(&included), [""; 0]);
    }

    #[test]
    fn every_link_that_leads_nowhere_is_named_with_its_page() {
        let found = of(&[
            ("README.md", "[a](docs/a.md#none) <img alt=\"x\" src=\"none.svg\">"),
            ("docs/SUMMARY.md", "[a](a.md)"),
            ("docs/a.md", "[readme](../README.md) ![picture](none.png)"),
            ("docs/left-out.md", "# Left out"),
        ]);
        let expected = [
            "README.md: `docs/a.md#none`: no such heading",
            "README.md: `none.svg`: no such file",
            "docs/a.md: `../README.md`: is not in the book; name its path instead",
            "docs/a.md: `none.png`: no such file",
            "docs/left-out.md: not in docs/SUMMARY.md",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn page_that_includes_what_links_beside_itself_is_refused() {
        let pages =
            [("docs/SUMMARY.md", "[a](a.md)"), ("docs/a.md", "{{#include ../B.md}}"), ("B.md", "[c](docs/c.md)")];
        let found = of(&pages);
        assert!(found.iter().any(|line| line == "docs/a.md: `docs/c.md`: no such file"), "{found:?}");
    }
}
