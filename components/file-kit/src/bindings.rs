//! The world `file-tool` of `wit/built-in`, as generated when this crate is built.

wit_bindgen::generate!({
    path: "wit",
    world: "file-tool",
    runtime_path: "::wit_bindgen::rt",
    with: { "wasi:filesystem/types@0.2.12": wasip2::filesystem::types },
});
