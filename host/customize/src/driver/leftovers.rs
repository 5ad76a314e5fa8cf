//! Samples, tests and pages that still use a name which a run changed. No build looks at them, so a person is told.

use bailiwick_sdk::renames::rename_of;
use bailiwick_sdk::tasks::{EntityKind, Language, Rename, SpecIndex};

use super::CustomizeError;
use super::session::Session;
use crate::language::{Override, content_of, files_of, open_package};

/// Larger files hold recordings and data.
const LARGEST: usize = 1 << 20;
/// The most files that a sentence names.
const NAMED: usize = 5;
/// What tells of the past.
const HISTORY: &str = "CHANGELOG.md";
/// The kinds of files that people write, beside the language's own.
const PAGES: [&str; 4] = [".md", ".rst", ".txt", ".ipynb"];

/// What lies in this directory names classes for the Java runtime and for native images: no compiler sees one that is gone.
const RUNTIME: &str = "META-INF";
/// What the emitter writes there.
const EMITTED: [&str; 2] = ["_metadata.json", "_apiview_properties.json"];

impl Session<'_> {
    /// A sentence for each name that stands somewhere still, with the files and how often.
    pub(super) fn leftovers(&self, renames: &[Rename]) -> Result<Vec<String>, CustomizeError> {
        if renames.is_empty() {
            return Ok(Vec::new());
        }
        let package = open_package(&self.project.package)?;
        let mut texts: Vec<(String, String)> = Vec::new();
        for path in files_of(&package)? {
            if !self.language.is_source(&path) && !is_page(&path) {
                continue;
            }
            let content = content_of(&package, &path)?.filter(|content| content.len() <= LARGEST);
            let Some(content) = content else { continue };
            let own = match self.language.is_source(&path) {
                true => self.language.own_text(&path, &content),
                false => Some(String::from_utf8_lossy(&content).into_owned()),
            };
            texts.extend(own.map(|text| (path, text)));
        }
        let language = self.language.language();
        let found = |rename: &Rename| sentence(rename, language, &texts, &others(rename, language, &self.index));
        // The methods of a long-running operation are looked for along with it, and copies of a model have the same names.
        let along = |rename: &&Rename| {
            renames.iter().any(|one| one.kind == EntityKind::Operation && rename.old == format!("begin_{}", one.old))
        };
        let mut said: Vec<String> = renames.iter().filter(|rename| !along(rename)).filter_map(found).collect();
        said.dedup();
        for (rename, (path, text)) in renames.iter().flat_map(|rename| texts.iter().map(move |text| (rename, text))) {
            let kept = self.language.wrappers(text, rename);
            said.extend(kept.iter().filter(|_| !rename.new.starts_with('_')).map(|own| wrapper(path, own, rename)));
            if matches!(language, Language::Javascript | Language::Go) && rename.kind == EntityKind::Property {
                let rename = if language == Language::Go { as_go(rename) } else { rename.clone() };
                said.extend(given_on(text, &rename).map(|line| under_old_name(path, line, &rename)));
            }
        }
        Ok(said)
    }
}

/// Whether people write such a file beside code. What tells of the past does not count.
fn is_page(path: &str) -> bool {
    let is_of_runtime = path.split('/').any(|part| part == RUNTIME) && !EMITTED.iter().any(|end| path.ends_with(end));
    path != HISTORY && (is_of_runtime || PAGES.iter().any(|end| path.ends_with(end)))
}

/// A hand-written method that users call instead of the renamed operation.
fn wrapper(path: &str, own: &Override, rename: &Rename) -> String {
    format!(
        "Decide what users shall call: the hand-written `{}` (`{path}:{}`) keeps its name, and the generated operation \
         that it calls is now `{}`",
        own.name, own.line, rename.new
    )
}

/// The line on which a literal gives the property on under its old name: `days: attributes.retentionDays`.
fn given_on(text: &str, rename: &Rename) -> Option<usize> {
    let gives = |line: &str| keyed(line, &rename.old) > 0 && uses(line, &rename.new, true, &[]) > 0;
    text.lines().position(gives).map(|at| at.saturating_add(1))
}

fn under_old_name(path: &str, line: usize, rename: &Rename) -> String {
    format!(
        "Decide what users shall see: hand-written code gives `{}` on under the old name `{}` (`{path}:{line}`), and a \
         hand-written type keeps that name",
        rename.new, rename.old
    )
}

