//! Wishes for another place than the library: another package, a tool, a website. `In azure-communication-sms, hide send.`

use bailiwick_sdk::tasks::Change;

use super::document::sentence_spans;
use super::token::{Kind, Token, tokenize};
use crate::entities::Lookup;
use crate::names::key;

/// The names under which people know the library, without the words that many names have.
pub(crate) struct Own {
    /// The words of the package's name; `None` where there is no package.
    package: Option<Vec<String>>,
    /// The names of its namespaces and clients, each as one word.
    others: Vec<String>,
}

impl Own {
    /// The package's name where there is a package, and what the specification calls its namespaces and clients.
    pub(crate) fn new<'a>(package: Option<&str>, others: impl Iterator<Item = &'a str>) -> Self {
        Self { package: package.map(parts), others: others.map(|name| parts(name).concat()).collect() }
    }

    /// Whether a name of a package is another one's, in the words of any language: `com.azure.ai.widget.models`,
    /// `azure-widget-rest`. Without a package nothing is known of that.
    fn is_another(&self, package: &str) -> bool {
        let Some(own) = &self.package else { return false };
        let named = parts(in_front_of_types(package));
        let whole = named.concat();
        // `azure-loadtesting` of `azure-developer-loadtesting`; `azure-mgmt-contosowidget` of `azure-mgmt-widget`, and no
        // `azure-storage-widget`.
        let shorter = (0..own.len()).any(|from| own.get(from..).is_some_and(|rest| rest.concat() == whole));
        let longer = named.len() == 1 && !own.is_empty() && whole.ends_with(&own.concat());
        !whole.is_empty() && !shorter && !longer && !self.others.contains(&whole)
    }
}

/// A namespace without the type and the member behind it: `com.azure.widget.models.Widget#getSize`.
fn in_front_of_types(name: &str) -> &str {
    let name = name.split('#').next().unwrap_or(name);
    let ends = [".models.", ".Models.", ".implementation.", ".operations.", ".aio."];
    let end = ends.iter().filter_map(|part| name.find(part)).min();
    let name = end.and_then(|end| name.get(..end)).unwrap_or(name);
    // Packages of Java and modules of Python have no capital letters.
    let lower = name.starts_with("com.azure.") || name.starts_with("azure.");
    let part = lower.then(|| name.char_indices().zip(name.chars().skip(1))).into_iter().flatten();
    let mut types = part.filter(|((_, dot), first)| *dot == '.' && first.is_uppercase());
    types.next().and_then(|((at, _), _)| name.get(..at)).unwrap_or(name)
}

/// The words of a name that not many names have.
fn parts(name: &str) -> Vec<String> {
    const COMMON: &[&str] = list! {
        "com" "azure" "microsoft" "mgmt" "management" "resourcemanager" "ai" "rest" "sdk" "service" "client" "models" "library"
        "package" "python" "java" "dotnet" "net" "js" "javascript" "go"
    };
    let words = name.split(['.', '/', '-', '_', '@', ':']).map(|word| {
        let plain = key(word);
        let plain = plain.strip_suffix("client").filter(|_| word.ends_with("Client")).unwrap_or(&plain);
        plain.strip_suffix("management").filter(|_| word.ends_with("Client")).unwrap_or(plain).to_owned()
    });
    let mut parts: Vec<String> = words.filter(|word| !word.is_empty() && !COMMON.contains(&word.as_str())).collect();
    // `armwidget`, as packages of Go are called.
    if let [one] = parts.as_mut_slice()
        && name.starts_with("arm")
        && let Some(rest) = one.strip_prefix("arm").filter(|rest| !rest.is_empty())
    {
        *one = rest.to_owned();
    }
    // `@azure/arm-widget`
    parts.retain(|word| word != "arm");
    parts
}

/// Tools and sites that have operations of their own to show.
const TOOLS: &[&str] = list! {
    "terraform" "powershell" "cli" "bicep" "ansible" "pulumi" "portal" "studio" "extension" "provider" "intellij" "website"
    "dashboard" "emulator"
};
const DETERMINERS: &[&str] = &["the", "our", "their", "your", "its"];
const NOUNS: &[&str] = list! { "extension" "provider" "module" "package" "library" "tool" "sdk" };
/// What is said of a subject.
const SAID: &[&str] = list! {
    "should" "must" "shall" "needs" "need" "has" "have" "does" "do" "shows" "show" "exposes" "expose" "hides" "hide"
    "shouldn't" "doesn't" "don't" "mustn't"
};

