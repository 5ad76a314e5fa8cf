//! What no type checker sees: members asked for by their old name as text, arguments that a method which takes any or a
//! hand-written constructor is given under their old name, and methods that no longer override the operation which they did.

use std::collections::BTreeSet;

use bailiwick_base::files::Tree;
use bailiwick_sdk::python_enums;
use bailiwick_sdk::renames::rename_of;
use bailiwick_sdk::syntax::{around, field, line, nodes, parse};
use bailiwick_sdk::tasks::{Access, Diagnostic, EntityKind, Language, Rename, Severity, SpecIndex};
use tree_sitter::Node;

use super::super::{DriftRequest, LanguageError, LanguageService, Override, listed_content, open_package};
use super::asked::{self, asks_for, constants};
use super::generated::Generated;
use super::keywords::{Kept, Text, kept};
use super::overrides::{Source, overrides};
use super::untyped::{Gone, What, gone as gone_unseen};

/// Members that streams, mappings and lists of Python have too: who asks any object for one may not mean an operation.
pub(super) const COMMON: [&str; 15] = [
    "append", "close", "copy", "count", "get", "index", "items", "keys", "open", "pop", "read", "send", "update",
    "values", "write",
];

/// Looks through the files that people wrote.
pub(super) fn check(
    request: &DriftRequest<'_>,
    files: Vec<String>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let mut diagnostics = Vec::new();
    let package = open_package(request.package)?;
    let files = read(&package, files)?;
    let properties = || request.renames.iter().filter(|rename| rename.kind == EntityKind::Property);
    let values = request.renames.iter().filter(|rename| is_gone_value(rename, &files, request.index));
    let values: Vec<&Rename> = values.collect();
    let gone: Vec<&Rename> = request.fresh.iter().filter(|rename| is_gone(rename, &files, request.index)).collect();
    let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
    let plain = python_enums::constants(&texts);
    for (file, text) in &files {
        for rename in properties() {
            diagnostics.extend(drifted(file, text, rename, &plain));
            let asked_by_others =
                |constant: &str| files.iter().any(|(other, text)| other != file && asks_for(text, constant));
            let held = constants(text, &rename.old).into_iter().filter(|(_, constant)| asked_by_others(constant));
            diagnostics.extend(held.map(|(line, _)| missed(file, line, rename)));
        }
        for rename in &values {
            diagnostics.extend(of_enum(text, rename).into_iter().map(|line| missed(file, line, rename)));
        }
        for rename in &gone {
            diagnostics.extend(drifted(file, text, rename, &plain));
        }
        for rename in request.fresh.iter().filter(|rename| !rename.new.starts_with('_')) {
            diagnostics.extend(left_behind(file, overrides(text, rename), rename));
        }
    }
    let generated = || {
        let now = read(&package, language.generated_files(request.package)?)?;
        Ok::<_, LanguageError>((Generated::read(&as_before(&now, request.before)), Generated::read(&now)))
    };
    let (renames, is_changed) = (request.renames, !request.before.is_empty());
    for one in &gone_unseen(&files, renames, is_changed, generated)? {
        let Some((file, _)) = files.get(one.file) else { continue };
        diagnostics.push(unseen(file, one));
    }
    for rename in properties() {
        let places = kept(&files, rename, request.renames);
        diagnostics.extend(places.into_iter().filter_map(|one| handed_on(&files, &one, rename)));
    }
    Ok(Diagnostic::unique(diagnostics))
}

fn read(package: &Tree, files: Vec<String>) -> Result<Vec<Text>, LanguageError> {
    let texts = files.into_iter().map(|file| {
        let text = String::from_utf8_lossy(&listed_content(package, &file)?).into_owned();
        Ok((file, text))
    });
    texts.collect()
}

/// Generated files with those that changed as they were.
fn as_before(now: &[Text], before: &[Text]) -> Vec<Text> {
    let is_changed = |path: &String| before.iter().any(|(changed, _)| changed == path);
    now.iter().filter(|(path, _)| !is_changed(path)).chain(before).cloned().collect()
}

/// Whether neither another operation nor anything that a person wrote has the old name of an operation: who asks for it by
/// name gets nothing.
fn is_gone(rename: &Rename, files: &[Text], index: &SpecIndex) -> bool {
    rename.kind == EntityKind::Operation
        && !said_by(index, EntityKind::Operation).any(|one| one.old == rename.old)
        && !files.iter().any(|(_, text)| defines(text, &rename.old))
}

