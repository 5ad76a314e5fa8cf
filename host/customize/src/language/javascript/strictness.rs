//! How strictly the configuration has the compiler check: what it says of each option that finds or hides errors of types, with
//! the configurations that it extends.

// An emitter may have written the configuration.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use bailiwick_base::files::Tree;
use jsonc_parser::{CollectOptions, ParseOptions};
use serde_json::Value;

use super::super::strictness::{Said, Strictness};
use super::super::{LanguageError, content_of, open_package};

/// What `strict` stands for, unless the option is named itself.
const STRICT: [&str; 8] = [
    "alwaysStrict",
    "noImplicitAny",
    "noImplicitThis",
    "strictBindCallApply",
    "strictFunctionTypes",
    "strictNullChecks",
    "strictPropertyInitialization",
    "useUnknownInCatchVariables",
];
/// Further options with which more errors are found.
const FINDING: [&str; 4] =
    ["checkJs", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess", "strictBuiltinIteratorReturn"];
/// Options with which fewer errors are found.
const HIDING: [&str; 6] = [
    "noCheck",
    "noResolve",
    "noStrictGenericChecks",
    "skipLibCheck",
    "suppressExcessPropertyErrors",
    "suppressImplicitAnyIndexErrors",
];
/// Options that decide which file stands for a module: with another one the code may be checked against other types.
const FINDING_MODULES: [&str; 4] = ["customconditions", "modulesuffixes", "rootdirs", "typeroots"];
/// More configurations extend each other nowhere.
pub(super) const CHAIN: usize = 32;

/// What the configuration at `file`, relative to the package, says.
pub(super) fn strictness(package: &Path, file: &str) -> Result<Strictness, LanguageError> {
    let package = package.canonicalize().map_err(LanguageError::io(package, "read"))?;
    let root = package.ancestors().find(|one| one.join(".git").exists()).unwrap_or(&package);
    let mut chain = Chain {
        repository: open_package(root)?,
        package: package.strip_prefix(root).unwrap_or(Path::new("")).to_owned(),
        options: BTreeMap::new(),
        strictness: Strictness::default(),
        left: CHAIN,
    };
    let first = chain.package.join(file);
    chain.follow(&first)?;
    Ok(chain.finish())
}

/// `// @ts-nocheck`, with which a file is not checked at all.
pub(super) fn switched_off(text: &str) -> Vec<String> {
    const LINE: &str = "@ts-nocheck";
    let lower = text.to_ascii_lowercase();
    let is_blank = |one: char| one.is_whitespace() || one == '\u{feff}';
    let mut before = lower.match_indices(LINE).filter_map(|(at, _)| lower.get(..at));
    let found = before.any(|before| before.trim_end_matches(is_blank).ends_with("//"));
    if found { vec![format!("// {LINE}")] } else { Vec::new() }
}

struct Chain {
    repository: Tree,
    /// Where the package lies in it.
    package: PathBuf,
    options: BTreeMap<String, bool>,
    strictness: Strictness,
    left: usize,
}

impl Chain {
    /// Reads a configuration, those that it extends first; `path` is relative to the repository.
    fn follow(&mut self, path: &Path) -> Result<bool, LanguageError> {
        // Beyond it nothing is said, which is less strict than what was said before.
        let Some(left) = self.left.checked_sub(1) else { return Ok(true) };
        self.left = left;
        let Some(name) = path.to_str() else { return Ok(false) };
        // What cannot be read says nothing, and a link leads nowhere that is known.
        let Some(content) = content_of(&self.repository, name).ok().flatten() else { return Ok(false) };
        if let Some(own) = path.strip_prefix(&self.package).ok().and_then(Path::to_str) {
            self.strictness.files.insert(own.to_owned(), content.clone());
        }
        let text = std::str::from_utf8(&content).ok();
        let Some(configuration) = text.and_then(|text| parsed(text.trim_start_matches('\u{feff}'))) else {
            self.strictness.unread.insert(name.to_owned());
            return Ok(true);
        };
        for one in extended(&configuration) {
            if !self.extend(path, one)? {
                self.strictness.unread.insert(format!("\"extends\": \"{one}\""));
            }
        }
        let options = configuration.get("compilerOptions").and_then(Value::as_object).into_iter().flatten();
        for (option, value) in options {
            let option = option.to_ascii_lowercase();
            if FINDING_MODULES.contains(&option.as_str()) {
                self.strictness.unread.insert(format!("\"{option}\": {value}"));
            }
            match value {
                Value::Bool(value) => drop(self.options.insert(option, *value)),
                // Takes back what an extended configuration says.
                Value::Null => drop(self.options.remove(&option)),
                _ => {}
            }
        }
        Ok(true)
    }

    /// The configuration that the one at `path` extends under this name; `false` where it is not found.
    fn extend(&mut self, path: &Path, name: &str) -> Result<bool, LanguageError> {
        // As `tsc` takes it.
        let name = &name.replace('\\', "/");
        if !name.starts_with("./") && !name.starts_with("../") {
            return Ok(false);
        }
        let directory = path.parent().unwrap_or(Path::new(""));
        let Some(found) = normal(&directory.join(name)) else { return Ok(false) };
        let with_ending = PathBuf::from(format!("{}.json", found.display()));
        Ok(self.follow(&found)? || self.follow(&with_ending)?)
    }

    fn finish(mut self) -> Strictness {
        let option = |name: &str| self.options.get(&name.to_ascii_lowercase()).copied();
        let of = |value: Option<bool>, finds: bool| match value {
            Some(value) if value == finds => Said::On,
            Some(_) => Said::Off,
            None => Said::Nothing,
        };
        let strict = option("strict");
        let said = STRICT
            .into_iter()
            .map(|name| (name, of(option(name).or(strict), true)))
            .chain(FINDING.into_iter().map(|name| (name, of(option(name), true))))
            .chain(HIDING.into_iter().map(|name| (name, of(option(name), false))))
            .filter(|(_, said)| *said != Said::Nothing)
            .map(|(name, said)| (name.to_owned(), said));
        self.strictness.said.extend(said.collect::<Vec<_>>());
        self.strictness
    }
}

/// The configurations that one extends, as it names them.
pub(super) fn extended(configuration: &Value) -> Vec<&str> {
    match configuration.get("extends") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// JSON with comments and commas at the ends of lists, as `tsc` reads it. Other text says nothing.
pub(super) fn json(text: &str) -> Value {
    parsed(text).unwrap_or_default()
}

/// The same; `None` for other text, and where an object has a key twice: `tsc` takes both.
fn parsed(text: &str) -> Option<Value> {
    let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?.value?;
    let mut waiting = vec![&parsed];
    while let Some(one) = waiting.pop() {
        match one {
            jsonc_parser::ast::Value::Object(object) => {
                let names = object.properties.iter().map(|one| one.name.as_str().to_ascii_lowercase());
                if names.collect::<BTreeSet<_>>().len() < object.properties.len() {
                    return None;
                }
                waiting.extend(object.properties.iter().map(|one| &one.value));
            }
            jsonc_parser::ast::Value::Array(array) => waiting.extend(&array.elements),
            _ => {}
        }
    }
    Some(Value::from(parsed))
}

/// A path without `.` and `..`; `None` where it leads out of the repository.
pub(super) fn normal(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => found.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !found.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = crate::laid_out::directory(files);
        std::fs::create_dir(directory.path().join(".git")).unwrap();
        directory
    }

    #[test]
    fn compiler_configurations() {
        const WORDS: &[&str] = &[
            "{",
            "}",
            "[",
            "\"extends\": ",
            "\"./a.json\"",
            "\"../../x\"",
            "\"compilerOptions\": {",
            "\"strict\": ",
            "true",
            "false,",
            "/*",
            "// ",
        ];
        let directory = repository(&[]);
        bailiwick_fuzz::Target { name: "compiler_configurations", words: WORDS }.run(move |bytes| {
            std::fs::write(directory.path().join("a.json"), bytes).unwrap();
            let found = strictness(directory.path(), "a.json").unwrap();
            assert_eq!(found.loosened(&found), [] as [&str; 0]);
            assert!(found.files().keys().all(|file| file == "a.json"), "{found:?}");
        });
    }

    #[test]
    fn file_that_is_not_checked_is_told() {
        for text in ["// @ts-nocheck\n", "/* a */ ///@TS-NoCheck: b\n", "\u{feff}//\u{a0}\u{feff}@ts-nocheck"] {
            assert_eq!(switched_off(text), ["// @ts-nocheck"], "{text}");
        }
        for text in
            ["/* eslint-disable */\n// @ts-ignore\n", "/** Not `@ts-nocheck`. */\n", "/* eslint-disable @ts-nocheck */"]
        {
            assert_eq!(switched_off(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn configuration_that_checks_less_than_before_is_told_and_another_layout_is_not() {
        let base = ("tsconfig.json", "// of all\n{ \"compilerOptions\": { \"strict\": true, } }");
        let own = |text: &str| {
            let directory = repository(&[base, ("w/w/a.json", text), ("w/w/loose.json", LOOSE)]);
            let utf16: Vec<u8> = LOOSE.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let twice = "{ \"compilerOptions\": { \"strict\": false }, \"compilerOptions\": { \"strict\": true } }";
            for (name, content) in
                [("utf16", utf16.as_slice()), ("twice", twice.as_bytes()), ("broken", b"{ \xff".as_slice())]
            {
                std::fs::write(directory.path().join(format!("w/w/{name}.json")), content).unwrap();
            }
            strictness(&directory.path().join("w/w"), "a.json").unwrap()
        };
        const LOOSE: &str = "{ \"compilerOptions\": { \"noimplicitany\": false } }";
        let before = own("{ \"extends\": \"../../tsconfig\" }");
        let loosened = |text: &str| before.loosened(&own(text)).into_iter().map(str::to_owned).collect::<Vec<_>>();
        for same in [
            "{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { \"outDir\": \"x\", \"checkJs\": true } }",
            "{ \"compilerOptions\": { \"strict\": true, \"skipLibCheck\": false } }",
            "{ \"extends\": [\"./loose.json\", \"../../tsconfig.json\"], \"compilerOptions\": { \"noImplicitAny\": true } }",
        ] {
            assert!(loosened(same).is_empty(), "{same}");
        }
        for (text, check) in [
            (
                "{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { /* */ \"strict\": false } }",
                "noImplicitAny",
            ),
            ("{ \"extends\": [\"../../tsconfig.json\", \"./loose\"] }", "noImplicitAny"),
            (
                "{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { \"strictNullChecks\": false } }",
                "strictNullChecks",
            ),
            (
                "{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { \"skipLibCheck\": true } }",
                "skipLibCheck",
            ),
            ("{ \"extends\": \"../../../tsconfig.json\" }", "alwaysStrict"),
            ("{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { \"strict\": null } }", "strictNullChecks"),
            ("{}", "strictNullChecks"),
            ("no configuration", "strictNullChecks"),
        ] {
            assert!(loosened(text).contains(&check.to_owned()), "{text}: {:?}", loosened(text));
        }
        let named = own("{ \"extends\": \"@azure/strict\" }");
        let other = own("{ \"extends\": \"@azure/loose\" }");
        assert_eq!(named.loosened(&other), ["\"extends\": \"@azure/loose\"", "\"extends\": \"@azure/strict\""]);
        // One more that cannot be read comes last and wins.
        for further in ["#loose", "@azure/widget/loose.json", "/loose.json"] {
            let text = format!("{{ \"extends\": [\"../../tsconfig.json\", \"{further}\"] }}");
            assert_eq!(loosened(&text), [format!("\"extends\": \"{further}\"")], "{text}");
        }
        let backslash = "{ \"extends\": [\"../../tsconfig.json\", \".\\\\loose.json\"] }";
        assert_eq!(loosened(backslash), ["noImplicitAny"]);
        // What is there and cannot be read, or is read in another way by `tsc`, may say anything.
        for further in ["./utf16", "./twice", "./broken"] {
            let text = format!("{{ \"extends\": [\"../../tsconfig.json\", \"{further}.json\"] }}");
            assert_eq!(loosened(&text), [further.replace("./", "w/w/") + ".json"], "{text}");
        }
        let suffixed =
            "{ \"extends\": \"../../tsconfig.json\", \"compilerOptions\": { \"moduleSuffixes\": [\".old\", \"\"] } }";
        assert_eq!(loosened(suffixed), ["\"modulesuffixes\": [\".old\",\"\"]"]);
        assert_eq!(own("{ \"extends\": \"./a.json\" }").said, BTreeMap::new(), "one that extends itself has an end");
        let names: Vec<&String> = before.files().keys().collect();
        assert_eq!(names, ["a.json"]);
    }
}
