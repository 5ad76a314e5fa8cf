//! The world `tool-component` of `wit/tool.wit`, as generated when this crate is built.

wit_bindgen::generate!({
    path: "wit",
    world: "tool-component",
    pub_export_macro: true,
    default_bindings_module: "bailiwick_tool_sdk::bindings",
    runtime_path: "::wit_bindgen::rt",
});
