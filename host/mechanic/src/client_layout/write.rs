//! A regrouping as TypeSpec.

use super::{PlannedClient, PlannedParameter, Regrouping};
use crate::client_file::Decoration;
use crate::decorate::Options;
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
    write_options(&plan.namespace, &options, &client.parameters, scope, lines, decorations);
}

/// A namespace with the model of what one client is created with. Its aliases are for the languages of a scope; `None`
/// is every language.
pub(crate) fn options(made: &Options, scope: Option<&str>) -> Block {
    let mut block = Block { lines: vec![format!("namespace {} {{", made.namespace)], decorations: Vec::new() };
    write_options(
        &made.namespace,
        &made.name,
        &made.parameters,
        scope.unwrap_or_default(),
        &mut block.lines,
        &mut block.decorations,
    );
    block.lines.push("}".to_owned());
    block
}

fn write_options(
    namespace: &str,
    name: &str,
    parameters: &[PlannedParameter],
    scope: &str,
    lines: &mut Vec<String>,
    decorations: &mut Vec<Decoration>,
) {
    lines.push(format!("  model {name} {{"));
    for parameter in parameters {
        if parameter.name != parameter.declared {
            let scope = if scope.is_empty() { String::new() } else { format!(", \"{scope}\"") };
            lines.push(format!("    @paramAlias(\"{}\"{scope})", parameter.declared));
            let target = format!("{namespace}.{name}.{}", parameter.name);
            decorations.push(Decoration { name: "paramAlias", target, value: String::new() });
        }
        lines.push(format!("    {}: {};", parameter.name, parameter.r#type));
    }
    lines.push("  }".into());
}
