//! What a generation writes to have less of the package checked: a line that switches the check of a file off, a name with
//! which a file is not compiled, a stub in place of code, a configuration that is less strict. What decides whether a check counts is never written by
//! what is checked, so what stood before the generation says it.

use std::collections::{BTreeMap, BTreeSet};

use bailiwick_base::files::Tree;
use bailiwick_sdk::tasks::Diagnostic;

use super::error::TypespecError;
use crate::language::{LanguageService, Strictness, files_of, is_aside, listed_content};

/// The files of each thing that switches a check off.
type Places = BTreeMap<String, BTreeSet<String>>;

/// The checks of a package before a generation.
pub(super) struct Checks {
    off: Places,
    /// Every file that can switch a check off.
    sources: BTreeMap<String, Vec<u8>>,
    strictness: Option<Strictness>,
    /// Every file.
    known: BTreeSet<String>,
}

impl Checks {
    /// Looks at them.
    ///
    /// # Errors
    /// When the package cannot be read.
    pub(super) fn of(package: &Tree, language: &dyn LanguageService) -> Result<Self, TypespecError> {
        let known: BTreeSet<String> = files_of(package)?.into_iter().collect();
        let sources = sources(package, language)?;
        let strictness = language.strictness(package.path())?;
        Ok(Self { off: places(&sources, language), sources, strictness, known })
    }

    /// Puts back what has fewer checks than before, and gives each as an error. A file whose name changed takes along what
    /// it had.
    ///
    /// # Errors
    /// When the package cannot be read or written.
    pub(super) fn put_back(
        &self,
        package: &Tree,
        language: &dyn LanguageService,
    ) -> Result<Vec<Diagnostic>, TypespecError> {
        let mut found = Vec::new();
        let now = sources(package, language)?;
        for (what, files) in places(&now, language) {
            let before = self.off.get(&what).cloned().unwrap_or_default();
            let gone = before.iter().filter(|file| !now.contains_key(*file)).count();
            let further: Vec<&String> = files.difference(&before).collect();
            if further.len() <= gone {
                continue;
            }
            for file in further {
                match self.sources.get(file) {
                    Some(content) => drop(package.write(file, content)?),
                    None => package.remove(file)?,
                }
                found.push(not_checked(file, &format!("`{what}` in this file switches a check off")));
            }
        }
        let Some(before) = &self.strictness else { return Ok(found) };
        let now = language.strictness(package.path())?.unwrap_or_default();
        let loosened = before.loosened(&now);
        let Some(first) = loosened.first() else { return Ok(found) };
        let is_other = |file: &&String| now.files().get(*file) != before.files().get(*file);
        let file = now.files().keys().chain(before.files().keys()).find(is_other);
        found.push(not_checked(
            file.map_or("", String::as_str),
            &format!("the configuration is less strict than before (`{first}`)"),
        ));
        for (file, content) in before.files() {
            package.write(file, content)?;
        }
        for file in now.files().keys().filter(|file| !self.known.contains(*file)) {
            package.remove(file)?;
        }
        Ok(found)
    }
}

/// The library's files that can switch a check off.
fn sources(package: &Tree, language: &dyn LanguageService) -> Result<BTreeMap<String, Vec<u8>>, TypespecError> {
    let counts = |file: &String| (language.may_switch_off(file) || is_attributes(file)) && !is_aside(file);
    let files = files_of(package)?.into_iter().filter(counts);
    files
        .map(|file| listed_content(package, &file).map(|content| (file, content)).map_err(TypespecError::from))
        .collect()
}

fn places(sources: &BTreeMap<String, Vec<u8>>, language: &dyn LanguageService) -> Places {
    let mut places = Places::new();
    for (file, content) in sources {
        let found = match is_attributes(file) {
            true => recoded(content),
            false => language.switched_off(file, content).into_iter().chain(encoding(content)).collect(),
        };
        for what in found {
            places.entry(what).or_default().insert(file.clone());
        }
    }
    places
}

/// What hides a text from all that is looked for: a compiler may decode what is no UTF-8, and UTF-16 even where no mark tells.
fn encoding(content: &[u8]) -> Option<String> {
    let is_text = std::str::from_utf8(content).is_ok() && !content.contains(&0);
    (!is_text).then(|| "an encoding other than UTF-8".to_owned())
}

/// Whether git is told by this file how to take files into a commit.
fn is_attributes(file: &str) -> bool {
    file.rsplit('/').next() == Some(".gitattributes")
}

