//! What the client model has, generated code had before a regeneration, and has no more: the generation left it out. Names that
//! the run took away, moved or changed are not in the client model as they were, so they do not count.

// Any emitter may have generated the code.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::{Access, ClientEntry, ClientOperation, Diagnostic, EntityKind, Language, SpecIndex};

use super::code::Regenerated;
use super::names::{folded, stems};
use crate::language::{Definition, LanguageError, LanguageService, is_aside, listed_content, open_package};
use crate::response::Origin as Author;

/// The most that are named.
const NAMED: usize = 20;

/// A client or an operation that a generation left out.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Missing {
    /// `client` or `operation`.
    what: &'static str,
    /// Its name in the client model: `WidgetManagerClient.getPart`.
    name: String,
    /// The file that had it, relative to the package.
    file: String,
}

/// What generated code defines, with all the words of files that cannot be read.
#[derive(Debug, Default)]
struct Code {
    defined: Vec<Definition>,
    words: BTreeSet<String>,
}

impl Code {
    fn read(&mut self, language: &dyn LanguageService, path: &str, content: &[u8]) {
        let text = String::from_utf8_lossy(content);
        match language.public(path, &text) {
            Some(found) => self.defined.extend(found),
            None => self.words.extend(text.split(|one: char| !one.is_alphanumeric() && one != '_').map(folded)),
        }
    }

    fn operations(&self) -> impl Iterator<Item = &Definition> {
        self.defined.iter().filter(|one| one.kind == EntityKind::Operation)
    }

    /// A definition of an operation as its name says it; emitters write what answers later beside what answers at once.
    fn operation(&self, name: &str, later: bool) -> Option<&Definition> {
        self.operations().find(|one| is_later(one) == later && stems(&one.name).iter().any(|stem| stem == name))
    }

    /// Whether there is one, also under a name that emitters make of it in another version: `getWidgets` for `listWidgets`.
    fn has_operation(&self, name: &str, later: bool) -> bool {
        let wanted = stems(name);
        let fits = |found: &str| stems(found).iter().any(|stem| wanted.contains(stem));
        self.operations().any(|one| is_later(one) == later && fits(&one.name))
            || self.words.iter().any(|word| fits(word))
    }

    /// A class of a client.
    fn client(&self, forms: &[String], later: bool) -> Option<&Definition> {
        let fits = |one: &&Definition| forms.contains(&folded(&one.name).replace("async", ""));
        self.defined.iter().filter(|one| one.container.is_none() && is_later(one) == later).find(fits)
    }

    fn has_client(&self, forms: &[String], later: bool) -> bool {
        self.client(forms, later).is_some() || self.words.iter().any(|word| forms.contains(&word.replace("async", "")))
    }
}

/// Whether it answers later: in Python it lies in a package of its own, elsewhere its name or that of its class says so.
fn is_later(one: &Definition) -> bool {
    let says = |name: &str| folded(name).contains("async");
    one.file.split('/').any(|part| part == "aio") || says(&one.name) || one.container.as_deref().is_some_and(says)
}

impl Regenerated<'_> {
    /// Whether generated code lost any public name; then the client model says whether the generation left it out.
    pub(crate) fn loses_names(&self) -> bool {
        let [old, new] = self.changed();
        let names = |code: &Code| -> BTreeSet<(Option<String>, String)> {
            code.defined.iter().map(|one| (one.container.clone(), one.name.clone())).collect()
        };
        !names(&old).is_subset(&names(&new))
    }

    /// What the generation left out, as errors.
    pub(crate) fn missing(&self) -> Result<Vec<Diagnostic>, LanguageError> {
        let [old, mut new] = self.changed();
        self.read_unchanged(&mut new)?;
        let taken_away = self.taken_away()?;
        let found = missing(self.after, self.language.language(), &old, &new, &taken_away);
        Ok(found.iter().take(NAMED).map(Missing::diagnostic).collect())
    }

    /// The code of the files that changed, before and now.
    fn changed(&self) -> [Code; 2] {
        let mut sides = [Code::default(), Code::default()];
        for file in self.files.iter().filter(|file| file.origin == Author::Generator) {
            let Some(path) = file.path.strip_prefix("sdk/").filter(|path| self.is_library(path, file)) else {
                continue;
            };
            for (side, content) in sides.iter_mut().zip([&file.before, &file.after]) {
                if let Some(content) = content {
                    side.read(self.language, path, content);
                }
            }
        }
        sides
    }

    fn read_unchanged(&self, code: &mut Code) -> Result<(), LanguageError> {
        let changed: BTreeSet<&str> = self.files.iter().filter_map(|file| file.path.strip_prefix("sdk/")).collect();
        let package = open_package(self.package)?;
        for path in self.language.generated_files(self.package)? {
            if !changed.contains(path.as_str()) && !is_aside(&path) {
                code.read(self.language, &path, &listed_content(&package, &path)?);
            }
        }
        Ok(())
    }

    /// The names in texts of customizations with which the generator leaves something out or names it otherwise.
    fn taken_away(&self) -> Result<BTreeSet<String>, LanguageError> {
        let mut words = BTreeSet::new();
        let package = open_package(self.package)?;
        for path in self.language.customization_files(self.package)? {
            if self.language.language() == Language::Dotnet || self.language.runs_in_generator(&path) {
                let content = listed_content(&package, &path)?;
                words.extend(quoted(&String::from_utf8_lossy(&content)));
            }
        }
        Ok(words)
    }
}

