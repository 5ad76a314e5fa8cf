//! What hand-written customization classes for the Java emitter say, read from their syntax.
//!
//! A customization class never refers to generated code by identifiers: it runs inside the generator, over syntax trees,
//! and names classes and members in strings. [`uses()`] tells what each of those strings stands for and whose member it
//! names, as far as that is certain; [`GeneratedCode`] tells what the generated sources declare; [`member_names`] how
//! the emitter writes a name of the client model.
//!
//! The language service looks here for drift, the `mechanic` for what to repair.

mod code;
mod code_text;
mod destination;
mod generated;
mod kept_members;
mod names;
mod own_parts;
mod owner;
mod repeated;
mod source;
mod uses;

pub use generated::{GeneratedCode, GeneratedType, Member};
pub use kept_members::Exchanges;
pub use names::{constant_name, member_names, operation_owner};
pub use own_parts::{OwnPart, OwnParts, Surroundings};
pub use repeated::{Author, PublicMethod};
pub use source::Source;
pub use uses::{Role, Use, statement, uses};
