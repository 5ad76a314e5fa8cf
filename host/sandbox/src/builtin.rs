//! The built-in tools, embedded as components.

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));
