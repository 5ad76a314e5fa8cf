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
    },
    /// A type: a model, an enum or a client.
    Type {
        /// Its name.
        name: String,
    },
    /// A property of a model.
    Property {
        /// The model, and the one that it extends.
        models: Vec<String>,
        /// Its name.
        name: String,
    },
}

/// What has an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A client that stands alone.
    Client,
    /// A group of operations below one.
    Group,
}

/// Something public that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Where it is first written, from 1.
    pub line: u32,
    /// What users call it: `WidgetClient.get_widget`.
    pub name: String,
}
