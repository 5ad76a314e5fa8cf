//! Takes a TOML table apart, key by key.

use toml::{Table, Value};

use super::FileError;

/// A table whose keys are all known. Each is taken once.
pub(crate) struct Reader {
    /// What stands before its keys in a message: empty, or `limits.`.
    place: String,
    table: Table,
}

impl Reader {
    pub(crate) fn of_file(text: &str, known: &[&str]) -> Result<Self, FileError> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let at = text.floor_char_boundary(error.span().map_or(0, |span| span.start).min(text.len()));
            let before = &text[..at];
            let column = before[before.rfind('\n').map_or(0, |feed| feed + 1)..].chars().count() + 1;
            let reason = error.message().replace('\n', " ");
            FileError::Syntax { line: before.matches('\n').count() + 1, column, reason }
        })?;
        Self::of(String::new(), table, known)
    }

    fn of(place: String, table: Table, known: &[&str]) -> Result<Self, FileError> {
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(FileError::unknown_key(&place, key, known)),
            None => Ok(Self { place, table }),
        }
    }

    /// The whole name of a key, for messages.
    pub(crate) fn name(&self, key: &str) -> String {
        format!("{}{key}", self.place)
    }

    pub(crate) fn value(&mut self, key: &str) -> Option<Value> {
        self.table.remove(key)
    }

    pub(crate) fn text(&mut self, key: &str) -> Result<Option<String>, FileError> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(FileError::wrong(&self.name(key), "a text in quotes")),
        }
    }

    pub(crate) fn required_text(&mut self, key: &str) -> Result<String, FileError> {
        self.text(key)?.ok_or_else(|| FileError::missing(&self.name(key), "a text in quotes"))
    }

    /// A list of texts; empty if left out.
    pub(crate) fn texts(&mut self, key: &str) -> Result<Vec<String>, FileError> {
        let wrong = || FileError::wrong(&self.name(key), "a list of texts, such as `[\"one\", \"two\"]`");
        let Some(value) = self.table.get(key) else { return Ok(Vec::new()) };
        let Value::Array(values) = value else { return Err(wrong()) };
        values.iter().map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
    }

    pub(crate) fn flag(&mut self, key: &str) -> Result<bool, FileError> {
        match self.value(key) {
            None => Ok(false),
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(_) => Err(FileError::wrong(&self.name(key), "`true` or `false`")),
        }
    }

    /// A whole number from 1 to `most`.
    pub(crate) fn number(&mut self, key: &str, most: u64) -> Result<Option<u64>, FileError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        match number.filter(|number| (1..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(FileError::wrong(&self.name(key), &format!("a whole number from 1 to {most}"))),
        }
    }

    pub(crate) fn table(&mut self, key: &str, known: &[&str]) -> Result<Option<Self>, FileError> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Table(table)) => Self::of(format!("{}.", self.name(key)), table, known).map(Some),
            Some(_) => Err(FileError::wrong(&self.name(key), &format!("a table `[{}]`", self.name(key)))),
        }
    }

    /// The tables of `[[key]]`; none if left out.
    pub(crate) fn tables(&mut self, key: &str, known: &[&str]) -> Result<Vec<Self>, FileError> {
        let name = self.name(key);
        let wrong = || FileError::wrong(&name, &format!("tables that each begin with `[[{name}]]`"));
        let values = match self.value(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(wrong()),
        };
        let each = values.into_iter().enumerate().map(|(index, value)| match value {
            Value::Table(table) => Self::of(format!("{name}[{index}]."), table, known),
            _ => Err(wrong()),
        });
        each.collect()
    }
}
