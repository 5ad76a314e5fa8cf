//! The frame of a page: its head with the policy, links to its sections, and the sections.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// What a page consists of. Everything but `style` and the titles of sections is markup already.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    pub(crate) style: &'a str,
    /// What stands above the links.
    pub(crate) head: &'a str,
    pub(crate) sections: &'a [Section],
    /// What stands below the sections.
    pub(crate) foot: &'a str,
    pub(crate) served: Served,
}

/// From where a page comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Served {
    /// From a file: it has no forms and sends no address.
    No,
    /// From this program, to which its forms are sent. The browser is asked for the page again after so many seconds.
    Again(Option<u8>),
}

pub(crate) struct Section {
    pub(crate) id: &'static str,
    /// The text of the link to it.
    pub(crate) link: &'static str,
    pub(crate) title: &'static str,
    pub(crate) body: String,
}

impl Page<'_> {
    pub(crate) fn html(&self) -> String {
        let Self { title, style, head, sections, foot, served } = self;
        // With `no-referrer` a browser would send the forms of a page without their origin.
        let (forms, referrer) = match served {
            Served::No => ("'none'", "no-referrer"),
            Served::Again(_) => ("'self'", "same-origin"),
        };
        let policy = format!(
            "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action {forms}",
            STANDARD.encode(Sha256::digest(style.as_bytes()))
        );
        let mut page = String::with_capacity(64 * 1024);
        page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
        page.push_str(&format!("<meta name=\"referrer\" content=\"{referrer}\">\n"));
        if let Served::Again(Some(seconds)) = served {
            page.push_str(&format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n"));
        }
        page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
        page.push_str(&format!("<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"));
        page.push_str("<a class=\"skip\" href=\"#report\">Skip to the report</a>\n");
        page.push_str(head);
        page.push_str("<nav aria-label=\"Sections\"><ul>\n");
        for Section { id, link, .. } in *sections {
            page.push_str(&format!("<li><a href=\"#{id}\">{link}</a></li>\n"));
        }
        page.push_str("</ul></nav>\n<main id=\"report\">\n");
        for Section { id, title, body, .. } in *sections {
            page.push_str(&format!("<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n"));
            page.push_str(&format!("<h2 id=\"{id}-title\">{title}</h2>\n{body}</section>\n"));
        }
        page.push_str("</main>\n");
        page.push_str(foot);
        page.push_str("</body>\n</html>\n");
        page
    }
}
