//! Embeds the built guests with their digests, or says with which command to build them.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;

const GUESTS: [(&str, &str, &str); 5] = [
    ("READ_FILE", "read-file", "`ReadFile`"),
    ("WRITE_FILE", "write-file", "`WriteFile`"),
    ("LIST_FILES", "list-files", "`ListFiles`"),
    ("CODE_PATCH", "code-patch", "`CodePatch`"),
    ("UPDATE_CSPELL_WORDS", "update-cspell-words", "`UpdateCspellWords`"),
];

/// Those of the file server, whose names and inputs are those of the reference one.
const FILE_SERVER: [(&str, &str, &str); 13] = [
    ("FS_CREATE_DIRECTORY", "fs-create-directory", "`create_directory`"),
    ("FS_DIRECTORY_TREE", "fs-directory-tree", "`directory_tree`"),
    ("FS_EDIT_FILE", "fs-edit-file", "`edit_file`"),
    ("FS_GET_FILE_INFO", "fs-get-file-info", "`get_file_info`"),
    ("FS_LIST_ALLOWED_DIRECTORIES", "fs-list-allowed-directories", "`list_allowed_directories`"),
    ("FS_LIST_DIRECTORY", "fs-list-directory", "`list_directory`"),
    ("FS_LIST_DIRECTORY_WITH_SIZES", "fs-list-directory-with-sizes", "`list_directory_with_sizes`"),
    ("FS_MOVE_FILE", "fs-move-file", "`move_file`"),
    ("FS_READ_MEDIA_FILE", "fs-read-media-file", "`read_media_file`"),
    ("FS_READ_MULTIPLE_FILES", "fs-read-multiple-files", "`read_multiple_files`"),
    ("FS_READ_TEXT_FILE", "fs-read-text-file", "`read_text_file`"),
    ("FS_SEARCH_FILES", "fs-search-files", "`search_files`"),
    ("FS_WRITE_FILE", "fs-write-file", "`write_file`"),
];

fn main() {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("guests");
    let mut code = String::new();
    let mut digests = String::new();
    for (constant, file, name) in GUESTS.into_iter().chain(FILE_SERVER) {
        let path = root.join(format!("{file}.wasm"));
        println!("cargo::rerun-if-changed={}", path.display());
        if !path.is_file() {
            println!("cargo::error=the built-in tools are not built yet; run `cargo xtask guests` first");
            return;
        }
        let path = path.canonicalize().expect("it is there");
        writeln!(code, "/// {name}.\npub static {constant}: &[u8] = include_bytes!({path:?});").expect("a string");
        let digest: String = Sha256::digest(std::fs::read(&path).expect("it can be read"))
            .iter()
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        writeln!(digests, "    ({constant}, {digest:?}),").expect("a string");
    }
    let count = GUESTS.len() + FILE_SERVER.len();
    writeln!(code, "static DIGESTS: [(&[u8], &str); {count}] = [\n{digests}];").expect("a string");
    let (count, all) = (GUESTS.len(), GUESTS.map(|(constant, ..)| constant).join(", "));
    writeln!(code, "/// The built-in tools of agents.\npub static ALL: [&[u8]; {count}] = [{all}];").expect("a string");
    let (count, all) = (FILE_SERVER.len(), FILE_SERVER.map(|(constant, ..)| constant).join(", "));
    writeln!(code, "/// Those of the file server.\npub static FILE_SERVER: [&[u8]; {count}] = [{all}];")
        .expect("a string");
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo sets it")).join("builtin.rs");
    std::fs::write(out, code).expect("OUT_DIR can be written");
}