/// The attributes by which git commits other bytes than those that were built. A comment of Python may be a line of code in
/// the commit (`working-tree-encoding=UTF-7`).
fn recoded(content: &[u8]) -> Vec<String> {
    const ATTRIBUTES: [&str; 3] = ["filter", "ident", "working-tree-encoding"];
    let text = String::from_utf8_lossy(content);
    let named = |attribute: &&str| {
        // The first word of a line says for which files the others are, unless it begins a macro.
        let words = text.lines().map(str::trim).filter(|line| !line.starts_with('#')).flat_map(|line| {
            let skipped = usize::from(!line.starts_with("[attr]"));
            line.split_whitespace().skip(skipped)
        });
        words
            .into_iter()
            .any(|word| word.strip_prefix(attribute).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
    };
    ATTRIBUTES.iter().filter(|attribute| named(attribute)).map(|attribute| (*attribute).to_owned()).collect()
}

fn not_checked(file: &str, what: &str) -> Diagnostic {
    let message = format!(
        "{what}, and the emitter wrote it: no build would show that the code is right. What stood there before is put back"
    );
    let file = (!file.is_empty()).then(|| format!("sdk/{file}"));
    Diagnostic { file, ..Diagnostic::without_place("generation", "not-checked", message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laid_out::write;
    use crate::language::{Dotnet, Go, Javascript, Python};

    fn places(found: &[Diagnostic]) -> Vec<String> {
        found.iter().map(Diagnostic::place).collect()
    }

    #[test]
    fn line_that_stood_before_passes_also_in_a_file_of_another_name_and_a_further_one_is_put_back() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let off = "# mypy: ignore-errors\n";
        write(&root, "azure/w/_old.py", off);
        write(&root, "azure/w/_models.py", "x = 1\n");
        write(&root, "tests/test_a.py", "");
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Python).unwrap();
        write(&root, "azure/w/_models.py", "x = 2\n");
        write(&root, "tests/test_a.py", off);
        assert_eq!(before.put_back(&package, &Python).unwrap(), []);
        std::fs::rename(root.join("azure/w/_old.py"), root.join("azure/w/_new.py")).unwrap();
        assert_eq!(before.put_back(&package, &Python).unwrap(), [], "the module was renamed");

        write(&root, "azure/w/_models.py", off);
        write(&root, "azure/w/_more.py", off);
        let found = before.put_back(&package, &Python).unwrap();
        assert_eq!(places(&found), ["sdk/azure/w/_models.py", "sdk/azure/w/_more.py", "sdk/azure/w/_new.py"]);
        assert_eq!(std::fs::read_to_string(root.join("azure/w/_models.py")).unwrap(), "x = 1\n");
        assert!(!root.join("azure/w/_more.py").exists());
    }

    #[test]
    fn attributes_by_which_git_commits_other_bytes_fail_a_generation_and_others_do_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        write(&root, ".gitattributes", "*.py text eol=lf\n");
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Python).unwrap();
        write(&root, ".gitattributes", "*.py text eol=lf\n*.md -diff\n");
        assert_eq!(before.put_back(&package, &Python).unwrap(), []);
        for attributes in ["*.py working-tree-encoding=UTF-7\n", "[attr]x ident\n*.py x\n", "\"a b\" filter=lfs\n"] {
            write(&root, ".gitattributes", attributes);
            write(&root, "azure/w/.gitattributes", attributes);
            let found = before.put_back(&package, &Python).unwrap();
            assert_eq!(places(&found), ["sdk/.gitattributes", "sdk/azure/w/.gitattributes"], "{attributes}");
            assert_eq!(std::fs::read_to_string(root.join(".gitattributes")).unwrap(), "*.py text eol=lf\n");
            assert!(!root.join("azure/w/.gitattributes").exists());
        }
    }

    #[test]
    fn configuration_that_checks_less_is_put_back_and_one_in_its_place_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let strict = "{ \"compilerOptions\": { \"strict\": true } }";
        let loose = "{ \"compilerOptions\": { \"strict\": false } }";
        write(&root, "src/models.ts", "export {};\n");
        write(&root, "tsconfig.json", strict);
        let package = Tree::open(&root).unwrap();
        let service = Javascript::of(&root);
        let before = Checks::of(&package, &service).unwrap();
        write(&root, "tsconfig.src.json", strict);
        assert_eq!(before.put_back(&package, &service).unwrap(), []);
        write(&root, "tsconfig.src.json", loose);
        assert_eq!(places(&before.put_back(&package, &service).unwrap()), ["sdk/tsconfig.src.json"]);
        assert!(!root.join("tsconfig.src.json").exists());
        write(&root, "tsconfig.json", loose);
        assert_eq!(places(&before.put_back(&package, &service).unwrap()), ["sdk/tsconfig.json"]);
        assert_eq!(std::fs::read_to_string(root.join("tsconfig.json")).unwrap(), strict);

        write(&root, "src/models.ts", "// @ts-nocheck\nexport {};\n");
        assert_eq!(places(&before.put_back(&package, &service).unwrap()), ["sdk/src/models.ts"]);
        assert_eq!(std::fs::read_to_string(root.join("src/models.ts")).unwrap(), "export {};\n");
    }

    /// With such a target MSBuild names every source as compiled, and compiles none.
    #[test]
    fn project_that_compiles_nothing_is_put_back_and_a_file_of_targets_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let project =
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><Version>1.0.0</Version></PropertyGroup></Project>";
        write(&root, "src/W.csproj", project);
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Dotnet).unwrap();
        write(&root, "src/W.csproj", project.replace("1.0.0", "1.0.1"));
        assert_eq!(before.put_back(&package, &Dotnet).unwrap(), []);
        write(&root, "Directory.Build.targets", "<Project><Target Name=\"CoreCompile\" /></Project>");
        let found = before.put_back(&package, &Dotnet).unwrap();
        assert!(found.len() == 1 && found[0].message.contains("CoreCompile"), "{found:?}");
        assert!(!root.join("Directory.Build.targets").exists());
        assert_eq!(std::fs::read_to_string(root.join("src/W.csproj")).unwrap(), project);
    }

    /// A stub says what the code beside it is, so only a person may write one.
    #[test]
    fn stub_that_an_emitter_writes_is_removed_and_one_that_it_changes_is_put_back() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let honest = "size: int\n";
        write(&root, "azure/w/_stock.py", "size = 1\n");
        write(&root, "azure/w/_blob.pyi", honest);
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Python).unwrap();
        assert_eq!(before.put_back(&package, &Python).unwrap(), []);
        std::fs::rename(root.join("azure/w/_blob.pyi"), root.join("azure/w/_blobs.pyi")).unwrap();
        assert_eq!(before.put_back(&package, &Python).unwrap(), [], "the module was renamed");
        std::fs::rename(root.join("azure/w/_blobs.pyi"), root.join("azure/w/_blob.pyi")).unwrap();

        write(&root, "azure/w/_blob.pyi", "size: str\n");
        write(&root, "azure/w/_stock.pyi", "size: int\n# more\n");
        write(&root, "azure/core/__init__.pyi", "def __getattr__(name): ...\n");
        let mut found = places(&before.put_back(&package, &Python).unwrap());
        found.sort();
        assert_eq!(found, ["sdk/azure/core/__init__.pyi", "sdk/azure/w/_blob.pyi", "sdk/azure/w/_stock.pyi"]);
        assert_eq!(std::fs::read_to_string(root.join("azure/w/_blob.pyi")).unwrap(), honest);
        assert!(!root.join("azure/w/_stock.pyi").exists() && !root.join("azure/core/__init__.pyi").exists());
    }

    /// A compiler decodes it and sees what is not seen here.
    #[test]
    fn source_gets_no_encoding_but_utf_8() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        write(&root, "azure/w/_models.py", "x = 1\n");
        std::fs::write(root.join("azure/w/_latin.py"), b"# coding: latin-1\n# \xe4\n").unwrap();
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Python).unwrap();
        write(&root, "azure/w/_models.py", "# -*- coding: UTF-8 -*-\nx = 2\n");
        assert_eq!(before.put_back(&package, &Python).unwrap(), []);
        write(&root, "azure/w/_models.py", "#!python\n# -*- coding: utf-7 -*-\n+ACM- mypy: ignore-errors\n");
        assert_eq!(places(&before.put_back(&package, &Python).unwrap()), ["sdk/azure/w/_models.py"]);
        assert_eq!(std::fs::read_to_string(root.join("azure/w/_models.py")).unwrap(), "x = 1\n");

        write(&root, "src/models.ts", "export {};\n");
        let service = Javascript::of(&root);
        let before = Checks::of(&package, &service).unwrap();
        for text in [utf16("\u{feff}// @ts-nocheck\nexport {};\n"), utf16("export {};\n"), b"// \xe4\n".to_vec()] {
            std::fs::write(root.join("src/models.ts"), text).unwrap();
            assert_eq!(places(&before.put_back(&package, &service).unwrap()), ["sdk/src/models.ts"]);
            assert_eq!(std::fs::read_to_string(root.join("src/models.ts")).unwrap(), "export {};\n");
        }
    }

    #[test]
    fn generated_go_file_gets_no_name_with_which_it_is_compiled_elsewhere() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let text = "// Code generated by Microsoft (R) Go Code Generator. DO NOT EDIT.\n\npackage w\n";
        write(&root, "zz_models_plan9.go", text);
        let package = Tree::open(&root).unwrap();
        let before = Checks::of(&package, &Go).unwrap();
        assert_eq!(before.put_back(&package, &Go).unwrap(), []);
        write(&root, "zz_client_test.go", text);
        assert_eq!(places(&before.put_back(&package, &Go).unwrap()), ["sdk/zz_client_test.go"]);
    }
}
