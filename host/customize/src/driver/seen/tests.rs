use bailiwick_sdk::tasks::{Change, ClientEntry, ClientOperation, ClientView, Entity, OperationParameter};

use super::*;
use crate::laid_out::directory as package;
use crate::language::{Dotnet, Java, Javascript, Python};
use EntityKind::{Interface, Model, Operation, Property};

/// A client `ChatClient` with two operations, and a model that users do not see.
fn index(complete: (&str, Access)) -> SpecIndex {
    let operation = |name: &str, access, reference: &str| ClientOperation {
        name: name.into(),
        access,
        reference: reference.into(),
        source: format!("AI.{}", reference.rsplit('.').next().unwrap()),
        parameters: Vec::<OperationParameter>::new(),
    };
    let entity = |kind, name: &str, container: Option<&str>, access| Entity {
        kind,
        name: name.into(),
        reference: container.map_or_else(|| format!("AI.{name}"), |one| format!("{one}.{name}")),
        container: container.map(str::to_owned),
        file: "main.tsp".into(),
        line: 1,
        client: Some(ClientView { name: name.into(), access }),
        reach: bailiwick_sdk::tasks::Reach::Reference,
        spread_from: Vec::new(),
    };
    SpecIndex {
        clients: vec![ClientEntry {
            name: "ChatClient".into(),
            parent: None,
            reference: Some("Custom.Client1".into()),
            initialization: Vec::new(),
            operations: vec![
                operation(complete.0, complete.1, "Custom.Client1.complete"),
                operation("train", Access::Public, "Custom.Client1.train"),
            ],
        }],
        entities: vec![
            entity(Model, "Message", None, Access::Public),
            entity(Model, "AssistantMessage", None, Access::Internal),
            entity(Property, "toolCalls", Some("AI.AssistantMessage"), Access::Internal),
        ],
        bases: [("AI.AssistantMessage".to_owned(), "AI.Message".to_owned())].into(),
        ..SpecIndex::default()
    }
}

const PATCH: &str = "\
from ._client import ChatClient as Generated
from ._models import Message

class ChatClient(Generated):
    def complete(self):
        return self._complete()

class Assistant(Message):
    tool_calls: int = rest_field()
";

fn item(route: Route, changes: Vec<Change>) -> Classification {
    let directives =
        changes.into_iter().map(|change| Directive { change, scope: None, basis: String::new() }).collect();
    let item = ItemVerdict {
        id: "1".into(),
        text: "the request".into(),
        route,
        reason: "done".into(),
        directives,
        guidance: None,
    };
    Classification { items: vec![item], ..Classification::default() }
}

fn hide(kind: EntityKind, target: &str) -> Change {
    Change::Hide { kind, target: target.into() }
}

fn rename(kind: EntityKind, target: &str, name: &str) -> Change {
    Change::Rename { kind, target: target.into(), name: name.into() }
}

/// Issues of the guidance for done items, one view before and one after.
fn of_done(views: [&SpecIndex; 2], changes: Vec<Change>) -> Vec<String> {
    let package = package(&[("azure/ai/_patch.py", PATCH)]);
    let seen = Seen { language: &Python, package: package.path(), before: views[0], after: views[1] };
    let corrected = seen.corrected(item(Route::Success, changes), None).unwrap();
    issues(corrected.items.into_iter().filter_map(|item| item.guidance).collect())
}

fn issues(all: Vec<ManualGuidance>) -> Vec<String> {
    all.into_iter().map(|one| format!("{} at {}", one.issue, one.files.join(" "))).collect()
}

const INTERNAL: (&str, Access) = ("complete", Access::Internal);

#[test]
fn hidden_operation_that_a_hand_written_method_shows_is_not_done() {
    let index = index(INTERNAL);
    let said = ["users still see the hand-written `ChatClient.complete` at sdk/azure/ai/_patch.py:5"];
    assert_eq!(of_done([&index, &index], vec![hide(Operation, "Custom.Client1.complete")]), said);
    assert_eq!(of_done([&index, &index], vec![hide(Interface, "Custom.Client1")]), said);
    assert_eq!(of_done([&index, &index], vec![hide(Operation, "AI.complete")]), said);
    assert!(of_done([&index, &index], vec![hide(Operation, "Custom.Client1.train")]).is_empty());
}

