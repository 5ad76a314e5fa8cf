//! Clients of one's own: which operations go into which client, and what each is initialized with.
//!
//! `plan` holds what is asked for against the clients that there are; `write` puts the result into words of TypeSpec.

mod plan;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use plan::{NAMESPACE, namespace, parameter, resolve};
pub(crate) use write::{Block, block, options};

/// One client as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WishedClient {
    pub(crate) name: String,
    /// References of its operations.
    pub(crate) operations: Vec<String>,
    pub(crate) parameters: Vec<WishedParameter>,
}

/// What a client shall be initialized with: a parameter of its operations, and the name it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WishedParameter {
    pub(crate) declared: String,
    pub(crate) name: Option<String>,
}

/// Clients of one's own: together with the one that is kept they hold every operation of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Regrouping {
    /// The namespace of the service.
    pub(crate) service: String,
    /// The namespace that the declarations go into.
    pub(crate) namespace: String,
    pub(crate) clients: Vec<PlannedClient>,
    /// The client that stays as it is beside them, where they leave operations out.
    pub(crate) kept: Option<KeptClient>,
    /// Whether the clients are so already.
    pub(crate) done: bool,
}

/// The client of today. The client generator core drops it as soon as one client is declared, so it is declared, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptClient {
    /// Its name in the language.
    pub(crate) name: String,
    pub(crate) content: KeptContent,
}

/// How the client of today holds its operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeptContent {
    /// In declarations that `client.tsp` has already. They stay as they are.
    Declared,
    /// In groups alone, which it takes over from the service by `autoMergeService`.
    Groups,
    /// In itself alone: full references of the service's operations.
    Operations(Vec<String>),
}

/// One client of a [`Regrouping`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedClient {
    pub(crate) name: String,
    /// Full references of the service's operations.
    pub(crate) operations: Vec<String>,
    pub(crate) parameters: Vec<PlannedParameter>,
}

/// A parameter of operations that becomes one of their client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedParameter {
    pub(crate) name: String,
    /// Its name in the operations.
    pub(crate) declared: String,
    /// Its type, as `client.tsp` names it.
    pub(crate) r#type: String,
}

impl Regrouping {
    /// The clients as a list for people: `A` (3 operations) and `B` (2 operations, initialized with `id`).
    pub(crate) fn describe(&self) -> String {
        let clients: Vec<String> = self
            .clients
            .iter()
            .map(|client| {
                let parameters: Vec<String> =
                    client.parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
                let initialized = if parameters.is_empty() {
                    String::new()
                } else {
                    format!(", initialized with {}", parameters.join(" and "))
                };
                let count = client.operations.len();
                let noun = if count == 1 { "operation" } else { "operations" };
                format!("`{}` ({count} {noun}{initialized})", client.name)
            })
            .collect();
        let made = clients.join(" and ");
        self.kept.as_ref().map_or_else(|| made.clone(), |kept| format!("{made} beside `{}`", kept.name))
    }
}
