//! A regrouping as TypeSpec.

use super::{PlannedClient, Regrouping};
use crate::client_file::Decoration;
use bailiwick_sdk::tasks::Language;

/// Statements that go to the end of the file as they are, and the decorators in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) lines: Vec<String>,
    pub(crate) decorations: Vec<Decoration>,
}

/// The namespace with the clients of a regrouping.
pub(crate) fn block(plan: &Regrouping, language: Language) -> Block {
    let scope = language.scope_token();
    let mut lines = vec![format!("namespace {} {{", plan.namespace)];
    let mut decorations = Vec::new();
    for (at, client) in plan.clients.iter().enumerate() {
        if at > 0 {
            lines.push(String::new());
        }
        write_client(plan, client, scope, &mut lines, &mut decorations);
    }
    lines.push("}".to_owned());
    Block { lines, decorations }
}

fn write_client(
    plan: &Regrouping,
    client: &PlannedClient,
    scope: &str,
    lines: &mut Vec<String>,
    decorations: &mut Vec<Decoration>,
) {
    let target = format!("{}.{}", plan.namespace, client.name);
    let options = format!("{}Options", client.name);
    let decoration = |name, target: &str| Decoration { name, target: target.to_owned(), value: String::new() };
    let mut push = |line: String| lines.push(line);
    push("  @client(".into());
    push("    {".into());
    push(format!("      name: \"{}\",", client.name));
    push(format!("      service: {},", plan.service));
    push("    },".into());
    push(format!("    \"{scope}\""));
    push("  )".into());
    decorations.push(decoration("client", &target));
    if !client.parameters.is_empty() {
        push("  @clientInitialization(".into());
        push("    {".into());
        push(format!("      parameters: {options},"));
        push("      initializedBy: InitializedBy.individually,".into());
        push("    },".into());
        push(format!("    \"{scope}\""));
        push("  )".into());
        decorations.push(decoration("clientInitialization", &target));
    }
    push(format!("  interface {} {{", client.name));
    for operation in &client.operations {
        let name = operation.rsplit('.').next().unwrap_or(operation);
        push(format!("    {name} is {operation};"));
    }
    push("  }".into());
    if client.parameters.is_empty() {
        return;
    }
    push(String::new());
    push(format!("  model {options} {{"));
    for parameter in &client.parameters {
        if parameter.name != parameter.declared {
            push(format!("    @paramAlias(\"{}\", \"{scope}\")", parameter.declared));
            let target = format!("{}.{options}.{}", plan.namespace, parameter.name);
            decorations.push(decoration("paramAlias", &target));
        }
        push(format!("    {}: {};", parameter.name, parameter.r#type));
    }
    push("  }".into());
}