/// Whether neither the enum nor one that a person wrote under its name has the old name of a value.
fn is_gone_value(rename: &Rename, files: &[Text], index: &SpecIndex) -> bool {
    let Some(owner) = rename.container.as_deref().filter(|_| rename.kind == EntityKind::EnumMember) else {
        return false;
    };
    let is_own = |line: &str| {
        let name = line.trim_start().strip_prefix("class ").map(str::trim_start);
        let rest = name.and_then(|name| name.strip_prefix(owner));
        rest.is_some_and(|rest| rest.trim_start().starts_with(['(', ':']))
    };
    let is_same = |one: Rename| one.old == rename.old && one.container == rename.container;
    !said_by(index, EntityKind::EnumMember).any(is_same) && !files.iter().any(|(_, text)| text.lines().any(is_own))
}

/// What users of the client see of a kind, each under its name of now.
fn said_by(index: &SpecIndex, kind: EntityKind) -> impl Iterator<Item = Rename> + '_ {
    index.entities.iter().filter(move |one| one.kind == kind).filter_map(move |one| {
        // A hidden operation has an underscore in front of its name; a value of a hidden enum has its name.
        let is_shown = |access| access == Access::Public || kind != EntityKind::Operation;
        let client = one.client.as_ref().filter(|client| is_shown(client.access))?;
        Some(rename_of(one, &client.name, &client.name, Language::Python, index))
    })
}

/// Whether a file has a function of this name, or gives one to a class: `list_parts = Generated.get_parts`.
fn defines(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    // What cannot be read may well define it.
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return true };
    let source = Source { text, root: tree.root_node() };
    nodes(source.root).into_iter().any(|node| {
        let called = match node.kind() {
            "function_definition" => field(node, "name"),
            "assignment" => field(node, "left").filter(|_| {
                let outer = around(node, &["class_definition", "function_definition"]);
                outer.is_some_and(|outer| outer.kind() == "class_definition")
            }),
            _ => None,
        };
        called.is_some_and(|called| source.of(called) == name)
    })
}

/// A keyword that the generated constructor does not take any more, and that a hand-written one hands on to it.
fn handed_on(files: &[Text], kept: &Kept, rename: &Rename) -> Option<Diagnostic> {
    let (file, _) = files.get(kept.file)?;
    let message = format!(
        "the hand-written constructor of `{}` has `{}` here, which is `{}` in generated code now",
        kept.class, rename.old, rename.new
    );
    Some(Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(kept.line),
        column: None,
        code: Some("renamed-keyword".to_owned()),
        message,
        symbol: Some(rename.old.clone()),
        tool: "drift".to_owned(),
    })
}

/// A method under the old name of an operation: users would see both, and what it did for them the new one does not do.
fn left_behind(file: &str, overrides: Vec<Override>, rename: &Rename) -> impl Iterator<Item = Diagnostic> {
    overrides.into_iter().map(move |one| Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(one.line),
        column: None,
        code: Some("renamed-override".to_owned()),
        message: format!("`{}` overrides nothing any more: the operation is called `{}` now", one.name, rename.new),
        symbol: Some(one.name),
        tool: "drift".to_owned(),
    })
}

fn drifted<'a>(
    file: &'a str,
    text: &'a str,
    rename: &'a Rename,
    plain: &BTreeSet<&str>,
) -> impl Iterator<Item = Diagnostic> + use<'a> {
    let is_operation = rename.kind == EntityKind::Operation;
    let mut lines = match is_operation && COMMON.contains(&rename.old.as_str()) {
        true => BTreeSet::new(),
        false => asked::lines(text, &rename.old, plain),
    };
    if is_operation {
        lines.extend(asked::tables(text, &rename.old, rename.container.as_deref()));
    }
    lines.into_iter().map(move |line| missed(file, line, rename))
}