/// What the words within quotes, and those that C# makes texts of, may stand for.
fn quoted(text: &str) -> BTreeSet<String> {
    let texts = text.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    let names = text.split("nameof(").skip(1).filter_map(|rest| rest.split(')').next());
    let words = texts.chain(names).flat_map(|text| text.split(|one: char| !one.is_alphanumeric() && one != '_'));
    words.filter(|word| !word.is_empty()).flat_map(stems).collect()
}

/// Clients first; of a client that is missing no operation is named.
fn missing(
    index: &SpecIndex,
    language: Language,
    old: &Code,
    new: &Code,
    taken_away: &BTreeSet<String>,
) -> Vec<Missing> {
    let (mut clients, mut operations) = (Vec::new(), Vec::new());
    for client in &index.clients {
        let public = |one: &&ClientOperation| {
            one.access == Access::Public && !taken_away.contains(&folded(&one.name)) && !is_left_to_others(index, one)
        };
        let of_client: Vec<&ClientOperation> = client.operations.iter().filter(public).collect();
        let forms = forms(client);
        for later in [false, true] {
            let class = old.client(&forms, later).filter(|_| !of_client.is_empty() && !new.has_client(&forms, later));
            if let Some(class) = class {
                if !taken_away.contains(&folded(&class.name)) {
                    clients.push(Missing { what: "client", name: class.name.clone(), file: class.file.clone() });
                }
                continue;
            }
            for operation in &of_client {
                let name = folded(&operation.name);
                if let Some(had) = old.operation(&name, later).filter(|_| !new.has_operation(&name, later)) {
                    let name =
                        format!("{}.{}", client.name, super::names::spelled(language, had.kind, &operation.name));
                    operations.push(Missing { what: "operation", name, file: had.file.clone() });
                }
            }
        }
    }
    clients.extend(operations);
    let mut seen = BTreeSet::new();
    clients.retain(|one| seen.insert((one.what, one.name.clone())));
    clients
}

/// The folded names of a client's class, without what tells one that answers later.
fn forms(client: &ClientEntry) -> Vec<String> {
    let name = folded(&client.name);
    let parent = client.parent.as_deref().map(folded).unwrap_or_default();
    let parent = parent.strip_suffix("client").unwrap_or(&parent);
    let mut forms = vec![format!("{name}client"), format!("{name}operations"), name.clone()];
    if !parent.is_empty() {
        forms.extend([format!("{parent}{name}"), format!("{parent}{name}client")]);
    }
    forms
}

/// Whether `client.tsp` says that no method, or another one, is generated for an operation.
fn is_left_to_others(index: &SpecIndex, operation: &ClientOperation) -> bool {
    const DECORATORS: [&str; 3] = ["convenientAPI", "protocolAPI", "override"];
    index.customizations.iter().any(|one| {
        let is_about = one.target == operation.reference || one.target == operation.source;
        is_about && DECORATORS.contains(&one.decorator.as_str())
    })
}

impl Missing {
    fn diagnostic(&self) -> Diagnostic {
        let Self { what, name, file } = self;
        let message = format!(
            "the generation left the {what} `{name}` out, which `sdk/{file}` had and the specification has. To drop it on purpose, \
             hide it in `client.tsp`, or remove its generated code first and generate again"
        );
        Diagnostic::without_place("generation", "missing-from-generation", message)
    }
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::{Customization, CustomizationForm};

    use super::*;
    use crate::language::{Dotnet, Java, Python};

    fn client(name: &str, parent: Option<&str>, operations: &[(&str, Access)]) -> ClientEntry {
        let operation = |(name, access): &(&str, Access)| ClientOperation {
            name: (*name).to_owned(),
            access: *access,
            reference: format!("W.{name}"),
            source: format!("W.{name}"),
            parameters: Vec::new(),
        };
        ClientEntry {
            name: name.to_owned(),
            parent: parent.map(str::to_owned),
            reference: None,
            initialization: Vec::new(),
            operations: operations.iter().map(operation).collect(),
        }
    }

    fn index() -> SpecIndex {
        let public = Access::Public;
        SpecIndex {
            clients: vec![
                client("WidgetClient", None, &[("ping", public)]),
                client("Parts", Some("WidgetClient"), &[("getPart", public), ("purge", Access::Internal)]),
            ],
            ..SpecIndex::default()
        }
    }

