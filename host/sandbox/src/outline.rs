//! What a component imports and exports, read from its sections without compiling it: for a person who looks before
//! anything of it runs.

use crate::error::LoadError;
use crate::sanitize::sanitized;
use serde::Serialize;
use wasmparser::{ComponentExternalKind as Kind, ComponentTypeRef, Encoding, Parser, Payload};

/// So many names of each kind are told.
const MOST: usize = 256;

/// What stands at the edge of a component, in its own order. Names are fit to be shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// The interfaces and functions it imports; of these, the sandbox links what was granted.
    pub imports: Vec<String>,
    /// The interfaces it exports.
    pub interfaces: Vec<String>,
    /// The functions that it exports outside of any interface.
    pub functions: Vec<String>,
    /// Whether there are more than are told.
    pub more: bool,
}

impl Outline {
    /// Reads it.
    ///
    /// # Errors
    /// The bytes are not a component.
    pub fn of(bytes: &[u8]) -> Result<Self, LoadError> {
        if !bytes.starts_with(b"\0asm") {
            return Err(LoadError::Invalid("it does not begin as WebAssembly does".into()));
        }
        let mut outline = Self::default();
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.map_err(invalid)? {
                Payload::Version { encoding, .. } => {
                    if depth == 0 && encoding == Encoding::Module {
                        return Err(LoadError::Invalid("it is a core module and not a component".into()));
                    }
                    depth += 1;
                }
                Payload::End(_) => depth = depth.saturating_sub(1),
                Payload::ComponentImportSection(imports) if depth == 1 => {
                    for import in imports {
                        let import = import.map_err(invalid)?;
                        if matches!(import.ty, ComponentTypeRef::Instance(_) | ComponentTypeRef::Func(_)) {
                            keep(&mut outline.imports, import.name.name, &mut outline.more);
                        }
                    }
                }
                Payload::ComponentExportSection(exports) if depth == 1 => {
                    for export in exports {
                        let export = export.map_err(invalid)?;
                        match export.kind {
                            Kind::Instance => keep(&mut outline.interfaces, export.name.name, &mut outline.more),
                            Kind::Func => keep(&mut outline.functions, export.name.name, &mut outline.more),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(outline)
    }
}

fn keep(names: &mut Vec<String>, name: &str, more: &mut bool) {
    if names.len() < MOST { names.push(sanitized(name).into_owned()) } else { *more = true }
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` takes")]
fn invalid(error: wasmparser::BinaryReaderError) -> LoadError {
    LoadError::Invalid(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edge_of_a_component_is_told_and_nothing_within_it() {
        let component = wat::parse_str(
            r#"(component
                (import "wasi:clocks/wall-clock@0.2.6" (instance))
                (import "read" (func $read))
                (component (import "inner:one/not-told" (instance)))
                (core module $m)
                (instance $i)
                (export "a:b/c@1.0.0" (instance $i))
                (export "write" (func $read)))"#,
        )
        .unwrap();
        let outline = Outline::of(&component).unwrap();
        assert_eq!(outline.imports, ["wasi:clocks/wall-clock@0.2.6", "read"]);
        assert_eq!((outline.interfaces, outline.functions), (vec!["a:b/c@1.0.0".into()], vec!["write".into()]));
        assert!(!outline.more);
        let module = wat::parse_str("(module)").unwrap();
        for no_component in [&b""[..], b"\0asm", b"text", &module, &component[..component.len() / 2]] {
            // An empty file is not a component, and gives no other clue.
            let told = Outline::of(no_component).unwrap_or_default();
            assert!(told.functions.is_empty(), "{told:?}");
        }
    }
}
