//! The world `offering-component` of `wit/`, as generated when this crate is built.

wit_bindgen::generate!({
    path: "wit",
    world: "offering-component",
    pub_export_macro: true,
    default_bindings_module: "bailiwick_tool_sdk::offer_bindings",
    runtime_path: "::wit_bindgen::rt",
    with: { "bailiwick:tool/content@0.1.0": crate::rich_bindings::bailiwick::tool::content },
});
