//! `eng/swagger_to_sdk_config.json` and its command lines as a repository may write them.

use std::path::Path;

use bailiwick_fuzz::Target;

use super::command;
use super::file::{Purpose, Script, SdkConfiguration};

#[test]
fn sdk_configurations() {
    const WORDS: &[&str] = &[
        "\"packageOptions\":{",
        "\"buildScript\":",
        "\"command\":\"",
        "\"path\":\"",
        "null",
        "../",
        "{packagePath}",
        "{PackagePath",
        "{{",
        "&&",
        "|",
        "$(",
        "2>&1",
        "\\\"",
        "'",
        "\\u0000",
    ];
    Target { name: "sdk_configurations", words: WORDS }.run_text(|text| {
        let root = Path::new("/nowhere");
        if let Ok(configuration) = SdkConfiguration::parse(root, text) {
            for purpose in [Purpose::Build, Purpose::Changelog, Purpose::Version, Purpose::Metadata] {
                match configuration.script(purpose) {
                    Ok(Some(script @ Script::Command(_))) => drop(script.shown()),
                    Ok(Some(Script::PowerShell(path))) => panic!("there is no `{}`", path.display()),
                    Ok(None) | Err(_) => {}
                }
            }
        }
        text.lines().for_each(command_line);
    });
}

/// No value becomes a second word, and what is shown is what is run.
fn command_line(line: &str) {
    let Ok(words) = command::split(line) else { return };
    let shown = command::shown(words.iter().map(String::as_str));
    // A quote within a word is written as a shell reads it.
    if !words.iter().any(|word| word.contains('\'')) {
        assert_eq!(command::split(&shown).as_ref(), Ok(&words), "{shown}");
    }
    let hostile = "a b' \" && $(x) {packagePath}";
    for word in &words {
        let filled = command::substitute(word, &[("packagePath", hostile)]);
        assert!(filled.len() <= word.len() * hostile.len(), "{filled}");
        if !word.contains('{') {
            assert_eq!(&filled, word);
        }
    }
}