    fn code(language: &dyn LanguageService, files: &[(&str, &str)]) -> Code {
        let mut code = Code::default();
        for (path, text) in files {
            code.read(language, path, text.as_bytes());
        }
        code
    }

    fn names(index: &SpecIndex, old: &Code, new: &Code, taken_away: &[&str]) -> Vec<String> {
        let taken_away = taken_away.iter().map(|name| folded(name)).collect();
        missing(index, Language::Python, old, new, &taken_away)
            .into_iter()
            .map(|one| format!("{} {}", one.what, one.name))
            .collect()
    }

    const PARTS: &str = "class PartsOperations:\n    def get_part(self): ...\n    def purge(self): ...\n";
    const CLIENT: &str = "class WidgetClient:\n    def ping(self): ...\n";

    #[test]
    fn operation_and_client_that_the_model_has_are_missed_and_what_it_has_not_is_none_of_them() {
        let old = code(&Python, &[("a/_parts.py", PARTS), ("a/_client.py", CLIENT)]);
        let now = |files: &[(&str, &str)]| names(&index(), &old, &code(&Python, files), &[]);
        let none: [&str; 0] = [];
        assert_eq!(now(&[("a/_client.py", CLIENT)]), ["client PartsOperations"]);
        let without = PARTS.replace("get_part", "other");
        assert_eq!(now(&[("a/_parts.py", &without), ("a/_client.py", CLIENT)]), ["operation Parts.get_part"]);
        let hidden = PARTS.replace("purge", "_purge");
        assert_eq!(now(&[("a/_parts.py", &hidden), ("a/_client.py", CLIENT)]), none, "the run hides it");
        let renamed = PARTS.replace("PartsOperations", "Parts");
        assert_eq!(now(&[("a/_all.py", &format!("{renamed}{CLIENT}"))]), none, "another emitter names it otherwise");
        let mut moved = index();
        moved.clients.truncate(1);
        let files = code(&Python, &[("a/_client.py", &format!("{CLIENT}    def get_part(self): ...\n"))]);
        assert_eq!(names(&moved, &old, &files, &[]), none, "the run moved the operation");
        // What no one had is not missed.
        assert_eq!(names(&index(), &files, &files, &[]), none);
    }

    #[test]
    fn method_that_answers_later_is_missed_beside_the_one_that_answers_at_once() {
        let parts = [("a/_parts.py", PARTS), ("a/aio/_parts.py", PARTS)];
        let old = code(&Python, &parts);
        assert_eq!(names(&index(), &old, &code(&Python, &parts[..1]), &[]), ["client PartsOperations"]);
        let text = "public final class PartsClient { public Part getPart() { return null; } }";
        let later = text.replace("PartsClient", "PartsAsyncClient");
        let old = code(
            &Java,
            &[("src/main/java/a/PartsClient.java", text), ("src/main/java/a/PartsAsyncClient.java", &later)],
        );
        let new = code(&Java, &[("src/main/java/a/PartsClient.java", text)]);
        assert_eq!(names(&index(), &old, &new, &[]), ["client PartsAsyncClient"]);
        assert_eq!(names(&index(), &old, &new, &["PartsAsyncClient"]), [] as [&str; 0], "a customization removes it");
    }

    #[test]
    fn names_in_texts_of_customizations_are_read_and_code_is_not() {
        let words = quoted(
            "[CodeGenSuppress(\"GetPart\", typeof(X))] partial class Parts { } // \"a.b.PingAsync\" nameof(Parts.Purge)",
        );
        for word in ["getpart", "ping", "purge"] {
            assert!(words.contains(word), "{word}: {words:?}");
        }
        assert!(!words.contains("codegensuppress") && !words.contains("x"), "{words:?}");
    }

    #[test]
    fn method_that_a_decorator_a_customization_or_an_unreadable_file_speaks_of_is_not_missed() {
        let text =
            "public partial class Parts { public virtual Response GetPart() { return null; } public void X() { } }";
        let without = text.replace("GetPart", "Other");
        let (old, new) = (
            code(&Dotnet, &[("src/Generated/Parts.cs", text)]),
            code(&Dotnet, &[("src/Generated/Parts.cs", &without)]),
        );
        let none: [&str; 0] = [];
        assert_eq!(names(&index(), &old, &new, &[]), ["operation Parts.get_part"]);
        assert_eq!(names(&index(), &old, &new, &["GetPart"]), none);
        assert_eq!(
            names(&index(), &old, &code(&Dotnet, &[("src/Generated/Parts.cs", "class Parts { GetPart(")]), &[]),
            none
        );
        let mut said = index();
        said.customizations.push(Customization {
            decorator: "convenientAPI".to_owned(),
            target: "W.getPart".to_owned(),
            arguments: vec!["false".to_owned()],
            scope: None,
            line: 1,
            form: CustomizationForm::Augment,
        });
        assert_eq!(names(&said, &old, &new, &[]), none);
    }
}
