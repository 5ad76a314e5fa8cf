//! What people wrote beside generated code, under a name that a request takes from users.

/// A name as it is looked for in code that people wrote. All names are those of the client model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sought {
    /// An operation.
    Operation {
        /// The client, or the group of operations, that has it.
        holder: String,
        /// What the holder is.
        place: Place,
        /// Its name.
        name: String,
        /// Its names in generated code, also the one that it gets: what a method that people wrote around it calls.
        called: Vec<String>,
    },
    /// A type: a model, an enum or a client.
    Type {
        /// Its name.
        name: String,
    },
    /// A property of a model, or a member of an enum.
    Property {
        /// The model or enum, and the model that it extends.
        models: Vec<String>,
        /// Its name.
        name: String,
    },
}

/// What has an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A client that stands alone.
    Client,
    /// A group of operations below one.
    Group {
        /// The client, or the group, above it.
        above: String,
    },
}

/// Something public that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Where it is first written, from 1.
    pub line: u32,
    /// What users call it: `WidgetClient.get_widget`.
    pub name: String,
    /// How it stands to generated code.
    pub bond: Bond,
}

/// How something that a person wrote stands to generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// It has its name whatever is generated.
    Alone,
    /// It is the other half of something generated. Where that gets another name, the build or a repair makes it follow.
    Half,
}

impl Shown {
    /// What has its name whatever is generated.
    pub(super) fn alone(line: u32, name: String) -> Self {
        Self { line, name, bond: Bond::Alone }
    }
}
