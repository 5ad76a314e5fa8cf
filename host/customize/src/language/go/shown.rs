//! Exported Go that people wrote, under the name of something generated, and the names that aliases give to generated types.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::method_names::{go_methods, pascal};
use bailiwick_sdk::syntax::{field, line, named_children, nodes, parse};
use tree_sitter::{Node, Tree};

use super::super::shown::{Place, Shown, Sought};
use super::{file_name, has_header};

/// What ends the name of a file that people wrote. Some carry the header of the generated file that they were copied from.
const CUSTOM: &str = "_custom.go";

/// Whether people wrote a file of a package that other people import.
pub(super) fn is_read(path: &str, content: &[u8]) -> bool {
    let aside = path.split('/').any(|part| matches!(part, "internal" | "fake" | "testdata"));
    let generated = has_header(content) || file_name(path).starts_with(super::GENERATED_PREFIX);
    !aside && !path.ends_with("_test.go") && (!generated || path.ends_with(CUSTOM))
}

/// What hand-written code shows under a name.
pub(super) fn shown(text: &str, sought: &Sought) -> Vec<Shown> {
    match sought {
        Sought::Operation { holder, place, name, called } => {
            let called: Vec<String> = called.iter().flat_map(|name| go_methods(name)).collect();
            let source = Source::of(text, &["func ("]);
            source.map_or_else(Vec::new, |source| source.methods(&receivers(holder, place), &go_methods(name), &called))
        }
        Sought::Type { name } => {
            let declared = |source: Source<'_>| {
                let types = source.types().into_iter().filter(|one| source.internal(*one).is_none());
                let shown = types.filter_map(|one| source.named(one)).filter(|one| one.name.eq_ignore_ascii_case(name));
                shown.collect()
            };
            Source::of(text, &["type"]).map_or_else(Vec::new, declared)
        }
        Sought::Property { models, name } => {
            let name = pascal(name);
            Source::of(text, &["struct"]).map_or_else(Vec::new, |source| source.fields(models, &name))
        }
    }
}

/// What users call a generated type of an internal package to which an alias gives a name: `type Widget = generated.Part`.
pub(super) fn own_names(text: &str, generated: &Sought) -> Vec<Shown> {
    let Sought::Type { name } = generated else { return Vec::new() };
    let Some(source) = Source::of(text, &["internal"]) else { return Vec::new() };
    let is_it = |one: &Node<'_>| source.internal(*one).is_some_and(|of| of.eq_ignore_ascii_case(name));
    source.types().into_iter().filter(is_it).filter_map(|one| source.named(one)).collect()
}

/// Whether a name is one of these. The emitter writes initials as capitals (`ID`), and what is internal with a small letter.
fn is_one_of(name: &str, names: &[String]) -> bool {
    names.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// The types that generated code may have for a client or a group.
fn receivers(holder: &str, place: &Place) -> Vec<String> {
    let plain = |name: &str| pascal(name.strip_suffix("Client").unwrap_or(name));
    let mut names = vec![plain(holder)];
    if let Place::Group { above } = place {
        names.push(format!("{}{}", plain(above), plain(holder)));
    }
    names.into_iter().flat_map(|name| [format!("{name}Client"), name]).collect()
}

/// A file that can be imported, with its syntax tree.
struct Source<'t> {
    text: &'t str,
    tree: Tree,
}

impl<'t> Source<'t> {
    /// The source, where it is worth a parse: it says one of these words.
    fn of(text: &'t str, words: &[impl AsRef<str>]) -> Option<Self> {
        let says = words.iter().any(|word| text.contains(word.as_ref()));
        let tree = says.then(|| parse(&tree_sitter_go::LANGUAGE.into(), text)).flatten()?;
        let source = Self { text, tree };
        // Programs are not imported.
        (super::package_name(text)? != "main").then_some(source)
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn declarations(&self, kind: &str) -> Vec<Node<'_>> {
        let all = named_children(self.tree.root_node());
        all.into_iter().filter(|node| node.kind() == kind).collect()
    }

