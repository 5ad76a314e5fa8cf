//! Reads Markdown as GitHub does: a stranger's text may stand in code alone.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Stands in every hostile text, and may be read nowhere but as code.
pub(crate) const CANARY: &str = "canary0";

/// Panics where the canary stands outside of code, where a link leads away, and at HTML that is not ours.
pub(crate) fn only_code(markdown: &str) {
    let mut in_code = 0;
    for event in Parser::new_ext(markdown, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code += 1,
            Event::End(TagEnd::CodeBlock) => in_code -= 1,
            Event::Text(text) if in_code == 0 => {
                assert!(!text.contains(CANARY), "as text: {text}\n{markdown}");
            }
            Event::Html(html) | Event::InlineHtml(html) => only_ours(&html),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => panic!("leads away: {dest_url}"),
            _ => {}
        }
    }
}

/// What is folded, and nothing else; between its tags no `<`.
fn only_ours(html: &str) {
    let mut rest = html.to_owned();
    for tag in ["<details>", "<details open>", "</details>", "<summary>", "</summary>", "<code>", "</code>"] {
        rest = rest.replace(tag, "");
    }
    assert!(!rest.contains('<') && !rest.contains('>'), "markup that is not ours: {html}");
}
