//! What the caller reports.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Phase;

/// A report longer than this is refused.
pub const REPORT_BYTES: usize = 64 * 1024;

/// What the caller did, by the `type` of its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Report {
    /// Whether TypeSpec can help.
    Classification {
        /// It can.
        tsp_applicable: bool,
    },
    /// `client.tsp` was edited.
    TspFixApplied {
        /// What was done.
        description: String,
    },
    /// TypeSpec cannot help after all.
    TspFixNotApplicable {
        /// Why.
        reason: String,
    },
    /// Customization code was edited.
    SdkFixApplied {
        /// What was done.
        description: String,
    },
    /// It cannot be repaired.
    SdkFixFailed {
        /// Why.
        reason: String,
    },
}

/// Why a text is not a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// More than [`REPORT_BYTES`].
    #[error("`result` has {0} bytes where {REPORT_BYTES} are allowed")]
    TooLong(usize),
    /// Not JSON.
    #[error("`result` is not JSON: {0}")]
    NotJson(String),
    /// Not an object, or one without a `type`.
    #[error("`result` has to be an object with a `type`")]
    NoType,
    /// A `type` that no phase expects.
    #[error("`result` has the unknown type `{0}`")]
    UnknownType(String),
    /// A field is missing, of another type, or empty.
    #[error("`result` of type `{kind}` cannot be read: {message}")]
    Field {
        /// Its type.
        kind: &'static str,
        /// What is wrong.
        message: String,
    },
}

/// Type, its one other field, and what that has to be.
const TYPES: [(&str, &str); 5] = [
    ("classification", "tspApplicable"),
    ("tsp_fix_applied", "description"),
    ("tsp_fix_not_applicable", "reason"),
    ("sdk_fix_applied", "description"),
    ("sdk_fix_failed", "reason"),
];

impl Report {
    /// Reads a report: JSON, or a string that holds JSON, as clients send it.
    ///
    /// # Errors
    /// See [`ReportError`]; each is a sentence for the caller.
    pub fn read(value: &Value) -> Result<Self, ReportError> {
        let value = match value {
            Value::String(text) if text.len() > REPORT_BYTES => return Err(ReportError::TooLong(text.len())),
            Value::String(text) => {
                &serde_json::from_str(text).map_err(|error| ReportError::NotJson(error.to_string()))?
            }
            other => match other.to_string().len() {
                bytes if bytes > REPORT_BYTES => return Err(ReportError::TooLong(bytes)),
                _ => other,
            },
        };
        let named = value.get("type").and_then(Value::as_str).ok_or(ReportError::NoType)?;
        let (kind, field) = TYPES
            .into_iter()
            .find(|(kind, _)| *kind == named)
            .ok_or_else(|| ReportError::UnknownType(named.chars().take(60).collect()))?;
        let wrong = |message: String| ReportError::Field { kind, message };
        match value.get(field) {
            None => Err(wrong(format!("`{field}` is missing"))),
            Some(Value::String(text)) if text.trim().is_empty() => Err(wrong(format!("`{field}` is empty"))),
            Some(_) => Self::deserialize(value).map_err(|error| wrong(format!("`{field}`: {error}"))),
        }
    }

    /// The name of its type.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Classification { .. } => "classification",
            Self::TspFixApplied { .. } => "tsp_fix_applied",
            Self::TspFixNotApplicable { .. } => "tsp_fix_not_applicable",
            Self::SdkFixApplied { .. } => "sdk_fix_applied",
            Self::SdkFixFailed { .. } => "sdk_fix_failed",
        }
    }

    /// The types that a phase takes.
    pub(super) fn expected(phase: Phase) -> &'static [&'static str] {
        match phase {
            Phase::Classify => &["classification"],
            Phase::AttemptTspFix => &["tsp_fix_applied", "tsp_fix_not_applicable"],
            Phase::AttemptSdkFix => &["sdk_fix_applied", "sdk_fix_failed"],
            Phase::Success | Phase::Failure => &[],
        }
    }

    /// The JSON Schema of what a phase takes; `None` when it takes nothing.
    pub(super) fn schema(phase: Phase) -> Option<Value> {
        let of = |kind: &str| {
            let (_, field) = TYPES.into_iter().find(|(name, _)| *name == kind)?;
            let of_field = match field {
                "tspApplicable" => json!({ "type": "boolean" }),
                _ => json!({ "type": "string", "minLength": 1 }),
            };
            Some(json!({
                "type": "object",
                "properties": { "type": { "const": kind }, field: of_field },
                "required": ["type", field],
            }))
        };
        match Self::expected(phase) {
            [] => None,
            [one] => of(one),
            several => Some(json!({ "oneOf": several.iter().filter_map(|kind| of(kind)).collect::<Vec<_>>() })),
        }
    }
}