/// The lines that take a value of an enum by its old name. The metaclass of enums answers for every name, so no type checker
/// misses one.
fn of_enum(text: &str, rename: &Rename) -> Vec<u32> {
    let Some(owner) = rename.container.as_deref() else { return Vec::new() };
    if !text.contains(owner) || !text.contains(&rename.old) {
        return Vec::new();
    }
    let Some(tree) = parse(&tree_sitter_python::LANGUAGE.into(), text) else { return Vec::new() };
    let source = Source { text, root: tree.root_node() };
    let is_owner = |object: &str| object.rsplit('.').next().map(str::trim) == Some(owner);
    let takes = |node: Node<'_>| match node.kind() {
        "attribute" => {
            let member = field(node, "attribute").is_some_and(|member| source.of(member) == rename.old);
            member && field(node, "object").is_some_and(|object| is_owner(source.of(object)))
        }
        "subscript" => {
            let key = field(node, "subscript").filter(|key| key.kind() == "string");
            let member = key.and_then(|key| source.content(key)).is_some_and(|key| key == rename.old);
            member && field(node, "value").is_some_and(|object| is_owner(source.of(object)))
        }
        // `case RunStatus.WAITING:`
        "dotted_name" if node.parent().is_some_and(|outer| outer.kind() == "case_pattern") => {
            let parts = source.of(node).rsplit_once('.');
            parts.is_some_and(|(object, member)| member.trim() == rename.old && is_owner(object))
        }
        _ => false,
    };
    let lines: BTreeSet<u32> = nodes(source.root).into_iter().filter(|node| takes(*node)).map(line).collect();
    lines.into_iter().collect()
}

/// What the type checker would say if it knew what the value is, in its own words and with its place: repairs are told by them.
fn unseen(file: &str, gone: &Gone<'_>) -> Diagnostic {
    const TRUSTED: &str = "the type checker takes the value on trust";
    let name = &gone.name;
    let (code, message) = match &gone.what {
        What::Renamed(Rename { old, new, .. }) => {
            let owner =
                gone.of.as_ref().map_or_else(|| "a generated module".to_owned(), |class| format!("\"{class}\""));
            let front = name.strip_suffix(old.as_str()).unwrap_or_default();
            let message =
                format!("{owner} has no attribute \"{name}\" any more, it is called \"{front}{new}\" now; {TRUSTED}");
            ("renamed-member", message)
        }
        What::Argument(rename) => {
            let method = gone.of.as_deref().unwrap_or_default();
            let now = rename.map(|rename| format!(", it is called \"{}\" now", rename.new)).unwrap_or_default();
            let code = if rename.is_some() { "renamed-argument" } else { "lost-argument" };
            (
                code,
                format!("\"{method}\" takes no argument \"{name}\" any more{now}; the type checker lets any name pass"),
            )
        }
        What::Lost(now) => {
            let class = gone.of.as_deref().unwrap_or_default();
            let code = if now.is_some() { "moved-member" } else { "lost-member" };
            let now = now.as_ref().map(|now| format!(", it is \"{now}\" now")).unwrap_or_default();
            (code, format!("\"{class}\" has no attribute \"{name}\" any more{now}; {TRUSTED}"))
        }
        What::Hidden => {
            let message = format!(
                "a generated module does not give `{name}` any more: it became internal along with what was hidden; {TRUSTED}"
            );
            ("hidden-type", message)
        }
    };
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(gone.line),
        column: Some(gone.column),
        code: Some(code.to_owned()),
        message,
        symbol: Some(name.clone()),
        tool: "drift".to_owned(),
    }
}

