//! Repairs customization classes for the Java emitter: strings that ask for names which a rename took away, Java code in
//! strings that uses them, and members that the service has by now as well.
//!
//! `rename` and `duplicate` collect changes, `evidence` compares them with what the build reported, `repair` does
//! all of it for the frame, and leaves sources beside generated code to `compiled_languages`. [`log`] reads the cause out of a pasted log.

mod change;
mod documentation;
mod duplicate;
mod evidence;
mod log;
mod rename;
mod repair;
#[cfg(test)]
mod tests;

pub(crate) use log::renames_behind;
pub(crate) use repair::Java;
