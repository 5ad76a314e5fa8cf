//! Components that know nothing of this project: functions with WIT types, each a tool.
//!
//! | module | subject |
//! |---|---|
//! | [`shape`] | a WIT type as far as JSON can carry it |
//! | [`found`] | the functions a component exports, and what they are called as tools |
//! | [`schema`] | the JSON Schema of a shape, as a model reads it |
//! | [`arguments`] | JSON to values of WIT |
//! | [`answer`] | values of WIT to JSON |
//! | [`called`] | the call |
//!
//! How WIT is written in JSON:
//!
//! | WIT | JSON |
//! |---|---|
//! | `bool`, `string`, `char` | boolean, string, a string of one character |
//! | integers up to 32 bits | number |
//! | `s64`, `u64` | number, or its digits as a string where a number would be rounded by many readers (beyond 2^53) |
//! | floats | number, or `"NaN"`, `"Infinity"`, `"-Infinity"` |
//! | `list<u8>` | base64 |
//! | `list`, `tuple` | array |
//! | `map<string, T>` | object; other maps an array of pairs |
//! | `record` | object; a field that is an `option` may be left out |
//! | `option` | the value, or null; in an option `{"value": …}` |
//! | `enum` | string |
//! | `flags` | array of strings |
//! | `variant` | `{"kind": "case"}` or `{"kind": "case", "value": …}` |
//! | `result` | `{"ok": …}` or `{"error": …}`; as the result of a function its error is the tool's error |

pub(crate) mod answer;
pub(crate) mod arguments;
mod called;
pub(crate) mod found;
pub(crate) mod schema;
pub(crate) mod shape;

pub(crate) use called::Called;

#[cfg(test)]
mod tests;

/// The largest integer that every reader of JSON keeps exactly.
const EXACT: u64 = (1 << 53) - 1;