/// The other groups that have an operation of the old name of this one, as [`plain`] writes them.
fn others(rename: &Rename, language: Language, index: &SpecIndex) -> Vec<String> {
    if rename.kind != EntityKind::Operation || rename.container.is_none() {
        return Vec::new();
    }
    let operations = index.entities.iter().filter(|one| one.kind == EntityKind::Operation);
    let named = operations.filter_map(|one| {
        let name = &one.client.as_ref()?.name;
        let seen = rename_of(one, name, name, language, index);
        (seen.old == rename.old && seen.container != rename.container).then_some(seen.container?)
    });
    let own = rename.container.as_deref().map(plain);
    named.map(|group| plain(&group)).filter(|group| !group.is_empty() && Some(group) != own.as_ref()).collect()
}

/// The name of a group without what languages put around it: `assets` of `AssetsOperations`, `GetAssetsClient`, `assets_client`.
fn plain(name: &str) -> String {
    let mut name: String = name.chars().filter(|one| *one != '_').flat_map(char::to_lowercase).collect();
    for end in ["async", "client", "operations"] {
        name.truncate(name.strip_suffix(end).map_or(name.len(), str::len));
    }
    ["get", "new"].iter().find_map(|verb| name.strip_prefix(verb)).unwrap_or(&name).to_owned()
}

/// What stands in front of a dot or `#` at the end of a text, without the arguments of a call: `assets` of `client.assets().`
fn receiver(before: &str) -> Option<&str> {
    let mut text = before.strip_suffix(['.', '#'])?.trim_end();
    if let Some(called) = text.strip_suffix(')') {
        let mut depth = 1_usize;
        let opening = called.char_indices().rev().find(|(_, sign)| {
            depth = match sign {
                ')' => depth.saturating_add(1),
                '(' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        text = called.get(..opening?.0)?;
    }
    let name = text.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next()?;
    (!name.is_empty()).then_some(name)
}

fn sentence(rename: &Rename, language: Language, texts: &[(String, String)], others: &[String]) -> Option<String> {
    // Another thing may have the name of a member; a type's name is its own.
    let member = !rename.kind.is_type() && rename.kind != EntityKind::Namespace;
    let (rename, forms) = match language {
        Language::Go => (as_go(rename), go_forms(rename)),
        _ => (rename.clone(), forms(rename, language)),
    };
    let keys = language == Language::Go && member;
    let count = |text: &str, form: &str| {
        uses(text, form, member, others).saturating_add(if keys { keyed(text, form) } else { 0 })
    };
    let found: Vec<(&str, usize)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), forms.iter().map(|form| count(text, form)).sum()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let all: usize = found.iter().map(|(_, count)| count).sum();
    if all == 0 {
        return None;
    }
    let named: Vec<String> = found.iter().take(NAMED).map(|(path, count)| format!("`{path}` ({count})")).collect();
    let more = match found.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more files"),
    };
    let sure = match (member, all) {
        (true, _) => "may still mean",
        (false, 1) => "still says",
        (false, _) => "still say",
    };
    let places = if all == 1 { "1 place".to_owned() } else { format!("{all} places") };
    Some(format!(
        "Look at what no build sees: {places} {sure} `{}`, now `{}`: {}{more}",
        rename.old,
        rename.new,
        named.join(", ")
    ))
}

/// The names under which users of the client know it: a long-running operation begins with `begin`, and in Java a property
/// has accessors.
fn forms(rename: &Rename, language: Language) -> Vec<String> {
    let mut forms = vec![rename.old.clone()];
    let capital = capitalised(&rename.old);
    match rename.kind {
        EntityKind::Operation => forms.extend([format!("begin_{}", rename.old), format!("begin{capital}")]),
        EntityKind::Property if language == Language::Java => {
            forms.extend(["get", "set", "is"].map(|verb| format!("{verb}{capital}")));
        }
        _ => {}
    }
    forms
}

fn capitalised(name: &str) -> String {
    let mut rest = name.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// A rename as users of a Go client see it: what is exported begins with a capital, and what is hidden by now does not.
fn as_go(rename: &Rename) -> Rename {
    let old = capitalised(&rename.old);
    let new = capitalised(&rename.new);
    let new = if new == old { rename.new.clone() } else { new };
    Rename { old, new, ..rename.clone() }
}

/// The names that a Go client makes of one: pages and long-running operations have verbs around theirs, the options and the
/// answer of an operation and the values of an enumeration are called after it.
fn go_forms(rename: &Rename) -> Vec<String> {
    let old = capitalised(&rename.old);
    match rename.kind {
        EntityKind::Operation => {
            let derived =
                [format!("New{old}Pager"), format!("Begin{old}"), format!("{old}Options"), format!("{old}Response")];
            std::iter::once(old).chain(derived).collect()
        }
        EntityKind::EnumMember => rename.container.iter().map(|of| format!("{of}{old}")).collect(),
        _ => vec![old],
    }
}

/// How often a name is a key in a literal: `Name: value`, which a parameter or a label of Go never is.
fn keyed(text: &str, name: &str) -> usize {
    let is_key = |at: &usize| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at.saturating_add(name.len())..).unwrap_or_default();
        before.is_none_or(|one| one.is_whitespace() || matches!(one, '{' | ','))
            && after.starts_with(':')
            && !after.starts_with(":=")
    };
    text.match_indices(name).filter(|(at, _)| is_key(at)).count()
}

