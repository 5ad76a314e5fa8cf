//! The world `rich-component` of `wit/`, as generated when this crate is built.

wit_bindgen::generate!({
    path: "wit",
    world: "rich-component",
    pub_export_macro: true,
    default_bindings_module: "bailiwick_tool_sdk::rich_bindings",
    runtime_path: "::wit_bindgen::rt",
    generate_unused_types: true,
});
