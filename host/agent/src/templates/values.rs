//! The values a template is rendered with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The value of one parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// For the kinds `text`, `choice` and `data`.
    Text(String),
    /// For the kinds `list` and `data list`.
    List(Vec<String>),
}

/// Values by the names of their parameters. Reads from any format with tables: `{"package": "…", "files": ["…"]}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(BTreeMap<String, Value>);

impl Values {
    /// No values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The values with a text. What is set twice has its last value.
    #[must_use]
    pub fn text(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), Value::Text(value.into()));
        self
    }

    /// The values with a list.
    #[must_use]
    pub fn list<T: Into<String>>(mut self, name: &str, value: impl IntoIterator<Item = T>) -> Self {
        self.0.insert(name.to_owned(), Value::List(value.into_iter().map(Into::into).collect()));
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, Value)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}