/// The other place that the words of a wish say it is for.
pub(crate) fn another_place(text: &str, change: &Change, own: &Own, lookup: &Lookup<'_>) -> Option<String> {
    let tokens = tokenize(text);
    // In a reason for a new name another place is often an example: `In armnetwork it is X, so call it X.`
    let is_example = matches!(change, Change::Rename { .. });
    let place = |at: &usize| {
        is_other(&tokens, *at, own, lookup)
            && (is_subject(&tokens, *at)
                || is_owner(&tokens, *at)
                || is_inside(&tokens, *at) && (!is_example || is_told(&tokens)))
    };
    (0..tokens.len()).find(place).and_then(|at| tokens.get(at)).map(|token| token.text.clone())
}

/// The other packages that a request says its wishes are for: in the heading of a list, in a cell of a row, or in a sentence
/// that says so of the whole request. Read once for all wishes of a request.
pub(crate) struct Around<'a> {
    request: &'a str,
    /// Where each line starts, and the package whose name is the nearest line above it that is nothing but one.
    lines: Vec<(usize, Option<String>)>,
    /// The package of `This is for PACKAGE.`
    whole: Option<String>,
    /// Behind which byte the next wish is looked for first. Of two equal lines each is below a heading of its own.
    behind: usize,
}

impl<'a> Around<'a> {
    pub(crate) fn of(request: &'a str, own: &Own) -> Self {
        let mut lines = Vec::new();
        let (mut start, mut heading) = (0_usize, None);
        for line in request.split_inclusive('\n') {
            lines.push((start, heading.clone()));
            start = start.saturating_add(line.len());
            let plain = line.trim_end().trim_matches(HEADING);
            heading = only_package(plain).or(heading);
        }
        let sentences = sentence_spans(request).into_iter().map(|span| tokenize(request.get(span).unwrap_or_default()));
        let for_all = sentences.filter(|tokens| is_for_all(tokens, own)).flatten();
        let whole = for_all.into_iter().find(|token| is_package(token) && own.is_another(&token.text));
        Self { request, lines, whole: whole.map(|token| token.text), behind: 0 }
    }

    /// The other package that a wish of the request is for. Wishes are given in the order of the request.
    pub(crate) fn place(&mut self, wish: &str, own: &Own) -> Option<String> {
        let rest = self.request.get(self.behind..).unwrap_or_default();
        let next = rest.find(wish).map(|at| at.saturating_add(self.behind));
        let start = next.or_else(|| self.request.find(wish))?;
        self.behind = start.saturating_add(wish.len());
        let above = self.lines.partition_point(|(line, _)| *line <= start);
        let (line_start, heading) = above.checked_sub(1).and_then(|line| self.lines.get(line))?;
        let line = self.request.get(*line_start..)?.lines().next().unwrap_or_default();
        if line.contains('|') {
            return line.split('|').filter_map(only_package).find(|package| own.is_another(package));
        }
        heading.clone().filter(|package| own.is_another(package)).or_else(|| self.whole.clone())
    }
}

/// The name of a package, where a text is nothing else.
fn only_package(text: &str) -> Option<String> {
    let plain = text.trim().trim_matches('`');
    let mut named = tokenize(text).into_iter().filter(is_package);
    let only = named.next().filter(|only| only.text == plain)?;
    named.next().is_none().then_some(only.text)
}

/// What stands around the words of a heading.
const HEADING: &[char] = &['#', '*', ':', ' ', '[', ']', '-', '=', '`', '\r'];

/// `This is for X.`, `All of it is for X`: a sentence that says of what is asked that it is for another package.
fn is_for_all(tokens: &[Token], own: &Own) -> bool {
    const LONGEST: usize = 7;
    let texts: Vec<&Token> = tokens.iter().filter(|token| token.is_text()).collect();
    let led = texts.first().is_some_and(|first| first.is(&["this", "these", "that", "that's", "all", "everything"]));
    let package = texts.last().is_some_and(|last| is_package(last) && own.is_another(&last.text));
    let meant = texts.len().checked_sub(2).and_then(|at| texts.get(at)).is_some_and(|word| word.is(&["for"]));
    led && package && meant && texts.len() <= LONGEST
}

fn is_other(tokens: &[Token], at: usize, own: &Own, lookup: &Lookup<'_>) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let package = is_package(token) && own.is_another(&token.text);
    package || token.is(TOOLS) && lookup.find(&token.text).is_empty()
}

/// Whether a token is written as names of packages are: `azure-widget`, `@azure/widget`, `Azure.Widget`, `com.azure.widget`.
fn is_package(token: &Token) -> bool {
    let text = token.text.as_str();
    let is_plain = |rest: &str| rest.len() > 3 && rest.chars().all(|c| c.is_ascii_lowercase());
    // Repositories hold the packages of all services.
    let repository = ["azure-sdk", "azure-rest"].iter().any(|start| text.starts_with(start));
    let prefixed = ["azure-", "@azure/", "@azure-rest/", "Azure.", "com.azure."];
    let named = prefixed.iter().any(|start| text.starts_with(start)) || text.strip_prefix("arm").is_some_and(is_plain);
    token.is_text() && !repository && named
}

