//! Embeds the built guests, or says with which command to build them.

use std::fmt::Write;
use std::path::Path;

const GUESTS: [(&str, &str, &str); 5] = [
    ("READ_FILE", "read-file", "`ReadFile`"),
    ("WRITE_FILE", "write-file", "`WriteFile`"),
    ("LIST_FILES", "list-files", "`ListFiles`"),
    ("CODE_PATCH", "code-patch", "`CodePatch`"),
    ("UPDATE_CSPELL_WORDS", "update-cspell-words", "`UpdateCspellWords`"),
];

fn main() {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../components/dist");
    let mut code = String::new();
    for (constant, file, name) in GUESTS {
        let path = root.join(format!("{file}.wasm"));
        println!("cargo::rerun-if-changed={}", path.display());
        if !path.is_file() {
            println!("cargo::error=the built-in tools are not built yet; run `cargo xtask guests` first");
            return;
        }
        let path = path.canonicalize().expect("it is there");
        writeln!(code, "/// {name}.\npub static {constant}: &[u8] = include_bytes!({path:?});").expect("a string");
    }
    let (count, all) = (GUESTS.len(), GUESTS.map(|(constant, ..)| constant).join(", "));
    writeln!(code, "/// Every built-in tool.\npub static ALL: [&[u8]; {count}] = [{all}];").expect("a string");
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("builtin.rs");
    std::fs::write(out, code).expect("OUT_DIR can be written");
}
