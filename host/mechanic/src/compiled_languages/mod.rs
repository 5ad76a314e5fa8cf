//! Repairs hand-written code of languages whose compiler names each missing name with its place: C#, TypeScript (and
//! JavaScript), Go, and Java outside of customization classes.
//!
//! An edit begins at a place that an error names: the name there is one that a known rename took away (`forms` tells how the
//! emitter of the language writes it), and what the error says of its class agrees. From there `follow` goes to the other
//! references of a type. `twice` takes out a member that generated code has as well, `imports` adds and removes imports. What
//! the languages differ in is a [`dialect::Dialect`]: `csharp`, `go`, `java`, `typescript`. `reader` puts it together.

mod answer;
mod csharp;
mod dialect;
mod duplicate_declaration;
mod error_message;
mod follow;
mod forms;
mod go;
mod imports;
mod java;
mod lines;
mod log;
mod reader;
mod source;
mod typescript;

pub(crate) use reader::Compiled;

pub(crate) static CSHARP: Compiled = Compiled { dialect: &csharp::CSharp };
pub(crate) static GO: Compiled = Compiled { dialect: &go::Go };
pub(crate) static JAVA: Compiled = Compiled { dialect: &java::Java };
pub(crate) static TYPESCRIPT: Compiled = Compiled { dialect: &typescript::TypeScript };