    /// The types and aliases that a file declares.
    fn types(&self) -> Vec<Node<'_>> {
        self.declarations("type_declaration").into_iter().flat_map(named_children).collect()
    }

    /// A declaration that is exported, by its name.
    fn named(&self, declaration: Node<'_>) -> Option<Shown> {
        let name = field(declaration, "name")?;
        let called = self.text(name);
        called.starts_with(char::is_uppercase).then(|| Shown::alone(line(name), called.to_owned()))
    }

    /// The type of an internal package that an alias stands for.
    fn internal(&self, alias: Node<'_>) -> Option<&'t str> {
        let of = field(alias, "type").filter(|one| alias.kind() == "type_alias" && one.kind() == "qualified_type")?;
        let package = self.text(field(of, "package")?);
        let imports = self.declarations("import_declaration").into_iter().flat_map(nodes);
        let is_it = |import: &Node<'_>| {
            let path = field(*import, "path").map(|path| self.text(path).trim_matches(['"', '`'])).unwrap_or_default();
            let named = field(*import, "name")
                .map_or_else(|| path.rsplit('/').next().unwrap_or_default(), |one| self.text(one));
            named == package && path.split('/').any(|part| part == "internal")
        };
        imports.filter(|node| node.kind() == "import_spec").any(|import| is_it(&import)).then_some(())?;
        Some(self.text(field(of, "name")?))
    }

    /// The exported methods of these names of a client, or of a type that wraps one.
    fn methods(&self, receivers: &[String], forms: &[String], called: &[String]) -> Vec<Shown> {
        let names_client =
            |node: &Node<'_>| node.kind() == "type_identifier" && receivers.iter().any(|one| one == self.text(*node));
        let wraps = || nodes(self.tree.root_node()).iter().any(names_client);
        let mut found = Vec::new();
        for method in self.declarations("method_declaration") {
            let Some((of, name)) = self.receiver(method).zip(field(method, "name")) else { continue };
            let own_name = self.text(name);
            let exported = of.starts_with(char::is_uppercase) && own_name.starts_with(char::is_uppercase);
            let is_it = exported && is_one_of(own_name, forms);
            let own = receivers.iter().any(|one| one == of);
            if is_it && (own || (self.calls(method, called) && wraps())) {
                found.push(Shown::alone(line(name), format!("{of}.{own_name}")));
            }
        }
        found
    }

    /// The type of which a function is a method.
    fn receiver(&self, method: Node<'_>) -> Option<&'t str> {
        let parameter = named_children(field(method, "receiver")?).into_iter().next()?;
        let of = self.text(field(parameter, "type")?).trim_start_matches('*');
        Some(of.split('[').next().unwrap_or(of).trim())
    }

    /// Whether a method calls one of these on something that it keeps.
    fn calls(&self, method: Node<'_>, called: &[String]) -> bool {
        nodes(method).into_iter().any(|node| {
            let member = field(node, "field").filter(|_| node.kind() == "selector_expression");
            let kept = field(node, "operand").is_some_and(|one| one.kind() != "identifier");
            kept && member.is_some_and(|member| is_one_of(self.text(member), called))
        })
    }

    /// The fields of this name in structs that embed one of the models.
    fn fields(&self, models: &[String], name: &str) -> Vec<Shown> {
        let mut found = Vec::new();
        for one in self.types() {
            let Some(holder) = self.named(one) else { continue };
            let body = field(one, "type").filter(|body| body.kind() == "struct_type");
            let fields = body.map(named_children).unwrap_or_default().into_iter().flat_map(named_children);
            let fields: Vec<Node<'_>> = fields.filter(|one| one.kind() == "field_declaration").collect();
            let embeds = fields.iter().any(|one| {
                let of = field(*one, "type").map(|of| self.text(of)).unwrap_or_default();
                let of = of.trim_start_matches('*').rsplit('.').next().unwrap_or_default();
                field(*one, "name").is_none() && models.iter().any(|model| model.eq_ignore_ascii_case(of))
            });
            let is_it = |called: &str| called.starts_with(char::is_uppercase) && called.eq_ignore_ascii_case(name);
            let names = fields.iter().filter_map(|one| field(*one, "name")).filter(|_| embeds);
            let shown = names.map(|one| (one, self.text(one))).find(|(_, called)| is_it(called));
            found.extend(shown.map(|(one, called)| Shown::alone(line(one), format!("{}.{called}", holder.name))));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
package azevents

import (
	\"context\"

	\"github.com/contoso/sdk/azevents/internal/generated\"
	inner \"github.com/contoso/sdk/azevents/internal/base\"
	\"github.com/contoso/sdk/other\"
)

// Send publishes one event.
func (client *SenderClient) Send(ctx context.Context, event Event) (SendResponse, error) {
	return client.send(ctx, client.data.Topic, event)
}

func (client *SenderClient) beginReceive(ctx context.Context) {}

func (client *AdminPartsClient) NewListPager() {}

// Client keeps what is generated.
type Client struct{ base inner.Client[generated.QueueClient] }

func (q *Client) generated() *generated.QueueClient { return q.base.Inner() }

func (q Client) BeginDelete(ctx context.Context) error { return q.generated().Delete(ctx) }

func (q Client) Purge(ctx context.Context) error { return q.Purge(ctx) }

func (q hidden) Clear(ctx context.Context) error { return q.generated().Clear(ctx) }

type (
	AccessTier = generated.AccessTier
	Tier       = inner.StorageTier
	Shared     = other.StorageTier
	// Event is one that people wrote.
	Event struct {
		generated.CloudEvent
		SourceID string
		data     string
	}
	quiet struct{}
)
";

    fn brief(found: Vec<Shown>) -> Vec<String> {
        found.into_iter().map(|one| format!("{}:{}", one.line, one.name)).collect()
    }

    fn operation(holder: &str, place: Place, name: &str) -> Vec<String> {
        brief(shown(
            TEXT,
            &Sought::Operation {
                holder: holder.into(),
                place,
                name: name.into(),
                called: vec![name.into(), "drop".into()],
            },
        ))
    }

    #[test]
    fn exported_methods_of_a_client_and_of_what_wraps_one_are_shown() {
        assert_eq!(operation("SenderClient", Place::Client, "send"), ["12:SenderClient.Send"]);
        assert_eq!(operation("QueueClient", Place::Client, "delete"), ["25:Client.BeginDelete"]);
        // What it calls has another name since a rename, and is internal.
        let renamed = TEXT.replace("().Delete(", "().drop(");
        let called = vec!["delete".into(), "drop".into()];
        let (holder, name) = ("QueueClient".into(), "delete".into());
        let sought = Sought::Operation { holder, place: Place::Client, name, called };
        assert_eq!(brief(shown(&renamed, &sought)), ["25:Client.BeginDelete"]);
        let group = Place::Group { above: "AdminClient".into() };
        assert_eq!(operation("Parts", group, "list"), ["18:AdminPartsClient.NewListPager"]);
    }

    #[test]
    fn methods_within_the_package_and_those_of_other_clients_are_not_shown() {
        let group = |above: &str| Place::Group { above: above.into() };
        for (holder, place, name) in [
            ("SenderClient", Place::Client, "receive"),
            ("ReceiverClient", Place::Client, "send"),
            ("QueueClient", Place::Client, "purge"),
            ("QueueClient", Place::Client, "clear"),
            ("TableClient", Place::Client, "delete"),
            ("Parts", group("UserClient"), "list"),
        ] {
            assert_eq!(operation(holder, place, name), Vec::<String>::new(), "{holder} {name}");
        }
        let program = TEXT.replace("package azevents", "package main");
        let sought = Sought::Type { name: "Event".into() };
        assert!(shown(&program, &sought).is_empty() && shown("package a\ntype Event struct {", &sought).is_empty());
    }

    #[test]
    fn types_are_shown_by_their_name_and_aliases_of_internal_types_by_that_of_the_alias() {
        let of =
            |read: fn(&str, &Sought) -> Vec<Shown>, name: &str| brief(read(TEXT, &Sought::Type { name: name.into() }));
        assert_eq!(of(shown, "event"), ["36:Event"]);
        assert_eq!(of(shown, "Shared"), ["34:Shared"]);
        assert_eq!(of(own_names, "StorageTier"), ["33:Tier"]);
        assert_eq!(of(own_names, "AccessTier"), ["32:AccessTier"]);
        for name in ["quiet", "AccessTier", "CloudEvent"] {
            assert_eq!(of(shown, name), Vec::<String>::new(), "{name}");
        }
        let field = |model: &str, name: &str| {
            brief(shown(TEXT, &Sought::Property { models: vec![model.into()], name: name.into() }))
        };
        assert_eq!(field("CloudEvent", "sourceId"), ["38:Event.SourceID"]);
        assert!(field("CloudEvent", "data").is_empty() && field("Other", "sourceId").is_empty());
    }

    #[test]
    fn generated_files_tests_and_internal_packages_are_not_read() {
        let header = b"// Code generated by Microsoft (R) Go Code Generator. DO NOT EDIT.\npackage a\n".as_slice();
        for (path, content, read) in [
            ("custom_client.go", b"package a".as_slice(), true),
            ("sender_client_custom.go", header, true),
            ("sender_client.go", header, false),
            ("zz_models.go", b"package a", false),
            ("client_test.go", b"package a", false),
            ("internal/exported/a.go", b"package a", false),
            ("fake/server.go", b"package a", false),
        ] {
            assert_eq!(is_read(path, content), read, "{path}");
        }
    }
}