/// Whether a text says something of what stands here: `X: …`, `Our X should …`, `The X extension (…) must …`.
fn is_subject(tokens: &[Token], at: usize) -> bool {
    let first = tokens.iter().position(Token::is_text).unwrap_or(0);
    let led = match tokens.get(first..at) {
        Some([]) => true,
        Some([one]) => one.kind == Kind::Word,
        Some([one, other]) => one.is(DETERMINERS) && other.kind == Kind::Word,
        _ => false,
    };
    let mut next = at.saturating_add(1);
    if tokens.get(next).is_some_and(|token| token.is(NOUNS)) {
        next = next.saturating_add(1);
    }
    if tokens.get(next).is_some_and(|token| token.is_sign('(')) {
        let length = tokens.iter().skip(next).position(|token| token.is_sign(')')).unwrap_or_default();
        next = next.saturating_add(length).saturating_add(1);
    }
    led && tokens.get(next).is_some_and(|token| token.is_sign(':') || token.is(SAID))
}

/// `that's for X`, `(X) hide …`, `[X] …`: whose wish it is.
fn is_owner(tokens: &[Token], at: usize) -> bool {
    let is = |back: usize, list: &[&str]| {
        at.checked_sub(back).and_then(|before| tokens.get(before)).is_some_and(|token| token.is(list))
    };
    let sign =
        |at: Option<usize>, sign: char| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is_sign(sign));
    let (before, next) = (at.checked_sub(1), at.checked_add(1));
    let marked = at <= 1 && (sign(before, '(') && sign(next, ')') || sign(before, '[') && sign(next, ']'));
    is(1, &["for"]) && is(2, &["that's", "this", "is", "are", "it's", "these", "meant"]) || marked
}

/// `In X the type A is going to be called B.`: what happens there, and no example for a wish that is said behind it.
fn is_told(tokens: &[Token]) -> bool {
    let any = |list: &[&str]| tokens.iter().any(|token| token.is(list));
    let first = tokens.iter().find(|token| token.is_text()).is_some_and(|token| token.is(&["in", "on"]));
    first
        && any(&["becomes", "going", "will", "gets"])
        && !any(&["so", "hence", "therefore", "should", "please", "let's", "we", "ours"])
}

