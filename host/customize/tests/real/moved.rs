//! Moves of operations beside clients that `client.tsp` declares, as the real compiler has them for two languages.

use bailiwick_customize::gate::{Candidate, Rule, TypespecDifference, Verdict, judge_typespec};
use bailiwick_sdk::tasks::{Access, ClientEntry, Language, Scope, SpecIndex};

use crate::bench::{Bench, Clones};

/// A client made of an interface, one made of a namespace with a group, and what languages say of their operations.
const DECLARED: &str = r#"import "./main.tsp";
import "@azure-tools/typespec-client-generator-core";
import "@typespec/versioning";
using Azure.ClientGenerator.Core;
using TypeSpec.Versioning;
using Contoso.WidgetManager;

@useDependency(Contoso.WidgetManager.Versions.v2025_09_01)
namespace Customizations {
  @client({ name: "WidgetClient", service: Contoso.WidgetManager })
  interface WidgetClient {
    /** Words that stand in front of the operation. */
    @clientName("fetch", "python")
    getWidget is Widgets.getWidget;
    listWidgets is Widgets.listWidgets;
    deleteWidget is Widgets.deleteWidget;
  }

  @client({ name: "StockClient", service: Contoso.WidgetManager })
  namespace Stock {
    op listParts is Contoso.WidgetManager.Parts.listParts;

    @client
    interface Orders {
      order is Contoso.WidgetManager.Parts.restockPart;
    }
  }
}

@@access(Customizations.WidgetClient.getWidget, Access.internal, "python");
@@access(Customizations.WidgetClient.deleteWidget, Access.internal, "java");
"#;

/// One client made of an interface.
const ALONE: &str = r#"import "./main.tsp";
import "@azure-tools/typespec-client-generator-core";
import "@typespec/versioning";
using Azure.ClientGenerator.Core;
using TypeSpec.Versioning;
using Contoso.WidgetManager;

@useDependency(Contoso.WidgetManager.Versions.v2025_09_01)
namespace Customizations {
  @client({ name: "WidgetClient", service: Contoso.WidgetManager })
  interface WidgetClient {
    getWidget is Widgets.getWidget;
    listParts is Contoso.WidgetManager.Parts.listParts;
  }
}
"#;

/// One client with two groups.
const GROUPED: &str = r#"import "./main.tsp";
import "@azure-tools/typespec-client-generator-core";
import "@typespec/versioning";
using Azure.ClientGenerator.Core;
using TypeSpec.Versioning;
using Contoso.WidgetManager;

@useDependency(Contoso.WidgetManager.Versions.v2025_09_01)
@client({ name: "ManagerClient", service: Contoso.WidgetManager })
namespace Customizations {
  @client
  interface First {
    getWidget is Widgets.getWidget;
    listWidgets is Widgets.listWidgets;
  }

  @client
  interface Second {
    listParts is Contoso.WidgetManager.Parts.listParts;
  }
}
"#;

/// What the clients of a language have: each client with its operations by name, access and reference.
fn held(index: &SpecIndex) -> Vec<String> {
    let one = |client: &ClientEntry| {
        let operations: Vec<String> = client
            .operations
            .iter()
            .map(|one| {
                let hidden = if one.access == Access::Internal { "-" } else { "" };
                format!("{hidden}{} {}", one.name, one.reference.trim_start_matches("Customizations."))
            })
            .collect();
        format!("{}.{}: {}", client.parent.as_deref().unwrap_or_default(), client.name, operations.join(", "))
    };
    index.clients.iter().map(one).collect()
}

pub(crate) fn verdict(old: &str, new: &str, before: &SpecIndex, after: &SpecIndex) -> Verdict {
    let bytes = |text: &str| Some(text.as_bytes().to_vec());
    let candidate = Candidate {
        path: "client.tsp".to_owned(),
        original: bytes(old),
        staged: bytes(old),
        now: bytes(old),
        after: bytes(new),
    };
    judge_typespec(&TypespecDifference {
        client_file: "client.tsp",
        language: Language::Python,
        permitted: &Scope::Only(vec![Language::Python]),
        granted: &[],
        candidates: &[candidate],
        index_before: before,
        index_after: Some(after),
        file_bytes: 100_000,
    })
}

/// What Python has after a statement is added, what the gate says of it, and that Java has what it had.
fn added(bench: &Bench, clones: &Clones, text: &str, statement: &str) -> (Vec<String>, Verdict) {
    let read = |language: Language, text: &str| bench.probe_for(language, clones, Some(text));
    let new = format!("{text}{statement}\n");
    let (before, after) = (read(Language::Python, text), read(Language::Python, &new));
    assert_eq!(after.diagnostics.iter().filter(|one| one.is_error()).count(), 0, "{:?}", after.diagnostics);
    assert!(before.locates_declared && after.locates_declared);
    let java = |text: &str| read(Language::Java, text);
    let (java_before, java_after) = (java(text), java(&new));
    assert_eq!(java_before.clients, java_after.clients, "{statement}");
    let views = |index: &SpecIndex| -> Vec<_> {
        index.entities.iter().map(|one| (one.reference.clone(), one.client.clone())).collect()
    };
    assert_eq!(views(&java_before), views(&java_after), "{statement}");
    (held(&after), verdict(text, &new, &before, &after))
}

