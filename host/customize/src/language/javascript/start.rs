//! Starts the compiler and scripts, and reads what they say.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bailiwick_process::Finished;
use bailiwick_sdk::diagnostics::tsc;
use bailiwick_sdk::tasks::Diagnostic;

use super::super::LanguageError;
use super::super::ran::{self, Ran};
use super::build::{Place, Way};
use bailiwick_toolchains::{Child, Children, Node, TypeScript};

/// A large library takes some minutes.
const DEADLINE: Duration = Duration::from_secs(15 * 60);

/// What an earlier check found, by a name in the scratch directory under which nothing is.
const EARLIER: &str = "none.tsbuildinfo";

/// What starts the compiler and scripts.
pub(super) struct Starter<'a> {
    pub(super) package: &'a Path,
    pub(super) node: &'a Node,
    pub(super) typescript: &'a TypeScript,
    pub(super) children: &'a Children,
    pub(super) scratch: PathBuf,
}

impl Starter<'_> {
    pub(super) async fn start(&self, place: &Place, way: &Way) -> Result<Output, LanguageError> {
        let (layout, node, typescript) = (&place.layout, self.node, self.typescript);
        let mut path: Vec<PathBuf> = node.executable.parent().map(Path::to_owned).into_iter().collect();
        path.push(layout.package.join("node_modules/.bin"));
        let mut read = vec![node.root.clone(), typescript.root.clone()];
        let list = layout.show(self.package, &mut read);
        // npm's own package, above `bin/npm-cli.js`.
        read.extend(typescript.npm.as_deref().and_then(Path::parent).and_then(Path::parent).map(Path::to_owned));
        let earlier = self.scratch.join(EARLIER);
        match std::fs::remove_file(&earlier) {
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound) => {
                return Err(LanguageError::io(&earlier, "removed")(error));
            }
            _ => {}
        }
        let child = Child {
            program: &node.executable,
            arguments: way.arguments(&earlier),
            directory: &layout.package,
            path,
            environment: vec![("NODE_NO_WARNINGS", "1".into()), ("npm_config_update_notifier", "false".into())],
            read,
            list,
            write: vec![layout.tree.clone()],
            scratch: &self.scratch,
            deadline: DEADLINE,
        };
        Ok(match ran::run(child, self.children, "tsc", way.name()).await? {
            Ran::Ended(finished) => self.output(place, way, &finished),
            Ran::Stopped { log, error } => {
                Output { diagnostics: vec![error], log: layout.readable(&log), compiled: Vec::new() }
            }
        })
    }

    fn output(&self, place: &Place, way: &Way, finished: &Finished) -> Output {
        let text = place.layout.readable(&format!("{}{}", finished.stdout.text, finished.stderr.text));
        let mut diagnostics = tsc::parse(&text, |path| known_file(self.package, path));
        if !finished.exit.is_success() && !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.push(Diagnostic::without_place(
                "tsc",
                "build",
                format!("{} failed ({}): {}", way.name(), finished.exit, last_words(finished)),
            ));
        }
        let log = text.lines().filter(|line| !is_listed(line)).fold(String::new(), |log, line| log + line + "\n");
        Output { diagnostics, log, compiled: listed(&text) }
    }
}

/// What the compiler or a script said.
pub(super) struct Output {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) log: String,
    /// The package's own files that the compiler listed.
    pub(super) compiled: Vec<String>,
}

impl Output {
    pub(super) fn passed(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Adds what was said next.
    pub(super) fn then(&mut self, next: Self) {
        self.diagnostics.extend(next.diagnostics);
        self.log.push_str(&next.log);
        self.compiled = next.compiled;
    }
}

/// `src/a.ts` or `sdk/src/a.ts` as a file of the package, if it is one.
fn known_file(package: &Path, path: &str) -> Option<String> {
    let path = path.strip_prefix("sdk/").unwrap_or(path).trim_start_matches("./");
    let inside = !path.starts_with('/') && !path.split('/').any(|part| part == ".." || part == "node_modules");
    (inside && package.join(path).is_file()).then(|| format!("sdk/{path}"))
}

fn is_listed(line: &str) -> bool {
    let is_source = [".ts", ".mts", ".cts", ".tsx", ".js", ".json"].iter().any(|ending| line.ends_with(ending));
    (line.starts_with('/') || line.starts_with("sdk/") || line.starts_with("repository/")) && is_source
}

/// The package's own files among those that the compiler lists, relative to the package.
fn listed(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| is_listed(line));
    lines.filter_map(|line| line.strip_prefix("sdk/")).map(str::to_owned).collect()
}

fn last_words(finished: &Finished) -> String {
    let said = |text: &str| text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned);
    said(&finished.stderr.text).or_else(|| said(&finished.stdout.text)).unwrap_or_else(|| "it said nothing".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_told_from_others_that_the_compiler_lists() {
        assert_eq!(listed("/set/lib.d.ts\nsdk/src/a.ts\nsrc/a.ts(1,1): error TS1: x.ts\n"), ["src/a.ts"]);
    }
}