/// Whether a text says that its wish is for what stands here: `In X, hide …`, `Hide … in our X`.
fn is_inside(tokens: &[Token], at: usize) -> bool {
    /// How many words may stand before it: `In our new X`.
    const BEFORE: usize = 4;
    let is = |at: usize, list: &[&str]| tokens.get(at).is_some_and(|token| token.is(list));
    let first = tokens.iter().position(Token::is_text).unwrap_or(0);
    let words = |part: std::ops::Range<usize>| {
        tokens.get(part).is_some_and(|words| words.iter().all(|word| word.kind == Kind::Word))
    };
    let next = at.saturating_add(1);
    let closed = is(next, NOUNS) || tokens.get(next).is_none_or(|token| matches!(token.kind, Kind::Sign(_)));
    let opens = at.saturating_sub(first) <= BEFORE
        && words(first..at)
        && (is(first, &["in", "on"]) || closed && is(first, &["for"]));
    // `it is in the portal, too`: where something is today.
    let told = |before: usize| is(before, &["is", "are", "was", "were", "be", "been", "stands", "lives"]);
    let ends = closed
        && (1..=BEFORE).map(|back| at.wrapping_sub(back)).find(|&here| is(here, &["in", "from"])).is_some_and(|here| {
            let named = here.wrapping_add(1) < at || is(next, NOUNS) || is(here, &["from"]);
            let own = here.wrapping_add(1) == at || is(here.wrapping_add(1), DETERMINERS);
            named && own && words(here..at) && !told(here.wrapping_sub(1))
        });
    at > first && (opens || ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use bailiwick_sdk::tasks::EntityKind;

    fn place(text: &str, rename: bool) -> Option<String> {
        let index = sample::index();
        let own = Own::new(Some("azure-mgmt-widget"), ["Contoso.WidgetManager", "WidgetManagerClient"].into_iter());
        let target = "Contoso.WidgetManager.Widgets.deleteWidget".to_owned();
        let hide = Change::Hide { kind: EntityKind::Operation, target: target.clone() };
        let change = if rename {
            Change::Rename { kind: EntityKind::Operation, target, name: "remove".to_owned() }
        } else {
            hide
        };
        another_place(text, &change, &own, &Lookup::new(&index))
    }

    #[test]
    fn wish_for_another_package_or_tool_is_told_from_one_for_the_library() {
        for text in [
            "In azure-communication-sms, please hide deleteWidget.",
            "azure-mgmt-compute: deleteWidget should be internal there.",
            "Azure.ResourceManager.Compute should make deleteWidget internal.",
            "In azure-mgmt-manager, please hide deleteWidget.",
            "azure-storage-widget: hide deleteWidget.",
            "azure-mgmt-widget-fleet: hide deleteWidget.",
            "Hide deleteWidget in the azure-ai-vision package.",
            "In Language Studio deleteWidget should be hidden.",
            "Terraform provider: deleteWidget should be made internal.",
            "The CLI extension (az widget) should hide deleteWidget.",
            "Hide deleteWidget in our PowerShell module.",
            "Hide deleteWidget from azure-storage-blob.",
            "(azure-storage-blob) hide deleteWidget",
            "Hide deleteWidget: that's for @azure/storage-blob, their team has the ticket",
        ] {
            assert!(place(text, false).is_some(), "{text}");
        }
        for text in [
            "In azure-mgmt-widget, please hide deleteWidget.",
            "azure-widget-rest: hide deleteWidget.",
            "com.azure.resourcemanager.widget.models: hide deleteWidget.",
            "armwidget: hide deleteWidget.",
            "@azure/arm-widget: hide deleteWidget.",
            "azure-widgetmanager: hide deleteWidget.",
            "azure-contoso-widget-manager: hide deleteWidget.",
            "azure-mgmt-contosowidget: hide deleteWidget.",
            "Azure.ResourceManager.Widget should make deleteWidget internal.",
            "azure-sdk-for-python: hide deleteWidget",
            "Hide deleteWidget, it is in the portal, too, and needs a token.",
            "For portal users we hide deleteWidget.",
            "Hide deleteWidget as azure-mgmt-compute does.",
            "deleteWidget should be internal in line with armnetwork",
        ] {
            assert_eq!(place(text, false), None, "{text}");
        }
    }

    #[test]
    fn heading_row_or_sentence_that_names_another_package_is_where_a_wish_is_for() {
        let own = Own::new(Some("@azure/arm-widget"), ["Contoso.WidgetManager"].into_iter());
        let around = |request: &str, wish: &str| Around::of(request, &own).place(wish, &own);
        let wish = "deleteWidget -> removeWidget";
        for text in [
            "sprint 9\n\n@azure/policy-admin\n * deleteWidget -> removeWidget\n\n@azure/arm-widget\n * a -> b\n",
            "## `azure-storage-blob`\ndeleteWidget -> removeWidget",
            "This is for Azure.Storage.Blobs.\ndeleteWidget -> removeWidget",
            "This is for azure-storage-blob.\ndeleteWidget -> removeWidget",
        ] {
            assert!(around(text, wish).is_some(), "{text}");
        }
        let row = "| @azure/policy-admin | deleteWidget | removeWidget |";
        assert!(around(&format!("| package | old | new |\n|---|---|---|\n{row}"), row).is_some());
        for text in [
            "@azure/policy-admin\n * a -> b\n\n@azure/arm-widget\n * deleteWidget -> removeWidget\n",
            "In azure-storage-blob it is so:\ndeleteWidget -> removeWidget",
            "| package | old |\n|---|---|\n| @azure/policy-admin | a |\n\ndeleteWidget -> removeWidget",
        ] {
            assert_eq!(around(text, wish), None, "{text}");
        }
    }

    #[test]
    fn equal_wishes_below_two_packages_are_for_one_package_each() {
        let own = Own::new(Some("@azure/arm-widget"), ["Contoso.WidgetManager"].into_iter());
        let wish = "deleteWidget -> removeWidget";
        let request = format!("@azure/policy-admin\n * {wish}\n\n@azure/arm-widget\n * {wish}\n");
        let mut around = Around::of(&request, &own);
        assert_eq!(around.place(wish, &own).as_deref(), Some("@azure/policy-admin"));
        assert_eq!(around.place(wish, &own), None);
    }

    #[test]
    fn other_place_is_an_example_for_a_new_name_unless_the_wish_is_said_of_it() {
        assert_eq!(place("In armnetwork it is remove, so rename deleteWidget to remove.", true), None);
        assert!(place("azure-mgmt-compute: rename deleteWidget to remove.", true).is_some());
        assert!(place("In azure-mgmt-compute deleteWidget is going to be called remove.", true).is_some());
    }
}
