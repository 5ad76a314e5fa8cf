//! From a template and values to a prompt.

use std::collections::BTreeMap;

use super::error::RenderError;
use super::fence::{self, Body};
use super::template::{Block, Condition, Content, Kind, Need, Parameter, Piece, Stamp, Template};
use super::values::{Value, Values};
use super::visible::{beginning, is_invisible, visible};

/// The longest text that is put in place unfenced.
const LINE_CHARACTERS: usize = 200;

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// What the model reads.
    pub text: String,
    /// Which template it comes from.
    pub stamp: Stamp,
}

/// A value that fits its parameter.
enum Fitting {
    Inline(String),
    Bullets(String),
    Fenced(Body),
}

impl Template {
    /// Renders the template. The same values give the same text.
    ///
    /// # Errors
    /// When a value is missing, unknown or of the wrong kind; see [`RenderError`]. What comes from outside never is an
    /// error: it is made visible, bounded and fenced.
    pub fn render(&self, values: &Values) -> Result<Rendered, RenderError> {
        if let Some(parameter) = values.names().find(|name| self.parameter(name).is_none()) {
            let known: Vec<_> = self.parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
            return Err(RenderError::Unknown {
                template: self.stamp.id.clone(),
                parameter: visible(beginning(parameter, LINE_CHARACTERS).0),
                known: known.join(", "),
            });
        }
        let mut fitting = BTreeMap::new();
        for parameter in &self.parameters {
            if let Some(value) = self.fit(parameter, values.get(&parameter.name))? {
                fitting.insert(parameter.name.as_str(), value);
            }
        }
        let fenced = fitting.values().filter_map(|value| match value {
            Fitting::Fenced(body) => Some(body),
            Fitting::Inline(_) | Fitting::Bullets(_) => None,
        });
        let marker = fence::marker(&fenced.flat_map(Body::texts).collect::<Vec<_>>());
        Ok(Rendered {
            text: Rendering { fitting: &fitting, marker: &marker }.template(self),
            stamp: self.stamp.clone(),
        })
    }

    fn fit(&self, parameter: &Parameter, value: Option<&Value>) -> Result<Option<Fitting>, RenderError> {
        let (template, name) = (|| self.stamp.id.clone(), || parameter.name.clone());
        let value = value.filter(|value| match value {
            Value::Text(text) => parameter.need == Need::Required || !text.is_empty(),
            Value::List(entries) => parameter.need == Need::Required || !entries.is_empty(),
        });
        let Some(value) = value else {
            let missing = || RenderError::Missing { template: template(), parameter: name() };
            return if parameter.need == Need::Required { Err(missing()) } else { Ok(None) };
        };
        let one_line = |text: &str| {
            let fits = !text.trim().is_empty()
                && text.chars().count() <= LINE_CHARACTERS
                && !text.contains(|character| is_invisible(character) || matches!(character, '\n' | '\t'));
            let refused =
                || RenderError::NotOneLine { template: template(), parameter: name(), limit: LINE_CHARACTERS };
            if fits { Ok(text.to_owned()) } else { Err(refused()) }
        };
        let fitting = match (&parameter.kind, value) {
            (Kind::Text, Value::Text(text)) => Fitting::Inline(one_line(text)?),
            (Kind::Choice(values), Value::Text(text)) if values.contains(text) => Fitting::Inline(text.clone()),
            (Kind::Choice(values), Value::Text(text)) => {
                return Err(RenderError::NotAChoice {
                    template: template(),
                    parameter: name(),
                    value: visible(beginning(text, LINE_CHARACTERS).0),
                    choices: values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
                });
            }
            (Kind::List, Value::List(entries)) => {
                let bullets = entries.iter().map(|entry| one_line(entry).map(|entry| format!("- {entry}")));
                let bullets = bullets.collect::<Result<Vec<_>, _>>()?;
                Fitting::Bullets(if bullets.is_empty() { "- (none)".into() } else { bullets.join("\n") })
            }
            (Kind::Data(limit), Value::Text(text)) => Fitting::Fenced(Body::text(text, *limit)),
            (Kind::DataList(limit), Value::List(entries)) => Fitting::Fenced(Body::entries(entries, *limit)),
            (Kind::List | Kind::DataList(_), Value::Text(_)) => {
                let expected = "a list of texts";
                return Err(RenderError::WrongKind { template: template(), parameter: name(), expected });
            }
            (Kind::Text | Kind::Choice(_) | Kind::Data(_), Value::List(_)) => {
                return Err(RenderError::WrongKind { template: template(), parameter: name(), expected: "a text" });
            }
        };
        Ok(Some(fitting))
    }
}

struct Rendering<'a> {
    fitting: &'a BTreeMap<&'a str, Fitting>,
    marker: &'a str,
}

impl Rendering<'_> {
    fn template(&self, template: &Template) -> String {
        let mut parts = Vec::new();
        for section in &template.sections {
            parts.push(format!("# {}", section.name.heading()));
            for block in section.blocks.iter().filter(|block| self.holds(block)) {
                parts.extend(block.title.as_ref().map(|title| format!("## {title}")));
                let lines: Vec<String> = block.lines.iter().map(|line| self.line(&line.content)).collect();
                let text = lines.join("\n");
                parts.push(text.trim_matches('\n').to_owned());
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n") + "\n"
    }

    fn holds(&self, block: &Block) -> bool {
        match &block.condition {
            None => true,
            Some(Condition::Given(name)) => self.fitting.contains_key(name.as_str()),
            Some(Condition::Is(name, expected)) => {
                matches!(self.fitting.get(name.as_str()), Some(Fitting::Inline(value)) if value == expected)
            }
        }
    }

    fn line(&self, content: &Content) -> String {
        match content {
            Content::FenceRule => fence::rule(self.marker),
            Content::Alone(name) => self.value(name),
            Content::Text(pieces) => pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Literal(text) => text.clone(),
                    Piece::Value(name) => self.value(name),
                })
                .collect(),
        }
    }

    /// The check of the template has made sure that there is one.
    fn value(&self, name: &str) -> String {
        match self.fitting.get(name) {
            Some(Fitting::Inline(text) | Fitting::Bullets(text)) => text.clone(),
            Some(Fitting::Fenced(body)) => body.fenced(name, self.marker),
            None => String::new(),
        }
    }
}
