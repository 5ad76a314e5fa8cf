//! `docs/reference/command-line.md`: every command, argument and option, from the definitions that the command line is parsed with.
//!
//! `BAILIWICK_REWRITE_SNAPSHOTS=1` rewrites the page; read the difference before it is kept.

use crate::arguments::Arguments;
use clap::builder::StyledStr;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;
use std::path::Path;

const PAGE: &str = "../../docs/reference/command-line.md";
const HEAD: &str = "# Command line

Every command of `bailiwick`, with its arguments and options. A test makes this page from the definitions that the command line
is parsed with:

```sh
BAILIWICK_REWRITE_SNAPSHOTS=1 cargo test -p bailiwick-cli --bin bailiwick command_line_page
```

`--help` prints the same for one command, `-h` a short form, and `--version` the version. [Exit codes](exit-codes.md) and
[Environment](environment.md) have pages of their own.
";

#[test]
fn page_is_what_the_definitions_say() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    if std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some() {
        std::fs::write(path, page).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = page.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
    assert!(page == kept, "the page and the definitions differ, first (made, kept) in {differing:?}");
}

fn page() -> String {
    let mut command = Arguments::command();
    command.build();
    let mut page = HEAD.to_owned();
    let global: Vec<&Arg> = command.get_arguments().filter(|argument| argument.is_global_set()).collect();
    page.push_str("\n## For every command\n\n");
    global.iter().for_each(|argument| describe(argument, &mut page));
    section(&command, "bailiwick", &mut page);
    page
}

/// What a command says of itself, then the same of those below it.
fn section(command: &Command, path: &str, page: &mut String) {
    let level = if path.contains(' ') { "###" } else { "##" };
    let _ = writeln!(page, "\n{level} {path}\n");
    let about = command.get_long_about().or(command.get_about()).map(text).unwrap_or_default();
    let _ = writeln!(page, "{about}");
    let usage = command.clone().render_usage().to_string();
    let _ = writeln!(page, "\n```text\n{}\n```", usage.replace("Usage: ", ""));
    let below = || command.get_subcommands().filter(|below| below.get_name() != "help" && !below.is_hide_set());
    if below().next().is_some() {
        page.push_str("\n| command | does |\n|---|---|\n");
    }
    for one in below() {
        let about = text(one.get_about().unwrap_or_default()).replace('\n', " ").replace('|', "\\|");
        let anchor = format!("{path} {}", one.get_name()).replace(' ', "-");
        let _ = writeln!(page, "| [`{}`](#{anchor}) | {about} |", one.get_name());
    }
    let own: Vec<_> = command
        .get_arguments()
        .filter(|argument| !argument.is_global_set() && !argument.is_hide_set())
        .filter(|argument| !["help", "version"].contains(&argument.get_id().as_str()))
        .collect();
    if !own.is_empty() {
        page.push('\n');
    }
    own.iter().for_each(|argument| describe(argument, page));
    if let Some(after) = command.get_after_help() {
        let after = text(after);
        match after.split_once(":\n") {
            Some((title, lines)) => {
                let _ = writeln!(page, "\n{title}:\n\n```sh\n{}\n```", undented(lines));
            }
            None => {
                let _ = writeln!(page, "\n{after}");
            }
        }
    }
    for one in below() {
        section(one, &format!("{path} {}", one.get_name()), page);
    }
}

/// One item of a list.
fn describe(argument: &Arg, page: &mut String) {
    let shown = argument.to_string();
    let help = argument.get_long_help().or(argument.get_help()).map(text).unwrap_or_default();
    let stop = if help.ends_with('.') { "" } else { "." };
    let _ = write!(page, "- `{shown}`: {}{stop}", help.replace('\n', " "));
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(page, " Default: `{}`.", defaults.join(" "));
    }
    page.push('\n');
    let values = argument.get_possible_values();
    for value in values.iter().filter(|_| argument.get_action().takes_values()) {
        let help = value.get_help().map(text).unwrap_or_default();
        let _ = writeln!(page, "  - `{}`: {}.", value.get_name(), help.trim_end_matches('.'));
    }
}

/// Plain text, without the line breaks that the source has within a paragraph.
fn text(styled: &StyledStr) -> String {
    styled.to_string().trim_end().to_owned()
}

fn undented(lines: &str) -> String {
    lines.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