/// How often a name stands in a text on its own; a member only behind a dot, or behind `#` as in links of Javadoc, and not behind
/// the name of one of the `others`.
fn uses(text: &str, name: &str, member: bool, others: &[String]) -> usize {
    let part = |sign: char| sign.is_alphanumeric() || sign == '_';
    text.match_indices(name)
        .filter(|(at, _)| {
            let front = text.get(..*at).unwrap_or_default();
            let before = front.chars().next_back();
            let after = text.get(at.saturating_add(name.len())..).and_then(|text| text.chars().next());
            let is_of_another = || receiver(front).is_some_and(|group| others.contains(&plain(group)));
            !after.is_some_and(part)
                && if member {
                    matches!(before, Some('.' | '#')) && (others.is_empty() || !is_of_another())
                } else {
                    !before.is_some_and(part)
                }
        })
        .count()
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::{Access, ClientView, Entity};

    use super::*;

    fn rename(kind: EntityKind, old: &str) -> Rename {
        Rename { kind, container: None, old: old.to_owned(), new: "Other".to_owned() }
    }

    fn texts(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn pages_and_what_names_classes_for_the_runtime_are_read_and_the_history_is_not() {
        for path in ["README.md", "docs/a.rst", "src/main/resources/META-INF/native-image/w/reflect-config.json"] {
            assert!(is_page(path), "{path}");
        }
        for path in [
            HISTORY,
            "src/main/resources/w.properties",
            "recordings/a.json",
            "src/main/resources/META-INF/azure-w_metadata.json",
            "src/main/resources/META-INF/azure-w_apiview_properties.json",
        ] {
            assert!(!is_page(path), "{path}");
        }
        let texts = texts(&[("META-INF/reflect-config.json", "{ \"name\": \"com.azure.w.models.Widget\" }")]);
        assert!(sentence(&rename(EntityKind::Model, "Widget"), Language::Java, &texts, &[]).is_some());
    }

    #[test]
    fn files_that_say_an_old_name_are_named_with_how_often() {
        let texts = texts(&[
            ("README.md", "`Widget` and Widget, WidgetSummary, MyWidget"),
            ("samples/a.py", "from w import Widget"),
            ("samples/b.py", "nothing"),
        ]);
        let said = sentence(&rename(EntityKind::Model, "Widget"), Language::Python, &texts, &[]).unwrap();
        assert!(
            said.contains("3 places still say `Widget`, now `Other`: `README.md` (2), `samples/a.py` (1)"),
            "{said}"
        );
        assert_eq!(sentence(&rename(EntityKind::Model, "Gadget"), Language::Python, &texts, &[]), None);
    }

    #[test]
    fn member_is_looked_for_behind_a_dot_and_called_possible() {
        let texts = texts(&[("samples/a.py", "client.get(1)\nget = 2\nclient.get_all()\n")]);
        let said = sentence(&rename(EntityKind::Operation, "get"), Language::Python, &texts, &[]).unwrap();
        assert!(said.contains("1 place may still mean `get`"), "{said}");
    }

    #[test]
    fn long_running_operation_is_looked_for_as_its_users_call_it() {
        let texts = texts(&[("samples/a.py", "client.begin_create_job()"), ("A.java", "client.beginCreate_job()")]);
        let said = sentence(&rename(EntityKind::Operation, "create_job"), Language::Python, &texts, &[]).unwrap();
        assert!(said.contains("2 places may still mean `create_job`"), "{said}");
    }

    #[test]
    fn go_is_looked_through_for_exported_names_keys_of_literals_and_what_is_called_after_an_operation() {
        let all = texts(&[
            ("client_test.go", "client.BackupSecret(ctx)\nclient.backupSecret(ctx)\nBackupSecret := 1\n"),
            ("fake/server_test.go", "\tBackupSecret: func(options *w.BackupSecretOptions) {}\n"),
            ("example_test.go", "client.NewBackupSecretPager(nil)"),
        ]);
        let renamed = Rename { new: "exportSecret".to_owned(), ..rename(EntityKind::Operation, "backupSecret") };
        let said = sentence(&renamed, Language::Go, &all, &[]).unwrap();
        let counted = "`client_test.go` (1), `fake/server_test.go` (2), `example_test.go` (1)";
        assert!(
            said.ends_with(&format!("4 places may still mean `BackupSecret`, now `ExportSecret`: {counted}")),
            "{said}"
        );
        let hidden = Rename { new: "backupSecret".to_owned(), ..rename(EntityKind::Operation, "BackupSecret") };
        assert!(sentence(&hidden, Language::Go, &all, &[]).unwrap().contains("now `backupSecret`"));
        let all = texts(&[("a_test.go", "w.Widget{DisplayName: x, Name: w.StatusReady}; w.Ready")]);
        assert!(
            sentence(&rename(EntityKind::Property, "displayName"), Language::Go, &all, &[])
                .unwrap()
                .contains("1 place")
        );
        let value = Rename { container: Some("Status".to_owned()), ..rename(EntityKind::EnumMember, "ready") };
        assert!(sentence(&value, Language::Go, &all, &[]).unwrap().contains("1 place may still mean"));
    }

    #[test]
    fn property_that_hand_written_code_gives_on_under_the_old_name_is_told() {
        let renamed = Rename { new: "retentionDays".to_owned(), ..rename(EntityKind::Property, "days") };
        assert_eq!(given_on("const a = {\n  days: attributes?.retentionDays,\n};\n", &renamed), Some(2));
        for other in ["retentionDays: item[\"days\"]", "days: a.retentionDaysOld", "holidays: a.retentionDays"] {
            assert_eq!(given_on(other, &renamed), None, "{other}");
        }
    }

    #[test]
    fn property_of_java_is_looked_for_by_its_accessors_also_in_links_of_javadoc() {
        let texts = texts(&[
            ("src/samples/java/A.java", "widget.getDisplayName(); widget.setDisplayName(x); getDisplayName();"),
            ("README.md", "{@link Widget#getDisplayName()}, Widget#getDisplayNames()"),
        ]);
        let renamed = rename(EntityKind::Property, "displayName");
        let said = sentence(&renamed, Language::Java, &texts, &[]).unwrap();
        assert!(said.contains("3 places may still mean `displayName`"), "{said}");
        assert_eq!(sentence(&renamed, Language::Python, &texts, &[]), None);
    }

    fn operation(group: &str, name: &str) -> Vec<Entity> {
        let entity = |kind, name: &str, reference: String, container: Option<String>| Entity {
            kind,
            name: name.to_owned(),
            reference,
            container,
            file: "main.tsp".to_owned(),
            line: 1,
            client: Some(ClientView { name: name.to_owned(), access: Access::Public }),
            reach: bailiwick_sdk::tasks::Reach::Reference,
            spread_from: Vec::new(),
        };
        let of_group = entity(EntityKind::Interface, group, format!("A.{group}"), Some("A".to_owned()));
        let held = entity(EntityKind::Operation, name, format!("A.{group}.{name}"), Some(format!("A.{group}")));
        vec![of_group, held]
    }

    #[test]
    fn operation_of_another_group_is_no_leftover() {
        let entities = [
            operation("SchemaRegistries", "listThere"),
            operation("Assets", "listBySubscription"),
            operation("AssetProfiles", "listOther"),
        ];
        let index = SpecIndex { entities: entities.concat(), ..SpecIndex::default() };
        let of = |language: Language, container: &str, old: &str, text: &str| {
            let renamed = Rename { container: Some(container.to_owned()), ..rename(EntityKind::Operation, old) };
            sentence(&renamed, language, &texts(&[("tests/a", text)]), &others(&renamed, language, &index))
        };
        let python = |text: &str| of(Language::Python, "SchemaRegistriesOperations", "list_by_subscription", text);
        for text in [
            "self.client.assets.list_by_subscription()",
            "AssetsOperations.list_by_subscription",
            "client.assets.begin_list_by_subscription()",
        ] {
            assert_eq!(python(text), None, "{text}");
        }
        // The group itself, one that has no such operation, and what says nothing of its group.
        for text in [
            "client.schema_registries.list_by_subscription()",
            "client.asset_profiles.list_by_subscription()",
            "operations.list_by_subscription()",
            "f(client.assets).list_by_subscription()",
            "(client.assets).list_by_subscription()",
        ] {
            assert!(python(text).unwrap().contains("1 place may still mean"), "{text}");
        }
        for (language, text) in [
            (Language::Javascript, "client.assets\n  .listBySubscription()"),
            (Language::Java, "manager.assets().listBySubscription(); Assets#listBySubscription()"),
            (Language::Dotnet, "client.GetAssetsClient(\"(\" + Of(1)).listBySubscription()"),
        ] {
            let found = of(language, "SchemaRegistries", "listBySubscription", text);
            assert_eq!(found.is_none(), language != Language::Dotnet, "{text}: {found:?}");
        }
        assert_eq!(
            of(
                Language::Go,
                "SchemaRegistries",
                "listBySubscription",
                "factory.NewAssetsClient().NewListBySubscriptionPager(nil)"
            ),
            None
        );
    }
}
