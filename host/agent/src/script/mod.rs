//! A script in place of a model: written steps, for examples and tests that need no key.
//!
//! It is not a model and decides nothing. It calls the tools that its file names, in the order of the file, fills their
//! arguments in from the input and from earlier answers, and hands in the result. Every call goes through the same
//! loop, the same grants and the same limits as that of any model.
//!
//! ```toml
//! [[step]]
//! id = "files"
//! tool = "ListFiles"
//! arguments = { path = "docs", filter = "*.md" }
//!
//! [[step]]
//! id = "texts"
//! for-each = "${files.entries.*.name}"     # one call for each; `${each}` in the arguments
//! tool = "ReadFile"
//! arguments = { filePath = "docs/${each}" }
//! may-fail = true                          # otherwise a failed call ends the script
//!
//! [[step]]
//! id = "notes"
//! for-each = "${texts.0.content|lines}"
//! pattern = "{name}: {note}"               # passes over what does not match; `${each.name}` in the arguments
//! tool = "WriteFile"
//! arguments = { filePath = "docs/${each.name}.md", content = "${each.note}" }
//!
//! [exit]
//! result = { names = "${files.entries.*.name}", first = "${texts.0.content|lines}" }
//! ```
//!
//! `${…}` is a path into `input` or into the answer of an earlier step: names, numbers, or `*` for each element. Alone
//! it stands for the value it leads to, within a text for its words. `|lines` makes a list of a text's lines, without
//! empty ones and those that begin with `#`; `|bullets` makes a Markdown list of a list; `|count` counts one; `|flat` makes one
//! list of a list of lists, and `|number` a whole number of a text. In a `pattern`, `{name}` stands for the text up to what comes next in the pattern, and nothing
//! may be left over. A call that
//! failed has the answer `{"error": {"kind": …, "message": …}}`.

mod backend;
mod fill;
mod pattern;
mod steps;

pub use backend::Script;
