//! Tools that say whatever a test wants, in the WebAssembly text format.

use std::path::Path;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};

/// Where the texts begin.
const TEXTS: usize = 8192;
/// Bytes of a page of memory.
const PAGE: usize = 65536;

/// A tool of the plain contract without any import.
pub(crate) struct Liar {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) input: String,
    pub(crate) output: String,
    pub(crate) answer: String,
    /// The body of `describe`, which leaves the address of a descriptor. The honest one is at 16.
    pub(crate) describe: &'static str,
    /// What `invoke` does before it answers; the address of its answer is at 132, the length at 136.
    pub(crate) invoke: &'static str,
}

impl Liar {
    /// One that tells the truth: it answers `{"n": 1}` to anything.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            description: "Counts.".into(),
            input: r#"{"type":"object"}"#.into(),
            output: r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#.into(),
            answer: r#"{"n":1}"#.into(),
            describe: "(i32.const 16)",
            invoke: "",
        }
    }

    /// The tool as a component.
    pub(crate) fn component(&self) -> Vec<u8> {
        let texts = [&self.name, &self.description, &self.input, &self.output, &self.answer];
        let (mut at, mut places, mut data) = (TEXTS, Vec::new(), String::new());
        for text in texts {
            places.extend([at, text.len()]);
            data.push_str(&bytes(text.as_bytes()));
            at += text.len();
        }
        let words = |places: &[usize]| {
            let little = |place: &usize| u32::try_from(*place).unwrap().to_le_bytes();
            bytes(&places.iter().flat_map(little).collect::<Vec<u8>>())
        };
        let (descriptor, answer) = (words(&places[..8]), words(&places[8..]));
        let (pages, free) = (at / PAGE + 16, at.next_multiple_of(16));
        let Self { describe, invoke, .. } = self;
        let text = format!(
            r#"(module
                (memory (export "memory") {pages})
                (global $free (mut i32) (i32.const {free}))
                (data (i32.const 16) "{descriptor}")
                (data (i32.const 132) "{answer}")
                (data (i32.const {TEXTS}) "{data}")
                (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                    (local $at i32)
                    (local.set $at (i32.and (i32.add (global.get $free) (i32.const 15)) (i32.const -16)))
                    (global.set $free (i32.add (local.get $at) (local.get 3)))
                    (local.get $at))
                (func (export "bailiwick:tool/tool@0.1.0#describe") (result i32) {describe})
                (func (export "bailiwick:tool/tool@0.1.0#invoke") (param i32 i32) (result i32) {invoke} (i32.const 128)))"#
        );
        let mut module = wat::parse_str(text).unwrap();
        let mut resolve = wit_parser::Resolve::default();
        let (package, _) = resolve.push_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit")).unwrap();
        let world = resolve.select_world(&[package], Some("tool-component")).unwrap();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false).unwrap();
        ComponentEncoder::default().validate(true).module(&module).unwrap().encode().unwrap()
    }
}

fn bytes(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:02x}")).collect()
}
