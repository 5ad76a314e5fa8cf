//! Causes of failures that Maven itself reports.

// A build writes the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

/// Beginnings of lines that only announce the cause.
const ANNOUNCING: [&str; 5] = [
    "COMPILATION ERROR",
    "[ERROR] Some problems were encountered",
    "Some problems were encountered",
    "The build could not read",
    "The project ",
];

/// The first error of Maven's own that names a cause, with the artifact or the plugin in it.
#[must_use]
pub fn complaint(output: &str) -> Option<String> {
    output.lines().map(without_colours).find_map(|line| {
        let text = line.strip_prefix("[ERROR]").or_else(|| line.strip_prefix("[FATAL]"))?.trim();
        let text = text.split(" -> [Help").next().unwrap_or(text).trim_end();
        let announces = text.is_empty() || ANNOUNCING.iter().any(|start| text.starts_with(start));
        (!announces).then(|| fetched(text).unwrap_or_else(|| text.to_owned()))
    })
}

/// The same where Maven would have asked a repository, whose name is no help: no build has a network.
fn fetched(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("Cannot access ")?;
    let (_, rest) = rest.split_once(" in offline mode and the artifact ")?;
    let (artifact, after) = rest.split_once(" has not been downloaded from it before")?;
    let after = after.trim_end_matches('.');
    let hint = command(artifact).map_or_else(String::new, |command| {
        format!(
            ": no repository that Maven was set up with had it. `{command}` shows whether one has it now; then remove the \
             package's `java-package-…` directory from the cache directory, and it is fetched again"
        )
    });
    Some(format!("{before}`{artifact}` was not fetched before the build, which has no network{hint}{after}"))
}

/// The command that asks Maven's repositories for an artifact: `group:name:kind:version`, perhaps with a classifier.
fn command(artifact: &str) -> Option<String> {
    let coordinates = match artifact.split(':').collect::<Vec<_>>()[..] {
        [group, name, "jar", version] => format!("{group}:{name}:{version}"),
        [group, name, kind, version] => format!("{group}:{name}:{version}:{kind}"),
        [group, name, kind, classifier, version] => format!("{group}:{name}:{version}:{kind}:{classifier}"),
        _ => return None,
    };
    Some(format!("mvn dependency:get -Dartifact={coordinates}"))
}

/// A line without the colours that Maven prints even where it was told to print none.
#[must_use]
pub fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = after.trim_start_matches(|one: char| one.is_ascii_digit() || one == ';');
        rest = rest.strip_prefix('m').unwrap_or(rest);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaint_is_the_line_that_names_the_artifact() {
        for (output, expected) in [
            (
                "\u{1b}[0mPicked up JAVA_TOOL_OPTIONS: -Dx\n\
                 [ERROR] Plugin o.a:maven-clean-plugin:2.5 or one of its dependencies could not be resolved: offline -> [Help 1]\n\
                 [ERROR] \n[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n",
                Some("Plugin o.a:maven-clean-plugin:2.5 or one of its dependencies could not be resolved: offline"),
            ),
            (
                "[INFO] Scanning for projects...\n[ERROR] [ERROR] Some problems were encountered while processing the POMs:\n\
                 [FATAL] Non-resolvable parent POM for g:a:1: Cannot access central in offline mode @ line 1, column 63\n @ \n\
                 [ERROR] The build could not read 1 project -> [Help 1]\n",
                Some("Non-resolvable parent POM for g:a:1: Cannot access central in offline mode @ line 1, column 63"),
            ),
            (
                "[ERROR] Failed to execute goal on project a: Could not resolve dependencies for project g:a:jar:1: Cannot access \
                 central (https://r.example) in offline mode and the artifact g:b:jar:2 has not been downloaded from it before. -> [Help 1]\n",
                Some(
                    "Failed to execute goal on project a: Could not resolve dependencies for project g:a:jar:1: `g:b:jar:2` was not \
                 fetched before the build, which has no network: no repository that Maven was set up with had it. \
                 `mvn dependency:get -Dartifact=g:b:2` shows whether one has it now; then remove the package's `java-package-…` \
                 directory from the cache directory, and it is fetched again",
                ),
            ),
            ("[\u{1b}[1;31mERROR\u{1b}[m] \u{1b}[1mwords\u{1b}[m\n", Some("words")),
            ("[ERROR] COMPILATION ERROR : \n[ERROR] A.java:[1,2] x\n", Some("A.java:[1,2] x")),
            ("all well\n", None),
        ] {
            assert_eq!(complaint(output).as_deref(), expected);
        }
    }
}