/// A reference to an interface further down changes the order for every language; its name in quotes, and one further up,
/// do not.
fn order_of_declarations(bench: &Bench, clones: &Clones) {
    let named = "@@clientLocation(Customizations.First.getWidget, \"Second\", \"python\");";
    let (after, said) = added(bench, clones, GROUPED, named);
    let moved = [
        "ManagerClient.First: listWidgets First.listWidgets",
        "ManagerClient.Second: getWidget First.getWidget, listParts Second.listParts",
    ];
    assert_eq!(after[1..], moved);
    assert!(matches!(said, Verdict::Lands(_)), "{said:?}");
    let up = "@@clientLocation(Customizations.Second.listParts, Customizations.First, \"python\");";
    let (after, said) = added(bench, clones, GROUPED, up);
    assert_eq!(
        after[1],
        "ManagerClient.First: getWidget First.getWidget, listWidgets First.listWidgets, listParts Second.listParts"
    );
    assert!(matches!(said, Verdict::Lands(_)), "{said:?}");

    let down =
        format!("{GROUPED}@@clientLocation(Customizations.First.getWidget, Customizations.Second, \"python\");\n");
    let read = |language: Language, text: &str| bench.probe_for(language, clones, Some(text));
    let (java_before, java_after) = (held(&read(Language::Java, GROUPED)), held(&read(Language::Java, &down)));
    assert_eq!(java_after, [&java_before[0], &java_before[2], &java_before[1]].map(String::clone));
    let (before, after) = (read(Language::Python, GROUPED), read(Language::Python, &down));
    let Verdict::Refused(violations) = verdict(GROUPED, &down, &before, &after) else { panic!("it lands") };
    assert!(violations.iter().all(|one| one.rule == Rule::OtherLanguage), "{violations:?}");
}

pub(crate) fn operation_moves_beside_declared_clients(bench: &Bench) {
    let clones = bench.clones();
    let before = held(&bench.probe(&clones, Some(DECLARED)));
    assert_eq!(
        before,
        [
            ".WidgetClient: -fetch WidgetClient.getWidget, listWidgets WidgetClient.listWidgets, \
             deleteWidget WidgetClient.deleteWidget",
            ".StockClient: listParts Stock.listParts",
            "StockClient.Orders: order Stock.Orders.order",
        ]
    );
    // Its name and what it is hidden by go with it, and stay on the name that it has in the declaration.
    let get = "@@clientLocation(Customizations.WidgetClient.getWidget, Customizations.Stock, \"python\");";
    let (after, said) = added(bench, &clones, DECLARED, get);
    assert_eq!(
        after[..2],
        [
            ".WidgetClient: listWidgets WidgetClient.listWidgets, deleteWidget WidgetClient.deleteWidget",
            ".StockClient: -fetch WidgetClient.getWidget, listParts Stock.listParts",
        ]
    );
    assert!(matches!(said, Verdict::Lands(_)), "{said:?}");
    let nested = "@@clientLocation(Customizations.WidgetClient.deleteWidget, Customizations.Stock.Orders, \"python\");";
    let (after, said) = added(bench, &clones, DECLARED, nested);
    assert_eq!(after[2], "StockClient.Orders: deleteWidget WidgetClient.deleteWidget, order Stock.Orders.order");
    assert!(matches!(said, Verdict::Lands(_)), "{said:?}");
    let new = "@@clientLocation(Customizations.WidgetClient.getWidget, \"Reads\", \"python\");";
    let (after, said) = added(bench, &clones, ALONE, new);
    assert_eq!(
        after,
        [".WidgetClient: listParts WidgetClient.listParts", "WidgetClient.Reads: getWidget WidgetClient.getWidget"]
    );
    assert!(matches!(said, Verdict::Lands(_)), "{said:?}");

    order_of_declarations(bench, &clones);

    // What the client generator core leaves where it is.
    let ignored = [
        "@@clientLocation(Customizations.WidgetClient.getWidget, \"Reads\", \"python\");",
        "@@clientLocation(Customizations.WidgetClient.getWidget, Contoso.WidgetManager.Parts, \"python\");",
        "@@clientLocation(Contoso.WidgetManager.Widgets.analyzeWidget, Customizations.Stock, \"python\");",
    ];
    for statement in ignored {
        let (after, said) = added(bench, &clones, DECLARED, statement);
        assert_eq!(after, before, "{statement}");
        let Verdict::Refused(violations) = said else { panic!("{statement} lands") };
        assert!(violations.iter().all(|one| one.rule == Rule::ClientWithLocation), "{violations:?}");
    }
}