fn missed(file: &str, line: u32, rename: &Rename) -> Diagnostic {
    let owner = rename.container.as_deref().map(|owner| format!(" of `{owner}`")).unwrap_or_default();
    let message = format!("`{}`{owner} is called `{}` now and is asked for by name here", rename.old, rename.new);
    Diagnostic {
        severity: Severity::Error,
        file: Some(format!("sdk/{file}")),
        line: Some(line),
        column: None,
        code: Some("renamed-member".to_owned()),
        message,
        symbol: Some(rename.old.clone()),
        tool: "drift".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_asked_for_by_its_old_name_as_text_is_drift_and_a_remark_is_not() {
        let rename = Rename {
            kind: EntityKind::Property,
            container: Some("Widget".into()),
            old: "display_name".into(),
            new: "title".into(),
        };
        let text = "a = getattr(widget, \"display_name\")\nb = \"display_name\"\n# getattr(widget, 'display_name')\n";
        let found: Vec<_> = drifted("models/_patch.py", text, &rename, &BTreeSet::new()).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/models/_patch.py:1");
    }

    #[test]
    fn operation_asked_for_by_its_old_name_is_drift_unless_a_person_wrote_a_method_of_that_name() {
        let rename =
            Rename { kind: EntityKind::Operation, container: None, old: "list_parts".into(), new: "get_parts".into() };
        let traced = (
            "telemetry/_tracer.py".to_owned(),
            "APIS = ((\"PartsOperations\", \"list_parts\"),)\nfor owner, method in APIS:\n    getattr(owner, method)\n"
                .to_owned(),
        );
        let of = |files: &[Text]| {
            let (file, text) = &files[0];
            let found = is_gone(&rename, files, &SpecIndex::default())
                .then(|| drifted(file, text, &rename, &BTreeSet::new()).collect::<Vec<_>>());
            found.unwrap_or_default().iter().map(Diagnostic::place).collect::<Vec<_>>()
        };
        assert_eq!(of(std::slice::from_ref(&traced)), ["sdk/telemetry/_tracer.py:1"]);
        for own in [
            "class P(Generated):\n    async def list_parts(self): ...\n",
            "def list_parts(): ...\n",
            "class P(Generated):\n    list_parts = Generated.get_parts\n",
        ] {
            assert_eq!(of(&[traced.clone(), ("_patch.py".to_owned(), own.to_owned())]), [""; 0], "{own}");
        }
        for other in [
            "class P(Generated):\n    def list_parts_again(self): ...\n",
            "class P:\n    def f(self):\n        list_parts = 1\n",
            "list_parts = 1\n",
        ] {
            assert_eq!(of(&[traced.clone(), ("_patch.py".to_owned(), other.to_owned())]).len(), 1, "{other}");
        }
    }

    fn index(kind: EntityKind, container: EntityKind, names: [&str; 2], access: &str) -> SpecIndex {
        let entity = |kind, name: &str, reference: &str, container: Option<&str>, access: &str| {
            serde_json::from_value(serde_json::json!({
                "kind": kind, "name": name, "reference": reference, "container": container,
                "file": "main.tsp", "line": 1, "client": { "name": name, "access": access },
            }))
            .unwrap()
        };
        let [outer, inner] = names;
        let entities = vec![
            entity(container, outer, outer, None, "public"),
            entity(kind, inner, &format!("{outer}.{inner}"), Some(outer), access),
        ];
        SpecIndex { entities, ..SpecIndex::default() }
    }

    #[test]
    fn operation_is_not_gone_while_another_has_its_name_and_a_name_of_python_itself_says_nothing() {
        let rename = |old: &str| Rename {
            kind: EntityKind::Operation,
            container: Some("PartsOperations".into()),
            old: old.into(),
            new: "get_parts".into(),
        };
        let others = |name: &str, access| index(EntityKind::Operation, EntityKind::Interface, ["Assets", name], access);
        assert!(!is_gone(&rename("list_all"), &[], &others("listAll", "public")));
        assert!(is_gone(&rename("list_all"), &[], &others("listAll", "internal")), "it has an underscore");
        assert!(is_gone(&rename("list_all"), &[], &others("listSome", "public")));
        let stream = "if hasattr(stream, \"read\"): ...\nA = ((\"PartsOperations\", \"read\"),)\n";
        let found: Vec<_> =
            drifted("_patch.py", stream, &rename("read"), &BTreeSet::new()).filter_map(|one| one.line).collect();
        assert_eq!(found, [2]);
    }

    #[test]
    fn value_of_an_enum_is_not_gone_while_the_enum_or_one_of_a_person_has_it() {
        let rename = Rename {
            kind: EntityKind::EnumMember,
            container: Some("RunStatus".into()),
            old: "WAITING".into(),
            new: "PENDING".into(),
        };
        let of = |outer, inner| index(EntityKind::EnumMember, EntityKind::Enum, [outer, inner], "public");
        assert!(is_gone_value(&rename, &[], &of("RunStatus", "Pending")));
        assert!(is_gone_value(&rename, &[], &of("OtherStatus", "Waiting")));
        assert!(!is_gone_value(&rename, &[], &of("RunStatus", "Waiting")));
        let file = |text: &str| [("_patch.py".to_owned(), text.to_owned())];
        assert!(!is_gone_value(
            &rename,
            &file("class RunStatus(str, Enum):\n    WAITING = 1\n"),
            &SpecIndex::default()
        ));
        assert!(is_gone_value(&rename, &file("class RunStatusText(str): ...\n"), &SpecIndex::default()));
    }

    #[test]
    fn value_of_an_enum_under_its_old_name_is_drift_though_no_type_checker_misses_it() {
        let rename = Rename {
            kind: EntityKind::EnumMember,
            container: Some("RunStatus".into()),
            old: "WAITING".into(),
            new: "PENDING".into(),
        };
        let text = "a = RunStatus.WAITING\nb = models.RunStatus.WAITING.value\nc = RunStatus.WAITING_LONG\n\
                    d = OtherRunStatus.WAITING\ne = 1  # RunStatus.WAITING\n\
                    f = RunStatus[\"WAITING\"]\ng = \"#\", RunStatus.WAITING\n\
                    def h():\n    \"\"\"Gives `RunStatus.WAITING`.\n\n    RunStatus.WAITING\n    \"\"\"\n\
                    match f:\n    case RunStatus.WAITING:\n        pass\n";
        assert_eq!(of_enum(text, &rename), [1, 2, 6, 7, 14]);
        let message = missed("_patch.py", 1, &rename).message;
        assert!(message.contains("`WAITING` of `RunStatus`") && message.contains("`PENDING`"), "{message}");
        assert_eq!(of_enum(text, &Rename { container: None, ..rename }), [0_u32; 0]);
    }

    #[test]
    fn long_running_operation_under_its_old_name_is_told_as_the_type_checker_would() {
        let rename = Rename { kind: EntityKind::Operation, container: None, old: "make".into(), new: "build".into() };
        let name = "begin_make".to_owned();
        let of = Some("PartsClient".to_owned());
        let gone = Gone { file: 0, line: 3, column: 9, name, what: What::Renamed(&rename), of };
        let told = unseen("_patch.py", &gone);
        assert_eq!(told.symbol.as_deref(), Some("begin_make"));
        let wanted = "\"PartsClient\" has no attribute \"begin_make\" any more, it is called \"begin_build\" now";
        assert!(told.message.starts_with(wanted), "{}", told.message);
    }

    #[test]
    fn method_that_stays_under_the_old_name_of_an_operation_is_drift() {
        let rename = Rename { kind: EntityKind::Operation, container: None, old: "ping".into(), new: "check".into() };
        let text = "from ._client import AClient as Generated\nclass AClient(Generated):\n    def ping(self): ...\n";
        let found: Vec<_> = left_behind("_patch.py", overrides(text, &rename), &rename).collect();
        assert_eq!(found.iter().map(Diagnostic::place).collect::<Vec<_>>(), ["sdk/_patch.py:3"]);
        assert!(found[0].message.contains("`ping`") && found[0].message.contains("`check`"), "{}", found[0].message);
        let followed = text.replace("ping", "check");
        assert_eq!(left_behind("_patch.py", overrides(&followed, &rename), &rename).count(), 0);
    }

    #[test]
    fn value_that_what_holds_a_member_of_an_enum_is_asked_for_is_no_member_of_generated_code() {
        // The shape of the clients of Key Vault.
        let enums = "class ApiVersion(str, Enum, metaclass=Meta):\n    V1 = \"1\"\nDEFAULT_VERSION = ApiVersion.V1\nOTHER = Part.V1\n";
        let plain = python_enums::constants(&[enums, "class Part(Model): ...\n"]);
        assert_eq!(plain.iter().copied().collect::<Vec<_>>(), ["DEFAULT_VERSION"]);
        let text = "class Client:\n    def __init__(self, **kwargs):\n        self.version = kwargs.pop(\"version\", DEFAULT_VERSION)\n        if hasattr(self.version, \"value\"):\n            self.version = self.version.value\n";
        assert_eq!(asked::lines(text, "value", &plain), BTreeSet::new());
        assert_eq!(asked::lines(text, "value", &BTreeSet::new()), BTreeSet::from([4]));
        for other in [
            text.replace("DEFAULT_VERSION", "OTHER"),
            text.replace("        if", "        self.version = kwargs.get(\"setting\")\n        if"),
            text.replace("hasattr(self.version", "hasattr(setting"),
        ] {
            assert_eq!(asked::lines(&other, "value", &plain).len(), 1, "{other}");
        }
    }
}
