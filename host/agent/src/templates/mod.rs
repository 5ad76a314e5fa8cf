//! Prompt templates: files with an id, a version and six named sections, rendered with typed values.
//!
//! A template is Markdown with a front matter. It has no language: a value is put in a place, a list or a fenced block
//! is put on a line, and a block is left out when its parameter is. Everything else is an error, found when the template
//! is parsed or when it is rendered; nothing is ever left unfilled.
//!
//! ```text
//! ---
//! id: greeting                                       lower-case words joined by `-`
//! version: 1.0.0                                     three numbers; counted up whenever the text changes
//! description: Greets people                         one line
//! parameters:
//!   language: choice of english, german              one of these
//!   place: text                                      one short line of the host's own
//!   manners: list                                    such lines, one bullet each
//!   letter: data up to 2000 characters               text from outside, fenced
//!   people: optional data list up to 2000 characters entries from outside, fenced together
//! ---
//! # System role                                      the six sections, all of them, in this order:
//! You greet people in {{place}}.                     System role, Safety guidelines, Task, Constraints,
//! # Safety guidelines                                Examples, Output requirements
//! {{fence-rule}}                                     how to tell data apart; required here if there is any
//! # Task
//! {{letter}}                                         lists and data stand alone on their line
//! ## People {people}                                 only if `people` is given and not empty
//! {{people}}
//! ## German {language = german}                      only for this choice
//! …
//! ```
//!
//! A line `<!-- … -->` is a comment and is not rendered. In the safety guidelines a comment after each guideline names
//! what enforces it (`<!-- enforced: path symbol; path symbol -->`, see [`Guideline`]): no rule may live only in a
//! prompt. Headings within ```` ``` ```` are text.
//!
//! Rendering is deterministic, so that a conversation can be resumed and a recorded one replayed. Text from outside is
//! fenced by the rules of [`fence`].
//!
//! ```
//! use bailiwick_agent::templates::{Template, Values};
//!
//! let template = Template::parse(
//!     "---
//! id: spelling
//! version: 1.0.0
//! description: Corrects spelling
//! parameters:
//!   findings: data list up to 2000 characters
//! ---
//! ## System role
//! You correct spelling.
//! ## Safety guidelines
//! {{fence-rule}}
//! - Be brief.
//! <!-- enforced: a.rs fn b -->
//! ## Task
//! {{findings}}
//! ## Constraints
//! One by one.
//! ## Examples
//! teh: the
//! ## Output requirements
//! One line.
//! ",
//! )
//! .expect("the template is complete");
//! let rendered = template.render(&Values::new().list("findings", ["README.md:3:7 - Unknown word (wigdet)"]))?;
//! assert_eq!(rendered.stamp.to_string(), "spelling 1.0.0");
//! assert!(rendered.text.contains("Unknown word (wigdet)"));
//! # Ok::<(), bailiwick_agent::templates::RenderError>(())
//! ```

mod already_in_prompt;
mod check;
mod error;
pub mod fence;
mod parse;
mod render;
mod template;
mod values;
mod visible;

pub use already_in_prompt::AlreadyInPrompt;
pub use error::{Problem, RenderError, TemplateError};
pub use render::Rendered;
pub use template::{Enforcement, Guideline, Kind, Need, Parameter, SectionName, Stamp, Template};
pub use values::{Value, Values};