#[test]
fn renamed_operation_that_a_hand_written_method_shows_by_its_old_name_is_not_done() {
    let (before, after) = (index(INTERNAL), index(("chat", Access::Internal)));
    let change = || vec![rename(Operation, "Custom.Client1.complete", "chat")];
    let said = ["users still see the hand-written `ChatClient.complete`, and not `chat` at sdk/azure/ai/_patch.py:5"];
    assert_eq!(of_done([&before, &after], change()), said);
    // The same where it was renamed before, unless users have the new name.
    assert_eq!(of_done([&after, &after], change()), said);
    let public = index(("chat", Access::Public));
    assert!(of_done([&public, &public], change()).is_empty());
}

#[test]
fn type_and_property_of_a_hidden_model_that_hand_written_classes_show_are_not_done() {
    let index = index(INTERNAL);
    let of = |change: Change| of_done([&index, &index], vec![change]);
    let said = of(rename(Interface, "Custom.Client1", "TalkClient"));
    assert_eq!(
        said,
        [
            "users still see the hand-written `ChatClient`; only generated code says `TalkClient` at sdk/azure/ai/_patch.py:4"
        ]
    );
    let said = of(rename(Property, "AI.AssistantMessage.toolCalls", "calls"));
    assert_eq!(
        said,
        ["users still see the hand-written `Assistant.tool_calls`, and not `calls` at sdk/azure/ai/_patch.py:9"]
    );
    assert!(of(rename(Model, "AI.Message", "Word")).is_empty());
}

#[test]
fn directive_of_another_language_and_item_that_is_not_done_stay_as_they_are() {
    let (package, index) = (package(&[("azure/ai/_patch.py", PATCH)]), index(INTERNAL));
    let seen = Seen { language: &Python, package: package.path(), before: &index, after: &index };
    let mut other = item(Route::Success, vec![hide(Operation, "Custom.Client1.complete")]);
    other.items[0].directives[0].scope = Some(bailiwick_sdk::tasks::Scope::Only(vec![Language::Java]));
    assert_eq!(seen.corrected(other.clone(), None).unwrap(), other);
    let open = item(Route::PhaseA, vec![hide(Operation, "Custom.Client1.complete")]);
    assert_eq!(seen.corrected(open.clone(), None).unwrap(), open);
}

#[test]
fn answer_without_directives_is_held_against_what_was_understood_first_or_what_changed() {
    let package = package(&[("azure/ai/_patch.py", PATCH)]);
    let (before, after) = (index(INTERNAL), index(("chat", Access::Internal)));
    let seen = Seen { language: &Python, package: package.path(), before: &before, after: &after };
    let first = item(Route::PhaseA, vec![rename(Operation, "Custom.Client1.complete", "chat")]);
    let corrected = seen.corrected(item(Route::Success, Vec::new()), Some(&first)).unwrap();
    assert_eq!(corrected.items.iter().map(|item| item.route).collect::<Vec<_>>(), [Route::Failure]);
    let corrected = seen.corrected(item(Route::Success, Vec::new()), None).unwrap();
    let routes: Vec<_> = corrected.items.iter().map(|item| (item.id.as_str(), item.route)).collect();
    assert_eq!(routes, [("1", Route::Success), ("users-1", Route::Failure)]);
}

#[test]
fn plan_foretells_what_stays_unless_the_repair_follows() {
    let package = package(&[("azure/ai/_patch.py", PATCH)]);
    let foretold = |index: &SpecIndex, change: Change| {
        let seen = Seen { language: &Python, package: package.path(), before: index, after: index };
        issues(seen.foretold(&item(Route::PhaseA, vec![change])).unwrap())
    };
    let (internal, public) = (index(INTERNAL), index(("complete", Access::Public)));
    let change = || rename(Operation, "Custom.Client1.complete", "chat");
    assert_eq!(foretold(&internal, change()).len(), 1);
    assert!(foretold(&public, change()).is_empty());
    assert_eq!(foretold(&public, hide(Operation, "Custom.Client1.complete")).len(), 1);
}

const ATTRIBUTES: &str = "\
from ._client import ChatClient as Generated
from . import _models
from ._models import Message as InternalMessage

class ChatClient(Generated):
    complete = Generated._complete
    finish = Generated._complete

class Message(InternalMessage):
    def __init__(self, *, text: str, **kwargs: Any) -> None:
        super().__init__(words=text, **kwargs)

