//! A regrouping as TypeSpec.

use super::{KeptClient, KeptContent, PlannedClient, PlannedParameter, Regrouping};
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
    let block = Block { lines: vec![format!("namespace {} {{", plan.namespace)], decorations: Vec::new() };
    let mut writer = Writer { plan, scope: language.scope_token(), block };
    if let Some(kept) = &plan.kept {
        writer.kept(kept);
    }
    for client in &plan.clients {
        if writer.block.lines.len() > 1 {
            writer.line("");
        }
        writer.client(client);
    }
    writer.line("}");
    writer.block
}

/// Writes the namespace of a regrouping, line by line.
struct Writer<'a> {
    plan: &'a Regrouping,
    scope: &'static str,
    block: Block,
}

impl Writer<'_> {
    fn kept(&mut self, kept: &KeptClient) {
        let name = &kept.name;
        let service = format!("service: {}", self.plan.service);
        let name_option = format!("name: \"{name}\"");
        match &kept.content {
            KeptContent::Declared => {}
            KeptContent::Groups => {
                self.decorator("client", name, &[&name_option, &service, "autoMergeService: true"]);
                self.line(&format!("  namespace {name} {{"));
                self.line("  }");
            }
            KeptContent::Operations(operations) => {
                self.decorator("client", name, &[&name_option, &service]);
                self.interface(name, operations);
            }
        }
    }

    fn client(&mut self, client: &PlannedClient) {
        let name = &client.name;
        let service = format!("service: {}", self.plan.service);
        self.decorator("client", name, &[&format!("name: \"{name}\""), &service]);
        let options = format!("{name}Options");
        if !client.parameters.is_empty() {
            let parameters = format!("parameters: {options}");
            self.decorator("clientInitialization", name, &[&parameters, "initializedBy: InitializedBy.individually"]);
        }
        self.interface(name, &client.operations);
        if client.parameters.is_empty() {
            return;
        }
        self.line("");
        let Block { lines, decorations } = &mut self.block;
        write_options(&self.plan.namespace, &options, &client.parameters, self.scope, lines, decorations);
    }

    /// A decorator with an object of options, in front of a declaration of this name.
    fn decorator(&mut self, decorator: &'static str, name: &str, options: &[&str]) {
        self.line(&format!("  @{decorator}("));
        self.line("    {");
        for option in options {
            self.line(&format!("      {option},"));
        }
        self.line("    },");
        self.line(&format!("    \"{}\"", self.scope));
        self.line("  )");
        let target = format!("{}.{name}", self.plan.namespace);
        self.block.decorations.push(Decoration { name: decorator, target, value: String::new() });
    }

    fn interface(&mut self, name: &str, operations: &[String]) {
        self.line(&format!("  interface {name} {{"));
        for operation in operations {
            let own = operation.rsplit('.').next().unwrap_or(operation);
            self.line(&format!("    {own} is {operation};"));
        }
        self.line("  }");
    }

    fn line(&mut self, line: &str) {
        self.block.lines.push(line.to_owned());
    }
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