Part = _models.Piece
__all__ = [\"Part\", \"Message\"]
";

#[test]
fn operation_and_type_that_a_name_shows_and_keyword_that_a_constructor_takes_itself_are_not_done() {
    let package = package(&[("azure/ai/models/_patch.py", ATTRIBUTES)]);
    let mut index = index(INTERNAL);
    for (kind, name, container) in [(Model, "Part", None), (Property, "text", Some("AI.Message"))] {
        let like = index.entities.iter().find(|one| one.name == "Message").cloned().unwrap();
        let reference = container.map_or_else(|| format!("AI.{name}"), |one| format!("{one}.{name}"));
        let (container, client) = (container.map(str::to_owned), like.client.clone());
        let client = client.map(|one| ClientView { name: name.to_owned(), ..one });
        index.entities.push(Entity { kind, name: name.into(), reference, container, client, ..like });
    }
    let of = |route: Route, change: Change| {
        let seen = Seen { language: &Python, package: package.path(), before: &index, after: &index };
        let item = item(route, vec![change]);
        match route {
            Route::PhaseA => issues(seen.foretold(&item).unwrap()),
            _ => issues(seen.corrected(item, None).unwrap().items.into_iter().filter_map(|one| one.guidance).collect()),
        }
    };
    let place = "at sdk/azure/ai/models/_patch.py";
    for (change, said) in [
        (
            hide(Operation, "Custom.Client1.complete"),
            format!(
                "users still see the hand-written `ChatClient.complete`, `ChatClient.finish` {place}:6 sdk/azure/ai/models/_patch.py:7"
            ),
        ),
        // What has a name of its own is not renamed.
        (
            rename(Operation, "Custom.Client1.complete", "chat"),
            format!("users still see the hand-written `ChatClient.complete`, and not `chat` {place}:6"),
        ),
        (
            rename(Model, "AI.Part", "Piece"),
            format!("users still see the hand-written `Part`; only generated code says `Piece` {place}:13"),
        ),
        (
            rename(Property, "AI.Message.text", "words"),
            format!("users still see the hand-written `Message(text=…)`; only generated code says `words` {place}:10"),
        ),
    ] {
        assert_eq!(of(Route::Success, change.clone()), std::slice::from_ref(&said));
        assert_eq!(of(Route::PhaseA, change), [said]);
    }
}

#[test]
fn method_that_a_person_wrote_in_a_generated_java_client_counts() {
    let text = "// Code generated by Microsoft (R) TypeSpec Code Generator.\npackage a;\npublic final class ChatClient {\n  \
                @Generated\n  void completeWithResponse() { }\n  public void complete() { }\n}\n";
    let package = package(&[("src/main/java/a/ChatClient.java", text)]);
    let index = index(INTERNAL);
    let seen = Seen { language: &Java, package: package.path(), before: &index, after: &index };
    let done = item(Route::Success, vec![hide(Operation, "Custom.Client1.complete")]);
    let corrected = seen.corrected(done.clone(), None).unwrap();
    let guidance = corrected.items[0].guidance.clone().unwrap();
    assert_eq!(
        issues(vec![guidance]),
        ["users still see the hand-written `ChatClient.complete` at sdk/src/main/java/a/ChatClient.java:6"]
    );
    // Where nothing says what is generated, the whole file is.
    std::fs::write(package.path().join("src/main/java/a/ChatClient.java"), text.replace("  @Generated\n", "")).unwrap();
    assert_eq!(seen.corrected(done.clone(), None).unwrap(), done);
}

#[test]
fn hidden_operation_and_type_that_generated_javascript_exports_still_are_not_done() {
    let client = "import { complete } from \"./api/operations.js\";\nexport class ChatClient {\n  private _client: ChatContext;\n  \
                  complete(prompt: string): Promise<void> {\n    return complete(this._client, prompt);\n  }\n}\n";
    let operations = "export async function complete(context: ChatContext, prompt: string): Promise<void> { }\n";
    let models = "export interface AssistantMessage { toolCalls: string[] }\n";
    let passes_on = "export { ChatClient } from \"./chatClient.js\";\nexport type { AssistantMessage } from \"./models/models.js\";\n";
    let index = index(INTERNAL);
    let issues_of = |files: &[(&str, &str)], change: Change| {
        let package = package(files);
        let language = Javascript::of(package.path());
        let seen = Seen { language: &language, package: package.path(), before: &index, after: &index };
        let corrected = seen.corrected(item(Route::Success, vec![change]), None).unwrap();
        issues(corrected.items.into_iter().filter_map(|item| item.guidance).collect())
    };
    let operation = || hide(Operation, "Custom.Client1.complete");
    let says = |name: &str, place: &str| {
        vec![format!("users still see `{name}` in generated code, though the specification hides it at sdk/{place}")]
    };
    // The emitter writes all sources, or those below a directory of its own.
    for (root, own) in [("src/", None), ("src/generated/", Some("export * from \"./generated/index.js\";\n"))] {
        let [client_at, operations_at, models_at, index_at] =
            ["chatClient.ts", "api/operations.ts", "models/models.ts", "index.ts"].map(|file| format!("{root}{file}"));
        let mut files =
            vec![(&*client_at, client), (&*operations_at, operations), (&*models_at, models), (&*index_at, passes_on)];
        files.extend(own.map(|own| ("src/index.ts", own)));
        assert_eq!(issues_of(&files, operation()), says("ChatClient.complete", &format!("{client_at}:4")));
        assert_eq!(issues_of(&files, hide(Interface, "Custom.Client1")).len(), 1);
        assert_eq!(
            issues_of(&files, hide(Model, "AI.AssistantMessage")),
            says("AssistantMessage", &format!("{models_at}:1"))
        );
        // What the emitter left out, and what users cannot import, is hidden.
        let gone = client.replace("complete(prompt", "_complete(prompt");
        files[0].1 = &gone;
        assert!(issues_of(&files, operation()).is_empty());
        files[3].1 = "export type { ChatClientOptions } from \"./api/index.js\";\n";
        assert!(issues_of(&files, hide(Model, "AI.AssistantMessage")).is_empty());
    }
    // Copies in `src/` are what counts where they lie beside the generated code.
    let copied = [
        ("generated/chatClient.ts", client),
        ("generated/index.ts", passes_on),
        ("src/chatClient.ts", client),
        ("src/index.ts", passes_on),
    ];
    assert_eq!(issues_of(&copied, operation()), says("ChatClient.complete", "src/chatClient.ts:4"));
    let without = client.replace("complete(prompt", "_complete(prompt");
    let copied = [copied[0], copied[1], ("src/chatClient.ts", &*without), copied[3]];
    assert!(issues_of(&copied, operation()).is_empty());
}

#[test]
fn repair_names_what_has_the_name_that_the_specification_gives_an_operation() {
    let package = package(&[("azure/ai/_patch.py", PATCH)]);
    let said = |index: &SpecIndex| {
        let seen = Seen { language: &Python, package: package.path(), before: index, after: index };
        seen.under_former_names().unwrap()
    };
    let renamed = index(("startChat", Access::Public));
    assert_eq!(
        said(&renamed),
        [
            "Decide what users shall call: the hand-written `ChatClient.complete` (`sdk/azure/ai/_patch.py:5`) keeps its name, and \
          generated code calls the operation `start_chat`"
        ]
    );
    // What is internal has no public name, and what is called so is that operation.
    assert!(said(&index(("startChat", Access::Internal))).is_empty());
    assert!(said(&index(("complete", Access::Public))).is_empty());
}

#[test]
fn attribute_of_a_half_decides_what_users_call_a_model_and_a_half_without_one_follows() {
    let half = "namespace A {\n  [CodeGenType(\"AssistantMessage\")]\n  public partial class Answer {\n    \
                [CodeGenMember(\"ToolCalls\")] public int Calls { get; }\n  }\n}\n";
    let package = package(&[
        ("src/Custom/Answer.cs", half),
        ("src/Custom/Message.cs", "namespace A { public partial class Message { } }"),
        ("src/Generated/Message.cs", "namespace A { public partial class Message { } }"),
    ]);
    let index = index(INTERNAL);
    let seen = Seen { language: &Dotnet, package: package.path(), before: &index, after: &index };
    let foretold = |change: Change| issues(seen.foretold(&item(Route::PhaseA, vec![change])).unwrap());
    let done = |change: Change| {
        let corrected = seen.corrected(item(Route::Success, vec![change]), None).unwrap();
        issues(corrected.items.into_iter().filter_map(|item| item.guidance).collect())
    };
    let said =
        "users see it as `Answer`, as hand-written code names it, and not as `Reply` at sdk/src/Custom/Answer.cs:3";
    assert_eq!(foretold(rename(Model, "AI.AssistantMessage", "Reply")), [said]);
    assert!(foretold(rename(Model, "AI.AssistantMessage", "Answer")).is_empty());
    let said = "users see it as `Answer.Calls`, as hand-written code names it, and not as `Invocations` at \
                sdk/src/Custom/Answer.cs:4";
    assert_eq!(foretold(rename(Property, "AI.AssistantMessage.toolCalls", "invocations")), [said]);
    // The half of `Message` follows the other one, or the build fails; where it did neither, users see its name.
    assert!(foretold(rename(Model, "AI.Message", "Word")).is_empty());
    let said =
        "users still see the hand-written `Message`; only generated code says `Word` at sdk/src/Custom/Message.cs:1";
    assert_eq!(done(rename(Model, "AI.Message", "Word")), [said]);
    assert_eq!(
        done(hide(Model, "AI.AssistantMessage")),
        ["users still see the hand-written `Answer` at sdk/src/Custom/Answer.cs:3"]
    );
}

#[test]
fn client_of_another_name_is_known_in_the_files_that_do_not_say_so() {
    let package = package(&[
        (
            "src/Custom/TalkClient.cs",
            "namespace A { [CodeGenClient(\"ChatClient\")] public partial class TalkClient { } }",
        ),
        (
            "src/Custom/TalkClient.Protocol.cs",
            "namespace A {\n  public partial class TalkClient { public virtual Response Complete(int x) => Complete(x); }\n}\n",
        ),
        (
            "src/Custom/Other.cs",
            "namespace A { public partial class Other { public Response Complete(int x) => null; } }",
        ),
    ]);
    let index = index(INTERNAL);
    let seen = Seen { language: &Dotnet, package: package.path(), before: &index, after: &index };
    let done = item(Route::Success, vec![hide(Operation, "Custom.Client1.complete")]);
    let guidance = seen.corrected(done, None).unwrap().items.into_iter().filter_map(|item| item.guidance).collect();
    let said = "users still see the hand-written `TalkClient.Complete` at sdk/src/Custom/TalkClient.Protocol.cs:2";
    assert_eq!(issues(guidance), [said]);
}

#[test]
fn member_of_an_enum_that_javascript_writes_without_names_is_not_done() {
    let mut index = index(INTERNAL);
    let member = |name: &str| {
        let mut member = index.entities[0].clone();
        member.kind = EntityKind::EnumMember;
        member.name = name.into();
        member.reference = format!("AI.Mode.{name}");
        member.container = Some("AI.Mode".into());
        member.client = Some(ClientView { name: name.into(), access: Access::Public });
        member
    };
    let mut mode = index.entities[0].clone();
    (mode.kind, mode.name, mode.reference) = (EntityKind::Enum, "Mode".into(), "AI.Mode".into());
    mode.client = Some(ClientView { name: "Mode".into(), access: Access::Public });
    let auto = member("Auto");
    index.entities.extend([mode, auto]);
    let issues_of = |path: &str, models: &str| {
        let own = "export enum Own {\n  ByItself = \"Auto\",\n}\n";
        let package = package(&[(path, models), ("src/static.ts", own)]);
        let language = Javascript::of(package.path());
        let seen = Seen { language: &language, package: package.path(), before: &index, after: &index };
        let change = rename(EntityKind::EnumMember, "AI.Mode.Auto", "ByItself");
        let corrected = seen.corrected(item(Route::Success, vec![change]), None).unwrap();
        issues(corrected.items.into_iter().filter_map(|item| item.guidance).collect())
    };
    let nameless = issues_of("src/generated/models.ts", "export type Mode = \"Auto\" | \"Manual\";\n");
    assert_eq!(
        nameless,
        ["no generated code says `ByItself`: `Mode.Auto` has no name in this library at spec/client.tsp"]
    );
    let named = "export enum KnownMode {\n  /** Auto */\n  ByItself = \"Auto\",\n}\nexport type Mode = string;\n";
    for path in ["src/generated/models.ts", "src/models/models.ts"] {
        assert_eq!(issues_of(path, named), [""; 0], "{path}");
    }
}

#[test]
fn decorator_with_which_no_line_of_generated_code_changed_is_not_done() {
    let (before, after) = (index(("complete", Access::Public)), index(INTERNAL));
    let package = package(&[("azure/ai/_patch.py", "x = 1\n")]);
    let seen = Seen { language: &Python, package: package.path(), before: &before, after: &after };
    let decorators = ["Custom.Client1.complete", "AI.Message"].map(|target| TypeSpecChange {
        decorator_name: "access".into(),
        target: target.into(),
        scope: "python".into(),
        file_path: "spec/client.tsp".into(),
    });
    let issues_of = |change: Change, path: &str, texts: [&str; 2]| {
        let text =
            |text: &str| Some(format!("# Code generated by Microsoft (R) Python Code Generator.\n{text}").into_bytes());
        let files = [ChangedFile {
            path: format!("sdk/{path}"),
            origin: crate::response::Origin::Generator,
            before: text(texts[0]),
            after: text(texts[1]),
        }];
        let done = seen.done(&decorators, &files);
        let mut classification = item(Route::Success, vec![change]);
        seen.held_to_effects(&mut classification, None, &done);
        issues(classification.items.into_iter().filter_map(|item| item.guidance).collect())
    };
    let said = |target: &str| {
        format!(
            "no generated code changed with the decorator on `{target}`: users see what they saw before at spec/client.tsp"
        )
    };
    let hidden = || hide(Operation, "Custom.Client1.complete");
    let named = || rename(Model, "AI.Message", "Word");
    let (code, noise) = ("azure/ai/_client.py", ["a = 1\n", "a = 2\n"]);
    assert_eq!(issues_of(hidden(), code, noise), [said("Custom.Client1.complete")]);
    assert_eq!(issues_of(named(), code, noise), [said("AI.Message")]);
    // What a page or a sample says, or a line that only moved, is no effect.
    let complete = ["    def complete(self):\n", "    def _complete(self):\n"];
    assert_eq!(issues_of(hidden(), "generated_samples/a.py", complete).len(), 1);
    assert_eq!(issues_of(named(), code, ["class Message:\na = 1\n", "a = 1\nclass Message:\n"]).len(), 1);
    assert_eq!(issues_of(hidden(), code, complete), [""; 0]);
    assert_eq!(issues_of(named(), code, ["class Message:\n", "class Word:\n"]), [""; 0]);
    assert_eq!(issues_of(named(), code, ["class Message:\n", "class Words2:\n"]), [""; 0]);
    assert_eq!(
        issues_of(named(), code, ["class Message:\n", "class Other:\n"]),
        [""; 0],
        "an emitter has its own spelling"
    );
    // Another run wrote its decorator.
    assert_eq!(issues_of(rename(Model, "AI.AssistantMessage", "Reply"), code, noise), [""; 0]);
}

#[test]
fn types_that_move_to_another_package_as_they_are_when_hidden_are_done() {
    let (before, after) = (index(("complete", Access::Public)), index(INTERNAL));
    let package = package(&[("pom.xml", "")]);
    let seen = Seen { language: &Java, package: package.path(), before: &before, after: &after };
    let decorators = ["AI.Message", "AI.AssistantMessage"].map(|target| TypeSpecChange {
        decorator_name: "access".into(),
        target: target.into(),
        scope: "java".into(),
        file_path: "spec/client.tsp".into(),
    });
    let file = |path: &str, before: Option<&str>, after: Option<&str>| ChangedFile {
        path: format!("sdk/src/main/java/a/{path}"),
        origin: crate::response::Origin::Generator,
        before: before
            .map(|text| format!("// Code generated by Microsoft (R) TypeSpec Code Generator.\n{text}").into_bytes()),
        after: after
            .map(|text| format!("// Code generated by Microsoft (R) TypeSpec Code Generator.\n{text}").into_bytes()),
    };
    let class = "public final class Message { AssistantMessage a; }\n";
    let moved = [
        file("models/Message.java", Some(&format!("package a.models;\n{class}")), None),
        file("implementation/models/Message.java", None, Some(&format!("package a.implementation.models;\n{class}"))),
    ];
    let same = [file("models/Message.java", Some(&format!("a\n{class}")), Some(&format!("b\n{class}")))];
    let of = |changes: Vec<Change>, files: &[ChangedFile]| {
        let mut classification = item(Route::Success, changes);
        seen.held_to_effects(&mut classification, None, &seen.done(&decorators, files));
        classification.items.into_iter().filter_map(|item| item.guidance).count()
    };
    let hidden = || vec![hide(Model, "AI.Message"), hide(Model, "AI.AssistantMessage")];
    assert_eq!(of(hidden(), &moved), 0);
    assert_eq!(of(hidden(), &same), 1);
    assert_eq!(of(vec![rename(Model, "AI.Message", "Word")], &moved), 1, "it moved and has its name");
}
